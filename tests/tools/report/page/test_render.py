"""The page as text: what is in it, and that nothing can break out of it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from typing import Any

import pytest

from scoref.tools.report.page import asset
from scoref.tools.report.page.contract import compress
from scoref.tools.report.page.packing import pack
from support import page_reports, page_texts
from support.page_outline import Outline, page_of


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
        assert text == json.loads(json.dumps(pack(expected)))


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
    assert unpacked(compress(pack(text)))["words"] == " ".join(["?"] * 80)


def test_the_same_report_gives_the_same_bytes() -> None:
    texts = {"one": page_texts.story()}
    assert page_of(texts) == page_of(texts)


def test_a_style_sheet_and_a_script_are_shipped() -> None:
    assert "</script" not in asset("report.js")
    assert "</style" not in asset("report.css")
    assert "$" in asset("page.html")
