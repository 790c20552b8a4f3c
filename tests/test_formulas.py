"""Formulas of the pages as MathML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from formulas import typeset, typeset_page
from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGES = sorted((ROOT / "docs" / "metrics").glob("*.md"))


def test_a_slash_between_two_blanks_divides_whole_sums() -> None:
    assert typeset("R  =  Σ_i n_i  /  2") == (
        "<mi>R</mi><mo>=</mo><mfrac>"
        "<mrow><munder><mo>Σ</mo><mi>i</mi></munder>"
        "<msub><mi>n</mi><mi>i</mi></msub></mrow>"
        "<mrow><mn>2</mn></mrow></mfrac>"
    )


def test_a_slash_between_single_blanks_stays_inside_a_sum() -> None:
    assert typeset("Σ n / k") == ("<mo>Σ</mo><mfrac><mi>n</mi><mi>k</mi></mfrac>")


def test_brackets_around_a_part_of_a_fraction_are_dropped() -> None:
    assert typeset("n / (k + r)") == (
        "<mfrac><mi>n</mi><mrow><mi>k</mi><mo>+</mo><mi>r</mi></mrow></mfrac>"
    )


def test_a_formula_with_an_unknown_sign_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be typeset"):
        typeset("a ? b")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_symbol_of_a_formula_is_explained(path: Path) -> None:
    page = typeset_page(path.read_text(encoding="utf-8"))
    page = re.sub(r"<msubsup>(.*?)<mn>.</mn></msubsup>", r"<msub>\1</msub>", page)
    formulas = "".join(re.findall(r'<div class="formula">.*', page))
    rows = re.findall(r"^\| (.*?) \|", page, re.MULTILINE)
    symbol = r"<m(?:under|sub)><m[io]>[^<]+</m[io]>.*?</m(?:under|sub)>|<mi>[^<]+</mi>"
    explained = {name for row in rows for name in re.findall(symbol, row)}
    assert set(re.findall(symbol, formulas)) <= explained


def test_only_symbols_are_typeset() -> None:
    page = "## Formula\n\n    R\n\n| symbol | a |\n|---|---|\n| R | b |\n\n| c | d |\n"
    assert typeset_page(page).endswith("| <math><mi>R</mi></math> | b |\n\n| c | d |\n")
