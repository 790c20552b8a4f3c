"""The page of a table: scores, and clusters in the place of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from places import EXAMPLES
from scoref.tables import labels
from scoref.tables.labels import labels_of
from scoref.tools.table.command import command

if TYPE_CHECKING:
    from pathlib import Path

FILES = str(EXAMPLES / "table-key.tsv"), str(EXAMPLES / "table-response.tsv")
BOTH = str(EXAMPLES / "table-both.csv")
COLUMNS = ("--mention", "record", "--key-cluster", "person")
NAMES = ("--response-cluster", "predicted", "--group", "source")


@pytest.mark.parametrize("arguments", [FILES, (BOTH, *COLUMNS, *NAMES)])
def test_a_page_is_written_beside_the_scores(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    path = tmp_path / "page.html"
    result = CliRunner().invoke(command, [*arguments, "--report", str(path)])
    assert result.exit_code == 0
    assert "Pairwise, links" in result.stdout
    assert path.read_text(encoding="utf-8").startswith("<!")


def test_profiles_have_no_clusters_to_show(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    runner = CliRunner()
    runner.invoke(command, [*FILES, "--save-profile", str(profile)])
    page = str(tmp_path / "page.html")
    result = runner.invoke(command, ["--profile", str(profile), "--report", page])
    assert result.exit_code == 2
    assert "needs the clusters themselves" in result.stderr


def test_groups_stand_before_the_names_of_clusters() -> None:
    table = {"m": ["1", "1"], "k": ["a", "a"], "r": ["x", "y"], "g": ["p", "q"]}
    found = labels_of(
        [table], mention="m", key_cluster="k", response_cluster="r", group="g"
    )
    assert found == (["p: a", "q: a"], ["p: x", "q: y"], ["1", "1"])


def test_labels_are_the_same_by_way_of_duckdb(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    expected = labels_of(FILES)
    monkeypatch.setattr(labels, "is_small", lambda _: False)
    assert labels_of(FILES) == expected
    assert len(expected[2]) == 16


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "MOST", 10)
    result = CliRunner().invoke(command, [*FILES, "--report", "page.html"])
    assert result.exit_code == 2
    assert "up to 10 rows" in result.stderr
