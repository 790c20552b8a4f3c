"""Who is matched with whom, where mentions are sets of words with a head."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from scoref.matching.words import match_words
from support.corefud import corefud, read, scheme_with, written

if TYPE_CHECKING:
    from scoref.matching.words import WordMatches, WordSide

    Pairs = list[tuple[str, str]]

NINE = "w w w w w w w w w"
MATCHES = ("exact", "partial", "head")


def _matched(key: str, response: str, **options: str) -> WordMatches:
    words = match_words(read(key), read(response), scheme_with(options)).words
    assert words is not None
    return words


def _mention(side: WordSide, row: int) -> str:
    return written(list(side.words.tuple(row)), int(side.head[row]))


def _pairs(key: str, response: str, **options: str) -> Pairs:
    """List the matches between mentions, without those that all tests have."""
    matched = _matched(key, response, singletons="keep", **options)
    pairs = zip(
        matched.pairs.key.tolist(), matched.pairs.response.tolist(), strict=True
    )
    return sorted(
        (_mention(matched.key, one), _mention(matched.response, other))
        for one, other in pairs
    )


def _kept(side: WordSide) -> list[str]:
    """List what was not filtered out, every time that it is listed."""
    rows = [side.number.tolist().index(number) for number in side.side.mention.tolist()]
    return [_mention(side, row) for row in rows]


@pytest.mark.parametrize("match", MATCHES)
def test_equal_mentions_match(match: str) -> None:
    text = corefud(NINE, e1="1-3*2 5,7*2", e2="6")
    assert _pairs(text, text, match=match) == [
        ("1:1,2,3*2", "1:1,2,3*2"),
        ("1:5,7*2", "1:5,7*2"),
        ("1:6*1", "1:6*1"),
    ]


def test_mentions_of_different_entities_are_not_duplicates() -> None:
    scheme = scheme_with({"singletons": "keep"})
    for entities in product(("e1", "e2", "e3"), repeat=3):
        mentions = dict.fromkeys(entities, "")
        for word, name in enumerate(entities, 1):
            mentions[name] += f" {word}"
        text = corefud(NINE, **mentions)
        assert not match_words(read(text), read(text), scheme).notes


@pytest.mark.parametrize(
    ("key", "response", "matches"),
    [
        ("1-4*2", "1-4*3", {"exact", "partial"}),
        ("1-4*2", "2*1", {"partial", "head"}),
        ("1-4*2", "1-3*2", {"partial", "head"}),
        ("1-4*2", "1-3*1", {"partial"}),
        ("1-4*2", "3-4*1", set()),
        ("1-4*2", "1-5*2", {"head"}),
        ("1-4*2", "1-5*3", set()),
        ("1-4*2", "2-6*1", {"head"}),
        ("1-4*2", "1,2,4*2", {"partial", "head"}),
        ("1-4*2", "1,3-4*1", set()),
        ("1,3*2", "1-3*3", {"head"}),
    ],
)
@pytest.mark.parametrize("match", MATCHES)
def test_mentions_match_by_the_rule_of_the_scheme(
    match: str, key: str, response: str, matches: set[str]
) -> None:
    pairs = _pairs(corefud(NINE, e1=key), corefud(NINE, e1=response), match=match)
    assert bool(pairs) == (match in matches)


def test_a_partial_match_needs_the_head_of_the_key_alone() -> None:
    key, response = corefud(NINE, e1="1-4*2"), corefud(NINE, e1="1-2*1")
    assert _pairs(key, response, match="partial") == [("1:1,2,3,4*2", "1:1,2*1")]
    assert _pairs(response, key, match="partial") == []


@pytest.mark.parametrize("match", ["partial", "head"])
def test_the_best_of_several_wins(match: str) -> None:
    key = corefud(NINE, e1="1-5*3")
    response = corefud(NINE, e1="3 2-4*2 3-4")
    assert _pairs(key, response, match=match) == [("1:1,2,3,4,5*3", "1:2,3,4*2")]


@pytest.mark.parametrize("match", ["partial", "head"])
def test_of_equally_good_ones_the_earlier_wins(match: str) -> None:
    key = corefud(NINE, e1="1-4*2")
    response = corefud(NINE, e1="2-3*1", e2="1-2*2")
    assert _pairs(key, response, match=match) == [("1:1,2,3,4*2", "1:1,2*2")]


def test_equal_mentions_are_not_given_away() -> None:
    key = corefud(NINE, e1="1-4*2", e2="2")
    response = corefud(NINE, e1="2")
    assert _pairs(key, response, match="head") == [("1:2*1", "1:2*1")]


def test_the_sum_of_scores_counts_not_the_single_best() -> None:
    # [2-5] has more of [2-6], but [3, 6] can have nobody else.
    key = corefud(NINE, e1="1-5,7-9*3", e2="2-6*2")
    response = corefud(NINE, e1="2-5*2", e2="3,6*1")
    assert _pairs(key, response, match="partial") == [
        ("1:1,2,3,4,5,7,8,9*3", "1:2,3,4,5*2"),
        ("1:2,3,4,5,6*2", "1:3,6*1"),
    ]


def test_nothing_is_matched_across_documents() -> None:
    key = corefud("@a w w 2.1/1:obj", "@b w w", e1="1-2 2.1")
    response = corefud("@a w w", "@b w w 2.1/1:obj", e1="2:1-2 2:2.1")
    assert _pairs(key, response) == []


ZEROS = (
    corefud("w w 2.1/1:nsubj 2.2/1:obj w w", e1="2.1", e2="2.2"),
    corefud("w w 2.1/1:obj w 3.1/1:nsubj w", e1="3.1", e2="2.1"),
)


@pytest.mark.parametrize("match", MATCHES)
def test_zeros_match_by_their_dependencies(match: str) -> None:
    assert _pairs(*ZEROS, match=match, zeros="dependent") == [
        ("1:2.1*1", "1:3.1*1"),
        ("1:2.2*1", "1:2.1*1"),
    ]


@pytest.mark.parametrize("match", MATCHES)
def test_zeros_match_by_their_place(match: str) -> None:
    assert _pairs(*ZEROS, match=match, zeros="linear") == [("1:2.1*1", "1:2.1*1")]


@pytest.mark.parametrize("match", MATCHES)
def test_zeros_are_left_out(match: str) -> None:
    matched = _matched(*ZEROS, match=match, zeros="drop", singletons="keep")
    assert _kept(matched.key) == _kept(matched.response) == []
    assert matched.pairs.key.tolist() == []


@pytest.mark.parametrize(
    ("key", "response", "is_match"),
    [
        ("1:obj", "1:obj", True),
        ("1:obj", "1:iobj", True),
        ("1:obj", "2:obj", False),
        ("1:obj|2:obl", "2:obj", True),
        ("0:root", "0:root", True),
        ("3.1:obj", "3.1:dep", True),
        ("_", "_", False),
        ("1:obj", "_", False),
    ],
)
def test_zeros_must_share_a_parent(key: str, response: str, *, is_match: bool) -> None:
    # At different places, so that nothing but dependencies can match them.
    pairs = _pairs(
        corefud(f"w w 1.1/{key} w 3.1/9:x", e1="1.1"),
        corefud(f"w w 2.1/{response} w 3.1/9:x", e1="2.1"),
    )
    assert pairs == ([("1:1.1*1", "1:2.1*1")] if is_match else [])


def test_relations_decide_between_zeros_of_one_parent() -> None:
    key = corefud("w 1.1/1:nsubj 1.2/1:obj w", e1="1.1 1.2")
    response = corefud("w 1.1/1:obj w", e1="1.1")
    assert _pairs(key, response) == [("1:1.2*1", "1:1.1*1")]


def test_zeros_of_two_sentences_never_match() -> None:
    key = corefud("w 1.1/1:obj", "w", e1="1.1")
    response = corefud("w", "w 1.1/1:obj", e1="2:1.1")
    assert _pairs(key, response) == []


def test_a_zero_left_over_may_match_a_mention_that_is_none() -> None:
    key = corefud("w 1.1/1:obj w", e1="1-2*2")
    response = corefud("w 1.1/1:obj w", e1="1-2*1")
    assert _pairs(key, response, match="exact") == [("1:1,1.1,2*2", "1:1,1.1,2*1")]


def test_zeros_match_before_equal_mentions_do() -> None:
    key = corefud("w 1.1/1:obj w w", e1="1-1.1*2")
    response = corefud("w 1.1/1:dep 1.2/1:obj w w", e1="1-1.1*2", e2="1.2")
    assert _pairs(key, response) == [("1:1,1.1*2", "1:1.2*1")]


def test_repeats_go_before_singletons_and_singletons_before_zeros() -> None:
    text = corefud(
        "w w w w 4.1/1:obj 4.2/1:obl",
        e1="1-2*1 1-2*2",  # one mention, twice, unless heads count
        e2="3 4.1",  # no singleton when singletons go
        e3="4.2",
    )
    side = _matched(text, text, match="exact", zeros="drop").key
    assert _kept(side) == ["1:3*1"]
    side = _matched(text, text, match="head", zeros="drop").key
    assert _kept(side) == ["1:1,2*1", "1:1,2*2", "1:3*1"]
    side = _matched(text, text, match="exact").key
    assert _kept(side) == ["1:3*1", "1:4.1*1"]
    side = _matched(text, text, match="exact", singletons="keep").key
    assert _kept(side) == ["1:1,2*1", "1:3*1", "1:4.1*1", "1:4.2*1"]


def test_of_repeats_in_an_entity_the_first_is_kept_with_its_head() -> None:
    text = corefud(NINE, e1="1-2*2 1-2*1 5")
    assert _kept(_matched(text, text, match="partial").key) == ["1:1,2*2", "1:5*1"]


def test_a_mention_of_two_entities_is_listed_twice() -> None:
    text = corefud(NINE, e1="1 3", e2="1 4")
    side = _matched(text, text).key
    assert _kept(side) == ["1:1*1", "1:3*1", "1:1*1", "1:4*1"]
    assert len(side.number) == 3


@pytest.mark.parametrize(
    ("duplicates", "kept"),
    [("first", ["1:1*1", "1:3*1", "1:4*1"]), ("last", ["1:3*1", "1:1*1", "1:4*1"])],
)
def test_a_mention_of_two_entities_may_be_kept_in_one(
    duplicates: str, kept: list[str]
) -> None:
    text = corefud(NINE, e1="1 3", e2="1 4")
    options = {"duplicates": duplicates, "singletons": "keep"}
    assert _kept(_matched(text, text, **options).key) == kept
