"""Two tokenisations of one text, compared by characters that are no white space."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING

from scoref.errors import AlignmentError

if TYPE_CHECKING:
    Span = tuple[int, int]

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Places:
    """Where tokens begin and end, in characters that are no white space."""

    text: str
    border: list[int]
    borders: frozenset[int]

    @classmethod
    def of(cls, tokens: list[str]) -> Places:
        """Count the characters of tokens."""
        words = ["".join(token.split()) for token in tokens]
        border = [0, *accumulate(map(len, words))]
        return cls("".join(words), border, frozenset(border))

    def span(self, mention: Span) -> Span:
        """Find where a mention, by its first and last token, begins and ends."""
        return self.border[mention[0]], self.border[mention[1] + 1]

    def has(self, span: Span) -> bool:
        """Tell whether tokens begin or end where a span does."""
        return self.borders.issuperset(span)


def refuse_other_text(key: Places, response: Places, document: str) -> None:
    """Refuse a response whose characters are not those of the key."""
    if key.text == response.text:
        return
    pairs = enumerate(zip_longest(key.text, response.text))
    place = next(number for number, (a, b) in pairs if a != b)
    shown = [side.text[place : place + _SHOWN] for side in (response, key)]
    raise AlignmentError(
        f"document {document} is another text here: '{shown[0]}' where the key has "
        f"'{shown[1]}' (character {place}, white space left out)",
        source="response",
        hint="key and response must be the same documents in the same order; tokens "
        "may differ, the text may not",
    )
