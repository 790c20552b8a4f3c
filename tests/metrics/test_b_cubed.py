"""Extended B³: mentions that are in several entities on purpose."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.metrics.b_cubed import EXTENDED

if TYPE_CHECKING:
    from collections.abc import Iterable


Side = list[list[str]]


def score(key: Iterable[str], response: Iterable[str], **options: str) -> scoref.Score:
    sides = [[list(entity) for entity in side] for side in (key, response)]
    return scoref.score(*sides, metrics=EXTENDED, **options).scores["bcub-extended"]  # type: ignore[arg-type]


# R and P as the PyPI package bcubed 1.5 has them, but for the last row: a mention that
# the other side lacks earns 0 here.
@pytest.mark.parametrize(
    ("key", "response", "recall", "precision"),
    [
        ("abw cdw", "abw cdw", Fraction(1), Fraction(1)),
        ("abw cdw", "abw cd", Fraction(23, 30), Fraction(1)),
        ("abw cdw", "ab cd w", Fraction(83, 150), Fraction(1)),
        ("abw cdw", "abwcd", Fraction(49, 50), Fraction(17, 25)),
        ("ab ab", "ab", Fraction(1, 2), Fraction(1)),
        ("abw cdw", "ab cdx", Fraction(8, 15), Fraction(2, 3)),
        ("aab", "ab", Fraction(1), Fraction(1)),
    ],
)
def test_worked_examples(
    key: str, response: str, recall: Fraction, precision: Fraction
) -> None:
    found = score(key.split(), response.split())
    assert found[:2] == pytest.approx((float(recall), float(precision)))


def slowly(key: Side, response: Side) -> tuple[float, float]:
    """Compute recall and precision by their definition."""
    recall = _one_way(key, response)
    return recall, _one_way(response, key)


def _one_way(own: Side, other: Side) -> float:
    mentions = sorted({mention for entity in own for mention in entity})
    if not mentions:
        return 0.0
    means = []
    for one in mentions:
        worth = [
            Fraction(min(in_own, _sharing(other, one, mate)), in_own)
            for mate in mentions
            if (in_own := _sharing(own, one, mate))
        ]
        means.append(sum(worth) / len(worth))
    return float(sum(means) / len(means))


def _sharing(side: Side, one: str, other: str) -> int:
    return sum(one in entity and other in entity for entity in side)


sides = st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1), max_size=6)


@given(key=sides, response=sides)
def test_it_is_its_definition(key: Side, response: Side) -> None:
    found = scoref.score(key, response, metrics=EXTENDED).scores[EXTENDED]
    assert found[:2] == pytest.approx(slowly(key, response))


@given(key=sides, response=sides)
def test_documents_add_up_by_their_mentions(key: Side, response: Side) -> None:
    both = scoref.score(
        {"d1": key, "d2": response}, {"d1": response, "d2": key}, metrics=EXTENDED
    )
    there = scoref.score(key, response, metrics=EXTENDED).counts[EXTENDED]
    back = scoref.score(response, key, metrics=EXTENDED).counts[EXTENDED]
    assert both.counts[EXTENDED] == pytest.approx(np.concatenate((there, back)))


def test_without_overlap_it_is_b_cubed() -> None:
    sides = ["abc", "de", "f"], ["ab", "cde", "g"]
    result = scoref.score(
        *[[list(entity) for entity in side] for side in sides],
        metrics=f"bcub,{EXTENDED}",
    )
    assert result.scores[EXTENDED] == result.scores["bcub"]


@pytest.mark.parametrize("duplicates", ["reference", "first", "last", "coval"])
def test_it_does_not_ask_who_keeps_a_mention(duplicates: str) -> None:
    assert score(["abw", "cdw"], ["abw", "cdw"], duplicates=duplicates).f1 == 1


def test_singletons_are_dropped_by_their_size() -> None:
    kept = score(["abw", "cdw", "x"], ["abw", "cdw"])
    dropped = score(["abw", "cdw", "x"], ["abw", "cdw"], singletons="drop")
    assert kept.recall == pytest.approx(5 / 6)
    assert dropped.recall == 1


def test_notes_on_repeated_mentions_name_it() -> None:
    key = [[*"abcdefghijkl"], [*"abcdefghijkl"]]
    (hint, *_) = scoref.score(key, key).notes
    assert hint.message.endswith("intended, use --metrics bcub-extended.")
    (few, *_) = scoref.score([["a", "b"], ["a", "c"]], [["a"]]).notes
    assert "bcub-extended" not in few.message
    notes = scoref.score(key, key, metrics=EXTENDED).notes
    assert len(notes) == 2
    assert all("bcub-extended counts them in all" in note.message for note in notes)
