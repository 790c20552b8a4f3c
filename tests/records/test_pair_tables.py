"""Tables of pairs of matching records, which must not be read as clusters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref.errors import FormatError
from scoref.records.pair_tables import are_names_of_pairs

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("duckdb")
ENGINES = ("numpy", "duckdb")
PAIRS = [("r1", "r2"), ("r3", "r4"), ("r4", "r5"), ("r7", "r8")]
CLUSTERS = {f"r{number}": f"c{number // 3}" for number in range(1, 10)}
SCORED = [("r1", "r2", 0.9), ("r3", "r4", 0.8), ("r5", "r9", 0.3)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("id_l", "id_r"), ("id_a", "id_b"), ("id1", "id2"), ("left", "right")),
        *(("ltable_id", "rtable_id"), ("idAbt", "idBuy"), ("left_id", "right_id")),
        *(
            ("unique_id_l", "unique_id_r"),
            ("idDBLP", "idACM"),
            ("record_1", "record_2"),
        ),
        *(("idAmazon", "idGoogleBase"), ("source", "target"), ("id_x", "id_y")),
        *(("leftId", "rightId"), ("id_right", "id_left"), ("ltable.id", "rtable.id")),
        *(("record_id_1", "record_id_2"), ("rec_id_1", "rec_id_2")),
    ],
)
def test_names_of_pairs_are_known(one: str, other: str) -> None:
    assert are_names_of_pairs(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("id", "cluster"), ("1", "2"), ("a", "b"), ("record_id", "entity_id")),
        *(("V1", "V2"), ("col1", "col2"), ("signature_id", "author_id"), ("x", "y")),
        *(("id", "id_cluster"), ("gold", "predicted"), ("mention", "entity")),
        *(("amazon_id", "cluster_id"), ("id", "left"), ("c1", "c2")),
    ],
)
def test_names_of_clusters_are_not_those_of_pairs(one: str, other: str) -> None:
    assert not are_names_of_pairs(one, other)


def tables(
    names: tuple[str, str], rows: list[tuple[Any, Any]], folder: Path
) -> dict[str, object]:
    """Write a table in every way that tables are given."""
    pandas = pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    frame = pandas.DataFrame(columns)
    folder.mkdir()
    frame.to_csv(folder / "table.csv", index=False)
    frame.to_csv(folder / "table.tsv", index=False, sep="\t")
    duckdb.from_df(frame).write_parquet(str(folder / "table.parquet"))
    lines = [json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows]
    (folder / "table.jsonl").write_text("".join(lines))
    suffixes = ("csv", "tsv", "parquet", "jsonl")
    return {each: folder / f"table.{each}" for each in suffixes} | {
        "pandas": frame,
        "polars": pytest.importorskip("polars").DataFrame(columns),
        "columns": columns,
    }


def scored(table: object, engine: str) -> list[object]:
    """Try a table as a key, a response, a key of curves and a sample."""
    results: list[object] = []
    for call in (
        lambda: scoref.score_table(table, CLUSTERS, engine=engine),
        lambda: scoref.score_table(CLUSTERS, table, engine=engine),
        lambda: scoref.curve(table, SCORED, engine=engine),
        lambda: scoref.estimate(table, CLUSTERS, engine=engine),
        lambda: scoref.estimate(CLUSTERS, table, engine=engine, missing="alone"),
    ):
        try:
            results.append(call())
        except FormatError as error:
            results.append(error)
    return results


def needs_duckdb(name: str, engine: str) -> bool:
    return name == "parquet" and engine == "numpy"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("names", [("record", "match")])
def test_pairs_are_refused_wherever_they_stand(
    tmp_path: Path, engine: str, names: tuple[str, str]
) -> None:
    for name, table in tables(names, PAIRS, tmp_path / "pairs").items():
        if needs_duckdb(name, engine):
            continue
        for result in scored(table, engine):
            assert isinstance(result, FormatError), name
            assert "table of pairs" in str(result), (name, result)
            assert "_pairs=True in Python)" in str(result)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("names", ["left,right", "id1,id2", "source,target"])
def test_two_files_of_pairs_are_read_as_pairs_by_their_names(
    tmp_path: Path, engine: str, names: str
) -> None:
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_text(f"{names}\na,b\nc,d\ne,f\n")
    response.write_text(f"{names}\na,b\nc,f\ne,d\n")
    pairs = scoref.score_table(key, response, engine=engine)
    assert pairs.scheme.pairs == "both"
    assert [note.kind for note in pairs.notes][:2] == ["key-pairs", "response-pairs"]
    assert pairs.scores["links"].f1 == pytest.approx(1 / 3)
    with pytest.raises(FormatError, match="table of pairs"):
        scoref.score_table(key, response, engine=engine, key_pairs=False)
    named = tmp_path / "clusters.csv"
    named.write_text("rec2,rec1\nrec1,rec1\nrec3,rec3\n")
    actual = scoref.score_table(named, named, engine=engine)
    assert actual.mentions["key"] == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_but_singletons_is_a_warning(engine: str) -> None:
    key, response = (list(zip("ace", ends, strict=True)) for ends in ("bdf", "bfd"))
    actual = scoref.score_table(key, response, engine=engine)
    [note] = [note for note in actual.notes if note.kind == "only-singletons"]
    assert note.message.startswith("warning: Every gold and predicted cluster has one")
    clusters = {"a": 1, "c": 1, "e": 2}
    for sides in ((key, clusters), (clusters, response)):
        linked = scoref.score_table(*sides, engine=engine)
        assert "only-singletons" not in [note.kind for note in linked.notes]


@pytest.mark.parametrize("engine", ENGINES)
def test_pairs_of_tuples_and_of_numbers_are_refused(engine: str) -> None:
    response = {number: number // 4 for number in range(10, 60)}
    linked = [(number, number + 5) for number in range(10, 50, 7)]
    with pytest.raises(FormatError, match="table of pairs"):
        scoref.score_table(linked, response, engine=engine)
    repeated = [("r1", "r2"), ("r1", "r3"), ("r2", "r3")]
    with pytest.raises(FormatError, match="table of pairs"):
        scoref.score_table(CLUSTERS, repeated, engine=engine, duplicates="first")


@pytest.mark.parametrize("engine", ENGINES)
def test_clusters_that_are_called_by_a_record_are_no_pairs(
    tmp_path: Path, engine: str
) -> None:
    representatives = [("r1", "r1"), ("r2", "r1"), ("r3", "r3"), ("r4", "r4")]
    singletons = [(f"r{number}", f"r{number}") for number in range(1, 8)]
    for rows in (representatives, singletons):
        folder = tmp_path / rows[1][1]
        for name, table in tables(("id", "cluster"), rows, folder).items():
            if not needs_duckdb(name, engine):
                for sides in ((table, CLUSTERS), (CLUSTERS, table)):
                    clusters = [dict(rows) if side is table else side for side in sides]
                    expected = scoref.score_table(*clusters, engine=engine)
                    actual = scoref.score_table(*sides, engine=engine)
                    assert actual.scores == expected.scores, name


@pytest.mark.parametrize("engine", ENGINES)
def test_a_representative_may_come_late(engine: str) -> None:
    others = [(f"r{number}", f"r{number + 5000}") for number in range(2000)]
    own = [(f"r{number + 5000}", f"r{number + 5000}") for number in range(2000)]
    response = {record: "x" for record, _ in others}
    actual = scoref.score_table([*others, *own], response, engine=engine, ceaf=False)
    assert actual.mentions["key"] == 4000


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("first", [0, 1, 17, 4_000])
def test_numbers_of_clusters_are_no_pairs(engine: str, first: int) -> None:
    rng = np.random.default_rng(first)
    labels = rng.integers(first, first + 1500, 1600).tolist()
    rows = list(enumerate(labels))
    counted = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    for table in (rows, [(a, counted[b]) for a, b in rows]):
        actual = scoref.score_table(table, rows, engine=engine, ceaf=False)
        assert actual.scores["bcub"].f1 == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_naming_both_columns_settles_it(engine: str) -> None:
    table = {"record": [a for a, _ in PAIRS], "match": [b for _, b in PAIRS]}
    actual = scoref.score_table(
        table, CLUSTERS, engine=engine, mention="record", key_cluster="match"
    )
    assert actual.mentions["key"] == len(PAIRS)


def test_a_table_of_many_columns_is_seen_to_have_pairs() -> None:
    table = {"match_weight": [1.5], "unique_id_l": ["r1"], "unique_id_r": ["r2"]}
    with pytest.raises(FormatError, match="but no label, so every pair"):
        scoref.score_table(CLUSTERS, table)
    with pytest.raises(FormatError, match="table of pairs"):
        scoref.score_table(table)
