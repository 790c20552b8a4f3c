"""The figures that er-evaluation gives, worked out by its formulas."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

import scoref

TRUTH = {1: "a", 2: "a", 3: "b", 4: "b", 5: "c"}

PREDICTED = {1: "p", 2: "p", 3: "q", 4: "r", 5: "s", 6: "s", 7: "t"}


def test_its_pairwise_recall_has_tin_s_correction() -> None:
    sample = {record: cluster for record, cluster in TRUTH.items() if cluster != "c"}
    actual = scoref.estimate(sample, PREDICTED, estimator="er-evaluation")
    # A = (1, 0), B = (1, 1): R = 1/2, and the correction is mean((1)(2 − 1, 0 − 1)) = 0
    assert actual.scores["pairwise"].recall == pytest.approx(0.5)
    error = 0.5 * sqrt(2 + 4 - 2 * 2) / sqrt(2)
    assert actual.errors["pairwise"]["recall"] == pytest.approx(error)
    assert actual.intervals["pairwise"]["recall"] is None
    assert "|estimator:er-evaluation|" in actual.signature


def test_its_cluster_precision_may_be_above_1_and_scoref_s_never() -> None:
    everywhere = {record: str(record) for record in range(100)}
    lumped = {record: str(record) for record in range(10)} | dict.fromkeys(
        range(10, 100), "lump"
    )
    few = {record: everywhere[record] for record in range(5)}
    above = scoref.estimate(few, lumped, estimator="er-evaluation", metrics="cluster")
    assert (above.scores["cluster"].precision or 0) > 1
    assert above.scores["cluster"].f1 > 1
    assert scoref.estimate(few, lumped).scores["cluster"].precision == 1


def test_it_drops_what_is_missing_and_never_refuses() -> None:
    actual = scoref.estimate(
        {1: "a", 2: "a", 99: "a", 98: "z"}, PREDICTED, estimator="er-evaluation"
    )
    assert actual.records == 2
    assert "|missing:drop|" in actual.signature


@pytest.mark.parametrize(
    "options", [{"metrics": "bcub"}, {"times": {"a": 2}}, {"block": True}]
)
def test_what_it_does_not_have_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(scoref.OptionError, match="er-evaluation"):
        scoref.estimate({1: "a"}, PREDICTED, estimator="er-evaluation", **options)
