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
from scoref.notes import WARNING
from scoref.statistics.additive import Additive as ScoreRows
from scoref.statistics.bootstrap import Cuts, percent_of, resample
from scoref.statistics.confidence import check_options, few_documents
from scoref.tools.agree.alpha import AlphaSums, sums_of
from scoref.tools.agree.options import UNITS
from scoref.tools.agree.results import Intervals, LinkCounts, count_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.statistics.bootstrap import Interval, Method
    from scoref.tools.agree.alpha import PairRows
    from scoref.tools.agree.options import Floats, Unit, WantedFigures

_FEWEST = 5  # annotators

_AT_ONCE = 1 << 21  # rows times draws

Figure = tuple[str, str]
"""A kind of figure, and the distance, the metric or the kind of error."""


class IntervalChoice(NamedTuple):
    """How intervals are computed."""

    level: float
    method: Method
    resamples: int
    seed: int
    unit: Unit

    @classmethod
    def of(
        cls, level: float, method: Method, resamples: int, seed: int, unit: Unit
    ) -> IntervalChoice:
        """Check all options."""
        level = percent_of(level)
        check_options(method, resamples, seed)
        if unit not in UNITS:
            raise unknown("unit", unit, UNITS)
        return cls(level, method, resamples, seed, unit)

    def notes(self, people: Annotated) -> list[Note]:
        """Report that there are too few documents or annotators to draw from."""
        documents = int((people.has.sum(axis=1) > 1).sum())
        notes = list(few_documents(documents, self.method))
        count = len(people.names)
        if self.unit != "documents" and count < _FEWEST:
            message = (
                f"{WARNING}{count} annotators are too few for reliable intervals over "
                f"annotators. Use at least {_FEWEST}."
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
    """Compute intervals of all averages.

    Args:
        everybody: annotators, followed by the response if there is one.
        rows: what annotators add to α.
        asked: which figures are wanted.
        chance: how intervals are computed.
        people: how many annotators there are.
    """
    resampling = _Resampling(everybody, rows, asked, people)
    intervals = resampling.intervals(chance)

    def of(kind: str) -> dict[str, Interval]:
        return {
            name: interval
            for (own_kind, name), interval in intervals.items()
            if own_kind == kind
        }

    return Intervals(
        *chance,
        count=len(resampling.documents),
        alpha=of("alpha"),
        mean=of("mean"),
        per_annotator={
            name: of(f"annotator {number}")
            for number, name in enumerate(everybody.names[:people])
        },
        response=of("response"),
        supported=of("supported"),
    )


class _Resampling:
    """Figures of any documents and annotators, each as often as it was drawn."""

    def __init__(
        self, everybody: Annotated, rows: PairRows, asked: WantedFigures, people: int
    ) -> None:
        self._rows, self._asked, self._people = rows, asked, people
        self.documents = np.flatnonzero(everybody.has.sum(axis=1) > 1)
        self._count = len(everybody.documents)
        drawn_names = [everybody.documents[row] for row in self.documents.tolist()]
        places = {name: place for place, name in enumerate(drawn_names)}
        # The counts of each two, and the places of their documents among those drawn.
        self._pairs: list[tuple[tuple[int, int], ScoreRows, Ints]] = []
        for pair, result in everybody.results.items():
            counts = ScoreRows.of(result)._replace(names=asked.metrics)
            own = [places[name] for name in counts.documents]
            self._pairs.append((pair, counts, np.array(own, dtype=np.int64)))
        has_response = len(everybody.names) > people
        nothing = np.zeros((self._count, len(LinkCounts._fields)))
        links = count_links(everybody) if has_response else nothing
        self._links = links[self.documents].astype(np.float64)
        sums = sums_of(rows, self._count)
        self._alpha = AlphaSums.of(sums, asked.average)

    def intervals(self, chance: IntervalChoice) -> dict[Figure, Interval]:
        """Compute intervals of all figures that are defined and can vary."""
        count = len(self.documents)
        cuts = Cuts(chance.level, chance.method, count, count - 1)
        if not cuts.freedom:
            return {}
        drawn: dict[Figure, list[Floats]] = {}
        for draws in self._draws(chance):
            for figure, values in self.figures(*draws).items():
                drawn.setdefault(figure, []).append(values)
        total = self.figures(np.ones((1, count)), None)
        without = self.figures(1 - np.eye(count), None)
        intervals = {}
        for figure, parts in drawn.items():
            values = np.concatenate(parts)
            known = values[~np.isnan(values)]
            if len(known) and not np.isnan(total[figure][0]):
                left = without[figure]
                left = left[~np.isnan(left)]
                intervals[figure] = cuts.interval(known, float(total[figure][0]), left)
        return intervals

    def _draws(self, chance: IntervalChoice) -> Iterator[tuple[Floats, Floats | None]]:
        """Draw documents, and annotators with them if they are wanted."""
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
        """Return every figure of each draw."""
        weights = np.ones((len(documents), self._people)) if people is None else people
        figures = self._f1(documents, weights)
        alpha = self._alphas(documents, people)
        for place, name in enumerate(self._asked.distances):
            figures["alpha", name] = alpha[:, place]
        if self._links.any():
            columns = zip(LinkCounts._fields, (documents @ self._links).T, strict=True)
            counts = dict(columns)
            spurious, missing = counts["spurious"], counts["missing"]
            agreed = counts["spurious_supported"], counts["missing_supported"]
            for name, errors, supported in (
                ("spurious", spurious, agreed[0]),
                ("missing", missing, agreed[1]),
                ("all", spurious + missing, agreed[0] + agreed[1]),
            ):
                figures["supported", name] = ratio(supported, errors, np.nan)
        return figures

    def _alphas(self, documents: Floats, people: Floats | None) -> Floats:
        if people is None:
            return self._alpha.alpha(documents @ self._alpha.matrix[self.documents])
        sums = sums_of(self._rows, self._count, people)
        drawn = AlphaSums.of(sums, self._asked.average)
        rows = drawn.matrix[:, self.documents]
        return drawn.alpha(np.einsum("rd,rdc->rc", documents, rows))

    def _f1(self, documents: Floats, people: Floats) -> dict[Figure, Floats]:
        """Average F₁ over pairs, and over the keys of a response."""
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
