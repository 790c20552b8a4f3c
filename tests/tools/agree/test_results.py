"""A response against several keys: means, the best, and errors that people make too."""

from __future__ import annotations

import random
from typing import Any

import pytest

import scoref
from support import oracle_agreement as oracle

KEYS = {
    "ada": {"d": [[1, 2, 3], [4, 5]]},
    "ben": {"d": [[1, 2], [3, 4, 5]]},
    "eva": {"d": [[1, 2, 3], [4], [5]]},
}

RESPONSE = {"d": [[1, 2], [3, 4], [5]]}


def made_up(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Let three people and a system annotate documents that not all of them have."""
    chance = random.Random(seed)  # noqa: S311 - it can be repeated
    found: list[dict[str, list[list[int]]]] = []
    for _ in range(4):
        said: dict[str, list[list[int]]] = {}
        for document in range(4):
            if chance.random() < 0.2:
                continue
            entities: list[list[int]] = [[] for _ in range(3)]
            for mention in range(8):
                if chance.random() < 0.9:
                    chance.choice(entities).append(mention)
            said[f"d{document}"] = [each for each in entities if each]
        found.append(said)
    *people, response = found
    return {f"p{number}": said for number, said in enumerate(people)}, response


def test_links_of_a_small_case_counted_by_hand() -> None:
    # 1-2 has three votes; 1-3 and 2-3 two, 4-5 two; 3-4 and 3-5 one.
    found = scoref.agree(KEYS, response=RESPONSE).response
    assert found is not None
    assert found.counts._asdict() == {
        "response_links": 2,  # 1-2 and 3-4
        "any_in_response": 2,
        "all_links": 1,
        "all_in_response": 1,
        "spurious": 1,  # 3-4, which ben has
        "spurious_supported": 1,
        "missing": 3,  # 1-3, 2-3 and 4-5: one annotator lacks each
        "missing_supported": 3,
        "undecided": 0,
    }
    assert found.supported == (1.0, 1.0, 1.0)
    assert (found.lenient_precision, found.strict_recall) == (1.0, 1.0)
    assert found.per_document["d"] == found.counts


def test_a_key_is_an_ordinary_key() -> None:
    found = scoref.agree(KEYS, response=RESPONSE).response
    assert found is not None
    for name, key in KEYS.items():
        scores = scoref.score(key, RESPONSE, metrics="muc,bcub,ceafe,lea,conll").scores
        assert found.per_key[name].scores == scores
    conll = [each.scores["conll"].f1 for each in found.per_key.values()]
    assert found.mean["conll"] == pytest.approx(sum(conll) / 3)
    assert found.best["conll"] == max(conll)
    assert found.spread["conll"] == (min(conll), max(conll))


def test_the_ceiling_is_what_annotators_get_against_the_others() -> None:
    found = scoref.agree(KEYS, response=RESPONSE)
    assert found.response is not None
    assert found.response.ceiling.keys() == KEYS.keys()
    others = [
        scoref.score(KEYS["ada"], KEYS[name]).scores["muc"].f1
        for name in ("ben", "eva")
    ]
    mine = found.response.ceiling["ada"]
    assert mine.mean["muc"] == pytest.approx(sum(others) / 2)
    assert mine.best["muc"] == pytest.approx(max(others))


def test_a_response_changes_nothing_between_people() -> None:
    alone, beside = scoref.agree(KEYS), scoref.agree(KEYS, response=RESPONSE)
    assert (beside.alpha, beside.mean) == (alone.alpha, alone.mean)
    more = {"d": [[1, 2], [77, 78]]}
    assert scoref.agree(KEYS, response=more).per_document == alone.per_document


def test_who_has_no_errors_has_no_share() -> None:
    found = scoref.agree({"a": KEYS["ada"], "b": KEYS["ada"]}, response=KEYS["ada"])
    assert found.response is not None
    assert found.response.supported == (None, None, None)


def test_a_response_may_have_the_name_of_an_annotator() -> None:
    found = scoref.agree({"response": KEYS["ada"], "b": KEYS["ben"]}, response=RESPONSE)
    assert found.response is not None
    assert list(found.response.per_key) == ["response", "b"]


@pytest.mark.parametrize("seed", range(12))
def test_links_are_counted_as_by_brute_force(seed: int) -> None:
    people, response = made_up(seed)
    found = scoref.agree(people, response=response).response
    assert found is not None
    assert found.counts._asdict() == oracle.count_links(people, response)
