"""The class `Report`: what a command shows of its results, whatever the format.

A report has parts for people (tables, signatures, remarks), rows for spreadsheets and
objects for programs. All three are functions, because a run needs only one of them.
`render` writes any report as text, Markdown, LaTeX, CSV or JSON.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from scoref.classes import NamedTuple
from scoref.notes import about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Kind = Literal["name", "figure", "text"]
    Style = Literal["", "error", "warning", "note"]
    Object = Mapping[str, object]


class Column(NamedTuple):
    """A column's label, the kind of its cells, and a heading that columns share.

    Names say what a row is about, and are repeated if a table is stacked. Figures are
    never cut. Text may be folded. Columns with the same ``group`` are adjacent.
    """

    label: str
    kind: Kind = "figure"
    group: str = ""

    @property
    def full_label(self) -> str:
        """The label with its group, for headers of one line."""
        return f"{self.group} {self.label}" if self.group else self.label


class Cell(NamedTuple):
    """A figure that is emphasised: the best of its column, or followed by a mark."""

    text: str
    is_best: bool = False
    mark: str = ""


class Table(NamedTuple):
    """Cells as text, below labelled columns; without labels it has no header."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str | Cell]]
    title: str = ""

    @property
    def has_header(self) -> bool:
        """Whether any column has a label."""
        return any(column.label for column in self.columns)


class Heading(NamedTuple):
    """The subject of the parts that follow, such as one of several datasets."""

    text: str


class Signatures(NamedTuple):
    """Every choice that can change a figure; those of chance are on another line."""

    lines: Sequence[str]


class Remarks(NamedTuple):
    """Sentences about tables, such as what letters mean."""

    lines: Sequence[str]


class Line(NamedTuple):
    """A line of a listing, which is not folded if it is laid out already.

    The part from ``start`` up to ``end`` is shown in the style.
    """

    text: str
    is_laid_out: bool = False
    style: Style = ""
    start: int = 0
    end: int = 0


class Listing(NamedTuple):
    """Things one after the other, with one line or several each."""

    lines: Sequence[Line]


Part = Table | Heading | Signatures | Remarks | Listing


class Rows(NamedTuple):
    """The content of CSV: a header, and a value for each of its names in every row."""

    header: Sequence[str]
    rows: Iterable[Sequence[object]]


class Unscored(NamedTuple):
    """One of many inputs that could not be read or scored, and why."""

    dataset: str | None
    response: str | None
    message: str


class Report(NamedTuple):
    """A result as it is shown.

    Args:
        name: the report's name; JSON calls the schema `scoref/NAME/1`.
        parts: for people.
        objects: for programs: one for each response, file or dataset.
        rows: for spreadsheets; by default made of the objects, which are then flat.
        notes: lines about decisions and skipped input.
        failures: inputs that could not be read or scored.
        more: other fields of the JSON output.
        version: of the schema; it changes when a field is removed or changes meaning.
    """

    name: str
    parts: Callable[[], Iterable[Part]]
    objects: Callable[[], Iterable[Object]]
    rows: Callable[[], Rows] | None = None
    notes: Sequence[str] = ()
    failures: Sequence[Unscored] = ()
    more: Object = MappingProxyType({})
    version: int = 1

    @property
    def schema(self) -> str:
        """The name of the schema of its JSON."""
        return f"scoref/{self.name}/{self.version}"

    @property
    def table(self) -> Rows:
        """The content of its CSV."""
        return self.rows() if self.rows else rows_of(list(self.objects()))


LINES = (Column("", "name"), Column("", "text"))
"""Columns of a list: a name, and a text about it."""


def columns(name: str, *figures: str) -> list[Column]:
    """Return a column of names, and columns of figures."""
    return [Column(name, "name"), *map(Column, figures)]


def join_reports(
    name: str,
    reports: Mapping[str, Report],
    more: Iterable[Part] = (),
    failures: Sequence[Unscored] = (),
) -> Report:
    """Join the reports of several datasets into one.

    Args:
        name: the name of the joint report.
        reports: by dataset.
        more: parts about all of them.
        failures: datasets that do not have a report.
    """

    def parts() -> Iterator[Part]:
        for dataset, report in reports.items():
            yield Heading(dataset)
            yield from report.parts()
        yield from more

    def rows() -> Iterator[Object]:
        for dataset, report in reports.items():
            header, table = report.table
            for row in table:
                yield _with_dataset(dataset, dict(zip(header, row, strict=True)))

    return Report(
        name=name,
        parts=parts,
        objects=lambda: [
            _with_dataset(dataset, result)
            for dataset, report in reports.items()
            for result in report.objects()
        ],
        rows=lambda: rows_of([*rows()], "dataset"),
        notes=[
            about(dataset, note)
            for dataset, report in reports.items()
            for note in report.notes
        ],
        failures=failures,
    )


def _with_dataset(name: str, fields: Object) -> Object:
    dataset = {"dataset": name}
    return {**dataset, **fields, **dataset}


def rows_of(objects: Sequence[Object], *first: str) -> Rows:
    """Make a row of each flat object, with a column for every name that occurs."""
    names = list(dict.fromkeys([*first, *(name for row in objects for name in row)]))
    return Rows(names, ([row.get(name) for name in names] for row in objects))
