"""Results and scores as JSON objects.

They have fractions, and counts where there are any. `docs/schemas` describes them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scoref.metrics import metrics_of
from scoref.metrics.base import FIGURES, Metric, Score, figures_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.metrics.base import AnyScore, Floats, MetricRecord
    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence


def confidence_object(confidence: Confidence) -> dict[str, object]:
    """Return intervals as a JSON object."""
    return {
        "signature": confidence.signature,
        "level": confidence.level,
        "method": confidence.method,
        "resamples": confidence.resamples,
        "seed": confidence.seed,
        "unit": confidence.unit,
        "count": confidence.count,
        "intervals": {
            metric: {figure: list(bounds) for figure, bounds in intervals.items()}
            for metric, intervals in confidence.intervals.items()
        },
        "notes": confidence.notes,
    }


_NULL = Score(math.nan, math.nan, math.nan, is_defined=False)


def result_object(
    result: Result, *, per_document: bool = False, with_null: bool = False
) -> dict[str, object]:
    """Return a result as a JSON object; ``with_null`` writes null for 0/0, not 0."""
    has_runs = len(result.runs) > 1
    # The means of runs are not computed from the means of their counts.
    counts_by_name = {} if has_runs else result.counts
    sums = {name: counts.sum(axis=0) for name, counts in counts_by_name.items()}
    known = metrics_of(result.scheme)
    written: dict[str, object] = {
        "signature": result.signature,
        "key": result.key,
        "response": result.response,
        "documents": len(result.documents),
        "scores": {
            name: score_object(
                score if result.is_defined(name) or not with_null else _NULL,
                known.get(name),
                sums.get(name),
            )
            for name, score in result.scores.items()
        },
        "notes": result.notes,
    }
    if result.fingerprint is not None:
        written["fingerprint"] = result.fingerprint.as_object(result.key_name)
    if result.trivial:
        written["trivial"] = {
            name: result_object(trivial, with_null=with_null)["scores"]
            for name, trivial in result.trivial.items()
        }
    if per_document:
        written["per_document"] = {
            document: {
                name: score_object(
                    score,
                    known.get(name),
                    counts_by_name[name][row] if name in counts_by_name else None,
                )
                for name, score in scores.items()
            }
            for row, (document, scores) in enumerate(result.per_document.items())
        }
    if has_runs:
        written |= _runs_object(result, per_document=per_document)
    return written


def _runs_object(result: Result, *, per_document: bool) -> dict[str, object]:
    """Return the mean, the standard deviation and the scores of several runs."""
    written: dict[str, object] = {
        "runs": len(result.runs),
        "mean": _figures_object(result.scores),
        "sd": _figures_object(result.sd),
        "by_run": [
            {"response": run.response, "scores": scores_object(run)}
            for run in result.runs
        ],
    }
    if per_document:
        written["sd_per_document"] = {
            document: _figures_object(sds)
            for document, sds in result.sd_per_document.items()
        }
    return written


def _figures_object(scores: Mapping[str, AnyScore]) -> dict[str, dict[str, float]]:
    """Return the figures of each metric; an average has F₁ only."""
    return {
        metric: {
            name: value
            for name in FIGURES
            if (value := getattr(score, name, None)) is not None
        }
        for metric, score in scores.items()
    }


def scores_object(result: Result) -> dict[str, dict[str, object]]:
    """Return the scores of a result as JSON objects, without counts."""
    known = metrics_of(result.scheme)
    return {
        name: score_object(score, known.get(name))
        for name, score in result.scores.items()
    }


def score_object(
    score: AnyScore, metric: MetricRecord | None, counts: Floats | None = None
) -> dict[str, object]:
    """Return a score with its counts; an average has only F₁, an index its value."""
    if not isinstance(metric, Metric):
        return {"f1": score.f1}
    figures: dict[str, object] = {
        **dict(zip(FIGURES, figures_of(score), strict=True)),
        "defined": score.is_defined,
    }
    if metric.scale != "percent":
        figures = {"value": score.f1}
        if not score.is_defined:
            figures["defined"] = False
    if counts is not None:
        figures["counts"] = dict(zip(metric.columns, counts.tolist(), strict=True))
    return figures
