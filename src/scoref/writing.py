"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress

from scoref.errors import FormatError


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file; if that fails, what was there before stays."""
    try:
        target = os.path.realpath(path)
        is_device = os.path.exists(target) and not os.path.isfile(target)  # noqa: PTH110, PTH113
        (_write if is_device else _replace)(target, data)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise FormatError(
            f"cannot be written: {why.lower()}",
            source=str(path),
            hint="check the path and its permissions",
        ) from error


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
