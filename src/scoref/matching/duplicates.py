"""Rules for a mention that one side lists in two entities.

``reference``
    The Perl reference scorer's rule. In the response, a mention that the key has
    stays in the first entity that lists it and is removed from the others; a mention
    that the key does not have stays in all of them. Nothing is removed from the key.
    Scores above 1 are possible.
``first``, ``last``
    On both sides, the first or the last entity that lists a mention keeps it.
``coval``
    Nothing is removed. Lookups of a mention find the last entity that lists it; sizes
    count every listing.
``error``
    The first such mention is reported as an error.

Entities are in the order of their first bracket in the file; for ``coval``, in the
order of their first complete mention.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import DuplicateError, place_of
from scoref.model import Note
from scoref.model.arrays import number_and_first
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.model import Ints
    from scoref.scheme import Duplicates

    Mask = NDArray[np.bool_]

_AS_IN_COVAL = (
    "All entities keep them and the last one gets the credit, as in coval. Figures may "
    "exceed 100."
)
_WHAT_HAPPENED = {
    ("reference", "key"): "All entities keep them, as in the reference scorer.",
    ("reference", "response"): "The first entity keeps those that are in the key, as "
    "in the reference scorer.",
    ("first", "key"): "The first entity keeps them.",
    ("first", "response"): "The first entity keeps them.",
    ("last", "key"): "The last entity keeps them.",
    ("last", "response"): "The last entity keeps them.",
    ("coval", "key"): _AS_IN_COVAL,
    ("coval", "response"): _AS_IN_COVAL,
}


def settle_duplicates(
    matched: Matched, rule: Duplicates
) -> tuple[Matched, tuple[Note, ...]]:
    """Apply a rule to both sides, and note how many mentions it concerns."""
    key, key_notes = _settle_side(matched.key, "key", rule, matched)
    response, response_notes = _settle_side(matched.response, "response", rule, matched)
    if not key_notes and not response_notes:
        return matched, ()
    settled = matched._replace(key=key, response=response)
    return settled, (*key_notes, *response_notes)


def is_first_of(values: Ints) -> Mask:
    """Mark the first row of each value."""
    first = np.zeros(len(values), dtype=np.bool_)
    first[number_and_first(values)[1]] = True
    return first


def first_listed(side: Side) -> Mask:
    """Mark the rows that list their mention for the first time."""
    return is_first_of(side.mention)


def last_listed(side: Side) -> Mask:
    """Mark the rows that list their mention for the last time."""
    if np.bincount(side.mention, minlength=1).max() <= 1:
        return np.ones(len(side.mention), dtype=np.bool_)
    row = np.arange(len(side.mention))
    last = np.empty(int(side.mention.max()) + 1, dtype=np.int64)
    last[side.mention] = row  # of equal mentions, the last row remains
    return np.asarray(last[side.mention] == row)


def _settle_side(
    side: Side, role: str, rule: Duplicates, matched: Matched
) -> tuple[Side, list[Note]]:
    times = np.bincount(side.mention, minlength=1)
    if times.max() <= 1:
        return side, []
    again = ~first_listed(side)
    count, line = int(again.sum()), int(side.line[again].min())
    place = place_of(side.source, line) if line else f"the {role}"
    if rule == "error":
        raise DuplicateError(
            f"this mention is listed twice ({counted(count, 'duplicate')} on this "
            "side)",
            source=side.source,
            line=line or None,
            hint="A mention must be in one entity. Use --duplicates first, last or "
            "reference (duplicates=first in Python) to choose which one.",
        )
    mentions = counted(count, f"{role} mention is", f"{role} mentions are")
    message = f"{WARNING}{mentions} listed more than once (first: {place}). "
    message += _WHAT_HAPPENED[rule, role]
    kept = np.ones(len(side.mention), dtype=np.bool_)
    if rule == "first":
        kept = ~again
    elif rule == "last":
        kept = last_listed(side)
    elif role == "response" and rule == "reference":
        kept = ~again | ~np.isin(side.mention, matched.key.mention)
    return side.where(kept), [Note(f"duplicates-in-{role}", count, message)]
