"""The same clusterings through NumPy and DuckDB: the same counts, the same digits."""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_args

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoref.contingency import FATES
from scoref.errors import AlignmentError, DuplicateError, OptionError
from scoref.records import duckdb_engine
from scoref.records.api import score_table
from scoref.records.duckdb_engine import DuckSession, SidePieces
from scoref.scheme import Universe
from support.clusterings import ALIGNED, OF_TABLES, tabulate, whole
from support.nightly import IS_NIGHTLY

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from scoref.records.queries import Queries
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
    found: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for (group, mention), cluster in clustering.items():
        found[group, cluster].add((group, mention))
    return [frozenset(each) for each in found.values()]


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


def _sorted(counts: Any) -> Any:  # noqa: ANN401 - rows, or numbers
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
    found = [whole(result) for result in results]
    assert found[0] == found[1]
    key, response = in_universe(key, response, universe)
    tables: Any = found[0]["tables"]
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
        found = score_table(
            rows, {"m": "a", "n": "b"}, duplicates=duplicates, engine=engine
        )
        assert found.scores == expected.scores


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_duplicates_are_counted_and_refused(engine: str) -> None:
    rows = [("m", 1), ("m", 1), ("n", 1), ("n", 2), ("o", 1)]
    with pytest.raises(DuplicateError) as caught:
        score_table(rows, [("m", 1)], engine=engine)
    assert str(caught.value) == (
        "key: 2 mentions are listed more than once, among them 'm'\n"
        "  hint: --duplicates first or last keeps one of them (duplicates in Python)"
    )
    kept = score_table(rows, [("m", 1)], engine=engine, duplicates="last")
    assert kept.notes[0].message == (
        "2 mentions are listed more than once in the key; the last counts"
    )


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_a_mention_may_stand_twice_in_a_table_if_each_side_has_it_once(
    engine: str,
) -> None:
    long = {
        "mention": ["m", "n", "m", "n"],
        "key": ["a", "a", None, None],
        "response": [None, None, "x", "y"],
    }
    found = whole(score_table(long, engine=engine))
    expected = whole(score_table({"m": "a", "n": "a"}, {"m": "x", "n": "y"}))
    assert found["tables"] == expected["tables"]


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_sides_without_a_common_mention_are_refused(engine: str) -> None:
    with pytest.raises(AlignmentError, match="no mention in common: 1 are only"):
        score_table({"m": 1}, {"n": 1}, engine=engine)
    union = score_table({"m": 1}, {"n": 1}, engine=engine, universe="union")
    assert union.mentions == {"key": 2, "response": 2, "common": 2}


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
    found = score_table(key, response, universe=universe)
    assert tuple(found.mentions.values()) == mentions[universe]
    assert found.scores["bcub"].precision == pytest.approx(precision[universe])


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_indices_that_leave_mentions_out_are_warned_about(engine: str) -> None:
    key = {record: record // 2 for record in range(100)}
    response = {record: record // 2 for record in range(10)}
    found = score_table(key, response, engine=engine, metrics="bcub,ari,purity")
    assert found.scores["bcub"].f1 == pytest.approx(2 / 11)
    assert found.values == {"ari": 1.0, "purity": 1.0}
    message = next(note.message for note in found.notes if note.kind == "coverage")
    assert message == (
        "warning: Adjusted Rand index and Purity cover only 10 of 100 records, those "
        "that both sides have. The other 90 do not lower these figures. With "
        "--universe union, each of them is a singleton."
    )
    for universe in ("common", "union", "key", "response"):
        found = score_table(key, response, engine=engine, universe=universe)
        assert "coverage" not in {note.kind for note in found.notes}
    plain = score_table(key, response, engine=engine, metrics="bcub")
    assert "coverage" not in {note.kind for note in plain.notes}


def test_what_one_side_lacks_is_told() -> None:
    key = {"a": 1, "b": None, None: 1}
    found = score_table(key, dict.fromkeys("abcd", 1), universe="common")
    assert [note.message for note in found.notes] == [
        "left out, since they name no mention: 1 rows of the key",
        "not clustered: 1 rows of the key have no cluster",
        "3 of 4 mentions of the response are in the response only: each is left out",
        (
            "the key lacks 3 of the response's 4 mentions (75 %): wrong merges with "
            "these are not seen, so that precision is optimistic; if the key's "
            "clusters are a sample, `scoref estimate` (scoref.estimate) tells what "
            "holds for all"
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


def test_passes_over_parts_of_the_mentions_add_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    labels = random_labels(5_000)
    sides = [
        {"id": [f"m{i}" for i in range(5_000)][:-9], "c": labels["key"][:-9]},
        {"id": [f"m{i}" for i in range(5_000)][9:], "c": labels["response"][9:]},
    ]
    at_once = score_table(*sides, engine="duckdb")
    monkeypatch.setattr(duckdb_engine, "_BYTES_OF_A_ROW", 2**50)
    assert score_table(*sides, engine="duckdb", memory="8GB") == at_once


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing fit into memory, so that sides are cut into pieces on disk."""
    monkeypatch.setattr(duckdb_engine, "_BYTES_OF_A_ROW", 2**50)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("kinds", [("int16", "int64"), ("int64", "int8")])
def test_negative_ids_meet_in_passes_even_if_columns_differ_in_width(
    kinds: tuple[str, str],
) -> None:
    sides = [
        {"mention": np.arange(-40, 40, dtype=kind), "cluster": np.arange(80) // 4}
        for kind in kinds
    ]
    assert score_table(*sides, engine="duckdb").scores["bcub"].f1 == 1


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("group", [None, "day"])
def test_mentions_that_are_listed_twice_are_found_in_pieces(group: str | None) -> None:
    days = ["m", "m", "t", "t"]
    key = {"day": days, "mention": ["a", "b", "a", "b"], "cluster": [1, 1, 2, 2]}
    twice = {**key, "mention": ["a", "b", "a", "a"]}
    if group is None:
        with pytest.raises(DuplicateError):
            score_table(
                *(key, key),
                mention="mention",
                key_cluster="cluster",
                response_cluster="cluster",
                engine="duckdb",
            )
        return
    assert score_table(key, key, group=group, engine="duckdb").scores["muc"].f1 == 1
    with pytest.raises(DuplicateError):
        score_table(key, twice, group=group, engine="duckdb")
    found = score_table(
        *(key, twice), group=group, engine="duckdb", duplicates="first", memory="1GB"
    )
    by_numpy = score_table(
        *(key, twice), group=group, engine="numpy", duplicates="first"
    )
    assert found == by_numpy


@pytest.mark.usefixtures("little")
def test_a_disk_that_is_full_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(SidePieces, "_write", full)
    sides = [{"mention": ["a", "b"], "cluster": [1, 1]}] * 2
    with pytest.raises(OptionError, match="No space left on device; set TMPDIR"):
        score_table(*sides, engine="duckdb")


@pytest.mark.usefixtures("little")
def test_what_was_cut_goes_before_it_is_cut_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sides = [{"mention": ["a", "b"], "cluster": [1, 1]}] * 2
    there: list[list[str]] = []
    table = SidePieces.table

    def failing(self: SidePieces, number: int, passes: int) -> object:
        folder = self._folder.parent
        there.append(sorted(path.name[:4] for path in folder.iterdir()))
        if passes < 4:
            raise duckdb.OutOfMemoryException
        return table(self, number, passes)

    def passes(_: DuckSession, __: int) -> int:
        return 2

    monkeypatch.setattr(SidePieces, "table", failing)
    monkeypatch.setattr(SidePieces, "count_distinct", lambda _: 2)
    monkeypatch.setattr(DuckSession, "_passes", passes)
    assert score_table(*sides, engine="duckdb").scores["muc"].f1 == 1
    assert all(names.count("key_") == names.count("resp") == 1 for names in there)


def test_a_join_that_does_not_fit_is_tried_in_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = []
    join = DuckSession._join  # noqa: SLF001 - to make it fail

    def failing(self: DuckSession, queries: Queries, passes: int) -> None:
        tried.append(passes)
        if passes == 1:
            raise duckdb.OutOfMemoryException
        join(self, queries, passes)

    monkeypatch.setattr(DuckSession, "_join", failing)
    found = score_table({"m": 1}, {"m": 1}, engine="duckdb")
    assert (found.scores["muc"].f1, tried) == (0.0, [1, 2])


@pytest.mark.parametrize("memory", ["1GB", "much"])
def test_nothing_is_left_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with suppress(OptionError):
        score_table({"m": 1}, {"m": 1}, engine="duckdb", memory=memory)
    assert list(tmp_path.iterdir()) == []


def test_progress_is_told_in_steps() -> None:
    told: list[tuple[str, float]] = []
    score_table(
        {"m": 1}, {"m": 1}, engine="duckdb", progress=lambda *step: told.append(step)
    )
    assert [step for _, step in told] == sorted(step for _, step in told)
    assert told[-1] == ("done", 1.0)


def test_ceaf_can_be_left_out() -> None:
    for engine in ("numpy", "duckdb"):
        found = score_table({"m": 1}, {"m": 1}, engine=engine, ceaf=False)
        assert not found.scores.keys() & {*ALIGNED, "conll"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"universe": "all"}, "no universe 'all' (known: both, common, union, key, "),
        ({"duplicates": "frist"}, "did you mean 'first'?"),
        ({"undefined": "nil"}, "no policy for 0/0 'nil'"),
        ({"engine": "duck"}, "no engine 'duck'; did you mean 'duckdb'?"),
        ({"engine": "duckdb", "memory": "much"}, "'much' is no size of memory"),
    ],
)
def test_options_that_nobody_knows(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        score_table({"m": 1}, {"m": 1}, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
