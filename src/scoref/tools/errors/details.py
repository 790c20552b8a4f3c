"""Further columns for each error, and the rows in which errors are listed.

An error about several mentions is described by its first mention, and by the key's if
there is one. Its *antecedent* is the mention that the key links it to: the previous
mention of its entity or, if there is none, the next one that is not part of the error.
*Linked to* is the same in the response. `ErrorRows` writes errors as table cells and as
JSON objects, with their wording, these columns and what each error costs.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.figures import signed
from scoref.metrics import leading_metric
from scoref.model.arrays import inverse
from scoref.scoring.mention_classes import has_mention_types
from scoref.scoring.slices import genres_of
from scoref.tools.errors.classes import classify, distances_of, has_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Ints, WordSets
    from scoref.tools.errors.classes import Classes
    from scoref.tools.errors.findings import AnalysedSide, Analysis
    from scoref.tools.errors.wording import MentionTexts, Worded

    Cell = str | int | float | None


_NONE = -1


class Details(NamedTuple):
    """A row for each error, in the order of `Errors`; -1 if there is nothing.

    ``antecedent`` is a place in `Analysis.key`, ``linked_to`` in `Analysis.response`.
    ``distance`` counts sentences back to the previous mention of the entity, as `--by
    distance` does. ``entity_size`` counts the mentions of the key's entity, or of the
    response's if the key has none. A column is None if the files do not have it.
    """

    antecedent: Ints
    linked_to: Ints
    distance: Ints | None
    entity_size: Ints
    mention_class: Classes | None
    genre: list[str] | None  # by document


def details_of(analysis: Analysis) -> Details:
    """Return the further columns of an analysis."""
    errors, corpora = analysis.errors, analysis._corpora
    has_distances = all(map(has_sentences, corpora))
    is_classed = all(has_mention_types(corpus, corpora[0]) for corpus in corpora)
    genres, has_no_genre = genres_of(analysis.documents, corpora[:1], "")
    return Details(
        antecedent=_links(analysis.key, errors.key_mentions),
        linked_to=_links(analysis.response, errors.response_mentions),
        distance=distances_of(analysis) if has_distances else None,
        entity_size=_entity_sizes(analysis),
        mention_class=classify(analysis, "mention-type") if is_classed else None,
        genre=None if has_no_genre else genres,
    )


def _links(side: AnalysedSide, mentions: WordSets) -> Ints:
    """Find the mention before the first one of each error, or else the next one."""
    order = np.argsort(side.entity, kind="stable")
    entity = side.entity[order]
    place = inverse(order)
    count = np.diff(mentions.start)
    rows = np.flatnonzero(count)  # errors with mentions on this side
    first = place[mentions.member[mentions.start[rows]]]
    following = _place_after(place[mentions.member], mentions.start)[rows]
    before = np.append(order, _NONE)[first - 1]
    has_before = (first > 0) & (entity[first - 1] == entity[first])
    has_next = np.append(entity, _NONE)[following] == entity[first]
    after = np.where(has_next, np.append(order, _NONE)[following], _NONE)
    links = np.full(len(count), _NONE, dtype=np.int64)
    links[rows] = np.where(has_before, before, after)
    return links


def _place_after(place: Ints, start: Ints) -> Ints:
    """Find the first place after the run of places with which each row begins."""
    # Places of a row ascend. In a run, a place less its rank in the row is constant.
    rank = np.arange(len(place)) - np.repeat(start[:-1], np.diff(start))
    first = np.append(place, _NONE)[start[:-1]]
    is_run = place - rank == np.repeat(first, np.diff(start))
    length = np.append(0, np.cumsum(is_run))
    after: Ints = first + length[start[1:]] - length[start[:-1]]
    return after


def _entity_sizes(analysis: Analysis) -> Ints:
    """Count the mentions of each error's entity."""
    errors = analysis.errors
    ours, theirs = (
        np.append(np.bincount(side.entity), 0)
        for side in (analysis.key, analysis.response)
    )
    is_key = errors.key_entity >= 0
    return np.where(
        is_key,
        ours[np.where(is_key, errors.key_entity, _NONE)],
        theirs[np.where(is_key, _NONE, errors.response_entity)],
    )


_BETWEEN = " | "

COLUMNS = (
    *("document", "sentence", "key_line", "response_line", "kind"),
    *("key_words", "response_words", "key_entity", "response_entity", "detail"),
    *("mention_class", "distance", "entity_size", "genre", "antecedent", "linked_to"),
)
"""The columns of every error. Gains follow them, with a column for each metric."""


class ErrorRows:
    """The errors of one system that are shown, in the order in which they are shown."""

    def __init__(self, analysis: Analysis, kinds: Sequence[int], sort: str) -> None:
        self._analysis = analysis
        self._wording = analysis._wording
        shown = np.flatnonzero(np.isin(analysis.errors.kind, kinds))
        if sort == "cost":
            shown = shown[np.argsort(-self.gain[shown], kind="stable")]
        self._shown: list[int] = shown.tolist()

    def __iter__(self) -> Iterator[tuple[int, Worded]]:
        """Iterate over the errors and their wordings."""
        return ((error, self._wording.worded(error)) for error in self._shown)

    @cached_property
    def gain(self) -> Floats:
        """What each error costs in the leading_metric metric."""
        gains = self._analysis.error_gains
        return gains[leading_metric(gains.metrics)]

    def signed(self, error: int, precision: int) -> str:
        """Write a gain in points, with more decimals if all gains are small."""
        most = 100 * float(np.abs(self.gain).max(initial=0))
        more = max(0, -math.floor(math.log10(most))) if most else 0
        return signed(self.gain[error], precision + more)

    def cells(self, error: int, worded: Worded) -> list[Cell]:
        """Return a row of CSV; several mentions are in one cell."""
        values = self.fields(error, worded)
        cells: list[Cell] = []
        for name in COLUMNS:
            value = values[name]
            # All values but those of several mentions are texts and numbers.
            cells.append(_BETWEEN.join(value) if isinstance(value, tuple) else value)  # type: ignore[arg-type]
        return [*cells, *self._gains(error).values()]

    def fields(self, error: int, worded: Worded) -> dict[str, object]:
        """Return the fields of an error in JSON."""
        return {
            **worded._asdict(),
            "kind": worded.name,
            **self._details(error),
            "gains": self._gains(error),
        }

    def _gains(self, error: int) -> dict[str, float]:
        gains = self._analysis.error_gains
        return {name: float(gains[name][error]) for name in gains}

    @cached_property
    def _columns(self) -> Details:
        return self._analysis.details

    def _details(self, error: int) -> dict[str, object]:
        columns = self._columns
        document = int(self._analysis.errors.document[error])
        classes = columns.mention_class
        distance = None if columns.distance is None else int(columns.distance[error])
        return {
            "mention_class": classes and classes.names[int(classes.of_error[error])],
            "distance": None if distance == _NONE else distance,
            "entity_size": int(columns.entity_size[error]),
            "genre": columns.genre and columns.genre[document],
            "antecedent": _words(self._wording.key, columns.antecedent[error]),
            "linked_to": _words(self._wording.response, columns.linked_to[error]),
        }


def gain_columns(analysis: Analysis) -> list[str]:
    """Return the names of the columns of gains."""
    return [f"gain_{name}" for name in analysis.error_gains]


def _words(side: MentionTexts, mention: int) -> str | None:
    return None if mention < 0 else side.text(int(mention))
