"""The header of a CorefUD file, told from the brackets if it is lost.

    # global.Entity = eid-etype-head-other

It is evident only where all opening brackets have the same number of fields, the
first is what closing brackets call their entities, and the third is a number or empty.
"""

from __future__ import annotations

import re

PREFIX = b"# global.Entity = "
_VALUE = re.compile(rb"[\t|]Entity=([^|\t\r\n]+)")
_BRACKET = re.compile(rb"\(([^()]+)|([^()]+)\)")
_PIECE = re.compile(rb"\[\d+/\d+\]$")
_BY_LENGTH = {1: b"eid", 3: b"eid-etype-head", 4: b"eid-etype-head-other"}
_HEAD = 2


def evident_header(data: bytes) -> bytes | None:
    r"""Say what the header of a file without one must be, if its brackets tell.

    >>> evident_header(b"1\t_\tEntity=(e1-person-1-\n2\t_\tEntity=e1)\n")
    b'eid-etype-head-other'
    >>> evident_header(b"1\t_\tEntity=(e1-person)\n")
    """
    openings: set[bytes] = set()
    closings: set[bytes] = set()
    for value in set(_VALUE.findall(data)):
        for opened, closed in _BRACKET.findall(value):
            (openings if opened else closings).add(opened or closed)
    fields = [opened.split(b"-") for opened in openings]
    lengths = {len(each) for each in fields}
    known = {_name(each[0]) for each in fields}
    if len(lengths) != 1 or not {_name(closed) for closed in closings} <= known:
        return None
    (length,) = lengths
    heads = [each[_HEAD] for each in fields] if length > _HEAD else [b"1"]
    is_number = all(head.isdigit() or not head for head in heads) and any(heads)
    return _BY_LENGTH.get(length) if is_number else None


def _name(text: bytes) -> bytes:
    return _PIECE.sub(b"", text)
