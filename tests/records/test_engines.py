"""The same clusterings through NumPy and DuckDB: the same counts, the same digits."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoref.contingency import FATES
from scoref.errors import AlignmentError, FormatError, OptionError
from scoref.records.api import score_table
from scoref.scheme import Universe
from support.clusterings import ALIGNED, OF_TABLES, tabulate, whole
from support.nightly import IS_NIGHTLY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.records.request import Duplicates

    Clustering = dict[tuple[str, str], str]
    Table = dict[str, list[str | None]]

UNIVERSES = get_args(Universe)
every_universe = pytest.mark.parametrize("universe", UNIVERSES)
_CLUSTERS = ["a", "b", "c", "7", "\1\2m1"]
clusterings = st.dictionaries(
    st.tuples(
        st.sampled_from(["x", "y"]), st.sampled_from([f"m{i}" for i in range(8)])
    ),
    st.sampled_from(_CLUSTERS),
    max_size=12,
)
few = settings(max_examples=100 if IS_NIGHTLY else 8)


def table_of(clustering: Clustering) -> Table:
    return {
        "mention": [mention for _, mention in clustering],
        "cluster": list(clustering.values()),
        "group": [group for group, _ in clustering],
    }


def in_universe(
    key: Clustering, response: Clustering, universe: str
) -> tuple[Clustering, Clustering]:
    """The slow, obvious way: take mentions out, or make singletons of them."""
    wanted = {
        "both": key.keys() | response.keys(),
        "common": key.keys() & response.keys(),
        "union": key.keys() | response.keys(),
        "key": set(key),
        "response": set(response),
    }[universe]

    def side(clustering: Clustering) -> Clustering:
        filled = universe in {"union", "key", "response"}
        return {
            place: clustering.get(place, f"the singleton {place}")
            for place in wanted
            if filled or place in clustering
        }

    return side(key), side(response)


def clusters_of(clustering: Clustering) -> list[frozenset[tuple[str, str]]]:
    actual: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for (group, mention), cluster in clustering.items():
        actual[group, cluster].add((group, mention))
    return [frozenset(each) for each in actual.values()]


def fate(cluster: frozenset[object], others: Iterable[frozenset[object]]) -> str:
    touched = [other for other in others if other & cluster]
    if cluster in touched:
        return "unchanged"
    if any(cluster < other for other in touched):
        return "merged"
    is_cut = len(touched) > 1 and frozenset().union(*touched) == cluster
    return "partitioned" if is_cut else "overlapping"


def slow_counts(key: Clustering, response: Clustering) -> dict[str, object]:
    """Count kinds of cells, of clusters, and what became of them, one by one."""
    common = key.keys() & response.keys()
    own, other = clusters_of(key), clusters_of(response)
    pairs = [(k, r) for k in own for r in other if k & r]
    fates = Counter(fate(k, other) for k in own if k & common)
    return {
        "cells": _rows(
            (len(k & r), len(k), len(r), len(k & common), len(r & common))
            for k, r in pairs
        ),
        "key": _rows((len(k), len(k & common)) for k in own),
        "response": _rows((len(r), len(r & common)) for r in other),
        "largest": [
            sum(max((len(k & r) for r in other), default=0) for k in own),
            sum(max((len(k & r) for k in own), default=0) for r in other),
        ],
        "fates": [fates[name] for name in FATES],
    }


def _sorted(counts: Any) -> Any:
    return sorted(counts) if counts and isinstance(counts[0], list) else counts


def _rows(kinds: Iterable[tuple[int, ...]]) -> list[list[int]]:
    return sorted([*kind, times] for kind, times in Counter(kinds).items())


@every_universe
@given(key=clusterings, response=clusterings)
@few
def test_engines_count_what_the_slow_way_counts(
    universe: Universe, key: Clustering, response: Clustering
) -> None:
    if not key.keys() & response.keys():
        key["x", "m0"] = response["x", "m0"] = "a"
    results = [
        score_table(
            table_of(key),
            table_of(response),
            group="group",
            universe=universe,
            engine=engine,
        )
        for engine in ("numpy", "duckdb")
    ]
    actual = [whole(result) for result in results]
    assert actual[0] == actual[1]
    key, response = in_universe(key, response, universe)
    tables: Any = actual[0]["tables"]
    for name, table in tables.items():
        own, other = (
            {place: cluster for place, cluster in side.items() if place[0] == name}
            for side in (key, response)
        )
        expected = slow_counts(own, other)
        assert {each: _sorted(table[each]) for each in expected} == expected


@given(key=clusterings, response=clusterings)
@few
def test_groups_score_as_tables_of_their_own(
    key: Clustering, response: Clustering
) -> None:
    key["x", "m0"] = response["x", "m0"] = "a"
    key["y", "m0"] = response["y", "m0"] = "a"
    result = score_table(table_of(key), table_of(response), group="group")
    assert list(result.groups) == ["x", "y"]
    for name, group in result.groups.items():
        own, other = (
            {place: cluster for place, cluster in side.items() if place[0] == name}
            for side in (key, response)
        )
        alone = score_table(
            *({m: c for (_, m), c in side.items()} for side in (own, other))
        )
        assert (group.scores, group.values) == (alone.scores, alone.values)


@given(key=clusterings, response=clusterings)
@few
def test_ceaf_is_that_of_all_cells(key: Clustering, response: Clustering) -> None:
    key["x", "m0"] = response["x", "m0"] = "a"
    table = tabulate(clusters_of(key), clusters_of(response))
    result = score_table(table_of(key), table_of(response), group="group")
    for name in ALIGNED:
        expected = OF_TABLES[name](table)
        assert result.scores[name][:3] == pytest.approx(expected[:3], abs=1e-12)


@pytest.mark.parametrize("duplicates", ["first", "last"])
@given(rows=st.lists(st.tuples(st.sampled_from("mno"), st.sampled_from("abc"))))
@few
def test_of_duplicates_one_is_kept_in_the_order_of_rows(
    duplicates: Duplicates, rows: list[tuple[str, str]]
) -> None:
    rows.append(("m", "a"))
    ordered = rows if duplicates == "last" else rows[::-1]
    expected = score_table(dict(ordered), {"m": "a", "n": "b"})
    for engine in ("numpy", "duckdb"):
        actual = score_table(
            rows, {"m": "a", "n": "b"}, duplicates=duplicates, engine=engine
        )
        assert actual.scores == expected.scores


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_a_mention_may_stand_twice_in_a_table_if_each_side_has_it_once(
    engine: str,
) -> None:
    long = {
        "mention": ["m", "n", "m", "n"],
        "key": ["a", "a", None, None],
        "response": [None, None, "x", "y"],
    }
    actual = whole(score_table(long, engine=engine))
    expected = whole(score_table({"m": "a", "n": "a"}, {"m": "x", "n": "y"}))
    assert actual["tables"] == expected["tables"]


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_sides_without_a_common_mention_are_refused(engine: str) -> None:
    with pytest.raises(AlignmentError, match="no record in common: 1 are only"):
        score_table({"m": 1}, {"n": 1}, engine=engine)
    union = score_table({"m": 1}, {"n": 1}, engine=engine, universe="union")
    assert union.mentions == {"key": 2, "response": 2, "common": 2}


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize(
    ("tables", "hint"),
    [
        (({}, {"m": 1}), "The table is empty"),
        (({}, {}), "The table is empty"),
        (({"m": None}, {"m": 1}), "The table has 1 row, but each lacks"),
        (({"id": ["m"], "gold": [None], "predicted": ["x"]},), "The table has 1 row"),
    ],
)
@every_universe
def test_a_key_without_records_is_refused(
    tables: tuple[Any, ...], hint: str, universe: Universe, engine: str
) -> None:
    with pytest.raises(FormatError, match="no record has a gold cluster") as caught:
        score_table(*tables, engine=engine, universe=universe)
    assert hint in str(caught.value)


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_an_empty_response_scores_zero(engine: str) -> None:
    result = score_table({"m": 1, "n": 1}, {"m": None}, engine=engine)
    assert result.scores["bcub"][:3] == (0, 0, 0)
    assert result.scores["ceafe"][:3] == (0, 0, 0)
    assert [note.kind for note in result.notes] == [
        "no-mentions",
        "unclustered-in-response",
        "only-in-key",
        "undefined",
    ]
    assert not result.scores["ari"].is_defined


@every_universe
def test_universes_of_a_worked_example(universe: Universe) -> None:
    key = {"a": 1, "b": 1, "c": 2}  # a b | c
    response = {"a": 1, "b": 1, "d": 1}  # a b d
    mentions = {
        "both": (3, 3, 2),
        "common": (2, 2, 2),
        "union": (4, 4, 4),
        "key": (3, 3, 3),
        "response": (3, 3, 3),
    }
    precision = {
        "both": 4 / 9,
        "common": 1.0,
        "union": (5 / 3 + 1) / 4,
        "key": 1.0,
        "response": (5 / 3) / 3,
    }
    actual = score_table(key, response, universe=universe)
    assert tuple(actual.mentions.values()) == mentions[universe]
    assert actual.scores["bcub"].precision == pytest.approx(precision[universe])


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_indices_that_leave_mentions_out_are_warned_about(engine: str) -> None:
    key = {record: record // 2 for record in range(100)}
    response = {record: record // 2 for record in range(10)}
    actual = score_table(key, response, engine=engine, metrics="bcub,ari,purity")
    assert actual.scores["bcub"].f1 == pytest.approx(2 / 11)
    assert actual.values == {"ari": 1.0, "purity": 1.0}
    message = next(note.message for note in actual.notes if note.kind == "coverage")
    assert message == (
        "warning: Adjusted Rand index and Purity cover only 10 of 100 records, those "
        "that both sides have. The other 90 do not lower these figures. With "
        "--universe union, each of them is a singleton."
    )
    almost = {record: record // 2 for record in range(99)}
    (message,) = (
        note.message
        for note in score_table(key, almost, engine=engine, metrics="ari").notes
        if note.kind == "coverage"
    )
    assert message == (
        "warning: Adjusted Rand index covers only 99 of 100 records, those that both "
        "sides have. The other 1 does not lower this figure. With --universe union, "
        "it is a singleton."
    )
    for universe in ("common", "union", "key", "response"):
        actual = score_table(key, response, engine=engine, universe=universe)
        assert "coverage" not in {note.kind for note in actual.notes}
    plain = score_table(key, response, engine=engine, metrics="bcub")
    assert "coverage" not in {note.kind for note in plain.notes}


def test_what_one_side_lacks_is_told() -> None:
    key = {"a": 1, "b": None, None: 1}
    actual = score_table(key, dict.fromkeys("abcd", 1), universe="common")
    assert [note.message for note in actual.notes] == [
        "warning: scoref left out 1 row of the gold data without a record.",
        "warning: scoref left out 1 row of the gold data without a cluster.",
        (
            "3 of 4 records are only in the prediction. Records that the other side "
            "lacks are left out (--universe common)."
        ),
        (
            "warning: The gold data lacks 3 of the prediction's 4 records (75 %). "
            "Wrong merges with them are not counted, so precision is too high. If the "
            "gold data is a sample of clusters, use `scoref estimate` (scoref.estimate "
            "in Python)."
        ),
    ]


def random_labels(rows: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    key = rng.integers(0, rows // 8, rows)
    moved = rng.random(rows) < 0.1
    return {"key": key, "response": np.where(moved, rng.permutation(key), key)}


def test_many_mentions_give_the_same_digits() -> None:
    labels = random_labels(1_000_000 if IS_NIGHTLY else 50_000)
    by_numpy = score_table(labels, engine="numpy")
    by_duckdb = score_table(labels, engine="duckdb", memory="1GB")
    assert by_numpy == by_duckdb


def test_ceaf_can_be_left_out() -> None:
    for engine in ("numpy", "duckdb"):
        actual = score_table({"m": 1}, {"m": 1}, engine=engine, ceaf=False)
        assert not actual.scores.keys() & {*ALIGNED, "conll"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"universe": "all"},
            "unknown universe 'all'",
        ),
        ({"duplicates": "frist"}, "Did you mean first?"),
        ({"undefined": "nil"}, "unknown 0/0 policy 'nil'"),
        ({"engine": "duck"}, "unknown engine 'duck'. Did you mean duckdb?"),
        ({"engine": "duckdb", "memory": "much"}, "'much' is not an amount of memory"),
    ],
)
def test_options_that_nobody_knows(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        score_table({"m": 1}, {"m": 1}, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
