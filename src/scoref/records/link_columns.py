"""Columns of tables whose rows are pairs of records, found by name or given.

The names also say whether left and right records are from one source or from two:
names that differ only in a word for the side, such as id_l and id_r, mean one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError, quoted
from scoref.records.columns import is_header, words
from scoref.records.pair_tables import are_names_of_pairs
from scoref.records.pairs import MATCHES, SCORES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.scheme import Sources


_LABELS = {
    *MATCHES,
    *("matched", "is_duplicate", "duplicate", "gold_label", "true_label"),
}

_PREDICTED = {"predicted", "prediction", "pred", "predicted_label"}

_DATASETS = ("source_dataset_l", "source_dataset_r")  # of Splink, parts of the id


class UnlabelledPairsError(FormatError):
    """Pairs with scores, of which nothing says which ones are links."""


@dataclass(frozen=True, slots=True)
class LinkColumns:
    """The columns of a table of pairs; without label and score, each row is a link.

    ``unused`` are columns that might be a label or a score.
    """

    left: str
    right: str
    label: str | None = None
    score: str | None = None
    datasets: tuple[str, str] | None = None
    unused: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """Their names, each once."""
        names = self.left, self.right, self.label, self.score, *(self.datasets or ())
        return list(dict.fromkeys(name for name in names if name is not None))

    @property
    def sources(self) -> Sources:
        """Whether the ids of both columns are from one source, by the names."""
        if self.datasets:
            return "named"
        return "two" if have_two_sources(self.left, self.right) else "one"

    def uses(self, role: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""
        uses = {
            f"{role} left": self.left,
            f"{role} right": self.right,
            f"{role} label": self.label,
            f"{role} score": self.score,
        }
        return {use: name for use, name in uses.items() if name is not None}


_SIDE_WORDS = (
    *(("l", "r"), ("left", "right"), ("lhs", "rhs"), ("source", "target")),
    *(("first", "second"), ("from", "to"), ("1", "2"), ("a", "b"), ("x", "y")),
    ("i", "j"),
)


def have_two_sources(left: str, right: str) -> bool:
    """Return whether two columns have ids of different sources, by their names.

    Names that differ only in a word for the side are of one source.

    >>> have_two_sources("unique_id_l", "unique_id_r"), have_two_sources("id1", "id2")
    (False, False)
    >>> have_two_sources("ltable_id", "rtable_id"), have_two_sources("idAbt", "idBuy")
    (True, True)
    """
    pattern = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+"
    one, other = (
        [piece.lower() for piece in re.findall(pattern, name)] for name in (left, right)
    )
    if len(one) != len(other):
        return True
    differing = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(differing) != 1 or differing[0] not in _SIDE_WORDS


@dataclass(frozen=True, slots=True)
class WantedLinks:
    """The columns of pairs that the caller named, and the threshold of scores."""

    left: str | None = None
    right: str | None = None
    label: str | None = None
    score: str | None = None
    threshold: float | None = None

    @property
    def names(self) -> list[str]:
        """The names that the caller gave."""
        names = self.left, self.right, self.label, self.score
        return [name for name in names if name is not None]

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Return whether the first row of a file has names in it, not ids."""
        known = {*_LABELS, *_PREDICTED, *SCORES, *_DATASETS}
        return is_header(row) or any((name or "").lower() in known for name in row)

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> LinkColumns:
        """Choose the records of a pair, and the label or the score."""
        side = role or "key"
        missing = [name for name in self.names if name not in columns]
        hint = f"The columns are {', '.join(columns)}."
        if missing:
            raise FormatError(
                f"column {quoted(missing)} does not exist",
                source=source,
                hint=f"{hint} If the files have different names, use --key-left, "
                "--response-left and so on.",
            )
        if self.left is not None and self.left == self.right:
            raise FormatError(
                f"'{self.left}' was given as the left and the right record",
                source=source,
                hint=f"{hint} Name two of them.",
            )
        rest = [name for name in columns if name not in self.names]
        left, right = self._records(rest, columns, source, side)
        rest = [name for name in rest if name not in {left, right}]
        datasets = _DATASETS if {*_DATASETS} <= {*columns} else None
        rest = [name for name in rest if name not in (datasets or ())]
        labels = _LABELS if role == "key" else _LABELS | _PREDICTED
        label = self.label or _first(rest, labels)
        score = self.score or _first(rest, SCORES)
        is_whole = len(columns) == len({left, right}) + 1
        if label is None and score is None and is_whole:
            if self.threshold is None:
                raise FormatError(
                    f"cannot tell whether column '{rest[0]}' is a label or a score",
                    source=source,
                    hint=f"{hint} Add --{side}-label {rest[0]} if it is 0 or 1, "
                    f"--{side}-score {rest[0]} and --threshold T if it is a score, or "
                    "remove it if every row is a match.",
                )
            score = rest[0]
        label, score = self._value(label, score, source, side)
        used = {left, right, label, score, *(datasets or ())}
        unused = tuple(
            name
            for name in columns
            if name not in used and label is None and score is None
        )
        return LinkColumns(left, right, label, score, datasets, unused)

    def _records(
        self, rest: Sequence[str], columns: Sequence[str], source: str, side: str
    ) -> tuple[str, str]:
        """Choose the two records: as named, by their names, or as the first two."""
        if self.left and self.right:
            return self.left, self.right
        if self.left or self.right:
            named = self.left or self.right
            partners = [name for name in rest if are_names_of_pairs(named or "", name)]
            if len(partners) == 1:
                pair = (self.left or partners[0], self.right or partners[0])
                return pair[0], pair[1]
        else:
            ids = [pair for pair in name_pairs(rest) if not set(pair) & {*_DATASETS}]
            if ids:
                return min(ids, key=lambda pair: "id" not in words(pair[0]))
            if 2 <= len(rest) <= 3:
                return rest[0], rest[1]
        raise FormatError(
            "cannot tell which columns are the two records of a pair",
            source=source,
            hint=f"The columns are {', '.join(columns)}. Name them: --{side}-left "
            f"COLUMN and --{side}-right COLUMN ({side}_left and {side}_right in "
            "Python).",
        )

    def _value(
        self, label: str | None, score: str | None, source: str, side: str
    ) -> tuple[str | None, str | None]:
        """Decide whether the label or the score says which pairs are links."""
        if label and score and not self.label and side == "response":
            if self.threshold is None:
                raise FormatError(
                    f"the pairs have a label ('{label}') and a score ('{score}')",
                    source=source,
                    hint=f"Add --threshold T to use the score, or --response-label "
                    f"{label} if the label is the prediction.",
                )
            return None, score
        if label:
            return label, score if self.score and self.threshold is not None else None
        if score and self.threshold is None:
            raise UnlabelledPairsError(
                f"the pairs have scores ('{score}') but no label, so every pair "
                "would count as a match",
                source=source,
                hint="Add --threshold T to keep pairs with a score of at least T "
                "(threshold in Python), or name the label with "
                f"--{side}-label COLUMN. `scoref curve` scores every threshold.",
            )
        return None, score


def _first(columns: Sequence[str], known: Sequence[str] | set[str]) -> str | None:
    """Return the column with a known name; of several, the one that is known first."""
    by_name = {name.lower(): name for name in reversed(columns)}
    if isinstance(known, set):
        return next((name for name in columns if name.lower() in known), None)
    return next((by_name[name] for name in known if name in by_name), None)


def name_pairs(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of columns that are the records of a pair, by their names."""
    return [pair for pair in combinations(columns, 2) if are_names_of_pairs(*pair)]


@dataclass(frozen=True, slots=True)
class WantedRecords:
    """The column of records of a file that lists them."""

    mention: str | None
    datasets: bool

    @property
    def names(self) -> list[str]:
        """The names that the caller gave."""
        return []

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Return whether the first row of a file has names in it, not ids."""
        return self.mention in row or is_header(row)

    def choose(
        self, columns: Sequence[str], source: str, _: str | None
    ) -> RecordColumns:
        """Choose the column that was named, one of ids, or the only one."""
        dataset = "source_dataset" if self.datasets else None
        if self.mention in columns:
            return RecordColumns(str(self.mention), dataset)
        usual = ("id", "record", "record_id", "unique_id", "mention")
        by_name = [name for name in columns if name.lower() in usual]
        ids = [name for name in columns if {"id", "record"} & words(name)]
        for names in (columns, by_name, ids):
            if len(names) == 1:
                return RecordColumns(names[0], dataset)
        raise FormatError(
            "cannot tell which column has the records",
            source=source,
            hint=f"The columns are {', '.join(columns)}. Name it: --record COLUMN "
            "(mention in Python).",
        )


class RecordColumns(NamedTuple):
    """The column of records, and the one of their datasets."""

    mention: str
    dataset: str | None

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [self.mention, *([self.dataset] if self.dataset else [])]

    def uses(self, _: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""
        return {"records": self.mention}
