"""Small files of text: what NumPy reads is what DuckDB reads."""

from __future__ import annotations

import bz2
import gzip
import lzma
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError, OptionError, score_table
from support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


ENGINES = ("numpy", "duckdb")

RESPONSE = {"m1": 1, "m2": 1, "m3": 2}

ODD = {
    "plain": "m1,a\nm2,b\nm3,b\n",
    "a blank line": "m1,a\n\nm2,b\nm3,b\n",
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
    with pytest.raises(OptionError, match="NumPy counts files of text only"):
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
        "both files begin with 'paper\\tauthor', which was read as a mention; if these "
        "are names, say so (header, --header)"
    )
    for header, mentions in ((True, 1), (False, 2)):
        result = score_table(key, response, header=header)
        assert (result.notes, result.mentions["key"]) == ((), mentions)


def test_an_empty_side_is_told(tmp_path: Path) -> None:
    (path := tmp_path / "response.csv").write_text("mention,cluster\n")
    kinds = [note.kind for note in score_table(RESPONSE, path).notes]
    assert kinds == ["no-mentions", "only-in-key", "undefined"]
