"""Matching of mentions that are sets of words, as the CorefUD and UA scorers do it.

On each side, listings of a mention that repeat inside an entity are dropped, then
singletons, then zeros, as the scheme says. Non-referring mentions do not belong to any
entity. The remaining mentions are matched one to one in phases, each among the mentions
that the earlier phases left:

1. zeros with zeros of the same sentence, by their dependencies
   (``zeros:dependent``);
2. equal mentions;
3. similar mentions: ``partial``, where the response has the key's minimum (in CorefUD,
   its head) and no word beyond the key's; ``head``, where the heads are the same word;
   ``craft``, see `word_rules`; or ``overlap``, see `overlap`.

Phases 1 and 3 maximise the sum of scores over a document, and break ties as the
official scorer does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import DuplicateError, place_of
from scoref.matching import Matched, Side
from scoref.matching.assignment import assign
from scoref.matching.duplicates import is_first_of
from scoref.matching.plurals import find_plurals
from scoref.matching.ragged import Ragged, count_shared, join_rows, number_rows
from scoref.matching.word_rules import (
    craft_matches,
    dependency_scores,
    head_notes,
    targets,
)
from scoref.model import Note
from scoref.model.arrays import are_among, number_and_first, runs, starts
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scheme import overlap_threshold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching.plurals import Plurals
    from scoref.model import Corpus, Ints, Words
    from scoref.scheme import Scheme

    Mask = NDArray[np.bool_]
    Floats = NDArray[np.float64]


class WordSide(NamedTuple):
    """One side after filtering: its listings, and its distinct mentions in columns.

    Equal mentions have the same ``number`` on both sides.
    """

    side: Side
    number: Ints
    document: Ints
    words: Ragged
    minimum: Ragged
    head: Ints
    is_zero: Mask
    listed_head: Ints
    listed_is_zero: Mask
    listed_upos: NDArray[np.uint64]
    corpus: Corpus
    corpus_words: Words
    corpus_number: Ints  # of all mentions that were read
    plurals: Plurals

    @property
    def listed_row(self) -> Ints:
        """Return the row of each listing's mention among the distinct ones."""
        row = np.empty(int(self.number.max(initial=-1)) + 1, dtype=np.int64)
        row[self.number] = np.arange(len(self.number))
        return row[self.side.mention]

    @property
    def listed_words(self) -> Ragged:
        """Return the words of each listing."""
        return self.words.take(self.listed_row)

    def order(self, among: Mask) -> Ints:
        """Sort mentions by document, first word, last word and number of words.

        The official scorer does not define the order of mentions that are equal in all
        of these. They are sorted by words here, and then by heads.
        """
        first = self.words.value[self.words.start[:-1]]
        last = self.words.value[self.words.start[1:] - 1]
        length = self.words.length
        keys = (self.head, length, last, first, self.document)
        order = np.flatnonzero(among)
        order = order[np.lexsort([column[order] for column in keys])]
        same = np.ones(max(0, len(order) - 1), dtype=np.bool_)
        for column in (first, last, length):
            same &= np.diff(column[order]) == 0
        tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
        rows = order[tied].tolist()
        rows.sort(
            key=lambda row: (
                self.document[row],
                first[row],
                last[row],
                length[row],
                self.words.tuple(row),
                self.head[row],
            )
        )
        order[tied] = rows
        return order


class Pairs(NamedTuple):
    """Pairs of matched mentions, by their rows among the distinct ones."""

    key: Ints
    response: Ints


class WordMatches(NamedTuple):
    """Both sides, the pairs of matched mentions, and the words that mentions share."""

    key: WordSide
    response: WordSide
    pairs: Pairs
    shared: tuple[Ints, Ints, Ints]

    @property
    def numbers(self) -> tuple[Ints, Ints]:
        """Return the numbers of matched mentions, on their own side."""
        return (
            self.key.number[self.pairs.key],
            self.response.number[self.pairs.response],
        )

    def partners(self, count: int) -> tuple[Ints, Ints]:
        """Return the number of each listing's match on the other side, or -1."""
        ours, theirs = self.numbers
        to_response, to_key = np.full((2, count), -1, dtype=np.int64)
        to_response[ours], to_key[theirs] = theirs, ours
        return to_response[self.key.side.mention], to_key[self.response.side.mention]


def match_words(key: Corpus, response: Corpus, scheme: Scheme) -> Matched:
    """Filter both sides and match what is left."""
    assert key.words is not None
    assert response.words is not None
    rows = [Ragged(side.start, side.member) for side in (key.words, response.words)]
    heads = np.concatenate((key.words.head, response.words.head))
    by_head = heads if scheme.match == "head" else None
    number, count = number_rows(join_rows(rows[0], rows[1]), by_head)
    numbers = np.split(number, [len(key.mention_entity)])
    known: dict[frozenset[tuple[int, ...]], int] = {}
    sides, notes = [], []
    for corpus, own in zip((key, response), numbers, strict=True):
        side, plural_notes = _filter_side(corpus, own, scheme, known)
        sides.append(side)
        notes += plural_notes
    common = count_shared(sides[0].words, sides[1].words)
    pairs = _match_in_phases(sides[0], sides[1], common, count, scheme)
    notes += _duplicate_notes(sides[0].side, "key")
    notes += _duplicate_notes(sides[1].side, "response")
    notes += head_notes(key, response, scheme)
    words = WordMatches(sides[0], sides[1], pairs, common)
    return Matched(
        documents=tuple(document.name for document in key.documents),
        mention_count=count,
        key=sides[0].side,
        response=sides[1].side,
        notes=tuple(notes),
        lead=targets(words, count, scheme.alignment or "official"),
        words=words,
    )


def _filter_side(
    corpus: Corpus,
    number: Ints,
    scheme: Scheme,
    known: dict[frozenset[tuple[int, ...]], int],
) -> tuple[WordSide, list[Note]]:
    """Drop repeats inside entities, then singletons, then zeros."""
    words = corpus.words
    assert words is not None
    anaphora = corpus.anaphora if scheme.split_antecedents == "keep" else None
    plurals, merged, notes = find_plurals(corpus, anaphora, number, known)
    entity = merged[corpus.mention_entity]
    size = np.zeros(len(corpus.entity_document), dtype=np.int64)
    size[plurals.entity] = 1
    refers = corpus.mention_document >= 0
    if corpus.anaphora is not None:
        refers &= corpus.anaphora.is_referring[corpus.mention_entity]
    kept = _is_listed(corpus, entity, number, refers, scheme)
    if scheme.singletons == "drop":
        # As in the UA scorer, a mention that is listed twice there is not a singleton.
        counted = refers if scheme.duplicates == "ua" else kept
        size += np.bincount(entity[counted], minlength=len(size))
        kept &= size[entity] > 1
    if scheme.zeros == "drop":
        kept &= ~words.is_zero
    rows = np.flatnonzero(kept)
    rows = rows[np.argsort(entity[rows], kind="stable")]
    is_used = np.bincount(entity[rows], minlength=len(size)) > 0
    is_used[plurals.entity] = True
    side = Side(
        mention=number,
        entity=entity,
        line=corpus.mention_line,
        row=np.arange(len(entity)),
        entity_document=corpus.entity_document,
        source=corpus.source,
    ).of_entities(rows, is_used)
    _, first = number_and_first(number[rows])
    row = rows[first]
    minimum = words.minimum or (np.arange(len(number) + 1), words.head)
    filtered = WordSide(
        side=side,
        number=number[row],
        document=corpus.entity_document[entity[row]],
        words=Ragged(words.start, words.member).take(row),
        minimum=Ragged(*minimum).take(row),
        head=words.head[row],
        is_zero=words.is_zero[row],
        listed_head=words.head[rows],
        listed_is_zero=words.is_zero[rows],
        listed_upos=words.head_upos[rows],
        corpus=corpus,
        corpus_words=words,
        corpus_number=number,
        plurals=plurals._replace(entity=(np.cumsum(is_used) - 1)[plurals.entity]),
    )
    return filtered, notes


def _is_listed(
    corpus: Corpus, entity: Ints, number: Ints, refers: Mask, scheme: Scheme
) -> Mask:
    """Mark the listings that refer, one per entity and mention unless repeats stay."""
    kept = refers.copy()
    # The UA scorer drops repeats only if it scores split antecedents.
    if scheme.duplicates != "ua" or scheme.split_antecedents == "keep":
        width = np.int64(int(number.max(initial=0)) + 1)
        kept[kept] = is_first_of(entity[kept] * width + number[kept])
    if scheme.duplicates in {"corefud", "ua"}:  # two entities may list a mention
        return kept
    number, line = number[kept], corpus.mention_line[kept]
    is_first = is_first_of(number)
    if scheme.duplicates == "error" and not is_first.all():
        raise DuplicateError(
            "this mention is listed twice "
            f"({counted(int((~is_first).sum()), 'duplicate')} on this side)",
            source=corpus.source,
            line=int(line[~is_first].min()),
            hint="A mention must be in one entity. Use --duplicates first or last "
            "(duplicates=first in Python) to choose which one.",
        )
    is_last = scheme.duplicates == "last"
    kept[kept] = is_first_of(number[::-1])[::-1] if is_last else is_first
    return kept


def _duplicate_notes(side: Side, role: str) -> list[Note]:
    width = np.int64(int(side.mention.max(initial=0)) + 1)
    inside = ~is_first_of(side.entity * width + side.mention)
    elsewhere = ~is_first_of(side.mention) & ~inside
    kinds = (
        (
            elsewhere,
            "in two entities",
            "The later entity gets the credit; both count them in their size.",
        ),
        (inside, "listed twice in one entity", "Each time counts."),
    )
    notes = []
    for marks, where, what in kinds:
        if count := int(marks.sum()):
            are = counted(count, f"{role} mention is", f"{role} mentions are")
            place = place_of(side.source, int(side.line[marks].min()))
            message = f"{WARNING}{are} {where} (first: {place}). {what}"
            notes.append(Note(f"duplicates-in-{role}", count, message))
    return notes


def _match_in_phases(
    key: WordSide,
    response: WordSide,
    common: tuple[Ints, Ints, Ints],
    count: int,
    scheme: Scheme,
) -> Pairs:
    """Match mentions one to one, each phase among those that are still free."""
    free = np.ones(len(key.number), np.bool_), np.ones(len(response.number), np.bool_)
    phases = []

    def add_phase(pairs: Pairs) -> None:
        phases.append(pairs)
        free[0][pairs.key] = free[1][pairs.response] = False

    if scheme.zeros == "dependent":
        zeros = dependency_scores(
            (key.head, key.is_zero, key.corpus_words.dependencies),
            (response.head, response.is_zero, response.corpus_words.dependencies),
        )
        are_zeros = key.is_zero, response.is_zero
        add_phase(_assign_pairs(key, response, are_zeros, *zeros))
    row = np.full(count, -1, dtype=np.int64)
    row[response.number[free[1]]] = np.flatnonzero(free[1])
    ours = np.flatnonzero(free[0])
    equal = row[key.number[ours]]
    add_phase(Pairs(ours[equal >= 0], equal[equal >= 0]))
    if scheme.match == "craft":
        places = _places(key, free[0])[0], _places(response, free[1])[0]
        add_phase(Pairs(*craft_matches(key.words, response.words, common, places)))
    elif threshold := overlap_threshold(scheme.match):
        from scoref.matching.overlap import pair_word_sets

        rows = key.order(free[0]), response.order(free[1])
        words = key.words.take(rows[0]), response.words.take(rows[1])
        row, other = pair_word_sets(*words, threshold)
        add_phase(Pairs(rows[0][row], rows[1][other]))
    elif scheme.match != "exact":
        similar = _similar(key, response, common, free, scheme.match == "head")
        add_phase(_assign_pairs(key, response, free, *similar))
    return Pairs(*(np.concatenate(rows) for rows in zip(*phases, strict=True)))


def _similar(
    key: WordSide,
    response: WordSide,
    common: tuple[Ints, Ints, Ints],
    free: tuple[Mask, Mask],
    by_head: bool,
) -> tuple[Ints, Ints, Floats]:
    """Score pairs that may match by the share of the key's words in the response."""
    ours, theirs, count = common
    kept = free[0][ours] & free[1][theirs]
    if by_head:
        kept &= key.head[ours] == response.head[theirs]
    else:
        kept &= count == response.words.length[theirs]
        # The response must have all words of the key's minimum.
        row, other, minimum = count_shared(key.minimum, response.words)
        is_whole = minimum == key.minimum.length[row]
        width = np.int64(max(1, len(response.number)))
        code = row[is_whole] * width + other[is_whole]
        kept[kept] = are_among(ours[kept] * width + theirs[kept], code)
    ours, theirs, count = ours[kept], theirs[kept], count[kept]
    return ours, theirs, count / key.words.length[ours]


def _assign_pairs(
    key: WordSide,
    response: WordSide,
    among: tuple[Mask, Mask],
    ours: Ints,
    theirs: Ints,
    score: Floats,
) -> Pairs:
    """Match by score, document by document, in the official order of mentions."""
    row, rows = _places(key, among[0])
    column, columns = _places(response, among[1])
    document = key.document[ours]
    order = np.argsort(document, kind="stable")
    chosen = [np.empty(0, dtype=np.int64)]
    for first, length in zip(*runs(document[order]), strict=True):
        edges = order[first : first + length]
        here = document[edges[0]]
        size = int(rows[here]), int(columns[here])
        places = row[ours[edges]], column[theirs[edges]]
        chosen.append(edges[assign(*size, *places, score[edges])])
    edges = np.concatenate(chosen)
    return Pairs(ours[edges], theirs[edges])


def _places(side: WordSide, among: Mask) -> tuple[Ints, Ints]:
    """Return the places of some mentions in their documents, and how many those have.

    Other mentions have the place -1.
    """
    order = side.order(among)
    document = side.document[order]
    size = np.bincount(document, minlength=int(side.document.max(initial=0)) + 1)
    place = np.full(len(side.number), -1, dtype=np.int64)
    place[order] = np.arange(len(order)) - starts(size)[document]
    return place, size
