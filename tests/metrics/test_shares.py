"""A metric's counts shared out among mentions, by hand and by definition."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

import scoref
from scoref.contingency.listings import list_mentions
from scoref.contingency.tabulation import tabulate
from scoref.formats.entities import EntityPairs
from scoref.matching.mentions import match_mentions
from scoref.metrics._shares import shared_counts, sliceable
from scoref.scheme import Scheme
from strategies import Entities, corpora, entities, repeating_entities

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from scoref.contingency.listings import Listed
    from scoref.scheme import Duplicates, Lea
    from strategies import Documents

    Floats = NDArray[np.float64]
    Part = tuple[Fraction, Fraction]

every_metric = pytest.mark.parametrize("name", sliceable())


def _listed(pairs: EntityPairs, scheme: Scheme) -> Listed:
    corpora = pairs.build()
    matched = match_mentions(*corpora, scheme)
    return list_mentions(corpora, matched, tabulate(matched, scheme), scheme)


def parts_of(
    key: Sequence[Sequence[object]],
    response: Sequence[Sequence[object]],
    lea: Lea = "self-links",
) -> dict[str, Floats]:
    """Give every listed mention a class of its own: the key's, then the response's."""
    scheme = Scheme(lea=lea)
    listed = _listed(EntityPairs.of(key, response), scheme)
    sizes = len(listed.key.row), len(listed.response.row)
    classes = np.arange(sizes[0]), np.arange(sizes[1]) + sizes[0]
    counts = shared_counts(listed, scheme, classes, sum(sizes))
    return {name: each[:, 0, :] for name, each in counts.items()}


KEY, RESPONSE = [["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]
# abc is aligned with ab and d with cd, by mentions (2 + 1) as by φ4 (4/5 + 2/3).
BY_HAND = {
    "mentions": (
        [(1, 1), (1, 1), (1, 1), (1, 1)],
        [(1, 1), (1, 1), (1, 1), (1, 1)],
    ),
    "muc": (
        [(1 / 2, 2 / 3), (1 / 2, 2 / 3), (0, 2 / 3), (0, 0)],
        [(1 / 2, 1 / 2), (1 / 2, 1 / 2), (0, 1 / 2), (0, 1 / 2)],
    ),
    "bcub": (
        [(2 / 3, 1), (2 / 3, 1), (1 / 3, 1), (1, 1)],
        [(1, 1), (1, 1), (1 / 2, 1), (1 / 2, 1)],
    ),
    "ceafm": (
        [(1, 1), (1, 1), (0, 1), (1, 1)],
        [(1, 1), (1, 1), (0, 1), (1, 1)],
    ),
    "ceafe": (
        [(4 / 15, 1 / 3), (4 / 15, 1 / 3), (4 / 15, 1 / 3), (2 / 3, 1)],
        [(2 / 5, 1 / 2), (2 / 5, 1 / 2), (1 / 3, 1 / 2), (1 / 3, 1 / 2)],
    ),
    "lea": (
        [(1 / 2, 1), (1 / 2, 1), (0, 1), (0, 1)],
        [(1, 1), (1, 1), (0, 1), (0, 1)],
    ),
}


@every_metric
def test_the_parts_of_mentions_by_hand(name: str) -> None:
    found = parts_of(KEY, RESPONSE)[name]
    recall, precision = BY_HAND[name]
    assert found[:4, :2] == pytest.approx(np.array(recall, dtype=np.float64))
    assert found[4:, 2:] == pytest.approx(np.array(precision, dtype=np.float64))
    assert not found[:4, 2:].any()
    assert not found[4:, :2].any()


def test_lea_leaves_singletons_out_if_asked() -> None:
    found = parts_of(KEY, RESPONSE, lea="no-singletons")["lea"]
    assert found[3, :2].tolist() == [0, 0]
    alone = parts_of([["a"]], [["a"]])["lea"]
    assert alone.tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]


def test_a_mention_in_two_entities_counts_in_both_and_is_found_once() -> None:
    found = parts_of([["a", "b"], ["a", "c"]], [["a", "b"]])
    # Listed as a, b, a, c; the second entity that lists it keeps it.
    assert found["mentions"][:4, :2].tolist() == [[0, 0], [1, 1], [1, 1], [0, 1]]
    assert found["bcub"][:4, 1].tolist() == [1, 1, 1, 1]


def muc(entity: frozenset[int], mates: frozenset[int], _: frozenset[int]) -> Part:
    kept, size = len(entity & mates), len(entity)
    return Fraction(kept - 1, kept) if kept else Fraction(0), Fraction(size - 1, size)


def bcub(entity: frozenset[int], mates: frozenset[int], _: frozenset[int]) -> Part:
    return Fraction(len(entity & mates), len(entity)), Fraction(1)


def lea(entity: frozenset[int], mates: frozenset[int], own: frozenset[int]) -> Part:
    if len(entity) == 1:
        return Fraction(mates == own), Fraction(1)
    kept = len(entity & mates)
    return Fraction(max(kept - 1, 0), len(entity) - 1), Fraction(1)


def mentions(_: frozenset[int], mates: frozenset[int], own: frozenset[int]) -> Part:
    return Fraction(own <= mates), Fraction(1)


DEFINITIONS = {"muc": muc, "bcub": bcub, "lea": lea, "mentions": mentions}


def by_definition(
    side: Entities, others: Entities, definition: Callable[..., Part]
) -> list[list[float]]:
    """Ask each mention what of its entity stands together with it on the other side."""
    parts = []
    for entity in side:
        for mention in entity:
            mates = next((other for other in others if mention in other), [])
            part = definition(frozenset(entity), frozenset(mates), frozenset({mention}))
            parts.append([float(part[0]), float(part[1])])
    return parts


@pytest.mark.parametrize("name", DEFINITIONS)
@given(key=entities(), response=entities())
def test_every_mention_has_the_part_that_it_earned(
    name: str, key: Entities, response: Entities
) -> None:
    found = parts_of(key, response)[name]
    definition = DEFINITIONS[name]
    count = sum(map(len, key))
    recall = by_definition(key, response, definition)
    precision = by_definition(response, key, definition)
    assert found[:count, :2].tolist() == [pytest.approx(part) for part in recall]
    assert found[count:, 2:].tolist() == [pytest.approx(part) for part in precision]


@given(corpus=corpora())
def test_parts_add_up_to_the_counts_of_each_document(
    corpus: tuple[Documents, Documents],
) -> None:
    _check_sums(*corpus, Scheme())


@pytest.mark.parametrize("duplicates", ["reference", "first", "last", "coval"])
@given(key=repeating_entities(), response=repeating_entities())
def test_parts_add_up_where_mentions_are_listed_twice(
    duplicates: Duplicates, key: Entities, response: Entities
) -> None:
    _check_sums({"d": key}, {"d": response}, Scheme(duplicates=duplicates))


@given(corpus=corpora())
def test_parts_of_lea_without_singletons_add_up(
    corpus: tuple[Documents, Documents],
) -> None:
    _check_sums(*corpus, Scheme(lea="no-singletons"))


def _check_sums(key: Documents, response: Documents, scheme: Scheme) -> None:
    """Sort mentions into three classes at random, and add them up again."""
    whole = scoref.score(key, response, scheme=scheme, metrics=sliceable()).counts
    listed = _listed(EntityPairs.of(key, response), scheme)
    random = np.random.default_rng(len(listed.key.row))
    sides = listed.key, listed.response
    classes = [random.integers(0, 3, len(side.row)) for side in sides]
    found = shared_counts(listed, scheme, (classes[0], classes[1]), 3)
    assert tuple(found) == sliceable()
    for name, counts in found.items():
        assert counts.shape == (3, *whole[name].shape)
        assert counts.sum(axis=0) == pytest.approx(whole[name], abs=1e-9), name


@given(key=entities(), response=entities())
def test_no_part_is_negative_and_none_is_larger_than_what_there_is_to_get(
    key: Entities, response: Entities
) -> None:
    for name, found in parts_of(key, response).items():
        assert (found >= 0).all(), name
        assert (found[:, [0, 2]] <= found[:, [1, 3]] + 1e-12).all(), name
