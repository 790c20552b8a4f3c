"""Brackets of CorefUD that need a walk: mentions in pieces, and faults.

One entity's brackets are taken in the order of the file. ``(e1[1/2]`` starts a
mention in pieces and ``(e1[2/2]`` goes on with the first one that still lacks a
piece; the head is counted over the words of all pieces and stands with the last.
A closing bracket closes what was opened last.

One reading of the official scorer is kept because it moves figures: a mention that
is opened and closed at the same word by two brackets runs on to the end of its
sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Part = tuple[int, int]


class Chunk(NamedTuple):
    """A bracket: its kind, its word, and what it says of piece and head."""

    is_opening: bool
    is_closing: bool
    node: int
    part: Part | None
    head: int


@dataclass(slots=True)
class Walked:
    """A mention while its brackets go by: pieces of consecutive nodes."""

    pieces: list[list[int]]
    head_field: int
    part: Part | None
    is_open: bool = False
    head: int = -1

    @property
    def nodes(self) -> list[int]:
        """List its words."""
        return [node for first, last in self.pieces for node in range(first, last + 1)]

    def settle_head(self) -> None:
        """Apply the head's number to the words so far; 0 means the first of many."""
        nodes = self.nodes
        is_word_behind = self.part is not None and self.pieces[-1][0] == nodes[-1]
        if self.head_field > len(nodes):
            raise BracketError("head", nodes[-1])
        if self.head_field > 0 or (self.head_field == 0 and is_word_behind):
            self.head = nodes[self.head_field - 1]


class BracketError(Exception):
    """What is wrong with a bracket, and at which node."""

    def __init__(self, kind: str, node: int) -> None:
        super().__init__(kind)
        self.kind = kind
        self.node = node


@dataclass(slots=True)
class BracketWalk:
    """The brackets of one entity of one document."""

    sentence_end: Callable[[int], int]
    mentions: list[Walked] = field(default_factory=list)
    _open: list[Walked] = field(default_factory=list)

    def take(self, chunk: Chunk) -> None:
        """Take the next bracket."""
        if not chunk.is_opening:
            self._close(chunk)
            return
        mention = self._started(chunk)
        if not chunk.is_closing:
            mention.is_open = True
            self._open.append(mention)
        elif chunk.part is None or _is_last(chunk.part):
            mention.settle_head()

    def unclosed(self) -> list[BracketError]:
        """Say what was never closed."""
        return [BracketError("unclosed", each.pieces[-1][0]) for each in self._open]

    def finish(self) -> list[Walked]:
        """Give the mentions that came to an end."""
        mentions = [mention for mention in self.mentions if not mention.is_open]
        for mention in mentions:
            if mention.head < 0:
                mention.head = mention.pieces[0][0]
        return mentions

    def _started(self, chunk: Chunk) -> Walked:
        if chunk.part is None or chunk.part[0] == 1:
            mention = Walked([[chunk.node, chunk.node]], chunk.head, chunk.part)
            self.mentions.append(mention)
            return mention
        for mention in self.mentions:
            if mention.part and not _is_last(mention.part) and not mention.is_open:
                mention.pieces.append([chunk.node, chunk.node])
                mention.part, mention.head_field = chunk.part, chunk.head
                return mention
        raise BracketError("piece", chunk.node)

    def _close(self, chunk: Chunk) -> None:
        if not self._open:
            raise BracketError("unopened", chunk.node)
        mention = self._open.pop()
        mention.is_open = False
        piece = mention.pieces[-1]
        end = self.sentence_end(piece[1])
        if chunk.node > end or chunk.node < piece[1]:
            self.mentions.remove(mention)
            raise BracketError("sentence", chunk.node)
        piece[1] = end if chunk.node == piece[1] else chunk.node
        if chunk.part is None or _is_last(chunk.part):
            mention.settle_head()


def _is_last(part: Part) -> bool:
    return part[0] == part[1]
