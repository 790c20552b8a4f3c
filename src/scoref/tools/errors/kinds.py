"""The kinds of errors in the order of repairs, and what errors can be sorted by.

Command-line options use these names, so this module must not import NumPy.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of error: names for programs and for people, its meaning and sentence.

    Pages show the sign as well as a colour. ``sentence`` describes one error. In it,
    ``{ours}`` are mentions of the key and their entity, ``{theirs}`` mentions that the
    key does not have, ``{others}`` the entity that they were put into. A span error has
    the words ``{found}`` instead of ``{wanted}`` and differs by ``{amount}``.
    """

    name: str
    label: str
    sign: str
    meaning: str
    sentence: str
    is_extra: bool = False  # the response has too much


KINDS = (
    Kind(
        "span",
        "span error",
        "↔",
        "a mention was found with words too many or too few",
        "{found} for {wanted}: {amount}",
    ),
    Kind(
        "conflated-entity",
        "conflated entities",
        "∪",
        "an entity was put into another one",
        "{ours} in one entity with {others}",
        is_extra=True,
    ),
    Kind(
        "wrong-link",
        "wrong link",
        "≠",
        "mentions of an entity were put into another one, away from the rest of it",
        "{ours} linked to {others}",
        is_extra=True,
    ),
    Kind(
        "extra-mention",
        "extra mention",
        "+",
        "a mention that the key does not have was put into an entity that it has",
        "{theirs} linked to {others}",
        is_extra=True,
    ),
    Kind(
        "extra-entity",
        "extra entity",
        "++",
        "an entity was made of mentions that the key does not have",
        "{theirs} made an entity",
        is_extra=True,
    ),
    Kind(
        "missing-mention",
        "missing mention",
        "−",
        "a mention was not found, though others of its entity were",
        "{ours} not found",
    ),
    Kind(
        "missing-entity",
        "missing entity",
        "−−",
        "no mention of an entity was found",
        "{ours} not found",
    ),
    Kind(
        "divided-entity",
        "divided entity",
        "÷",
        "a part of an entity was left apart from the rest of it",
        "{ours} left apart from the rest of it",
    ),
)
"""The kinds of errors. Each error has one kind and is counted once."""

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
"""The places of the kinds in `KINDS`."""

BY = {
    "type": "kinds of errors alone",
    "document": "each document",
    "entity-size": "entities of 1, of 2 to 10, and of more mentions",
    "mention-length": "mentions of 1, 2, 3 to 5, 6 to 10, and of more words",
    "mention-class": "zeros, pronouns, names, nouns and others, by the head (CorefUD)",
    "distance": "sentences back to the mention before in the entity",
}
"""The classes by which errors can be counted."""
