"""One numbering of words for a key and a response that are tokenised differently.

The words of the key and their numbers stay, unless a mention of the response has a
border inside a word: that word is cut in two. Then every mention of both sides is a run
of words, or several runs if it has gaps, and later steps see ordinary tokens.

By default, mentions whose borders fall inside words of the other side stay as they are
and match nothing; on request their borders are moved. Either way, notes report how many
there are.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.overlay import NOWHERE
from scoref.matching.as_spans import WordRuns
from scoref.matching.cut_texts import CutText, Strictness, pair_by_text, place_words
from scoref.model import Cells, Note, Texts, Tokens, WordSets, list_words
from scoref.model.arrays import bounds
from scoref.notes import WARNING
from scoref.printable import counted as quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.alignment.pieces import Characters, NormalForm
    from scoref.matching.cut_texts import WordPlaces
    from scoref.model import Corpus, Ints, Parses
    from scoref.scheme import Borders

    Pairs = Sequence[tuple[int, int]]
    Mask = NDArray[np.bool_]


class CommonNumbering(NamedTuple):
    """Both sides in one numbering; were their words the same from the start?"""

    key: Corpus
    response: Corpus
    are_same: bool


class _Side(NamedTuple):
    """The mentions of one side as ranges of the key's characters.

    ``partner`` is each document's row in the key, or -1. If mentions have gaps,
    ``pieces`` are the ranges of their pieces, and ``owner`` is the mention of each.
    """

    role: str
    text: CutText
    partner: Ints
    ranges: Ranges
    owner: Ints
    pieces: Ranges

    @property
    def is_paired(self) -> Mask:
        """Mark the mentions in documents that both sides have."""
        is_paired: Mask = self.partner[self.text.corpus.mention_document] >= 0
        return is_paired

    @property
    def is_lost(self) -> Mask:
        """Mark the mentions that are not in the part that is compared."""
        return self.is_paired & ~self.ranges.are_there

    @property
    def is_placed(self) -> Mask:
        """Mark the mentions that are ranges of the key's text."""
        return self.is_paired & self.ranges.are_there

    @property
    def is_piece_placed(self) -> Mask:
        """Mark the pieces that are ranges of the key's text."""
        return self.is_placed[self.owner] & self.pieces.are_there


def number_alike(
    key: Corpus,
    response: Corpus,
    partner: Ints,
    *,
    others: Iterable[int],
    borders: Borders,
    lenient: bool,
    by_number: bool,
    counted: tuple[bool, ...],
    with_tokens: bool,
) -> CommonNumbering:
    """Number the words of paired documents alike, and count mentions in these words.

    Args:
        key: a corpus with its tokens.
        response: a corpus with its tokens.
        partner: the row of each key document in the response; -1: none by name.
        others: the key's documents whose partners have another name.
        borders: how borders inside words are moved.
        lenient: whether one text may be the beginning or the end of the other.
        by_number: whether words of different texts are paired by their numbers if
            there are equally many.
        counted: whether the offsets of the key, and of the response, are characters.
        with_tokens: whether the caller needs the text afterwards.

    Raises:
        AlignmentError: documents are not the same text.
    """
    texts = CutText.of(key), CutText.of(response)
    pairs, pair_notes = pair_by_text(*texts, partner, lenient=lenient)
    names = list(response.documents)
    for row, other in pairs:
        names[other] = key.documents[row]
    are_same = all(
        np.array_equal(texts[0].borders(row), texts[1].borders(other))
        and np.array_equal(texts[0].characters(row), texts[1].characters(other))
        for row, other in pairs
    )
    if are_same:
        response = dataclasses.replace(
            response, documents=tuple(names), notes=(*response.notes, *pair_notes)
        )
        return CommonNumbering(key, response, are_same=not any(counted))
    others = set(others)
    strangers = {
        (row, other) for row, other in pairs if row in others or partner[row] != other
    }
    places = place_words(*texts, pairs, Strictness(lenient, by_number, strangers))
    ours, theirs = _sides(texts, places, pairs)
    there, pieces_there = theirs.is_placed, theirs.is_piece_placed
    form = texts[0].form
    meant = move_borders(theirs.ranges, form, places.borders, there, borders)
    pieces = move_borders(theirs.pieces, form, places.borders, pieces_there, borders)
    words = Refinement.of(
        texts[0], np.concatenate((*meant.at(there), *pieces.at(pieces_there)))
    )
    tokens = words.tokens(texts[0]) if with_tokens else None
    notes = _notes(ours, theirs, meant, places, borders, counted)
    theirs = theirs._replace(ranges=meant, pieces=pieces)
    return CommonNumbering(
        dataclasses.replace(
            _renumber(ours, words),
            tokens=tokens,
            parses=key.parses and words.parses(key.parses),
        ),
        dataclasses.replace(
            _renumber(theirs, words),
            documents=tuple(names),
            notes=(*response.notes, *pair_notes, *places.notes, *notes),
            tokens=tokens and _response_tokens(theirs, places, words, tokens),
            parses=None,
        ),
        are_same=False,
    )


def _sides(
    texts: tuple[CutText, CutText], places: WordPlaces, pairs: Pairs
) -> tuple[_Side, _Side]:
    """Find the ranges of all mentions."""
    key, response = texts
    partner = np.full(len(response.corpus.documents), NOWHERE, dtype=np.int64)
    is_paired = np.full(len(key.corpus.documents), NOWHERE, dtype=np.int64)
    for ours, theirs in pairs:
        partner[theirs] = is_paired[ours] = ours
    border = key.form.border
    mine, owner, pieces = _ranges(key, border[:-1], border[1:])
    document = key.corpus.mention_document
    is_inside = (mine.begin >= places.first[document]) & (
        mine.end <= places.last[document]
    )
    others = _ranges(response, places.begin, places.end)
    return (
        _Side("key", key, is_paired, mine.where(is_inside), owner, pieces),
        _Side("response", response, partner, *others),
    )


def _ranges(text: CutText, begin: Ints, end: Ints) -> tuple[Ranges, Ints, Ranges]:
    """Return the ranges of mentions, the owners of their pieces, and their ranges.

    ``begin`` and ``end`` are the places of words.
    """
    corpus = text.corpus
    origin = text.tokens.first[corpus.mention_document]
    span = origin + corpus.mention_start, origin + corpus.mention_end
    nothing = np.zeros(0, dtype=np.int64)
    owner, first, last = nothing, nothing, nothing
    if corpus.pieces is not None:
        owner, first, last = WordRuns.of(corpus.pieces)
    piece = origin[owner] + first, origin[owner] + last
    filled = np.flatnonzero(np.diff(text.form.border))
    rows = np.append(filled, 0)

    def ranges(first: Ints, last: Ints) -> Ranges:
        """Return the ranges of runs of tokens; runs of blank tokens are nowhere."""
        low = np.searchsorted(filled, first)
        high = np.searchsorted(filled, last, side="right") - 1
        found = Ranges(np.append(begin, 0)[rows[low]], np.append(end, 0)[rows[high]])
        is_there = (low <= high) & (found.begin >= 0) & (found.begin < found.end)
        return found.where(is_there)

    return ranges(*span), owner, ranges(*piece)


def _renumber(side: _Side, words: Refinement) -> Corpus:
    """Count mentions in the common words, and leave out mentions without any."""
    corpus = side.text.corpus
    first = words.first[side.partner[corpus.mention_document]]
    start, end = words.starts(side.ranges.begin), words.ends(side.ranges.end)
    start = np.where(side.is_placed, start - first, corpus.mention_start)
    end = np.where(side.is_placed, end - first, corpus.mention_end)
    own_count = np.diff(side.text.tokens.first)
    count = np.where(side.partner >= 0, np.diff(words.first)[side.partner], own_count)
    pieces = corpus.pieces
    return dataclasses.replace(
        corpus,
        document_tokens=count,
        mention_start=start,
        mention_end=end,
        pieces=None if pieces is None else _renumber_pieces(side, words, pieces),
    ).keep_mentions(~side.is_lost)


def _renumber_pieces(side: _Side, words: Refinement, sets: WordSets) -> WordSets:
    """Count the pieces of mentions in the common words; leave out blank pieces."""
    there = side.is_piece_placed
    owner, begin, end = WordRuns.of(sets)
    first = words.first[side.partner[side.text.corpus.mention_document[owner]]]
    begin = np.where(there, words.starts(side.pieces.begin) - first, begin)
    end = np.where(there, words.ends(side.pieces.end) - first, end)
    kept = np.flatnonzero(there | ~side.is_placed[owner])
    length = (end - begin + 1)[kept]
    count = np.bincount(owner[kept], length, len(sets.start) - 1).astype(np.int64)
    return WordSets(bounds(count), list_words(begin[kept], length))


def _response_tokens(
    side: _Side, places: WordPlaces, words: Refinement, tokens: Tokens
) -> Tokens:
    """Return the key's words with the lines of the response."""
    own = side.text.tokens

    def lines_at(here: slice, place: Ints) -> Ints:
        """Find the lines of the response for places in the key."""
        begin = places.begin[here]
        there = np.flatnonzero(begin != NOWHERE)
        if not len(there):
            return np.zeros(len(place), dtype=np.int64)
        begin = np.maximum.accumulate(begin[there])
        row = np.searchsorted(begin, place, side="right") - 1
        return own.line[here][there][np.maximum(row, 0)]

    rows, lines = [], []
    for document, partner in enumerate(side.partner.tolist()):
        here = side.text.rows(document)
        if partner < 0:
            rows.append(np.arange(here.start, here.stop) + len(tokens.line))
            lines.append(own.line[here])
        else:
            rows.append(np.arange(*words.first[partner : partner + 2]))
            lines.append(lines_at(here, words.border[rows[-1]]))
    row = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
    both = Texts.joined([tokens.word, own.word])
    sentences = int(tokens.sentence.max(initial=-1)) + 1
    return Tokens(
        first=np.cumsum([0, *map(len, rows)]),
        sentence=np.concatenate((tokens.sentence, own.sentence + sentences))[row],
        line=np.concatenate([np.zeros(0, dtype=np.int64), *lines]),
        word=both.take(row),
    )


def _notes(
    key: _Side,
    response: _Side,
    meant: Ranges,
    places: WordPlaces,
    borders: Borders,
    counted: tuple[bool, ...],
) -> Iterator[Note]:
    """Report mentions that are left out, were moved, or cannot match."""
    for side in (key, response):
        if count := int(side.is_lost.sum()):
            mentions = f"{side.role} mention was", f"{side.role} mentions were"
            message = f"{WARNING}{quantity(count, *mentions)} left out, because the "
            message += "other side does not have this text."
            yield Note(f"mentions-beyond-the-text-of-{side.role}", count, message)
    there = response.is_placed
    before, after = response.ranges.at(there), meant.at(there)
    if count := before.differing(after):
        mentions = "response mention was", "response mentions were"
        moved = f"{quantity(count, *mentions)} moved (--borders {borders})"
        message = f"The boundaries of {moved}."
        yield Note("moved-borders", count, message)
    size = len(key.text.form.characters)
    # If mentions are counted in characters, that side has no words.
    if not counted[0]:
        border, cause = mark_places(key.text.form.border, size), ""
        if counted[1]:
            characters = response.text.form.characters
            cause = likely_cause(key.ranges.at(key.is_placed), before, characters)
        inside = after.are_inside(border, border)
        yield from border_notes("response", "key", inside, cause)
    if not counted[1] and borders != "punctuation":
        mine = key.ranges.at(key.is_placed)
        theirs = mark_places(places.begin, size), mark_places(places.end, size)
        yield from border_notes("key", "response", mine.are_inside(*theirs))


class Refinement(NamedTuple):
    """Words in which mentions of both sides can be counted.

    Word ``row`` is a piece of the key's word ``origin[row]``, from character
    ``border[row]`` to ``border[row + 1]`` of the key's text.
    """

    border: Ints
    origin: Ints
    first: Ints  # by document of the key, and the end of the last one

    @classmethod
    def of(cls, key: CutText, places: Ints) -> Refinement:
        """Cut the key's words at these places as well."""
        border = key.form.border
        at = np.minimum(np.searchsorted(border, places), len(border) - 1)
        inner = np.unique(places[border[at] != places])
        word = np.searchsorted(border, inner, side="right") - 1
        pieces = 1 + np.bincount(word, minlength=len(border) - 1)
        return cls(
            border=np.sort(np.concatenate((border, inner))),
            origin=np.repeat(np.arange(len(pieces)), pieces),
            first=bounds(pieces)[key.tokens.first],
        )

    def starts(self, place: Ints) -> Ints:
        """Return the words that start at places, after the empty ones there."""
        return np.searchsorted(self.border, place, side="right") - 1

    def ends(self, place: Ints) -> Ints:
        """Return the words that end at places."""
        return np.searchsorted(self.border, place) - 1

    @property
    def is_cut(self) -> bool:
        """Return whether any word of the key is cut into pieces."""
        return len(self.origin) > 0 and len(self.origin) != self.origin[-1] + 1

    def tokens(self, key: CutText) -> Tokens:
        """Return the pieces as tokens.

        A piece keeps the characters of its word if the normal form of the word has the
        same length.
        """
        tokens = key.tokens
        if not self.is_cut:
            return tokens
        words = tokens.word.take(self.origin).strings()
        for row in self._pieces().tolist():
            first, last = key.form.border[self.origin[row] : self.origin[row] + 2]
            start, end = self.border[row : row + 2]
            if len(words[row]) == last - first:
                words[row] = words[row][start - first : end - first]
            else:
                words[row] = key.form.text(start, end)
        return Tokens(
            self.first,
            tokens.sentence[self.origin],
            tokens.line[self.origin],
            Texts.of(words),
        )

    def parses(self, parses: Parses) -> Parses:
        """Return the trees with the pieces of a word as leaves in place of the word.

        Brackets open before the first piece and close after the last: the pieces of
        `(NP*)` are `(NP*` and `*)`.
        """
        if not self.is_cut:
            return parses
        piece = parses.piece.take(self.origin)
        start, end = piece.start.copy(), piece.end.copy()
        for row in self._pieces().tolist():
            leaf = piece.data.find(b"*", start[row], end[row])
            if leaf >= 0 and row and self.origin[row] == self.origin[row - 1]:
                start[row] = leaf
            if leaf >= 0 and (self.origin[row] == self.origin[row + 1 : row + 2]).any():
                end[row] = leaf + 1
        return parses._replace(
            first=self.first[:-1],
            sentence=parses.sentence[self.origin],
            line=parses.line[self.origin],
            word=parses.word.take(self.origin),
            tag=parses.tag.take(self.origin),
            piece=Cells(piece.data, start, end),
        )

    def _pieces(self) -> Ints:
        """List the words that are pieces of a word of the key."""
        count = np.bincount(self.origin)
        return np.flatnonzero(count[self.origin] > 1)


class Ranges(NamedTuple):
    """Mentions of one side, as ranges of the key's characters."""

    begin: Ints
    end: Ints

    @property
    def are_there(self) -> Mask:
        """Mark the ranges that are somewhere."""
        are_there: Mask = self.begin != NOWHERE
        return are_there

    def at(self, rows: Mask) -> Ranges:
        """Keep some ranges."""
        return Ranges(self.begin[rows], self.end[rows])

    def where(self, is_there: Mask) -> Ranges:
        """Set the other ranges to `NOWHERE`."""
        begin = np.where(is_there, self.begin, NOWHERE)
        return Ranges(begin, np.where(is_there, self.end, NOWHERE))

    def differing(self, other: Ranges) -> int:
        """Count the ranges that differ from those of another column."""
        return int(((self.begin != other.begin) | (self.end != other.end)).sum())

    def are_inside(self, begins: Mask, ends: Mask) -> Mask:
        """Mark the ranges that begin or end inside a word, given the words' places."""
        return ~(begins[self.begin] & ends[self.end])


def mark_places(places: Ints, count: int) -> Mask:
    """Mark some places between characters, for fast lookup."""
    is_marked = np.zeros(count + 1, dtype=np.bool_)
    is_marked[places[places != NOWHERE]] = True
    return is_marked


def move_borders(
    ranges: Ranges, key: NormalForm, own: Ints, there: Mask, how: Borders
) -> Ranges:
    """Move the borders of mentions of the response that are inside words of the key.

    Args:
        ranges: mentions, in the characters of the key.
        key: the key's words.
        own: where words of the response begin and end in the key.
        there: which mentions are in the key's text.
        how: the convention.
    """
    if how == "strict" or not there.any():
        return ranges
    begin, end = ranges.at(there)
    if how == "punctuation":
        begin, end = _without_punctuation(ranges.at(there), key, own)
    elif how == "expand":
        begin, end = _before(key.border, begin), _after(key.border, end)
    else:
        inner = _after(key.border, begin), _before(key.border, end)
        is_left = inner[0] < inner[1]  # mentions inside one word do not change
        begin = np.where(is_left, inner[0], begin)
        end = np.where(is_left, inner[1], end)
    meant = Ranges(ranges.begin.copy(), ranges.end.copy())
    meant.begin[there], meant.end[there] = begin, end
    return meant


def _without_punctuation(ranges: Ranges, key: NormalForm, own: Ints) -> Ranges:
    """Move borders over punctuation to borders of the key's words."""
    codes = np.bincount(key.characters)
    is_sign = np.zeros(len(codes), dtype=np.bool_)
    for code in np.flatnonzero(codes).tolist():
        is_sign[code] = unicodedata.category(chr(code))[0] not in "LNM"
    border, signs = key.border, np.cumsum(np.append(False, is_sign[key.characters]))
    is_own = mark_places(own, len(key.characters))

    def are_signs(start: Ints, end: Ints) -> Mask:
        only_signs: Mask = (signs[end] - signs[start] == end - start) & (start < end)
        return only_signs

    begin, end = ranges
    outer = _before(border, begin), _after(border, end)
    begin = np.where(are_signs(outer[0], begin), outer[0], begin)
    end = np.where(are_signs(end, outer[1]), outer[1], end)
    while True:
        # Strip what the response writes together with a word: `house,` for `house ,`.
        inner = _after(border, begin + 1)
        strips = are_signs(begin, inner) & ~is_own[inner] & (inner < end)
        begin = np.where(strips, inner, begin)
        inner = _before(border, end - 1)
        cuts = are_signs(inner, end) & ~is_own[inner] & (inner > begin)
        end = np.where(cuts, inner, end)
        if not (strips | cuts).any():
            return Ranges(begin, end)


def _before(border: Ints, place: Ints) -> Ints:
    nearest: Ints = border[np.searchsorted(border, place, side="right") - 1]
    return nearest


def _after(border: Ints, place: Ints) -> Ints:
    return border[np.minimum(np.searchsorted(border, place), len(border) - 1)]


_MANY, _FEW = 0.2, 3  # more than a fifth; more than a third

_SHIFTS = {
    (0, 1): "Do mentions of the response include their end offsets?",
    (0, -1): "Are end offsets of the response exclusive?",
    (-1, -1): "Are characters of the response counted from 1?",
    (-1, 0): "Are characters of the response counted from 1?",  # a blank follows
    (1, 1): "Are offsets of the response 1 too low?",
}

_LAST_UNIT = 0xFFFF


def likely_cause(key: Ranges, response: Ranges, characters: Characters) -> str:
    """Ask whether the response counts characters differently from the key.

    ``characters`` are those of the response. Characters that UTF-16 writes as two units
    shift everything after them.
    """
    ours = set(zip(key.begin.tolist(), key.end.tolist(), strict=True))
    for (start, end), question in _SHIFTS.items():
        shifted = (response.begin + start).tolist(), (response.end + end).tolist()
        common = sum(pair in ours for pair in zip(*shifted, strict=True))
        if common * _FEW > len(response.begin):
            return f"{question} ({common:,} would then match.)"
    if (characters > _LAST_UNIT).any():
        return "Are offsets UTF-16 units, as in Java and JavaScript?"
    return ""


_REMEDIES = {"key": "expand or contract", "response": "punctuation"}


def border_notes(
    role: str, other: str, inside: Mask, cause: str = ""
) -> Iterator[Note]:
    """Report how many mentions of one side have a border inside a word of the other.

    ``cause`` is a question about the likely cause, if there is one.
    """
    count, size = int(inside.sum()), len(inside)
    if not count:
        return
    message = f"{WARNING}{count:,} of {size:,} {role} mentions start or end inside a "
    message += f"word of the {other}, so they match nothing."
    if count > _MANY * size:
        usual = f"Use --borders {_REMEDIES[other]} to move their boundaries."
        message = f"{message} {cause or usual}"
    yield Note(f"borders-in-words-of-{other}", count, message)
