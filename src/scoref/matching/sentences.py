"""Are two files the same text? Sentence by sentence, word by word.

Key and response must have the same sentences, with the same ids, the same words,
and documents that start at the same places. Empty nodes may differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import AlignmentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Sentences, Texts

    Bytes = NDArray[np.uint8]
    Mask = NDArray[np.bool_]


def check_sentences(key: Corpus, response: Corpus) -> None:
    """Show the first difference, if there is one, side by side."""
    assert key.words is not None  # noqa: S101 - the formats have words
    assert response.words is not None  # noqa: S101
    sides = key.words.sentences, response.words.sentences
    common = min(len(side.line) for side in sides)
    firsts = [
        (_first(*(side.document[:common] for side in sides)), 0),
        (_first(*(side.is_start[:common] for side in sides)), 0),
        (_first_text(*(side.identifier for side in sides)), 1),
        (_first(*(side.word_count[:common] for side in sides)), 2),
        (_first_word(*sides), 2),
    ]
    # A renamed document shows where it starts, not in the numbers of documents.
    names = [[name.name for name in side.documents] for side in (key, response)]
    firsts.append((_renamed(sides[0], names), 0))
    different = [(place, what) for place, what in firsts if 0 <= place < common]
    if different:
        place, what = min(different)
        _refuse(key, response, place, what)
    if len(sides[0].line) != len(sides[1].line):
        _refuse_length(key, response, common)


def _first(one: Ints | Bytes | Mask, other: Ints | Bytes | Mask) -> int:
    different = np.flatnonzero(one != other)
    return int(different[0]) if len(different) else -1


def _first_text(one: Texts, other: Texts) -> int:
    common = min(len(one.length), len(other.length))
    unequal = _first(one.length[:common], other.length[:common])
    until = common if unequal < 0 else unequal
    ends = np.cumsum(one.length[:until])
    size = int(ends[-1]) if until else 0
    byte = _first(one.data[:size], other.data[:size])
    return int(np.searchsorted(ends, byte, side="right")) if byte >= 0 else unequal


def _first_word(one: Sentences, other: Sentences) -> int:
    """Find the sentence of the first word that differs."""
    word = _first_text(one.word, other.word)
    if word < 0:
        return -1
    return int(np.searchsorted(np.cumsum(one.word_count), word, side="right"))


def _renamed(key: Sentences, names: list[list[str]]) -> int:
    pairs = zip(*names, strict=False)
    for row, (one, other) in enumerate(pairs):
        if one != other:
            return int(np.argmax(key.document == row))
    return -1


def _refuse(key: Corpus, response: Corpus, place: int, what: int) -> None:
    kind, hint = (
        (
            "document of sentence {} is",
            "documents must start at the same sentences, with equal ids",
        ),
        ("id of sentence {} is", "sentences must have the same ids, in the same order"),
        ("words of sentence {} are", "only empty nodes may differ"),
    )[what]
    shown = [_shown(corpus, place, what) for corpus in (key, response)]
    raise AlignmentError(
        f"the {kind.format(place + 1)} not the key's\n"
        f"    key       {key.source}:{shown[0][1]}: {shown[0][0]}\n"
        f"    response  {response.source}:{shown[1][1]}: {shown[1][0]}",
        source=response.source,
        line=shown[1][1],
        hint=hint,
    )


def _shown(corpus: Corpus, place: int, what: int) -> tuple[str, int]:
    assert corpus.words is not None  # noqa: S101
    sentences = corpus.words.sentences
    line = int(sentences.line[place])
    if what == 0:
        document = corpus.documents[int(sentences.document[place])]
        return f"'{document.name}'", line
    if what == 1:
        return f"'{sentences.identifier.text(place)}'", line
    first = int(sentences.word_count[:place].sum())
    words = range(first, first + int(sentences.word_count[place]))
    text = " ".join(sentences.word.text(word) for word in words)
    return text if len(text) <= _WIDTH else text[:_WIDTH] + " …", line


_WIDTH = 60


def _refuse_length(key: Corpus, response: Corpus, common: int) -> None:
    longer, shorter = key, response
    for one, other in ((key, response), (response, key)):
        assert one.words is not None  # noqa: S101
        if len(one.words.sentences.line) > common:
            longer, shorter = one, other
    assert longer.words is not None  # noqa: S101
    sentences = longer.words.sentences
    raise AlignmentError(
        f"sentence {common + 1} of {len(sentences.line)} is not in {shorter.source}, "
        f"which has {common}",
        source=longer.source,
        line=int(sentences.line[common]),
        hint="key and response must have the same sentences",
    )
