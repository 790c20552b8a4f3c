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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

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
from scoref.notes import WARNING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from scoref.matching.documents import Documents
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
    """See that two corpora are the same text, and number their words alike."""
    if key.words is None or not key.words.by_document:
        from scoref.matching.same_text import check_sentences

        check_sentences(key, response)
        return key, response, ()
    from scoref.matching.same_text import pair_texts

    return pair_texts(key, response, scheme)


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
    from scoref.matching.coval_filters import match_filtered

    return match_filtered(key, response, documents, scheme)


_MOST = 2**62


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
    entities = [
        entities_of(corpus, rows, documents.units)
        for corpus, rows in zip(corpora, document, strict=True)
    ]
    start = np.concatenate([corpus.mention_start for corpus in corpora])
    end = np.concatenate([corpus.mention_end for corpus in corpora])
    code = codes(np.concatenate(of_mention), start, end)
    distinct, number = np.unique(code, return_inverse=True)
    # A mention that is not in the text gets a number of its own.
    is_unplaced = np.concatenate([corpus.is_unplaced for corpus in corpora])
    number[is_unplaced] = len(distinct) + np.arange(is_unplaced.sum())
    count = len(distinct) + int(is_unplaced.sum())
    numbers = np.split(number, [len(of_mention[0])])
    sides = [
        _side(corpora[side], numbers[side], *entities[side]).where(
            of_mention[side] >= 0
        )
        for side in range(2)
    ]
    matched = Matched(documents.names, count, sides[0], sides[1])
    if documents.units is None:
        return matched
    names, unit, _ = documents.units
    places = Places(documents.names, unit, of_mention[0], of_mention[1])
    return matched._replace(documents=names, places=places)


def _side(corpus: Corpus, mention: Ints, number: Ints, entity_document: Ints) -> Side:
    entity = number[corpus.mention_entity]
    # Joined entities have rows in several documents; else they are sorted as it is.
    order = np.argsort(entity, kind="stable")
    return Side(
        mention=mention[order],
        entity=entity[order],
        line=corpus.mention_line[order],
        row=order,
        entity_document=entity_document,
        source=corpus.source,
    )


def exact_codes(key: Corpus, response: Corpus) -> Codes:
    """Give the function that makes equal integers of equal mentions."""
    if key.pieces is None and response.pieces is None:
        return span_codes
    shape = _shapes(key, response)

    def codes(document: Ints, start: Ints, end: Ints) -> Ints:
        _, span = np.unique(span_codes(document, start, end), return_inverse=True)
        found: Ints = span * (int(shape.max(initial=0)) + 1) + shape
        return found

    return codes


def _shapes(key: Corpus, response: Corpus) -> Ints:
    """Give mentions with the same gaps the same number; 0: there is no gap."""
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


def span_codes(document: Ints, start: Ints, end: Ints) -> Ints:
    """Pack document, start and end into one integer each."""
    if not len(document):
        return document
    length = np.zeros(document.max() + 2, dtype=np.int64)
    np.maximum.at(length, document + 1, end + 1)
    tokens_before = np.cumsum(length) - length
    widest = int((end - start).max()) + 1
    if float(length.sum()) * widest > _MOST:
        # Ranks are as good as offsets, and small.
        _, start = np.unique(start, return_inverse=True)
        _, end = np.unique(end, return_inverse=True)
        return (document * np.int64(len(start)) + start) * len(start) + end
    return (tokens_before[document + 1] + start) * np.int64(widest) + (end - start)


_OWN_NAME = "only in the key: {}"


def with_gold_mentions(key: Corpus, response: Corpus, scheme: Scheme) -> Corpus:
    """Drop and add mentions of the response, if the scheme says so, and tell it."""
    if scheme.mentions != "gold":
        return response
    documents = pair_documents(key, response, scheme)
    codes = _codes(key, response, documents)
    kept = np.isin(codes[1], codes[0]) & ~response.is_unplaced
    is_new = ~np.isin(codes[0], codes[1][kept]) & (codes[0] >= 0)
    distinct = np.unique(codes[0][is_new], return_index=True)[1]
    new = np.sort(np.flatnonzero(is_new)[distinct])
    found = _with_singletons(response.keep_mentions(kept), key, documents, new)
    dropped = len(kept) - int(kept.sum())
    return dataclasses.replace(
        found, notes=(*found.notes, *_gold_notes(dropped, len(new)))
    )


def _codes(key: Corpus, response: Corpus, documents: Documents) -> tuple[Ints, Ints]:
    """Give equal spans of paired documents the same code; -1: left out."""
    sides = (key, documents.key), (response, documents.response)
    document = np.concatenate(
        [scored_documents(side, rows)[side.mention_document] for side, rows in sides]
    )
    start = np.concatenate([side.mention_start for side, _ in sides])
    end = np.concatenate([side.mention_end for side, _ in sides])
    code = np.where(document < 0, -1, exact_codes(key, response)(document, start, end))
    return code[: len(key.mention_entity)], code[len(key.mention_entity) :]


def _with_singletons(
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
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    singletons = len(response.entity_label) + np.arange(len(new))
    entity = number[np.concatenate((response.mention_entity, singletons))]
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
    added = [key.documents[documents.key[each]] for each in lacking]
    lines = np.zeros(len(lacking), dtype=np.int64)
    return dataclasses.replace(
        response,
        documents=(*response.documents, *added),
        document_tokens=None if added else response.document_tokens,
        document_line=np.concatenate((response.document_line, lines)),
        document_topic=None,
        entity_document=entity_document[order],
        entity_label=tuple(labels[each] for each in order.tolist()),
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


def _gold_notes(dropped: int, added: int) -> tuple[Note, ...]:
    told = {
        "dropped-mentions": (dropped, "what the key lacks is dropped, mentions: {}"),
        "added-singletons": (added, "what the response lacks is a singleton: {}"),
    }
    return tuple(
        Note(kind, count, message.format(count))
        for kind, (count, message) in told.items()
        if count
    )


def drop_singletons(matched: Matched) -> Matched:
    """Take the entities of one mention out of both sides."""
    return matched._replace(
        key=_without_singletons(matched.key),
        response=_without_singletons(matched.response),
    )


def drop_short(matched: Matched) -> Matched:
    """Take out entities that have one listing, as coval does."""
    key, response = matched.key, matched.response
    return matched._replace(
        key=key.where(key.size[key.entity] > 1),
        response=response.where(response.size[response.entity] > 1),
    )


def _without_singletons(side: Side) -> Side:
    # Two listings of one mention are still one mention.
    width = np.int64(int(side.mention.max(initial=0)) + 1)
    once = is_first_of(side.entity * width + side.mention)
    size = np.bincount(side.entity[once], minlength=len(side.entity_document))
    return side.where(size[side.entity] > 1)


_NIL = "NIL"


def told_apart(
    matched: Matched, corpora: tuple[Corpus, Corpus], identity: Identity | None
) -> Matched:
    """Give mentions of the same span different numbers where something else differs."""
    if identity is None:
        return matched
    sides = matched.key, matched.response
    number = np.concatenate([side.mention for side in sides])
    for part in identity.split("+")[1:]:
        code = _identity_codes([side_of(part, corpus) for corpus in corpora])
        of_rows = [each[side.row] for each, side in zip(code, sides, strict=True)]
        both = number * (max(each.max(initial=0) for each in code) + 1)
        _, number = np.unique(both + np.concatenate(of_rows), return_inverse=True)
    key, response = np.split(number, [len(sides[0].mention)])
    return matched._replace(
        mention_count=int(number.max(initial=-1)) + 1,
        key=sides[0]._replace(mention=key),
        response=sides[1]._replace(mention=response),
    )


def side_of(part: str, corpus: Corpus) -> Sequence[str] | None:
    """Give what a corpus says of each mention's type, or of its id; None: nothing."""
    if part == "type":
        return corpus.mention_type
    if corpus.mention_kbid is None:
        return None
    return ["" if each.startswith(_NIL) else each for each in corpus.mention_kbid]


def _identity_codes(sides: list[Sequence[str] | None]) -> list[Ints]:
    """Number equal texts alike."""
    numbers: dict[str, int] = {}
    return [
        np.array(
            [numbers.setdefault(text, len(numbers)) for text in side or ()], np.int64
        )
        for side in sides
    ]


_QUESTIONS = {
    (0, -1): "are ends exclusive {here}?",
    (0, 1): "are ends exclusive {there}?",
    (-1, -1): "are tokens counted from 1 {here}?",
    (1, 1): "are tokens counted from 1 {there}?",
    (-1, -2): "are tokens counted from 1, and ends exclusive, {here}?",
    (1, 2): "are tokens counted from 1, and ends exclusive, {there}?",
    (-1, 0): "are tokens counted from 1 {here}, and ends exclusive {there}?",
    (1, 0): "are tokens counted from 1 {there}, and ends exclusive {here}?",
}

_FEW, _MANY = 4, 3  # less than a fourth, more than a third

_FEWEST = 3  # mentions of one document that match if they are moved

_SHARE = 0.01  # of all mentions; fewer hardly move a figure

WITHOUT_OFFSETS = frozenset(("entities", "scorch", "maven-ere"))
"""Where mentions are numbers without an order; elsewhere they are offsets."""


class Shift(NamedTuple):
    """How offsets of the response would have to be moved, and in which documents."""

    start: int
    end: int
    documents: Ints
    mentions: int  # of the response, in these documents
    common: int  # of them are the key's
    moved: int  # of them would be

    def question(self, *, here: str, there: str) -> str:
        """Ask what may be the cause, in the response (``here``) or in the key."""
        question = _QUESTIONS[self.start, self.end].format(here=here, there=there)
        return f"with {self._change} {self.moved:,} of them would be: {question}"

    @property
    def _change(self) -> str:
        if self.start == self.end:
            return _steps(self.start)
        parts = ((self.start, "at the start"), (self.end, "at the end"))
        return " and ".join(f"{_steps(by)} {where}" for by, where in parts if by)


def _steps(by: int) -> str:
    return f"{abs(by)} {'more' if by > 0 else 'less'}"


def find_shift(
    key: Corpus, response: Corpus, documents: Documents, matched: Matched | None = None
) -> Shift | None:
    """Find a shift by which many mentions match, in documents where hardly any do.

    ``matched`` is how the two sides match without it, if this is known.
    """
    places = _places(key, documents.key), _places(response, documents.response)
    count = len(documents.names)
    sizes = [np.bincount(place[place >= 0], minlength=count) for place in places]
    matched = matched or match_exact(key, response, documents)
    common = _common(matched, places[1], count)
    is_suspect = _FEW * common < np.minimum(*sizes)
    if not is_suspect.any():
        return None
    is_moved = [(place >= 0) & is_suspect[place] for place in places]
    sides = key.keep_mentions(is_moved[0]), response.keep_mentions(is_moved[1])
    found = []
    for start, end in _QUESTIONS:
        moved = _moved(*sides, documents, start, end)
        is_shifted = is_suspect & _helps(moved, common, sizes[1])
        if _helps(moved.sum(), common.sum(), sizes[1].sum()):
            is_shifted[:] = True
        else:
            # One or two mentions of a document match by chance.
            is_shifted &= moved >= _FEWEST
        where = np.flatnonzero(is_shifted)
        if moved[where].sum() > _SHARE * sizes[1].sum():
            sums = [int(each[where].sum()) for each in (sizes[1], common, moved)]
            found.append(Shift(start, end, where, *sums))
    return max(found, key=lambda shift: shift.moved, default=None)


def _helps(moved: Ints, common: Ints, size: Ints) -> Mask:
    """Tell where many of the mentions match if they are moved, and few do if not."""
    return (_MANY * moved > size) & (moved > _FEW * common)


def _places(side: Corpus, rows: Ints) -> Ints:
    """Number the document of each mention among the scored ones; -1: it is not."""
    return scored_documents(side, rows)[side.mention_document]


def _common(matched: Matched, place: Ints, count: int) -> Ints:
    """Count the response's mentions that are the key's, by document."""
    in_key = np.zeros(matched.mention_count, dtype=np.bool_)
    in_key[matched.key.mention] = True
    rows = matched.response.row[in_key[matched.response.mention]]
    return np.bincount(place[rows], minlength=count)


def _moved(
    key: Corpus, response: Corpus, documents: Documents, start: int, end: int
) -> Ints:
    """Count the mentions that match after a shift, by document."""
    first, last = response.mention_start + start, response.mention_end + end
    is_span = (first >= 0) & (first <= last)
    moved = dataclasses.replace(
        response, mention_start=first, mention_end=last
    ).keep_mentions(is_span)
    place = _places(moved, documents.response)
    return _common(match_exact(key, moved, documents), place, len(documents.names))
