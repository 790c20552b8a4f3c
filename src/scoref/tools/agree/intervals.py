"""Bootstrap intervals of agreement, over documents or over documents and annotators.

Intervals over documents describe other documents with the same annotators. If
annotators are drawn as well, they are drawn independently of documents (the pigeonhole
bootstrap, Owen, 2007). A pair then counts as often as the product of both counts, and
no annotator is compared with themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import unknown
from scoref.metrics.base import ratio
from scoref.model import Note
from scoref.statistics.additive import Additive as ScoreRows
from scoref.statistics.bootstrap import Cuts, percent_of, resample
from scoref.statistics.confidence import check_options, few_documents
from scoref.tools.agree.alpha import AlphaSums, sums_of
from scoref.tools.agree.options import UNITS
from scoref.tools.agree.results import Intervals, count_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.statistics.bootstrap import Interval, Method
    from scoref.tools.agree.alpha import PairRows
    from scoref.tools.agree.options import Floats, Unit, WantedFigures

_FEWEST = 5
_AT_ONCE = 1 << 21

Figure = tuple[str, str]  # what kind it is, and of what


class IntervalChoice(NamedTuple):
    """How intervals are made."""

    level: float
    method: Method
    resamples: int
    seed: int
    unit: Unit

    @classmethod
    def of(
        cls, level: float, method: Method, resamples: int, seed: int, unit: Unit
    ) -> IntervalChoice:
        """Refuse what makes no interval."""
        level = percent_of(level)
        check_options(method, resamples, seed)
        if unit not in UNITS:
            raise unknown("unit", unit, UNITS)
        return cls(level, method, resamples, seed, unit)

    def notes(self, people: Annotated) -> list[Note]:
        """Say that there are too few of what is drawn to mean much."""
        documents = int((people.has.sum(axis=1) > 1).sum())
        notes = list(few_documents(documents, self.method))
        count = len(people.names)
        if self.unit != "documents" and count < _FEWEST:
            message = (
                f"{count} annotators are too few for intervals over annotators to mean "
                f"much (fewer than {_FEWEST})"
            )
            notes.append(Note("few-annotators", count, message))
        return notes


def intervals_of(
    everybody: Annotated,
    rows: PairRows,
    asked: WantedFigures,
    chance: IntervalChoice,
    people: int,
) -> Intervals:
    """Compute intervals of all that is averaged.

    Args:
        everybody: annotators, and the response behind them, if there is one.
        rows: what annotators add to α.
        asked: which figures are wanted.
        chance: how intervals are made.
        people: how many annotators there are.
    """
    drawn = _Drawn(everybody, rows, asked, people)
    found = drawn.intervals(chance)

    def of(kind: str) -> dict[str, Interval]:
        return {name: each for (what, name), each in found.items() if what == kind}

    return Intervals(
        *chance,
        count=len(drawn.documents),
        alpha=of("alpha"),
        mean=of("mean"),
        per_annotator={
            name: of(f"annotator {number}")
            for number, name in enumerate(everybody.names[:people])
        },
        response=of("response"),
        supported=of("supported"),
    )


class _Drawn:
    """Figures of any documents and annotators, each as often as it was drawn."""

    def __init__(
        self, everybody: Annotated, rows: PairRows, asked: WantedFigures, people: int
    ) -> None:
        self._rows, self._asked, self._people = rows, asked, people
        self.documents = np.flatnonzero(everybody.has.sum(axis=1) > 1)
        self._count = len(everybody.documents)
        self._pairs = [
            (pair, *_score_rows(everybody, self.documents, pair, asked.metrics))
            for pair in everybody.results
        ]
        has_response = len(everybody.names) > people
        links = count_links(everybody) if has_response else np.zeros((self._count, 9))
        self._links = links[self.documents].astype(np.float64)
        sums = sums_of(rows, self._count)
        self._alpha = AlphaSums.of(sums, asked.average)

    def intervals(self, chance: IntervalChoice) -> dict[Figure, Interval]:
        """Cut what was drawn; where nothing varies there is no interval."""
        count = len(self.documents)
        cuts = Cuts(chance.level, chance.method, count, count - 1)
        if not cuts.freedom:
            return {}
        drawn = _joined(self.figures(*each) for each in self._draws(chance))
        total = self.figures(np.ones((1, count)), None)
        without = self.figures(1 - np.eye(count), None)
        found = {}
        for figure, values in drawn.items():
            known = values[~np.isnan(values)]
            if len(known) and not np.isnan(total[figure][0]):
                left = without[figure]
                left = left[~np.isnan(left)]
                found[figure] = cuts.interval(known, float(total[figure][0]), left)
        return found

    def _draws(self, chance: IntervalChoice) -> Iterator[tuple[Floats, Floats | None]]:
        draws = resample(len(self.documents), chance.resamples, chance.seed)
        if chance.unit == "documents":
            yield from ((weights, None) for weights in draws)
            return
        others = resample(self._people, chance.resamples, chance.seed + 1)
        annotators = np.concatenate(list(others))
        portion = max(1, _AT_ONCE // max(1, len(self._rows.document)))
        start = 0
        for weights in draws:
            for first in range(0, len(weights), portion):
                part = weights[first : first + portion]
                yield part, annotators[start : start + len(part)]
                start += len(part)

    def figures(self, documents: Floats, people: Floats | None) -> dict[Figure, Floats]:
        """Give every figure of each draw."""
        weights = np.ones((len(documents), self._people)) if people is None else people
        found = self._f1(documents, weights)
        alpha = self._alphas(documents, people)
        for place, name in enumerate(self._asked.distances):
            found["alpha", name] = alpha[:, place]
        if self._links.any():
            counts = documents @ self._links
            errors, supported = counts[:, [4, 6]], counts[:, [5, 7]]
            parts = ratio(supported, errors, np.nan)
            found["supported", "spurious"] = parts[:, 0]
            found["supported", "missing"] = parts[:, 1]
            whole = ratio(supported.sum(axis=1), errors.sum(axis=1), np.nan)
            found["supported", "all"] = whole
        return found

    def _alphas(self, documents: Floats, people: Floats | None) -> Floats:
        if people is None:
            return self._alpha.alpha(documents @ self._alpha.matrix[self.documents])
        sums = sums_of(self._rows, self._count, people)
        drawn = AlphaSums.of(sums, self._asked.average)
        rows = drawn.matrix[:, self.documents]
        return drawn.alpha(np.einsum("rd,rdc->rc", documents, rows))

    def _f1(self, documents: Floats, people: Floats) -> dict[Figure, Floats]:
        """Average F1 over pairs, and over the keys of a response."""
        means: dict[str, _Mean] = {}
        for (first, second), rows, place in self._pairs:
            weights = documents[:, place]
            f1 = rows.scores(weights @ rows.matrix)[..., 2]
            there = weights.sum(axis=1)
            if second == self._people:
                has_any = (there > 0).astype(np.float64)
                _add(means, "response", f1, people[:, first] * has_any)
                continue
            _add(means, "mean", f1, there * people[:, first] * people[:, second])
            _add(means, f"annotator {first}", f1, there * people[:, second])
            _add(means, f"annotator {second}", f1, there * people[:, first])
        return {
            (kind, name): mean.value[:, place]
            for kind, mean in means.items()
            for place, name in enumerate(self._asked.metrics)
        }


class _Mean(NamedTuple):
    total: Floats
    weight: Floats

    @property
    def value(self) -> Floats:
        return ratio(self.total, self.weight[:, None], np.nan)


def _add(means: dict[str, _Mean], kind: str, f1: Floats, weight: Floats) -> None:
    total, known = means.get(kind, (0.0, 0.0))
    means[kind] = _Mean(total + f1 * weight[:, None], known + weight)


def _score_rows(
    everybody: Annotated, drawn: Ints, pair: tuple[int, int], metrics: tuple[str, ...]
) -> tuple[ScoreRows, Ints]:
    """Give the counts of two annotators, and where their documents are drawn."""
    rows = ScoreRows.of(everybody.results[pair])._replace(names=metrics)
    number = {
        everybody.documents[row]: place for place, row in enumerate(drawn.tolist())
    }
    return rows, np.array([number[name] for name in rows.documents], dtype=np.int64)


def _joined(parts: Iterator[dict[Figure, Floats]]) -> dict[Figure, Floats]:
    found: dict[Figure, list[Floats]] = {}
    for part in parts:
        for figure, values in part.items():
            found.setdefault(figure, []).append(values)
    return {figure: np.concatenate(each) for figure, each in found.items()}
