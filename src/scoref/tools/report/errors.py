"""All errors of a report in columns, for the list of errors on the page.

Each error is described by its first mention: its words, the mention that it should have
been linked to, and a mention of the entity that it was put into. The texts hold the
rest, and have the errors of a document in the same order.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from scoref.scoring.slices import in_order
from scoref.tools.errors.classes import DISTANCES, classify
from scoref.tools.errors.kinds import SPAN
from scoref.tools.errors.pairs import identities
from scoref.tools.errors.wording import MentionTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Ints, WordSets
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.pairs import Identity

    Columns = dict[str, object]

_NOBODY = -1
_DIGITS = 4


def errors_of(
    systems: Mapping[str, Analysis],
    names: Sequence[str],
    size_class: Callable[[Ints], Ints],
) -> Columns:
    """Put the errors of all systems into columns, in the order of the documents.

    Args:
        systems: what is wrong with each of them.
        names: the documents of the report.
        size_class: sorts entities by how many mentions they have.
    """
    texts = _Texts()
    listed = [_ListedErrors(each, names, texts) for each in systems.values()]
    classes = in_order({*chain(*(each.class_names for each in listed))}, "mention-type")
    return {
        "systems": [
            {
                **each.columns(size_class),
                "class": each.classes(classes),
                "others": each.others(listed),
                "gains": each.gains(),
            }
            for each in listed
        ],
        "classes": list(classes),
        "distances": list(DISTANCES),
        "texts": texts.found,
    }


class _Texts:
    """What mentions say, each text once."""

    def __init__(self) -> None:
        self._place: dict[str, int] = {}

    @property
    def found(self) -> list[str]:
        return list(self._place)

    def place(self, text: str) -> int:
        return self._place.setdefault(text, len(self._place))


class _ListedErrors:
    """The errors of one system, in the order of the report's documents."""

    def __init__(self, analysis: Analysis, names: Sequence[str], texts: _Texts) -> None:
        self.analysis = analysis
        self._texts = texts
        place = {name: number for number, name in enumerate(names)}
        document = np.array([place[name] for name in analysis.documents], np.int64)
        of_error = document[analysis.errors.document]
        self._count = np.bincount(of_error, minlength=len(names))
        self._order = np.argsort(of_error, kind="stable")
        self._sides = (analysis.key, analysis.response)
        self._details = analysis.details
        pairs = zip(analysis.corpora, self._sides, strict=True)
        self._words = [MentionTexts(corpus, side) for corpus, side in pairs]

    def columns(self, size_class: Callable[[Ints], Ints]) -> Columns:
        """Give what each error is about; -1 where there is nothing."""
        told = [self._told(error) for error in self._order.tolist()]
        words, antecedent, entity, more = zip(*told, strict=True) if told else [()] * 4
        return {
            "count": self._count.tolist(),
            "kind": self.analysis.errors.kind[self._order].tolist(),
            "distance": self._distances(),
            "size": self._ordered(size_class(self._details.entity_size)),
            "words": words,
            "antecedent": antecedent,
            "entity": entity,
            "more": more,
        }

    def _distances(self) -> list[int] | None:
        if self._details.distance is None:
            return None
        return self._ordered(classify(self.analysis, "distance").of_error)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Name the classes of mentions; none where the format does not tell them."""
        found = self._details.mention_class
        return () if found is None else found.names

    def classes(self, names: Sequence[str]) -> list[int] | None:
        """Give the class of each error, by its place in a list of names."""
        found = self._details.mention_class
        if found is None:
            return None
        places = np.array([names.index(name) for name in found.names], np.int64)
        return self._ordered(places[found.of_error])

    def gains(self) -> dict[str, Columns]:
        """Give what mending just one error gains, for each metric, in whole units."""
        return {
            metric: _in_units(gains[self._order])
            for metric, gains in self.analysis.error_gains.items()
        }

    @cached_property
    def wrong(self) -> set[Identity]:
        """Say which mentions are wrong, so that systems can be compared."""
        errors = self.analysis.errors
        return {
            self._identities[side][mention]
            for side, sets in enumerate((errors.key_mentions, errors.response_mentions))
            for mention in np.unique(sets.member).tolist()
        }

    def others(self, systems: Iterable[_ListedErrors]) -> list[int]:
        """Say who else is wrong there: a bit for each system, that of its place."""
        first = [self._first(error) for error in self._order.tolist()]
        found = np.zeros(len(first), np.int64)
        for place, other in enumerate(systems):
            if other is not self:
                is_wrong = [mention in other.wrong for mention in first]
                found |= np.array(is_wrong, np.int64) << place
        bits: list[int] = found.tolist()
        return bits

    def _ordered(self, column: Ints) -> list[int]:
        found: list[int] = column[self._order].tolist()
        return found

    def _told(self, error: int) -> tuple[int, int, int, int]:
        ours, theirs = self._mentions(error)
        details = self._details
        is_span = self.analysis.errors.kind[error] == SPAN
        company = theirs[0] if is_span else int(details.linked_to[error])
        return (
            self._text(0, ours[0]) if ours else self._text(1, theirs[0]),
            self._text(0, int(details.antecedent[error])),
            self._text(1, company),
            max(len(ours), len(theirs)) - 1,
        )

    def _text(self, side: int, mention: int) -> int:
        if mention < 0:
            return _NOBODY
        return self._texts.place(self._words[side].shortened(mention))

    def _mentions(self, error: int) -> list[list[int]]:
        errors = self.analysis.errors
        return [
            _members(sets, error)
            for sets in (errors.key_mentions, errors.response_mentions)
        ]

    def _first(self, error: int) -> Identity:
        ours, theirs = self._mentions(error)
        key, response = self._identities
        return key[ours[0]] if ours else response[theirs[0]]

    @cached_property
    def _identities(self) -> tuple[list[Identity], list[Identity]]:
        return identities(self.analysis)


def _in_units(values: Floats) -> Columns:
    """Round to about four digits of the largest value, so that columns pack well."""
    most = float(np.max(np.abs(values), initial=0))
    digits = _DIGITS - 1 - math.floor(math.log10(most)) if most else 0
    found = np.rint(values * 10.0**digits).astype(np.int64)
    return {"digits": digits, "values": found.tolist()}


def _members(sets: WordSets, row: int) -> list[int]:
    found: list[int] = sets.member[sets.start[row] : sets.start[row + 1]].tolist()
    return found
