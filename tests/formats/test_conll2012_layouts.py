"""The layouts of corpora that leave columns out, or leave them empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref.formats import conll2012
from support.corpus_values import mentions_by_document

if TYPE_CHECKING:
    from support.corpus_values import Mentions


def _mentions(*rows: str) -> Mentions:
    text = "\n".join(["#begin document d", *rows, "#end document", ""])
    corpus = conll2012.read(text.encode(), source="x.conll")
    return mentions_by_document(corpus)["d"]


def test_litbank_leaves_the_last_column_empty() -> None:
    rows = (
        "bleak_house\t0\t0\tIn\t_\t_\t",
        "bleak_house\t0\t1\tChancery\t_\t_\t(7)",
        "bleak_house\t0\t2\tthe\t_\t_\t(3",
        "bleak_house\t0\t3\tLord\t_\t_\t",
        "bleak_house\t0\t4\tChancellor\t_\t_\t3)",
    )
    assert _mentions(*rows) == {"7": [(1, 1)], "3": [(2, 4)]}


def test_a_word_in_brackets_before_an_empty_column_is_no_mention() -> None:
    assert _mentions("In\t", "(2008)\t", "London\t(1)") == {"1": [(2, 2)]}


def test_a_word_in_brackets_is_no_mention_where_all_columns_are_empty() -> None:
    assert _mentions("In\t", "(2008)\t", "London\t") == {}


def test_a_tab_too_many_in_all_rows_is_passed_over() -> None:
    assert _mentions("d\tw\t(1\t", "d\tw\t-\t", "d\tw\t1)\t") == {"1": [(0, 2)]}


def test_a_tab_too_many_in_some_rows_is_passed_over() -> None:
    assert _mentions("d\tw\t(1\t", "d\tw\t-", "d\tw\t1)\t") == {"1": [(0, 2)]}


def test_blanks_at_the_end_of_a_row_are_passed_over() -> None:
    assert _mentions("d w (1 ", "d w -  ", "d w 1)\t") == {"1": [(0, 2)]}


def test_gum_has_two_columns_and_joined_brackets() -> None:
    rows = ("0\t(12(13", "1\t13)12)", "2\t_", "3\t(12)(13(14)", "4\t13)")
    expected = {"12": [(0, 1), (3, 3)], "13": [(0, 1), (3, 4)], "14": [(3, 3)]}
    assert _mentions(*rows) == expected


def test_gum_has_three_columns_and_named_entities() -> None:
    rows = ("1\tIodine\t(substance-1)", "2\tis\t_", "3\tit\t(substance-1)")
    assert _mentions(*rows) == {"substance-1": [(0, 0), (2, 2)]}


@pytest.mark.parametrize("mark", ["-", "_", "*"])
def test_a_row_may_hold_a_mark_alone(mark: str) -> None:
    assert _mentions("(1", mark, "1)") == {"1": [(0, 2)]}


@pytest.mark.parametrize("word", ["x-", "x_", "x*", "-", "--"])
def test_a_word_that_ends_like_a_mark_is_no_cell(word: str) -> None:
    assert _mentions(f"d\t{word}\t(1", f"d\t{word}\t1)") == {"1": [(0, 1)]}
