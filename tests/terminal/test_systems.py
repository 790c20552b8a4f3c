"""Folders in `errors`, `report`, `explain`, `check` and `stats`: datasets in turn."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoref
from scoref.cli import command
from scoref.errors import OptionError
from scoref.formats import input_files
from scoref.formats import reading as file_reading
from scoref.terminal.systems import Chance, runs_of
from support.json_output import results_of

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
CS, EN = "cs_pdt-corefud-dev.conllu", "en_gum-corefud-dev.conllu"
COMMANDS = ["errors", "explain", "check", "stats", "report"]

every_command = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        f"gold/{CS.replace('.', '.gold.')}": GOOD,
        f"gold/{EN}": GOOD,
        "gold/README.md": "not a dataset",
        f"one/{CS}": GOOD,
        f"one/{EN}": SPLIT,
        f"two/{CS}": SPLIT,
        f"two/{EN}": GOOD,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    quick = ["--resamples", "20"] if arguments[0] == "report" else []
    return CliRunner().invoke(command, [*arguments, *quick])


def run_pair(name: str, key: str, response: str) -> Result:
    return run(name, *(["--key"] if name == "check" else []), key, response)


@every_command
def test_two_folders_are_taken(name: str) -> None:
    result = run_pair(name, "gold", "one")
    assert result.exit_code == 0, result.output
    assert CS.partition("-")[0] in result.output


@every_command
def test_one_broken_dataset_does_not_lose_the_others(name: str, folder: Path) -> None:
    (folder / "one" / CS).write_text("broken\n")
    result = run_pair(name, "gold", "one")
    assert result.exit_code == 1
    said = result.output + result.stderr
    assert f"one/{CS}:1" in said
    assert "Traceback" not in said
    others = Path("report-datasets/en_gum.html").exists() or "en_gum" in result.stdout
    assert others or "in 4 files" in result.stdout


@every_command
@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("lost its way")])
def test_what_nobody_foresaw_loses_no_other_dataset(
    name: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_bytes = input_files.read_bytes

    def reading(path: str | Path) -> bytes:
        if f"one/{CS}" in str(path):
            raise error
        return read_bytes(path)

    for module in (input_files, file_reading):
        monkeypatch.setattr(module, "read_bytes", reading)
    result = run(name, "one") if name == "stats" else run_pair(name, "gold", "one")
    told = "not enough memory" if isinstance(error, MemoryError) else "lost its way"
    assert result.exit_code == 1
    assert f"error: one/{CS}: " in result.stderr
    assert told in result.stderr
    others = Path("report-datasets/en_gum.html").exists() or "en_gum" in result.stdout
    assert others or "in 2 files" in result.stdout


@pytest.mark.parametrize("name", ["errors", "report"])
def test_options_that_suit_one_dataset_are_wrong_for_the_others_only(
    name: str, folder: Path
) -> None:
    for side in ("gold", "one"):
        text = '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]]}\n'
        (folder / side / "json-corefud-dev.jsonl").write_text(text)
    result = run(name, "gold", "one", "--match", "head")
    assert result.exit_code == 1
    assert "error: one/json-corefud-dev.jsonl: match=head (" in result.stderr
    others = Path("report-datasets/en_gum.html").exists() or "en_gum" in result.stdout
    assert others
    assert run(name, "gold", "one", "--match", "craft").exit_code == 2


@pytest.mark.parametrize("name", ["errors", "explain", "report", "check"])
def test_a_dataset_that_a_system_lacks_is_named(name: str, folder: Path) -> None:
    (folder / "one" / EN).unlink()
    result = run_pair(name, "gold", "one")
    assert result.exit_code == 1
    assert f"error: one has no file for {EN}" in result.stderr


@pytest.mark.parametrize("name", ["errors", "explain", "report", "check"])
def test_a_file_of_no_dataset_is_told(name: str, folder: Path) -> None:
    (folder / "one" / "xx_other-dev.conllu").write_text(GOOD)
    result = run_pair(name, "gold", "one")
    assert result.exit_code == 0
    assert "note: one/xx_other-dev.conllu was not scored, because" in result.stderr


@pytest.mark.parametrize("name", ["errors", "explain", "report"])
def test_a_folder_of_keys_alone_is_bad_usage(name: str) -> None:
    result = run(name, "gold")
    assert result.exit_code == 2
    assert "Give a folder of responses" in result.stderr


def test_errors_are_those_of_each_dataset() -> None:
    found = run("errors", "gold", "one").stdout
    for dataset, file in (("cs_pdt", CS), ("en_gum", EN)):
        key = "gold/" + (file.replace(".", ".gold.") if file == CS else file)
        alone = run("errors", key, f"one=one/{file}").stdout
        table, _, _ = alone.partition("\n\nscoref:")
        assert f"{dataset}\n\n{table}" in found
    assert found.count("folder:datasets") == len(("cs_pdt", "en_gum"))


def test_errors_for_programs_have_their_dataset() -> None:
    written = results_of(run("errors", "gold", "one", "--output", "json").stdout)
    assert [each["dataset"] for each in written] == ["cs_pdt", "en_gum"]
    assert [each["response"] for each in written] == ["one", "one"]
    output = run("errors", "gold", "one", "--output", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(output))
    assert (row["dataset"], row["kind"]) == ("en_gum", "missing-entity")


def test_errors_of_all_datasets_add_up() -> None:
    last = run("errors", "gold", "a=one", "b=two").stdout.rpartition("all datasets")[2]
    rows = {line[:20].strip(): line[20:].split() for line in last.splitlines()}
    assert rows["missing entity"] == ["1", "(+16.67)", "1", "(+16.67)"]
    assert rows["CoNLL"] == ["83.33", "83.33"]


def test_the_macro_average_is_explained_too() -> None:
    macro = run("gold", "one", "--score-only").stdout.strip()
    longer = run("gold", "one", "--score-only", "-w", "5").stdout.strip()
    assert len(longer) == len(macro) + 3
    assert round(float(longer), 2) == float(macro)
    result = run("explain", "gold", "one", "--got", f"conll={macro}")
    answer = result.stdout.partition("macro average of 2 datasets\n\n")[2]
    assert answer.startswith(f"{macro} is the CoNLL score of 'head match")
    assert "|datasets:macro" in answer
    assert run("explain", "gold", "one", "--got", "conll=12.34").exit_code == 3


def test_explanations_for_programs_have_their_dataset() -> None:
    written = results_of(run("explain", "gold", "one", "--output", "json").stdout)
    names = [each["dataset"] for each in written]
    assert names == ["cs_pdt", "en_gum", "macro average of 2 datasets"]


def test_a_report_of_folders_leads_to_a_page_for_each_dataset(folder: Path) -> None:
    assert run("report", "gold", "one", "two", "-o", "r.html").exit_code == 0
    index = (folder / "r.html").read_text(encoding="utf-8")
    for dataset in ("cs_pdt", "en_gum"):
        assert f'<a href="r-datasets/{dataset}.html">{dataset}</a>' in index
        page = (folder / "r-datasets" / f"{dataset}.html").read_text(encoding="utf-8")
        assert "<!DOCTYPE html>" in page
    macro = run("gold", "one", "--score-only").stdout.strip()
    assert f"<td>{macro}</td>" in index
    assert '<th scope="col">two − one</th>' in index
    # A missing entity is the seventh kind.
    assert '<a href="r-datasets/en_gum.html#system=1&amp;kind=7">1</a>' in index


def test_a_dataset_may_be_called_what_is_no_text(folder: Path) -> None:
    for side in ("gold", "one"):
        (folder / side / os.fsdecode(b"r\xff.conllu")).write_text(GOOD)
    assert run("report", "gold", "one", "-o", "r.html").exit_code == 0
    assert 'href="r-datasets/r%FF.html"' in (folder / "r.html").read_text()
    assert run("errors", "gold", "one").exit_code == 0
    assert run("stats", "gold").exit_code == 0


def test_no_page_is_written_where_nothing_can_be_read(folder: Path) -> None:
    for file in (CS, EN):
        (folder / "one" / file).write_text("broken\n")
    assert run("report", "gold", "one", "-o", "r.html").exit_code == 1
    assert not [*folder.glob("r*")]


def test_several_pages_are_no_standard_output() -> None:
    result = run("report", "gold", "one", "-o", "-")
    assert result.exit_code == 2
    assert "folders of datasets need several pages" in result.stderr


def test_a_folder_stands_for_its_files_in_statistics() -> None:
    assert run("stats", "gold").stdout.splitlines()[0].split() == ["cs_pdt", "en_gum"]
    header = run("stats", "gold", "mine=one").stdout.splitlines()[0].split()
    assert header == ["gold/cs_pdt", "gold/en_gum", "mine/cs_pdt", "mine/en_gum"]


def test_statistics_of_many_files_stand_below_each_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    for number in range(12):
        (folder / "gold" / f"dataset_{number}-corefud-dev.conllu").write_text(GOOD)
    lines = run("stats", "gold").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("documents ") for line in lines) > 1
    headers = " ".join(line for line in lines if "dataset_" in line).split()
    assert len(headers) == 14


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["gold"], 2),
        (["gold", "one"], 4),
        (["gold", "one", "two"], 6),
        ([f"one/{CS}", f"one/{EN}", f"two/{CS}"], 3),
        (["--key", "gold", "one", "two"], 6),
        (["--key", f"gold/{EN}", f"one/{EN}", f"two/{EN}"], 3),
    ],
)
def test_many_files_can_be_checked(arguments: list[str], files: int) -> None:
    result = run("check", *arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1].endswith(f"in {files} files")


def test_files_are_checked_each_by_itself(folder: Path) -> None:
    other = GOOD.replace("id = d", "id = other")
    (folder / "other.conllu").write_text(other)
    files = f"gold/{EN}", f"one/{EN}", "other.conllu"
    assert run("check", *files).exit_code == 0
    assert run("check", files[0], files[2]).exit_code == 0
    pair = run_pair("check", files[0], files[2])
    assert pair.exit_code == 1
    assert "missing" in pair.stdout


def test_every_response_is_checked_against_the_key(folder: Path) -> None:
    (folder / "other.conllu").write_text(GOOD.replace("id = d", "id = other"))
    files = f"one/{EN}", "other.conllu"
    result = run("check", "--key", f"gold/{EN}", *files)
    assert result.exit_code == 1
    assert "other.conllu:1" in result.stdout
    assert "missing-document" in result.stdout


def test_a_file_that_is_not_there_does_not_hide_what_is_wrong(folder: Path) -> None:
    (folder / "broken.conllu").write_text(GOOD.replace("(b-x-1-)", "(b-x-1-", 1))
    result = run("check", "nowhere.conllu", "broken.conllu", f"gold/{EN}")
    assert result.exit_code == 1
    assert "error: nowhere.conllu: cannot be read" in result.stderr
    assert "unclosed-bracket" in result.stdout


def test_one_file_at_a_time_is_repaired() -> None:
    result = run("check", f"one/{CS}", f"one/{EN}", "--fix", "out.conllu")
    assert result.exit_code == 2
    assert "--fix repairs a single file" in result.stderr


def test_a_comma_separates_runs_unless_it_is_part_of_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.conll", "b.conll", "c,d.conll"):
        (tmp_path / name).touch()
    assert runs_of("a.conll") == ("a.conll",)
    assert runs_of("a.conll,b.conll") == ("a.conll", "b.conll")
    assert runs_of("c,d.conll") == ("c,d.conll",)
    assert runs_of("a.conll,c,d.conll,b.conll") == ("a.conll", "c,d.conll", "b.conll")
    assert runs_of("a.conll,x.conll") == ("a.conll", "x.conll")
    assert runs_of("x,y.conll") == ("x,y.conll",)
    assert runs_of("-,a.conll") == ("-", "a.conll")
    with pytest.raises(OptionError, match="has a comma without a path"):
        runs_of("a.conll,")


@pytest.mark.parametrize(("level", "expected"), [(None, 95), (90.0, 90)])
def test_intervals_are_of_95_percent_unless_another_level_is_chosen(
    level: float | None, expected: float
) -> None:
    documents = {"a": [["x", "y"]], "b": [["z", "w"]]}
    chance = Chance(level, "percentile", 10, 1, "documents")
    assert chance.confidence(scoref.score(documents, documents)).level == expected
