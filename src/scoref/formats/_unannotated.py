"""Text in which nothing says that it is annotated.

A response without any mention is scored: a system may find none. But then something
in the file says what it is, such as a header or a line ``#begin document``. Where there
is no such sign, the file is the wrong one, or in a format that is not read, and 0.00
would be no answer.
"""

from __future__ import annotations

import re
from collections import Counter

from scoref.errors import FormatError, quoted
from scoref.formats import CONLL_2012, FORMATS
from scoref.formats._text import shown, without_bom
from scoref.rules import NOT_ANNOTATED

_WORDS = re.compile(rb"^\d[^\t\n]*(?:\t[^\t\n]*){8}\t([^\t\r\n]*)", re.MULTILINE)
_KEY = re.compile(r"([^=|]+)=")
_MOST_KEYS = 12
_FIRST_LINE = 60


def unannotated(data: bytes, name: str, source: str) -> FormatError | None:
    """Say what was looked for and what is there, unless there is a sign."""
    data = without_bom(data)
    known = FORMATS[name]
    if known.annotation is None or known.annotation.search(data):
        return None
    seen = _first_line(data) if name == CONLL_2012 else _keys(data)
    return FormatError(
        "there is no coreference annotation in this file",
        rule=NOT_ANNOTATED,
        source=source,
        hint=f"looked for {known.looked_for}, found {seen}; if it is {name} without "
        f"any mention, say so: --format {name}",
    )


def _first_line(data: bytes) -> str:
    line = shown(data.lstrip().partition(b"\n")[0])
    brief = line if len(line) <= _FIRST_LINE else f"{line[:_FIRST_LINE]}…"
    return f"no bracket, and a first line '{brief}'"


def _keys(data: bytes) -> str:
    """List what the last column of CoNLL-U holds, the most frequent first."""
    count = Counter(
        key for found in _WORDS.finditer(data) for key in _KEY.findall(shown(found[1]))
    )
    keys = [f"{key}=" for key, _ in count.most_common()]
    return f"{quoted(keys, _MOST_KEYS) or 'nothing'} there"
