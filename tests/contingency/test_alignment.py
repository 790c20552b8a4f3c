"""Cells of listings and the entities of their counterparts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from scoref.contingency import alignment
from scoref.contingency.alignment import cell_codes
from scoref.errors import TooLargeError

if TYPE_CHECKING:
    from scoref.model import Ints

WIDTH = np.int64(2)


class Listings(NamedTuple):
    """Mentions, and the entities that list them."""

    mention: Ints
    entity: Ints


KEY = Listings(np.array([0, 1, 2]), np.array([0, 0, 1]))
RESPONSE = Listings(np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1]))


def test_a_counterpart_in_two_entities_is_in_two_cells() -> None:
    target = np.array([0, 1, -1])
    assert cell_codes(KEY, target, RESPONSE, WIDTH).tolist() == [0, 0, 1]


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "_MOST_PAIRS", 2)
    monkeypatch.setattr(alignment, "_USUAL", 0)
    with pytest.raises(TooLargeError, match="3 pairs of entities"):
        cell_codes(KEY, np.array([0, 1, -1]), RESPONSE, WIDTH)
