"""Natural but wrong calls of `scoref leaderboard`: each gets an error or a warning."""

from __future__ import annotations

import shutil
import zipfile
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scoref.tools.leaderboard.command import command
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ERRORS = {
    "no output": ("keys responses", "give REFERENCE, SUBMISSION and OUTPUT"),
    "only keys": ("keys", "give REFERENCE, SUBMISSION and OUTPUT"),
    "files": ("keys/a.conll responses/a.conll out", "not a folder, and not a zip"),
    "a file of keys": ("keys/a.conll responses out", "this is not a folder"),
    "a zip of keys": ("keys.zip responses out", "this is not a folder"),
    "no submission": ("keys nowhere out", "there is no such folder or zip"),
    "no keys": ("nowhere responses out", "this is not a folder"),
    "output among the keys": ("keys responses keys/out", "is in 'keys', which is read"),
    "output is the keys": ("keys responses keys", "is in 'keys', which is read"),
    "output is the submission": (
        "keys responses responses",
        "is in 'responses', which is read",
    ),
    "output is a file": ("keys responses keys.zip", "'keys.zip' is not a folder"),
    "other datasets": ("keys other out", "x.conll: not scored, because no dataset"),
    "an empty submission": ("keys empty out", "there is nothing in this submission"),
    "no datasets": ("empty responses out", "there is no file to score"),
    "a title without a competition": (
        "keys responses out --title Task",
        "--title is for --init",
    ),
    "columns and what they set": (
        "keys responses out --columns exact --match exact",
        "--columns sets --match and --singletons itself",
    ),
    "an unknown column": ("keys responses out --columns ehad", "no column 'ehad'"),
    "an option of another format": ("keys responses out --match head", "head"),
    "a competition with a submission": (
        "--init new keys responses",
        "--init takes the REFERENCE and nothing else",
    ),
    "a competition among its keys": ("--init keys/new keys", "which is read"),
    "a competition in a folder with files": ("--init responses keys", "is not empty"),
    "a competition without keys": ("--init new empty", "there is no file to score"),
    "a competition of broken keys": ("--init new other", "cannot be scored"),
    "a competition with an option that does not fit": (
        "--init new keys --zeros linear",
        "zeros",
    ),
    "a list that is not there": (
        "--init new keys --document-names nowhere.tsv",
        "there is no file 'nowhere.tsv'",
    ),
    "an unknown metric": ("--init new keys --metrics ceaf", "ceaf"),
}
WARNINGS = {
    "the wrong order": ("responses keys out", "swapped?"),
    "the keys as a submission": ("keys keys out", "is the folder of the REFERENCE"),
    "a copy of the keys": ("keys copy out", "is it a response?"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("keys", "responses", "other", "empty"):
        (tmp_path / name).mkdir()
    shutil.copy(EXAMPLES / "many-key.conll", tmp_path / "keys" / "a.conll")
    shutil.copy(EXAMPLES / "many-a.conll", tmp_path / "responses" / "a.conll")
    shutil.copytree(tmp_path / "keys", tmp_path / "copy")
    (tmp_path / "other" / "x.conll").write_text("nothing\n")
    with zipfile.ZipFile(tmp_path / "keys.zip", "w") as packed:
        packed.write(tmp_path / "keys" / "a.conll", "a.conll")
    return tmp_path


@pytest.mark.parametrize("case", ERRORS)
def test_a_wrong_call_is_an_error(place: Path, case: str) -> None:
    before = sorted(place.rglob("*"))
    call, message = ERRORS[case]
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code in {1, 2}
    assert message in " ".join(done.stderr.split())
    assert sorted(place.rglob("*")) == before


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("place")
def test_a_doubtful_call_gets_a_warning(case: str) -> None:
    call, message = WARNINGS[case]
    done = CliRunner().invoke(command, call.split())
    assert done.exit_code == 0, done.output
    assert "warning: " in done.stderr
    assert message in " ".join(done.stderr.split())


@pytest.mark.usefixtures("place")
def test_the_board_has_the_column_of_the_metric_that_was_asked_for(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoref.tools.leaderboard.bundle._vendored", lambda: ({}, []))
    call = "--init new keys --metrics muc,bcub"
    assert CliRunner().invoke(command, call.split()).exit_code == 0
    call = "keys responses out --metrics muc,bcub"
    assert CliRunner().invoke(command, call.split()).exit_code == 0
    scores = (place / "out" / "scores.txt").read_text()
    first = scores.partition(":")[0]
    assert first != "conll"
    assert f"key: {first}\n" in (place / "new" / "competition.yaml").read_text()
    assert f"`{first}` is" in (place / "new" / "pages" / "evaluation.md").read_text()


def one_document(entities: Iterable[int]) -> str:
    rows = (f"d\t0\t{at}\tw{at}\t({entity})" for at, entity in enumerate(entities))
    return "\n".join(("#begin document (d); part 000", *rows, "", "#end document\n"))


@pytest.mark.parametrize(
    ("entities", "warning"),
    [
        ([at // 3 for at in range(42)], "the submission has the mentions and entities"),
        (list(range(42)), "all 42 entities of the response are singletons"),
        ([1] * 42, "the response has one entity, but the key has 14 entities"),
    ],
)
def test_warnings_about_a_corpus_name_no_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    entities: list[int],
    warning: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").mkdir()
    key = one_document(at // 3 for at in range(42))
    (tmp_path / "key" / "d.conll").write_text(key)
    with zipfile.ZipFile("my.zip", "w") as packed:
        packed.writestr("d.conll", one_document(entities))
    done = CliRunner().invoke(command, ["key", "my.zip", "out"])
    assert done.exit_code == 0, done.output
    shown = (tmp_path / "out" / "result.json").read_text()
    assert f"warning: corpus: {warning}" in shown
    assert "scoref-" not in shown
    assert "the the key" not in shown
