"""Options of agreement, and the distances between two sets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import scoref
from scoref.tools.agree.options import DISTANCES, WantedFigures

PEOPLE = {"ada": {"d": [[1, 2], [3]]}, "ben": {"d": [[1], [2, 3]]}}

# Of {1, 2, 3} and {1, 2}, {1, 2} and {2, 3}, and of equal sets.
SIZES = [(2, 3, 2), (1, 2, 2), (2, 2, 2)]
SIMILARITIES = {
    "masi": ("4/9", "1/9", "1"),
    "jaccard": ("2/3", "1/3", "1"),
    "nominal": ("0", "0", "1"),
    "dice": ("4/5", "1/2", "1"),
    "passonneau-2004": ("2/3", "1/3", "1"),
    "masi-dkpro": ("8/9", "5/9", "1"),
}


@pytest.mark.parametrize("name", DISTANCES)
def test_similarities_of_small_sets_by_hand(name: str) -> None:
    shared, one, other = np.array(SIZES, dtype=np.float64).T
    expected = [float(Fraction(text)) for text in SIMILARITIES[name]]
    assert DISTANCES[name].similarity(shared, one, other) == pytest.approx(expected)


def test_names_are_listed_once_and_mentions_are_always_scored() -> None:
    asked = WantedFigures.of("dice, masi dice", "omit", "macro", "muc,conll")
    assert asked.distances == ("dice", "masi")
    assert asked.all_metrics == ("mentions", "muc", "conll")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("distances", "mazi", "no distance 'mazi'; did you mean 'masi'"),
        ("missing", "drop", "no value of missing 'drop'"),
        ("average", "micro", "no average 'micro'"),
        ("metrics", "mucc", "no metric 'mucc'"),
        ("by", "document", "no class 'document'"),
        ("distances", "", "no distance was named"),
    ],
)
def test_unknown_names_are_refused_with_those_known(
    option: str, value: str, message: str
) -> None:
    with pytest.raises(scoref.OptionError, match=message):
        scoref.agree(PEOPLE, **{option: value})  # type: ignore[arg-type]
