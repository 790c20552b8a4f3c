"""CEAF, worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref.metrics import ceaf
from scoref.metrics.ceaf import align_by_entities, align_by_mentions
from support.clusterings import tabulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.model import Ints

KEY = [["a", "b", "c"], ["d"]]
RESPONSE = [["a", "b"], ["c", "d"]]


def test_the_alignment_shares_three_of_four_mentions() -> None:
    counts = scoref.score(KEY, RESPONSE, metrics="ceafm").counts["ceafm"]
    assert counts.tolist() == [[3, 4, 3, 4]]


def test_aligned_entities_are_compared_by_the_dice_coefficient() -> None:
    counts = scoref.score(KEY, RESPONSE, metrics="ceafe").counts["ceafe"]
    total = 4 / 5 + 2 / 3
    assert counts.tolist() == [pytest.approx([total, 2, total, 2])]


@pytest.mark.parametrize("align", [align_by_mentions, align_by_entities])
@pytest.mark.parametrize("ranks", [[0, 1], [1, 0]])
def test_ranks_choose_between_alignments_that_are_equally_good(
    align: Callable[..., Ints], ranks: list[int]
) -> None:
    # The key entity is as similar to {a} as to {b}; the one of the lower rank gets it.
    table = tabulate([["a", "b"]], [["a"], ["b"]])
    aligned = align(table, (np.array([0]), np.array(ranks)))
    assert table.cell_response[aligned].tolist() == [ranks.index(0)]


@pytest.mark.parametrize("more", ["key_size", "response_size", "overlap"])
@pytest.mark.parametrize("count", [2**20, 2**31 - 1, 2**40])
def test_weights_of_many_entities_fit_into_60_bits(more: str, count: int) -> None:
    table: Any = SimpleNamespace(
        key_size=range(5), response_size=range(5), overlap_plural=0
    )
    if more == "overlap":
        table.overlap, table.overlap_plural = np.array([1, count]), np.zeros(2)
    else:
        setattr(table, more, range(count))
    shift = ceaf._shift(table)  # noqa: SLF001
    assert count << shift < 2**60
    assert shift == 40 or (count + 1) << (shift + 1) >= 2**60


def test_large_overlaps_with_plurals_do_not_overflow() -> None:
    table = tabulate([["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]])
    large = np.array([2, 3, 3, 1]) * 2**40
    plurals = table._replace(overlap=large, overlap_plural=np.array([0.5, 0, 0, 0]))
    aligned = align_by_mentions(plurals)
    pairs = zip(table.cell_key[aligned], table.cell_response[aligned], strict=True)
    assert [*pairs] == [(0, 1), (1, 0)]
