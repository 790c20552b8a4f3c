"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from scoref.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file; if that fails, what was there before stays."""
    with writing_to(path):
        target = os.path.realpath(path)
        is_device = os.path.exists(target) and not os.path.isfile(target)  # noqa: PTH110, PTH113
        (_write if is_device else _replace)(target, data)


@contextmanager
def writing_to(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say which file it is that cannot be written."""
    try:
        yield
    except BrokenPipeError:
        raise  # whoever reads a pipe has had enough
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise FormatError(
            f"cannot be written: {why.lower()}",
            source=str(path),
            hint="check the path and its permissions",
        ) from error


def packed(path: str | os.PathLike[str], data: bytes) -> bytes:
    """Compress what is to be written, if the file's name says so."""
    name = os.fspath(path)
    if name.endswith(".gz"):
        import gzip  # noqa: PLC0415 - seldom wanted

        return gzip.compress(data, mtime=0)
    if name.endswith(".xz"):
        import lzma  # noqa: PLC0415

        return lzma.compress(data)
    return data


def _replace(target: str, data: bytes) -> None:
    beside = f"{target}.{secrets.token_hex(4)}.part"
    try:
        _write(beside, data)
        os.replace(beside, target)  # noqa: PTH105
    finally:
        with suppress(OSError):
            os.unlink(beside)  # noqa: PTH108


def _write(target: str, data: bytes) -> None:
    # Not by pathlib, which takes 5 ms to load.
    with open(target, "wb") as file:  # noqa: PTH123
        file.write(data)
