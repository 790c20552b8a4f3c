"""Reports of agreement: tables, JSON, CSV rows, and a page for browsers."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

import pytest

import scoref
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

FILES = [f"{who}={EXAMPLES}/agree-{who}.conll" for who in ("ada", "ben", "eva")]
EVA = str(EXAMPLES / "agree-eva.conll")


def test_text_has_alpha_f1_people_documents_and_what_is_disputed() -> None:
    done = run("agree", *FILES, "--disputed", "1")
    assert done.exit_code == 0
    assert done.stdout.startswith(
        "α              masi  jaccard  nominal\n"
        "3 annotators  0.216    0.335    0.132\n"
        "\n"
        "F₁    Mentions    MUC     B³  CEAFe    LEA  CoNLL\n"
        "mean    100.00  33.33  66.10  66.89  31.43  55.44\n"
        "\n"
        "Annotators with the others, lowest first\n"
        "\n"
        "F₁   Documents  Marked    MUC     B³  CEAFe    LEA  CoNLL  α without\n"
        "eva          2      10  20.00  59.15  60.33  17.14  46.49      0.507\n"
    )
    assert (
        "CoNLL      1      2      3\n"
        "1 ada         73.33  59.21\n"
        "2 ben  73.33         33.78\n"
        "3 eva  59.21  33.78\n"
    ) in done.stdout
    assert 'ada: with "her"\n' in done.stdout
    assert "Without eva, the others agree best: α (masi) is 0.507" in done.stdout


@pytest.mark.parametrize(
    "more", [[], ["--confidence", "--response", EVA, "--matrices"]]
)
def test_text_fits_eighty_columns(more: list[str]) -> None:
    many = [f"p{number}={EVA}" for number in range(9)]
    done = run(
        "agree", *FILES, *many, *more, "--by", "entity-size", "--resamples", "50"
    )
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_json_has_everything_and_names_its_schema() -> None:
    done = run("agree", *FILES, "--output", "json", "--response", EVA, "--by", "genre")
    written = json.loads(done.stdout)
    people = dict(file.split("=") for file in FILES)
    agreement = scoref.agree(people, response=EVA)
    assert written["schema"] == "scoref/agree/1"
    (result,) = written["results"]
    assert result["alpha"] == agreement.alpha
    assert result["mean"] == agreement.mean
    assert result["signature"] == agreement.signature
    assert result["outlier"] == "eva"
    assert [(pair["first"], pair["second"]) for pair in result["pairs"]] == [
        *agreement.pairs
    ]
    assert agreement.response is not None
    assert result["response"]["counts"] == agreement.response.counts._asdict()
    assert result["classes"].keys() == {"story"}


def test_csv_has_a_row_for_each_figure() -> None:
    done = run("agree", *FILES, "--output", "csv", "--confidence", "--resamples", "50")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    kinds = {row["figure"] for row in rows}
    assert kinds == {
        *("alpha", "observed", "expected", "mean", "annotator", "pair", "document")
    }
    (alpha,) = [
        row
        for row in rows
        if row["figure"] == "alpha" and row["low"] and row["measure"] == "masi"
    ]
    assert float(alpha["low"]) <= float(alpha["value"]) <= float(alpha["high"])


@pytest.mark.parametrize("output", ["markdown", "latex"])
def test_papers_get_their_markup(output: str) -> None:
    done = run("agree", *FILES, "--output", output)
    assert done.exit_code == 0
    assert (
        "| 3 annotators |" if output == "markdown" else "3 annotators &"
    ) in done.stdout


def test_a_page_has_figures_and_what_is_disputed(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = run("agree", *FILES, "--report", str(path))
    assert done.exit_code == 0, done.output
    page = path.read_text(encoding="utf-8")
    assert '<h1 dir="auto">Annotator agreement</h1>' in page
    assert "2 annotators compared with ada" in page
    response = FILES[0].partition("=")[2]
    run("agree", *FILES, "--response", response, "--report", path, code=0)
    assert "Mentions, most disputed first" in page
    assert 'id="text-0"' in page


def test_a_page_names_files_without_their_folders(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    files = [one.partition("=")[2] for one in FILES]
    run("agree", *files, "--report", str(path), code=0)
    page = path.read_text(encoding="utf-8")
    assert "F₁ with agree-ada.conll" in page
    assert str(EXAMPLES) not in page
    assert "<dd>agree-ben.conll</dd>" not in page  # the name says it


def test_a_page_names_the_files_of_annotators(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    run("agree", *FILES, "--report", str(path), code=0)
    page = path.read_text(encoding="utf-8")
    assert "<dt>ada</dt><dd>agree-ada.conll</dd>" in page
    assert "<dt>ben</dt><dd>agree-ben.conll</dd>" in page


def test_a_difference_on_the_page_has_its_name_and_its_meaning(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    run("agree", *FILES, "--report", str(path), code=0)
    page = path.read_text(encoding="utf-8")
    meanings = dict(re.findall(r'"label":\s*"([^"]*)",\s*"meaning":\s*"([^"]*)"', page))
    assert meanings == {
        "other words": "a mention has more or fewer words than for ada",
        "joined entities": "entities that ada keeps apart are joined",
        "other entity": "mentions are in another entity than for ada",
        "additional mention": (
            "a mention that ada did not mark is in one of the entities of ada"
        ),
        "additional entity": "an entity has only mentions that ada did not mark",
        "unmarked mention": (
            "a mention that ada marked is unmarked, but others of its entity are marked"
        ),
        "unmarked entity": "no mention of one of the entities of ada is marked",
        "divided entity": "an entity that ada has as one is divided",
    }
