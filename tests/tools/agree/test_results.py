"""A response against several keys, and tables of records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.tools.agree.results import read_records
from support import oracle_agreement as oracle

if TYPE_CHECKING:
    from pathlib import Path

KEYS = {
    "ada": {"d": [[1, 2, 3], [4, 5]]},
    "ben": {"d": [[1, 2], [3, 4, 5]]},
    "eva": {"d": [[1, 2, 3], [4], [5]]},
}

RESPONSE = {"d": [[1, 2], [3, 4], [5]]}


def test_links_of_a_small_case_counted_by_hand() -> None:
    # 1-2 has three votes; 1-3 and 2-3 two, 4-5 two; 3-4 and 3-5 one.
    several = scoref.agree(KEYS, response=RESPONSE).response
    assert several is not None
    assert several.counts._asdict() == {
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
    assert several.supported == (1.0, 1.0, 1.0)
    assert (several.lenient_precision, several.strict_recall) == (1.0, 1.0)
    assert several.per_document["d"] == several.counts


def test_shares_of_links_are_of_the_response_and_of_the_links_of_all_keys() -> None:
    keys = {name: KEYS[name] for name in ("ada", "ben")}  # both have 1-2 and 4-5
    several = scoref.agree(keys, response={"d": [[1, 2, 5], [3], [4]]}).response
    assert several is not None
    # Of 1-2, 1-5 and 2-5, annotators have 1-2. It is one of the two that both have.
    assert several.lenient_precision == 1 / 3
    assert several.strict_recall == 1 / 2


def test_a_key_is_an_ordinary_key() -> None:
    several = scoref.agree(KEYS, response=RESPONSE).response
    assert several is not None
    for name, key in KEYS.items():
        scores = scoref.score(key, RESPONSE, metrics="muc,bcub,ceafe,lea,conll").scores
        assert several.per_key[name].scores == scores
    conll = [each.scores["conll"].f1 for each in several.per_key.values()]
    assert several.mean["conll"] == pytest.approx(sum(conll) / 3)
    assert several.best["conll"] == max(conll)
    assert several.spread["conll"] == (min(conll), max(conll))


def test_a_response_is_never_the_key_whatever_the_annotators_are_called() -> None:
    keys = {"zoe": KEYS["ada"], "yan": KEYS["ben"]}
    several = scoref.agree(keys, response=RESPONSE).response
    assert several is not None
    for name, key in keys.items():
        muc = scoref.score(key, RESPONSE).scores["muc"]
        assert several.per_key[name].scores["muc"] == muc
        assert muc.recall < muc.precision


def test_the_ceiling_is_what_annotators_get_against_the_others() -> None:
    agreement = scoref.agree(KEYS, response=RESPONSE)
    assert agreement.response is not None
    assert agreement.response.ceiling.keys() == KEYS.keys()
    others = [
        scoref.score(KEYS["ada"], KEYS[name]).scores["muc"].f1
        for name in ("ben", "eva")
    ]
    mine = agreement.response.ceiling["ada"]
    assert mine.mean["muc"] == pytest.approx(sum(others) / 2)
    assert mine.best["muc"] == pytest.approx(max(others))


def test_a_response_changes_nothing_between_people() -> None:
    alone, beside = scoref.agree(KEYS), scoref.agree(KEYS, response=RESPONSE)
    assert (beside.alpha, beside.mean) == (alone.alpha, alone.mean)
    more = {"d": [[1, 2], [77, 78]]}
    assert scoref.agree(KEYS, response=more).per_document == alone.per_document


def test_who_has_no_errors_has_no_share() -> None:
    several = scoref.agree({"a": KEYS["ada"], "b": KEYS["ada"]}, response=KEYS["ada"])
    assert several.response is not None
    assert several.response.supported == (None, None, None)


def test_a_response_may_have_the_name_of_an_annotator() -> None:
    several = scoref.agree(
        {"response": KEYS["ada"], "b": KEYS["ben"]}, response=RESPONSE
    )
    assert several.response is not None
    assert list(several.response.per_key) == ["response", "b"]


@pytest.mark.parametrize("seed", range(12))
def test_links_are_counted_as_by_brute_force(seed: int) -> None:
    people = oracle.random_annotators(seed, documents=4)
    response = people.pop("p3")
    several = scoref.agree(people, response=response).response
    assert several is not None
    assert several.counts._asdict() == oracle.count_links(people, response)


def test_records_of_a_table_are_compared_as_mentions_are(tmp_path: Path) -> None:
    path = tmp_path / "sorted.csv"
    path.write_text("record,ada,ben\n1,x,u\n2,x,u\n3,x,v\n4,y,v\n5,y,v\n6,,w\n")
    agreement = scoref.agree(read_records(path))
    ada, ben = [[1, 2, 3], [4, 5]], [[1, 2], [3, 4, 5], [6]]
    expected = scoref.agree({"ada": {"d": ada}, "ben": {"d": ben}})
    assert agreement.alpha == pytest.approx(expected.alpha)
    assert agreement.mean == pytest.approx(expected.mean)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("record,ada\n1,x\n", ":1: expected at least 3 columns, found 2"),
        ("record,a,b\n1,x,y\n1,x,y\n", ":3: record '1' is listed twice"),
        ("record,a,b\n1,x\n", ":2: this row has 2 cells, but the header has 3"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "sorted.csv"
    path.write_text(text)
    with pytest.raises(scoref.FormatError, match=message):
        read_records(path)
