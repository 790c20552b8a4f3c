"""Columns of tables: which ones are read, by name or by position, and what is refused.

If more columns are left than are needed, the table is refused, because a wrong guess
would be scored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from scoref.errors import FormatError, OptionError, quoted
from scoref.records.pair_tables import are_names_of_pairs, check_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class MissingColumnError(OptionError):
    """An additional column that the caller named, and that the table does not have."""

    def __init__(self, name: str, columns: Sequence[str]) -> None:
        super().__init__(f"column '{name}' does not exist. {_its_columns(columns)}")
        self.name, self.columns = name, tuple(columns)


class ChosenColumns(Protocol):
    """The columns of a table that are read."""

    @property
    def names(self) -> list[str]:
        """Their names."""

    def uses(self, role: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""


class ColumnChooser(Protocol):
    """The columns that the caller named, and the rules for choosing the others."""

    @property
    def names(self) -> list[str]:
        """The names that the caller gave."""

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> ChosenColumns:
        """Choose all columns that are read."""

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Return whether the first row of a file has names in it."""


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """The columns that the caller named.

    ``key_mention`` and ``response_mention`` are for sides that call the mention
    differently. ``others`` are additional columns of the key. ``key_pairs`` and
    ``response_pairs`` choose the columns of a side whose rows are pairs of records.
    """

    mention: str | None = None
    key_cluster: str | None = None
    response_cluster: str | None = None
    group: str | None = None
    key_mention: str | None = None
    response_mention: str | None = None
    others: tuple[str, ...] = ()
    has_two_sides: bool = True  # whether each side may name its column of records
    key_pairs: ColumnChooser | None = None
    response_pairs: ColumnChooser | None = None

    @property
    def names(self) -> list[str]:
        """The names that the caller gave."""
        names = (
            *(self.mention, self.key_cluster, self.response_cluster, self.group),
            *(self.key_mention, self.response_mention),
        )
        return [name for name in names if name is not None] + list(self.others)

    def of_side(self, role: str, *, is_named: bool = True) -> ColumnChooser:
        """Return the part about one side, whose columns may not have names."""
        pairs = self.key_pairs if role == "key" else self.response_pairs
        if pairs is not None:
            return pairs
        if not is_named:
            return WantedColumns(group=self.group)
        if role == "key":
            mention = self.key_mention or self.mention
            return WantedColumns(
                mention,
                self.key_cluster,
                None,
                self.group,
                others=self.others,
                has_two_sides=self.has_two_sides,
            )
        mention = self.response_mention or self.mention
        return WantedColumns(mention, self.response_cluster, None, self.group)

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> SideColumns | BothColumns:
        """Choose the columns of a side, or of a table that has both sides."""
        if role is None:
            return both_columns(columns, self, source)
        return side_columns(columns, self, source, role)

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Return whether the first row of a file has names in it, not ids."""
        return is_header(row)


@dataclass(frozen=True, slots=True)
class SideColumns:
    """The columns of one side; ``is_named`` if the caller named mention and cluster."""

    mention: str
    cluster: str
    group: str | None
    others: tuple[str, ...] = ()
    is_named: bool = False

    @property
    def names(self) -> list[str]:
        """Their names, each once."""
        return _unique(self.mention, self.cluster, self.group, *self.others)

    def uses(self, role: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""
        uses = {f"{role} mention": self.mention, f"{role} cluster": self.cluster}
        return uses | ({f"{role} group": self.group} if self.group else {})


@dataclass(frozen=True, slots=True)
class BothColumns:
    """The columns of a table with both sides; without a mention, each row is one."""

    mention: str | None
    key: str
    response: str
    group: str | None

    @property
    def names(self) -> list[str]:
        """Their names, each once."""
        return _unique(self.mention, self.key, self.response, self.group)

    def uses(self, _: str) -> dict[str, str]:
        """Return the names by what the columns are used for."""
        uses = {
            "mention": self.mention,
            "key cluster": self.key,
            "response cluster": self.response,
            "group": self.group,
        }
        return {use: name for use, name in uses.items() if name is not None}


def _unique(*names: str | None) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


_MENTION = {"mention", "mentions", "id", "ids", "record", "item", "point", "signature"}

_KEY = {"key", "gold", "true", "truth", "reference", "ref", "actual", "annotated"}

_RESPONSE = {"response", "predicted", "prediction", "pred", "system", "sys", "output"}

_OTHER = {"cluster", "clusters", "entity", "label", "group", "block", "document", "doc"}

_NAMES = _MENTION | _KEY | _RESPONSE | _OTHER


def words(name: str) -> set[str]:
    """Return the words of a column's name.

    >>> sorted(words("predictedCluster_id"))
    ['cluster', 'id', 'predicted']
    """
    pieces = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return set(re.split(r"[^a-z0-9]+", pieces.lower())) - {""}


def is_header(row: Sequence[str | None]) -> bool:
    """Return whether the first row of a file has names in it, not ids.

    >>> is_header(["paper_id", "cluster"]), is_header(["doc_1", "cluster_1"])
    (True, False)
    """
    fields = [field or "" for field in row]
    if not all(re.search(r"[^\W\d_]", field) for field in fields):
        return False
    # In this order only: 'rec2,rec1' is a record and its cluster rather than names.
    if any(a < b and are_names_of_pairs(a, b) for a, b in pairwise(fields)):
        return True
    for field in fields:
        names = words(field)
        is_known = names <= _NAMES if " " in field else names & _NAMES
        if is_known and not re.search(r"\d", field):  # ids have digits
            return True
    return False


def side_columns(
    columns: Sequence[str], wanted: WantedColumns, source: str, role: str = "key"
) -> SideColumns:
    """Choose mention and cluster: what the caller named, and what is left.

    Usual names decide before the order of two columns: Splink writes the cluster first.
    If more columns are left than are needed, the table is refused, because a wrong
    guess would be scored.
    """
    _check_names_exist(columns, wanted, source, role)
    left = [name for name in columns if name not in wanted.names]
    mention_option = f"--{role}-record" if wanted.has_two_sides else "--record"
    options = {
        mention_option: wanted.mention,
        _cluster_option(role): wanted.key_cluster,
    }
    open_options = [option for option, name in options.items() if name is None]
    if len(left) < len(open_options):
        raise FormatError(
            "expected a column of records and a column of clusters, but "
            "there is only one column",
            source=source,
            hint=f"{_its_columns(columns)}.",
        )
    if open_options and len(left) > len(open_options):
        check_names(columns, source, role)
        by_name = _by_name(left, wanted)
        if by_name is not None:
            _check_unique(columns, [*by_name, wanted.group, *wanted.others], source)
            return SideColumns(*by_name, wanted.group, wanted.others)
        raise FormatError(
            f"cannot tell which of the {len(columns)} columns are the "
            "records and the clusters",
            source=source,
            hint=f"{_its_columns(columns)}. Name them: {_usage(*open_options)}."
            f"{_header_advice(columns)}",
        )
    if open_options and (by_name := _by_name(left, wanted)) is not None:
        mention, cluster = by_name
    else:
        mention, cluster = (name or left.pop(0) for name in options.values())
    _check_unique(columns, [mention, cluster, wanted.group, *wanted.others], source)
    check_names([mention, cluster], source, role)
    is_named = not open_options
    return SideColumns(mention, cluster, wanted.group, wanted.others, is_named)


_RECORDS = {"id", "record", "record_id", "unique_id", "mention", "mention_id"}

_CLUSTERS = {"cluster", "cluster_id", "entity", "entity_id"}


def _by_name(left: Sequence[str], wanted: WantedColumns) -> tuple[str, str] | None:
    """Find the record and the cluster by usual names, if only one column has each."""
    usual = {name: "_".join(re.findall(r"\w+", name.lower())) for name in left}
    records = [name for name in left if usual[name] in _RECORDS]
    clusters = [name for name in left if usual[name] in _CLUSTERS]
    records = [wanted.mention] if wanted.mention else records
    clusters = [wanted.key_cluster] if wanted.key_cluster else clusters
    if len(records) == len(clusters) == 1:
        return records[0], clusters[0]
    return None


def both_columns(
    columns: Sequence[str], wanted: WantedColumns, source: str
) -> BothColumns:
    """Choose the columns of a table that has both sides, by their names.

    The mention may also be the only column that is left.
    """
    _check_names_exist(columns, wanted, source)
    left = [name for name in columns if name not in wanted.names]
    key = wanted.key_cluster or _only_match(left, _KEY)
    response = wanted.response_cluster or _only_match(left, _RESPONSE)
    if key is None or response is None:
        check_names(columns, source)
        missing = "key" if key is None else "response"
        kind = "gold" if key is None else "predicted"
        raise FormatError(
            f"cannot tell which column has the {kind} clusters",
            source=source,
            hint=f"{_its_columns(columns)}. "
            f"Name it: {_usage(_cluster_option(missing))}.",
        )
    left = [name for name in left if name not in {key, response}]
    mentions = [name for name in left if words(name) & _MENTION]
    if len(left) == 1:
        mentions = left
    if not wanted.mention and len(mentions) > 1:
        raise FormatError(
            f"cannot tell which column has the records: {quoted(mentions)} "
            "are possible",
            source=source,
            hint=f"{_its_columns(columns)}. Name it: {_usage('--record')}.",
        )
    mention = wanted.mention or next(iter(mentions), None)
    _check_unique(columns, [mention, key, response, wanted.group], source)
    return BothColumns(mention, key, response, wanted.group)


def _only_match(columns: Iterable[str], known: set[str]) -> str | None:
    """Return the only column whose name has one of these words."""
    names = [name for name in columns if words(name) & known]
    return names[0] if len(names) == 1 else None


def _check_names_exist(
    columns: Sequence[str], wanted: WantedColumns, source: str, role: str | None = None
) -> None:
    """Refuse names of columns that the table does not have."""
    missing = [name for name in wanted.names if name not in columns]
    if not missing:
        return
    if missing[0] in wanted.others:
        raise MissingColumnError(missing[0], columns)
    hint = _its_columns(columns)
    if role and wanted.has_two_sides and wanted.mention in missing:
        hint += f". If it has another name here: {_usage(f'--{role}-record')}"
    problem = f"column {quoted(missing)} does not exist"
    raise FormatError(problem, source=source, hint=f"{hint}.")


def _check_unique(
    columns: Sequence[str], chosen: Iterable[str | None], source: str
) -> None:
    """Refuse a name that two columns have; SQL ignores the case of letters."""
    for name in chosen:
        alike = [other for other in columns if name and other.lower() == name.lower()]
        if len(alike) > 1:
            raise FormatError(
                f"{len(alike)} columns have the same name: {quoted(alike)}",
                source=source,
                hint="Rename all but one. Names that differ only in case count as "
                "the same.",
            )


_PYTHON_NAMES = {
    "--record": "mention",
    "--key-record": "key_mention",
    "--response-record": "response_mention",
    "--gold": "key_cluster",
    "--cluster": "response_cluster",
}


def _cluster_option(role: str) -> str:
    return "--gold" if role == "key" else "--cluster"


def _usage(*options: str) -> str:
    """Write options of columns as they are typed, and as Python calls them.

    >>> _usage("--gold")
    '--gold COLUMN (key_cluster in Python)'
    """
    python = " and ".join(_PYTHON_NAMES[option] for option in options)
    typed = " and ".join(f"{option} COLUMN" for option in options)
    return f"{typed} ({python} in Python)"


def columns_line(columns: Mapping[str, str]) -> str:
    """Write which columns were read, by their use.

    >>> columns_line({"key mention": "id", "key cluster": "person"})
    "Columns: gold record 'id', gold cluster 'person'"
    """
    words = {"key": "gold", "response": "predicted", "mention": "record"}
    uses = [
        f"{' '.join(words.get(word, word) for word in use.split())} '{name}'"
        for use, name in columns.items()
    ]
    return f"Columns: {', '.join(uses)}"


def _header_advice(columns: Sequence[str]) -> str:
    """Write what to do if the first line of a file was not taken for a header."""
    if list(columns) != [str(i + 1) for i in range(len(columns))]:
        return ""
    return " If the first line has names, add --header (header=True in Python)."


def _its_columns(columns: Sequence[str]) -> str:
    return f"The columns are {', '.join(columns)}"
