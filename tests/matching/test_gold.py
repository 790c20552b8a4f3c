"""Gold mentions and MAVEN-ERE's rules: what is dropped, added, refused and averaged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.errors import AlignmentError, DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


# BLANC and the mean of four, in percent, as MAVEN-ERE's evaluate.py has them.
@pytest.mark.parametrize(
    ("key", "response", "blanc", "four"),
    [
        ("abc", "abc", 50, 87.5),
        ("a b", "", 50, 62.5),
        ("ab", "a", 0, 27.78),
        ("abc d e", "ab cd", 60, 67.19),
        ("abc d e", "abx cd yz", 60, 67.19),
    ],
)
def test_worked_examples(key: str, response: str, blanc: float, four: float) -> None:
    sides = [[[*entity] for entity in side.split()] for side in (key, response)]
    scores = scoref.score(*sides, scheme="maven-ere").scores
    assert [*scores] == ["muc", "bcub", "ceafe", "blanc", "conll-blanc"]
    assert 100 * scores["blanc"].f1 == pytest.approx(blanc)
    assert 100 * scores["conll-blanc"].f1 == pytest.approx(four, abs=0.005)


def test_what_is_dropped_and_added_is_told() -> None:
    result = scoref.score([["a", "b"], ["c"]], [["a", "x", "y"]], scheme="maven-ere")
    assert [(note.kind, note.count) for note in result.notes] == [
        ("dropped-mentions", 2),
        ("added-singletons", 2),
    ]
    assert "|mentions:gold|" in result.signature


def test_documents_that_the_response_lacks_are_singletons() -> None:
    key = {"d1": [["a", "b"]], "d2": [["a"], ["b"]]}
    given = scoref.score(key, {"d1": [["a", "b"]]}, scheme="maven-ere")
    whole = scoref.score(
        key, {"d1": [["a", "b"]], "d2": [["a"], ["b"]]}, scheme="maven-ere"
    )
    assert given.scores == whole.scores
    assert given.documents == ("d1", "d2")


def test_a_mention_that_is_listed_again_is_refused() -> None:
    with pytest.raises(DuplicateError):
        scoref.score([["a", "b"]], [["a"], ["a", "b"]], scheme="maven-ere")


def test_errors_are_found_among_gold_mentions() -> None:
    found = scoref.find_errors([["a", "b", "c"]], [["a", "b", "x"]], scheme="maven-ere")
    assert {name for name, cost in found.costs.items() if cost.errors} == {
        "divided-entity"
    }
    assert found.gains.cumulative[-1] == 1


def test_slices_have_them_too() -> None:
    found = scoref.score_slices(
        [["a", "b"], ["c"]], [["a", "b"]], "entity-size", scheme="maven-ere"
    )
    assert {name: each.scores["bcub"].f1 for name, each in found.items()} == {
        "1": 1,
        "2-10": 1,
    }


def event(label: str, *mentions: tuple[str, int, str]) -> dict[str, object]:
    return {
        "id": label,
        "mention": [
            {"id": name, "sent_id": 0, "offset": [at, at + 1], "trigger_word": word}
            for name, at, word in mentions
        ],
    }


WORDS = ["Mia", "fell", "and", "the", "fall", "hurt"]
KEY = {
    "id": "d1",
    "tokens": [WORDS],
    "events": [
        event("E1", ("m1", 1, "fell"), ("m2", 4, "fall")),
        event("E2", ("m3", 5, "hurt")),
    ],
}
WITHOUT_WORDS = {
    "id": "d1",
    "tokens": [],
    "events": [event("E1", ("m1", 0, ""), ("m2", 0, "")), event("E2", ("m3", 0, ""))],
}
RESPONSE = {"id": "d1", "coreference": [["m2", "m3", "m9"]]}


def written(path: Path, *records: Mapping[str, object]) -> Path:
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


@pytest.mark.parametrize("key", [KEY, WITHOUT_WORDS], ids=["words", "ids"])
def test_a_response_may_name_mentions_by_their_ids(
    key: Mapping[str, object], tmp_path: Path
) -> None:
    paths = written(tmp_path / "k.jsonl", key), written(tmp_path / "r.jsonl", RESPONSE)
    result = scoref.score(*paths)
    expected = scoref.score(
        [["m1", "m2"], ["m3"]], [["m2", "m3", "m9"]], scheme="maven-ere"
    )
    assert result.scores == expected.scores
    kinds = {note.kind: note.count for note in result.notes}
    assert kinds == {"unknown-ids": 1, "dropped-mentions": 1, "added-singletons": 1}


def test_a_key_without_ids_cannot_be_named(tmp_path: Path) -> None:
    other = {"doc_key": "d1", "clusters": [[[0, 1]]]}
    paths = (
        written(tmp_path / "k.jsonl", other),
        written(tmp_path / "r.jsonl", RESPONSE),
    )
    with pytest.raises(AlignmentError, match="there are ids of mentions here"):
        scoref.score(*paths)


def test_errors_quote_the_keys_words(tmp_path: Path) -> None:
    paths = written(tmp_path / "k.jsonl", KEY), written(tmp_path / "r.jsonl", RESPONSE)
    found = scoref.find_errors(*paths)
    assert found.corpora[0].tokens is not None
