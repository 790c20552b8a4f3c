"""Texts with several annotators: the same mentions, pairs of annotators, and links.

A *unit* is a mention that at least one annotator marked. `shared_documents` finds which
documents of the annotators are the same.

`unite` scores each pair of annotators like a key and a response, and gives every
mention one number. If matches are not exact, a mention may match different mentions of
two annotators. It gets the number of the annotator whose name sorts first, so numbers
do not depend on the order in which annotators are given.

`links_of` counts how many annotators made each link. A link is an unordered pair of
mentions of one entity, in one document. Mentions that all annotators treat alike form
an *atom*. Links are counted between atoms, so a large entity on which annotators agree
is a single item.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, TooLargeError, quoted
from scoref.formats.catalogue import COREFUD
from scoref.matching.as_spans import of_documents
from scoref.matching.documents import partners
from scoref.matching.duplicates import first_listed
from scoref.matching.same_text import refuse_other_words
from scoref.model import Note
from scoref.model.arrays import is_new, ranges, runs
from scoref.notes import note_lines
from scoref.scoring.format_defaults import ComparableSides, on_one_text
from scoref.scoring.pipeline import score_and_keep
from scoref.scoring.slices import slices_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.matching import Matched
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result

    Mask = NDArray[np.bool_]
    Pairs = Mapping[tuple[int, int], Result]


class AnnotatorMarks(NamedTuple):
    """A row for each mention of each annotator, sorted by annotator and unit.

    ``entity`` is a number that no other annotator's entity has. ``row`` is the
    mention's row in ``corpora[corpus]``.
    """

    unit: Ints
    annotator: Ints
    entity: Ints
    corpus: Ints
    row: Ints

    def where(self, kept: Mask | Ints) -> AnnotatorMarks:
        """Keep some of them."""
        return AnnotatorMarks(*(column[kept] for column in self))

    def of(self, annotator: int) -> AnnotatorMarks:
        """Keep those of an annotator."""
        start, end = np.searchsorted(self.annotator, (annotator, annotator + 1))
        return AnnotatorMarks(*(column[start:end] for column in self))


class Annotated(NamedTuple):
    """Documents that several people annotated.

    ``has`` says who has which document: a row for each document, a column for each
    annotator. ``rows`` are the numbers of the documents of each corpus. ``results`` are
    the scores of two annotators, by their numbers, over the documents that both have.
    ``slices`` are those of classes of mentions, if wanted. ``called`` has
    mentions that are values in Python, by document and number.
    """

    names: tuple[str, ...]
    documents: tuple[str, ...]
    has: Mask
    unit_document: Ints
    marks: AnnotatorMarks
    corpora: tuple[Corpus, ...]
    results: Pairs
    notes: tuple[Note, ...] = ()
    called: Mapping[str, Sequence[object]] = MappingProxyType({})
    slices: Mapping[tuple[int, int], Mapping[str, Result]] = MappingProxyType({})
    rows: tuple[Ints, ...] = ()

    def without_last(self) -> Annotated:
        """Leave out the last annotator, and mentions that only they marked."""
        people = len(self.names) - 1
        marks = self.marks.where(self.marks.annotator < people)
        kept = np.zeros(len(self.unit_document), dtype=np.bool_)
        kept[marks.unit] = True
        number = np.cumsum(kept) - 1
        return self._replace(
            names=self.names[:-1],
            has=self.has[:, :-1],
            unit_document=self.unit_document[kept],
            marks=marks._replace(unit=number[marks.unit]),
            results={
                pair: each for pair, each in self.results.items() if people not in pair
            },
        )


class AnnotatedDocuments(NamedTuple):
    """The documents of all corpora, and the number of each document of each corpus."""

    names: tuple[str, ...]
    numbers: tuple[Ints, ...]

    @property
    def has(self) -> NDArray[np.bool_]:
        """Mark who has which: a row for each document, a column for each corpus."""
        has = np.zeros((len(self.names), len(self.numbers)), dtype=np.bool_)
        for column, number in enumerate(self.numbers):
            has[number, column] = True
        return has


def shared_documents(corpora: Sequence[Corpus], scheme: Scheme) -> AnnotatedDocuments:
    """Pair the documents of all corpora as those of a key and a response are paired.

    Raises:
        AlignmentError: documents of the same name are different texts.
    """
    names: list[str] = []
    numbers: list[Ints] = []
    for place, corpus in enumerate(corpora):
        number = np.full(len(corpus.documents), -1, dtype=np.int64)
        for other in range(place):
            if (number >= 0).all():
                break
            _take_numbers(corpora[other], numbers[other], corpus, number, scheme)
        new = np.flatnonzero(number < 0)
        number[new] = len(names) + np.arange(len(new))
        names += [corpus.documents[row].name for row in new.tolist()]
        numbers.append(number)
    return AnnotatedDocuments(tuple(names), tuple(numbers))


def _take_numbers(
    other: Corpus, known: Ints, corpus: Corpus, number: Ints, scheme: Scheme
) -> None:
    """Give documents the numbers that they have in another corpus."""
    sides = in_one_text(other, corpus, scheme)
    partner = partners(sides.key, sides.response, scheme)
    both = np.flatnonzero(partner >= 0)
    rows = both, partner[both]
    new = (number[rows[1]] < 0) & ~np.isin(known[rows[0]], number)
    number[rows[1][new]] = known[rows[0][new]]
    is_compared = sides.scheme.words is not None or other.format != corpus.format
    if scheme.reading != "strict" or corpus.words is not None or is_compared:
        return
    if other.tokens is not None and corpus.tokens is not None:
        refuse_other_words(
            other.tokens.of_documents(rows[0][new]),
            corpus.tokens.of_documents(rows[1][new]),
            sources=(other.source, corpus.source),
            hint="Documents with the same name must have the same words.",
        )


def in_one_text(key: Corpus, response: Corpus, scheme: Scheme) -> ComparableSides:
    """Count mentions of two annotators in the same words; none gets lost."""
    # A lenient reading would drop mentions if one text is a part of the other.
    strict = dataclasses.replace(scheme, reading="strict")
    sides = on_one_text(
        key, response, strict if scheme.reading == "lenient" else scheme
    )
    for before, after in ((key, sides.key), (response, sides.response)):
        if len(before.mention_entity) != len(after.mention_entity):
            raise AlignmentError(
                "some mentions of this file are not in the text of the other file",
                source=before.source,
                hint=f"{key.source} and {response.source} must have the same text.",
            )
    scheme = dataclasses.replace(
        scheme, words=sides.scheme.words, borders=sides.scheme.borders
    )
    return ComparableSides(sides.key, sides.response, scheme)


def unite(
    people: Sequence[tuple[str, Corpus]],
    scheme: Scheme,
    metrics: tuple[str, ...],
    *,
    by: str | None = None,
    has_response: bool = False,
    first: int = 0,
) -> Annotated:
    """Score each pair of annotators, and number the mentions that they marked.

    Args:
        people: names and corpora.
        scheme: how they are scored; annotators without a document are not scored on it.
        metrics: what they are scored by.
        by: classes of mentions to score as well.
        has_response: whether the last one is a system, which is never the key.
        first: how many of the first ones have their mentions before all others.
    """
    names = [name for name, _ in people]
    last = len(names) - 1
    annotators = range(first, last if has_response else len(names))
    order = [*range(first), *sorted(annotators, key=names.__getitem__)]
    order += [last] if has_response else []
    united = _United([corpus for _, corpus in people], scheme, order)
    results, slices, notes = {}, {}, []
    for one, other in united.pairs():
        pair = one, other
        is_swapped = names[other] < names[one]
        if is_swapped and not (has_response and other == last):
            pair = other, one
        result, slices[one, other] = united.score(*pair, metrics, by)
        results[one, other] = result
        who = f"{names[pair[0]]} (as key) and {names[pair[1]]} (as response)"
        # Notes on one of the two are not about the pair.
        own = {note for number in pair for note in united.corpora[number].notes}
        of_pair = dict.fromkeys(
            note
            for scored in (result, *slices[one, other].values())
            for note in scored.notes
        )
        notes += [
            (who, note)
            for note in of_pair
            if note.kind not in _OBVIOUS and note not in own
        ]
    missing = united.missing_documents(names, last if has_response else len(names))
    lines = [*_note_lines(names, united.corpora, notes), *missing]
    return united.annotated(names, results, lines)._replace(slices=slices)


_OBVIOUS = frozenset(
    (
        *("empty-documents", "global-labels", "gold-mentions", "no-mentions"),
        *("no-singletons", "no-singletons-in-key", "same-as-key", "swapped-files"),
        "undefined",
    )
)
"""Notes on what the tables show, or on documents that do not count."""

_MISSING = "missing-documents"


def _note_lines(
    names: Sequence[str],
    corpora: Sequence[Corpus],
    of_pairs: Iterable[tuple[str, Note]],
) -> list[Note]:
    """Merge the notes on each annotator and on each pair, a line for each kind."""
    of_people = [
        (name, note)
        for name, corpus in zip(names, corpora, strict=True)
        for note in corpus.notes
        if note.kind != _MISSING  # they have a line for each annotator
    ]
    lines = [*note_lines(of_people, of=len(names) + 1), *note_lines(of_pairs, of=2**31)]
    return [Note("annotators", 1, line) for line in lines]


class _United:
    """The matches of mentions that are known so far, annotator by annotator.

    ``order`` decides whose mention another one counts as, if it matches several.
    """

    def __init__(
        self, corpora: list[Corpus], scheme: Scheme, order: Sequence[int]
    ) -> None:
        self.corpora = corpora
        self._scheme = scheme
        self._order = order
        self._documents = shared_documents(corpora, scheme)
        self._has = self._documents.has
        self._is_mention = [
            np.zeros(len(each.mention_entity), bool) for each in corpora
        ]
        self._matches: dict[tuple[int, int], tuple[Ints, Ints]] = {}

    def pairs(self) -> list[tuple[int, int]]:
        """List the pairs with a common document."""
        common = self._has.T.astype(np.int64) @ self._has
        return [
            pair for pair in combinations(range(len(self.corpora)), 2) if common[pair]
        ]

    def score(
        self, key: int, response: int, metrics: tuple[str, ...], by: str | None
    ) -> tuple[Result, dict[str, Result]]:
        """Score one against another, and remember which mentions were matched."""
        sides = _sides(self.corpora, self._documents, self._scheme, key, response)
        kept = score_and_keep(sides.key, sides.response, sides.scheme, metrics)
        for number, rows, side in (
            (key, sides.key_rows, kept.matched.key),
            (response, sides.response_rows, kept.matched.response),
        ):
            self._is_mention[number][rows[side.row[first_listed(side)]]] = True
        ours, theirs = _matched_rows(kept.matched)
        matches = sides.key_rows[ours], sides.response_rows[theirs]
        self._matches[key, response] = matches
        self._matches[response, key] = matches[::-1]
        of_both = partial(self._of_both, sides.key_documents, response)
        slices = slices_of(kept, by) if by else {}
        return of_both(kept.result), {
            name: of_both(each) for name, each in slices.items()
        }

    def _of_both(self, documents: Ints, response: int, result: Result) -> Result:
        """Keep the documents that both have; the others are not errors."""
        rows = np.flatnonzero(self._has[documents, response])
        numbers = documents[rows].tolist()
        names = tuple(self._documents.names[number] for number in numbers)
        kept = result
        if len(rows) < len(result.documents):
            kept = result.of_documents(rows.tolist())
        scheme = dataclasses.replace(result.scheme, missing=None)
        return dataclasses.replace(kept, documents=names, scheme=scheme)

    def missing_documents(
        self, names: Sequence[str], annotators: int
    ) -> Iterator[Note]:
        """Report who lacks documents that annotators have."""
        is_annotated = self._has[:, :annotators].any(axis=1)
        for name, has in zip(names, self._has.T, strict=True):
            rows = np.flatnonzero(is_annotated & ~has).tolist()
            if not rows:
                continue
            missing = f"{'is' if len(rows) == 1 else 'are'} missing"
            message = (
                f"{name}: {len(rows):,} of {int(is_annotated.sum()):,} documents "
                f"{missing} ({quoted([self._documents.names[row] for row in rows])})."
            )
            yield Note(_MISSING, len(rows), message)

    def annotated(
        self,
        names: Sequence[str],
        results: dict[tuple[int, int], Result],
        notes: Iterable[Note],
    ) -> Annotated:
        """Number the mentions of all annotators."""
        units: dict[int, Ints] = {}
        unit_document = np.zeros(0, dtype=np.int64)
        for number in self._order:
            units[number], new = self._number_mentions(number, units, unit_document)
            unit_document = np.concatenate((unit_document, new))
        return Annotated(
            names=tuple(names),
            documents=self._documents.names,
            has=self._has,
            unit_document=unit_document,
            marks=_marks(self.corpora, [units[row] for row in sorted(units)]),
            corpora=tuple(self.corpora),
            results=results,
            notes=tuple(notes),
            rows=self._documents.numbers,
        )

    def _number_mentions(
        self, number: int, units: Mapping[int, Ints], unit_document: Ints
    ) -> tuple[Ints, Ints]:
        """Give mentions the units that they were matched with, or new ones."""
        corpus = self.corpora[number]
        document = self._documents.numbers[number][corpus.mention_document]
        unit = np.full(len(document), -1, dtype=np.int64)
        is_free = np.ones(len(unit_document), dtype=np.bool_)
        for other, numbered in units.items():
            if (other, number) not in self._matches:
                continue
            theirs, mine = self._matches[other, number]
            known = numbered[theirs]
            new = (unit[mine] < 0) & (known >= 0)
            new[new] = is_free[known[new]]
            unit[mine[new]] = known[new]
            is_free[known[new]] = False
        is_lone = self._has.sum(axis=1)[document] == 1
        own = np.flatnonzero((unit < 0) & (self._is_mention[number] | is_lone))
        unit[own] = len(unit_document) + np.arange(len(own))
        return unit, document[own]


class _Sides(NamedTuple):
    """Two corpora that can be scored, and their rows in the complete corpora."""

    key: Corpus
    response: Corpus
    key_rows: Ints
    response_rows: Ints
    key_documents: Ints  # their numbers among the documents of all
    scheme: Scheme


def _sides(
    corpora: Sequence[Corpus],
    documents: AnnotatedDocuments,
    scheme: Scheme,
    key: int,
    response: int,
) -> _Sides:
    """Reduce two corpora to the text that both have."""
    pair = corpora[key], corpora[response]
    ours, theirs = documents.numbers[key], documents.numbers[response]
    if any(corpus.format != COREFUD for corpus in pair):
        rows = [np.arange(len(corpus.mention_entity)) for corpus in pair]
        sides = in_one_text(*pair, scheme)
        empty = dataclasses.replace(sides.scheme, missing="empty")
        return _Sides(sides.key, sides.response, rows[0], rows[1], ours, empty)
    both = ours[np.isin(ours, theirs)]
    place = {number: row for row, number in enumerate(theirs.tolist())}
    in_key = np.flatnonzero(np.isin(ours, theirs))
    in_response = np.array([place[number] for number in both.tolist()], dtype=np.int64)
    key_part, key_rows = of_documents(pair[0], in_key)
    response_part, response_rows = of_documents(pair[1], in_response)
    return _Sides(key_part, response_part, key_rows, response_rows, both, scheme)


def _matched_rows(matched: Matched) -> tuple[Ints, Ints]:
    """Return the rows of the mentions that were matched, on both sides."""
    to_response, _ = matched.partners
    there = np.flatnonzero((to_response >= 0) & first_listed(matched.key))
    response = matched.response
    row = np.full(matched.mention_count, -1, dtype=np.int64)
    row[response.mention[::-1]] = response.row[::-1]  # the first listing stays
    return matched.key.row[there], row[to_response[there]]


def _marks(corpora: Sequence[Corpus], units: Sequence[Ints]) -> AnnotatorMarks:
    parts, entities = [], 0
    for number, (corpus, unit) in enumerate(zip(corpora, units, strict=True)):
        row = np.flatnonzero(unit >= 0)
        row = row[np.argsort(unit[row], kind="stable")]
        who = np.full(len(row), number, dtype=np.int64)
        parts.append(
            AnnotatorMarks(
                unit[row], who, corpus.mention_entity[row] + entities, who, row
            )
        )
        entities += len(corpus.entity_document)
    return AnnotatorMarks(*map(np.concatenate, zip(*parts, strict=True)))


_MOST_PAIRS = 1 << 26

_PAIRS_AT_ONCE = 1 << 22


class Atoms(NamedTuple):
    """The atom of each unit, and the size and the document of each atom."""

    of_unit: Ints
    size: Ints
    document: Ints


class Links(NamedTuple):
    """Kinds of links: their atoms, their number, and who made them.

    ``first`` is ``second`` if a link is inside an atom. ``votes`` counts people,
    ``is_made`` is about the response.
    """

    first: Ints
    second: Ints
    document: Ints
    times: Ints
    votes: Ints
    is_made: Mask


def atoms_of(annotated: Annotated) -> Atoms:
    """Group mentions that every annotator has in one entity, or that none links."""
    count = len(annotated.unit_document)
    atom = annotated.unit_document.copy()
    next_atom = len(annotated.documents)
    for number in range(len(annotated.names)):
        marks = annotated.marks.of(number)
        # Mentions that an annotator marks differ from those that they do not mark.
        code = atom[marks.unit] * (int(marks.entity.max(initial=0)) + 1) + marks.entity
        distinct, new = np.unique(code, return_inverse=True)
        atom[marks.unit] = next_atom + new
        next_atom += len(distinct)
    _, first, of_unit = np.unique(atom, return_index=True, return_inverse=True)
    size = np.bincount(of_unit, minlength=len(first)) if count else first
    return Atoms(of_unit, size, annotated.unit_document[first])


def links_of(annotated: Annotated, atoms: Atoms, response: int | None) -> Links:
    """Count the links of atoms that any annotator puts into one entity."""
    parts = list(_link_parts(annotated.marks, atoms, response))
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return Links(*(nothing,) * 5, nothing.astype(np.bool_))
    return Links(*map(np.concatenate, zip(*parts, strict=True)))


def _link_parts(
    marks: AnnotatorMarks, atoms: Atoms, response: int | None
) -> Iterator[Links]:
    """Count links for as many documents at once as memory allows."""
    width = np.int64(len(atoms.size))
    code = np.unique(marks.entity * width + atoms.of_unit[marks.unit])
    owner, atom = code // width, code % width  # the atoms of each entity
    by_document = np.argsort(atoms.document[atom], kind="stable")
    # Entities stay whole, because each is in one document.
    owner, atom = owner[by_document], atom[by_document]
    order = np.lexsort((owner, atoms.document[atom]))
    owner, atom = owner[order], atom[order]
    start, length = runs(owner)
    pairs = length * (length + 1) // 2
    if int(pairs.sum()) > _MOST_PAIRS:
        raise TooLargeError(
            f"annotators disagree about {int(pairs.sum()):,} pairs of mentions, which "
            "are too many to count"
        )
    entities, first = np.unique(marks.entity, return_index=True)
    document = atoms.document[atom[start]] if len(start) else start
    portion = np.cumsum(pairs) // _PAIRS_AT_ONCE
    if len(portion):
        # All entities of a document are in one portion, so no link is counted twice.
        is_first = is_new(document)
        portion = portion[is_first][np.cumsum(is_first) - 1]
    for number in np.unique(portion).tolist():
        rows = np.flatnonzero(portion == number)
        one, other, source = _pair_atoms(start[rows], length[rows], atom)
        maker = marks.annotator[first[np.searchsorted(entities, owner[start[rows]])]]
        yield _count_votes(one, other, maker[source], atoms, response)


def _pair_atoms(start: Ints, length: Ints, atom: Ints) -> tuple[Ints, Ints, Ints]:
    """Pair the atoms of each entity, each also with itself; return the entity, too."""
    first = ranges(start, length)
    # An atom is paired with itself and with those after it in its entity.
    times = np.repeat(start + length, length) - first
    source = np.repeat(np.repeat(np.arange(len(length)), length), times)
    return atom[np.repeat(first, times)], atom[ranges(first, times)], source


def _count_votes(
    one: Ints, other: Ints, maker: Ints, atoms: Atoms, response: int | None
) -> Links:
    width = np.int64(len(atoms.size))
    low, high = np.minimum(one, other), np.maximum(one, other)
    code, number = np.unique(low * width + high, return_inverse=True)
    is_response = maker == (-1 if response is None else response)
    votes = np.bincount(number, ~is_response, len(code)).astype(np.int64)
    made = np.bincount(number, is_response, len(code)) > 0
    first, second = code // width, code % width
    size = atoms.size
    times = np.where(
        first == second,
        size[first] * (size[first] - np.int64(1)) // 2,
        np.multiply(size[first], size[second], dtype=np.int64),
    )
    kept = times > 0
    return Links(
        first[kept],
        second[kept],
        atoms.document[first[kept]],
        times[kept],
        votes[kept],
        made[kept],
    )
