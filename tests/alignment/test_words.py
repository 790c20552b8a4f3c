"""Alignments cost what an edit distance says, whatever way they were found."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.alignment import words as alignment
from scoref.alignment.words import align, align_gap, anchors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.alignment.words import Alignment

# No piece is two others written together, so that every edit costs 1.
TEXTS = st.lists(st.sampled_from("abcde"), max_size=12)


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Count edits in the plainest way there is."""
    row = list(range(len(other) + 1))
    for i, mine in enumerate(one, start=1):
        above, row = row, [i]
        for j, theirs in enumerate(other, start=1):
            changed = above[j - 1] + (mine != theirs)
            row.append(min(changed, above[j] + 1, row[j - 1] + 1))
    return row[-1]


def cost(key: Sequence[str], output: Sequence[str], found: Alignment) -> int:
    there = np.flatnonzero(found.first >= 0)
    assert (np.diff(found.first[there]) > 0).all()
    assert found.first.tolist() == found.last.tolist()
    for row in there.tolist():
        assert found.is_same[row] == (key[found.first[row]] == output[row])
    added, lost = len(output) - len(there), len(key) - len(there)
    return added + lost + int((~found.is_same[there]).sum())


@given(key=TEXTS, output=TEXTS)
def test_an_alignment_costs_the_edit_distance(
    key: list[str], output: list[str]
) -> None:
    assert cost(key, output, align(key, output)) == distance(key, output)


@given(key=TEXTS, output=TEXTS)
def test_without_a_limit_cuts_still_give_an_alignment(
    key: list[str], output: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "_EXACT", 0)
        patch.setattr(alignment, "_AT_MOST", 1)
        found = align(key, output)
    assert cost(key, output, found) >= distance(key, output)


def damaged(words: list[str], rate: float, rng: random.Random) -> list[str]:
    written: list[str] = []
    for word in words:
        chance = rng.random() / rate
        if chance >= 1:
            written.append(word)
        elif chance > 1 / 3:
            written += [rng.choice(words)] * (1 + (chance > 2 / 3))
    return written


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_cuts_cost_hardly_more_in_a_text_of_common_and_rare_words(
    monkeypatch: pytest.MonkeyPatch, rate: float, seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311 - made-up texts
    vocabulary = [f"<{number}>" for number in range(300)]
    weights = [1 / (number + 1) for number in range(300)]
    key = rng.choices(vocabulary, weights, k=500)
    output = damaged(key, rate, rng)
    monkeypatch.setattr(alignment, "_EXACT", 100)
    least = distance(key, output)
    assert least <= cost(key, output, align(key, output)) <= least * 1.03


def test_of_equal_costs_the_most_alike_words_are_paired() -> None:
    assert align_gap(["colour"], ["nice", "color"]) == [((0, 1), (1, 2), False)]
    assert align_gap(["old", "harbour"], ["Harbour"]) == [((1, 2), (0, 1), False)]
    assert align_gap([",", "she"], ["Ada"]) == [((1, 2), (0, 1), False)]


def test_words_that_were_cut_otherwise_are_the_same() -> None:
    assert align_gap(["do", "n", "'"], ["don", "'"]) == [
        ((0, 2), (0, 1), True),
        ((2, 3), (1, 2), True),
    ]
    found = align(["can", "not", "go"], ["we", "cannot", "go"])
    assert found.first.tolist() == [-1, 0, 2]
    assert found.last.tolist() == [-1, 1, 2]
    output, is_same = found.of_key(3)
    assert output.tolist() == [1, 1, 2]
    assert is_same.all()


def test_an_empty_node_is_no_word() -> None:
    assert align(["##"], ["she"]).first.tolist() == [-1]
    assert align(["##", "came"], ["she", "came"]).first.tolist() == [-1, 1]


def rising(values: Sequence[int]) -> int:
    """Measure a longest part that rises, by trying all that could come before."""

    @cache
    def longest(row: int) -> int:
        before = (longest(r) for r in range(row) if values[r] < values[row])
        return 1 + max(before, default=0)

    return max(map(longest, range(len(values))), default=0)


@given(st.permutations(range(9)))
def test_most_anchors_that_keep_their_order_are_taken(order: list[int]) -> None:
    mine, theirs = anchors(np.arange(9), np.array(order), 1)
    assert len(mine) == rising([order.index(value) for value in range(9)])
    assert (np.diff(mine) > 0).all()
    assert (np.diff(theirs) > 0).all()
    assert mine.tolist() == np.array(order)[theirs].tolist()
