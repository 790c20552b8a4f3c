"""Mentions that are listed by words are placed, whatever the order of entities."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.tools.llm.json_clusters import Located
from scoref.tools.llm.listed_mentions import ListedMentions, place_mentions
from support.llm_answers import WORDS, Document, Mention, clusters, scored

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.llm.json_clusters import Place


TEXT = ["She", "knew", "Ada", ".", "Bea", "slept", "until", "She", "woke"]

ISSUE = Document(
    TEXT,
    [Mention(0, 0, "1"), Mention(2, 2, "1"), Mention(4, 4, "2"), Mention(7, 7, "2")],
)


def placed(entities: list[list[Place]], words: list[str] = TEXT) -> ListedMentions:
    return place_mentions(entities, words, np.arange(len(words)))


def spans(listed: ListedMentions) -> set[frozenset[tuple[int, int]]]:
    entities: dict[str, set[tuple[int, int]]] = {}
    for start, end, label in listed.placed:
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
    listed = scored(tmp_path, ISSUE, json.dumps(answer))
    assert listed.result.conll == pytest.approx(1)
    assert clusters(listed) == ISSUE.clusters()
    assert listed.guessed == 2
    (note,) = listed.result.notes
    assert (note.kind, note.count) == ("guessed-places", 2)
    assert note.message.startswith("warning: The positions of 2 of 4 mentions")


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
    assert sorted(mention.words for mention in one.unplaced) == sorted(
        mention.words for mention in other.unplaced
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
    listed = placed(entities, words)
    assert len(listed.placed) + len(listed.unplaced) == sum(map(len, entities))
    by_words = [
        (place.start, place.end)
        for place in listed.placed
        if not any(
            isinstance(mention, tuple) for mention in entities[int(place.label) - 1]
        )
    ]
    assert len(by_words) == len(set(by_words))


def test_words_that_one_entity_lists_as_often_as_they_occur_are_no_guess() -> None:
    listed = placed([["She", "She"], ["Ada"]])
    assert spans(listed) == {frozenset({(0, 0), (7, 7)}), frozenset({(2, 2)})}
    assert listed.guessed == 0


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
    listed = placed([["Ada", "Ada"], ["Ada", "Bea"]])
    assert [mention.words for mention in listed.unplaced] == ["Ada", "Ada"]
    assert len(listed.placed) == 2


def test_words_decide_where_offsets_are_counted_in_another_way() -> None:
    # These are offsets of characters.
    listed = placed([[Located(0, 3, "She"), Located(9, 12, "Ada")]])
    assert spans(listed) == {frozenset({(0, 0), (2, 2)})}
    assert listed.other_words == 2
    right = placed([[Located(7, 7, "She"), Located(2, 2, "Ada")]])
    assert spans(right) == {frozenset({(7, 7), (2, 2)})}
    assert (right.other_words, right.guessed) == (0, 0)
    # What the text does not have cannot decide.
    assert spans(placed([[Located(7, 7, "she")]])) == {frozenset({(7, 7)})}
