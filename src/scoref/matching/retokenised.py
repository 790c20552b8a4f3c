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
from scoref.matching.cut_texts import CutText, Strictness, lay, pair_by_text
from scoref.model import Cells, Note, Texts, Tokens, WordSets, listed
from scoref.notes import WARNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.alignment.pieces import Characters, NormalForm
    from scoref.matching.cut_texts import Laid
    from scoref.model import Corpus, DocumentName, Ints, Parses
    from scoref.scheme import Borders

    Pairs = Sequence[tuple[int, int]]
    Mask = NDArray[np.bool_]


class Numbered(NamedTuple):
    """Both sides in one numbering; were their words the same from the start?"""

    key: Corpus
    response: Corpus
    are_same: bool


class _Side(NamedTuple):
    """Mentions of one side; ``partner`` is each document's row in the key, or -1.

    ``pieces`` are the ranges of pieces if some mentions have gaps, and ``owner`` says
    whose they are.
    """

    role: str
    text: CutText
    partner: Ints
    ranges: Ranges
    owner: Ints
    pieces: Ranges

    @property
    def is_paired(self) -> Mask:
        """Tell which mentions are in a document that both sides have."""
        is_paired: Mask = self.partner[self.text.corpus.mention_document] >= 0
        return is_paired

    @property
    def is_lost(self) -> Mask:
        """Tell which mentions are nowhere in what is compared."""
        return self.is_paired & ~self.ranges.are_there

    @property
    def is_placed(self) -> Mask:
        """Tell which mentions are ranges of the key's text."""
        return self.is_paired & self.ranges.are_there

    @property
    def is_piece_placed(self) -> Mask:
        """Tell which pieces are ranges of the key's text."""
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
) -> Numbered:
    """Count mentions of paired documents in words that both sides have.

    Args:
        key: with its tokens.
        response: with its own.
        partner: the row of each key document in the response; -1: none by name.
        others: the key's documents whose partners have another name.
        borders: what becomes of borders inside of words.
        lenient: whether one text may be the beginning or the end of the other.
        by_number: whether as many words of another text are taken for the same.
        counted: whether mentions of the key, and of the response, are characters.
        with_tokens: whether the text is wanted afterwards.

    Raises:
        AlignmentError: documents are not the same text.
    """
    texts = CutText.of(key), CutText.of(response)
    found = pair_by_text(*texts, partner, lenient=lenient)
    renamed = _renamed(key, response, found.pairs)
    if _are_cut_alike(*texts, found.pairs):
        response = dataclasses.replace(
            response, documents=renamed, notes=(*response.notes, *found.notes)
        )
        return Numbered(key, response, are_same=not any(counted))
    others = set(others)
    strangers = {
        (row, other)
        for row, other in found.pairs
        if row in others or partner[row] != other
    }
    laid = lay(*texts, found.pairs, Strictness(lenient, by_number, strangers))
    ours, theirs = _sides(texts, laid, found.pairs)
    there, pieces_there = theirs.is_placed, theirs.is_piece_placed
    meant = moved(theirs.ranges, texts[0].form, laid.borders, there, borders)
    pieces = moved(theirs.pieces, texts[0].form, laid.borders, pieces_there, borders)
    words = Refinement.of(
        texts[0], np.concatenate((*meant.at(there), *pieces.at(pieces_there)))
    )
    tokens = words.tokens(texts[0]) if with_tokens else None
    notes = _notes(ours, theirs, meant, laid, borders, counted)
    theirs = theirs._replace(ranges=meant, pieces=pieces)
    return Numbered(
        dataclasses.replace(
            _renumbered(ours, words),
            tokens=tokens,
            parses=key.parses and words.parses(key.parses),
        ),
        dataclasses.replace(
            _renumbered(theirs, words),
            documents=renamed,
            notes=(*response.notes, *found.notes, *laid.notes, *notes),
            tokens=tokens and _response_tokens(theirs, laid, words, tokens),
            parses=None,
        ),
        are_same=False,
    )


def _are_cut_alike(key: CutText, response: CutText, pairs: Pairs) -> bool:
    return all(
        np.array_equal(key.borders(ours), response.borders(theirs))
        and np.array_equal(key.characters(ours), response.characters(theirs))
        for ours, theirs in pairs
    )


def _sides(
    texts: tuple[CutText, CutText], laid: Laid, pairs: Pairs
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
    is_inside = (mine.begin >= laid.first[document]) & (mine.end <= laid.last[document])
    others = _ranges(response, laid.begin, laid.end)
    return (
        _Side("key", key, is_paired, mine.where(is_inside), owner, pieces),
        _Side("response", response, partner, *others),
    )


def _ranges(text: CutText, begin: Ints, end: Ints) -> tuple[Ranges, Ints, Ranges]:
    """Find where mentions begin and end, given that of words; and their pieces."""
    corpus = text.corpus
    origin = text.tokens.first[corpus.mention_document]
    span = origin + corpus.mention_start, origin + corpus.mention_end
    nothing = np.zeros(0, dtype=np.int64)
    owner, first, last = nothing, nothing, nothing
    if corpus.pieces is not None:
        owner, first, last = WordRuns.of(corpus.pieces)
    piece = origin[owner] + first, origin[owner] + last
    words = begin, end
    return _range(text, span, words), owner, _range(text, piece, words)


def _range(
    text: CutText, tokens: tuple[Ints, Ints], words: tuple[Ints, Ints]
) -> Ranges:
    """Find where runs of tokens begin and end; those of blank tokens are nowhere."""
    filled = np.flatnonzero(np.diff(text.form.border))
    begin, end = words
    low = np.searchsorted(filled, tokens[0])
    high = np.searchsorted(filled, tokens[1], side="right") - 1
    rows = np.append(filled, 0)
    found = Ranges(np.append(begin, 0)[rows[low]], np.append(end, 0)[rows[high]])
    is_there = (low <= high) & (found.begin >= 0) & (found.begin < found.end)
    return found.where(is_there)


def _renumbered(side: _Side, words: Refinement) -> Corpus:
    """Count mentions in other words, and leave out those that have none."""
    corpus = side.text.corpus
    first = words.first[side.partner[corpus.mention_document]]
    start, end = words.starts(side.ranges.begin), words.ends(side.ranges.end)
    start = np.where(side.is_placed, start - first, corpus.mention_start)
    end = np.where(side.is_placed, end - first, corpus.mention_end)
    found = dataclasses.replace(
        corpus,
        document_tokens=_counts(side, words),
        mention_start=start,
        mention_end=end,
    )
    if corpus.pieces is not None:
        found = dataclasses.replace(found, pieces=_pieces(side, words, corpus.pieces))
    return found.keep_mentions(~side.is_lost)


def _pieces(side: _Side, words: Refinement, sets: WordSets) -> WordSets:
    """Count the pieces of mentions in other words; blank pieces are left out."""
    there = side.is_piece_placed
    owner, begin, end = WordRuns.of(sets)
    first = words.first[side.partner[side.text.corpus.mention_document[owner]]]
    begin = np.where(there, words.starts(side.pieces.begin) - first, begin)
    end = np.where(there, words.ends(side.pieces.end) - first, end)
    kept = np.flatnonzero(there | ~side.is_placed[owner])
    length = (end - begin + 1)[kept]
    count = np.bincount(owner[kept], length, len(sets.start) - 1).astype(np.int64)
    start = np.concatenate(([0], np.cumsum(count)))
    return WordSets(start, listed(begin[kept], length))


def _counts(side: _Side, words: Refinement) -> Ints:
    """Count the words of documents: as in the key, if it has them."""
    own = np.diff(side.text.tokens.first)
    return np.where(side.partner >= 0, np.diff(words.first)[side.partner], own)


def _renamed(key: Corpus, response: Corpus, pairs: Pairs) -> tuple[DocumentName, ...]:
    """Call documents what the key calls them."""
    names = list(response.documents)
    for ours, theirs in pairs:
        names[theirs] = key.documents[ours]
    return tuple(names)


def _response_tokens(
    side: _Side, laid: Laid, words: Refinement, tokens: Tokens
) -> Tokens:
    """Give the response the key's words, on its own lines."""
    own = side.text.tokens
    rows, lines = [], []
    for document, partner in enumerate(side.partner.tolist()):
        here = side.text.rows(document)
        if partner < 0:
            rows.append(np.arange(here.start, here.stop) + len(tokens.line))
            lines.append(own.line[here])
            continue
        found = np.arange(*words.first[partner : partner + 2])
        rows.append(found)
        lines.append(_lines(own.line[here], laid.begin[here], words.border[found]))
    row = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
    both = Texts.joined([tokens.word, own.word])
    behind = int(tokens.sentence.max(initial=-1)) + 1
    return Tokens(
        first=np.concatenate(([0], np.cumsum([len(each) for each in rows]))),
        sentence=np.concatenate((tokens.sentence, own.sentence + behind))[row],
        line=np.concatenate([np.zeros(0, dtype=np.int64), *lines]),
        word=both.take(row),
    )


def _lines(line: Ints, begin: Ints, place: Ints) -> Ints:
    """Find the lines of words by where they begin."""
    there = np.flatnonzero(begin != NOWHERE)
    if not len(there):
        return np.zeros(len(place), dtype=np.int64)
    row = np.searchsorted(np.maximum.accumulate(begin[there]), place, side="right") - 1
    return line[there][np.maximum(row, 0)]


def _notes(
    key: _Side,
    response: _Side,
    meant: Ranges,
    laid: Laid,
    borders: Borders,
    counted: tuple[bool, ...],
) -> Iterator[Note]:
    """Tell what has no place, was moved, or cannot match for its borders."""
    for side in (key, response):
        if count := int(side.is_lost.sum()):
            message = f"mentions of the {side.role} that are left out, as they have no "
            message += f"characters that both sides have: {count}"
            yield Note(f"mentions-beyond-the-text-of-{side.role}", count, message)
    there = response.is_placed
    before, after = response.ranges.at(there), meant.at(there)
    if count := before.differing(after):
        message = f"mentions of the response whose borders were moved: {count}"
        yield Note("moved-borders", count, f"{message} (borders:{borders})")
    size = len(key.text.form.characters)
    # Nobody has cut words where mentions are counted in characters.
    if not counted[0]:
        border, cause = marked(key.text.form.border, size), ""
        if counted[1]:
            characters = response.text.form.characters
            cause = likely_cause(key.ranges.at(key.is_placed), before, characters)
        inside = after.are_inside(border, border)
        yield from border_notes("response", "key", inside, cause)
    if not counted[1] and borders != "punctuation":
        mine = key.ranges.at(key.is_placed)
        theirs = marked(laid.begin, size), marked(laid.end, size)
        yield from border_notes("key", "response", mine.are_inside(*theirs))


_LEAF = b"*"


class Refinement(NamedTuple):
    """Words that both sides can be counted in.

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
        before = np.concatenate(([0], np.cumsum(pieces)))
        return cls(
            border=np.sort(np.concatenate((border, inner))),
            origin=np.repeat(np.arange(len(pieces)), pieces),
            first=before[key.tokens.first],
        )

    def starts(self, place: Ints) -> Ints:
        """Find the words that start at places; empty ones before them do not count."""
        return np.searchsorted(self.border, place, side="right") - 1

    def ends(self, place: Ints) -> Ints:
        """Find the words that end at places."""
        return np.searchsorted(self.border, place) - 1

    @property
    def is_cut(self) -> bool:
        """Tell whether any word of the key is in pieces."""
        return len(self.origin) > 0 and len(self.origin) != self.origin[-1] + 1

    def tokens(self, key: CutText) -> Tokens:
        """Write the pieces as a text."""
        tokens = key.tokens
        if not self.is_cut:
            return tokens
        words = tokens.word.take(self.origin).strings()
        for row in self._pieces().tolist():
            words[row] = self._piece(key, row, words[row])
        return Tokens(
            self.first,
            tokens.sentence[self.origin],
            tokens.line[self.origin],
            Texts.of(words),
        )

    def parses(self, parses: Parses) -> Parses:
        """Hang the pieces of a word where the word hangs: all are leaves there."""
        if not self.is_cut:
            return parses
        found = parses._replace(
            first=self.first[:-1],
            sentence=parses.sentence[self.origin],
            line=parses.line[self.origin],
            word=parses.word.take(self.origin),
            tag=parses.tag.take(self.origin),
        )
        return found._replace(piece=self._leaves(parses.piece.take(self.origin)))

    def _pieces(self) -> Ints:
        """List the words that are no whole words of the key."""
        count = np.bincount(self.origin)
        return np.flatnonzero(count[self.origin] > 1)

    def _piece(self, key: CutText, row: int, word: str) -> str:
        """Write a piece with the word's own characters, if each stands for one."""
        whole = key.form.border[self.origin[row] : self.origin[row] + 2]
        start, end = self.border[row : row + 2]
        if len(word) == whole[1] - whole[0]:
            return word[start - whole[0] : end - whole[0]]
        return key.form.text(start, end)

    def _leaves(self, cells: Cells) -> Cells:
        """Open brackets before the first piece of a word, close them behind the last.

        Of `(NP*)`, which is a word, `(NP*` and `*)` are left.
        """
        start, end = cells.start.copy(), cells.end.copy()
        for row in self._pieces().tolist():
            leaf = cells.data.find(_LEAF, start[row], end[row])
            if leaf >= 0 and row and self.origin[row] == self.origin[row - 1]:
                start[row] = leaf
            if leaf >= 0 and (self.origin[row] == self.origin[row + 1 : row + 2]).any():
                end[row] = leaf + 1
        return Cells(cells.data, start, end)


_MANY, _FEW = 0.2, 3  # more than a fifth; more than a third

_SHIFTS = {
    (0, 1): "do ends of the response belong to mentions?",
    (0, -1): "do ends of the response lie behind mentions, and are read as theirs?",
    (-1, -1): "are characters of the response counted from 1?",
    (-1, 0): "are characters of the response counted from 1?",  # a blank follows
    (1, 1): "do characters of the response begin 1 too early?",
}

_LAST_UNIT = 0xFFFF

_REMEDIES = {"key": "expand or contract", "response": "punctuation"}


class Ranges(NamedTuple):
    """Mentions of one side, as ranges of the key's characters."""

    begin: Ints
    end: Ints

    @property
    def are_there(self) -> Mask:
        """Tell which are somewhere."""
        found: Mask = self.begin != NOWHERE
        return found

    def at(self, rows: Mask) -> Ranges:
        """Keep some of them."""
        return Ranges(self.begin[rows], self.end[rows])

    def where(self, is_there: Mask) -> Ranges:
        """Say that the others are nowhere."""
        begin = np.where(is_there, self.begin, NOWHERE)
        return Ranges(begin, np.where(is_there, self.end, NOWHERE))

    def differing(self, other: Ranges) -> int:
        """Count those that are not the same elsewhere."""
        return int(((self.begin != other.begin) | (self.end != other.end)).sum())

    def are_inside(self, begins: Mask, ends: Mask) -> Mask:
        """Tell which begin or end where no word does, by place."""
        return ~(begins[self.begin] & ends[self.end])


def marked(places: Ints, count: int) -> Mask:
    """Mark some places between characters; sets of so many are slow."""
    found = np.zeros(count + 1, dtype=np.bool_)
    found[places[places != NOWHERE]] = True
    return found


def moved(
    ranges: Ranges, key: NormalForm, own: Ints, there: Mask, how: Borders
) -> Ranges:
    """Move the borders of mentions of the response as it was asked for.

    Args:
        ranges: mentions, in the characters of the key.
        key: the key's words.
        own: where words of the response begin and end in the key.
        there: which mentions there are.
        how: one of the ways.
    """
    if how == "strict" or not there.any():
        return ranges
    begin, end = ranges.begin.copy(), ranges.end.copy()
    inside = ranges.at(there)
    if how == "punctuation":
        found = _without_punctuation(inside, key, own)
    else:
        found = _expanded(inside, key) if how == "expand" else _contracted(inside, key)
    begin[there], end[there] = found
    return Ranges(begin, end)


def _expanded(ranges: Ranges, key: NormalForm) -> Ranges:
    return Ranges(_before(key.border, ranges.begin), _behind(key.border, ranges.end))


def _contracted(ranges: Ranges, key: NormalForm) -> Ranges:
    begin, end = _behind(key.border, ranges.begin), _before(key.border, ranges.end)
    is_left = begin < end  # a mention inside of one word stays what it is
    return Ranges(
        np.where(is_left, begin, ranges.begin), np.where(is_left, end, ranges.end)
    )


def _without_punctuation(ranges: Ranges, key: NormalForm, own: Ints) -> Ranges:
    """Move borders over punctuation to where a word of the key has one."""
    border, count = key.border, np.cumsum(_are_signs(key.characters))
    signs, is_own = np.concatenate(([0], count)), marked(own, len(key.characters))

    def are_signs(start: Ints, end: Ints) -> Mask:
        found: Mask = (signs[end] - signs[start] == end - start) & (start < end)
        return found

    begin, end = ranges
    outer = _before(border, begin), _behind(border, end)
    begin = np.where(are_signs(outer[0], begin), outer[0], begin)
    end = np.where(are_signs(end, outer[1]), outer[1], end)
    while True:
        # What the response has written together with a word: `house,` for `house ,`.
        inner = _behind(border, begin + 1)
        strips = are_signs(begin, inner) & ~is_own[inner] & (inner < end)
        begin = np.where(strips, inner, begin)
        inner = _before(border, end - 1)
        cuts = are_signs(inner, end) & ~is_own[inner] & (inner > begin)
        end = np.where(cuts, inner, end)
        if not (strips | cuts).any():
            return Ranges(begin, end)


def likely_cause(key: Ranges, response: Ranges, characters: Characters) -> str:
    """Ask whether a response whose mentions are characters counts them otherwise.

    ``characters`` are those of the response; those that UTF-16 writes as two units move
    all that stands behind them.
    """
    ours = set(zip(key.begin.tolist(), key.end.tolist(), strict=True))
    for (start, end), question in _SHIFTS.items():
        moved = (response.begin + start).tolist(), (response.end + end).tolist()
        common = sum(pair in ours for pair in zip(*moved, strict=True))
        if common * _FEW > len(response.begin):
            return f"{question} ({common} would be the key's)"
    if (characters > _LAST_UNIT).any():
        return "are offsets UTF-16 units, as Java and JavaScript count?"
    return ""


def border_notes(
    role: str, other: str, inside: Mask, cause: str = ""
) -> Iterator[Note]:
    """Tell how many mentions of one side have a border inside a word of the other.

    ``cause`` asks why, if something is known.
    """
    count, size = int(inside.sum()), len(inside)
    if not count:
        return
    message = f"{count} of {size} mentions of the {role} begin or end inside of a word "
    message += f"of the {other} and match nothing"
    if count > _MANY * size:
        usual = f"does the {other} cut words at blanks? --borders {_REMEDIES[other]} "
        message = f"{WARNING}{message}: {cause or usual + 'would move borders'}"
    yield Note(f"borders-in-words-of-{other}", count, message)


def _before(border: Ints, place: Ints) -> Ints:
    found: Ints = border[np.searchsorted(border, place, side="right") - 1]
    return found


def _behind(border: Ints, place: Ints) -> Ints:
    return border[np.minimum(np.searchsorted(border, place), len(border) - 1)]


def _are_signs(characters: Characters) -> Mask:
    count = np.bincount(characters)
    is_sign = np.zeros(len(count), dtype=np.bool_)
    for code in np.flatnonzero(count).tolist():
        is_sign[code] = not _is_letter(chr(code))
    return is_sign[characters]


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"
