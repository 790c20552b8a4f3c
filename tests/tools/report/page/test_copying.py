"""What can be copied from a page, and what links in it lead to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse_files
from scoref.tools.report.data import report_of
from scoref.tools.report.page import render_page
from support.browsing import address, soon

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

COPIED = "() => navigator.clipboard.readText()"
FIGURES = re.compile(r"\d+\.\d\d")


@pytest.fixture
def page(opened: Opener, story_page: str) -> Page:
    page = opened(story_page, permissions=["clipboard-read", "clipboard-write"])
    page.wait_for_selector("canvas.grid")
    page.evaluate("() => navigator.clipboard.writeText('')")
    return page


def figures_of(text: str) -> list[str]:
    """Return the figures of a table in the order in which they are read."""
    return FIGURES.findall(text)


@pytest.mark.parametrize(
    ("kind", "first", "last"),
    [
        ("Markdown", "| F₁ | Mentions | MUC |", " |"),
        ("LaTeX", "\\begin{tabular}{lrr", "\\end{tabular}"),
    ],
)
def test_a_table_is_copied_with_its_figures_and_intervals(
    page: Page, kind: str, first: str, last: str
) -> None:
    take = page.locator(".take", has_text="LaTeX").first
    shown = take.locator("xpath=preceding-sibling::*[1]").inner_text()
    page.evaluate("() => { setTimeout = (...later) => { window.later = later } }")
    take.get_by_role("button", name=kind).click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate(COPIED)
    assert copied.startswith(first)
    assert copied.rstrip().endswith(last)
    assert figures_of(copied) == figures_of(shown) != []
    low, high = figures_of(shown)[1:3]
    assert f"[{low}–{high}" in copied.replace("\\[", "[")
    assert take.get_by_role("button", name=kind).count() == 0
    assert page.evaluate("() => { later[0](); return later[1] }") == 2000
    assert take.get_by_role("button", name=kind).count() == 1


@pytest.mark.parametrize(
    ("kind", "name", "best", "head"),
    [
        (
            "Markdown",
            "| ours<sup>a</sup> | ",
            r"\*\*\d\d\.\d\d\*\*<sup>b</sup>",
            "| span error | ",
        ),
        (
            "LaTeX",
            "\nours\\textsuperscript{a} & ",
            r"\\textbf\{\d\d\.\d\d\}\\textsuperscript\{b\}",
            " & span error & ",
        ),
    ],
)
def test_copied_letters_are_superscripts_best_figures_bold_and_signs_left_out(
    opened: Opener, kind: str, name: str, best: str, head: str
) -> None:
    systems = {"ours": "examples/many-a.conll", "baseline": "examples/many-b.conll"}
    analyses = analyse_files("examples/many-key.conll", systems, Request())
    html = render_page(*report_of(analyses))
    page = opened(html, permissions=["clipboard-read", "clipboard-write"])
    page.wait_for_selector(".pairs")
    copied = []
    for table in (".scores", "#pairs"):
        page.locator(f"{table} .take").first.get_by_role("button", name=kind).click()
        page.locator(table).get_by_role("button", name="Copied").first.wait_for()
        copied.append(page.evaluate(COPIED))
    scores, pairs = copied
    assert name in scores
    assert re.search(best, scores)
    assert head in pairs
    assert not set("↔∪≠÷") & set(pairs)


def test_a_text_to_copy_is_shown_if_the_browser_does_not_allow_copies(
    page: Page,
) -> None:
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.locator(".take").get_by_role("button", name="Markdown").first.click()
    area = page.locator("dialog textarea")
    area.wait_for()
    assert area.input_value().startswith("| F₁ | Mentions | MUC |")
    selected = "e => [e.selectionStart, e.selectionEnd === e.value.length]"
    assert area.evaluate(selected) == [0, True]


def test_the_signature_is_copied(page: Page) -> None:
    page.get_by_role("button", name="Copy", exact=True).click()
    signature = page.locator("#signature").inner_text()
    copied = soon(page, lambda: page.evaluate(COPIED), signature.strip())
    assert copied == signature.strip()
    assert page.evaluate("() => String(getSelection())").strip() == signature.strip()


def test_links_to_parts_scroll_and_keep_the_address(page: Page) -> None:
    before = address(page)
    for name, part in (("Documents", "documents"), ("Overview", "overview")):
        page.locator("#bar").get_by_role("link", name=name).click()
        assert page.evaluate("() => document.activeElement.id") == part
        top = page.locator(f"#{part}").evaluate("e => e.getBoundingClientRect().top")
        assert -1 <= top <= 300
    assert page.evaluate("() => scrollY") == 0
    assert address(page) == before


def test_a_group_of_errors_lists_its_errors(page: Page) -> None:
    button = page.get_by_role("button", name=re.compile(r": \d+ errors$")).first
    count = button.inner_text().split()[0]
    button.click()
    page.locator("#errors output", has_text=re.compile(rf"^{count} of ")).wait_for()
    assert page.evaluate("() => document.activeElement.id") == "errors"
