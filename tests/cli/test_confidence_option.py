"""`--confidence` and what goes with it, names, precision and plots."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.cli import command
from scoref.statistics.confidence import confidence
from scoref.terminal.options import with_numbers
from support.json_output import result_of
from support.paths import EXAMPLES

pytestmark = pytest.mark.usefixtures("wide")

KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")
COREFUD = [str(EXAMPLES / f"corefud-{side}.conllu") for side in ("key", "response")]
UNIVERSAL = [str(EXAMPLES / f"ua-{side}.ua") for side in ("key", "response")]
FEW = "--metrics", "muc", "--resamples", "200"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def interval(*arguments: str) -> list[float]:
    """Give the F1's interval of the only metric."""
    output = run(KEY, RESPONSE, *arguments, "--output", "json").stdout
    (found,) = result_of(output)["confidence"]["intervals"].values()
    return [round(bound, 12) for bound in found["f1"]]


def usage(*arguments: str) -> str:
    """Give the message of a usage error."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def refusal(*options: str) -> str:
    """Return what is printed for options with a wrong value."""
    result = run(KEY, RESPONSE, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def test_intervals_stand_behind_every_figure() -> None:
    result = run(KEY, RESPONSE, "--confidence", "--metrics", "muc,conll")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "                      Recall              Precision                    F₁",
        "MUC    87.50 [66.67, 100.00]  87.50 [83.33, 100.00]  87.50 [80.00, 90.91]",
        "CoNLL                                                81.71 [80.55, 83.33]",
        "",
        scoref.score(KEY, RESPONSE).signature,
        "confidence:95|bootstrap:expanded|resamples:10000|seed:2014|unit:documents",
    ]
    note = confidence(scoref.score(KEY, RESPONSE)).notes[0].message
    assert result.stderr == f"note: {note}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--confidence", KEY, RESPONSE],
        [KEY, "--confidence", RESPONSE],
        [KEY, RESPONSE, "--confidence"],
        ["--confidence", "95", KEY, RESPONSE],
        ["--confidence=95", KEY, RESPONSE],
        ["--confidence", "--", KEY, RESPONSE],
    ],
    ids=" ".join,
)
def test_the_level_is_95_wherever_the_option_stands(arguments: list[str]) -> None:
    assert (
        run(*FEW, *arguments).stdout == run(*FEW, KEY, RESPONSE, "--confidence").stdout
    )
    assert "confidence:95|" in run(*FEW, *arguments).stdout


def test_a_level_is_taken_for_one() -> None:
    output = run("--confidence", "90.5", KEY, RESPONSE, *FEW).stdout
    assert "confidence:90.5|bootstrap:expanded|resamples:200|" in output


def test_only_a_number_is_taken_for_a_level() -> None:
    assert with_numbers(["--confidence", "k", "r"]) == ["--confidence", "95", "k", "r"]
    assert with_numbers(["k", "--confidence"]) == ["k", "--confidence", "95"]
    assert with_numbers(["--confidence", "90", "k"]) == ["--confidence", "90", "k"]
    assert with_numbers(["k", "r"]) == ["k", "r"]


@pytest.mark.parametrize("level", ["0", "100", "-5", "101", "nan", "inf", "1e3"])
def test_a_level_that_is_no_percentage_is_bad_usage(level: str) -> None:
    for option in (["--confidence", level], [f"--confidence={level}"]):
        assert "invalid value for '--confidence'" in refusal(*option)


def test_a_level_that_is_no_number_is_bad_usage() -> None:
    message = refusal("--confidence=high")
    assert "'high' is not a valid level" in message


def test_chance_is_repeated_unless_another_one_is_asked_for() -> None:
    usual = interval(*FEW, "--confidence")
    assert interval(*FEW, "--confidence", "--seed", "2014") == usual
    assert interval(*FEW, "--confidence", "--bootstrap", "expanded") == usual
    result = scoref.score(KEY, RESPONSE, metrics="muc")
    expected = confidence(result, resamples=200).intervals["muc"]["f1"]
    assert usual == pytest.approx(list(expected), abs=1e-11)


@pytest.mark.parametrize(
    "option",
    [
        ["--confidence", "50"],
        ["--confidence", "--seed", "1"],
        ["--confidence", "--bootstrap", "percentile"],
        ["--confidence", "--resamples", "201"],
        ["--confidence", "--unit", "entities"],
    ],
    ids=" ".join,
)
def test_every_choice_of_chance_moves_digits_and_the_signature(
    option: list[str], tmp_path: Path
) -> None:
    files = [str(tmp_path / name) for name in ("key.jsonl", "response.jsonl")]
    for path, share in zip(files, (3, 2), strict=True):
        lines = [
            json.dumps(
                {"doc_key": str(row), "clusters": [[[n, n] for n in range(size)]]}
            )
            for row, size in enumerate(1 + row * share % 7 for row in range(24))
        ]
        Path(path).write_text("\n".join(lines), encoding="utf-8")
    options = ["--metrics", "bcub", "--resamples", "200", "--output", "json"]
    usual, other = (
        result_of(run(*files, *options, *each).stdout)["confidence"]
        for each in (["--confidence"], option)
    )
    assert usual["intervals"] != other["intervals"]
    assert usual["signature"] != other["signature"]


@pytest.mark.parametrize("option", ["--resamples", "--seed"])
def test_numbers_that_make_no_chance_are_bad_usage(option: str) -> None:
    for number in ("-1", "many"):
        message = refusal("--confidence", option, number)
        assert f"invalid value for '{option}'" in message


def test_a_unit_needs_intervals() -> None:
    assert "--unit needs --confidence" in usage(KEY, RESPONSE, "--unit", "entities")


def test_entities_are_drawn_in_blocks_and_that_is_said() -> None:
    result = run(KEY, RESPONSE, "--confidence", "--unit", "entities")
    output = result.stdout
    assert "|unit:entities" in output
    assert "note: Intervals are over 7 blocks of entities, not over" in result.stderr
    rows = [line.split() for line in output.splitlines()]
    assert ["BLANC", "69.32", "81.23", "74.24"] in rows


def test_plurals_keep_entities_from_being_drawn() -> None:
    options = "--confidence", "--unit", "entities"
    assert "--split-antecedents drop" in usage(*UNIVERSAL, *options)
    assert run(*UNIVERSAL, *options, "--split-antecedents", "drop").exit_code == 0


def test_a_metric_without_blocks_alone_is_bad_usage() -> None:
    options = "--confidence", "--unit", "entities", "--metrics", "blanc"
    message = "error: entities cannot be resampled for blanc"
    assert usage(KEY, RESPONSE, *options) == message


def test_json_has_the_intervals_and_how_they_were_found() -> None:
    found = result_of(run(KEY, RESPONSE, "--confidence", "--output", "json").stdout)
    expected = confidence(scoref.score(KEY, RESPONSE))
    written = found["confidence"]
    assert written["signature"] == expected.signature
    assert [written[name] for name in ("level", "method", "resamples", "seed")] == [
        *(95, "expanded", 10_000),
        2014,
    ]
    assert (written["unit"], written["count"]) == ("documents", 2)
    assert written["notes"][0]["kind"] == "few-documents"
    for name, figures in expected.intervals.items():
        for figure, bounds in figures.items():
            assert written["intervals"][name][figure] == list(bounds)


def test_csv_has_columns_of_bounds() -> None:
    result = run(KEY, RESPONSE, "--confidence", "--output", "csv")
    rows = {row["metric"]: row for row in csv.DictReader(io.StringIO(result.stdout))}
    expected = confidence(scoref.score(KEY, RESPONSE)).intervals
    for figure in ("recall", "precision", "f1"):
        bounds = [float(rows["lea"][f"{figure}_{end}"]) for end in ("low", "high")]
        assert bounds == list(expected["lea"][figure])
    assert rows["conll"]["recall_low"] == rows["conll"]["precision_high"] == ""
    assert rows["muc"]["confidence"].startswith("confidence:95|")
    assert "too few" in result.stderr


@pytest.mark.parametrize(
    ("output", "row"),
    [
        ("markdown", "| MUC | 87.50 [66.67, 100.00] | 87.50 [83.33, 100.00] | "),
        ("latex", "MUC & 87.50 [66.67, 100.00] & 87.50 [83.33, 100.00] & "),
    ],
)
def test_tables_for_papers_have_intervals_and_both_signatures(
    output: str, row: str
) -> None:
    text = run(KEY, RESPONSE, "--confidence", "--output", output).stdout
    assert row in text
    assert "confidence:95|bootstrap:expanded" in text
    assert "average:micro" in text


def test_a_figure_that_is_undefined_has_no_interval(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    path.write_text('{"doc_key": "d", "clusters": [[[0, 0]]]}\n', encoding="utf-8")
    output = run(str(path), str(path), *FEW, "--confidence").stdout
    assert output.splitlines()[1].split() == ["MUC", "–", "–", "–"]


def test_several_systems_have_an_interval_each() -> None:
    output = run(KEY, f"ours={RESPONSE}", f"theirs={KEY}", *FEW, "--confidence").stdout
    assert [line.split()[0] for line in output.splitlines()[1:3]] == ["ours", "theirs"]
    assert "100.00 [100.00, 100.00]" in output


@pytest.mark.parametrize("option", [["--score-only"], ["--per-document"]])
def test_what_shows_no_interval_is_refused(option: list[str]) -> None:
    assert usage(KEY, RESPONSE, "--confidence", *option).startswith("error: --")


@pytest.mark.parametrize("unit", ["documents", "entities"])
def test_every_format_has_intervals(unit: str) -> None:
    options = [*FEW, "--confidence", "--unit", unit, "--output", "json"]
    dropped = ["--split-antecedents", "drop"]
    counts = []
    for files in ([KEY, RESPONSE], [*COREFUD, *dropped], [*UNIVERSAL, *dropped]):
        written = result_of(run(*files, *options).stdout)
        found = written["confidence"]
        counts.append(found["count"])
        if found["count"] == 1:
            assert found["intervals"] == {}  # nothing varies
            continue
        low, high = found["intervals"]["muc"]["f1"]
        assert low <= written["scores"]["muc"]["f1"] <= high
    assert counts == {"documents": [2, 2, 1], "entities": [7, 6, 7]}[unit]


def test_a_system_has_the_name_that_stands_before_its_path() -> None:
    written = result_of(run(KEY, f"our system={RESPONSE}", "--output", "json").stdout)
    assert written["response"] == "our system"
    output = run(KEY, f"a={RESPONSE}", f"b={RESPONSE}", "--metrics", "muc").stdout
    assert output.splitlines()[1:3] == ["a   87.50", "b   87.50"]


def test_a_file_with_an_equals_sign_in_its_name_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("seed=1.conll").write_bytes(Path(RESPONSE).read_bytes())
    assert run(KEY, "seed=1.conll", "--score-only").stdout == "81.71\n"
    output = run(KEY, "seed=1.conll", "b=seed=1.conll", "--metrics", "muc").stdout
    assert [line.split()[0] for line in output.splitlines()[1:3]] == [
        "seed=1.conll",
        "b",
    ]


def test_a_response_that_is_given_twice_has_two_rows() -> None:
    output = run(KEY, RESPONSE, RESPONSE, *FEW, "--confidence").stdout
    assert [line.split()[1] for line in output.splitlines()[1:3]] == ["87.50"] * 2


def test_standard_input_may_have_a_name() -> None:
    result = CliRunner().invoke(
        command, [KEY, "ours=-", "--output", "json"], input=Path(RESPONSE).read_bytes()
    )
    assert result_of(result.stdout)["response"] == "ours"


def test_a_name_before_a_missing_file_is_no_part_of_its_path() -> None:
    result = run(KEY, "ours=nowhere.conll")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: nowhere.conll: cannot be read")


@pytest.mark.parametrize(("digits", "shown"), [("0", "88"), ("4", "87.5000")])
def test_precision_is_that_of_figures_and_bounds(digits: str, shown: str) -> None:
    output = run(KEY, RESPONSE, *FEW, "--confidence", "--precision", digits).stdout
    row = output.splitlines()[1]
    assert row.split()[1] == shown
    assert {len(each) for each in re.findall(r"\.(\d+)", row)} <= {int(digits)}


@pytest.mark.parametrize("digits", ["-1", "16", "x"])
def test_a_precision_out_of_reach_is_bad_usage(digits: str) -> None:
    assert "invalid value for '--precision'" in refusal("--precision", digits)


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_intervals_are_drawn_into_a_file(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"plot.{suffix}"
    result = run(KEY, f"ours={RESPONSE}", *FEW, "--confidence", "--plot", str(path))
    assert result.exit_code == 0, result.output
    assert path.stat().st_size > 1000


def test_a_plot_needs_intervals_and_a_known_suffix(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    assert "Add --confidence" in usage(KEY, RESPONSE, "--plot", str(path))
    other = str(tmp_path / "plot.gif")
    assert run(KEY, RESPONSE, "--confidence", "--plot", other).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_the_command_itself_takes_the_option_alone() -> None:
    program = [sys.executable, "-c", "from scoref.cli import main; main()"]
    done = subprocess.run(
        [*program, "--confidence", KEY, RESPONSE, *FEW],
        capture_output=True,
        check=True,
        text=True,
    )
    assert "confidence:95|bootstrap:expanded|resamples:200|" in done.stdout
