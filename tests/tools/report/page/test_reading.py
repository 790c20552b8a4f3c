"""A document in a real browser: what people do with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scoref.tools.report.page import render_page
from support import page_reports, page_texts
from support.browsing import address, fragment, soon

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Opener = Callable[..., Page]

STORY = "#document=1"
SEARCH = "[aria-label='Search in this document']"


def lit(page: Page, side: str) -> set[str]:
    found = page.locator(f".m.{side}.lit").evaluate_all(
        "all => all.map(e => e.dataset.m)"
    )
    return set(found)


def marked(page: Page) -> set[str]:
    return set(page.locator(".m").evaluate_all("all => all.map(e => e.dataset.m)"))


def spot(side: str, mention: int) -> str:
    """Write a mention of the story as addresses do: by its words, counted from 1."""
    text = page_texts.story()
    data = text["key"] if side == "key" else text["systems"][0]
    _, *pieces = data["mentions"][mention]
    spans = [f"{a + 1}-{b + 1}" for a, b in zip(pieces[::2], pieces[1::2], strict=True)]
    return f"{side[0]}{'_'.join(spans)}"


def test_an_address_names_words_and_survives_another_run(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.wait_for_selector(".entry")
    page.locator(".entry button").first.click()
    page.wait_for_selector(".panel .error.present")
    place = fragment(page)
    assert "document=stories%2Fada" in place
    assert "error=" in place
    wrong = page.locator(".panel .error.present").inner_text()

    # In another run, the same error may have another number.
    text = page_texts.story()
    for system in text["systems"]:
        system["errors"].reverse()
    texts = {"another document": page_texts.empty(), "stories/ada": text}
    other = render_page(page_reports.report_of(texts), list(texts.values()))
    again = opened(other, place)
    again.wait_for_selector(".panel .error.present")
    label = wrong.splitlines()[0]
    assert again.locator(".panel .error.present").inner_text().startswith(label)
    assert again.locator(".notice").is_hidden()


@pytest.mark.parametrize(
    ("unknown", "message"),
    [
        ("#document=novels/lost", "document “novels/lost”, which this report"),
        ("#document=99", "document “99”, which this report does not have"),
        ("#system=7", "system “7”, which this report does not have"),
        ("#kind=1&in=99", "document “99”, which this report does not have"),
        ("#document=no+text", "The text of document “no text” is not in this report"),
        ("#document=1&mention=k999-999", "mention “k999-999”, which this document"),
        ("#document=1&error=5", "error “5”, which this document does not have"),
    ],
)
def test_an_address_of_something_unknown_is_reported(
    opened: Opener, story_page: str, unknown: str, message: str
) -> None:
    page = opened(story_page)
    page.goto(f"{page.url}{unknown}")
    page.wait_for_selector(".notice", state="visible")
    assert message in page.locator(".notice").inner_text()
    page.goto(page.url.partition("#")[0] + "#document=2")
    page.wait_for_selector(".notice", state="hidden")


def test_a_click_lights_up_the_chain_on_both_sides(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    page.click("[data-m=k0]")
    text = page_texts.story()
    key = {
        f"k{row}" for row, each in enumerate(text["key"]["mentions"]) if each[0] == 0
    }
    response = text["systems"][0]
    expected = {
        f"r{row}"
        for row, each in enumerate(response["mentions"])
        if each[0] == 0 or f"k{response['partner'][row]}" in key
    }
    assert lit(page, "k") == key
    assert lit(page, "r") == expected
    about = page.locator(".panel").inner_text()
    assert (
        "Matched in the response with “Ada Lovelace”: the words are the same." in about
    )


def test_a_second_click_goes_to_the_mention_around(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    inner = page.locator("[data-m=k4] >> text=whose").first
    inner.click()
    first = address(page)
    assert "mention=k" in first
    inner.click()
    assert "mention=k" in address(page)
    assert address(page) != first
    assert "“whose mother”" in page.locator(".panel .phrase").inner_text()


def test_a_mention_without_a_partner_says_so(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    page.click("text=London >> nth=0")
    assert "Not a mention in the response." in page.locator(".panel").inner_text()


def test_the_next_error_is_shown_and_counted(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    total = len(page_texts.story()["systems"][0]["errors"])
    assert page.locator(".steps output").inner_text() == str(total)
    seen = []
    for number in range(1, total + 1):
        page.keyboard.press("n")
        assert page.locator(".steps output").inner_text() == f"{number} of {total}"
        seen.append(page.locator(".m.chosen").first.get_attribute("data-m"))
        assert page.locator(".panel .error.present").is_visible()
    page.click("[aria-label='Next error']")
    assert page.locator(".steps output").inner_text() == f"1 of {total}"
    assert len(set(seen)) > total / 2
    page.keyboard.press("p")
    assert page.locator(".steps output").inner_text() == f"{total} of {total}"


def test_each_mention_of_an_error_has_its_sign(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    (system,) = page_texts.story()["systems"][:1]
    wrong = {
        f"{side}{mention}"
        for error in system["errors"]
        for side, field in (("k", "key_mentions"), ("r", "response_mentions"))
        for mention in error[field]
    }
    signed = page.locator(".text .m:has(> .tag .sign)").evaluate_all(
        "all => all.map(e => e.dataset.m)"
    )
    assert {*signed} == wrong


def test_filters_leave_the_mentions_of_those_errors(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    everything = marked(page)
    page.click(".reader .chip:has-text('missing mention')")
    errors = page_texts.story()["systems"][0]["errors"]
    missing = [e for e in errors if e["kind"] == page_texts.NUMBER["missing-mention"]]
    assert marked(page) == {f"k{row}" for e in missing for row in e["key_mentions"]}
    assert page.locator(".steps output").inner_text() == str(len(missing))
    page.click(".reader .chip:has-text('extra mention')")
    extra = [e for e in errors if e["kind"] == page_texts.NUMBER["extra-mention"]]
    assert page.locator(".steps output").inner_text() == str(len(missing) + len(extra))
    page.keyboard.press("Escape")
    assert marked(page) == everything


def test_one_class_of_mentions_can_be_looked_at(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    page.select_option("[aria-label='Class of mention']", "pronoun")
    text = page_texts.story()
    sides = {"k": text["key"], "r": text["systems"][0]}
    assert marked(page) == {
        f"{letter}{row}"
        for letter, side in sides.items()
        for row, each in enumerate(side["classes"])
        if each == "pronoun"
    }


def test_one_entity_can_be_looked_at(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    page.click(".entities button:has-text('Charles Babbage')")
    page.click("text=Show only this entity")
    assert {name[0] for name in marked(page)} == {"k", "r"}
    assert len(marked(page)) == 8
    page.click(".reader .chip:has-text('One entity')")
    assert len(marked(page)) > 20


def test_search_finds_words_in_a_row(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    page.wait_for_selector(".m")
    page.keyboard.press("/")
    page.keyboard.type("the engine")
    assert page.locator(".search output").inner_text() == "1 / 1"
    assert page.locator(".hit").all_inner_texts() == ["the", "engine"] * 2
    page.fill(SEARCH, "ada")
    assert page.locator(".search output").inner_text() == "1 / 2"
    page.press(SEARCH, "Enter")
    assert page.locator(".search output").inner_text() == "2 / 2"
    page.fill(SEARCH, "nowhere")
    assert page.locator(".search output").inner_text() == "none"


def test_what_is_seen_can_be_found(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    page.fill(SEARCH, "Engine, and")
    assert page.locator(".search output").inner_text() == "1 / 1"
    page.fill(SEARCH, "engine , and")
    assert page.locator(".search output").inner_text() == "1 / 1"


def test_the_place_that_one_is_at_differs_from_the_others(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    page.fill(SEARCH, "her")
    here, found = page.locator(".of-key .hit.here"), page.locator(".of-key .hit")
    assert (here.count(), found.count()) == (1, 3)
    first = here.evaluate("e => e.parentElement.textContent")
    page.press(SEARCH, "Enter")
    assert here.count() == 1
    assert here.evaluate("e => e.parentElement.textContent") != first


def test_escape_leaves_the_search_and_nothing_else(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    page.click("[data-m=k0]")
    page.fill(SEARCH, "ada")
    searched = address(page)
    page.press(SEARCH, "Escape")
    assert address(page) == searched
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("Escape")
    assert "mention" not in address(page)
    assert "search=ada" in address(page)


def test_a_word_does_not_turn_the_words_around_it(opened: Opener) -> None:
    text = page_texts.text_of(
        ["one \u202etwo three four ."],
        page_texts.Sides({}, {"ours": {}, "theirs": {}}),
    )
    page = opened(render_page(page_reports.report_of({"d": text}), [text]), STORY)
    left = page.locator(".cell.of-key").evaluate(
        """cell => {
            const last = cell.lastChild, range = document.createRange();
            return ['three', 'four'].map(word => {
                const at = last.data.indexOf(word);
                range.setStart(last, at);
                range.setEnd(last, at + word.length);
                return range.getBoundingClientRect().left;
            });
        }"""
    )
    assert left == sorted(left)


@pytest.mark.parametrize("width", [820, 1000, 1280])
def test_numbers_of_sentences_stand_beside_the_text(
    opened: Opener, story_page: str, width: int
) -> None:
    page = opened(story_page, STORY, viewport={"width": width, "height": 800})
    number = page.locator(".number").first
    end = number.evaluate("e => e.getBoundingClientRect().right")
    start = page.locator(".cell").first.evaluate("e => e.getBoundingClientRect().left")
    assert start - end > 6


def test_the_bar_does_not_jump_when_the_first_error_is_gone_to(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    chip = page.locator(".chip").first
    before = chip.bounding_box()
    page.keyboard.press("n")
    assert chip.bounding_box() == before


def test_the_address_brings_back_what_was_looked_at(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page)
    page.click("table.documents >> text=stories/ada")
    page.click(".views [data-view=over]")
    page.click("[data-m=k0]")
    again = opened(story_page, fragment(page))
    again.wait_for_selector(".m.chosen")
    assert again.locator(".text").get_attribute("data-view") == "over"
    chain = lit(page, "k")
    assert soon(again, lambda: lit(again, "k"), chain) == chain
    page.go_back()
    page.wait_for_selector("table.documents", state="visible")
    assert page.locator("#reader").is_hidden()
    page.go_forward()
    page.wait_for_selector(".m.chosen")


def test_keys_walk_through_mentions_and_views(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    page.wait_for_selector(".m")
    page.keyboard.press("ArrowRight")
    assert f"mention={spot('key', 0)}" in address(page)
    page.keyboard.press(".")
    assert f"mention={spot('key', 1)}" in address(page)
    page.keyboard.press("x")
    assert f"mention={spot('response', 1)}" in address(page)
    assert page.evaluate("document.activeElement.dataset.m") == "r1"
    page.keyboard.press("v")
    assert page.locator(".text").get_attribute("data-view") == "over"
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")  # it goes when it has closed
    page.keyboard.press("]")
    page.wait_for_url(re.compile("document=(?!stories%2Fada)"))
    page.keyboard.press("Escape")
    page.wait_for_selector("table.documents", state="visible")


def test_another_system_can_be_looked_at(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    before = marked(page)
    page.select_option("[aria-label=System] >> visible=true", "theirs")
    page.wait_for_function(
        """() => {
            const { length } = document.querySelectorAll('.m.r');
            return 0 < length && length < 20;
        }"""
    )
    assert marked(page) != before


def test_on_a_phone_one_text_is_shown_and_details_come_up(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY, viewport={"width": 390, "height": 700})
    page.wait_for_selector(".m")
    assert page.locator(".text").get_attribute("data-view") == "over"
    assert page.locator(".panel").is_hidden()
    page.click("[data-m=k0]")
    assert page.locator(".panel").is_visible()
    page.click("[aria-label=Close]")
    assert page.locator(".panel").is_hidden()


def test_the_mention_keeps_the_focus_when_the_selection_is_cleared(
    opened: Opener, story_page: str
) -> None:
    page = opened(story_page, STORY)
    page.keyboard.press("n")
    chosen = page.locator(".m.chosen").first.get_attribute("data-m")
    page.keyboard.press("Escape")
    assert page.locator(".m.chosen").count() == 0
    assert page.evaluate("document.activeElement.dataset.m") == chosen


def test_the_link_of_an_error_is_copied(opened: Opener, story_page: str) -> None:
    page = opened(story_page, STORY)
    page.keyboard.press("n")
    page.evaluate(
        "navigator.clipboard.writeText = async text => { window.copied = text; }"
    )
    page.click(".error.present >> text=copy link")
    copied = page.evaluate("window.copied")
    assert copied == address(page)
    assert "error=" in copied
