"""Pages in a browser, and what goes wrong in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.browsing import wait_until_drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Opener = Callable[..., Page]


class Watched:
    """A page, and what went wrong in it: messages, dialogs, requests."""

    def __init__(self, page: Page, *, is_watched: bool) -> None:
        self.page = page
        self.faults: list[str] = []
        if not is_watched:
            return
        page.on("console", lambda message: self._console(message.type, message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self._request(request.url))
        page.on("dialog", lambda dialog: self._dialog(dialog.message, dialog.dismiss))

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
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    """Open a page from a file; at the end, nothing may have gone wrong in it."""
    watched: list[Watched] = []

    def open_page(
        html: str, address: str = "", *, is_watched: bool = True, **options: object
    ) -> Page:
        context = browser.new_context(
            **{  # type: ignore[arg-type] # any option
                "viewport": {"width": 1280, "height": 800},
                "reduced_motion": "reduce",
                **options,
            }
        )
        path = tmp_path / f"report-{len(watched)}.html"
        path.write_text(html, encoding="utf-8")
        page = context.new_page()
        watched.append(Watched(page, is_watched=is_watched))
        page.goto(f"{path.as_uri()}{address}")
        if options.get("java_script_enabled", True):
            wait_until_drawn(page)
        return page

    yield open_page
    faults = [fault for each in watched for fault in each.faults]
    for each in watched:
        each.page.context.close()
    assert faults == []
