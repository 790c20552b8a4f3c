"""How words on the command line can go on: what a shell is told if it asks.

Lists are looked up where they are kept, and only then: they may be slow to load.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from click.shell_completion import CompletionItem

    Complete = Callable[
        [click.Context, click.Parameter, str], list[CompletionItem[str]]
    ]

_FILES = ("FILE", "FOLDER", "PATH")


def files(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Let the shell complete a file; it knows how."""
    return click.Path().shell_complete(context, parameter, incomplete)


def commands_and_files(commands: Mapping[str, str]) -> Complete:
    """Complete a file, or a command if nothing stands before it."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        found = files(context, parameter, incomplete)
        if _is_first(context):
            found += items(commands, incomplete, commands)
        return found

    return complete


def with_files(command: click.Command) -> click.Command:
    """Let arguments be completed as files, and options that say that they are."""
    from copy import copy  # noqa: PLC0415 - a shell asks

    command = copy(command)
    command.params = [copy(parameter) for parameter in command.params]
    for parameter in command.params:
        is_argument = isinstance(parameter, click.Argument)
        if isinstance(parameter.type, click.types.StringParamType) and (
            is_argument or parameter.metavar in _FILES
        ):
            parameter.type = click.Path()
    return command


class NameOf(click.ParamType):  # type: ignore[type-arg] # click 8.1 takes none
    """A word of a list that a module has, such as the name of a format."""

    name = "choice"

    def __init__(self, module: str, name: str) -> None:
        self._home = module, name

    def convert(
        self,
        value: str,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Refuse a word that is not in the list."""
        return self._choice().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """Complete a word of the list."""
        return self._choice().shell_complete(ctx, param, incomplete)

    def _choice(self) -> click.Choice[str]:
        return click.Choice([*_listed(*self._home)])


def one_of(module: str, name: str) -> Complete:
    """Complete a word of a list that a module has, or gives if it is called."""
    return lambda _context, _parameter, incomplete: items(
        _listed(module, name), incomplete
    )


def several_of(module: str, *names: str) -> Complete:
    """Complete the last of several words between commas."""

    def complete(
        _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        before, comma, _ = incomplete.rpartition(",")
        given = before.split(",")
        return items(
            [
                f"{before}{comma}{word}"
                for name in names
                for word in _listed(module, name)
                if word not in given
            ],
            incomplete,
        )

    return complete


def _listed(module: str, name: str) -> Iterable[str]:
    found = getattr(import_module(module), name)
    words: Iterable[str] = found() if callable(found) else found
    return words


def items(
    words: Iterable[str], incomplete: str, texts: Mapping[str, str] | None = None
) -> list[CompletionItem[str]]:
    """Give the words that a line can go on with, some with a text beside them."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - a shell asks

    texts = texts or {}
    return [
        CompletionItem(word, help=texts.get(word))
        for word in words
        if word.startswith(incomplete)
    ]


def _is_first(context: click.Context) -> bool:
    """Tell whether no option was given yet."""
    given = click.core.ParameterSource.COMMANDLINE
    names = (parameter.name or "" for parameter in context.command.params)
    return not any(context.get_parameter_source(name) is given for name in names)
