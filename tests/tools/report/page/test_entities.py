"""The table of entities in a real browser has the figures of `score --per-entity`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scoref.scoring.entities import entities_of
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.report.data import ReportChoice, report_of
from scoref.tools.report.page import render_page
from support.error_analyses import spans
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Opener = Callable[..., Page]


def percent(figure: float | None) -> str:
    return "–" if figure is None else f"{100 * figure:.2f}"


@pytest.mark.parametrize(
    "names",
    [
        ("many-key.conll", "many-a.conll"),
        ("corefud-key.conllu", "corefud-response.conllu"),
    ],
)
def test_entities_have_the_figures_of_score(
    opened: Opener, names: tuple[str, str]
) -> None:
    key, response = (EXAMPLES / name for name in names)
    (pair,) = read_pairs(key, [response], Request(with_tokens=True))
    page = opened(render_page(*report_of({"a": analyse(*pair)}, ReportChoice())))
    page.wait_for_selector(".entity-table")
    rows = entities_of(*pair[:3]).rows
    documents = list(dict.fromkeys(row.document for row in rows))
    options = page.locator("#entities select[aria-label=Document] option")
    chosen = page.locator("#entities select[aria-label=Document]")
    place = int(chosen.evaluate("list => list.selectedIndex"))
    assert options.count() == len(documents)
    expected = sorted(
        (
            str(row.key_size),
            str(row.response_size),
            percent(row.recall),
            percent(row.precision),
            percent(row.f1),
            str(row.parts),
            str(row.missed),
            str(len(row.merged_with)),
        )
        for row in rows
        if row.document == documents[place] and row.entity is not None
    )
    shown = page.locator(".entity-table tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td')]"
        ".slice(0, 9).map(cell => cell.innerText))"
    )
    gains = [float(gain) for gain, *_ in shown]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0
    assert sorted(tuple(row[1:]) for row in shown) == expected


def test_the_grid_follows_the_system_and_the_colours(opened: Opener) -> None:
    analyses = {}
    for name in ("a", "b"):
        files = EXAMPLES / "many-key.conll", [EXAMPLES / f"many-{name}.conll"]
        (pair,) = read_pairs(*files, Request(with_tokens=True))
        analyses[name] = analyse(*pair)
    page = opened(render_page(*report_of(analyses, ReportChoice())))
    page.wait_for_selector(".entity-table")
    grid = page.locator("#entities canvas")
    save = page.locator("#entities .grid-holder .take")
    save.wait_for()
    drawn = "canvas => canvas.toDataURL()"
    of_first = grid.evaluate(drawn)
    page.select_option("#entities select[aria-label=System]", "b")
    page.wait_for_function(
        "before => document.querySelector('canvas.grid').toDataURL() !== before",
        arg=of_first,
    )
    of_second = grid.evaluate(drawn)
    page.keyboard.press("t")
    assert grid.evaluate(drawn) != of_second
    page.keyboard.press("t")
    assert grid.evaluate(drawn) == of_second
    assert save.count() == 1


def test_list_panel_and_table_agree_about_an_entity(opened: Opener) -> None:
    words = "Ada saw the old map and she took it with her to the old map shop"
    key = [[(0, 0), (6, 6), (10, 10), (2, 4), (12, 14)], [(8, 8), (3, 4)]]
    response = [[(0, 0), (2, 3)], [(6, 6), (12, 14), (8, 8)]]
    page = opened(render_page(*report_of({"a": spans(key, response, words)})))
    page.wait_for_selector(".entity-table")
    heads = page.locator(".entity-table thead th").all_inner_texts()
    row = page.locator(".entity-table tbody tr").filter(has_text="Ada")
    cells = dict(zip(heads, row.locator("th, td").all_inner_texts(), strict=True))
    size, missed = int(cells["key"]), int(cells["missed"])
    assert (size, missed, cells["parts"]) == (5, 2, "2")
    row.locator("button").click()
    page.wait_for_selector(".panel .fate")
    counts = page.locator(".panel .fate li").all_inner_texts()
    numbers = [int(re.findall(r"(\d+) (?:in|not|with)", text)[0]) for text in counts]
    assert sum(numbers) == size
    assert "with other boundaries" in counts[-2]
    assert "not in" in counts[-1]
    assert numbers[-2] + numbers[-1] == missed
    page.keyboard.press("Escape")
    item = page.locator(".entities li").filter(has_text="Ada").first
    assert f"{size - missed}/{size}" in item.inner_text()
