"""What people do before errors and texts are unpacked has an effect afterwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from support import page_texts
from support.browsing import address, wait_until_drawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

STORY = "#document=1"
HOLD = """{
    const Unpacked = DecompressionStream;
    const isWanted = new Promise(done => { window.unpack = done; });
    window.DecompressionStream = function (kind) {
        const { readable, writable } = new Unpacked(kind);
        const gate = new TransformStream({ flush: () => isWanted });
        return { writable, readable: readable.pipeThrough(gate) };
    };
}"""


def reload_packed(page: Page) -> None:
    """Load a page again; it unpacks nothing until `unpack` is called."""
    page.add_init_script(HOLD)
    page.reload()
    assert page.locator("[aria-busy=true]").count()


def unpack(page: Page) -> None:
    page.evaluate("unpack()")
    wait_until_drawn(page)


def test_keys_that_are_pressed_too_early_go_to_errors(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    reload_packed(page)
    for key in ("n", "n", "v", "n"):
        page.keyboard.press(key)
    assert page.locator(".reader").count() == 0
    unpack(page)
    total = len(page_texts.story()["systems"][0]["errors"])
    assert page.locator(".steps output").inner_text() == f"3 of {total}"
    assert page.locator(".text").get_attribute("data-view") == "over"


def test_a_key_that_is_pressed_too_early_opens_the_search(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    reload_packed(page)
    page.keyboard.press("/")
    unpack(page)
    field = page.locator("[aria-label='Search errors']")
    assert field.evaluate("each => each === document.activeElement")


def test_keys_for_a_document_that_was_closed_again_are_forgotten(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    reload_packed(page)
    for key in ("n", "/", "Escape"):
        page.keyboard.press(key)
    unpack(page)
    assert "document=" not in address(page)
    assert page.locator("#reader").is_hidden()
    assert page.evaluate("document.activeElement === document.body")


def test_a_document_opens_although_a_group_was_asked_for_before(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    reload_packed(page)
    page.get_by_role("button", name=re.compile(r": \d+ errors$")).first.click()
    page.locator(".opens-document").first.click()
    unpack(page)
    assert page.locator(".reader .m").first.is_visible()
