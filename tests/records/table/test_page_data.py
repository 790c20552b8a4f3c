"""The data of a report on tables."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from scoref.records.api import score_table
from scoref.records.table.report import table_report
from scoref.tools.report.clusters import clusters_of
from scoref.tools.report.page import render_page
from scoref.tools.report.page.contract import read_report

KEY = ["x", "x", "x", "y", "z"]
RESPONSE = ["a", "a", "b", "b", "c"]


def report_of(**options: Any) -> dict[str, Any]:  # noqa: ANN401 - those of `score_table`
    result = score_table(KEY, RESPONSE, **options)
    clusters = clusters_of(KEY, RESPONSE, range(len(KEY)))
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
    expected = score_table(KEY, RESPONSE).scores
    found = {each["metric"]: each["f1"] for each in system["scores"]}
    assert found == pytest.approx({name: expected[name].f1 for name in found})
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


def test_the_page_can_be_drawn() -> None:
    assert "key.csv" in render_page(report_of(), [])
