"""The profile: written and read, put together, in any order, and very large."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterings import ALL_RATIOS, tabulate
from scoref.contingency.profile import (
    Cells,
    Clusters,
    Profile,
    Row,
    Sizes,
    count_profiles,
)
from scoref.errors import FormatError
from scoref.metrics.alignments import ALIGNMENTS
from scoref.metrics.clusterings import ALIGNED, RATIOS, Sides, blanc_counts, values
from strategies import Documents, Entities, corpora, entities

BILLION = 10**9


def _everything(profile: Profile) -> list[object]:
    ratios = [count(profile) for count in RATIOS.values()]
    return [*ratios, blanc_counts(profile), values(profile)]


@given(key=entities(), response=entities())
def test_what_is_written_is_read_again(key: Entities, response: Entities) -> None:
    profile = tabulate(key, response).profile
    written = profile.dump()
    again = Profile.load(written, "p.json")
    assert again == profile
    assert _everything(again) == _everything(profile)
    assert again.dump() == written


@given(sides=corpora())
def test_parts_add_up_to_the_whole(sides: tuple[Documents, Documents]) -> None:
    whole: tuple[Entities, Entities] = ([], [])
    parts = []
    for number, name in enumerate(sides[0]):
        key, response = (
            [[100 * number + mention for mention in entity] for entity in side[name]]
            for side in sides
        )
        whole[0].extend(key)
        whole[1].extend(response)
        parts.append(tabulate(key, response).profile)
    total = parts[0]
    for part in parts[1:]:
        total += Profile.load(part.dump(), "part.json")
    expected = tabulate(*whole).profile
    assert total == expected
    assert _everything(total) == _everything(expected)


@given(sides=corpora())
def test_blocks_are_counted_one_by_one(sides: tuple[Documents, Documents]) -> None:
    tables = [tabulate(sides[0][name], sides[1][name]) for name in sides[0]]
    key = _joined([table.key for table in tables])
    response = _joined([table.response for table in tables])
    first_key = np.searchsorted(key.block, np.arange(len(tables)))
    first_response = np.searchsorted(response.block, np.arange(len(tables)))
    columns = [
        (cells.key + one, cells.response + other, cells.n)
        for (cells, _, _), one, other in zip(
            tables, first_key, first_response, strict=True
        )
    ]
    cells = Cells(*map(np.concatenate, zip(*columns, strict=True)))
    found = count_profiles(cells, key, response, blocks=len(tables))
    assert found == [table.profile for table in tables]


def _joined(sides: list[Clusters]) -> Clusters:
    """Put clusters one behind the other; each list is a block."""
    block = np.repeat(np.arange(len(sides)), [len(side.size) for side in sides])
    size = np.concatenate([side.size for side in sides])
    return Clusters(block, size, np.concatenate([side.common for side in sides]))


@given(key=entities(), response=entities(), data=st.data())
def test_no_order_of_rows_changes_a_bit(
    key: Entities, response: Entities, data: st.DataObject
) -> None:
    profile = tabulate(key, response).profile
    shuffled = {
        name: Counter(
            dict(data.draw(st.permutations([*getattr(profile, name).items()])))
        )
        for name in Profile.__slots__
    }
    assert _everything(Profile(**shuffled)) == _everything(profile)


@given(key=entities(), response=entities(), data=st.data())
def test_no_order_of_clusters_changes_a_bit(
    key: Entities, response: Entities, data: st.DataObject
) -> None:
    table = tabulate(key, response)
    shuffled = data.draw(st.permutations(key)), data.draw(st.permutations(response))
    other = tabulate(*shuffled)
    assert _everything(other.profile) == _everything(table.profile)
    for name in ALIGNED:
        assert other.ratios(name) == table.ratios(name)


@pytest.mark.parametrize("seed", range(6))
def test_no_order_of_many_clusters_changes_a_bit_of_ceaf(seed: int) -> None:
    rng = np.random.default_rng(seed)
    key, response = rng.integers(0, 60, 400).tolist(), rng.integers(0, 60, 400).tolist()
    found = []
    for names in (np.arange(60), rng.permutation(60), rng.permutation(60)):
        sides = [
            [[m for m, each in enumerate(side) if each == name] for name in names]
            for side in (key, response)
        ]
        table = tabulate(*([each for each in side if each] for side in sides))
        found.append([table.ratios(name) for name in ALIGNED])
    assert found[0] == found[1] == found[2]


def test_a_profile_is_json_with_its_version() -> None:
    written = json.loads(tabulate(["abc"], ["abd", "e"]).profile.dump())
    assert written == {
        "scoref-profile": 1,
        "cells": [[2, 3, 3, 2, 2, 1]],
        "key": [[3, 2, 1]],
        "response": [[1, 0, 1], [3, 2, 1]],
        "key_best": [[0.5, 1]],
        "response_best": [[0.5, 1]],
        "key_most": [[2, 1]],
        "response_most": [[2, 1]],
        "cases": [["overlapping", 1]],
    }


@pytest.mark.parametrize(
    "change",
    [
        {"scoref-profile": 2},
        {"cells": [[1, 2, 3]]},
        {"cells": 7},
        {"key": [[]]},
        {"key": [[3, 2, -1]]},
        {"key": [[3, 2, 1.5]]},
        {"key_best": [["near", 1]]},
        {"key_most": None},
    ],
)
def test_what_is_no_profile_is_refused(change: dict[str, object]) -> None:
    written = json.loads(tabulate(["ab"], ["ab"]).profile.dump())
    with pytest.raises(FormatError, match=r"p\.json: this is no profile"):
        Profile.load(json.dumps(written | change), "p.json")


@pytest.mark.parametrize("text", ["", "[]", "7", '{"cells": []}', "mention,cluster"])
def test_another_file_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="no profile of two clusterings"):
        Profile.load(text, "p.json")


def _billions() -> Profile:
    """Cut a cluster of three billion mentions in two, and let one more be found."""
    two, three = 2 * BILLION, 3 * BILLION
    return Profile(
        cells=Counter(
            {
                Row(two, three, two, three, two): 1,
                Row(BILLION, three, BILLION + 1, three, BILLION): 1,
                Row(1, 1, 1, 1, 1): BILLION,
            }
        ),
        key=Counter({Sizes(three, three): 1, Sizes(1, 1): BILLION}),
        response=Counter(
            {Sizes(two, two): 1, Sizes(BILLION + 1, BILLION): 1, Sizes(1, 1): BILLION}
        ),
        key_best=Counter({2 / 3: 1, 1.0: BILLION}),
        response_best=Counter({2 / 3: 1, 1 / 3: 1, 1.0: BILLION}),
        key_most=Counter({two: 1, 1: BILLION}),
        response_most=Counter({two: 1, BILLION: 1, 1: BILLION}),
        cases=Counter({"overlapping": 1, "unchanged": BILLION}),
    )


def test_billions_do_not_overflow() -> None:
    profile = _billions()
    two, three, more = 2 * BILLION, 3 * BILLION, BILLION + 1
    both = comb(two, 2) + comb(BILLION, 2)
    assert RATIOS["pairwise"](profile) == (
        (both, comb(three, 2)),
        (both, comb(two, 2) + comb(more, 2)),
    )
    squares = two**2 + BILLION**2 + BILLION
    assert RATIOS["pairwise-membership"](profile).recall == (
        squares,
        three**2 + BILLION,
    )
    recall = Fraction(two**2 + BILLION**2, three) + BILLION
    assert RATIOS["bcub"](profile).recall == (float(recall), 4 * BILLION)
    assert profile.response_mentions == 4 * BILLION + 1


def test_pairs_across_billions_are_counted_exactly() -> None:
    _, across = blanc_counts(_billions())
    rest = 3 * BILLION * BILLION + comb(BILLION, 2)
    assert across.recall == (rest, rest)
    total = 4 * BILLION + 1
    inside = comb(2 * BILLION, 2) + comb(BILLION + 1, 2)
    assert across.precision == (rest, comb(total, 2) - inside)


def test_indices_of_billions_keep_their_digits() -> None:
    # All but one of a billion are together on both sides; that one is lost.
    size = BILLION
    cells = Counter({Row(size - 1, size, size - 1, size, size - 1): 1})
    cells[Row(1, size, 1, size, 1)] = 1
    profile = Profile(
        cells=cells,
        key=Counter({Sizes(size, size): 1}),
        response=Counter({Sizes(size - 1, size - 1): 1, Sizes(1, 1): 1}),
        key_best=Counter({(size - 1) / size: 1}),
        response_best=Counter({(size - 1) / size: 1, 1 / size: 1}),
        key_most=Counter({size - 1: 1}),
        response_most=Counter({size - 1: 1, 1: 1}),
        cases=Counter({"partitioned": 1}),
    )
    found = values(profile)
    assert found["rand"] == float(Fraction(comb(size - 1, 2), comb(size, 2)))
    assert found["ari"] == 0.0
    assert found["homogeneity"] == 1.0
    # (log N + (N − 1) log (N / (N − 1))) / N, to sixteen digits
    expected = (np.log(1e9) + 0.9999999995) / 1e9
    assert found["vi"] == pytest.approx(expected, rel=1e-14)
    assert found["purity"] == 1.0
    assert found["inverse-purity"] == (size - 1) / size


@pytest.mark.parametrize("name", ALIGNED)
def test_ceaf_of_billions_does_not_overflow(name: str) -> None:
    cells = Cells(
        np.array([0, 0, 1]),
        np.array([0, 1, 1]),
        np.array([2 * BILLION, BILLION, 3 * BILLION]),
    )
    key = np.array([3 * BILLION, 3 * BILLION + 7])
    response = np.array([2 * BILLION + 5, 4 * BILLION])
    common = np.array([3 * BILLION, 3 * BILLION]), np.array([2 * BILLION, 4 * BILLION])
    sides = Sides(key, common[0], response, common[1])
    found = ALIGNED[name](cells, sides)
    if name.startswith("ceafm"):
        assert found.recall == (5 * BILLION, 6 * BILLION + 7)
    else:
        less = 5 if name == "ceafe" else 0  # what the key lacks is left out there
        exact = Fraction(4 * BILLION, 5 * BILLION + 5 - (5 - less)) + Fraction(
            6 * BILLION, 7 * BILLION + 7
        )
        assert found.recall == (float(exact), 2)


@pytest.mark.parametrize("larger", [0, 1])
def test_large_clusters_are_told_apart_by_one_mention(larger: int) -> None:
    cells = Cells(np.array([0, 0]), np.array([0, 1]), np.array([BILLION, BILLION]))
    key, response = np.array([2 * BILLION]), np.array([2 * BILLION, 2 * BILLION])
    response[larger] += 1
    found = ALIGNMENTS["ceafe"](cells, Sides(key, key, response, response))
    assert found.recall.response.tolist() == [1 - larger]
    assert found.ratios.recall == (0.5, 1)


def test_every_metric_is_tried_on_shuffled_clusters() -> None:
    assert {*RATIOS, *ALIGNED} == {*ALL_RATIOS}
