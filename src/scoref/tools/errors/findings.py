"""Results of an error analysis: both sides, the errors, and what each kind costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.displayed import Displayed
from scoref.metrics import conll
from scoref.printable import counted
from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Note, WordSets
    from scoref.scoring.results import Result
    from scoref.tools.errors.costs import ErrorGains
    from scoref.tools.errors.details import Details
    from scoref.tools.errors.entity_gains import CostlyEntity
    from scoref.tools.errors.groups import ErrorGroup
    from scoref.tools.errors.repairs import Repairs
    from scoref.tools.errors.spans import SpanRule
    from scoref.tools.errors.wording import Wording

    Floats = NDArray[np.float64]


OTHER_SCORE = "other-score"
"""The kind of the note that says from which other score gains start, and why."""


class AnalysedSide(NamedTuple):
    """The mentions of one side as they are scored, in the order of the text.

    ``row`` and ``entity`` are rows of the original corpus, ``document`` is a row of
    `Analysis.documents`. ``partner`` is the place in the other side of the mention that
    the scheme matched; ``overlapping`` is the place of the mention that it should have
    been, in a span error; -1 if there is none. An entity in several documents is its
    first row.
    """

    row: Ints
    document: Ints
    entity: Ints
    partner: Ints
    overlapping: Ints

    @property
    def counterpart(self) -> Ints:
        """The place of the mention that was matched, or should have been."""
        return np.where(self.partner >= 0, self.partner, self.overlapping)


class Errors(NamedTuple):
    """A row for each error, sorted by document and by place in the text.

    Entities are rows of the corpora, or -1. Mentions are places in `Analysis.key` and
    `Analysis.response`; an error may be about several. The last three columns are about
    spans: words too many (above 0) or too few (below) on the left and on the right, and
    words in between that differ.
    """

    kind: Ints
    document: Ints
    key_entity: Ints
    response_entity: Ints
    key_mentions: WordSets
    response_mentions: WordSets
    left: Ints
    right: Ints
    inside: Ints

    def counts(self, group: Ints, groups: int) -> Ints:
        """Count errors by their groups: a row for each, a column for each kind."""
        width = len(KINDS)
        counts = np.bincount(group * width + self.kind, minlength=groups * width)
        return counts.reshape(-1, width)


@dataclass(frozen=True, slots=True)
class Gains:
    """By kind: how many errors there are, and the CoNLL score if they are repaired.

    ``alone`` is the score with only that kind repaired, ``cumulative`` with that kind
    and those before it. ``before`` is the score with none repaired. If mentions were
    matched by heads that the files do not name, ``official`` is the score without them.
    """

    count: Ints
    before: float
    alone: Floats
    cumulative: Floats
    official: float | None = None

    @property
    def score(self) -> float:
        """The score of the response as it is."""
        return self.before if self.official is None else self.official

    @property
    def gain(self) -> Floats:
        """What each kind costs by itself."""
        return self.alone - self.before

    @property
    def step(self) -> Floats:
        """What each step adds; together they lead from ``before`` to the key."""
        return np.diff(self.cumulative, prepend=self.before)


class Cost(NamedTuple):
    """How many errors of a kind there are, and the CoNLL score that they cost."""

    errors: int
    gain: float


@dataclass(frozen=True, eq=False, repr=False)
class Analysis(Displayed):
    """Every error of a response, and what it is about."""

    documents: tuple[str, ...]
    key: AnalysedSide
    response: AnalysedSide
    errors: Errors
    gains: Gains
    error_gains: ErrorGains
    result: Result
    _corpora: tuple[Corpus, Corpus]
    _home: Ints  # by key entity: the response entity with most of it, or -1
    _entity_partner: Ints  # by response entity: the key entity most like it, or -1
    _unit: Ints  # by document: the document of the result that it belongs to
    _span_rule: SpanRule  # when mentions with different words are the same
    _repairs: Repairs  # to see what fixing some errors gains
    notes: tuple[Note, ...] = ()
    _supporters: tuple[tuple[str, ...], ...] | None = None  # by error

    _reported_by = "tools.errors.rendering:analysis_report"

    @property
    def _in_short(self) -> str:
        errors = counted(len(self.errors.kind), "error")
        return f"{errors} in {counted(len(self.documents), 'document')}"

    @property
    def has_other_score(self) -> bool:
        """Whether gains start from another score than that of the response."""
        is_scored = conll.NAME in self.result.metrics
        return is_scored and not math.isclose(
            self.result.conll, self.gains.before, rel_tol=0, abs_tol=1e-9
        )

    @property
    def supported(self) -> NDArray[np.bool_]:
        """Whether some other annotator would have made each error."""
        return np.array([bool(names) for names in self._supporters or ()], np.bool_)

    @property
    def costs(self) -> dict[str, Cost]:
        """The number of errors and the gain of each kind, by its name."""
        count, gain = self.gains.count.tolist(), self.gains.gain.tolist()
        rows = zip(KINDS, count, gain, strict=True)
        return {kind.name: Cost(errors, points) for kind, errors, points in rows}

    @cached_property
    def groups(self) -> tuple[ErrorGroup, ...]:
        """Groups of errors, ranked by what fixing all errors of a group gains."""
        from scoref.tools.errors.groups import groups_of

        return groups_of(self)

    @cached_property
    def entities(self) -> tuple[CostlyEntity, ...]:
        """The costliest entities, ranked by what fixing all of their errors gains."""
        from scoref.tools.errors.entity_gains import costliest_entities

        return costliest_entities(self)

    @cached_property
    def summary(self) -> str:
        """What is wrong, in one sentence."""
        from scoref.tools.errors.summary import summary_of

        return summary_of(self)

    @cached_property
    def _wording(self) -> Wording:
        """The errors in words."""
        from scoref.tools.errors.wording import Wording

        return Wording(self)

    @cached_property
    def details(self) -> Details:
        """Further columns for each error."""
        from scoref.tools.errors.details import details_of

        return details_of(self)

    def count_by_document(self) -> Ints:
        """Count errors: a row for each document, a column for each kind."""
        return self.errors.counts(self.errors.document, len(self.documents))
