"""HTML for notebooks and pages: all text is escaped."""

from __future__ import annotations

import base64
import hashlib

from scoref.markup import FigureCell, listed, policy, shown, table

EVIL = "<script>alert('x')</script>"


def test_no_text_becomes_markup() -> None:
    cell = FigureCell(EVIL, below=EVIL, mark=EVIL, link=EVIL)
    page = shown(
        table(["", EVIL], [[EVIL, cell]]),
        signatures=[EVIL],
        notes=[EVIL],
        is_boxed=True,
    )
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 8


def test_a_table_has_a_row_for_each_row_and_marks_the_last() -> None:
    text = table(["", "F₁"], [["a", "1"], ["b", FigureCell("2", kind="best")]], "sum")
    assert text.count("<tr>") == 2  # with the header
    assert '<tr class="sum"><th scope="row" dir="auto">b</th>' in text
    assert '<td class="best">2</td>' in text


def test_remarks_are_a_list_if_there_are_any() -> None:
    assert listed([]) == ""
    assert listed(["a", "b"]) == '<ul class="notes"><li>a</li><li>b</li></ul>'


def test_a_policy_allows_just_the_scripts_and_styles_of_a_page() -> None:
    digest = base64.b64encode(hashlib.sha256(b"run()").digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy("run()", "b {}")
    assert "script-src 'none'" in policy("", "b {}")
