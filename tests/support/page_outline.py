"""The text and the structure of a page."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from scoref.tools.report.page import render_page
from support import page_reports


class Outline(HTMLParser):
    """The elements of a page, and the text in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: dict[str, str] = {}
        self.words: list[str] = []
        self.tags: list[str] = []
        self._id: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._id = None
        if tag in {"script", "style"}:
            self._id = dict(attrs).get("id") or tag
            self.scripts[self._id] = ""

    def handle_endtag(self, tag: str) -> None:
        del tag
        self._id = None

    def handle_data(self, data: str) -> None:
        if self._id is None:
            self.words.append(data)
        else:
            self.scripts[self._id] += data

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page_of(texts: dict[str, Any], **changes: object) -> str:
    """Write the page of some texts."""
    return render_page(page_reports.report_of(texts, **changes), list(texts.values()))
