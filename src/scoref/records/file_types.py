"""Files of tables: the files that a path stands for, and their format.

The format is detected from the first bytes if the name does not show it. Arrow and
Feather files are validated batch by batch before they are used, because Arrow does not
check offsets as it reads, and a damaged one ends the process. The module also loads the
optional packages that some tables need, or says how to install them.
"""

from __future__ import annotations

import glob
import os
import re
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from scoref.errors import (
    FormatError,
    MissingFileError,
    UnreadableFileError,
    missing_extra,
)
from scoref.writing import keep_from_writing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


_FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".duckdb": "duckdb",
}

_COMPRESSED = (".gz", ".zst", ".xz", ".bz2")


class Stamp(NamedTuple):
    """Identity of a file, to notice that it changed."""

    device: int
    inode: int
    size: int
    changed: int


@dataclass(frozen=True, slots=True)
class Files:
    """Files of one format that are one table."""

    source: str
    format: str
    paths: tuple[str, ...]
    compression: str = ""
    stamps: tuple[Stamp, ...] = ()

    @property
    def is_remote(self) -> bool:
        """Whether it is an address."""
        return not self.stamps

    def check_unchanged(self) -> None:
        """Refuse files that were written to meanwhile, because they are read twice."""
        for path, stamp in zip(self.paths, self.stamps, strict=False):
            if _stamp(path) != stamp:
                raise FormatError(
                    "this file changed while it was read",
                    source=path,
                    hint="Score it when it is complete.",
                )


def find_files(path: str, *, remote: bool = False) -> Files:
    """Find the files of a path, a pattern or a folder, or take an allowed address."""
    if "://" in path and not os.path.exists(path):
        if not remote:
            raise FormatError(
                "this is an address, and by default only local files are read",
                source=path,
                hint="Add --remote (remote=True in Python) if you trust it.",
            )
        kind, compression = _format(path, path, remote=True)
        return Files(path, kind, (path,), compression)
    paths = _expand(path)
    for part in paths:
        keep_from_writing(part, part)
    kinds = {_format(part, path) for part in paths}
    if len(kinds) != 1:
        names = ", ".join(sorted({kind for kind, _ in kinds}))
        raise FormatError(f"these files have several formats: {names}", source=path)
    kind, compression = kinds.pop()
    if kind == "sqlite" and not is_sqlite(paths[0]):
        kind = "duckdb"
    return Files(path, kind, tuple(paths), compression, tuple(map(_stamp, paths)))


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return Stamp(0, 0, -1, 0)
    return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _expand(path: str) -> list[str]:
    """List the file of that name, a folder's parts, or the matches of a pattern."""
    place = Path(path)
    try:
        if place.is_dir():
            return _parts(place)
        if place.exists():
            if not place.is_file():
                raise FormatError(
                    "this is a pipe or a device. Tables are read more than once, "
                    "so they must be files",
                    source=str(place),
                    hint="Write it to a file first.",
                )
            return [path]
        matches = glob.glob(path, recursive=True)
        paths = sorted(match for match in matches if Path(match).is_file())
    except (OSError, ValueError, re.error) as error:
        raise UnreadableFileError.of(error, path) from error
    if not paths:
        raise MissingFileError("this file does not exist", source=path)
    return paths


def _parts(folder: Path) -> list[str]:
    """List the parts in a folder; files that begin with _ or . are about them."""
    try:
        files = [
            str(file)
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name[0] not in "_."
        ]
    except OSError as error:
        source = error.filename or str(folder)
        raise UnreadableFileError.of(error, source) from error
    parquet = [file for file in files if _suffixes(file)[0] in {".parquet", ".pq"}]
    if not files:
        raise FormatError("this folder contains no tables", source=str(folder))
    return parquet or files


def _suffixes(path: str) -> tuple[str, str]:
    name = Path(path)
    compression = name.suffix.lower() if name.suffix.lower() in _COMPRESSED else ""
    stem = name.with_suffix("") if compression else name
    return stem.suffix.lower(), compression


def _format(path: str, source: str, *, remote: bool = False) -> tuple[str, str]:
    """Return format and compression, by the file's name or else by its content."""
    suffix, compression = _suffixes(path)
    if suffix in _FORMATS:
        return _FORMATS[suffix], compression
    detected = None if remote else detect_format(path)
    if detected is None:
        raise FormatError(
            "cannot tell the format from the name or the content of this file",
            source=source,
            hint=f"Known formats are {', '.join(_FORMATS)}.",
        )
    return detected


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
    """Return whether a database is one of SQLite, not of DuckDB."""
    return _first_bytes(path).startswith(_SQLITE)


def detect_format(path: str) -> tuple[str, str] | None:
    """Return a file's format and compression by its content; None if it is unknown."""
    head = _first_bytes(path)
    for sign, suffix, module in _PACKED:
        if head.startswith(sign):
            text = _text_format(_unpack(path, module)) if module else "csv"
            return (text, suffix) if text else None
    for place, sign, kind in _SIGNS:
        if head[place:].startswith(sign):
            return kind, ""
    text = _text_format(head)
    return (text, "") if text else None


def _text_format(head: bytes) -> str | None:
    """Distinguish JSON lines from columns; None if the bytes are not text."""
    if b"\0" in head:
        return None
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return "json" if first in {b"{", b"["} else "csv"


def _first_bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(_ENOUGH)
    except OSError as error:
        raise UnreadableFileError.of(error, path) from error


def _unpack(path: str, module: str) -> bytes:
    packed = import_module(module)
    damaged = EOFError, OSError, getattr(packed, "LZMAError", OSError)
    try:
        with cast("IO[bytes]", packed.open(path, "rb")) as file:
            return file.read(_ENOUGH)
    except damaged as error:
        raise FormatError(f"cannot be read: {error}", source=path) from error


def check_arrow(paths: Sequence[str]) -> list[str]:
    """Refuse damaged files, and return the names of the first file's columns."""
    arrow = import_extra("pyarrow")
    names: list[str] | None = None
    for path in paths:
        try:
            with arrow.memory_map(path) as file:
                reader = import_extra("pyarrow.ipc").open_file(file)
                for number in range(reader.num_record_batches):
                    reader.get_batch(number).validate(full=True)
                names = names or [str(name) for name in reader.schema.names]
        except (arrow.ArrowException, OSError, ValueError, KeyError) as error:
            problem = str(error).partition("\n")[0]
            raise FormatError(f"cannot be read: {problem}", source=path) from error
    return names or []


_NEEDED = {
    "duckdb": ("tables need DuckDB", "table"),
    "pyarrow": ("this table needs Arrow", "table"),
    "pyspark": ("Spark needs PySpark", "spark"),
}


def import_extra(name: str) -> ModuleType:
    """Import an optional package or one of its modules, or say how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise missing_extra(*_NEEDED[name.partition(".")[0]]) from error


def is_installed(name: str) -> bool:
    """Return whether a package is installed."""
    return find_spec(name) is not None
