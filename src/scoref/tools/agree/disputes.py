"""The mentions that annotators disagree on most, and F₁ between pairs of annotators.

F₁ is averaged over all pairs, and over the pairs of one annotator. The weight of a pair
is the number d of documents that both annotators have:

    mean = Σ d·F₁ / Σ d
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import place_of
from scoref.metrics import ByMetric
from scoref.model.arrays import runs
from scoref.printable import counted
from scoref.statistics.additive import Additive
from scoref.tools.agree.results import AnnotatorReading, Disputed
from scoref.tools.errors.classes import has_sentences, sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.results import Result
    from scoref.tools.agree.options import Floats

    Pair = tuple[int, int]


_SHOWN = 40  # characters of a mention

_ZERO, _UNFORMED = "∅", ("", "_")


def disputed_mentions(
    people: Annotated, disagreement: Floats, most: int
) -> tuple[Disputed, ...]:
    """List the mentions of greatest disagreement, each with its readings.

    The list starts with the worst mention of each entity. The second worst ones follow,
    and so on.
    """
    texts = UnitTexts(people)
    order = np.lexsort((texts.place, people.unit_document, -disagreement.round(12)))
    order = order[disagreement[order] > 0]
    return tuple(
        texts.dispute(unit, float(disagreement[unit]))
        for unit in _take_turns(order, _largest_entities(people))[:most].tolist()
    )


def _largest_entities(people: Annotated) -> Ints:
    """Return the largest entity into which any annotator puts each mention."""
    marks = people.marks
    size = np.bincount(marks.entity)[marks.entity]
    order = np.lexsort((marks.annotator, -size, marks.unit))
    _, first = np.unique(marks.unit[order], return_index=True)
    return marks.entity[order[first]]


def _take_turns(units: Ints, entity: Ints) -> Ints:
    """Sort units so that all entities have a turn before any has its second one."""
    group = np.argsort(entity[units], kind="stable")
    start, length = runs(entity[units][group])
    turn = np.empty(len(units), dtype=np.int64)
    turn[group] = np.arange(len(units)) - np.repeat(start, length)
    return units[np.argsort(turn, kind="stable")]


class UnitTexts:
    """Places and texts of mentions, from the first annotator who marked each one."""

    def __init__(self, people: Annotated) -> None:
        self._people = people
        count = len(people.unit_document)
        first = np.full(count, len(people.marks.unit), dtype=np.int64)
        np.minimum.at(first, people.marks.unit, np.arange(len(people.marks.unit)))
        self._corpus, self._row = people.marks.corpus[first], people.marks.row[first]
        self.place = np.zeros(count, dtype=np.int64)  # in the document
        for number, corpus in enumerate(people.corpora):
            mine = np.flatnonzero(self._corpus == number)
            start = corpus.mention_start
            if corpus.words is not None:
                words, document = corpus.words, corpus.mention_document
                start = words.member[words.start[:-1]]
                start = start - words.document_codes(len(corpus.documents))[document]
            self.place[mine] = start[self._row[mine]]

    def dispute(self, unit: int, disagreement: float) -> Disputed:
        """Describe a disputed mention: who puts it with which other mention."""
        people = self._people
        document = int(people.unit_document[unit])
        names: dict[str, list[str]] = {}
        for number in np.flatnonzero(people.has[document]).tolist():
            reading = self._reading(unit, number)
            names.setdefault(reading, []).append(people.names[number])
        readings = [AnnotatorReading(tuple(who), says) for says, who in names.items()]
        readings.sort(key=lambda reading: (-len(reading.annotators), reading.says))
        corpus = people.corpora[int(self._corpus[unit])]
        line = int(corpus.mention_line[int(self._row[unit])])
        return Disputed(
            people.documents[document],
            self.text(unit),
            self._sentence(unit),
            place_of(corpus.source, line),
            disagreement,
            tuple(readings),
        )

    def _sentence(self, unit: int) -> int | None:
        """Return the number of a mention's sentence in its document, counted from 1."""
        corpus = self._people.corpora[int(self._corpus[unit])]
        if not has_sentences(corpus):
            return None
        row = self._row[unit : unit + 1]
        document = int(corpus.mention_document[row[0]])
        if corpus.tokens is not None:
            first = corpus.tokens.sentence[corpus.tokens.first[document]]
        else:
            assert corpus.words is not None
            first = np.searchsorted(corpus.words.sentences.document, document)
        return int(sentences_of(corpus, row)[0] - first) + 1

    def _reading(self, unit: int, number: int) -> str:
        """Say what an annotator puts a mention with: the nearest, and how many."""
        marks = self._people.marks.of(number)
        mine = np.flatnonzero(marks.unit == unit)
        if not len(mine):
            return "not a mention"
        others = marks.unit[marks.entity == marks.entity[mine[0]]]
        others = others[others != unit]
        if not len(others):
            return "alone"
        place = self.place[others]
        before = others[place <= self.place[unit]]
        nearest = (
            before[np.argmax(self.place[before])]
            if len(before)
            else others[np.argmin(place)]
        )
        more = f" and {counted(len(others) - 1, 'other')}" if len(others) > 1 else ""
        return f"with {self.text(int(nearest))}{more}"

    def text(self, unit: int) -> str:
        """Return the words of a mention, or its first and last token."""
        corpus = self._people.corpora[int(self._corpus[unit])]
        row = int(self._row[unit])
        if called := self._people.called:
            document = self._people.documents[int(self._people.unit_document[unit])]
            return str(called[document][int(corpus.mention_start[row])])
        if corpus.tokens is None:
            return corpus.place(row)
        sets = corpus.tokens.of_mentions(corpus)
        rows = sets.member[sets.start[row] : sets.start[row + 1]].tolist()
        words = [corpus.tokens.word.text(token) for token in rows]
        text = " ".join(_ZERO if word in _UNFORMED else word for word in words)
        return f'"{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"}"'


class PairScores(NamedTuple):
    """The scores of each two annotators."""

    names: tuple[str, ...]
    results: Mapping[Pair, Result]
    metrics: tuple[str, ...]

    def mean(self, metrics: tuple[str, ...] | None = None) -> dict[str, float]:
        """Average over all pairs."""
        return mean_of(self.results.values(), metrics or self.metrics)

    def per_annotator(
        self, metrics: tuple[str, ...] | None = None
    ) -> dict[str, dict[str, float]]:
        """Average over each annotator's pairs, if there are any with a common text."""
        means = {}
        for number, name in enumerate(self.names):
            own = [result for pair, result in self.results.items() if number in pair]
            if own:
                means[name] = mean_of(own, metrics or self.metrics)
        return means

    def per_document(self) -> dict[str, dict[str, float]]:
        """Average over the pairs that have a document."""
        figures: dict[str, list[Floats]] = {}
        for result in self.results.values():
            rows = Additive.of(result)._replace(names=self.metrics)
            f1 = rows.scores(rows.matrix)[..., 2]
            for document, row in zip(rows.documents, f1, strict=True):
                figures.setdefault(document, []).append(row)
        return {
            document: ByMetric(
                zip(self.metrics, np.mean(rows, axis=0).tolist(), strict=True)
            )
            for document, rows in figures.items()
        }


def mean_of(results: Iterable[Result], metrics: tuple[str, ...]) -> dict[str, float]:
    """Average F₁ over pairs, weighted by their numbers of documents."""
    pairs = list(results)
    weights = np.array([len(pair.documents) for pair in pairs], dtype=np.float64)
    figures = {name: [pair.scores[name].f1 for pair in pairs] for name in metrics}
    return ByMetric(
        (name, float((np.array(f1) * weights).sum() / weights.sum()))
        for name, f1 in figures.items()
    )
