"""Pairs of annotators, and how many made each link."""

from __future__ import annotations

import json
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.errors import TooLargeError
from scoref.formats.entities import corpora_of
from scoref.schemes import resolve
from scoref.scoring import annotators
from scoref.scoring.annotators import atoms_of, links_of, unite

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.scoring.annotators import Annotated

SCHEME = resolve(None, duplicates="error")
Entities = list[list[str]]


def united(*people: Entities) -> Annotated:
    names = [f"p{number}" for number in range(len(people))]
    corpora, _ = corpora_of(zip(names, people, strict=True))
    return unite(list(zip(names, corpora, strict=True)), SCHEME, ("muc",))


def votes_of(*people: Entities) -> dict[int, int]:
    """Count the links that have so many votes."""
    annotated = united(*people)
    links = links_of(annotated, atoms_of(annotated), None)
    votes: dict[int, int] = {}
    pairs = zip(links.votes.tolist(), links.times.tolist(), strict=True)
    for count, times in pairs:
        votes[count] = votes.get(count, 0) + times
    return votes


def test_mentions_of_all_have_one_numbering() -> None:
    annotated = united([["a", "b"]], [["b", "a"]], [["b", "c"]])
    assert len(annotated.unit_document) == 3
    assert {*annotated.results} == {(0, 1), (0, 2), (1, 2)}
    assert annotated.results[0, 1].scores["muc"].f1 == 1


def test_agreed_entities_are_one_atom() -> None:
    entity = [str(number) for number in range(100)]
    annotated = united([entity], [entity])
    atoms = atoms_of(annotated)
    assert atoms.size.tolist() == [100]
    assert links_of(annotated, atoms, None).times.tolist() == [100 * 99 // 2]


def test_too_many_pairs_are_refused_and_as_many_as_allowed_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = [["a", "b"]], [["a"], ["b"]]  # pairs with themselves: 3, 1 and 1
    monkeypatch.setattr(annotators, "_MOST_PAIRS", 5)
    assert votes_of(*people) == {1: 1}
    monkeypatch.setattr(annotators, "_MOST_PAIRS", 4)
    with pytest.raises(TooLargeError, match="disagree about 5 pairs of mentions"):
        votes_of(*people)


@st.composite
def partitions(draw: st.DrawFn) -> Entities:
    labels = draw(st.lists(st.integers(0, 3), min_size=1, max_size=7))
    entities: dict[int, list[str]] = {}
    for mention, label in enumerate(labels):
        entities.setdefault(label, []).append(str(mention))
    return list(entities.values())


@given(st.lists(partitions(), min_size=2, max_size=4))
def test_votes_are_those_of_single_links(people: list[Entities]) -> None:
    made: dict[frozenset[str], int] = {}
    for entities in people:
        for entity in entities:
            for pair in combinations(entity, 2):
                made[frozenset(pair)] = made.get(frozenset(pair), 0) + 1
    expected: dict[int, int] = {}
    for votes in made.values():
        expected[votes] = expected.get(votes, 0) + 1
    counted = votes_of(*people)
    assert {votes: links for votes, links in counted.items() if votes} == expected


def test_alpha_of_overlapping_mentions_does_not_depend_on_the_order(
    tmp_path: Path,
) -> None:
    said = {
        "a": [[(0, 3), (8, 9)], [(12, 12), (14, 14)]],
        "b": [[(0, 1), (8, 9), (12, 12)], [(14, 14), (16, 16)]],
        "c": [[(2, 3), (8, 8)], [(12, 12), (16, 16)]],
    }
    for name, clusters in said.items():
        record = {"doc_key": "d", "clusters": clusters}
        (tmp_path / name).write_text(json.dumps(record))
    alphas = {
        scoref.agree({name: tmp_path / name for name in names}, match="overlap").alpha[
            "masi"
        ]
        for names in permutations(said)
    }
    assert len(alphas) == 1


@pytest.mark.parametrize(
    ("names", "has_response", "recall", "precision"),
    [
        (("ada", "zoe"), False, 1, 0.5),
        (("zoe", "ada"), False, 0.5, 1),
        (("zoe", "ada"), True, 1, 0.5),  # a response is never the key
        (("zoe", "ada", "bot"), True, 0.5, 1),
    ],
)
def test_of_two_annotators_the_first_by_name_is_the_key(
    names: tuple[str, ...], recall: float, precision: float, *, has_response: bool
) -> None:
    said = [[["a", "b"]], [["a", "b", "c"]], [["a", "b"]]]
    corpora, _ = corpora_of(zip(names, said, strict=False))
    people = list(zip(names, corpora, strict=True))
    annotated = unite(people, SCHEME, ("muc",), has_response=has_response)
    score = annotated.results[0, 1].scores["muc"]
    assert (score.recall, score.precision) == (recall, precision)
