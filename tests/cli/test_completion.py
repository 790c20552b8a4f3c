"""Completion: what a shell is told, and what real shells make of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from scoref.cli import COMMANDS, COMPLETE, command
from scoref.cli.completion import SHELLS
from scoref.metrics import METRICS
from scoref.schemes import SCHEMES
from scoref.scoring.datasets import COLUMNS
from scoref.scoring.slices import BY
from scoref.tools.published import names

if TYPE_CHECKING:
    from pathlib import Path

FILE = "a file"


def completed(line: str) -> list[str]:
    """Say how a line can go on; its last word is the one to complete."""
    *words, incomplete = line.split(" ")
    shell = BashComplete(command, {}, "scoref", COMPLETE)
    found = shell.get_completions(words, incomplete)
    return [FILE if each.type == "file" else each.value for each in found]


def test_the_first_word_is_a_file_or_a_command() -> None:
    assert completed("") == [FILE, *COMMANDS]
    assert completed("comp") == [FILE, "compare", "completion"]


def test_the_second_word_is_a_file() -> None:
    assert completed("key.conll ") == [FILE]
    assert completed("key.conll comp") == [FILE]


def test_behind_an_option_there_is_no_command() -> None:
    assert completed("--lenient comp") == [FILE]


def test_options_are_completed() -> None:
    assert completed("--sch") == ["--scheme"]
    assert "--window" in completed("key.conll -")
    assert completed("compare --boo") == ["--bootstrap"]
    assert completed("metrics --o") == ["--output"]


def test_choices_are_completed() -> None:
    assert completed("--scheme ") == [*SCHEMES]
    assert completed("compare key.conll --scheme conll") == ["conll-2012"]
    assert completed("completion ") == [*SHELLS]


def test_metrics_are_completed_one_by_one() -> None:
    assert completed("--metrics ") == [*METRICS]
    assert completed("--metrics muc,ceaf") == [
        f"muc,{name}" for name in METRICS if name.startswith("ceaf")
    ]
    assert completed("--metrics muc,muc") == []


def test_what_is_kept_in_lists_is_completed() -> None:
    assert completed("--by ") == [*BY]
    assert completed("--window ") == ["bookcoref"]
    assert completed("--beside ") == [*names()]
    assert completed("--columns head,") == [f"head,{each}" for each in [*COLUMNS][1:]]


def test_files_of_other_commands_are_completed() -> None:
    assert completed("compare ") == [FILE]
    assert completed("compare key.conll ") == [FILE]
    assert completed("compare key.conll --plot ") == [FILE]


def test_values_that_nobody_lists_are_left_to_the_user() -> None:
    assert completed("--seed 2") == []


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_says_how_to_keep_it(shell: str) -> None:
    result = CliRunner().invoke(command, ["completion", shell])
    assert result.exit_code == 0, result.output
    assert COMPLETE in result.stdout
    assert result.stdout.splitlines()[-1] == f"# To keep it: {SHELLS[shell]}"


def test_a_file_for_zsh_starts_as_zsh_wants_it() -> None:
    result = CliRunner().invoke(command, ["completion", "zsh"])
    assert result.stdout.startswith("#compdef scoref\n")


def test_an_unknown_shell_is_bad_usage() -> None:
    result = CliRunner().invoke(command, ["completion", "csh"])
    assert result.exit_code == 2
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in result.stderr


# Real shells


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Put a `scoref` of this interpreter first, and some files to complete."""
    program = tmp_path / "bin" / "scoref"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nfrom scoref.cli import main\nmain()\n", encoding="utf-8"
    )
    program.chmod(0o755)
    for name in ("compost.conll", "two words.conll", "key.conll"):
        (tmp_path / name).touch()
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path}


def asked(shell: str, script: str, folder: Path, environment: dict[str, str]) -> str:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    done = subprocess.run(
        [program, "-c", script],
        capture_output=True,
        check=True,
        cwd=folder,
        env=environment,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout


_BASH = """
eval "$(scoref completion bash)"
compopt() { echo "compopt $1 $2"; }
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _scoref_completion scoref "${COMP_WORDS[COMP_CWORD]}"
    printf '%s\\n' "${COMPREPLY[@]}"
}
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("comp", "compopt -o filenames|compare|completion|compost.conll"),
        ("key", "compopt -o default|"),
        ("compare key", "compopt -o default|"),
        ("--scheme conll", "conll-2012"),
        ("--scheme = conll", "conll-2012"),
        ("--metrics muc,bl", "muc,blanc"),
        ("compare --boo", "--bootstrap"),
        ("table --universe u", "union"),
    ],
)
def test_bash_completes(
    words: str, expected: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    script = f"{_BASH}\nask scoref {words}"
    found = asked("bash", script, tmp_path, environment)
    assert found.splitlines() == expected.split("|")


def test_bash_calls_the_function_for_scoref(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    script = f"{_BASH}\ncomplete -p scoref"
    assert asked("bash", script, tmp_path, environment) == (
        "complete -o nosort -F _scoref_completion scoref\n"
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("scoref comp", ["compare", "completion", "compost.conll"]),
        ("scoref --scheme conll", ["conll-2012"]),
        ("scoref compare ke", ["key.conll"]),
    ],
)
def test_fish_completes(
    line: str, expected: list[str], tmp_path: Path, environment: dict[str, str]
) -> None:
    script = f"scoref completion fish | source; complete -C '{line}'"
    home = {**environment, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    found = asked("fish", script, tmp_path, home)
    words = [each.split("\t")[0] for each in found.splitlines()]
    assert sorted(words) == expected


def test_zsh_understands_the_script(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "_scoref").write_text(
        CliRunner().invoke(command, ["completion", "zsh"]).stdout, encoding="utf-8"
    )
    asked("zsh", "zsh -n _scoref", tmp_path, environment)
    # What the script asks, in the way in which it asks.
    question = (
        f"COMP_WORDS='scoref --scheme conll' COMP_CWORD=2 {COMPLETE}=zsh_complete"
    )
    answer = asked("zsh", f"env {question} scoref", tmp_path, environment)
    assert answer == "plain\nconll-2012\n_\n"
