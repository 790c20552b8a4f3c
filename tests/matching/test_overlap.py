"""Tests of overlapping mentions: the best pairs, in every kind of format."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref.errors import OptionError
from scoref.matching.overlap import pair_word_sets
from scoref.matching.ragged import Ragged
from scoref.model import WORD_BITS
from scoref.model.arrays import bounds
from scoref.scheme import overlap_threshold

if TYPE_CHECKING:
    from pathlib import Path

    Sets = list[frozenset[int]]


def _in_order(sets: Sets) -> Sets:
    return sorted(set(sets), key=lambda words: (min(words), max(words), sorted(words)))


def _brute_force(ours: Sets, theirs: Sets, least: Fraction) -> list[tuple[int, int]]:
    """Try all matchings; of the best, take the one with the earliest spans."""
    ratio = {
        (row, column): Fraction(len(mine & other), len(mine | other))
        for row, mine in enumerate(ours)
        for column, other in enumerate(theirs)
    }
    nothing = len(theirs)

    def matchings(row: int, free: frozenset[int]) -> list[tuple[int, ...]]:
        if row == len(ours):
            return [()]
        choices = [c for c in sorted(free) if 0 < ratio[row, c] >= least]
        return [
            (choice, *rest)
            for choice in (*choices, nothing)
            for rest in matchings(row + 1, free - {choice})
        ]

    def total(matching: tuple[int, ...]) -> Fraction:
        pairs = ((r, c) for r, c in enumerate(matching) if c != nothing)
        return sum((ratio[pair] for pair in pairs), Fraction(0))

    every = matchings(0, frozenset(range(len(theirs))))
    best = max(map(total, every))
    first = min(matching for matching in every if total(matching) == best)
    return [(row, column) for row, column in enumerate(first) if column != nothing]


def _columns(sets: Sets) -> Ragged:
    lengths = np.array([len(words) for words in sets], dtype=np.int64)
    words = np.array([word for each in sets for word in sorted(each)], dtype=np.int64)
    return Ragged(bounds(lengths), words << WORD_BITS)


@pytest.mark.parametrize("text", ["0.01", "0.25", "0.5", "0.6", "1"])
def test_pairs_are_those_of_brute_force(text: str) -> None:
    rng = random.Random(7)  # noqa: S311 - examples, not secrets
    for _ in range(400):
        sides = []
        for _ in range(2):
            sets = []
            for _ in range(rng.randint(0, 5)):
                start = rng.randint(0, 8)
                words = set(range(start, start + rng.randint(1, 6)))
                if len(words) > 2 and rng.random() < 0.3:
                    words.discard(start + 1)
                sets.append(frozenset(words))
            sides.append(_in_order(sets))
        threshold = overlap_threshold(f"overlap:{text}")
        assert threshold is not None
        ours, theirs = sides
        rows, columns = pair_word_sets(_columns(ours), _columns(theirs), threshold)
        pairs = sorted(zip(rows.tolist(), columns.tolist(), strict=True))
        assert pairs == _brute_force(ours, theirs, Fraction(text)), (sides, text)


def _write(path: Path, clusters: list[list[list[int]]], name: str = "d") -> Path:
    words = [f"w{number}" for number in range(20)]
    document = {"doc_key": name, "sentences": [words], "clusters": clusters}
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    return path


def _common(tmp_path: Path, key: object, response: object, **options: str) -> int:
    key_file = _write(tmp_path / "key.jsonlines", key)  # type: ignore[arg-type]
    file = _write(tmp_path / "response.jsonlines", response)  # type: ignore[arg-type]
    result = scoref.score(key_file, file, **options)  # type: ignore[arg-type]
    return int(result.counts["mentions"][0][0])


def test_spans_that_share_half_of_their_words_match(tmp_path: Path) -> None:
    key, response = [[[0, 3], [10, 10]]], [[[0, 1], [10, 10]]]
    assert _common(tmp_path, key, response) == 1
    assert _common(tmp_path, key, response, match="overlap") == 2
    assert _common(tmp_path, key, response, match="overlap:0.5") == 2
    assert _common(tmp_path, key, response, match="overlap:0.500000001") == 1


def test_equal_spans_match_first(tmp_path: Path) -> None:
    # Without this rule, 0-3 with 0-2 and 0-2 with 0-1 would be the better sum of two.
    key, response = [[[0, 3], [0, 2]]], [[[0, 2], [0, 1]]]
    assert _common(tmp_path, key, response, match="overlap:0.6") == 1


def test_a_tie_goes_to_the_earlier_span(tmp_path: Path) -> None:
    key = [[[4, 7], [12, 12]], [[14, 14], [15, 15]]]
    right = [[[4, 5], [12, 12]], [[6, 7], [14, 14], [15, 15]]]
    wrong = [[[6, 7], [12, 12]], [[4, 5], [14, 14], [15, 15]]]
    scores = []
    for number, response in enumerate((right, wrong)):
        files = (
            _write(tmp_path / "key.jsonlines", key),
            _write(tmp_path / f"{number}.jsonlines", response),
        )
        scores.append(scoref.score(*files, match="overlap").scores["muc"].recall)
    assert scores == [1.0, 0.5]


def test_a_dropped_singleton_takes_no_match(tmp_path: Path) -> None:
    key = [[[0, 3], [10, 10]]]
    response = [[[0, 2]], [[0, 1], [10, 10]]]
    assert _common(tmp_path, key, response, match="overlap", singletons="drop") == 2


def test_the_signature_has_one_spelling_of_the_threshold(tmp_path: Path) -> None:
    file = _write(tmp_path / "key.jsonlines", [[[0, 1], [3, 3]]])
    for match in ("overlap", "overlap:0.50", "overlap:.5"):
        assert "|match:overlap:0.5|" in scoref.score(file, file, match=match).signature
    assert (
        "|match:overlap:1|" in scoref.score(file, file, match="overlap:1.0").signature
    )


@pytest.mark.parametrize("text", ["0", "0.0", "1.1", "2", "-1", "x", "", "nan", "1e-1"])
def test_any_other_threshold_is_a_wrong_option(tmp_path: Path, text: str) -> None:
    file = _write(tmp_path / "key.jsonlines", [[[0, 1], [3, 3]]])
    with pytest.raises(OptionError, match="threshold"):
        scoref.score(file, file, match=f"overlap:{text}")


def test_mentions_without_spans_are_refused() -> None:
    with pytest.raises(OptionError, match="needs mentions with spans"):
        scoref.score([["a", "b"]], [["a", "b"]], match="overlap")


def test_annotators_share_mentions_that_overlap(tmp_path: Path) -> None:
    files = {
        "ada": _write(tmp_path / "a.jsonlines", [[[0, 3], [10, 10]]]),
        "ben": _write(tmp_path / "b.jsonlines", [[[0, 2], [10, 10]]]),
    }
    assert scoref.agree(files).mentions.all == 3
    agreement = scoref.agree(files, match="overlap")
    assert agreement.mentions.all == 2
    assert agreement.alpha["masi"] == 1.0
    assert "match:overlap:0.5" in agreement.signature


def test_corefud_and_ua_match_by_overlap() -> None:
    corefud = "examples/corefud-key.conllu", "examples/corefud-response.conllu"
    result = scoref.score(*corefud, match="overlap:0.4")
    assert "|match:overlap:0.4|" in result.signature
    assert "|alignment:one-to-one|" in result.signature
    exact = scoref.score(*corefud, match="exact").counts["mentions"].sum(axis=0)
    assert result.counts["mentions"].sum(axis=0)[0] >= exact[0]
    dialogue = "examples/ua-key.ua", "examples/ua-response.ua"
    common = [
        int(scoref.score(*dialogue, match=match).counts["mentions"][0][0])
        for match in ("exact", "overlap", "overlap:0.51")
    ]
    assert common == [7, 8, 7]
