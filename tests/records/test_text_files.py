"""Text files: every engine reads the same rows, or refuses the file alike."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings

from scoref.errors import FormatError, OptionError, ScorefError
from scoref.records.api import score_table
from scoref.records.file_types import find_files
from scoref.records.text_files import is_small
from support.nightly import IS_NIGHTLY
from support.odd_text_files import odd_tables
from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scoref.scoring.results import Result

ENGINES = ("numpy", "duckdb")
RESPONSE = {"m1": 1, "m2": 1, "m3": 2}
ODD = {
    "plain": "m1,a\nm2,b\nm3,b\n",
    "a blank line": "m1,a\n\nm2,b\nm3,b\n",
    "a blank before a line": "m1,a\n m2,b\nm3,b\n",
    "a line of a blank": "m1,a\n \nm2,b\nm3,b\n",
    "blank lines first": "\n\nm1,a\nm2,b\nm3,b\n",
    "no last line break": "m1,a\nm2,b\nm3,b",
    "returns": "m1,a\r\nm2,b\r\nm3,b\r\n",
    "a mark before it": "\ufeffm1,a\nm2,b\nm3,b\n",
    "a break in quotes": 'm1,"a\nc"\nm2,b\nm3,b\n',
    "a break in the first field": '"m1\n",a\nm2,b\nm3,b\n',
    "breaks and delimiters in quotes": '"m\t1\n;;;",a\n"m\r\n2",b\nm3,b\n',
    "a break in the header": '"mention\nid","cluster\nname"\nm1,a\nm2,b\nm3,b\n',
    "tabs, and a break first": '"m\n1"\ta\nm2\tb\nm3\tb\n',
    "a quote in quotes": 'm1,"a""c"\nm2,b\nm3,b\n',
    "a quote in a word": 'm1,a"c\nm2,b\nm3,b\n',
    "blanks": "m1, a\nm2,b \nm3,b \n",
    "a form feed and a line separator": "m1,a\x0cc\nm2,b\u2028c\nm3,b\u2028c\n",
    "no cluster": 'm1,\nm2,b\nm3,""\nm4,b\n',
    "a header": "mention,cluster\nm1,a\nm2,b\nm3,b\n",
    "blank lines at the end": "m1,a\nm2,b\nm3,b\n\n \n",
    "a blank line before the header": "\nmention,cluster\nm1,a\nm2,b\nm3,b\n",
    "line ends of all kinds": "m1,a\r\nm2,b\nm3,b\rm4,c\n",
    "an id in quotes that is empty": '"",a\nm2,b\nm3,b\n',
    "a return in quotes": 'm1,"a\r\nc"\nm2,b\nm3,"b\r"\n',
    "everything in quotes": '"mention","cluster"\r\n"m1","a,c"\r\n"m2","b"\r\n',
    "doubled quotes at the ends": '"m1","""a"""\n"m2",""""\n"m3",""""',
    "a blank before a quote": 'm1, "a"\nm2,b\nm3, "a"\n',
    "some in quotes": 'm1,"a"\n"m2",b\nm3,b\n"m4",""\n',
    "nothing in quotes": '"m1",""\n"m2",""\n"m3",b\n"m4",b\n',
    "a quote that stays open": 'm1,"a\nm2,b\nm3,b"\nm4,c\n',
    "tabs and quotes": '"m1"\t"a,b"\nm2\t"c"\nm3\tc\n',
    "a zero byte": "m1,a\0\nm2,b\nm3,b\n",
    "semicolons": "m1;a\nm2;b,c\nm3;b\n",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_both_engines_read_the_same(tmp_path: Path, text: str) -> None:
    path = tmp_path / "key.csv"
    path.write_bytes(text.encode())
    by_numpy, by_duckdb = (
        score_table(path, RESPONSE, engine=engine) for engine in ENGINES
    )
    assert by_numpy == by_duckdb
    assert by_numpy.mentions["key"] >= 2


@pytest.mark.parametrize(
    ("text", "line"), [("m1,a\nm2\n", 2), ("m1,a\nm2,c,d\n", 2), ('m1,"a"c\n', 1)]
)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_broken_line_is_named(
    tmp_path: Path, text: str, line: int, engine: str
) -> None:
    path = tmp_path / "key.csv"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        score_table(path, RESPONSE, engine=engine)
    assert caught.value.line == line


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("data", [b"m1,\xff\nm2,b\n", b"", b"\n \n"])
def test_what_is_no_text_or_empty_is_refused(
    tmp_path: Path, data: bytes, engine: str
) -> None:
    path = tmp_path / "key.csv"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"key\.csv"):
        score_table(path, RESPONSE, engine=engine)


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)],
)
def test_packed_files_are_read(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    data = ODD["plain"].encode()
    (tmp_path / "key.csv").write_bytes(data)
    (tmp_path / f"key.csv{suffix}").write_bytes(pack(data))
    plain = score_table(tmp_path / "key.csv", RESPONSE)
    packed = score_table(tmp_path / f"key.csv{suffix}", RESPONSE)
    assert (packed.scores, packed.mentions) == (plain.scores, plain.mentions)


def test_parts_have_a_header_each(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("mention,cluster\nm1,a\nm2,b\n")
    (tmp_path / "2.csv").write_text("mention,cluster\nm3,b\n")
    by_numpy, by_duckdb = (
        score_table(tmp_path, RESPONSE, engine=engine) for engine in ENGINES
    )
    assert by_numpy == by_duckdb
    assert by_numpy.mentions["key"] == 3


def test_numpy_reads_text_only(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.touch()
    with pytest.raises(OptionError, match="NumPy only counts text files"):
        score_table(path, RESPONSE, engine="numpy")


def test_small_files_need_no_engine() -> None:
    examples = ROOT / "examples"
    files = [str(examples / f"table-{side}.tsv") for side in ("key", "response")]
    program = (
        "import sys, scoref\n"
        "scoref.score_table(*sys.argv[1:])\n"
        "print({'duckdb', 'pyarrow', 'pandas'} & sys.modules.keys())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *files], capture_output=True, check=True
    )
    assert done.stdout.split() == [b"set()"]


def test_a_line_that_may_be_a_header_is_told(tmp_path: Path) -> None:
    key, response = tmp_path / "key.tsv", tmp_path / "response.tsv"
    key.write_text("paper\tauthor\nx\ta\n")
    response.write_text("paper\tauthor\nx\tb\n")
    (note,) = score_table(key, response).notes
    assert note.message == (
        "warning: Both files begin with 'paper\\tauthor', which was read as a record. "
        "If these are names of columns, add --header (header=True in Python)."
    )
    for header, mentions in ((True, 1), (False, 2)):
        result = score_table(key, response, header=header)
        assert (result.notes, result.mentions["key"]) == ((), mentions)


def test_an_empty_side_is_told(tmp_path: Path) -> None:
    (path := tmp_path / "response.csv").write_text("mention,cluster\n")
    kinds = [note.kind for note in score_table(RESPONSE, path).notes]
    assert kinds == ["no-mentions", "only-in-key", "undefined"]


pytest.importorskip("duckdb")
PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}
OTHERS = {"m1": 1, "m2": 1, "m3": 2, "a": 2, "007": 3}


def outcome(path: str, engine: str) -> Result | str:
    try:
        return score_table(
            path, OTHERS, engine=engine, duplicates="first", universe="union"
        )
    except ScorefError as error:
        return str(error)


@given(data=odd_tables())
@example(data=b"\nmention,cluster\nm1,a\nm2,b\n")
@example(data=b"m1,a\r\nm2,b\nm3,b\r")
@example(data=b"id,gold,GOLD\nm1,a,b\n")
@settings(max_examples=60 if IS_NIGHTLY else 20)
def test_engines_agree_on_any_file(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.mktemp("odd") / "key.csv"
    path.write_bytes(data)
    by_numpy, by_duckdb = (outcome(str(path), engine) for engine in ENGINES)
    assert by_numpy == by_duckdb


def test_a_blank_first_line_is_no_mention_whatever_the_size(tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    rows = "".join(f"record-{i:012},cluster-{i // 3}\n" for i in range(300_000))
    path.write_text(f"\nmention,cluster\n{rows}")
    assert not is_small(find_files(str(path)))
    actual = score_table(path, {"record-000000000000": 1}, ceaf=False)
    assert actual.mentions["key"] == 300_000


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("header", "named"),
    [("id,gold,gold", "'gold', 'gold'"), ("id,gold,GOLD", "'gold', 'GOLD'")],
)
def test_a_name_of_two_columns_names_none(
    tmp_path: Path, header: str, named: str, engine: str
) -> None:
    path = tmp_path / "key.csv"
    path.write_text(f"{header}\nm1,a,b\n")
    with pytest.raises(FormatError, match=f"2 columns have the same name: {named}"):
        score_table(path, OTHERS, mention="id", key_cluster="gold", engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_of_one_name_do_no_harm_if_nobody_needs_them(
    tmp_path: Path, engine: str
) -> None:
    path = tmp_path / "key.csv"
    path.write_text("id,note,cluster,Note,note\nm1,x,a,y,z\nm2,x,a,y,z\n")
    actual = score_table(
        path, OTHERS, mention="id", key_cluster="cluster", engine=engine
    )
    assert actual.clusters["key"] == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_without_an_id_are_counted_once(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "both.csv"
    path.write_text("id,gold,predicted\n,a,x\nm1,a,x\nm2,,x\n")
    kinds = [(note.kind, note.count) for note in score_table(path, engine=engine).notes]
    assert kinds == [
        ("unnamed-in-key", 1),
        ("unclustered-in-key", 1),
        ("unnamed-in-response", 1),
        ("only-in-response", 1),
        ("key-is-a-sample", 1),
        ("coverage", 1),
    ]


WORDS = ("nan", "NaN", "NA", "n/a", "<NA>", "null", "NULL", "None", "none", "-1")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "sqlite"])
@pytest.mark.parametrize("word", WORDS)
def test_words_for_a_missing_value_are_no_cluster(
    tmp_path: Path, engine: str, suffix: str, word: str
) -> None:
    if engine == "numpy" and suffix in {"parquet", "sqlite"}:
        pytest.skip("read by engines")
    rows = [("r1", "a"), ("r2", "a"), ("r3", word), ("NA", word), ("-1", "b")]
    path = _written(tmp_path / f"response.{suffix}", rows)
    key = {"r1": 1, "r2": 1, "r3": 2, "NA": 3, "-1": 3}
    actual = score_table(key, path, engine=engine)
    expected = score_table(key, {"r1": "a", "r2": "a", "-1": "b"})
    assert actual.scores == expected.scores
    assert actual.mentions == {"key": 5, "response": 3, "common": 3}
    kinds = {note.kind: note.count for note in actual.notes}
    assert kinds["unclustered-in-response"] == 2
    assert kinds["missing-values-in-response"] == 2


def _written(path: Path, rows: list[tuple[str, str]]) -> Path:
    """Write records and clusters in the format that the path names."""
    if path.suffix == ".jsonl":
        lines = [json.dumps({"id": a, "cluster": b}) + "\n" for a, b in rows]
        path.write_text("".join(lines))
    elif path.suffix == ".parquet":
        names = ("id", "cluster")
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        frame = pytest.importorskip("pandas").DataFrame(columns)
        pytest.importorskip("duckdb").from_df(frame).write_parquet(str(path))
    elif path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE found (id TEXT, cluster TEXT)")
            database.executemany("INSERT INTO found VALUES (?, ?)", rows)
            database.commit()
    else:
        separator = "\t" if path.suffix == ".tsv" else ","
        lines = [separator.join(row) + "\n" for row in [("id", "cluster"), *rows]]
        path.write_text("".join(lines))
    return path


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["int8", "int64", "float64", "object", "string"])
def test_noise_is_no_cluster_in_frames(engine: str, kind: str) -> None:
    pandas = pytest.importorskip("pandas")
    ids, clusters = list("abcde"), [0, 0, -1, -1, 1]
    frame = pandas.DataFrame({"id": ids, "cluster": clusters}).astype({"cluster": kind})
    both = frame.assign(gold=clusters)
    key = dict.fromkeys(ids, 1)
    for response in (frame, frame.set_index("id").cluster):
        actual = score_table(key, response, engine=engine)
        assert actual.mentions == {"key": 5, "response": 3, "common": 3}
    one = score_table(
        both,
        mention="id",
        key_cluster="gold",
        response_cluster="cluster",
        engine=engine,
    )
    assert one.mentions == {"key": 3, "response": 3, "common": 3}
    assert [note.count for note in one.notes] == [2, 2, 2, 2]


@pytest.mark.parametrize("engine", ENGINES)
def test_words_in_dicts_are_clusters_with_a_warning(engine: str) -> None:
    key = {"a": 1, "b": 1, "c": 2}
    actual = score_table(key, {"a": -1, "b": -1, "c": "none"}, engine=engine)
    assert actual.scores["bcub"].f1 == 1.0
    ((kind, count, message),) = [
        (note.kind, note.count, note.message) for note in actual.notes
    ]
    assert (kind, count) == ("missing-values-in-response", 3)
    assert message.startswith("warning: Clusters of the prediction that are called ")
    assert " have 3 records in total. " in message
    array = score_table(np.array([1, 1, 2]), np.array([-1, -1, 0]), engine=engine)
    assert array.mentions == {"key": 3, "response": 1, "common": 1}


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_have_the_same_columns(tmp_path: Path, engine: str) -> None:
    (tmp_path / "1.csv").write_text("mention,cluster\nm1,a\n")
    (tmp_path / "2.csv").write_text("cluster,mention\na,m2\n")
    with pytest.raises(FormatError, match="columns of this part are cluster, mention"):
        score_table(tmp_path, OTHERS, engine=engine)
    (tmp_path / "2.csv").write_text("m2,a\n")
    with pytest.raises(FormatError, match="columns of this part are 1, 2"):
        score_table(tmp_path, OTHERS, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_json_ids_keep_all_their_digits(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "key.jsonl"
    ids = [2**64 + number for number in range(4)]
    rows = [{"id": f"m{i}", "cluster": each} for i, each in enumerate(ids)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    response = {f"m{i}": str(each) for i, each in enumerate(ids)}
    actual = score_table(path, response, engine=engine)
    assert (actual.clusters["key"], actual.scores["cluster"].f1) == (4, 1.0)


@pytest.mark.parametrize("engine", ENGINES)
def test_json_is_read_alike(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "key.json"
    rows: list[dict[str, object]] = [
        {"id": 7, "c": 1.0},
        {"id": "007", "c": "1"},
        {"id": True, "c": 1e2},
        {"id": 2.5, "c": {"a": 1}},
        {"c": "x"},
        {"id": "é", "c": None},
    ]
    expected = score_table(
        [("7", "1"), ("007", "1"), ("true", "100"), ("2.5", '{"a":1}')], OTHERS
    )
    for text in (json.dumps(rows), "\n".join(json.dumps(row) for row in rows)):
        path.write_text(text)
        actual = score_table(path, OTHERS, engine=engine)
        assert (actual.scores, actual.mentions) == (expected.scores, expected.mentions)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": 1, "c": 2}\n{"id": 1', "key.jsonl:2: this is not JSON"),
        ("7\n", "key.jsonl:1: expected an object, found int"),
        ('{"id": 1, "id": 2, "c": 1}\n', "an object has the same name twice"),
        ('{"id": NaN, "c": 1}\n', "NaN is not a number in JSON"),
        ("[" * 100_000, "this is not JSON"),
        ("\n", "this file has no rows"),
        ('{"id": 1, "ID": 2}\n', "2 columns have the same name: 'id', 'ID'"),
    ],
)
def test_bad_json_is_refused_alike(
    tmp_path: Path, engine: str, text: str, message: str
) -> None:
    path = tmp_path / "key.jsonl"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        score_table(path, OTHERS, engine=engine)
    assert message in str(caught.value)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("suffix", PACK)
def test_packed_files_that_are_damaged_are_refused(
    tmp_path: Path, suffix: str, engine: str
) -> None:
    path = tmp_path / f"key.csv{suffix}"
    path.write_bytes(PACK[suffix](b"m1,a\nm2,b\n" * 99)[:-12])
    with pytest.raises(FormatError, match="cannot be read"):
        score_table(path, OTHERS, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_field_without_an_end_is_refused(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "key.csv"
    path.write_text(f"m1,a\nm2,{'b' * 200_000}\n")
    with pytest.raises(FormatError, match=r"csv:2: a field has more than 131,072"):
        score_table(path, OTHERS, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_table_in_another_encoding_is_refused_with_the_remedy(
    engine: str, encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("id,cluster\nm1,Müller\nm2,Müller\n".encode(encoding))
    with pytest.raises(FormatError, match="this is not UTF-8") as caught:
        score_table(RESPONSE, path, engine=engine)
    assert caught.value.source == str(path)
    assert caught.value.hint == "Convert it with iconv: iconv -f ENCODING -t UTF-8."
