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
from scoref.scoring.slices import genres_of
from scoref.tools.errors.mentions import (
    classify,
    distances_of,
    has_classes,
    has_sentences,
)
from scoref.tools.errors.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Ints, WordSets
    from scoref.tools.errors.findings import AnalysedSide, Analysis
    from scoref.tools.errors.mentions import Classes
    from scoref.tools.errors.wording import MentionTexts, Worded

    Cell = str | int | float | None


_NOBODY = -1


class Details(NamedTuple):
    """A row for each error, in the order of `Errors`; -1 where there is nothing.

    ``antecedent`` is a place in `Analysis.key`, ``linked_to`` in `Analysis.response`.
    ``distance`` counts sentences back to the mention before in the entity, as `--by
    distance` does, and ``entity_size`` the mentions of the key's entity, or of the
    response's where the key has none. None: the files do not tell.
    """

    antecedent: Ints
    linked_to: Ints
    distance: Ints | None
    entity_size: Ints
    mention_class: Classes | None
    genre: list[str] | None  # by document


def details_of(analysis: Analysis) -> Details:
    """Look at what is around each error."""
    errors = analysis.errors
    return Details(
        antecedent=_linked(analysis.key, errors.key_mentions),
        linked_to=_linked(analysis.response, errors.response_mentions),
        distance=_distance(analysis),
        entity_size=_entity_sizes(analysis),
        mention_class=_mention_class(analysis),
        genre=_genres(analysis),
    )


def _linked(side: AnalysedSide, mentions: WordSets) -> Ints:
    """Find the mention before the first one of an error, or else one behind."""
    order = np.argsort(side.entity, kind="stable")
    entity = side.entity[order]
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    count = np.diff(mentions.start)
    there = np.flatnonzero(count)
    first = place[mentions.member[mentions.start[there]]]
    behind = _gap(place[mentions.member], mentions.start)[there]
    before = np.append(order, _NOBODY)[first - 1]
    has_before = (first > 0) & (entity[first - 1] == entity[first])
    is_behind = np.append(entity, _NOBODY)[behind] == entity[first]
    after = np.where(is_behind, np.append(order, _NOBODY)[behind], _NOBODY)
    found = np.full(len(count), _NOBODY, dtype=np.int64)
    found[there] = np.where(has_before, before, after)
    return found


def _gap(place: Ints, start: Ints) -> Ints:
    """Find the first place behind a run that begins with each row's first one."""
    # Members of a row ascend: as long as they follow each other, place − rank stays.
    rank = np.arange(len(place)) - np.repeat(start[:-1], np.diff(start))
    first = np.append(place, _NOBODY)[start[:-1]]
    is_run = place - rank == np.repeat(first, np.diff(start))
    length = np.append(0, np.cumsum(is_run))
    found: Ints = first + length[start[1:]] - length[start[:-1]]
    return found


def _distance(analysis: Analysis) -> Ints | None:
    has_all = all(map(has_sentences, analysis.corpora))
    return distances_of(analysis) if has_all else None


def _entity_sizes(analysis: Analysis) -> Ints:
    errors = analysis.errors
    ours, theirs = (
        np.append(np.bincount(side.entity), 0)
        for side in (analysis.key, analysis.response)
    )
    is_key = errors.key_entity >= 0
    return np.where(
        is_key,
        ours[np.where(is_key, errors.key_entity, _NOBODY)],
        theirs[np.where(is_key, _NOBODY, errors.response_entity)],
    )


def _mention_class(analysis: Analysis) -> Classes | None:
    has_all = all(map(has_classes, analysis.corpora))
    return classify(analysis, "mention-class") if has_all else None


def _genres(analysis: Analysis) -> list[str] | None:
    """Name the genre of each document, if the key or its name says it."""
    genres, nothing_said = genres_of(analysis.documents, analysis.corpora[:1], "")
    return None if nothing_said else genres


_BETWEEN = " | "

COLUMNS = (
    *("document", "sentence", "key_line", "response_line", "kind"),
    *("key_words", "response_words", "key_entity", "response_entity", "detail"),
    *("mention_class", "distance", "entity_size", "genre", "antecedent", "linked_to"),
)
"""What every error has; gains come behind, a column for each metric."""


class ErrorRows:
    """The errors of one system that are shown, in the order in which they are."""

    def __init__(self, analysis: Analysis, kinds: Sequence[int], sort: str) -> None:
        self._analysis = analysis
        self._wording = Wording(analysis)
        shown = np.flatnonzero(np.isin(analysis.errors.kind, kinds))
        if sort == "cost":
            shown = shown[np.argsort(-self.gain[shown], kind="stable")]
        self._shown: list[int] = shown.tolist()

    def __iter__(self) -> Iterator[tuple[int, Worded]]:
        """Put each error into words."""
        return ((error, self._wording.worded(error)) for error in self._shown)

    @cached_property
    def gain(self) -> Floats:
        """What each error costs, of the score that matters most."""
        gains = self._analysis.error_gains
        return gains[leading_metric(gains.metrics)]

    def signed(self, error: int, precision: int) -> str:
        """Write a gain in points, with so many more decimals as all of them need."""
        most = 100 * float(np.abs(self.gain).max(initial=0))
        more = max(0, -math.floor(math.log10(most))) if most else 0
        return signed(self.gain[error], precision + more)

    def cells(self, error: int, worded: Worded) -> list[Cell]:
        """Give one as a row, its mentions in one cell."""
        values = self.written(error, worded)
        gains = self._gains(error)
        return [_cell(values[name]) for name in COLUMNS] + [*gains.values()]

    def written(self, error: int, worded: Worded) -> dict[str, object]:
        """Give one as JSON knows it."""
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
    def _found(self) -> Details:
        return self._analysis.details

    def _details(self, error: int) -> dict[str, object]:
        found = self._found
        document = int(self._analysis.errors.document[error])
        of_class = found.mention_class
        return {
            "mention_class": of_class and of_class.names[int(of_class.of_error[error])],
            "distance": _known(found.distance, error),
            "entity_size": int(found.entity_size[error]),
            "genre": found.genre and found.genre[document],
            "antecedent": _words(self._wording.key, found.antecedent[error]),
            "linked_to": _words(self._wording.response, found.linked_to[error]),
        }


def gain_columns(analysis: Analysis) -> list[str]:
    """Name the columns of gains."""
    return [f"gain_{name}" for name in analysis.error_gains]


def _known(
    column: np.ndarray[tuple[int], np.dtype[np.int64]] | None, error: int
) -> int | None:
    return None if column is None or column[error] < 0 else int(column[error])


def _words(side: MentionTexts, mention: int) -> str | None:
    return None if mention < 0 else side.text(int(mention))


def _cell(value: object) -> Cell:
    if isinstance(value, tuple):
        return _BETWEEN.join(value)
    return value  # type: ignore[return-value]  # texts and numbers
