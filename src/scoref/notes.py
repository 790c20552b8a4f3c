"""Notes on many files, merged into one line for each kind of note.

Notes on anything that may have changed a figure come first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoref.printable import warnings_first

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.model import Note

    Owners = dict[str, int]  # how often a message was noted, by file or system

STILL = frozenset(
    {
        "entity-blocks",
        "few-documents",
        "few-runs",
        "lone-documents",
        "more-swaps",
        "no-significance",
        "one-run",
    }
)
"""Kinds of notes that are not about a score."""

WARNING = "warning: "
"""The beginning of a message on something that is probably wrong."""

_NAMED = 3


def note_lines(notes: Iterable[tuple[str, Note]], of: int = 1) -> list[str]:
    """Write a line for each kind of note, with the names of what it is about.

    Args:
        notes: notes, each with the name of the file or system that it is about.
        of: how many files or systems there are; a note on all of them names none.
    """
    kinds: dict[tuple[str, str], dict[str, Owners]] = {}
    for who, note in notes:
        message = note.message
        # Messages that end in different questions are about different faults.
        question = re.split("[.:] ", message)[-1] if message.endswith("?") else ""
        kind = kinds.setdefault((note.kind, question), {})
        kind.setdefault(message, {})[who] = note.count
    ordered = sorted(kinds, key=lambda kind: kind[0] in STILL)
    lines = [line for kind in ordered for line in _lines_of_kind(kinds[kind], of)]
    return warnings_first(lines)


def _lines_of_kind(messages: dict[str, Owners], of: int) -> list[str]:
    """Write a line for each message on all, and one for the others together."""
    common = [message for message, owners in messages.items() if len(owners) >= of]
    rest = [(m, owners) for m, owners in messages.items() if m not in common]
    if not rest:
        return common
    (message, owners), *others = rest
    likewise: Owners = {}
    for _, each in others:
        likewise |= {who: count for who, count in each.items() if who not in owners}
    more = f" The same applies to {_owners_with_counts(likewise)}." if likewise else ""
    return [*common, about(_some_of(list(owners)), f"{message}{more}")]


def about(name: str, message: str) -> str:
    """Put a name before a message, unless it starts with it; a warning stays one.

    >>> about("es", "warning: 2 are odd.")
    'warning: es: 2 are odd.'
    """
    kind = WARNING if message.startswith(WARNING) else ""
    text = message.removeprefix(WARNING)
    if text.startswith((f"{name} ", f"{name}:")):
        return message
    return f"{kind}{name}: {text}"


def _owners_with_counts(owners: Owners) -> str:
    return _some_of([f"{who} ({count})" for who, count in owners.items()])


def _some_of(names: list[str]) -> str:
    """Name some, and count the others."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
