from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.cli import command
from scoref.metrics import usual
from support.json_output import result_of, results_of
from support.paths import EXAMPLES

KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")

SCOREF = [sys.executable, "-c", "from scoref.cli import main; main()"]


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(command, arguments, input=stdin)


def test_two_files_give_one_table_and_its_signature() -> None:
    result = run(KEY, RESPONSE)
    assert result.exit_code == 0
    assert (
        result.stdout
        == f"""\
          Recall  Precision     F₁
Mentions   80.00      92.31  85.71
MUC        87.50      87.50  87.50
B³         75.56      87.18  80.95
CEAFm      80.00      92.31  85.71
CEAFe      65.71      92.00  76.67
BLANC      69.32      81.23  74.24
LEA        73.33      84.62  78.57
CoNLL                        81.71

scoref:{scoref.__version__}|format:conll-2012|reading:strict|match:exact|singletons:keep|
duplicates:reference|missing:error|blanc:reference|lea:self-links|average:micro
"""
    )


@pytest.mark.usefixtures("wide")
def test_more_responses_make_more_rows() -> None:
    result = run(KEY, RESPONSE, KEY)
    lines = result.stdout.splitlines()
    labels = "F₁ Mentions MUC B³ CEAFm CEAFe BLANC LEA CoNLL"
    assert " ".join(lines[0].split()) == labels
    assert lines[1].split()[1:3] == ["85.71", "87.50"]
    assert lines[2].split()[1:] == ["100.00"] * 8


def test_json_is_one_object_with_full_precision() -> None:
    written = result_of(run(KEY, RESPONSE, "--output", "json").stdout)
    expected = scoref.score(KEY, RESPONSE)
    assert written["signature"] == expected.signature
    assert written["documents"] == 2
    assert list(written["scores"]) == list(usual("texts"))
    assert written["scores"]["conll"] == {"f1": expected.conll}
    assert written["scores"]["bcub"]["recall"] == expected.scores["bcub"].recall
    assert written["scores"]["muc"]["counts"] == {
        "recall_numerator": 7,
        "recall_denominator": 8,
        "precision_numerator": 7,
        "precision_denominator": 8,
    }
    assert written["notes"] == []


def test_json_of_several_responses_has_a_result_for_each() -> None:
    written = results_of(run(KEY, RESPONSE, KEY, "--output", "json").stdout)
    assert [each["response"] for each in written] == [RESPONSE, KEY]
    assert [each["scores"]["conll"]["f1"] for each in written][1] == 1


def test_documents_can_be_shown_one_by_one() -> None:
    written = result_of(run(KEY, RESPONSE, "--per-document", "--output", "json").stdout)
    assert list(written["per_document"]) == [
        "(news/0001); part 000",
        "(news/0002); part 000",
    ]
    assert written["per_document"]["(news/0002); part 000"]["muc"]["recall"] == 2 / 3
    text = run(KEY, RESPONSE, "--per-document", "--metrics", "muc").stdout
    assert [line.split()[-1] for line in text.splitlines()[:4]] == [
        "MUC",
        "90.91",
        "80.00",
        "87.50",
    ]


def test_csv_has_a_row_for_each_metric() -> None:
    rows = list(
        csv.DictReader(io.StringIO(run(KEY, RESPONSE, "--output", "csv").stdout))
    )
    assert [row["metric"] for row in rows] == list(usual("texts"))
    assert float(rows[1]["f1"]) == 0.875
    assert rows[-1]["recall"] == ""


def test_csv_names_documents_if_asked() -> None:
    output = run(KEY, RESPONSE, "--output", "csv", "--per-document").stdout
    rows = list(csv.DictReader(io.StringIO(output)))
    assert len(rows) == 2 * len(usual("texts"))
    assert rows[0]["document"] == "(news/0001); part 000"


def test_markdown_is_a_table() -> None:
    lines = run(KEY, RESPONSE, "--output", "markdown", "--metrics", "muc").stdout
    assert lines.splitlines()[:3] == [
        "|  | Recall | Precision | F₁ |",
        "| --- | --: | --: | --: |",
        "| MUC | 87.50 | 87.50 | 87.50 |",
    ]


def test_latex_is_a_table_with_rules_and_escapes(tmp_path: Path) -> None:
    strange = tmp_path / "a_b&c.conll"
    strange.write_bytes(Path(RESPONSE).read_bytes())
    output = run(KEY, RESPONSE, str(strange), "--output", "latex").stdout
    assert r"\begin{tabular}{lrrrrrrrr}" in output
    # Both are as good, and the best figure of a column is bold.
    assert r"a\_b\&c.conll & \textbf{85.71} & \textbf{87.50}" in output
    assert r"B$^3$" in output


def test_the_best_figure_of_several_responses_is_bold() -> None:
    arguments = f"a={RESPONSE}", f"b={KEY}", "--metrics", "muc", "--output"
    latex = run(KEY, *arguments, "latex").stdout
    assert r"a & 87.50 \\" in latex
    assert r"b & \textbf{100.00} \\" in latex
    markdown = run(KEY, *arguments, "markdown").stdout.splitlines()
    assert markdown[2:4] == ["| a | 87.50 |", "| b | **100.00** |"]
    assert "*" not in run(KEY, *arguments, "text").stdout


def test_a_figure_that_is_undefined_is_not_the_best(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    path.write_text('{"doc_key": "d", "clusters": [[[0, 0]]]}\n', encoding="utf-8")
    arguments = f"a={path}", f"b={path}", "--metrics", "muc", "--output", "markdown"
    assert run(str(path), *arguments).stdout.splitlines()[2] == "| a | – |"


def test_one_number_for_scripts() -> None:
    assert run(KEY, RESPONSE, "--score-only").stdout == "81.71\n"
    assert run(KEY, RESPONSE, KEY, "--score-only").stdout == "81.71\n100.00\n"
    assert run(KEY, RESPONSE, "--score-only", "--metrics", "lea").stdout == "78.57\n"
    assert run(KEY, RESPONSE, "--score-only", "-w", "4").stdout == "81.7063\n"


def test_one_number_needs_one_metric() -> None:
    result = run(KEY, RESPONSE, "--score-only", "--metrics", "muc,lea")
    assert result.exit_code == 2
    assert "needs exactly one metric" in result.stderr


@pytest.mark.parametrize(
    ("threshold", "code"), [("81", 0), ("0.81", 0), ("82", 3), ("0.82", 3), ("100", 3)]
)
def test_a_threshold_decides_the_exit_code(threshold: str, code: int) -> None:
    result = run(KEY, RESPONSE, "--fail-under", threshold)
    assert result.exit_code == code
    assert ("below" in result.stderr) == (code == 3)
    assert "CoNLL" in result.stdout


@pytest.mark.usefixtures("wide")
def test_every_convention_is_an_option_and_shows_in_the_signature() -> None:
    options = "--singletons drop --duplicates first --missing empty --lea no-singletons"
    output = run(KEY, RESPONSE, *options.split(), "--average", "macro").stdout
    assert (
        "|singletons:drop|duplicates:first|missing:empty|blanc:reference|lea:no-singletons"
        "|average:macro" in output
    )


def test_the_official_set_up_has_a_name() -> None:
    output = run(KEY, RESPONSE, "--scheme", "conll-2012").stdout
    assert "|reading:reference|" in output
    assert "81.71" in output


def test_standard_input_can_be_either_side() -> None:
    data = Path(RESPONSE).read_bytes()
    assert run(KEY, "-", "--score-only", stdin=data).stdout == "81.71\n"
    assert run("-", KEY, "--score-only", stdin=data).stdout == "81.71\n"


def test_standard_input_can_be_read_once_only() -> None:
    result = run("-", "-")
    assert result.exit_code == 2
    assert "standard input (-) can be read only once" in result.stderr


def test_one_file_of_json_lines_can_hold_both_sides(tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    record = {"doc_key": "d", "clusters": [[[0, 0], [2, 3]]], "predicted_clusters": []}
    both.write_text(json.dumps(record), encoding="utf-8")
    assert run(str(both), "--score-only").stdout == "0.00\n"
    result = run(KEY)
    assert result.exit_code == 1
    assert "no response was given" in result.stderr


def test_a_broken_file_is_an_error_with_its_place(tmp_path: Path) -> None:
    broken = tmp_path / "broken.conll"
    broken.write_text("#begin document (d); part 0\nd\t0\tVinken\t1)|(2)\n")
    result = run(KEY, str(broken))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert (
        result.stderr
        == f"""\
error: {broken}:2: entity 1 is closed here but was never opened
    d 0 Vinken 1)|(2)
               ^^
  hint: Expected '(1' on an earlier token.
"""
    )


def test_a_file_that_cannot_be_read_is_an_error() -> None:
    result = run(KEY, "nowhere.conll")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: nowhere.conll: cannot be read: ")


@pytest.mark.usefixtures("wide")
def test_lenient_scores_and_tells_what_it_passed_over(tmp_path: Path) -> None:
    broken = tmp_path / "broken.conll"
    text = Path(RESPONSE).read_text(encoding="utf-8")
    broken.write_text(text.replace("(1)", "1)|(1)").replace("Babbage\t3)", "B\t-"))
    assert run(KEY, str(broken)).exit_code == 1
    result = run(KEY, str(broken), "--lenient")
    assert result.exit_code == 0
    assert f"warning: Skipped: unclosed brackets (at {broken}:5)." in result.stderr
    assert "|reading:lenient|" in result.stdout
    written = result_of(run(KEY, str(broken), "--lenient", "--output", "json").stdout)
    assert written["notes"][0]["kind"] == "unclosed-brackets"


def test_notes_of_a_lone_number_go_to_standard_error(tmp_path: Path) -> None:
    singletons = b"#begin document (d); part 0\na\t(0)\nb\t(1)\n#end document\n"
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_bytes(singletons)
    response.write_bytes(singletons)
    result = run(str(key), str(response), "--score-only")
    assert result.stdout == "66.67\n"
    assert result.stderr == "note: MUC is 0/0 and counted as 0.\n"


def test_an_unknown_metric_is_bad_usage_with_a_suggestion() -> None:
    result = run(KEY, RESPONSE, "--metrics", "bcubed")
    assert result.exit_code == 2
    assert "unknown metric 'bcubed'. Did you mean bcub?" in result.stderr


def test_an_unknown_option_is_bad_usage() -> None:
    result = run(KEY, RESPONSE, "--remove_singletons")
    assert result.exit_code == 2
    assert "unknown option '--remove_singletons'" in result.stderr


def test_help_tells_how_it_may_end() -> None:
    assert "Exit codes: 0 fine" in run("score", "--help").stdout


def test_colours_are_for_terminals_only() -> None:
    piped = subprocess.run([*SCOREF, KEY, RESPONSE], capture_output=True, check=True)
    assert b"\x1b" not in piped.stdout
    assert piped.stderr == b""
    assert b"\x1b[1m" in _on_a_terminal(KEY, RESPONSE)


def test_progress_is_for_terminals_only() -> None:
    assert b"scoring" in _on_a_terminal(KEY, RESPONSE, RESPONSE)
    piped = subprocess.run(
        [*SCOREF, KEY, RESPONSE, RESPONSE], capture_output=True, check=True
    )
    assert b"scoring" not in piped.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [*SCOREF, KEY, RESPONSE, "--per-document", "--output", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


def test_an_interrupt_leaves_without_a_traceback() -> None:
    # Where the tests run in the background, interrupts may be ignored.
    listening = "import signal; signal.signal(2, signal.default_int_handler)"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{listening}; {SCOREF[-1]}", "-", RESPONSE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    # More than a pipe holds: when all of it is taken, the command is reading.
    process.stdin.write(b"#\n" * 200_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert errors.split() == [b"interrupted"]


def _on_a_terminal(*arguments: str) -> bytes:
    """Run the command with a terminal for all its output."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*SCOREF, *arguments], stdout=theirs, stderr=theirs)
    process.wait()
    os.close(theirs)
    output = os.read(ours, 100_000)
    os.close(ours)
    return output


def test_metrics_may_be_called_as_the_table_calls_them() -> None:
    result = run(KEY, RESPONSE, "--metrics", "MUC,B3", "--output", "json")
    assert list(result_of(result.stdout)["scores"]) == ["muc", "bcub"]


def test_a_side_without_mentions_is_noted(tmp_path: Path) -> None:
    blind = tmp_path / "blind.conll"
    rows = Path(KEY).read_text(encoding="utf-8").splitlines()
    blind.write_text("\n".join(re.sub(r"\t[^\t]*$", "\t-", row) for row in rows))
    result = run(KEY, str(blind))
    assert result.exit_code == 0
    assert "warning: The response has no mentions" in result.stderr


@pytest.mark.parametrize("swap", [False, True])
def test_files_of_other_documents_are_listed_whatever_their_formats(swap: bool) -> None:
    paths = [RESPONSE, str(EXAMPLES / "corefud-key.conllu")]
    result = run(*(reversed(paths) if swap else paths))
    assert result.exit_code == 1
    assert "only in" in result.stderr
    assert "'es-1', 'es-2'" in result.stderr
    assert "'(news/0001); part 000', '(news/0002); part 000'" in result.stderr


def test_a_folder_beside_a_file_is_explained() -> None:
    result = run(KEY, str(EXAMPLES))
    assert result.exit_code == 1
    assert "this is a folder of datasets, but the key is a file" in result.stderr
    assert "hint: Give two files or two folders, or use --folder" in result.stderr


def test_a_threshold_that_is_no_number_is_bad_usage() -> None:
    result = run(KEY, RESPONSE, "--fail-under", "nan")
    assert result.exit_code == 2
    assert "nan is not in the range 0<=x<=100" in result.stderr


def test_an_empty_range_of_distances_is_bad_usage() -> None:
    files = [str(EXAMPLES / f"corefud-{side}.conllu") for side in ("key", "response")]
    result = run(*files, "--anaphors", "distance:3-1")
    assert result.exit_code == 2
    assert "unknown class of anaphors 'distance:3-1'" in result.stderr
    assert run(*files, "--anaphors", "distance:1-3").exit_code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_an_error_without_a_traceback() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*SCOREF, KEY, RESPONSE], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: cannot write the output")


def test_names_cannot_do_anything_to_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    record = {"doc_key": "a\x1b[31m\nb", "clusters": [[[0, 0], [1, 1]]]}
    path.write_text(json.dumps(record), encoding="utf-8")
    result = run(str(path), str(path), "--per-document")
    assert r"a\x1b[31m\nb" in result.stdout


@pytest.mark.parametrize(
    "option", ["--per-document", "--by=genre", "--window=10", "--score-only"]
)
def test_wide_is_a_table_of_its_own(option: str) -> None:
    files = [str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a")]
    result = run(*files, "--wide", option)
    assert result.exit_code == 2
    name = option.partition("=")[0]
    assert f"--wide cannot be combined with {name}" in " ".join(result.stderr.split())


def test_entities_are_a_table_that_other_options_do_not_have() -> None:
    result = run(KEY, RESPONSE, "--per-entity")
    assert (result.exit_code, result.stdout.split()[0]) == (0, "document")
    refused = run(KEY, RESPONSE, "--per-entity", "--wide")
    assert refused.exit_code == 2
    assert "--per-entity prints its own table, without --wide" in refused.stderr
