"""What a page is made of; anything else is refused with its place."""

from __future__ import annotations

import msgspec

Interval = tuple[float, float]


class Metric(msgspec.Struct, frozen=True):
    """What the plots show."""

    name: str
    label: str


class Choice(msgspec.Struct, frozen=True):
    """A field of the signature, and what it means."""

    name: str
    value: str
    meaning: str = ""


class Score(msgspec.Struct, frozen=True):
    """One metric of one system."""

    metric: str
    label: str
    f1: float
    recall: float | None = None
    precision: float | None = None
    is_defined: bool = True
    intervals: dict[str, Interval] | None = None

    def figure(self, name: str) -> float | None:
        """Give recall, precision or F1 by its name."""
        value: float | None = getattr(self, name)
        return value

    def interval(self, name: str) -> Interval | None:
        """Give where a figure may lie, if that is known."""
        return (self.intervals or {}).get(name)


class System(msgspec.Struct, frozen=True):
    """What is written about a system; charts read the rest themselves."""

    name: str
    signature: str
    scores: list[Score]
    notes: list[str] = []
    level: float | None = None


class Difference(msgspec.Struct, frozen=True):
    """One metric of two systems."""

    first: int
    second: int
    metric: str
    label: str
    difference: float
    interval: Interval | None  # none of one document
    p: float
    p_holm: float
    is_significant: bool
    wins: int
    ties: int
    losses: int


class Comparison(msgspec.Struct, frozen=True):
    """Every pair of systems."""

    level: float
    rows: list[Difference]


class Document(msgspec.Struct, frozen=True):
    """What is known of a document without its text."""

    name: str
    tokens: int | None = None


class Report(msgspec.Struct, frozen=True):
    """What is written on the page; charts read the rest themselves."""

    title: str
    scoref: str
    key: str
    metric: Metric
    choices: list[Choice]
    systems: list[System]
    documents: list[Document] = []
    comparison: Comparison | None = None
    left_out: str | None = None


class Side(msgspec.Struct, frozen=True):
    """One side of a text: mentions are an entity and pieces, both ends included."""

    entities: list[str]
    mentions: list[list[int]]
    classes: list[str] | None = None


class Response(Side, frozen=True):
    """A system's side, and what its mentions and entities were aligned to."""

    partner: list[int] = []
    entity_partner: list[int] = []


class Text(msgspec.Struct, frozen=True):
    """The words of a document, and the mentions of all sides."""

    words: list[str]
    sentences: list[int]
    key: Side
    systems: list[Response]
    empty: list[int] = []


def read_report(report: object) -> Report:
    """Check a report."""
    return msgspec.convert(report, Report)


def read_text(text: object) -> Text:
    """Check a text."""
    return msgspec.convert(text, Text)
