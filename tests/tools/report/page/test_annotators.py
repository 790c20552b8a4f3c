"""The page of an agreement calls people by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.tools.agree.rendering import agreement_page
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

HEADING = "each => getComputedStyle(each, '::before').content"


@pytest.fixture(scope="module")
def page_of_three() -> str:
    names = ("ada", "ben", "eva")
    people = {name: EXAMPLES / f"agree-{name}.conll" for name in names}
    return agreement_page(scoref.agree(people))


def test_nobody_is_called_key_or_response(
    opened: Callable[..., Page], page_of_three: str
) -> None:
    page = opened(page_of_three, "#document=1&system=2&view=over")
    first = page.locator(".block").first
    assert first.evaluate(HEADING) == '"ada above the words, eva below"'
    assert page.locator("[data-view=key]").inner_text() == "ada"
    assert page.locator("[data-view=response]").inner_text() == "eva"
    page.keyboard.press("n")
    panel = page.locator(".panel").inner_text()
    assert "ada" in panel
    assert "the key" not in panel
    assert "the response" not in panel
    page.keyboard.press("l")
    legend = page.get_by_role("dialog").inner_text()
    assert "a mention that is not in ada" in legend
    assert "the key" not in legend


def test_systems_have_a_key_and_a_response(
    opened: Callable[..., Page], story_page: str
) -> None:
    page = opened(story_page, "#document=1&view=over")
    first = page.locator(".block").first
    assert first.evaluate(HEADING) == '"Key above the words, response below"'
    assert page.locator("[data-view=response]").inner_text() == "Response"
