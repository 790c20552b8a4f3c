"""The pages of curves and estimates."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from scoref.tools.report.clusters import clusters_of
from support.commands import run
from support.paths import EXAMPLES

KEY, PAIRS = str(EXAMPLES / "curve-key.csv"), str(EXAMPLES / "curve-pairs.csv")
SAMPLE = str(EXAMPLES / "estimate-sample.csv")
PREDICTED = str(EXAMPLES / "estimate-predicted.csv")


def report_of(page: str) -> dict[str, Any]:
    """Return the data of a page."""
    match = re.search(
        r'<script type="application/json" id="report">(.*?)</script>', page
    )
    assert match
    report: dict[str, Any] = json.loads(match[1])
    return report


def test_the_page_of_a_curve_has_the_clusters_at_the_best_threshold(
    tmp_path: Path,
) -> None:
    path = tmp_path / "curve.html"
    result = run("curve", KEY, PAIRS, "--report", str(path))
    assert result.exit_code == 0, result.output
    page = path.read_text()
    assert '<i class="h0"></i>F₁ of B³<' in page
    assert '<i class="h1"></i>F₁ of Links<' in page
    assert "<polyline" in page
    left = {int(place) for place in re.findall(r'<line x1="(\d+)"', page)}
    ends = {int(place) for place in re.findall(r'<text x="(\d+)"[^>]*"end">', page)}
    assert ends == {place - 6 for place in left}
    assert "Best by B³: threshold 0.8" in page
    assert "pair completeness 100.00" in page
    report = report_of(page)
    assert report["metric"] == {"name": "bcub", "label": "B³"}
    (clusters,) = report["clusters"]
    expected = run("table", KEY, PAIRS, "--threshold", "0.8", "--report", str(path))
    assert expected.exit_code == 0, expected.output
    assert clusters == report_of(path.read_text())["clusters"][0]
    assert clusters["conflated"]


def test_a_key_of_pairs_has_a_page(tmp_path: Path) -> None:
    path = tmp_path / "curve.html"
    key, pairs = EXAMPLES / "pairs-gold.csv", EXAMPLES / "table-pairs.csv"
    result = run("curve", str(key), str(pairs), "--report", str(path))
    assert result.exit_code == 0, result.output
    assert report_of(path.read_text())["clusters"][0]["divided"]


def test_the_page_of_an_estimate_has_the_labelled_clusters(tmp_path: Path) -> None:
    path = tmp_path / "estimate.html"
    options = ["--weights", "cluster-size", "--report", str(path)]
    result = run("estimate", SAMPLE, PREDICTED, *options)
    assert result.exit_code == 0, result.output
    page = path.read_text()
    assert "interval over labelled clusters" in page
    assert "Assumed, not checked" in page
    (clusters,) = report_of(page)["clusters"]
    labelled = {cluster["key"] for cluster in clusters["divided"]}
    assert labelled <= {"c1", "c2", "c3"}
    assert labelled


def test_distances_have_no_page(tmp_path: Path) -> None:
    path = tmp_path / "curve.html"
    result = run("curve", KEY, PAIRS, "--distance", "--report", str(path))
    assert result.exit_code == 2
    assert "Leave out --distance" in result.stderr
    assert not path.exists()


def test_the_worst_cluster_loses_most_pairs() -> None:
    key = ["a"] * 5 + ["b"] * 4
    response = [1, 1, 1, 1, 2, 3, 3, 4, 4]
    divided = clusters_of(key, response, range(9))["divided"]
    # a loses 10 − 6 pairs, and b 6 − 2: the larger one comes first.
    assert [(c["key"], c["lost"]) for c in divided] == [("a", 4), ("b", 4)]
    response = [1, 1, 1, 1, 2, 3, 4, 5, 6]
    divided = clusters_of(key, response, range(9))["divided"]
    assert [(c["key"], c["lost"]) for c in divided] == [("b", 6), ("a", 4)]


def test_the_page_of_a_curve_reads_the_tables_like_the_curve(tmp_path: Path) -> None:
    path, key = tmp_path / "curve.html", tmp_path / "key.csv"
    key.write_text(Path(KEY).read_text().replace(",b", ",unknown"))
    for options, is_cluster in (((), True), (("--missing-values", "unknown"), False)):
        run("curve", str(key), PAIRS, *options, "--report", str(path), code=0)
        (clusters,) = report_of(path.read_text())["clusters"]
        assert ('"unknown"' in json.dumps(clusters)) == is_cluster
