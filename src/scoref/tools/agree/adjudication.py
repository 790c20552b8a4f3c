"""Disputes between annotators, the decisions of a curator, and the key they lead to.

A *group* is a set of mentions that every annotator treats alike: each has all of them
in one entity, or marked none of them. Groups that any annotator links, directly or
through others, form a region. If a region is a single group that everyone marked, all
agree on it. Otherwise its groups are disputes, except for one, which the others are
decided against: the largest group that everyone marked, if there is one.

The key starts as the majority's. A decision is about mentions of one group:

    take         put the mentions where an annotator has them (see below)
    merge        join their entity with that of another mention
    split        become an entity of their own
    drop         be left out
    keep         stay as they are
    undecidable  stay as they are, and be counted as undecidable

Decisions are applied in their order. To take the reading of an annotator is to leave
the mentions out if the annotator did not mark them. Otherwise they join the key's
entity that has most of the mentions with which the annotator put them. If nothing in it
was decided before, they form an entity with these mentions instead, except those in
entities in which something was decided. So earlier decisions hold, and whoever takes
all readings of an annotator gets the annotator's entities. If the key has none of these
mentions, an entity of their own is formed.

`web/src/adjudication/decisions.ts` does the same on the page. A test compares both. A
mention is called by the numbers of its words, as in fingerprints.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats.fingerprints import fingerprint, mention_words, written
from scoref.scoring.annotators import atoms_of, links_of
from scoref.scoring.majority import majority_of, unite_for_key
from scoref.tools.agree.alpha import AlphaSums, count_units, sums_of, values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Corpus
    from scoref.scoring.annotators import Annotated
    from scoref.tools.agree.alpha import UnitCounts

DISTANCE = "masi"

LEFT_OUT = -1
"""The entity of a mention that is not in the key."""


class DisputedGroup(NamedTuple):
    """A group of mentions to decide, and how much disagreement it adds to α."""

    document: int
    units: tuple[int, ...]
    weight: float


class Input(NamedTuple):
    """An annotator, and the fingerprint of their annotation and its text."""

    name: str
    fingerprint: str


class Adjudication:
    """Annotators' disputes, and the majority that decisions start from."""

    def __init__(self, people: Sequence[tuple[str, Corpus]]) -> None:
        self.people = people
        self.annotated = unite_for_key(self.people)
        self.majority = majority_of(self.annotated)

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        """The annotators in the order in which the majority was computed."""
        return tuple(Input(name, digest_of(corpus)) for name, corpus in self.people)

    @cached_property
    def ids(self) -> list[str]:
        """What each unit is called in its document."""
        names, seen = [], Counter[tuple[int, str]]()
        documents = self.annotated.unit_document.tolist()
        for document, words in zip(documents, self._words, strict=True):
            name = written(words)
            seen[document, name] += 1
            # They differ only in empty nodes between their words.
            again = seen[document, name] - 1
            names.append(f"{name}~{again}" if again else name)
        return names

    @cached_property
    def _words(self) -> list[tuple[tuple[int, int, int], ...]]:
        """The words of each unit, from the first annotator who marked it."""
        annotated = self.annotated
        marks = annotated.marks
        _, first = np.unique(marks.unit, return_index=True)
        words = [mention_words(corpus) for corpus in annotated.corpora]
        rows = zip(marks.corpus[first].tolist(), marks.row[first].tolist(), strict=True)
        return [words[corpus][row] for corpus, row in rows]

    @cached_property
    def units_of(self) -> list[list[int]]:
        """The units of each document, in the order of the text."""
        units: list[list[int]] = [[] for _ in self.annotated.documents]
        words = self._words
        for unit in sorted(range(len(words)), key=lambda unit: (words[unit], unit)):
            units[int(self.annotated.unit_document[unit])].append(unit)
        return units

    @cached_property
    def entities(self) -> list[dict[int, int]]:
        """The entity of each unit that an annotator marked, by annotator."""
        entities = []
        for number in range(len(self.annotated.names)):
            marks = self.annotated.marks.of(number)
            pairs = zip(marks.unit.tolist(), marks.entity.tolist(), strict=True)
            entities.append(dict(pairs))
        return entities

    @cached_property
    def disputes(self) -> tuple[DisputedGroup, ...]:
        """All disputes, those that add most to the disagreement first."""
        annotated = self.annotated
        atoms = atoms_of(annotated)
        marked = np.bincount(annotated.marks.unit, minlength=len(atoms.of_unit))
        readers = annotated.has.sum(axis=1)[annotated.unit_document]
        is_by_all = marked == readers
        groups: list[list[int]] = [[] for _ in atoms.size]
        for units in self.units_of:
            for unit in units:
                groups[int(atoms.of_unit[unit])].append(unit)
        order = {
            unit: place for units in self.units_of for place, unit in enumerate(units)
        }
        disagreement = self._disagreement()
        disputes = []
        for region in _regions(annotated, len(groups)):
            known = [group for group in region if is_by_all[groups[group][0]]]
            fixed = min(
                known,
                key=lambda group: (-len(groups[group]), order[groups[group][0]]),
                default=None,
            )
            disputes += [
                DisputedGroup(
                    int(atoms.document[group]),
                    tuple(groups[group]),
                    float(sum(disagreement[unit] for unit in groups[group])),
                )
                for group in region
                if group != fixed
            ]
        disputes.sort(
            key=lambda it: (-round(it.weight, 9), it.document, order[it.units[0]])
        )
        return tuple(disputes)

    def _disagreement(self) -> list[float]:
        """Return the mean distance between two values of each unit."""
        counts = _count(self.annotated)
        values = np.maximum(counts.unit_values, 1)
        disagreement: list[float] = (counts.unit_apart[:, 0] / values).tolist()
        return disagreement

    @cached_property
    def digest(self) -> str:
        """A digest of the majority, which decisions change."""
        lines = []
        for number, units in enumerate(self.units_of):
            entities: dict[int, list[str]] = defaultdict(list)
            for unit in units:
                entities[int(self.majority.entity[unit])].append(self.ids[unit])
            own = sorted(
                (entity == LEFT_OUT, " ".join(ids)) for entity, ids in entities.items()
            )
            lines.append(f"{printable_name(self.annotated.documents[number])}\t{own}")
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()

    def alpha(self) -> float | None:
        """Return α of the annotators."""
        return alpha_of(self.annotated)


def printable_name(document: str) -> str:
    """Write the name of a document as pages and decisions do."""
    return document.encode("utf-8", "replace").decode()


def digest_of(corpus: Corpus) -> str:
    """Return the fingerprint of an annotator's work."""
    known = fingerprint(corpus)
    if known.key is None:
        raise FormatError(
            "this file has no text, so disputes about it cannot be shown",
            source=corpus.source,
            hint="Give files in a format with words; see `scoref formats`.",
        )
    return known.key


def _regions(annotated: Annotated, groups: int) -> Iterable[list[int]]:
    """Yield groups that annotators link, unless all of them agree on the region."""
    atoms = atoms_of(annotated)
    links = links_of(annotated, atoms, None)
    parent = list(range(groups))

    def root(group: int) -> int:
        while parent[group] != group:
            parent[group] = parent[parent[group]]
            group = parent[group]
        return group

    for first, second in zip(links.first.tolist(), links.second.tolist(), strict=True):
        parent[root(second)] = root(first)
    regions: dict[int, list[int]] = defaultdict(list)
    for group in range(groups):
        regions[root(group)].append(group)
    readers = annotated.has.sum(axis=1)
    marked = np.zeros(groups, dtype=np.int64)
    marked[atoms.of_unit] = np.bincount(
        annotated.marks.unit, minlength=len(atoms.of_unit)
    )
    for region in regions.values():
        is_by_all = marked[region[0]] == readers[atoms.document[region[0]]]
        if len(region) > 1 or not is_by_all:
            yield region


def _count(annotated: Annotated) -> UnitCounts:
    values = values_of(annotated, "singleton")
    return count_units(values, annotated.results, (DISTANCE,), len(annotated.documents))


def alpha_of(annotated: Annotated) -> float | None:
    """Return α, with chance within documents and missing mentions as singletons."""
    sums = sums_of(_count(annotated).rows, len(annotated.documents))
    additive = AlphaSums.of(sums, "within")
    alpha = float(additive.alpha(additive.matrix.sum(axis=0))[0])
    return None if np.isnan(alpha) else alpha


class KeyState:
    """The key after some decisions; ``entity`` has the entity of each unit."""

    def __init__(self, adjudication: Adjudication) -> None:
        self._adjudication = adjudication
        self.entity: list[int] = adjudication.majority.entity.tolist()
        self._next = len(self.entity)
        self._members = _by_value(enumerate(self.entity))
        self._decided: set[int] = set()
        self._place = {
            unit: place
            for units in adjudication.units_of
            for place, unit in enumerate(units)
        }

    def apply(
        self,
        decision: str,
        units: Sequence[int],
        annotator: int | None = None,
        other: int | None = None,
    ) -> None:
        """Change the key as a decision says."""
        if decision == "take" and annotator is not None:
            self._take(units, annotator)
        elif decision == "merge" and other is not None:
            for unit in units:
                self._join(other, unit)
        elif decision == "split":
            self._move(units, self._new())
        elif decision == "drop":
            self._move(units, LEFT_OUT)
        if decision != "undecidable":
            self._decided.update(units)

    def _take(self, units: Sequence[int], annotator: int) -> None:
        """Put mentions where an annotator has them."""
        self._move(units, LEFT_OUT)
        entities = self._adjudication.entities[annotator]
        if units[0] not in entities:
            return
        company = [
            unit
            for unit in self._company[annotator][entities[units[0]]]
            if unit not in units and self.entity[unit] != LEFT_OUT
        ]
        company.sort(key=self._place.__getitem__)
        counts = Counter(self.entity[unit] for unit in company)  # first ones first
        target = max(counts, key=counts.__getitem__, default=LEFT_OUT)
        if target != LEFT_OUT and self._is_decided(target):
            self._move(units, target)
            return
        free = [unit for unit in company if not self._is_decided(self.entity[unit])]
        self._move([*units, *free], self._new())

    def _is_decided(self, entity: int) -> bool:
        """Return whether anything was decided about an entity's mentions."""
        return not self._decided.isdisjoint(self._members[entity])

    @cached_property
    def _company(self) -> list[dict[int, set[int]]]:
        """The units of each entity of each annotator."""
        return [_by_value(own.items()) for own in self._adjudication.entities]

    def _join(self, other: int, unit: int) -> None:
        """Join the entity of a unit with another one; neither of both is left out."""
        if self.entity[other] == LEFT_OUT:
            self._move([other], self._new())
        entity = self.entity[unit]
        moved = [unit] if entity == LEFT_OUT else [*self._members[entity]]
        self._move(moved, self.entity[other])

    def _new(self) -> int:
        self._next += 1
        return self._next

    def _move(self, units: Iterable[int], entity: int) -> None:
        for unit in units:
            self._members[self.entity[unit]].discard(unit)
            self._members[entity].add(unit)
            self.entity[unit] = entity


def _by_value(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    sets: dict[int, set[int]] = defaultdict(set)
    for key, value in pairs:
        sets[value].add(key)
    return sets
