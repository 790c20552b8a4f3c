"""All of CorefUD against a slow scorer, on random files."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from corefud import read
from oracle_corefud import METRICS, figures
from random_corefud import random_pair
from scoref.metrics import chosen
from scoref.pipeline import score_corpora
from scoref.scheme import resolve

SETTINGS = list(
    product(
        ("exact", "partial", "head"), ("keep", "drop"), ("dependent", "linear", "drop")
    )
)


@pytest.mark.parametrize("seed", range(150))
def test_random_files_get_the_figures_of_a_slow_scorer(seed: int) -> None:
    check(seed)


def check(seed: int) -> None:
    """Score one pair under every setting."""
    annotations = random_pair(Random(seed))  # noqa: S311 - no secret is made
    key, response = (read(each.text()) for each in annotations)
    names = chosen(METRICS, with_words=True)
    for match, singletons, zeros in SETTINGS:
        scheme = resolve("crac-2026", match=match, singletons=singletons, zeros=zeros)
        scores = score_corpora(key, response, scheme, names).scores
        expected = figures(*annotations, match, singletons, zeros)
        for name in METRICS:
            found = scores[name][:3]
            assert found == pytest.approx(expected[name], abs=1e-9), (name, scheme)
