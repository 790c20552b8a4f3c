"""Entities of one mention: some corpora annotate them, OntoNotes does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.matching.duplicates import is_first_of

if TYPE_CHECKING:
    from scoref.matching import Matched, Side


def drop_singletons(matched: Matched) -> Matched:
    """Take the entities of one mention out of both sides."""
    return matched._replace(
        key=_without_singletons(matched.key),
        response=_without_singletons(matched.response),
    )


def drop_short(matched: Matched) -> Matched:
    """Take out entities that have one listing, as coval does."""
    key, response = matched.key, matched.response
    return matched._replace(
        key=key.where(key.size[key.entity] > 1),
        response=response.where(response.size[response.entity] > 1),
    )


def _without_singletons(side: Side) -> Side:
    # Two listings of one mention are still one mention.
    width = np.int64(int(side.mention.max(initial=0)) + 1)
    once = is_first_of(side.entity * width + side.mention)
    size = np.bincount(side.entity[once], minlength=len(side.entity_document))
    return side.where(size[side.entity] > 1)
