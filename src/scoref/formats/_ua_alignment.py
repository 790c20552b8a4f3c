"""Where the words of a corpus's mentions are in a file of Universal Anaphora.

Words of a corpus are counted by document, as here, by sentence, as in CorefUD, or are
the tokens of a document. In the last two multiword tokens do not count, but they are
lines of the file: those between two words of a mention belong to it.
"""

from __future__ import annotations

from bisect import bisect
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import AlignmentError, FormatError
from scoref.formats import entities
from scoref.formats._text import shown
from scoref.formats._ua_text import sentence_of
from scoref.model import EMPTY, SENTENCE_BITS, WordSets

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats._ua_base import Base
    from scoref.model import Corpus, Ints, Sentences, Texts, Words

    Nodes = list[list[int]]

_SAME_TEXT = "the file must be the text that the mentions are from"


def aligned(corpus: Corpus, base: Base) -> tuple[Nodes, Nodes]:
    """Find the nodes of each mention, and those of its minimum."""
    words = corpus.words
    if words is None:
        mentions = _of_spans(corpus, base)
        return mentions, [[] for _ in mentions]
    if words.by_document:
        _check_documents(corpus, base, base.text.document_tokens)
        _check_words(words, base, np.flatnonzero(~base.text.rows.is_zero))
        code, tokens = base.text.code, np.zeros(0, dtype=np.int64)
    else:
        code, tokens = base.ids()
        is_word = ~base.text.rows.is_zero & (code >= 0)
        _check_sentences(words.sentences, base)
        _check_words(words, base, np.flatnonzero(is_word))
    found = _finder(code, tokens, base)
    minimum = words.minimum or WordSets(np.zeros_like(words.start), words.member[:0])
    return found(words.start, words.member), found(*minimum)


def _finder(code: Ints, tokens: Ints, base: Base) -> Callable[[Ints, Ints], Nodes]:
    """Make a function from sets of words to nodes."""
    order = np.argsort(code, kind="stable")
    words: Ints = np.cumsum(~base.text.rows.is_zero & (code >= 0))

    def found(start: Ints, member: Ints) -> Nodes:
        place = np.minimum(np.searchsorted(code[order], member), len(code) - 1)
        node = order[place]
        missing = np.flatnonzero(code[node] != member)
        if len(missing):
            is_zero = bool(member[missing[0]] & EMPTY)
            raise AlignmentError(
                f"a mention has a {'zero' if is_zero else 'word'} that is not here",
                source=base.source,
                hint="the empty nodes of all mentions must be in the file"
                if is_zero
                else _SAME_TEXT,
            )
        nodes = node.tolist()
        sets = [nodes[first:end] for first, end in pairwise(start.tolist())]
        return [_with_tokens(sorted(set(members)), tokens, words) for members in sets]

    return found


def _with_tokens(nodes: list[int], tokens: Ints, words: Ints) -> list[int]:
    """Add the multiword tokens between words of a set that follow each other.

    ``words`` counts the other words up to each node.
    """
    if not nodes or not len(tokens):
        return nodes
    found, (first, last) = set(nodes), np.searchsorted(tokens, [nodes[0], nodes[-1]])
    for token in tokens[first:last].tolist():
        place = bisect(nodes, token)
        if words[nodes[place]] - words[nodes[place - 1]] == 1:
            found.add(token)
    return sorted(found)


def _of_spans(corpus: Corpus, base: Base) -> Nodes:
    """Find mentions that are spans of tokens."""
    if corpus.format == entities.NAME:
        raise FormatError(
            "these mentions are mere values, not words of a text",
            source=corpus.source,
            hint="give the entities as a file, with tokens from start to end",
        )
    code, tokens = base.ids()
    is_word = ~base.text.rows.is_zero & (code >= 0)
    words = np.flatnonzero(is_word)
    document = base.text.code[words] >> SENTENCE_BITS
    count = np.bincount(document, minlength=len(base.text.documents))
    _check_documents(corpus, base, count)
    of_mention = corpus.entity_document[corpus.mention_entity]
    start, end = corpus.mention_start, corpus.mention_end
    beyond = np.flatnonzero((start < 0) | (end < start) | (end >= count[of_mention]))
    if len(beyond):
        row = int(beyond[0])
        raise AlignmentError(
            f"the mention from token {start[row]} to {end[row]} goes beyond its "
            f"document, which has {count[of_mention[row]]} words in {base.source}",
            source=corpus.source,
            line=int(corpus.mention_line[row]) or None,
            hint=_SAME_TEXT,
        )
    offset = (np.cumsum(count) - count)[of_mention]
    spans = zip((start + offset).tolist(), (end + offset).tolist(), strict=True)
    count = np.cumsum(is_word)
    return [_with_tokens(words[a : b + 1].tolist(), tokens, count) for a, b in spans]


def _check_documents(corpus: Corpus, base: Base, count: Ints) -> None:
    """See whether documents come in the same order: by name, and by length."""
    ours, theirs = base.text.documents, corpus.documents
    if len(ours) != len(theirs):
        raise AlignmentError(
            f"there are {len(ours)} documents, but {len(theirs)} in {corpus.source}",
            source=base.source,
            hint="documents start with '# newdoc id = ...' and are taken in order",
        )
    places = {name.name: row for row, name in enumerate(ours)}
    tokens = count if corpus.document_tokens is None else corpus.document_tokens
    for row, document in enumerate(theirs):
        named = {places[alias] for alias in document.aliases if alias in places}
        if (named and row not in named) or tokens[row] != count[row]:
            raise AlignmentError(
                f"document '{ours[row].name}' with {count[row]} words is not document "
                f"'{document.name}' with {tokens[row]} words of {corpus.source}",
                source=base.source,
                line=int(base.text.document_line[row]),
                hint="documents must come in the same order, with the same words",
            )


def _check_sentences(sentences: Sentences, base: Base) -> None:
    ours, theirs = base.text.sentences.document, sentences.document
    if len(ours) != len(theirs):
        raise AlignmentError(
            f"there are {len(ours)} sentences, but {len(theirs)} in the corpus",
            source=base.source,
            hint=_SAME_TEXT,
        )
    if (ours != theirs).any():
        row = int(np.argmax(ours != theirs))
        raise AlignmentError(
            f"sentence {row + 1} is in another document than in the corpus",
            source=base.source,
            line=int(base.text.sentences.line[row]),
            hint=_SAME_TEXT,
        )


def _check_words(words: Words, base: Base, nodes: Ints) -> None:
    """Compare words one by one, those of a document or those of a sentence."""
    text, sentences = base.text, words.sentences
    place = np.cumsum(~text.rows.is_zero)[nodes] - 1
    if words.by_document:
        group, unit = sentences.document, text.code[nodes] >> SENTENCE_BITS
    else:
        group, unit = np.arange(len(sentences.line)), sentence_of(text.rows)[nodes]
    group = np.repeat(group, sentences.word_count)
    order = np.argsort(group, kind="stable")
    ours = _words(unit, text.sentences.word, place)
    theirs = _words(group[order], sentences.word, order)
    for row, (our, their) in enumerate(zip(ours, theirs, strict=False)):
        if our != their:
            raise AlignmentError(
                f"this word is '{shown(our[1])}', but '{shown(their[1])}' in the corpus"
                if our[0] == their[0]
                else "this word is in another place than in the corpus",
                source=base.source,
                line=base.line(int(nodes[row])),
                hint=_SAME_TEXT,
            )
    if len(ours) != len(theirs):
        raise AlignmentError(
            f"there are {len(ours)} words, but {len(theirs)} in the corpus",
            source=base.source,
            hint=_SAME_TEXT,
        )


def _words(unit: Ints, forms: Texts, place: Ints) -> list[tuple[int, bytes]]:
    data, end = forms.data.tobytes(), np.cumsum(forms.length)
    start = (end - forms.length)[place].tolist()
    columns = unit.tolist(), start, end[place].tolist()
    return [(of, data[first:last]) for of, first, last in zip(*columns, strict=True)]
