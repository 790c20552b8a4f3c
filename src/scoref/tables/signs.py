"""What the first bytes of a file tell, where its name does not."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import IO, cast

from scoref.errors import FormatError

_SQLITE = b"SQLite format 3\0"
_SIGNS = (
    (0, b"PAR1", "parquet"),
    (0, b"ARROW1", "arrow"),
    (0, _SQLITE, "sqlite"),
    (8, b"DUCK", "duckdb"),
)
_PACKED = (
    (b"\x1f\x8b", ".gz", "gzip"),
    (b"\xfd7zXZ\0", ".xz", "lzma"),
    (b"BZh", ".bz2", "bz2"),
    (b"\x28\xb5\x2f\xfd", ".zst", ""),
)
_ENOUGH = 4096


def is_sqlite(path: str) -> bool:
    """Tell a database of SQLite from one of DuckDB."""
    return _beginning(path).startswith(_SQLITE)


def look_into(path: str) -> tuple[str, str] | None:
    """Tell a file's format, and how it is packed; None if it is neither."""
    head = _beginning(path)
    for sign, suffix, module in _PACKED:
        if head.startswith(sign):
            kind = _text(_unpacked(path, module)) if module else "csv"
            return (kind, suffix) if kind else None
    for place, sign, kind in _SIGNS:
        if head[place:].startswith(sign):
            return kind, ""
    text = _text(head)
    return (text, "") if text else None


def _text(head: bytes) -> str | None:
    """Tell JSON lines from columns; None for what is no text."""
    if b"\0" in head:
        return None
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return "json" if first in {b"{", b"["} else "csv"


def _beginning(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(_ENOUGH)
    except OSError as error:
        problem = f"cannot be read: {str(error.strerror).lower()}"
        raise FormatError(problem, source=path) from error


def _unpacked(path: str, module: str) -> bytes:
    packed = import_module(module)
    damaged = EOFError, OSError, getattr(packed, "LZMAError", OSError)
    try:
        with cast("IO[bytes]", packed.open(path, "rb")) as file:
            return file.read(_ENOUGH)
    except damaged as error:
        raise FormatError(f"cannot be read: {error}", source=path) from error
