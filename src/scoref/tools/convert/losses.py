"""What a format cannot hold: found, counted, and left out in a known way.

A step looks for one kind of thing that some format cannot hold. It gives the content
without it, how often it was there, and where first. What has gone through all the steps
of a format can be written in it, and comes back as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import ScorefError, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.model import Ints
    from scoref.tools.convert.content import Content


Found = tuple["Content", int, str]
"""What is left, how many there were, and where the first one is."""

LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the target cannot hold.

    ``place`` is where the first one is, and ``outcome`` what becomes of them.
    """

    kind: str
    count: int
    what: str
    outcome: str
    place: str

    def __str__(self) -> str:
        return f"{self.what}: {self.count}, first at {self.place}; {self.outcome}"


class LossError(ScorefError):
    """The target cannot hold all that there is, and nobody said that this is fine."""

    def __init__(self, source: str, target: str, losses: Sequence[Loss]) -> None:
        super().__init__(
            f"{source}: {target} cannot hold all of this",
            hint="--lossy writes the rest",
        )
        self.source = source
        self.target = target
        self.losses = tuple(losses)

    def lines(self) -> list[str]:
        """List what would be lost."""
        problem, *hint = super().lines()
        return [problem, *(f"    {loss}" for loss in self.losses), *hint]


class Step(NamedTuple):
    """One kind of thing: what it is called, what becomes of it, and how to find it.

    ``find`` gives the content without it, how many there were, and where the first
    one is.
    """

    kind: str
    what: str
    outcome: str
    find: Callable[[Content], Found]

    def take(self, content: Content) -> tuple[Content, list[Loss]]:
        """Leave out what there is of this kind."""
        left, count, place = self.find(content)
        loss = Loss(self.kind, count, self.what, self.outcome, place)
        return left, [loss] if count else []


def at_token(content: Content, row: int) -> str:
    """Say where a token is."""
    line = int(content.text.line[row])
    return _at(content, line, int(content.text.document[row]))


def at_mention(content: Content, row: int) -> str:
    """Say where a mention is."""
    document = int(content.mention_document[row])
    return _at(content, int(content.mention_line[row]), document)


def found_mentions(content: Content, rows: Ints, left: Content) -> Found:
    """Say how many mentions there are of a kind, and where the first one is."""
    return left, len(rows), at_mention(content, int(rows[0])) if len(rows) else ""


def _at(content: Content, line: int, document: int) -> str:
    if line:
        return place_of(content.source, line)
    return f"{content.source}, document '{content.documents[document]}'"
