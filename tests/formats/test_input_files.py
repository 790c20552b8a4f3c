"""Files are read, unpacked and split into lines.

LF, CR LF and CR are read; a mixture of CR and LF is refused.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

import scoref
from scoref import FormatError, OptionError
from scoref.formats import archives, reading
from scoref.formats.input_files import (
    Lines,
    decode_text,
    is_number,
    read_bytes,
    refuse_second_reading,
)
from scoref.tools.check.check import check_data
from scoref.tools.check.repairs import repair
from scoref.tools.convert.conversion import convert
from support.bad_files import CONLL, COREFUD, JSON, TAC, UA
from support.corpus_values import mentions_by_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scoref.model import Corpus

TABLE = b"document,entity,start,end\nd,0,0,0\nd,0,2,2\n"
TEXTS = {
    "conll-2012": CONLL,
    "corefud": COREFUD,
    "universal-anaphora": UA,
    "json-lines": JSON + JSON.replace(b'"d"', b'"e"', 1),
    "tac-edl": TAC,
    "mention-table": TABLE,
}
every_text = pytest.mark.parametrize("name", TEXTS)


def zstandard(data: bytes) -> bytes:
    packed: bytes = pa.compress(data, codec="zstd", asbytes=True)
    return packed


def with_returns(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r")


def read(data: bytes) -> Corpus:
    return reading.read_data(data, source="x", role="key")


@every_text
def test_lines_may_end_in_cr_alone(name: str, tmp_path: Path) -> None:
    expected = read(TEXTS[name])
    data = with_returns(TEXTS[name])
    path = tmp_path / "x"
    for written in (data, b"\xef\xbb\xbf" + data, data + b"\n", gzip.compress(data)):
        path.write_bytes(written)
        corpus = reading.read(path, role="key")
        assert corpus.format == name
        assert mentions_by_document(corpus) == mentions_by_document(expected)
        assert corpus.mention_line.tolist() == expected.mention_line.tolist()
    assert mentions_by_document(read(data)) == mentions_by_document(expected)


@every_text
def test_words_and_scores_are_the_same(name: str, tmp_path: Path) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_bytes(TEXTS[name])
    response.write_bytes(with_returns(TEXTS[name]))
    assert scoref.score(key, response).conll == 1
    if name != "tac-edl":
        made = [
            convert(each, "json-lines", lossy=True).data for each in (key, response)
        ]
        made.append(convert(response.read_bytes(), "json-lines", lossy=True).data)
        assert made == [made[0]] * 3


@every_text
def test_check_reports_cr_and_repairs_it(name: str) -> None:
    data = with_returns(TEXTS[name])
    before = {each.rule for each in check_data(TEXTS[name], source="x")}
    problems = check_data(data, source="x")
    assert {each.rule for each in problems} == before | {"cr-line-ends"}
    repaired = repair(data, source="x", rules=frozenset(["cr-line-ends"]))
    assert repaired.data == TEXTS[name]
    assert repaired.counts == {"cr-line-ends": 1}


@pytest.mark.parametrize("name", ["conll-2012", "corefud", "universal-anaphora"])
def test_a_mixture_of_cr_and_lf_is_refused(name: str) -> None:
    text = TEXTS[name]
    data = text + with_returns(text).replace(b"d", b"e") + text + text
    line = text.count(b"\n") + 1
    for mixed, place in ((data, line), (text.replace(b"\n", b"\r", 1), 1)):
        with pytest.raises(FormatError) as caught:
            read(mixed)
        assert caught.value.line == place
        assert caught.value.problem == (
            "this line contains a CR. Some lines seem to end in CR, others in LF"
        )
        rules = [(each.rule, each.line) for each in check_data(mixed, source="x")]
        assert rules == [("mixed-line-ends", place)]


def test_json_lines_may_mix_cr_and_lf() -> None:
    lines = [JSON.replace(b'"d"', f'"{name}"'.encode(), 1) for name in "abcd"]
    mixed = b"".join([*lines[:3], lines[2][:-1].replace(b'"c"', b'"e"') + b"\r"])
    mixed += lines[3]
    assert [name.name for name in read(mixed).documents] == [*"abced"]


def test_tables_may_mix_cr_and_lf_and_have_cr_in_cells() -> None:
    table = b'document,entity,start,end,text\nd,0,0,0,"A\rB"\nd,0,2,2,C\rd,0,4,4,D\n'
    assert mentions_by_document(read(table)) == {"d": {"0": [(0, 0), (2, 2), (4, 4)]}}


def test_cr_before_cr_lf_is_no_mixture() -> None:
    data = CONLL.replace(b"\n", b"\r\r\n")
    assert mentions_by_document(read(data)) == mentions_by_document(read(CONLL))


def test_a_file_may_be_packed_whatever_its_name_is(tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    for data in (b"a\nb\n", gzip.compress(b"a\nb\n"), lzma.compress(b"a\nb\n")):
        path.write_bytes(data)
        assert read_bytes(path) == b"a\nb\n"


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(bytes(1000))[:-9])
    with pytest.raises(FormatError, match="cannot be unpacked") as error:
        read_bytes(path)
    assert error.value.source == str(path)


@pytest.mark.parametrize("text", [b"a,bcdefghij,,", b"", b"abcdefgh", b"\xff,\0"])
def test_texts_of_eight_bytes_are_integers(text: bytes) -> None:
    pieces = text.split(b",")
    end = np.cumsum([len(piece) + 1 for piece in pieces]) - 1
    start = end - [len(piece) for piece in pieces]
    lines = Lines(text, np.frombuffer(text, np.uint8), start, end)
    expected = [int.from_bytes(piece[:8], "little") for piece in pieces]
    assert lines.packed(start, end).tolist() == expected


def test_standard_input_can_be_given_once() -> None:
    refuse_second_reading(["-", "a"])
    with pytest.raises(OptionError, match=r"standard input .* can be read only once"):
        refuse_second_reading(["-", "a", "-"])


def test_text_that_is_not_utf_8_is_refused_with_its_line() -> None:
    assert decode_text("\ufeffé".encode(), "x") == "é"
    with pytest.raises(FormatError, match="this is not UTF-8") as error:
        decode_text(b"a\n\xff\n", "x")
    assert error.value.line == 2


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("0", True),
        ("12", True),
        ("-1", False),
        ("1.5", False),
        ("", False),
        ("٣", False),
        ("9" * 16, False),
    ],
)
def test_an_offset_is_a_few_digits(cell: str, *, expected: bool) -> None:
    assert is_number(cell) is expected


def test_lines_are_found_with_lf_and_cr_lf() -> None:
    lines = Lines.of(b"ab\r\n\n  \ncd")
    assert [lines[row] for row in range(len(lines))] == [b"ab", b"", b"  ", b"cd"]
    assert lines.is_blank().tolist() == [False, True, True, False]
    assert lines.count(ord("b")).tolist() == [1, 0, 0, 0]
    assert bytes(lines.last_byte().tolist()) == b"b\n d"


def zipped(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("pack", [bz2.compress, zstandard], ids=["bz2", "zst"])
def test_other_compressions_are_read(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "x.conll"
    path.write_bytes(pack(CONLL))
    assert read_bytes(path) == CONLL
    assert scoref.score(path, path).conll == 1
    path.write_bytes(pack(bytes(1000))[:-5])
    with pytest.raises(FormatError, match="cannot be unpacked"):
        read_bytes(path)


def test_zstandard_is_named_if_no_library_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.conll.zst"
    path.write_bytes(zstandard(CONLL))
    for name in ("compression.zstd", "backports.zstd", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(FormatError, match="compressed with Zstandard") as caught:
        read_bytes(path)
    assert "pip install backports.zstd" in caught.value.hint


def test_a_zip_with_one_file_is_that_file(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", **{"in/key.conll": CONLL, "in/README.md": b"?"})
    assert read_bytes(path) == CONLL
    assert scoref.score(path, path).conll == 1
    assert reading.read(path, role="key").source == str(path)


def test_a_zip_with_several_files_is_a_folder(tmp_path: Path) -> None:
    text = b"Mia slept . She dreamt .\n"
    notes = b"T1\tMention 0 3\tMia\nT2\tMention 12 15\tShe\n*\tCoreference T1 T2\n"
    files = {f"set/{name}.ann": notes for name in "ab"}
    files |= {f"set/{name}.txt": text for name in "ab"}
    path = zipped(tmp_path / "x.zip", **files)
    result = scoref.score(path, path)
    assert (result.documents, result.conll) == (("a", "b"), 1)
    with pytest.raises(FormatError, match="this zip has 4 files") as caught:
        read_bytes(path)
    assert caught.value.source == str(path)
    files["set/b.ann"] = b"T1\tMention 0 99\tMia\n"
    with pytest.raises(FormatError) as caught:
        scoref.score(zipped(path, **files), path)
    assert caught.value.source == str(path / "set" / "b.ann")


def test_a_zip_of_datasets_is_scored_like_the_folder(tmp_path: Path) -> None:
    files = {f"xx_{name}-corefud-dev.conllu": COREFUD for name in "ab"}
    path = zipped(tmp_path / "x.zip", **files)
    assert scoref.score_folders(path, [path]).datasets == ("xx_a", "xx_b")


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"../x.conll": CONLL}, "would be written outside its folder"),
        ({"a.conll.gz": gzip.compress(CONLL)}, "is compressed, and so is the zip"),
        ({}, "this zip has 0 files"),
    ],
    ids=["outside", "packed twice", "empty"],
)
def test_unsafe_zips_are_refused(
    files: dict[str, bytes], problem: str, tmp_path: Path
) -> None:
    path = zipped(tmp_path / "x.zip", **files)
    with pytest.raises(FormatError, match=problem):
        read_bytes(path)


def test_zips_with_too_many_bytes_or_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped(tmp_path / "x.zip", **{"a.conll": bytes(100_000)})
    monkeypatch.setattr(archives, "_MOST_BYTES", 100)
    monkeypatch.setattr(archives, "_MOST_TIMES", 2)
    with pytest.raises(FormatError, match="bytes, which is the limit"):
        read_bytes(path)
    monkeypatch.setattr(archives, "MOST_FILES", 1)
    path = zipped(path, **{"a.conll": CONLL, "b.conll": CONLL})
    with pytest.raises(FormatError, match="at most 1 are accepted"):
        read_bytes(path)


def test_a_damaged_zip_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", **{"a.conll": CONLL * 50})
    data = path.read_bytes()
    path.write_bytes(data[:60] + b"\xff" * 9 + data[69:])
    with pytest.raises(FormatError, match=r"this zip cannot be unpacked at 'a.conll'"):
        read_bytes(path)
    path.write_bytes(data[:60])
    with pytest.raises(FormatError, match="this zip cannot be unpacked"):
        scoref.score(path, path)


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"7z\xbc\xaf\x27\x1c\0\4", "a 7-Zip archive"),
        (b"Rar!\x1a\x07\x01\0", "a RAR archive"),
        (b"\x04\x22\x4d\x18d@", "compressed with LZ4"),
        (b"\x5d\0\0\x80\0", "compressed with LZMA"),
        (b"\x1f\x9d\x90", r"compressed with compress \(.Z\)"),
        (b"a.conll".ljust(257, b"\0") + b"ustar", "a tar archive"),
        (gzip.compress(b"a".ljust(257, b"\0") + b"ustar", mtime=0), "a tar archive"),
    ],
)
@pytest.mark.parametrize("format", [None, "conll-2012"])
def test_other_archives_are_named(
    start: bytes, kind: str, format: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "file.conll"
    path.write_bytes(start)
    with pytest.raises(FormatError, match=kind):
        scoref.score(path, path, format=format)


def test_a_file_that_is_not_in_a_zip_is_an_error(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", **{"a.conll": CONLL, "b.conll": CONLL})
    assert read_bytes(path / "a.conll") == CONLL
    with pytest.raises(
        FormatError, match=r"there is no file 'c.conll' in .*x.zip"
    ) as no:
        read_bytes(path / "c.conll")
    assert no.value.hint == "It has 'a.conll', 'b.conll'."
