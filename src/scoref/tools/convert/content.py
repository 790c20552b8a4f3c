"""The content of a file to convert: a text and its mentions, the same for all formats.

Tokens are rows, one document after the other, and a mention is any set of rows. Heads
and minimums are rows of tokens as well. Content does not contain brackets or columns.
`content_of` takes the content of a corpus, and the methods of `Content` leave out parts
of it.
"""

from __future__ import annotations

from functools import reduce
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats.catalogue import COREFUD
from scoref.matching.ragged import Ragged, join_rows
from scoref.model import SENTENCE_BITS, WORD_BITS, Texts, Tokens
from scoref.model.arrays import bounds, inverse, is_new

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.model import Corpus
    from scoref.model.arrays import Ints, Mask

NONE = -1
"""The row of something that is not known or not there."""


class Content(NamedTuple):
    """Documents, tokens, entities and mentions, in columns."""

    source: str
    documents: tuple[str, ...]
    text: Tokens
    has_words: bool  # False: the words are not known, and those of the text are blank
    entity_document: Ints
    entity_label: tuple[str, ...]
    entity_type: tuple[str, ...]  # empty: none
    is_referring: Mask
    mention_entity: Ints
    mention_line: Ints
    mention_text: tuple[str, ...]  # as a table says; empty if there are words
    members: Ragged
    head: Ints  # NONE if the format does not say
    minimum: Ragged  # empty if the format does not say
    plural: Ints
    element: Ints
    anaphor: Ints
    antecedent: Ints
    relation: tuple[str, ...]

    @property
    def mention_document(self) -> Ints:
        """The document of each mention."""
        return self.entity_document[self.mention_entity]

    @property
    def mention_first(self) -> Ints:
        """The first token of each mention."""
        return self.members.value[self.members.start[:-1]]

    @property
    def mention_last(self) -> Ints:
        """The last token of each mention."""
        return self.members.value[self.members.start[1:] - 1]

    def has_any(self, tokens: Mask) -> Mask:
        """Mark mentions that have at least one of these tokens."""
        rows = self.members
        count = np.bincount(rows.owner(), tokens[rows.value], len(rows.start) - 1)
        has_some: Mask = count > 0
        return has_some

    def keep_tokens(self, kept: Mask) -> Content:
        """Leave out other tokens, and mentions that have no tokens left."""
        place = _new_rows(kept)
        content = self._replace(
            text=self.text.keep(kept),
            members=_take_values(self.members, place),
            minimum=_take_values(self.minimum, place),
            head=np.where(self.head == NONE, NONE, place[self.head]),
        )
        return content.keep_mentions(content.members.length > 0)

    def keep_mentions(self, kept: Mask) -> Content:
        """Leave out other mentions, and entities that have no mentions left."""
        rows = np.flatnonzero(kept)
        has_some = np.zeros(len(self.entity_label), dtype=np.bool_)
        has_some[self.mention_entity[rows]] = True
        if kept.all() and has_some.all():
            return self
        entities = np.flatnonzero(has_some)
        entity, mention = _new_rows(has_some), _new_rows(kept)
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
        """Leave out other documents, which must not have mentions."""
        if kept.all():
            return self
        rows = np.flatnonzero(kept)
        content = self.keep_tokens(kept[self.text.document])
        first = np.append(content.text.first[rows], content.text.first[-1])
        return content._replace(
            documents=tuple(self.documents[row] for row in rows.tolist()),
            text=content.text._replace(first=first),
            entity_document=_new_rows(kept)[content.entity_document],
        )

    def by_document(self) -> Content:
        """Sort entities by document, and mentions by entity."""
        if (np.diff(self.entity_document) >= 0).all():
            return self
        order = np.argsort(self.entity_document, kind="stable")
        entity = inverse(order)
        rows = np.argsort(entity[self.mention_entity], kind="stable")
        mention = inverse(rows)
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

    @classmethod
    def joined(cls, parts: Sequence[Content]) -> Content:
        """Put the documents of several contents into one."""
        if len(parts) == 1:
            return parts[0]
        document, entity, mention, token, sentence = (
            bounds(np.array(counts)).tolist()
            for counts in zip(*map(_counts, parts), strict=True)
        )
        texts = [part.text for part in parts]
        codes = [np.zeros_like(t.line) if t.code is None else t.code for t in texts]
        text = Tokens(
            first=np.append(_shifted([t.first[:-1] for t in texts], token), token[-1]),
            sentence=_shifted([t.sentence for t in texts], sentence),
            line=np.zeros(token[-1], dtype=np.int64),
            word=Texts.joined([t.word for t in texts]),
            # Only whether tokens are empty nodes matters.
            code=np.concatenate(codes),
        )
        heads = [
            np.where(part.head == NONE, NONE, part.head + before)
            for part, before in zip(parts, token, strict=False)
        ]
        return cls(
            source=parts[0].source,
            documents=_chained([part.documents for part in parts]),
            text=text,
            has_words=all(part.has_words for part in parts),
            entity_document=_shifted([p.entity_document for p in parts], document),
            entity_label=_chained([part.entity_label for part in parts]),
            entity_type=_chained([part.entity_type for part in parts]),
            is_referring=np.concatenate([part.is_referring for part in parts]),
            mention_entity=_shifted([p.mention_entity for p in parts], entity),
            mention_line=np.concatenate([part.mention_line for part in parts]),
            mention_text=_chained([part.mention_text for part in parts]),
            members=_joined_rows([part.members for part in parts], token),
            head=np.concatenate(heads),
            minimum=_joined_rows([part.minimum for part in parts], token),
            plural=_shifted([part.plural for part in parts], entity),
            element=_shifted([part.element for part in parts], entity),
            anaphor=_shifted([part.anaphor for part in parts], mention),
            antecedent=_shifted([part.antecedent for part in parts], mention),
            relation=_chained([part.relation for part in parts]),
        )

    def with_members(self, members: list[list[int]]) -> Content:
        """Replace the tokens of all mentions."""
        start = np.cumsum([0, *map(len, members)])
        tokens = np.fromiter(chain.from_iterable(members), dtype=np.int64)
        return self._replace(members=Ragged(start, tokens))

    def lists(self) -> list[list[int]]:
        """Return the tokens of each mention as a list."""
        value = self.members.value.tolist()
        return [value[a:b] for a, b in pairwise(self.members.start.tolist())]


def _counts(part: Content) -> tuple[int, ...]:
    """Count documents, entities, mentions, tokens and sentences."""
    return (
        len(part.documents),
        len(part.entity_label),
        len(part.mention_entity),
        len(part.text.line),
        int(part.text.sentence.max(initial=-1)) + 1,
    )


def _shifted(columns: Sequence[Ints], before: Sequence[int]) -> Ints:
    """Concatenate rows of several tables that are put one after the other."""
    pairs = zip(columns, before, strict=False)
    return np.concatenate([column + first for column, first in pairs])


def _joined_rows(parts: Sequence[Ragged], before: Sequence[int]) -> Ragged:
    pairs = zip(parts, before, strict=False)
    return reduce(join_rows, [Ragged(a.start, a.value + first) for a, first in pairs])


def _chained(columns: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(columns))


def _new_rows(kept: Mask) -> Ints:
    """Return the new row of each kept row, and NONE for the others."""
    return np.where(kept, np.cumsum(kept) - 1, NONE)


def _take_values(rows: Ragged, place: Ints) -> Ragged:
    """Replace values by their new rows, and leave out those that have none."""
    value = place[rows.value]
    kept = value >= 0
    return Ragged(bounds(kept.astype(np.int64))[rows.start], value[kept])


def content_of(corpus: Corpus) -> Content:
    """Take the content of a corpus, which should have been read with its tokens."""
    for fault in corpus.faults.values():
        raise fault
    text, members = _text_and_members(corpus)
    anaphora, count = corpus.anaphora, len(corpus.entity_label)
    words, tokens, mentions = corpus.words, corpus.tokens, len(corpus.mention_entity)
    nothing = np.zeros(0, dtype=np.int64)
    head = np.full(mentions, NONE)
    if corpus.format == COREFUD and words is not None and tokens is not None:
        head = tokens.rows(words.head)
    minimum = Ragged(np.zeros(mentions + 1, dtype=np.int64), nothing)
    if words is not None and words.minimum is not None and tokens is not None:
        minimum = Ragged(words.minimum.start, tokens.rows(words.minimum.member))
    content = Content(
        source=corpus.source,
        documents=tuple(name.short for name in corpus.documents),
        text=text,
        has_words=tokens is not None,
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
        head=head,
        minimum=minimum,
        plural=nothing if anaphora is None else anaphora.plural,
        element=nothing if anaphora is None else anaphora.element,
        anaphor=nothing if anaphora is None else anaphora.anaphor,
        antecedent=nothing if anaphora is None else anaphora.antecedent,
        relation=() if anaphora is None else anaphora.relation,
    )
    # This leaves out entities without mentions.
    return content.keep_mentions(np.ones(mentions, dtype=np.bool_)).by_document()


_PLACE = (1 << SENTENCE_BITS) - 1


def _text_and_members(corpus: Corpus) -> tuple[Tokens, Ragged]:
    """Return the text, and the rows of its tokens that are in each mention."""
    if corpus.tokens is not None:
        return corpus.tokens, Ragged(*corpus.tokens.of_mentions(corpus))
    # The words are not known: a document has tokens up to its last mention.
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
    first = bounds(count)
    sentence = np.repeat(np.arange(len(count)), count)
    blank = Texts.blank(len(sentence))
    text = Tokens(first, sentence, np.zeros_like(sentence), blank)
    return text, Ragged(start, place + first[owner])


def _distinct(rows: Ragged) -> Ragged:
    """Sort the tokens of each mention, and leave out repetitions."""
    owner = rows.owner()
    order = np.lexsort((rows.value, owner))
    value, owner = rows.value[order], owner[order]
    kept = is_new(value, owner)
    length = np.bincount(owner[kept], minlength=len(rows.start) - 1)
    return Ragged(bounds(length), value[kept])
