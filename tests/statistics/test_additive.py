"""Datasets × systems: the macro average over datasets is what is compared."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref import OptionError
from scoref.statistics.additive import Additive, SystemRuns
from scoref.statistics.bootstrap import corrected_cuts, resample
from scoref.statistics.compare import compare
from support.results_from_counts import (
    counted,
    interval_of,
    made_up,
    repeated,
    score_of,
)

if TYPE_CHECKING:
    from scoref.scoring.results import Result
    from support.results_from_counts import Floats

F1 = 2
SIZES = {"cs": 2, "en": 5, "fr": 1}
ONE = {name: made_up(size, 3 + size, 0.8) for name, size in SIZES.items()}
OTHER = {name: made_up(size, 7 + size, 0.6) for name, size in SIZES.items()}


def results(rows: dict[str, Floats]) -> dict[str, Result]:
    return {name: counted(muc=each) for name, each in rows.items()}


def macro(rows: dict[str, Floats]) -> float:
    return sum(score_of(each)[F1] for each in rows.values()) / len(rows)


SYSTEMS = {"one": results(ONE), "other": results(OTHER)}


def test_the_difference_is_of_macro_averages() -> None:
    (found,) = compare(SYSTEMS, resamples=256).differences
    assert found.difference == pytest.approx(macro(ONE) - macro(OTHER), abs=1e-12)
    f1 = compare(SYSTEMS, resamples=256).f1
    assert f1["one"]["muc"] == pytest.approx(macro(ONE), abs=1e-12)
    assert f1["other"]["muc"] == pytest.approx(macro(OTHER), abs=1e-12)


def test_documents_are_swapped_within_their_datasets() -> None:
    found = compare(SYSTEMS, resamples=256)
    observed = abs(macro(ONE) - macro(OTHER))
    times = 0
    for coins in product((False, True), repeat=8):
        left = np.array(coins)
        first, second = {}, {}
        for name, size in SIZES.items():
            flips, left = left[:size, None], left[size:]
            first[name] = np.where(flips, OTHER[name], ONE[name])
            second[name] = np.where(flips, ONE[name], OTHER[name])
        times += abs(macro(first) - macro(second)) >= observed - 1e-12
    assert found.differences[0].randomisation == times / 256
    assert (found.is_exact, found.documents) == (True, 8)


def drawn_differences(times: int, seed: int) -> list[float]:
    """Draw each dataset with a seed of its own, and score every corpus."""
    draws = [
        np.concatenate(list(resample(size, times, seed + number))).tolist()
        for number, size in enumerate(SIZES.values())
    ]
    found = []
    for weights in zip(*draws, strict=True):
        one, other = (
            sum(
                score_of(repeated(rows, each))[F1]
                for rows, each in zip(system.values(), weights, strict=True)
            )
            for system in (ONE, OTHER)
        )
        found.append((one - other) / len(SIZES))
    return found


def test_documents_are_drawn_within_their_datasets() -> None:
    (found,) = compare(SYSTEMS, resamples=200, seed=5, method="percentile").differences
    difference, drawn = macro(ONE) - macro(OTHER), drawn_differences(200, 5)
    times = sum(abs(each - difference) >= abs(difference) - 1e-12 for each in drawn)
    assert 10 < times < 190
    assert found.bootstrap == pytest.approx((1 + times) / 201, abs=1e-12)
    expected = np.quantile(drawn, (0.025, 0.975)).tolist()
    assert [*interval_of(found)] == pytest.approx(expected, abs=1e-12)


def test_documents_are_left_out_of_their_dataset_for_the_acceleration() -> None:
    without = []
    for name, size in SIZES.items():
        for row in range(size):
            one, other = (
                system | {name: np.delete(system[name], row, axis=0)}
                for system in (ONE, OTHER)
            )
            without.append(macro(one) - macro(other))
    (found,) = compare(SYSTEMS, resamples=200, seed=5, method="bca").differences
    drawn = np.array(drawn_differences(200, 5))
    cuts = corrected_cuts((0.025, 0.975), drawn, found.difference, np.array(without))
    expected = np.quantile(drawn, cuts).tolist()
    assert [*interval_of(found)] == pytest.approx(expected, abs=1e-9)


def test_every_document_is_won_tied_or_lost() -> None:
    (found,) = compare(SYSTEMS, resamples=10).differences
    expected = [0, 0, 0]
    for name, rows in ONE.items():
        for mine, theirs in zip(rows, OTHER[name], strict=True):
            away = score_of([mine])[F1] - score_of([theirs])[F1]
            expected[0 if away > 1e-12 else 2 if away < -1e-12 else 1] += 1
    assert [found.wins, found.ties, found.losses] == expected


def test_one_dataset_is_compared_like_its_files() -> None:
    alone = compare({name: each["en"] for name, each in SYSTEMS.items()}, resamples=99)
    folder = compare(
        {name: {"en": each["en"]} for name, each in SYSTEMS.items()}, resamples=99
    )
    assert alone.differences == folder.differences


def test_the_other_way_round_p_values_are_the_same() -> None:
    (forth,) = compare(SYSTEMS, resamples=99).differences
    (back,) = compare(dict(reversed(SYSTEMS.items())), resamples=99).differences
    assert forth.difference == pytest.approx(-back.difference, abs=1e-15)
    assert (forth.randomisation, forth.bootstrap) == (
        back.randomisation,
        back.bootstrap,
    )


def test_a_dataset_that_one_system_lacks_is_refused() -> None:
    less = {"one": SYSTEMS["one"], "other": results({"cs": OTHER["cs"]})}
    with pytest.raises(OptionError, match="do not have the same datasets"):
        compare(less, resamples=10)


def test_datasets_are_matched_by_name() -> None:
    rows = {"cs": made_up(6, 1), "en": made_up(6, 2)}
    systems = {"one": results(rows), "other": results(dict(reversed(rows.items())))}
    found = compare(systems, resamples=99).differences[0]
    assert (found.wins, found.ties, found.losses) == (0, 12, 0)
    assert (found.randomisation, found.bootstrap) == (1.0, 1.0)


NOTHING = np.zeros((1, 4))
PARTLY = {"cs": np.vstack((ONE["cs"], NOTHING)), "en": ONE["en"], "fr": NOTHING}
PARTLY["cs"][0] = 0  # only the second of three documents has anything to score
LIKEWISE = {"cs": np.vstack((OTHER["cs"], NOTHING)), "en": OTHER["en"], "fr": NOTHING}
LIKEWISE["cs"][0] = 0


def mean_of_defined(rows: dict[str, Floats]) -> float:
    scores = [score_of(each)[F1] for each in rows.values() if each[:, [1, 3]].any()]
    return sum(scores) / len(scores)


def test_a_dataset_with_nothing_to_score_is_left_out_of_the_mean() -> None:
    found = compare({"one": results(PARTLY), "other": results(LIKEWISE)}, resamples=20)
    assert found.f1["one"]["muc"] == pytest.approx(mean_of_defined(PARTLY), abs=1e-12)
    assert found.covered == {"one": {"muc": 2}, "other": {"muc": 2}}


def test_each_draw_is_averaged_over_the_datasets_that_it_defines() -> None:
    systems = {"one": results(PARTLY), "other": results(LIKEWISE)}
    (found,) = compare(systems, resamples=200, seed=5, method="percentile").differences
    draws = [
        np.concatenate(list(resample(len(rows), 200, 5 + number))).tolist()
        for number, rows in enumerate(PARTLY.values())
    ]
    differences = []
    for weights in zip(*draws, strict=True):
        one, other = (
            mean_of_defined(
                {
                    name: np.array(repeated(rows, each))
                    for (name, rows), each in zip(system.items(), weights, strict=True)
                }
            )
            for system in (PARTLY, LIKEWISE)
        )
        differences.append(one - other)
    expected = np.quantile(differences, (0.025, 0.975)).tolist()
    assert [*interval_of(found)] == pytest.approx(expected, abs=1e-9)


def test_a_metric_that_is_undefined_everywhere_has_no_figure() -> None:
    nothing = {"cs": NOTHING, "en": np.zeros((2, 4))}
    found = compare({"one": results(nothing), "other": results(nothing)}, resamples=20)
    assert found.f1["one"]["muc"] is None


def test_a_macro_average_of_nothing_is_undefined() -> None:
    documents = {"a": [["x"]], "b": [["y"]]}
    both = [[["x"]], [["x", "y"]]]
    for entities, is_defined in zip(both, (False, True), strict=True):
        key = documents | {"c": entities}
        result = scoref.score(key, key, metrics="muc", average="macro")
        additive = Additive.of(result)
        sums = additive.matrix.sum(axis=0)
        assert additive.is_defined(sums).tolist() == [is_defined]


@pytest.mark.parametrize(("totals", "sd"), [([0.5], 0), ([0.5, 0.7], 0.02**0.5)])
def test_runs_have_a_standard_deviation(totals: list[float], sd: float) -> None:
    runs: Any = tuple(SimpleNamespace(total=np.array([[total]])) for total in totals)
    assert SystemRuns(runs).sd.tolist() == [[pytest.approx(sd)]]
