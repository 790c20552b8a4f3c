"""How commands run and end: exit codes, and errors without a traceback."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from typing import TYPE_CHECKING

import click

from scoref.errors import OptionError, ScorefError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any

_INTERRUPTED = 130
_BROKEN_PIPE = 1


class BadInput(click.ClickException):
    """What is wrong with a file."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message as every tool does."""
        click.echo(f"error: {self.message}", file=file, err=True)


class MissingParts(BadInput):
    """Files among many that could not be scored; the others were."""


class BelowThreshold(BadInput):
    """A score that was asked to be higher."""

    exit_code = 3


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """Turn what scoref raises on purpose into messages and exit codes."""
    try:
        yield
    except OptionError as error:
        raise click.UsageError(str(error)) from error
    except ScorefError as error:
        raise BadInput(str(error)) from error


@contextlib.contextmanager
def running() -> Iterator[None]:
    """Run a command, and leave it properly: also by Ctrl-C or into a closed pipe."""
    # A command's life is short and its data are arrays: there is no garbage to
    # collect, and looking for it takes a tenth of the time.
    gc.disable()
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(_INTERRUPTED)
    except MemoryError:
        click.echo(f"error: there is not enough memory for {_largest()}", err=True)
        sys.exit(BadInput.exit_code)
    except BrokenPipeError:
        # Otherwise the interpreter complains again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_BROKEN_PIPE)
    except OSError as error:
        # Files that cannot be read have their own errors: this is the output.
        click.echo(f"error: cannot write the output: {error.strerror}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _largest() -> str:
    """Name the largest of the files that a command was given."""
    given = [part.rpartition("=")[2] or part for part in sys.argv[1:]]
    sizes = {part: os.path.getsize(part) for part in given if os.path.isfile(part)}  # noqa: PTH113, PTH202
    if not sizes:
        return "this"
    name = max(sizes, key=sizes.__getitem__)
    return f"this: {name}, the largest file, has {sizes[name]:,} bytes"
