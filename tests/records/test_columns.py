"""Which columns of a table are read, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref.errors import FormatError
from scoref.records.api import score_table
from support.commands import run
from support.json_output import result_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("wide")
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
        f"{wide}: cannot tell which of the 4 columns are the records and the "
        "clusters\n"
        "  hint: The columns are record_id, source, entity_id, cluster_id. Name them: "
        "--key-record COLUMN and --gold COLUMN (key_mention and key_cluster in "
        "Python)."
    )
    with pytest.raises(FormatError, match="--response-record COLUMN and"):
        score_table(narrow, wide, engine=engine)
    with pytest.raises(FormatError, match="--cluster COLUMN") as caught:
        score_table(narrow, wide, mention="record_id", engine=engine)
    assert caught.value.source == wide


@pytest.mark.parametrize("engine", ENGINES)
def test_usual_names_decide_before_the_order_of_two_columns(
    narrow: str, tmp_path: Path, engine: str
) -> None:
    (path := tmp_path / "splink.csv").write_text(
        "cluster_id,unique_id\nm1,m1\nm1,m2\nm3,m3\n"
    )
    actual = score_table(narrow, path, engine=engine)
    assert actual.scores["pairwise"][:3] == (1, 1, 1)
    assert actual.columns == {
        "key mention": "record_id",
        "key cluster": "cluster_id",
        "response mention": "unique_id",
        "response cluster": "cluster_id",
    }


@pytest.mark.parametrize("header", ["cluster,id", "entity,record_id"])
def test_a_column_that_the_caller_names_decides_before_usual_names(
    header: str, tmp_path: Path
) -> None:
    first, second = header.split(",")
    (path := tmp_path / "x.csv").write_text(f"{header}\nm1,a\nm2,a\n")
    chosen = score_table(path, path, mention=first).columns
    assert (chosen["key mention"], chosen["key cluster"]) == (first, second)


@pytest.mark.parametrize("header", ["name,person", "entity,cluster", "id,record"])
def test_of_two_columns_without_usual_names_the_first_has_the_records(
    header: str, tmp_path: Path
) -> None:
    (path := tmp_path / "x.csv").write_text(f"{header}\nm1,a\nm2,a\n")
    chosen = score_table(path, path, header=True).columns
    assert f"{chosen['key mention']},{chosen['key cluster']}" == header


@pytest.mark.parametrize("engine", ENGINES)
def test_the_columns_that_were_read_are_told(
    wide: str, narrow: str, engine: str
) -> None:
    actual = score_table(
        wide, narrow, mention="record_id", key_cluster="entity_id", engine=engine
    )
    assert actual.columns == {
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
    result = run("table", narrow, narrow, "--output", output)
    if output == "json":
        assert result_of(result.stdout)["columns"]["key cluster"] == "cluster_id"
    else:
        assert "Columns: gold record 'record_id', gold cluster" in result.output


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
        f"{path}: cannot tell which column has the records: 'record_id', 'source_id' "
        "are possible\n"
        "  hint: The columns are record_id, source_id, gold, predicted. Name it: "
        "--record COLUMN (mention in Python)."
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_hints_name_options_as_they_are_typed(wide: str, engine: str) -> None:
    with pytest.raises(FormatError, match="--gold COLUMN"):
        score_table(wide, engine=engine)
    with pytest.raises(FormatError, match="--cluster COLUMN"):
        score_table(wide, key_cluster="entity_id", engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("names", ["Cluster ID,Id,name", "cluster-id,Record ID,name"])
def test_usual_names_may_have_blanks_and_capitals(
    tmp_path: Path, names: str, engine: str
) -> None:
    (path := tmp_path / "dedupe.csv").write_text(f"{names}\n1,a,x\n1,b,y\n2,c,z\n")
    cluster, record, _ = names.split(",")
    columns = score_table(path, {"a": 1, "b": 1}, engine=engine).columns
    assert columns == {"key mention": record, "key cluster": cluster}


def test_a_header_that_was_read_as_a_row_is_mentioned(tmp_path: Path) -> None:
    (path := tmp_path / "key.csv").write_text("pid,person,src\na,1,x\nb,1,x\n")
    with pytest.raises(FormatError, match="are 1, 2, 3") as caught:
        score_table(path, path)
    assert "If the first line has names, add --header" in str(caught.value)
    with pytest.raises(FormatError, match="are pid, person, src") as caught:
        score_table(path, path, header=True)
    assert "--header" not in str(caught.value)
