"""What is scored besides entities: mentions that do not refer, and bridging.

Both go by exact words, whatever the match: a pair of bridging is right if its anaphor
is, and if its antecedent is the key's, or at least a mention of the same key entity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching.words import WordMatches, WordSide
    from scoref.model import Ints

    Mask = NDArray[np.bool_]


def count_non_referring(words: WordMatches, documents: int) -> Ints:
    """Count TP, FN and FP by document."""
    key, response = _non_referring(words.key), _non_referring(words.response)
    found = np.isin(key.mention, response.mention)
    false = ~np.isin(response.mention, key.mention)
    return _by_document(
        documents, key.document[found], key.document[~found], response.document[false]
    )


class _Items(NamedTuple):
    mention: Ints
    document: Ints


def _non_referring(side: WordSide) -> _Items:
    """List the first mention of each entity that does not refer."""
    anaphora, entity = side.corpus.anaphora, side.corpus.mention_entity
    if anaphora is None:
        return _Items(entity[:0], entity[:0])
    first = np.flatnonzero(np.diff(entity, prepend=-1))
    first = first[~anaphora.is_referring[entity[first]]]
    document = side.corpus.entity_document[entity[first]]
    is_scored = document >= 0
    return _Items(side.corpus_number[first[is_scored]], document[is_scored])


class _Bridges(NamedTuple):
    """Anaphors of one side, each with its antecedent, sorted by anaphor."""

    anaphor: Ints
    antecedent: Ints
    document: Ints

    @classmethod
    def of(cls, side: WordSide) -> _Bridges:
        anaphora, nothing = side.corpus.anaphora, np.empty(0, dtype=np.int64)
        if anaphora is None:
            return cls(nothing, nothing, nothing)
        document = side.corpus.entity_document[
            side.corpus.mention_entity[anaphora.anaphor]
        ]
        rows = np.flatnonzero(document >= 0)[::-1]
        # Of several antecedents the last counts.
        anaphor, last = np.unique(
            side.corpus_number[anaphora.anaphor[rows]], return_index=True
        )
        rows = rows[last]
        antecedent = side.corpus_number[anaphora.antecedent[rows]]
        return cls(anaphor, antecedent, document[rows])


def count_bridging(words: WordMatches, documents: int, owner: Ints) -> Ints:
    """Count TP, FN and FP by document: of anaphors, mentions and entities.

    ``owner`` says which key entity a mention belongs to, -1 for none.
    """
    key, response = _Bridges.of(words.key), _Bridges.of(words.response)
    _, ours, theirs = np.intersect1d(
        key.anaphor, response.anaphor, assume_unique=True, return_indices=True
    )
    one, other = key.antecedent[ours], response.antecedent[theirs]
    same = one == other
    of_entity = (owner[one] == owner[other]) & (owner[one] >= 0)
    return np.hstack(
        [
            _verdicts(documents, key, response, ours[right], theirs[right])
            for right in (np.ones_like(same), same, same | of_entity)
        ]
    )


def _verdicts(
    documents: int, key: _Bridges, response: _Bridges, ours: Ints, theirs: Ints
) -> Ints:
    missed = np.delete(key.document, ours)
    false = np.delete(response.document, theirs)
    return _by_document(documents, key.document[ours], missed, false)


def _by_document(count: int, *verdicts: Ints) -> Ints:
    return np.column_stack([np.bincount(rows, minlength=count) for rows in verdicts])
