"""`scoref published` and `--beside`: tables of the literature."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.render import render
from scoref.tools.published import beside, names, table
from scoref.tools.published.command import placed_report, published_report
from support.commands import run
from support.json_output import result_of
from support.paths import EXAMPLES
from support.results_from_counts import ontonotes_result

pytestmark = pytest.mark.usefixtures("wide")

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.published import PlacedTable, Published

KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")
ENGLISH = "conll-2012-english"
OUTPUTS = ["text", "markdown", "latex", "csv", "json"]
each_output = pytest.mark.parametrize("output", OUTPUTS)
SCOREF = [sys.executable, "-c", "from scoref.cli import main; main()"]


def show(*arguments: str) -> str:
    return run("published", *arguments, code=0).stdout


def score(*arguments: str) -> str:
    return run(KEY, *arguments, code=0).stdout


def notes(*arguments: str) -> str:
    return run(KEY, *arguments).stderr


def usage(*arguments: str) -> str:
    result = run(*arguments, code=2)
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def render_placed(placed: PlacedTable, output: str) -> str:
    return render(placed_report(placed, output), output)


def render_published(published: Published, output: str) -> str:
    return render(published_report(published), output)


def test_without_a_name_the_tables_are_listed() -> None:
    lines = show().splitlines()
    assert [line.split()[0] for line in lines] == list(names())
    assert lines[1].split(maxsplit=1) == [ENGLISH, names()[ENGLISH]]


@each_output
def test_a_table_is_shown_in_every_output(
    output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    expected = render(published_report(table(ENGLISH)), output)
    assert show(ENGLISH, "--output", output) == f"{expected}\n"


def test_an_unknown_table_is_bad_usage_with_a_suggestion() -> None:
    result = run("published", "conll-2012-englisch", code=2)
    assert f"{ENGLISH} or conll-2011-english?" in result.stderr


def test_a_response_stands_at_its_rank() -> None:
    lines = score(f"ours={RESPONSE}", "--beside", ENGLISH).splitlines()
    assert lines[0] == "CoNLL-2012 English, official closed track"
    assert lines[3].split() == [
        *(">", "ours", "1", "85.7", "87.5", "81.0", "85.7", "76.7", "74.2", "81.7"),
    ]
    assert lines[4].split()[:2] == ["fernandes", "2"]


def test_a_response_is_scored_as_the_table_was() -> None:
    output = score(RESPONSE, "--beside", ENGLISH)
    assert scoref.score(KEY, RESPONSE, scheme="conll-2012").signature in output
    assert "Not comparable with the table" not in notes(RESPONSE, "--beside", ENGLISH)


def test_another_scheme_is_used_if_asked_for_and_warned_about() -> None:
    output = notes(RESPONSE, "--beside", ENGLISH, "--scheme", "default")
    assert "reading:strict instead of reference" in output
    dropped = notes(RESPONSE, "--beside", ENGLISH, "--singletons", "drop")
    assert "singletons:drop instead of keep" in dropped


def test_other_documents_are_warned_about() -> None:
    output = notes(RESPONSE, "--beside", ENGLISH)
    assert (
        "warning: The table is for a test set of 348 documents, but this key has 2."
        in output
    )
    assert "'(news/0001); part 000'" in output


@each_output
def test_the_new_system_is_in_every_output(output: str) -> None:
    text = score(f"ours={RESPONSE}", "--beside", ENGLISH, "--output", output)
    assert "ours" in text
    assert "fernandes" in text


def test_json_says_which_row_is_new() -> None:
    text = score(f"ours={RESPONSE}", "--beside", ENGLISH, "--output", "json")
    fields = result_of(text)
    assert (fields["system"], fields["rank"]) == ("ours", 1)
    expected = scoref.score(KEY, RESPONSE, scheme="conll-2012").conll
    assert fields["rows"][0]["scores"]["conll"] == expected


def test_a_threshold_is_looked_at_all_the_same() -> None:
    arguments = [KEY, RESPONSE, "--beside", ENGLISH, "--fail-under", "99"]
    result = run(*arguments, code=3)
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
    assert usage(KEY, RESPONSE, "--beside", ENGLISH, *option).startswith("error: --")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_table_beside_is_bad_usage() -> None:
    assert "Did you mean" in usage(KEY, RESPONSE, "--beside", "conll-2012-arabc")


def test_published_is_the_first_word_of_the_command() -> None:
    done = subprocess.run(
        [*SCOREF, "published", "conll-2012-zh"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.startswith("CoNLL-2012 Chinese, official closed track\n")


CALLS = {
    "a name that is almost right": ["conll2012"],
    "a part of a name": ["conll-2012"],
    "another language": ["conll-2012-german"],
    "two tables": ["conll-2012-english", "conll-2011-english"],
    "all": ["all"],
    "no name": [""],
    "a file to compare": [str(EXAMPLES / "response.conll")],
    "a table and a file": ["conll-2012-english", str(EXAMPLES / "response.conll")],
    "a metric": ["--metrics", "muc"],
    "a page": ["conll-2012-english", "--output", "html"],
    "standard input": ["-"],
}


@pytest.mark.parametrize("case", CALLS)
def test_a_wrong_call_is_an_error(case: str) -> None:
    result = run("published", *CALLS[case], code=2)
    assert "error: " in result.stderr
    assert not result.stdout


def test_text_marks_the_new_system() -> None:
    text = render_placed(
        beside(ontonotes_result(99.0), "conll-2012-arabic", "mine"), "text"
    )
    assert text.split("\n")[:5] == [
        "CoNLL-2012 Arabic, official closed track",
        "",
        "  F₁          Rank  Mentions   MUC    B³  CEAFm  CEAFe  BLANC  CoNLL",
        "> mine           1      99.0  99.0  99.0   99.0   99.0   99.0   99.0",
        "  fernandes      2      64.8  46.5  42.5   49.2   46.5   38.0   45.2",
    ]


def test_markdown_writes_the_new_system_in_bold() -> None:
    text = render_placed(beside(ontonotes_result(99.0), ENGLISH, "mine"), "markdown")
    assert "| **mine** | **1** | **99.0** |" in text
    assert "| fernandes | 2 | 77.7 |" in text


def test_latex_writes_the_new_system_in_bold() -> None:
    text = render_placed(beside(ontonotes_result(), ENGLISH, "a_b & c"), "latex")
    assert r"\textbf{a\_b \& c} & \textbf{11} & \textbf{50.0}" in text
    assert r"fernandes & 1 & 77.7" in text
    assert text.count(r"\textbf{a") == 1
    tail = text.partition(r"\end{tabular}")[2].split("\n")
    assert all(line.startswith("%") for line in tail if line)


def test_csv_has_a_row_for_each_system_with_fractions() -> None:
    text = render_placed(beside(ontonotes_result(12.345), ENGLISH, "mine"), "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert (rows[0]["system"], rows[0]["new"], rows[0]["conll"]) == (
        "fernandes",
        "False",
        "0.607",
    )
    assert (rows[15]["system"], rows[15]["rank"], rows[15]["new"]) == (
        "mine",
        "16",
        "True",
    )
    assert float(rows[15]["conll"]) == pytest.approx(0.12345)


def test_json_has_the_table_the_rank_and_the_notes() -> None:
    result = dataclasses.replace(ontonotes_result(57.5), format="json-lines")
    fields = result_of(render_placed(beside(result, ENGLISH, "mine"), "json"))
    assert (fields["system"], fields["rank"]) == ("mine", 3)
    assert fields["signature"] == result.signature
    assert fields["table"]["name"] == ENGLISH
    assert [row["system"] for row in fields["rows"] if row["new"]] == ["mine"]
    assert [note["kind"] for note in fields["notes"]] == ["other-format"]


@pytest.mark.parametrize("name", names())
@each_output
def test_every_table_is_drawn_with_its_systems_and_sources(
    name: str, output: str
) -> None:
    published = table(name)
    text = render_published(published, output)
    flat = re.sub(r"\\|\s", "", text)
    for row in published.rows:
        assert re.sub(r"\s", "", row.system) in flat
    if output in {"text", "markdown"}:
        assert all(source.url in flat for source in published.sources)


def test_what_a_collection_says_is_marked() -> None:
    lines = render_published(table("conll-2012-english-neural"), "text").split("\n")
    (wu,) = (line for line in lines if line.startswith("CorefQA + SpanBERT-base"))
    assert "†" in wu
    large = next(line for line in lines if line.startswith("CorefQA + SpanBERT-large"))
    assert "†" not in large
    assert "† Figure from a collection, not from the paper itself." in lines
    assert "†" not in render_published(table("litbank"), "text")


@pytest.mark.parametrize("name", list(names())[:4])
@each_output
def test_a_table_alone_shows_every_system_in_the_order_of_print(
    name: str, output: str
) -> None:
    systems = [row.system for row in table(name).rows]
    text = render_published(table(name), output)
    first = r'^(?:\| |\s*"system": ")?(\w+)\b'
    words = re.findall(first, text, flags=re.MULTILINE)
    assert [word for word in words if word in systems] == systems


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "json"])
def test_a_table_says_its_source_in_each_output(output: str) -> None:
    assert "10.3115/v1/P14-2006" in render_published(table(ENGLISH), output)


def test_an_unknown_output_is_refused() -> None:
    with pytest.raises(scoref.OptionError, match="unknown output 'html'"):
        render_published(table(ENGLISH), "html")
