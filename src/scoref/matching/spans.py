"""Matching of mentions that are spans, and the entry point for matching of all kinds.

`match_mentions` matches two corpora of any kind. It imports only the modules that the
kind of mention needs, to keep start-up fast.

In an exact match, two mentions are the same if their document, first token and last
token are the same; mentions with gaps must agree in all tokens. If the scheme asks for
it, types or ids must be the same as well. An id belongs to a knowledge base; a missing
id, or one that starts with ``NIL``, agrees with any other such id.

`with_gold_mentions` gives the response exactly the mentions of the key, as in
evaluations with gold mentions: it drops mentions that only the response has, and adds
missing ones as entities of their own. It changes the corpus, so that errors and slices
see what was scored. `drop_singletons` removes entities of one mention, which OntoNotes
does not annotate.

`find_shift` detects offsets that are counted differently. Ends may be exclusive, as in
Python's slices, tokens may be counted from 1, or both, in some or all documents. Then
hardly any mention matches, and most would match if moved by one or two.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.matching import Matched, Places, Side
from scoref.matching.documents import (
    entities_of,
    pair_documents,
    scored_documents,
    units_of,
)
from scoref.matching.duplicates import is_first_of, settle_duplicates
from scoref.matching.labels import gold_mentions, label_notes
from scoref.model import Note
from scoref.model.arrays import first_of_each, inverse, number_codes, numbered
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scheme import overlap_threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from scoref.matching.documents import Documents, Units
    from scoref.model import Corpus, Ints
    from scoref.scheme import Identity, Scheme

    Codes = Callable[[Ints, Ints, Ints], Ints]
    Mask = NDArray[np.bool_]


def match_mentions(key: Corpus, response: Corpus, scheme: Scheme) -> Matched:
    """Pair texts, match mentions and leave out what the scheme leaves out."""
    if key.words is None:
        return match_spans(key, response, scheme)
    from scoref.matching.words import match_words

    key, response, notes = same_text(key, response, scheme)
    matched = match_words(key, response, scheme)
    return matched._replace(notes=(*notes, *matched.notes))


def same_text(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus, tuple[Note, ...]]:
    """Check that two corpora are the same text, and number their words alike."""
    if key.words is None or not key.words.by_document:
        from scoref.matching.same_text import check_sentences

        check_sentences(key, response)
        return key, response, ()
    from scoref.matching.same_text import pair_texts

    return pair_texts(key, response, scheme)


_FILTERS = frozenset(("min", "mina", "np", "no-vp", "drop", "outermost", "coval"))


def match_spans(key: Corpus, response: Corpus, scheme: Scheme) -> Matched:
    """Pair documents, match spans and drop what the scheme drops."""
    documents = pair_documents(key, response, scheme)
    if (units := units_of(documents, key, response, scheme)) is not None:
        documents = documents._replace(units=units)
    notes: tuple[Note, ...] = ()
    choices = {scheme.match, scheme.phrases, scheme.nested, scheme.duplicates}
    if choices.isdisjoint(_FILTERS):
        matched = match_exact(key, response, documents)
    else:  # few schemes need these modules
        from scoref.matching.coval_filters import match_filtered

        matched, notes = match_filtered(key, response, documents, scheme)
    shifts = _shift_notes(matched, (key, response), documents, scheme)
    matched = distinguish_identities(matched, (key, response), scheme.identity)
    labels = label_notes(key, response, documents, scheme)
    if documents.units is not None:
        labels = (*labels, *gold_mentions(matched))
    if overlap_threshold(scheme.match):
        from scoref.matching.overlap import match_overlapping

        # Entities that are not scored must not take the matches of others.
        matched = drop_singletons(matched) if scheme.singletons == "drop" else matched
        matched = match_overlapping(matched, (key, response), documents, scheme)
    listed = matched
    matched, duplicates = settle_duplicates(matched, scheme.duplicates)
    # coval drops singletons before anything else.
    if scheme.singletons == "drop" and scheme.duplicates != "coval":
        matched, listed = drop_singletons(matched), drop_singletons(listed)
    if duplicates:
        matched = matched._replace(listed=(listed.key, listed.response))
    notes = (*documents.notes, *notes, *shifts, *labels, *duplicates)
    return matched._replace(notes=notes) if notes else matched


def _shift_notes(
    matched: Matched,
    corpora: tuple[Corpus, Corpus],
    documents: Documents,
    scheme: Scheme,
) -> tuple[Note, ...]:
    """Warn if hardly any mention matches because offsets are counted differently."""
    key, response = map(_with_offsets, corpora)
    if key is None or response is None:
        return ()
    # Mentions that are moved by a token may still overlap, or have a minimum in common.
    is_exact = scheme.match == "exact"
    shift = find_shift(key, response, documents, matched if is_exact else None)
    if shift is None:
        return ()
    where, count = "", len(shift.documents)
    if count < len(documents.names):
        first = documents.names[int(shift.documents[0])]
        where = (
            f" in {count:,} of {len(documents.names):,} documents (first: '{first}')"
        )
    question = shift.question(here="in the response", there="in the key")
    common = f"Only {shift.common:,} of {shift.mentions:,}"
    if not shift.common:
        common = f"None of the {shift.mentions:,}"
    common += f" response mentions{where}"
    if is_exact:
        message = f"{WARNING}{common} match the key, so the figures are too low."
    elif shift.start == shift.end or (shift.start >= 0 and shift.end <= 0):
        message = (
            f"{WARNING}{common} are exactly as in the key, so the figures are too low."
        )
    else:
        # Shorter mentions are what such a match is for.
        message = (
            f"{common} are exactly as in the key. If offsets are counted differently, "
            "the figures are too low."
        )
    return (Note("shifted-offsets", shift.mentions, f"{message} {question}"),)


def match_exact(key: Corpus, response: Corpus, documents: Documents) -> Matched:
    """Give equal spans of paired documents the same integer."""
    return match_by(exact_codes(key, response), key, response, documents)


def match_by(
    codes: Codes, key: Corpus, response: Corpus, documents: Documents
) -> Matched:
    """Give mentions of equal codes the same integer.

    ``codes`` makes an integer of each mention's document, first and last token; the
    document is the scored one, and -1 if it is left out.
    """
    corpora = key, response
    document = [
        scored_documents(key, documents.key),
        scored_documents(response, documents.response),
    ]
    of_mention = [
        rows[corpus.mention_document]
        for corpus, rows in zip(corpora, document, strict=True)
    ]
    start = end = np.concatenate((key.mention_start, response.mention_start))
    if any(corpus.mention_start is not corpus.mention_end for corpus in corpora):
        end = np.concatenate((key.mention_end, response.mention_end))
    number, count = number_codes(codes(np.concatenate(of_mention), start, end))
    if any(corpus.mention_unplaced is not None for corpus in corpora):
        # A mention that is not in the text gets a number of its own.
        unplaced = np.concatenate([corpus.is_unplaced for corpus in corpora]).nonzero()
        number[unplaced] = count + np.arange(len(unplaced[0]))
        count += len(unplaced[0])
    numbers = number[: len(of_mention[0])], number[len(of_mention[0]) :]
    sides = [
        _side(corpora[side], numbers[side], document[side], documents.units).where(
            of_mention[side] >= 0
        )
        for side in range(2)
    ]
    matched = Matched(documents.names, count, sides[0], sides[1])
    if documents.units is None:
        return matched
    names, unit = documents.units
    places = Places(documents.names, unit, of_mention[0], of_mention[1])
    return matched._replace(documents=names, places=places)


def _side(corpus: Corpus, mention: Ints, document: Ints, units: Units | None) -> Side:
    if units is None:  # the rows of a corpus are sorted by entity
        return Side(
            mention=mention,
            entity=corpus.mention_entity,
            line=corpus.mention_line,
            row=np.arange(len(mention)),
            entity_document=document[corpus.entity_document],
            source=corpus.source,
        )
    number, entity_document = entities_of(corpus, document, units)
    entity = number[corpus.mention_entity]
    order = entity.argsort(kind="stable")
    return Side(
        mention=mention[order],
        entity=entity[order],
        line=corpus.mention_line[order],
        row=order,
        entity_document=entity_document,
        source=corpus.source,
    )


def exact_codes(key: Corpus, response: Corpus) -> Codes:
    """Return the function that gives equal mentions the same integer."""
    if key.pieces is None and response.pieces is None:
        return span_codes
    shape = _gap_shapes(key, response)

    def codes(document: Ints, start: Ints, end: Ints) -> Ints:
        span, _ = numbered(span_codes(document, start, end))
        code: Ints = span * (int(shape.max(initial=0)) + 1) + shape
        return code

    return codes


def _gap_shapes(key: Corpus, response: Corpus) -> Ints:
    """Give mentions with the same gaps the same number; 0: the mention has no gap."""
    known: dict[tuple[int, ...], int] = {}
    shapes = []
    for corpus in (key, response):
        shape = np.zeros(len(corpus.mention_entity), dtype=np.int64)
        if corpus.pieces is not None:
            start, member = corpus.pieces
            for row in corpus.rows_with_gaps.tolist():
                tokens = member[start[row] : start[row + 1]]
                place = tuple((tokens - tokens[0]).tolist())
                shape[row] = known.setdefault(place, len(known) + 1)
        shapes.append(shape)
    return np.concatenate(shapes)


_MOST = 2**62


def span_codes(document: Ints, start: Ints, end: Ints) -> Ints:
    """Pack document, start and end of each mention into one integer."""
    if not len(document):
        return document
    length, highest = (int(np.maximum.reduce(column)) for column in (end, document))
    length += 1
    if start is end and (highest + 2) * length <= _MOST:
        return document * np.int64(length) + start
    extent = end - start
    widest = int(np.maximum.reduce(extent)) + 1
    if (highest + 2) * length * widest > _MOST:
        # Offsets are too large for one integer; their ranks are small.
        start, end = numbered(start)[0], numbered(end)[0]
        return (document * np.int64(len(start)) + start) * len(start) + end
    return (document * np.int64(length) + start) * np.int64(widest) + extent


def with_gold_mentions(key: Corpus, response: Corpus, scheme: Scheme) -> Corpus:
    """Return the response with the key's mentions if the scheme says so, with notes."""
    if scheme.mentions != "gold":
        return response
    documents = pair_documents(key, response, scheme)
    sides = (key, documents.key), (response, documents.response)
    document = np.concatenate(
        [scored_documents(side, rows)[side.mention_document] for side, rows in sides]
    )
    start = np.concatenate([side.mention_start for side, _ in sides])
    end = np.concatenate([side.mention_end for side, _ in sides])
    code = np.where(document < 0, -1, exact_codes(key, response)(document, start, end))
    ours, theirs = np.split(code, [len(key.mention_entity)])
    kept = np.isin(theirs, ours) & ~response.is_unplaced
    is_added = ~np.isin(ours, theirs[kept]) & (ours >= 0)
    added = np.flatnonzero(is_added)[first_of_each(ours[is_added])]
    corpus = _add_singletons(response.keep_mentions(kept), key, documents, added)
    counts = {
        "dropped-mentions": (
            len(kept) - int(kept.sum()),
            (
                "response mention that the key lacks was dropped.",
                "response mentions that the key lacks were dropped.",
            ),
        ),
        "added-singletons": (
            len(added),
            (
                "key mention that the response lacks was added as a singleton.",
                "key mentions that the response lacks were added as singletons.",
            ),
        ),
    }
    notes = tuple(
        Note(kind, count, counted(count, *message))
        for kind, (count, message) in counts.items()
        if count
    )
    return dataclasses.replace(corpus, notes=(*corpus.notes, *notes))


_OWN_NAME = "only in the key: {}"


def _add_singletons(
    response: Corpus, key: Corpus, documents: Documents, new: Ints
) -> Corpus:
    """Add some of the key's mentions, each as an entity of its own."""
    lacking = np.flatnonzero(documents.response < 0)
    row_of = documents.response.copy()
    row_of[lacking] = len(response.documents) + np.arange(len(lacking))
    scored = scored_documents(key, documents.key)
    document = row_of[scored[key.entity_document[key.mention_entity[new]]]]
    entity_document = np.concatenate((response.entity_document, document))
    names = [_OWN_NAME.format(number) for number in range(len(new))]
    labels = [*response.entity_label, *names]
    order = np.argsort(entity_document, kind="stable")
    singletons = len(response.entity_label) + np.arange(len(new))
    entity = inverse(order)[np.concatenate((response.mention_entity, singletons))]
    rows = np.argsort(entity, kind="stable")
    columns = [
        np.concatenate((getattr(response, name), getattr(key, name)[new]))[rows]
        for name in ("mention_start", "mention_end")
    ]
    pieces = None
    if key.pieces is not None or response.pieces is not None:
        own, others = response.token_sets(), key.token_sets().take(new)
        pieces = own.joined(others).take(rows)
    nowhere = np.zeros(len(new), dtype=np.int64)
    added = [key.documents[documents.key[row]] for row in lacking]
    lines = np.zeros(len(lacking), dtype=np.int64)
    return dataclasses.replace(
        response,
        documents=(*response.documents, *added),
        document_tokens=None if added else response.document_tokens,
        document_line=np.concatenate((response.document_line, lines)),
        document_topic=None,
        entity_document=entity_document[order],
        entity_label=tuple(labels[row] for row in order.tolist()),
        mention_entity=entity[rows],
        mention_start=columns[0],
        mention_end=columns[1],
        mention_line=np.concatenate((response.mention_line, nowhere))[rows],
        mention_order=None,
        mention_type=None,
        mention_kbid=None,
        pieces=pieces,
        mention_unplaced=None,
        tokens=None if added else response.tokens,
        later=None,
    )


def drop_singletons(matched: Matched) -> Matched:
    """Drop entities of one mention, however often they list it, on both sides."""

    def drop(side: Side) -> Side:
        width = np.int64(int(side.mention.max(initial=0)) + 1)
        once = is_first_of(side.entity * width + side.mention)
        size = np.bincount(side.entity[once], minlength=len(side.entity_document))
        return side.where(size[side.entity] > 1)

    return matched._replace(key=drop(matched.key), response=drop(matched.response))


def drop_short(matched: Matched) -> Matched:
    """Drop entities that have one listing, as coval does."""
    key, response = matched.key, matched.response
    return matched._replace(
        key=key.where(key.size[key.entity] > 1),
        response=response.where(response.size[response.entity] > 1),
    )


_NIL = "NIL"


def distinguish_identities(
    matched: Matched, corpora: tuple[Corpus, Corpus], identity: Identity | None
) -> Matched:
    """Give mentions of one span different numbers if their types or ids differ."""
    if identity is None:
        return matched
    sides = matched.key, matched.response
    number = np.concatenate([side.mention for side in sides])
    for part in identity.split("+")[1:]:
        known: dict[str, int] = {}
        texts = [side_of(part, corpus) or () for corpus in corpora]
        codes = [
            np.array([known.setdefault(text, len(known)) for text in column], np.int64)
            for column in texts
        ]
        of_rows = [code[side.row] for code, side in zip(codes, sides, strict=True)]
        number = number * (max(code.max(initial=0) for code in codes) + 1)
        number, _ = numbered(number + np.concatenate(of_rows))
    key, response = np.split(number, [len(sides[0].mention)])
    return matched._replace(
        mention_count=int(number.max(initial=-1)) + 1,
        key=sides[0]._replace(mention=key),
        response=sides[1]._replace(mention=response),
    )


def side_of(part: str, corpus: Corpus) -> Sequence[str] | None:
    """Return the type or the id of each mention; None if the corpus has none."""
    if part == "type":
        return corpus.mention_type
    if corpus.mention_kbid is None:
        return None
    return ["" if kbid.startswith(_NIL) else kbid for kbid in corpus.mention_kbid]


_QUESTIONS = {
    (0, -1): "Are ends exclusive {here}?",
    (0, 1): "Are ends exclusive {there}?",
    (-1, -1): "Are tokens counted from 1 {here}?",
    (1, 1): "Are tokens counted from 1 {there}?",
    (-1, -2): "Are tokens counted from 1, and ends exclusive, {here}?",
    (1, 2): "Are tokens counted from 1, and ends exclusive, {there}?",
    (-1, 0): "Are tokens counted from 1 {here}, and ends exclusive {there}?",
    (1, 0): "Are tokens counted from 1 {there}, and ends exclusive {here}?",
}

_FEW, _MANY = 4, 3  # less than a fourth, more than a third

_FEWEST = 3  # mentions of one document that match if they are moved

_SHARE = 0.01  # of all mentions; fewer hardly change a figure

WITHOUT_OFFSETS = frozenset(("entities", "scorch", "maven-ere"))
"""Formats in which mentions are numbers without an order, not offsets."""


def _with_offsets(corpus: Corpus) -> Corpus | None:
    """Return a corpus in which mentions are offsets, or None if they have none."""
    if corpus.format not in WITHOUT_OFFSETS:
        return corpus
    if corpus.mention_offsets is None:
        return None
    start, end = corpus.mention_offsets
    return dataclasses.replace(corpus, mention_start=start, mention_end=end)


class Shift(NamedTuple):
    """By how much offsets of the response should be moved, and in which documents."""

    start: int
    end: int
    documents: Ints
    mentions: int  # of the response, in these documents
    common: int  # mentions of them that the key has
    moved: int  # mentions of them that the key would have

    def question(self, *, here: str, there: str) -> str:
        """Ask about the likely cause, in the response (``here``) or in the key."""
        parts = [(self.start, " at the start"), (self.end, " at the end")]
        if self.start == self.end:
            parts = [(self.start, "")]
        change = " and ".join(
            f"{abs(by)} {'more' if by > 0 else 'less'}{where}"
            for by, where in parts
            if by
        )
        question = _QUESTIONS[self.start, self.end].format(here=here, there=there)
        return f"With {change}, {self.moved:,} would match. {question}"


def find_shift(
    key: Corpus, response: Corpus, documents: Documents, matched: Matched | None = None
) -> Shift | None:
    """Find a shift by which many mentions match, in documents where hardly any do.

    ``matched`` is the match without a shift, if the caller has it.
    """
    places = _places(key, documents.key), _places(response, documents.response)
    count = len(documents.names)
    sizes = [np.bincount(place[place >= 0], minlength=count) for place in places]
    matched = matched or match_exact(key, response, documents)
    common = _count_common(matched, places[1], count)
    is_suspect = _FEW * common < np.minimum(*sizes)
    if not is_suspect.any():
        return None
    is_moved = [(place >= 0) & is_suspect[place] for place in places]
    sides = key.keep_mentions(is_moved[0]), response.keep_mentions(is_moved[1])
    shifts = []
    for start, end in _QUESTIONS:
        moved = _count_common_after_shift(*sides, documents, start, end)
        is_shifted = is_suspect & _helps(moved, common, sizes[1])
        if _helps(moved.sum(), common.sum(), sizes[1].sum()):
            is_shifted[:] = True
        else:
            # One or two mentions of a document can match by chance.
            is_shifted &= moved >= _FEWEST
        where = np.flatnonzero(is_shifted)
        if moved[where].sum() > _SHARE * sizes[1].sum():
            sums = [int(column[where].sum()) for column in (sizes[1], common, moved)]
            shifts.append(Shift(start, end, where, *sums))
    return max(shifts, key=lambda shift: shift.moved, default=None)


def _helps(moved: Ints, common: Ints, size: Ints) -> Mask:
    """Mark where many mentions match if they are moved, and few do if not."""
    return (_MANY * moved > size) & (moved > _FEW * common)


def _places(side: Corpus, rows: Ints) -> Ints:
    """Return the scored document of each mention; -1: it is not scored."""
    return scored_documents(side, rows)[side.mention_document]


def _count_common(matched: Matched, place: Ints, count: int) -> Ints:
    """Count the response's mentions that are the key's, by document."""
    in_key = np.zeros(matched.mention_count, dtype=np.bool_)
    in_key[matched.key.mention] = True
    rows = matched.response.row[in_key[matched.response.mention]]
    return np.bincount(place[rows], minlength=count)


def _count_common_after_shift(
    key: Corpus, response: Corpus, documents: Documents, start: int, end: int
) -> Ints:
    """Count the mentions that match after a shift, by document."""
    first, last = response.mention_start + start, response.mention_end + end
    is_span = (first >= 0) & (first <= last)
    moved = dataclasses.replace(
        response, mention_start=first, mention_end=last
    ).keep_mentions(is_span)
    place = _places(moved, documents.response)
    matched = match_exact(key, moved, documents)
    return _count_common(matched, place, len(documents.names))
