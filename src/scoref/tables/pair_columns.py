"""Which columns of a table of pairs have the two records, and which the score.

Linkers have names of their own for them, which are known; any others must be named.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoref.errors import FormatError
from scoref.tables.columns import MissingColumnError, WantedColumns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.tables.columns import Choosing

_SIDES = (
    ("unique_id_l", "unique_id_r"),  # Splink
    ("id1", "id2"),  # pyJedAI
    ("id_1", "id_2"),
    ("id_l", "id_r"),
    ("left", "right"),
    ("left_id", "right_id"),
    ("record_1", "record_2"),
    ("record1", "record2"),
    ("record_id_1", "record_id_2"),
    ("record_id_l", "record_id_r"),
    ("source", "target"),
)
SCORES = (
    *("match_probability", "match_weight"),  # Splink; both have the same order
    *("score", "similarity", "probability", "confidence", "distance"),
)
MATCHES = ("match", "is_match", "label", "clerical_match_score")


@dataclass(frozen=True, slots=True)
class PairColumns:
    """The columns of a table of pairs."""

    left: str
    right: str
    value: str
    others: tuple[str, ...]
    kind: str

    @property
    def names(self) -> list[str]:
        """List them."""
        return list(dict.fromkeys((self.left, self.right, self.value, *self.others)))

    def used(self, _: str) -> dict[str, str]:
        """Tell what each is used for."""
        return {"left": self.left, "right": self.right, self.kind: self.value}


@dataclass(frozen=True, slots=True)
class WantedPairs:
    """What the caller said of a table of pairs; ``kind`` is a score or a match."""

    left: str | None = None
    right: str | None = None
    value: str | None = None
    kind: str = "score"
    known: tuple[str, ...] = SCORES
    others: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """List those that the caller named."""
        every = self.left, self.right, self.value, *self.others
        return [name for name in every if name is not None]

    def choose(
        self,
        columns: Sequence[str],
        source: str,
        role: str | None,  # noqa: ARG002
    ) -> PairColumns:
        """Choose two records and a value: by name, or by place if there are three."""
        self._check(columns, source)
        left = [name for name in columns if name not in self.names]
        sides = self._sides(left)
        value = self.value or next((name for name in self.known if name in left), None)
        if sides and value:
            return PairColumns(*sides, value, self.others, self.kind)
        given = (self.left, self.right, self.value)
        if len(left) == given.count(None):
            first, second, third = (name or left.pop(0) for name in given)
            return PairColumns(first, second, third, self.others, self.kind)
        raise FormatError(
            f"which columns are the two records, and which the {self.kind}?",
            source=source,
            hint=f"its columns are {', '.join(columns)}; name them: --left COLUMN, "
            f"--right COLUMN and --{self.kind} COLUMN (left, right and {self.kind} in "
            "Python)",
        )

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Tell whether the first row has names: none of them is a number."""
        return not any(_is_number(field) for field in row)

    def _sides(self, left: Sequence[str]) -> tuple[str, str] | None:
        if self.left and self.right:
            return self.left, self.right
        if self.left or self.right:
            return None
        found = [pair for pair in _SIDES if set(pair) <= set(left)]
        return found[0] if found else _suffixed(left)

    def _check(self, columns: Sequence[str], source: str) -> None:
        for name in self.names:
            if name not in columns:
                if name in self.others:
                    raise MissingColumnError(name, columns)
                raise FormatError(
                    f"there is no column '{name}'",
                    source=source,
                    hint=f"its columns are {', '.join(columns)}",
                )
        if len(columns) < 3:  # noqa: PLR2004 - two records and a value
            raise FormatError(
                f"a pair is two records and a {self.kind}, but there are only "
                f"{len(columns)} columns",
                source=source,
                hint=f"its columns are {', '.join(columns)}",
            )


def _suffixed(columns: Sequence[str]) -> tuple[str, str] | None:
    """Find ids that a linker told apart by _l and _r, if there is one pair of them."""
    stems = [
        name.removesuffix("_l")
        for name in columns
        if name.endswith("id_l") and f"{name.removesuffix('_l')}_r" in columns
    ]
    return (f"{stems[0]}_l", f"{stems[0]}_r") if len(stems) == 1 else None


def _is_number(text: str | None) -> bool:
    try:
        float(text or "")
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class WantedOfCurve(WantedColumns):
    """What the caller said of a key and of the pairs beside it."""

    pairs: WantedPairs = field(default_factory=WantedPairs)

    @property
    def names(self) -> list[str]:
        """List all of them."""
        return [*WantedColumns.names.fget(self), *self.pairs.names]  # type: ignore[attr-defined]

    def of_side(self, role: str, *, is_named: bool = True) -> Choosing:
        """Give the key its columns, and the pairs theirs."""
        if role == "key":
            return WantedColumns.of_side(self, role, is_named=is_named)
        return self.pairs if is_named else WantedPairs()
