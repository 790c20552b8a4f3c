"""Pages in a browser, and what goes wrong in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from support.browsing import wait_until_drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from support.browsing import PagePool

    Opener = Callable[..., Page]


class Watched:
    """A page, and what goes wrong in it: messages, dialogs, requests."""

    def __init__(self, page: Page, *, is_watched: bool) -> None:
        self.page = page
        self.faults: list[str] = []
        self._listeners = {
            "console": lambda message: self._console(message.type, message.text),
            "pageerror": lambda error: self.faults.append(str(error)),
            "request": lambda request: self._request(request.url),
            "dialog": lambda dialog: self._dialog(dialog.message, dialog.dismiss),
        }
        if not is_watched:
            self._listeners.clear()
        for event, listener in self._listeners.items():
            page.on(event, listener)  # type: ignore[call-overload] # one of many

    def stop(self) -> None:
        """Stop watching."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def _console(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.faults.append(text)

    def _request(self, url: str) -> None:
        if not url.startswith("file:") or not url.partition("#")[0].endswith(".html"):
            self.faults.append(f"asked for {url}")

    def _dialog(self, message: str, dismiss: Callable[[], None]) -> None:
        self.faults.append(f"said {message}")
        dismiss()


@pytest.fixture
def opened(page_pool: PagePool, tmp_path: Path) -> Iterator[Opener]:
    """Open a page from a file; at the end, nothing may have gone wrong in it."""
    watched: list[Watched] = []

    def open_page(
        html: str, address: str = "", *, is_watched: bool = True, **options: Any
    ) -> Page:
        page = page_pool.take(**{"viewport": {"width": 1280, "height": 800}, **options})
        path = tmp_path / f"report-{len(watched)}.html"
        path.write_text(html, encoding="utf-8")
        watched.append(Watched(page, is_watched=is_watched))
        page.goto(f"{path.as_uri()}{address}")
        if options.get("java_script_enabled", True):
            wait_until_drawn(page)
        return page

    yield open_page
    faults = [fault for each in watched for fault in each.faults]
    for each in watched:
        each.stop()
        page_pool.give_back(each.page)
    assert faults == []
