"""Other averages of the same counts, and figures that were cut or rounded too early."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scoref.metrics.base import Score, f_one, ratio
from scoref.metrics.conll import CONLL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.metrics.base import Floats, Metric

    Scores = dict[str, Score]

_HUNDREDTHS = 10_000  # of a percent, in 1


def with_mean(scores: Mapping[str, Score], *, of_all: bool = False) -> Scores:
    """Add the CoNLL score; ``of_all`` averages recall and precision as well."""
    mean = CONLL.score_of(scores)
    if of_all:
        parts = [scores[part] for part in CONLL.of]
        recall, precision = (
            CONLL.mean([figure or 0.0 for figure in figures])
            for figures in list(zip(*parts, strict=True))[:2]
        )
        mean = mean._replace(recall=recall, precision=precision)
    return {**scores, CONLL.name: mean}


def cut(figure: float) -> float:
    """Cut a fraction after two decimals of its percentage, as the Perl script does.

    >>> cut(2 / 3)
    0.6666
    """
    return math.floor(figure * _HUNDREDTHS) / _HUNDREDTHS


def rounded(figure: float) -> float:
    """Round it there.

    >>> rounded(2 / 3)
    0.6667
    """
    return round(figure * _HUNDREDTHS) / _HUNDREDTHS


def shortened(scores: Mapping[str, Score], shorten: Callable[[float], float]) -> Scores:
    """Shorten every figure, and average F1 afterwards."""
    short = {
        name: Score(
            _shortened(score.recall, shorten),
            _shortened(score.precision, shorten),
            shorten(score.f1),
            score.is_defined,
        )
        for name, score in scores.items()
        if name != CONLL.name
    }
    return with_mean(short)


def _shortened(figure: float | None, shorten: Callable[[float], float]) -> float | None:
    return None if figure is None else shorten(figure)


def of_mean_ratios(metric: Metric, counts: Floats) -> Score:
    """Average recall and precision over all documents, and take F1 of the means.

    What is 0/0 counts as 0.
    """
    if not len(counts):
        return metric.score_of(np.zeros(counts.shape[1]))
    recall, precision = metric.score(counts)[:, :2].mean(axis=0)
    return Score(float(recall), float(precision), float(f_one(recall, precision)))


def by_size(metric: Metric, counts: Floats, sizes: Floats) -> Score:
    """Average over documents: recall by the key's size, precision by the response's.

    F1 is an average of document F1, by both sizes. ``sizes`` has the number of mentions
    in the key and in the response.
    """
    weights = np.column_stack((sizes, sizes.sum(axis=1)))
    sums = (metric.score(counts) * weights).sum(axis=0)
    recall, precision, f1 = ratio(sums, weights.sum(axis=0)).tolist()
    return Score(recall, precision, f1, bool(metric.is_defined(counts).any()))
