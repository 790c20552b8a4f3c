"""Notes on many files, merged into one line for each kind of note.

Notes on anything that may have changed a figure come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.model import Note

    Owners = dict[str, int]  # how often it was noted of each

STILL = frozenset(
    {
        "entity-blocks",
        "few-documents",
        "lone-documents",
        "more-swaps",
        "no-significance",
    }
)
"""Kinds of notes that are not about a score."""

WARNING = "warning: "
"""What a message begins with if something is probably wrong."""

_NAMED = 3


def note_lines(told: Iterable[tuple[str, Note]], of: int = 1) -> list[str]:
    """Write a line for each kind of note, with those of whom it was told.

    Args:
        told: notes, each with the name of the file or system that it is about.
        of: how many there are; what was told of all of them names none.
    """
    kinds: dict[tuple[str, str], dict[str, Owners]] = {}
    for who, note in told:
        kind = note.kind, _question(note.message)
        kinds.setdefault(kind, {}).setdefault(note.message, {})[who] = note.count
    ordered = sorted(kinds, key=lambda kind: kind[0] in STILL)
    return [line for kind in ordered for line in _of_kind(kinds[kind], of)]


def _question(message: str) -> str:
    """Return the question at the end of a message: other questions, other faults."""
    return message.rpartition(": ")[2] if message.endswith("?") else ""


def _of_kind(messages: dict[str, Owners], of: int) -> list[str]:
    """Give what is true of all a line, and another to all the rest."""
    common = [message for message, owners in messages.items() if len(owners) >= of]
    rest = [(m, owners) for m, owners in messages.items() if m not in common]
    if not rest:
        return common
    (message, owners), *others = rest
    likewise: Owners = {}
    for _, each in others:
        likewise |= {who: count for who, count in each.items() if who not in owners}
    more = ""
    if likewise and message.endswith((".", "?")):
        more = f" Likewise {_counted(likewise)}."
    elif likewise:
        more = f"; likewise {_counted(likewise)}"
    return [*common, about(_listed(list(owners)), f"{message}{more}")]


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


def _counted(owners: Owners) -> str:
    return _listed([f"{who} ({count})" for who, count in owners.items()])


def _listed(names: list[str]) -> str:
    """Name some, and say how many there are beside them."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
