"""All of CorefUD against a slow scorer, on random files."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from support.corefud import annotated, read
from support.oracle_corefud import METRICS, figures
from support.random_corefud import random_pair

if TYPE_CHECKING:
    from support.corefud import Annotated

SETTINGS = list(
    product(
        ("exact", "partial", "head"), ("keep", "drop"), ("dependent", "linear", "drop")
    )
)


@pytest.mark.parametrize("seed", range(150))
def test_random_files_get_the_figures_of_a_slow_scorer(seed: int) -> None:
    _check(*random_pair(Random(seed)))  # noqa: S311 - no secret is made


def test_a_response_without_entities_misses_every_zero() -> None:
    words = "w w 2.1/1:obj"
    key, empty = annotated(words, e1="1 2.1"), annotated(words)
    _check(key, empty)
    _check(empty, key)
    _check(annotated(words), empty)


def test_a_mention_of_two_entities_may_be_a_zero_in_one_of_them() -> None:
    # Words alone make it the same mention; the heads are those of each entity.
    words = "w w w 3.1/1:obj"
    key = annotated(words, e1="1 3-3.1*2", e2="2 3-3.1*1")
    _check(key, key)
    _check(key, annotated(words, e1="1 3-3.1*2"))
    _check(key, annotated(words, e2="2 3-3.1*1"))


@pytest.mark.parametrize("heads", [(1, 2), (2, 1)])
def test_of_equal_places_the_first_in_the_file_is_the_first(
    heads: tuple[int, int],
) -> None:
    # One of them is a zero, and an anaphor only if it is not the first.
    mentions = " ".join(f"1-1.1*{head}" for head in heads)
    key = annotated("w 1.1/1:obj w", e1=f"{mentions} 2")
    _check(key, key)


def _check(key: Annotated, response: Annotated) -> None:
    """Score a pair under every setting."""
    corpora = read(key.text()), read(response.text())
    names = tuple(METRICS)
    for match, singletons, zeros in SETTINGS:
        scheme = resolve("crac-2026", match=match, singletons=singletons, zeros=zeros)
        scores = score_corpora(*corpora, scheme, names).scores
        expected = figures(key, response, match, singletons, zeros)
        for name in METRICS:
            found = scores[name][:3]
            setting = name, match, singletons, zeros
            assert found == pytest.approx(expected[name], abs=1e-9), setting
