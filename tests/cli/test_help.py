"""Help fits a terminal, sorts options, and has examples that work.

Completion: what a shell is told, and what real shells make of it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from scoref.cli import COMMANDS, COMPLETE, UNLISTED, command, load
from scoref.cli.help import SHELLS
from scoref.metrics import METRICS
from scoref.schemes import SCHEMES
from scoref.scoring.datasets import COLUMNS
from scoref.scoring.slices import BY
from scoref.terminal.help import CONVENTIONS, GROUPS, REST, Command, ConventionOption
from scoref.tools.published import names

if TYPE_CHECKING:
    from pathlib import Path


SCORING = ["compare", "errors", "llm", "report", "score"]

LEAVING = {"help", "help_conventions", "signature_help", "version", "rules", "quiet"}

every_command = pytest.mark.parametrize("name", [*COMMANDS, *UNLISTED])


def test_the_overview_lists_all_commands_by_group_on_one_screen() -> None:
    lines = helped("").splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    titles = [line.rstrip(":") for line in lines if line.endswith(":")]
    assert titles == [
        *("Score", "Inspect", "Files", "Annotators", "Records", "Tasks", "Reference")
    ]
    named = [line.split()[0] for line in lines[5:] if line.startswith("  ")]
    assert named == [*COMMANDS]
    assert not {*named} & {*UNLISTED}


def test_scoring_has_its_own_page_of_help() -> None:
    assert "--confidence" in helped("score")
    assert "--confidence" not in helped("")


def loaded(name: str) -> Command:
    found = load(name) if name else command
    assert isinstance(found, Command)
    return found


def helped(name: str, option: str = "-h") -> str:
    words = [*([name] if name else []), option]
    result = CliRunner().invoke(command, words, prog_name="scoref")
    assert result.exit_code == 0, result.output
    return result.stdout


@every_command
def test_no_line_is_wider_than_a_terminal(name: str) -> None:
    assert [line for line in helped(name).splitlines() if len(line) > 80] == []


@every_command
def test_every_option_is_in_one_group(name: str) -> None:
    known = [each for names in GROUPS.values() for each in names]
    assert len(known) == len({*known})
    options = [each for each in loaded(name).params if isinstance(each, click.Option)]
    others = [each.name for each in options if not isinstance(each, ConventionOption)]
    assert [each for each in others if each not in known and each not in LEAVING] == []


@every_command
def test_groups_have_headings_and_come_in_one_order(name: str) -> None:
    lines = helped(name).splitlines()
    titles = [f"{title}:" for title in (*GROUPS, REST)]
    places = [lines.index(title) for title in titles if title in lines]
    assert len(places) > 0
    assert places == sorted(places)


@every_command
def test_examples_come_last_and_can_be_typed(name: str) -> None:
    examples = loaded(name).examples
    assert examples
    shown = helped(name).rpartition("\nExamples:\n")[2].splitlines()
    assert [line.strip() for line in shown[1::2]] == [*examples]
    for line in examples:
        words = shlex.split(line.removeprefix('eval "$(').removesuffix(')"'))
        assert words[0] == "scoref"
        context = command.make_context("scoref", words[1:])  # it would refuse others
        assert context.command is loaded(name)


@pytest.mark.parametrize("name", SCORING)
def test_conventions_are_named_and_explained_elsewhere(name: str) -> None:
    conventions = [
        each for each in loaded(name).params if isinstance(each, ConventionOption)
    ]
    text = helped(name)
    assert len(conventions) > 10
    assert all(each.opts[0] in text for each in conventions)
    assert not any(str(each.help) in " ".join(text.split()) for each in conventions)
    assert f"\n{CONVENTIONS}:\n" in text
    assert "`scoref --help-conventions` explains them." in text


@pytest.mark.parametrize("name", SCORING)
def test_all_conventions_are_explained_once(name: str) -> None:
    text = " ".join(helped(name, "--help-conventions").split())
    conventions = [
        each for each in loaded(name).params if isinstance(each, ConventionOption)
    ]
    helps = [" ".join(str(each.help).split()) for each in conventions]
    assert all(text.count(each) == 1 for each in helps)


def test_conventions_fit_a_terminal() -> None:
    lines = helped("", "--help-conventions").splitlines()
    assert max(map(len, lines)) <= 80


def test_other_conventions_are_explained_where_they_are() -> None:
    assert "--missing [error|empty|key]" in helped("explain")
    assert "--duplicates [error|first|last]" in helped("table")


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
