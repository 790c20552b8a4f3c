"""JSON in answers: where it is, what it lists, and how far it goes."""

from __future__ import annotations

import json
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.tools.llm.json_clusters import (
    Located,
    clusters_of,
    decode,
    find_clusters,
)

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
def test_entities_are_lists_of_mentions_wherever_they_are(value: object) -> None:
    for text in (
        json.dumps(value),
        f"Here it is:\n```json\n{json.dumps(value, indent=2)}\n```\nAnything else?",
        f"The answer is:\n{json.dumps(value)}\nDone.",
    ):
        answer_clusters = find_clusters(text)
        assert answer_clusters is not None
        assert answer_clusters.clusters == ENTITIES
        assert not answer_clusters.is_cut


def test_offsets_count_where_there_are_texts_as_well() -> None:
    answer_clusters = clusters_of(
        {
            "tokens": ["Ada", "met", "him"],
            "clusters_token_offsets": [[[0, 0]], [[2, 2]]],
            "clusters_text_mentions": [["Ada"], ["him"]],
        }
    )
    assert answer_clusters is not None
    assert answer_clusters.clusters == [[(0, 0)], [(2, 2)]]
    assert answer_clusters.tokens == ["Ada", "met", "him"]


def test_an_object_may_have_offsets() -> None:
    answer_clusters = clusters_of([[{"start": 3, "end": 4}]])
    assert answer_clusters is not None
    assert answer_clusters.clusters == [[(3, 4)]]
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
    answer_clusters = find_clusters(text)
    assert answer_clusters is not None
    assert answer_clusters.clusters == [["Ada", "she"], ["him"]]


@given(cut=st.integers(1, 46))
def test_what_is_complete_before_a_cut_is_read(cut: int) -> None:
    text = '{"clusters": [[[0, 1], [22, 3]], [], [[44, 5]]]}'
    answer_clusters = find_clusters(text[:cut])
    whole = text[:cut].count("]") - text[:cut].count("]]") - text[:cut].count(" []")
    mentions = [] if answer_clusters is None else [*chain(*answer_clusters.clusters)]
    assert mentions == [(0, 1), (22, 3), (44, 5)][:whole]
    assert answer_clusters is None or answer_clusters.is_cut


def test_a_text_that_is_cut_off_is_no_mention() -> None:
    answer_clusters = find_clusters('[["Ada", "she"], ["hi')
    assert answer_clusters is not None
    assert answer_clusters.clusters == [["Ada", "she"]]
    answer_clusters = find_clusters('{"a": ["Ada"], "b": "x')
    assert answer_clusters is not None
    assert answer_clusters.clusters == [["Ada"]]


@pytest.mark.parametrize(
    "text", ["", "I cannot do that.", "[Ada](#1) left", "{x}", '"Ada"', "[1, 2"]
)
def test_other_texts_are_no_lists_of_mentions(text: str) -> None:
    answer_clusters = find_clusters(text)
    assert answer_clusters is None or answer_clusters.clusters == []


def test_no_entity_is_an_answer_too() -> None:
    answer_clusters = find_clusters('{"clusters": []}')
    assert answer_clusters is not None
    assert answer_clusters.clusters == []


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
        answer_clusters = clusters_of(value)
        assert answer_clusters is not None
        assert answer_clusters.clusters == [["him"]]


@pytest.mark.parametrize(
    "answer", ['{"Ada": ["Ada"], "Ada": ["she"]}', '{"a": {"b": [1], "b": [2]}, "c": [']
)
def test_an_object_that_repeats_a_name_is_not_read(answer: str) -> None:
    assert decode(answer)[0] is None
