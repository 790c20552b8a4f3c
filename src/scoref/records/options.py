"""Options of the commands that read tables, and a clean exit on signals.

When a signal ends such a command, the command first removes its temporary files.
"""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict, TypeVar

import click

from scoref.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Command = TypeVar("Command", bound=Callable[..., object])


_SIDES = 2


class TableChoices(TypedDict):
    """How tables are read, as functions of Python take it."""

    engine: str | None
    memory: str | None
    header: bool | None
    table: str | tuple[str, str] | None
    remote: bool


def mentions(command: Command) -> Command:
    """Add what names the columns of mentions and clusters on both sides."""
    for option in reversed(
        (
            click.option(
                "--mention",
                metavar="COLUMN",
                help="Mentions.  [default: of two files the first column, else by its "
                "name]",
            ),
            click.option(
                "--key-mention",
                metavar="COLUMN",
                help="The key's mentions, if the response calls them differently.",
            ),
            click.option(
                "--response-mention", metavar="COLUMN", help="Those of the response."
            ),
            click.option(
                "--key-cluster",
                metavar="COLUMN",
                help="The key's clusters.  [default: the next]",
            ),
            click.option(
                "--response-cluster", metavar="COLUMN", help="Those of the response."
            ),
        )
    ):
        command = option(command)
    return command


def reading(command: Command) -> Command:
    """Add what says how tables are read."""
    for option in reversed(
        (
            click.option(
                "--engine",
                type=click.Choice(("duckdb", "spark", "numpy")),
                help="What counts.  [default: by the size of the input]",
            ),
            click.option(
                "--memory",
                metavar="SIZE",
                help="How much the engine may take, such as 2GB; the rest goes to "
                "disk.",
            ),
            click.option(
                "--header/--no-header",
                default=None,
                help="Whether the first line of CSV and TSV has names.  [default: "
                "detected]",
            ),
            click.option(
                "--table",
                multiple=True,
                metavar="NAME",
                help="Which one of a database file; given twice: one for each file.",
            ),
            click.option(
                "--remote",
                is_flag=True,
                help="Let files be addresses, such as s3://… and hdfs://…",
            ),
        )
    ):
        command = option(command)
    return command


def reading_of(options: Mapping[str, object]) -> TableChoices:
    """Collect what `reading` added."""
    names = options["table"]
    assert isinstance(names, tuple)
    return TableChoices(
        engine=options["engine"],  # type: ignore[typeddict-item]  # as declared
        memory=options["memory"],  # type: ignore[typeddict-item]
        header=options["header"],  # type: ignore[typeddict-item]
        table=tables_of(*names),
        remote=bool(options["remote"]),
    )


def tables_of(*names: str) -> str | tuple[str, str] | None:
    """Give the names of tables as functions take them: one for both sides, or two."""
    if len(names) > _SIDES:
        raise OptionError("--table is given once, or once for each of two files")
    if len(names) == _SIDES:
        return names[0], names[1]
    return names[0] if names else None


def refuse_standard_input(*files: str) -> None:
    """Say that tables are files."""
    if "-" in files:
        raise OptionError("tables are read twice: none can be standard input")


_ENDING = ("SIGTERM", "SIGHUP")  # not every system has both

_SIGNALLED = 128  # is added to the exit code, as shells have it


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """End by a signal as by Ctrl-C, so that nothing stays behind on disk."""
    received: list[int] = []

    def leave(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_IGN)  # tidying up is not interrupted
        received.append(number)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, leave) for number in _open_signals()}
    try:
        yield
    except KeyboardInterrupt:
        if received:
            sys.exit(_SIGNALLED + received[0])
        raise
    finally:
        for number in before:
            signal.signal(number, signal.SIG_DFL)


def _open_signals() -> list[int]:
    """List the signals that would end the process, and that nobody takes care of."""
    if threading.current_thread() is not threading.main_thread():
        return []
    known = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    return [each for each in known if signal.getsignal(each) == signal.SIG_DFL]
