"""The list of errors on a page, in columns.

The columns hold the parts of the sentence that describes an error (see `wording`), so
that the list says the same as the terminal. The texts of documents hold the rest, and
have the errors of a document in the same order.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.scoring.mention_classes import MENTION_TYPES
from scoref.tools.errors.classes import DISTANCES, classify
from scoref.tools.errors.kinds import KINDS
from scoref.tools.errors.pairs import first_identities, wrong_mentions

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
    # Links have the places of classes, so that these are the same on every page.
    has_classes = any(system.class_names for system in columns)
    classes = MENTION_TYPES if has_classes else ()
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
        self._details = analysis.details
        self._wording = analysis._wording

    def columns(self) -> Columns:
        """Return what each error is about; -1 if there is nothing."""
        rows = [self._description(error) for error in self._order.tolist()]
        columns = zip(*rows, strict=True) if rows else [()] * 5
        words, entity, company, amount, more = columns
        distance = None
        if self._details.distance is not None:
            distance = self._sort(classify(self.analysis, "distance").of_error)
        return {
            "count": self._count.tolist(),
            "kind": self._sort(self.analysis.errors.kind),
            "distance": distance,
            "size": self._sort(self._size_class(self._details.entity_size)),
            "words": words,
            "entity": entity,
            "company": company,
            "amount": amount,
            "more": more,
            "agree": self._agreeing(),
        }

    def _agreeing(self) -> list[int] | None:
        """Say which other annotators agree with the response, if there are any."""
        if self.analysis._supporters is None:
            return None
        clauses = map(self._wording.agreement, self._order.tolist())
        return [self._text(clause or None) for clause in clauses]

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

    def _description(self, error: int) -> tuple[int, int, int, int, int]:
        """Return the parts of the sentence, and the number of further mentions."""
        wording, analysis = self._wording, self.analysis
        ours, theirs = wording.mentions(error)
        kind = KINDS[int(analysis.errors.kind[error])].sentence
        company = wording.others(error) if "{others}" in kind else None
        if "{found}" in kind:
            company = wording.response.shortened(theirs[0])
        return (
            self._text(wording.words(error)),
            self._text(wording.owner(error) if "{ours}" in kind else None),
            self._text(company),
            self._text(wording.amount(error) if "{amount}" in kind else None),
            max(len(ours), len(theirs)) - 1,
        )

    def _text(self, text: str | None) -> int:
        if text is None:
            return _NONE
        return self._texts.setdefault(text, len(self._texts))
