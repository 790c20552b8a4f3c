"""The page of an agreement calls people by their names."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.tools.agree.page import agreement_page
from support.annotators import record
from support.page_outline import Outline
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from support.annotators import Entities

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
    assert "a mention that ada did not mark" in legend
    assert "the key" not in legend


def test_the_page_speaks_of_differences_and_not_of_errors(
    opened: Callable[..., Page], page_of_three: str
) -> None:
    page = opened(page_of_three)
    page.wait_for_selector(".entry")
    files = page.locator("#scored").inner_text()
    assert all(name in files for name in ("ada", "ben", "eva"))
    # Settings are explained as everywhere else.
    page.locator("#scored .choices").evaluate_all("all => all.map(e => e.remove())")
    words = page.locator("main#overview, header").all_inner_texts()
    words += page.locator("[aria-label], [title]").evaluate_all(
        "all => all.map(each => `${each.ariaLabel} ${each.title}`)"
    )
    # The signature names fields of the scheme.
    said = [
        line for text in words for line in text.split("\n") if "scoref:" not in line
    ]
    of_systems = re.compile(r"\b(?:error|wrong|response|perfect)\w*", re.IGNORECASE)
    assert of_systems.findall(" ".join(said)) == []
    assert page.get_by_role("heading", name="Differences", exact=True).count() == 1


def test_each_difference_is_a_difference_and_not_an_error(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in ("ada", "ben")]
    ada: Entities = [[(0, 0), (2, 2), (4, 4)], [(6, 6), (8, 8)], [(9, 9)]]
    ben: Entities = [[(0, 0), (2, 2), (7, 7)], [(4, 4), (8, 8)], [(10, 10), (11, 11)]]
    for path, entities in zip(paths, (ada, ben), strict=True):
        path.write_bytes(record("d", entities))
    people = dict(zip(("ada", "ben"), paths, strict=True))
    page = opened(agreement_page(scoref.agree(people)))
    page.wait_for_selector(".entry")
    listed = " ".join(page.locator(".entry-words").all_inner_texts())
    assert '"dw10" and 1 other mention, which only one of the two marked,' in listed
    assert not re.search(r"\b(?:found|key|linked|merged)\b", listed)
    page.goto(page.url.partition("#")[0] + "#document=1")
    page.wait_for_selector(".reader .m")
    page.keyboard.press("n")
    steps = int(page.locator(".steps output").inner_text().rpartition(" of ")[2])
    said = set()
    for _ in range(steps):
        said.add(page.locator(".panel .error.present p[dir]").inner_text())
        page.keyboard.press("n")
    assert said == {
        '"dw4" of entity 0 ("dw0") was put with entity 1 ("dw6")',
        '"dw9" of entity 2 was not marked',
        '"dw6" of entity 1 was not marked',
        '"dw7", which only one of the two marked, was put with entity 0 ("dw0")',
        (
            '"dw10" and 1 other mention, which only one of the two marked, '
            "were made into an entity"
        ),
    }


@pytest.mark.parametrize("width", [390, 1440])
def test_tables_fit_the_screen(
    opened: Callable[..., Page], page_of_three: str, width: int
) -> None:
    page = opened(page_of_three, viewport={"width": width, "height": 900})
    hidden = page.locator(".agreement .scroll").evaluate_all(
        "all => all.map(each => each.scrollWidth - each.clientWidth)"
    )
    assert hidden == [0] * 6
    assert page.evaluate("document.documentElement.scrollWidth") == width
    table = page.locator(".agreement table").last
    assert table.locator("tbody tr").first.inner_text().split("\n") == [
        '"Eve"',
        "(story/1); part 000, sentence 1",
        'ada=agree-ada.conll:4\tben: with "She"',
        'ada: with "her"',
        'eva: with "her" and 1 other\t0.787',
    ]


def test_systems_have_a_key_and_a_response(
    opened: Callable[..., Page], story_page: str
) -> None:
    page = opened(story_page, "#document=1&view=over")
    first = page.locator(".block").first
    assert first.evaluate(HEADING) == '"Key above the words, response below"'
    assert page.locator("[data-view=response]").inner_text() == "Response"


def test_annotators_without_names_are_called_by_their_files_and_texts_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "round").mkdir()
    paths = ["round/ada.jsonl", "round/ben.jsonl"]
    ada: Entities = [[(0, 0), (2, 2)], [(4, 4), (6, 6)]]
    ben: Entities = [[(0, 0), (2, 2), (4, 4)], [(6, 6)]]
    for path, entities in zip(paths, (ada, ben), strict=True):
        (tmp_path / path).write_bytes(record("see round/ada.jsonl", entities))
    agreement = scoref.agree(paths, response=paths[0], level=95)
    page = Outline(agreement_page(agreement))
    report = json.loads(page.scripts["report"])
    assert report["documents"][0]["name"] == "see round/ada.jsonl"
    assert report["key"] == "ada.jsonl"
    assert [system["name"] for system in report["systems"]] == ["ben.jsonl"]
    assert "ada.jsonl: with" in page.text
    others = page.text.replace("see round/ada.jsonl", "")
    assert "round/" not in others
