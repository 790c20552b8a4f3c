"""What is asked of an engine, and what it hands back."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scoref.errors import AlignmentError, DuplicateError, FormatError
from scoref.tables.columns import Wanted, is_header

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.contingency.profile import Profile
    from scoref.tables.alignment import Shared
    from scoref.tables.queries import Universe

    Progress = Callable[[str, float], None]

_DELIMITERS = ",\t;|"
Duplicates = Literal["error", "first", "last"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How one table is read."""

    wanted: Wanted
    needed: Callable[[Sequence[str]], Sequence[str]]
    header: bool | None = None
    table: str | None = None

    def text_columns(self, line: str, form: str) -> tuple[str, list[str], bool]:
        """Tell a file by its first line: delimiter, columns, and if it names them."""
        delimiter = max(_DELIMITERS, key=line.count)
        if form == "tsv" and "\t" in line:
            delimiter = "\t"
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
            has_header = is_header(row)
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
        raise FormatError(problem, source=source, hint=f"its tables are {listed}")


@dataclass(frozen=True, slots=True)
class Ask:
    """What to count, and how to read it."""

    wanted: Wanted = field(default_factory=Wanted)
    universe: Universe = "both"
    duplicates: Duplicates = "error"
    ceaf: bool = True
    header: bool | None = None
    table: str | tuple[str, str] | None = None
    memory: str | None = None
    progress: Progress | None = None

    @property
    def grouped(self) -> bool:
        """Tell whether there are groups."""
        return self.wanted.group is not None


@dataclass(frozen=True, slots=True)
class Side:
    """What one side listed, and what of it was passed over."""

    source: str
    rows: int = 0
    unnamed: int = 0
    unclustered: int = 0
    twice: int = 0

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

    def check(self, ask: Ask, key: Side, response: Side) -> None:
        """Refuse sides that have nothing to do with each other."""
        if self.common or ask.universe == "union":
            return
        if self.key_only and self.response_only:
            raise AlignmentError(
                f"key and response have no mention in common: "
                f"{self.key_only} are only in the key, {self.response_only} only in "
                "the response",
                source=f"{key.source}, {response.source}",
                hint="ids are compared as text: name the columns if these are others",
            )


@dataclass(frozen=True, slots=True)
class Counted:
    """What an engine hands back; blocks are sorted, and '' if there are no groups."""

    blocks: Sequence[str]
    profiles: Sequence[Profile]
    shared: Shared | None
    key: Side
    response: Side
    overlap: Overlap


def duplicate(side: Side, count: int, example: object) -> DuplicateError:
    """Say that mentions stand twice."""
    listed = "mention is" if count == 1 else "mentions are"
    return DuplicateError(
        f"{count} {listed} listed more than once, among them '{example}'",
        source=side.source,
        hint="duplicates: first or last keeps one of them",
    )
