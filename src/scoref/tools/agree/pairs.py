"""F1 between two annotators, and its means: over all pairs, and over those with one.

A pair counts as often as it has documents in common:

    mean = Σ d·F₁ / Σ d
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.statistics.additive import Additive

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.metrics.base import Floats
    from scoref.scoring.results import Result

    Pair = tuple[int, int]


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
