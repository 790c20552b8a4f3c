"""What fits on a screen, a phone and a sheet of paper."""

from __future__ import annotations

import json
import random
import re
import statistics
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse_files
from scoref.tools.errors.summary import analysed_documents
from scoref.tools.report.data import ReportChoice, report_of
from scoref.tools.report.page import render_page
from support import page_reports, page_texts
from support.browsing import soon, wait_for_frames
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Opener = Callable[..., Page]

PHONE = {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports on one system and on two systems, and the second without texts."""
    folder = tmp_path_factory.mktemp("pages")
    key, first, second = (EXAMPLES / f"many-{name}.conll" for name in ("key", "a", "b"))
    both = (f"ours={first}", f"theirs={second}")
    run("report", str(key), str(first), "-o", str(folder / "one.html"), code=0)
    run("report", str(key), *both, "-o", str(folder / "two.html"), code=0)
    redacted = str(folder / "redacted.html")
    run("report", str(key), *both, "--no-text", "-o", redacted, code=0)
    return folder


def html(pages: Path, name: str) -> str:
    return (pages / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["", "#document=1"])
def test_print_has_the_top_errors_and_no_empty_sheets(
    opened: Opener, address: str
) -> None:
    rng = random.Random(7)  # noqa: S311 - made-up words
    texts = {f"news/{number}": page_texts.novel(400, rng) for number in range(5)}
    report = page_reports.report_of(texts)
    page = opened(render_page(report, list(texts.values())), address)
    page.wait_for_selector(".m")
    before = page.locator("#errors .entry").count()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    entries = page.locator("#errors .entry")
    assert entries.count() == 20
    boxes = entries.evaluate_all("all => all.map(each => each.getBoundingClientRect())")
    for entry, below in pairwise(boxes):
        assert below["top"] >= entry["bottom"] - 0.01
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf()))
    assert sheets <= 15
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    # The list is drawn again when it has the size of the screen.
    assert soon(page, entries.count, before) == before


@pytest.mark.parametrize(
    ("name", "table", "width"),
    [
        ("two", ".documents", 1024),
        ("two", ".entity-table", 1024),
        ("one", ".documents", 768),
        ("two", ".scores table", 1024),
        ("two", ".documents", 390),
    ],
)
def test_no_column_is_hidden(
    opened: Opener, pages: Path, name: str, table: str, width: int
) -> None:
    page = opened(html(pages, name), viewport={"width": width, "height": 800})
    page.wait_for_selector(table)
    hidden = page.locator(table).first.evaluate(
        "each => each.offsetWidth - each.closest('.scroll').clientWidth"
    )
    assert hidden <= 0


@pytest.mark.parametrize(("width", "is_cut"), [(390, True), (768, True), (1024, False)])
def test_the_table_of_scores_shows_that_columns_are_hidden(
    opened: Opener, pages: Path, width: int, is_cut: bool
) -> None:
    viewport = {"width": width, "height": 800}
    page = opened(html(pages, "two"), viewport=viewport)
    table = page.locator(".scores.several .scroll").first
    wait_for_frames(page)
    assert ("is-cut" in (table.get_attribute("class") or "")) == is_cut
    table.evaluate("each => { each.scrollLeft = each.scrollWidth }")
    page.wait_for_function(
        "() => !document.querySelector('.scores.several .scroll.is-cut')"
    )


@pytest.mark.parametrize("width", [390, 768, 1024, 1440])
def test_filters_are_in_one_row(opened: Opener, pages: Path, width: int) -> None:
    viewport = {"width": width, "height": 800}
    page = opened(html(pages, "two"), viewport=viewport)
    page.wait_for_selector("#errors .chips label")
    tops = page.locator("#errors .chips label").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().top)"
    )
    assert len(tops) == 8
    assert len({round(top) for top in tops}) == 1
    widths = page.locator("#errors .chips select").evaluate_all(
        "all => all.map(each => each.offsetWidth)"
    )
    assert min(widths) >= 90


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_sentences_about_errors_are_whole(
    opened: Opener, pages: Path, width: int
) -> None:
    viewport = {"width": width, "height": 800}
    page = opened(html(pages, "two"), viewport=viewport)
    page.wait_for_selector("#errors .entry")
    cut = page.locator("#errors .entry-words").evaluate_all(
        "all => all.filter(each => each.scrollWidth > each.clientWidth + 1)"
        ".map(each => each.textContent)"
    )
    assert cut == []


def test_printed_errors_have_their_lines(opened: Opener, pages: Path) -> None:
    page = opened(html(pages, "one"))
    page.wait_for_selector("#errors .entry-lines .cell")
    # Texts are unpacked in the background; until then, the page says to print again.
    page.wait_for_function(
        """() => {
            dispatchEvent(new Event('beforeprint'));
            return !document.querySelector("#errors .entry:not(:has(.cell))");
        }"""
    )
    page.emulate_media(media="print")
    entries = page.locator("#errors .entry")
    assert entries.count() == 20
    assert page.locator("#errors .entry:not(:has(.cell))").count() == 0


@pytest.mark.parametrize("address", ["", "#document=1", "#document=2&error=1"])
def test_a_page_can_be_printed_soon_after_it_was_opened(
    opened: Opener, pages: Path, address: str
) -> None:
    """Texts that nobody has looked at are printed, too."""
    page = opened(html(pages, "one"), address)
    page.evaluate(
        "addEventListener('beforeprint', () => { window.printed = ['', ':has(.cell)']"
        ".map(has => document.querySelectorAll(`#errors .entry${has}`).length) })"
    )

    def printed() -> list[int]:
        assert page.pdf().startswith(b"%PDF")
        return [*page.evaluate("window.printed")]

    assert soon(page, printed, [20, 20]) == [20, 20]


PRINT_TOO_SOON = """
    const Unpacked = DecompressionStream;
    let unpack;
    const isPrinted = new Promise(done => { unpack = done; });
    window.DecompressionStream = function (kind) {
        const { readable, writable } = new Unpacked(kind);
        const gate = new TransformStream({ flush: () => isPrinted });
        return { writable, readable: readable.pipeThrough(gate) };
    };
    addEventListener('DOMContentLoaded', () => {
        dispatchEvent(new Event('beforeprint'));
        window.printed = document.getElementById('errors').textContent;
        unpack();
    });"""


def test_a_page_that_is_printed_too_soon_says_so(browser: Browser, pages: Path) -> None:
    page = browser.new_page()
    page.add_init_script(PRINT_TOO_SOON)
    page.goto((pages / "one.html").as_uri())
    assert "Print the page again" in page.evaluate("window.printed")
    page.wait_for_selector("#errors .entry .cell")
    assert "Print the page again" not in (page.text_content("#errors") or "")
    page.close()


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_all_links_of_the_bar(
    opened: Opener, pages: Path, width: int
) -> None:
    page = opened(html(pages, "two"), viewport={"width": width, "height": 800})
    page.wait_for_selector("#errors .entry")
    bar = page.locator("#bar").bounding_box()
    assert bar
    links = page.locator("#bar a, #bar .tools button")
    assert links.count() == 8
    for link in links.all():
        box = link.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert bar["y"] <= box["y"]
        assert box["y"] + box["height"] <= bar["y"] + bar["height"]


def test_a_phone_keeps_the_way_back_and_the_document_while_a_text_is_scrolled(
    opened: Opener, pages: Path
) -> None:
    viewport = {"width": 390, "height": 400}
    page = opened(html(pages, "two"), "#document=3", viewport=viewport)
    page.wait_for_selector(".reader .m")
    page.evaluate("scrollTo(0, 140)")
    page.wait_for_function("() => scrollY >= 100")
    tops = [
        page.locator(part).first.evaluate("each => each.getBoundingClientRect().top")
        for part in (".back", ".here .documents", ".filters .next", ".views")
    ]
    assert min(tops[:3]) >= 0
    assert max(tops[:3]) < 100
    assert tops[3] < 0
    page.click(".back")
    page.wait_for_selector("#errors .entry")


def test_errors_on_a_phone_are_as_high_as_their_words(
    opened: Opener, pages: Path
) -> None:
    page = opened(html(pages, "two"), viewport=PHONE)
    page.wait_for_selector("#errors .cell")
    page.click("#errors .more button")
    rows = page.locator("#errors .entry").evaluate_all(
        "all => all.map(each => { const box = each.getBoundingClientRect();"
        " const words = each.querySelector('.entry-words');"
        " return [box.top, box.bottom, words.offsetHeight] })"
    )
    assert len(rows) == 45
    lines = {round(words) for _, _, words in rows}
    assert len(lines) == 2
    assert min(lines) < max(lines) * 0.6
    for (_, bottom, _), (top, _, _) in pairwise(rows):
        assert 0 <= top - bottom < 1


@pytest.mark.parametrize("is_touch", [True, False])
def test_hints_fit_the_finger_or_the_mouse(
    opened: Opener, pages: Path, is_touch: bool
) -> None:
    page = opened(
        html(pages, "two"), viewport=PHONE, is_mobile=is_touch, has_touch=is_touch
    )
    page.wait_for_selector("#plots figcaption")
    hints = page.locator("#plots").inner_text()
    assert ("double-click" in hints) != is_touch
    assert ("Tap for its errors" in hints) == is_touch


def test_weak_documents_are_below_the_median(opened: Opener, pages: Path) -> None:
    page = opened(html(pages, "one"))
    weak = page.locator(".look.weak li")
    assert weak.count() == 3
    figures = [float(text) for text in weak.locator(".look-gain").all_inner_texts()]
    report = json.loads(page.locator("#report").text_content() or "")
    scores = [each["f1"] for each in report["systems"][0]["documents"]]
    median = 100 * statistics.median(scores)
    assert figures == [round(100 * score, 2) for score in sorted(scores)[:3]]
    detail = weak.first.inner_text()
    heading = page.locator("h2:has(+ .look.weak)").inner_text()
    assert heading == f"Weakest documents (CoNLL F₁; median of all: {median:.2f})"
    assert "recall 63.97, precision 72.56; 3 errors; most frequent: wrong link (2)" in (
        detail
    )
    heads = page.locator("table.documents th[scope=col]").all_inner_texts()
    assert heads[1:5] == ["CoNLL F₁", "recall", "precision", "errors"]
    figures_of_weakest = page.locator("table.documents tbody tr").first.locator("td")
    assert figures_of_weakest.all_inner_texts()[:3] == ["67.81", "63.97", "72.56"]


def test_figures_of_groups_stand_below_their_titles_on_a_phone(
    opened: Opener, pages: Path
) -> None:
    page = opened(html(pages, "redacted"), viewport=PHONE)
    item = page.locator(".look li:has(.sign)").first
    title, figure = (
        item.locator(each).first.bounding_box() for each in ("> div", "> span")
    )
    assert title
    assert figure
    indent = "each => parseFloat(getComputedStyle(each).paddingInlineStart)"
    indented = item.locator("> div").first.evaluate(indent)
    assert figure["x"] == title["x"] + indented, "it is below the words"
    assert figure["y"] >= title["y"] + title["height"]
    assert figure["height"] < 40, "the figure is on one line"


@pytest.mark.parametrize("address", ["", "#document=1"])
@pytest.mark.parametrize("width", [390, 768, 1440])
def test_help_and_legend_are_in_every_view(
    opened: Opener, pages: Path, address: str, width: int
) -> None:
    viewport = {"width": width, "height": 800}
    page = opened(html(pages, "two"), address, viewport=viewport)
    for name in ("Help", "Legend"):
        shown = page.get_by_role("button", name=name, exact=True)
        assert shown.locator("visible=true").count() == 1, name


def test_the_bar_marks_the_last_part_although_it_is_short(
    opened: Opener, pages: Path
) -> None:
    page = opened(html(pages, "one"))
    page.wait_for_selector(".entity-table")
    page.click("#bar >> text=How it was scored")
    page.wait_for_selector("#bar a[href='#scored'][aria-current]")
    assert page.locator("#bar [aria-current]").count() == 1


@pytest.mark.parametrize("width", [390, 1440])
def test_terms_are_explained_on_focus_within_the_page(
    opened: Opener, pages: Path, width: int
) -> None:
    viewport = {"width": width, "height": 800}
    page = opened(html(pages, "one"), viewport=viewport)
    page.wait_for_selector(".sentence .term")
    hidden = page.evaluate("""async () => {
        const root = document.documentElement;
        const hidden = [];
        for (const term of document.querySelectorAll(".term")) {
            term.focus({focusVisible: true});
            await new Promise(requestAnimationFrame);
            if (getComputedStyle(term, "::after").content === "none")
                hidden.push(`${term.textContent} has no explanation`);
            if (root.scrollWidth > root.clientWidth) hidden.push(term.textContent);
        }
        return hidden;
    }""")
    assert hidden == []
    terms = page.locator(".term").evaluate_all(
        "all => all.map(each => each.firstChild.textContent)"
    )
    assert {"key", "response", "CoNLL F₁", "CEAFe"} <= {*terms}


def test_every_metric_with_a_bar_is_explained(tmp_path: Path) -> None:
    tables = [str(EXAMPLES / f"table-{side}.tsv") for side in ("key", "response")]
    path = tmp_path / "table.html"
    run("table", *tables, "--report", str(path), code=0)
    page = path.read_text(encoding="utf-8")
    bars = re.findall(r"<dt><strong>(.*?)</strong></dt>", page)
    assert len(bars) == 10
    assert all('class="term"' in bar for bar in bars)
    assert 'data-meaning="Exact cluster: entities that are identical in' in page
    assert re.search(r'lead-name"><span class="term"[^>]*>Pairwise, links F₁', page)


def test_the_score_from_which_gains_start_is_in_every_place(opened: Opener) -> None:
    names = {"ua": str(EXAMPLES / "ua-response.ua")}
    analyses = analyse_files(str(EXAMPLES / "ua-key.ua"), names, Request())
    (analysis,) = analyses.values()
    start = f"{100 * analysis.gains.before:.2f}"
    assert start != f"{100 * analysis.result.conll:.2f}"
    page = opened(render_page(*report_of(analyses)))
    page.wait_for_selector(".missing")
    cause = page.locator(".first-screen .start").inner_text()
    assert cause.startswith(f"Gains start from a CoNLL score of {start}, not from ")
    assert "ignores plurals" in cause
    below = f"The score from which gains start, {start}, is"
    assert below in page.locator("#wrong .caption").first.inner_text()
    heads = page.locator("table.documents thead th").all_inner_texts()
    place = heads.index("gains start from")
    cells = page.locator(f"table.documents tbody td:nth-child({place + 1})")
    expected = sorted(
        f"{100 * score:.2f}" for score in analysed_documents(analysis).figures[:, 2]
    )
    assert sorted(cells.all_inner_texts()) == expected
    hidden = opened(render_page(*report_of(analyses, ReportChoice(with_text=False))))
    said = hidden.locator(".first-screen .start").inner_text()
    assert said == f"Gains start from {start} instead."


def test_tables_of_recall_are_side_by_side(opened: Opener, story_page: str) -> None:
    page = opened(story_page, viewport={"width": 1440, "height": 900})
    page.click("text=Recall and precision >> nth=0")
    boxes = [each.bounding_box() for each in page.locator(".abreast > div").all()]
    first, second = (box for box in boxes if box)
    assert first["y"] == second["y"]
    assert first["x"] + first["width"] < second["x"]


def test_the_focus_is_around_the_whole_row(opened: Opener, story_page: str) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    page.focus("[aria-label='Group by']")
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.locator(".entry > button:focus").count():
            break
    row = page.locator(".entry:has(> button:focus)")
    assert row.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"


def test_the_last_label_of_a_chart_is_not_cut(opened: Opener) -> None:
    text = page_texts.story()
    report = page_reports.report_of({"one": text, "two": text})
    for document, tokens in zip(report["documents"], (1000, 3400), strict=True):
        document["tokens"] = tokens
    page = opened(
        render_page(report, [text, text]), viewport={"width": 390, "height": 800}
    )
    page.wait_for_selector(".dot")
    label = page.locator("figure svg .axes text >> text='3,500'")
    cut = label.evaluate(
        """each => each.getBoundingClientRect().right
            - each.closest("svg").getBoundingClientRect().right"""
    )
    assert cut <= 0
