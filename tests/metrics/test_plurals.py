"""Entities that stand for several others, in every metric, in both formats.

The structures PA-5 to PA-10 are those of the official scorer's own tests, and so are
their figures. Words 1 to 12; the key has e1 and e2, which e4 stands for.
"""

from __future__ import annotations

import pytest

from support import corefud
from support.corefud import percentages
from support.universal_anaphora import scored, universal

Figures = tuple[float, float, float]

METRICS = ("muc", "bcub", "ceafe", "ceafm", "lea")
WORDS = "w " * 12
ENTITIES = {"e1": "1-2 4", "e2": "1 5", "e3": "7-9", "e4": "10-11 12 of e1 e2"}
KEY = universal(WORDS, **ENTITIES)
FULL = (100.0, 100.0, 100.0)


def same(value: float) -> Figures:
    return value, value, value


RESPONSES = {
    "PA-5": ENTITIES | {"e4": "10-11 12 of e1 e2 e3"},
    "PA-7": ENTITIES | {"e2": "1"},
    "PA-9": {"e1": "1-2 4", "e2": "1 5 7-9", "e4": "10-11 12 of e1 e2"},
    "PA-10": ENTITIES | {"e4": "10-11 of e1 e2", "e5": "12 of e1 e2 e3"},
}
# muc, bcub, ceafe, ceafm, lea; and the F₁ of BLANC
WHOLE: dict[str, tuple[list[Figures], float]] = {
    "PA-5": (
        [
            (100.00, 91.67, 95.65),
            (100.00, 95.17, 97.52),
            same(98.33),
            same(98.61),
            (100.00, 95.00, 97.44),
        ],
        96.38,
    ),
    "PA-7": (
        [
            (62.50, 83.33, 71.43),
            (72.46, 100.00, 84.03),
            same(90.28),
            (85.71, 97.96, 91.43),
            (62.50, 76.19, 68.67),
        ],
        76.20,
    ),
    "PA-9": (
        [
            (100.00, 73.33, 84.62),
            (100.00, 75.46, 86.02),
            (69.17, 92.22, 79.05),
            same(86.11),
            (87.50, 65.00, 74.59),
        ],
        81.57,
    ),
    "PA-10": (
        [
            same(75.00),
            same(83.33),
            (95.00, 76.00, 84.44),
            (87.50, 77.78, 82.35),
            (75.00, 77.78, 76.36),
        ],
        75.15,
    ),
}
PLURALS: dict[str, tuple[list[Figures], float]] = {
    "PA-5": (
        [
            (100.00, 66.67, 80.00),
            (100.00, 80.00, 88.89),
            (100.00, 66.67, 80.00),
            (100.00, 80.00, 88.89),
            (100.00, 80.00, 88.89),
        ],
        83.33,
    ),
    "PA-7": (
        [
            same(50.00),
            (62.50, 100.00, 76.92),
            same(83.33),
            (75.00, 100.00, 85.71),
            (50.00, 66.67, 57.14),
        ],
        66.67,
    ),
    "PA-9": (
        [
            (100.00, 66.67, 80.00),
            (100.00, 66.67, 80.00),
            same(90.00),
            (100.00, 80.00, 88.89),
            (100.00, 60.00, 75.00),
        ],
        73.33,
    ),
    "PA-10": (
        [
            (100.00, 40.00, 57.14),
            (100.00, 44.44, 61.54),
            (100.00, 40.00, 57.14),
            (100.00, 44.44, 61.54),
            (100.00, 44.44, 61.54),
        ],
        58.33,
    ),
}


@pytest.mark.parametrize("case", RESPONSES)
def test_plurals_count_as_mentions_by_how_well_they_were_resolved(case: str) -> None:
    result = scored(KEY, universal(WORDS, **RESPONSES[case]))
    figures, blanc = WHOLE[case]
    expected = dict(zip(METRICS, figures, strict=True))
    assert percentages(result, *METRICS) == expected
    assert percentages(result, "blanc")["blanc"][2] == blanc


@pytest.mark.parametrize("case", RESPONSES)
def test_plurals_can_be_scored_alone(case: str) -> None:
    response = universal(WORDS, **RESPONSES[case])
    result = scored(KEY, response, evaluate="split-antecedents")
    figures, blanc = PLURALS[case]
    expected = dict(zip(METRICS, figures, strict=True))
    assert percentages(result, *METRICS) == expected
    assert percentages(result, "blanc")["blanc"][2] == blanc
    assert set(result.scores) == {*METRICS, "blanc", "conll"}


def test_q9_blanc_has_the_highest_of_the_three_official_values() -> None:
    # Of e4's plural and its two words, all three links are found. The official scorer
    # loses one if the plural is second, and two if it is third, by the order of a set.
    result = scored(KEY, universal(WORDS, **RESPONSES["PA-5"]))
    found, of, out_of, *others = result.counts["blanc"].sum(axis=0).tolist()
    assert (found, of, out_of) == pytest.approx((5, 5, 5))
    separate = others[0] / others[1]
    official = [100 * ((found - lost) / of + separate) / 2 for lost in range(3)]
    assert official == pytest.approx([96.38, 86.38, 76.38], abs=0.005)
    assert 100 * result.scores["blanc"].f1 == pytest.approx(official[0])


def test_a_file_scored_against_itself_is_perfect() -> None:
    for entities in (ENTITIES, *RESPONSES.values()):
        text = universal(WORDS, **entities)
        names = (*METRICS, "blanc")
        assert percentages(scored(text, text), *names) == dict.fromkeys(names, FULL)


def test_without_split_antecedents_elements_do_not_matter() -> None:
    response = universal(WORDS, **RESPONSES["PA-5"])
    result = scored(KEY, response, split_antecedents="drop")
    assert percentages(result, *METRICS) == dict.fromkeys(METRICS, FULL)


def test_a_plural_of_plurals_stands_for_what_these_stand_for() -> None:
    nested = universal("w w w w w", a="1", b="2", c="3", ab="4 of a b", abc="5 of ab c")
    flat = universal("w w w w w", a="1", b="2", c="3", ab="4 of a b", abc="5 of a b c")
    names = (*METRICS, "blanc")
    assert percentages(scored(nested, flat), *names) == dict.fromkeys(names, FULL)


def test_entities_with_equal_plurals_are_one() -> None:
    key = universal("w w w w", a="1", b="2", c="3 of a b", d="4 of a b")
    joined = universal("w w w w", a="1", b="2", c="3 4 of a b")
    names = (*METRICS, "blanc")
    assert percentages(scored(key, joined), *names) == dict.fromkeys(names, FULL)
    apart = scored(key, joined, split_antecedents="drop")
    assert percentages(apart, "muc") == {"muc": (0.0, 0.0, 0.0)}


def test_plurals_are_equal_by_the_mentions_of_their_elements_not_by_names() -> None:
    key = universal("w w w w", a="1", b="2", c="3 4 of a b")
    renamed = universal("w w w w", x="1", y="2", z="3 4 of x y")
    names = (*METRICS, "blanc")
    assert percentages(scored(key, renamed), *names) == dict.fromkeys(names, FULL)


def test_plurals_that_only_one_side_has_are_missed_or_made_up() -> None:
    with_plural = universal("w w w", a="1", b="2", c="3 of a b")
    without = universal("w w w", a="1", b="2", c="3")
    missed, made_up = scored(with_plural, without), scored(without, with_plural)
    assert percentages(missed, "bcub", "ceafm") == {
        "bcub": (62.50, 100.00, 76.92),  # (1 + 1 + 1/2) of 4
        "ceafm": (75.00, 100.00, 85.71),
    }
    assert percentages(made_up, "bcub")["bcub"][:2] == (100.00, 62.50)
    alone = scored(with_plural, without, evaluate="split-antecedents")
    names = (*METRICS, "blanc")
    assert percentages(alone, *names) == dict.fromkeys(names, (0.0, 0.0, 0.0))


def test_lea_resolves_a_plural_without_other_mentions_only_by_an_equal_one() -> None:
    # The zero 3.1 is dropped, so that only the plural is left of e7.
    words = "w w w *"
    key = universal(words, e4="1", e5="3", e7="3.1 of e4 e5")
    response = universal(words, e4="1", e5="3", e6="2", e7="3.1 of e4 e5 e6")
    result = scored(key, response, zeros="drop")
    assert percentages(result, "lea") == {"lea": (66.67, 50.00, 57.14)}
    result = scored(key, key, zeros="drop")
    assert percentages(result, "lea") == {"lea": FULL}


def _in_corefud(entities: dict[str, str]) -> str:
    """Write the same in CorefUD; elements are told at the plural's first word."""
    plain = {name: text.partition(" of ")[0] for name, text in entities.items()}
    text = corefud.corefud(WORDS, **plain)
    for name, told in entities.items():
        elements = told.partition(" of ")[2].split()
        if elements:
            items = ",".join(f"{element}<{name}" for element in elements)
            opening = f"Entity=({name}-"
            text = text.replace(opening, f"SplitAnte={items}|{opening}", 1)
    return text


@pytest.mark.parametrize("case", RESPONSES)
@pytest.mark.parametrize("evaluate", [None, "split-antecedents"])
def test_corefud_with_split_antecedents_scores_as_universal_anaphora(
    case: str, evaluate: str | None
) -> None:
    changes = {"match": "exact", "singletons": "keep", "split_antecedents": "keep"}
    if evaluate:
        changes["evaluate"] = evaluate
    sides = _in_corefud(ENTITIES), _in_corefud(RESPONSES[case])
    result = corefud.scored(*sides, **changes)
    figures, blanc = (PLURALS if evaluate else WHOLE)[case]
    expected = dict(zip(METRICS, figures, strict=True))
    assert percentages(result, *METRICS) == expected
    assert percentages(result, "blanc")["blanc"][2] == blanc


def test_corefud_leaves_split_antecedents_aside_by_default() -> None:
    # As the official scorer does, which reads them and makes no use of them.
    key, response = _in_corefud(ENTITIES), _in_corefud(RESPONSES["PA-5"])
    names = (*METRICS, "blanc", "mor")
    assert percentages(corefud.scored(key, response), *names) == dict.fromkeys(
        names, FULL
    )


def test_corefud_notes_split_antecedents_that_name_no_entity() -> None:
    text = _in_corefud(ENTITIES).replace("e1<e4", "e8<e4")
    result = corefud.scored(text, text, split_antecedents="keep")
    notes = [note for note in result.notes if note.kind == "split-antecedents"]
    assert [note.count for note in notes] == [1, 1]
    for note, source in zip(notes, ("key.conllu", "response.conllu"), strict=True):
        assert f"(first: {source}:13). Expected SplitAnte=e1<e3" in note.message
