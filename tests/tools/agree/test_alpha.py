"""Krippendorff's α of sets: figures worked out by hand, a slow twin, and NLTK."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.tools.agree.options import AVERAGES, DISTANCES, MISSING
from support import oracle_agreement as oracle

if TYPE_CHECKING:
    from scoref.tools.agree.options import Average, Missing

ADA, BEN = [[1, 2, 3], [4, 5]], [[1, 2], [3, 4, 5]]
WORKED = {
    "nominal": (Fraction(1), Fraction(37, 45), Fraction(-8, 37)),
    "masi": (Fraction(142, 225), Fraction(466, 675), Fraction(20, 233)),
    "jaccard": (Fraction(32, 75), Fraction(136, 225), Fraction(5, 17)),
    "dice": (Fraction(22, 75), Fraction(122, 225), Fraction(28, 61)),
    "passonneau-2004": (Fraction(2, 5), Fraction(26, 45), Fraction(4, 13)),
    "masi-dkpro": (Fraction(44, 225), Fraction(332, 675), Fraction(50, 83)),
}


def made_up(seed: int, *, people: int = 4, documents: int = 3) -> dict[str, Any]:
    """Let some people annotate some documents, each with mentions of their own."""
    chance = random.Random(seed)  # noqa: S311 - it can be repeated
    found: dict[str, dict[str, list[list[int]]]] = {}
    for who in range(people):
        said = found.setdefault(f"p{who}", {})
        for document in range(documents):
            if chance.random() < 0.2:
                continue
            entities: list[list[int]] = [[] for _ in range(3)]
            for mention in range(7):
                if chance.random() < 0.85:
                    chance.choice(entities).append(mention)
            said[f"d{document}"] = [entity for entity in entities if entity]
    return found


@pytest.mark.parametrize("name", DISTANCES)
def test_the_worked_example_comes_out_in_fractions(name: str) -> None:
    found = scoref.agree({"a": {"d": ADA}, "b": {"d": BEN}}, distances=[name])
    given = found.observed[name], found.expected[name], found.alpha[name]
    assert given == pytest.approx(tuple(map(float, WORKED[name])), rel=1e-14)


def test_the_slow_twin_has_the_worked_example() -> None:
    units = oracle.units_of({"a": ADA, "b": BEN}, "singleton")
    found = {name: oracle.parts(units, name)[:2] for name in DISTANCES}
    assert found == {name: each[:2] for name, each in WORKED.items()}


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("seed", range(6))
def test_alpha_is_that_of_the_definition(
    seed: int, average: Average, missing: Missing
) -> None:
    people = made_up(seed)
    found = scoref.agree(
        people, distances=list(DISTANCES), missing=missing, average=average
    )
    expected = {
        name: float(oracle.alpha(people, name, missing, average)) for name in DISTANCES
    }
    assert found.alpha == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_documents_have_the_alpha_that_they_have_alone(seed: int) -> None:
    people = made_up(seed)
    found = scoref.agree(people)
    for document, each in found.per_document.items():
        alone = {
            who: {document: said[document]}
            for who, said in people.items()
            if document in said
        }
        if len(alone) < 2:
            assert each.alpha == dict.fromkeys(found.distances)
            continue
        assert each.alpha == pytest.approx(scoref.agree(alone).alpha, rel=1e-12)
        assert each.annotators == len(alone)


def test_two_annotators_without_a_common_mention_still_count_in_chance() -> None:
    people = {"a": {"d": [[1, 2]]}, "b": {"d": [[3, 4]]}, "c": {"d": [[1, 2], [3, 4]]}}
    found = scoref.agree(people, missing="omit", distances="masi")
    expected = oracle.parts(
        oracle.units_of({k: v["d"] for k, v in people.items()}, "omit"), "masi"
    )
    assert found.expected["masi"] == pytest.approx(float(expected[1]), rel=1e-14)


def test_names_of_entities_and_their_order_mean_nothing() -> None:
    one = scoref.agree({"a": {"d": ADA}, "b": {"d": BEN}})
    other = scoref.agree(
        {"a": {"d": ADA[::-1]}, "b": {"d": [each[::-1] for each in BEN]}}
    )
    assert one.alpha == pytest.approx(other.alpha, rel=1e-12)


def test_where_nothing_could_be_decided_alpha_is_one_with_a_note() -> None:
    found = scoref.agree({"a": {"d": [[1, 2]]}, "b": {"d": [[1, 2]]}})
    assert found.alpha == {"masi": 1, "jaccard": 1, "nominal": 1}
    assert "undecided" in [note.kind for note in found.notes]


def test_a_document_without_mentions_has_no_alpha_and_no_part_in_macro() -> None:
    people = {"a": {"d": ADA, "e": []}, "b": {"d": BEN, "e": []}}
    found = scoref.agree(people, average="macro", distances="masi")
    assert found.per_document["e"].alpha == {"masi": None}
    assert found.alpha["masi"] == pytest.approx(20 / 233)
    assert (found.observed, found.expected) == ({"masi": None}, {"masi": None})


@pytest.mark.parametrize("seed", range(4))
def test_equal_to_nltk(seed: int) -> None:
    agreement = pytest.importorskip("nltk.metrics.agreement")
    metrics = pytest.importorskip("nltk.metrics.distance")
    document = {
        who: said["d0"] for who, said in made_up(seed, documents=1).items() if said
    }
    found = scoref.agree({who: {"d0": said} for who, said in document.items()})
    sets = {
        who: {mention: frozenset(entity) for entity in said for mention in entity}
        for who, said in document.items()
    }
    mentions = {each for said in sets.values() for each in said}
    data = [
        (who, mention, said.get(mention, frozenset([mention])))
        for (who, said), mention in product(sets.items(), mentions)
    ]
    for name, function in (
        ("masi", metrics.masi_distance),
        ("jaccard", metrics.jaccard_distance),
        ("nominal", metrics.binary_distance),
    ):
        task = agreement.AnnotationTask(data=data, distance=function)
        # NLTK before 3.10 has 0.67 for 2/3.
        assert found.alpha[name] == pytest.approx(
            task.alpha(), abs=1e-12 if name != "masi" else 0.005
        )
