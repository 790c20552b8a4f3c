"""The one way in which tests run a command in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from scoref.cli import command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.testing import Result


def run(
    *arguments: object,
    stdin: str | bytes | None = None,
    code: int | None = None,
    env: Mapping[str, str | None] | None = None,
) -> Result:
    """Run ``scoref`` with the arguments, and check its exit code if one is expected.

    >>> run("docs", "muc", code=0).stdout.splitlines()[0]
    'MUC'
    """
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(
        command, words, input=stdin, env=env, prog_name="scoref"
    )
    assert code is None or result.exit_code == code, result.output
    return result
