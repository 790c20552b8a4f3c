"""The kinds of errors, in the order in which they are repaired; without NumPy."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of error: names for programs and for people, a sign, what it means.

    Pages show the sign, so that a colour is never all there is.
    """

    name: str
    label: str
    sign: str
    meaning: str


KINDS = (
    Kind(
        "span",
        "span error",
        "↔",
        "a mention was found with words too many or too few",
    ),
    Kind(
        "conflated-entity",
        "conflated entities",
        "∪",
        "an entity was put into another one",
    ),
    Kind(
        "wrong-link",
        "wrong link",
        "≠",
        "mentions of an entity were put into another one, away from the rest of it",
    ),
    Kind(
        "extra-mention",
        "extra mention",
        "+",
        "a mention that the key does not have was put into an entity that it has",
    ),
    Kind(
        "extra-entity",
        "extra entity",
        "++",
        "an entity was made of mentions that the key does not have",
    ),
    Kind(
        "missing-mention",
        "missing mention",
        "−",
        "a mention was not found, though others of its entity were",
    ),
    Kind(
        "missing-entity",
        "missing entity",
        "−−",
        "no mention of an entity was found",
    ),
    Kind(
        "divided-entity",
        "divided entity",
        "÷",
        "a part of an entity was left apart from the rest of it",
    ),
)
"""Each error is of one of them, and is counted once."""

(
    SPAN,
    CONFLATED,
    WRONG_LINK,
    EXTRA_MENTION,
    EXTRA_ENTITY,
    MISSING_MENTION,
    MISSING_ENTITY,
    DIVIDED,
) = range(len(KINDS))
"""Their places in `KINDS`."""
