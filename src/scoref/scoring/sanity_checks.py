"""Warnings about figures that are low, or high, for a reason other than the system.

The reasons are files in the wrong order, a response that is the key itself, a response
whose entities are lost, and singletons on one side only. Another warning says that
indices such as ARI cover only mentions that both sides have. `matching.spans` detects
offsets that are counted differently.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from scoref.formats.catalogue import FORMATS
from scoref.metrics import METRICS, scale_of
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scheme import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.contingency import Contingency
    from scoref.model import Corpus


ENOUGH = 20  # mentions; fewer may be the same by chance

_MANY_ENTITIES = 20  # fewer may happen to have no singleton

_FEWEST_ENTITIES = 2  # of the key in each document, where the response has one

_SOME_SINGLETONS = 0.01  # of the mentions; fewer hardly move a figure

_KEYS = frozenset(("key", "keys", "gold", "golds", "reference", "truth"))

_RESPONSES = frozenset(
    (
        *("response", "responses", "system", "systems", "sys", "output", "outputs"),
        *("pred", "preds", "predicted", "prediction", "predictions"),
        *("mention", "mentions", "boundaries", "spans"),  # the key's, as in gold-spans
    )
)


def suspicions(key: Corpus, response: Corpus, table: Contingency) -> list[Note]:
    """Warn of what is probably a mistake."""
    notes = []
    if look_swapped(key.source, response.source):
        message = f"{WARNING}{key.source} was given as the key and {response.source} "
        message += "as the response. Are they swapped?"
        notes.append(Note("swapped-files", 1, message))
    is_one_file = key.source == response.source
    known = FORMATS.get(key.format)
    if is_one_file and known is not None and not known.sides:
        message = f"{WARNING}{key.source} was given as the key and as the response. "
        notes.append(Note("same-file", 1, f"{message}Was the key given twice?"))
    elif _are_equal(table) and is_one_file:
        message = f"{WARNING}Key and response in {key.source} are equal. "
        notes.append(Note("same-file", 1, f"{message}Was the key given twice?"))
    elif _are_equal(table):
        message = f"{WARNING}{response.source} has the same mentions and entities as "
        notes.append(Note("same-as-key", 1, f"{message}the key. Is it a response?"))
    notes += _lost_entities(key, response)
    return [*notes, *_one_sided_singletons(key, response, table)]


@lru_cache(maxsize=64)
def look_swapped(key: str, response: str) -> bool:
    """Tell by names whether key and response were given in the wrong order.

    >>> look_swapped("out/response.conll", "key.conll"), look_swapped("key", "a.conll")
    (True, False)

    A response that is called a key is enough, unless it has gold mentions:

    >>> look_swapped("a", "key.conll"), look_swapped("a", "gold-mentions.conll")
    (True, False)
    """
    ours, theirs = _words(key), _words(response)
    return not ours & _KEYS and bool(theirs & _KEYS) and not theirs & _RESPONSES


def _words(path: str) -> set[str]:
    """Return the words in the names of a file and its folder."""
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


def _lost_entities(key: Corpus, response: Corpus) -> list[Note]:
    """Warn of a response in which nothing, or everything, is linked."""
    if min(len(key.mention_entity), len(response.mention_entity)) < ENOUGH:
        return []
    mentions, entities = _size(response)
    key_mentions, key_entities = _size(key)
    documents = int(np.count_nonzero(np.bincount(response.mention_document)))
    if entities == mentions and key_entities < key_mentions:
        message = (
            f"{WARNING}all {mentions:,} entities of the response are singletons, so it "
            "has no links and MUC is 0. Were the mentions written without clusters?"
        )
        return [Note("no-links", mentions, message)]
    if entities == documents and key_entities >= _FEWEST_ENTITIES * documents:
        where = "" if documents == 1 else f" in each of {documents:,} documents"
        message = (
            f"{WARNING}the response has one entity{where}, but the key has "
            f"{key_entities:,} entities. Were the entity ids lost?"
        )
        return [Note("one-entity", documents, message)]
    return []


def _size(side: Corpus) -> tuple[int, int]:
    """Count the mentions and entities of one side."""
    # Not by `np.unique`, which loads numpy.ma.
    entities = np.count_nonzero(np.bincount(side.mention_entity))
    return len(side.mention_entity), int(entities)


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
        if len(sizes) < few or (sizes == 1).any():
            continue
        count = int((other_sizes == 1).sum())
        share = count / max(1, int(other_sizes.sum()))
        if share < _SOME_SINGLETONS:
            continue
        message = (
            f"{WARNING}the {role} has no singletons, but the {other} has {count:,} "
            f"({share:.0%} of its mentions). This lowers {figure}. Use --singletons "
            "drop (singletons=drop) to leave them out."
        )
        kind = "no-singletons" if role == "response" else "no-singletons-in-key"
        notes.append(Note(kind, count, message))
    return notes


def coverage_notes(
    common: int, total: int, metrics: Iterable[str], form: str
) -> list[Note]:
    """Warn if indices such as ARI leave mentions out, which other metrics count.

    Args:
        common: how many mentions both sides have.
        total: how many either side has.
        metrics: the metrics that are scored.
        form: the format; tables of records have options that texts lack.
    """
    labels = [
        METRICS[name].label
        for name in metrics
        if scale_of(name) != "percent" and not METRICS[name].package
    ]
    if not labels or common == total:
        return []
    is_records = form == TABLE
    named = f"{', '.join(labels[:-1])} and {labels[-1]}" if labels[1:] else labels[0]
    things = "records" if is_records else "mentions"
    if not common:
        if not is_records:  # texts have a note about everything that is 0/0
            return []
        are = "are" if labels[1:] else "is"
        message = (
            f"{WARNING}{named} {are} undefined, because key and response have no "
            "record in common. --undefined (undefined in Python) decides what is shown."
        )
        return [Note("undefined", len(labels), message)]
    cover = "cover" if labels[1:] else "covers"
    message = (
        f"{WARNING}{named} {cover} only {common:,} of {total:,} {things}, those that "
        f"both sides have. The other {counted(total - common, 'does', 'do')} not "
        f"lower {'these figures' if labels[1:] else 'this figure'}."
    )
    if is_records:
        which = "it" if total - common == 1 else "each of them"
        message += f" With --universe union, {which} is a singleton."
    return [Note("coverage", common, message)]
