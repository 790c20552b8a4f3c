"""What an engine is asked to count, and the counts that it returns."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scoref.errors import AlignmentError, DuplicateError, FormatError, OptionError
from scoref.records.columns import SideColumns, WantedColumns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scoref.contingency import Contingency
    from scoref.records.columns import ChosenColumns, ColumnChooser
    from scoref.scheme import Universe

    Progress = Callable[[str, float], None]


_DELIMITERS = ",\t;|"

_LEAST = 100e6

_THOUSANDS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}

Duplicates = Literal["error", "first", "last"]

Role = Literal["key", "response"]

ROLES: tuple[Role, Role] = ("key", "response")


@dataclass(frozen=True, slots=True)
class TableReading:
    """How one table is read."""

    source: str
    role: Role | None = None  # none if the table has both sides
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

    def needed(self, names: Sequence[str]) -> list[str]:
        """List the columns that are read."""
        return self.choose(names).names

    def text_columns(self, line: str, form: str) -> tuple[str, list[str], bool]:
        """Tell a file by its first line: delimiter, columns, and if it names them."""
        delimiter = delimiter_of(line, form)
        row = next(csv.reader([line], delimiter=delimiter))
        return delimiter, *self.header_of(row)

    def header_of(self, row: Sequence[str]) -> tuple[list[str], bool]:
        """Give the columns of a file with this first row, and whether it names them."""
        numbers = [str(i + 1) for i in range(len(row))]
        named = self.wanted.names
        if self.header is not None:
            has_header = self.header
        elif named:
            has_header = set(named) <= set(row) or not set(named) <= set(numbers)
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
            f"there is no table '{self.table}'"
            if self.table
            else "which table is meant?"
        )
        listed = ", ".join(names) or "none"
        hint = f"its tables are {listed}; name one: --table NAME (table in Python)"
        raise FormatError(problem, source=source, hint=hint)


def bytes_of(size: str) -> float:
    """Read a size, such as 2GB.

    >>> bytes_of("1.5 KiB"), bytes_of("2gb")
    (1536.0, 2000000000.0)
    """
    pattern = r"\s*(\d{1,15}(?:\.\d{1,15})?)\s*([kmgtp]?)(i?)b(?:ytes)?\s*"
    found = re.fullmatch(pattern, size.lower(), re.ASCII)
    if found is None:
        raise OptionError(f"'{size}' is no size of memory, such as 2GB")
    number, prefix, is_binary = found.groups()
    return float(number) * (1024.0 if is_binary else 1000.0) ** _THOUSANDS[prefix]


def check_memory(size: str | None) -> None:
    """Refuse what is no size, and what nothing can be counted in."""
    if size is not None and bytes_of(size) < _LEAST:
        raise OptionError(f"--memory '{size}' is too little: give 100MB or more")


def delimiter_of(line: str, form: str) -> str:
    """Tell by its first record what stands between the fields of a file."""
    line = re.sub(r'"[^"]*"', "", line)  # what stands in quotation marks is text
    is_tabbed = form == "tsv" and "\t" in line
    return "\t" if is_tabbed else max(_DELIMITERS, key=line.count)


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

    @property
    def grouped(self) -> bool:
        """Tell whether there are groups."""
        return self.wanted.group is not None

    def table_of(self, role: Role | None) -> str | None:
        """Name the table of a side's database."""
        if isinstance(self.table, tuple):
            return self.table[role == "response"]
        return self.table


@dataclass(frozen=True, slots=True)
class TableSide:
    """What one side listed, and what of it was passed over."""

    source: str
    rows: int = 0
    unnamed: int = 0
    unclustered: int = 0
    twice: int = 0
    words: int = 0  # of the unclustered rows: those with NA, -1 or the like
    kept_words: int = 0  # rows with such a word that counts as a cluster

    @property
    def kept(self) -> int:
        """Count the rows that say which cluster a mention is in."""
        return self.rows - self.unnamed - self.unclustered


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many mentions one side has, and both have."""

    key_only: int
    response_only: int
    common: int

    def check(self, request: CountRequest, key: TableSide, response: TableSide) -> None:
        """Refuse sides that have nothing to do with each other."""
        if self.common or request.universe == "union":
            return
        if self.key_only and self.response_only:
            raise AlignmentError(
                f"key and response have no mention in common: "
                f"{self.key_only} are only in the key, {self.response_only} only in "
                "the response",
                source=f"{key.source}, {response.source}",
                hint="ids are compared as text; if other columns are meant, name them: "
                "--mention, --key-cluster, --response-cluster",
            )


@dataclass(frozen=True, slots=True)
class TableCounts:
    """What an engine hands back; blocks are sorted, and '' if there are no groups.

    ``columns`` names those that were read, by what they were used for.
    """

    blocks: Sequence[str]
    table: Contingency
    key: TableSide
    response: TableSide
    overlap: Overlap
    columns: Mapping[str, str] = field(default_factory=dict)


def duplicate(side: TableSide, count: int, example: object) -> DuplicateError:
    """Say that mentions stand twice."""
    listed = "mention is" if count == 1 else "mentions are"
    return DuplicateError(
        f"{count} {listed} listed more than once, among them '{example}'",
        source=side.source,
        hint="--duplicates first or last keeps one of them (duplicates in Python)",
    )
