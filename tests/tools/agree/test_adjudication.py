"""What is in dispute between annotators, and what decisions make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.tools.agree.adjudication import Adjudication, KeyState
from scoref.tools.convert.sources import read_corpus
from support.annotators import annotated, numbers, record

if TYPE_CHECKING:
    from support.annotators import Entities


def adjudication_of(*people: list[list[int]], words: int = 12) -> Adjudication:
    """Adjudicate one document, in which each mention is a word."""
    spans = [[[(word, word) for word in entity] for entity in one] for one in people]
    return adjudication_of_spans(dict(zip("abcde", spans, strict=False)), words)


def adjudication_of_spans(people: dict[str, Entities], words: int) -> Adjudication:
    corpora = [
        (name, read_corpus(record("d", entities, words)).corpus)
        for name, entities in people.items()
    ]
    return Adjudication(corpora)


def disputes_of(adjudication: Adjudication) -> list[list[str]]:
    return [
        [adjudication.ids[unit] for unit in dispute.units]
        for dispute in adjudication.disputes
    ]


def key_of(adjudication: Adjudication, state: KeyState) -> list[list[str]]:
    entities: dict[int, list[str]] = {}
    for unit in adjudication.units_of[0]:
        if state.entity[unit] >= 0:
            entities.setdefault(state.entity[unit], []).append(adjudication.ids[unit])
    return sorted(entities.values())


def decided(adjudication: Adjudication, *decisions: tuple[object, ...]) -> object:
    """Apply decisions: a name, the words of mentions, an annotator or a mention."""
    unit = {name: number for number, name in enumerate(adjudication.ids)}
    state = KeyState(adjudication)
    for kind, mentions, *more in decisions:
        units = [unit[str(mention)] for mention in mentions]  # type: ignore[attr-defined]
        annotator = "abcde".index(str(more[0])) if kind == "take" else None
        other = unit[str(more[0])] if kind == "merge" else None
        state.apply(str(kind), units, annotator, other)
    return key_of(adjudication, state)


def test_nothing_is_in_dispute_where_all_agree() -> None:
    assert disputes_of(adjudication_of([[0, 1], [2]], [[0, 1], [2]])) == []


def test_mentions_that_all_treat_alike_are_one_dispute() -> None:
    # The largest group is what the others are decided against.
    three = [[0, 1, 2, 3, 4]], [[0, 1, 2], [3, 4]], [[0, 1, 2], [3, 4]]
    assert disputes_of(adjudication_of(*three)) == [["3", "4"]]


def test_a_mention_that_not_all_marked_is_in_dispute() -> None:
    assert disputes_of(adjudication_of([[0, 1]], [[0]], [[0, 1]])) == [["1"]]
    assert disputes_of(adjudication_of([[0], [1]], [[0]])) == [["1"]]


def test_if_nobody_marked_what_others_did_all_of_it_is_in_dispute() -> None:
    assert disputes_of(adjudication_of([[0, 1], [5]], [[2, 3], [5]])) == [
        ["0", "1"],
        ["2", "3"],
    ]


def test_the_worst_dispute_comes_first() -> None:
    people = [
        [[0, 1, 2, 3], [4, 5]],
        [[0, 1], [2, 3], [4, 5]],
        [[0, 1], [2, 3], [4], [5]],
    ]
    found = adjudication_of(*people)
    assert disputes_of(found) == [["2", "3"], ["5"]]
    weights = [dispute.weight for dispute in found.disputes]
    assert weights == sorted(weights, reverse=True)


THREE = [[0, 1], [2, 3]], [[0, 3], [1, 2]], [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("decisions", "key"),
    [
        ([], [["0", "1"], ["2", "3"]]),
        ([("keep", ["1"])], [["0", "1"], ["2", "3"]]),
        ([("undecidable", ["1"])], [["0", "1"], ["2", "3"]]),
        ([("drop", ["1"])], [["0"], ["2", "3"]]),
        ([("split", ["1"])], [["0"], ["1"], ["2", "3"]]),
        ([("merge", ["1"], "3")], [["0", "1", "2", "3"]]),
        # Nothing was decided, so 1 and 2 form the entity of b.
        ([("take", ["1"], "b")], [["0"], ["1", "2"], ["3"]]),
        # 2 was decided to be with 3, so 1 joins both.
        ([("keep", ["2"]), ("take", ["1"], "b")], [["0"], ["1", "2", "3"]]),
        ([("drop", ["1"]), ("merge", ["1"], "3")], [["0"], ["1", "2", "3"]]),
        ([("drop", ["3"]), ("merge", ["1"], "3")], [["0", "1", "3"], ["2"]]),
        ([("drop", ["2"]), ("take", ["1"], "b")], [["0"], ["1"], ["3"]]),
    ],
)
def test_a_decision_changes_the_majority(
    decisions: list[tuple[object, ...]], key: list[list[str]]
) -> None:
    assert decided(adjudication_of(*THREE), *decisions) == key


def test_taking_a_reading_without_the_mention_leaves_it_out() -> None:
    two_of_three = [[0, 1, 2]], [[0, 1]], [[0, 1, 2]]
    found = adjudication_of(*two_of_three)
    assert decided(found, ("take", ["2"], "b")) == [["0", "1"]]
    assert decided(found, ("take", ["2"], "a")) == [["0", "1", "2"]]


@pytest.mark.parametrize("seed", range(60))
def test_taking_all_readings_of_somebody_makes_the_key_theirs(seed: int) -> None:
    rng = numbers(seed)
    people = annotated(rng, rng.randint(2, 14), 40)
    found = adjudication_of_spans(people, 40)
    for number, name in enumerate(found.annotated.names):
        state = KeyState(found)
        disputes = [*found.disputes]
        rng.shuffle(disputes)
        for dispute in disputes:
            state.apply("take", dispute.units, number)
        theirs = scoref.convert(record("d", people[name], 40), "json-lines")
        again = read_corpus(theirs.data).corpus
        alone = Adjudication([("x", again), ("y", again)])
        assert key_of(found, state) == key_of(alone, KeyState(alone))


def test_a_discontinuous_mention_and_a_zero_have_names() -> None:
    text = b"""# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = 1
1\ta\ta\tX\t_\t_\t0\troot\t_\tEntity=(e1[1/2]-x-1-)
2\tb\tb\tX\t_\t_\t1\tdep\t_\t_
3\tc\tc\tX\t_\t_\t1\tdep\t_\tEntity=(e1[2/2])
3.1\t_\t_\tX\t_\t_\t_\t_\t1:dep\tEntity=(e1-x-1-)

"""
    corpus = read_corpus(text).corpus
    found = Adjudication([("x", corpus), ("y", corpus)])
    assert [found.ids[unit] for unit in found.units_of[0]] == ["0,2", "2.1"]
