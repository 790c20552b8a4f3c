"""The temporary folder: its name, its links, and its removal."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from scoref.errors import OptionError
from scoref.records import scratch
from scoref.records.api import score_table
from scoref.records.scratch import Scratch

if TYPE_CHECKING:
    from pathlib import Path

    Clustering = dict[tuple[str, str], str]
    Table = dict[str, list[str | None]]

pa = pytest.importorskip("pyarrow")
ROWS = {"m1": "a", "m2": "a", "m3": "b"}


def write_parquet(path: Path, rows: dict[str, str]) -> None:
    from pyarrow import parquet  # if it is there

    table = pa.table({"mention": list(rows), "cluster": list(rows.values())})
    parquet.write_table(table, path)


def test_the_temporary_folder_is_no_sql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "it's"
    folder.mkdir()
    write_parquet(tmp_path / "key.parquet", ROWS)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert score_table(tmp_path / "key.parquet", ROWS).scores["bcub"].f1 == 1
    assert list(folder.iterdir()) == []


def test_a_temporary_folder_that_is_a_pattern_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t[1]"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with pytest.raises(OptionError, match="Set TMPDIR"):
        score_table(ROWS, ROWS, engine="duckdb")
    assert list(folder.iterdir()) == []


def test_what_a_killed_process_left_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    at_work = Scratch()
    (left := tmp_path / "scoref-left").mkdir()
    (left / scratch._LOCK).touch()  # noqa: SLF001 - which nobody holds
    (foreign := tmp_path / "scoref-notes").mkdir()
    Scratch().close()
    assert sorted(tmp_path.iterdir()) == sorted([at_work.path, foreign])
    at_work.close()


def test_a_link_is_not_taken_for_one_whose_name_it_begins() -> None:
    made = Scratch()
    paths = [f"/für/{number}" for number in range(12)]
    links = made.links("key_table", paths)
    actual = [made.original_of(f'Failed to read file "{link}": no') for link in links]
    made.close()
    assert actual == paths


@pytest.mark.parametrize("memory", ["1GB", "much"])
def test_nothing_is_left_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with suppress(OptionError):
        score_table({"m": 1}, {"m": 1}, engine="duckdb", memory=memory)
    assert list(tmp_path.iterdir()) == []
