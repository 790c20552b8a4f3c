"""Lines of CoNLL-U that start with some words, and documents without any word."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NEWDOC = re.compile(rb"# newdoc(?:[^\S\n]+id\s*=[^\n]*)?[^\S\n]*(?=\n|$)")
_WORD = re.compile(rb"^[^\S\n]*[^#\s]|^[^\S\n]+#", re.MULTILINE)


def starting_so(data: bytes, beginning: bytes) -> Iterator[int]:
    r"""Find the lines that start so, much faster than by a regular expression.

    >>> list(starting_so(b"# a\n# b\n", b"# b"))
    [4]
    """
    at = data.find(beginning)
    while at >= 0:
        if at == 0 or data[at - 1 : at] == b"\n":
            yield at
        at = data.find(beginning, at + 1)


def without_words(data: bytes) -> list[int]:
    r"""List the lines, from 0, of `# newdoc` with nothing but comments behind it.

    >>> without_words(b"# newdoc id = a\n# newdoc id = b\n1\tAda\n# newdoc")
    [0, 3]
    """
    found = (_NEWDOC.match(data, at) for at in starting_so(data, b"# newdoc"))
    starts = [newdoc.span() for newdoc in found if newdoc]
    behind = (len(data), len(data))
    return [
        data.count(b"\n", 0, start)
        for (start, at), (end, _) in pairwise([*starts, behind])
        if not _WORD.search(data, at, end)
    ]
