"""Which document is which, by their texts, where names do not say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.normal_form import folded
from scoref.alignment.overlay import laid_on, laid_on_part
from scoref.errors import AlignmentError, WithoutKey, place_of
from scoref.model import Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.matching.cut_texts import CutText
    from scoref.model import Corpus, Ints

    Pair = tuple[int, int]


class Paired(NamedTuple):
    """Rows of documents in the key and in the response that are the same ones."""

    pairs: Sequence[Pair]
    notes: tuple[Note, ...] = ()


def pair_by_text(
    key: CutText, response: CutText, partner: Ints, *, lenient: bool
) -> Paired:
    """Pair what names have not paired, where a side has no names, or one document.

    That is by order, if texts agree, and by texts otherwise. ``lenient``: one text may
    be the beginning, or the end, of the other.
    """
    named = [(row, other) for row, other in enumerate(partner.tolist()) if other >= 0]
    ours = np.flatnonzero(partner < 0).tolist()
    theirs = sorted(set(range(len(response.corpus.documents))) - {b for _, b in named})
    if not ours or not theirs:
        return Paired(named)
    in_order = list(zip(ours, theirs, strict=False))
    agree = len(ours) == len(theirs) and all(
        _agree(key, response, pair, lenient=lenient) for pair in in_order
    )
    is_one = len(key.corpus.documents) == len(response.corpus.documents) == 1
    if not _are_nameless(key.corpus, ours) and not _are_nameless(
        response.corpus, theirs
    ):
        return Paired(in_order if is_one and agree else named)
    # Whether two lone documents are the same text is seen later, with the place.
    if agree or is_one:
        return Paired(sorted(named + in_order))
    found = _by_text(key, response, ours, theirs)
    message = f"documents paired by their texts, not by names or order: {len(found)}"
    notes = (Note("paired-by-text", len(found), message),) if found else ()
    return Paired(sorted(named + found), notes)


def _are_nameless(corpus: Corpus, rows: Sequence[int]) -> bool:
    return not any(corpus.documents[row].aliases for row in rows)


def _agree(key: CutText, response: CutText, pair: Pair, *, lenient: bool) -> bool:
    sides = key.characters(pair[0]), response.characters(pair[1])
    if np.array_equal(*sides):
        return True
    alike = tuple(map(folded, sides))
    return laid_on(*alike) is not None or (lenient and laid_on_part(*alike) is not None)


def _by_text(
    key: CutText, response: CutText, ours: Sequence[int], theirs: Sequence[int]
) -> list[Pair]:
    """Find texts that occur once on each side."""
    places = _texts(key, ours)
    found = []
    for text, rows in _texts(response, theirs).items():
        there = places.get(text, [])
        if len(rows) > 1 or len(there) > 1:
            raise _unclear(response.corpus, rows, "has the same text as another one")
        if not there:
            raise _unclear(response.corpus, rows, "is none of the key's texts")
        found.append((there[0], rows[0]))
    return found


def _texts(side: CutText, rows: Sequence[int]) -> dict[bytes, list[int]]:
    found: dict[bytes, list[int]] = {}
    for row in rows:
        found.setdefault(side.characters(row).tobytes(), []).append(row)
    return found


def _unclear(response: Corpus, rows: Sequence[int], why: str) -> AlignmentError:
    row = rows[0]
    problem = f"document {row + 1} of the response {why}"
    line = int(response.document_line[row]) or None
    return AlignmentError(
        problem,
        source=response.source,
        line=line,
        without_key=WithoutKey(problem, place_of(response.source, line)),
        hint="documents without names are paired by order or by text; "
        "--document-names FILE says which is which",
    )
