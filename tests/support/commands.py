"""The one way in which tests run a command in this process, and calls of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.testing import CliRunner

from scoref.cli import COMMANDS, command, load

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from click.testing import Result


def run(
    *arguments: object,
    stdin: str | bytes | None = None,
    code: int | None = None,
    env: Mapping[str, str | None] | None = None,
) -> Result:
    """Run ``scoref`` with the arguments, and check its exit code if one is expected.

    >>> run("docs", "muc", code=0).stdout.splitlines()[0]
    '# MUC'
    """
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(
        command, words, input=stdin, env=env, prog_name="scoref"
    )
    assert code is None or result.exit_code == code, result.output
    return result


def other_calls(known: Collection[str], file: str) -> dict[str, list[str]]:
    """Return a call of each command that is not known, with a file for each argument.

    Tests that call every command have a list of interesting calls. A command that is
    added to `COMMANDS` is called like this until it is on the list.

    >>> other_calls({*COMMANDS} - {"stats", "metrics"}, "key.conll")
    {'metrics': ['metrics'], 'stats': ['stats', 'key.conll']}
    """
    calls = {}
    for name in COMMANDS:
        if name not in known:
            arguments = [
                parameter
                for parameter in load(name).params
                if isinstance(parameter, click.Argument) and parameter.required
            ]
            calls[name] = [name, *([file] * len(arguments))]
    return calls
