"""`scoref published` and `--beside`: tables of the literature."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import scoref
from scoref.cli import command
from scoref.render import render
from scoref.tools.published import names, table
from scoref.tools.published.command import command as published
from scoref.tools.published.command import published_report
from support.json_output import result_of
from support.paths import EXAMPLES

pytestmark = pytest.mark.usefixtures("wide")

if TYPE_CHECKING:
    from pathlib import Path

KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")
ENGLISH = "conll-2012-english"
OUTPUTS = ["text", "markdown", "latex", "csv", "json"]
SCOREF = [sys.executable, "-c", "from scoref.cli import main; main()"]


def show(*arguments: str) -> str:
    result = CliRunner().invoke(published, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def beside(*arguments: str) -> str:
    result = CliRunner().invoke(command, [KEY, *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def notes(*arguments: str) -> str:
    return CliRunner().invoke(command, [KEY, *arguments]).stderr


def usage(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_without_a_name_the_tables_are_listed() -> None:
    lines = show().splitlines()
    assert [line.split()[0] for line in lines] == list(names())
    assert lines[1].split(maxsplit=1) == [ENGLISH, names()[ENGLISH]]


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_table_is_shown_in_every_output(
    output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    expected = render(published_report(table(ENGLISH)), output)
    assert show(ENGLISH, "--output", output) == f"{expected}\n"


def test_an_unknown_table_is_bad_usage_with_a_suggestion() -> None:
    result = CliRunner().invoke(published, ["conll-2012-englisch"])
    assert result.exit_code == 2
    assert f"did you mean '{ENGLISH}'" in result.stderr


def test_a_response_stands_at_its_rank() -> None:
    lines = beside(f"ours={RESPONSE}", "--beside", ENGLISH).splitlines()
    assert lines[0] == "CoNLL-2012 English, official closed track"
    assert lines[3].split() == [
        *(">", "ours", "1", "85.7", "87.5", "81.0", "85.7", "76.7", "74.2", "81.7"),
    ]
    assert lines[4].split()[:2] == ["fernandes", "2"]


def test_a_response_is_scored_as_the_table_was() -> None:
    output = beside(RESPONSE, "--beside", ENGLISH)
    assert scoref.score(KEY, RESPONSE, scheme="conll-2012").signature in output
    assert "not scored like the table" not in notes(RESPONSE, "--beside", ENGLISH)


def test_another_scheme_is_used_if_asked_for_and_warned_about() -> None:
    output = notes(RESPONSE, "--beside", ENGLISH, "--scheme", "default")
    assert "reading:strict instead of reference" in output
    dropped = notes(RESPONSE, "--beside", ENGLISH, "--singletons", "drop")
    assert "singletons:drop instead of keep" in dropped


def test_other_documents_are_warned_about() -> None:
    output = notes(RESPONSE, "--beside", ENGLISH)
    assert "note: the table is for a test set of 348 documents, not of 2" in output
    assert "'(news/0001); part 000'" in output


@pytest.mark.parametrize("output", OUTPUTS)
def test_the_new_system_is_in_every_output(output: str) -> None:
    text = beside(f"ours={RESPONSE}", "--beside", ENGLISH, "--output", output)
    assert "ours" in text
    assert "fernandes" in text


def test_json_says_which_row_is_new() -> None:
    text = beside(f"ours={RESPONSE}", "--beside", ENGLISH, "--output", "json")
    written = result_of(text)
    assert (written["system"], written["rank"]) == ("ours", 1)
    expected = scoref.score(KEY, RESPONSE, scheme="conll-2012").conll
    assert written["rows"][0]["scores"]["conll"] == expected


def test_a_threshold_is_looked_at_all_the_same() -> None:
    arguments = [KEY, RESPONSE, "--beside", ENGLISH, "--fail-under", "99"]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 3
    assert "fernandes" in result.stdout


def test_one_response_is_put_into_a_table() -> None:
    both = f"a={RESPONSE}", f"b={KEY}"
    assert "one response" in usage(KEY, *both, "--beside", ENGLISH)


@pytest.mark.parametrize(
    "option",
    [["--score-only"], ["--confidence"], ["--confidence", "--plot", "x.svg"]],
    ids=" ".join,
)
def test_what_a_table_cannot_show_is_bad_usage(
    option: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert usage(KEY, RESPONSE, "--beside", ENGLISH, *option).startswith("Error: --")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_table_beside_is_bad_usage() -> None:
    assert "did you mean" in usage(KEY, RESPONSE, "--beside", "conll-2012-arabc")


def test_published_is_the_first_word_of_the_command() -> None:
    done = subprocess.run(
        [*SCOREF, "published", "conll-2012-zh"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.startswith("CoNLL-2012 Chinese, official closed track\n")
