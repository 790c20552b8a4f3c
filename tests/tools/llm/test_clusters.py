"""JSON in answers: where it stands, what it lists, and how far it goes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.tools.llm.clusters import Located, clusters_of, find_clusters

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
