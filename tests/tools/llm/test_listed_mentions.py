"""Mentions that are listed by words are placed, whatever the order of entities.

JSON in answers: where it stands, what it lists, and how far it goes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.tools.llm.listed_mentions import (
    ListedMentions,
    Located,
    clusters_of,
    decode,
    find_clusters,
    place_mentions,
)
from support.llm_answers import WORDS, Document, Mention, clusters, scored

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.llm.listed_mentions import Place


TEXT = ["She", "knew", "Ada", ".", "Bea", "slept", "until", "She", "woke"]

ISSUE = Document(
    TEXT,
    [Mention(0, 0, "1"), Mention(2, 2, "1"), Mention(4, 4, "2"), Mention(7, 7, "2")],
)


def placed(entities: list[list[Place]], words: list[str] = TEXT) -> ListedMentions:
    return place_mentions(entities, words, np.arange(len(words)))


def spans(found: ListedMentions) -> set[frozenset[tuple[int, int]]]:
    entities: dict[str, set[tuple[int, int]]] = {}
    for start, end, label in found.placed:
        entities.setdefault(label, set()).add((start, end - 1))
    return set(map(frozenset, entities.values()))


@pytest.mark.parametrize(
    "answer",
    [
        [["Ada", "She"], ["Bea", "She"]],
        [["Bea", "She"], ["Ada", "She"]],
        [["She", "Ada"], ["Bea", "She"]],
    ],
)
def test_the_order_of_entities_does_not_change_the_score(
    tmp_path: Path, answer: list[list[str]]
) -> None:
    found = scored(tmp_path, ISSUE, json.dumps(answer))
    assert found.result.conll == pytest.approx(1)
    assert clusters(found) == ISSUE.clusters()
    assert found.guessed == 2
    (note,) = found.result.notes
    assert (note.kind, note.count) == ("guessed-places", 2)
    assert note.message.startswith("the places of 2 of 4 mentions are guesses")


TOKENS = ("she", "her", "Ada", "Ada Lovelace", "saw", "saw her", "not there")

MENTIONS = st.one_of(
    st.sampled_from(TOKENS), st.tuples(st.integers(0, 12), st.integers(0, 12))
)

TEXTS = st.lists(st.sampled_from(["she", "her", "Ada", "Lovelace", "saw"]), min_size=1)


@given(
    words=TEXTS,
    entities=st.lists(st.lists(MENTIONS, min_size=1, max_size=5), max_size=5),
    data=st.data(),
)
def test_entities_in_any_order_get_the_same_places(
    words: list[str], entities: list[list[Place]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(entities))
    one, other = placed(entities, words), placed(list(shuffled), words)
    assert spans(one) == spans(other)
    assert one.guessed == other.guessed
    assert sorted(each.words for each in one.unplaced) == sorted(
        each.words for each in other.unplaced
    )


@given(data=st.data(), words=st.lists(st.sampled_from(WORDS), min_size=2, max_size=12))
def test_entities_in_any_order_have_the_same_scores(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("llm")
    listed = st.lists(st.sampled_from([*words, "zebra"]), min_size=1, max_size=4)
    entities = data.draw(st.lists(listed, min_size=1, max_size=4))
    shuffled = data.draw(st.permutations(entities))
    document = Document(words, [Mention(0, 0, "1"), Mention(1, 1, "1")])
    figures = [
        scored(folder, document, json.dumps(answer)).result.flat()
        for answer in (entities, shuffled)
    ]
    assert figures[0] == pytest.approx(figures[1])


@given(words=TEXTS, entities=st.lists(st.lists(MENTIONS, max_size=5), max_size=5))
def test_every_mention_is_placed_once_or_not_at_all(
    words: list[str], entities: list[list[Place]]
) -> None:
    found = placed(entities, words)
    assert len(found.placed) + len(found.unplaced) == sum(map(len, entities))
    by_words = [
        (each.start, each.end)
        for each in found.placed
        if not any(
            isinstance(mention, tuple) for mention in entities[int(each.label) - 1]
        )
    ]
    assert len(by_words) == len(set(by_words))


def test_words_that_one_entity_lists_as_often_as_they_occur_are_no_guess() -> None:
    found = placed([["She", "She"], ["Ada"]])
    assert spans(found) == {frozenset({(0, 0), (7, 7)}), frozenset({(2, 2)})}
    assert found.guessed == 0


def test_the_order_inside_an_entity_is_that_of_the_text() -> None:
    words = ["she", "left", "Ada", "and", "she", "met", "Bea", "and", "she", "cried"]
    assert spans(placed([["Ada", "she", "Bea"]], words)) == {
        frozenset({(2, 2), (4, 4), (6, 6)})
    }
    assert spans(placed([["Ada", "Bea", "she"]], words)) == {
        frozenset({(2, 2), (6, 6), (8, 8)})
    }


def test_a_part_of_a_longer_mention_of_the_entity_comes_last() -> None:
    words = ["Ada", "Lovelace", "wrote", ".", "Ada", "slept"]
    assert spans(placed([["Ada", "Ada Lovelace"]], words)) == {
        frozenset({(0, 1), (4, 4)})
    }
    assert spans(placed([["Ada", "Ada", "Ada Lovelace"]], words)) == {
        frozenset({(0, 0), (0, 1), (4, 4)})
    }


def test_what_is_listed_more_often_than_it_occurs_is_unplaced() -> None:
    found = placed([["Ada", "Ada"], ["Ada", "Bea"]])
    assert [each.words for each in found.unplaced] == ["Ada", "Ada"]
    assert len(found.placed) == 2


def test_words_decide_where_offsets_are_counted_in_another_way() -> None:
    # These are offsets of characters.
    found = placed([[Located(0, 3, "She"), Located(9, 12, "Ada")]])
    assert spans(found) == {frozenset({(0, 0), (2, 2)})}
    assert found.other_words == 2
    right = placed([[Located(7, 7, "She"), Located(2, 2, "Ada")]])
    assert spans(right) == {frozenset({(7, 7), (2, 2)})}
    assert (right.other_words, right.guessed) == (0, 0)
    # What the text does not have cannot decide.
    assert spans(placed([[Located(7, 7, "she")]])) == {frozenset({(7, 7)})}


ENTITIES = [["Ada", "she"], ["him"]]


@pytest.mark.parametrize(
    "value",
    [
        ENTITIES,
        {"clusters": ENTITIES},
        {"Ada": ["Ada", "she"], "Charles": ["him"]},
        {"clusters_text_mentions": ENTITIES, "doc_id": "x"},
        [{"entity": "Ada", "mentions": ["Ada", "she"]}, {"mentions": ["him"]}],
        {"entities": [[{"text": "Ada"}, {"mention": "she"}], ["him"]]},
        [
            {"text": "Ada", "cluster": 1},
            {"text": "him", "cluster": 2},
            {"text": "she", "cluster": 1},
        ],
    ],
)
def test_entities_are_lists_of_mentions_wherever_they_stand(value: object) -> None:
    for text in (
        json.dumps(value),
        f"Here it is:\n```json\n{json.dumps(value, indent=2)}\n```\nAnything else?",
        f"The answer is:\n{json.dumps(value)}\nDone.",
    ):
        found = find_clusters(text)
        assert found is not None
        assert found.clusters == ENTITIES
        assert not found.is_cut


def test_offsets_count_where_there_are_texts_as_well() -> None:
    found = clusters_of(
        {
            "tokens": ["Ada", "met", "him"],
            "clusters_token_offsets": [[[0, 0]], [[2, 2]]],
            "clusters_text_mentions": [["Ada"], ["him"]],
        }
    )
    assert found is not None
    assert found.clusters == [[(0, 0)], [(2, 2)]]
    assert found.tokens == ["Ada", "met", "him"]


def test_an_object_may_have_offsets() -> None:
    found = clusters_of([[{"start": 3, "end": 4}]])
    assert found is not None
    assert found.clusters == [[(3, 4)]]
    with_words = clusters_of([[{"start": 3, "end": 4, "text": "x"}]])
    assert with_words is not None
    assert with_words.clusters == [[Located(3, 4, "x")]]


def test_json_that_lists_nothing_is_not_an_answer() -> None:
    assert find_clusters('{"note": "I cannot do this"}') is None
    assert find_clusters('{"clusters": []}') == ([], None, False)
    assert find_clusters("[]") == ([], None, False)


@pytest.mark.parametrize(
    "text",
    [
        '["Ada", "she"]\n["him"]\n',
        'Sure:\n["Ada", "she"],\n["him"]',
        '```\n{"mentions": ["Ada", "she"]}\n{"mentions": ["him"]}\n```',
        '{"text":"Ada","cluster":1}\n{"text":"she","cluster":1}\n{"text":"him","cluster":2}',
    ],
)
def test_entities_may_follow_each_other_as_json_lines(text: str) -> None:
    found = find_clusters(text)
    assert found is not None
    assert found.clusters == [["Ada", "she"], ["him"]]


@given(cut=st.integers(1, 46))
def test_what_is_complete_before_a_cut_is_read(cut: int) -> None:
    text = '{"clusters": [[[0, 1], [22, 3]], [], [[44, 5]]]}'
    found = find_clusters(text[:cut])
    whole = text[:cut].count("]") - text[:cut].count("]]") - text[:cut].count(" []")
    mentions = [] if found is None else [m for each in found.clusters for m in each]
    assert mentions == [(0, 1), (22, 3), (44, 5)][:whole]
    assert found is None or found.is_cut


def test_a_text_that_is_cut_off_is_no_mention() -> None:
    found = find_clusters('[["Ada", "she"], ["hi')
    assert found is not None
    assert found.clusters == [["Ada", "she"]]
    found = find_clusters('{"a": ["Ada"], "b": "x')
    assert found is not None
    assert found.clusters == [["Ada"]]


@pytest.mark.parametrize(
    "text", ["", "I cannot do that.", "[Ada](#1) left", "{x}", '"Ada"', "[1, 2"]
)
def test_other_texts_are_no_lists_of_mentions(text: str) -> None:
    found = find_clusters(text)
    assert found is None or found.clusters == []


def test_no_entity_is_an_answer_too() -> None:
    found = find_clusters('{"clusters": []}')
    assert found is not None
    assert found.clusters == []


@pytest.mark.parametrize("key", [[["Ada", "she"]], [[[0, 0], [2, 2]]], []])
@pytest.mark.parametrize("indent", [None, 1])
def test_the_key_is_not_read_if_there_is_no_prediction(
    key: object, indent: int | None
) -> None:
    record = {"predicted_clusters": None, "clusters": key}
    for value in (record, {"output": record}):
        assert clusters_of(value) is None
        assert find_clusters(json.dumps(value, indent=indent)) is None
    record = {"predicted_clusters": [["him"]], "clusters": key}
    for value in (record, {"output": record}):
        found = clusters_of(value)
        assert found is not None
        assert found.clusters == [["him"]]


@pytest.mark.parametrize(
    "answer", ['{"Ada": ["Ada"], "Ada": ["she"]}', '{"a": {"b": [1], "b": [2]}, "c": [']
)
def test_an_object_that_repeats_a_name_is_not_read(answer: str) -> None:
    assert decode(answer)[0] is None
