"""Heads for mentions of CorefUD files that name none, from the dependency trees.

The official scorer takes the first word of a mention for its head then. Scores follow
it; errors do not, or "the map" would be a pronoun, and a wrong span for "the map".
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scoref.model import Corpus
    from scoref.scheme import Scheme


def with_heads(
    sides: tuple[Corpus, Corpus], scheme: Scheme
) -> tuple[tuple[Corpus, Corpus], Scheme]:
    """Give mentions their heads, and say how to match them.

    Where only one side has heads, mentions match by their words.
    """
    key, response = map(with_tree_heads, sides)
    if scheme.match == "head" and names_heads(key) != names_heads(response):
        scheme = dataclasses.replace(scheme, match="exact")
    return (key, response), scheme


def names_heads(side: Corpus) -> bool:
    """Tell whether heads are known, or not needed since mentions have one word each."""
    words = side.words
    return words is None or words.names_heads or not (words.length > 1).any()


def with_tree_heads(side: Corpus) -> Corpus:
    """Take heads from the trees, if the file names none and has trees."""
    words = side.words
    if words is None or words.tree_head is None or words.tree_upos is None:
        return side
    # What is a zero is up to the official scorer.
    head = np.where(words.is_zero, words.head, words.tree_head)
    upos = np.where(words.is_zero, words.head_upos, words.tree_upos)
    found = words._replace(head=head, head_upos=upos, names_heads=True)
    return dataclasses.replace(side, words=found)
