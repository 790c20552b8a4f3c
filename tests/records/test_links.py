"""Pairs as a key or a response: links as given, their closure, sources and records."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.errors import FormatError, OptionError
from scoref.records.links import connected_components
from support.commands import run

if TYPE_CHECKING:
    from pathlib import Path

GOLD = [("a", "b"), ("b", "c"), ("d", "e")]
FOUND = [("b", "a"), ("c", "d"), ("a", "b"), ("e", "e")]
ENGINES = ["numpy", "duckdb"]


def score(key: Any, response: Any, **options: Any) -> scoref.Result:
    options = {"key_pairs": True, "response_pairs": True} | options
    return scoref.score_table(key, response, **options)


def closure(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """The slow, obvious way: merge sets until nothing changes."""
    sets = [{record} for record in {record for pair in pairs for record in pair}]
    for pair in pairs:
        merged = set().union(*(one for one in sets if one & set(pair)))
        sets = [one for one in sets if not one & set(pair)] + [merged]
    return {record: min(one) for one in sets for record in one}


@pytest.mark.parametrize("engine", ENGINES)
def test_links_are_compared_as_given_and_other_metrics_use_the_closure(
    engine: str,
) -> None:
    result = score(GOLD, FOUND, engine=engine)
    links = result.scores["links"]
    assert (links.recall, links.precision) == (1 / 3, 1 / 2)
    pairwise = result.scores["pairwise"]
    assert (pairwise.recall, pairwise.precision) == (1 / 4, 1 / 2)
    kinds = {note.kind: note.count for note in result.notes}
    assert kinds["itself-in-response"] == 1
    assert kinds["repeated-pairs-in-response"] == 1
    assert "|pairs:both|sources:one|" in result.signature


records = st.sampled_from("abcdefgh")
pairs = st.lists(st.tuples(records, records), min_size=1, max_size=8)


@settings(max_examples=25)
@given(pairs, pairs, st.sampled_from(["both", "common", "union", "key", "response"]))
def test_the_closure_has_the_scores_of_its_clusters_in_every_engine(
    key: list[tuple[str, str]], response: list[tuple[str, str]], universe: str
) -> None:
    try:
        expected = scoref.score_table(
            closure(key),
            closure(response),
            universe=universe,  # type: ignore[arg-type]
        )
    except scoref.AlignmentError:
        return
    known = {"both": None, "union": None}
    sides = {"key": {*closure(key)}, "response": {*closure(response)}}
    kept = known.get(universe, sides.get(universe, sides["key"] & sides["response"]))
    key_links, response_links = (
        {
            frozenset(pair)
            for pair in side
            if pair[0] != pair[1] and (kept is None or {*pair} <= kept)
        }
        for side in (key, response)
    )
    for engine in ENGINES:
        result = score(key, response, universe=universe, engine=engine)
        counts = result.counts["links"][0].tolist()
        both = len(key_links & response_links)
        assert counts == [both, len(key_links), both, len(response_links)]
        for name, figures in expected.scores.items():
            if name != "links":
                assert result.scores[name] == figures, name


@pytest.mark.parametrize("engine", ENGINES)
def test_clusters_are_scored_against_pairs(engine: str) -> None:
    clusters = [["a", "b", "c"], ["d"]]
    result = scoref.score_table(GOLD, clusters, key_pairs=True, engine=engine)
    assert result.counts["links"].tolist() == [[2, 3, 2, 3]]
    swapped = scoref.score_table(clusters, GOLD, response_pairs=True, engine=engine)
    assert swapped.counts["links"].tolist() == [[2, 3, 2, 3]]
    both = scoref.score_table(clusters, clusters)
    assert both.scores["links"] == both.scores["pairwise"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("a,b,2", "'2' is not a label"),
        ("a,b,", "the label is missing"),
        ("a,,1", "a pair lacks the id of a record"),
    ],
)
def test_a_bad_row_has_a_file_and_a_line(
    tmp_path: Path, row: str, problem: str, engine: str
) -> None:
    (path := tmp_path / "pairs.csv").write_text(f"id_a,id_b,label\na,b,1\n{row}\n")
    with pytest.raises(FormatError, match=problem) as caught:
        scoref.score_table(path, GOLD, response_pairs=True, engine=engine)
    assert (caught.value.source, caught.value.line) == (str(path), 3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("score", "problem"),
    [("", "the score is missing"), ("high", "'high' is not a number")],
)
def test_a_bad_score_has_a_file_and_a_line(
    tmp_path: Path, score: str, problem: str, engine: str
) -> None:
    (path := tmp_path / "pairs.csv").write_text(
        f"id_a,id_b,score\na,b,0.9\na,c,{score}\n"
    )
    with pytest.raises(FormatError, match=problem) as caught:
        scoref.score_table(
            GOLD,
            path,
            key_pairs=True,
            response_pairs=True,
            threshold=0.5,
            engine=engine,
        )
    assert (caught.value.source, caught.value.line) == (str(path), 3)
    assert caught.value.problem == problem


@pytest.mark.parametrize("engine", ENGINES)
def test_a_threshold_keeps_scores_and_a_score_alone_is_refused(
    tmp_path: Path, engine: str
) -> None:
    (path := tmp_path / "splink.csv").write_text(
        "unique_id_l,unique_id_r,match_probability\na,b,0.9\nb,c,0.5\nd,e,0.4\n"
    )
    with pytest.raises(FormatError, match="every pair would count as a match"):
        scoref.score_table(GOLD, path, key_pairs=True, engine=engine)
    result = score(GOLD, path, threshold=0.5, engine=engine)
    assert result.counts["links"].tolist() == [[2, 3, 2, 2]]
    assert "|threshold:0.5|" in result.signature
    assert result.mentions["response"] == 5  # records of lower scores count
    path.write_text("id_l,id_r,score\na,b,high\n")
    with pytest.raises(FormatError, match="'high' is not a number") as caught:
        score(GOLD, path, threshold=0.5, engine=engine)
    assert caught.value.line == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_two_sources_have_ids_of_their_own(tmp_path: Path, engine: str) -> None:
    (gold := tmp_path / "gold.csv").write_text("idAbt,idBuy\n1,1\n2,3\n")
    (found := tmp_path / "found.csv").write_text(
        "ltable_id,rtable_id,label\n1,1,1\n3,2,1\n2,3,0\n"
    )
    two = scoref.score_table(gold, found, engine=engine)
    assert two.counts["links"].tolist() == [[1, 2, 1, 2]]
    assert "|sources:two|" in two.signature
    one = scoref.score_table(gold, found, engine=engine, two_sources=False)
    assert one.counts["links"].tolist() == [[1, 1, 1, 1]]
    with pytest.raises(FormatError, match="'1'"):
        scoref.score_table(gold, [["1", "2"]], engine=engine)
    (other := tmp_path / "other.csv").write_text("id_l,id_r\n1,1\n")
    with pytest.raises(OptionError, match="Add --two-sources"):
        scoref.score_table(gold, other, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_dataset_is_part_of_the_id(tmp_path: Path, engine: str) -> None:
    names = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r"
    (gold := tmp_path / "gold.csv").write_text(f"{names}\nx,1,y,1\nx,2,y,2\n")
    (found := tmp_path / "found.csv").write_text(f"{names}\ny,1,x,1\nx,1,x,2\n")
    result = scoref.score_table(gold, found, engine=engine)
    assert result.counts["links"].tolist() == [[1, 2, 1, 2]]
    assert "|sources:named|" in result.signature


@pytest.mark.parametrize("engine", ENGINES)
def test_records_in_no_pair_count_if_they_are_listed(
    tmp_path: Path, engine: str
) -> None:
    (path := tmp_path / "records.csv").write_text("id,name\n" + "a,x\nb,x\nc,x\nd,x\n")
    result = score([("a", "b")], [("c", "d")], records=str(path), engine=engine)
    assert result.mentions == {"key": 4, "response": 4, "common": 4}
    assert result.clusters["key"] == 3
    with pytest.raises(FormatError, match="for example 'z'"):
        score([("a", "z")], [("c", "d")], records=str(path), engine=engine)
    with pytest.raises(OptionError, match="twice"):
        score(
            [("a", "b")],
            [("c", "d")],
            records=str(path),
            engine=engine,
            two_sources=True,
        )
    both = score(
        [("a", "b")],
        [("a", "c")],
        records=[str(path), str(path)],
        two_sources=True,
        engine=engine,
    )
    assert both.mentions["key"] == 8


def test_options_of_pairs_need_pairs(tmp_path: Path) -> None:
    for options in ({"threshold": 0.5}, {"left": "x"}, {"two_sources": True}):
        with pytest.raises(OptionError, match="Add --key-pairs"):
            scoref.score_table({"a": 1, "b": 1}, {"a": 1, "b": 2}, **options)
    with pytest.raises(OptionError, match="needs a column of scores"):
        score(GOLD, GOLD, threshold=0.5)
    with pytest.raises(OptionError, match="no groups"):
        score(GOLD, GOLD, group="year")
    with pytest.raises(OptionError, match="two tables"):
        scoref.score_table(GOLD, key_pairs=True)
    (path := tmp_path / "pairs.csv").write_text("id_a,id_b\na,b\n")
    result = run(
        "table", path, path, "--save-profile", tmp_path / "profile", code=2
    ).stderr
    assert "--save-profile needs clusters on both sides" in result


def test_components_are_those_of_a_slow_search() -> None:
    chance = np.random.default_rng(7)
    for count in (1, 2, 5, 40):
        for _ in range(20):
            left, right = chance.integers(0, count, (2, count // 2))
            every = [(str(n).zfill(3),) * 2 for n in range(count)]
            links = [
                (str(a).zfill(3), str(b).zfill(3))
                for a, b in zip(left.tolist(), right.tolist(), strict=True)
            ]
            expected = closure([*every, *links])
            root = connected_components(left, right, count)
            assert [str(n).zfill(3) for n in root.tolist()] == [
                expected[str(n).zfill(3)] for n in range(count)
            ]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_curve_takes_pairs_as_its_key(engine: str) -> None:
    scored = [("a", "b", 0.9), ("a", "c", 0.8), ("d", "e", 0.7), ("c", "d", 0.1)]
    curve = scoref.curve(GOLD, scored, key_pairs=True, engine=engine)
    clusters = scoref.curve(closure(GOLD), scored, engine=engine)
    for point, same in zip(curve.points, clusters.points, strict=True):
        assert point.scores["bcub"] == same.scores["bcub"]
    links = curve.at(0.7).scores["links"]
    assert (links.recall, links.precision) == (2 / 3, 2 / 3)  # a and c are not given
    assert clusters.at(0.7).scores["links"].precision == 1
    assert "|pairs:key|sources:one" in curve.signature


def test_the_page_of_pairs_shows_clusters(tmp_path: Path) -> None:
    (path := tmp_path / "pairs.csv").write_text("id_a,id_b\na,b\nb,c\n")
    (other := tmp_path / "found.csv").write_text("id_a,id_b\na,b\nc,d\n")
    page = tmp_path / "page.html"
    run("table", path, other, "--report", page, code=0)
    assert "clusters" in page.read_text(encoding="utf-8")


def test_every_pair_of_usual_names_decides_the_sources() -> None:
    from scoref.records.link_columns import have_two_sources

    one = ("id_l,id_r", "id_a,id_b", "id1,id2", "unique_id_l,unique_id_r", "left,right")
    two = ("ltable_id,rtable_id", "idAbt,idBuy", "idDBLP,idACM")
    for names in (*one, *two):
        assert have_two_sources(*names.split(",")) == (names in two), names
    assert len(list(combinations(one, 2))) == 10


def test_the_probability_is_the_score_wherever_its_column_is() -> None:
    # Splink writes the weight first; 0.5 is not a threshold for it.
    pairs = {
        "match_weight": [1.5, -3.0],
        "match_probability": [0.74, 0.11],
        "unique_id_l": [1, 3],
        "unique_id_r": [2, 4],
    }
    key = {1: "a", 2: "a", 3: "b", 4: "b"}
    result = scoref.score_table(key, pairs, threshold=0.1)
    assert result.columns["response score"] == "match_probability"
    assert result.scores["links"].recall == 1
    weights = scoref.score_table(key, pairs, threshold=0.1, score="match_weight")
    assert weights.scores["links"].recall == 0.5


def test_left_and_right_are_two_columns() -> None:
    table = {"id_a": ["a"], "id_b": ["b"]}
    with pytest.raises(FormatError, match="'id_a' was given as the left and the right"):
        score(table, table, left="id_a", right="id_a")


def test_one_record_that_is_not_listed() -> None:
    with pytest.raises(FormatError, match="1 record is not in 'records', for example"):
        score(GOLD, FOUND, records=["a", "b", "c", "d"])


def test_swapped_lists_of_two_sources() -> None:
    left, right = {"id": ["1", "2"]}, ["8", "9"]
    pairs = {"idAbt": ["1"], "idBuy": ["8"]}
    assert score(pairs, pairs, records=(left, right)).mentions["key"] == 4
    with pytest.raises(FormatError, match="The left source comes first"):
        score(pairs, pairs, records=(right, left))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_list_of_records_needs_ids(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "all.csv"
    path.write_text("id,name\na,x\nb,x\nc,x\nd,x\ne,x\n,y\n")
    with pytest.raises(FormatError, match=r"all\.csv: 1 row has no 'id'"):
        score(GOLD, FOUND, records=path, engine=engine)


def test_clusters_cannot_say_from_which_source_a_record_is() -> None:
    pairs = {"idAbt": ["1"], "idBuy": ["1"]}
    with pytest.raises(FormatError, match="1 left record has the id of a right record"):
        score({"1": "x", "2": "x"}, pairs, key_pairs=False)


def test_a_list_of_records_must_exist(tmp_path: Path) -> None:
    (path := tmp_path / "pairs.csv").write_text("id_a,id_b\na,b\n")
    lists = ["--records", str(tmp_path / "missing.csv")]
    result = run("table", str(path), str(path), *lists)
    assert result.exit_code == 1
    assert "missing.csv: this file does not exist" in result.stderr.replace("\n", "")


def test_one_record_that_metrics_do_not_cover() -> None:
    result = scoref.score_table({"a": 1, "b": 1}, {"a": 1, "b": 1, "c": 1})
    [note] = [note for note in result.notes if "cover only" in note.message]
    assert "The other 1 does not lower these figures. With" in note.message
    assert "each of them" not in note.message


@pytest.mark.parametrize("engine", ENGINES)
def test_records_without_links_count_in_the_clusters_of_the_other_side(
    engine: str,
) -> None:
    pytest.importorskip("duckdb")
    clusters = {"a": 1, "b": 1, "x": 2, "y": 2, "z": 2}
    result = scoref.score_table(GOLD, clusters, key_pairs=True, engine=engine)
    assert result.mentions["response"] == 5
    assert result.counts["links"].tolist() == [[1, 3, 1, 4]]


def test_progress_with_links_is_told_in_steps() -> None:
    pytest.importorskip("duckdb")
    told: list[tuple[str, float]] = []
    score(GOLD, FOUND, engine="duckdb", progress=lambda *step: told.append(step))
    assert told == [
        ("reading key", 0),
        ("reading response", 0),
        ("numbering records", 0.2),
        ("fetching pairs", 0.4),
    ]
