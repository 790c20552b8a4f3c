"""Scores of each pair of annotators, and the links that each of them made.

`unite` scores each pair and gives every mention one number: a mention of a later
annotator gets the number of the first mention with which scoring matched it.

`links_of` counts how many annotators made each link. A link is an unordered pair of
mentions of one entity, in one document. Mentions that all annotators treat alike form
an *atom*. Links are counted between atoms, so a large entity on which annotators agree
is a single item.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import TooLargeError
from scoref.formats.catalogue import COREFUD
from scoref.matching.as_spans import of_documents
from scoref.matching.duplicates import first_listed
from scoref.model import Note
from scoref.notes import note_lines
from scoref.scoring.annotators import (
    Annotated,
    AnnotatorMarks,
    in_one_text,
    shared_documents,
)
from scoref.scoring.pipeline import score_and_keep
from scoref.scoring.slices import slices_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme
    from scoref.scoring.annotators import AnnotatedDocuments
    from scoref.scoring.results import Result

    Mask = NDArray[np.bool_]


def unite(
    people: Sequence[tuple[str, Corpus]],
    scheme: Scheme,
    metrics: tuple[str, ...],
    *,
    by: str | None = None,
    has_response: bool = False,
) -> Annotated:
    """Score each two annotators, and number what they marked.

    Args:
        people: names and corpora, in an order that decides who has a mention first.
        scheme: how they are scored; who lacks a document is not scored on it.
        metrics: what they are scored by.
        by: classes of mentions to score as well.
        has_response: whether the last one is a system: the key is always another.
    """
    united = _United([corpus for _, corpus in people], scheme)
    names = [name for name, _ in people]
    last = len(names) - 1
    results, slices, told = {}, {}, []
    for first, second in united.pairs():
        pair = first, second
        is_swapped = names[second] < names[first]
        if is_swapped and not (has_response and second == last):
            pair = second, first
        result, slices[first, second] = united.score(*pair, metrics, by)
        results[first, second] = result
        who = f"{names[pair[0]]} (as key) and {names[pair[1]]} (as response)"
        told += [(who, note) for note in _about_pairs(result, united.corpora, pair)]
    found = united.annotated(names, results, _noted(names, united.corpora, told))
    return found._replace(slices=slices)


class _United:
    """What is known so far of mentions, annotator by annotator."""

    def __init__(self, corpora: list[Corpus], scheme: Scheme) -> None:
        self.corpora = corpora
        self._scheme = scheme
        self._documents = shared_documents(corpora, scheme)
        self._has = self._documents.has
        self._is_mention = [
            np.zeros(len(each.mention_entity), bool) for each in corpora
        ]
        self._matches: dict[int, list[tuple[int, Ints, Ints]]] = {}

    def pairs(self) -> list[tuple[int, int]]:
        """List who have a document in common; all pairs of the first come first."""
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
        matches = {key: sides.key_rows[ours], response: sides.response_rows[theirs]}
        first, second = sorted(matches)
        found = self._matches.setdefault(second, [])
        found.append((first, matches[first], matches[second]))
        of_both = partial(self._of_both, sides.key_documents, response)
        slices = slices_of(kept, by) if by else {}
        return of_both(kept.result), {
            name: of_both(each) for name, each in slices.items()
        }

    def _of_both(self, documents: Ints, response: int, result: Result) -> Result:
        """Keep the documents that both have: the others are nobody's fault."""
        rows = np.flatnonzero(self._has[documents, response])
        names = tuple(self._documents.names[each] for each in documents[rows].tolist())
        kept = result
        if len(rows) < len(result.documents):
            kept = result.of_documents(rows.tolist())
        scheme = dataclasses.replace(result.scheme, missing=None)
        return dataclasses.replace(kept, documents=names, scheme=scheme)

    def annotated(
        self,
        names: Sequence[str],
        results: dict[tuple[int, int], Result],
        notes: Iterable[Note],
    ) -> Annotated:
        """Number the mentions of all."""
        units: list[Ints] = []
        unit_document = np.zeros(0, dtype=np.int64)
        for number in range(len(self.corpora)):
            unit, new = self._numbered(number, units, unit_document)
            units.append(unit)
            unit_document = np.concatenate((unit_document, new))
        return Annotated(
            names=tuple(names),
            documents=self._documents.names,
            has=self._has,
            unit_document=unit_document,
            marks=_marks(self.corpora, units),
            corpora=tuple(self.corpora),
            results=results,
            notes=tuple(notes),
        )

    def _numbered(
        self, number: int, units: list[Ints], unit_document: Ints
    ) -> tuple[Ints, Ints]:
        """Give mentions the units that they were matched with, or new ones."""
        corpus = self.corpora[number]
        document = self._documents.numbers[number][corpus.mention_document]
        unit = np.full(len(document), -1, dtype=np.int64)
        is_free = np.ones(len(unit_document), dtype=np.bool_)
        for other, theirs, mine in self._matches.get(number, []):
            found = units[other][theirs]
            new = (unit[mine] < 0) & (found >= 0)
            new[new] = is_free[found[new]]
            unit[mine[new]] = found[new]
            is_free[found[new]] = False
        is_lone = self._has.sum(axis=1)[document] == 1
        own = np.flatnonzero((unit < 0) & (self._is_mention[number] | is_lone))
        unit[own] = len(unit_document) + np.arange(len(own))
        return unit, document[own]


class _Sides(NamedTuple):
    """Two corpora that can be scored, and what their rows are in the whole ones."""

    key: Corpus
    response: Corpus
    key_rows: Ints
    response_rows: Ints
    key_documents: Ints  # by their numbers among those of all
    scheme: Scheme


def _sides(
    corpora: Sequence[Corpus],
    documents: AnnotatedDocuments,
    scheme: Scheme,
    key: int,
    response: int,
) -> _Sides:
    """Let two corpora be the same text, as far as both have it."""
    pair = corpora[key], corpora[response]
    ours, theirs = documents.numbers[key], documents.numbers[response]
    if any(each.format != COREFUD for each in pair):
        whole, others = (np.arange(len(each.mention_entity)) for each in pair)
        found = in_one_text(*pair, scheme)
        empty = dataclasses.replace(found.scheme, missing="empty")
        return _Sides(found.key, found.response, whole, others, ours, empty)
    both = ours[np.isin(ours, theirs)]
    place = {number: row for row, number in enumerate(theirs.tolist())}
    in_key = np.flatnonzero(np.isin(ours, theirs))
    in_response = np.array([place[each] for each in both.tolist()], dtype=np.int64)
    key_part, key_rows = of_documents(pair[0], in_key)
    response_part, response_rows = of_documents(pair[1], in_response)
    return _Sides(key_part, response_part, key_rows, response_rows, both, scheme)


def _matched_rows(matched: Matched) -> tuple[Ints, Ints]:
    """List who was matched with whom, by the rows of both corpora."""
    to_response, _ = matched.partners
    there = np.flatnonzero((to_response >= 0) & first_listed(matched.key))
    return matched.key.row[there], _rows(matched.response, matched)[to_response[there]]


def _rows(side: Side, matched: Matched) -> Ints:
    row = np.full(matched.mention_count, -1, dtype=np.int64)
    row[side.mention[::-1]] = side.row[::-1]  # the first listing stays
    return row


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


_SAID = frozenset(
    (
        *("empty-documents", "global-labels", "gold-mentions", "no-mentions"),
        *("no-singletons", "no-singletons-in-key", "same-as-key", "swapped-files"),
        "undefined",
    )
)
"""Notes on what everybody sees in the tables, or on documents that do not count."""


def _about_pairs(
    result: Result, corpora: Sequence[Corpus], pair: tuple[int, int]
) -> list[Note]:
    """Keep notes that are about two annotators and not about either."""
    own = {note for number in pair for note in corpora[number].notes}
    return [note for note in result.notes if note.kind not in _SAID and note not in own]


def _noted(
    names: Sequence[str], corpora: Sequence[Corpus], told: Iterable[tuple[str, Note]]
) -> list[Note]:
    """Tell of each annotator and each pair, a line for each kind."""
    of_people = [
        (name, note)
        for name, corpus in zip(names, corpora, strict=True)
        for note in corpus.notes
    ]
    lines = [*note_lines(of_people, of=len(names) + 1), *note_lines(told, of=2**31)]
    return [Note("annotators", 1, line) for line in lines]


_MOST = 1 << 26

_AT_ONCE = 1 << 22


class Atoms(NamedTuple):
    """Which atom each unit is in, and how many units each has, in which document."""

    of_unit: Ints
    size: Ints
    document: Ints


class Links(NamedTuple):
    """Kinds of links: between which atoms, how many of them, and who made them.

    ``first`` is ``second`` where a link is inside an atom. ``votes`` counts people,
    ``is_made`` is about the response.
    """

    first: Ints
    second: Ints
    document: Ints
    times: Ints
    votes: Ints
    is_made: Mask


def atoms_of(annotated: Annotated) -> Atoms:
    """Put mentions together that each annotator has in one entity, or nobody links."""
    count = len(annotated.unit_document)
    atom = annotated.unit_document.copy()
    next_atom = len(annotated.documents)
    for number in range(len(annotated.names)):
        marks = annotated.marks.of(number)
        # Who does not mark a mention tells it from those that he marks.
        code = atom[marks.unit] * (int(marks.entity.max(initial=0)) + 1) + marks.entity
        distinct, new = np.unique(code, return_inverse=True)
        atom[marks.unit] = next_atom + new
        next_atom += len(distinct)
    _, first, of_unit = np.unique(atom, return_index=True, return_inverse=True)
    size = np.bincount(of_unit, minlength=len(first)) if count else first
    return Atoms(of_unit, size, annotated.unit_document[first])


def links_of(annotated: Annotated, atoms: Atoms, response: int | None) -> Links:
    """Count the links of every two atoms that anybody puts into one entity."""
    parts = list(_parts(annotated.marks, atoms, response))
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return Links(*(nothing,) * 5, nothing.astype(np.bool_))
    return Links(*map(np.concatenate, zip(*parts, strict=True)))


def _parts(
    marks: AnnotatorMarks, atoms: Atoms, response: int | None
) -> Iterator[Links]:
    """Do so for as many documents at once as memory allows."""
    owner, atom = _members(marks, atoms)
    by_document = np.argsort(atoms.document[atom], kind="stable")
    # Entities stay whole: a document holds all of them.
    owner, atom = owner[by_document], atom[by_document]
    order = np.lexsort((owner, atoms.document[atom]))
    owner, atom = owner[order], atom[order]
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    length = np.diff(np.append(starts, len(owner)))
    pairs = length * (length + 1) // 2
    if int(pairs.sum()) > _MOST:
        raise TooLargeError(
            f"annotators differ about {int(pairs.sum()):,} pairs of mentions, which is "
            "too much to count"
        )
    who = marks.annotator[np.unique(marks.entity, return_index=True)[1]]
    entities = np.unique(marks.entity)
    document = atoms.document[atom[starts]] if len(starts) else starts
    portion = np.cumsum(pairs) // _AT_ONCE
    # A document is counted at once, lest a link be two.
    portion = _first_of(document, portion)
    for each in np.unique(portion).tolist():
        rows = np.flatnonzero(portion == each)
        one, other, source = _combined(starts[rows], length[rows], atom)
        maker = who[np.searchsorted(entities, owner[starts[rows]])][source]
        yield _voted(one, other, maker, atoms, response)


def _first_of(document: Ints, portion: Ints) -> Ints:
    """Give all entities of a document the portion of its first one."""
    is_new = np.diff(document, prepend=-1) != 0
    return (
        portion[np.flatnonzero(is_new)][np.cumsum(is_new) - 1]
        if len(portion)
        else portion
    )


def _members(marks: AnnotatorMarks, atoms: Atoms) -> tuple[Ints, Ints]:
    """List the atoms of each entity."""
    width = np.int64(len(atoms.size))
    code = np.unique(marks.entity * width + atoms.of_unit[marks.unit])
    return code // width, code % width


def _combined(starts: Ints, length: Ints, atom: Ints) -> tuple[Ints, Ints, Ints]:
    """Pair the atoms of each entity, each with itself as well."""
    # The k-th atom of an entity is paired with itself and those behind it.
    rank = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    behind = np.repeat(length, length) - rank
    first = np.repeat(starts, length) + rank
    one = np.repeat(first, behind)
    offset = np.arange(behind.sum()) - np.repeat(np.cumsum(behind) - behind, behind)
    source = np.repeat(np.repeat(np.arange(len(length)), length), behind)
    return atom[one], atom[one + offset], source


def _voted(
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
