"""Marks of errors in a real browser: kept, saved, loaded, and refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from support.browsing import address

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    Opener = Callable[..., Page]


def mark_first(page: Page, status: str, remark: str) -> None:
    page.locator(".entry .mark").first.click()
    page.select_option("dialog [aria-label=Mark]", status)
    page.fill("dialog [aria-label=Remark]", remark)
    page.get_by_role("button", name="Save mark", exact=True).click()


def load(page: Page, path: Path) -> str:
    """Load a file of marks; gives what the page says."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Load marks").click()
    chooser.value.set_files(path)
    said = page.locator("dialog [role=status]").inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    return said


def test_marks_are_saved_loaded_and_filtered(
    opened: Opener, story_page: str, tmp_path: Path
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    assert page.get_by_role("button", name="Save marks", exact=True).is_disabled()
    mark_first(page, "key is wrong", "the key has no such mention")
    assert page.locator(".entry .marked").all_inner_texts() == ["key is wrong"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save marks", exact=True).click()
    path = tmp_path / "marks.json"
    download.value.save_as(path)
    (mark,) = json.loads(path.read_text(encoding="utf-8"))["marks"]
    assert mark["status"] == "key is wrong"
    assert mark["remark"] == "the key has no such mention"

    other = opened(story_page)
    other.wait_for_selector(".entry")
    assert load(other, path) == "Loaded 1 mark."
    assert other.locator(".entry .marked").count() == 1


def test_marks_of_another_report_are_refused(
    opened: Opener, story_page: str, tmp_path: Path
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    path = tmp_path / "marks.json"
    file = {"schema": "scoref/marks/1", "report": "0", "title": "x", "marks": [{}]}
    path.write_text(json.dumps(file), encoding="utf-8")
    assert load(page, path) == (
        "These marks belong to another report (“x”). They were not loaded."
    )
    path.write_text("no JSON", encoding="utf-8")
    assert load(page, path).startswith("marks.json is not a file of marks.")
    assert page.locator(".entry .marked").count() == 0


def test_the_panel_sets_the_same_marks_as_the_list(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    page.locator(".entry button").first.click()
    page.click(".panel .error.present .mark")
    page.select_option("dialog [aria-label=Mark]", "seen")
    page.get_by_role("button", name="Save mark", exact=True).click()
    assert page.locator(".panel .error.present .mark").inner_text() == "seen"
    page.go_back()
    page.wait_for_selector(".entry")
    assert page.locator(".entry .marked").all_inner_texts() == ["seen"]


def test_the_list_is_filtered_by_marks(opened: Opener, story_page: str) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    whole = page.locator("#errors .browser-head output").inner_text()
    assert page.locator("select[aria-label=Marks]").count() == 0
    mark_first(page, "seen", "")
    marked = page.locator(".entry .entry-words").first.inner_text()
    page.select_option("select[aria-label=Marks]", "Seen")
    assert "marked=seen" in address(page)
    assert page.locator(".entry .entry-words").all_inner_texts() == [marked]
    page.select_option("select[aria-label=Marks]", "Not marked")
    left = page.locator("#errors .browser-head output").inner_text()
    assert left == f"{int(whole) - 1} of {whole}"
    page.select_option("select[aria-label=Marks]", "key is wrong")
    assert page.locator(".entry").count() == 0
    assert "No errors match these filters" in page.locator("p.nothing").inner_text()


def test_the_focus_is_at_the_same_error_after_its_mark_was_saved(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    row = page.locator(".entry").nth(2)
    said = row.locator(".entry-words").inner_text()
    row.locator(".mark").focus()
    page.keyboard.press("Enter")
    page.select_option("dialog [aria-label=Mark]", "seen")
    page.get_by_role("button", name="Save mark", exact=True).press("Enter")
    focused = page.locator(".entry:has(.mark:focus)")
    assert focused.locator(".entry-words").inner_text() == said
    assert focused.locator(".mark").inner_text() == "seen"
    page.locator(".entry > button").first.click()
    page.locator(".panel .error.present .mark").focus()
    page.keyboard.press("Enter")
    page.select_option("dialog [aria-label=Mark]", "seen")
    page.get_by_role("button", name="Save mark", exact=True).press("Enter")
    assert page.locator(".panel .mark:focus").inner_text() == "seen"
