import csv
import io
import json
import multiprocessing
import os
import shutil
import signal
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.cli import command
from scoref.formats.reading import OpenedFile
from scoref.model import Corpus
from scoref.scheme import Scheme
from scoref.scoring import datasets, evaluate
from scoref.scoring.request import Request
from support.json_output import whole_of
from support.paths import EXAMPLES

pytestmark = pytest.mark.usefixtures("wide")

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"


def corefud(*entities: str) -> str:
    """Write a sentence of one-word mentions; '' for a word without one."""
    rows = (f"Entity=({name}-x-1-)" if name else "_" for name in entities)
    lines = [
        f"{row}\tw\t_\tX\t_\t_\t0\troot\t_\t{misc}" for row, misc in enumerate(rows, 1)
    ]
    return HEADER + "\n".join(lines) + "\n\n"


GOOD = corefud("a", "a", "b", "b", "")
SPLIT = corefud("a", "a", "b", "", "")
JOINED = corefud("a", "a", "a", "a", "")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "gold/cs_pdt-corefud-dev.gold.conllu": GOOD,
        "gold/en_gum-corefud-dev.conllu": GOOD,
        "gold/README.md": "not a dataset",
        "one/cs_pdt-corefud-dev.conllu": GOOD,
        "one/en_gum-corefud-dev.conllu": SPLIT,
        "two/cs_pdt-corefud-dev.conllu": JOINED,
        "two/en_gum-corefud-dev.conllu": GOOD,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def conll(key: str, response: str, tmp_path: Path, **options: str) -> float:
    paths = tmp_path / "k.conllu", tmp_path / "r.conllu"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text)
    return scoref.score(*paths, **options).conll  # type: ignore[arg-type]


def table(result: Result) -> list[list[str]]:
    return [line.split() for line in result.stdout.split("\n\n")[0].splitlines()]


def test_one_system_has_a_row_for_each_dataset(folder: Path, tmp_path: Path) -> None:
    result = run("gold", "one", "--metrics", "muc,conll")
    split = f"{100 * conll(GOOD, SPLIT, tmp_path):.2f}"
    assert result.exit_code == 0
    assert [row[0] for row in table(result)] == ["F₁", "cs_pdt", "en_gum", "macro"]
    assert table(result)[1][1:] == ["100.00", "100.00"]
    assert table(result)[2][-1] == split
    assert folder == tmp_path


@pytest.mark.usefixtures("folder")
def test_several_systems_have_a_column_each_and_the_macro_average(
    tmp_path: Path,
) -> None:
    result = run("gold", "one", "two")
    figures = conll(GOOD, SPLIT, tmp_path), conll(GOOD, JOINED, tmp_path)
    averages = [f"{100 * (1 + figure) / 2:.2f}" for figure in figures]
    assert table(result)[0] == ["CoNLL", "F₁", "one", "two"]
    assert table(result)[-2] == ["macro", "average", *averages]
    assert table(result)[-1] == ["rank", "1", "2"]
    assert "|datasets:macro" in result.stdout


@pytest.mark.usefixtures("folder")
def test_the_shared_tasks_columns_come_from_one_pass(tmp_path: Path) -> None:
    result = run("gold", "one", "--columns", "head,partial,exact,singletons")
    assert table(result)[0] == ["CoNLL", "F₁", "head", "partial", "exact", "singletons"]
    kept = conll(GOOD, SPLIT, tmp_path, singletons="keep")
    assert table(result)[2][-1] == f"{100 * kept:.2f}"
    assert result.stdout.count("scoref:") == 4


@pytest.mark.usefixtures("folder")
def test_json_names_dataset_response_and_column() -> None:
    written = whole_of(
        run("gold", "one", "--columns", "head,exact", "--output", "json").stdout
    )
    places = [
        (result["dataset"], result["response"], result["column"])
        for result in written["results"]
    ]
    assert places == [
        (dataset, "one", column)
        for dataset in ("cs_pdt", "en_gum")
        for column in ("head", "exact")
    ]


@pytest.mark.usefixtures("folder")
def test_columns_of_several_systems_are_macro_averages() -> None:
    result = run("gold", "one", "two", "--columns", "head,exact")
    assert [row[0] for row in table(result)] == ["CoNLL", "one", "two"]


def test_what_is_missing_or_broken_is_named_and_counts_as_0(folder: Path) -> None:
    (folder / "two/cs_pdt-corefud-dev.conllu").write_text("broken\n")
    (folder / "one/en_gum-corefud-dev.conllu").unlink()
    result = run("gold", "one", "two")
    assert result.exit_code == 1
    assert table(result)[1] == ["cs_pdt", "100.00", "error"]
    assert table(result)[2] == ["en_gum", "missing", "100.00"]
    assert table(result)[3] == ["macro", "average", "50.00", "50.00"]
    assert "warning: one has no file for en_gum-corefud-dev.conllu" in result.stderr
    assert "two/cs_pdt-corefud-dev.conllu:1: this line does not start" in result.stderr
    assert "2 files could not be scored" in result.stderr


@pytest.mark.parametrize(
    "options", [(), ("--output", "csv"), ("--score-only",), ("--fail-under", "1")]
)
def test_no_figures_are_printed_if_nothing_could_be_scored(
    folder: Path, options: tuple[str, ...]
) -> None:
    for dataset in ("cs_pdt", "en_gum"):
        (folder / f"two/{dataset}-corefud-dev.conllu").write_text("broken\n")
    result = run("gold", "two", *options)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "two/cs_pdt-corefud-dev.conllu:1: this line does not start" in result.stderr
    assert "two/en_gum-corefud-dev.conllu:1: this line does not start" in result.stderr
    assert result.stderr.endswith(
        "error: 2 files could not be scored. See the messages above\n"
    )


@pytest.mark.usefixtures("folder")
def test_json_has_everything() -> None:
    written = whole_of(run("gold", "one", "two", "--output", "json").stdout)
    results = written["results"]
    assert [(each["dataset"], each["response"]) for each in results] == [
        *(("cs_pdt", "one"), ("cs_pdt", "two")),
        *(("en_gum", "one"), ("en_gum", "two")),
    ]
    assert results[0]["scores"]["conll"] == {"f1": 1.0}
    one, two = written["macro"]
    assert (one["response"], two["response"]) == ("one", "two")
    assert one["signature"] == f"{results[0]['signature']}|datasets:macro"
    assert one["f1"]["conll"] == (1 + results[2]["scores"]["conll"]["f1"]) / 2
    assert written["failures"] == []


def test_json_has_what_could_not_be_scored(folder: Path) -> None:
    (folder / "two/cs_pdt-corefud-dev.conllu").write_text("broken\n")
    (folder / "one/en_gum-corefud-dev.conllu").unlink()
    result = run("gold", "one", "two", "--output", "json")
    assert result.exit_code == 1
    written = whole_of(result.stdout)
    assert [(each["dataset"], each["response"]) for each in written["results"]] == [
        ("cs_pdt", "one"),
        ("en_gum", "two"),
    ]
    missing, broken = written["failures"]
    assert missing == {
        "dataset": "en_gum",
        "response": "one",
        "message": "one has no file for en_gum-corefud-dev.conllu",
    }
    assert (broken["dataset"], broken["response"]) == ("cs_pdt", "two")
    assert broken["message"].startswith("two/cs_pdt-corefud-dev.conllu:1: ")
    assert written["notes"][0] == (
        "warning: Datasets that could not be scored count as 0 in the macro average."
    )
    assert "2 files could not be scored. See 'failures' in the output" in result.stderr


def test_csv_has_rows_with_0_for_what_could_not_be_scored(folder: Path) -> None:
    (folder / "one/en_gum-corefud-dev.conllu").unlink()
    options = ("--metrics", "muc,conll,vi,ari", "--output", "csv", "--confidence", "90")
    output = run("gold", "one", "two", "--score-only", "--metrics", "conll").stdout
    rows = list(csv.DictReader(io.StringIO(run("gold", "one", "two", *options).stdout)))
    missing = [row for row in rows if row["f1_high"] == "" and row["system"] == "one"]
    figures = [
        (row["dataset"], row["metric"], row["recall"], row["f1"], row["defined"])
        for row in rows
        if row["system"] == "one" and row["dataset"] == "en_gum"
    ]
    assert figures == [
        ("en_gum", "muc", "0.0", "0.0", "False"),
        ("en_gum", "conll", "", "0.0", "False"),
        ("en_gum", "ari", "", "0.0", "False"),
        ("en_gum", "vi", "", "", "False"),
    ]
    assert {row["signature"] for row in missing} == {rows[0]["signature"]}
    mean = [
        float(r["f1"]) for r in rows if (r["system"], r["metric"]) == ("one", "conll")
    ]
    assert f"{100 * sum(mean) / len(mean):.2f}" == output.split()[0]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "level"), [(["--confidence", "90"], "90"), (["--confidence"], "95")]
)
def test_the_level_of_intervals_is_in_the_signature(
    options: list[str], level: str
) -> None:
    output = run("gold", "one", "--metrics", "muc", *options).stdout
    assert f"confidence:{level}|bootstrap:" in output


def test_csv_has_the_intervals_of_each_dataset(tmp_path: Path) -> None:
    for side, name in (("gold", "key"), ("one", "a")):
        (tmp_path / side).mkdir()
        for dataset in "xy":
            data = (EXAMPLES / f"many-{name}.conll").read_bytes()
            (tmp_path / side / f"{dataset}.conll").write_bytes(data)
    options = ("--folder", "datasets", "--confidence", "90", "--resamples", "50")
    output = ("--output", "csv", "--metrics", "muc")
    sides = [str(tmp_path / name) for name in ("gold", "one")]
    table = run(*sides, *options, *output).stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["dataset"] for row in rows] == ["x", "y"]
    for row in rows:
        assert float(row["f1_low"]) < float(row["f1"]) < float(row["f1_high"])
        assert row["confidence"].startswith("confidence:90|")


@pytest.mark.usefixtures("folder")
def test_csv_has_a_row_for_each_figure() -> None:
    output = run("gold", "one", "two", "--output", "csv", "--metrics", "lea").stdout
    rows = list(csv.DictReader(io.StringIO(output)))
    assert [(row["system"], row["dataset"]) for row in rows] == [
        ("one", "cs_pdt"),
        ("two", "cs_pdt"),
        ("one", "en_gum"),
        ("two", "en_gum"),
    ]


@pytest.mark.usefixtures("folder")
def test_papers_get_the_same_table_with_bold_figures_and_ranks() -> None:
    text, latex, markdown = (
        run("gold", "one", "two", "--output", output).stdout
        for output in ("text", "latex", "markdown")
    )
    (one, two), macro = ["100.00", "100.00"], text.splitlines()[3].split()[2:]
    worse = [text.splitlines()[1].split()[2], text.splitlines()[2].split()[1]]
    assert macro[0] > macro[1]
    assert latex.splitlines()[4:8] == [
        rf"cs\_pdt & \textbf{{{one}}} & {worse[0]} \\",
        rf"en\_gum & {worse[1]} & \textbf{{{two}}} \\",
        rf"macro average & \textbf{{{macro[0]}}} & {macro[1]} \\",
        r"rank & 1 & 2 \\",
    ]
    assert (
        f"| macro average | **{macro[0]}** | {macro[1]} |\n| rank | 1 | 2 |" in markdown
    )


@pytest.mark.usefixtures("folder")
def test_systems_in_rows_have_their_rank_and_bold_figures_by_column() -> None:
    options = "--columns", "head,exact", "--output", "latex"
    rows = run("gold", "two", "one", *options).stdout.splitlines()[2:6]
    assert rows[0] == r"CoNLL F$_1$, macro average & rank & head & exact \\"
    assert rows[2].startswith(r"one & 1 & \textbf{")
    assert rows[3].startswith("two & 2 & ")


def test_many_files_that_have_the_same_noted_take_one_line(folder: Path) -> None:
    broken = GOOD.replace("Entity=(b-x-1-)", "Entity=(b-x-1-", 1)
    for path in folder.glob("[ot][nw][eo]/*"):
        path.write_text(broken)
    options = ("--lenient", "--folder", "datasets")
    assert run("gold", "one", "two", *options).stderr == (
        "warning: one/cs_pdt-corefud-dev.conllu: Skipped: unclosed brackets (at "
        "one/cs_pdt-corefud-dev.conllu:6). The same applies to "
        "two/cs_pdt-corefud-dev.conllu (1), one/en_gum-corefud-dev.conllu (1), "
        "two/en_gum-corefud-dev.conllu (1).\n"
    )


def test_what_was_passed_over_is_told_with_its_file(folder: Path) -> None:
    broken = GOOD.replace("Entity=(b-x-1-)", "Entity=(b-x-1-", 1)
    (folder / "one/en_gum-corefud-dev.conllu").write_text(broken)
    result = run("gold", "one", "--lenient")
    place = "one/en_gum-corefud-dev.conllu"
    assert result.exit_code == 0
    assert f"warning: {place}: Skipped: unclosed brackets" in result.stderr


def test_a_file_of_no_dataset_is_named(folder: Path) -> None:
    (folder / "one/xx_other-corefud-dev.conllu").write_text(GOOD)
    result = run("gold", "one")
    note = "one/xx_other-corefud-dev.conllu was not scored, because gold"
    assert f"note: {note} has no dataset" in result.stderr


@pytest.mark.usefixtures("folder")
def test_every_metric_that_was_asked_for_has_a_table() -> None:
    result = run("gold", "one", "two", "--metrics", "muc,lea")
    assert "MUC F₁" in result.stdout
    assert "LEA F₁" in result.stdout


@pytest.mark.usefixtures("folder")
def test_python_has_the_same() -> None:
    results = scoref.score_folders("gold", ["one", "two"], match="exact", jobs=1)
    assert (results.macro("two", "default", "conll") or 0) < 1
    assert "|match:exact|" in results.signature("default")


@pytest.mark.usefixtures("folder")
def test_processes_give_the_same_figures() -> None:
    alone = run("gold", "one", "two", "--jobs", "1").stdout
    assert run("gold", "one", "two", "--jobs", "2").stdout == alone


@pytest.mark.usefixtures("folder")
def test_one_number_is_the_macro_average() -> None:
    lone = run("gold", "one", "two", "--score-only").stdout.split()
    averages = table(run("gold", "one", "two"))[-2][2:]
    assert lone == averages
    assert run("gold", "one", "--fail-under", "99").exit_code == 3


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["gold"], "needs a folder of responses"),
        (["gold", "one", "--columns", "heads"], "Did you mean head"),
        (["gold", "one", "--window", "9"], "--window needs files"),
        (["gold", "one", "--columns", "head", "--save", "x"], "Leave out --columns"),
        (["gold", "one", "two", "--save", "x"], "exactly one response"),
        (["gold", "one", "--columns", "head", "--match", "exact"], "sets --match"),
        (
            [
                "gold/en_gum-corefud-dev.conllu",
                "gold/en_gum-corefud-dev.conllu",
                "--jobs",
                "2",
            ],
            "need a folder",
        ),
    ],
)
def test_what_does_not_go_together_is_bad_usage(
    arguments: list[str], problem: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert problem in result.stderr


@pytest.mark.usefixtures("folder")
def test_a_file_in_place_of_a_folder_is_an_error() -> None:
    result = run("gold", "gold/README.md")
    assert result.exit_code == 1
    assert "this is a file, but the key is a folder" in result.stderr


def test_a_folder_without_datasets_is_an_error(folder: Path) -> None:
    (folder / "none").mkdir()
    result = run("none", "one")
    assert result.exit_code == 1
    assert "no file to score" in result.stderr


def test_two_files_for_one_dataset_are_an_error(folder: Path) -> None:
    (folder / "one/en_gum-corefud-dev.pred.conllu").write_text(GOOD)
    result = run("gold", "one", "two")
    assert result.exit_code == 1
    assert "are both for 'en_gum-corefud-dev'" in result.stderr
    assert table(result)[2] == ["en_gum", "error", "100.00"]
    assert table(result)[1][1] == "100.00"


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes have what a test has put in its place, also on Python 3.14."""
    fork = multiprocessing.get_context("fork")
    monkeypatch.setattr(multiprocessing, "Process", fork.Process)


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("lost its way")])
def test_what_goes_wrong_with_one_dataset_loses_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, jobs: str
) -> None:
    def read_key(opened: OpenedFile, wanted: Request, scheme: Scheme) -> Corpus:
        if "cs_pdt" in opened.source:
            raise error
        return evaluate.read_key(opened, wanted, scheme)

    monkeypatch.setattr(datasets, "read_key", read_key)
    result = run("gold", "one", "two", "--jobs", jobs, "--folder", "datasets")
    assert folder.exists()
    assert result.exit_code == 1
    assert table(result)[1] == ["cs_pdt", "error", "error"]
    assert table(result)[2][2] == "100.00"
    told = "not enough memory" if isinstance(error, MemoryError) else "lost its way"
    effect, warning, *_ = result.stderr.splitlines()
    assert effect.startswith("warning: Datasets that could not be scored count as 0")
    assert warning.startswith("warning: gold/cs_pdt-corefud-dev.gold.conllu: ")
    assert told in warning


@pytest.mark.usefixtures("folder", "forked")
def test_a_process_that_is_killed_loses_its_dataset_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read_key(opened: OpenedFile, wanted: Request, scheme: Scheme) -> Corpus:
        if "cs_pdt" in opened.source:
            os.kill(os.getpid(), signal.SIGKILL)
        return evaluate.read_key(opened, wanted, scheme)

    monkeypatch.setattr(datasets, "read_key", read_key)
    result = run("gold", "one", "two", "--jobs", "2")
    assert result.exit_code == 1
    assert table(result)[1] == ["cs_pdt", "error", "error"]
    assert table(result)[2][2] == "100.00"
    assert "the process that scored it was killed by SIGKILL" in result.stderr


def test_options_that_suit_some_datasets_score_these(folder: Path) -> None:
    for name in ("gold", "one"):
        path = folder / name / "json-corefud-dev.jsonl"
        path.write_text('{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]]}\n')
    result = run("gold", "one", "--match", "partial")
    assert result.exit_code == 1
    assert [row[0] for row in table(result)] == [
        *("F₁", "cs_pdt", "en_gum", "json", "macro")
    ]
    assert table(result)[3][1] == "error"
    assert "match=partial (--match partial) needs heads" in result.stderr


def test_options_that_suit_no_dataset_are_bad_usage(folder: Path) -> None:
    result = run(str(folder / "gold"), str(folder / "one"), "--match", "craft")
    assert result.exit_code == 2
    assert "match=craft (--match craft) is only for Universal Anaphora" in result.stderr


def test_a_column_that_suits_no_dataset_is_bad_usage(folder: Path) -> None:
    for name in ("gold/a", "gold/b", "one/a", "one/b"):
        (folder / f"{name}.jsonl").write_text(
            '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]]}\n'
        )
    for path in folder.glob("*/*.conllu"):
        path.unlink()
    options = ("--folder", "datasets", "--columns", "exact,singletons")
    result = run("gold", "one", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "column 'singletons' does not suit these files: match=head" in result.stderr
    with pytest.raises(scoref.OptionError, match="column 'head' does not suit"):
        scoref.score_folders("gold", "one", columns="head", folder="datasets")


ZERO = "2.1\t_\t_\tX\t_\t_\t_\t_\t1:dep\tEntity=(a-x-1-)\n"
ZEROS = GOOD.replace("3\tw", f"{ZERO}3\tw")
NO_ZERO = GOOD.replace("3\tw", f"{ZERO.replace('Entity=(a-x-1-)', '_')}3\tw")


@pytest.fixture
def zeros(folder: Path) -> Path:
    """Add a dataset with zeros; the others have none."""
    for path in ("gold", "one", "two"):
        (folder / path / "tr_itcc-corefud-dev.conllu").write_text(ZEROS)
    return folder


def row_of(result: Result, name: str) -> list[str]:
    return next(row for row in table(result) if row[0] == name)


@pytest.mark.usefixtures("zeros")
def test_a_dataset_without_zeros_is_left_out_of_their_mean() -> None:
    result = run("gold", "gold", "--metrics", "zero,conll")
    assert row_of(result, "cs_pdt") == ["cs_pdt", "–", "100.00"]
    assert row_of(result, "macro") == ["macro", "average", "100.00", "100.00"]
    assert "Averages are over 3 datasets; Zeros over 1." in result.stdout
    assert "0/0" not in result.stderr


@pytest.mark.usefixtures("zeros")
def test_undefined_figures_are_null_and_each_mean_says_what_it_covers() -> None:
    written = whole_of(run("gold", "gold", "--output", "json").stdout)
    (macro,) = written["macro"]
    assert macro["f1"]["zero"] == 1.0
    assert (macro["datasets"]["zero"], macro["datasets"]["conll"]) == (1, 3)
    scores = {each["dataset"]: each["scores"]["zero"] for each in written["results"]}
    assert (scores["cs_pdt"]["f1"], scores["cs_pdt"]["defined"]) == (None, False)
    assert (scores["tr_itcc"]["f1"], scores["tr_itcc"]["defined"]) == (1.0, True)
    rows = [*csv.DictReader(io.StringIO(run("gold", "one", "--output", "csv").stdout))]
    figures = {row["dataset"]: row["f1"] for row in rows if row["metric"] == "zero"}
    assert figures == {"cs_pdt": "", "en_gum": "", "tr_itcc": "1.0"}


@pytest.mark.usefixtures("zeros")
def test_undefined_everywhere_is_neither_a_number_nor_above_a_threshold() -> None:
    Path("gold/tr_itcc-corefud-dev.conllu").write_text(NO_ZERO)
    Path("one/tr_itcc-corefud-dev.conllu").write_text(NO_ZERO)
    result = run("gold", "one", "--metrics", "zero", "--score-only")
    assert result.stdout == "–\n"
    result = run("gold", "one", "--metrics", "zero", "--fail-under", "10")
    assert result.exit_code == 3
    assert "zero is undefined" in result.stderr
    assert "Averages are over 3 datasets; Zeros over none." in result.stdout


@pytest.mark.usefixtures("zeros")
def test_a_missing_dataset_counts_as_0_even_if_others_are_undefined() -> None:
    Path("one/en_gum-corefud-dev.conllu").unlink()
    result = run("gold", "one", "--metrics", "zero", "--score-only")
    assert result.stdout == "50.00\n"


@pytest.mark.usefixtures("zeros")
@pytest.mark.parametrize(("output", "dash"), [("markdown", "–"), ("latex", "--")])
def test_papers_have_a_dash_for_undefined_figures(output: str, dash: str) -> None:
    result = run("gold", "one", "two", "--metrics", "zero", "--output", output)
    assert f" {dash} " in result.stdout
    assert "100.00" in result.stdout


@pytest.mark.usefixtures("zeros")
def test_columns_leave_undefined_datasets_out_as_well() -> None:
    result = run("gold", "one", "two", "--metrics", "zero", "--columns", "head,exact")
    assert row_of(result, "one") == ["one", "1", "100.00", "100.00"]
    assert "Zeros (head) over 1; Zeros (exact) over 1" in result.stdout


@pytest.mark.usefixtures("zeros")
def test_compare_averages_the_datasets_in_which_a_metric_is_defined() -> None:
    options = ("--metrics", "zero,conll", "--resamples", "20")
    result = run("compare", "gold", "one", "two", *options)
    assert table(result)[1][:3] == ["a", "one", "100.00"]
    assert "Averages are over 3 datasets; Zeros over 1." in result.stdout
    written = whole_of(
        run("compare", "gold", "one", "two", *options, "--output", "json").stdout
    )
    (found,) = written["results"]
    assert found["systems"]["one"]["zero"] == 1.0
    assert found["datasets"]["one"] == {"zero": 1, "conll": 3}


def test_compare_omits_metrics_that_no_system_has(folder: Path) -> None:
    options = ("--metrics", "zero,conll", "--resamples", "20")
    result = run("compare", "gold", "one", "two", *options)
    assert table(result)[0] == ["F₁", "CoNLL"]
    assert "there is nothing to score for any system" in " ".join(result.stderr.split())
    written = whole_of(
        run("compare", "gold", "one", "two", *options, "--output", "json").stdout
    )
    (found,) = written["results"]
    assert [*found["systems"]["one"]] == ["conll"]
    assert {row["metric"] for row in found["differences"]} == {"conll"}
    assert folder.exists()


def test_compare_shows_an_undefined_metric_if_it_is_the_only_one(folder: Path) -> None:
    options = ("--metrics", "zero", "--resamples", "20")
    result = run("compare", "gold", "one", "two", *options)
    assert table(result)[1] == ["a", "one", "–"]
    assert folder.exists()


def test_a_wide_table_has_macro_averages(folder: Path) -> None:
    found = whole_of(run("gold", "one", "two", "--output", "json").stdout)
    scores = [
        result["scores"] for result in found["results"] if result["response"] == "one"
    ]
    recalls = [score["muc"]["recall"] for score in scores]
    header, names, first, *_ = table(run("gold", "one", "two", "--wide"))
    assert header[:2] == ["MUC", "B³"]
    assert names[:5] == ["System", "Rank", "R", "P", "F₁"]
    assert first[2] == f"{100 * sum(recalls) / len(recalls):.2f}"
    assert folder.exists()


def test_a_wide_table_has_every_column_of_a_shared_task(folder: Path) -> None:
    options = ("--columns", "head,exact", "--wide", "--output", "markdown")
    result = run("gold", "one", "two", *options)
    assert result.stdout.count("| System | Rank |") == 2
    assert folder.exists()


@pytest.mark.usefixtures("zeros")
def test_a_board_gets_no_number_for_undefined_figures() -> None:
    options = ("--metrics", "zero,conll")
    assert run("leaderboard", "gold", "one", "out", *options).exit_code == 0
    scores = json.loads(Path("out/scores.json").read_text())
    assert scores["zero"] == 100.0
    assert run("leaderboard", "gold", "one", "out", "--metrics", "zero").exit_code == 0
    scores = json.loads(Path("out/scores.json").read_text())
    assert scores == {"zero": 100.0, "tr_itcc": 100.0}
    page = Path("out/detailed_results.html").read_text()
    assert "datasets in the average" in page
    assert "–" in page


@pytest.mark.usefixtures("zeros")
def test_explain_leaves_undefined_datasets_out_of_its_means() -> None:
    written = whole_of(run("explain", "gold", "one", "--output", "json").stdout)
    macro = written["results"][-1]
    zero = macro["conventions"][0]["scores"]["zero"]
    assert (zero["f1"], zero["defined"]) == (1.0, True)
    assert any("Zeros over 1 of 3 datasets" in note for note in written["notes"])


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write two datasets of three documents; the system `ours` misses a mention."""
    monkeypatch.chdir(tmp_path)
    for folder, last in (("gold", "(1)"), ("ours", "-"), ("same", "(1)")):
        Path(folder).mkdir()
        for name in ("a", "b"):
            text = "".join(
                f"#begin document ({name}{number}); part 000\n"
                f"{name}\t0\t0\tAda\t(1)\n{name}\t0\t1\tshe\t(1)\n"
                f"{name}\t0\t2\ther\t{last if number else '(1)'}\n\n#end document\n"
                for number in range(3)
            )
            Path(folder, f"{name}.conll").write_text(text)


@pytest.mark.usefixtures("sets")
def test_folders_have_figures_of_each_document() -> None:
    options = "--per-document", "--metrics", "muc"
    text = run("gold", "ours", *options).stdout
    assert "(a0); part 000  100.00" in text
    assert "(b1); part 000   66.67" in text
    assert "macro average  80.00" in text
    titles = run("gold", "ours", "same", *options).stdout.splitlines()
    assert [line for line in titles if ", " in line and ":" not in line] == [
        "a, ours",
        "a, same",
        "b, ours",
        "b, same",
    ]
    written = whole_of(run("gold", "ours", *options, "--output", "json").stdout)
    documents = written["results"][1]["per_document"]
    assert [*documents] == [f"(b{number}); part 000" for number in range(3)]
    header, first, *_ = run(
        "gold", "ours", *options, "--output", "csv"
    ).stdout.splitlines()
    assert header.startswith("system,dataset,column,document,metric,recall")
    assert first.startswith("ours,a,default,(a0); part 000,muc,1.0")


@pytest.mark.usefixtures("sets")
@pytest.mark.parametrize("unit", ["documents", "entities"])
def test_folders_have_intervals_of_datasets_and_of_the_average(unit: str) -> None:
    options = "--confidence", "--resamples", "50", "--metrics", "muc", "--unit", unit
    text = run("gold", "ours", *options).stdout
    assert all("[" in line for line in text.splitlines()[1:4])
    assert (
        f"confidence:95|bootstrap:expanded|resamples:50|seed:2014|unit:{unit}" in text
    )
    written = whole_of(run("gold", "ours", *options, "--output", "json").stdout)
    for place in (*written["results"], *written["macro"]):
        low, high = place["confidence"]["intervals"]["muc"]["f1"]
        assert low < 0.8 < high
    header = run("gold", "ours", *options, "--output", "csv").stdout.splitlines()[0]
    assert header.endswith("f1_low,f1_high,confidence")


@pytest.mark.usefixtures("sets")
def test_the_average_of_a_system_that_lacks_a_dataset_has_no_interval() -> None:
    Path("ours/b.conll").unlink()
    options = "--confidence", "--resamples", "50", "--metrics", "muc"
    result = run("gold", "ours", "same", *options)
    average = next(line for line in result.stdout.splitlines() if "macro av" in line)
    assert "40.00  100.00 [100.00, 100.00]" in average
    assert "ours: not all datasets could be scored, so there is no" in result.stderr


@pytest.mark.usefixtures("sets")
def test_folders_have_slices() -> None:
    options = "--by", "entity-size", "--metrics", "muc"
    assert run("gold", "ours", *options).exit_code == 0
    written = whole_of(run("gold", "ours", *options, "--output", "json").stdout)
    assert [each["dataset"] for each in written["results"]] == ["a", "b"]
    Path("ours/b.conll").unlink()
    result = run("gold", "ours", *options, "--output", "json")
    assert result.exit_code == 1
    assert [each["dataset"] for each in whole_of(result.stdout)["failures"]] == ["b"]


@pytest.mark.usefixtures("sets")
def test_a_saved_result_of_a_folder_is_a_baseline() -> None:
    assert run("gold", "ours", "--save", "old.json").exit_code == 0
    compared = "compare", "gold", "--baseline", "old.json", "--resamples", "20"
    assert run(*compared, "ours", "--fail-if-worse").exit_code == 0
    better = run(*compared, "same", "--fail-if-worse", "--update", "--junit", "x.xml")
    assert better.exit_code == 0, better.output
    assert run(*compared, "ours", "--fail-if-worse").exit_code == 3
    wrong = run("compare", "gold/a.conll", "ours/a.conll", *compared[2:])
    assert "this is scoref/results/1, not scoref/result/1" in wrong.stderr
    Path("ours/b.conll").unlink()
    lacking = run("gold", "ours", "--save", "new.json")
    assert (lacking.exit_code, Path("new.json").exists()) == (1, False)
    assert "so 'new.json' was not written" in " ".join(lacking.stderr.split())


@pytest.mark.usefixtures("sets")
def test_a_wide_table_of_folders_has_intervals_and_the_best_system_first() -> None:
    options = "--wide", "--confidence", "--resamples", "50", "--metrics", "muc"
    text = run("gold", "ours", "same", *options).stdout
    same, ours = text.splitlines()[2:4]
    assert same.split()[:2] == ["same", "1"]
    assert same.endswith("100.00 [100.00, 100.00]")
    assert ours.split()[:2] == ["ours", "2"]
    assert "80.00 [" in ours
    averages = run("gold", "ours", "same", *options, "--output", "json").stdout
    written = {each["response"]: each for each in whole_of(averages)["macro"]}
    low, high = written["ours"]["confidence"]["intervals"]["muc"]["f1"]
    assert f"[{100 * low:.2f}, {100 * high:.2f}]" in ours
    assert "100.00 [100.00, 100.00]" in run("gold", "same", *options).stdout


@pytest.mark.usefixtures("sets")
def test_a_wide_table_of_folders_has_intervals_of_the_parts_of_a_mean() -> None:
    options = "--wide", "--confidence", "--resamples", "50", "--metrics", "conll"
    row = run("gold", "ours", *options).stdout.splitlines()[2]
    assert row.count("[") == 4


@pytest.mark.usefixtures("sets")
def test_distances_are_ranked_from_the_lowest_and_shown_as_numbers() -> None:
    Path("wrong").mkdir()
    for name in ("a", "b"):
        text = Path("gold", f"{name}.conll").read_text()
        Path("wrong", f"{name}.conll").write_text(text.replace("she\t(1)", "she\t(2)"))
    options = "--metrics", "vi", "--output", "markdown"
    text = run("gold", "wrong", "same", *options).stdout
    assert "| Variation of information | wrong | same |" in text
    assert "| **0.0000** |" in text
    assert "| rank | 2 | 1 |" in text
    Path("same/b.conll").unlink()  # which is not a distance of 0
    text = run("gold", "wrong", "same", *options).stdout
    assert "| rank | 1 | – |" in text


@pytest.mark.usefixtures("sets")
@pytest.mark.parametrize(
    "call",
    ["gold ours", "gold ours --by document", "errors gold ours", "compare gold ours x"],
)
def test_a_list_of_document_names_is_for_all_datasets(call: str) -> None:
    for name in ("a", "b"):
        path = Path("ours", f"{name}.conll")
        path.write_text(path.read_text().replace(f"({name}0)", f"(other-{name})"))
    shutil.copytree("ours", "x")
    without = run(*call.split())
    assert without.exit_code == 1
    assert "document '(a0); part 000' is not in ours/a.conll" in without.stderr
    Path("names.tsv").write_text("other-a\ta0\nother-b\tb0\n")
    result = run(*call.split(), "--document-names", "names.tsv")
    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("sets")
def test_a_baseline_of_folders_may_have_more_metrics() -> None:
    assert run("gold", "ours", "--save", "old.json").exit_code == 0
    compared = "compare", "gold", "same", "--baseline", "old.json", "--resamples", "20"
    assert run(*compared, "--metrics", "muc").exit_code == 0
    assert run("gold", "ours", "--metrics", "muc", "--save", "old.json").exit_code == 0
    assert run(*compared).exit_code == 0
    missing = run(*compared, "--metrics", "lea")
    assert missing.exit_code == 2
    assert "old.json does not have lea" in missing.stderr


@pytest.mark.usefixtures("sets")
@pytest.mark.parametrize("name", ["b.zip", "b.7z", "b.tar.gz"])
def test_archives_in_a_folder_are_skipped_with_a_warning(name: str) -> None:
    Path("ours", name).write_bytes(b"PK")
    result = run("gold", "ours", "--metrics", "muc")
    path = Path("ours", name)
    assert f"warning: {path} was skipped because archives" in result.stderr
    for file in Path("ours").glob("*.conll"):
        file.unlink()
    result = run("ours", "gold")
    assert f"hint: Unpack {name} first." in result.stderr


@pytest.mark.usefixtures("sets")
def test_a_zip_may_contain_several_systems() -> None:
    with zipfile.ZipFile("systems.zip", "w") as packed:
        for path in (*Path("ours").iterdir(), *Path("same").iterdir()):
            packed.write(path, f"systems/{path}")
    result = run("gold", "systems.zip", "--metrics", "muc")
    message = "systems.zip is a folder of 2 systems: ours, same"
    assert message in result.stderr
    written = whole_of(run("gold", "systems.zip", "--output", "json").stdout)
    assert message in written["notes"][0]
    assert table(result)[-2:] == [
        ["macro", "average", "80.00", "100.00"],
        ["rank", "2", "1"],
    ]
    one = run("gold", "systems.zip/systems/ours", "--metrics", "muc", "--score-only")
    assert one.stdout == "80.00\n"
    by_file = run("gold/a.conll", "systems.zip", "--metrics", "muc")
    assert table(by_file)[1:] == [["ours", "80.00"], ["same", "100.00"]]


@pytest.mark.usefixtures("sets")
def test_a_zip_in_a_folder_of_systems_is_a_system() -> None:
    with zipfile.ZipFile("zipped.zip", "w") as packed:
        for path in Path("same").iterdir():
            packed.write(path)
    with zipfile.ZipFile("other.zip", "w") as packed:
        packed.writestr("x.txt", "x")
        packed.writestr("y.txt", "y")
    Path("systems").mkdir()
    for name in ("ours", "zipped.zip", "other.zip"):
        shutil.move(name, Path("systems", name))
    Path("systems", "broken.zip").write_bytes(b"PK\3\4")
    result = run("gold", "systems", "--metrics", "muc")
    assert table(result)[-2:] == [
        ["macro", "average", "80.00", "100.00"],
        ["rank", "2", "1"],
    ]
    assert "systems is a folder of 2 systems: ours, zipped" in result.stderr
    for name in ("other.zip", "broken.zip"):
        path = Path("systems", name)
        warning = f"warning: {path} was skipped because it has no file for the key."
        assert warning in result.stderr
        assert warning in scoref.score_folders("gold", "systems").notes
    by_file = run("gold/a.conll", "systems", "--metrics", "muc")
    assert table(by_file)[1:] == [["ours", "80.00"], ["zipped", "100.00"]]


@pytest.mark.usefixtures("sets")
def test_a_file_and_a_folder_of_datasets_cannot_be_compared() -> None:
    result = run("gold/a.conll", "ours")
    assert result.exit_code == 1
    assert "this is a folder of datasets, but the key is a file" in result.stderr
    missing = run("gold", "nowhere")
    assert "nowhere: there is no such folder" in missing.stderr
    Path("x.7z").write_bytes(b"7z\xbc\xaf\x27\x1c\0\4")
    assert "x.7z: this is a 7-Zip archive" in run("gold", "x.7z").stderr
