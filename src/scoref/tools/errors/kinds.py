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
    the words ``{found}`` instead of ``{wanted}`` and differs by ``{amount}``. ``{was}``
    agrees with the number of mentions. ``group`` describes errors that are fixed
    together; ``{what}`` are classes of mentions.
    """

    name: str
    label: str
    sign: str
    meaning: str
    sentence: str
    group: str
    is_extra: bool = False  # the response has too much


KINDS = (
    Kind(
        "span",
        "span error",
        "↔",
        "a mention was found with too many or too few words",
        "{found} instead of {wanted}: {amount}",
        "{what} with wrong boundaries",
    ),
    Kind(
        "conflated-entity",
        "conflated entities",
        "∪",
        "an entity was merged with another entity",
        "{ours} {was} merged with {others}",
        "conflated entities (merged with another entity)",
        is_extra=True,
    ),
    Kind(
        "wrong-link",
        "wrong link",
        "≠",
        "some mentions of an entity were linked to another entity",
        "{ours} {was} linked to {others}",
        "{what} linked to the wrong entity",
        is_extra=True,
    ),
    Kind(
        "extra-mention",
        "extra mention",
        "+",
        "a mention that is not in the key was linked to an entity of the key",
        "{theirs} {was} linked to {others}",
        "{what} not in the key",
        is_extra=True,
    ),
    Kind(
        "extra-entity",
        "extra entity",
        "++",
        "an entity has only mentions that are not in the key",
        "{theirs} {was} made into an entity",
        "entities not in the key",
        is_extra=True,
    ),
    Kind(
        "missing-mention",
        "missing mention",
        "−",
        "a mention was not found, but others of its entity were",
        "{ours} {was} not found",
        "{what} missing from entities that were found",
    ),
    Kind(
        "missing-entity",
        "missing entity",
        "−−",
        "no mention of an entity was found",
        "{ours} {was} not found",
        "entities that were not found",
    ),
    Kind(
        "divided-entity",
        "divided entity",
        "÷",
        "a part of an entity was separated from the rest",
        "{ours} {was} separated from the rest of the entity",
        "entities that were divided",
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
    "kind": "kinds of errors only",
    "document": "each document",
    "entity-size": "entities with 1, 2 to 10, or more mentions",
    "mention-length": "mentions with 1, 2, 3 to 5, 6 to 10, or more words",
    "mention-type": "zeros, pronouns, names, nouns and others",
    "distance": "sentences back to the previous mention of the entity",
    "class": "mentions by the classes of a table (--classes FILE)",
}
"""The classes by which errors can be counted."""

FORMER_BY = {"type": "kind", "mention-class": "mention-type"}
"""Former names of classes, which still work but are not listed."""
