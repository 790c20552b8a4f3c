"""Mappings from names of metrics to figures, which also accept aliases.

    scores["bcub"], scores["b3"]    # the same score

The names in `ScoreName` and `ValueName` are for type checkers: they know that
``scores["muc"]`` has a recall and that ``scores["conll"]`` has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from scoref.metrics import ByMetric
from scoref.metrics.base import AnyScore, Score, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

ScoreName = Literal[
    "mentions",
    "mention",
    "pairwise",
    "pairwise-membership",
    "pairwise-s2and",
    "muc",
    "bcub",
    "b3",
    "b³",
    "bcub-entity",
    "ceafm",
    "ceafe",
    "blanc",
    "lea",
    "cluster",
    "closest-cluster",
    "bcub-0",
    "bcub-all",
    "bcub-rn",
    "bcub-sys",
    "bcub-extended",
    "b3-extended",
    "ceafm-rn",
    "ceafm-sys",
    "ceafe-sys",
    "mor",
    "zero",
    "non-referring",
    "bridging-anaphors",
    "bridging-markables",
    "bridging-entities",
    "links",
]
"""Names of metrics with recall, precision and F₁. ``links`` is for curves only."""

ValueName = Literal[
    "conll",
    "conll-blanc",
    "rand",
    "ari",
    "fowlkes-mallows",
    "ami",
    "homogeneity",
    "completeness",
    "v-measure",
    "v",
    "nmi",
    "vi",
    "talburt-wang",
    "gmd",
    "purity",
    "inverse-purity",
]
"""Names of metrics that have one value."""


class Scores(ByMetric[AnyScore]):
    """Scores by metric: a `Score`, or a `Value` if the metric has no recall."""

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, name: ScoreName, /) -> Score: ...
        @overload
        def __getitem__(self, name: ValueName, /) -> Value: ...
        @overload
        def __getitem__(self, name: str, /) -> AnyScore: ...
        def __getitem__(self, name: str, /) -> AnyScore: ...


def named_figures(
    scores: Mapping[str, AnyScore],
    *,
    pattern: str = "{}/{}",
    parts: tuple[str, str, str] = ("recall", "precision", "f1"),
) -> dict[str, float]:
    """Return all figures by name; a value has the name of its metric.

    >>> named_figures({"muc": Score(0.5, 1.0, 0.75), "conll": Value(0.75)})
    {'muc/recall': 0.5, 'muc/precision': 1.0, 'muc/f1': 0.75, 'conll': 0.75}
    """
    by_name = {}
    for name, score in scores.items():
        if isinstance(score, Value):
            by_name[name] = score.value
            continue
        values = score.recall, score.precision, score.f1
        for part, value in zip(parts, values, strict=True):
            by_name[pattern.format(name, part)] = value
    return by_name
