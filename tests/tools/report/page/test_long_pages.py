"""Real sizes in a real browser: what is built is what is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.browsing import wait_for_frames

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

STORY = "#document=1"
SEARCH = "[aria-label='Search in this document']"


def elements(page: Page) -> int:
    count: int = page.evaluate("document.getElementsByTagName('*').length")
    return count


def test_a_novel_is_drawn_where_it_is_looked_at(opened: Opener, long_page: str) -> None:
    page = opened(long_page)
    page.wait_for_selector("table.documents tr")
    in_overview = elements(page)
    assert in_overview < 4500
    page.fill("[aria-label='Search documents']", "novel")
    page.click("table.documents >> text=novel")
    page.wait_for_selector(".reader .m")
    assert elements(page) < in_overview + 6000
    marks = page.locator(".m").count()
    assert 0 < marks < 3000
    for part in (0.5, 0.9, 0.1, *(step / 20 for step in range(20))):
        page.evaluate(f"scrollTo(0, document.documentElement.scrollHeight * {part})")
        page.wait_for_function(
            """() => [...document.querySelectorAll('.row')].some(row => {
                const box = row.getBoundingClientRect();
                return box.top > 0 && box.bottom < innerHeight;
            })"""
        )
        assert elements(page) < in_overview + 6000
    print(f"{in_overview} elements at first, {elements(page)} with a novel open")  # noqa: T201 - a measurement


def test_far_errors_and_words_of_a_novel_are_brought_into_view(
    opened: Opener, long_page: str
) -> None:
    page = opened(long_page, STORY)
    page.wait_for_selector(".m")
    page.keyboard.press("p")
    box = page.locator(".m.chosen").first.bounding_box()
    assert box is not None
    assert 0 < box["y"] < 800
    assert page.evaluate("scrollY") > 100_000
    page.fill(SEARCH, "word17 ")
    page.press(SEARCH, "Enter")
    assert page.locator(".hit").first.is_visible()


@pytest.mark.nightly
def test_a_long_page_opens_and_scrolls(opened: Opener, long_page: str) -> None:
    """Print what it takes: the figures in docs/report.md."""
    page = opened(long_page)
    page.wait_for_selector("table.documents tr")
    first = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    seconds = page.evaluate(
        """async () => {
            const before = performance.now();
            document.querySelector('.opens-document').click();
            while (!document.querySelector('.reader .m'))
                await new Promise(requestAnimationFrame);
            const opened = performance.now() - before;
            const frames = [];
            for (let step = 0; step < 120; step++) {
                const start = performance.now();
                scrollBy(0, 250);
                await new Promise(requestAnimationFrame);
                frames.push(performance.now() - start);
            }
            frames.sort((a, b) => a - b);
            return [opened / 1000, frames[60], frames[114]];
        }"""
    )
    opened_after, median, slow = seconds
    print(  # noqa: T201 - a measurement
        f"first paint {first:.0f} ms, novel {opened_after:.2f} s, "
        f"frames {median:.0f} ms, 95 % of them {slow:.0f} ms"
    )
    assert page.locator(".reader .m").count()


def test_the_wheel_moves_the_page_while_part_of_the_list_is_below_the_screen(
    opened: Opener, long_page: str
) -> None:
    page = opened(long_page)
    page.wait_for_selector(".entry .cell")
    page.evaluate("document.getElementById('errors').scrollIntoView({block: 'end'})")
    page.evaluate("scrollBy(0, -200)")
    wait_for_frames(page)
    box = page.locator(".scroller").bounding_box()
    assert box
    page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    before = page.evaluate("scrollY")
    page.mouse.wheel(0, 120)
    page.wait_for_function("before => scrollY > before", arg=before)
    assert page.locator(".scroller").evaluate("e => e.scrollTop") == 0
    page.locator(".scroller").evaluate("e => e.scrollIntoView({block: 'center'})")
    wait_for_frames(page)
    box = page.locator(".scroller").bounding_box()
    assert box
    page.mouse.move(box["x"] + 80, box["y"] + 80)
    page.mouse.move(box["x"] + 90, box["y"] + 90)
    page.mouse.wheel(0, 120)
    page.wait_for_function("() => document.querySelector('.scroller').scrollTop > 0")


def test_the_printed_page_says_how_many_errors_it_shows(
    opened: Opener, long_page: str
) -> None:
    page = opened(long_page)
    page.wait_for_selector(".entry .cell")
    note = page.locator("#errors .on-paper")
    assert note.is_hidden()
    # Texts are unpacked in the background; until then, the note says to print again.
    page.wait_for_function(
        """() => {
            dispatchEvent(new Event('beforeprint'));
            const note = document.querySelector("#errors .on-paper");
            return !note.textContent.includes("unpacked");
        }"""
    )
    page.emulate_media(media="print")
    total = page.locator("#errors output").inner_text()
    assert note.inner_text() == f"The first 20 of {total} are printed."
    assert page.locator(".entry:visible").count() == 20
    texts = page.locator(".entry-lines .cell").all_inner_texts()
    assert any(text.startswith("… ") for text in texts)
