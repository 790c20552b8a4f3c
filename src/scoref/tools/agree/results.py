"""What `scoref.agree` gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from scoref.displayed import Displayed
from scoref.figures import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import Score
    from scoref.model import Note
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.results import Result
    from scoref.statistics.cuts import Interval

    Figures = Mapping[str, float]
    Alphas = Mapping[str, float | None]


class DocumentAgreement(NamedTuple):
    """One document: α by distance, None where nothing can be compared."""

    alpha: Alphas
    observed: Alphas
    mentions: int
    annotators: int
    mean: Figures  # F1 of pairs, by metric


class PairAgreement(NamedTuple):
    """Two annotators, over the documents that both have."""

    scores: Mapping[str, Score]
    documents: int
    mentions: float  # F1
    result: Result


class AnnotatorAgreement(NamedTuple):
    """One annotator beside the others."""

    documents: int
    mentions: int
    mention_f1: float | None
    alpha_without: Alphas  # of the others, on the same mentions


class MentionAgreement(NamedTuple):
    """How far people agree on what is a mention, and on entities apart from that.

    ``alpha`` is α of entities where both marked the mention, whatever was asked for.
    """

    f1: float
    by_one: int
    by_some: int
    by_all: int
    alpha: Alphas

    @property
    def all(self) -> int:
        """Count what anybody marked."""
        return self.by_one + self.by_some + self.by_all


class ClassAgreement(NamedTuple):
    """A class of mentions, or of documents."""

    alpha: Alphas
    mentions: int
    mean: Figures


class AnnotatorReading(NamedTuple):
    """Who put a mention with what: its nearest mention before, or else behind."""

    annotators: tuple[str, ...]
    says: str


class Disputed(NamedTuple):
    """A mention on which people differ: by the mean distance between two of them."""

    document: str
    mention: str
    place: str
    disagreement: float
    readings: tuple[AnnotatorReading, ...]


class ErrorShares(NamedTuple):
    """Shares of errors that some annotator would have made; None if there are none."""

    spurious: float | None
    missing: float | None
    all: float | None


class LinkCounts(NamedTuple):
    """Links of a response beside those of all keys."""

    response_links: int
    any_in_response: int
    all_links: int
    all_in_response: int
    spurious: int
    spurious_supported: int
    missing: int
    missing_supported: int
    undecided: int


class KeyScores(NamedTuple):
    """A response scored against one key."""

    scores: Mapping[str, Score]
    documents: int


class Spread(NamedTuple):
    """The lowest and the highest figure over keys."""

    low: float
    high: float


class Ceiling(NamedTuple):
    """What an annotator gets if the others are keys, as a response would."""

    mean: Figures
    best: Figures


@dataclass(frozen=True, slots=True)
class SeveralKeys:
    """A response against several keys."""

    per_key: Mapping[str, KeyScores]
    mean: Figures
    best: Figures
    spread: Mapping[str, Spread]
    ceiling: Mapping[str, Ceiling]
    supported: ErrorShares
    lenient_precision: float | None
    strict_recall: float | None
    counts: LinkCounts
    per_document: Mapping[str, LinkCounts]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals of α, of F1 between people, and of what a response gets."""

    level: float
    method: str
    resamples: int
    seed: int
    unit: str
    count: int
    alpha: Mapping[str, Interval]
    mean: Mapping[str, Interval]
    per_annotator: Mapping[str, Mapping[str, Interval]]
    response: Mapping[str, Interval] = field(default_factory=dict)
    supported: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """Every choice behind the intervals."""
        return (
            f"confidence:{self.level:.15g}|bootstrap:{self.method}|resamples:"
            f"{self.resamples}|seed:{self.seed}|unit:{self.unit}"
        )


@dataclass(frozen=True, repr=False)
class Agreement(Displayed):
    """How far annotators agree, and how good a response is where they differ."""

    names: tuple[str, ...]
    distances: tuple[str, ...]
    missing: str
    average: str
    metrics: tuple[str, ...]
    alpha: Alphas
    observed: Alphas
    expected: Alphas
    per_document: Mapping[str, DocumentAgreement]
    pairs: Mapping[tuple[str, str], PairAgreement]
    mean: Figures
    per_annotator: Mapping[str, Figures]
    annotators: Mapping[str, AnnotatorAgreement]
    mentions: MentionAgreement
    disputed: tuple[Disputed, ...]
    by: str | None
    classes: Mapping[str, ClassAgreement]
    response: SeveralKeys | None
    confidence: Intervals | None
    notes: tuple[Note, ...]
    scored: str  # the signature of the scores
    annotated: Annotated

    _reported_by = "tools.agree.rendering:agreement_report"

    @property
    def _in_short(self) -> str:
        documents = counted(len(self.per_document), "document")
        return f"{counted(len(self.names), 'annotator')} of {documents}"

    @property
    def signature(self) -> str:
        """Every choice that could move a figure, in one line."""
        own = (
            f"agreement:alpha|distance:{','.join(self.distances)}|missing:{self.missing}"
            f"|average:{self.average}|annotators:{len(self.names)}"
        )
        parts = [own, self.scored]
        if self.confidence is not None:
            parts.append(self.confidence.signature)
        return "|".join(parts)

    @property
    def outlier(self) -> str | None:
        """Name whom the others agree best without, if they agree better so."""
        distance = self.distances[0]
        whole = self.alpha[distance]
        without = {
            name: each.alpha_without[distance] for name, each in self.annotators.items()
        }
        known = {name: alpha for name, alpha in without.items() if alpha is not None}
        if whole is None or not known:
            return None
        name = max(known, key=known.__getitem__)
        return name if known[name] > whole else None
