"""LEA under both conventions, computed by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

import scoref

if TYPE_CHECKING:
    from scoref.scheme import Lea

# Key entity abcd has 6 links, of which the response keeps ab and cd; ef is split.
# The singleton g is one in the response, too; the singleton h is not.
KEY = ["abcd", "ef", "g", "h"]
RESPONSE = ["ab", "cd", "e", "g", "fh"]


@pytest.mark.parametrize(
    ("convention", "counts"),
    [
        # R: 4·2/6 + 2·0 + 1·1 + 1·0 over 8;  P: 2·1 + 2·1 + 0 + 1 + 0 over 8
        ("self-links", [Fraction(7, 3), 8, 5, 8]),
        # R: 4·2/6 + 2·0 over 4 + 2;  P: 2·1 + 2·1 + 2·0 over 6
        ("no-singletons", [Fraction(4, 3), 6, 4, 6]),
    ],
)
def test_singletons_count_as_the_convention_says(
    convention: Lea, counts: list[Fraction]
) -> None:
    key, response = (
        [list(entity) for entity in entities] for entities in (KEY, RESPONSE)
    )
    result = scoref.score(key, response, metrics="lea", lea=convention)
    expected = [float(count) for count in counts]
    assert result.counts["lea"].tolist() == [pytest.approx(expected, rel=1e-12)]


SMALL_AND_LARGE = ["abc", "defg"]


def test_links_of_a_larger_entity_weigh_more() -> None:
    key = [list(entity) for entity in SMALL_AND_LARGE]
    keeps_small = scoref.score(key, [["a", "b", "c"]], metrics="lea").scores["lea"]
    keeps_large = scoref.score(key, [["d", "e", "f", "g"]], metrics="lea").scores["lea"]
    assert (keeps_small.recall, keeps_large.recall) == (3 / 7, 4 / 7)


@pytest.mark.parametrize(
    ("convention", "is_defined"), [("self-links", True), ("no-singletons", False)]
)
def test_among_singletons_alone_only_self_links_are_defined(
    convention: Lea, *, is_defined: bool
) -> None:
    result = scoref.score([["a"]], [["a"]], metrics="lea", lea=convention)
    assert result.scores["lea"].is_defined is is_defined
