"""When a mention of the response is one of the key's with other words.

    head      each of the two has the other's head among its words: CorefUD names it,
              or has trees, and the parse of a CoNLL-2012 key tells it
    share     they have so many words in common: at least half of both, by default
              (Dice's coefficient, twice the common words by the words of both)
    overlap   they have a word in common

Nobody would call *Czechoslovakia* a wrong span for *a 1977 agreement with
Czechoslovakia*: they overlap, and are two things. Heads tell, where there are any.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError, OptionError

if TYPE_CHECKING:
    from scoref.model import Corpus
    from scoref.tools.errors.mentions import Matching, Mentions

HEAD, SHARE, OVERLAP = "head", "share", "overlap"
RULES = (HEAD, SHARE, OVERLAP)
_HALF = 0.5
_OUTSIDE = -1
_OPTION = "--span-errors head"


class SpanRule(NamedTuple):
    """A rule, and what two mentions must share at least."""

    name: str
    floor: float = 0.0

    @classmethod
    def of(cls, text: str) -> SpanRule:
        """Read a rule as it is typed.

        >>> SpanRule.of("share:0.6"), SpanRule.of("head")
        (SpanRule(name='share', floor=0.6), SpanRule(name='head', floor=0.0))
        """
        name, colon, floor = text.partition(":")
        if name not in RULES or (colon and name != SHARE):
            raise _unknown(text)
        if name != SHARE:
            return cls(name)
        return cls(name, _fraction(floor, text) if colon else _HALF)

    def __str__(self) -> str:
        """Write it as it is typed."""
        return f"{SHARE}:{self.floor:g}" if self.name == SHARE else self.name

    @property
    def meaning(self) -> str:
        """Say when two mentions are taken for one."""
        if self.name == HEAD:
            return "each of the two has the other's head (--span-errors head)"
        if self.name == OVERLAP:
            return "the two have a word in common (--span-errors overlap)"
        share = f"{100 * self.floor:g} % of their words"
        return f"the two have {share} in common (--span-errors {self})"


def rule_of(text: str | None) -> SpanRule | None:
    """Read a rule, if one was asked for."""
    return None if text is None else SpanRule.of(text)


def _fraction(text: str, whole: str) -> float:
    try:
        found = float(text)
    except ValueError:
        raise _unknown(whole) from None
    if math.isnan(found) or not 0 < found <= 1:
        raise _unknown(whole)
    return found


def _unknown(text: str) -> OptionError:
    return OptionError(
        f"no rule for span errors '{text}' (known: head, overlap, share, and share:N "
        "with N above 0 and up to 1)"
    )


def settled(
    matching: Matching, corpora: tuple[Corpus, Corpus], asked: SpanRule | None
) -> tuple[Mentions, Mentions, SpanRule]:
    """Say by which rule spans are paired, and find heads if these are needed.

    Heads decide where there are any, unless something else was asked for.
    """
    ours, theirs = matching.key, matching.response
    if asked is not None and asked.name != HEAD:
        return ours, theirs, asked
    if all(map(_has_heads, corpora)):
        return ours, theirs, SpanRule(HEAD)
    if ours.words is None and corpora[0].parses is not None:
        try:
            return *_with_heads(matching, corpora[0]), SpanRule(HEAD)
        except FormatError:
            # Without a sound parse there are no heads: who insists on them is told.
            if asked is not None:
                raise
    if asked is not None:
        raise OptionError(
            f"{_OPTION} needs mentions with heads or trees (CorefUD), or parses in a "
            "key of CoNLL-2012"
        )
    return ours, theirs, SpanRule(SHARE, _HALF)


def _has_heads(corpus: Corpus) -> bool:
    words = corpus.words
    return words is not None and not words.by_document and words.names_heads


def _with_heads(matching: Matching, key: Corpus) -> tuple[Mentions, Mentions]:
    """Give those that nobody was matched with their heads, by the key's parse."""
    from scoref.matching.heads import head_word  # noqa: PLC0415 - few keys have parses
    from scoref.matching.trees import Trees  # noqa: PLC0415

    trees = Trees(key, wanted_for=_OPTION)
    row = {document.name: row for row, document in enumerate(key.documents)}
    document = [row.get(name, _OUTSIDE) for name in matching.documents]

    def heads(side: Mentions) -> Mentions:
        found = np.full(len(side.row), _OUTSIDE, dtype=np.int64)
        for place in np.flatnonzero(side.partner < 0).tolist():
            span = int(side.first[place]), int(side.last[place])
            head = head_word(trees, document[int(side.document[place])], *span)
            found[place] = _OUTSIDE if head is None else head
        return side._replace(head=found)

    return heads(matching.key), heads(matching.response)
