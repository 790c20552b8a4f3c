"""How commands run and end: exit codes, and errors without a traceback."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import warnings
from typing import TYPE_CHECKING

import click

from scoref.catalogues import PluginWarning
from scoref.errors import OptionError, ScorefError, did_you_mean
from scoref.notes import WARNING
from scoref.printable import printable
from scoref.terminal.printing import prepare_streams, tell
from scoref.writing import claim, one_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any, TextIO

_INTERRUPTED = 130
_BROKEN_PIPE = 1


class _Output(click.types.StringParamType):
    """A file that a command writes."""


OUTPUT = _Output()
"""The type of options and arguments whose files are written."""


class BadInput(click.ClickException):
    """A problem with a file."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on standard error."""
        click.echo(f"error: {self.message}", file=file or sys.stderr, err=True)


class BadUsage(click.UsageError):
    """A problem with the command line, which looks like a problem with a file."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on standard error."""
        click.echo(f"error: {self.message}", file=file or sys.stderr, err=True)


class MissingParts(BadInput):
    """Some of many files could not be scored; the others were."""


class BelowThreshold(BadInput):
    """A score is lower than --fail-under."""

    exit_code = 3


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """Turn errors that scoref raises on purpose into messages and exit codes."""
    try:
        context = click.get_current_context(silent=True)
        if context is not None:
            claim(*_files_of(context))
        yield
    except OptionError as error:
        raise click.UsageError(str(error)) from error
    except ScorefError as error:
        raise BadInput(str(error)) from error


@contextlib.contextmanager
def alike(*, parsing: str = "") -> Iterator[None]:
    """Let the errors of click look like those of scoref.

    An error while the options of a command are parsed points to its help.
    """
    try:
        yield
    except BadUsage:
        raise
    except click.UsageError as error:
        message = _message_of(error)
        if parsing and "`scoref" not in message:
            command = "scoref score" if parsing == "scoref" else parsing
            message += f"\n  hint: See `{command} -h`."
        raise BadUsage(message, error.ctx) from error


def _message_of(error: click.UsageError) -> str:
    """Return the message in lower case, without a full stop after one clause."""
    if isinstance(error.__cause__, ScorefError):
        return error.message  # printable line by line already
    if isinstance(error, click.NoSuchOption):
        params = error.ctx.command.params if error.ctx else []
        options = [param for param in params if isinstance(param, click.Option)]
        names = [name for option in options for name in option.opts]
        meant = did_you_mean(error.option_name, names)
        text = f"unknown option '{error.option_name}'"
        return printable(f"{text}. {meant}" if meant else text)
    text = re.sub(r"\s*\n\s*", " ", error.format_message())
    text = text.replace("integer range", "integer").replace("float range", "number")
    if text[1:2].islower():
        text = text[0].lower() + text[1:]
    return printable(text if ". " in text else text.removesuffix("."))


def _files_of(context: click.Context) -> tuple[list[str], list[str]]:
    """List the files that a command writes, and those that it reads."""
    outputs, inputs = [], []
    for param in context.command.params:
        value = context.params.get(param.name or "")
        given = [value] if isinstance(value, str) else value
        if isinstance(param.type, _Output) and isinstance(value, str):
            outputs.append(value)
        elif (
            isinstance(param, click.Argument) or param.metavar == "FILE"
        ) and isinstance(given, list | tuple):
            # NAME=PATH,PATH has paths, too.
            for path in given:
                named = path.partition("=")[2]
                inputs += [path, named, *path.split(","), *named.split(",")]
    return outputs, inputs


@contextlib.contextmanager
def running() -> Iterator[None]:
    """Run a command and end it properly, also after Ctrl-C or a closed pipe."""
    prepare_streams()
    try:
        with one_run(), _plugin_warnings():
            yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        _show(error)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        tell("interrupted", err=True)
        sys.exit(_INTERRUPTED)
    except MemoryError:
        tell(f"error: not enough memory for {_largest()}", err=True)
        sys.exit(BadInput.exit_code)
    except BrokenPipeError:
        _give_up_output()
        sys.exit(_BROKEN_PIPE)
    except OSError as error:
        # Files that cannot be read have their own errors: this is the output.
        tell(f"error: cannot write the output: {error.strerror}", err=True)
        _give_up_output()
        sys.exit(1)


@contextlib.contextmanager
def _plugin_warnings() -> Iterator[None]:
    """Print a warning about a plugin like any other warning of scoref."""
    show_other = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, PluginWarning):
            tell(f"{WARNING}{message}", err=True)
        else:
            show_other(message, category, filename, lineno, file, line)

    with warnings.catch_warnings():
        warnings.simplefilter("always", PluginWarning)
        warnings.showwarning = show
        yield


def _largest() -> str:
    """Name the largest file of the command line."""
    given = [part.rpartition("=")[2] or part for part in sys.argv[1:]]
    sizes = {part: os.path.getsize(part) for part in given if os.path.isfile(part)}
    if not sizes:
        return "this command"
    name = max(sizes, key=sizes.__getitem__)
    return f"{printable(name)}, which has {sizes[name]:,} bytes"


def _show(error: click.ClickException) -> None:
    """Print a message; our own errors are printable line by line already."""
    own = isinstance(error, BadUsage) or isinstance(error.__cause__, ScorefError)
    if not own:
        vars(error)["message"] = printable(error.message)
    error.show(sys.stderr)


def _give_up_output() -> None:
    """Discard further output, so that the interpreter does not complain at its end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
