"""Key and response on one text, whoever cut it into words.

Where words are the same nothing has to be done, and mostly this is seen at a glance: in
files of one format, whose documents have the same names and as many words. Words are
read and compared where formats differ, where numbers of words do, where names of paired
documents differ, and where documents cannot be paired by their names.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, WithoutKey
from scoref.formats import CONLL_2012, FORMATS
from scoref.formats.format import STANZA
from scoref.matching.continuous import without_gaps
from scoref.matching.documents import other_names, partners, renamed
from scoref.matching.named_mentions import placed_like
from scoref.matching.sentences import check_sentences
from scoref.model import Note

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme


class ComparableSides(NamedTuple):
    """A key, a response, and the scheme that says how they were made comparable."""

    key: Corpus
    response: Corpus
    scheme: Scheme


def on_one_text(
    key: Corpus, response: Corpus, scheme: Scheme, *, with_tokens: bool = False
) -> ComparableSides:
    """Count mentions of both sides in the same words.

    Raises:
        AlignmentError: they are not the same text.
    """
    own_names = response.documents
    if scheme.document_names is not None:
        response = renamed(key, response, scheme.document_names)
    response = placed_like(key, response)
    if key.words is not None or response.words is not None:
        return ComparableSides(key, response, scheme)
    if not hold_gaps(key, response):
        key, response = without_gaps(key), without_gaps(response)
    partner = partners(key, response, scheme, by_place=False)
    key, response = _inside_the_text(key, response, scheme)
    by_own_names = dataclasses.replace(response, documents=own_names)
    others = other_names(key, by_own_names, partner)
    if not _must_look(key, response, partner, scheme) and not len(others):
        return ComparableSides(key, response, scheme)
    sides = key.with_tokens(), by_own_names.with_tokens()
    if sides[0].tokens is None or sides[1].tokens is None:
        _refuse_characters(*sides)
        return ComparableSides(key, response, scheme)
    is_same = sides[0].tokens.first_difference(sides[1].tokens) < 0
    if is_same and _is_in_order(partner):
        named = _with_names_of(key, sides[1], partner, others)
        return ComparableSides(sides[0], named, scheme)
    from scoref.matching.numbering import number_alike  # noqa: PLC0415 - rarely

    counted = _counted_in_characters(key, response)
    found = number_alike(
        *sides,
        partner,
        others=others.tolist(),
        borders=scheme.borders or "strict",
        lenient=scheme.reading != "strict",
        by_number=not any(counted),
        counted=counted,
        with_tokens=with_tokens,
    )
    if found.are_same:
        return ComparableSides(found.key, found.response, scheme)
    borders = scheme.borders or "strict"
    scheme = dataclasses.replace(scheme, words="characters", borders=borders)
    return ComparableSides(found.key, found.response, scheme)


def _with_names_of(
    key: Corpus, response: Corpus, partner: Ints, others: Ints
) -> Corpus:
    """Call documents what the key calls them, after their words were compared."""
    names = list(response.documents)
    for row in others.tolist():
        names[partner[row]] = key.documents[row]
    return dataclasses.replace(response, documents=tuple(names))


def hold_gaps(*sides: Corpus) -> bool:
    """Tell whether the formats of all sides can hold discontinuous mentions."""
    return all(
        side.pieces is not None
        or (side.format in FORMATS and FORMATS[side.format].has_gaps)
        for side in sides
    )


def are_mixed(key: Corpus, response: Corpus) -> bool:
    """Tell whether mentions are sets of words on one side, and not on the other."""
    kinds = [side.words and FORMATS[side.format].kind for side in (key, response)]
    return kinds[0] != kinds[1]


def have_other_words(key: Corpus, response: Corpus) -> bool:
    """Tell whether a system has cut words of its own, where the other side has heads.

    Files of CorefUD are the same text, or are refused, as by its scorer.
    """
    if STANZA not in {key.format, response.format} or are_mixed(key, response):
        return False
    try:
        check_sentences(key, response)
    except AlignmentError:
        return True
    return False


def _inside_the_text(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus]:
    """Refuse mentions beyond the end of a text that only the other side has.

    If the reading is lenient, they are left out, with a note.
    """
    partner = partners(key, response, scheme)
    back = np.full(len(response.documents), -1, dtype=np.int64)
    there = np.flatnonzero(partner >= 0)
    back[partner[there]] = there
    found = []
    for role, side, other, rows in (
        ("key", key, response, partner),
        ("response", response, key, back),
    ):
        beyond = _beyond(side, other, rows)
        if len(beyond) and scheme.reading != "lenient":
            raise _mention_beyond(side, other, rows, int(beyond[0]))
        if len(beyond):
            kept = np.ones(len(side.mention_entity), dtype=np.bool_)
            kept[beyond] = False
            message = f"{side.source}: {len(beyond)} mentions beyond the end of the "
            message += f"text in {other.source} were left out"
            kind = f"mentions-beyond-the-text-of-{role}"
            note = Note(kind, len(beyond), message)
            left = side.keep_mentions(kept)
            side = dataclasses.replace(left, notes=(*left.notes, note))  # noqa: PLW2901
        found.append(side)
    return found[0], found[1]


def _beyond(side: Corpus, other: Corpus, partner: Ints) -> Ints:
    """List mentions of a file without words that end after the other side's text."""
    if side.document_tokens is not None or other.document_tokens is None:
        return np.zeros(0, dtype=np.int64)
    are_words = all(
        each.format in FORMATS and FORMATS[each.format].counts == "words"
        for each in (side, other)
    )
    if not are_words or side.mention_ids is not None:
        return np.zeros(0, dtype=np.int64)
    row = partner[side.mention_document]
    size = np.append(other.document_tokens, 0)[row]
    return np.flatnonzero((row >= 0) & (side.mention_end >= size))


def _mention_beyond(
    side: Corpus, other: Corpus, partner: Ints, mention: int
) -> AlignmentError:
    assert other.document_tokens is not None  # noqa: S101 - asked before
    document = int(side.mention_document[mention])
    count = int(other.document_tokens[partner[document]])
    words = "word" if count == 1 else "words"
    return AlignmentError(
        f"the mention {side.place(mention)} is beyond the end of document "
        f"'{side.documents[document].name}', which has {count} {words} in "
        f"{other.source}",
        source=side.source,
        line=int(side.mention_line[mention]) or None,
        hint="words are counted from 0 in each document, and the last one is part of "
        "the mention. Is it the same document?",
    )


def _must_look(key: Corpus, response: Corpus, partner: Ints, scheme: Scheme) -> bool:
    """Tell whether words may be cut in two ways."""
    is_same = key.format == response.format
    if is_same and key.format == CONLL_2012 and scheme.reading == "reference":
        return False  # the reference scorer looks at no words
    if not is_same or any(_counted_in_characters(key, response)):
        return True
    if (partner < 0).any() and len(key.documents) == len(response.documents):
        return True
    counts = key.document_tokens, response.document_tokens
    if counts[0] is None or counts[1] is None:
        return False
    there = np.flatnonzero(partner >= 0)
    return bool((counts[0][there] != counts[1][partner[there]]).any())


def _counted_in_characters(*sides: Corpus) -> tuple[bool, ...]:
    """Tell whose mentions are characters, so that its words are of no one's making."""
    return tuple(
        side.format in FORMATS and FORMATS[side.format].counts == "characters"
        for side in sides
    )


def _refuse_characters(key: Corpus, response: Corpus) -> None:
    """Refuse to compare characters with numbers of words that nobody has."""
    counted = _counted_in_characters(key, response)
    for side, other, is_counted in (
        (key, response, counted[0]),
        (response, key, counted[1]),
    ):
        if is_counted and other.tokens is None and other.format in FORMATS:
            raise AlignmentError(
                f"this file has no words, and mentions of {side.source} are characters",
                source=other.source,
                hint="JSON lines need 'sentences' or 'tokens' for that",
                without_key=WithoutKey(
                    "this file has no words, which the key needs"
                    if other is response
                    else "mentions of this file are characters, and those of the key "
                    "are words without a text"
                ),
            )


def _is_in_order(partner: Ints) -> bool:
    return np.array_equal(partner, np.arange(len(partner)))
