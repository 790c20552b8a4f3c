"""Placed mentions as a response: a corpus over the key's own tokens.

Mentions and entities are in the order of the official scorers, by the first word, the
longer one first, since that order decides who keeps a mention that is listed twice.
"""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import EMPTY, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.formats.conllu_trees import DependencyTrees
    from scoref.model import Corpus, Ints, Note
    from scoref.tools.llm.placing import PlacedAnswer


class _Mention(NamedTuple):
    """A mention by its rows among all tokens."""

    document: int
    label: str
    tokens: tuple[int, ...]


def response_of(
    key: Corpus,
    placed: Sequence[PlacedAnswer],
    *,
    source: str,
    trees: DependencyTrees | None = None,
    notes: Sequence[Note] = (),
) -> Corpus:
    """Make a corpus of what was placed, with a document for each of the key's."""
    tokens = key.tokens
    assert tokens is not None  # noqa: S101 - a key without text was refused
    mentions = [
        _Mention(
            document, mention.label, tuple(first + each for each in mention.tokens)
        )
        for document, (found, first) in enumerate(
            zip(placed, tokens.first.tolist()[:-1], strict=True)
        )
        for mention in found.mentions
    ]
    mentions.sort(key=lambda each: (each.tokens[0], -len(each.tokens), each.tokens[-1]))
    numbers: dict[tuple[int, str], int] = {}
    for mention in mentions:
        numbers.setdefault((mention.document, mention.label), len(numbers))
    mentions.sort(key=lambda each: numbers[each.document, each.label])
    ends = [(each.tokens[0], each.tokens[-1]) for each in mentions]
    start, end = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    corpus = dataclasses.replace(
        key,
        source=source,
        entity_document=_column([document for document, _ in numbers]),
        entity_label=tuple(label for _, label in numbers),
        mention_entity=_column([numbers[m.document, m.label] for m in mentions]),
        mention_start=start,
        mention_end=end,
        mention_line=tokens.line[end],
        mention_order=None,
        notes=tuple(notes),
        faults={},
        words=None,
        anaphora=None,
        entity_type=None,
        parses=None,
    )
    if key.words is None:
        first = tokens.first[corpus.mention_document]
        return dataclasses.replace(
            corpus, mention_start=start - first, mention_end=end - first
        )
    return _with_words(corpus, key.words, [each.tokens for each in mentions], trees)


def _with_words(
    corpus: Corpus,
    of_key: Words,
    mentions: list[tuple[int, ...]],
    trees: DependencyTrees | None,
) -> Corpus:
    """Add the words of mentions, and their heads."""
    assert corpus.tokens is not None  # noqa: S101
    assert corpus.tokens.code is not None  # noqa: S101 - the format has words
    code = corpus.tokens.code
    length = _column([len(tokens) for tokens in mentions])
    member = code[_column([token for tokens in mentions for token in tokens])]
    start = np.concatenate(([0], np.cumsum(length)))
    sets = [tuple(member[a:b].tolist()) for a, b in pairwise(start.tolist())]
    known = _known_heads(of_key) if trees else {}
    head = _column(
        [
            known[words] if words in known else trees.head(words) if trees else words[0]
            for words in sets
        ]
    )
    words = Words(
        sentences=of_key.sentences,
        start=start,
        member=member,
        head=head,
        is_zero=(head & EMPTY) > 0,
        head_upos=trees.upos_of(head) if trees else np.zeros(len(head), np.uint64),
        dependencies=_dependencies(head, trees),
        by_document=of_key.by_document,
    )
    return dataclasses.replace(
        corpus,
        words=words,
        mention_start=member[start[:-1]],
        mention_end=member[start[1:] - 1],
    )


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
