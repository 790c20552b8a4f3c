"""Options of the commands that read tables, and a clean exit on signals.

When a signal ends such a command, the command first removes its temporary files.
"""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from scoref.errors import OptionError
from scoref.records.request import ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Command = TypeVar("Command", bound=Callable[..., object])


def column_options(command: Command) -> Command:
    """Add the options for the columns of records and clusters on both sides."""
    for option in reversed(
        (
            click.option(
                "--record",
                "--mention",
                "mention",
                metavar="COLUMN",
                help="Column of records.  [default: by usual names, such as "
                "id, or the first of two columns; required if there are more]",
            ),
            click.option(
                "--key-record",
                "--key-mention",
                "key_mention",
                metavar="COLUMN",
                help="Column of records in the gold data, if it differs.",
            ),
            click.option(
                "--response-record",
                "--response-mention",
                "response_mention",
                metavar="COLUMN",
                help="Column of records in the prediction, if it differs.",
            ),
            click.option(
                "--gold",
                "--key-cluster",
                "key_cluster",
                metavar="COLUMN",
                help="Column of gold clusters.  [default: by usual names, such as "
                "cluster, or the second of two columns; required if there are more]",
            ),
            click.option(
                "--cluster",
                "--response-cluster",
                "response_cluster",
                metavar="COLUMN",
                help="Column of predicted clusters.  [default: as for --gold]",
            ),
            click.option(
                "--missing-values",
                metavar="LIST",
                help='Clusters that mean "not clustered", separated by commas, in '
                "addition to empty ones.  [default: nan, na, n/a, <na>, null, none, "
                "-1, -1.0]",
            ),
        )
    ):
        command = option(command)
    return command


def pair_options(command: Command) -> Command:
    """Add the options for tables of pairs on either side."""
    sides = (
        ("", "", "", "  [default: by name]"),
        ("key-", "key_", " in the gold data", ", if it differs."),
        ("response-", "response_", " in the prediction", ", if it differs."),
    )
    columns = (
        ("left", "Column of the first record of a pair"),
        ("right", "Column of the second record of a pair"),
        ("label", "Column that says whether a pair matches: 0 or 1"),
        ("score", "Column of the score of a pair"),
    )
    options = [
        click.option(
            "--key-pairs",
            is_flag=True,
            default=None,
            help="The rows of the gold data are pairs of records.  [default: by the "
            "names of the columns]",
        ),
        click.option(
            "--response-pairs",
            is_flag=True,
            default=None,
            help="The rows of the prediction are pairs of records.  [default: by the "
            "names of the columns]",
        ),
        *(
            click.option(
                f"--{prefix}{name}",
                f"{name_prefix}{name}",
                metavar="COLUMN",
                help=f"{text}{where}{end if prefix else '.' + end}",
            )
            for prefix, name_prefix, where, end in sides
            for name, text in columns
        ),
        click.option(
            "--threshold",
            type=float,
            metavar="T",
            help="Count pairs with a score of at least T as links.",
        ),
        click.option(
            "--two-sources/--one-source",
            default=None,
            help="Whether left and right records may have the same ids, as in two "
            "sources.  [default: by the names of the columns]",
        ),
        click.option(
            "--records",
            multiple=True,
            metavar="FILE",
            help="Table of all records, so that records in no pair count. With two "
            "sources, give it twice: left, then right.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def reading_options(command: Command) -> Command:
    """Add the options for reading tables."""
    for option in reversed(
        (
            click.option(
                "--engine",
                type=click.Choice(("duckdb", "spark", "numpy")),
                help="Engine to read and count records with.  [default: depends on the "
                "size of the input]",
            ),
            click.option(
                "--memory",
                metavar="SIZE",
                help="Memory limit of the engine, such as 2GB; the rest goes to disk.",
            ),
            click.option(
                "--header/--no-header",
                default=None,
                help="Whether the first line of CSV and TSV has column "
                "names.  [default: detected]",
            ),
            click.option(
                "--table",
                multiple=True,
                metavar="NAME",
                help="Table of a database file; repeat it to name one for each file.",
            ),
            click.option(
                "--remote",
                is_flag=True,
                help="Allow remote files, such as s3://… and hdfs://…",
            ),
        )
    ):
        command = option(command)
    return command


def reading_arguments(options: Mapping[str, object]) -> dict[str, Any]:
    """Return options as arguments of Python functions: ``table`` is a name or two."""
    names = options["table"]
    assert isinstance(names, tuple)
    return {**options, "table": table_argument(names)}


def table_argument(names: Sequence[str]) -> str | tuple[str, str] | None:
    """Return the names of --table as functions take them: one name, or two."""
    if len(names) > len(ROLES):
        raise OptionError("--table can be given once, or once for each of two files")
    if len(names) == len(ROLES):
        return names[0], names[1]
    return names[0] if names else None


def refuse_standard_input(*files: str) -> None:
    """Refuse standard input, because tables are read twice."""
    if "-" in files:
        raise OptionError(
            "tables are read twice, so they cannot come from standard input"
        )


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Exit on a signal as on Ctrl-C, so that temporary files are removed."""
    received: list[int] = []

    def leave(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_IGN)  # so that the removal is not interrupted
        received.append(number)
        raise KeyboardInterrupt

    # Only signals that would end the process, and that have no handler yet.
    numbers: list[int] = []
    if threading.current_thread() is threading.main_thread():
        names = ("SIGTERM", "SIGHUP")  # not every system has both
        known = [getattr(signal, name) for name in names if hasattr(signal, name)]
        numbers = [n for n in known if signal.getsignal(n) == signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, leave)
    try:
        yield
    except KeyboardInterrupt:
        if received:
            sys.exit(128 + received[0])  # the exit code that shells use
        raise
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
