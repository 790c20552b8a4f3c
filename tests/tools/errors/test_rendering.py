"""Errors as text: tables, lists and what stands beside them."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.printable import printable
from scoref.render import render
from scoref.tools.errors.rendering import ErrorView, errors_report
from support.error_analyses import analysis_of_texts, spans
from support.json_output import result_of, results_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.tools.errors.findings import Analysis

WORDS = "Ada | met | x"
WRONG = spans([[(0, 0), (1, 1)], [(2, 2)]], [[(0, 0), (1, 1), (2, 2)]], WORDS)
RIGHT = spans([[(0, 0), (1, 1)]], [[(0, 0), (1, 1)]], WORDS)


def render_errors(systems: Mapping[str, Analysis], view: ErrorView) -> str:
    return render(errors_report(systems, view), view.output)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("naïve ∅ שלום 😀", "naïve ∅ שלום 😀"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\tb\nc", "a\\tb\\nc"),
        ("\u202eevil", "\\u202eevil"),
        ("می\u200cرود", "می\u200cرود"),
        ("\x1b\u200d", "\\x1b\u200d"),
        ("\udcff", "\\udcff"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_only_what_can_be_seen_is_printed(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_what_rounds_to_nothing_has_no_sign() -> None:
    text = render_errors({"r": WRONG}, ErrorView(precision=0))
    assert " 0 " in text
    assert "+0 " not in text
    assert "-0 " not in text


def test_markdown_escapes_bars() -> None:
    analysis = scoref.find_errors({"a|b": [[(0, 0)]]}, {"a|b": []})
    view = ErrorView("markdown", is_list=True)
    rows = render_errors({"r": analysis}, view).splitlines()
    assert rows[0] == "| document | sentence | error | gain |  |"
    assert rows[2].startswith(r"| a\|b | ")
    assert all(row.replace(r"\|", "").count("|") == 6 for row in rows[:3])


def test_latex_escapes_names() -> None:
    text = render_errors({"a_b": WRONG, "c": RIGHT}, ErrorView("latex"))
    assert r"a\_b" in text
    assert text.splitlines()[-1].startswith("% ")


def test_lists_of_several_systems_stand_one_below_the_other() -> None:
    text = render_errors({"a": WRONG, "b": RIGHT}, ErrorView(is_list=True))
    name, errors, *others, _, _ = text.split("\n\n")
    assert name == "a"
    assert errors.startswith("response:1: conflated entities (+36.19): ")
    assert others == ["b", "No errors."]
    tables = render_errors(
        {"a": WRONG, "b": RIGHT}, ErrorView("markdown", is_list=True)
    )
    assert [part for part in ("a", "b") if f"\n{part}\n" in f"\n{tables}"] == ["a", "b"]


def test_shares_of_nothing_are_not_given() -> None:
    rows = render_errors({"r": RIGHT}, ErrorView()).splitlines()
    assert rows[2].split() == ["span", "error", "0", "–", "0.00", "100.00"]


def test_a_note_says_whose_it_is() -> None:
    text = '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]], [[1, 1], [2, 2]]]}'
    plain = '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]], [[2, 2]]]}'
    repeated, other = (
        analysis_of_texts(text, text, "json-lines"),
        analysis_of_texts(text, plain, "json-lines"),
    )
    alone = errors_report({"a": repeated}, ErrorView()).notes
    assert any("listed more than once" in note for note in alone)
    both = errors_report({"a": repeated, "b": other}, ErrorView()).notes
    start = "a: ", "warning: a: "
    assert any(note.startswith(start) for note in both)
    assert any("key mention" in note and not note.startswith(start) for note in both)


def test_csv_has_words_as_they_are() -> None:
    analysis = spans([[(0, 0), (1, 1)]], [], 'say "so" , x')
    rows = list(
        csv.DictReader(io.StringIO(render_errors({"r": analysis}, ErrorView("csv"))))
    )
    assert rows[0]["key_words"] == 'say | "so"'
    assert rows[0]["kind"] == "missing-entity"


def test_json_has_classes_if_they_are_asked_for() -> None:
    view = ErrorView("json", by="entity-size")
    written = result_of(render_errors({"r": WRONG}, view))
    assert written["by"] == "entity-size"
    assert written["classes"]["1"]["conflated-entity"] == 1
    assert "by" not in result_of(render_errors({"r": WRONG}, ErrorView("json")))
    several = results_of(render_errors({"r": WRONG, "s": RIGHT}, ErrorView("json")))
    assert [each["response"] for each in several] == ["r", "s"]
