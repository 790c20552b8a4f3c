"""The content of a file to convert: a text and its mentions, the same for all formats.

Tokens are rows, one document after the other, and a mention is any set of rows. Heads
and minimums are rows of tokens as well. Content does not contain brackets or columns.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats.catalogue import COREFUD
from scoref.matching.ragged import Ragged
from scoref.model import SENTENCE_BITS, WORD_BITS, Texts, Tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints

    Mask = NDArray[np.bool_]

NOBODY = -1
_PLACE = (1 << SENTENCE_BITS) - 1


class Content(NamedTuple):
    """Documents, entities and mentions, in columns, and what is said of them."""

    source: str
    documents: tuple[str, ...]
    text: Tokens
    has_words: bool  # False: nobody tells them, and those of the text are blank
    entity_document: Ints
    entity_label: tuple[str, ...]
    entity_type: tuple[str, ...]  # empty: none
    is_referring: Mask
    mention_entity: Ints
    mention_line: Ints
    mention_text: tuple[str, ...]  # of each; empty where words tell it, or nobody
    members: Ragged
    head: Ints  # NOBODY where the format does not say
    minimum: Ragged  # empty where the format does not say
    plural: Ints
    element: Ints
    anaphor: Ints
    antecedent: Ints
    relation: tuple[str, ...]

    @property
    def mention_document(self) -> Ints:
        """Say of each mention which document it is in."""
        return self.entity_document[self.mention_entity]

    @property
    def mention_first(self) -> Ints:
        """Give the first token of each mention."""
        return self.members.value[self.members.start[:-1]]

    @property
    def mention_last(self) -> Ints:
        """Give the last token of each mention."""
        return self.members.value[self.members.start[1:] - 1]

    def has_any(self, tokens: Mask) -> Mask:
        """Mark mentions that have some of these tokens."""
        rows = self.members
        count = np.bincount(rows.owner(), tokens[rows.value], len(rows.start) - 1)
        found: Mask = count > 0
        return found

    def keep_tokens(self, kept: Mask) -> Content:
        """Leave out tokens, and mentions that were nothing else."""
        place = np.where(kept, np.cumsum(kept) - 1, NOBODY)
        content = self._replace(
            text=self.text.keep(kept),
            members=_filtered(self.members, place),
            minimum=_filtered(self.minimum, place),
            head=np.where(self.head == NOBODY, NOBODY, place[self.head]),
        )
        return content.keep_mentions(content.members.length > 0)

    def keep_mentions(self, kept: Mask) -> Content:
        """Leave out mentions, and entities that have no others."""
        rows = np.flatnonzero(kept)
        has_some = np.zeros(len(self.entity_label), dtype=np.bool_)
        has_some[self.mention_entity[rows]] = True
        if kept.all() and has_some.all():
            return self
        entities = np.flatnonzero(has_some)
        entity = np.where(has_some, np.cumsum(has_some) - 1, NOBODY)
        mention = np.where(kept, np.cumsum(kept) - 1, NOBODY)
        plural, element = entity[self.plural], entity[self.element]
        is_pair = (plural >= 0) & (element >= 0)
        anaphor, antecedent = mention[self.anaphor], mention[self.antecedent]
        bridges = np.flatnonzero((anaphor >= 0) & (antecedent >= 0))
        return self._replace(
            entity_document=self.entity_document[entities],
            entity_label=tuple(self.entity_label[row] for row in entities.tolist()),
            entity_type=tuple(self.entity_type[row] for row in entities.tolist()),
            is_referring=self.is_referring[entities],
            mention_entity=entity[self.mention_entity[rows]],
            mention_line=self.mention_line[rows],
            mention_text=tuple(self.mention_text[row] for row in rows.tolist())
            if self.mention_text
            else (),
            members=self.members.take(rows),
            head=self.head[rows],
            minimum=self.minimum.take(rows),
            plural=plural[is_pair],
            element=element[is_pair],
            anaphor=anaphor[bridges],
            antecedent=antecedent[bridges],
            relation=tuple(self.relation[row] for row in bridges.tolist()),
        )

    def keep_documents(self, kept: Mask) -> Content:
        """Leave out documents that have no mentions."""
        if kept.all():
            return self
        place, rows = np.cumsum(kept) - 1, np.flatnonzero(kept)
        moved = self.keep_tokens(kept[self.text.document])
        first = np.append(moved.text.first[rows], moved.text.first[-1])
        return moved._replace(
            documents=tuple(self.documents[row] for row in rows.tolist()),
            text=moved.text._replace(first=first),
            entity_document=place[moved.entity_document],
        )

    def by_document(self) -> Content:
        """Sort entities by document, and mentions by entity."""
        if (np.diff(self.entity_document) >= 0).all():
            return self
        order = np.argsort(self.entity_document, kind="stable")
        entity = _places(order)
        rows = np.argsort(entity[self.mention_entity], kind="stable")
        mention = _places(rows)
        text = self.mention_text
        return self._replace(
            entity_document=self.entity_document[order],
            entity_label=tuple(self.entity_label[row] for row in order.tolist()),
            entity_type=tuple(self.entity_type[row] for row in order.tolist()),
            is_referring=self.is_referring[order],
            mention_entity=entity[self.mention_entity][rows],
            mention_line=self.mention_line[rows],
            mention_text=tuple(text[row] for row in rows.tolist()) if text else (),
            members=self.members.take(rows),
            head=self.head[rows],
            minimum=self.minimum.take(rows),
            plural=entity[self.plural],
            element=entity[self.element],
            anaphor=mention[self.anaphor],
            antecedent=mention[self.antecedent],
        )

    def with_members(self, members: list[list[int]]) -> Content:
        """Give all mentions new tokens."""
        start = np.cumsum([0, *map(len, members)])
        flat = [token for each in members for token in each]
        return self._replace(members=Ragged(start, np.array(flat, dtype=np.int64)))

    def lists(self) -> list[list[int]]:
        """Give the tokens of each mention as a list."""
        value = self.members.value.tolist()
        return [value[a:b] for a, b in pairwise(self.members.start.tolist())]


def content_of(corpus: Corpus) -> Content:
    """Take the content of a corpus, which should have been read with its tokens."""
    for fault in corpus.faults.values():
        raise fault
    text, members = _text_and_members(corpus)
    anaphora, count = corpus.anaphora, len(corpus.entity_label)
    nothing = np.zeros(0, dtype=np.int64)
    content = Content(
        source=corpus.source,
        documents=tuple(name.short for name in corpus.documents),
        text=text,
        has_words=corpus.tokens is not None,
        entity_document=corpus.entity_document,
        entity_label=corpus.entity_label,
        entity_type=corpus.entity_type or ("",) * count,
        is_referring=np.ones(count, bool)
        if anaphora is None
        else anaphora.is_referring,
        mention_entity=corpus.mention_entity,
        mention_line=corpus.mention_line,
        mention_text=(),
        members=_distinct(members),
        head=_heads(corpus),
        minimum=_minimums(corpus),
        plural=nothing if anaphora is None else anaphora.plural,
        element=nothing if anaphora is None else anaphora.element,
        anaphor=nothing if anaphora is None else anaphora.anaphor,
        antecedent=nothing if anaphora is None else anaphora.antecedent,
        relation=() if anaphora is None else anaphora.relation,
    )
    # An entity is its mentions: one without any is none.
    kept = content.keep_mentions(np.ones(len(corpus.mention_entity), dtype=np.bool_))
    return kept.by_document()


def _text_and_members(corpus: Corpus) -> tuple[Tokens, Ragged]:
    if corpus.tokens is not None:
        return corpus.tokens, Ragged(*corpus.tokens.of_mentions(corpus))
    # Tokens are known of as far as to the last one of a mention.
    document = corpus.mention_document
    if corpus.words is None:
        start, place = corpus.token_sets()
    else:
        start = corpus.words.start
        place = ((corpus.words.member & _PLACE) >> WORD_BITS) - 1
    owner = np.repeat(document, np.diff(start))
    count = np.zeros(len(corpus.documents), dtype=np.int64)
    np.maximum.at(count, owner, place + 1)
    if corpus.document_tokens is not None:
        count = corpus.document_tokens
    first = np.concatenate(([0], np.cumsum(count)))
    sentence = np.repeat(np.arange(len(count)), count)
    blank = Texts.blank(len(sentence))
    text = Tokens(first, sentence, np.zeros_like(sentence), blank)
    return text, Ragged(start, place + first[owner])


def _distinct(rows: Ragged) -> Ragged:
    """Sort the tokens of each mention, and leave out what comes twice."""
    owner = rows.owner()
    order = np.lexsort((rows.value, owner))
    value, owner = rows.value[order], owner[order]
    is_new = (np.diff(value, prepend=-1) != 0) | (np.diff(owner, prepend=-1) != 0)
    length = np.bincount(owner[is_new], minlength=len(rows.start) - 1)
    return Ragged(np.concatenate(([0], np.cumsum(length))), value[is_new])


def _heads(corpus: Corpus) -> Ints:
    if corpus.format != COREFUD or corpus.words is None or corpus.tokens is None:
        return np.full(len(corpus.mention_entity), NOBODY)
    return corpus.tokens.rows(corpus.words.head)


def _minimums(corpus: Corpus) -> Ragged:
    words, tokens = corpus.words, corpus.tokens
    if words is None or words.minimum is None or tokens is None:
        start = np.zeros(len(corpus.mention_entity) + 1, dtype=np.int64)
        return Ragged(start, np.zeros(0, dtype=np.int64))
    return Ragged(words.minimum.start, tokens.rows(words.minimum.member))


def _places(order: Ints) -> Ints:
    """Say where each row of an order stands in it."""
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place


def _filtered(rows: Ragged, place: Ints) -> Ragged:
    value = place[rows.value]
    kept = value >= 0
    before = np.concatenate(([0], np.cumsum(kept)))
    return Ragged(before[rows.start], value[kept])
