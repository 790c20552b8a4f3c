"""Entities of one mention, kept or dropped."""

from __future__ import annotations

import scoref


def test_singletons_are_kept_unless_they_are_to_be_dropped() -> None:
    result = scoref.score([["a", "b"], ["c"]], [["a", "b"], ["x"]], metrics="ceafe")
    assert result.counts["ceafe"].tolist() == [[1, 2, 1, 2]]


def test_singletons_are_dropped_on_both_sides() -> None:
    sides = [["a", "b"], ["c"]], [["a", "b"], ["x"]]
    result = scoref.score(*sides, metrics="ceafe", singletons="drop")
    assert result.counts["ceafe"].tolist() == [[1, 1, 1, 1]]


def test_a_mention_of_a_dropped_singleton_is_missing_on_its_side() -> None:
    sides = [["a", "b"]], [["a"], ["b"]]
    result = scoref.score(*sides, metrics="mentions", singletons="drop")
    assert result.counts["mentions"].tolist() == [[0, 2, 0, 0]]


def test_one_mention_listed_twice_is_still_a_singleton() -> None:
    sides = [["a", "a"], ["b", "c"]], [["b", "c"]]
    result = scoref.score(*sides, metrics="bcub", singletons="drop")
    assert result.counts["bcub"].tolist() == [[2, 2, 2, 2]]


def test_a_rest_of_one_mention_after_duplicates_are_settled_is_a_singleton() -> None:
    sides = [["a", "b"]], [["a", "b"], ["a", "x"]]
    result = scoref.score(*sides, metrics="muc", singletons="drop")
    assert result.counts["muc"].tolist() == [[1, 1, 1, 1]]


def test_a_corpus_of_singletons_alone_is_left_empty() -> None:
    result = scoref.score([["a"]], [["a"]], metrics="bcub", singletons="drop")
    assert result.counts["bcub"].tolist() == [[0, 0, 0, 0]]
