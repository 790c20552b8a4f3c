"""What tests wait for in a browser, so that they do not depend on its speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

T = TypeVar("T")

IS_DRAWN = """() => {
    const isSeen = part => {
        const { top, bottom, height } = part.getBoundingClientRect();
        return height && bottom > 0 && top < innerHeight;
    };
    return !document.querySelector('[aria-busy=true]')
        && [...document.querySelectorAll('.block')].every(
            block => block.firstChild || !isSeen(block))
        && [...document.querySelectorAll('figure > .holder')].every(
            holder => holder.firstChild || !holder.clientWidth);
}"""
FRAMES = """async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
}"""


def wait_until_drawn(page: Page) -> None:
    """Wait until texts are unpacked, and what is on the screen is drawn."""
    page.wait_for_function(IS_DRAWN)


def wait_for_frames(page: Page) -> None:
    """Wait until the page was told of scrolling and of the sizes of its parts."""
    page.evaluate(FRAMES)


def address(page: Page) -> str:
    """Return the address; `page.url` lags behind the page."""
    return str(page.evaluate("location.href"))


def fragment(page: Page) -> str:
    """Return the address from # on."""
    return str(page.evaluate("location.hash"))


def soon(page: Page, read: Callable[[], T], expected: T) -> T:
    """Read a page until it has what is expected, for some time; return what it has."""
    for _ in range(600):
        if (found := read()) == expected:
            break
        page.wait_for_timeout(25)
    return found
