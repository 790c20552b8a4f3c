"""Results made of counts, without files, and their scores by plain arithmetic.

Rows are documents: recall numerator and denominator, then precision's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.metrics import conll
from scoref.scheme import Scheme
from scoref.schemes import SCHEMES
from scoref.scoring.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.scheme import Average
    from scoref.statistics.bootstrap import Interval
    from scoref.statistics.compare import Difference

    Rows = Sequence[Sequence[float]]
    Floats = NDArray[np.float64]
    Triple = tuple[float, float, float]


def counted(
    *,
    average: Average = "micro",
    documents: Sequence[str] | None = None,
    **counts: Rows | Floats,
) -> Result:
    """Make a result of the counts of some metrics; of three, with their CoNLL score."""
    matrices = {name: np.array(rows, dtype=np.float64) for name, rows in counts.items()}
    has_conll = set(conll.PARTS) <= set(counts)
    first = next(iter(matrices.values()))
    names = documents or [f"d{row:03}" for row in range(len(first))]
    return Result(
        key="key",
        response="response",
        format="conll-2012",
        scheme=Scheme(average=average),
        metrics=(*counts, *([conll.NAME] if has_conll else [])),
        documents=tuple(names),
        counts=matrices,
    )


def interval_of(row: Difference) -> Interval:
    """Give the interval of documents that vary."""
    assert row.interval is not None
    return row.interval


def made_up(documents: int, seed: int, quality: float = 0.7) -> Floats:
    """Make up whole counts of so many documents, some of them without anything."""
    random = np.random.default_rng(seed)
    key = random.poisson(5, documents)
    hits = random.binomial(key, quality)
    wrong = random.poisson(2, documents)
    columns = (hits, key, hits, hits + wrong)
    return np.stack(columns, axis=-1).astype(np.float64)


def score_of(rows: Iterable[Sequence[float]]) -> Triple:
    """Add documents up, one by one, and give recall, precision and F₁."""
    sums = [0.0, 0.0, 0.0, 0.0]
    for row in rows:
        for column in range(4):
            sums[column] += row[column]
    recall = sums[0] / sums[1] if sums[1] else 0.0
    precision = sums[2] / sums[3] if sums[3] else 0.0
    both = recall + precision
    return recall, precision, 2 * recall * precision / both if both else 0.0


def mean_score_of(rows: Iterable[Sequence[float]]) -> Triple:
    """Average the scores of documents that have something to score."""
    scores = [score_of([row]) for row in rows if row[1] or row[3]]
    if not scores:
        return 0.0, 0.0, 0.0
    means = [sum(score[figure] for score in scores) / len(scores) for figure in (0, 1)]
    return means[0], means[1], sum(score[2] for score in scores) / len(scores)


def repeated(rows: Rows | Floats, weights: Iterable[float]) -> list[list[float]]:
    """Write each document as often as it was drawn."""
    return [
        list(row)
        for row, weight in zip(rows, weights, strict=True)
        for _ in range(int(weight))
    ]


def ontonotes_result(
    percentage: float = 50.0, *, name: str = "(bc/cctv/00/cctv_0005); part {:03}"
) -> Result:
    """Make a result on 348 documents, as in OntoNotes, with one F₁ for all metrics."""
    rows = np.zeros((348, 4))
    rows[0] = 1000 * np.array([percentage, 100, percentage, 100])
    links = np.zeros((348, 6))
    links[0] = 1000 * np.array([percentage, 100, 100, percentage, 100, 100])
    ratios = dict.fromkeys(["mentions", "muc", "bcub", "ceafm", "ceafe"], rows)
    return Result(
        key="key.conll",
        response="response.conll",
        format="conll-2012",
        scheme=SCHEMES["conll-2012"],
        metrics=(*ratios, "blanc", "conll"),
        documents=tuple(name.format(number) for number in range(348)),
        counts={**ratios, "blanc": links},
    )
