"""What changed between two releases of clusters."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.records.diff import changed_clusters
from support.commands import run
from support.paths import EXAMPLES

OLD, NEW = str(EXAMPLES / "table-key.tsv"), str(EXAMPLES / "table-response.tsv")

CLUSTERS = st.dictionaries(st.integers(0, 9), st.sampled_from("abcd"), min_size=1)


def slow(old: dict[int, str], new: dict[int, str]) -> dict[str, float]:
    """Count the same with sets."""
    olds = {name: {r for r in old if old[r] == name} for name in old.values()}
    news = {name: {r for r in new if new[r] == name} for name in new.values()}
    counts = dict.fromkeys(
        ["kept", "unchanged", "split", "merged", "split_and_merged", "removed"], 0
    )
    together = 0
    for records in olds.values():
        parts = [other for other in news.values() if other & records]
        others = [part & set(old) - records for part in parts]
        together += max((len(part & records) for part in parts), default=0)
        is_split, is_merged = len(parts) > 1, any(others)
        counts["removed"] += not parts
        counts["kept"] += bool(parts) and not is_split and not is_merged
        counts["unchanged"] += records in news.values()
        counts["split"] += is_split
        counts["merged"] += is_merged
        counts["split_and_merged"] += is_split and is_merged
    common = set(old) & set(new)
    return {
        "old_clusters": len(olds),
        "new_clusters": len(news),
        **counts,
        "added": sum(not records & set(old) for records in news.values()),
        "old_records": len(old),
        "new_records": len(new),
        "moved": len(common) - together,
        "removed_records": len(old) - len(common),
        "added_records": len(new) - len(common),
        "retained": together / len(old),
    }


@given(CLUSTERS, CLUSTERS)
@settings(deadline=None)
def test_every_figure_is_that_of_the_slow_version(
    old: dict[int, str], new: dict[int, str]
) -> None:
    if not set(old) & set(new):
        return
    diff = scoref.diff_tables(old, new)
    assert diff.figures == slow(old, new)
    assert diff.changed is not None
    assert sum(c.parts > 1 for c in diff.changed) == diff.figures["split"]
    kept = diff.figures["old_records"] - sum(c.size for c in diff.changed)
    together = sum(c.together for c in diff.changed)
    assert (kept + together) / len(old) == pytest.approx(diff.retained)


def test_engines_agree() -> None:
    old = {1: "a", 2: "a", 3: "b", 4: "c"}
    new = {1: "x", 2: "y", 3: "x", 5: "y", 6: "z"}
    both = [scoref.diff_tables(old, new, engine=e) for e in ("numpy", "duckdb")]
    assert both[0].to_dict() == both[1].to_dict()
    assert both[0].figures == slow(old, new)


def test_the_least_retained_cluster_comes_first() -> None:
    old = ["a", "a", "a", "b", "b", "c", "d", None]
    new = ["x", "x", "y", "y", "z", None, "w", "w"]
    changed = changed_clusters(old, new, [f"r{n}" for n in range(1, 9)])
    assert [c.cluster for c in changed] == ["c", "b", "a"]
    assert changed[1] == ("b", 2, 2, 0, "y", 1, 1, ("r5",))
    assert changed[0].largest is None
    assert changed[0].records == ("r6",)
    assert changed[2].records == ("r3",)


def test_a_gate_for_the_retained_share() -> None:
    failed = run("table", OLD, NEW, "--diff", "--fail-if", "retained<0.8")
    assert failed.exit_code == 3
    assert "retained is 0.75" in failed.stderr
    assert "Kept" in failed.stdout
    assert run("table", OLD, NEW, "--diff", "--fail-if", "retained<0.7").exit_code == 0
    (result,) = json.loads(run("table", OLD, NEW, "--diff", "--output", "json").stdout)[
        "results"
    ]
    assert {name: result[name] for name in ("kept", "split", "merged", "moved")} == {
        "kept": 1,
        "split": 3,
        "merged": 4,
        "moved": 4,
    }
    assert result["changed"][0]["cluster"] == "dan"
    assert result["changed"][0]["retained"] == 0.5


def test_two_runs_of_a_linker_are_releases_of_pairs() -> None:
    old, new = {"id_a": [1, 2, 4], "id_b": [2, 3, 5]}, {"id_a": [1, 4], "id_b": [2, 5]}
    diff = scoref.diff_tables(old, new)
    assert diff.figures["kept"] == 2
    assert diff.figures["removed_records"] == 1
    assert [note.kind for note in diff.notes][:2] == ["key-pairs", "response-pairs"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([OLD], "--diff needs two tables"),
        ([OLD, NEW, NEW], "--diff needs two tables"),
        ([OLD, NEW, "--universe", "union"], "--universe"),
        ([OLD, NEW, "--name", "x"], "--name"),
        ([OLD, NEW, "--beta", "2"], "--beta"),
    ],
)
def test_wrong_calls_are_refused(options: list[str], problem: str) -> None:
    result = run("table", *options, "--diff")
    assert result.exit_code == 2
    assert problem in result.stderr.replace("\n  ", " ")


def test_a_diff_is_printed_with_two_decimals() -> None:
    text = str(scoref.diff_tables({"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2, "c": 2}))
    assert "Retained: 66.67 % of the old records" in text
