"""NAME=PATH,PATH: several runs of a system, and folds of a corpus."""

from __future__ import annotations

import csv
import io
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from support.commands import run
from support.paths import EXAMPLES
from support.schemas import refusals

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("wide")

KEY = EXAMPLES / "many-key.conll"
FILES = [EXAMPLES / f"many-{name}.conll" for name in ("a", "a2", "a3")]
OURS = "ours=" + ",".join(map(str, FILES))
BASE = f"base={EXAMPLES / 'many-b.conll'}"
FEW = "--resamples", "200"


@pytest.fixture
def folds(tmp_path: Path) -> str:
    """Write each genre of a response to a file."""
    documents = FILES[0].read_text("utf-8").split("#begin document")[1:]
    paths = []
    for genre in ("story", "chat", "news"):
        path = tmp_path / f"{genre}.conll"
        own = [text for text in documents if text.startswith(f" ({genre}/")]
        path.write_text("".join(f"#begin document{text}" for text in own), "utf-8")
        paths.append(str(path))
    return ",".join(paths)


def json_of(*arguments: object) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(
        run(*arguments, "--output", "json", code=0).stdout
    )
    assert refusals(written) == []
    return written


def test_the_table_has_means_and_standard_deviations() -> None:
    result = run(KEY, OURS, "--metrics", "muc,conll", code=0)
    assert result.stdout.splitlines()[:5] == [
        "             Recall     Precision            F₁",
        "MUC    82.02 ± 2.45  91.43 ± 2.01  86.47 ± 2.23",
        "CoNLL                              85.05 ± 1.63",
        "",
        "Mean ± standard deviation over 3 runs.",
    ]
    assert result.stdout.splitlines()[-1].endswith("|runs:3")


def test_runs_without_a_name() -> None:
    line = f"{FILES[0]},{FILES[1]}"
    (found,) = json_of(KEY, line)["results"]
    assert (found["response"], found["runs"]) == (line, 2)


def test_a_system_may_have_more_runs_than_another() -> None:
    result = run(KEY, OURS, BASE, "--metrics", "conll", code=0)
    assert result.stdout.splitlines()[:5] == [
        "F₁           CoNLL",
        "ours  85.05 ± 1.63",
        "base         78.40",
        "",
        "Mean ± standard deviation over runs (3 of ours).",
    ]
    assert result.stdout.splitlines()[-1].endswith("|runs:3+1")


def test_json_has_the_mean_the_deviation_and_every_run() -> None:
    ours, base = json_of(KEY, OURS, BASE, "--per-document")["results"]
    assert ours["runs"] == 3
    assert ours["mean"]["muc"].keys() == {"recall", "precision", "f1"}
    assert ours["mean"]["conll"] == {"f1": ours["scores"]["conll"]["f1"]}
    assert ours["sd"]["conll"]["f1"] == pytest.approx(0.016287, abs=1e-6)
    assert [each["response"] for each in ours["by_run"]] == [*map(str, FILES)]
    assert ours["by_run"][0]["scores"]["conll"]["f1"] == pytest.approx(0.863826)
    assert "counts" not in ours["scores"]["muc"]
    assert ours["sd_per_document"].keys() == ours["per_document"].keys()
    assert "runs" not in base
    assert "counts" in base["scores"]["muc"]


def test_csv_has_columns_for_runs() -> None:
    result = run(KEY, OURS, BASE, "--metrics", "muc", "--output", "csv", code=0)
    ours, base = csv.DictReader(io.StringIO(result.stdout))
    assert (ours["runs"], base["runs"]) == ("3", "1")
    assert float(ours["f1_sd"]) == pytest.approx(0.022264, abs=1e-6)
    assert base["f1_sd"] == ""
    single = run(KEY, BASE, "--output", "csv", code=0).stdout
    assert "runs" not in single.splitlines()[0]


@pytest.mark.parametrize(
    ("output", "text"),
    [("markdown", "85.05 ± 1.63"), ("latex", r"85.05 $\pm$ 1.63")],
)
def test_tables_for_papers(output: str, text: str) -> None:
    result = run(KEY, OURS, BASE, "--wide", "--output", output, code=0)
    assert text in result.stdout
    compared = run("compare", KEY, OURS, BASE, "--wide", *FEW, "--output", output)
    assert text in compared.stdout


def test_documents_have_means_and_deviations() -> None:
    result = run(KEY, OURS, "--per-document", "--metrics", "muc", code=0)
    lines = result.stdout.splitlines()
    assert lines[-5] == "micro average                  86.47 ± 2.23"
    assert lines[1] == "(chat/concert); part 000       88.89 ± 0.00"


def test_intervals_are_over_documents_and_runs() -> None:
    arguments = KEY, OURS, "--confidence", "--metrics", "conll", *FEW
    (found,) = json_of(*arguments)["results"]
    assert found["confidence"]["unit"] == "documents+runs"
    low, high = found["confidence"]["intervals"]["conll"]["f1"]
    assert low < found["mean"]["conll"]["f1"] < high
    assert [note["kind"] for note in found["confidence"]["notes"]] == ["few-runs"]
    text = run(*arguments, code=0).stdout
    assert f"85.05 ± 1.63 [{100 * low:.2f}, {100 * high:.2f}]" in text
    assert "unit:documents+runs" in text


def test_a_system_with_one_run_is_noted_among_others() -> None:
    result = run(KEY, OURS, BASE, "--confidence", "--metrics", "conll", *FEW, code=0)
    assert "note: base has one run, so intervals and tests" in result.stderr
    assert result.stderr.count("ours has 3 runs") == 1


def test_one_number_is_the_mean() -> None:
    assert run(KEY, OURS, "--score-only", code=0).stdout == "85.05\n"
    assert run(KEY, OURS, "--fail-under", "85", code=0).exit_code == 0
    message = run(KEY, OURS, "--fail-under", "86", code=3).stderr
    assert "ours: conll is 85.05, below 86.00" in message


def test_comparisons_account_for_runs() -> None:
    single = f"ours={FILES[0]}"
    (one,) = json_of("compare", KEY, single, BASE, *FEW)["results"]
    (several,) = json_of("compare", KEY, OURS, BASE, *FEW)["results"]
    assert "runs" not in one
    assert several["runs"] == {"ours": 3, "base": 1}
    assert several["mean"] == several["systems"]
    assert several["sd"].keys() == {"ours"}
    assert several["signature"].endswith("|runs:3+1")
    assert several["comparison"].endswith("|unit:documents+runs")
    widths = [
        high - low
        for found in (one, several)
        for low, high in [found["differences"][-1]["interval"]]
    ]
    assert widths[0] < widths[1]
    assert {note["kind"] for note in several["notes"]} == {"few-runs", "one-run"}


def test_folds_have_the_digits_of_one_file(folds: str) -> None:
    pooled = json_of(KEY, f"ours={folds}", "--per-document")["results"][0]
    whole = json_of(KEY, FILES[0], "--per-document")["results"][0]
    assert pooled["scores"] == whole["scores"]
    assert pooled["per_document"] == whole["per_document"]
    assert pooled["signature"] == f"{whole['signature']}|folds:3"
    assert "runs" not in pooled


@pytest.mark.parametrize(
    "options",
    [
        ["--by", "genre"],
        ["--by", "entity-size"],
        ["--window", "10"],
        ["--confidence", "--unit", "entities", *FEW],
    ],
)
def test_folds_work_with_every_option(options: list[str], folds: str) -> None:
    pooled = run(KEY, f"ours={folds}", *options, code=0).stdout
    whole = run(KEY, f"ours={FILES[0]}", *options, code=0).stdout
    assert pooled.replace("|folds:3", "") == whole


def test_folds_can_be_saved_and_compared(folds: str, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    run(KEY, f"ours={folds}", "--save", saved, code=0)
    assert scoref.load_result(saved).folds == 3
    result = run("compare", "--baseline", saved, KEY, OURS, *FEW, code=0)
    assert "response - baseline" in result.stdout


def test_documents_between_runs_and_folds_are_named(folds: str) -> None:
    result = run(KEY, f"ours={FILES[0]},{folds}", code=1)
    assert result.stdout == ""
    assert "neither runs nor folds of one system" in result.stderr
    assert "'(story/" in result.stderr
    assert (
        "hint: Runs must have the same documents. With --missing key (missing=key in "
        "Python), a run may lack some and have others; with empty, it may only lack "
        "some. Folds must have none in common.\n"
    ) in result.stderr


@pytest.mark.parametrize("missing", ["empty", "key"])
def test_a_run_may_lack_documents_that_are_empty(missing: str, folds: str) -> None:
    fold = folds.split(",", maxsplit=1)[0]
    options = "--missing", missing, "-m", "conll", "--output", "json"
    alone = json.loads(run(KEY, fold, *options, code=0).stdout)["results"][0]
    done = run(KEY, f"ours={FILES[0]},{fold}", *options, code=0)
    (both,) = json.loads(done.stdout)["results"]
    assert both["runs"] == 2
    assert both["by_run"][1]["scores"] == alone["scores"]
    pooled = json.loads(run(KEY, f"ours={folds}", *options, code=0).stdout)
    assert "runs" not in pooled["results"][0]


@pytest.mark.parametrize("missing", ["empty", "key"])
def test_folds_that_share_a_document_are_not_runs(missing: str, tmp_path: Path) -> None:
    with open(FILES[0], encoding="utf-8") as file:
        text = file.read()
    documents = text.split("#end document\n")[:-1]
    halves = documents[:13], documents[12:]
    paths = [tmp_path / "one.conll", tmp_path / "other.conll"]
    for path, half in zip(paths, halves, strict=True):
        path.write_text("".join(f"{each}#end document\n" for each in half), "utf-8")
    given = ",".join(map(str, paths))
    result = run(KEY, f"ours={given}", "--missing", missing, code=1)
    assert "neither runs nor folds of one system" in result.stderr


@pytest.mark.parametrize("command", ["errors", "report", "multiverse", "agree"])
def test_commands_for_one_run_say_so(command: str, tmp_path: Path) -> None:
    output = ["-o", tmp_path / "x.html"] if command == "report" else []
    result = run(command, KEY, OURS, BASE, *output, code=1)
    assert "Several runs of a system cannot be given here." in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "genre"], "--by, --per-entity and --window cannot be combined"),
        (["--window", "9"], "--by, --per-entity and --window cannot be combined"),
        (["--save", "x.json"], "ours has 3 runs, but a file holds one result"),
        (["--confidence", "--unit", "entities"], "cannot be used with several runs"),
    ],
)
def test_options_that_need_one_run_refuse_several(
    options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(KEY, OURS, *options, code=2)
    assert message in result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "x.json").exists()


@pytest.mark.parametrize("command", [[], ["compare"]])
def test_folders_of_datasets_refuse_several_runs(
    command: list[str], tmp_path: Path
) -> None:
    gold = tmp_path / "gold"
    gold.mkdir()
    shutil.copy(KEY, gold / "one.conll")
    shutil.copy(KEY, gold / "two.conll")
    result = run(*command, gold, f"ours={gold},{gold}", f"b={gold}", code=2)
    assert "cannot be combined with several runs of a system" in result.stderr
    assert "ours has 2 paths" in result.stderr


def test_a_new_baseline_needs_one_run(tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    run(KEY, EXAMPLES / "many-c.conll", "--save", saved, code=0)
    before = saved.read_bytes()
    result = run("compare", "--baseline", saved, KEY, OURS, "--update", *FEW, code=2)
    assert "ours has 3 runs, but a file holds one result" in result.stderr
    assert result.stdout == ""
    assert saved.read_bytes() == before


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    copy = tmp_path / "a.conll"
    shutil.copy(FILES[0], copy)
    result = run(KEY, f"ours={copy},{FILES[1]}", "--save", copy)
    assert result.exit_code != 0
    assert copy.read_bytes() == FILES[0].read_bytes()


def test_standard_input_may_be_one_run() -> None:
    line = f"ours=-,{FILES[1]}"
    result = run(KEY, line, "--score-only", stdin=FILES[0].read_bytes(), code=0)
    assert result.stdout == "84.81\n"
    run(KEY, "ours=-,-", stdin=FILES[0].read_bytes(), code=2)


def test_plots_show_the_means(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "x.svg"
    run(KEY, OURS, "--confidence", *FEW, "--plot", path, code=0)
    assert "95 % confidence intervals over 24 documents and runs" in path.read_text()
    result = run(KEY, OURS, BASE, "--confidence", *FEW, "--plot", path, code=2)
    assert "(95 % over documents, 95 % over documents+runs)" in result.stderr
    run("compare", KEY, OURS, BASE, *FEW, "--plot", tmp_path / "y.svg", code=0)


def test_trivial_systems_are_refused() -> None:
    result = run("score", str(KEY), OURS, "--trivial", code=2)
    assert "--trivial cannot be combined with several runs" in result.stderr
