"""The mentions that annotators disagree on most, and F1 between pairs of annotators.

F1 is averaged over all pairs, and over the pairs of one annotator. The weight of a pair
is the number d of documents that both annotators have:

    mean = Σ d·F₁ / Σ d
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import place_of
from scoref.statistics.additive import Additive
from scoref.tools.agree.results import AnnotatorReading, Disputed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.model import Corpus, Ints
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.results import Result
    from scoref.tools.agree.options import Floats

    Pair = tuple[int, int]


_SHOWN = 40

_ZERO, _UNFORMED = "∅", ("", "_")


def disputed_mentions(
    people: Annotated, disagreement: Floats, most: int
) -> tuple[Disputed, ...]:
    """List the mentions of greatest disagreement, each with its readings."""
    place, _, _ = _in_text(people)
    order = np.lexsort((place, people.unit_document, -disagreement.round(12)))
    chosen = [unit for unit in order[:most].tolist() if disagreement[unit] > 0]
    texts = _Texts(people)
    return tuple(texts.disputed(unit, float(disagreement[unit])) for unit in chosen)


def _in_text(people: Annotated) -> tuple[Ints, Ints, Ints]:
    """Say where each mention stands in its document, and who marked it first."""
    count = len(people.unit_document)
    first = np.full(count, len(people.marks.unit), dtype=np.int64)
    np.minimum.at(first, people.marks.unit, np.arange(len(people.marks.unit)))
    corpus, row = people.marks.corpus[first], people.marks.row[first]
    place = np.zeros(count, dtype=np.int64)
    for number, each in enumerate(people.corpora):
        mine = np.flatnonzero(corpus == number)
        start = each.mention_start
        if each.words is not None:
            start = each.words.member[each.words.start[:-1]]
        place[mine] = start[row[mine]]
    return place, corpus, row


class _Texts:
    """Mentions by what they look like, as the first one who marked them has them."""

    def __init__(self, people: Annotated) -> None:
        self._people = people
        self._place, self._corpus, self._row = _in_text(people)
        self._words: dict[int, list[str]] = {}

    def disputed(self, unit: int, disagreement: float) -> Disputed:
        """Say who puts a mention with what."""
        people = self._people
        document = int(people.unit_document[unit])
        said: dict[str, list[str]] = {}
        for number in np.flatnonzero(people.has[document]).tolist():
            said.setdefault(self._says(unit, number), []).append(people.names[number])
        readings = [
            AnnotatorReading(tuple(names), says) for says, names in said.items()
        ]
        readings.sort(key=lambda each: (-len(each.annotators), each.says))
        return Disputed(
            people.documents[document],
            self.text(unit),
            self._where(unit),
            disagreement,
            tuple(readings),
        )

    def _says(self, unit: int, number: int) -> str:
        """Say what an annotator puts a mention with: the nearest, and how many."""
        marks = self._people.marks.of(number)
        mine = np.flatnonzero(marks.unit == unit)
        if not len(mine):
            return "no mention"
        others = marks.unit[marks.entity == marks.entity[mine[0]]]
        others = others[others != unit]
        if not len(others):
            return "alone"
        place = self._place[others]
        before = others[place <= self._place[unit]]
        nearest = (
            before[np.argmax(self._place[before])]
            if len(before)
            else others[np.argmin(place)]
        )
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        return f"with {self.text(int(nearest))}{more}"

    def text(self, unit: int) -> str:
        """Give the words of a mention, or its first and last token."""
        corpus, row = self._of(unit)
        if called := self._people.called:
            document = self._people.documents[int(self._people.unit_document[unit])]
            return str(called[document][int(corpus.mention_start[row])])
        if corpus.tokens is None:
            return corpus.place(row)
        text = " ".join(self._tokens(unit))
        return f'"{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"}"'

    def _where(self, unit: int) -> str:
        corpus, row = self._of(unit)
        return place_of(corpus.source, int(corpus.mention_line[row]))

    def _of(self, unit: int) -> tuple[Corpus, int]:
        number = int(self._corpus[unit])
        return self._people.corpora[number], int(self._row[unit])

    def _tokens(self, unit: int) -> Sequence[str]:
        corpus, row = self._of(unit)
        assert corpus.tokens is not None
        sets = corpus.tokens.of_mentions(corpus)
        rows = sets.member[sets.start[row] : sets.start[row + 1]]
        words = [corpus.tokens.word.text(each) for each in rows.tolist()]
        return [_ZERO if word in _UNFORMED else word for word in words]


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
        """Average over the pairs with each; who has no text in common has none."""
        found = {}
        for number, name in enumerate(self.names):
            own = [each for pair, each in self.results.items() if number in pair]
            if own:
                found[name] = mean_of(own, metrics or self.metrics)
        return found

    def per_document(self) -> dict[str, dict[str, float]]:
        """Average over the pairs that have a document."""
        found: dict[str, list[Floats]] = {}
        for result in self.results.values():
            rows = Additive.of(result)._replace(names=self.metrics)
            f1 = rows.scores(rows.matrix)[..., 2]
            for document, figures in zip(rows.documents, f1, strict=True):
                found.setdefault(document, []).append(figures)
        return {
            document: dict(
                zip(self.metrics, np.mean(each, axis=0).tolist(), strict=True)
            )
            for document, each in found.items()
        }


def mean_of(results: Iterable[Result], metrics: tuple[str, ...]) -> dict[str, float]:
    """Average F1 over pairs, each as often as it has documents."""
    listed = list(results)
    weights = np.array([len(each.documents) for each in listed], dtype=np.float64)
    figures = {name: [each.scores[name].f1 for each in listed] for name in metrics}
    return {
        name: float((np.array(f1) * weights).sum() / weights.sum())
        for name, f1 in figures.items()
    }
