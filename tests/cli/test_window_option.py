"""`--window`: the whole beside its windows, in every output."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.cli import command
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


def signature(window: str) -> str:
    return f"{scoref.score(*FILES).signature}|window:{window}"


def test_text_has_the_whole_and_the_windows() -> None:
    result = run(*FILES, "--window", "10", *SOME)
    assert result.exit_code == 0
    # Inside windows the key has 3 links, which the response has, too, and one more.
    assert result.stdout == (
        "                      Documents  Key  Response  Mentions    MUC\n"
        "whole                         2   15        13     85.71  87.50\n"
        "windows of 10 tokens          5   15        13     85.71  85.71\n"
        f"\n{signature('10')}\n"
    )


def test_a_window_of_one_token_is_no_plural() -> None:
    assert "\nwindows of 1 token " in run(*FILES, "--window", "1", *SOME).stdout


def test_markdown_is_a_table() -> None:
    lines = run(*FILES, "--window", "10", *SOME, "--output", "markdown").stdout
    assert lines.splitlines() == [
        "|  | Documents | Key | Response | Mentions | MUC |",
        "| --- | --: | --: | --: | --: | --: |",
        "| whole | 2 | 15 | 13 | 85.71 | 87.50 |",
        "| windows of 10 tokens | 5 | 15 | 13 | 85.71 | 85.71 |",
        "",
        f"`{signature('10')}`",
    ]


def test_latex_is_a_table_with_rules() -> None:
    output = run(*FILES, "--window", "10", *SOME, "--output", "latex").stdout
    assert r"\begin{tabular}{lrrrrr}" in output
    assert r"windows of 10 tokens & 5 & 15 & 13 & 85.71 & 85.71 \\" in output
    assert output.endswith(f"% {signature('10')}\n")


def rows(*options: str) -> list[dict[str, str]]:
    output = run(*FILES, "--window", "10", *SOME, "--output", "csv", *options).stdout
    return list(csv.DictReader(io.StringIO(output)))


def test_csv_has_a_row_for_each_part_and_metric() -> None:
    found = rows()
    assert [(row["part"], row["metric"]) for row in found] == [
        *(("whole", "mentions"), ("whole", "muc")),
        *(("windows", "mentions"), ("windows", "muc")),
    ]
    assert [row["signature"] for row in found[::2]] == [
        scoref.score(*FILES).signature,
        signature("10"),
    ]
    assert float(found[0]["f1"]) == 6 / 7


def test_csv_has_documents_and_windows_one_by_one() -> None:
    found = rows("--per-document")
    parts = [(row["part"], row["document"]) for row in found[::2]]
    whole, windows = scoref.score(*FILES), scoref.score(*FILES, window=10)
    assert parts == [
        *(("whole", name) for name in whole.documents),
        *(("windows", name) for name in windows.documents),
    ]


def test_json_has_both_results_with_their_counts() -> None:
    output = run(*FILES, "--window", "10", *SOME, "--output", "json").stdout
    written = result_of(output)
    assert (written["response"], written["window"]) == (FILES[1], "10")
    assert [written[part]["documents"] for part in ("whole", "windows")] == [2, 5]
    assert written["windows"]["signature"] == signature("10")
    assert written["windows"]["scores"]["muc"]["counts"] == {
        "recall_numerator": 3,
        "recall_denominator": 3,
        "precision_numerator": 3,
        "precision_denominator": 4,
    }
    assert "per_document" not in written["windows"]


def test_json_may_have_every_window() -> None:
    options = "--per-document", "--output", "json"
    written = result_of(run(*FILES, "--window", "10", *SOME, *options).stdout)
    assert list(written["windows"]["per_document"]) == list(
        scoref.score(*FILES, window=10).documents
    )
    assert len(written["whole"]["per_document"]) == 2


def test_text_may_have_a_row_for_every_window() -> None:
    lines = run(*FILES, "--window", "10", *SOME, "--per-document").stdout.splitlines()
    assert [line.split()[-6:] for line in lines[3:5]] == [
        ["[0:10]", "1", "4", "3", "85.71", "100.00"],
        ["[10:20]", "1", "5", "5", "80.00", "66.67"],
    ]
    assert len(lines) == 10


def test_published_windows_say_whose_they_are_and_what_they_lose() -> None:
    result = run(*FILES, "--window", "bookcoref:10")
    output = result.stdout
    assert "\nBookCoref's windows of 10 tokens " in output
    assert f"{signature('bookcoref-10')}\n" in output
    note = (
        "warning: windows: 3 key mentions in no window (not scored), 3 in two windows"
    )
    assert note in result.stderr


def test_notes_of_one_system_name_it(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    names = "news/0001_0", "news/0002_0"
    lines = [json.dumps({"doc_key": name, "clusters": []}) for name in names]
    empty.write_text("\n".join(lines), encoding="utf-8")
    systems = f"ours={FILES[1]}", f"none={empty}"
    output = run(FILES[0], *systems, "--window", "3", "--metrics", "muc").stderr
    assert [
        line for line in output.splitlines() if line.startswith(("note: ", "warning: "))
    ] == [
        "warning: none: The response has no mentions. Is it the right file?",
        "note: windows: MUC is 0/0 and counted as 0.",
    ]


def test_several_systems_have_a_table_each() -> None:
    systems = FILES[0], f"ours={FILES[1]}", f"gold={FILES[0]}"
    output = run(*systems, "--window", "10").stdout
    titles = [part.splitlines()[0] for part in output.split("\n\n")]
    assert [title for title in titles if title in {"ours", "gold"}] == ["ours", "gold"]
    written = results_of(run(*systems, "--window", "10", "--output", "json").stdout)
    assert [each["response"] for each in written] == ["ours", "gold"]


@pytest.mark.parametrize("window", ["1", "7", "1500", "bookcoref", "bookcoref:7"])
@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
@pytest.mark.parametrize(
    "files", [FILES, COREFUD, UNIVERSAL], ids=["spans", "ud", "ua"]
)
def test_every_format_has_windows_in_every_output(
    files: list[str], output: str, window: str
) -> None:
    more = ["--split-antecedents", "drop"] if files is UNIVERSAL else []
    result = run(*files, "--window", window, "--output", output, *more)
    assert result.exit_code == 0, result.output
    assert f"window:{window}".replace("bookcoref:", "bookcoref-") in result.stdout


def test_precision_is_that_of_windows() -> None:
    output = run(*FILES, "--window", "10", *SOME, "--precision", "4").stdout
    assert output.splitlines()[2].split()[-2:] == ["85.7143", "85.7143"]


def test_what_was_passed_over_is_noted_for_csv_too(tmp_path: Path) -> None:
    broken = tmp_path / "broken.conll"
    text = Path(FILES[1]).read_text(encoding="utf-8")
    broken.write_text(text.replace("Babbage\t3)", "Babbage\t-"), encoding="utf-8")
    options = "--lenient", "--window", "10", "--output"
    for output in ("text", "csv", "json"):
        result = run(FILES[0], str(broken), *options, output)
        assert "Skipped: unclosed brackets" in result.output


@pytest.mark.parametrize(
    "option",
    [
        ["--by", "genre"],
        ["--beside", "conll-2012-english"],
        ["--score-only"],
        ["--fail-under", "50"],
    ],
    ids=" ".join,
)
def test_what_does_not_go_with_windows_is_bad_usage(option: list[str]) -> None:
    assert usage(*FILES, "--window", "10", *option).startswith("error: --")


def test_intervals_over_windows_are_refused_with_a_reason() -> None:
    message = usage(*FILES, "--window", "10", "--confidence")
    assert "windows of one text are not independent" in message


@pytest.mark.parametrize("window", ["", "0", "ten", "bookcoref:"])
def test_an_unknown_window_is_bad_usage(window: str) -> None:
    assert f"unknown window '{window}'" in usage(*FILES, "--window", window)


def test_folders_have_no_windows(tmp_path: Path) -> None:
    assert "not folders" in usage(str(tmp_path), str(tmp_path), "--window", "10")


def test_plurals_are_bad_usage_with_a_way_out() -> None:
    assert "--split-antecedents drop" in usage(*UNIVERSAL, "--window", "10")


@pytest.mark.parametrize("window", ["10", "bookcoref"])
def test_a_key_without_documents_has_no_windows(window: str, tmp_path: Path) -> None:
    (empty := tmp_path / "empty.conll").touch()
    reference = "--scheme", "conll-2012"  # which scores what the strict reading refuses
    result = run(str(empty), FILES[1], *reference, "--window", window)
    assert result.exit_code == 0, result.exception
    assert "2 documents are not in" in result.stderr
