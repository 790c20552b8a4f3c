"""`scoref leaderboard`, as a worker of the platforms runs it."""

from __future__ import annotations

import compileall
import json
import shutil
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from scoref.tools.leaderboard import bundle
from support.codabench import METADATA, App, installed, work
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILES = {"en_one-corefud-test.conll": "key", "xx_two-corefud-test.conll": "many-key"}
RESPONSES = {"en_one-corefud-test.conll": "response"}
RESPONSES |= {"xx_two-corefud-test.conll": "many-a"}
COLUMNS = {"conll", "en_one", "xx_two"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a bundle for the Python that runs, so that nothing is fetched."""
    folder = tmp_path_factory.mktemp("bundle")
    reference = folder / "keys"
    reference.mkdir()
    for name, example in FILES.items():
        shutil.copy(EXAMPLES / f"{example}.conll", reference / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "PYTHON", sys.version_info[:2])
        taken = bundle.write_bundle(folder / "new", reference, "A task", [])
    assert [each.split()[0] for each in taken] == ["scoref", "click", "msgspec"]
    # Each test has a copy, in which all modules would be compiled anew.
    compileall.compile_dir(folder / "new" / "scoring_program", quiet=2)
    return folder / "new"


@pytest.fixture
def app(program: Path, tmp_path: Path) -> App:
    return installed(program, tmp_path / "app")


def hand_in(folder: Path, **changed: bytes | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, example in RESPONSES.items():
        data = (EXAMPLES / f"{example}.conll").read_bytes()
        found = changed.get(name[:6], data)
        if found is not None:
            (folder / name).write_bytes(found)


def test_a_submission_is_scored(app: App) -> None:
    hand_in(app.submitted)
    done = work(app)
    assert done.returncode == 0, done.stderr
    scores = app.scores()
    assert {*scores} >= COLUMNS
    assert scores["en_one"] == pytest.approx(81.7063)
    mean = (scores["en_one"] + scores["xx_two"]) / 2
    assert scores["conll"] == pytest.approx(mean, abs=1e-4)
    assert next(iter(scores)) == "conll"
    assert "macro average" in done.stdout
    assert "key:" in done.stdout
    assert "macro average" in (app.output / "detailed_results.html").read_text()
    assert json.loads((app.output / "result.json").read_text())["schema"]


@pytest.mark.parametrize("depth", ["a", "a/b/c"])
def test_folders_in_folders_are_opened(app: App, depth: str) -> None:
    hand_in(app.submitted / depth)
    (app.submitted / "__MACOSX").mkdir()
    (app.submitted / ".DS_Store").touch()
    assert work(app).returncode == 0
    assert app.scores()["en_one"] > 80


def test_one_zip_is_unpacked(app: App) -> None:
    hand_in(app.root / "elsewhere" / "sub")
    with zipfile.ZipFile(app.submitted / "my.zip", "w") as packed:
        for file in (app.root / "elsewhere").rglob("*.conll"):
            packed.write(file, f"sub/{file.name}")
        packed.writestr("__MACOSX/sub/._x", "litter")
    done = work(app)
    assert done.returncode == 0, done.stderr
    assert app.scores()["en_one"] > 80


@pytest.mark.parametrize("name", ["../out.conll", "/etc/out.conll"])
def test_a_zip_that_leads_out_is_refused(app: App, name: str) -> None:
    with zipfile.ZipFile(app.submitted / "my.zip", "w") as packed:
        packed.writestr(name, "x")
    done = work(app)
    assert done.returncode == 1
    assert "would be written outside its folder" in done.stderr
    assert not [*app.output.iterdir()]


def test_a_bomb_is_refused(app: App) -> None:
    with zipfile.ZipFile(app.submitted / "my.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("en_one-corefud-test.conll", b"0" * (101 << 20))
    done = work(app)
    assert done.returncode == 1
    assert "which is the limit" in done.stderr


def test_what_is_missing_counts_as_zero(app: App) -> None:
    hand_in(app.submitted, xx_two=None)
    done = work(app)
    assert done.returncode == 0
    assert app.scores()["xx_two"] == 0
    assert app.scores()["conll"] == pytest.approx(81.7063 / 2, abs=1e-4)
    assert "xx_two" in done.stderr


def test_what_is_broken_counts_as_zero_and_is_named(app: App) -> None:
    hand_in(app.submitted, xx_two=b"#begin document (x); part 000\nx\t0\t0\tw\t(1\n")
    done = work(app)
    assert done.returncode == 0
    assert app.scores()["xx_two"] == 0
    assert "xx_two" in (app.output / "detailed_results.html").read_text()
    assert "xx_two-corefud-test.conll" in done.stderr


def test_words_of_the_reference_are_not_told(app: App) -> None:
    key = (EXAMPLES / "key.conll").read_text()
    other = key.replace("Charles", "Somebody").replace("London", "Paris")
    hand_in(app.submitted, en_one=other.replace("\t0\t3\t", "\t0\t3\tSome ").encode())
    done = work(app)
    told = done.stdout + done.stderr
    told += "".join(each.read_text() for each in app.output.iterdir())
    assert "Charles" not in told
    assert "London" not in told


def test_a_broken_reference_is_told_by_its_place_only(app: App) -> None:
    hand_in(app.submitted)
    key = app.root / "input" / "ref" / "en_one-corefud-test.conll"
    key.write_text(key.read_text().replace("(0", "((secret", 1))
    done = work(app)
    assert done.returncode == 0
    assert "the key cannot be read" in done.stderr
    assert "secret" not in done.stdout + done.stderr


def test_nothing_that_can_be_scored_is_an_error(app: App) -> None:
    hand_in(app.submitted, en_one=b"", xx_two=None)
    done = work(app)
    assert done.returncode == 1
    assert done.stderr.startswith("error:")
    assert not [*app.output.iterdir()]


def test_an_empty_submission_is_an_error(app: App) -> None:
    done = work(app)
    assert done.returncode == 1
    assert "this submission is empty" in done.stderr


def test_pages_and_metadata_of_participants_do_not_get_out(app: App) -> None:
    hand_in(app.submitted)
    (app.submitted / "page.html").write_text("<script>")
    (app.submitted / METADATA).write_text("x")
    assert work(app).returncode == 0
    assert {each.name for each in app.output.iterdir()} == {
        "detailed_results.html",
        "result.json",
        "scores.json",
        "scores.txt",
    }


def test_the_key_as_its_own_response_gets_all(app: App) -> None:
    shutil.rmtree(app.submitted)
    shutil.copytree(app.root / "input" / "ref", app.submitted)
    assert work(app).returncode == 0
    assert app.scores()["conll"] == 100


def test_the_bundle_has_what_a_site_asks_for(program: Path) -> None:
    text = (program / "competition.yaml").read_text()
    for word in ("title:", "image:", "terms:", "tasks:", "phases:", "leaderboards:"):
        assert f"\n{word}" in text or text.startswith(word)
    assert "key: conll" in text
    assert "key: en_one" in text
    assert (program / "pages" / "overview.md").exists()
    assert (program / "scoring_program" / "vendor" / "scoref" / "cli").is_dir()


ERRORS = {
    "no output": (
        "keys responses",
        ("leaderboard needs three arguments: REFERENCE, SUBMISSION and OUTPUT"),
    ),
    "only keys": (
        "keys",
        ("leaderboard needs three arguments: REFERENCE, SUBMISSION and OUTPUT"),
    ),
    "files": ("keys/a.conll responses/a.conll out", "neither a folder nor a zip"),
    "a file of keys": ("keys/a.conll responses out", "this is not a folder"),
    "a zip of keys": ("keys.zip responses out", "this is not a folder"),
    "no submission": ("keys nowhere out", "this folder or zip does not exist"),
    "no keys": ("nowhere responses out", "this is not a folder"),
    "output among the keys": (
        "keys responses keys/out",
        "is inside 'keys', which is an input",
    ),
    "output is the keys": (
        "keys responses keys",
        "is inside 'keys', which is an input",
    ),
    "output is the submission": (
        "keys responses responses",
        "is inside 'responses', which is an input",
    ),
    "output is a file": ("keys responses keys.zip", "'keys.zip' is not a folder"),
    "other datasets": ("keys other out", "x.conll was not scored because no dataset"),
    "an empty submission": ("keys empty out", "this submission is empty"),
    "no datasets": ("empty responses out", "there is no file to score"),
    "a title without a competition": (
        "keys responses out --title Task",
        "--title can only be used with --init",
    ),
    "columns and what they set": (
        "keys responses out --columns exact --match exact",
        "--columns sets --match and --singletons itself",
    ),
    "an unknown column": ("keys responses out --columns ehad", "unknown column 'ehad'"),
    "an option of another format": ("keys responses out --match head", "head"),
    "a competition with a submission": (
        "--init new keys responses",
        "--init needs only the REFERENCE. Leave out the other arguments",
    ),
    "a competition among its keys": ("--init keys/new keys", "which is an input"),
    "a competition in a folder with files": ("--init responses keys", "is not empty"),
    "a competition without keys": ("--init new empty", "there is no file to score"),
    "a competition of broken keys": ("--init new other", "cannot be scored"),
    "a competition with an option that does not fit": (
        "--init new keys --zeros linear",
        "zeros",
    ),
    "a list that is not there": (
        "--init new keys --document-names nowhere.tsv",
        "'nowhere.tsv' is not a file",
    ),
    "an unknown metric": ("--init new keys --metrics ceaf", "ceaf"),
}
WARNINGS = {
    "the wrong order": ("responses keys out", "swapped?"),
    "the keys as a submission": ("keys keys out", "is the REFERENCE folder"),
    "a copy of the keys": ("keys copy out", "Is it a response?"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("keys", "responses", "other", "empty"):
        (tmp_path / name).mkdir()
    shutil.copy(EXAMPLES / "many-key.conll", tmp_path / "keys" / "a.conll")
    shutil.copy(EXAMPLES / "many-a.conll", tmp_path / "responses" / "a.conll")
    shutil.copytree(tmp_path / "keys", tmp_path / "copy")
    (tmp_path / "other" / "x.conll").write_text("nothing\n")
    with zipfile.ZipFile(tmp_path / "keys.zip", "w") as archive:
        archive.write(tmp_path / "keys" / "a.conll", "a.conll")
    return tmp_path


@pytest.mark.parametrize("case", ERRORS)
def test_a_wrong_call_is_an_error(folder: Path, case: str) -> None:
    before = sorted(folder.rglob("*"))
    call, message = ERRORS[case]
    result = run("leaderboard", *call.split())
    assert result.exit_code in {1, 2}
    assert message in " ".join(result.stderr.split())
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("case", WARNINGS)
@pytest.mark.usefixtures("folder")
def test_a_doubtful_call_gets_a_warning(case: str) -> None:
    call, message = WARNINGS[case]
    result = run("leaderboard", *call.split(), code=0)
    assert "warning: " in result.stderr
    assert message in " ".join(result.stderr.split())


@pytest.mark.usefixtures("folder")
def test_the_board_has_the_column_of_the_metric_that_was_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "scoref.tools.leaderboard.bundle._vendor_packages", lambda: ({}, [])
    )
    call = "--init new keys --metrics muc,bcub"
    run("leaderboard", *call.split(), code=0)
    call = "keys responses out --metrics muc,bcub"
    run("leaderboard", *call.split(), code=0)
    scores = (folder / "out" / "scores.txt").read_text()
    first = scores.partition(":")[0]
    assert first != "conll"
    assert f"key: {first}\n" in (folder / "new" / "competition.yaml").read_text()
    assert f"`{first}` is" in (folder / "new" / "pages" / "evaluation.md").read_text()


def one_document(entities: Iterable[int]) -> str:
    rows = (f"d\t0\t{at}\tw{at}\t({entity})" for at, entity in enumerate(entities))
    return "\n".join(("#begin document (d); part 000", *rows, "", "#end document\n"))


@pytest.mark.parametrize(
    ("entities", "warning"),
    [
        (
            [at // 3 for at in range(42)],
            "the submission has the same mentions",
        ),
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
    with zipfile.ZipFile("my.zip", "w") as archive:
        archive.writestr("d.conll", one_document(entities))
    run("leaderboard", "key", "my.zip", "out", code=0)
    shown = (tmp_path / "out" / "result.json").read_text()
    assert f"warning: corpus: {warning}" in shown
    assert "scoref-" not in shown
    assert "the the key" not in shown
