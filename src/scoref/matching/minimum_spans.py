"""Minimum spans, as coval finds and compares them (see `shapes` for its trees).

1. A word counts if it has a letter or digit or is ``%``, except -LRB- and -RRB- and
   what is tagged CC, DT or IN. A unit counts, whole, if one of its words does.
2. The root, if it is a unit that counts; or else the units directly under it that do.
3. If there is none: from each admissible phrase under the root down through admissible
   phrases, the units that count at the shallowest depth. Phrases are admissible by the
   root: VP if it is one; NP, NM, QP and NX if it is NP or NM. Else its children decide:
   NP… if one is NP or NM; else VP if one is; else NP….
4. If there is no such phrase: the same from the root, through all phrases until the
   first that is NP, NM or VP says which are admissible.
5. If nothing was found: all words of the mention as its own file has them, counted from
   the beginning of the mention.

The minimum span is the set of these units, each with its place in the sentence, or in 5
in the mention. Equal sets in one sentence are the same mention. A mention without a
tree matches by its first and last word.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.matching.exact import match_by, span_codes
from scoref.matching.parse_places import (
    in_order,
    numbers_of,
    sentence_starts,
    tokens_of,
)
from scoref.matching.ragged import Ragged, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.matching import Matched
    from scoref.matching.documents import Documents
    from scoref.matching.parse_places import Parsed
    from scoref.model import Corpus, Ints, Parses


class _Units(NamedTuple):
    """Units of mentions: whose they are, where they stand, and their words."""

    mention: Ints
    place: Ints
    length: Ints
    words: tuple[bytes, ...]


def match_minimum(
    key: Corpus, response: Corpus, documents: Documents, parsed: Parsed
) -> Matched:
    """Give mentions with equal minimum spans the same integer."""

    def codes(document: Ints, start: Ints, end: Ints) -> Ints:
        spans = span_codes(document, start, end)
        found = np.flatnonzero(parsed.shape >= 0)
        minimum = _numbers(key, response, parsed, found)
        # Other mentions are numbered behind these.
        spans += minimum.max(initial=-1) + 1
        spans[found] = minimum
        return spans

    return match_by(codes, key, response, documents)


def _numbers(key: Corpus, response: Corpus, parsed: Parsed, mentions: Ints) -> Ints:
    """Number the minimum spans of mentions that have a tree."""
    assert key.parses is not None  # noqa: S101 - there are trees
    has_units = np.array([bool(shape.units) for shape in parsed.shapes], dtype=np.bool_)
    is_whole = ~has_units[parsed.shape[mentions]]
    found = [
        _units(parsed, mentions[~is_whole], key.parses),
        *_whole(key, response, parsed, mentions[is_whole]),
    ]
    mention, place, length = (
        np.concatenate([units[column] for units in found]) for column in range(3)
    )
    words = numbers_of(word for units in found for word in units.words)
    text, _ = numbered(in_order(Ragged(_starts(length), words)))
    pair = text * (int(place.max(initial=0)) + 1) + place
    sets = _sets(np.searchsorted(mentions, mention), pair, len(mentions))
    sentence = key.parses.sentence[parsed.places.row[mentions]]
    return numbered(sets, sentence)[0]


def _units(parsed: Parsed, mentions: Ints, parses: Parses) -> _Units:
    """List the units of minimum spans, with their places in the sentence."""
    units = [unit for shape in parsed.shapes for unit in shape.units]
    of_shape = _starts([len(shape.units) for shape in parsed.shapes])
    taken = Ragged(of_shape, np.arange(len(units))).take(parsed.shape[mentions])
    words = Ragged(
        _starts([len(unit.words) for unit in units]),
        _column(word for unit in units for word in unit.words),
    ).take(taken.value)
    mention = np.repeat(mentions, taken.length)
    row = parsed.places.row[mention]
    place = _column(unit.place for unit in units)[taken.value]
    token = words.value + np.repeat(row, words.length)
    return _Units(
        mention,
        place + row - sentence_starts(parses)[parses.sentence[row]],
        words.length,
        parses.word.texts(token),
    )


def _whole(
    key: Corpus, response: Corpus, parsed: Parsed, mentions: Ints
) -> list[_Units]:
    """List all words of mentions, as their own files have them."""
    assert key.parses is not None  # noqa: S101 - there are trees
    count = len(key.mention_entity)
    ours, theirs = mentions[mentions < count], mentions[mentions >= count]
    row = parsed.places.row
    if response.parses is None:
        return [_in_file(key.parses, row[mentions], parsed, mentions)]
    document = response.mention_document
    own = (response.parses.first[document] + response.mention_start)[theirs - count]
    word = response.parses.word
    has_words = word.start[own] < word.end[own]
    return [
        _in_file(key.parses, row[ours], parsed, ours),
        _in_file(response.parses, own[has_words], parsed, theirs[has_words]),
        _in_tree(key.parses, parsed, theirs[~has_words]),
    ]


def _in_file(parses: Parses, row: Ints, parsed: Parsed, mentions: Ints) -> _Units:
    """List the words of mentions that begin at these rows of a file."""
    tokens = tokens_of(row, parsed.places.length[mentions])
    return _one_by_one(mentions, tokens, parses)


def _in_tree(parses: Parses, parsed: Parsed, mentions: Ints) -> _Units:
    """List the words of trees, for mentions whose file has rows too short for words."""
    leaves = [parsed.shapes[shape].leaves for shape in parsed.shape[mentions].tolist()]
    length = _column(map(len, leaves))
    row = np.repeat(parsed.places.row[mentions], length)
    tokens = Ragged(_starts(length), row + _column(chain.from_iterable(leaves)))
    return _one_by_one(mentions, tokens, parses)


def _one_by_one(mentions: Ints, tokens: Ragged, parses: Parses) -> _Units:
    """Make a unit of each word, with its place in the mention."""
    length = tokens.length
    return _Units(
        np.repeat(mentions, length),
        np.arange(len(tokens.value)) - np.repeat(tokens.start[:-1], length),
        np.ones_like(tokens.value),
        parses.word.texts(tokens.value),
    )


def _sets(owner: Ints, value: Ints, count: int) -> Ragged:
    """Collect the values of each owner, each once and in order."""
    distinct, number = np.unique(value, return_inverse=True)
    code = np.unique(owner * max(1, len(distinct)) + number)
    owner, number = code // max(1, len(distinct)), code % max(1, len(distinct))
    return Ragged(_starts(np.bincount(owner, minlength=count)), distinct[number])


def _starts(length: Ints | list[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(length))).astype(np.int64)


def _column(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)
