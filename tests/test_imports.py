"""What is loaded, and when: start-up time is a feature."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import scoref
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path


def loaded_by(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    return set(done.stderr.split())


def test_a_mere_import_loads_no_library() -> None:
    assert not loaded_by("import scoref") & {"numpy", "scipy", "click", "msgspec"}


def test_an_interrupt_finds_the_commands_ready_at_once() -> None:
    # What is loaded before them cannot be left without a traceback; gc is built in.
    assert loaded_by("import scoref._entry_points") - loaded_by("") - {"gc"} == {
        *("__future__", "scoref", "scoref._entry_points", "scoref._version")
    }


def test_help_loads_no_numerical_library() -> None:
    code = "from scoref.cli import command\ncommand(['--help'], standalone_mode=False)"
    assert not loaded_by(code) & {"numpy", "scipy", "msgspec"}


def test_help_loads_no_records_of_what_it_does_not_list() -> None:
    code = "from scoref.cli import command\ncommand(['--help'], standalone_mode=False)"
    needless = (
        *("formats", "schemes", "topics", "document_names", "metrics", "model"),
        *("scheme", "conventions", "cli.options", "terminal.options"),
    )
    assert not loaded_by(code) & {f"scoref.{name}" for name in needless}


def test_scoring_loads_scipy_only_if_an_assignment_needs_it() -> None:
    files = f"{str(EXAMPLES / 'key.conll')!r}, {str(EXAMPLES / 'response.conll')!r}"
    modules = loaded_by(f"import scoref\nscoref.score({files}).scores")
    assert "numpy" in modules
    assert not modules & {"scipy", "msgspec", "click"}


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("key.conll", "response.conll"),
        ("corefud-key.conllu", "corefud-response.conllu"),
    ],
)
def test_commands_do_not_load_masked_arrays_or_the_network(
    key: str, response: str, tmp_path: Path
) -> None:
    files = str(EXAMPLES / key), str(EXAMPLES / response)
    two = files[0], f"a={files[1]}", f"b={files[0]}"
    calls = (
        (*files, "--confidence"),
        ("compare", *two),
        ("compare", "--multiverse", *two),
        ("explain", *files),
        ("errors", *files),
        ("report", *files, "-o", str(tmp_path / "page.html")),
    )
    code = "from scoref.cli import command\n" + "\n".join(
        f"command({[*call]}, standalone_mode=False)" for call in calls
    )
    needless = {"numpy.ma", "urllib.request", "http", "multiprocessing"}
    assert not loaded_by(code) & needless


def test_every_public_name_can_be_imported() -> None:
    assert dir(scoref) == sorted(scoref.__all__)
    assert all(hasattr(scoref, name) for name in dir(scoref))
