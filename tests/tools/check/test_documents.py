"""Where documents start and end, and the bytes and lines of a file."""

from __future__ import annotations

import pytest

from scoref.formats.input_files import Lines
from scoref.tools.check.check import check_data
from scoref.tools.check.documents import (
    empty_documents,
    lines_ending_in_blanks,
    strip_blanks,
    unended_documents,
)
from support.bad_files import CONLL, COREFUD, conll


def test_a_document_without_an_end_goes_to_the_next_one() -> None:
    first, second = conll("(0)", "(0)", end=False), conll("(0)", name="e")
    assert unended_documents(Lines.of(first + second)) == [(0, 3)]
    assert unended_documents(Lines.of(second + first)) == [(4, 7)]
    assert unended_documents(Lines.of(second)) == []


def test_a_document_may_begin_without_a_name() -> None:
    rows = b"Ada\t(0)\nshe\t(0)\n"
    data = b"#begin document\n" + rows + b"#end document\n"
    assert check_data(data, source="x") == []
    (problem,) = check_data(rows, source="x")
    assert problem.message == "there is no '#begin document' line"
    problems = check_data(b"#begin document\n" + rows, source="x")
    assert [problem.rule for problem in problems] == ["missing-end"]


def test_a_document_with_comments_only_is_empty() -> None:
    newdoc = b"# newdoc id = e\n# sent_id = 1\n\n"
    assert empty_documents(newdoc + COREFUD + newdoc) == [0, 13]
    assert empty_documents(COREFUD) == []


def test_tabs_at_the_end_of_a_row_are_columns() -> None:
    lines = b"# a\t\nb\t\nc \n \nd\n"
    assert lines_ending_in_blanks(Lines.of(lines)).tolist() == [0, 2, 3]
    assert [*map(strip_blanks, lines.split(b"\n"))] == [
        *(b"# a", b"b\t", b"c", b"", b"d", b"")
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (CONLL.replace(b"\n", b"\r\n", 1), "1 line ends with CR LF"),
        (CONLL.replace(b"\n", b"\r\n", 2), "2 lines end with CR LF"),
        (conll("(0)", "(0)").replace(b"\n", b"\r"), "5 lines end with CR"),
        (CONLL.replace(b"w2", b"w2\xff"), "the byte 0xff is not valid UTF-8"),
    ],
)
def test_bytes_that_another_scorer_reads_differently_are_counted(
    data: bytes, message: str
) -> None:
    (problem,) = check_data(data, source="x")
    assert problem.message == message


def test_documents_without_a_mention_are_counted() -> None:
    empty = conll("-", name="e") + conll("-", name="f")
    (problem,) = check_data(CONLL + empty, source="x")
    assert problem.message == "2 of 3 documents have no mentions; this is the first"
    assert problem.line == CONLL.count(b"\n") + 1


def test_the_first_line_of_windows_is_named() -> None:
    second = CONLL.index(b"\n", CONLL.index(b"\n") + 1)
    data = CONLL[:second] + b"\r" + CONLL[second:]
    (problem,) = check_data(data, source="x")
    assert (problem.message, problem.line) == ("1 line ends with CR LF", 2)
