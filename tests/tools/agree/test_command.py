"""`scoref agree`: tables, JSON, CSV, a picture, and how it ends."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.tools.agree.command import command
from scoref.tools.agree.plot import Branch, tree_of
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

FILES = [f"{who}={EXAMPLES}/agree-{who}.conll" for who in ("ada", "ben", "eva")]
EVA = str(EXAMPLES / "agree-eva.conll")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments))


def test_text_has_alpha_f1_people_documents_and_what_is_disputed() -> None:
    done = run(*FILES, "--disputed", "1")
    assert done.exit_code == 0
    assert done.stdout.startswith(
        "α          masi  jaccard  nominal\n"
        "3 people  0.216    0.335    0.132\n"
        "\n"
        "F1    Mentions    MUC     B³  CEAFe    LEA  CoNLL\n"
        "mean    100.00  33.33  66.10  66.89  31.43  55.44\n"
        "\n"
        "Annotators, the lowest first\n"
        "\n"
        "with others  Texts  Mentions    MUC     B³  CEAFe    LEA  CoNLL  α without\n"
        "eva              2        10  20.00  59.15  60.33  17.14  46.49      0.507\n"
    )
    assert (
        "CoNLL      1      2      3\n"
        "1 ada         73.33  59.21\n"
        "2 ben  73.33         33.78\n"
        "3 eva  59.21  33.78\n"
    ) in done.stdout
    assert 'ada: with "her"\n' in done.stdout
    assert "the others agree best without eva: α (masi) 0.507" in done.stdout


@pytest.mark.parametrize(
    "more", [[], ["--confidence", "--response", EVA, "--matrices"]]
)
def test_text_fits_eighty_columns(more: tuple[str, ...]) -> None:
    many = [f"p{number}={EVA}" for number in range(9)]
    done = run(*FILES, *many, *more, "--by", "entity-size", "--resamples", "50")
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_json_has_everything_and_names_its_schema() -> None:
    done = run(*FILES, "--output", "json", "--response", EVA, "--by", "genre")
    written = json.loads(done.stdout)
    found = scoref.agree(dict(each.split("=") for each in FILES), response=EVA)
    assert written["schema"] == "scoref/agree/1"
    (result,) = written["results"]
    assert result["alpha"] == found.alpha
    assert result["mean"] == found.mean
    assert result["signature"] == found.signature
    assert result["outlier"] == "eva"
    assert [(each["first"], each["second"]) for each in result["pairs"]] == [
        *found.pairs
    ]
    assert found.response is not None
    assert result["response"]["counts"] == found.response.counts._asdict()
    assert result["classes"].keys() == {"story"}


def test_csv_has_a_row_for_each_figure() -> None:
    done = run(*FILES, "--output", "csv", "--confidence", "--resamples", "50")
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
    done = run(*FILES, "--output", output)
    assert done.exit_code == 0
    assert ("| 3 people |" if output == "markdown" else "3 people &") in done.stdout


@pytest.mark.parametrize("suffix", ["svg", "html"])
def test_a_picture_has_a_matrix_and_a_tree(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"matrix.{suffix}"
    assert run(*FILES, "--plot", str(path)).exit_code == 0
    drawn = path.read_text(encoding="utf-8")
    assert "CoNLL F1 of each two annotators" in drawn
    assert "points of F1 apart" in drawn
    assert ">73<" in drawn


def test_a_page_has_figures_and_what_is_disputed(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = run(*FILES, "--report", str(path))
    assert done.exit_code == 0, done.output
    page = path.read_text(encoding="utf-8")
    assert '<h1 dir="auto">Agreement of annotators</h1>' in page
    assert "2 annotators against ada, who stands for the key here" in page
    assert "Mentions, the most disputed first" in page
    assert 'id="text-0"' in page


def test_those_who_agree_best_are_joined_first() -> None:
    f1 = {("a", "b"): 0.5, ("a", "c"): 0.75, ("b", "c"): 0.5}
    pair = Branch(("a", "c"), 0.25, (Branch(("a",)), Branch(("c",))))
    assert tree_of("abc", f1) == Branch(("a", "c", "b"), 0.5, (pair, Branch(("b",))))


def test_who_has_nothing_in_common_is_joined_last() -> None:
    assert tree_of("abc", {("a", "c"): 0.2}).members == ("a", "c", "b")
    assert tree_of("abc", {("a", "c"): 0.2}).height == 1.0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([FILES[0]], 1, "two annotators at least"),
        ([*FILES, "--distances", "mazi"], 2, "did you mean 'masi'"),
        ([*FILES, "--missing", "drop"], 2, "singleton"),
        ([*FILES, "--average", "micro"], 2, "within"),
        ([*FILES, "--by", "size"], 2, "no class 'size'"),
        ([*FILES, FILES[0]], 2, "called 'ada'"),
        ([*FILES, "--response", "nowhere.conll"], 1, "nowhere.conll"),
        ([*FILES, "none=nowhere.conll"], 1, "none=nowhere.conll"),
    ],
)
def test_what_is_wrong_is_said_and_ends_with_its_code(
    arguments: list[str], code: int, message: str
) -> None:
    done = run(*arguments)
    assert (done.exit_code, message in done.output) == (code, True), done.output


def test_records_of_a_table_are_compared_as_mentions_are(tmp_path: Path) -> None:
    path = tmp_path / "sorted.csv"
    path.write_text("record,ada,ben\n1,x,u\n2,x,u\n3,x,v\n4,y,v\n5,y,v\n6,,w\n")
    done = run("--table", str(path), "--output", "json")
    assert done.exit_code == 0, done.output
    (result,) = json.loads(done.stdout)["results"]
    ada, ben = [[1, 2, 3], [4, 5]], [[1, 2], [3, 4, 5], [6]]
    expected = scoref.agree({"ada": {"d": ada}, "ben": {"d": ben}})
    assert result["alpha"] == pytest.approx(expected.alpha)
    assert result["mean"] == pytest.approx(expected.mean)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("record,ada\n1,x\n", ":1: the header has 2 columns"),
        ("record,a,b\n1,x,y\n1,x,y\n", ":3: record '1' comes a second time"),
        ("record,a,b\n1,x\n", ":2: there are 2 cells here, but 3"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "sorted.csv"
    path.write_text(text)
    done = run("--table", str(path))
    assert (done.exit_code, message in done.output) == (1, True), done.output


def test_annotators_and_a_table_are_two_ways() -> None:
    assert run().exit_code == 2
    assert run(*FILES, "--table", "x.csv").exit_code == 2


def test_one_annotator_may_lack_a_document(tmp_path: Path) -> None:
    text = (EXAMPLES / "agree-eva.conll").read_text()
    part = text[text.index("#begin document (story/2)") :]
    (tmp_path / "eva.conll").write_text(part)
    done = run(*FILES[:2], f"eva={tmp_path}/eva.conll", "--per-document")
    assert done.exit_code == 0
    assert "eva              1         4" in done.stdout
