"""CoNLL-2012 as people write it: what is understood."""

from __future__ import annotations

import gzip
import lzma
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.formats import conll2012, reading
from support.corpus_values import mentions_by_document, tokens_by_document

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus
    from support.corpus_values import Mentions


def _read(text: str) -> Corpus:
    return conll2012.read(text.encode(), source="x.conll")


def _document(*cells: str) -> str:
    """Write a document with a cell a row."""
    rows = "".join(f"d\t0\t{n}\tw\t{cell}\n" for n, cell in enumerate(cells))
    return f"#begin document (d); part 000\n{rows}#end document\n"


def _mentions(text: str) -> Mentions:
    """Read the mentions of a text with one document."""
    (mentions,) = mentions_by_document(_read(text)).values()
    return mentions


@pytest.mark.parametrize(
    ("cells", "mentions"),
    [
        (("(1)", "-", "(1)"), {"1": [(0, 0), (2, 2)]}),
        (("(1", "-", "1)"), {"1": [(0, 2)]}),
        (("(1|(2)", "1)"), {"1": [(0, 1)], "2": [(0, 0)]}),
        (("(1", "(1", "1)", "1)"), {"1": [(1, 2), (0, 3)]}),
        (("(1", "(2", "1)", "2)"), {"1": [(0, 2)], "2": [(1, 3)]}),
        (("(1(2(3)", "2)1)"), {"3": [(0, 0)], "1": [(0, 1)], "2": [(0, 1)]}),
        (("(1", "1)|(1", "1)"), {"1": [(1, 1), (0, 2)]}),
        (("(person-6)", "(Ün)"), {"person-6": [(0, 0)], "Ün": [(1, 1)]}),
        (("(1)", "(01)", "(001)"), {"1": [(0, 0)], "01": [(1, 1)], "001": [(2, 2)]}),
        (("(a b", "a b)"), {"a b": [(0, 1)]}),
        (("(1)|", "|(1)"), {"1": [(0, 0), (1, 1)]}),
    ],
)
def test_brackets_become_mentions(cells: tuple[str, ...], mentions: Mentions) -> None:
    assert _mentions(_document(*cells)) == mentions


@pytest.mark.parametrize("nothing", ["-", "_", "*", ""])
def test_a_cell_may_say_in_four_ways_that_it_holds_nothing(nothing: str) -> None:
    assert _mentions(_document("(1", nothing, "1)")) == {"1": [(0, 2)]}


@pytest.mark.parametrize(
    "separator", ["\t", " ", "     ", " \t"], ids=["tab", "blank", "blanks", "both"]
)
def test_columns_are_separated_by_tabs_or_blanks(separator: str) -> None:
    rows = [["d", "0", "0", "(2008)", "(1"], ["d", "0", "1", "w)", "1)"]]
    lines = "\n".join(separator.join(row) for row in rows)
    text = f"#begin document (d); part 000\n{lines}\n#end document\n"
    assert _mentions(text) == {"1": [(0, 1)]}


@pytest.mark.parametrize("columns", [1, 2, 3, 12, 40])
def test_the_last_column_counts_however_many_there_are(columns: int) -> None:
    row = "\t".join(["w"] * (columns - 1) + ["(1)"])
    assert _mentions(f"#begin document d\n{row}\n#end document\n") == {"1": [(0, 0)]}


def test_a_mention_may_cross_a_sentence_break() -> None:
    text = "#begin document d\nw\t(1\n\n   \nw\t1)\n#end document\n"
    corpus = _read(text)
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 1)]}}
    assert tokens_by_document(corpus) == {"d": 2}


def test_comments_are_no_tokens() -> None:
    text = "#begin document d\n# sent_id = (1)\nw\t(1\n#\tnote\nw\t1)\n#end document\n"
    corpus = _read(text)
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 1)]}}
    assert tokens_by_document(corpus) == {"d": 2}


def test_the_word_number_sign_is_a_token() -> None:
    text = "#begin document d\nNo\t(1\n#\t-\n5\t1)\n#end document\n"
    corpus = _read(text)
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 2)]}}
    assert tokens_by_document(corpus) == {"d": 3}


@pytest.mark.parametrize(
    ("begin", "name", "aliases"),
    [
        ("#begin document (x); part 000", "(x); part 000", ("x_0", "x")),
        ("#begin document (x); part 012", "(x); part 012", ("x_12",)),
        ("#begin document (x); part 0", "(x); part 0", ("x_0", "x")),
        ("#begin document (x);", "(x);", ("x",)),
        ("#begin document (x)", "(x)", ("x",)),
        ("# begin document x", "x", ("x",)),
        ("#begin document\tx", "x", ("x",)),
        ("#begin document x y ", "x y", ("x y",)),
        ("#begin document (LuoTestCase); ", "(LuoTestCase);", ("LuoTestCase",)),
        ("#begin document", "", ("",)),
    ],
)
def test_a_begin_line_names_its_document(
    begin: str, name: str, aliases: tuple[str, ...]
) -> None:
    (document,) = _read(f"{begin}\nw\t(1)\n#end document\n").documents
    assert document == (name, aliases)


def test_a_begin_line_ends_the_document_before_it() -> None:
    text = "#begin document a\nw\t(1)\n#begin document b\nw\t-\nw\t(1)\n"
    corpus = _read(text)
    expected = {"a": {"1": [(0, 0)]}, "b": {"1": [(1, 1)]}}
    assert mentions_by_document(corpus) == expected


def test_labels_are_local_to_a_document() -> None:
    text = _document("(1)") + _document("(1)").replace("part 000", "part 001")
    expected = {"(d); part 000": {"1": [(0, 0)]}, "(d); part 001": {"1": [(0, 0)]}}
    assert mentions_by_document(_read(text)) == expected


def test_a_document_may_have_no_rows() -> None:
    corpus = _read("#begin document d\n#end document\n")
    assert mentions_by_document(corpus) == {"d": {}}
    assert tokens_by_document(corpus) == {"d": 0}


def test_a_file_without_begin_lines_is_one_document() -> None:
    corpus = _read("w\t(1\nw\t1)\n")
    assert mentions_by_document(corpus) == {"": {"1": [(0, 1)]}}


def test_lines_may_end_in_crlf() -> None:
    text = _document("(1", "-", "", "1)").replace("\n", "\r\n")
    assert mentions_by_document(_read(text)) == {"(d); part 000": {"1": [(0, 3)]}}


def test_the_last_line_needs_no_line_break() -> None:
    assert _mentions("#begin document d\nw\t(1)") == {"1": [(0, 0)]}


def test_a_byte_order_mark_is_passed_over() -> None:
    text = "\ufeff" + _document("(1)")
    assert mentions_by_document(_read(text)) == {"(d); part 000": {"1": [(0, 0)]}}


def test_bytes_that_are_no_utf8_are_read() -> None:
    data = b"#begin document d\nn\xe9\t(\xe9)\n#end document\n"
    corpus = conll2012.read(data, source="x.conll")
    assert mentions_by_document(corpus) == {"d": {"\ufffd": [(0, 0)]}}


def test_gzip_is_unpacked_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "packed"
    path.write_bytes(gzip.compress(_document("(1)").encode()))
    corpus = reading.read(path, role="key")
    assert mentions_by_document(corpus) == {"(d); part 000": {"1": [(0, 0)]}}


def test_xz_is_unpacked_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "packed"
    path.write_bytes(lzma.compress(_document("(1)").encode()))
    corpus = reading.read(path, role="key")
    assert mentions_by_document(corpus) == {"(d); part 000": {"1": [(0, 0)]}}


def test_an_archive_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(_document("(1)").encode())[:-9])
    with pytest.raises(scoref.FormatError) as caught:
        reading.read(path, role="key")
    assert caught.value.source == str(path)
    assert caught.value.problem.startswith("cannot be unpacked: ")
    assert caught.value.hint == "the archive is cut off or damaged"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.conll"
    with pytest.raises(scoref.FormatError) as caught:
        reading.read(path, role="key")
    assert str(caught.value) == (
        f"{path}: cannot be read: no such file or directory\n"
        "  hint: check the path and its permissions"
    )


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        scoref.FormatError, match="cannot be read: there is no file to score"
    ):
        reading.read(tmp_path, role="key")


def test_a_path_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(scoref.FormatError, match="cannot be read"):
        reading.read("key\0.conll", role="key")
