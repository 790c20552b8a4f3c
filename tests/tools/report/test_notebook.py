"""What shows itself in a notebook, and that it is drawn as on the page."""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

import made_up_reports
import made_up_texts
import scoref
from places import EXAMPLES
from scoref.errors import OptionError
from scoref.tools.report.notebook import drawn, show
from scoref.tools.report.page import render_page

if TYPE_CHECKING:
    from collections.abc import Callable
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
        f"note: {note.message}" in plain(result._repr_html_()) for note in result.notes
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
    assert "Ada Lovelace" in plain(html)
    assert "<script" not in html


def test_a_document_is_found_by_name_part_of_it_or_number() -> None:
    by_number = show(KEY, RESPONSE, document=1)
    assert by_number == show(KEY, RESPONSE, document="0002")
    assert by_number == show(KEY, RESPONSE, document="(news/0002); part 000")
    with pytest.raises(OptionError, match="no document 'news'"):
        show(KEY, RESPONSE, document="news")
    with pytest.raises(OptionError, match="no 7"):
        show(KEY, RESPONSE, document=7)


def test_choices_of_scoring_are_choices_of_showing() -> None:
    files = EXAMPLES / "corefud-key.conllu", EXAMPLES / "corefud-response.conllu"
    by_head, exact = (show(*files, match=match) for match in ("head", "exact"))
    assert by_head.text["systems"][0]["errors"] != exact.text["systems"][0]["errors"]


def test_files_without_words_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text(
        '{"doc_key": "d", "clusters": [[[0, 1]]], "predicted_clusters": []}\n'
    )
    with pytest.raises(OptionError, match="no words"):
        show(path)


def test_a_novel_is_shown_in_part() -> None:
    rng = random.Random(1)  # noqa: S311 - made-up words
    text = made_up_texts.novel(20_000, rng)
    html = drawn(text, (0, 3), "three sentences")
    assert html.count('<p class="cell') == 3
    assert len(html) < 30_000


def test_hostile_words_are_words() -> None:
    html = drawn(made_up_texts.hostile(), (0, 2))
    for word in made_up_texts.HOSTILE:
        assert word.strip() in html or "&lt;" in html
    assert not re.findall(r"<(?:script|img|!--)", html)


def test_a_word_does_not_turn_the_words_around_it() -> None:
    sides = made_up_texts.Sides({}, {"ours": {}})
    html = drawn(made_up_texts.text_of(["one \u202etwo three ."], sides), (0, 1))
    assert "one <bdi>\u202etwo</bdi> three." in html


@pytest.mark.parametrize("text", [made_up_texts.story(), made_up_texts.hostile()])
def test_the_page_draws_the_same(
    opened: Callable[..., Page], text: made_up_texts.Json
) -> None:
    report = made_up_reports.report_of({"text": text})
    page = opened(render_page(report, [text]), "#document=1&view=over")
    page.wait_for_selector(".m")
    on_page = page.locator(".cell").evaluate_all("all => all.map(e => e.outerHTML)")
    static = drawn(text, (0, 99))
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
