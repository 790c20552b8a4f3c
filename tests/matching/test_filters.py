"""Verb phrases and nested mentions, left out before anything is matched."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import parsed
from reading import mentions_by_document
from scoref import OptionError, Scheme
from scoref.contingency.spans import match_spans
from scoref.formats import read_data
from scoref.formats.entities import EntityPairs
from scoref.matching.documents import pair_documents
from scoref.matching.filters import drop_nested, drop_verb_phrases
from scoref.matching.trees import Trees

if TYPE_CHECKING:
    from reading import Mentions
    from scoref.matching import Matched
    from scoref.model import Corpus
    from scoref.scheme import Singletons

GREW = (
    "(TOP (S (NP (NNS sales)) (VP (VBD grew) (NP (DT this) (NN year))) (CC and) "
    "(NP (DT the) (NN growth)) (VP (VBD surprised) (NP (PRP us)))))"
)


def _matched(key: str, response: str, scheme: Scheme) -> Matched:
    return match_spans(parsed.key(key), parsed.response(response), scheme)[0]


def _noun_phrases(cells: str, tree: str = GREW) -> Mentions:
    """Read the cells of a response and leave out its verb phrases."""
    key = parsed.key(parsed.document(tree))
    flat = " ".join(f"({tag} {word})" for word, tag, _ in parsed.rows(tree))
    response = parsed.response(parsed.document(f"(X {flat})", cells=cells))
    documents = pair_documents(key, response, Scheme())
    trees = Trees(key, wanted_for="phrases np")
    _, left = drop_verb_phrases(key, response, documents, trees)
    (mentions,) = mentions_by_document(left).values()
    return {label: spans for label, spans in mentions.items() if spans}


# Noun phrases only


def test_a_mention_whose_root_is_a_verb_phrase_is_dropped() -> None:
    # grew this year, the growth, us
    assert _noun_phrases("- (1 - 1) - (1 1) - (1)") == {"1": [(5, 6), (8, 8)]}


def test_a_verb_that_begins_its_phrase_stands_for_it() -> None:
    assert _noun_phrases("- (1) - - - (1 1) - (1)") == {"1": [(5, 6), (8, 8)]}


def test_a_mention_that_begins_behind_the_verb_is_no_verb_phrase() -> None:
    tree = "(S (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (NNP Ada)))))"
    assert _noun_phrases("- (1 - - 1)", tree) == {"1": [(1, 4)]}


def test_an_entity_of_which_one_mention_is_left_is_dropped() -> None:
    assert _noun_phrases("(2) (1) - - - (1 1) - (2)") == {"2": [(0, 0), (8, 8)]}


def test_an_entity_that_loses_all_mentions_is_dropped() -> None:
    assert _noun_phrases("(2) (1) - - - - - (1) (2)") == {"2": [(0, 0), (8, 8)]}


def test_a_singleton_that_is_no_verb_phrase_stays() -> None:
    assert _noun_phrases("(2) (1) - - - - - - -") == {"2": [(0, 0)]}


def test_verb_phrases_are_dropped_on_both_sides() -> None:
    key = parsed.document(GREW, cells="(2) (1) - - - (1 1) - (2)")
    response = parsed.document(GREW, cells="(2) (3) - - - (2 2) (3) (2)")
    matched = _matched(key, response, Scheme(phrases="np"))
    assert matched.key.size.tolist() == [2]
    assert matched.response.size.tolist() == [3]
    matched = _matched(key, response, Scheme(phrases="all"))
    assert matched.key.size.tolist() == [2, 2]
    assert matched.response.size.tolist() == [3, 2]


def test_verb_phrases_are_dropped_before_nested_mentions_are() -> None:
    # 'this year' inside 'grew this year'
    cells = "- (1 (1 1)|1) - (1 1) - -"
    scheme = Scheme(phrases="np", nested="drop")
    document = parsed.document(GREW, cells=cells)
    assert _matched(document, document, scheme).key.size.tolist() == [2]


def test_mentions_that_cross_sentences_are_no_verb_phrases() -> None:
    go = "(TOP (VP (VB go)))"
    document = parsed.document(go, go, cells="(1 1)")
    matched = _matched(document, document, Scheme(phrases="np"))
    assert matched.key.size.tolist() == [1]


# Nested mentions


def _spans(*entities: list[tuple[int, int]]) -> Corpus:
    record = json.dumps({"doc_key": "d", "clusters": entities})
    return read_data(record.encode(), source="x", role="key")


def _left(
    *entities: list[tuple[int, int]], singletons: Singletons = "keep"
) -> list[list[tuple[int, int]]]:
    left = drop_nested(_spans(*entities), singletons)
    (mentions,) = mentions_by_document(left).values()
    return list(mentions.values())


@pytest.mark.parametrize(
    ("mentions", "left"),
    [
        ([(0, 4), (1, 2), (6, 6)], [(0, 4), (6, 6)]),
        ([(0, 4), (0, 2), (6, 6)], [(0, 4), (6, 6)]),
        ([(0, 4), (2, 4), (6, 6)], [(0, 4), (6, 6)]),
        ([(1, 2), (6, 6), (0, 4)], [(6, 6), (0, 4)]),
        ([(0, 4), (1, 3), (2, 2), (6, 6)], [(0, 4), (6, 6)]),
        ([(0, 4), (3, 6)], [(0, 4), (3, 6)]),
        ([(0, 4), (5, 6)], [(0, 4), (5, 6)]),
        ([(0, 4), (0, 4)], [(0, 4), (0, 4)]),
        ([(0, 4), (1, 1), (6, 6), (1, 1), (0, 4)], [(0, 4), (6, 6), (0, 4)]),
    ],
)
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_the_inner_mention_of_a_nested_pair_is_dropped(
    mentions: list[tuple[int, int]],
    left: list[tuple[int, int]],
    singletons: Singletons,
) -> None:
    assert _left(mentions, singletons=singletons) == [left]


def test_a_mention_inside_one_of_another_entity_stays() -> None:
    entities = [(0, 4), (8, 9)], [(1, 2), (6, 6)]
    assert _left(*entities) == [*entities]


def test_an_entity_that_would_keep_one_mention_is_dropped_with_singletons() -> None:
    entities = [(0, 4), (1, 2)], [(5, 5), (6, 6)]
    assert _left(*entities, singletons="drop") == [[], [(5, 5), (6, 6)]]


def test_an_entity_that_would_keep_one_mention_stays_whole_without() -> None:
    entities = [(0, 4), (1, 2)], [(5, 5), (6, 6)]
    assert _left(*entities, singletons="keep") == [*entities]


def test_one_mention_listed_twice_is_one_that_is_left() -> None:
    twice = [(0, 4), (1, 2), (0, 4)]
    assert _left(twice, singletons="keep") == [twice]
    assert _left(twice, singletons="drop") == [[]]


def test_nested_mentions_are_those_that_a_search_through_all_pairs_finds() -> None:
    random = np.random.default_rng(1)
    for _ in range(200):
        start = random.integers(0, 8, size=(3, 5))
        spans = np.stack((start, start + random.integers(0, 4, size=(3, 5))), axis=2)
        entities = [[(a, b) for a, b in entity] for entity in spans.tolist()]
        expected = []
        for entity in entities:
            left = [
                (a, b)
                for a, b in entity
                if not any(c <= a and b <= d and (a, b) != (c, d) for c, d in entity)
            ]
            is_alone = len(left) < len(entity) and len(set(left)) == 1
            expected.append(entity if is_alone else left)
        assert _left(*entities) == expected


def test_a_dropped_entity_does_not_keep_a_duplicate_from_another_one() -> None:
    cells = "(1|(1)|(2) 1) - (2)"
    tree = "(NP (NN a) (NN b) (NN c) (NN d))"
    document = parsed.document(tree, cells=cells)
    scheme = Scheme(nested="drop", singletons="drop", duplicates="first")
    assert _matched(document, document, scheme).response.size.tolist() == [2]


def test_nothing_is_left_out_of_nothing() -> None:
    document = parsed.document(GREW)
    scheme = Scheme(match="min", phrases="np", nested="drop")
    assert _matched(document, document, scheme).mention_count == 0


def test_entities_in_python_have_nothing_that_could_be_nested() -> None:
    sides = EntityPairs.of([[(0, 4), (1, 2)]], [[(0, 4)]]).build()
    with pytest.raises(OptionError, match="nested 'drop' needs files"):
        match_spans(*sides, Scheme(nested="drop"))
