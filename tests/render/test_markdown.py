"""Markdown: pipe tables, and names as they are."""

from __future__ import annotations

import pytest

from scoref.render.markdown import markdown_text, render_markdown
from scoref.render.report import Heading, Line, Listing, Remarks, Signatures
from support.reports import TABLE, of_parts, render_table


def test_markdown_has_pipes_and_escapes_markup() -> None:
    assert render_markdown(of_parts(TABLE)) == (
        "50 %\n\n"
        "| F₁ | B³ | cause |\n"
        "| --- | --: | --- |\n"
        "| a_1 \\& b | **66.67**<sup>b</sup> | \\<none\\> |\n"
        "| [x] | – |  |"
    )


def test_markdown_has_headings_code_and_paragraphs() -> None:
    lines = [Line("f:1: error"), Line("    ^^", is_laid_out=True)]
    parts = (
        Heading("en"),
        Signatures(["a:1|b:2"]),
        Remarks(["* 1", "2"]),
        Listing(lines),
    )
    assert render_markdown(of_parts(*parts)) == (
        "## en\n\n`a:1|b:2`\n\n\\* 1\n\n2\n\n    f:1: error\n        ^^"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<img src=x onerror=y>", r"\<img src=x onerror=y\>"),
        ("[x](javascript:y)", r"[x\](javascript:y)"),
        ("![x][y]", r"![x\][y]"),
        ("[x]: javascript:y", r"[x\]: javascript:y"),
        ("<javascript:y>", r"\<javascript:y\>"),
        ("a|b\\|c", r"a\|b\\\|c"),
        ("`x` *y* _z_ a_b", r"\`x\` \*y\* \_z\_ a_b"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("66.67 [60.00, 70.00]", "66.67 [60.00, 70.00]"),
        ("a\n# b", r"a\\n# b"),
    ],
)
def test_markdown_shows_names_as_they_are(name: str, shown: str) -> None:
    assert markdown_text(name) == shown
    table = render_table("markdown", name, [name], title=name)
    assert table == f"{shown}\n\n| {shown} |\n| --- |\n| {shown} |"
