"""Placed mentions as a response: a corpus over the key's own tokens.

Mentions and entities are in the order of the official scorers, by the first word, the
longer one first, since that order decides who keeps a mention that is listed twice.
"""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import EMPTY, LAST_WORD, SENTENCE_BITS, WORD_BITS, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.formats.conllu_trees import DependencyTrees
    from scoref.model import Corpus, Ints, Tokens
    from scoref.tools.llm.listed_mentions import UnplacedMention
    from scoref.tools.llm.placing import PlacedAnswer


class _Mention(NamedTuple):
    """A mention by its rows among all tokens; without any, it is not in the text."""

    document: int
    label: str
    tokens: tuple[int, ...]
    unplaced: UnplacedMention | None = None

    def order(self) -> tuple[bool, tuple[int, ...], str]:
        """Sort by the first word, the longer one first; the unplaced come last."""
        if self.unplaced:
            return True, (), self.unplaced.words
        return False, (self.tokens[0], -len(self.tokens), self.tokens[-1]), ""


def response_of(
    key: Corpus,
    placed: Sequence[PlacedAnswer],
    *,
    source: str,
    trees: DependencyTrees | None = None,
    with_unplaced: bool = False,
) -> Corpus:
    """Make a corpus of an answer for each document of the key.

    ``with_unplaced`` adds the mentions that are not in the text: they belong to their
    entities, and match nothing.
    """
    tokens = key.tokens
    assert tokens is not None  # noqa: S101 - a key without text was refused
    entities: dict[tuple[int, str], list[_Mention]] = {}
    for mention in _mentions(placed, tokens.first.tolist(), with_unplaced):
        of_entity = entities.setdefault((mention.document, mention.label), [])
        of_entity.append(mention)
    for of_entity in entities.values():
        of_entity.sort(key=_Mention.order)
    # The labels are the model's, so that they must not decide the order.
    names = sorted(
        entities, key=lambda name: (name[0], [m.order() for m in entities[name]])
    )
    mentions = [mention for name in names for mention in entities[name]]
    document = _column([mention.document for mention in mentions])
    is_unplaced = np.array([not each.tokens for each in mentions], dtype=np.bool_)
    first = tokens.first[document]
    start, end = (
        np.where(
            is_unplaced, first, _column([(m.tokens or (0,))[at] for m in mentions])
        )
        for at in (0, -1)
    )
    line = key.document_line[document]
    line[~is_unplaced] = tokens.line[end[~is_unplaced]]
    corpus = dataclasses.replace(
        key,
        source=source,
        entity_document=_column([document for document, _ in names]),
        entity_label=tuple(label for _, label in names),
        mention_entity=np.repeat(
            np.arange(len(names)), [len(entities[name]) for name in names]
        ),
        mention_start=start,
        mention_end=end,
        mention_line=line,
        mention_order=None,
        mention_unplaced=is_unplaced if is_unplaced.any() else None,
        mention_type=None,
        mention_kbid=None,
        mention_ids=None,
        pieces=None,
        notes=(),
        faults={},
        words=None,
        anaphora=None,
        entity_type=None,
        parses=None,
    )
    if key.words is None:
        return dataclasses.replace(
            corpus, mention_start=start - first, mention_end=end - first
        )
    return _with_words(corpus, key.words, mentions, trees)


def _mentions(
    placed: Sequence[PlacedAnswer], first: list[int], with_unplaced: bool
) -> Iterator[_Mention]:
    for document, answer in enumerate(placed):
        for mention in answer.mentions:
            tokens = tuple(first[document] + token for token in mention.tokens)
            yield _Mention(document, mention.label, tokens)
        for unplaced in answer.unplaced if with_unplaced else ():
            yield _Mention(document, unplaced.label, (), unplaced)


def _with_words(
    corpus: Corpus,
    of_key: Words,
    mentions: list[_Mention],
    trees: DependencyTrees | None,
) -> Corpus:
    """Add the words of mentions, and their heads."""
    assert corpus.tokens is not None  # noqa: S101
    sets = _word_sets(corpus.tokens, mentions)
    start = np.concatenate(([0], np.cumsum(_column(list(map(len, sets))))))
    member = _column([word for words in sets for word in words])
    known = _known_heads(of_key) if trees else {}
    head = _column(
        [
            known[words]
            if words in known
            else trees.head(words)
            if trees and mention.tokens
            else words[0]
            for words, mention in zip(sets, mentions, strict=True)
        ]
    )
    is_placed = ~corpus.is_unplaced
    head_upos = np.zeros(len(head), np.uint64)
    if trees:
        head_upos[is_placed] = trees.upos_of(head[is_placed])
    words = Words(
        sentences=of_key.sentences,
        start=start,
        member=member,
        head=head,
        is_zero=(head & EMPTY) > 0,
        head_upos=head_upos,
        dependencies=_dependencies(head, trees),
        by_document=of_key.by_document,
    )
    return dataclasses.replace(
        corpus,
        words=words,
        mention_start=member[start[:-1]],
        mention_end=member[start[1:] - 1],
    )


def _word_sets(tokens: Tokens, mentions: list[_Mention]) -> list[tuple[int, ...]]:
    """List the words of mentions; those of one that is not in the text are made up.

    The last words that a sentence could have stand for them: no text has so many.
    """
    assert tokens.code is not None  # noqa: S101 - the format has words
    sets: list[tuple[int, ...]] = []
    last = LAST_WORD
    for mention in mentions:
        if mention.unplaced is None:
            sets.append(tuple(tokens.code[list(mention.tokens)].tolist()))
            continue
        row = max(int(tokens.first[mention.document + 1]) - 1, 0)
        sentence = int(tokens.code[row]) >> SENTENCE_BITS << SENTENCE_BITS
        numbers = range(last - mention.unplaced.size + 1, last + 1)
        last -= mention.unplaced.size
        empty = int(mention.unplaced.is_zero)
        sets.append(tuple(sentence | each << WORD_BITS | empty for each in numbers))
    return sets


def _known_heads(words: Words) -> dict[tuple[int, ...], int]:
    """Give the heads of the key's mentions, by their words."""
    ends = pairwise(words.start.tolist())
    sets = [tuple(words.member[a:b].tolist()) for a, b in ends]
    return dict(zip(sets[::-1], words.head.tolist()[::-1], strict=True))


def _dependencies(
    head: Ints, trees: DependencyTrees | None
) -> dict[int, frozenset[tuple[str, str]]]:
    zeros = head[(head & EMPTY) > 0].tolist()
    known = trees.dependencies if trees else {}
    return {node: frozenset(known.get(node, ())) for node in zeros}


def _column(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)
