"""Warnings about figures that are low, or high, for a reason other than the system.

The reasons are files in the wrong order, a response that is the key itself, and
singletons on one side only. Offsets that are counted differently are found where
mentions are matched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from scoref.formats import FORMATS
from scoref.model import Note
from scoref.notes import WARNING

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.model import Corpus

ENOUGH = 20  # mentions; fewer may be the same by chance
_MANY_ENTITIES = 20  # fewer may happen to have no singleton
_SOME_SINGLETONS = 0.01  # of the mentions; fewer hardly move a figure
_KEYS = frozenset(("key", "keys", "gold", "golds", "reference", "truth"))
_RESPONSES = frozenset(
    (
        *("response", "responses", "system", "systems", "sys", "output", "outputs"),
        *("pred", "preds", "predicted", "prediction", "predictions"),
    )
)


def suspicions(key: Corpus, response: Corpus, table: Contingency) -> list[Note]:
    """Say what is probably not as it was meant."""
    found = []
    if look_swapped(key.source, response.source):
        message = f"{WARNING}{key.source} was given as the key, and {response.source} "
        found.append(Note("swapped-files", 1, f"{message}as the response: swapped?"))
    if key.source != response.source and _are_equal(table):
        message = f"{WARNING}{response.source} has the mentions and entities of the "
        found.append(Note("same-as-key", 1, f"{message}key: is it a response?"))
    return [*found, *_one_sided_singletons(key, response, table)]


def look_swapped(key: str, response: str) -> bool:
    """Tell by names whether key and response were given in the wrong order.

    >>> look_swapped("out/response.conll", "key.conll"), look_swapped("a", "key.conll")
    (True, False)
    """
    ours, theirs = _words(key), _words(response)
    is_response = bool(ours & _RESPONSES) and not ours & _KEYS
    return is_response and bool(theirs & _KEYS) and not theirs & _RESPONSES


def _words(path: str) -> set[str]:
    """List the words of a file's name, and of its folder's."""
    return set(re.split(r"[^a-z]+", "/".join(re.split(r"[/\\]", path)[-2:]).lower()))


def _are_equal(table: Contingency) -> bool:
    """Tell whether both sides have the same mentions in the same entities."""
    count = len(table.overlap)
    if not len(table.key_size) == len(table.response_size) == count:
        return False
    if table.key_mentions.sum() < ENOUGH:
        return False
    sizes = table.key_size[table.cell_key], table.response_size[table.cell_response]
    return all(np.array_equal(size, table.overlap) for size in sizes)


def _one_sided_singletons(
    key: Corpus, response: Corpus, table: Contingency
) -> list[Note]:
    """Warn that only one side has singletons: the other probably never has any.

    This is certain for formats of systems that do not write singletons. For others it
    is likely if none of many entities is one.
    """
    sides = (
        ("response", response, table.response_size, "key", table.key_size, "recall"),
        ("key", key, table.key_size, "response", table.response_size, "precision"),
    )
    notes = []
    for role, side, sizes, other, other_sizes, figure in sides:
        known = FORMATS.get(side.format)
        few = 1 if known and not known.has_singletons else _MANY_ENTITIES
        count = int((other_sizes == 1).sum())
        share = count / max(1, int(other_sizes.sum()))
        if len(sizes) < few or (sizes == 1).any() or share < _SOME_SINGLETONS:
            continue
        message = (
            f"{WARNING}the {role} has no singletons, but the {other} has {count:,} "
            f"({share:.0%} of its mentions). This lowers {figure}. Use --singletons "
            "drop (singletons=drop) to leave them out."
        )
        kind = "no-singletons" if role == "response" else "no-singletons-in-key"
        notes.append(Note(kind, count, message))
    return notes
