"""What goes beyond identity: bridging, and mentions that do not refer."""

from __future__ import annotations

import pytest

from scoref.metrics import METRICS
from scoref.metrics.base import Metric
from support.clusterings import tabulate
from support.corefud import percentages
from support.universal_anaphora import documents, scored, text_of, universal

LEVELS = ("bridging-anaphors", "bridging-markables", "bridging-entities")
FULL = (100.0, 100.0, 100.0)
NOTHING = (0.0, 0.0, 0.0)
THIRD = (33.33, 33.33, 33.33)
TWO_THIRDS = (66.67, 66.67, 66.67)
SEVEN = "w w w w w w w"
ENTITIES = {"e1": "1 2", "e2": "4", "e3": "5 6", "e4": "7"}


def bridged(bridges: str, **entities: str) -> str:
    return universal(SEVEN, bridges=bridges, **(ENTITIES | entities))


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_figures_are_those_of_the_official_scorer(singletons: str) -> None:
    key, response = bridged("4>1 5>1 7>1"), bridged("4>1 5>2 6>1")
    assert percentages(scored(key, response, singletons=singletons), *LEVELS) == {
        "bridging-anaphors": TWO_THIRDS,
        "bridging-markables": THIRD,
        "bridging-entities": TWO_THIRDS,
    }


def test_no_bridges_at_all_are_0_of_0() -> None:
    text = bridged("")
    result = scored(text, text)
    assert percentages(result, *LEVELS) == dict.fromkeys(LEVELS, NOTHING)
    assert not result.scores["bridging-entities"].is_defined


def test_bridges_that_only_one_side_has_are_missed_or_made_up() -> None:
    some, none = bridged("4>1 5>1"), bridged("")
    for sides, expected in (((some, none), [[0, 2, 0]]), ((none, some), [[0, 0, 2]])):
        counts = scored(*sides).counts
        found = {name: counts[name].tolist() for name in LEVELS}
        assert found == dict.fromkeys(LEVELS, expected)


def test_an_antecedent_of_another_entity_is_missed_and_made_up() -> None:
    result = scored(bridged("7>1"), bridged("7>4"))
    assert {name: result.counts[name].tolist() for name in LEVELS} == {
        "bridging-anaphors": [[1, 0, 0]],
        "bridging-markables": [[0, 1, 1]],
        "bridging-entities": [[0, 1, 1]],
    }


def test_the_entity_of_an_antecedent_is_the_keys() -> None:
    # The response has 1 and 4 in one entity, and that does not help.
    response = bridged("7>4", e1="1 2 4", e2="3")
    result = scored(bridged("7>1"), response)
    assert percentages(result, "bridging-entities") == {"bridging-entities": NOTHING}
    result = scored(response, bridged("7>1"))
    assert percentages(result, "bridging-entities") == {"bridging-entities": FULL}


def test_an_antecedent_that_was_dropped_with_its_entity_must_be_the_same() -> None:
    # Entity {4, 4} has one mention once repeats are dropped.
    key, same = bridged("7>4", e2="4 4"), bridged("7>4")
    result = scored(key, same, singletons="drop")
    assert percentages(result, *LEVELS) == dict.fromkeys(LEVELS, FULL)


def test_the_last_of_several_antecedents_counts() -> None:
    assert percentages(
        scored(bridged("7>1"), bridged("7>4 7>1")), "bridging-markables"
    ) == {"bridging-markables": FULL}
    assert percentages(
        scored(bridged("7>1"), bridged("7>1 7>4")), "bridging-markables"
    ) == {"bridging-markables": NOTHING}


def test_of_two_markables_with_the_same_words_the_last_ones_antecedent_counts() -> None:
    (document,) = documents(SEVEN, e1="1 2", e2="4", e3="7", e4="7", bridges="7>1")
    document.bridges.append((4, 2))  # the second markable on word 7, and word 4
    found = scored(text_of([document]), bridged("7>4"))
    assert percentages(found, *LEVELS) == dict.fromkeys(LEVELS, FULL)


def test_anaphors_are_looked_for_in_their_own_document() -> None:
    texts = "@a w w w", "@b w w w"
    entities = {"e1": "1 b:1", "e2": "2 b:2"}
    key = universal(*texts, bridges="2>1", **entities)
    response = universal(*texts, bridges="b:2>1", **entities)
    result = scored(key, response)
    assert percentages(result, *LEVELS) == dict.fromkeys(LEVELS, NOTHING)
    assert result.counts["bridging-anaphors"].tolist() == [[0, 1, 0], [0, 0, 1]]


def test_q26_bridging_goes_by_exact_words_whatever_the_match() -> None:
    key = universal("w w w w w", e1="1-2*1 4", e2="5", bridges="5>1-2")
    response = universal("w w w w w", e1="1 4", e2="5", bridges="5>1")
    result = scored(key, response, match="partial")
    assert percentages(result, "bcub", *LEVELS) == {
        "bcub": FULL,
        "bridging-anaphors": FULL,
        "bridging-markables": NOTHING,
        "bridging-entities": NOTHING,
    }


def test_q26_only_the_first_mention_of_an_entity_that_does_not_refer_counts() -> None:
    key = universal("w w w", x="1 2 pseudo", e1="3")
    second = universal("w w w", x="2 pseudo", e1="3")
    first = universal("w w w", x="1 pseudo", e1="3")
    assert percentages(scored(key, second), "non-referring") == {
        "non-referring": NOTHING
    }
    assert percentages(scored(key, first), "non-referring") == {"non-referring": FULL}


def test_what_does_not_refer_is_no_mention_of_an_entity() -> None:
    key = universal("w w w w", x="1 2 pseudo", e1="3 4")
    response = universal("w w w w", e1="3 4")
    result = scored(key, response)
    names = ("mentions", "muc", "bcub", "ceafe", "ceafm", "lea", "mor")
    assert percentages(result, *names) == dict.fromkeys(names, FULL)
    assert percentages(result, "non-referring") == {"non-referring": NOTHING}


def test_what_does_not_refer_is_found_missed_or_made_up() -> None:
    key = universal("w w w w", x="1 pseudo", y="2-3 pseudo", z="4 pseudo")
    response = universal("w w w w", x="1 pseudo", y="2 pseudo", z="4 pseudo", e1="3")
    result = scored(key, response, match="partial")
    assert result.counts["non-referring"].tolist() == [[2, 1, 1]]
    assert percentages(result, "non-referring") == {"non-referring": TWO_THIRDS}


def test_zeros_that_do_not_refer_count_even_where_zeros_are_dropped() -> None:
    text = universal("w * w", x="1.1 pseudo", e1="1 2")
    result = scored(text, text, zeros="drop")
    assert percentages(result, "non-referring") == {"non-referring": FULL}


def test_a_plural_may_be_non_referring_and_is_no_mention_then() -> None:
    (document,) = documents("w w w w", a="1", b="2", x="3 pseudo of a b", e1="4")
    without = universal("w w w w", a="1", b="2", x="3 pseudo", e1="4")
    result = scored(text_of([document]), without)
    names = ("bcub", "ceafe", "ceafm", "blanc", "lea", "non-referring")
    assert percentages(result, *names) == dict.fromkeys(names, FULL)


@pytest.mark.parametrize("name", ["non-referring", *LEVELS])
def test_sides_without_anaphora_have_nothing_to_count(name: str) -> None:
    table = tabulate([["a", "b"]], [["a"], ["b"]])
    metric = METRICS[name]
    assert isinstance(metric, Metric)
    counts = metric.count(table)
    assert counts.tolist() == [[0, 0, 0]]
    assert metric.score_of(counts.sum(axis=0)).is_defined is False
