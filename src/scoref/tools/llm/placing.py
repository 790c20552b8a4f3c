"""From an answer to the key's tokens: which words it kept, and where its mentions are.

A mention is placed where its pieces are in the key: from the first token that one of
them stands for to the last. It is *moved* if its own first or last piece stands for
nothing, and *unplaced* if none of them stands for anything.

An answer that says something else than the text is *refused*: of the pairs of
neighbouring pieces of the shorter of both, less than `LEAST_SHARE` are neighbours in
the other. Single words prove nothing: those of any sentence are found in a long text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.alignment.words import Alignment, align
from scoref.tools.llm.listed_mentions import UnplacedMention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.tools.llm.key_text import KeyDocument, KeyText
    from scoref.tools.llm.listed_mentions import Range
    from scoref.tools.llm.reading import Reading

Status = Literal["scored", "missing", "empty", "refused", "unmarked"]
LEAST_SHARE = 0.1


class Counts(NamedTuple):
    """What became of an answer's words and mentions.

    ``words`` of the key are the same, changed or lost; ``added`` are pieces of the
    answer. ``mentions`` that were read are kept, moved or unplaced; ``broken`` are
    brackets and tags that nobody can read.
    """

    words: int = 0
    same: int = 0
    changed: int = 0
    lost: int = 0
    added: int = 0
    mentions: int = 0
    kept: int = 0
    moved: int = 0
    unplaced: int = 0
    broken: int = 0


class PlacedMention(NamedTuple):
    """Tokens of a document, in order, and the entity that they are a mention of."""

    tokens: tuple[int, ...]
    label: str


class Aligned(NamedTuple):
    """An answer laid on a text of the key."""

    reading: Reading
    text: KeyText
    alignment: Alignment

    @classmethod
    def of(cls, reading: Reading, document: KeyDocument) -> Aligned:
        """Choose the text, and align the answer with it."""
        pieces = reading.pieces.text
        if not reading.has_text:
            in_place = bool(document.is_zero.any()) or None
            text = document.text(zeros_in_place=in_place)
            rows = np.arange(len(pieces))
            return cls(reading, text, Alignment(rows, rows, rows >= 0))
        text = document.text_for(pieces)
        return cls(reading, text, align(text.pieces, pieces))

    def share(self) -> float:
        """Say how much of the shorter text is the other's, by pairs of neighbours."""
        alignment = self.alignment
        size = min(len(self.text.pieces), len(alignment.first)) - 1
        if size < 1:
            return float(alignment.is_same.any())
        is_same = alignment.is_same[:-1] & alignment.is_same[1:]
        is_next = alignment.first[1:] - alignment.last[:-1] == 1
        return float((is_same & is_next).sum()) / size


class PlacedAnswer(NamedTuple):
    """What became of an answer: mentions with and without a place, and counts.

    ``guessed`` counts the mentions whose place was chosen among several, and
    ``other_words`` those whose offsets are not the offsets of their words.
    ``is_understood`` is false if the answer has nothing in the notation.
    """

    status: Status
    counts: Counts
    mentions: Sequence[PlacedMention] = ()
    unplaced: Sequence[UnplacedMention] = ()
    guessed: int = 0
    other_words: int = 0
    is_understood: bool = False


def place(
    aligned: Aligned, document: KeyDocument, *, by_sentence: bool
) -> PlacedAnswer:
    """Place mentions; ``by_sentence``, they end where the sentence does."""
    reading = aligned.reading
    counts = _words(aligned) if reading.has_text else Counts()
    read = len(reading.mentions) + len(reading.not_found)
    counts = counts._replace(mentions=read, broken=_broken(aligned))
    status = _status(aligned, read)
    mentions, unplaced, moved = [], list(reading.not_found), 0
    for mention in reading.mentions:
        tokens, is_moved = _tokens(mention, aligned, document)
        if not tokens or status == "refused":
            pieces = reading.pieces.text[mention.start : mention.end]
            words = reading.words(mention.start, mention.end)
            unplaced.append(UnplacedMention.of(words, pieces, mention.label))
            continue
        if by_sentence:
            inside = _in_sentence(tokens, document)
            is_moved |= len(inside) < len(tokens)
            tokens = inside
        moved += is_moved
        mentions.append(PlacedMention(tokens, mention.label))
    counts = counts._replace(
        kept=len(mentions) - moved,
        moved=moved,
        unplaced=len(unplaced),
    )
    guessed = reading.guessed if mentions else 0
    return PlacedAnswer(
        status,
        counts,
        mentions,
        unplaced,
        guessed,
        reading.other_words,
        reading.is_understood,
    )


def _status(aligned: Aligned, read: int) -> Status:
    reading = aligned.reading
    if reading.has_text and not reading.pieces.text:
        return "empty"
    if reading.has_text and aligned.share() < LEAST_SHARE:
        return "refused"
    return "scored" if read else "unmarked"


def _words(aligned: Aligned) -> Counts:
    text = aligned.text
    count = len(text.first)
    output, is_same = aligned.alignment.of_key(len(text.pieces))
    pieces = np.bincount(text.word, minlength=count)
    found = np.bincount(text.word[output >= 0], minlength=count)
    same = np.bincount(text.word[is_same], minlength=count)
    unchanged, lost = int((same == pieces).sum()), int((found == 0).sum())
    return Counts(
        words=count,
        same=unchanged,
        changed=count - unchanged - lost,
        lost=lost,
        added=int((aligned.alignment.first < 0).sum()),
    )


def _broken(aligned: Aligned) -> int:
    return len(real_faults(aligned))


def real_faults(aligned: Aligned) -> list[int]:
    """List faults that are none of the key's own brackets, by their rows."""
    reading, found = aligned.reading, []
    for row, fault in enumerate(reading.faults):
        first, behind = reading.pieces.within(fault.start, fault.end)
        if behind == first or not aligned.alignment.is_same[first:behind].all():
            found.append(row)
    return found


def _tokens(
    mention: Range, aligned: Aligned, document: KeyDocument
) -> tuple[tuple[int, ...], bool]:
    """Find the tokens of a mention, and whether it had to be moved."""
    pieces = slice(mention.start, mention.end)
    first = aligned.alignment.first[pieces]
    there = np.flatnonzero(first >= 0)
    if not len(there):
        return (), False
    is_moved = bool(there[0] > 0 or there[-1] < len(first) - 1)
    last = aligned.alignment.last[pieces]
    word = aligned.text.word[[first[there[0]], last[there[-1]]]]
    return _between(int(word[0]), int(word[1]), aligned.text, document), is_moved


def _between(
    start: int, end: int, text: KeyText, document: KeyDocument
) -> tuple[int, ...]:
    """List the tokens from a word of the text to another.

    Empty nodes inside belong to it where they are in the file; at the ends, and alone,
    where the text has them.
    """
    first, last = text.first[start : end + 1], text.last[start : end + 1]
    overt = np.flatnonzero(~document.is_zero[first])
    if not len(overt):
        return tuple(sorted(first.tolist()))
    inside = range(int(first[overt].min()), int(last[overt].max()) + 1)
    around = (*first[: overt[0]].tolist(), *first[overt[-1] + 1 :].tolist())
    return tuple(sorted({*inside, *around})) if around else tuple(inside)


def _in_sentence(tokens: tuple[int, ...], document: KeyDocument) -> tuple[int, ...]:
    """Keep what is in the sentence in which a mention starts."""
    sentence = document.tokens.sentence[list(tokens)]
    if sentence[0] == sentence[-1]:
        return tokens
    return tuple(np.array(tokens)[sentence == sentence[0]].tolist())
