"""Matching mentions that are spans: equal, or minimally so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.matching.documents import pair_documents
from scoref.matching.duplicates import settle_duplicates
from scoref.matching.exact import match_exact
from scoref.matching.identity import told_apart
from scoref.matching.labels import gold_mentions, label_notes
from scoref.matching.shifts import WITHOUT_OFFSETS, find_shift
from scoref.matching.singletons import drop_singletons
from scoref.matching.units import units_of
from scoref.model import Note
from scoref.notes import WARNING

if TYPE_CHECKING:
    from scoref.matching import Matched
    from scoref.matching.documents import Documents
    from scoref.model import Corpus
    from scoref.scheme import Scheme

_BEYOND_SPANS = frozenset(("min", "mina", "np", "no-vp", "drop", "outermost", "coval"))


def match_spans(key: Corpus, response: Corpus, scheme: Scheme) -> Matched:
    """Pair documents, match spans and leave out what the scheme leaves out."""
    documents = pair_documents(key, response, scheme)
    documents = documents._replace(units=units_of(documents, key, response, scheme))
    matched, notes = _match(key, response, documents, scheme)
    shifts = _suspected(matched, (key, response), documents, scheme)
    matched = told_apart(matched, (key, response), scheme.identity)
    labels = label_notes(key, response, documents, scheme)
    if documents.units is not None:
        labels = (*documents.units.notes, *labels, *gold_mentions(matched))
    listed = matched
    matched, duplicates = settle_duplicates(matched, scheme.duplicates)
    # coval has dropped its singletons before anything else.
    if scheme.singletons == "drop" and scheme.duplicates != "coval":
        matched, listed = drop_singletons(matched), drop_singletons(listed)
    if duplicates:
        matched = matched._replace(listed=(listed.key, listed.response))
    return matched._replace(
        notes=(*documents.notes, *notes, *shifts, *labels, *duplicates),
    )


def _suspected(
    matched: Matched,
    corpora: tuple[Corpus, Corpus],
    documents: Documents,
    scheme: Scheme,
) -> tuple[Note, ...]:
    """Warn of offsets that may be counted in two ways: hardly any mention matches."""
    are_numbers = any(corpus.format in WITHOUT_OFFSETS for corpus in corpora)
    if scheme.match != "exact" or are_numbers:
        return ()
    shift = find_shift(*corpora, documents, matched)
    if shift is None:
        return ()
    where, count = "", len(shift.documents)
    if count < len(documents.names):
        first = documents.names[int(shift.documents[0])]
        where = f"in {count} of {len(documents.names)} documents (first: '{first}'), "
    question = shift.question(here="in the response", there="in the key")
    message = (
        f"{WARNING}{where}{shift.common:,} of {shift.mentions:,} mentions of the "
        f"response are the key's, so the figures are too low; {question}"
    )
    return (Note("shifted-offsets", shift.mentions, message),)


def _match(
    key: Corpus, response: Corpus, documents: Documents, scheme: Scheme
) -> tuple[Matched, tuple[Note, ...]]:
    asked = {scheme.match, scheme.phrases, scheme.nested, scheme.duplicates}
    if asked.isdisjoint(_BEYOND_SPANS):
        return match_exact(key, response, documents), ()
    # What most schemes do not ask for is loaded for those that do.
    from scoref.matching.coval import match_filtered  # noqa: PLC0415

    return match_filtered(key, response, documents, scheme)
