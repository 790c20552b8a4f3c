"""What shows itself in a notebook, and that it is drawn as on the page.

Mentions in a sentence: nothing is lost, nothing overlaps.
"""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.errors import OptionError
from scoref.printable import called
from scoref.tools.errors.kinds import KINDS
from scoref.tools.report.notebook import (
    Box,
    Mark,
    Painter,
    clip,
    draw_document,
    lanes,
    marks_of,
    nest,
    show,
    space_between,
)
from scoref.tools.report.page import render_page
from scoref.tools.report.page.contract import read_text
from scoref.tools.report.page.looks import sign_of
from support import page_reports, page_texts
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page


KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"

ENTITIES = [["a", "b", "c"], ["d", "e"]]


def plain(html: str) -> str:
    """Take the words out of a piece of HTML."""
    without = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", without).split())


def test_a_result_shows_its_scores_and_how_they_came_about() -> None:
    result = scoref.score(ENTITIES, [["a", "b"], ["d", "e"]])
    shown = plain(result._repr_html_())
    assert "MUC 66.67 100.00 80.00" in shown
    assert f"CoNLL {100 * result.conll:.2f}" in shown
    assert result.signature in shown


def test_undefined_figures_are_dashes() -> None:
    result = scoref.score([["a"]], [["a"]], metrics="muc")
    assert "MUC – – –" in plain(result._repr_html_())


def test_notes_are_shown() -> None:
    result = scoref.score([["a", "b"], ["a", "c"]], [["a", "b"]])
    assert result.notes
    assert all(
        called(note.message) in plain(result._repr_html_()) for note in result.notes
    )


def test_intervals_and_comparisons_are_shown() -> None:
    documents = {str(number): ENTITIES for number in range(20)}
    worse = {**documents, "3": [["a", "b"]], "4": [["d", "e"]]}
    result = scoref.score(documents, worse)
    intervals = scoref.confidence(result, resamples=50)
    assert intervals.signature in plain(intervals._repr_html_())
    other = scoref.score(documents, documents)
    compared = scoref.compare({"<b>": result, "other": other}, resamples=50)
    shown = compared._repr_html_()
    assert "<b>" not in re.sub(r"<style>.*?</style>", "", shown, flags=re.DOTALL)
    assert "&lt;b&gt; - other" in shown
    assert compared.signature in plain(shown)


def test_a_document_shows_itself() -> None:
    shown = show(KEY, RESPONSE)
    assert repr(shown) == "<(news/0001); part 000: 23 words>"
    html = shown._repr_html_()
    assert shown.sentences == (0, 2)
    assert "Ada Lovelace" in plain(html)
    assert "<script" not in html


def test_a_document_is_found_by_name_part_of_it_or_number() -> None:
    by_number = show(KEY, RESPONSE, document=1)
    assert by_number == show(KEY, RESPONSE, document="0002")
    assert by_number == show(KEY, RESPONSE, document="(news/0002); part 000")
    with pytest.raises(OptionError, match="unknown document 'news'"):
        show(KEY, RESPONSE, document="news")
    with pytest.raises(OptionError, match="no document 7"):
        show(KEY, RESPONSE, document=7)


def test_choices_of_scoring_are_choices_of_showing() -> None:
    files = EXAMPLES / "corefud-key.conllu", EXAMPLES / "corefud-response.conllu"
    by_head, exact = (show(*files, match=match) for match in ("head", "exact"))
    assert by_head._text["systems"][0]["errors"] != exact._text["systems"][0]["errors"]


def test_files_without_words_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text(
        '{"doc_key": "d", "clusters": [[[0, 1]]], "predicted_clusters": []}\n'
    )
    with pytest.raises(OptionError, match="no words"):
        show(path)


def test_a_novel_is_shown_in_part() -> None:
    rng = random.Random(1)  # noqa: S311 - made-up words
    text = page_texts.novel(20_000, rng)
    html = draw_document(text, (0, 3), "three sentences")
    assert html.count('<p class="cell') == 3
    assert len(html) < 30_000


def test_hostile_words_are_words() -> None:
    html = draw_document(page_texts.hostile(), (0, 2))
    for word in page_texts.HOSTILE:
        assert word.strip() in html or "&lt;" in html
    assert not re.findall(r"<(?:script|img|!--)", html)


def test_a_word_does_not_turn_the_words_around_it() -> None:
    sides = page_texts.Sides({}, {"ours": {}})
    html = draw_document(page_texts.text_of(["one \u202etwo three ."], sides), (0, 1))
    assert "one <bdi>\u202etwo</bdi> three." in html


@pytest.mark.parametrize("text", [page_texts.story(), page_texts.hostile()])
def test_the_page_draws_the_same(
    opened: Callable[..., Page], text: page_texts.Json
) -> None:
    report = page_reports.report_of({"text": text})
    page = opened(render_page(report, [text]), "#document=1&view=over")
    page.wait_for_selector(".m")
    on_page = page.locator(".cell").evaluate_all("all => all.map(e => e.outerHTML)")
    static = draw_document(text, (0, 99))
    cells = re.findall(r'<p class="cell both".*?</p>', static, flags=re.DOTALL)
    assert [Read(cell).events for cell in on_page] == [
        Read(cell).events for cell in cells
    ]


class Read(HTMLParser):
    """Elements and words of a piece of HTML, without what only the page needs."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.events: list[tuple[str, ...]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = sorted(
            f"{name}={value}"
            for name, value in attrs
            if name not in {"data-m", "tabindex"}
        )
        self.events.append((tag, *kept))

    def handle_endtag(self, tag: str) -> None:
        self.events.append((f"/{tag}",))

    def handle_data(self, data: str) -> None:
        self.events.append(("text", data))


PLACES = 12


@st.composite
def mentions(draw: st.DrawFn) -> list[Mark]:
    """Draw mentions of both sides, crossing and with holes as they come."""
    marks: list[Mark] = []
    for number in range(draw(st.integers(0, 8))):
        tokens = sorted(draw(st.sets(st.integers(0, PLACES), min_size=1, max_size=4)))
        pieces = [place for token in tokens for place in (token, token)]
        marks += marks_of(draw(st.sampled_from((0, 1))), number, pieces)
    return marks


def walked(boxes: Iterable[Box], depth: int = 0) -> Iterator[tuple[int, Mark]]:
    for box in boxes:
        yield depth, box.mark
        yield from walked(box.inner, depth + 1)


def tokens_of(marks: Iterable[Mark]) -> list[tuple[int, int, int, bool]]:
    return sorted(
        (mark.side, mark.mention, token, mark.is_gap)
        for mark in marks
        for token in range(mark.start, mark.end + 1)
    )


@given(mentions())
def test_boxes_hold_every_token_of_every_mention_once(marks: list[Mark]) -> None:
    assert tokens_of(mark for _, mark in walked(nest(marks))) == tokens_of(marks)


@given(mentions())
def test_boxes_lie_in_each_other_or_apart(marks: list[Mark]) -> None:
    def check(boxes: list[Box], start: int, end: int) -> None:
        place = start
        for box in boxes:
            assert place <= box.mark.start <= box.mark.end <= end
            check(box.inner, box.mark.start, box.mark.end)
            place = box.mark.end + 1

    check(nest(marks), 0, PLACES)


@given(mentions())
def test_a_mention_begins_and_ends_once(marks: list[Mark]) -> None:
    parts = [mark for _, mark in walked(nest(marks))]
    assert sum(mark.opens for mark in parts) == len({mark.mention for mark in marks})
    assert sum(mark.closes for mark in parts) == len({mark.mention for mark in marks})


@given(mentions(), st.sampled_from((0, 1)))
def test_no_two_mentions_share_a_lane_and_a_place(marks: list[Mark], side: int) -> None:
    lane_of = lanes(marks, side)
    seen = set()
    for mention, lane in lane_of.items():
        places = [
            place
            for mark in marks
            if mark.mention == mention
            for place in (mark.start, mark.end)
        ]
        for token in range(min(places), max(places) + 1):
            assert (lane, token) not in seen
            seen.add((lane, token))


def test_inner_mentions_are_nearer_to_the_words() -> None:
    marks = [
        mark
        for number, pieces in enumerate([(0, 9), (2, 5), (3, 3)])
        for mark in marks_of(0, number, pieces)
    ]
    assert lanes(marks, 0) == {2: 0, 1: 1, 0: 2}


@given(mentions(), st.integers(0, PLACES), st.integers(0, PLACES))
def test_clipping_keeps_what_lies_within(
    marks: list[Mark], start: int, end: int
) -> None:
    kept = [part for mark in marks if (part := clip(mark, start, end))]
    expected = [token for token in tokens_of(marks) if start <= token[2] <= end]
    assert tokens_of(kept) == expected


def test_a_hole_is_drawn_as_one() -> None:
    painter = Painter(read_text(page_texts.story()), 0, {})
    assert (
        '<span class="m k h-one gap" style="--lane: 1;">and later</span>'
        in painter.sentences(3, 4)
    )


def test_blanks_stand_where_people_put_them() -> None:
    assert space_between("old", "clock") == " "
    assert space_between("clock", ".") == ""
    assert space_between("猫", "が") == ""
    assert space_between("Ada", "'sour") == " "


def test_a_caption_explains_the_signs_of_errors() -> None:
    shown = show(KEY, RESPONSE, document=0)
    errors = shown._text["systems"][0]["errors"]
    caption = plain(shown._repr_html_()).rpartition("Ada Lovelace")[2]
    kinds = {KINDS[error["kind"]] for error in errors}
    assert len(kinds) > 1
    assert all(f"{sign_of(kind.name)} {kind.label}" in caption for kind in kinds)


def test_sentences_are_drawn_one_below_the_other() -> None:
    painter = Painter(read_text(page_texts.story()), 0, {})
    each = [painter.sentences(place, place + 1) for place in range(4)]
    assert painter.sentences(0, 4) == "\n".join(each)
    assert painter.sentences(2, 4) == "\n".join(each[2:])
