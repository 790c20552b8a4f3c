"""`scoref errors`: kinds, classes and lists of errors, in every output."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.tools.errors.command import command
from scoref.tools.errors.kinds import BY, KINDS
from support.json_output import result_of, results_of
from support.paths import EXAMPLES

pytestmark = pytest.mark.usefixtures("wide")

FILES = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
COREFUD = [str(EXAMPLES / f"corefud-{side}.conllu") for side in ("key", "response")]
UNIVERSAL = [str(EXAMPLES / f"ua-{side}.ua") for side in ("key", "response")]
MANY = [str(EXAMPLES / f"many-{side}.conll") for side in ("key", "a", "b")]
MEANING = "in brackets: what the CoNLL score would gain if just that were mended"
RULE = (
    "span errors: the two have 50 % of their words in common (--span-errors share:0.5)"
)
SIGNATURE = scoref.score(*FILES).signature


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def stdout(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def usage(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_options_name_every_kind_and_class() -> None:
    choices = {
        each.name: list(each.type.choices)
        for each in command.params
        if isinstance(each.type, click.Choice)
    }
    assert choices["kinds"] == [kind.name for kind in KINDS]
    assert choices["by"] == list(BY)


def test_text_has_a_row_for_each_kind_with_what_it_costs() -> None:
    assert stdout(*FILES) == (
        "                    Errors   Share    Gain  CoNLL so far\n"
        "as it is                                           81.71\n"
        "span error               1   25.00   +1.62         83.33\n"
        "conflated entities       1   25.00   +1.72         90.94\n"
        "wrong link               0    0.00    0.00         90.94\n"
        "extra mention            0    0.00    0.00         90.94\n"
        "extra entity             0    0.00    0.00         90.94\n"
        "missing mention          1   25.00   +5.46         96.29\n"
        "missing entity           1   25.00   +4.53        100.00\n"
        "divided entity           0    0.00    0.00        100.00\n"
        "all                      4  100.00  +18.29        100.00\n"
        f"\n{SIGNATURE}\n\n"
        "gain: of the CoNLL score in points, if just that kind were repaired; so far: "
        f"with all kinds down to that one repaired\n{RULE}\n"
    )


def test_gains_are_those_of_files_that_were_repaired(tmp_path: Path) -> None:
    repaired = tmp_path / "repaired.conll"
    text = Path(FILES[1]).read_text(encoding="utf-8")
    text = text.replace("London\t-", "London\t(20)")
    repaired.write_text(text, encoding="utf-8")
    (row,) = [line for line in stdout(*FILES).splitlines() if "missing entity" in line]
    gain = scoref.score(FILES[0], repaired).conll - scoref.score(*FILES).conll
    assert row.split()[4] == f"{100 * gain:+.2f}"


def test_the_list_has_a_line_for_each_error() -> None:
    key, response = FILES
    program = '"the first program for it"'
    conflated = f'{program} of entity 4 in one entity with entity 3 ("his engine")'
    span = f'"the first program" for {program}: 2 words too few on the right'
    missing = '"there" of entity 0 ("The old harbour") not found'
    lines = [
        f'{key}:8: missing entity (+4.53): "London" of entity 2 not found',
        f"{response}:20: span error (+1.62): {span}",
        f"{response}:20: conflated entities (+1.72): {conflated}",
        f"{key}:44: missing mention (+5.46): {missing}",
    ]
    end = ["", SIGNATURE, "", MEANING, RULE]
    in_text = stdout(*FILES, "--list", "--sort", "document").splitlines()
    assert in_text == [*lines, *end]
    by_cost = [lines[3], lines[0], lines[2], lines[1]]
    assert stdout(*FILES, "--list").splitlines() == [*by_cost, *end]


def test_programs_get_errors_in_the_order_of_the_text_unless_they_ask() -> None:
    def kinds(*more: str) -> list[str]:
        written = result_of(stdout(*FILES, "--output", "json", *more))
        return [each["kind"] for each in written["errors"]]

    in_text = ["missing-entity", "span", "conflated-entity", "missing-mention"]
    assert kinds() == in_text
    assert kinds("--sort", "cost") == [in_text[each] for each in (3, 0, 2, 1)]


def test_tables_of_kinds_are_not_sorted() -> None:
    result = CliRunner().invoke(command, [*FILES, "--sort", "cost"])
    assert result.exit_code == 2
    assert "--sort is for --list, CSV and JSON" in result.stderr


def test_csv_has_a_row_for_each_error() -> None:
    rows = list(csv.DictReader(io.StringIO(stdout(*FILES, "--output", "csv"))))
    gains = scoref.find_errors(*FILES).error_gains
    assert [row["kind"] for row in rows] == [
        *("missing-entity", "span", "conflated-entity", "missing-mention")
    ]
    assert rows[1] == {
        "response": FILES[1],
        "document": "(news/0001); part 000",
        "sentence": "2",
        "key_line": "20",
        "response_line": "20",
        "kind": "span",
        "key_words": "the first program for it",
        "response_words": "the first program",
        "key_entity": "4",
        "response_entity": "9",
        "detail": '"the first program" for "the first program for it": 2 words too few '
        "on the right",
        "mention_class": "",
        "distance": "",
        "entity_size": "1",
        "genre": "news",
        "antecedent": "",
        "linked_to": "his engine",
        **{f"gain_{name}": repr(float(gains[name][1])) for name in gains},
    }
    assert (rows[0]["response_line"], rows[0]["response_entity"]) == ("", "")


def test_json_has_kinds_and_errors_at_full_precision() -> None:
    written = result_of(stdout(*FILES, "--output", "json"))
    assert written["conll"] == scoref.score(*FILES).conll
    assert [each["kind"] for each in written["kinds"]] == [kind.name for kind in KINDS]
    last = written["kinds"][-1]
    assert last["conll_so_far"] == pytest.approx(1)
    assert all(
        each["gain"] == pytest.approx(each["conll"] - written["conll"])
        for each in written["kinds"]
    )
    assert (
        len(written["errors"]) == sum(each["count"] for each in written["kinds"]) == 4
    )
    assert written["signature"] == SIGNATURE


def test_several_systems_have_a_column_each() -> None:
    lines = stdout(MANY[0], f"ours={MANY[1]}", f"theirs={MANY[2]}").splitlines()
    assert lines[0].split() == ["Errors", "(gain)", "ours", "theirs"]
    assert lines[3].split() == ["wrong", "link", "10", "(+4.56)", "19", "(+9.10)"]
    assert lines[9].split() == ["all", "48", "(+13.62)", "68", "(+21.60)"]
    scores = [scoref.score(MANY[0], each).conll for each in MANY[1:]]
    assert lines[10].split() == ["CoNLL", *(f"{100 * each:.2f}" for each in scores)]
    written = results_of(stdout(*MANY, "--output", "json"))
    assert [each["response"] for each in written] == MANY[1:]


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
@pytest.mark.parametrize("by", BY)
def test_every_class_is_shown_in_every_output(by: str, output: str) -> None:
    text = stdout(*COREFUD, "--by", by, "--output", output)
    assert text.strip()


@pytest.mark.parametrize("files", [FILES, COREFUD, UNIVERSAL], ids=["2012", "ud", "ua"])
@pytest.mark.parametrize("by", [by for by in BY if by != "mention-class"])
def test_every_format_has_classes(by: str, files: list[str]) -> None:
    stdout(*files, "--by", by)


def test_kinds_are_counted_by_class() -> None:
    lines = stdout(*FILES, "--by", "entity-size").splitlines()
    assert lines[0].split() == ["entity-size", "1", "2-10", "all"]
    assert lines[1].split() == ["span", "error", "1", "0", "1"]
    assert lines[9].split() == ["all", "3", "1", "4"]


def test_documents_are_rows() -> None:
    lines = stdout(*FILES, "--by", "document", "--kind", "span").splitlines()
    assert lines[0].split() == ["document", "span", "error", "all"]
    assert lines[1].split()[-2:] == ["1", "1"]
    assert lines[3].split() == ["all", "1", "1"]


def test_csv_has_the_class_of_each_error() -> None:
    text = stdout(*COREFUD, "--by", "mention-class", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["mention-class"] for row in rows] == [
        "common",
        "common",
        "zero",
        "zero",
    ]


def test_kinds_can_be_chosen() -> None:
    lines = stdout(*FILES, "--kind", "span", "--kind", "wrong-link").splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["as", "span", "wrong"]
    assert stdout(*FILES, "--kind", "span", "--list").count("span error (") == 1
    chosen = result_of(stdout(*FILES, "--kind", "span", "--output", "json"))
    assert [each["kind"] for each in chosen["errors"]] == ["span"]


def test_scoring_options_apply() -> None:
    assert "missing entity           0" in stdout(*FILES, "--singletons", "drop")


def test_identical_files_have_no_errors() -> None:
    lines = stdout(FILES[0], FILES[0]).splitlines()
    assert lines[-5].split() == ["all", "0", "–", "0.00", "100.00"]
    assert stdout(FILES[0], FILES[0], "--list") == f"no errors\n\n{SIGNATURE}\n"


def test_words_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    hostile = "a\x1b[31m", "b\u202e", "\u0645\u06cc\u200c\u0631\u0648\u062f"
    record = {"doc_key": "d\x07", "clusters": [[[0, 2]]], "sentences": [hostile]}
    key.write_text(json.dumps(record), encoding="utf-8")
    response = tmp_path / "response.jsonl"
    record["clusters"] = []
    response.write_text(json.dumps(record), encoding="utf-8")
    text = stdout(str(key), str(response), "--list")
    assert "a\\x1b[31m b\\u202e \u0645\u06cc\u200c" in text
    assert "\x1b" not in text
    assert "\x07" not in stdout(str(key), str(response), "--by", "document")
    written = result_of(stdout(str(key), str(response), "--output", "json"))
    assert written["errors"][0]["key_words"] == [" ".join(hostile)]


def test_one_file_of_json_lines_may_hold_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    record = {
        "doc_key": "d",
        "clusters": [[[0, 0], [2, 3]]],
        "predicted_clusters": [[[0, 0], [2, 2]]],
    }
    path.write_text(json.dumps(record), encoding="utf-8")
    assert stdout(str(path), "--list").splitlines()[0] == (
        f"{path}:1: span error (+75.00): [2, 2] for [2, 3]: 1 word too few on the right"
    )


def test_notes_are_shown() -> None:
    note = "note: gains start from a CoNLL score of 78.97"
    assert note in run(*UNIVERSAL).stderr
    result = run(*UNIVERSAL, "--output", "csv")
    assert note in result.stderr
    assert note not in result.stdout


def test_bad_usage_is_told() -> None:
    assert "'span-error' is not one of" in usage(*FILES, "--kind", "span-error")
    assert "No such option" in usage(*FILES, "--metrics", "muc")
    assert "only CorefUD" in usage(*FILES, "--by", "mention-class")
    assert "--list has each error" in usage(*FILES, "--list", "--by", "document")
    assert "needs a folder of responses" in usage(str(EXAMPLES))
    assert "standard input can be read once" in usage("-", "-")
    assert "two systems are called" in usage(FILES[0], FILES[1], FILES[1])


def test_bad_input_has_no_traceback(tmp_path: Path) -> None:
    empty = tmp_path / "empty.conll"
    empty.write_text("", encoding="utf-8")
    for files in (
        (FILES[0], str(empty)),
        (FILES[0], "nowhere"),
        (FILES[0], COREFUD[1]),
    ):
        result = run(*files)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr.startswith("error: ")


PAGE = (EXAMPLES.parent / "docs" / "errors.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```text\n\$ scoref errors (.*)\n([^`]*)```", PAGE)


@pytest.mark.parametrize(("arguments", "shown"), SESSIONS, ids=lambda text: text[:40])
def test_the_page_shows_what_is_printed(
    arguments: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    monkeypatch.delenv("COLUMNS")
    result = run(*arguments.split())
    assert result.exit_code == 0, result.output
    assert result.stdout + result.stderr == shown


def test_the_page_has_examples() -> None:
    assert len(SESSIONS) == 4


def test_help_does_not_wait_for_numbers() -> None:
    code = (
        "import sys; import scoref.tools.errors.command; "
        "import scoref.tools.report.command; "
        "print('numpy' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert found.stdout == "False\n"
