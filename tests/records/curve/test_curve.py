"""Curves against cutting, clustering and scoring again at each threshold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import scoref
from scoref import Score
from scoref.records.curve.curve import Universe
from support.nightly import IS_NIGHTLY

if TYPE_CHECKING:
    from pathlib import Path

    Pair = tuple[int, int, float]

KEY = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b"}
PAIRS = [(1, 2, 0.9), (4, 5, 0.8), (3, 4, 0.8), (2, 3, 0.6), (1, 3, 0.5)]
UNIVERSES = get_args(Universe)
keys = st.dictionaries(st.integers(0, 9), st.sampled_from("abcd"), min_size=1)
scores = st.sampled_from([0.1, 0.2, 0.5, 0.7, 0.9, math.inf, -math.inf, -2.5])
pairs = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12), scores), min_size=1, max_size=25
)


@pytest.fixture(params=["numpy", "duckdb"])
def engine(request: pytest.FixtureRequest) -> str:
    """Give each engine, as far as they are installed."""
    name: str = request.param
    pytest.importorskip(name)
    return name


def components(records: list[int], linked: list[Pair]) -> dict[int, int]:
    """Cluster by SciPy."""
    place = {record: number for number, record in enumerate(records)}
    ends = [(place[a], place[b]) for a, b, _ in linked]
    rows, columns = zip(*ends, strict=True) if ends else ((), ())
    matrix = coo_matrix(
        (np.ones(len(ends)), (rows, columns)), shape=(len(records),) * 2
    )
    labels = connected_components(matrix, directed=False)[1].tolist()
    return dict(zip(records, labels, strict=True))


@settings(max_examples=300 if IS_NIGHTLY else 25)
@given(key=keys, linked=pairs, universe=st.sampled_from(UNIVERSES))
@example(key={0: "a", 1: "a"}, linked=[(0, 1, math.inf)], universe="both")
@example(key={0: "a"}, linked=[(0, 12, 0.5), (12, 11, 0.5)], universe="key")
def test_every_point_has_the_figures_of_cutting_and_scoring_again(
    key: dict[int, str], linked: list[Pair], universe: Universe
) -> None:
    assume(any(a in key or b in key for a, b, _ in linked))
    actual = scoref.curve(key, linked, metrics="all", universe=universe)
    records = sorted({*key, *(record for pair in linked for record in pair[:2])})
    names = [name for name in actual.metrics if name != "links"]
    previous = 0
    for row, point in enumerate(actual.points):
        kept = [pair for pair in linked if row and pair[2] >= point.threshold]
        response = components(records, kept)
        assert row == 0 or len(kept) > previous
        previous = len(kept)
        expected = scoref.score_table(key, response, universe=universe, metrics=names)
        for name in names:
            score, other = point.scores[name], expected.scores[name]
            assert score.is_defined == other.is_defined
            assert score.f1 == pytest.approx(other.f1, abs=1e-9), name
            if isinstance(other, Score):
                assert score[:2] == pytest.approx(other[:2], abs=1e-9), name
        assert point.clusters == expected.clusters["response"]
        assert point.scores["links"] == links(key, records, kept, universe)
    below = [pair for pair in linked if pair not in kept]
    different = {frozenset(pair[:2]) for pair in kept}
    assert all(a == b or {a, b} in different for a, b, _ in below)


@settings(max_examples=300 if IS_NIGHTLY else 25)
@given(key=keys, linked=pairs, threshold=st.sampled_from([-3.0, 0.05, 0.3, 0.6, 0.8]))
@pytest.mark.parametrize("metrics", [None, "bcub"])
def test_between_two_points_nothing_changes(
    key: dict[int, str], linked: list[Pair], threshold: float, metrics: str | None
) -> None:
    assume(any(a in key or b in key for a, b, _ in linked))
    actual = scoref.curve(key, linked, metrics=metrics)
    records = sorted({*key, *(record for pair in linked for record in pair[:2])})
    kept = [pair for pair in linked if pair[2] >= threshold]
    response = components(records, kept)
    expected = scoref.score_table(key, response, metrics="bcub")
    assert actual.at(threshold).scores["bcub"] == pytest.approx(expected.scores["bcub"])
    assert actual.result(threshold).scores["bcub"] == expected.scores["bcub"]
    assert actual.at(threshold).clusters == expected.clusters["response"]
    if metrics is None:
        score = actual.at(threshold).scores["links"]
        assert score == links(key, records, kept, "both")
    else:  # without links, there is a point only where clusters change
        clusters = [point.clusters for point in actual.points]
        assert clusters == sorted(set(clusters), reverse=True)


def test_the_best_figure_holds_until_clusters_change() -> None:
    linked = [(1, 2, 0.9), (2, 3, 0.8), (1, 3, 0.7), (3, 4, 0.6)]
    actual = scoref.curve(KEY, linked)
    assert actual.best["bcub"].threshold == 0.8
    assert actual.best["bcub"].until == 0.7
    assert actual.best_until("bcub") == 0.6
    assert actual.best_until("links") == 0.6
    assert scoref.curve(KEY, linked[:3]).best_until("bcub") == -math.inf


def links(
    key: dict[int, str], records: list[int], kept: list[Pair], universe: str
) -> Any:
    """Score pairs one by one."""
    alone = {record: f"alone {record}" for record in records if record not in key}
    truth: dict[int, str] = key | (alone if universe == "union" else {})
    every = {frozenset(pair[:2]) for pair in kept if pair[0] != pair[1]}
    if universe == "key":
        every = {pair for pair in every if pair <= key.keys()}
    right = [
        pair
        for pair in every
        if pair <= truth.keys() and len({truth[each] for each in pair}) == 1
    ]
    total = sum(truth[a] == truth[b] for a in truth for b in truth if a < b)
    recall = len(right) / total if total else 0.0
    precision = len(right) / len(every) if every else 0.0
    f1 = 2 * recall * precision / (recall + precision) if right else 0.0
    return pytest.approx(Score(recall, precision, f1, bool(total or every)))


def test_the_worked_example() -> None:
    actual = scoref.curve(KEY, PAIRS)
    thresholds = [point.threshold for point in actual.points]
    assert thresholds == [math.inf, 0.9, 0.8, 0.6, 0.5]
    assert [point.until for point in actual.points] == [0.9, 0.8, 0.6, 0.5, -math.inf]
    assert [point.clusters for point in actual.points] == [5, 4, 2, 1, 1]
    assert [point.scores["bcub"][:3] for point in actual.points] == [
        pytest.approx(each)
        for each in (
            (2 / 5, 1, 4 / 7),
            (8 / 15, 1, 16 / 23),
            (11 / 15, 11 / 15, 11 / 15),
            (1, 13 / 25, 13 / 19),
            (1, 13 / 25, 13 / 19),
        )
    ]
    assert [point.scores["links"][:2] for point in actual.points] == [
        pytest.approx(each)
        for each in ((0, 0), (1 / 4, 1), (1 / 2, 2 / 3), (3 / 4, 3 / 4), (1, 4 / 5))
    ]
    best = actual.best["bcub"]
    assert (best.threshold, best.until) == (0.8, 0.6)
    assert actual.key_clusters == 2
    assert actual.signature.endswith("|curve:components|universe:both")


def test_of_equal_scores_the_highest_threshold_is_best() -> None:
    actual = scoref.curve({1: "a", 2: "a", 3: "b", 4: "b"}, [(1, 2, 0.9), (3, 9, 0.5)])
    assert actual.best["muc"].threshold == 0.9


def test_unlabelled_records_bridge_labelled_ones() -> None:
    actual = scoref.curve(
        {1: "a", 2: "a"}, [(1, 99, 0.9), (99, 2, 0.7)], universe="key"
    )
    assert actual.at(0.7).scores["pairwise"] == Score(1.0, 1.0, 1.0)
    assert actual.at(0.7).scores["links"][:2] == (0.0, 0.0)


def test_ceaf_is_there_at_a_single_threshold() -> None:
    actual = scoref.curve(KEY, PAIRS)
    response = {1: "p", 2: "p", 3: "q", 4: "q", 5: "q"}
    expected = scoref.score_table(KEY, response)
    assert actual.result(0.8).scores == expected.scores
    assert "conll" in actual.result(0.8).scores


def test_distances_are_turned_round() -> None:
    apart = [(a, b, 1 - score) for a, b, score in PAIRS]
    actual = scoref.curve(KEY, apart, distance=True)
    assert [point.threshold for point in actual.points] == pytest.approx(
        [-math.inf, 0.1, 0.2, 0.4, 0.5]
    )
    assert actual.points[-1].until == math.inf
    assert actual.at(0.3).threshold == pytest.approx(0.2)
    similar = scoref.curve(KEY, PAIRS)
    ours, theirs = (
        [point.scores["bcub"] for point in each.points] for each in (actual, similar)
    )
    assert ours == theirs


def test_a_pair_with_itself_and_one_that_is_listed_twice_are_counted_in_notes() -> None:
    actual = scoref.curve(KEY, [*PAIRS, (1, 1, 0.99), (2, 1, 0.3), (5, 4, 0.95)])
    kinds = {note.kind: note.count for note in actual.notes}
    assert kinds["itself"] == 1
    assert kinds["repeated"] == 2
    assert actual.points[1].threshold == 0.95  # the best score of a pair counts
    assert "optimistic" in kinds


def test_the_best_score_has_an_interval_where_all_records_are_labelled() -> None:
    key = {record: record // 4 for record in range(400)}
    linked = [(a, a + 1, 0.9 if a % 7 else 0.2) for a in range(399)]
    actual = scoref.curve(key, linked)
    low, high = actual.intervals["bcub"] or (0, 0)
    assert low < actual.best["bcub"].scores["bcub"].f1 < high
    response = components([*key], [pair for pair in linked if pair[2] == 0.9])
    again = scoref.estimate(key, response)
    assert again.intervals["bcub"]["f1"] == pytest.approx((low, high))
    partly = scoref.curve({1: "a", 2: "a"}, [(1, 9, 0.5)])
    assert partly.intervals["bcub"] is None


@pytest.mark.parametrize(
    ("linked", "problem"),
    [
        ([(1, 2, None)], "the score is missing"),
        ([(1, 2, 0.5), (2, 3, "high")], "the score.* 'high' is not a number"),
        ([(1, 2, math.nan)], "the score is missing"),
        ([(1, None, 0.5)], "has only one record"),
        ([(8, 9, 0.5)], "no pair has a record of the gold data"),
        ([], "no pair has a record of the gold data"),
    ],
)
def test_what_is_no_scored_pair_is_refused(
    linked: object, problem: str, engine: str
) -> None:
    with pytest.raises(scoref.FormatError, match=problem):
        scoref.curve(KEY, linked, engine=engine)


def test_an_empty_key_and_a_key_that_lists_a_record_twice_are_refused() -> None:
    with pytest.raises(scoref.FormatError, match="no record has a gold cluster"):
        scoref.curve({}, PAIRS)
    with pytest.raises(scoref.DuplicateError):
        scoref.curve([(1, "a"), (1, "b")], PAIRS)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"metrics": "ceafe"}, "curve metric"),
        ({"best": "conll"}, "curve metric"),
        ({"universe": "response"}, "Known: both, key, union"),
    ],
)
def test_what_has_no_curve_is_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(scoref.OptionError, match=problem):
        scoref.curve(KEY, PAIRS, **options)


def test_a_score_that_is_no_number_is_refused_with_its_line(
    tmp_path: Path, engine: str
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text('left,right,score\n1,2,0.5\n"2",3,\n')
    with pytest.raises(scoref.FormatError) as raised:
        scoref.curve(KEY, path, engine=engine)
    assert raised.value.line == 3
    assert "the score is missing" in str(raised.value)


def test_columns_of_linkers_are_found_by_themselves(tmp_path: Path) -> None:
    expected = scoref.curve(KEY, PAIRS).points[:]
    left, right, value = (list(each) for each in zip(*PAIRS, strict=True))
    more = ["x"] * len(PAIRS)
    for names in (
        ("unique_id_l", "unique_id_r", "match_probability"),
        ("unique_id_l", "unique_id_r", "match_weight"),
        ("person_id_l", "person_id_r", "match_probability"),
        ("id1", "id2", "score"),
        ("left", "right", "similarity"),
    ):
        columns = dict(zip(names, (left, right, value), strict=True))
        table = {"match_key": more, **columns, "first_name_l": more}
        assert scoref.curve(KEY, table).points[:] == expected
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(f"{a},{b},{score}" for a, b, score in PAIRS))
    actual = scoref.curve(KEY, path)
    assert actual.points[:] == expected
    assert actual.columns == {"left": "1", "right": "2", "score": "3"}


def test_columns_that_nobody_knows_must_be_named() -> None:
    table = {"a": [1], "b": [2], "c": [0.5], "d": [1]}
    with pytest.raises(scoref.FormatError, match="--left COLUMN, --right"):
        scoref.curve(KEY, table)
    actual = scoref.curve(KEY, table, left="a", right="b", score="c")
    assert len(actual.points) == 2
    with pytest.raises(scoref.FormatError, match="column 'z' does not exist"):
        scoref.curve(KEY, table, left="a", right="b", score="z")
    with pytest.raises(scoref.FormatError, match="only 2 columns"):
        scoref.curve(KEY, {"left": [1], "right": [2]})


def test_what_dedupe_scores_is_taken_as_it_is() -> None:
    scored = np.array(
        [((a, b), score) for a, b, score in PAIRS],
        dtype=[("pairs", "i8", 2), ("score", "f4")],
    )
    actual = scoref.curve(KEY, scored)
    assert len(actual.points) == 5
    assert actual.best["bcub"].threshold == pytest.approx(0.8)


@pytest.mark.parametrize("kind", ["parquet", "duckdb", "pandas", "polars"])
def test_files_and_frames_have_the_points_of_a_list(kind: str, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    expected = scoref.curve(KEY, PAIRS).points[:]
    columns = dict(
        zip(("id1", "id2", "score"), map(list, zip(*PAIRS, strict=True)), strict=True)
    )
    table: Any
    if kind in {"pandas", "polars"}:
        table = pytest.importorskip(kind).DataFrame(columns)
    else:
        frame = pytest.importorskip("pandas").DataFrame(columns)
        table = tmp_path / f"pairs.{kind}"
        if kind == "parquet":
            duckdb.from_df(frame).write_parquet(str(table))
        else:
            with duckdb.connect(str(table)) as database:
                database.register("frame", frame)
                database.execute("CREATE TABLE pairs AS FROM frame")
    for engine in (None, "duckdb"):
        assert scoref.curve(KEY, table, engine=engine).points[:] == expected


TWO_SOURCES = {"ltable_id": ["1", "2", "3"], "rtable_id": ["1", "3", "2"]}
SCORED = {
    "ltable_id": ["1", "2", "3", "2"],
    "rtable_id": ["1", "3", "2", "1"],
    "score": [0.9, 0.4, 0.6, 0.2],
}


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_left_and_right_records_of_two_sources_may_have_the_same_id(
    engine: str,
) -> None:
    key = {**TWO_SOURCES, "label": [1, 1, 0]}
    result = scoref.curve(key, SCORED, engine=engine)
    assert result.notes[0].kind == "key-pairs"
    assert "pairs:key|sources:two" in result.signature
    first = result.at(0.9).scores["links"]
    assert (first.recall, first.precision) == (0.5, 1.0)
    last = result.at(0.4).scores["links"]
    assert (last.recall, last.precision) == (1.0, 2 / 3)
    assert result.candidates == (4, 9, 2, 2)  # 3 left times 3 right records
    assert result.candidates.pair_completeness == 1.0
    assert result.candidates.reduction_ratio == 1 - 4 / 9
    one = scoref.curve(key, SCORED, engine=engine, two_sources=False)
    assert one.candidates.possible == 3
