"""`scoref stats`: a column per file or a row per document, and a plot."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from scoref.tools.stats.census import COUNTS, RATES
from support.commands import run
from support.json_output import result_of, results_of
from support.paths import EXAMPLES
from support.wrong_calls import outcome

pytestmark = pytest.mark.usefixtures("wide")

KEY, COREFUD = str(EXAMPLES / "key.conll"), str(EXAMPLES / "corefud-key.conllu")


def shown(*arguments: str) -> str:
    return run("stats", *arguments, code=0).stdout


def test_text_has_a_column_for_each_file() -> None:
    lines = shown(f"one={KEY}", f"two={COREFUD}").splitlines()
    assert lines[0].split() == ["one", "two"]
    rows = {line[:25].strip(): line[25:].split() for line in lines[1:]}
    assert rows["mentions"] == ["15", "19"]
    assert rows["zeros"] == ["–", "4"]
    assert rows["mentions per 100 words"] == ["37.50", "37.25"]
    assert rows["singletons, % of entities"] == ["28.57", "22.22"]
    assert rows["singletons, % of mentions"] == ["13.33", "10.53"]
    assert rows["entities of size 3-5"] == ["3", "2"]
    assert rows["type person"] == ["–", "4"]
    assert rows["fingerprint"] == ["8d4bec4b13", "51ef9b8029"]
    assert len(rows) == len(COUNTS) + len(RATES) + 6 + 3 + 1


def test_documents_have_rows() -> None:
    lines = shown(COREFUD, "--per-document", "--precision", "0").splitlines()
    assert lines[0].split()[0] == "document"
    assert [line.split() for line in lines[1:]] == [
        ["es-1", "3", "25", "10", "5", "2", "2", "0", "1", "40"],
        ["es-2", "3", "26", "9", "4", "0", "2", "1", "1", "35"],
        ["all", "documents", "6", "51", "19", "9", "2", "4", "1", "2", "37"],
    ]
    both = shown(KEY, f"x={COREFUD}", "--per-document")
    assert both.split("\n\n")[2].splitlines() == ["x"]


def test_json_has_full_figures() -> None:
    result = result_of(shown(KEY, "--output", "json"))
    assert (result["file"], result["format"]) == (KEY, "conll-2012")
    assert result["rates"]["words_per_mention"] == 25 / 15
    assert result["sizes"] == {"1": 2, "2": 2, "3": 3}
    assert result["counts"]["zeros"] is None
    assert "per_document" not in result
    two = results_of(shown(KEY, COREFUD, "--per-document", "--output", "json"))
    assert list(two[1]["per_document"]) == ["es-1", "es-2"]
    assert two[1]["types"] == {"person": 4, "object": 3, "place": 2}


def test_csv_has_a_row_for_each_figure() -> None:
    rows = list(csv.DictReader(io.StringIO(shown(COREFUD, "--output", "csv"))))
    values = {row["what"]: row["value"] for row in rows}
    assert values["words"] == "51"
    assert values["non_referring"] == ""
    assert values["entities_of_4"] == "1"
    assert values["type_place"] == "2"
    rows = list(
        csv.DictReader(io.StringIO(shown(KEY, "--per-document", "--output", "csv")))
    )
    assert {row["document"] for row in rows} == {
        "(news/0001); part 000",
        "(news/0002); part 000",
    }


def test_markdown_and_latex_have_the_same_cells() -> None:
    assert "| mentions | 15 |" in shown(KEY, "--output", "markdown")
    assert r"mentions & 15 \\" in shown(KEY, "--output", "latex")


def test_the_response_of_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text(
        '{"doc_key": "d", "clusters": [[[0, 0]]],'
        ' "predicted_clusters": [[[1, 1], [2, 2]]]}'
    )
    key, response = (
        result_of(shown(str(path), "--side", side, "--output", "json"))
        for side in ("key", "response")
    )
    assert (key["counts"]["mentions"], response["counts"]["mentions"]) == (1, 2)


def test_lenient_notes_what_it_skips(tmp_path: Path) -> None:
    path = tmp_path / "bad.conll"
    path.write_text("#begin document d\nw\t(0)\nw\t(1\n#end document\n")
    assert run("stats", str(path)).exit_code == 1
    for output in ("text", "csv", "latex"):
        result = run("stats", str(path), "--lenient", "--output", output)
        assert result.stderr.startswith("warning: Skipped: unclosed brackets (at ")
    (note,) = result_of(shown(str(path), "--lenient", "--output", "json"))["notes"]
    assert (note["kind"], note["count"]) == ("unclosed-brackets", 1)


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_sizes_are_drawn(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"sizes.{suffix}"
    shown(f"one={KEY}", f"<two>={COREFUD}", "--plot", str(path))
    data = path.read_bytes()
    if suffix == "png":
        assert data.startswith(b"\x89PNG")
        return
    text = data.decode()
    assert "7 entities in one; 9 entities in &lt;two&gt;" in text
    assert "percent of entities" in text
    words = re.findall(r"<text[^>]*>([^<]*)", text)
    place = words.index("percent of entities") + 1
    labels, counts = words[place : place + 6], words[place + 6 : place + 18]
    assert labels == ["1", "2", "3–5", "6–10", "11–20", "21 or more"]
    assert [*map(int, counts)] == [2, 2, 3, 0, 0, 0, 2, 5, 2, 0, 0, 0]
    assert ("2 mentions: one: 2 of 7; &lt;two&gt;: 5 of 9" in text) == (
        suffix == "html"
    )


def test_a_plot_that_cannot_be_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"doc_key": "d", "clusters": []}')
    plot = str(tmp_path / "plot.svg")
    result = run("stats", str(empty), "--plot", plot)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there are no entities to plot" in result.stderr
    many = [f"{number}={KEY}" for number in range(8)]
    assert "can show at most 7 files" in run("stats", *many, "--plot", plot).stderr
    assert "cannot plot to 'plot.pdf'" in run("stats", KEY, "--plot", "plot.pdf").stderr
    assert not Path(plot).exists()


def test_a_file_that_cannot_be_read_is_bad_input() -> None:
    result = run("stats", "missing.conll")
    assert result.exit_code == 1
    assert "error: missing.conll: cannot be read" in result.stderr


def test_a_folder_without_files_is_bad_input(tmp_path: Path) -> None:
    result = run("stats", str(tmp_path))
    assert result.exit_code == 1
    assert "there is no file to score in this folder" in result.stderr


def test_two_files_of_one_name_are_refused() -> None:
    result = run("stats", KEY, KEY)
    assert result.exit_code == 2
    assert "two files have the same name" in result.stderr


def test_standard_input_can_be_read_once_only() -> None:
    result = run("stats", "a=-", "b=-")
    assert result.exit_code == 2
    assert "standard input (-) can be read only once" in result.stderr


def test_standard_input_is_counted() -> None:
    result = run("stats", "-", stdin=Path(KEY).read_bytes(), code=0)
    assert result.stdout.splitlines()[0].split() == ["-"]


def test_a_file_without_a_response_has_no_side_response(tmp_path: Path) -> None:
    record = '{"doc_key": "a", "sentences": [["x"]], "clusters": [[[0, 0]]]}'
    (tmp_path / "key.jsonl").write_text(record)
    result = run("stats", str(tmp_path / "key.jsonl"), "--side", "response")
    assert result.exit_code == 1
    assert "document 'a' has no 'predicted_clusters'" in result.stderr


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("", 2, "missing argument"),
        ("nosuch.conll", 1, "cannot be read"),
        ("plain.txt", 1, "plain.txt:1:"),
        ("nothing.conll", 1, "this file has no document"),
        ("empty", 1, "empty"),
        ("paper.pdf", 1, "this is a binary file"),
        ("table-key.tsv", 1, "table-key.tsv:1:"),
        ("gap-key.tsv", 1, "this is GAP"),
        ("llm-crac.txt", 1, "llm-crac.txt:1:"),
        ("curve-pairs.csv", 1, "curve-pairs.csv:1:"),
        ("key.conll key.conll", 2, "have the same name"),
        ("key.conll --format corefud", 1, "key.conll:2:"),
    ],
)
def test_a_wrong_call_is_not_silent(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = outcome(f"stats {call}", tmp_path, monkeypatch)
    assert result.startswith(f"{code}: ")
    assert message in result
