"""The first word is a command or a file, and commands leave as they want to."""

from __future__ import annotations

import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from scoref._version import __version__
from scoref.cli import COMMANDS, UNLISTED, VARIANTS, command, load
from support.commands import run
from support.paths import EXAMPLES

FILES = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
LEAVING = """
import sys, types
import click
from scoref import cli

@click.command()
@click.pass_context
def command(context):
    context.exit(7)

module = types.ModuleType("scoref.tools.leave.command")
module.command = command
sys.modules["scoref.tools.leave.command"] = module
cli.COMMANDS["leave"] = "Leave."
cli.main()
"""


def ran(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.mark.parametrize("name", [*COMMANDS, *UNLISTED])
def test_every_command_can_be_asked_for_help(name: str) -> None:
    assert isinstance(load(name), click.Command)
    result = CliRunner().invoke(command, [name, "-h"], prog_name="scoref")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"Usage: scoref {name} ")


def test_a_command_is_called_by_its_name_where_it_refuses_something() -> None:
    result = CliRunner().invoke(command, ["compare"], prog_name="scoref")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: missing argument 'KEY'\n  hint: See `scoref compare -h`.\n"
    )


def test_an_option_that_scoring_does_not_have_points_to_its_help() -> None:
    result = CliRunner().invoke(command, [*FILES, "--xyz"], prog_name="scoref")
    assert result.exit_code == 2
    assert result.stderr.endswith("hint: See `scoref score -h`.\n")


def test_a_word_is_a_command_only_in_the_first_place() -> None:
    result = CliRunner().invoke(command, [FILES[0], "compare"])
    assert result.exit_code == 1
    assert result.stderr.startswith("error: compare: ")


def test_a_file_that_is_called_like_a_command_has_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "metrics").write_bytes(Path(FILES[0]).read_bytes())
    monkeypatch.chdir(tmp_path)
    scored = CliRunner().invoke(command, ["./metrics", "metrics", "--score-only"])
    assert scored.stdout == "100.00\n"
    assert CliRunner().invoke(command, ["metrics"]).stdout.startswith("computed by")


def test_the_exit_code_of_a_command_is_kept() -> None:
    done = ran(LEAVING, "leave")
    assert (done.returncode, done.stdout) == (7, "")


def test_a_command_that_ends_leaves_with_0() -> None:
    done = ran("from scoref.cli import main; main()", *FILES, "--score-only")
    assert (done.returncode, done.stdout) == (0, "81.71\n")


def test_alone_it_tells_what_there_is() -> None:
    alone = CliRunner().invoke(command, [], prog_name="scoref")
    asked = CliRunner().invoke(command, ["--help"], prog_name="scoref")
    assert (alone.exit_code, alone.stdout) == (0, asked.stdout)
    assert alone.stdout.startswith("Usage: scoref [OPTIONS] KEY [RESPONSE]...")


def test_help_without_a_command_is_the_same() -> None:
    helped = CliRunner().invoke(command, ["help"], prog_name="scoref")
    asked = CliRunner().invoke(command, ["--help"], prog_name="scoref")
    assert (helped.exit_code, helped.stdout) == (0, asked.stdout)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_tells_what_a_command_takes(name: str) -> None:
    helped = CliRunner().invoke(command, ["help", name], prog_name="scoref")
    asked = CliRunner().invoke(command, [name, "-h"], prog_name="scoref")
    assert (helped.exit_code, helped.stdout) == (0, asked.stdout)


def test_help_for_what_is_no_command_names_the_nearest_one() -> None:
    result = CliRunner().invoke(command, ["help", "compear"], prog_name="scoref")
    assert result.exit_code == 2
    assert "unknown command 'compear'. Did you mean compare?" in result.stderr


def test_score_is_the_command_without_a_name() -> None:
    named = CliRunner().invoke(command, ["score", *FILES, "--metrics", "muc"])
    bare = CliRunner().invoke(command, [*FILES, "--metrics", "muc"])
    assert (named.exit_code, named.stdout) == (0, bare.stdout)


def test_behind_score_every_word_is_a_file() -> None:
    result = CliRunner().invoke(command, ["score", FILES[0], "compare"])
    assert result.stderr.startswith("error: compare: ")
    first = CliRunner().invoke(command, ["score", "compare", FILES[0]])
    assert first.stderr.startswith("error: compare: ")


def test_python_runs_the_package() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scoref", *FILES, "--score-only"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "81.71\n")


def test_commands_are_loaded_when_they_are_wanted() -> None:
    done = ran("import sys, scoref.cli; print(*sys.modules)")
    modules = done.stdout.split()
    assert not {f"scoref.tools.{name}.command" for name in COMMANDS} & {*modules}


def test_a_misspelt_command_is_no_missing_file() -> None:
    result = CliRunner().invoke(command, ["explian", "key.conll", "response.conll"])
    assert result.exit_code == 2
    assert "neither a file nor a command. Did you mean explain" in result.stderr


def test_a_file_may_have_the_name_of_almost_a_command(tmp_path: Path) -> None:
    with chdir(tmp_path):
        Path("explian").write_text("nothing", encoding="utf-8")
        result = CliRunner().invoke(command, ["explian", "response.conll"])
    assert "did you mean" not in result.stderr


@pytest.mark.parametrize(("called", "variant"), VARIANTS.items())
def test_a_variant_of_a_command_has_its_own_help(
    called: tuple[str, str], variant: str
) -> None:
    by_option = run(*called, "-h", code=0).stdout
    by_name = run(variant, "-h", code=0).stdout
    assert by_option.startswith(f"Usage: scoref {' '.join(called)} ")
    assert by_option.split("\n\n")[1:] == by_name.split("\n\n")[1:]
    assert called[1] in run(called[0], "-h", code=0).stdout


def test_the_old_name_of_a_variant_gives_the_same() -> None:
    files = (*FILES, FILES[0])
    new = run("compare", *files, "--multiverse", "--resamples", "5", code=0)
    old = run("multiverse", *files, "--resamples", "5", code=0)
    assert new.stdout == old.stdout


@pytest.mark.parametrize("words", [["version"], ["-V"], ["--version"], ["stats", "-V"]])
def test_the_version_is_shown_wherever_people_look_for_it(words: list[str]) -> None:
    assert run(*words, code=0).stdout == f"scoref {__version__}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--metrisc", "muc"], "unknown option '--metrisc'. Did you mean --metrics?"),
        (["--seed", "x"], "invalid value for '--seed': 'x' is not a valid integer"),
        (["--format", "json"], "the input files. Use --output json"),
        (["--scheme", "conll"], "unknown scheme 'conll'. Did you mean conll-2012?"),
        (["--metrics", "ceaf"], "Did you mean ceafe or ceafm? See `scoref metrics`."),
    ],
)
def test_errors_of_every_kind_look_alike(words: list[str], message: str) -> None:
    stderr = run(*FILES, *words, code=2).stderr
    assert stderr.startswith("error: ")
    assert message in stderr.splitlines()[0]
    assert all(line.startswith("  hint: ") for line in stderr.splitlines()[1:])
