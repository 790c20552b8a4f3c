"""The data that a page consists of, its validation, and its compression.

Data of any other form are refused, with the place of the problem. Texts and errors are
stored in gzip.
"""

from __future__ import annotations

import base64
import gzip

import msgspec

Interval = tuple[float, float]


class PageMetric(msgspec.Struct, frozen=True):
    """The metric of the plots."""

    name: str
    label: str


class PageChoice(msgspec.Struct, frozen=True):
    """A field of the signature and what it means, or another fact about a score."""

    name: str
    value: str
    meaning: str = ""


class PageScore(msgspec.Struct, frozen=True):
    """One metric of one system."""

    metric: str
    label: str
    f1: float
    recall: float | None = None
    precision: float | None = None
    is_defined: bool = True
    intervals: dict[str, Interval] | None = None

    def figure(self, name: str) -> float | None:
        """Return recall, precision or F₁ by its name."""
        value: float | None = getattr(self, name)
        return value

    def interval(self, name: str) -> Interval | None:
        """Return the interval of a figure, if there is one."""
        return (self.intervals or {}).get(name)


class System(msgspec.Struct, frozen=True):
    """The data of a system that Python writes; charts read the rest themselves."""

    name: str
    signature: str
    scores: list[PageScore]
    notes: list[str] = []
    level: float | None = None
    before: float | None = None  # from which gains start, if it is another score
    start: str | None = None  # says so, with the cause


class PageDifference(msgspec.Struct, frozen=True):
    """One metric of two systems."""

    first: int
    second: int
    metric: str
    label: str
    difference: float
    interval: Interval | None  # None for one document
    p: float
    p_holm: float
    is_significant: bool
    wins: int
    ties: int
    losses: int


class PageComparison(msgspec.Struct, frozen=True):
    """Every pair of systems."""

    level: float
    rows: list[PageDifference]


class PageDocument(msgspec.Struct, frozen=True):
    """A document without its text."""

    name: str
    tokens: int | None = None


class PageTable(msgspec.Struct, frozen=True):
    """A table that is shown as it is."""

    title: str
    header: list[str]
    rows: list[list[str]]
    texts: list[int] = []  # columns that are aligned left


class PageChart(msgspec.Struct, frozen=True):
    """A line for each label, from points (x, y) with y between 0 and 1."""

    x: str
    lines: dict[str, list[tuple[float, float]]]


class PageSection(msgspec.Struct, frozen=True):
    """A part of the page that is shown as it is."""

    title: str
    text: list[str] = []
    chart: PageChart | None = None
    tables: list[PageTable] = []


class PageReport(msgspec.Struct, frozen=True):
    """The data that Python writes on the page; charts read the rest themselves."""

    title: str
    scoref: str
    key: str
    metric: PageMetric
    choices: list[PageChoice]
    systems: list[System]
    files: list[PageChoice] = []
    setup: list[PageChoice] = []
    documents: list[PageDocument] = []
    comparison: PageComparison | None = None
    left_out: str | None = None
    agreement: list[PageTable] | None = None  # if the sides are annotators
    sections: list[PageSection] = []
    unit: str = "documents"  # over which there are intervals


class PageSide(msgspec.Struct, frozen=True):
    """One side of a text: mentions are an entity and pieces, both ends included."""

    entities: list[str]
    mentions: list[list[int]]
    classes: list[str] | None = None
    names: list[int] | None = None  # the mention that names each entity


class PageError(msgspec.Struct, frozen=True):
    """An error, by the numbers of its mentions and entities; -1 is none."""

    kind: int
    key_mentions: list[int]
    response_mentions: list[int]
    key_entity: int
    response_entity: int


class Response(PageSide, frozen=True):
    """A system's side, its errors, and the key's mentions and entities it has."""

    partner: list[int] = []
    why: list[str] | None = None  # how each mention was aligned
    errors: list[PageError] = []
    gains: list[int | None] | None = None  # by key entity, in 0.0001 points
    entity_partner: list[int] = []


class PageText(msgspec.Struct, frozen=True):
    """The words of a document, and the mentions of all sides."""

    words: list[str]
    sentences: list[int]
    key: PageSide
    systems: list[Response]
    empty: list[int] = []


def read_report(report: object) -> PageReport:
    """Validate a report."""
    return msgspec.convert(report, PageReport)


def read_text(text: object) -> PageText:
    """Validate a text."""
    return msgspec.convert(text, PageText)


def compress(value: object) -> str:
    """Write a value as base64 of gzip of JSON."""
    data = gzip.compress(encode(value), compresslevel=6, mtime=0)
    return base64.b64encode(data).decode("ascii")


def encode(value: object) -> bytes:
    """Write a value as JSON; bytes that are not text become question marks."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        import json  # bytes that are not text are rare

        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
