"""Mutual information less what chance gives, against permutations and scikit-learn."""

from __future__ import annotations

from itertools import permutations
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref import score_table
from scoref.metrics import information

labels = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30
)


@given(labels)
def test_ami_and_nmi_are_those_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    key, response = map(list, zip(*pairs, strict=True))
    found = score_table(key, response, metrics="ami,nmi").values
    learn = pytest.importorskip("sklearn.metrics")
    ami = learn.adjusted_mutual_info_score(key, response)
    assert found["ami"] == pytest.approx(ami, abs=1e-9)
    nmi = learn.normalized_mutual_info_score(key, response)
    assert found["nmi"] == pytest.approx(nmi, abs=1e-9)


def test_chance_in_large_clusters_is_that_of_scikit_learn() -> None:
    # Most overlaps of such clusters are less likely than any number that exists.
    key = [place % 2 for place in range(4000)]
    response = [place % 3 == 0 for place in range(4000)]
    learn = pytest.importorskip("sklearn.metrics")
    ami = learn.adjusted_mutual_info_score(key, response)
    found = score_table(key, response, metrics="ami").values["ami"]
    assert found == pytest.approx(ami, abs=1e-9)


def _left(key: list[str], response: tuple[str, ...]) -> float:
    """Compute N times the mean of both conditional entropies, cell by cell."""
    total = 0.0
    pairs = list(zip(key, response, strict=True))
    for g, p in set(pairs):
        n = pairs.count((g, p))
        total += n * (log(key.count(g) / n) + log(response.count(p) / n)) / 2
    return total


def test_chance_is_the_mean_over_all_permutations() -> None:
    key, response = list("aaabbc"), list("xxyyyz")
    chance = [_left(key, each) for each in permutations(response)]
    expected = 1 - _left(key, tuple(response)) / (sum(chance) / len(chance))
    found = score_table(key, response, metrics="ami").values["ami"]
    assert found == pytest.approx(expected)


def test_chance_stays_within_groups() -> None:
    key, response = list("aabbabccdd"), list("xxyyyxzwzw")
    table = {"key": key, "predicted": response, "group": [1] * 6 + [2] * 4}
    one = score_table(table, group="group", metrics="ami", key_cluster="key")
    parts = (slice(6), slice(6, None))
    left = chance = 0.0
    for part in parts:
        ways = [_left(key[part], each) for each in permutations(response[part])]
        left += _left(key[part], tuple(response[part]))
        chance += sum(ways) / len(ways)
    assert one.values["ami"] == pytest.approx(1 - left / chance)


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_engines_have_the_same_digits(engine: str) -> None:
    pytest.importorskip(engine)
    key = {n: n // 7 for n in range(300)}
    response = {n: n // 5 for n in range(20, 320)}
    found = score_table(key, response, metrics="ami,nmi", engine=engine).values
    again = score_table(key, response, metrics="ami,nmi", engine="numpy").values
    assert found == again


def test_chance_is_added_up_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    key, response = list("aaabbbcddddd"), list("xxyyyzxxyzzz")
    whole = score_table(key, response, metrics="ami").values["ami"]
    monkeypatch.setattr(information, "_AT_ONCE", 1)
    assert score_table(key, response, metrics="ami").values["ami"] == pytest.approx(
        whole, abs=1e-12
    )


def test_chance_is_found_where_rounding_would_leave_the_possible_numbers() -> None:
    total = 885_313_783_158.0
    a, b = np.array([total, total - 1, total]), np.array([total - 1, total, total])
    found = information._hypergeometric(a, b, total)  # noqa: SLF001
    common = np.minimum(a, b)  # all of the smaller one are among the larger one
    assert found == pytest.approx(common * np.log(np.sqrt(a * b) / common), abs=0.01)
