"""Are two files the same text? Sentence by sentence, word by word.

Key and response must have the same sentences, with the same ids, the same words,
and documents that start at the same places. Empty nodes may differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, WithoutKey, place_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Sentences

    Mask = NDArray[np.bool_]

_WIDTH = 60


class _ComparedText(NamedTuple):
    """One side, as far as it must be the other's."""

    source: str
    documents: list[str]
    sentences: Sentences

    @classmethod
    def of(cls, corpus: Corpus) -> _ComparedText:
        assert corpus.words is not None  # noqa: S101 - the format has words
        names = [document.name for document in corpus.documents]
        return cls(corpus.source, names, corpus.words.sentences)


def check_sentences(key: Corpus, response: Corpus) -> None:
    """Show the first difference, if there is one, side by side."""
    texts = _ComparedText.of(key), _ComparedText.of(response)
    sides = texts[0].sentences, texts[1].sentences
    common = min(len(side.line) for side in sides)
    firsts = [
        (_first(*(side.document[:common] for side in sides)), 0),
        (_first(*(side.is_start[:common] for side in sides)), 0),
        # A renamed document shows where it starts, not in the numbers of documents.
        (_renamed(*texts), 0),
        (sides[0].identifier.first_difference(sides[1].identifier), 1),
        (_first(*(side.word_count[:common] for side in sides)), 2),
        (sides[0].first_difference(sides[1]), 2),
    ]
    different = [(place, what) for place, what in firsts if 0 <= place < common]
    if different:
        _refuse(*texts, *min(different))
    if len(sides[0].line) != len(sides[1].line):
        _refuse_length(*texts)


def _first(one: Ints | Mask, other: Ints | Mask) -> int:
    different = np.flatnonzero(one != other)
    return int(different[0]) if len(different) else -1


def _renamed(key: _ComparedText, response: _ComparedText) -> int:
    pairs = zip(key.documents, response.documents, strict=False)
    for row, (one, other) in enumerate(pairs):
        if one != other:
            return int(np.argmax(key.sentences.document == row))
    return -1


def _refuse(key: _ComparedText, response: _ComparedText, place: int, what: int) -> None:
    kind, hint = (
        (
            "document of sentence {} is",
            "documents must start at the same sentences, with equal ids",
        ),
        ("id of sentence {} is", "sentences must have the same ids, in the same order"),
        ("words of sentence {} are", "only empty nodes may differ"),
    )[what]
    shown = [_shown(text, place, what) for text in (key, response)]
    problem = f"the {kind.format(place + 1)} not the key's"
    raise AlignmentError(
        problem,
        source=response.source,
        line=shown[1][1],
        hint=hint,
        without_key=WithoutKey(problem, place_of(response.source, shown[1][1])),
        beside=(
            f"key       {place_of(key.source, shown[0][1])}: {shown[0][0]}",
            f"response  {place_of(response.source, shown[1][1])}: {shown[1][0]}",
        ),
    )


def _shown(side: _ComparedText, place: int, what: int) -> tuple[str, int]:
    sentences = side.sentences
    line = int(sentences.line[place])
    if what == 0:
        return f"'{side.documents[int(sentences.document[place])]}'", line
    if what == 1:
        return f"'{sentences.identifier.text(place)}'", line
    first = int(sentences.word_count[:place].sum())
    words = range(first, first + int(sentences.word_count[place]))
    text = " ".join(sentences.word.text(word) for word in words)
    return text if len(text) <= _WIDTH else text[:_WIDTH] + " …", line


def _refuse_length(key: _ComparedText, response: _ComparedText) -> None:
    shorter, longer = sorted((key, response), key=lambda text: len(text.sentences.line))
    common, count = len(shorter.sentences.line), len(longer.sentences.line)
    their_lines = response.sentences.line
    if shorter is response:
        problem = f"this file has {common} sentences, but the key has {count}"
        line = int(their_lines[-1]) if common else None
    else:
        problem = f"sentence {common + 1} of {count} is not in the key"
        line = int(their_lines[common])
    raise AlignmentError(
        f"sentence {common + 1} of {count} is not in {shorter.source}, which has "
        f"{common}",
        source=longer.source,
        line=int(longer.sentences.line[common]),
        hint="key and response must have the same sentences",
        without_key=WithoutKey(problem, place_of(response.source, line)),
    )
