"""Which columns are read: those that are named, or the only ones; and it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.errors import FormatError
from scoref.records.api import score_table
from scoref.records.table.command import command
from support.json_output import result_of

pytestmark = pytest.mark.usefixtures("wide")

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("duckdb")
ENGINES = ("numpy", "duckdb")
WIDE = "record_id,source,entity_id,cluster_id\nm1,x,a,1\nm2,x,a,1\nm3,y,b,2\n"
NARROW = "record_id,cluster_id\nm1,1\nm2,1\nm3,2\n"


@pytest.fixture
def wide(tmp_path: Path) -> str:
    (path := tmp_path / "wide.csv").write_text(WIDE)
    return str(path)


@pytest.fixture
def narrow(tmp_path: Path) -> str:
    (path := tmp_path / "narrow.csv").write_text(NARROW)
    return str(path)


@pytest.mark.parametrize("engine", ENGINES)
def test_of_more_than_two_columns_none_is_taken(
    wide: str, narrow: str, engine: str
) -> None:
    with pytest.raises(FormatError) as caught:
        score_table(wide, narrow, engine=engine)
    assert str(caught.value) == (
        f"{wide}: which column is the mention, and which its cluster? There are 4\n"
        "  hint: its columns are record_id, source, entity_id, cluster_id; name them: "
        "--mention COLUMN and --key-cluster COLUMN (mention and key_cluster in Python)"
    )
    with pytest.raises(FormatError, match="--response-cluster COLUMN") as caught:
        score_table(narrow, wide, mention="record_id", engine=engine)
    assert caught.value.source == wide


@pytest.mark.parametrize("engine", ENGINES)
def test_the_columns_that_were_read_are_told(
    wide: str, narrow: str, engine: str
) -> None:
    found = score_table(
        wide, narrow, mention="record_id", key_cluster="entity_id", engine=engine
    )
    assert found.columns == {
        "key mention": "record_id",
        "key cluster": "entity_id",
        "response mention": "record_id",
        "response cluster": "cluster_id",
    }
    assert score_table({"m1": 1}, narrow, engine=engine).columns == {
        "response mention": "record_id",
        "response cluster": "cluster_id",
    }
    one = score_table(
        wide,
        mention="record_id",
        key_cluster="entity_id",
        response_cluster="cluster_id",
        group="source",
        engine=engine,
    )
    assert one.columns == {
        "mention": "record_id",
        "key cluster": "entity_id",
        "response cluster": "cluster_id",
        "group": "source",
    }
    assert score_table({"m1": 1}, {"m1": 1}, engine=engine).columns == {}


@pytest.mark.parametrize("output", ["text", "json", "csv", "markdown", "latex"])
def test_every_output_tells_the_columns(narrow: str, output: str) -> None:
    result = CliRunner().invoke(command, [narrow, narrow, "--output", output])
    if output == "json":
        assert result_of(result.stdout)["columns"]["key cluster"] == "cluster_id"
    else:
        assert "Columns: key mention 'record_id', key cluster" in result.output


@pytest.mark.parametrize("engine", ENGINES)
def test_of_two_columns_that_may_be_the_mention_none_is_taken(
    tmp_path: Path, engine: str
) -> None:
    (path := tmp_path / "both.csv").write_text(
        "record_id,source_id,gold,predicted\nm1,s,a,1\n"
    )
    with pytest.raises(FormatError) as caught:
        score_table(path, engine=engine)
    assert str(caught.value) == (
        f"{path}: which column is the mention? 'record_id', 'source_id' may be\n"
        "  hint: its columns are record_id, source_id, gold, predicted; name it: "
        "--mention COLUMN (mention in Python)"
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_hints_name_options_as_they_are_typed(wide: str, engine: str) -> None:
    with pytest.raises(FormatError, match="--key-cluster COLUMN"):
        score_table(wide, engine=engine)
    with pytest.raises(FormatError, match="--response-cluster COLUMN"):
        score_table(wide, key_cluster="entity_id", engine=engine)
