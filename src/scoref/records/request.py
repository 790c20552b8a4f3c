"""The request that an engine gets, and the counts that it returns.

A `CountRequest` has every choice about reading and counting tables. `TableReading` is
the part of it that concerns one table. An engine returns `TableCounts`, or
`SampleCounts` for an estimate.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from scoref.errors import (
    AlignmentError,
    DuplicateError,
    FormatError,
    OptionError,
    unknown,
)
from scoref.lazy import np
from scoref.printable import counted
from scoref.records.columns import SideColumns, WantedColumns
from scoref.records.ids import NULL_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scoref.contingency import Contingency
    from scoref.model import Ints
    from scoref.records.columns import ChosenColumns, ColumnChooser
    from scoref.scheme import Universe

    Progress = Callable[[str, float], None]


Duplicates = Literal["error", "first", "last"]


def check_duplicates(policy: str) -> None:
    """Refuse a name that is not a policy for duplicates."""
    if policy not in get_args(Duplicates):
        raise unknown("duplicates policy", policy, get_args(Duplicates))


Role = Literal["key", "response"]

ROLES: tuple[Role, Role] = ("key", "response")

SIDE_NAMES = {"key": "gold data", "response": "prediction"}
"""The names of the two sides in messages."""


@dataclass(frozen=True, slots=True)
class CountRequest:
    """What to count, and how to read it."""

    wanted: WantedColumns = field(default_factory=WantedColumns)
    universe: Universe = "both"
    duplicates: Duplicates = "error"
    ceaf: bool = True
    header: bool | None = None
    table: str | tuple[str, str] | None = None
    memory: str | None = None
    remote: bool = False
    progress: Progress | None = None
    missing_values: tuple[str, ...] | None = None  # None: the usual words

    @property
    def null_words(self) -> tuple[str, ...]:
        """The clusters that mean "not clustered", in small letters."""
        return NULL_WORDS if self.missing_values is None else self.missing_values

    def has_null_words(self, *, is_plain: bool) -> bool:
        """Return whether null words are looked for; in plain values only on request."""
        return not is_plain or self.missing_values is not None

    @property
    def is_grouped(self) -> bool:
        """Whether there are groups."""
        return self.wanted.group is not None

    def table_of(self, role: Role | None) -> str | None:
        """Return the name of a side's table in its database."""
        if isinstance(self.table, tuple):
            return self.table[role == "response"]
        return self.table


def missing_words(values: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """Return the words of --missing-values, in small letters.

    >>> missing_words("unknown,-9"), missing_words(""), missing_words(None)
    (('unknown', '-9'), (), None)
    """
    if values is None:
        return None
    words = values.split(",") if isinstance(values, str) else values
    return tuple(dict.fromkeys(str(w).strip().lower() for w in words if str(w).strip()))


_LEAST_MEMORY = 100e6  # bytes

_THOUSANDS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


def check_memory(size: str | None) -> None:
    """Refuse text that is not a size, and a size in which nothing can be counted."""
    if size is not None and bytes_of(size) < _LEAST_MEMORY:
        raise OptionError(f"--memory {size} is too little. Give at least 100MB")


def bytes_of(size: str) -> float:
    """Read a size, such as 2GB.

    >>> bytes_of("1.5 KiB"), bytes_of("2gb")
    (1536.0, 2000000000.0)
    """
    pattern = r"\s*(\d{1,15}(?:\.\d{1,15})?)\s*([kmgtp]?)(i?)b(?:ytes)?\s*"
    match = re.fullmatch(pattern, size.lower(), re.ASCII)
    if match is None:
        raise OptionError(
            f"'{size}' is not an amount of memory. Expected a value such as 2GB"
        )
    number, prefix, is_binary = match.groups()
    return float(number) * (1024.0 if is_binary else 1000.0) ** _THOUSANDS[prefix]


@dataclass(frozen=True, slots=True)
class TableReading:
    """How one table is read; ``role`` is None if the table has both sides."""

    source: str
    role: Role | None = None
    wanted: ColumnChooser = field(default_factory=WantedColumns)
    header: bool | None = None
    table: str | None = None

    def choose(self, names: Sequence[str]) -> ChosenColumns:
        """Choose the columns that are read."""
        return self.wanted.choose(names, self.source, self.role)

    def side(self, names: Sequence[str]) -> SideColumns:
        """Choose the columns of a side: a mention and its cluster."""
        chosen = self.choose(names)
        assert isinstance(chosen, SideColumns)
        return chosen

    def needed_names(self, names: Sequence[str]) -> list[str]:
        """Return the names of the columns that are read."""
        return self.choose(names).names

    def text_columns(self, line: str, form: str) -> tuple[str, list[str], bool]:
        """Return delimiter, names and whether the first line of a file has the names.

        Without names, columns are called by their numbers.
        """
        delimiter = delimiter_of(line, form)
        row = next(csv.reader([line], delimiter=delimiter))
        return delimiter, *self.header_of(row)

    def header_of(self, row: Sequence[str]) -> tuple[list[str], bool]:
        """Return the names of columns, and whether a file's first row has them."""
        numbers = [str(i + 1) for i in range(len(row))]
        wanted = set(self.wanted.names)
        if self.header is not None:
            has_header = self.header
        elif wanted:
            has_header = wanted <= set(row) or not wanted <= set(numbers)
        else:
            has_header = self.wanted.is_header(row)
        return (list(row), True) if has_header else (numbers, False)

    def table_of(self, names: Sequence[str], source: str) -> str:
        """Choose a table of a database: the one that is named, or the only one."""
        if self.table in names:
            return str(self.table)
        if self.table is None and len(names) == 1:
            return names[0]
        problem = (
            f"table '{self.table}' does not exist"
            if self.table
            else "this file has several tables"
        )
        known = ", ".join(names) or "none"
        hint = f"The tables are {known}. Name one: --table NAME (table in Python)."
        raise FormatError(problem, source=source, hint=hint)


_DELIMITERS = ",\t;|"


def delimiter_of(line: str, form: str) -> str:
    """Return the character that separates the fields of a file, by its first record."""
    line = re.sub(r'"[^"]*"', "", line)  # a delimiter in quotation marks is text
    is_tabbed = form == "tsv" and "\t" in line
    return "\t" if is_tabbed else max(_DELIMITERS, key=line.count)


@dataclass(frozen=True, slots=True)
class TableSide:
    """The number of rows on one side, and how many of them were skipped and why.

    Args:
        source: the file, or the side's role.
        rows: all rows.
        unnamed: rows without a mention.
        unclustered: rows with a mention, but without a cluster.
        repeated: mentions with more than one row.
        null_words: unclustered rows whose cluster is a word such as NA or -1.
        kept_null_words: rows with such a word that counts as a cluster.
    """

    source: str
    rows: int = 0
    unnamed: int = 0
    unclustered: int = 0
    repeated: int = 0
    null_words: int = 0
    kept_null_words: int = 0

    @property
    def clustered(self) -> int:
        """The number of rows that have a mention and its cluster."""
        return self.rows - self.unnamed - self.unclustered


def duplicate_error(side: TableSide, count: int, example: object) -> DuplicateError:
    """Return the error for records that are listed more than once."""
    records = "record is" if count == 1 else "records are"
    return DuplicateError(
        f"{count:,} {records} listed more than once, for example '{example}'",
        source=side.source,
        hint="Use --duplicates first or last to keep one row of each "
        "(duplicates in Python).",
    )


def empty_key_error(key: TableSide) -> FormatError:
    """Return the error for a key in which no record has a cluster."""
    hint = "The table is empty. Is it the right file?"
    if key.rows:
        rows = counted(key.rows, "row")
        hint = f"The table has {rows}, but each lacks the record or the cluster."
    return FormatError("no record has a gold cluster", source=key.source, hint=hint)


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many mentions only the key, only the response, and both sides have."""

    key_only: int
    response_only: int
    common: int

    def check(self, request: CountRequest, key: TableSide, response: TableSide) -> None:
        """Refuse a key without records, and sides without a common record."""
        if not self.key_only + self.common:
            raise empty_key_error(key)
        if self.common or request.universe == "union":
            return
        if self.key_only and self.response_only:
            raise AlignmentError(
                "gold data and prediction have no record in common: "
                f"{self.key_only:,} are only in the gold data and "
                f"{self.response_only:,} only in the prediction",
                source=f"{key.source}, {response.source}",
                hint="Ids are compared as text. If other columns are meant, name "
                "them: --key-record, --response-record, --gold, "
                "--cluster.",
            )


@dataclass(frozen=True, slots=True)
class TableCounts:
    """The counts of a table; blocks are sorted, and [""] without groups.

    ``columns`` has the names of the columns that were read, by their use.
    """

    blocks: Sequence[str]
    table: Contingency
    key: TableSide
    response: TableSide
    overlap: Overlap
    columns: Mapping[str, str] = field(default_factory=dict)


class SampleCounts(NamedTuple):
    """Labelled clusters, and the cells that they have with predicted clusters.

    Args:
        clusters: the names of the labelled clusters.
        size: how many labelled records each of them has.
        cell: the number of each cell's labelled cluster.
        predicted: the number of its predicted cluster.
        shared: how many records the two share.
        predicted_size: how many records the predicted cluster has.
        others: the values of other columns for each labelled cluster.
        predicted_clusters: the number of all predicted clusters, if it was asked for.
        key: the rows of the sample.
        response: those of the prediction.
        columns: the columns that were read, by their use.
    """

    clusters: Sequence[str]
    size: Ints
    cell: Ints
    predicted: Ints
    shared: Ints
    predicted_size: Ints
    others: Sequence[set[tuple[str | None, ...]]]
    predicted_clusters: int | None
    key: TableSide
    response: TableSide
    columns: Mapping[str, str]

    @property
    def predicted_records(self) -> Ints:
        """How many records of each labelled cluster the prediction has."""
        return np.bincount(self.cell, self.shared, len(self.size)).astype(np.int64)


class NameCounts(NamedTuple):
    """Clusters and the names of their records.

    Args:
        clusters: how many clusters have a name.
        varied: how many of them have several names.
        homonymous: how many of them share a name with another cluster.
        names: how many names there are.
        shared: how many names several clusters have.
    """

    clusters: int
    varied: int
    homonymous: int
    names: int
    shared: int


class ClusterCounts(NamedTuple):
    """The clusters of one table: how many there are of each size, and their names."""

    size: Ints
    times: Ints
    names: NameCounts | None
    side: TableSide
    columns: Mapping[str, str]
