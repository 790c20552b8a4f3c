"""The brackets of mentions, and how mentions of one entity are cut into pieces.

A closing bracket closes what its entity opened last, so what crosses must be cut.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate, groupby
from typing import NamedTuple

Run = tuple[int, int]

_FAR = 1 << 62


class MentionRuns(NamedTuple):
    """Runs of consecutive nodes, and the number of the head among them, from 1."""

    runs: list[Run]
    head: int


class BracketValues:
    """Brackets by node, each with what decides on its place there."""

    def __init__(self) -> None:
        self._closing: dict[int, list[tuple[int, int, bytes]]] = defaultdict(list)
        self._opening: dict[int, list[tuple[int, int, bytes]]] = defaultdict(list)

    def add(
        self, entity: int, name: bytes, mentions: list[MentionRuns], kind: bytes = b""
    ) -> None:
        """Add the brackets of an entity of a document, with its type."""
        mentions, cutter = _cut(mentions)

        def label(piece: _Piece) -> bytes:
            count = cutter.begun[piece.mention]
            return name if count == 1 else b"%s[%d/%d]" % (name, piece.number, count)

        for piece in cutter.closed:
            text = label(piece) + b")"
            self._closing[piece.last].append((-piece.first, -entity, text))
        for node, group in groupby(cutter.opened, key=lambda piece: piece.first):
            pieces = list(group)
            for piece, reach in zip(pieces, _reach(pieces), strict=True):
                head = mentions[piece.mention].head
                text = b"(%s-%s-%d-" % (label(piece), kind, head)
                text += b")" if piece.last == node else b""
                self._opening[node].append((-reach, entity, text))

    def joined(self) -> dict[int, bytes]:
        """Put the brackets of each node in order; an entity's own order stays."""
        values: dict[int, bytes] = defaultdict(bytes)
        for brackets in (self._closing, self._opening):
            for node, found in brackets.items():
                found.sort(key=lambda bracket: bracket[:2])
                values[node] += b"".join(text for *_, text in found)
        return values


def _cut(mentions: list[MentionRuns]) -> tuple[list[MentionRuns], _Cutter]:
    """Cut as little as possible; in another order, or more, if it must be."""
    longest, soonest = (sorted(mentions, key=key) for key in (_longest, _soonest))
    for ordered in (longest, soonest):
        cutter = _Cutter(ordered, cuts_all=False)
        with suppress(MisplacedError):
            cutter.cut()
            return ordered, cutter
    cutter = _Cutter(longest, cuts_all=True)
    cutter.cut()
    return longest, cutter


class MisplacedError(Exception):
    """A piece that would go to another mention, and its node."""

    def __init__(self, node: int) -> None:
        super().__init__(node)
        self.node = node


@dataclass(slots=True)
class _Piece:
    """What one pair of brackets encloses; ``number`` counts a mention's pieces."""

    mention: int
    first: int
    last: int
    number: int = 0


class _Cutter:
    """One entity's mentions, cut where a reader's stack of brackets asks for it.

    Mentions are numbered in the order in which they start, which is the order in
    which a reader gives them their next pieces. To cut all that is open makes more
    pieces than needed, but never two cuts at neighbouring nodes, where the pieces
    of the one could be taken for those of the other: without gaps, it never fails.
    """

    def __init__(self, mentions: list[MentionRuns], *, cuts_all: bool) -> None:
        self._cuts_all = cuts_all
        self.opened: list[_Piece] = []
        self.closed: list[_Piece] = []
        self.begun = [0] * len(mentions)
        self._to_come = [0] * len(mentions)
        self._lacking: set[int] = set()
        self._stack: list[_Piece] = []
        self._starts: dict[int, list[_Piece]] = defaultdict(list)
        self._nodes: list[int] = []
        for number, mention in enumerate(mentions):
            for first, last in mention.runs:
                self._add(_Piece(number, first, last))
        heapify(self._nodes)

    def cut(self) -> None:
        """Go from node to node, close and open."""
        while self._nodes:
            node = heappop(self._nodes)
            self._close(node)
            self._open(node)

    def _add(self, piece: _Piece) -> None:
        self._to_come[piece.mention] += 1
        self._starts[piece.first].append(piece)
        heappush(self._nodes, piece.first)
        heappush(self._nodes, piece.last)

    def _close(self, node: int) -> None:
        """Close what ends here, and cut what was opened after it and goes on."""
        depth = self._depth(node)
        if any(piece.last > node for piece in self._stack[depth:]):
            # All are cut here that would be cut at the next node: there, brackets
            # close first, and what is cut would get the pieces that are to follow.
            depth = 0 if self._cuts_all else min(depth, self._depth(node + 1) + 1)
        while len(self._stack) > depth:
            piece = self._stack.pop()
            if piece.last > node:
                self._add(_Piece(piece.mention, node + 1, piece.last))
                piece.last = node
            self._end(piece)
            self.closed.append(piece)

    def _depth(self, node: int) -> int:
        """Find the lowest in the stack that ends at a node."""
        ends = (row for row, piece in enumerate(self._stack) if piece.last == node)
        return next(ends, len(self._stack))

    def _open(self, node: int) -> None:
        """Open what starts here, the longest first as far as pieces allow it."""
        pieces = sorted(self._starts.pop(node, []), key=lambda piece: piece.mention)
        again = [piece for piece in pieces if self.begun[piece.mention]]
        new = [piece for piece in pieces if not self.begun[piece.mention]]
        reach = dict(enumerate(_reach(again) + _reach(new)))
        both = again + new
        for row in sorted(reach, key=lambda row: -reach[row]):
            self._begin(both[row])

    def _begin(self, piece: _Piece) -> None:
        mention = piece.mention
        if self.begun[mention]:
            if min(self._lacking) != mention:
                raise MisplacedError(piece.first)
            self._lacking.remove(mention)
        self.begun[mention] += 1
        self._to_come[mention] -= 1
        piece.number = self.begun[mention]
        self.opened.append(piece)
        if piece.first < piece.last:
            self._stack.append(piece)
        else:
            self._end(piece)

    def _end(self, piece: _Piece) -> None:
        if self._to_come[piece.mention]:
            self._lacking.add(piece.mention)


def _reach(pieces: list[_Piece]) -> list[int]:
    """Say of each piece how far it or one behind it in the list goes."""
    return list(accumulate((piece.last for piece in reversed(pieces)), max))[::-1]


def _longest(mention: MentionRuns) -> tuple[int, int]:
    first, last = mention.runs[0]
    return first, -last


def _soonest(mention: MentionRuns) -> tuple[int, list[Run]]:
    """Sort those that start together by what they go on with; without a gap, last."""
    return mention.runs[0][0], mention.runs[1:] or [(_FAR, _FAR)]
