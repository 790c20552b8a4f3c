"""The page in a real browser: it opens everywhere, and nothing gets in."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from scoref.tools.report.page import render_page
from support import page_reports, page_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

STORY = "#document=1"
PHONE = {"width": 390, "height": 700}


@pytest.mark.parametrize("address", ["", "#document=1", "#document=2", "#document=3"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_opens_without_a_fault(
    opened: Opener, story_page: str, address: str, scheme: str
) -> None:
    page = opened(story_page, address, color_scheme=scheme)
    page.wait_for_selector("figure svg", state="attached")
    if address:
        page.wait_for_selector(".reader .text")


@pytest.mark.parametrize(
    "change", [{"systems": [], "comparison": None, "sizes": None}, {"kinds": []}]
)
def test_a_report_may_lack_nearly_everything(
    opened: Opener, change: dict[str, object]
) -> None:
    page = opened(render_page(page_reports.report_of({}, **change), []))
    assert page.locator("h1").inner_text() == "made-up key"


def test_scores_are_there_without_a_script(opened: Opener, story_page: str) -> None:
    page = opened(story_page, java_script_enabled=False)
    assert "CEAFe" in page.locator(".scores").inner_text()
    assert "singletons:keep" in page.locator("#signature").inner_text()


def test_light_and_dark(opened: Opener, story_page: str) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    page = opened(story_page, color_scheme="dark")
    dark = page.evaluate(paper)
    page.click("#theme")
    light = page.evaluate(paper)
    assert light != dark
    page.keyboard.press("t")
    assert page.evaluate(paper) == dark
    other = opened(story_page, color_scheme="light")
    assert other.evaluate(paper) == light


def test_hostile_words_are_words(opened: Opener, story_page: str) -> None:
    page = opened(story_page, "#document=2")
    text = page.locator(".cell.of-key").all_inner_texts()
    for word in page_texts.HOSTILE:
        assert word.strip() in "".join(text)
    assert (
        page.locator(".reader script, .reader img, .panel b:has-text('<b>')").count()
        == 0
    )
    scripts = page.locator("script:not([type])").count()
    assert scripts == 1
    page.click("[data-m=k0]")
    assert "<script>alert(1)</script>" in page.locator(".panel h2").inner_text()
    page.keyboard.press("Escape")
    page.click("[aria-label='Back to the report']")
    assert (
        "<img src=x onerror=alert(3)>" in page.locator("table.documents").inner_text()
    )


def test_nothing_else_may_run_or_be_fetched(opened: Opener, story_page: str) -> None:
    page = opened(story_page, is_watched=False)
    ran, refused = page.evaluate(
        """async () => {
            const refused = [];
            const note = event => refused.push(event.effectiveDirective);
            document.addEventListener('securitypolicyviolation', note);
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            const image = document.createElement('img');
            image.src = 'data:,';
            document.body.append(script, image);
            await fetch('http://127.0.0.1:9/').catch(() => {});
            for (let step = 0; step < 500 && refused.length < 3; step++)
                await new Promise(done => setTimeout(done, 20));
            return [window.ran === true, refused.sort()];
        }"""
    )
    assert ran is False
    assert refused == ["connect-src", "img-src", "script-src-elem"]


def test_addresses_that_make_no_sense_do_no_harm(
    opened: Opener, story_page: str
) -> None:
    for address in (
        "#document=99",
        "#document=4",
        "#document=1&mention=k999&system=7&errors=99&entity=r999",
    ):
        page = opened(story_page, address)
        page.wait_for_selector("h1", state="attached")


def test_documents_are_sorted_found_and_opened(opened: Opener, long_page: str) -> None:
    page = opened(long_page)
    rows = page.locator("table.documents tbody tr")
    assert rows.count() == 100
    page.click("table.documents th >> text=words")
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("words")
    page.click("table.documents th >> text=words")
    assert "novel" in rows.first.inner_text()
    page.fill("[aria-label='Search documents']", "news/34")
    assert rows.count() == 10
    rows.first.locator(".opens-document").click()
    page.wait_for_selector(".reader .m")


def test_a_point_shows_its_name_and_opens(opened: Opener, long_page: str) -> None:
    page = opened(long_page)
    point = page.locator(".dot").first
    point.scroll_into_view_if_needed()
    point.hover(force=True)
    name = page.locator(".hint b").inner_text()
    assert name
    point.dblclick(force=True)
    page.wait_for_selector(".reader .m")
    assert page.locator(".document-title").text_content() == name


def test_charts_can_be_told_apart_by_those_who_do_not_see(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    labels = page.locator("figure svg").evaluate_all(
        "all => all.map(e => e.getAttribute('aria-label'))"
    )
    assert len(labels) == 4
    assert all(labels)


def test_every_control_has_a_name(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    page.wait_for_selector(".m")
    nameless = page.locator("button, select, input").evaluate_all(
        """all => all.filter(
            e => !(e.textContent || e.getAttribute('aria-label') || '').trim()
        ).length"""
    )
    assert nameless == 0
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert [name for name, count in Counter(ids).items() if count > 1] == []


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("address", ["", STORY, "#document=2", f"{STORY}&view=key"])
def test_a_phone_shows_all_without_scrolling_sideways(
    opened: Opener, story_page: str, width: int, address: str
) -> None:
    page = opened(story_page, address, viewport={"width": width, "height": 700})
    page.wait_for_selector(".m" if address else "figure svg")
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth")


def test_print_has_scores_charts_and_the_open_document(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    page.wait_for_selector(".m")
    page.emulate_media(media="print")
    for shown in (
        ".scores",
        "figure svg >> nth=0",
        ".bars rect >> nth=0",
        ".text",
        ".document-title",
        ".choices",
    ):
        assert page.locator(shown).first.is_visible(), shown
    for hidden in (".controls", ".panel", "#theme"):
        assert page.locator(hidden).first.is_hidden(), hidden
    assert page.pdf().startswith(b"%PDF")


def test_paper_is_white_even_if_the_screen_is_dark(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, color_scheme="dark")
    ink = "getComputedStyle(document.body).color"
    on_screen = page.evaluate(ink)
    page.emulate_media(media="print")
    on_paper = page.evaluate(ink)
    page.emulate_media(media="screen")
    page.keyboard.press("t")
    assert page.evaluate(ink) == on_paper != on_screen
    page.keyboard.press("t")
    page.emulate_media(media="print", color_scheme="light")
    assert page.evaluate(ink) == on_paper


def test_clusters_stand_for_texts_where_there_are_none(opened: Opener) -> None:
    nothing: dict[str, list[object]] = {"divided": [], "conflated": []}
    both = [page_reports.clusters(), nothing]
    report = page_reports.report_of({}, clusters=both)
    page = opened(render_page(report, []))
    text = page.locator("#clusters").inner_text()
    assert "Müller, A." in text
    assert "c7 4 of 9" in text
    assert "<b>c9</b> 1 of 1" in text
    assert page.locator(".strip rect").count() == 5
    assert "several clusters of ours" in text
    page.select_option("[aria-label=System]", "theirs")
    assert page.locator(".strip").count() == 0
    assert "several clusters of theirs" in page.locator("#clusters").inner_text()


def test_clusters_are_found_by_kind_size_and_id(opened: Opener) -> None:
    report = page_reports.report_of({}, clusters=[page_reports.clusters()] * 2)
    page = opened(render_page(report, []))
    names = page.locator(".clusters h3")
    assert names.all_inner_texts() == ["Müller, A.", "c7"]
    page.select_option("#clusters [aria-label=Kind]", "conflated")
    assert names.all_inner_texts() == ["c7"]
    page.select_option("#clusters [aria-label=Kind]", "divided and conflated")
    page.select_option("#clusters [aria-label=Size]", "6 to 10 members")
    assert names.all_inner_texts() == ["c7"]
    page.select_option("#clusters [aria-label=Size]", "any size")
    page.fill("[aria-label='Search ids']", "PAPER-11")
    assert names.all_inner_texts() == ["Müller, A."]
    page.fill("[aria-label='Search ids']", "nowhere")
    assert "No clusters match these filters." in page.locator("#clusters").inner_text()
    page.fill("[aria-label='Search ids']", "")
    page.select_option("#clusters [aria-label=Order]", "by name")
    assert names.all_inner_texts() == ["c7", "Müller, A."]


def test_many_clusters_are_shown_by_and_by(opened: Opener) -> None:
    clusters = page_reports.clusters()
    (one,) = clusters["divided"]
    clusters["divided"] = [{**one, "key": f"n{number}"} for number in range(300)]
    clusters["divided_count"] = 4321
    report = page_reports.report_of({}, clusters=[clusters] * 2)
    page = opened(render_page(report, []))
    items = page.locator(".clusters > li")
    before = items.count()
    page.get_by_role("button", name="more clusters").click()
    assert before < items.count() < 301
    text = page.locator("#clusters").inner_text()
    assert "The 300 worst of 4,321 divided clusters are shown." in text


def test_gains_have_their_signs(opened: Opener) -> None:
    report = page_reports.report_of({}, comparison=None)
    gains = {0: 0.0123, 1: -0.0175, 2: 0.00001}
    report["systems"] = report["systems"][:1]
    report["systems"][0]["errors"] = [
        {"kind": kind, "count": 7, "gain": gain} for kind, gain in gains.items()
    ]
    page = opened(render_page(report, []))
    notes = page.locator("[aria-label='Errors by kind'] .note").all_text_contents()
    assert notes[:3] == ["+1.23 (7)", "0.00 (7)", "0"]  # by gain
    assert notes[-1] == "−1.75 (7)"


def test_one_figure_without_an_interval_has_no_line(opened: Opener) -> None:
    report = page_reports.report_of({}, comparison=None)
    report["systems"] = report["systems"][:1]
    assert opened(render_page(report, [])).locator(".lead svg").count() == 1
    for score in report["systems"][0]["scores"]:
        score["intervals"] = None
    assert opened(render_page(report, [])).locator(".lead svg").count() == 0


def test_a_long_name_of_a_system_stays_in_its_chart(opened: Opener) -> None:
    text = page_texts.story()
    report = page_reports.report_of({"one": text, "two": text})
    name = report["systems"][0]["name"] = "of a very long name, " * 5
    page = opened(render_page(report, [text, text]), viewport=PHONE)
    chart = page.locator("svg:has(.landmark)").bounding_box()
    label = page.locator(".landmark text").first
    place = label.bounding_box()
    assert chart
    assert place
    assert place["x"] >= chart["x"] - 1
    assert place["x"] + place["width"] <= chart["x"] + chart["width"] + 1
    assert label.locator("title").text_content() == name


def test_a_phone_shows_scores_and_errors_of_documents(opened: Opener) -> None:
    text = page_texts.story()
    named = {"a-rather-long-name/" * 4: text}
    report = page_reports.report_of(named, comparison=None)
    report["systems"] = report["systems"][:1]
    page = opened(render_page(report, [text]), viewport=PHONE)
    table = page.locator(".scroll:has(table.documents)")
    assert table.evaluate("e => e.scrollWidth <= e.clientWidth")
    heads = table.locator("thead th >> visible=true").all_inner_texts()
    assert heads == ["document", "CoNLL F₁", "errors"]
