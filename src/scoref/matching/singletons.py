"""Entities of one mention: some corpora annotate them, OntoNotes does not."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.matching import Matched, Side


def drop_singletons(matched: Matched) -> Matched:
    """Take the entities of one mention out of both sides."""
    return dataclasses.replace(
        matched,
        key=_without_singletons(matched.key),
        response=_without_singletons(matched.response),
    )


def _without_singletons(side: Side) -> Side:
    # Two listings of one mention are still one mention.
    entity, _ = np.unique(np.stack((side.entity, side.mention)), axis=1)
    size = np.bincount(entity, minlength=len(side.entity_document))
    return side.where(size[side.entity] > 1)
