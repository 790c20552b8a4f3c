"""Counts of documents, words, mentions and entities, by document.

The literature uses these terms in several senses. Here they mean:

mention
    A mention of an entity that refers, as often as the file lists it. Mentions that do
    not refer are counted separately.
span
    The words of mentions, each counted once: mentions less spans are duplicates.
length
    Words of a mention. Empty nodes are not words, so a zero has the length 0.
zero
    A mention whose head is an empty node.
discontinuous
    A mention with a word between its first and its last one that is not part of it.
nested
    A span inside another span of the document, of any entity.
singleton
    An entity of one mention. Its share is that of entities, or that of mentions: both
    are common in print, and very different.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching import ragged
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS
from scoref.model.arrays import bounds, first_of_each, is_new

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Note

    Mask = NDArray[np.bool_]


COUNTS = {
    "documents": "documents",
    "sentences": "sentences",
    "words": "words",
    "empty_nodes": "empty nodes",
    "mentions": "mentions",
    "spans": "distinct spans",
    "duplicates": "duplicates",
    "nested": "nested",
    "discontinuous": "discontinuous",
    "zeros": "zeros",
    "non_referring": "non-referring",
    "entities": "entities",
    "singletons": "singletons",
    "split_antecedents": "split antecedents",
    "bridges": "bridges",
}
"""The counts, with their labels in tables. Tables do not show ``words_in_mentions``."""

RATES = {
    "mentions_per_100_words": "mentions per 100 words",
    "words_per_mention": "words per mention",
    "mentions_per_entity": "mentions per entity",
    "largest_entity": "largest entity",
    "singletons_per_entity": "singletons, % of entities",
    "singletons_per_mention": "singletons, % of mentions",
}
"""The rates that follow from the counts, with their labels in tables."""


class Census(NamedTuple):
    """The counts of a file, by document.

    A count is None if the format does not have it. ``size`` and ``type`` are the number
    of mentions and the type of each entity that refers.
    """

    source: str
    format: str
    documents: tuple[str, ...]
    counts: Mapping[str, Ints | None]
    entity_document: Ints
    size: Ints
    type: tuple[str, ...] | None
    notes: tuple[Note, ...] = ()

    def total(self) -> CensusRow:
        """Sum up all documents."""
        return self._row(slice(None), np.arange(len(self.size)))

    def by_document(self) -> dict[str, CensusRow]:
        """Return the counts of each document."""
        order = np.argsort(self.entity_document, kind="stable")
        entities = np.bincount(self.entity_document, minlength=len(self.documents))
        places = pairwise(bounds(entities).tolist())
        return {
            name: self._row(slice(row, row + 1), order[start:end])
            for row, (name, (start, end)) in enumerate(
                zip(self.documents, places, strict=True)
            )
        }

    def _row(self, documents: slice, entities: Ints) -> CensusRow:
        counts = {
            name: None if column is None else int(column[documents].sum())
            for name, column in self.counts.items()
        }
        sizes, times = np.unique(self.size[entities], return_counts=True)
        types = self.type
        return CensusRow(
            counts=counts,
            sizes=dict(zip(sizes.tolist(), times.tolist(), strict=True)),
            types=Counter(types[row] for row in entities.tolist()) if types else None,
        )


class CensusRow(NamedTuple):
    """The counts of one document or of all, with the entities by size and by type."""

    counts: Mapping[str, int | None]
    sizes: Mapping[int, int]
    types: Mapping[str, int] | None

    @property
    def rates(self) -> dict[str, float | None]:
        """Divide counts by each other; None is 0/0, or not known."""

        def ratio(part: str, whole: str, times: int = 1) -> float | None:
            numerator, denominator = self.counts[part], self.counts[whole]
            if numerator is None or not denominator:
                return None
            return times * numerator / denominator

        return {
            "mentions_per_100_words": ratio("mentions", "words", 100),
            "words_per_mention": ratio("words_in_mentions", "mentions"),
            "mentions_per_entity": ratio("mentions", "entities"),
            "largest_entity": max(self.sizes, default=None),
            "singletons_per_entity": ratio("singletons", "entities"),
            "singletons_per_mention": ratio("singletons", "mentions"),
        }


def count(corpus: Corpus) -> Census:
    """Count a corpus, and its text if it was read with its tokens."""
    for fault in corpus.faults.values():
        raise fault
    refers = np.ones(len(corpus.entity_label), dtype=np.bool_)
    if corpus.anaphora is not None:
        refers = corpus.anaphora.is_referring.copy()
    size = np.bincount(corpus.mention_entity, minlength=len(refers))
    entities = np.flatnonzero(refers & (size > 0))
    is_referring = refers[corpus.mention_entity]
    non_referring = None
    if corpus.words is not None and corpus.words.by_document:
        non_referring = _per_document(corpus, corpus.mention_document[~is_referring])
    types = corpus.entity_type
    return Census(
        source=corpus.source,
        format=corpus.format,
        documents=tuple(document.name for document in corpus.documents),
        counts={
            "documents": np.ones(len(corpus.documents), dtype=np.int64),
            **_count_text(corpus),
            **_count_mentions(corpus, np.flatnonzero(is_referring)),
            **_count_entities(corpus, entities, size[entities]),
            "non_referring": non_referring,
            "bridges": _count_bridges(corpus),
        },
        entity_document=corpus.entity_document[entities],
        size=size[entities],
        type=None if types is None else tuple(types[row] for row in entities.tolist()),
        notes=corpus.notes,
    )


def _per_document(corpus: Corpus, document: Ints) -> Ints:
    """Count how often each document occurs."""
    return np.bincount(document, minlength=len(corpus.documents))


def _count_text(corpus: Corpus) -> dict[str, Ints | None]:
    """Count sentences, words and empty nodes."""
    tokens = corpus.tokens
    if tokens is None:
        words = corpus.document_tokens
        return {"sentences": None, "words": words, "empty_nodes": None}
    document, is_empty = tokens.document, tokens.is_empty
    return {
        "sentences": _per_document(corpus, document[tokens.is_start]),
        "words": _per_document(corpus, document[~is_empty]),
        "empty_nodes": None
        if tokens.code is None
        else _per_document(corpus, document[is_empty]),
    }


def _count_mentions(corpus: Corpus, rows: Ints) -> dict[str, Ints | None]:
    """Count the mentions of these rows, and those that are special in some way."""
    document = corpus.mention_document
    first, last, length, has_gap = _measure_mentions(corpus)
    if corpus.words is not None:
        words = corpus.words
        number, _ = ragged.number_rows(ragged.Ragged(words.start, words.member))
    else:
        span = np.stack((document, corpus.mention_start, corpus.mention_end))
        number = np.unique(span, axis=1, return_inverse=True)[1].ravel()
    distinct = rows[first_of_each(number[rows])]
    nested = _nested_spans(document[distinct], first[distinct], last[distinct])
    mentions = _per_document(corpus, document[rows])
    spans = _per_document(corpus, document[distinct])
    words_in = np.bincount(document[rows], length[rows], len(corpus.documents))
    is_zero = None if corpus.words is None else corpus.words.is_zero[rows]
    return {
        "mentions": mentions,
        "words_in_mentions": words_in.astype(np.int64),
        "spans": spans,
        "duplicates": mentions - spans,
        "nested": _per_document(corpus, document[distinct[nested]]),
        "discontinuous": None
        if has_gap is None
        else _per_document(corpus, document[rows[has_gap[rows]]]),
        "zeros": None
        if is_zero is None
        else _per_document(corpus, document[rows[is_zero]]),
    }


def _measure_mentions(corpus: Corpus) -> tuple[Ints, Ints, Ints, Mask | None]:
    """Return each mention's first and last word, its length, and if it has a gap."""
    words = corpus.words
    if words is None:
        length = corpus.mention_end - corpus.mention_start + 1
        return corpus.mention_start, corpus.mention_end, length, None
    owner = np.repeat(np.arange(len(words.length)), words.length)
    order = np.lexsort((words.member, owner))
    member, owner = words.member[order], owner[order]
    first, last = member[words.start[:-1]], member[words.start[1:] - 1]
    # Pieces of a mention may overlap, so that a word occurs twice.
    is_word = ((member & EMPTY) == 0) & is_new(member, owner)
    place, owner = member[is_word] >> WORD_BITS, owner[is_word]
    length = np.bincount(owner, minlength=len(words.length))
    # Words are numbered from 1 in their sentence, or in their document.
    is_apart = np.diff(place) != 1
    if not words.by_document:
        # The first word of a sentence follows the last word of the sentence before.
        bits = SENTENCE_BITS - WORD_BITS
        sentence, number = place >> bits, place & ((1 << bits) - 1)
        is_last = number[:-1] == words.sentences.word_count[sentence[:-1]]
        is_apart &= ~(is_last & (np.diff(sentence) == 1) & (number[1:] == 1))
    has_gap = np.zeros(len(first), dtype=np.bool_)
    has_gap[owner[1:][(np.diff(owner) == 0) & is_apart]] = True
    return first, last, length, has_gap


def _nested_spans(document: Ints, first: Ints, last: Ints) -> Ints:
    """Return the rows of spans that lie inside another one."""
    order = np.lexsort((-last, first, document))
    nested, before, reach, outer = [], (-1, -1, -1), -1, -1
    for row in order.tolist():
        span = int(document[row]), int(first[row]), int(last[row])
        if span[0] != before[0]:
            reach = -1
        # With other gaps, spans may have the same first and last word.
        if span != before:
            outer = reach
        if outer >= span[2]:
            nested.append(row)
        reach, before = max(reach, span[2]), span
    return np.array(nested, dtype=np.int64)


def _count_entities(corpus: Corpus, rows: Ints, size: Ints) -> dict[str, Ints | None]:
    """Count the entities of these rows, those of one mention, and split antecedents."""
    document = corpus.entity_document[rows]
    split_antecedents = None
    if corpus.anaphora is not None:
        plural = np.unique(corpus.anaphora.plural)
        split_antecedents = _per_document(corpus, corpus.entity_document[plural])
    elif corpus.words is not None:
        split_antecedents = np.zeros(len(corpus.documents), dtype=np.int64)
    return {
        "entities": _per_document(corpus, document),
        "singletons": _per_document(corpus, document[size == 1]),
        "split_antecedents": split_antecedents,
    }


def _count_bridges(corpus: Corpus) -> Ints | None:
    """Count bridges between mentions, or, in CorefUD, from entities to mentions."""
    words = corpus.words
    if words is None:
        return None
    if words.by_document:
        anaphora = corpus.anaphora
        assert anaphora is not None
        return _per_document(corpus, corpus.mention_document[anaphora.anaphor])
    bridges = np.zeros(len(corpus.documents), dtype=np.int64)
    for relation in words.relations:
        if relation.kind == "Bridge":
            lines = words.sentences.line
            sentence = np.searchsorted(lines, relation.line, side="right") - 1
            items = len(relation.value.split(","))
            bridges[words.sentences.document[sentence]] += items
    return bridges
