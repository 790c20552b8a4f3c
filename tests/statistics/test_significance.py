"""Where nothing can be significant it is said, and swaps become as many as it takes."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from counted import counted, made_up
from scoref.statistics.compare import compare
from scoref.statistics.significance import MOST_SWAPS, Design

if TYPE_CHECKING:
    from counted import Floats
    from scoref.scoring.results import Result
    from scoref.statistics.compare import Comparison

METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea")


def rows(documents: int, hits: int) -> Floats:
    """Make documents in which so many of ten are right."""
    return np.tile([hits, 10, hits, 10], (documents, 1)).astype(np.float64)


def systems(count: int, documents: int) -> dict[str, Result]:
    """Make systems each of which is better than the one before, in every document."""
    return {
        f"s{number}": counted(
            **{metric: rows(documents, number % 10 + 1) for metric in METRICS}  # type: ignore[arg-type]
        )
        for number in range(count)
    }


def kinds(comparison: Comparison) -> list[str]:
    return [note.kind for note in comparison.notes]


def test_swaps_become_more_where_no_difference_could_be_significant() -> None:
    # 7 metrics with CoNLL, 45 pairs: 315 tests, and 1000 swaps have p ≥ 0.315.
    found = compare(systems(10, 40), resamples=1000)
    (note,) = found.notes
    assert (found.resamples, found.swaps) == (1000, 7000)
    assert "|resamples:1000|swaps:7000|" in found.signature
    assert (note.kind, note.count) == ("more-swaps", 7000)
    assert "7000 swaps were tried, not 1000: with 315 tests nothing" in note.message
    assert all(row.adjusted <= found.allowed for row in found.differences)


def test_swaps_stay_as_they_are_where_they_are_enough() -> None:
    found = compare(systems(2, 40), resamples=140)
    assert (found.swaps, found.notes) == (140, ())
    assert compare(systems(2, 40), resamples=139).swaps == 278


def test_intervals_do_not_move_with_the_number_of_swaps() -> None:
    many = {name: counted(muc=made_up(40, seed)) for seed, name in enumerate("abc")}
    few = {name: many[name] for name in "ab"}
    raised, plain = compare(many, resamples=50), compare(few, resamples=50)
    assert (raised.swaps, plain.swaps) == (100, 50)
    assert raised.differences[0].interval == plain.differences[0].interval
    assert raised.differences[0].bootstrap == plain.differences[0].bootstrap


def test_too_few_documents_for_any_number_of_swaps_are_told() -> None:
    found = compare(systems(3, 8), resamples=1000)  # 21 tests, p ≥ 2/256
    note = found.notes[0]
    assert kinds(found) == ["no-significance", "few-documents"]
    assert "8 documents can be swapped in 256 ways" in note.message
    assert "p is 0.16 at least after the correction for 21 tests" in note.message
    assert min(row.adjusted for row in found.differences) > found.allowed


def test_too_many_tests_are_told_with_what_they_need() -> None:
    found = compare(systems(2, 60), resamples=100, level=99.999)
    (note,) = found.notes
    assert found.swaps == 100
    assert note.kind == "no-significance"
    assert "7 tests at p ≤ 1e-05 need 700000 swaps (--resamples 700000)" in note.message


@pytest.mark.parametrize("tests", [1, 8, 24, 528, 6240])
@pytest.mark.parametrize("level", [50, 80, 90, 95, 99, 99.9])
def test_the_smallest_p_is_significant_with_the_swaps_that_are_tried(
    tests: int, level: float
) -> None:
    asked = Design(tests, level, documents=100)
    swaps = asked.swaps(10_000)
    is_enough = tests / (swaps + 1) <= asked.allowed
    assert is_enough or asked.needed > MOST_SWAPS
    assert is_enough == (not any(n.kind == "no-significance" for n in asked.notes(10)))


def test_one_document_has_no_interval_and_no_bootstrap() -> None:
    found = compare({"a": counted(muc=rows(1, 9)), "b": counted(muc=rows(1, 3))})
    (row,) = found.differences
    assert row.difference == pytest.approx(0.6)
    assert (row.interval, row.bootstrap, row.randomisation) == (None, None, 1.0)
    assert kinds(found) == ["no-significance", "few-documents"]


def test_datasets_of_one_document_each_do_not_vary_either() -> None:
    found = compare(
        {
            name: {each: counted(muc=rows(1, hits)) for each in "xyz"}
            for name, hits in (("a", 9), ("b", 3))
        }
    )
    (row,) = found.differences
    assert (row.interval, row.bootstrap, row.randomisation) == (None, None, 0.25)


def test_datasets_of_one_document_are_told_among_others() -> None:
    found = compare(
        {
            name: {
                "x": counted(muc=made_up(30, seed)),
                "y": counted(muc=rows(1, 3 + seed)),
            }
            for seed, name in enumerate("ab")
        },
        resamples=100,
    )
    (note,) = found.notes
    assert (note.kind, note.count) == ("lone-documents", 1)
    assert note.message.startswith("1 of 2 datasets has one document only")


def test_systems_compared_together_have_the_figures_of_each_pair_alone() -> None:
    found = {
        name: counted(muc=made_up(40, seed), lea=made_up(40, seed + 9))
        for seed, name in enumerate("abcd")
    }
    together = compare(found, resamples=500)
    for pair in combinations(found, 2):
        alone = compare({name: found[name] for name in pair}, resamples=500)
        for row in alone.differences:
            same = together.between(*pair, row.metric)
            assert same._replace(adjusted=row.adjusted) == row
