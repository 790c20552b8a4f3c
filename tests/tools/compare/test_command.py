"""`scoref compare`: systems, their differences, and marks of significance."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from counted import interval_of
from places import EXAMPLES
from scoref.statistics.compare import compare
from scoref.tools.compare.command import command
from scoref.tools.convert.command import command as convert
from written import result_of

pytestmark = pytest.mark.usefixtures("wide")

COREFUD = [str(EXAMPLES / f"corefud-{side}.conllu") for side in ("key", "response")]
OUTPUTS = ["text", "markdown", "latex", "csv", "json"]
FILES = "key.jsonl", "good=good.jsonl", "poor=poor.jsonl"
MUC = "--metrics", "muc", "--resamples", "500"
COMPARED = (
    "confidence:95|bootstrap:expanded|resamples:500|swaps:500|seed:2014|correction:holm|"
    "unit:documents"
)


def lines(documents: int, *, kept: int) -> str:
    """Write documents of one entity each, some of whose mentions are kept."""
    records = []
    for row in range(documents):
        mentions = [[place, place] for place in range(4 + row % 3)]
        apart = [[mention] for mention in mentions[kept + row % 2 :]]
        clusters = [mentions[: kept + row % 2], *apart]
        records.append(json.dumps({"doc_key": f"d{row}", "clusters": clusters}))
    return "\n".join(records) + "\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give 24 documents and two systems, one of which is better in each."""
    monkeypatch.chdir(tmp_path)
    for name, kept in (("key", 9), ("good", 3), ("poor", 1)):
        Path(f"{name}.jsonl").write_text(lines(24, kept=kept), encoding="utf-8")
    mixed = [*lines(24, kept=2).splitlines()[:18], *lines(24, kept=4).splitlines()[18:]]
    Path("mixed.jsonl").write_text("\n".join(mixed) + "\n", encoding="utf-8")
    for dataset, documents in (("one", 15), ("two", 9)):
        for name, kept in (("key", 9), ("good", 3), ("poor", 1)):
            path = Path(name, f"{dataset}.jsonl")
            path.parent.mkdir(exist_ok=True)
            path.write_text(lines(documents, kept=kept), encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def usage(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def by_library() -> dict[str, scoref.Result]:
    return {
        name: scoref.score("key.jsonl", f"{name}.jsonl", metrics="muc")
        for name in ("good", "poor")
    }


def test_text_has_the_systems_and_their_differences() -> None:
    result = run(*FILES, *MUC)
    assert result.exit_code == 0, result.output
    (row,) = compare(by_library(), resamples=500).differences
    low, high = (f"{100 * bound:+.2f}" for bound in interval_of(row))
    blocks = result.stdout.split("\n\n")
    good, poor = (
        f"{100 * each.scores['muc'].f1:.2f}" for each in by_library().values()
    )
    assert [line.split() for line in blocks[0].splitlines()] == [
        ["F1", "MUC"],
        ["a", "good", good, "b"],
        ["b", "poor", poor],
    ]
    assert blocks[1].splitlines()[1].split() == [
        *("good", "-", "poor", "MUC", f"{100 * row.difference:+.2f}"),
        *(f"[{low},", f"{high}]", "0.0020", "0.0020", "0.0020", "**", "24/0/0"),
    ]
    assert by_library()["good"].signature in blocks[2]
    assert COMPARED in blocks[2]


def test_a_letter_stands_for_a_system_that_is_beaten() -> None:
    output = run(*FILES, "again=good.jsonl", *MUC).stdout
    rows = [line.split() for line in output.split("\n\n")[0].splitlines()[1:]]
    assert [row[3:] for row in rows] == [["b"], [], ["b"]]


def test_a_higher_level_lets_less_count_as_significant() -> None:
    lax, strict = (
        run("key.jsonl", "good.jsonl", "mixed.jsonl", *MUC, "--confidence", level)
        for level in ("95", "99.9")
    )
    assert lax.stdout.splitlines()[1].split()[-1] == "b"
    assert strict.stdout.splitlines()[1].split()[-1] != "b"
    assert "|swaps:1000|" in strict.stdout


def test_markdown_has_bold_figures_and_superscripts() -> None:
    output = run(*FILES, *MUC, "--output", "markdown").stdout
    good = f"{100 * by_library()['good'].scores['muc'].f1:.2f}"
    assert f"| a good | **{good}**<sup>b</sup> |" in output
    assert f"`{COMPARED}`" in output


def test_latex_has_bold_figures_superscripts_and_comments() -> None:
    output = run(*FILES, *MUC, "--output", "latex").stdout
    good = f"{100 * by_library()['good'].scores['muc'].f1:.2f}"
    assert rf"a good & \textbf{{{good}}}\textsuperscript{{b}} \\" in output
    assert output.count(r"\toprule") == output.count(r"\bottomrule") == 2
    body = output[: output.rindex(r"\end{tabular}")]
    assert body.isascii()  # or pdflatex stumbles
    tail = output[output.rindex(r"\end{tabular}") :].splitlines()[1:]
    assert all(line.startswith("% ") for line in tail if line)


def test_csv_has_a_row_for_each_pair_and_metric() -> None:
    options = "--metrics", "muc,bcub", "--resamples", "500", "--output", "csv"
    output = run(*FILES, "third=key.jsonl", *options).stdout
    rows = list(csv.DictReader(io.StringIO(output)))
    assert [(row["first"], row["second"], row["metric"]) for row in rows] == [
        (first, second, metric)
        for first, second in (("good", "poor"), ("good", "third"), ("poor", "third"))
        for metric in ("muc", "bcub")
    ]
    assert [int(rows[0][name]) for name in ("wins", "ties", "losses")] == [24, 0, 0]
    (expected,) = compare(by_library(), resamples=500).differences
    assert float(rows[0]["difference"]) == expected.difference
    assert float(rows[0]["low"]) == interval_of(expected).low
    assert float(rows[0]["p_bootstrap"]) == expected.bootstrap
    assert rows[0]["comparison"] == COMPARED


def test_json_has_everything_at_full_precision() -> None:
    written = result_of(run(*FILES, *MUC, "--output", "json").stdout)
    expected = compare(by_library(), resamples=500)
    assert written["systems"] == expected.f1
    assert written["documents"] == 24
    assert written["comparison"] == expected.signature == COMPARED
    (row,) = written["differences"]
    (difference,) = expected.differences
    assert row == {**difference._asdict(), "interval": list(interval_of(difference))}


@pytest.mark.parametrize("output", OUTPUTS)
def test_every_output_has_both_signatures(output: str) -> None:
    text = run(*FILES, *MUC, "--output", output).stdout
    assert COMPARED in text
    assert "|average:micro" in text


def test_precision_is_that_of_figures_differences_and_bounds() -> None:
    output = run(*FILES, *MUC, "--precision", "0").stdout
    difference = output.split("\n\n")[1].splitlines()[1].split()
    assert "." not in "".join(difference[4:7])


@pytest.mark.parametrize(
    ("option", "field"),
    [
        (["--seed", "3"], "seed:3|"),
        (["--bootstrap", "percentile"], "bootstrap:percentile|"),
        (["--confidence", "80"], "confidence:80|"),
        (["--resamples", "77"], "swaps:77|"),
    ],
)
def test_choices_show_in_the_signature(option: list[str], field: str) -> None:
    assert field in run(*FILES, *MUC, *option).stdout


def test_confidence_may_stand_alone() -> None:
    assert run("--confidence", *FILES, *MUC).stdout == run(*FILES, *MUC).stdout


def test_the_other_way_round_signs_change() -> None:
    forth, back = (
        result_of(run("key.jsonl", *files, *MUC, "--output", "json").stdout)
        for files in (FILES[1:], FILES[:0:-1])
    )
    one, other = forth["differences"][0], back["differences"][0]
    assert one["difference"] == -other["difference"]
    assert one["randomisation"] == other["randomisation"]
    assert (one["wins"], one["losses"]) == (other["losses"], other["wins"])


def test_few_documents_are_noted_without_options_that_are_not_there() -> None:
    result = run(COREFUD[0], COREFUD[0], COREFUD[1], "--resamples", "50")
    assert "note: 2 documents are too few" in result.stderr
    assert "--unit" not in result.output
    assert "swaps:all" in result.stdout


def test_folders_are_compared_by_their_macro_average() -> None:
    written = result_of(
        run("key", "good", "ours=poor", *MUC, "--output", "json").stdout
    )
    assert list(written["systems"]) == ["good", "ours"]
    expected = [
        scoref.score(Path("key", name), Path("good", name)).scores["muc"].f1
        for name in ("one.jsonl", "two.jsonl")
    ]
    assert written["systems"]["good"]["muc"] == pytest.approx(sum(expected) / 2)
    assert written["documents"] == 24
    assert "datasets:macro" in written["comparison"]
    assert (written["differences"][0]["wins"]) == 24


def test_of_folders_a_terminal_shows_how_far_it_is() -> None:
    ours, theirs = pty.openpty()
    call = [sys.executable, "-m", "scoref", "compare", "key", "good", "poor", *MUC]
    subprocess.run(call, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 10_000)
    os.close(ours)
    assert b" 50%  scoring" in shown
    assert b"100%  scoring" in shown


def test_a_folder_may_end_with_a_slash() -> None:
    result = run("key/", "good/", "poor/", *MUC)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("damage", ["missing", "broken"])
def test_a_dataset_that_one_system_lacks_is_left_out_for_all(damage: str) -> None:
    Path("poor", "two.jsonl").unlink()
    if damage == "broken":
        Path("poor", "two.jsonl").write_text("{\n", encoding="utf-8")
    result = run("key", "good", "poor", *MUC, "--output", "json")
    written = result_of(result.stdout)
    assert result.exit_code == 1
    assert (written["documents"], written["differences"][0]["wins"]) == (15, 15)
    notes = result.stderr.splitlines()
    assert notes[0].startswith("note: poor")
    assert "note: 1 of 2 datasets left out for all systems: two" in notes
    assert notes[-1] == "error: not all datasets could be compared; see above"


def test_where_no_dataset_is_left_every_reason_is_told() -> None:
    for name in ("one", "two"):
        Path("poor", f"{name}.jsonl").unlink()
    result = run("key", "good", "poor", *MUC)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        "note: poor has no file for one.jsonl",
        "note: poor has no file for two.jsonl",
        "error: no dataset could be compared; see above",
    ]


def test_one_system_is_bad_usage() -> None:
    assert "two systems at least" in usage("key.jsonl", "good.jsonl")
    assert run("key.jsonl").exit_code == 2


def test_standard_input_can_be_read_once_only() -> None:
    assert "can be read once only" in usage("-", "-", "poor.jsonl")


def test_two_systems_of_one_name_are_bad_usage() -> None:
    assert "'a'" in usage("key.jsonl", "a=good.jsonl", "a=poor.jsonl")
    assert run("key.jsonl", "good.jsonl", "good.jsonl").exit_code == 2


def test_a_missing_file_is_an_error() -> None:
    result = run("key.jsonl", "good.jsonl", "nowhere.jsonl")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: nowhere.jsonl: cannot be read")


def test_differences_by_document_are_drawn_into_a_file() -> None:
    pytest.importorskip("matplotlib")
    result = run(*FILES, *MUC, "--plot", "plot.svg")
    assert result.exit_code == 0, result.output
    assert Path("plot.svg").stat().st_size > 1000
    assert "files, not for folders" in usage(
        "key", "good", "poor", *MUC, "--plot", "other.svg"
    )


def test_compare_is_the_first_word_of_the_command() -> None:
    program = [sys.executable, "-c", "from scoref.cli import main; main()"]
    done = subprocess.run(
        [*program, "compare", *FILES, *MUC], capture_output=True, check=True, text=True
    )
    assert done.stdout == run(*FILES, *MUC).stdout
    refused = subprocess.run(
        [*program, "compare", *FILES[:2]], capture_output=True, check=False, text=True
    )
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("Usage: scoref compare")


def test_systems_may_have_different_formats(tmp_path: Path) -> None:
    key, one, other = (
        str(EXAMPLES / f"many-{name}.conll") for name in ("key", "a", "b")
    )
    lines = tmp_path / "b.jsonl"
    written = CliRunner().invoke(convert, [other, str(lines), "--lossy"])
    assert written.exit_code == 0, written.output
    expected = run(key, one, other, *MUC, "--output", "json")
    found = run(key, one, str(lines), *MUC, "--output", "json")
    assert found.exit_code == 0, found.output
    figures = [result_of(each.stdout)["differences"] for each in (found, expected)]
    for rows in figures:
        del rows[0]["second"]
    assert figures[0] == figures[1]
    assert "|format:conll-2012+json-lines|" in found.stdout


def test_one_document_has_no_p_value_of_nothing(tmp_path: Path) -> None:
    for name, kept in (("k", 9), ("g", 3), ("p", 1)):
        (tmp_path / f"{name}.jsonl").write_text(lines(1, kept=kept), encoding="utf-8")
    files = [str(tmp_path / f"{name}.jsonl") for name in "kgp"]
    row = run(*files, "--metrics", "muc").stdout.split("\n\n")[1].splitlines()[1]
    assert row.split()[-4:] == ["–", "1.0000", "–", "1.0000", "1/0/0"][1:]
    assert row.split()[-5] == "–"
    written = run(*files, "--metrics", "muc", "--output", "csv").stdout
    (cells,) = csv.DictReader(io.StringIO(written))
    assert cells["p_bootstrap"] == cells["low"] == cells["high"] == ""
    (difference,) = result_of(
        run(*files, "--metrics", "muc", "--output", "json").stdout
    )["differences"]
    assert difference["bootstrap"] is difference["interval"] is None
