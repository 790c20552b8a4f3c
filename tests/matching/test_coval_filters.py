"""Verb phrases and nested mentions, left out as coval does, and as it should."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref import OptionError, Scheme
from scoref.formats.entities import EntityPairs
from scoref.formats.reading import read_data
from scoref.matching.coval_filters import count_containers
from scoref.matching.spans import match_spans
from support import treebank

if TYPE_CHECKING:
    from scoref.matching import Matched, Side
    from scoref.model import Corpus
    from scoref.scheme import Nested, Phrases, Singletons

    Spans = list[tuple[int, int]]


GREW = (
    "(TOP (S (NP (NNS sales)) (VP (VBD grew) (NP (DT this) (NN year))) (CC and) "
    "(NP (DT the) (NN growth)) (VP (VBD surprised) (NP (PRP us)))))"
)


def _matched(key: str, response: str, scheme: Scheme) -> Matched:
    return match_spans(treebank.key(key), treebank.response(response), scheme)


def _spans_of(side: Side, corpus: Corpus) -> dict[str, Spans]:
    """List what is left of each entity."""
    found: dict[str, Spans] = {}
    for row in side.row.tolist():
        label = corpus.entity_label[int(corpus.mention_entity[row])]
        span = int(corpus.mention_start[row]), int(corpus.mention_end[row])
        found.setdefault(label, []).append(span)
    return found


def _noun_phrases(
    cells: str, tree: str = GREW, phrases: Phrases = "np"
) -> dict[str, Spans]:
    """Read the cells of a response and leave out its verb phrases."""
    key = treebank.key(treebank.document(tree))
    flat = " ".join(f"({tag} {word})" for word, tag, _ in treebank.rows(tree))
    response = treebank.response(treebank.document(f"(X {flat})", cells=cells))
    matched = match_spans(key, response, Scheme(phrases=phrases))
    return _spans_of(matched.response, response)


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
    key = treebank.document(GREW, cells="(2) (1) - - - (1 1) - (2)")
    response = treebank.document(GREW, cells="(2) (3) - - - (2 2) (3) (2)")
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
    document = treebank.document(GREW, cells=cells)
    assert _matched(document, document, scheme).key.size.tolist() == [2]


def test_mentions_that_cross_sentences_are_no_verb_phrases() -> None:
    go = "(TOP (VP (VB go)))"
    document = treebank.document(go, go, cells="(1 1)")
    matched = _matched(document, document, Scheme(phrases="no-vp"))
    assert matched.key.size.tolist() == [1]


RAN = "(TOP (S (VP (VBD ran) (NP (NN home))) (NP (NNP Ada)) (VP-TPC (VBD sat))))"


def test_a_verb_phrase_that_begins_a_sentence_is_one_though_coval_does_not_see_it() -> (
    None
):
    cells = "(1) - (1) (1)"
    assert _noun_phrases(cells, RAN) == {"1": [(0, 0), (2, 2), (3, 3)]}
    assert _noun_phrases(cells, RAN, "no-vp") == {}


def test_a_verb_phrase_with_a_function_is_one_though_coval_does_not_see_it() -> None:
    cells = "- - (1) (1)"
    assert _noun_phrases(cells, RAN) == {"1": [(2, 2), (3, 3)]}
    assert _noun_phrases(cells, RAN, "no-vp") == {}


def test_of_equal_minimum_spans_the_first_goes_where_coval_leaves_out_a_verb() -> None:
    # 'saw' and 'now saw' are equal, and only the second is VP.
    tree = "(S (NP (NNP Ada)) (VP (ADVP (RB now)) (VBD saw)) (NP (NNP Bob)))"
    key = treebank.key(treebank.document(tree))
    response = treebank.response(treebank.document(tree, cells="(1) (1 (1)|1) (1)"))
    left: dict[Phrases, Spans] = {}
    for phrases in ("np", "no-vp"):
        matched = match_spans(key, response, Scheme(match="min", phrases=phrases))
        left[phrases] = _spans_of(matched.response, response)["1"]
    assert left == {
        "np": [(0, 0), (1, 2), (3, 3)],
        "no-vp": [(0, 0), (2, 2), (3, 3)],
    }


# Nested mentions
def _spans(*entities: Spans) -> Corpus:
    record = json.dumps({"doc_key": "d", "clusters": entities})
    return read_data(record.encode(), source="x", role="key")


def _left(
    *entities: Spans, nested: Nested = "drop", singletons: Singletons = "keep"
) -> list[Spans]:
    corpus = _spans(*entities)
    scheme = Scheme(nested=nested, singletons=singletons, duplicates="coval")
    matched = match_spans(corpus, corpus, scheme)
    return list(_spans_of(matched.key, corpus).values())


@pytest.mark.parametrize(
    ("mentions", "left"),
    [
        ([(0, 4), (1, 2), (6, 6)], [(0, 4), (6, 6)]),
        ([(0, 4), (0, 2), (6, 6)], [(0, 4), (6, 6)]),
        ([(0, 4), (2, 4), (6, 6)], [(0, 4), (6, 6)]),
        ([(1, 2), (6, 6), (0, 4)], [(6, 6), (0, 4)]),
        ([(0, 4), (3, 6)], [(0, 4), (3, 6)]),
        ([(0, 4), (5, 6)], [(0, 4), (5, 6)]),
        ([(0, 4), (0, 4)], [(0, 4), (0, 4)]),
        ([(0, 4), (1, 1), (6, 6), (0, 4), (7, 7)], [(0, 4), (6, 6), (0, 4), (7, 7)]),
    ],
)
@pytest.mark.parametrize("nested", ["drop", "outermost"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_the_inner_mention_of_a_nested_pair_is_dropped(
    mentions: Spans, left: Spans, nested: Nested, singletons: Singletons
) -> None:
    assert _left(mentions, nested=nested, singletons=singletons) == [left]


@pytest.mark.parametrize(
    ("mentions", "kept", "dropped"),
    [
        ([(0, 2), (0, 1)], [[(0, 2), (0, 1)]], []),
        ([(0, 2), (0, 1), (0, 0)], [[(0, 2)]], [[(0, 2)]]),
        (
            [(0, 2), (0, 1), (0, 0), (3, 3)],
            [[(0, 2), (0, 1), (0, 0), (3, 3)]],
            [],
        ),
        (
            [(0, 2), (0, 1), (0, 0), (3, 3), (4, 4)],
            [[(0, 2), (3, 3), (4, 4)]],
            [[(0, 2), (3, 3), (4, 4)]],
        ),
        ([(0, 2)], [[(0, 2)]], []),
    ],
)
def test_coval_compares_the_number_of_mentions_with_that_of_nested_pairs(
    mentions: Spans, kept: list[Spans], dropped: list[Spans]
) -> None:
    assert _left(mentions) == kept
    assert _left(mentions, singletons="drop") == dropped


def test_the_outermost_mentions_are_what_is_left_whatever_their_number() -> None:
    entities = [(0, 4), (1, 2)], [(5, 8), (5, 6), (5, 5), (9, 9)]
    assert _left(*entities, nested="outermost") == [[(0, 4)], [(5, 8), (9, 9)]]


def test_outermost_mentions_may_be_singletons_in_the_end() -> None:
    corpus = _spans([(0, 4), (1, 2)], [(5, 5), (6, 6)])
    scheme = Scheme(nested="outermost", singletons="drop")
    matched = match_spans(corpus, corpus, scheme)
    assert _spans_of(matched.key, corpus) == {"1": [(5, 5), (6, 6)]}


def test_a_mention_inside_one_of_another_entity_stays() -> None:
    entities = [(0, 4), (8, 9)], [(1, 2), (6, 6)]
    assert _left(*entities) == [*entities]


def test_mentions_of_equal_minimum_spans_are_not_nested_in_each_other() -> None:
    tree = (
        "(TOP (S (NP (NP (DT the) (NN dog)) (PP (IN of) (NP (NN war)))) (VP (VB ran))))"
    )
    # 'the dog of war' is 'the dog', and ends where 'war' does.
    document = treebank.document(tree, cells="(1|(1 1) - (1)|1) (1)")
    scheme = Scheme(match="min", nested="drop", duplicates="coval")
    matched = _matched(document, document, scheme)
    assert matched.key.size.tolist() == [3]


def test_containers_are_those_that_a_search_through_all_pairs_finds() -> None:
    random = np.random.default_rng(1)
    for _ in range(200):
        count = int(random.integers(0, 30))
        group, start = random.integers(0, 3, count), random.integers(0, 9, count)
        end = start + random.integers(0, 5, count)
        spans = list(zip(group.tolist(), start.tolist(), end.tolist(), strict=True))
        expected = [
            sum(c == g and s <= a and b <= e and (s, e) != (a, b) for c, s, e in spans)
            for g, a, b in spans
        ]
        assert count_containers(group, start, end).tolist() == expected


def test_thousands_of_mentions_in_each_other_are_counted_without_looking_at_pairs() -> (
    None
):
    start = np.arange(50_000)
    found = count_containers(np.zeros_like(start), start, 100_000 - start)
    assert found.tolist() == start.tolist()


def test_a_dropped_entity_does_not_keep_a_duplicate_from_another_one() -> None:
    cells = "(1|(1)|(2) 1) - (2)"
    tree = "(NP (NN a) (NN b) (NN c) (NN d))"
    document = treebank.document(tree, cells=cells)
    scheme = Scheme(nested="drop", singletons="drop", duplicates="first")
    assert _matched(document, document, scheme).response.size.tolist() == [2]


def test_nothing_is_left_out_of_nothing() -> None:
    document = treebank.document(GREW)
    scheme = Scheme(match="min", phrases="np", nested="drop")
    assert _matched(document, document, scheme).mention_count == 0


def test_entities_in_python_have_nothing_that_could_be_nested() -> None:
    sides = EntityPairs.of([[(0, 4), (1, 2)]], [[(0, 4)]]).build()
    with pytest.raises(OptionError, match=r"nested=drop .* needs files"):
        match_spans(*sides, Scheme(nested="drop"))
