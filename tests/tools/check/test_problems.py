"""A problem shows the part of its line that matters."""

from __future__ import annotations

from scoref.rules import MISSING_END, UNREADABLE_CELL
from scoref.tools.check.problems import FileListing, as_warning, excerpt


def test_a_short_line_is_shown_whole() -> None:
    listing = FileListing("x", b"one\ntwo three\n")
    problem = listing.problem(UNREADABLE_CELL, "wrong", 2, (4, 9), hint="write it")
    assert (problem.rule, problem.severity) == ("unreadable-cell", "error")
    assert (problem.line, problem.column) == (2, 5)
    assert (problem.text, problem.mark) == ("two three", (4, 9))


def test_a_problem_of_the_whole_file_has_no_line() -> None:
    problem = FileListing("x", b"one\n").problem(MISSING_END, "wrong")
    assert (problem.line, problem.column, problem.text) == (None, None, "")


def test_a_line_that_is_not_there_is_empty() -> None:
    listing = FileListing("x", b"\xef\xbb\xbfone\ntwo")
    assert [listing.text(line) for line in range(4)] == ["", "one", "two", ""]


def test_a_long_line_is_cut_around_the_mark() -> None:
    line = "a" * 300 + "(0)" + "b" * 300
    text, mark = excerpt(line, (300, 303))
    assert mark is not None
    assert text[slice(*mark)] == "(0)"
    assert len(text) == 160
    assert text.startswith("…a")
    assert text.endswith("b…")


def test_an_error_of_a_layer_that_is_seldom_read_is_a_warning() -> None:
    listing = FileListing("x", b"one\n")
    error = listing.problem(UNREADABLE_CELL, "wrong", 1, hint="write it")
    reads = "Only --evaluate discourse-deixis reads this column."
    assert as_warning(error)[:2] == ("unreadable-cell", "warning")
    assert as_warning(error).hint == f"write it. {reads}"
    warning = listing.problem(MISSING_END, "wrong", 1)
    assert as_warning(warning) == warning
