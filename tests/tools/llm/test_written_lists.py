"""Entities that are listed line by line, as models do it without being asked."""

from __future__ import annotations

import pytest

from scoref.tools.llm.written_lists import find_lists

ADA, BOB = ["Ada", "she"], ["Bob"]


@pytest.mark.parametrize(
    "text",
    [
        '1. Ada: "Ada", "she"\n2. Bob: "Bob"',
        "1. Ada: Ada, she\n2. Bob: Bob",
        "1) Ada, she\n2) Bob",
        "- Ada: “Ada”, “she”\n- Bob: “Bob”",
        "* **Ada**: `Ada`, `she` (twice)\n* **Bob**: `Bob`",
        'Ada: "Ada", "she"\nBob: "Bob"',
        'Here are the clusters:\n\n1. "Ada" and "she"\n2. "Bob"\n\nThat is all.',
        '1. ["Ada", "she"]\n2. ["Bob"]',
        "Cluster 1: Ada, she\nCluster 2: Bob",
        "Cluster 1:\n- Ada\n- she\n\nCluster 2:\n- Bob",
        '**Entity 1**\n* "Ada"\n* "she"\n**Entity 2**\n* "Bob"',
        "### Ada\n- Ada\n- she\n### Bob\n- Bob",
        '1. Ada:\n   - "Ada"\n   - "she"\n2. Bob:\n   - "Bob"',
    ],
)
def test_a_line_or_a_heading_is_an_entity(text: str) -> None:
    found = find_lists(text)
    assert found is not None
    assert found.clusters == [ADA, BOB]


def test_an_apostrophe_is_not_a_quote() -> None:
    found = find_lists("1. 'Ada's dog', 'it'")
    assert found is not None
    assert found.clusters == [["Ada's dog", "it"]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am sorry: I cannot do this.",
        "She said: yes, of course.",
        '[["Ada"],\n["she"]]',
        '{"a": ["Ada"],\n "b": ["x"]}',
        "()" * 5000 + '"',
        '"a" ' * 5000 + "!",
    ],
)
def test_other_texts_are_not_lists(text: str) -> None:
    assert find_lists(text) is None
