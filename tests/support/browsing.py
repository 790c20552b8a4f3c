"""What tests wait for in a browser, so that they do not depend on its speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar

from support.slow_browser import MODE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page, ViewportSize

    Scheme = Literal["light", "dark"]

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
IS_CLEAN = """() => {
    localStorage.clear();
    return [setTimeout, DecompressionStream].every(
        each => String(each).includes('[native code]'));
}"""
"""Clear what is stored; tell whether other pages would be as browsers make them."""


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


class PagePool:
    """Pages that tests use one after the other, because a new one starts processes.

    A test finds a page as if it were new: nothing is open or stored, the screen has the
    size and the colours that the test asks for, and nobody listens to events.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}
        self._kinds: dict[Page, str] = {}

    def take(
        self, *, viewport: ViewportSize, color_scheme: Scheme = "light", **options: Any
    ) -> Page:
        """Return a page in a context of its own; the other options are its kind."""
        kind = repr(sorted(options.items()))
        free = self._free.setdefault(kind, [])
        page = free.pop() if free else self._new(kind, options)
        if page.viewport_size != viewport:
            page.set_viewport_size(viewport)
        page.emulate_media(media="null", color_scheme=color_scheme)
        return page

    def give_back(self, page: Page) -> None:
        """Empty a page, or close it if that is not possible."""
        from playwright.sync_api import Error

        try:
            # A page that is slowed down uses the processor even while it is not used.
            is_clean = page.evaluate(IS_CLEAN) and MODE != "cpu"
            page.mouse.move(0, 0)
            page.goto("about:blank")
        except Error:  # it was closed, or has no scripts
            is_clean = False
        kind = self._kinds.pop(page)
        if is_clean:
            self._kinds[page] = kind
            self._free[kind].append(page)
        else:
            page.context.close()

    def _new(self, kind: str, options: dict[str, Any]) -> Page:
        page = self._browser.new_context(reduced_motion="reduce", **options).new_page()
        self._kinds[page] = kind
        return page
