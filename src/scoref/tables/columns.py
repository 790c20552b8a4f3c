"""Which column is the mention, which the cluster: by name, or by place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from scoref.errors import FormatError, OptionError, quoted
from scoref.tables.match_pairs import are_names_of_pairs, check_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MENTION = {"mention", "mentions", "id", "ids", "record", "item", "point", "signature"}
_KEY = {"key", "gold", "true", "truth", "reference", "ref", "actual", "annotated"}
_RESPONSE = {"response", "predicted", "prediction", "pred", "system", "sys", "output"}
_OTHER = {"cluster", "clusters", "entity", "label", "group", "block", "document", "doc"}
_NAMES = _MENTION | _KEY | _RESPONSE | _OTHER


class MissingColumnError(OptionError):
    """A column that was named to be read beside the others, and is not there."""

    def __init__(self, name: str, columns: Sequence[str]) -> None:
        super().__init__(f"there is no column '{name}'; {_there(columns)}")
        self.name, self.columns = name, tuple(columns)


class Chosen(Protocol):
    """Columns that were chosen."""

    @property
    def names(self) -> list[str]:
        """List them."""

    def used(self, role: str) -> dict[str, str]:
        """Tell what each is used for."""


class Choosing(Protocol):
    """What the caller said of columns, and how the others are found."""

    @property
    def names(self) -> list[str]:
        """List those that the caller named."""

    def choose(self, columns: Sequence[str], source: str, role: str | None) -> Chosen:
        """Choose all that are read."""

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Tell whether the first row of a file has names in it."""


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """The columns that the caller named; ``others`` are read beside the key's."""

    mention: str | None = None
    key_cluster: str | None = None
    response_cluster: str | None = None
    group: str | None = None
    key_mention: str | None = None  # where the sides have different names for it
    response_mention: str | None = None
    others: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """List them."""
        every = (
            *(self.mention, self.key_cluster, self.response_cluster, self.group),
            *(self.key_mention, self.response_mention),
        )
        return [name for name in every if name is not None] + list(self.others)

    def of_side(self, role: str, *, is_named: bool = True) -> Choosing:
        """Keep what is about one side, whose columns may have no names."""
        if not is_named:
            return WantedColumns(group=self.group)
        if role == "key":
            mention = self.key_mention or self.mention
            return WantedColumns(
                mention, self.key_cluster, None, self.group, others=self.others
            )
        mention = self.response_mention or self.mention
        return WantedColumns(mention, self.response_cluster, None, self.group)

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> SideColumns | BothColumns:
        """Choose the columns of a side, or of a table that has both."""
        if role is None:
            return both_columns(columns, self, source)
        return side_columns(columns, self, source, role)

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Tell whether the first row of a file has names in it, not ids."""
        return is_header(row)


@dataclass(frozen=True, slots=True)
class SideColumns:
    """The columns of one side."""

    mention: str
    cluster: str
    group: str | None
    others: tuple[str, ...] = ()
    is_named: bool = False  # whether the caller named mention and cluster

    @property
    def names(self) -> list[str]:
        """List them."""
        return _unique(self.mention, self.cluster, self.group, *self.others)

    def used(self, role: str) -> dict[str, str]:
        """Tell what each is used for."""
        found = {f"{role} mention": self.mention, f"{role} cluster": self.cluster}
        return found | ({f"{role} group": self.group} if self.group else {})


@dataclass(frozen=True, slots=True)
class BothColumns:
    """The columns of a table that has both sides; no mention: each row is one."""

    mention: str | None
    key: str
    response: str
    group: str | None

    @property
    def names(self) -> list[str]:
        """List them."""
        return _unique(self.mention, self.key, self.response, self.group)

    def used(self, _: str) -> dict[str, str]:
        """Tell what each is used for, on whichever side."""
        found = {
            "mention": self.mention,
            "key cluster": self.key,
            "response cluster": self.response,
            "group": self.group,
        }
        return {use: name for use, name in found.items() if name is not None}


def _unique(*names: str | None) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


def words(name: str) -> set[str]:
    """Cut a name into its words.

    >>> sorted(words("predictedCluster_id"))
    ['cluster', 'id', 'predicted']
    """
    pieces = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return set(re.split(r"[^a-z0-9]+", pieces.lower())) - {""}


def is_header(row: Sequence[str | None]) -> bool:
    """Tell whether the first row of a file has names in it, not ids.

    >>> is_header(["paper_id", "cluster"]), is_header(["doc_1", "cluster_1"])
    (True, False)
    """
    fields = [field or "" for field in row]
    if not all(re.search(r"[^\W\d_]", field) for field in fields):
        return False
    # In this order only: 'rec2,rec1' is a record and its cluster rather than names.
    if any(a < b and are_names_of_pairs(a, b) for a, b in pairwise(fields)):
        return True
    return any(_is_name(field) for field in fields)


def _is_name(field: str) -> bool:
    """Tell whether a field is a name that is known, and cannot be an id or a text."""
    found = words(field)
    if re.search(r"\d", field):
        return False
    return found <= _NAMES if " " in field else bool(found & _NAMES)


def side_columns(
    columns: Sequence[str], wanted: WantedColumns, source: str, role: str = "key"
) -> SideColumns:
    """Choose mention and cluster: what is named, and what is left if nothing else is.

    Of more columns than are needed none is taken: the wrong one would be scored.
    """
    _check(columns, wanted, source, role)
    left = [name for name in columns if name not in wanted.names]
    options = {"--mention": wanted.mention, f"--{role}-cluster": wanted.key_cluster}
    open_ones = [option for option, name in options.items() if name is None]
    if len(left) < len(open_ones):
        raise FormatError(
            "one column is the mention and one its cluster, but there is no second",
            source=source,
            hint=_there(columns),
        )
    if open_ones and len(left) > len(open_ones):
        check_names(columns, source)
        raise FormatError(
            "which column is the mention, and which its cluster? There are "
            f"{len(columns)}",
            source=source,
            hint=f"{_there(columns)}; name them: {_typed(open_ones)}",
        )
    chosen = [name or left.pop(0) for name in options.values()]
    _check_once(columns, [*chosen, wanted.group, *wanted.others], source)
    check_names(chosen, source)
    is_named = not open_ones
    return SideColumns(chosen[0], chosen[1], wanted.group, wanted.others, is_named)


def both_columns(
    columns: Sequence[str], wanted: WantedColumns, source: str
) -> BothColumns:
    """Choose the columns of a table that has both sides, by their names."""
    _check(columns, wanted, source)
    left = [name for name in columns if name not in wanted.names]
    key = wanted.key_cluster or _only(left, _KEY)
    response = wanted.response_cluster or _only(left, _RESPONSE)
    if key is None or response is None:
        check_names(columns, source)
        missing = "key" if key is None else "response"
        raise FormatError(
            f"which column has the {missing}'s clusters?",
            source=source,
            hint=f"{_there(columns)}; name it: {_typed([f'--{missing}-cluster'])}",
        )
    left = [name for name in left if name not in {key, response}]
    mention = wanted.mention or _mention(left, columns, source)
    _check_once(columns, [mention, key, response, wanted.group], source)
    return BothColumns(mention, key, response, wanted.group)


def _mention(left: Sequence[str], columns: Sequence[str], source: str) -> str | None:
    """Choose the mention of a table: by name, or the only column that is left."""
    named = [name for name in left if words(name) & _MENTION]
    if len(named) > 1:
        raise FormatError(
            f"which column is the mention? {quoted(named)} may be",
            source=source,
            hint=f"{_there(columns)}; name it: {_typed(['--mention'])}",
        )
    if named:
        return named[0]
    return left[0] if len(left) == 1 else None


def _only(columns: Iterable[str], known: set[str]) -> str | None:
    found = [name for name in columns if words(name) & known]
    return found[0] if len(found) == 1 else None


def _check(
    columns: Sequence[str], wanted: WantedColumns, source: str, role: str | None = None
) -> None:
    missing = [name for name in wanted.names if name not in columns]
    if not missing:
        return
    if missing[0] in wanted.others:
        raise MissingColumnError(missing[0], columns)
    hint = _there(columns)
    if role and wanted.mention in missing:
        hint += f"; if it is called otherwise here: {_typed([f'--{role}-mention'])}"
    raise FormatError(f"there is no column {quoted(missing)}", source=source, hint=hint)


def _check_once(
    columns: Sequence[str], chosen: Iterable[str | None], source: str
) -> None:
    """Refuse a name that two columns have; SQL takes capitals for small letters."""
    for name in chosen:
        alike = [each for each in columns if name and each.lower() == name.lower()]
        if len(alike) > 1:
            raise FormatError(
                f"there are {len(alike)} columns with the name {quoted(alike)}",
                source=source,
                hint="rename all but one; capitals make no other name",
            )


def _typed(options: Iterable[str]) -> str:
    """Name options as they are typed, and as Python has them.

    >>> _typed(["--key-cluster"])
    '--key-cluster COLUMN (key_cluster in Python)'
    """
    listed = list(options)
    python = " and ".join(each[2:].replace("-", "_") for each in listed)
    typed = " and ".join(f"{each} COLUMN" for each in listed)
    return f"{typed} ({python} in Python)"


def _there(columns: Sequence[str]) -> str:
    return f"its columns are {', '.join(columns)}"
