"""JSON lines written anew where something in them can be repaired.

A line that needs no repair stays as it is, byte for byte.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FIELDS = ("clusters", "predicted_clusters")


def with_whole_numbers(line: bytes) -> bytes | None:
    """Write offsets such as 3.0 as integers; None if there are none.

    >>> with_whole_numbers(b'{"doc_key": "d", "clusters": [[[0.0, 1]]]}')
    b'{"doc_key": "d", "clusters": [[[0, 1]]]}'
    """
    return _changed(line, _whole)


def without_repetitions(line: bytes) -> bytes | None:
    """Drop what an entity lists a second time; None if there is no such thing."""
    return _changed(line, lambda clusters: [_once(each) for each in clusters])


def without_empty_entities(line: bytes) -> bytes | None:
    """Drop entities without a mention; None if there is none."""
    return _changed(line, lambda clusters: [each for each in clusters if each != []])


def _whole(value: object) -> object:
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _once(mentions: object) -> object:
    if not isinstance(mentions, list):
        return mentions
    return [each for row, each in enumerate(mentions) if each not in mentions[:row]]


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field appears twice: to keep one of them is a choice")
    return fields


def _changed(line: bytes, change: Callable[[list[object]], object]) -> bytes | None:
    """Change the entities of a document, and nothing else."""
    try:
        record = json.loads(line, object_pairs_hook=_fields)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    changed = record | {
        field: change(record[field])
        for field in FIELDS
        if isinstance(record.get(field), list)
    }
    # As text: 3.0 == 3 in Python.
    if repr(changed) == repr(record):
        return None
    blank = " " if b'": ' in line else ""
    written = json.dumps(
        changed, ensure_ascii=line.isascii(), separators=(f",{blank}", f":{blank}")
    )
    return written.encode()
