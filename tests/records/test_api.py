"""Figures of papers: Cai and Strube's tables, and pairs counted in three ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref.errors import OptionError
from scoref.metrics.base import AnyScore, Score, Value
from support.clusterings import OF_TABLES, Ratios, counted, indices, ratios, tabulate

if TYPE_CHECKING:
    from scoref.scheme import Undefined

# Key, response, metric; then precision, recall and F₁, to three digits.
TWINLESS = [
    ("abc", "abd", "bcub-0", 1.000, 0.444, 0.615),
    ("abc", "abd", "bcub-all", 0.556, 0.556, 0.556),
    ("abc", "abd", "bcub-rn", 0.556, 0.556, 0.556),
    ("abc", "abd", "bcub-sys", 0.667, 0.556, 0.606),
    ("abc", "abd", "ceafm", 0.667, 0.667, 0.667),
    ("abc", "abd", "ceafm-sys", 0.500, 0.667, 0.571),
    ("abc", "abde", "bcub-0", 1.000, 0.444, 0.615),
    ("abc", "abde", "bcub-all", 0.375, 0.556, 0.448),
    ("abc", "abde", "bcub-rn", 0.375, 0.556, 0.448),
    ("abc", "abde", "bcub-sys", 0.500, 0.556, 0.526),
    ("abc", "abde", "ceafm-sys", 0.400, 0.667, 0.500),
    ("abc", "abd c", "bcub-all", 0.667, 0.556, 0.606),
    ("abc", "abd c", "bcub-rn", 0.667, 0.556, 0.606),
    ("abc", "abd c", "bcub-sys", 0.667, 0.556, 0.606),
    ("abc", "abd c", "ceafm-sys", 0.500, 0.667, 0.571),
    ("ab", "abd", "bcub-all", 0.556, 1.000, 0.714),
    ("ab", "abd", "bcub-rn", 0.556, 1.000, 0.714),
    ("ab", "abd", "bcub-sys", 0.556, 1.000, 0.714),
    ("ab", "abd", "ceafm-sys", 0.667, 1.000, 0.800),
    ("ab", "abd i j k", "bcub-all", 0.778, 1.000, 0.875),
    ("ab", "abd i j k", "bcub-rn", 0.556, 1.000, 0.714),
    ("ab", "abd i j k", "bcub-sys", 0.556, 1.000, 0.714),
    ("ab", "abd i j k", "ceafm-sys", 0.667, 1.000, 0.800),
    ("abc", "ab c i j", "ceafm", 0.400, 0.667, 0.500),
    ("abc", "ab c i j", "bcub-sys", 1.000, 0.556, 0.714),
    ("abc", "ab c i j", "ceafm-sys", 0.667, 0.667, 0.667),
    ("abc", "ab c i j", "ceafe-sys", 0.400, 0.800, 0.533),
    ("abc", "ab ij c", "ceafm", 0.400, 0.667, 0.500),
    ("abc", "ab ij c", "bcub-sys", 0.800, 0.556, 0.656),
    ("abc", "ab ij c", "ceafm-sys", 0.600, 0.667, 0.632),
    ("abc", "ab ij c", "ceafe-sys", 0.489, 0.800, 0.607),
    ("abc", "ab ij kl c", "ceafm-rn", 0.286, 0.667, 0.400),
    ("abc", "ab ij kl c", "bcub-sys", 0.714, 0.556, 0.625),
    ("abc", "ab ij kl c", "ceafm-sys", 0.571, 0.667, 0.615),
    ("abc", "ab ijkl c", "ceafm-rn", 0.286, 0.667, 0.400),
    ("abc", "ab ijkl c", "bcub-sys", 0.571, 0.556, 0.563),
    ("abc", "ab ijkl c", "ceafm-sys", 0.429, 0.667, 0.522),
    ("abc", "abd ij", "bcub-sys", 0.611, 0.556, 0.582),
]
# Tables 12 to 15: response, precision, recall, and the F₁ that is printed.
APPENDIX = [
    ("ab ij", 0.857, 0.280, 0.422),
    ("abc ij", 0.857, 0.440, 0.581),
    ("abcd ij", 0.857, 0.680, 0.758),  # printed: 0.784
    ("abcde ij", 0.857, 1.000, 0.923),
    ("abc ijk", 0.750, 0.440, 0.555),
    ("abc ijkl", 0.667, 0.440, 0.530),
    ("abc ijklm", 0.600, 0.440, 0.508),
    ("abij", 0.643, 0.280, 0.390),
    ("abcij", 0.600, 0.440, 0.508),
    ("abcdij", 0.571, 0.680, 0.621),
    ("abcdeij", 0.551, 1.000, 0.711),
    ("abcijk", 0.500, 0.440, 0.468),
    ("abcijkl", 0.429, 0.440, 0.434),
    ("abcijklm", 0.375, 0.440, 0.405),
]
ROUNDED = 0.0005 + 1e-9
LUMPED = [["a"], ["b", "c"]], [["a", "b", "c"]]


def _scores(key: str, response: str, name: str) -> tuple[AnyScore, AnyScore]:
    """Score clusters as a table, and as the entities of a document."""
    sides = key.split(), response.split()
    listed = [[list(each) for each in side] for side in sides]
    as_entities = scoref.score(listed[0], listed[1], metrics=name).scores[name]
    return OF_TABLES[name](counted(tabulate(*sides))), as_entities


@pytest.mark.parametrize(("key", "response", "name", "p", "r", "f"), TWINLESS)
def test_the_papers_examples_come_out(
    key: str, response: str, name: str, p: float, r: float, f: float
) -> None:
    for score in _scores(key, response, name):
        assert score[:3] == pytest.approx((r, p, f), abs=ROUNDED)


@pytest.mark.parametrize(("response", "p", "r", "f"), APPENDIX)
def test_the_appendix_of_the_paper_comes_out(
    response: str, p: float, r: float, f: float
) -> None:
    for score in _scores("abcde", response, "bcub-sys"):
        assert score[:2] == pytest.approx((r, p), abs=ROUNDED)
        # The paper computes F₁ from rounded figures.
        assert score.f1 == pytest.approx(f, abs=0.001)


def test_table_12_prints_an_f1_that_its_own_figures_do_not_give() -> None:
    precision, recall = 0.857, 0.68
    assert round(2 * precision * recall / (precision + recall), 3) == 0.758


def test_the_worked_example_of_ceaf_sys_has_three_of_five() -> None:
    # {a b d} and 3/6 are misprints: the result, 0.6, is right.
    actual = ratios(tabulate(["abc"], ["ab", "ij", "c"]), "ceafm-sys")
    assert actual == Ratios(recall=(2, 3), precision=(3, 5))


@pytest.mark.parametrize(
    ("name", "expected", "f1"),
    [
        ("pairwise", Ratios((1, 1), (1, 3)), 0.5),
        ("pairwise-membership", Ratios((5, 5), (5, 9)), 5 / 7),
        ("pairwise-s2and", Ratios((1, 2), (1, 3)), 0.4),
    ],
)
def test_pairs_are_counted_in_three_ways(
    name: str, expected: Ratios, f1: float
) -> None:
    assert ratios(tabulate(*LUMPED), name) == expected
    assert scoref.score(*LUMPED, metrics=name).scores[name].f1 == pytest.approx(f1)


def test_b_cubed_by_mention_and_by_key_cluster_are_two_metrics() -> None:
    scores = scoref.score(*LUMPED, metrics="bcub,bcub-entity").scores
    assert scores["bcub"].precision == pytest.approx(5 / 9)
    assert scores["bcub-entity"].precision == pytest.approx((1 / 3 + 2 / 3) / 2)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("zero", Score(0.0, 0.0, 0.0, is_defined=False)),
        ("one", Score(1.0, 1.0, 1.0, is_defined=False)),
    ],
)
def test_nothing_of_nothing_is_what_the_policy_says(
    policy: Undefined, expected: Score
) -> None:
    singletons = [["a"], ["b"], ["c"]]
    scores = scoref.score_table(singletons, singletons, undefined=policy).scores
    assert scores["pairwise"] == scores["muc"] == expected


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            {"universe": "all"},
            "unknown universe 'all'. Known: both, common, union, key, response",
        ),
        (
            {"duplicates": "keep"},
            "unknown duplicates policy 'keep'. Known: error, first, last",
        ),
        ({"undefined": "half"}, "unknown 0/0 policy 'half'. Known: zero, one, nan"),
    ],
)
def test_an_unknown_policy_is_refused(options: Any, problem: str) -> None:
    with pytest.raises(OptionError) as caught:
        scoref.score_table([["a"]], [["a"]], **options)
    assert str(caught.value) == problem


def test_a_ratio_that_is_undefined_on_one_side_follows_the_policy_there() -> None:
    table = tabulate(["ab"], ["a", "b"])
    assert ratios(table, "pairwise") == Ratios((0, 1), (0, 0))
    metric, sums = OF_TABLES["pairwise"], OF_TABLES["pairwise"].count(table)[0]
    assert metric.score_of(sums) == Score(0.0, 0.0, 0.0)
    assert metric.score_of(sums, undefined=1.0) == Score(0.0, 1.0, 0.0)


def test_blanc_is_defined_if_the_response_alone_has_a_link() -> None:
    actual = OF_TABLES["blanc"](counted(tabulate(["a"], ["ab"])))
    core = scoref.score([["a"]], [["a", "b"]], metrics="blanc").scores["blanc"]
    assert actual == core == Score(0.0, 0.0, 0.0, is_defined=True)


INDICES = (
    *("rand", "ari", "fowlkes-mallows", "homogeneity", "completeness", "v-measure"),
    *("nmi", "ami", "vi", "talburt-wang", "gmd", "purity", "inverse-purity"),
)


@pytest.mark.parametrize(("key", "response"), [([], []), (["ab"], []), (["a"], ["b"])])
def test_indices_without_a_common_mention_are_undefined(
    key: list[str], response: list[str]
) -> None:
    table = tabulate(key, response)
    for name in INDICES:
        metric, sums = OF_TABLES[name], OF_TABLES[name].count(table).sum(axis=0)
        assert metric.score_of(sums) == Value(0.0, is_defined=False)
        assert metric.score_of(sums, undefined=1.0).f1 == 1.0
        assert np.isnan(metric.score_of(sums, undefined=np.nan).f1)


def test_indices_of_one_common_mention_are_those_of_equal_clusterings() -> None:
    actual = indices(tabulate(["a"], ["a"]))
    lowest = {"fowlkes-mallows", "vi", "gmd"}
    assert actual == {name: float(name not in lowest) for name in INDICES}
    scores = scoref.score_table(["a"], ["b"], metrics=INDICES).scores
    assert all(score.is_defined for score in scores.values())
