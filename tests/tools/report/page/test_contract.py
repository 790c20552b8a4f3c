"""The data of a page: they are validated, and packed tightly."""

from __future__ import annotations

import base64
import gzip
import json

import msgspec
import pytest

from scoref.tools.report.page import render_page
from scoref.tools.report.page.contract import compress, encode
from scoref.tools.report.page.packing import pack
from support import page_reports, page_texts


def test_words_are_packed_tightly() -> None:
    text = {**page_texts.empty(), "words": ["the", "old", "clock"] * 10_000}
    assert len(pack(text)) < 2000


def test_a_wrong_report_is_refused_with_the_place_of_the_problem() -> None:
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


def test_packed_values_are_the_same_bytes_each_time() -> None:
    value = {"words": ["a", "b"], "places": [1, 2]}
    assert compress(value) == compress(value)
    assert json.loads(gzip.decompress(base64.b64decode(compress(value)))) == value


def test_bytes_that_are_not_text_become_question_marks() -> None:
    assert encode("a\udc80") == b'"a?"'
