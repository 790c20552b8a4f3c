"""JSON in a file: an object a line, an array of them, or objects over many lines."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scoref.errors import FormatError, quoted
from scoref.formats._text import shown, without_bom
from scoref.rules import NOT_JSON

if TYPE_CHECKING:
    from collections.abc import Iterator

    Fields = dict[str, memoryview]

UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")
_BYTE = re.compile(r" \(byte (\d+)\)")
_BETWEEN = re.compile(rb"[ \t\r\n,]*")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:]')
_SHOWN_FIELDS = 12
_BEGINNING = 1 << 16
_LOOKED_AT = 100


class Value(NamedTuple):
    """A value, the line where it starts, and its place in an array if it is in one."""

    data: bytes | memoryview
    line: int
    path: str = ""

    def named(self, error: Exception) -> str:
        """Say what is wrong with it, by its place in the file."""
        return str(error).replace("`$", f"`{self.path}" if self.path else "`$")


def values(data: bytes, source: str) -> Iterator[Value]:
    """Find the values of a file, and see no further into lines than that they are some.

    Raises:
        FormatError: this is neither lines, nor an array, nor whole objects.
    """
    data = without_bom(data)
    start = len(data) - len(data.lstrip())
    if data[start : start + 1] == b"[":
        return _of_array(data, start, source)
    if _is_lines(data, start):
        return _of_lines(data)
    return _one_by_one(data, start, source)


def _is_lines(data: bytes, start: int) -> bool:
    """Tell lines from objects over many lines: there is one line, or a whole one.

    Where the first line is damaged, the second tells.
    """
    end = data.find(b"\n", start)
    if end < 0 or _is_whole(data[start:end]):
        return True
    second = data[end:].lstrip().partition(b"\n")[0]
    return not second or (second.startswith(b"{") and _is_whole(second))


def _is_whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except UNDECODABLE:
        return False
    return True


def _of_lines(data: bytes) -> Iterator[Value]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            yield Value(line, number)


def _of_array(data: bytes, start: int, source: str) -> Iterator[Value]:
    try:
        items = msgspec.json.decode(memoryview(data)[start:], type=list[msgspec.Raw])
    except UNDECODABLE as error:
        raise _malformed(error, data, start, source) from error
    line, at, place = 1, 0, start + 1
    for number, item in enumerate(items):
        found = _BETWEEN.match(data, place)
        place = found.end() if found else place
        line, at = line + data.count(b"\n", at, place), place
        item_bytes = bytes(item)
        yield Value(item_bytes, line, f"[{number}]")
        place += len(item_bytes)


def _one_by_one(data: bytes, start: int, source: str) -> Iterator[Value]:
    """Cut objects off, one behind the other, each over as many lines as it likes."""
    view, line = memoryview(data), 1 + data.count(b"\n", 0, start)
    while start < len(data):
        end = _end_of_value(data, start, source)
        yield Value(view[start:end], line)
        line += data.count(b"\n", start, end)
        start = end


def _end_of_value(data: bytes, start: int, source: str) -> int:
    """Find where the value ends that starts here, with the blanks behind it."""
    try:
        msgspec.json.decode(memoryview(data)[start:], type=msgspec.Raw)
    except UNDECODABLE as error:
        found = _TRAILING.search(str(error))
        if found is None:
            raise _malformed(error, data, start, source) from error
        return start + int(found[1]) - 1
    return len(data)


def _malformed(error: Exception, data: bytes, start: int, source: str) -> FormatError:
    found = _BYTE.search(str(error))
    place = min(start + int(found[1]) if found else len(data), len(data.rstrip()))
    line_start = data.rfind(b"\n", 0, max(place - 1, 0)) + 1
    return FormatError(
        f"this is no JSON: {_BYTE.sub('', str(error))}".replace("JSON is ", ""),
        rule=NOT_JSON,
        source=source,
        line=data.count(b"\n", 0, line_start) + 1,
        text=shown(data[line_start:].partition(b"\n")[0]),
        hint="was the file cut off?" if found is None else "",
        is_final=True,
    )


def first_fields(data: bytes) -> Iterator[Fields]:
    """Give the top-level fields of the first objects of a file, with their values.

    Damaged lines are passed over. Where nothing else is left, the names in the
    beginning of a damaged object are given.
    """
    found = None
    for found in whole_fields(data):
        yield found
    start = without_bom(data[:_BEGINNING]).lstrip()
    if found is None and start.startswith(b"{"):
        yield _names(start)


def whole_fields(data: bytes) -> Iterator[Fields]:
    """Give the top-level fields of the first objects that are not damaged."""
    data = without_bom(data)
    start = len(data) - len(data.lstrip())
    return islice(_whole_fields(data, start), _LOOKED_AT)


def has_field(data: bytes, name: str) -> bool:
    """Tell whether any object of a file has a field, not counting objects in it.

    >>> has_field(b'{"words": ["clusters"]}', "clusters")
    False
    """
    if f'"{name}"'.encode() not in data:
        return False
    data = without_bom(data)
    start = len(data) - len(data.lstrip())
    return any(name in fields for fields in _whole_fields(data, start))


def _whole_fields(data: bytes, start: int) -> Iterator[Fields]:
    if data[start : start + 1] == b"[":
        found: Iterator[bytes | memoryview] = _items(data, start + 1)
    elif _is_lines(data, start):
        found = (value.data for value in _of_lines(data))
    else:
        found = _items(data, start)
    for value in found:
        try:
            fields = msgspec.json.decode(value, type=dict[str, msgspec.Raw])
        except UNDECODABLE:
            continue
        yield {name: memoryview(raw) for name, raw in fields.items()}


def _items(data: bytes, place: int) -> Iterator[bytes | memoryview]:
    """Cut the first objects off a file or an array, as far as they are whole."""
    view = memoryview(data)
    while True:
        found = _BETWEEN.match(data, place)
        place = found.end() if found else place
        if data[place : place + 1] != b"{":
            return
        try:
            end = _end_of_value(data, place, "")
        except FormatError:
            return
        yield view[place:end]
        place = end


def _names(data: bytes) -> Fields:
    """Name the fields of an object that may be cut off, with the rest of the text."""
    depth, last, found = 0, b"", dict[str, memoryview]()
    for token in _TOKEN.finditer(data):
        sign = token[0]
        if sign == b":" and depth == 1 and last:
            found[shown(last[1:-1])] = memoryview(data)[token.end() :]
        depth += sign in {b"{", b"["}
        depth -= sign in {b"}", b"]"}
        last = sign if sign.startswith(b'"') else b""
    return found


def field_names(data: bytes) -> str:
    """Name the fields of the first object, for whoever looks for another one."""
    return quoted(list(next(first_fields(data), {})), _SHOWN_FIELDS)
