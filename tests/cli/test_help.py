"""Help fits a terminal, sorts options, and has examples that work."""

from __future__ import annotations

import shlex

import click
import pytest
from click.testing import CliRunner

from scoref.cli import COMMANDS, command, load
from scoref.terminal.help import CONVENTIONS, GROUPS, REST, Command, ConventionOption

SCORING = ["", "compare", "errors", "llm", "report", "score"]
LEAVING = {"help", "help_conventions", "signature_help", "version", "rules"}

every_command = pytest.mark.parametrize("name", ["", *COMMANDS])


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
        assert context.command is loaded("" if name == "score" else name)


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
    assert "`scoref --help-conventions` tells what each of them is." in text


@pytest.mark.parametrize("name", SCORING)
def test_all_conventions_are_explained_once(name: str) -> None:
    text = " ".join(helped(name, "--help-conventions").split())
    conventions = [
        each for each in loaded(name).params if isinstance(each, ConventionOption)
    ]
    assert all(text.count(str(each.help)) == 1 for each in conventions)


def test_conventions_fit_a_terminal() -> None:
    lines = helped("", "--help-conventions").splitlines()
    assert max(map(len, lines)) <= 80


def test_other_conventions_are_explained_where_they_are() -> None:
    assert "--missing [error|empty|key]" in helped("explain")
    assert "--duplicates [error|first|last]" in helped("table")
