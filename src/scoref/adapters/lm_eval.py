"""Functions for tasks of lm-evaluation-harness that are scored as coreference.

In a Python file in the same folder as the task's YAML:

    from scoref.adapters.lm_eval import bcub, ceafe, coreference, conll, muc

    process_results = coreference()

and in the YAML `process_results: !function FILE.process_results`, with `aggregation:
!function FILE.conll` for a metric called `conll`. Documents have `sentences` and
`clusters`, as in JSON lines. Figures are those of all documents together, not means
over documents.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from scoref.adapters._answers import AnswerScorer, corpus_result, document_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Unpack

    from scoref.scheme import Unplaced
    from scoref.scoring.request import ScoreOptions

    Counted = Mapping[str, Any]
    Aggregation = Callable[[Sequence[Counted]], float]

FIGURES = ("conll", "conll_low", "conll_high", "muc", "bcub", "ceafe", "lea")
"""The metrics that a task can list."""


def coreference(
    key: str | None = None,
    notation: str | None = None,
    unplaced: Unplaced | None = None,
    **options: Unpack[ScoreOptions],
) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, Counted]]:
    """Make a function for `process_results`.

    Args:
        key: the field of a document that has the key, as the content of a file; the
            document itself, with `sentences` and `clusters`, if not given.
        notation: how mentions are marked in answers; what fits best if not given.
        unplaced: ``count`` mentions that are not in the text as wrong mentions, which
            is the default, or ``ignore`` them.
        options: as for `scoref.score`.
    """
    scorer = AnswerScorer.of(notation, unplaced, **options)
    numbers = itertools.count()

    def process_results(
        doc: Mapping[str, Any], results: Sequence[str]
    ) -> dict[str, Counted]:
        name = str(doc.get("doc_key") or f"document {next(numbers)}")
        counts = document_counts(
            scorer.score(doc[key] if key else dict(doc), results[0], name)
        )
        return dict.fromkeys(FIGURES, counts)

    return process_results


def _f1_of(metric: str) -> Aggregation:
    def aggregation(documents: Sequence[Counted]) -> float:
        return corpus_result(documents).scores[metric].f1

    aggregation.__doc__ = f"Return the F₁ of all documents by {metric}."
    return aggregation


conll, muc, bcub, ceafe, lea = map(_f1_of, ("conll", "muc", "bcub", "ceafe", "lea"))


def conll_low(documents: Sequence[Counted]) -> float:
    """Return the lower bound of the CoNLL score's bootstrap interval."""
    return _interval(documents)[0]


def conll_high(documents: Sequence[Counted]) -> float:
    """Return the upper bound of the CoNLL score's bootstrap interval."""
    return _interval(documents)[1]


def _interval(documents: Sequence[Counted]) -> tuple[float, float]:
    """Return the interval of the CoNLL score; one document has none."""
    from scoref.statistics.confidence import confidence

    if len(documents) < 2:
        return math.nan, math.nan
    interval = confidence(corpus_result(documents)).intervals["conll"]["f1"]
    return interval.low, interval.high
