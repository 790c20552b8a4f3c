"""Krippendorff's α of sets: figures worked out by hand, a slow twin, and NLTK."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

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


@pytest.mark.parametrize("name", DISTANCES)
def test_the_worked_example_comes_out_in_fractions(name: str) -> None:
    agreement = scoref.agree({"a": {"d": ADA}, "b": {"d": BEN}}, distances=[name])
    parts = agreement.observed[name], agreement.expected[name], agreement.alpha[name]
    assert parts == pytest.approx(tuple(map(float, WORKED[name])), rel=1e-14)


def test_the_slow_twin_has_the_worked_example() -> None:
    units = oracle.units_of({"a": ADA, "b": BEN}, "singleton")
    parts = {name: oracle.parts(units, name)[:2] for name in DISTANCES}
    assert parts == {name: figures[:2] for name, figures in WORKED.items()}


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("seed", range(6))
def test_alpha_is_that_of_the_definition(
    seed: int, average: Average, missing: Missing
) -> None:
    people = oracle.random_annotators(seed)
    agreement = scoref.agree(
        people, distances=list(DISTANCES), missing=missing, average=average
    )
    expected = {
        name: float(oracle.alpha(people, name, missing, average)) for name in DISTANCES
    }
    assert agreement.alpha == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_documents_have_the_alpha_that_they_have_alone(seed: int) -> None:
    people = oracle.random_annotators(seed)
    agreement = scoref.agree(people)
    for document, figures in agreement.per_document.items():
        alone = {
            who: {document: own[document]}
            for who, own in people.items()
            if document in own
        }
        if len(alone) < 2:
            assert figures.alpha == dict.fromkeys(agreement.distances)
            continue
        assert figures.alpha == pytest.approx(scoref.agree(alone).alpha, rel=1e-12)
        assert figures.annotators == len(alone)


def test_two_annotators_without_a_common_mention_still_count_in_chance() -> None:
    people = {"a": {"d": [[1, 2]]}, "b": {"d": [[3, 4]]}, "c": {"d": [[1, 2], [3, 4]]}}
    agreement = scoref.agree(people, missing="omit", distances="masi")
    expected = oracle.parts(
        oracle.units_of({k: v["d"] for k, v in people.items()}, "omit"), "masi"
    )
    assert agreement.expected["masi"] == pytest.approx(float(expected[1]), rel=1e-14)


def test_names_of_entities_and_their_order_mean_nothing() -> None:
    one = scoref.agree({"a": {"d": ADA}, "b": {"d": BEN}})
    other = scoref.agree(
        {"a": {"d": ADA[::-1]}, "b": {"d": [entity[::-1] for entity in BEN]}}
    )
    assert one.alpha == pytest.approx(other.alpha, rel=1e-12)


def test_where_nothing_could_be_decided_alpha_is_one_with_a_note() -> None:
    agreement = scoref.agree({"a": {"d": [[1, 2]]}, "b": {"d": [[1, 2]]}})
    assert agreement.alpha == {"masi": 1, "jaccard": 1, "nominal": 1}
    assert "undecided" in [note.kind for note in agreement.notes]


def test_a_document_without_mentions_has_no_alpha_and_no_part_in_macro() -> None:
    people = {"a": {"d": ADA, "e": []}, "b": {"d": BEN, "e": []}}
    agreement = scoref.agree(people, average="macro", distances="masi")
    assert agreement.per_document["e"].alpha == {"masi": None}
    assert agreement.alpha["masi"] == pytest.approx(20 / 233)
    assert (agreement.observed, agreement.expected) == ({"masi": None}, {"masi": None})


@pytest.mark.parametrize("seed", range(4))
def test_equal_to_nltk(seed: int) -> None:
    tasks = pytest.importorskip("nltk.metrics.agreement")
    metrics = pytest.importorskip("nltk.metrics.distance")
    document = {
        who: own["d0"]
        for who, own in oracle.random_annotators(seed, documents=1).items()
        if own
    }
    agreement = scoref.agree({who: {"d0": own} for who, own in document.items()})
    sets = {
        who: {mention: frozenset(entity) for entity in own for mention in entity}
        for who, own in document.items()
    }
    mentions = {mention for own in sets.values() for mention in own}
    data = [
        (who, mention, own.get(mention, frozenset([mention])))
        for (who, own), mention in product(sets.items(), mentions)
    ]
    for name, function in (
        ("masi", metrics.masi_distance),
        ("jaccard", metrics.jaccard_distance),
        ("nominal", metrics.binary_distance),
    ):
        task = tasks.AnnotationTask(data=data, distance=function)
        # NLTK before 3.10 has 0.67 for 2/3.
        assert agreement.alpha[name] == pytest.approx(
            task.alpha(), abs=1e-12 if name != "masi" else 0.005
        )


def test_a_document_without_mentions_is_not_averaged() -> None:
    without = scoref.agree({"a": {"d": ADA}, "b": {"d": BEN}}, average="macro")
    people = {"a": {"d": ADA, "e": []}, "b": {"d": BEN, "e": []}}
    assert scoref.agree(people, average="macro").alpha == without.alpha
