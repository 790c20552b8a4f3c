"""Reports of `scoref explain`: answers, a table, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from scoref.tools.explain.explanation import explain
from support.commands import run
from support.json_output import result_of
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("wide")

FILES = str(EXAMPLES / "explain-key.conll"), str(EXAMPLES / "explain-response.conll")
LEGEND = "In brackets: a small conformance case with this cause."
ANSWER = (
    "59.62 is the CoNLL score of 'e2e-coref'. The reference is 74.41. Cause: B³ "
    "ignores singletons; CEAFe ignores singletons of the response but not of the key."
)


def test_text_has_a_row_for_each_convention_and_its_cause() -> None:
    result = run("explain", *FILES)
    assert result.exit_code == 0, result.output
    table, legend, remarks = result.stdout.split("\n\n")
    assert legend == LEGEND
    header, *rows = table.splitlines()
    columns = ["F₁", "MUC", "B³", "CEAFe", "CoNLL", "Δ", "BLANC", "LEA", "cause"]
    assert header.split() == columns
    assert len(rows) == len(explain(*FILES).rows)
    cause = header.index("cause")
    by_label = {row[:30].strip(): row for row in rows}
    reference = by_label["reference scorer"]
    assert reference.split()[2:6] == ["66.67", "74.75", "81.81", "74.41"]
    assert reference[cause:] == "the reference"
    row = by_label["coval, remove_singletons"]
    figures = ["66.67", "64.33", "64.97", "65.32", "-9.09", "55.65"]
    assert row[:cause].split()[2:] == figures
    expected = "singletons are removed from both sides [singletons-correct]"
    assert row[cause:] == expected
    assert by_label["coval"][cause:] == "equal"
    assert remarks.startswith("scoref:")
    assert remarks.startswith("scoref:")
    assert not result.stderr


@pytest.mark.parametrize("name", ["key response", "explain-key explain-response"])
def test_the_difference_is_that_of_the_figures_shown(name: str) -> None:
    files = [str(EXAMPLES / f"{file}.conll") for file in name.split()]
    lines = run("explain", *files, "--output", "markdown").stdout.splitlines()
    table = [line.split("|")[1:-1] for line in lines if line.startswith("|")]
    reference = float(table[2][4])
    for row in table[2:]:
        difference = float(row[5].strip() or 0)
        assert difference == round(float(row[4]) - reference, 2), row[0]


def test_the_answer_comes_first() -> None:
    result = run("explain", *FILES, "--got", "59.62")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == [ANSWER, ""]


def test_what_cannot_be_seen_is_equal() -> None:
    coarse, fine = (
        run("explain", *FILES, "--precision", digits).stdout for digits in ("2", "6")
    )
    rounded = "rounded, then averaged"
    seen = [
        next(line for line in text.splitlines() if line.startswith(rounded))
        for text in (coarse, fine)
    ]
    assert seen[0].endswith("  equal")
    assert seen[1].endswith("are averaged [bagga-baldwin-1]")


def test_several_figures_are_looked_for_together() -> None:
    result = run("explain", *FILES, "--got", "b3=64.33", "--got", "64.97")
    assert result.exit_code == 0
    lines = result.stdout.split("\n\n")[0].splitlines()
    assert lines[-1] == "All figures match 'coval, remove_singletons'."
    nobody = run(
        "explain", *FILES, "--got", "64.33", "--got", "47.87", "--got", "69.37"
    )
    assert nobody.exit_code == 0
    assert "No convention matches all figures." in nobody.stdout
    one = run("explain", *FILES, "--got", "64.33", "--got", "1.23")
    assert one.exit_code == 3
    assert one.stderr.splitlines()[-1] == "error: no convention gives 1.23"


def test_the_reference_and_cut_figures_are_named_as_such() -> None:
    reference = run("explain", *FILES, "--got", "74.41").stdout.splitlines()[0]
    assert reference == (
        "74.41 is the CoNLL score of 'reference scorer', the reference."
    )
    cut = run("explain", *FILES, "--got", "ceafe=47.8").stdout.splitlines()[0]
    assert "of 'e2e-coref', truncated instead of rounded. The reference is" in cut
    average = run("explain", *FILES, "--got", "conll/recall=58.51").stdout.splitlines()[
        0
    ]
    assert average.startswith("58.51 is the CoNLL mean recall of 'e2e-coref'. Cause")


def test_a_coarse_figure_is_not_listed_without_end() -> None:
    lines = run("explain", *FILES, "--got", "75").stdout.split("\n\n")[0].splitlines()
    assert len(lines) <= 13
    many = (
        run("explain", FILES[0], FILES[0], "--got", "100")
        .stdout.split("\n\n")[0]
        .splitlines()
    )
    assert len(many) == 13
    assert many[-1].endswith("Give it with more digits.")


def test_markdown_is_a_table_with_text_to_the_left() -> None:
    result = run("explain", *FILES, "--got", "59.62", "--output", "markdown")
    answer, table, _, signature = result.stdout.split("\n\n")
    assert answer == ANSWER
    rows = [line.split(" | ") for line in table.splitlines()]
    assert {len(row) for row in rows} == {9}
    assert rows[1][-1] == "--- |"
    assert signature.startswith("`scoref:")
    assert not result.stderr


def test_latex_is_ascii_with_a_column_of_text() -> None:
    output = run("explain", *FILES, "--got", "59.62", "--output", "latex").stdout
    answer, table, _, signature = output.split("\n\n")
    assert table.startswith(r"\begin{tabular}{lrrrrrrrl}")
    assert table.isascii()  # or pdflatex stumbles
    assert r"coval, remove\_singletons & 66.67 & 64.33" in table
    assert answer == f"% {ANSWER}"
    assert signature.startswith("% scoref:")


def test_csv_has_a_row_for_each_convention_and_metric() -> None:
    result = run("explain", *FILES, "--got", "59.62", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    explanation = explain(*FILES)
    assert len(rows) == sum(len(row.scores) for row in explanation.rows)
    (row,) = (
        row
        for row in rows
        if (row["convention"], row["metric"]) == ("e2e-coref", "ceafe")
    )
    score = explanation.row("e2e-coref").scores["ceafe"]
    assert [float(row[name]) for name in ("recall", "precision", "f1")] == [*score[:3]]
    reference = explanation.reference.scores["ceafe"].f1
    assert float(row["difference"]) == score.f1 - reference
    assert row["cause"] == "CEAFe ignores singletons of the response but not of the key"
    assert f"note: {ANSWER}\n" in result.stderr


def test_json_has_everything_at_full_precision() -> None:
    options = "--got", "59.62", "--got", "61.99", "--output", "json"
    fields = result_of(run("explain", *FILES, *options).stdout)
    explanation = explain(*FILES)
    assert fields["reference"] == "reference"
    assert fields["documents"] == 3
    assert [row["name"] for row in fields["conventions"]] == [
        row.name for row in explanation.rows
    ]
    by_name = {row["name"]: row for row in fields["conventions"]}
    e2e, row = by_name["e2e-coref"], explanation.row("e2e-coref")
    assert e2e["scores"]["conll"]["f1"] == row.scores["conll"].f1
    assert e2e["difference"] == row.difference
    assert e2e["cause"] == row.cause
    assert e2e["causes"]["bcub"] == ["B³ ignores singletons"]
    assert "s2e-coref" in e2e["users"]
    assert by_name["coval"]["cause"] is None
    first, second = fields["got"]
    assert first["answer"] == [ANSWER]
    assert first["matches"][0]["convention"] == "e2e-coref"
    assert second["matches"] == []
    assert len(second["nearest"]) == 6
    assert fields["given_by"] == []


def test_what_is_no_number_is_null(tmp_path: Path) -> None:
    lines = (
        '{"doc_key": "a", "clusters": [[[0, 0], [1, 1]]]}\n'
        '{"doc_key": "b", "clusters": []}\n'
    )
    path = tmp_path / "key.jsonl"
    path.write_text(lines, encoding="utf-8")
    text = run("explain", str(path), str(path), "--output", "json").stdout
    rows = {row["name"]: row for row in result_of(text)["conventions"]}
    assert "NaN" not in text
    assert rows["stanza"]["scores"]["conll"]["f1"] is None
    assert rows["stanza"]["difference"] is None
    table = run("explain", str(path), str(path)).stdout.splitlines()
    (row,) = (line for line in table if line.startswith("stanza"))
    assert row.split()[1:6] == ["50.00", "50.00", "–", "–", "–"]
    assert row.endswith(
        "a document without key entities makes the mean 0/0 [conll-two-documents]"
    )
