"""The list of errors on a page, in columns.

Each error is described by its first mention: its words, the mention that it should have
been linked to, and a mention of the entity that it was put into. The texts of documents
hold the rest, and have the errors of a document in the same order.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.scoring.mention_classes import in_order
from scoref.tools.errors.classes import DISTANCES, classify
from scoref.tools.errors.kinds import SPAN
from scoref.tools.errors.pairs import first_identities, wrong_mentions
from scoref.tools.errors.wording import MentionTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scoref.model import Ints
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.pairs import Identity

    Columns = dict[str, object]


_NONE = -1

_DIGITS = 4


def errors_of(
    systems: Mapping[str, Analysis],
    names: Sequence[str],
    size_class: Callable[[Ints], Ints],
) -> Columns:
    """Put the errors of all systems into columns, in the order of the documents.

    Args:
        systems: the analysis of each system.
        names: the documents of the report.
        size_class: sorts entities by how many mentions they have.
    """
    texts: dict[str, int] = {}  # the words of mentions, each once, by their places
    columns = [
        _SystemErrors(analysis, names, texts, size_class)
        for analysis in systems.values()
    ]
    class_names = {name for system in columns for name in system.class_names}
    classes = in_order(class_names, "mention-type")
    return {
        "systems": [
            {
                **system.columns(),
                "class": system.classes(classes),
                "others": system.others(columns),
                "gains": system.gains(),
            }
            for system in columns
        ],
        "classes": list(classes),
        "distances": list(DISTANCES),
        "texts": list(texts),
    }


class _SystemErrors:
    """The errors of one system, in the order of the report's documents."""

    def __init__(
        self,
        analysis: Analysis,
        names: Sequence[str],
        texts: dict[str, int],
        size_class: Callable[[Ints], Ints],
    ) -> None:
        self.analysis = analysis
        self._size_class = size_class
        self._texts = texts
        place = {name: number for number, name in enumerate(names)}
        document = np.array([place[name] for name in analysis.documents], np.int64)
        of_error = document[analysis.errors.document]
        self._count = np.bincount(of_error, minlength=len(names))
        self._order = np.argsort(of_error, kind="stable")
        self._sides = (analysis.key, analysis.response)
        self._details = analysis.details
        key = analysis._corpora[0]
        pairs = zip(analysis._corpora, self._sides, strict=True)
        self._words = [MentionTexts(corpus, side, key) for corpus, side in pairs]

    def columns(self) -> Columns:
        """Return what each error is about; -1 if there is nothing."""
        rows = [self._description(error) for error in self._order.tolist()]
        words, antecedent, entity, more = zip(*rows, strict=True) if rows else [()] * 4
        distance = None
        if self._details.distance is not None:
            distance = self._sort(classify(self.analysis, "distance").of_error)
        return {
            "count": self._count.tolist(),
            "kind": self._sort(self.analysis.errors.kind),
            "distance": distance,
            "size": self._sort(self._size_class(self._details.entity_size)),
            "words": words,
            "antecedent": antecedent,
            "entity": entity,
            "more": more,
        }

    @property
    def class_names(self) -> tuple[str, ...]:
        """The classes of mentions; none if the format does not have them."""
        classes = self._details.mention_class
        return () if classes is None else classes.names

    def classes(self, names: Sequence[str]) -> list[int] | None:
        """Return the class of each error, by its place in a list of names."""
        classes = self._details.mention_class
        if classes is None:
            return None
        places = np.array([names.index(name) for name in classes.names], np.int64)
        return self._sort(places[classes.of_error])

    def gains(self) -> dict[str, Columns]:
        """Return what repairing one error gains, by metric.

        Gains are integers with about four digits for the largest one, so that columns
        are compressed well; ``digits`` is the number of decimals.
        """
        columns: dict[str, Columns] = {}
        for metric, gains in self.analysis.error_gains.items():
            most = float(np.max(np.abs(gains), initial=0))
            digits = _DIGITS - 1 - math.floor(math.log10(most)) if most else 0
            values = np.rint(gains * 10.0**digits).astype(np.int64)
            columns[metric] = {"digits": digits, "values": self._sort(values)}
        return columns

    @cached_property
    def wrong(self) -> set[Identity]:
        """The mentions of errors, so that systems can be compared."""
        return wrong_mentions(self.analysis)

    def others(self, systems: Iterable[_SystemErrors]) -> list[int]:
        """Return which other systems are wrong there, as a bit for each system."""
        identities = first_identities(self.analysis)
        first = [identities[error] for error in self._order.tolist()]
        others = np.zeros(len(first), np.int64)
        for place, other in enumerate(systems):
            if other is not self:
                is_wrong = [mention in other.wrong for mention in first]
                others |= np.array(is_wrong, np.int64) << place
        bits: list[int] = others.tolist()
        return bits

    def _sort(self, column: Ints) -> list[int]:
        """Return a column in the order of the documents."""
        values: list[int] = column[self._order].tolist()
        return values

    def _description(self, error: int) -> tuple[int, int, int, int]:
        """Describe an error by three texts and the number of its other mentions."""
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
            return _NONE
        text = self._words[side].shortened(mention)
        return self._texts.setdefault(text, len(self._texts))

    def _mentions(self, error: int) -> list[list[int]]:
        """Return the mentions of an error in the key and in the response."""
        errors = self.analysis.errors
        return [
            sets.member[sets.start[error] : sets.start[error + 1]].tolist()
            for sets in (errors.key_mentions, errors.response_mentions)
        ]
