"""Saved profiles: written, read, joined, checked, and very large."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.contingency.histogram import (
    Kinds,
    histogram,
    join_histograms,
    of_documents,
    with_entities,
)
from scoref.metrics.ceaf import align_by_entities
from scoref.records.api import score_table
from scoref.records.table import profiles
from scoref.records.table.profiles import counts_object, dump_profile, load_counts
from support.clusterings import (
    ALIGNED,
    ALL_RATIOS,
    INDICES,
    OF_TABLES,
    counted,
    indices,
    ratios,
    tabulate,
)
from support.commands import run
from support.strategies import Documents, Entities, corpora, entities

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.contingency import Contingency

KEY = {"1": "a", "2": "a", "3": "a", "4": "b", "5": "b", "6": "c", "7": "d", "8": "e"}
RESPONSE = {"1": "x", "2": "x", "3": "y", "4": "y", "5": "z", "6": "w", "8": "x"}
SAVED: dict[str, Any] = json.loads(dump_profile(score_table(KEY, RESPONSE)))


def changed(**parts: object) -> str:
    return json.dumps(SAVED | parts)


@given(
    key=st.dictionaries(st.integers(0, 9), st.integers(0, 3), min_size=1),
    response=st.dictionaries(st.integers(0, 9), st.integers(0, 3)),
    universe=st.sampled_from(["union", "key", "response"]),
)
def test_every_profile_that_was_counted_can_be_read(
    key: dict[int, int],
    response: dict[int, int],
    universe: Any,
) -> None:
    if not key.keys() & response.keys():
        universe = "union"
    result = score_table(key, response, universe=universe)
    assert result.table is not None
    assert profiles.counts_object(
        profiles.load_counts(json.loads(dump_profile(result)))
    ) == profiles.counts_object(result.table)


@pytest.mark.parametrize(
    "text",
    [
        changed(cells=[[1, 1, 1, 1, 1, float("inf")]]),
        changed(cells=[[1.5, 2, 2, 2, 2, 1]]),
        changed(cells=[[1, 1, 1, 1, 1]]),
        changed(cells=7),
        changed(key=[[0, 0, 1]]),
        changed(key=[[2**70, 1, 1]]),
        changed(key=[[True, True, True]]),
        changed(nearest=[float("nan"), 1]),
        changed(fates=["lost"]),
        changed(**{"scoref-profile": 1}),
        "[" * 100_000,
        "[]",
        "null",
        "9" * 5000,
    ],
)
def test_what_is_no_profile_is_refused(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "saved").write_text(text + "\n")
    result = run("table", "--profile", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {path}:1: this ")


@pytest.mark.parametrize(
    "about",
    [
        {"universe": "all"},
        {"universe": ["both"]},
        {"duplicates": 7},
        {"group": 7},
        {"group": ["x"]},
    ],
)
def test_what_is_told_about_a_profile_is_checked(
    tmp_path: Path, about: dict[str, object]
) -> None:
    (path := tmp_path / "saved").write_text(changed(**about) + "\n")
    result = run("table", "--profile", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {path}:1: this profile is damaged: ")


def test_no_damage_ends_in_a_traceback(tmp_path: Path) -> None:
    path, rng = tmp_path / "saved", random.Random(13)  # noqa: S311 - damage
    whole = json.dumps(SAVED).encode()
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 2, 5])):
            data[rng.randrange(len(data))] = rng.choice(b'0123456789[],".-e\xff')
        path.write_bytes(data)
        result = run("table", "--profile", str(path))
        if result.exit_code == 0:
            assert "clusters" in result.stdout.lower(), bytes(data)
        else:
            assert result.exit_code == 1, (bytes(data), result.exception)
            assert result.stdout == ""
            assert result.stderr.startswith(f"error: {path}"), bytes(data)


BILLION = 10**9
UNALIGNED = [name for name in OF_TABLES if name not in ALIGNED]


def _everything(table: Contingency, names: list[str] | None = None) -> list[object]:
    every = [*OF_TABLES] if names is None else names
    return [OF_TABLES[name].count(table).tolist() for name in every]


@given(key=entities(), response=entities())
def test_what_is_written_is_read_again(key: Entities, response: Entities) -> None:
    table = counted(tabulate(key, response))
    again = load_counts(counts_object(table))
    assert _everything(again, UNALIGNED) == _everything(table, UNALIGNED)
    assert counts_object(again) == counts_object(table)


@given(key=entities(), response=entities())
def test_a_histogram_counts_what_the_table_counts(
    key: Entities, response: Entities
) -> None:
    table = tabulate(key, response)
    for name, metric in OF_TABLES.items():
        actual, expected = metric.count(counted(table)), metric.count(table)
        assert actual == pytest.approx(expected, rel=1e-13), name


def _parts(sides: tuple[Documents, Documents]) -> list[tuple[Entities, Entities]]:
    """Give the mentions of each document names of their own."""
    return [
        (
            [[100 * number + each for each in entity] for entity in sides[0][name]],
            [[100 * number + each for each in entity] for entity in sides[1][name]],
        )
        for number, name in enumerate(sides[0])
    ]


@given(sides=corpora())
def test_parts_add_up_to_the_whole(sides: tuple[Documents, Documents]) -> None:
    parts = _parts(sides)
    tables = [load_counts(counts_object(counted(tabulate(*part)))) for part in parts]
    total = join_histograms(tables, [0] * len(tables))
    whole = tabulate(*([e for part in parts for e in part[i]] for i in (0, 1)))
    for name in UNALIGNED:
        metric = OF_TABLES[name]
        assert metric.count(total) == pytest.approx(metric.count(whole), rel=1e-12)


@given(sides=corpora())
def test_documents_are_counted_one_by_one(sides: tuple[Documents, Documents]) -> None:
    tables = [counted(tabulate(*part)) for part in _parts(sides)]
    whole = join_histograms(tables, range(len(tables)))
    for number, table in enumerate(tables):
        alone = of_documents(whole, [number])
        for name in UNALIGNED:
            metric = OF_TABLES[name]
            # Sums of fractions may differ in the last bit.
            expected = pytest.approx(metric.count(table), rel=1e-12)
            assert metric.count(whole)[[number]] == expected, name
            assert metric.count(alone) == expected, name


@given(key=entities(), response=entities(), data=st.data())
def test_no_order_of_clusters_changes_a_bit(
    key: Entities, response: Entities, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(key)), data.draw(st.permutations(response))
    one, other = counted(tabulate(key, response)), counted(tabulate(*shuffled))
    assert _everything(one, UNALIGNED) == _everything(other, UNALIGNED)
    assert counts_object(one) == counts_object(other)


def test_what_was_counted_is_written_in_rows() -> None:
    assert counts_object(counted(tabulate(["abc"], ["abd", "e"]))) == {
        "cells": [[2, 3, 3, 2, 2, 1]],
        "key": [[3, 2, 1]],
        "response": [[1, 0, 1], [3, 2, 1]],
        "nearest": [0.5, 0.5],
        "largest": [2, 2],
        "fates": [0, 0, 0, 1],
    }


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"cells": [[1, 2, 3]]}, "'cells' must be rows of 6 counts"),
        ({"cells": 7}, "'cells' must be rows"),
        ({"key": [[]]}, "'key' must be rows of 3 counts"),
        ({"key": [[2, 2, -1]]}, "'key' has a count that is too low"),
        ({"key": [[2, -1, 1]]}, "'key' has a count that is too low"),
        ({"key": [[0, 0, 1]]}, "'key' has a count that is too low"),
        ({"key": [[2, 2, 1.5]]}, "'key' must be rows"),
        ({"key": [[2, 2, True]]}, "'key' must be rows"),
        ({"key": [[2, 3, 1]]}, "'key' has more common mentions than mentions"),
        ({"key": [[2, 2, 7]]}, "'cells' and 'key' do not have the same"),
        ({"key": [[2, 2, 10**30]]}, "'key' must be rows"),
        ({"cells": [[3, 2, 2, 2, 2, 1]]}, "'cells' have more common mentions"),
        ({"response": []}, "'cells' and 'response' do not have the same"),
        ({"nearest": ["near", 1]}, "'nearest' must be 2 numbers"),
        ({"nearest": [7, 1]}, "has more clusters than there are"),
        ({"largest": None}, "'largest' must be 2 numbers"),
        ({"largest": [9, 1]}, "has more clusters than there are"),
        ({"fates": [0, 0, 0, 9]}, "has more clusters than there are"),
        ({"cells": [[-(2**63) - 1, 2, 2, 2, 2, 1]]}, "'cells' must be rows"),
        ({"key": [[2, 2, -(2**63) - 1]]}, "'key' must be rows"),
        ({"largest": [2**63, 1]}, "'largest' must be 2 numbers"),
        ({"largest": [1.5, 1]}, "'largest' must be 2 numbers"),
        ({"nearest": [10**400, 1]}, "'nearest' must be 2 numbers"),
    ],
)
def test_what_no_clusterings_can_have_is_refused(
    change: dict[str, object], problem: str
) -> None:
    written = counts_object(counted(tabulate(["ab"], ["ab"])))
    assert load_counts(written) is not None
    with pytest.raises(ValueError, match=problem):
        load_counts(written | change)


def _billions() -> Contingency:
    """Cut a cluster of three billion mentions in two, and let one more be found."""
    two, three = 2 * BILLION, 3 * BILLION
    return load_counts(
        {
            "cells": [
                [two, three, two, three, two, 1],
                [BILLION, three, BILLION + 1, three, BILLION, 1],
                [1, 1, 1, 1, 1, BILLION],
            ],
            "key": [[three, three, 1], [1, 1, BILLION]],
            "response": [[two, two, 1], [BILLION + 1, BILLION, 1], [1, 1, BILLION]],
            "nearest": [2 / 3 + BILLION, 1 + BILLION],
            "largest": [two + BILLION, two + 2 * BILLION],
            "fates": [BILLION, 0, 0, 1],
        }
    )


def _near(figure: float) -> object:
    return pytest.approx(figure, rel=1e-15)


def test_billions_do_not_overflow() -> None:
    table = _billions()
    two, three, more = 2 * BILLION, 3 * BILLION, BILLION + 1
    both = comb(two, 2) + comb(BILLION, 2)
    recall, precision = ratios(table, "pairwise")
    assert recall == (_near(both), _near(comb(three, 2)))
    assert precision == (_near(both), _near(comb(two, 2) + comb(more, 2)))
    squares = two**2 + BILLION**2 + BILLION
    recall, _ = ratios(table, "pairwise-membership")
    assert recall == (_near(squares), _near(three**2 + BILLION))
    exact = Fraction(two**2 + BILLION**2, three) + BILLION
    assert ratios(table, "bcub").recall == (_near(float(exact)), 4 * BILLION)
    assert table.response_mentions.tolist() == [4 * BILLION + 1]


def test_pairs_across_billions_keep_their_digits() -> None:
    across = OF_TABLES["blanc"].count(_billions())[0, 3:].tolist()
    rest = 3 * BILLION * BILLION + comb(BILLION, 2)
    inside = comb(2 * BILLION, 2) + comb(BILLION + 1, 2)
    expected = rest, rest, comb(4 * BILLION + 1, 2) - inside
    assert across == pytest.approx(expected, rel=1e-14)


def test_indices_of_billions_keep_their_digits() -> None:
    # All but one of a billion are together on both sides; that one is lost.
    size = BILLION
    table = load_counts(
        {
            "cells": [
                [size - 1, size, size - 1, size, size - 1, 1],
                [1, size, 1, size, 1, 1],
            ],
            "key": [[size, size, 1]],
            "response": [[size - 1, size - 1, 1], [1, 1, 1]],
            "nearest": [(size - 1) / size, 1.0],
            "largest": [size - 1, size],
            "fates": [0, 0, 1, 0],
        }
    )
    actual = indices(table)
    rand = float(Fraction(comb(size - 1, 2), comb(size, 2)))
    assert actual["rand"] == pytest.approx(rand, rel=1e-15)
    assert actual["ari"] == 0.0
    assert actual["homogeneity"] == 1.0
    # (log N + (N − 1) log (N / (N − 1))) / N, to sixteen digits
    expected = (np.log(1e9) + 0.9999999995) / 1e9
    assert actual["vi"] == pytest.approx(expected, rel=1e-14)
    assert actual["purity"] == 1.0
    assert actual["inverse-purity"] == (size - 1) / size


def _entangled(cells: list[list[int]]) -> Contingency:
    """Make a table of entities that are not equal, as engines do."""
    nothing = np.zeros((0, 3))
    nobody = nothing.astype(np.int64)
    none, cells_none = (
        np.zeros((0, 4), dtype=np.int64),
        np.zeros((0, 7), dtype=np.int64),
    )
    kinds = Kinds(cells_none, none, none, nothing, nothing, nobody, nobody, nobody)
    return with_entities(histogram(kinds, 1), [*np.array(cells).T])


@pytest.mark.parametrize("name", ALIGNED)
def test_ceaf_of_billions_does_not_overflow(name: str) -> None:
    b = BILLION
    table = _entangled(
        [
            [0, 0, 0, 2 * b, 3 * b, 2 * b + 5, 3 * b, 2 * b],
            [0, 0, 1, b, 3 * b, 4 * b, 3 * b, 4 * b],
            [0, 1, 1, 3 * b, 3 * b + 7, 4 * b, 3 * b, 4 * b],
        ]
    )
    recall = ratios(table, name).recall
    if name.startswith("ceafm"):
        assert recall == (5 * b, 6 * b + 7)
    else:
        less = 5 if name == "ceafe" else 0  # what the key lacks is left out there
        exact = Fraction(4 * b, 5 * b + less) + Fraction(6 * b, 7 * b + 7)
        assert recall == (_near(float(exact)), 2)


@pytest.mark.parametrize("larger", [0, 1])
def test_large_clusters_are_told_apart_by_one_mention(larger: int) -> None:
    b = BILLION
    sizes = [2 * b + (larger == number) for number in (0, 1)]
    cells = [[0, 0, i, b, 2 * b, size, 2 * b, size] for i, size in enumerate(sizes)]
    table = _entangled(cells)
    assert table.alignable is not None
    chosen = align_by_entities(table.alignable)
    assert table.alignable.cell_response[chosen].tolist() == [1 - larger]
    assert ratios(table, "ceafe").recall == (0.5, 1)


def test_every_metric_is_tried_on_histograms() -> None:
    assert {"muc", "bcub", "ceafe", "lea", "blanc", "ari"} <= {*OF_TABLES}
    assert {*ALL_RATIOS, *INDICES} <= {*OF_TABLES}
