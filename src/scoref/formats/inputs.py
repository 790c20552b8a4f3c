"""What a caller may pass as a key or a response: a file in any form, or entities.

A file is a path, bytes, a file object, or a data frame with the columns of a table of
mentions. `files_of` turns files into paths and `MemoryFile`s, which the readers take.
`entity_corpora` turns entities into corpora. No library is imported for any of this.
"""

from __future__ import annotations

import os
from math import isnan
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from scoref.errors import OptionError, ScorefError
from scoref.formats.input_files import STANDARD_INPUT, MemoryFile
from scoref.printable import describe, side_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.formats.entities import Documents, Entities, Labelled
    from scoref.model import Corpus

Path: TypeAlias = str | os.PathLike[str]


class SupportsRead(Protocol):
    """A file object, in text mode or in binary mode."""

    def read(self) -> str | bytes:
        """Return the rest of the file."""
        ...


class SupportsColumns(Protocol):
    """A data frame, such as those of pandas and polars."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""
        ...


class SupportsArray(Protocol):
    """An array or a tensor, such as those of NumPy, torch and JAX."""

    def __array__(self) -> Any:
        """Return a NumPy array."""
        ...


if TYPE_CHECKING:
    File: TypeAlias = (
        Path | bytes | bytearray | memoryview | SupportsRead | SupportsColumns
    )
    Input: TypeAlias = (
        File | Entities | Documents | Sequence[Entities | Labelled] | SupportsArray
    )


def files_of(*sides: tuple[str, object]) -> list[Path] | None:
    """Return the files that were passed, or None if entities were passed.

    Args:
        sides: what was passed, each after its role in messages: ``key``, ``response``,
            or the name of a system or an annotator.

    Raises:
        OptionError: some are files and others are entities.
        ScorefError: a file cannot be read, or a string is not a path.
    """
    files = [role for role, side in sides if is_file(side)]
    if not files:
        return None
    for role, side in sides:
        if isinstance(side, str):
            _refuse_text(side, role)
    for role, side in sides:
        if not is_file(side):
            raise OptionError(
                f"{side_name(files[0])} is a file, but {side_name(role)} is "
                f"{describe(side)}",
                hint="Give files for all of them, or entities for all of them.",
            )
    _refuse_same_object(sides)
    return [_file_of(side, role) for role, side in sides]


def needed_files(function: str, *sides: tuple[str, object]) -> list[Path]:
    """Return the files that were passed to a function that takes only files."""
    for role, side in sides:
        if not is_file(side):
            raise OptionError(
                f"{function}() needs a file, but {side_name(role)} is {describe(side)}",
                hint="Give a path, the content of a file as bytes, a file object, or "
                "a data frame of mentions.",
            )
    return files_of(*sides) or []


def entity_corpora(
    key: Any,
    response: Any,
    *,
    is_sorted: bool = False,
) -> tuple[Corpus, Corpus]:
    """Make corpora of a key and a response that are entities."""
    from scoref.formats.entities import EntityPairs  # not for files

    return EntityPairs.of(key, response, is_sorted=is_sorted).build()


def name_inputs(inputs: Any, what: str) -> dict[str, Any]:
    """Name one or more systems or annotators that were given without names.

    Paths are their own names. Everything else is called by its number.

    >>> [*name_inputs(["a.conll", [["x", "y"]]], "system")]
    ['a.conll', 'system 2']
    """
    is_one = is_file(inputs) or not hasattr(inputs, "__iter__")
    values = [inputs] if is_one else [*inputs]
    named: dict[str, Any] = {}
    for number, value in enumerate(values, start=1):
        is_path = isinstance(value, str | os.PathLike)
        name = os.fspath(value) if is_path else f"{what} {number}"
        if name in named:
            first = 1 + list(named).index(name)
            raise OptionError(
                f"{what} {number} is the same file as {what} {first}",
                hint='Give names if this is intended: {"a": file, "b": file}.',
            )
        named[name] = value
    return named


_FAST = frozenset((list, dict, tuple))


def is_file(side: object) -> bool:
    """Return whether a value is a file in one of its forms, and not entities."""
    return type(side) not in _FAST and (
        isinstance(side, str | bytes | bytearray | memoryview | os.PathLike)
        or hasattr(side, "read")
        or _is_frame(side)
    )


def _is_frame(side: object) -> bool:
    return type(side).__name__ == "LazyFrame" or (
        hasattr(side, "columns") and hasattr(side, "__getitem__")
    )


def _refuse_same_object(sides: Iterable[tuple[str, object]]) -> None:
    """Refuse a file object that is given twice, because it would then be empty."""
    roles: dict[int, str] = {}
    for role, side in sides:
        first = roles.setdefault(id(side), role)
        if first != role and hasattr(side, "read"):
            raise OptionError(
                f"{side_name(first)} and {side_name(role)} are the same file object, "
                "which can be read only once"
            )


def _file_of(side: Any, role: str) -> Path:
    """Return a path as it is, and read everything else into memory."""
    if isinstance(side, str):
        return side
    if isinstance(side, os.PathLike):
        if isinstance(os.fspath(side), bytes):
            return os.fsdecode(side)
        return side
    if isinstance(side, bytes | bytearray | memoryview):
        return MemoryFile(f"<{role}>", bytes(side))
    if hasattr(side, "read"):
        return _read_object(side, role)
    return _read_frame(side, role)


_LONGEST_NAME, _LONGEST_PATH = 255, 4096  # bytes, on the usual systems


def _refuse_text(path: str, role: str) -> None:
    """Refuse a string that is the content of a file and not its path."""
    if path == STANDARD_INPUT or os.path.lexists(path):
        return
    encoded = path.encode("utf-8", "surrogateescape")
    is_text = (
        "\n" in path
        or "\0" in path
        or len(encoded) > _LONGEST_PATH
        or max(map(len, encoded.split(os.fsencode(os.sep)))) > _LONGEST_NAME
        or (path[:1], path[-1:]) in {("{", "}"), ("[", "]")}
        or path.startswith("#begin document")
    )
    if is_text or not path:
        raise ScorefError(
            f"{side_name(role)} is {describe(path)}, which is not the path of a file",
            hint="A string is taken for a path. Pass the content of a file as bytes: "
            "text.encode()",
        )


def _read_object(file: Any, role: str) -> MemoryFile:
    """Read the rest of a file object."""
    own = getattr(file, "name", None)
    name = own if isinstance(own, str) and own else f"<{role}>"
    try:
        content = file.read()
    except (OSError, ValueError, TypeError) as error:  # closed, or open for writing
        raise ScorefError(
            f"{side_name(role)} is {describe(file)} that cannot be read: {error}"
        ) from error
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    if not isinstance(content, bytes | bytearray | memoryview):
        raise ScorefError(
            f"{side_name(role)} is {describe(file)}, and its read() does not return "
            f"text or bytes but {describe(content)}",
        )
    if not content and _is_at_end(file):
        raise ScorefError(
            f"{side_name(role)} is {describe(file)} that is at its end",
            hint="scoref reads from the current position. Use file.seek(0).",
        )
    return MemoryFile(name, bytes(content))


def _is_at_end(file: Any) -> bool:
    """Return whether a file object without more content has been read before."""
    try:
        return bool(file.tell() > 0)
    except (AttributeError, OSError, ValueError):
        return False


_REQUIRED = ("document", "entity", "start", "end")


def _read_frame(frame: Any, role: str) -> MemoryFile:
    """Write a data frame of mentions as a table of mentions."""
    import csv
    import io

    if type(frame).__name__ == "LazyFrame":
        frame = frame.collect()
    names = list(getattr(frame, "column_names", None) or frame.columns)
    known = [str(name).strip().lower() for name in names]
    missing = [name for name in _REQUIRED if known.count(name) != 1]
    if missing:
        times = "are two columns" if known.count(missing[0]) else "is no column"
        raise ScorefError(
            f"{side_name(role)} is {describe(frame)}: there {times} '{missing[0]}'",
            hint="A frame has a row for each mention, with the columns document, "
            "entity, start and end. For records with one label each, use "
            "scoref.score_table.",
        )
    columns = [_values(frame[name]) for name in names]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(known)
    required = [known.index(name) for name in _REQUIRED]
    for number, row in enumerate(zip(*columns, strict=True)):
        cells = [_cell(value) for value in row]
        for place in required:
            if not cells[place]:
                raise ScorefError(
                    f"{side_name(role)} is {describe(frame)}: row {number} has no "
                    f"'{known[place]}'"
                )
        writer.writerow(cells)
    return MemoryFile(f"<{role}>", text.getvalue().encode())


def _values(column: Any) -> list[object]:
    """Return the values of a column."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _cell(value: object) -> str:
    """Write a value as a cell; missing values are empty, and 3.0 is 3."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return ""
    if isinstance(value, float):
        if isnan(value):
            return ""
        return str(int(value)) if value.is_integer() else str(value)
    return str(value)
