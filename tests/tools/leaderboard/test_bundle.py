"""`scoref leaderboard --init`: a bundle that a worker can run, or no bundle at all."""

from __future__ import annotations

import ast
import errno
import json
import os
import shlex
import shutil
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

import click
import pytest

from scoref import writing
from scoref.errors import FormatError
from scoref.tools.leaderboard import bundle
from scoref.tools.leaderboard.command import command
from support.codabench import App, installed, work
from support.commands import run
from support.json_documents import MIA, SHE, relation, task
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

ECB = """\
<Document doc_name="1_1ecb.xml" doc_id="D1">
<token t_id="1" sentence="0" number="0">Mia</token>
<token t_id="2" sentence="0" number="1">left</token>
<Markables>
<HUMAN m_id="1"><token_anchor t_id="1"/></HUMAN>
<ACTION_OCCURRENCE m_id="2"><token_anchor t_id="2"/></ACTION_OCCURRENCE>
</Markables>
</Document>
"""
STUDIO = json.dumps(
    [
        task(
            annotations=[
                {"result": [MIA, SHE, relation("b", "a", "coref")], "completed_by": 1},
                {"result": [MIA, SHE, relation("b", "a", "ana")], "completed_by": 2},
            ]
        )
    ]
)
TEXTS = {"ecb": ECB, "label-studio": STUDIO}
NAMES = {"ecb": "ecb.txt", "label-studio": "ls.json", "corefud": "cu.conllu"}
NAMES |= {"conll": "one.conll", "ua": "house.ua", "topics": "news.conll"}
FILES = {
    "conll": ("key.conll", "response.conll"),
    "corefud": ("corefud-key.conllu", "corefud-response.conllu"),
    "ua": ("ua-key.ua", "ua-response.ua"),
}
CONLL = """\
#begin document (nw/a); part 000
nw/a\t0\t0\tMia\t(1)
nw/a\t0\t1\tshe\t(1)

#end document
"""
TEXTS["topics"] = CONLL


class Call(NamedTuple):
    """An option with what it needs, and the kind of data that it is for."""

    arguments: tuple[str, ...]
    kind: str = "conll"


CALLS = {
    "strict": Call(("--require-all",)),
    "columns": Call(("--columns", "head, exact"), "corefud"),
    "jobs": Call(("--jobs", "2")),
    "metrics": Call(("--metrics", "muc, bcub")),
    "scheme": Call(("--scheme", "conll-2012")),
    "match": Call(("--match", "head"), "corefud"),
    "identity": Call(("--identity", "span")),
    "scope": Call(("--scope", "corpus")),
    "topics": Call(("--scope", "topic", "--topics", r"(\w+)/.*"), "topics"),
    "borders": Call(("--borders", "expand")),
    "singletons": Call(("--singletons", "drop")),
    "zeros": Call(("--zeros", "linear"), "corefud"),
    "split_antecedents": Call(("--split-antecedents", "keep"), "ua"),
    "evaluate": Call(("--evaluate", "identity"), "ua"),
    "phrases": Call(("--phrases", "all")),
    "nested": Call(("--nested", "outermost")),
    "alignment": Call(("--alignment", "one-to-one"), "corefud"),
    "duplicates": Call(("--duplicates", "first")),
    "missing": Call(("--missing", "empty")),
    "folder": Call(("--folder", "datasets")),
    "document_names": Call(("--document-names", "FILE")),
    "annotator": Call(("--annotator", "2"), "label-studio"),
    "relations": Call(
        ("--annotator", "2", "--relations", "coref, ana"), "label-studio"
    ),
    "markables": Call(("--markables", "events"), "ecb"),
    "blanc": Call(("--blanc", "corefud")),
    "lea": Call(("--lea", "no-singletons")),
    "average": Call(("--average", "macro")),
    "anaphors": Call(("--anaphors", "upos:NOUN,PROPN"), "corefud"),
    "lenient": Call(("--lenient",)),
    "format": Call(("--format", "conll-2012")),
    "quiet": Call(("--quiet",)),
}
OTHERS = {"init", "title", "help", "help_conventions", "version"}


def options() -> list[str]:
    every = (each for each in command.params if isinstance(each, click.Option))
    return [str(each.name) for each in every if each.name not in OTHERS]


class Organiser:
    """A folder of keys and a submission, and what `--init` makes of them."""

    def __init__(self, root: Path, kind: str = "conll") -> None:
        self.root, self.kind = root, kind
        self.bundle, self.keys, self.handed_in = (
            root / name for name in ("bundle", "keys", "handed_in")
        )
        for side, folder in enumerate((self.keys, self.handed_in)):
            folder.mkdir()
            place = folder / NAMES[kind]
            if kind in FILES:
                shutil.copy(EXAMPLES / FILES[kind][side], place)
            else:
                place.write_text(TEXTS[kind])

    def init(self, *arguments: str) -> Result:
        return run("leaderboard", "--init", self.bundle, self.keys, *arguments)

    def app(self) -> App:
        app = installed(self.bundle, self.root / "app")
        shutil.copytree(self.handed_in, app.submitted, dirs_exist_ok=True)
        return app

    def signature(self, *arguments: str) -> str:
        """Score without a bundle."""
        out = self.root / "direct"
        run("leaderboard", self.keys, self.handed_in, out, *arguments, code=0)
        return (out / "result.json").read_text()


@pytest.fixture(autouse=True)
def _without_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what is copied from this Python, which the worker has anyway."""
    monkeypatch.setattr(bundle, "_vendor_packages", lambda: ({}, ["scoref"]))


def test_every_option_has_a_call() -> None:
    assert sorted(CALLS) == sorted(options())


@pytest.mark.parametrize("option", options())
def test_a_worker_runs_every_option(tmp_path: Path, option: str) -> None:
    arguments, kind = CALLS[option]
    organiser = Organiser(tmp_path, kind)
    if "FILE" in arguments:
        names = tmp_path / "my names' list.tsv"
        mine = organiser.handed_in / NAMES[kind]
        text = mine.read_text()
        first = text.split("(", 1)[1].split(")", 1)[0]
        names.write_text(f"(mine); part 000\t({first}); part 000\n")
        mine.write_text(text.replace(f"({first})", "(mine)"))
        arguments = tuple(str(names) if each == "FILE" else each for each in arguments)
    done = organiser.init(*arguments)
    assert done.exit_code == 0, done.output
    expected = organiser.signature(*arguments)
    for file in tmp_path.glob("*.tsv"):
        file.unlink()  # the bundle has its own
    app = organiser.app()
    worked = work(app)
    assert worked.returncode == 0, worked.stderr
    assert app.scores()
    assert (app.output / "result.json").read_text() == expected


ODD = [
    r"(\w+)/.*",
    "(a'b|nw)",
    '("|nw)',
    "(nw)|\n|\t",
    "(nw|$HOME|`x`|%PATH%|^&<>)",
    "(nw|{options}|{{}})",
    "(nw|é|日本)",
    "(nw|\\\\)",
]


@pytest.mark.parametrize("pattern", ODD)
def test_values_reach_the_program_as_they_are(tmp_path: Path, pattern: str) -> None:
    organiser = Organiser(tmp_path, "topics")
    done = organiser.init("--scope", "topic", "--topics", pattern, "--title", pattern)
    assert done.exit_code == 0, done.output
    program = organiser.bundle / "scoring_program" / "run.py"
    tree = ast.parse(program.read_text(encoding="utf-8"))
    assigned = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if node.targets[0].id in {"OPTIONS", "FILES"}
    }
    assert assigned == {
        "OPTIONS": ["--scope=topic", f"--topics={pattern}"],
        "FILES": [],
    }
    app = organiser.app()
    worked = work(app)
    assert worked.returncode == 0, worked.stderr
    assert app.scores()["conll"] == 100


@pytest.mark.parametrize("pattern", ODD)
def test_pages_show_a_command_that_can_be_typed(tmp_path: Path, pattern: str) -> None:
    organiser = Organiser(tmp_path, "topics")
    organiser.init("--scope", "topic", "--topics", pattern)
    page = (organiser.bundle / "pages" / "evaluation.md").read_text(encoding="utf-8")
    (line,) = (line for line in page.split("\n") if "scoref leaderboard" in line)
    if pattern.isprintable():
        assert shlex.split(line)[-1] == f"--topics={pattern}"
    else:
        assert line.endswith(r"$'--topics=(nw)|\n|\t'")


@pytest.mark.parametrize("value", ["-x", "--strict", ""])
def test_values_may_begin_with_a_dash(tmp_path: Path, value: str) -> None:
    organiser = Organiser(tmp_path, "label-studio")
    done = organiser.init(f"--annotator={value}")
    # The key has no such annotator, which is said before anything is written.
    assert done.exit_code == 1
    assert not organiser.bundle.exists()


def test_files_are_copied_by_the_name_of_their_option(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path, "topics")
    topics = tmp_path / "to pics\n.tsv"
    topics.write_text("nw/a\tnews\n")
    done = organiser.init("--scope", "topic", "--topics", str(topics))
    assert done.exit_code == 0, done.output
    program = organiser.bundle / "scoring_program"
    assert (program / "files" / "topics.tsv").read_text() == "nw/a\tnews\n"
    every = "".join(
        file.read_text(errors="replace")
        for file in organiser.bundle.rglob("*")
        if file.is_file()
    )
    assert str(tmp_path) not in every
    topics.unlink()
    worked = work(organiser.app())
    assert worked.returncode == 0, worked.stderr


def test_a_list_may_name_documents_of_several_datasets(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path, "topics")
    for folder in (organiser.keys, organiser.handed_in):
        (folder / "more.conll").write_text(CONLL.replace("nw/a", "bc/b"))
    for file in organiser.handed_in.iterdir():
        text = file.read_text()
        file.write_text(text.replace("(nw/a)", "(x1)").replace("(bc/b)", "(x2)"))
    names = tmp_path / "names.tsv"
    names.write_text(
        "(x1); part 000\t(nw/a); part 000\n(x2); part 000\t(bc/b); part 000\n"
    )
    assert organiser.init("--document-names", str(names)).exit_code == 0
    app = organiser.app()
    assert work(app).returncode == 0
    assert app.scores()["conll"] == 100


@pytest.mark.parametrize("written", [0, 1, 4, 7])
def test_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    organiser = Organiser(tmp_path)
    organiser.bundle = tmp_path / "new" / "newer" / "bundle"
    before = sorted(tmp_path.rglob("*"))
    real, left = writing._write, iter(range(written))  # noqa: SLF001

    def write(target: str, data: bytes, mode: int | None = None) -> None:
        if next(left, None) is None:
            Path(target).write_bytes(data[:3])
            raise OSError(errno.ENOSPC, "No space left on device")
        real(target, data, mode)

    monkeypatch.setattr(writing, "_write", write)
    done = organiser.init()
    assert done.exit_code == 1
    assert "cannot be written: no space left on device" in done.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_an_empty_folder_may_become_the_bundle(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path)
    organiser.bundle.mkdir()
    assert organiser.init().exit_code == 0
    assert (organiser.bundle / "competition.yaml").exists()


@pytest.mark.parametrize("kind", ["file", "full", "dangling"])
def test_a_place_that_is_taken_is_refused(tmp_path: Path, kind: str) -> None:
    organiser = Organiser(tmp_path)
    if kind == "file":
        organiser.bundle.write_text("mine")
    elif kind == "full":
        organiser.bundle.mkdir()
        (organiser.bundle / "mine").touch()
    else:
        organiser.bundle.symlink_to("nowhere")
    before = sorted(tmp_path.rglob("*"))
    done = organiser.init()
    assert done.exit_code == 2
    assert sorted(tmp_path.rglob("*")) == before


def test_options_that_do_not_fit_the_keys_are_refused_at_once(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path)
    done = organiser.init("--match", "head")
    assert done.exit_code == 2
    assert "head" in done.stderr
    assert not organiser.bundle.exists()


def test_a_broken_key_is_refused_at_once(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path)
    key = organiser.keys / NAMES["conll"]
    key.write_text(key.read_text().replace("(0", "((", 1))
    done = organiser.init()
    assert done.exit_code == 1
    assert f"{key}:" in done.stderr
    assert not organiser.bundle.exists()


def test_the_program_runs_without_the_folder_of_the_organiser(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path)
    os.environ.pop("PYTHONPATH", None)
    assert organiser.init("--title", "A: 'task' #1").exit_code == 0
    text = (organiser.bundle / "competition.yaml").read_text()
    assert "\"A: 'task' #1\"" in text
    shutil.rmtree(organiser.keys)
    app = organiser.app()
    assert work(app).returncode == 0, sys.version


@pytest.mark.parametrize("options", [(), ("--folder", "documents")])
@pytest.mark.parametrize("folder", ["books", "."])
def test_a_reference_of_documents_is_copied_with_its_folders(
    tmp_path: Path, options: tuple[str, ...], folder: str
) -> None:
    organiser = Organiser(tmp_path, "topics")
    for side in (organiser.keys, organiser.handed_in):
        (side / NAMES["topics"]).unlink()
        (side / "books" / "old").mkdir(parents=True)
        (side / folder / "b.conll").write_text(CONLL.replace("nw/a", "b"))
        (side / "books" / "old" / "c.conll").write_text(CONLL.replace("nw/a", "c"))
    done = organiser.init(*options)
    assert done.exit_code == 0, done.output
    kept = organiser.bundle / "reference_data"
    names = {str(each.relative_to(kept)) for each in kept.rglob("*.conll")}
    assert names == {os.path.normpath(f"{folder}/b.conll"), "books/old/c.conll"}
    kit = (organiser.bundle / "starting_kit" / "README.md").read_text()
    assert "one file for each document" in kit
    assert "- books/old/c.conll" in kit
    columns = (organiser.bundle / "competition.yaml").read_text()
    assert '"corpus"' in columns
    app = organiser.app()
    worked = work(app)
    assert worked.returncode == 0, worked.stderr
    assert app.scores() == {**app.scores(), "conll": 100, "corpus": 100}


def test_columns_follow_the_option_for_folders(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path, "topics")
    (organiser.keys / "b.conll").write_text(CONLL.replace("nw/a", "b"))
    done = organiser.init("--folder", "datasets")
    assert done.exit_code == 0, done.output
    columns = (organiser.bundle / "competition.yaml").read_text()
    assert '"news"' in columns
    assert '"b"' in columns
    assert '"corpus"' not in columns


@pytest.mark.parametrize(
    ("version", "platform", "source"),
    [
        (bundle.PYTHON, "linux", "installed"),
        (bundle.PYTHON, "darwin", "downloaded"),
        ((3, 99), "linux", "downloaded"),
    ],
)
def test_libraries_are_copied_only_if_they_are_those_of_the_image(
    version: tuple[int, int],
    platform: str,
    source: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = SimpleNamespace(version_info=(*version, 7, "final", 0), platform=platform)
    monkeypatch.undo()
    monkeypatch.setattr(bundle, "sys", system)
    monkeypatch.setattr(bundle, "_installed_libraries", lambda: ({}, ["installed"]))
    monkeypatch.setattr(bundle, "_download_libraries", lambda: ({}, ["downloaded"]))
    _, versions = bundle._vendor_packages()  # noqa: SLF001
    assert versions[1:] == [source]


def pip(*wheels: str, code: int = 0, problem: str = "") -> Callable[..., object]:
    """Return a `subprocess.run` for a pip that downloads these wheels."""

    def run_pip(arguments: list[str], **_: object) -> object:
        assert {"download", "--no-deps", "--only-binary", *bundle.LIBRARIES} <= {
            *arguments
        }
        folder = Path(arguments[arguments.index("--dest") + 1])
        for wheel in wheels:
            name = wheel.partition("-")[0]
            with zipfile.ZipFile(folder / wheel, "w") as archive:
                archive.mkdir(name)
                archive.writestr(f"{name}/__init__.py", f"name = '{name}'")
        return SimpleNamespace(returncode=code, stderr=problem)

    return run_pip


CLICK, MSGSPEC = "click-8.3-py3-none-any.whl", "msgspec-0.20-cp312-x86_64.whl"


def test_libraries_are_downloaded_for_the_image(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("subprocess.run", pip(CLICK, MSGSPEC))
    contents, versions = bundle._download_libraries()  # noqa: SLF001
    folder = "scoring_program/vendor"
    assert contents == {
        f"{folder}/click/__init__.py": b"name = 'click'",
        f"{folder}/msgspec/__init__.py": b"name = 'msgspec'",
    }
    assert versions == ["click 8.3", "msgspec 0.20"]


@pytest.mark.parametrize(
    ("run_pip", "reason"),
    [
        (pip(CLICK), "no reason given"),
        (pip(CLICK, MSGSPEC, code=1), "no reason given"),
        (
            pip(code=1, problem="WARNING: slow\nERROR: no network\n"),
            "ERROR: no network",
        ),
    ],
    ids=["one is lacking", "pip failed", "pip says why"],
)
def test_no_bundle_lacks_a_library(
    run_pip: Callable[..., object], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("subprocess.run", run_pip)
    with pytest.raises(FormatError) as refused:
        bundle._download_libraries()  # noqa: SLF001
    version = ".".join(map(str, bundle.PYTHON))
    assert refused.value.problem == (
        f"pip could not fetch click and msgspec for Python {version}: {reason}"
    )
    assert f"Python {version} on Linux" in refused.value.hint
