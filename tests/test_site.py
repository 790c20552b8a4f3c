"""The documentation's site has every page, and opens from disk with its search."""

from __future__ import annotations

import importlib.util
import re
import shutil
from typing import TYPE_CHECKING

import pytest

import building
import scoref
from llms import llms
from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
MADE = {"changes.md", "python-reference.md"}
needs_generator = pytest.mark.skipif(
    importlib.util.find_spec("zensical") is None,
    reason="the site's generator is an extra: pip install '.[docs]'",
)


def test_every_page_is_in_the_navigation_once() -> None:
    settings = (ROOT / "website" / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- ([\w/-]+\.md)$", settings, re.MULTILINE)
    assert sorted(listed) == sorted([*PAGES, *MADE])


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([\w/-]+\.md)\)", index)
    assert sorted({*linked, "index.md"}) == PAGES


def test_the_list_for_language_models_is_the_index_of_today() -> None:
    listed = (ROOT / "llms.txt").read_text(encoding="utf-8")
    assert listed == llms(), "`make tables` writes it anew"


def test_the_list_for_language_models_names_every_page_once() -> None:
    linked = re.findall(r"\]\(docs/([^)]+)\)", llms())
    assert sorted([*linked, "index.md"]) == PAGES


def test_all_that_is_exported_is_in_the_reference_once() -> None:
    asked = re.findall(r"^::: scoref\.(\w+)$", building.reference(), re.MULTILINE)
    assert sorted(asked) == sorted({*scoref.__all__} - {"__version__"})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "built"
    assert building.build(DOCS, folder)
    return folder / "site"


def go_to_the_first_hit(page: Page) -> None:
    """Press return until there is a hit; they cannot be seen from outside."""
    before = page.url
    for _ in range(100):
        page.keyboard.press("Enter")
        page.wait_for_timeout(100)
        if page.url != before:
            return


@needs_generator
def test_search_finds_a_page_when_the_site_is_opened_from_disk(
    site: Path, browser: Browser
) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("twinless")
    go_to_the_first_hit(page)
    found = page.url.partition("?")[0]
    page.close()
    assert found == (site / "metrics" / "variants.html").as_uri()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


@needs_generator
def test_dead_links_and_anchors_end_the_build(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(DOCS, docs)
    with (docs / "index.md").open("a", encoding="utf-8") as page:
        page.write("\n[page](nowhere.md), [heading](conventions.md#nowhere)\n")
    assert not building.build(docs, tmp_path / "built")
    said = capfd.readouterr().err
    assert "page does not exist" in said
    assert "anchor does not exist" in said
