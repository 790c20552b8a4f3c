"""JSON lines: an object for each row, read as exactly as it is written.

Numbers keep all their digits: an id above 64 bits is not another id's neighbour.
"""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, NoReturn

from scoref.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from scoref.tables.asking import TableReading
    from scoref.tables.files import Files

    Opened = Callable[[str, str], AbstractContextManager[IO[str]]]

Record = dict[str, object]


def json_rows(
    files: Files, reading: TableReading, opened: Opened
) -> Iterator[Sequence[object]]:
    """Give the names of the columns that are needed, then these of every row."""
    every = dict.fromkeys(name for record in _records(files, opened) for name in record)
    if not every:
        raise FormatError("there is no row in this file", source=files.source)
    names = reading.needed(list(every))
    yield names
    for record in _records(files, opened):
        yield [_id(record.get(name)) for name in names]


def _records(files: Files, opened: Opened) -> Iterator[Record]:
    for path in files.paths:
        with opened(path, files.compression) as file:
            yield from _of_file(file, path)


def _of_file(file: IO[str], path: str) -> Iterator[Record]:
    """Read an object of each line, or one list of them."""
    for number, line in enumerate(file, 1):
        if line.isspace():
            continue
        if number == 1 and line.lstrip().startswith("["):
            listed = _decoded(line + file.read(), path, None)
            yield from (_record(each, path, None) for each in _listed(listed))
            return
        yield _record(_decoded(line, path, number), path, number)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _decoded(text: str, path: str, line: int | None) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        problem = f"this is no JSON: {error}"
        shown = text.strip() if line else ""
        raise FormatError(problem, source=path, line=line, text=shown) from error


def _record(value: object, path: str, line: int | None) -> Record:
    if not isinstance(value, dict):
        raise FormatError(
            f"expected an object, found {type(value).__name__}", source=path, line=line
        )
    return value


def _once(pairs: list[tuple[str, object]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return record


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _id(value: object) -> object:
    """Write what is no single value as JSON."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value
