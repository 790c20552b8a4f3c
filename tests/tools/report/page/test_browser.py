"""The browser of errors in a real browser: narrowed down, grouped, searched, opened."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest

from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse_files
from scoref.tools.report.data import report_of
from scoref.tools.report.page import render_page
from support.browsing import address, fragment

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

TOTAL = "#errors output"
SEARCH = "[aria-label='Search errors']"


def shown(page: Page) -> int:
    """Give how many errors are listed."""
    return int(re.sub(r"\D", "", page.locator(TOTAL).inner_text().split("of")[0]))


def choose(page: Page, facet: str, place: int) -> int:
    """Choose from one of the lists; gives the number that the list promised."""
    field = f"#errors [data-facet={facet}]"
    page.select_option(field, index=place)
    label = page.locator(f"{field} option").nth(place).inner_text()
    return int(re.sub(r"\D", "", label.rpartition("(")[2]))


def test_every_choice_narrows_the_errors_down(opened: Opener, story_page: str) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    every = shown(page)
    assert every == 13
    for facet in ("class", "distance", "size", "document"):
        promised = choose(page, facet, 1)
        assert 0 < shown(page) == promised < every, facet
        page.click("#errors >> text=Clear filters")
        assert shown(page) == every
    chips = page.locator("#errors [data-kind]")
    numbers = [int(each.locator("small").inner_text()) for each in chips.all()]
    assert sum(numbers) == every
    chips.nth(0).click()
    chips.nth(1).click()
    assert shown(page) == numbers[0] + numbers[1]
    assert "kind=1.4" in address(page)
    again = opened(story_page, fragment(page))
    again.wait_for_selector(".entry")
    assert shown(again) == numbers[0] + numbers[1]


def test_errors_are_searched_grouped_and_opened_at_their_place(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    page.keyboard.press("/")
    page.keyboard.type("ENGINE")
    assert 0 < shown(page) < 13
    page.fill(SEARCH, "")
    page.select_option("[aria-label='Group by']", "Words")
    groups = page.locator(".entry")
    assert groups.count() <= 13
    assert page.locator(".entry .gain").count() == 0  # gains of a group have no sum
    words = groups.first.locator("b bdi").inner_text()
    size = int(groups.first.locator(".entry-place").inner_text().split()[0])
    groups.first.click()
    assert shown(page) == size
    assert f"words={words.partition(' ')[0]}" in address(page)
    page.wait_for_selector(".entry:first-child .cell")
    lines = page.locator(".entry").first.locator(".cell")
    assert lines.count() == 2
    listed = address(page)
    page.locator(".entry").first.click()
    page.wait_for_selector(".reader .m.chosen")
    assert page.locator(".error.present").count() == 1
    assert "error=" in address(page)
    page.go_back()
    page.wait_for_selector("#reader", state="hidden")
    assert address(page) == listed


def test_bars_points_and_cells_choose_errors(opened: Opener, story_page: str) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    every = shown(page)
    bar = page.locator("[aria-label='Errors by kind'] .pickable").first
    bar.click()
    assert 0 < shown(page) < every
    assert page.locator("#errors [aria-pressed=true]").count() == 1
    page.click("#errors >> text=Clear filters")
    page.locator("[aria-label='Entities by size'] .pickable").nth(4).press("Enter")
    assert "size=" in address(page)
    page.click("#errors >> text=Clear filters")
    gains = page.locator(".entry .gain").all_inner_texts()
    values = [float(text.replace("−", "-")) for text in gains]
    assert values == sorted(values, reverse=True)
    page.select_option("[aria-label=Order]", "Text order")
    assert page.locator(".entry .gain").count() == 0
    page.locator(".scores > .scroll td").last.click()
    order = page.locator("[aria-label=Order]")
    assert order.input_value() == "CoNLL gain of each error"
    cell = page.locator("table.documents tbody tr td button").first
    errors = int(cell.inner_text())
    cell.click()
    assert shown(page) == errors
    point = page.locator(".dot").first
    point.scroll_into_view_if_needed()
    point.click(force=True)
    assert "in=stories%2Fada" in address(page)
    page.locator("#errors h2").click()
    point.dblclick(force=True)
    page.wait_for_selector(".reader .m")


def test_hostile_words_of_errors_are_words(opened: Opener, story_page: str) -> None:
    page = opened(story_page, "#in=2")
    page.wait_for_selector(".entry .cell")
    text = page.locator(".entries").inner_text()
    assert "<script>alert(1)</script>" in text or "<img src=x" in text
    assert page.locator(".entries script, .entries img").count() == 0


def test_the_arrow_keys_go_through_thousands_of_errors(
    opened: Opener, long_page: str
) -> None:
    page = opened(long_page)
    page.wait_for_selector(".entry .cell")
    assert shown(page) > 8000
    assert page.locator(".entry").count() < 40
    page.locator(".entry button").first.focus()
    for _ in range(12):
        page.keyboard.press("PageDown")
    place = page.evaluate("document.activeElement.closest('li').ariaPosInSet")
    assert place == str(1 + 12 * 8)
    page.locator(".scroller").evaluate("e => { e.scrollTop = e.scrollHeight; }")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.entry')].some("
        "e => e.ariaPosInSet === e.ariaSetSize)"
    )
    assert page.locator(".entry").count() < 40


def test_an_error_that_was_opened_has_the_focus_again_when_its_text_is_closed(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    page.locator(".entry > button").nth(1).click()
    page.wait_for_selector(".reader")
    page.locator(".error.present .about").wait_for()
    assert "CoNLL" in page.locator(".error.present .about").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_selector(".entry")
    focused = page.evaluate(
        "() => document.activeElement.closest('.entry')?.getAttribute('aria-posinset')"
    )
    assert focused == "2"


def test_errors_that_the_filters_leave_are_saved_as_csv(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    page.locator("#errors .chip").first.click()
    with page.expect_download() as download:
        page.click("text=Save as CSV")
    content = download.value.path().read_text(encoding="utf-8")
    head, *rows = csv.reader(io.StringIO(content))
    assert head[:5] == [
        *("document", "sentence", "key_position", "response_position", "kind")
    ]
    assert len(rows) == shown(page)
    assert len({row[4] for row in rows}) == 1
    texts = [
        dict(zip(head, row, strict=True)) for row in rows if row[0] == "stories/ada"
    ]
    assert texts
    for error in texts:
        assert int(error["sentence"]) > 0
        spans = error["key_position"], error["response_position"]
        assert any(re.fullmatch(r"[kr]\d+-\d+(_\d+-\d+)*", span) for span in spans)
    # The position is the one in the address of the page.
    error = texts[0]
    spot = error["key_position"] or error["response_position"]
    page.goto(f"{page.url.split('#')[0]}#document={error['document']}&mention={spot}")
    page.reload()
    page.wait_for_selector(".reader .m.chosen")
    assert error["mention"] in page.locator(".panel .mention").inner_text()


def test_gains_of_single_errors_are_saved_in_points(opened: Opener) -> None:
    analyses = analyse_files(
        "examples/many-key.conll", {"ours": "examples/many-a.conll"}, Request()
    )
    page = opened(render_page(*report_of(analyses)))
    page.wait_for_selector(".entry")
    with page.expect_download() as download:
        page.click("text=Save as CSV")
    content = download.value.path().read_text(encoding="utf-8")
    rows = [*csv.DictReader(io.StringIO(content))]
    saved = sorted(float(row["gain_conll_points"]) for row in rows)
    exact = sorted(100 * analyses["ours"].error_gains["conll"])
    assert saved == pytest.approx(exact, abs=1e-3)


def test_entities_have_a_grid_and_a_table_that_opens_them(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector("canvas.grid")
    rows = page.locator(".entity-table tbody tr")
    assert rows.count() > 1
    page.click(".entity-table th >> text=key")
    sizes = page.locator(".entity-table td:nth-child(2)").all_inner_texts()
    assert sizes == sorted(sizes, key=int, reverse=True)
    rows.first.locator("button").click()
    page.wait_for_selector(".reader .m")
    assert "entity=k" in address(page)
    assert "document=" in address(page)


def test_tables_can_be_copied_and_charts_saved(opened: Opener, story_page: str) -> None:
    page = opened(story_page)
    page.wait_for_selector("canvas.grid")
    tables = page.locator("#overview table").count()
    assert page.locator(".take >> text=LaTeX").count() == tables
    with page.expect_download() as download:
        page.locator("figure .take button").first.click()
    image = download.value.path().read_text(encoding="utf-8")
    assert image.startswith("<svg")


def test_the_text_view_steps_through_the_filtered_list(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    page.locator("#errors .chip").first.click()
    total = shown(page)
    listed = page.locator(".entry .entry-words").all_inner_texts()
    documents = page.locator(".entry .entry-document").all_inner_texts()
    assert len(listed) == total
    assert len(set(documents)) == 2  # of the story page, both have such errors
    page.locator(".entry > button").nth(1).click()
    names = []
    for place in [*range(2, total + 1), 1, 2]:
        page.wait_for_function(
            "place => document.querySelector('.steps output')?.value === place",
            arg=f"{place} of {total}",
        )
        names.append(page.locator(".error.present p").first.inner_text())
        page.keyboard.press("n")
    assert names == [*listed[1:], *listed[:2]]
    page.keyboard.press("p")
    page.wait_for_function(
        "place => document.querySelector('.steps output')?.value === place",
        arg=f"2 of {total}",
    )
    kind = page.locator(".controls .listed").inner_text()
    again = opened(story_page, fragment(page))
    again.wait_for_selector(".controls .listed")
    assert again.locator(".steps output").inner_text() == f"2 of {total}"
    assert again.locator(".controls .listed").inner_text() == kind
    again.click(".controls .listed")
    assert again.locator(".controls .listed").is_hidden()
    assert again.locator(".steps output").inner_text() != f"2 of {total}"
    assert "list=1" not in address(again)


def test_without_a_filter_the_text_view_steps_through_its_document(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    page.locator(".entry > button").first.click()
    page.wait_for_selector(".error.present")
    assert page.locator(".controls .listed").is_hidden()
    assert "list=1" not in address(page)
