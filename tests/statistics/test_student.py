"""Student's t against SciPy's, and the cuts that follow from it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from counted import counted, made_up
from scoref.statistics.additive import Additive
from scoref.statistics.confidence import confidence, resampled_scores
from scoref.statistics.cuts import expanded
from scoref.statistics.student import inside, limit_of


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 19, 50, 349, 10_000])
@pytest.mark.parametrize("chance", [0.01, 0.5, 0.95, 0.9999])
def test_limits_are_scipys(chance: float, freedom: int) -> None:
    expected = float(stats.t.ppf((1 + chance) / 2, freedom))
    assert limit_of(chance, freedom) == pytest.approx(expected, rel=1e-8)
    assert inside(expected, freedom) == pytest.approx(chance, rel=1e-8)


def test_the_cuts_of_five_documents() -> None:
    # Hesterberg (2015): Φ(−√(n / (n − 1)) t), with 2.776 for five documents.
    tail = float(stats.norm.cdf(-np.sqrt(5 / 4) * 2.7764451051977987))
    assert expanded(95, 5, 4) == pytest.approx((tail, 1 - tail), rel=1e-9)


def test_many_documents_are_cut_as_by_percentile() -> None:
    assert expanded(95, 10**6, 10**6 - 1) == pytest.approx((0.025, 0.975), abs=2e-5)


def test_intervals_are_cut_there() -> None:
    rows = made_up(12, seed=3)
    drawn = resampled_scores(Additive.of(counted(muc=rows)), 400, 2014)[:, 0, 2]
    expected = np.quantile(drawn, expanded(90, 12, 11)).tolist()
    found = confidence(counted(muc=rows), level=90, resamples=400)
    assert [*found.intervals["muc"]["f1"]] == pytest.approx(expected, abs=1e-12)
    assert found.method == "expanded"


def test_one_document_has_no_interval() -> None:
    assert confidence(counted(muc=made_up(1, seed=3)), resamples=10).intervals == {}
