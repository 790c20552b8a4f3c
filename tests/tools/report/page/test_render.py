"""The page as text: what is in it, and that nothing can break out of it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest

from scoref.tools.report.page import asset, pack, render_page
from support import page_reports, page_texts


class Outline(HTMLParser):
    """The elements of a page, and the text in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: dict[str, str] = {}
        self.words: list[str] = []
        self.tags: list[str] = []
        self._id: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._id = None
        if tag in {"script", "style"}:
            self._id = dict(attrs).get("id") or tag
            self.scripts[self._id] = ""

    def handle_endtag(self, tag: str) -> None:
        del tag
        self._id = None

    def handle_data(self, data: str) -> None:
        if self._id is None:
            self.words.append(data)
        else:
            self.scripts[self._id] += data

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page_of(texts: dict[str, Any], **changes: object) -> str:
    return render_page(page_reports.report_of(texts, **changes), list(texts.values()))


def unpacked(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(text)))
    return found


def test_a_page_holds_the_report_and_every_text() -> None:
    one, three = page_texts.story(), page_texts.hostile()
    texts = {"one": one, "two": None, "three": three}
    outline = Outline(page_of(texts))
    report = json.loads(outline.scripts["report"])
    assert report["documents"] == page_reports.report_of(texts)["documents"]
    assert sorted(outline.scripts) == [
        "errors-packed",
        "report",
        "script",
        "style",
        "text-0",
        "text-2",
    ]
    for number, expected in ((0, one), (2, three)):
        text = unpacked(outline.scripts[f"text-{number}"])
        for field in ("words", "sentences", "empty"):
            assert text[field] == expected[field]
        assert text["systems"][1]["errors"] == expected["systems"][1]["errors"]


def test_the_policy_allows_the_script_and_the_style_and_nothing_else() -> None:
    page = page_of({"one": page_texts.story()})
    outline = Outline(page)
    policy = re.search(r'Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    digests = {
        kind: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for kind, text in outline.scripts.items()
    }
    assert policy[1].split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{digests['script']}'",
        f"style-src 'sha256-{digests['style']}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_there_is_no_address_in_the_page_but_that_of_svg() -> None:
    found = re.findall(r"https?://[^\"'\s)]*", page_of({"one": page_texts.story()}))
    assert set(found) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("word", page_texts.HOSTILE)
def test_no_name_can_break_out(word: str) -> None:
    harmless, hostile = (
        Outline(
            page_of({name: page_texts.story()}, title=name, key=name, left_out=name)
        )
        for name in ("harmless", word)
    )
    assert hostile.tags == harmless.tags
    assert word.split() == [] or word in hostile.text
    report = json.loads(hostile.scripts["report"])
    assert report["documents"][0]["name"] == word
    assert "<" not in hostile.scripts["report"]


def test_bytes_that_are_no_text_do_no_harm() -> None:
    page = page_of({"\ud800": page_texts.story()}, title="\udc80")
    assert page.encode("utf-8")
    text = {**page_texts.story(), "words": ["\ud800"] * 80}
    assert unpacked(pack(text))["words"] == ["?"] * 80


def test_the_same_report_gives_the_same_bytes() -> None:
    texts = {"one": page_texts.story()}
    assert page_of(texts) == page_of(texts)


def test_words_are_packed_tightly() -> None:
    text = {**page_texts.empty(), "words": ["the", "old", "clock"] * 10_000}
    assert len(pack(text)) < 2000


def test_what_is_no_report_is_refused_with_its_place() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$\.systems\[0\]\.scores"):
        render_page(
            {
                **page_reports.report_of({}),
                "systems": [{"name": "", "signature": "", "scores": 3}],
            },
            [],
        )
    with pytest.raises(msgspec.ValidationError, match="words"):
        pack({**page_texts.story(), "words": [1]})


def test_scores_stand_in_the_page_with_their_intervals() -> None:
    report = page_reports.report_of({})
    text = Outline(render_page(report, [])).text
    for system in report["systems"]:
        for score in system["scores"]:
            assert f"{100 * score['f1']:.2f}" in text
            low, high = score["intervals"]["f1"]
            assert f"{100 * low:.2f}–{100 * high:.2f}" in text


def test_the_better_system_carries_the_letter_of_the_worse() -> None:
    page = render_page(page_reports.report_of({}), [])
    rows = re.findall(r'<tr><th scope="row"[^>]*>(ours|theirs)(.*?)</tr>', page)
    cells = {name: re.findall(r"<td[^>]*>(.*?)</td>", rest) for name, rest in rows[:2]}
    has_letter = [bool(re.search(r"<sup>b</sup>", cell)) for cell in cells["ours"]]
    assert has_letter == [metric != "lea" for metric, _ in page_reports.METRICS]
    assert not any("<sup>" in cell for cell in cells["theirs"])


def test_differences_choices_and_notes_are_spelt_out() -> None:
    text = Outline(render_page(page_reports.report_of({}), [])).text
    assert "ours − theirs CoNLL +3.12 +1.10 to +5.20 0.0004 0.0024 significant" in text
    assert "LEA −0.10 −2.00 to +1.80 0.7100 0.7100 not significant" in text
    assert "singletons keep whether entities of one mention are scored" in text
    assert "theirs: 3 duplicate mentions were left to their first entity" in text


def test_what_is_undefined_is_a_dash() -> None:
    report = page_reports.report_of({}, comparison=None)
    score = {
        **report["systems"][0]["scores"][0],
        "is_defined": False,
        "intervals": None,
    }
    alone = {**report["systems"][0], "scores": [score], "level": None}
    text = Outline(render_page({**report, "systems": [alone]}, [])).text
    assert "Mentions – – –" in text


def test_what_was_left_out_is_said() -> None:
    message = "texts of 3 documents are left out; choose with --documents"
    assert message in Outline(page_of({}, left_out=message)).text


def test_a_style_sheet_and_a_script_are_shipped() -> None:
    assert "</script" not in asset("report.js")
    assert "</style" not in asset("report.css")
    assert "$" in asset("page.html")
