"""Reports on answers, and the places where answers break."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scoref.render import render
from scoref.render.report import Remarks, Table
from scoref.render.scores import ScoreView
from scoref.tools.llm.rendering import llm_report, scored_report
from support.llm_answers import LONG, as_json, scored

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.llm.scoring import AnswerResult


def last_row(system: AnswerResult) -> str:
    *_, table, legend = scored_report(system).parts()
    assert isinstance(table, Table)
    assert isinstance(legend, Remarks)
    return " ".join(map(str, table.rows[-1]))


def test_breaks_show_both_sides(tmp_path: Path) -> None:
    answer = "[Ada Lovelace](#1) met Charles in London. He proudly showed her his car."
    breaks = scored(tmp_path, LONG, answer).breaks["a"]
    assert [(place.kind, *place[2:6]) for place in breaks] == [
        ("lost", "Lovelace met Charles", "Babbage", "", "in London ."),
        ("added", "London . He", "", "proudly", "showed her his"),
        ("changed", "showed her his", "engine", "car", "."),
    ]
    assert {place.line for place in breaks} == {1}


def test_a_report_has_a_table_of_words_and_mentions(tmp_path: Path) -> None:
    answer = "[Ada Lovelace](#1) met Charles in London. He proudly showed her his car."
    row = last_row(scored(tmp_path, LONG, answer))
    assert row == "a 14 12 1 1 1 1 1 0 0 0"


def test_an_answer_of_offsets_has_no_words(tmp_path: Path) -> None:
    row = last_row(scored(tmp_path, LONG, as_json(LONG)))
    assert row == "a – – – – – 6 6 0 0 0"


def test_a_legend_explains_columns_and_statuses(tmp_path: Path) -> None:
    other = scored(tmp_path, LONG, "This is [something](#1) completely different.")
    text = render(scored_report(other), "text")
    assert "moved (the first or last word is not in the key)" in text
    assert "(refused): the answer is not the text of the key" in text
    good = scored(tmp_path, LONG, "[Ada Lovelace](#1) met Charles Babbage in London.")
    assert "(refused)" not in render(scored_report(good), "text")


def test_objects_have_breaks_if_they_are_asked_for(tmp_path: Path) -> None:
    system = scored(tmp_path, LONG, "[Ada Lovelace](#1) met [Charles Babbage")
    for with_breaks in (False, True):
        report = llm_report([system], ScoreView(), with_breaks=with_breaks)
        fields = json.loads(render(report, "json"))["results"][0]
        assert ("breaks" in fields) == with_breaks
        assert fields["notation"] == "markdown"
    kinds = [place["kind"] for place in fields["breaks"]["a"]]
    assert kinds == ["lost", "bracket"]
