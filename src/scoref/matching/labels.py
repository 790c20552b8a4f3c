"""Notes on entity labels that do not fit the scope, and responses that use mention ids.

Files do not say whether a label means the same entity in two documents. If nearly every
document starts to count anew, labels are local, and joining documents by label merges
different entities. If labels continue from one document to the next, they are global,
and scoring by document cuts entities.

`place_by_ids` serves responses that refer to the key's mentions by id and have no text:
it gives each mention the place of the key's mention with the same id.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import dataclass
from scoref.errors import AlignmentError, WithoutKey
from scoref.matching.documents import scored_documents
from scoref.model import Note
from scoref.model.arrays import distinct
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.matching import Matched
    from scoref.matching.documents import Documents, Units
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme


_LOCAL, _GLOBAL = 0.9, 0.5  # shares of documents that start to count anew

_SPARSE = 1000  # if one number in so many is a label, equal labels are not chance


@dataclass(frozen=True)
class Labels:
    """The labels of one side, a row for each entity in a document.

    Properties are computed when they are needed: most files need few of them.
    """

    role: str
    source: str
    names: Sequence[str]
    document: Ints

    @cached_property
    def size(self) -> Ints:
        """Count the entities of each document."""
        return np.bincount(self.document, minlength=1)

    @property
    def documents(self) -> int:
        """Count the documents that have mentions."""
        return int(np.count_nonzero(self.size))

    def anew(self) -> int:
        """Count the documents whose labels are the numbers from 0, or from 1, on."""
        least, most = np.full_like(self.size, 2), np.full_like(self.size, -1)
        np.minimum.at(least, self.document, self._numbers)
        np.maximum.at(most, self.document, self._numbers)
        is_dense = most - least + 1 == self.size
        return int(((least >= 0) & (least <= 1) & is_dense).sum())

    @cached_property
    def _numbers(self) -> Ints:
        """Return labels as numbers; -1: the label is not a number."""
        try:
            return np.fromiter(map(int, self.names), np.int64, len(self.names))
        except (ValueError, OverflowError):
            return np.fromiter(map(_number, self.names), np.int64, len(self.names))

    @cached_property
    def _label(self) -> Ints:
        """Give equal labels the same number."""
        numbers = {name: place for place, name in enumerate(dict.fromkeys(self.names))}
        column = map(numbers.__getitem__, self.names)
        return np.fromiter(column, np.int64, len(self.names))

    @property
    def entities(self) -> int:
        """Count the entities, joined by their labels."""
        return int(self._label.max(initial=-1)) + 1

    def crossing(self, unit: Ints | None = None) -> Ints:
        """Number the labels that are in several documents, or in several units."""
        label = self._label
        if unit is not None:
            width = np.int64(int(unit.max(initial=0)) + 1)
            label = np.unique(label * width + unit[self.document]) // width
        return np.flatnonzero(np.bincount(label, minlength=1) > 1)

    def are_global(self) -> bool:
        """Return whether equal labels in several documents mean the same entity.

        Names do, and so do numbers too large to be equal by chance. Small numbers do if
        they continue from document to document. Otherwise each document may have its
        own numbers, with or without gaps.
        """
        crossing = self.crossing()
        if not len(crossing) or self.anew() >= _GLOBAL * self.documents:
            return False
        # Labels such as e12 are compared by the number at their end.
        digits = (name[len(name.rstrip("0123456789")) :] for name in self.names)
        numbers = np.fromiter(map(_number, digits), np.int64, len(self.names))
        if (numbers[np.isin(self._label, crossing)] < 0).any():
            return True
        is_sparse = int(np.ptp(numbers)) > _SPARSE * self.entities
        return is_sparse or self._continue(numbers)

    def _continue(self, numbers: Ints) -> bool:
        """Return whether most documents start above the numbers of those before."""
        count = len(self.size)
        highest = np.full(count, -1, dtype=np.int64)
        np.maximum.at(highest, self.document, numbers)
        before = np.concatenate(([-1], np.maximum.accumulate(highest)[:-1]))
        first = np.full(self.entities, count, dtype=np.int64)
        np.minimum.at(first, self._label, self.document)
        is_new = first[self._label] == self.document
        lowest = np.full(count, np.iinfo(np.int64).max)
        np.minimum.at(lowest, self.document[is_new], numbers[is_new])
        has_new = (np.bincount(self.document[is_new], minlength=count) > 0) & (
            before >= 0
        )
        higher = int((lowest > before)[has_new].sum())
        lower = int(has_new.sum()) - higher
        others = self.documents - 1
        return higher > _GLOBAL * others and lower <= (1 - _LOCAL) * others

    def name(self, label: int) -> str:
        """Return the label that has this number."""
        return self.names[int(np.argmax(self._label == label))]


_DIGITS = 18


def _number(label: str) -> int:
    return int(label) if label.isdecimal() and len(label) <= _DIGITS else -1


_FEW = 3  # too few documents to draw conclusions from


def label_notes(
    key: Corpus, response: Corpus, documents: Documents, scheme: Scheme
) -> tuple[Note, ...]:
    """Note labels that do not fit the scope."""
    if min(len(key.documents), len(response.documents)) < _FEW:
        return ()
    if not (key.has_labels and response.has_labels):
        return ()
    sides = (
        _labels("key", key, documents.key),
        _labels("response", response, documents.response),
    )
    known = tuple(side for side in sides if side.documents >= _FEW)
    if documents.units is None:
        return _global_label_notes(known)
    notes = _local_label_notes(known)
    if len(known) == len(sides) and scheme.scope == "corpus":
        notes += _one_sided_crossing_notes(sides)
    elif len(known) == len(sides):
        notes += _cut_entity_notes(sides, documents.units, f"{scheme.scope}s")
    return notes


def _labels(role: str, corpus: Corpus, rows: Ints) -> Labels:
    document = scored_documents(corpus, rows)[corpus.entity_document]
    is_scored = np.zeros(len(document), dtype=np.bool_)
    is_scored[corpus.mention_entity] = True
    is_scored &= document >= 0
    if is_scored.all():
        return Labels(role, corpus.source, corpus.entity_label, document)
    kept = np.flatnonzero(is_scored)
    names = [corpus.entity_label[row] for row in kept.tolist()]
    return Labels(role, corpus.source, names, document[kept])


def _local_label_notes(sides: tuple[Labels, ...]) -> tuple[Note, ...]:
    """Warn of labels that start anew in nearly every document."""
    notes = []
    for side in sides:
        count, anew = side.documents, side.anew()
        if anew >= _LOCAL * count:
            message = (
                f"{WARNING}{side.source} reuses its labels in {anew:,} of {count:,} "
                "documents. Entities with the same label in two documents were joined, "
                "although they are probably different."
            )
            notes.append(Note("local-labels", anew, message))
    return tuple(notes)


def _global_label_notes(sides: tuple[Labels, ...]) -> tuple[Note, ...]:
    """Report entities that continue in another document but are scored separately."""
    crossing = [
        (side.role, len(side.crossing()), side.entities)
        for side in sides
        if side.are_global()
    ]
    if not crossing:
        return ()
    counts = " and ".join(
        f"{count:,} of {total:,} {role} entities" for role, count, total in crossing
    )
    message = f"{counts} continue in another document, but each document was scored on "
    message += "its own. Use --scope corpus to score them across documents."
    return (Note("global-labels", crossing[0][1], message),)


def _one_sided_crossing_notes(sides: tuple[Labels, Labels]) -> tuple[Note, ...]:
    """Report that only one side has entities in several documents."""
    counts = [len(side.crossing()) for side in sides]
    if all(counts) or not any(counts):
        return ()
    never, other = sides[counts.index(0)].role, sides[1 - counts.index(0)].role
    message = (
        f"{WARNING}No {never} entity continues in another document, but "
        f"{max(counts):,} of the {other} do. Links across documents lower the score."
    )
    return (Note("never-crosses", max(counts), message),)


_MANY_CUT = 0.1


def _cut_entity_notes(
    sides: tuple[Labels, Labels], units: Units, what: str
) -> tuple[Note, ...]:
    """Report how many entities of the key are cut because they cross units."""
    key, response = (side.crossing(units.of_document) for side in sides)
    if not len(key):
        return ()
    total = sides[0].entities
    message = (
        f"{WARNING}{len(key):,} of {total:,} key entities (first: "
        f"'{sides[0].name(int(key[0]))}') and "
        f"{counted(len(response), 'response entity', 'response entities')} "
        f"continue in other {what}. They were split."
    )
    if len(key) > _MANY_CUT * total:
        message = f"{message} Are these the {what} of the key?"
    return (Note("cut-entities", len(key), message),)


def gold_mentions(matched: Matched) -> tuple[Note, ...]:
    """Note that both sides have the same mentions, which makes the task easier."""
    mentions = distinct(matched.key.mention)
    if not np.array_equal(mentions, distinct(matched.response.mention)):
        return ()
    count = len(mentions)
    message = f"The response has the key's {count:,} mentions, so the figures are for "
    message += "gold mentions."
    return (Note("gold-mentions", count, message),) if count else ()


def place_by_ids(key: Corpus, response: Corpus) -> Corpus:
    """Give each mention of a response the place of the key's mention with its id.

    A mention whose id the key does not have gets a place after the end of the text.
    """
    if response.mention_ids is None or response.document_tokens is not None:
        return response
    if key.mention_ids is None:
        raise AlignmentError(
            f"this file refers to mentions by id, but {key.source} has no ids",
            source=response.source,
            hint="Give a key of the same format, in which mentions have ids.",
            without_key=WithoutKey(
                "this file refers to mentions by id, but the key has no ids"
            ),
        )
    start, end = response.mention_start.copy(), response.mention_end.copy()
    document, notes = response.mention_document, response.notes
    unknown = 0
    for row, (name, _) in enumerate(response.documents):
        here = np.flatnonzero(document == row)
        own, spans = response.mention_ids[name], key.mention_ids.get(name, {})
        unknown += sum(mention not in spans for mention in own)
        after = 1 + max((last for _, last in spans.values()), default=-1)
        places = [
            spans.get(mention, (after + number, after + number))
            for mention, (number, _) in own.items()
        ]
        place = np.array(places, dtype=np.int64).reshape(-1, 2)
        start[here], end[here] = place[response.mention_start[here]].T
    if unknown:
        mentions = counted(unknown, "mention has an id", "mentions have ids")
        message = f"{WARNING}{response.source}: {mentions} that the key does not have, "
        message += "and count as wrong."
        notes = (*notes, Note("unknown-ids", unknown, message))
    return dataclasses.replace(
        response, mention_start=start, mention_end=end, notes=notes
    )
