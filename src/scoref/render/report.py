"""The class `Report`: what a tool shows of its results, independent of the format.

A report has parts for people (tables, signatures, remarks), rows for spreadsheets and
objects for programs. All three are functions, because a run needs only one of them.
`render` writes any report as text, Markdown, LaTeX, CSV or JSON.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoref.notes import about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Kind = Literal["name", "figure", "text"]
    Style = Literal["", "error", "warning", "note"]
    Object = Mapping[str, object]


class Column(NamedTuple):
    """A column's label, and what its cells are.

    Names say what a row is about, and are repeated where a table is stacked; figures
    are never cut; text may be folded.
    """

    label: str
    kind: Kind = "figure"


class Cell(NamedTuple):
    """A figure that stands out: the best of its column, or with a mark behind it."""

    text: str
    is_best: bool = False
    mark: str = ""


class Table(NamedTuple):
    """Cells as text, below labelled columns; without labels there is no header."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str | Cell]]
    title: str = ""

    @property
    def has_header(self) -> bool:
        """Tell whether there is a label at all."""
        return any(column.label for column in self.columns)


class Heading(NamedTuple):
    """What the parts behind it are about, such as one of several datasets."""

    text: str


class Signatures(NamedTuple):
    """Every choice that could move a figure, and those of chance on a line more."""

    lines: Sequence[str]


class Remarks(NamedTuple):
    """Sentences beside tables: what letters mean, where figures are from."""

    lines: Sequence[str]


class Line(NamedTuple):
    """A line of a listing; what is laid out already is not folded.

    A part of it may stand out, by its style: from ``start`` up to ``end``.
    """

    text: str
    is_laid_out: bool = False
    style: Style = ""
    start: int = 0
    end: int = 0


class Listing(NamedTuple):
    """One thing after the other, a line or some for each."""

    lines: Sequence[Line]


Part = Table | Heading | Signatures | Remarks | Listing


class Rows(NamedTuple):
    """What CSV has: a header, and a value for each of its names in every row."""

    header: Sequence[str]
    rows: Iterable[Sequence[object]]


class Unscored(NamedTuple):
    """Something among many that could not be read or scored, and why."""

    dataset: str | None
    response: str | None
    message: str


class Report(NamedTuple):
    """A result as it is shown.

    Args:
        name: of the report; `scoref/NAME/1` is what JSON calls its schema.
        parts: for people.
        objects: for programs: one for each response, file or whatever there are
            several of.
        rows: for spreadsheets; made of the objects if these are flat.
        notes: what was decided or passed over, a line each.
        failures: what of many things could not be read or scored.
        more: what else programs get beside the objects.
        version: of the schema; it changes when a field goes or means something else.
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
        """What the fields of its JSON follow."""
        return f"scoref/{self.name}/{self.version}"

    @property
    def table(self) -> Rows:
        """Give what CSV has."""
        return self.rows() if self.rows else rows_of(list(self.objects()))


LINES = (Column("", "name"), Column("", "text"))
"""Columns of a list: a name, and what there is to say about it."""


def columns(name: str, *figures: str) -> list[Column]:
    """Label a column that names the rows, and others with figures."""
    return [Column(name, "name"), *map(Column, figures)]


def join_reports(
    name: str,
    reports: Mapping[str, Report],
    more: Iterable[Part] = (),
    failures: Sequence[Unscored] = (),
) -> Report:
    """Make one report of those of several datasets.

    Args:
        name: of the report.
        reports: by dataset.
        more: parts about all of them.
        failures: what has no report.
    """

    def parts() -> Iterator[Part]:
        for dataset, report in reports.items():
            yield Heading(dataset)
            yield from report.parts()
        yield from more

    return Report(
        name=name,
        parts=parts,
        objects=lambda: [
            _in_dataset(dataset, each)
            for dataset, report in reports.items()
            for each in report.objects()
        ],
        rows=lambda: rows_of([*_rows_by_dataset(reports)], "dataset"),
        notes=[
            about(dataset, note)
            for dataset, report in reports.items()
            for note in report.notes
        ],
        failures=failures,
    )


def _rows_by_dataset(reports: Mapping[str, Report]) -> Iterator[Object]:
    """Put the dataset in front of every row; reports need not have equal columns."""
    for name, report in reports.items():
        header, rows = report.table
        for row in rows:
            yield _in_dataset(name, dict(zip(header, row, strict=True)))


def _in_dataset(name: str, found: Object) -> Object:
    dataset = {"dataset": name}
    return {**dataset, **found, **dataset}


def rows_of(objects: Sequence[Object], *first: str) -> Rows:
    """Give flat objects a row each, with a column for every name that occurs."""
    names = list(dict.fromkeys([*first, *(name for each in objects for name in each)]))
    return Rows(names, ([each.get(name) for name in names] for each in objects))
