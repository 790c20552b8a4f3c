"""Several systems on one page: side by side, who is wrong, who differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse_files
from scoref.tools.report.data import report_of
from scoref.tools.report.page import render_page
from scoref.tools.report.page.index import Index
from support.browsing import address, wait_until_drawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

OURS, THEIRS = "examples/many-a.conll", "examples/many-b.conll"
KEY = "examples/many-key.conll"


@pytest.fixture(scope="module")
def five_page() -> str:
    """A report on five systems; one of them makes no error."""
    names = {
        "ours": OURS,
        "theirs": THEIRS,
        "best": KEY,
        "fourth": OURS,
        "last": THEIRS,
    }
    return render_page(*report_of(analyse_files(KEY, names, Request())))


def marked(page: Page, cell: str = ".of-key") -> int:
    return page.locator(f".text .cell{cell} .m").count()


def test_key_and_both_systems_stand_side_by_side(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, "#document=1")
    page.click("[data-view=all]")
    page.wait_for_selector(".heads")
    heads = page.locator(".heads b").all_inner_texts()
    assert heads == ["Key", "ours", "theirs"]
    bar = page.locator(".controls").bounding_box()
    assert bar
    assert bar["y"] == 0
    assert page.locator(".text .row:not(.heads)").first.locator(".cell").count() == 3
    page.locator("[data-system='1'] [data-m=r0]").first.click()
    page.wait_for_selector("[data-system='0']")
    assert "system=2" in address(page)
    assert "mention=r" in address(page)
    assert page.locator(".text .m.chosen").count() == 1
    # What the other one aligned to the same entity of the key lights up, too.
    assert page.locator("[data-system='0'] .m.lit").count() > 1
    every = marked(page)
    found = {}
    for verdict in (
        "Only theirs is wrong",
        "Only ours is wrong",
        "Both are wrong",
        "Both are right",
    ):
        page.select_option(".reader [aria-label='Who is wrong']", verdict)
        wait_until_drawn(page)
        found[verdict] = marked(page)
    assert all(found.values())
    assert sum(found.values()) == every


def test_pairs_and_differences_lead_to_errors(opened: Opener, five_page: str) -> None:
    page = opened(five_page)
    page.wait_for_selector(".entry")
    assert page.locator(".pairs tbody tr").count() == 10
    row = page.locator(".pairs tbody tr", has_text="ours : theirs")
    assert "+7.98" in row.inner_text()
    figure = row.locator("td button").first
    promised = int(figure.inner_text())
    figure.click()
    assert page.locator("#errors output").inner_text().split()[0] == str(promised)
    assert "wrong=only" in address(page)
    page.select_option("[aria-label='Errors of']", "theirs")
    page.select_option("[aria-label='Compared with']", "compared with last")
    page.select_option("#errors [aria-label='Who is wrong']", "Only theirs")
    assert page.locator("#errors output").inner_text().startswith("0 of")
    assert "No errors match these filters" in page.locator("#errors").inner_text()
    assert page.locator(".entries").evaluate("e => e.offsetHeight") == 0
    head = page.locator("table.documents th", has_text="theirs − last")
    assert head.count() == 1
    page.select_option("#errors [aria-label='Compared with']", "compared with best")
    page.click("table.documents th >> text=theirs − best")
    place = [
        number
        for number, text in enumerate(
            page.locator("table.documents thead th").all_inner_texts()
        )
        if text == "theirs − best"
    ]
    cells = page.locator(f"table.documents tbody td:nth-child({place[0] + 1})")
    column = cells.all_inner_texts()
    values = [float(text.replace("−", "-")) for text in column]
    assert values == sorted(values)
    assert values[0] < values[-1] <= 0


def test_the_page_says_what_changes_from_one_system_to_the_other(
    opened: Opener,
) -> None:
    analyses = analyse_files(KEY, {"ours": OURS, "theirs": THEIRS}, Request())
    page = opened(render_page(*report_of(analyses)))
    page.wait_for_selector("#changes .look")
    sentence = page.locator("#wrong .sentence")
    assert sentence.inner_text().startswith("“ours” misses mentions: 27 of its 48")
    heading = page.locator("#changes h2")
    assert heading.all_inner_texts() == ["What changes from “ours” to “theirs”"]
    note = "do not add up to the difference of the scores (theirs − ours: −7.98)"
    assert note in page.locator("#changes .caption").last.inner_text()
    net = page.locator("#changes .net li")
    groups = [analysis.groups for analysis in analyses.values()]
    costs = [
        {(group.kind, group.mention_class): group.gain for group in of_system}
        for of_system in groups
    ]
    both = costs[0].keys() & costs[1].keys()
    most = max(abs(costs[0][group] - costs[1][group]) for group in both)
    first = net.first.locator(".look-gain").inner_text()
    assert first.replace("−", "-") == f"{-100 * most:+.2f}"
    assert "ours 4.56 (10 errors) · theirs" in " ".join(net.all_inner_texts())
    page.get_by_role("button", name="Show the changes from “theirs” to “ours”").click()
    page.locator("#changes h2", has_text="from “theirs” to “ours”").wait_for()
    assert sentence.inner_text().startswith("“theirs” misses mentions: 40 of its 68")
    fixed = page.locator("#changes section").first.locator(".look-gain").first
    assert fixed.inner_text() == "+8.18"


def test_a_phone_names_the_texts_that_are_one_below_the_other(
    opened: Opener, story_page: str
) -> None:
    phone = {"width": 390, "height": 800}
    page = opened(story_page, "#document=1&view=all", viewport=phone)
    page.wait_for_selector(".text .row .cell")
    assert not page.locator(".heads").is_visible()
    row = page.locator(".text .row:not(.heads)").first
    names = row.locator(".cell").evaluate_all(
        "all => all.map((cell) => getComputedStyle(cell, '::before').content)"
    )
    assert names == ['"Key"', '"ours"', '"theirs"']


def test_with_five_systems_one_chooses_which_are_shown(
    opened: Opener, five_page: str
) -> None:
    page = opened(five_page, "#document=1&view=all")
    heads = page.locator(".heads b")
    assert heads.all_inner_texts() == ["Key", "ours", "theirs"]
    chips = page.locator("[aria-label='Systems side by side']")
    chips.locator("text=last").click()
    page.wait_for_selector(".heads >> text=last")
    chips.locator("text=theirs").click()
    page.wait_for_selector(".heads >> text=theirs", state="detached")
    assert heads.all_inner_texts() == ["Key", "ours", "last"]
    assert "columns=1.5" in address(page)


def test_the_page_of_several_datasets_is_sorted_by_differences(opened: Opener) -> None:
    index = Index("gold", ["one", "two"])
    pairs = {"a": (OURS, THEIRS), "<b>b</b>": (THEIRS, OURS), "c": (OURS, OURS)}
    for dataset, files in pairs.items():
        names = dict(zip(("one", "two"), files, strict=True))
        index.add(dataset, analyse_files(KEY, names, Request()))
        index.links[dataset] = f"pages/{dataset}.html"
    page = opened(index.render())
    page.click("th >> text=two − one")
    rows = page.locator(".sortable").first.locator("tbody tr")
    titles = rows.locator("th").all_inner_texts()
    assert titles == ["a", "c", "<b>b</b>", "macro average"]
    page.click("th >> text=two − one")
    assert rows.first.locator("th").inner_text() == "<b>b</b>"
    errors = page.locator(".sortable").nth(1).locator("a")
    # Wrong links come first, because fixing them gains most.
    assert errors.first.get_attribute("href") == "pages/a.html#system=1&kind=3"


def test_documents_have_the_colour_the_order_and_the_sign_of_the_chosen_system(
    opened: Opener, five_page: str
) -> None:
    page = opened(five_page, "#system=2")
    page.wait_for_selector(".dot")
    colour = "e => getComputedStyle(e).fill"
    chart = page.locator("svg:has(.landmark)")
    second = chart.locator(".landmark path").nth(1).evaluate(colour)
    assert chart.locator(".dot").first.evaluate(colour) == second
    assert chart.locator(".landmark path").first.evaluate(colour) != second
    heads = page.locator("table.documents thead th")
    assert "ours − theirs" in heads.all_inner_texts()
    assert page.locator("table.documents [aria-sort]").inner_text() == "theirs"


def test_the_chart_says_whose_recall_and_each_curve_has_a_name(
    opened: Opener, five_page: str
) -> None:
    page = opened(five_page)
    chart = page.locator("figure:has(.landmark)")
    title = chart.locator("h3").inner_text()
    assert title == "Recall and precision of MUC, B³ and CEAFe"
    assert "Means of the three metrics." in chart.locator("p").first.inner_text()
    names = chart.locator(".curve-name").count()
    assert names == chart.locator(".curve").count() > 1
