"""The table of two corpora whose mentions are spans: equal, or minimally so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import Contingency
from scoref.contingency.links import listed_once, repeated_links
from scoref.matching.documents import pair_documents
from scoref.matching.duplicates import last_listed, settle_duplicates
from scoref.matching.exact import match_exact
from scoref.matching.shifts import OFFSETS, find_shift, is_suspect
from scoref.matching.singletons import drop_singletons
from scoref.model import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints
    from scoref.scheme import Duplicates, Scheme

_BEYOND_SPANS = frozenset(("min", "mina", "np", "no-vp", "drop", "outermost", "coval"))


def match_spans(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Matched, tuple[Note, ...]]:
    """Pair documents, match spans and leave out what the scheme leaves out."""
    documents = pair_documents(key, response, scheme)
    matched, notes = _match(key, response, documents, scheme)
    shifts = _suspected(matched, (key, response), documents, scheme)
    matched, duplicates = settle_duplicates(matched, scheme.duplicates)
    # coval has dropped its singletons before anything else.
    if scheme.singletons == "drop" and scheme.duplicates != "coval":
        matched = drop_singletons(matched)
    return matched, (*documents.notes, *notes, *shifts, *duplicates)


def _suspected(
    matched: Matched,
    corpora: tuple[Corpus, Corpus],
    documents: Documents,
    scheme: Scheme,
) -> tuple[Note, ...]:
    """Say that offsets may be counted in two ways, where hardly any mention matches."""
    is_offset = all(corpus.format in OFFSETS for corpus in corpora)
    if scheme.match != "exact" or not is_offset:
        return ()
    in_key = np.zeros(matched.mention_count, dtype=np.bool_)
    in_key[matched.key.mention] = True
    common = int(in_key[matched.response.mention].sum())
    if not is_suspect(common, *corpora):
        return ()
    shift = find_shift(*corpora, documents, common)
    if shift is None:
        return ()
    count = len(corpora[1].mention_entity)
    question = shift.question(here="in the response", there="in the key")
    message = f"{common} of {count} mentions of the response are the key's; {question}"
    return (Note("shifted-offsets", count, message),)


def _match(
    key: Corpus, response: Corpus, documents: Documents, scheme: Scheme
) -> tuple[Matched, tuple[Note, ...]]:
    asked = {scheme.match, scheme.phrases, scheme.nested, scheme.duplicates}
    if asked.isdisjoint(_BEYOND_SPANS):
        return match_exact(key, response, documents), ()
    # What most schemes do not ask for is loaded for those that do.
    from scoref.matching.filtered import match_filtered  # noqa: PLC0415

    return match_filtered(key, response, documents, scheme)


def tabulate_as(matched: Matched, duplicates: Duplicates) -> Contingency:
    """Count what the entities of the two sides share, under a rule for duplicates."""
    if duplicates != "coval":
        return tabulate(matched)
    from scoref.contingency.owned import tabulate_owned  # noqa: PLC0415 - if wanted

    return tabulate_owned(matched)


def tabulate(matched: Matched) -> Contingency:
    """Count what the entities of the two sides share.

    A response mention that the key has must be listed once: see `duplicates`.
    """
    key, response = matched.key, matched.response
    once_in_key, once_in_response = last_listed(key), last_listed(response)
    partner = np.full(matched.mention_count, -1, dtype=np.int64)
    partner[response.mention] = response.entity
    shared = np.flatnonzero(partner[key.mention] >= 0)
    width = max(1, len(response.entity_document))
    code = key.entity[shared] * width + partner[key.mention[shared]]
    cells, cell = np.unique(code, return_inverse=True)
    overlap = np.bincount(cell, minlength=len(cells))
    count = mates = overlap
    if not once_in_key.all():
        count = np.bincount(cell[once_in_key[shared]], minlength=len(cells))
        mates = np.bincount(cell[listed_once(key)[shared]], minlength=len(cells))
    documents = len(matched.documents)
    is_partition = once_in_key.all() and once_in_response.all()
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_mentions(key, once_in_key, documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_mentions(response, once_in_response, documents),
        common_mentions=_mentions(key, shared[once_in_key[shared]], documents),
        cell_key=cells // width,
        cell_response=cells % width,
        key_count=count,
        response_count=count,
        key_mates=mates,
        response_mates=mates,
        overlap=overlap,
        repeated_links=None if is_partition else repeated_links(matched),
    )


def _mentions(side: Side, rows: NDArray[np.bool_] | Ints, documents: int) -> Ints:
    return np.bincount(side.document[rows], minlength=documents)
