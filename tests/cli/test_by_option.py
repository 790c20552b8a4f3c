"""`--by`: a row for each slice, in every output."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.cli import command
from scoref.scoring.slices import BY
from support.json_output import result_of, results_of
from support.paths import EXAMPLES

pytestmark = pytest.mark.usefixtures("wide")

FILES = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
COREFUD = [str(EXAMPLES / f"corefud-{side}.conllu") for side in ("key", "response")]
UNIVERSAL = [str(EXAMPLES / f"ua-{side}.ua") for side in ("key", "response")]
SOME = "--metrics", "mentions,muc"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def usage(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def signature(by: str) -> str:
    return f"{scoref.score(*FILES).signature}|by:{by}"


def test_text_has_sizes_and_f1_of_every_slice() -> None:
    result = run(*FILES, "--by", "entity-size", *SOME)
    assert result.exit_code == 0
    # Recall 0 of 2 singletons; of the others 12 of 13, and 12 of 13 in the response.
    assert result.stdout == (
        "entity-size  Key  Response  Mentions    MUC\n"
        "1              2         0         –      –\n"
        "2-10          13        13     92.31  87.50\n"
        f"\n{signature('entity-size')}\n"
    )


def test_markdown_is_a_table() -> None:
    lines = run(*FILES, "--by", "entity-size", *SOME, "--output", "markdown").stdout
    assert lines.splitlines() == [
        "| entity-size | Key | Response | Mentions | MUC |",
        "| --- | --: | --: | --: | --: |",
        "| 1 | 2 | 0 | – | – |",
        "| 2-10 | 13 | 13 | 92.31 | 87.50 |",
        "",
        f"`{signature('entity-size')}`",
    ]


def test_latex_is_a_table_with_rules() -> None:
    output = run(*FILES, "--by", "entity-size", *SOME, "--output", "latex").stdout
    assert r"\begin{tabular}{lrrrr}" in output
    assert r"2-10 & 13 & 13 & 92.31 & 87.50 \\" in output
    assert r"1 & 2 & 0 & -- & -- \\" in output
    assert output.endswith(f"% {signature('entity-size')}\n")


def test_csv_has_a_row_for_each_slice_and_metric() -> None:
    output = run(*FILES, "--by", "entity-size", *SOME, "--output", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(output)))
    assert [(row["slice"], row["metric"]) for row in rows] == [
        *(("1", "mentions"), ("1", "muc")),
        *(("2-10", "mentions"), ("2-10", "muc")),
    ]
    assert {row["by"] for row in rows} == {"entity-size"}
    assert {row["response"] for row in rows} == {FILES[1]}
    assert {row["signature"] for row in rows} == {signature("entity-size")}
    assert float(rows[2]["f1"]) == 12 / 13


def test_json_has_every_slice_with_its_counts() -> None:
    output = run(*FILES, "--by", "entity-size", *SOME, "--output", "json").stdout
    written = result_of(output)
    assert (written["response"], written["by"]) == (FILES[1], "entity-size")
    assert list(written["slices"]) == ["1", "2-10"]
    assert written["slices"]["2-10"]["scores"]["mentions"]["counts"] == {
        "recall_numerator": 12,
        "recall_denominator": 13,
        "precision_numerator": 12,
        "precision_denominator": 13,
    }
    assert written["slices"]["2-10"]["signature"] == signature("entity-size")


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
@pytest.mark.parametrize("by", [by for by in BY if by != "class"])
def test_every_slice_is_shown_in_every_output(by: str, output: str) -> None:
    result = run(*COREFUD, "--by", by, "--output", output)
    assert result.exit_code == 0, result.output
    expected = scoref.score_slices(COREFUD[0], COREFUD[1], by)
    assert all(name.replace("_", "") in result.stdout for name in expected)
    assert f"by:{by}" in result.stdout


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
def test_classes_of_a_table_are_shown_in_every_output(
    output: str, tmp_path: Path
) -> None:
    table = tmp_path / "classes.csv"
    table.write_text("document,start,end,class\nnews/0001_0,0,1,person\n")
    options = ("--by", "class", "--classes", str(table), "--output", output)
    result = run(*FILES, *options)
    assert result.exit_code == 0, result.output
    assert "person" in result.stdout
    assert "by:class" in result.stdout


@pytest.mark.parametrize("by", ["document", "genre", "entity-size", "mention-length"])
@pytest.mark.parametrize(
    "files", [FILES, COREFUD, UNIVERSAL], ids=["spans", "ud", "ua"]
)
def test_slices_of_every_format_are_shown(by: str, files: list[str]) -> None:
    result = run(*files, "--by", by)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0].split()[0] == by


def test_plurals_have_a_row_of_their_own() -> None:
    output = run(*UNIVERSAL, "--by", "entity-size").stdout
    assert output.split("\n\n")[0].splitlines()[-1].startswith("split antecedents ")


def test_distances_have_the_anaphor_score() -> None:
    output = run(*COREFUD, "--by", "distance").stdout
    assert [line.split() for line in output.splitlines()[:4]] == [
        ["distance", "Key", "Response", "Anaphors"],
        ["0", "3", "3", "66.67"],
        ["1", "6", "6", "66.67"],
        ["2", "1", "1", "100.00"],
    ]


def test_genres_go_by_a_pattern() -> None:
    rows = run(*FILES, "--by", r"genre:(\d)\)", *SOME).stdout.splitlines()
    assert [row.split()[0] for row in rows[:3]] == ["genre", "1", "2"]
    assert "by:genre:" in rows[-1]


def test_a_group_that_took_no_part_is_shown_as_other() -> None:
    result = run(*FILES, "--by", "genre:(x)?", *SOME)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[1].split()[0] == "other"


def test_several_systems_have_a_table_each() -> None:
    output = run(
        FILES[0], f"ours={FILES[1]}", f"gold={FILES[0]}", "--by", "genre"
    ).stdout
    titles = [part.splitlines()[0] for part in output.split("\n\n")]
    assert [title for title in titles if title in {"ours", "gold"}] == ["ours", "gold"]
    written = results_of(
        run(
            *(FILES[0], f"ours={FILES[1]}", f"gold={FILES[0]}"),
            *("--by", "genre", "--output", "json"),
        ).stdout
    )
    assert [each["response"] for each in written] == ["ours", "gold"]


def test_precision_is_that_of_slices() -> None:
    output = run(*FILES, "--by", "entity-size", *SOME, "--precision", "4").stdout
    assert output.splitlines()[2].split() == ["2-10", "13", "13", "92.3077", "87.5000"]


def test_one_file_of_json_lines_has_slices(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    record = {"doc_key": "d", "clusters": [[[0, 0], [2, 3]]], "predicted_clusters": []}
    path.write_text(json.dumps(record), encoding="utf-8")
    result = run(str(path), "--by", "mention-length", *SOME)
    assert result.exit_code == 0, result.output
    assert [line.split()[:3] for line in result.stdout.splitlines()[1:3]] == [
        ["1", "1", "0"],
        ["2", "1", "0"],
    ]


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
def test_files_without_mentions_make_no_traceback(tmp_path: Path, output: str) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text('{"doc_key": "d", "clusters": []}\n', encoding="utf-8")
    files = str(path), str(path)
    result = run(*files, "--by", "entity-size", "--output", output)
    assert result.exception is None or isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("by", ["genre", "entity-size"])
@pytest.mark.parametrize("output", ["text", "csv", "json"])
def test_what_was_passed_over_is_noted(tmp_path: Path, by: str, output: str) -> None:
    broken = tmp_path / "broken.conll"
    text = Path(FILES[1]).read_text(encoding="utf-8")
    broken.write_text(text.replace("Babbage\t3)", "Babbage\t-"), encoding="utf-8")
    options = "--lenient", "--by", by, "--output", output
    assert "Skipped: unclosed brackets" in run(FILES[0], str(broken), *options).output


@pytest.mark.parametrize(
    "option",
    [
        ["--per-document"],
        ["--confidence"],
        ["--beside", "conll-2012-english"],
        ["--score-only"],
        ["--fail-under", "50"],
    ],
    ids=" ".join,
)
def test_what_does_not_go_with_slices_is_bad_usage(option: list[str]) -> None:
    assert usage(*FILES, "--by", "genre", *option).startswith("error: --")


def test_an_unknown_slice_is_bad_usage_with_a_suggestion() -> None:
    message = usage(*FILES, "--by", "entitysize")
    assert "unknown slice 'entitysize'. Did you mean entity-size?" in message


def test_a_bad_pattern_is_bad_usage() -> None:
    assert "'(' is not a regular expression" in usage(*FILES, "--by", "genre:(")


@pytest.mark.parametrize("by", ["upos", "entity-type", "distance"])
def test_what_a_file_does_not_know_is_bad_usage(by: str) -> None:
    assert "CorefUD" in usage(*FILES, "--by", by)
