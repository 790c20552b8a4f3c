"""Texts and errors packed into a page: as steps from one number to the next, in gzip.

Mentions stand in the order of the text, so that steps are small and pack well.
"""

from __future__ import annotations

import base64
import gzip
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def compressed(value: object) -> str:
    """Write a value as base64 of gzip of JSON."""
    data = gzip.compress(encoded(value), compresslevel=6, mtime=0)
    return base64.b64encode(data).decode("ascii")


def encoded(value: object) -> bytes:
    """Write a value as JSON; bytes that are no text become question marks."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        import json  # noqa: PLC0415 - bytes that are no text are rare

        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def steps(numbers: Iterable[int]) -> list[int]:
    """Give the step from each number to the next; the first is from 0.

    >>> steps([3, 5, 4])
    [3, 2, -1]
    """
    found, last = [], 0
    for number in numbers:
        found.append(number - last)
        last = number
    return found


def mention_steps(mentions: Iterable[Sequence[int]]) -> list[list[int]]:
    """Give entities as they are, and places as steps: from the mention before on.

    >>> mention_steps([(7, 10, 12), (8, 11, 11, 15, 16)])
    [[7, 10, 2], [8, 1, 0, 4, 1]]
    """
    found, last = [], 0
    for entity, *places in mentions:
        first, *rest = steps(places)
        found.append([entity, first - last, *rest])
        last = places[0]
    return found
