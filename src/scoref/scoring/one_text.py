"""Key and response on one text, whoever cut it into words.

Where words are the same nothing has to be done, and mostly this is seen at a glance: in
files of one format, whose documents have the same names and as many words. Words are
read and compared where formats differ, where numbers of words do, and where documents
cannot be paired by their names.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError
from scoref.formats import CONLL_2012, FORMATS
from scoref.formats.format import STANZA
from scoref.matching.continuous import hold_gaps, without_gaps
from scoref.matching.documents import partners, renamed
from scoref.matching.named_mentions import placed_like
from scoref.matching.sentences import check_sentences

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
    if scheme.document_names is not None:
        response = renamed(key, response, scheme.document_names)
    response = placed_like(key, response)
    if key.words is not None or response.words is not None:
        return ComparableSides(key, response, scheme)
    if not hold_gaps(key, response):
        key, response = without_gaps(key), without_gaps(response)
    partner = partners(key, response, scheme, by_place=False)
    if not _must_look(key, response, partner, scheme):
        return ComparableSides(key, response, scheme)
    sides = key.with_tokens(), response.with_tokens()
    if sides[0].tokens is None or sides[1].tokens is None:
        _refuse_characters(*sides)
        return ComparableSides(key, response, scheme)
    is_same = sides[0].tokens.first_difference(sides[1].tokens) < 0
    if is_same and _is_in_order(partner):
        return ComparableSides(*sides, scheme)
    from scoref.matching.numbering import number_alike  # noqa: PLC0415 - rarely

    counted = _counted_in_characters(key, response)
    found = number_alike(
        *sides,
        partner,
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
            )


def _is_in_order(partner: Ints) -> bool:
    return np.array_equal(partner, np.arange(len(partner)))
