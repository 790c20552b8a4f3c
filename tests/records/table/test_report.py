"""Scores of tables as a report, as a page with clusters, and as a plot."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from scoref.errors import OptionError
from scoref.metrics import METRICS, choose_metrics, usual
from scoref.model import Note
from scoref.records import cluster_labels as cluster_labels_module
from scoref.records.api import score_table
from scoref.records.cluster_labels import cluster_labels
from scoref.records.table.report import (
    TableView,
    clusterings_report,
    plot_clusters,
    size_classes,
    table_report,
)
from scoref.render import render
from scoref.tools.report.clusters import clusters_of
from scoref.tools.report.page import render_page
from scoref.tools.report.page.contract import read_report
from support.commands import run
from support.json_output import result_of
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.records.table.report import ScoredSizes
    from scoref.scheme import Undefined
    from scoref.scoring.results import Result

KEY = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2}
RESPONSE = {"a": "x", "b": "x", "c": "y", "d": "y", "f": "z"}
SINGLE = {"a": 1, "b": 2}
VIEW = TableView()
EVERY = choose_metrics("all", usual("tables"))


@pytest.fixture(scope="module")
def result() -> Result:
    return score_table(KEY, RESPONSE)


def written(result: Result, view: TableView = VIEW) -> Any:
    return result_of(render_clusterings(result, "json", view))


def render_clusterings(result: Result, output: str, view: TableView) -> str:
    return render(clusterings_report([result], view), output)


def _of(result: Result, *names: str) -> Result:
    return replace(result, metrics=names)


def test_every_metric_has_a_label_of_its_own(result: Result) -> None:
    assert tuple(result.scores) == EVERY
    assert len({METRICS[name].label for name in EVERY}) == len(EVERY)


def test_people_get_percentages_and_indices_in_tables(result: Result) -> None:
    lines = render_clusterings(result, "text", VIEW).splitlines()
    # Links: key 3 + 1, response 1 + 1, shared 1. With itself: 9 + 4, 4 + 4 + 1, 6.
    assert lines[2].split() == ["Pairwise,", "links", "25.00", "50.00", "33.33"]
    assert lines[4].split()[-3:] == ["46.15", "66.67", "54.55"]
    assert "Records: 5 gold, 5 predicted, 4 in both" in lines
    assert "Clusters: 2 gold, 3 predicted; 2 overlapping" in lines


def test_json_has_every_metric_at_full_precision(result: Result) -> None:
    scores = written(result)["scores"]
    assert list(scores) == list(EVERY)
    assert scores["pairwise"] == {
        "recall": 0.25,
        "precision": 0.5,
        "f1": 1 / 3,
        "defined": True,
    }
    assert scores["ari"] == {"value": result.values["ari"], "records": 4}
    assert scores["conll"] == {"f1": result.scores["conll"].f1}


def test_json_counts_mentions_and_clusters(result: Result) -> None:
    actual = written(result)
    assert actual["mentions"] == {"key": 5, "response": 5, "common": 4}
    assert actual["clusters"] == dict(result.clusters)
    assert actual["signature"] == result.signature


def test_what_is_not_a_number_is_null() -> None:
    result = score_table(SINGLE, SINGLE, undefined="nan")
    assert math.isnan(result.scores["muc"].f1)
    nothing = {"recall": None, "precision": None, "f1": None, "defined": False}
    assert written(result)["scores"]["muc"] == nothing
    rows = csv.DictReader(io.StringIO(render_clusterings(result, "csv", VIEW)))
    assert {row["metric"]: row["f1"] for row in rows}["muc"] == ""


@pytest.mark.parametrize(
    ("policy", "shown"), [("zero", "–"), ("nan", "–"), ("one", "100.00")]
)
def test_nothing_over_nothing_is_shown_as_asked(policy: Undefined, shown: str) -> None:
    result = score_table(SINGLE, SINGLE, undefined=policy, metrics="muc")
    row = render_clusterings(result, "text", VIEW).splitlines()[1]
    assert row.split() == ["MUC", shown, shown, shown]


def test_csv_has_a_row_for_each_metric(result: Result) -> None:
    rows = list(csv.DictReader(io.StringIO(render_clusterings(result, "csv", VIEW))))
    assert [row["metric"] for row in rows] == list(EVERY)
    assert float(rows[1]["f1"]) == result.scores["pairwise"].f1
    assert float(rows[-1]["value"]) == result.values["inverse-purity"]
    assert rows[-1]["f1"] == rows[0]["value"] == ""


def test_markdown_and_latex_are_two_tables(result: Result) -> None:
    markdown = render_clusterings(result, "markdown", VIEW)
    assert markdown.count("| --- |") == 2
    assert f"`{result.signature}`" in markdown
    latex = render_clusterings(result, "latex", VIEW)
    assert latex.count(r"\begin{tabular}") == 2
    assert r"B$^3$\_r\&n" in latex
    assert latex.endswith(f"% {result.signature}")


def test_one_kind_of_metric_makes_one_table(result: Result) -> None:
    text = render_clusterings(_of(result, "ari", "gmd"), "text", VIEW)
    assert text.split("\n\n")[0].split()[0] == "Value"
    assert "Recall" not in text


def test_precision_is_that_of_percentages(result: Result) -> None:
    few = _of(result, "pairwise", "ari", "gmd")
    lines = render_clusterings(few, "text", TableView(precision=0)).splitlines()
    assert lines[1].split()[-3:] == ["25", "50", "33"]
    assert lines[4].split()[-1] == f"{result.values['ari']:.2f}"
    assert lines[5].split()[-1] == f"{result.values['gmd']:.0f}"


def test_groups_have_a_row_each_and_the_last_is_all() -> None:
    table = {"id": [*"abcd"], "gold": [*"1122"], "predicted": [*"1123"], "g": [*"xxyy"]}
    both = score_table(table, group="g", metrics="muc", mention="id")
    view = TableView(per_group=True, was_asked=True)
    rows = render_clusterings(both, "text", view).split("\n\n")[0].splitlines()
    assert [row.split()[0] for row in rows] == ["Group", "x", "y", "all"]
    assert list(written(both, view)["groups"]) == ["x", "y"]
    assert "groups" not in written(both)
    lines = csv.DictReader(io.StringIO(render_clusterings(both, "csv", view)))
    assert [row["group"] for row in lines] == ["x", "y"]


def test_notes_are_told_with_the_scores(result: Result) -> None:
    noted = replace(result, notes=(Note("sample", 3, "a sample,\nit seems"),))
    message = "a sample,\\nit seems"
    assert clusterings_report([noted], VIEW).notes == [message]
    assert written(noted)["notes"] == [
        {"kind": "sample", "count": 3, "message": message}
    ]


def test_metrics_are_chosen_by_name_in_the_usual_order() -> None:
    known = usual("tables")
    assert choose_metrics("ari,B3 muc", known) == ("muc", "bcub", "ari")
    assert choose_metrics(None, known) == known
    with pytest.raises(OptionError, match="Did you mean pairwise"):
        choose_metrics("pairwize", known)
    with pytest.raises(OptionError, match="no metric was given"):
        choose_metrics(" , ", known)


FILES = str(EXAMPLES / "table-key.tsv"), str(EXAMPLES / "table-response.tsv")
BOTH = str(EXAMPLES / "table-both.csv")
COLUMNS = ("--mention", "record", "--key-cluster", "person")
NAMES = ("--response-cluster", "predicted", "--group", "source")


@pytest.mark.parametrize("arguments", [FILES, (BOTH, *COLUMNS, *NAMES)])
def test_a_page_is_written_beside_the_scores(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    path = tmp_path / "page.html"
    result = run("table", *arguments, "--report", str(path))
    assert result.exit_code == 0
    assert "Pairwise, links" in result.stdout
    assert path.read_text(encoding="utf-8").startswith("<!")


def test_profiles_have_no_clusters_to_show(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    run("table", *FILES, "--save-profile", profile, code=0)
    page = str(tmp_path / "page.html")
    result = run("table", "--profile", profile, "--report", page)
    assert result.exit_code == 2
    assert "needs the clusters themselves" in result.stderr


def test_groups_stand_before_the_names_of_clusters() -> None:
    table = {"m": ["1", "1"], "k": ["a", "a"], "r": ["x", "y"], "g": ["p", "q"]}
    actual = cluster_labels(
        [table], mention="m", key_cluster="k", response_cluster="r", group="g"
    )
    assert actual == (["p: a", "q: a"], ["p: x", "q: y"], ["1", "1"])


def test_labels_are_the_same_by_way_of_duckdb(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    expected = cluster_labels(FILES)
    monkeypatch.setattr(cluster_labels_module, "is_small", lambda _: False)
    assert cluster_labels(FILES) == expected
    assert len(expected[2]) == 16


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_labels_module, "MOST", 10)
    result = run("table", *FILES, "--report", "page.html")
    assert result.exit_code == 2
    assert "up to 10 rows" in result.stderr


PAGE_KEY = ["x", "x", "x", "y", "z"]
PAGE_RESPONSE = ["a", "a", "b", "b", "c"]


def report_of(**options: Any) -> dict[str, Any]:
    result = score_table(PAGE_KEY, PAGE_RESPONSE, **options)
    clusters = clusters_of(PAGE_KEY, PAGE_RESPONSE, range(len(PAGE_KEY)))
    report, texts = table_report(
        [replace(result, response="t/r.csv")], [clusters], key="t/key.csv"
    )
    assert texts == []
    read_report(report)
    json.dumps(report, allow_nan=False)
    return report


def test_scores_are_those_of_the_table() -> None:
    report = report_of()
    (system,) = report["systems"]
    expected = score_table(PAGE_KEY, PAGE_RESPONSE).scores
    actual = {each["metric"]: each["f1"] for each in system["scores"]}
    assert actual == pytest.approx({name: expected[name].f1 for name in actual})
    assert report["metric"] == {"name": "pairwise", "label": "Pairwise, links"}
    assert (report["title"], system["name"]) == ("key.csv", "r.csv")


def test_clusters_stand_in_the_place_of_texts() -> None:
    report = report_of()
    (clusters,) = report["clusters"]
    assert [each["key"] for each in clusters["divided"]] == ["x"]
    assert [each["response"] for each in clusters["conflated"]] == ["b"]
    assert report["sizes"]["key"] == [2, 0, 1, 0, 0]
    assert report["sizes"]["systems"] == [[1, 2, 0, 0, 0]]


def test_every_choice_is_explained() -> None:
    assert all(each["meaning"] for each in report_of()["choices"])


def test_the_conll_score_leads_only_where_it_was_asked_for() -> None:
    assert report_of(metrics=["muc", "conll"])["metric"]["name"] == "conll"
    assert report_of(ceaf=False)["metric"]["name"] == "pairwise"


def test_what_is_not_a_number_is_not_defined() -> None:
    alone = score_table(["x", "y"], ["a", "b"], undefined="nan")
    report, _ = table_report([alone], [clusters_of(["x"], ["a"], [0])], key="k")
    json.dumps(report, allow_nan=False)
    scores: Any = report["systems"]
    (pairwise,) = [s for s in scores[0]["scores"] if s["metric"] == "pairwise"]
    assert pairwise["is_defined"] is False
    assert pairwise["recall"] is None
    assert scores[0]["name"] == "response"


def test_a_zero_by_convention_is_not_defined() -> None:
    alone = score_table(["x", "y"], ["a", "b"])
    report, _ = table_report([alone], [clusters_of(["x"], ["a"], [0])], key="k")
    systems: Any = report["systems"]
    by_metric = {score["metric"]: score for score in systems[0]["scores"]}
    pairwise, bcub = by_metric["pairwise"], by_metric["bcub"]
    assert (pairwise["f1"], pairwise["is_defined"]) == (0, False)
    assert (bcub["f1"], bcub["is_defined"]) == (1, True)


def test_the_page_can_be_drawn() -> None:
    assert "key.csv" in render_page(report_of(), [])


PLOT_KEY = [["a"], ["b", "c", "d"], ["e", "f", "g", "h", "i"]]
PLOT_RESPONSE = [["a", "b"], ["c", "d"], ["e", "f", "g"], ["h", "x"]]


def classes_of(result: Result) -> list[ScoredSizes]:
    assert result.table is not None
    return size_classes(result.table)


def test_clusters_are_sorted_by_size_and_b_cubed_is_that_of_each_class() -> None:
    rows = classes_of(score_table(PLOT_KEY, PLOT_RESPONSE))
    assert [row[:3] for row in rows] == [
        ("1", 1, 0),
        ("2", 0, 3),
        ("3–4", 1, 1),
        ("5–8", 1, 0),
    ]
    # 1; b alone and c, d together of 3; e, f, g together and h alone of 5
    recall = [Fraction(1), None, Fraction(1 + 4, 9), Fraction(9 + 1, 25)]
    # a and b apart, c and d together, h with a stranger; e, f, g
    precision = [None, Fraction(1 + 1 + 4 + 1, 2 * 6), Fraction(1), None]
    for row, *expected in zip(rows, recall, precision, strict=True):
        for actual, value in zip(row[3:], expected, strict=True):
            assert actual == (None if value is None else pytest.approx(float(value)))


def test_classes_add_up_to_b_cubed() -> None:
    result = score_table(PLOT_KEY, PLOT_RESPONSE)
    rows = classes_of(result)
    sizes = {"1": 1, "3–4": 3, "5–8": 5}
    right = sum(sizes[row.label] * row.recall for row in rows if row.recall is not None)
    assert right / 9 == pytest.approx(result.scores["bcub"].recall)


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_a_picture_is_written(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    result = score_table(PLOT_KEY, PLOT_RESPONSE)
    for name in ("first", "second"):
        plot_clusters(tmp_path / f"{name}.{suffix}", result)
    data = (tmp_path / f"first.{suffix}").read_bytes()
    assert data == (tmp_path / f"second.{suffix}").read_bytes()
    if suffix != "png":
        assert result.signature.encode() in data
    if suffix == "html":
        assert b"5\xe2\x80\x938 records: 1 gold, 0 predicted" in data


def test_an_empty_response_can_be_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    plot_clusters(tmp_path / "x.svg", score_table({"a": 1}, {}))
    assert (tmp_path / "x.svg").exists()
