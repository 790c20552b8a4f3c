"""What else there is to say of each error, in columns: to filter, sort and group by.

An error about several mentions goes by the first one, and by the key's if it has one.
The *antecedent* is what the key links it to: the mention of its entity before it or, if
there is none, the first one behind that is no part of the error. What it is
*linked to* is the same in the response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.scoring.slices import genres_of
from scoref.tools.errors.classes import (
    classify,
    distances_of,
    has_classes,
    has_sentences,
)

if TYPE_CHECKING:
    from scoref.model import Ints, WordSets
    from scoref.tools.errors.classes import Classes
    from scoref.tools.errors.findings import AnalysedSide, Analysis

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
