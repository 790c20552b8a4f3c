"""Repairs of what the official validator rejects, where there is one right answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.tools.check.crac.rules import OFFICIAL_RULES

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.rules import Rule

_MISC = re.compile(rb"^((?:[^\t\n]*\t){9})([^\t\n]*)$", re.MULTILINE)
_ONLY_PART = re.compile(rb"(?<=[^(|=])\[1/1\](?=[-)(|]|$)")
_SPLITS = re.compile(rb"(?<![^|])SplitAnte=([^|]*)")


def _in_entities(change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Make a repair that changes the column MISC where it has entities."""

    def change_row(row: re.Match[bytes]) -> bytes:
        return row[1] + (change(row[2]) if b"Entity=" in row[2] else row[2])

    return lambda data: _MISC.sub(change_row, data)


def _drop_only_parts(misc: bytes) -> bytes:
    return _ONLY_PART.sub(b"", misc)


def _drop_repeated_splits(misc: bytes) -> bytes:
    def once(splits: re.Match[bytes]) -> bytes:
        return b"SplitAnte=" + b",".join(dict.fromkeys(splits[1].split(b",")))

    return _SPLITS.sub(once, misc)


def _drop_extra_blank_lines(data: bytes) -> bytes:
    """Keep one blank line where there are several, and none at the start."""
    return re.sub(rb"\n{3,}", b"\n\n", data).lstrip(b"\n")


OFFICIAL_REPAIRS: tuple[tuple[Rule, Callable[[bytes], bytes]], ...] = tuple(
    (OFFICIAL_RULES[name].rule, change)
    for name, change in (
        ("empty-sentence", _drop_extra_blank_lines),
        ("spurious-entity-id", _in_entities(_drop_only_parts)),
        ("repeated-splitante-relation", _in_entities(_drop_repeated_splits)),
    )
)
"""Further repairs for ``--profile crac``, in order."""
