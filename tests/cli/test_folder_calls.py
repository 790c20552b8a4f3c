"""Natural but wrong ways to call scoref with folders: an error or a warning each."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from scoref.cli import command

DOCUMENT = """\
#begin document ({name}); part 000
{name}\t0\t0\tAda\t(1)
{name}\t0\t1\tsaid\t-
{name}\t0\t2\tshe\t{last}

#end document
"""
NAMES = ("a", "b", "c")


def write(folder: str, last: str = "(1)", names: tuple[str, ...] = NAMES) -> None:
    for name in names:
        file = Path(folder, f"{name}.conll")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(DOCUMENT.format(name=name, last=last))


def zipped(folder: str, path: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(Path(folder).rglob("*.conll")):
            archive.write(file)


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("key")
    write("ours", "(2)")
    write("systems/ours", "(2)")
    write("systems/theirs", "-")
    write("mixed", names=("a", "b"))
    Path("mixed/c.jsonl").write_text('{"doc_key": "c", "clusters": []}\n')
    Path("empty").mkdir()
    Path("sets").mkdir()
    whole = "".join(DOCUMENT.format(name=name, last="(1)") for name in NAMES)
    Path("sets/dev.conll").write_text(whole)
    Path("key.conll").write_text(whole)
    write("both")
    write("both/ours")
    write("both/theirs")
    for place in ("sets/..", "runs/A", "runs/B", "mix", "mix/old", "odd/ours"):
        folder = Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "dev.conll").write_text(whole)
    write("odd/theirs")
    for place in ("outputs/A", "outputs/B"):
        Path(place).mkdir(parents=True)
        Path(place, "response.conll").write_text(whole)
    Path("notes").mkdir()
    zipped("key", "key.zip")
    Path("notes/README.md").write_text("nothing to score\n")


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("key", 1, "this is a folder, but no response was given"),
        ("key empty", 1, "there is no file to score in this folder"),
        ("empty ours", 1, "there is no file to score in this folder"),
        ("key notes", 1, "there is no file to score in this folder"),
        ("key missing", 1, "no such file"),
        ("key both", 2, "'both' may be one system or a folder of systems"),
        ("sets odd", 2, "'ours' has files for the key, but there is also 'theirs'"),
        ("mixed ours", 1, "there are two formats in this folder"),
        ("key mixed", 1, "there are two formats in this folder"),
        ("key.conll sets", 1, "this is a folder of datasets"),
        ("sets ours", 1, "has no file for dev.conll"),
        ("sets key.conll", 1, "this is a file, but the key is a folder"),
        ("key ours/a.conll", 1, "is not in ours/a.conll"),
        ("key/a.conll ours", 1, "is not in key/a.conll"),
        ("key ours --columns head", 2, "need a folder of datasets"),
        ("key.conll key.conll --folder documents", 2, "is for folders, but"),
        ("key.conll key.conll --folder datasets", 2, "is for folders of keys"),
        ("sets sets --window 5", 2, "--window needs files"),
        ("sets sets --confidence --plot x.svg", 2, "--plot needs files"),
        ("stats empty", 1, "there is no file to score in this folder"),
        ("stats key.conll --folder documents", 2, "needs folders"),
        ("check empty", 1, "there is no file to score in this folder"),
        ("check key.conll --folder datasets", 2, "is for folders"),
        ("convert sets out.jsonl", 1, "this is a folder of datasets"),
        ("convert empty out.jsonl", 1, "there is no file to score in this folder"),
        ("explain key", 1, "no response was given"),
        ("compare key empty ours", 1, "there is no file to score in this folder"),
        ("multiverse sets sets sets", 2, "not folders"),
        ("leaderboard empty ours out", 1, "there is no file to score in this folder"),
        ("leaderboard key empty out", 1, "this submission is empty"),
        ("report key empty -o page.html", 1, "there is no file to score"),
        ("errors key empty", 1, "there is no file to score in this folder"),
    ],
)
def test_a_wrong_call_is_an_error(call: str, code: int, message: str) -> None:
    result = CliRunner().invoke(command, call.split())
    assert (result.exit_code, result.exception.__class__) == (code, SystemExit)
    assert message in " ".join(result.stderr.split())
    assert not Path("out.jsonl").exists()
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("key/ ours/", "CoNLL 37.04"),
        ("key ours --per-document", "(c); part 000 100.00 0.00 66.67 50.00 44.44"),
        ("compare key ours systems/theirs --resamples 20", "3 documents are too few"),
        ("errors key ours", "divided entity 3 100.00 +62.96 100.00"),
        ("explain key ours", "e2e-coref 0.00 0.00 0.00 0.00 -37.04"),
        ("stats key", "fingerprint 09e3f357cd"),
        ("check --key key ours", "3 warnings, 3 notes in 6 files"),
        ("data key", "unknown key: 3 documents, 6 mentions, 3 entities"),
        ("convert key out.jsonl", "3 of 3 entities were relabelled"),
        ("agree key ours", "2 annotators -0.091 0.000 -0.200"),
        ("leaderboard key ours out", "Averages are over 1 dataset."),
        ("report key ours -o page.html", "Wrote page.html"),
        ("key ours --confidence --resamples 20", "CoNLL 37.04 [37.04, 37.04]"),
        ("key ours --by entity-size", "2-10 6 0 –"),
        ("key ours --save saved.json", "folder:documents|key:09e3f357cd"),
        ("key systems/ours/", "CoNLL 37.04"),
        ("key key.zip", "CoNLL 100.00"),
    ],
)
def test_a_folder_of_documents_works_in_every_command(call: str, line: str) -> None:
    result = CliRunner().invoke(command, call.split(), env={"COLUMNS": "120"})
    assert result.exit_code == 0, result.output
    assert line in " ".join(result.output.split())


def test_swapped_folders_are_noticed() -> None:
    write("response", "(2)")
    result = CliRunner().invoke(command, ["response", "key"])
    assert "warning: response was given as the key" in result.stderr


@pytest.mark.parametrize(
    ("call", "systems"),
    [
        ("key systems", ["ours", "theirs"]),
        ("key.zip systems/", ["ours", "theirs"]),
        ("key.conll systems", ["ours", "theirs"]),
        ("sets runs", ["A", "B"]),
        ("dev.conll runs", ["A", "B"]),
        ("key.conll outputs", ["A", "B"]),
        ("sets mix", ["mix"]),
        ("sets mine=runs/A", ["mine"]),
        ("key key systems", ["key", "ours", "theirs"]),
    ],
)
def test_a_folder_of_systems_is_recognised(call: str, systems: list[str]) -> None:
    result = CliRunner().invoke(command, [*call.split(), "--output", "json"])
    assert result.exit_code == 0, result.output
    written = json.loads(result.stdout)
    assert [each["response"] for each in written["results"]] == systems
    notes = [note for note in written["notes"] if "is a folder of 2 systems" in note]
    assert len(notes) == (len(systems) > 1)


def test_folders_of_a_corpus_are_not_systems() -> None:
    for folder in ("corpus", "answers"):
        write(f"{folder}/news", names=("a", "b"))
        write(f"{folder}/web", names=("c",))
    for key in ("corpus", "key.conll"):
        call = [key, "answers", "--folder", "documents"][: 4 if key == "corpus" else 2]
        result = CliRunner().invoke(command, call)
        assert "systems" not in result.stderr, key
    for command_name in ("compare", "errors"):
        result = CliRunner().invoke(command, [command_name, "key", "systems"])
        assert "systems is a folder of 2 systems: ours, theirs." in result.stderr
        assert result.exit_code == 0
