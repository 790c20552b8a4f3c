"""No command writes over what it reads, or twice to one place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from scoref.cli import COMMANDS, load
from scoref.terminal.running import OUTPUT
from support.bad_files import CONLL

TABLE = b"mention\tcluster\na\t1\nb\t1\nc\t2\n"
ANSWER = b"w0 w1 w2 w3 w5 w6 w7\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("key.conll", "response.conll"):
        Path(name).write_bytes(CONLL)
    for name in ("key.tsv", "response.tsv"):
        Path(name).write_bytes(TABLE)
    Path("answer.txt").write_bytes(ANSWER)
    for name in ("key.conll", "response.conll", "key.tsv", "answer.txt"):
        Path(f"link-{name}.html").symlink_to(name)
        Path(f"hard-{name}.html").hardlink_to(name)
    return tmp_path


def scoref(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    code = "import sys; from scoref.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        "report key.conll response.conll -o response.conll",
        "report key.conll A=response.conll -o ./response.conll",
        "report key.conll response.conll -o link-key.conll.html",
        "report key.conll response.conll -o hard-key.conll.html",
        "table key.tsv response.tsv --save-profile key.tsv",
        "table key.tsv response.tsv --report link-key.tsv.html",
        "table k*.tsv response.tsv --save-profile key.tsv",
        "table key.tsv response.tsv --save-profile new --report new",
        "table key.tsv response.tsv --save-profile x.html --plot ./x.html",
        "stats key.conll --plot link-key.conll.html",
        "compare key.conll A=key.conll response.conll --plot hard-key.conll.html",
        "key.conll response.conll --confidence --plot link-response.conll.html",
        "llm key.conll answer.txt --write-response hard-answer.txt.html",
        "llm key.conll --write-input new --write-example new",
        "llm key.conll --write-example key.conll",
        "check key.conll --fix link-key.conll.html --force",
        "convert key.conll hard-key.conll.html --to json-lines --force",
        "convert key.conll response.conll --base response.conll --force",
    ],
)
def test_what_is_read_or_written_is_not_written_over(
    arguments: str, folder: Path
) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = scoref(*arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert "would be overwritten" in done.stderr
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_what_was_there_before_keeps_its_mode() -> None:
    Path("out.html").touch(0o600)
    done = scoref("report", "key.conll", "response.conll", "-o", "out.html")
    assert done.returncode == 0
    assert oct(Path("out.html").stat().st_mode)[-3:] == "600"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_that_names_a_file_says_whether_it_is_written(name: str) -> None:
    reading = {
        "--base",
        "--baseline",
        "--classes",
        "--decisions",
        "--key",
        "--other-key",
        "--records",
        "--response",
    }
    for param in load(name).params:
        is_file = param.metavar in {"FILE", "OUT"} and isinstance(param, click.Option)
        if is_file and reading.isdisjoint(param.opts):
            assert param.type is OUTPUT, param.opts
