"""What figures look like if something else than the system is to blame.

A line each, and only where it shows: a response that is the key itself, and files given
in the wrong order. Offsets that are counted in another way are found where mentions are
matched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from scoref.model import Note
from scoref.notes import WARNING

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.model import Corpus

ENOUGH = 20  # mentions; fewer may be the same by chance
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
    return found


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
