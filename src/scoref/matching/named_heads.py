"""Warnings about the heads of CorefUD's mentions, where heads decide who matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.model import Note
from scoref.notes import WARNING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Words
    from scoref.scheme import Scheme

_UNLIKELY = (
    5  # heads that one side has elsewhere than in the first word, if it is alike
)


def head_notes(key: Corpus, response: Corpus, scheme: Scheme) -> list[Note]:
    """Warn of a side without heads, and of one whose heads are all first words.

    The official scorer takes first words for heads where a file names none. Many
    systems write 1 for every head. A partial match looks at the key's heads only.
    """
    sides = {"key": key, "response": response}
    if scheme.match == "partial":
        del sides["response"]
    elif scheme.match != "head":
        return []
    for role, side in sides.items():
        words = side.words
        count = 0 if words is None else int((words.length > 1).sum())
        # If both sides lack heads, what is said of the key goes for both.
        if words is not None and not words.names_heads and count:
            return [_without_heads(role, side, count)]
    if key.words is None or response.words is None:
        return []
    both = [_first_words("key", key.words, response.words)]
    if "response" in sides:
        both.append(_first_words("response", response.words, key.words))
    return [note for note in both if note]


def _without_heads(role: str, side: Corpus, count: int) -> Note:
    each = f"The first word of each of {count:,} mentions was"
    if count == 1:
        each = "The first word of 1 mention was"
    message = (
        f"{WARNING}{side.source} has no heads. {each} used, as in the official scorer. "
        "Use --match exact to avoid this."
    )
    return Note("no-heads" if role == "key" else "no-heads-in-response", count, message)


def _first_words(role: str, ours: Words, theirs: Words) -> Note | None:
    """Warn if all heads of one side are first words, and many of the other are not."""
    is_first, other = _is_first_word(ours), _is_first_word(theirs)
    share = float(other.mean()) if len(other) else 1.0
    count = len(is_first)
    if not is_first.all() or count * (1 - share) < _UNLIKELY:
        return None
    others = "key" if role == "response" else "response"
    message = (
        f"{WARNING}all heads of the {role} are 1: the first word is the head of each "
        f"of its {count:,} mentions of several words, but only of {share:.0%} of the "
        f"{others}'s. Mentions with different heads do not match, so the figures are "
        "too low. Set the heads from the trees (corefud.MoveHead of Udapi does this), "
        "or use --match exact."
    )
    kind = "first-word-heads"
    return Note(kind if role == "response" else f"{kind}-in-key", count, message)


def _is_first_word(words: Words) -> NDArray[np.bool_]:
    """Tell of each mention of several words whether its first word is its head."""
    rows = np.flatnonzero(words.length > 1)
    is_first: NDArray[np.bool_] = words.head[rows] == words.member[words.start[rows]]
    return is_first
