"""Functions that write files completely or not at all, and never over an input.

All output of commands is written here. Files that are read or written are identified
by device and inode, so an input is protected even if the output is given as another
path, a link or a pattern.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

from scoref.errors import FormatError, OptionError
from scoref.printable import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TextIO

    Path = str | os.PathLike[str]
    Place = tuple[int, int] | str

STANDARD = "-"
"""The path that means standard input or output."""

_TAKEN: ContextVar[dict[Place, str] | None] = ContextVar("taken", default=None)


@contextmanager
def one_run() -> Iterator[None]:
    """Remember which files are read and written until the end of a run."""
    token = _TAKEN.set({})
    try:
        yield
    finally:
        _TAKEN.reset(token)


def keep_from_writing(file: Path | int, name: str) -> None:
    """Record that a file, given by its path or descriptor, is read in this run."""
    taken = _TAKEN.get()
    if taken is not None:
        taken |= dict.fromkeys(_identity(file), f"'{name}' is an input")


def claim(outputs: Iterable[str], inputs: Iterable[str] = ()) -> None:
    """Refuse outputs that are inputs, or each other, before anything is computed."""
    taken: dict[Place, str] = {}
    for path in inputs:
        taken |= dict.fromkeys(_identity(path), f"'{path}' is an input")
    for path in outputs:
        if path != STANDARD:
            _refuse(path, taken)
            taken |= dict.fromkeys(_places(path), f"'{path}' is another output")


def write_output(path: str, data: bytes) -> None:
    """Write a file, or to standard output."""
    if path == STANDARD:
        write_standard(data)
    else:
        write_whole(path, data)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; if that fails, what was there before stays."""
    if os.path.exists(path) and not os.path.isfile(path):
        with writing_to(path), open(path, "wb") as device:
            device.write(data)
    else:
        write_all({path: data})


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write files; none of them gets its name before all are written."""
    written: list[tuple[Path, str, str]] = []
    try:
        for path, data in files.items():
            with writing_to(path):
                target = os.path.realpath(path)
            _refuse(path, _TAKEN.get() or {})
            beside = _beside(target)
            written.append((path, beside, target))
            with writing_to(path):
                _write(beside, data, _mode(target))
        for path, beside, target in written:
            with writing_to(path):
                os.replace(beside, target)
            taken = _TAKEN.get()
            if taken is not None:
                taken |= dict.fromkeys(_places(path), f"'{path}' is another output")
    finally:
        for _, beside, _ in written:
            with suppress(OSError):
                os.unlink(beside)


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder of files; it appears when all files are written."""
    target = os.path.realpath(path)
    beside = _beside(target)
    above = _missing_above(target)
    try:
        with writing_to(path):
            for name, data in files.items():
                file = os.path.join(beside, name)
                os.makedirs(os.path.dirname(file), exist_ok=True)
                _write(file, data)
            if os.path.isdir(target):
                os.rmdir(target)
            os.rename(beside, target)
    finally:
        import shutil

        shutil.rmtree(beside, ignore_errors=True)
        for folder in above:  # stays if the new folder is in it
            with suppress(OSError):
                os.rmdir(folder)


def _missing_above(target: str) -> list[str]:
    """List the folders above a file that do not exist, the innermost first."""
    missing = []
    above = os.path.dirname(target)
    while above and not os.path.lexists(above):
        missing.append(above)
        above = os.path.dirname(above)
    return missing


def write_standard(data: bytes) -> None:
    """Write data to standard output; for a terminal, they are made printable."""
    stream = standard_output()
    stream.flush()
    if stream.isatty():
        # The terminal's encoding may be another.
        stream.write(printable_lines(data.decode("utf-8", "surrogateescape")))
        stream.flush()
        return
    stream.buffer.write(data)
    stream.buffer.flush()


def standard_output() -> TextIO:
    """Return standard output, which may be closed, as by `>&-`."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    return sys.stdout


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Turn an OSError into a message that names the file."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader of a pipe has closed it
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise FormatError(
            f"cannot be written: {why.lower()}",
            source=str(path),
            hint="Check the path and its permissions.",
        ) from error


def packed(path: Path, data: bytes) -> bytes:
    """Compress data if the file's name ends in .gz, .xz or .bz2."""
    name = os.fspath(path)
    if name.endswith(".gz"):
        import gzip

        return gzip.compress(data, mtime=0)
    if name.endswith(".xz"):
        import lzma

        return lzma.compress(data)
    if name.endswith(".bz2"):
        import bz2

        return bz2.compress(data)
    if name.endswith((".zst", ".zip")):
        raise OptionError(
            f"'{name}': scoref writes .gz, .xz and .bz2 files. Choose one of these, or "
            "compress the file yourself"
        )
    return data


def _refuse(path: Path, taken: Mapping[Place, str]) -> None:
    """Refuse a file that this run reads or writes."""
    for place in _places(path):
        if place in taken:
            raise OptionError(
                f"'{path}' would be overwritten: {taken[place]} of the same command. "
                "Give another file"
            )


def _places(path: Path) -> list[Place]:
    """Return the identity of a file: its inode, and where it is or will be."""
    if os.path.exists(path) and not os.path.isfile(path):
        return []  # nothing gets lost in a device or a pipe
    return [*_identity(path), os.path.realpath(path)]


def _identity(file: Path | int) -> list[Place]:
    """Return the device and inode of a regular file, if there is one."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return []
    return [(status.st_dev, status.st_ino)] if stat.S_ISREG(status.st_mode) else []


def _beside(target: str) -> str:
    return f"{target}.{os.urandom(4).hex()}.part"


def _mode(target: str) -> int | None:
    """Return the permissions of a file that is replaced."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except OSError:
        return None


def _write(target: str, data: bytes, mode: int | None = None) -> None:
    """Create a file and fsync it, with the permissions of the file it replaces."""

    def open_new(path: str, flags: int) -> int:
        return os.open(path, flags, 0o666 if mode is None else 0o600)

    # Not by pathlib, which takes 5 ms to load.
    with open(target, "xb", opener=open_new) as file:
        file.write(data)
        file.flush()
        if mode is not None:
            os.chmod(target, mode)
        # A rename may reach the disk before what was renamed does.
        os.fsync(file.fileno())
