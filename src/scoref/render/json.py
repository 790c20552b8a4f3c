"""JSON for programs: fractions at full precision."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING

from scoref.metrics import metrics_of
from scoref.printable import printable_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Floats, Metric, Score
    from scoref.render.tables import View
    from scoref.scoring.results import Result
    from scoref.statistics.confidence import Confidence

    Value = float | bool | None
    Scores = dict[str, dict[str, Value | dict[str, Value]]]


def render_json(results: Sequence[Result], view: View) -> str:
    """Write one object, or a list of them for several responses."""
    objects = [result_object(result, view.per_document) for result in results]
    for written, confidence in zip(objects, view.confidence, strict=False):
        written["confidence"] = _confidence(confidence)
    return json_of_each(objects)


def json_of_each(objects: Sequence[object]) -> str:
    """Write what there is for each response: a list, unless there is one only."""
    return json_text(objects if len(objects) > 1 else objects[0])


def json_text(written: object) -> str:
    """Write a value for programs, and for people who look at it."""
    return printable_json(json.dumps(written, ensure_ascii=False, indent=2))


def number(value: float | None) -> float | None:
    """Leave out what is not a number: JSON has no word for it."""
    return None if value is None or math.isnan(value) else value


def _confidence(confidence: Confidence) -> dict[str, object]:
    return {
        "signature": confidence.signature,
        "level": confidence.level,
        "method": confidence.method,
        "resamples": confidence.resamples,
        "seed": confidence.seed,
        "unit": confidence.unit,
        "count": confidence.count,
        "intervals": confidence.intervals,
        "notes": [dataclasses.asdict(note) for note in confidence.notes],
    }


def result_object(result: Result, per_document: bool) -> dict[str, object]:
    """Give a result as JSON knows it."""
    sums = {name: counts.sum(axis=0) for name, counts in result.counts.items()}
    known = metrics_of(result.scheme)
    written: dict[str, object] = {
        "signature": result.signature,
        "key": result.key,
        "response": result.response,
        "documents": len(result.documents),
        "scores": _scores(result.scores, sums, known),
        "notes": [dataclasses.asdict(note) for note in result.notes],
    }
    if per_document:
        written["per_document"] = {
            document: _scores(
                scores,
                {name: counts[row] for name, counts in result.counts.items()},
                known,
            )
            for row, (document, scores) in enumerate(result.per_document.items())
        }
    return written


def _scores(
    scores: Mapping[str, Score],
    counts: Mapping[str, Floats],
    known: Mapping[str, Metric],
) -> Scores:
    written: Scores = {}
    for name, score in scores.items():
        if name not in known:
            written[name] = {"f1": score.f1}
            continue
        columns = zip(known[name].columns, counts[name].tolist(), strict=True)
        if known[name].scale != "percent":
            written[name] = {"value": number(score.f1), "counts": dict(columns)}
            continue
        written[name] = {
            "recall": score.recall,
            "precision": score.precision,
            "f1": score.f1,
            "defined": score.is_defined,
            "counts": dict(columns),
        }
    return written
