"""Mentions of both sides on the parses of the key, in columns.

Rows are those of the key's mentions, then those of the response's.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import place_of
from scoref.matching.documents import scored_documents
from scoref.matching.ragged import Ragged, numbered
from scoref.matching.shapes import shape_of, token_of
from scoref.matching.trees import fault_in, refusal
from scoref.model import Note

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from numpy.typing import NDArray

    from scoref.matching.documents import Documents
    from scoref.matching.shapes import Shape
    from scoref.model import Corpus, Ints, Parses


class TokenPlaces(NamedTuple):
    """Where mentions stand among the tokens of the key; row -1: in no sentence."""

    row: Ints
    length: Ints


class Parsed(NamedTuple):
    """Mentions with their shapes; shape -1: there is no tree."""

    places: TokenPlaces
    shape: Ints
    shapes: tuple[Shape, ...]

    def are_verbal(self) -> NDArray[np.bool_]:
        """Mark the mentions whose root is VP."""
        is_verbal = np.array([*(each.is_verbal for each in self.shapes), False])
        return is_verbal[self.shape]


def in_last_sentences(
    key: Corpus, response: Corpus, documents: Documents
) -> tuple[Corpus, Corpus]:
    """Move mentions that cross sentences to where coval takes them to be.

    That is the last sentence, from the place that the first word has in its own one. If
    this is behind the last word, where coval fails, the mention stays where it is.
    """
    if key.parses is None:
        return key, response
    places = _place_mentions(key, response, documents, key.parses)
    count, moved = len(key.mention_entity), []
    for side, here in ((key, slice(count)), (response, slice(count, None))):
        start = side.mention_end - places.length[here] + 1
        start = np.where(places.row[here] >= 0, start, side.mention_start)
        moved.append(dataclasses.replace(side, mention_start=start))
    return moved[0], moved[1]


def parse_mentions(
    key: Corpus, response: Corpus, documents: Documents, *, wanted_for: str
) -> tuple[Parsed, tuple[Note, ...]]:
    """Read the trees of mentions by the key's parses, and tell what is unsound."""
    parses = key.parses
    assert parses is not None  # noqa: S101 - a key without was refused
    places = _place_mentions(key, response, documents, parses)
    there = np.flatnonzero(places.row >= 0)
    sentences = np.unique(parses.sentence[places.row[there]])
    notes = _check(key.source, parses, sentences, wanted_for)
    number, shapes = _shapes(parses, tokens_of(places.row[there], places.length[there]))
    found = np.array([shape is not None for shape in shapes], dtype=np.bool_)
    shape = np.full(len(places.row), -1, dtype=np.int64)
    shape[there] = np.where(found, np.cumsum(found) - 1, -1)[number]
    return Parsed(places, shape, tuple(each for each in shapes if each)), notes


def _place_mentions(
    key: Corpus, response: Corpus, documents: Documents, parses: Parses
) -> TokenPlaces:
    """Find the tokens of mentions in the text of the key."""
    document = np.concatenate(
        [
            scored_documents(side, rows)[side.mention_document]
            for side, rows in ((key, documents.key), (response, documents.response))
        ]
    )
    key_row = np.append(documents.key, -1)[document]
    start = np.concatenate((key.mention_start, response.mention_start))
    end = np.concatenate((key.mention_end, response.mention_end))
    bounds = np.append(parses.first, len(parses.sentence))
    is_there = (key_row >= 0) & (
        bounds[key_row] + end < np.append(bounds, 0)[key_row + 1]
    )
    first = np.where(is_there, bounds[key_row] + start, -1)
    last = np.where(is_there, bounds[key_row] + end, -1)
    sentence = np.append(parses.sentence, -1)
    begin = np.append(sentence_starts(parses), 0)
    first += begin[sentence[last]] - begin[sentence[first]]
    is_there &= first <= last
    return TokenPlaces(
        np.where(is_there, first, -1), np.where(is_there, last - first + 1, 0)
    )


def _check(
    source: str, parses: Parses, sentences: Ints, wanted_for: str
) -> tuple[Note, ...]:
    """Note sentences without a sound parse; refuse a key that has no parse at all."""
    bounds = np.append(sentence_starts(parses), len(parses.sentence))
    ends = bounds[sentences].tolist(), bounds[sentences + 1].tolist()
    pieces = {
        first: parses.piece.texts(slice(first, behind))
        for first, behind in zip(*ends, strict=True)
    }
    found = {first: fault_in(each) for first, each in pieces.items()}
    faults = [(first + each[0], each[1]) for first, each in found.items() if each]
    if not faults:
        return ()
    line, problem = int(parses.line[faults[0][0]]), faults[0][1]
    if not any(b"(" in piece for each in pieces.values() for piece in each):
        raise refusal(problem, source, line, wanted_for)
    sentences_have = "sentence has" if len(faults) == 1 else "sentences have"
    place = place_of(source, line)
    message = (
        f"{len(faults)} {sentences_have} mentions but no sound parse in the key; what "
        f"there is of it is read, as in coval; first at {place}: {problem}"
    )
    return (Note("unsound-parses", len(faults), message),)


def _shapes(parses: Parses, tokens: Ragged) -> tuple[Ints, list[Shape | None]]:
    """Number mentions by what their tokens look like, and read each such tree once."""
    rows, place = np.unique(tokens.value, return_inverse=True)
    texts = (cells.texts(rows) for cells in (parses.piece, parses.word, parses.tag))
    known = [token_of(*each) for each in zip(*texts, strict=True)]
    number, _ = numbered(in_order(Ragged(tokens.start, numbers_of(known)[place])))
    first = np.unique(number, return_index=True)[1]
    mentions = Ragged(tokens.start, place).take(first)
    return number, [
        shape_of([known[token] for token in mentions.tuple(row)])
        for row in range(len(first))
    ]


def tokens_of(row: Ints, length: Ints) -> Ragged:
    """List the rows of the tokens of each mention."""
    start = np.concatenate(([0], np.cumsum(length)))
    return Ragged(start, np.arange(start[-1]) + np.repeat(row - start[:-1], length))


def sentence_starts(parses: Parses) -> Ints:
    """Find the first token of each sentence."""
    return np.flatnonzero(np.diff(parses.sentence, prepend=-1))


def in_order(rows: Ragged) -> Ragged:
    """Let equal values differ if they have different places in their rows."""
    length = rows.length
    offset = np.arange(len(rows.value)) - np.repeat(rows.start[:-1], length)
    return Ragged(rows.start, rows.value * int(length.max(initial=1)) + offset)


def numbers_of(values: Iterable[Hashable]) -> Ints:
    """Give equal values the same number."""
    known: dict[Hashable, int] = {}
    found = [known.setdefault(value, len(known)) for value in values]
    return np.array(found, dtype=np.int64)
