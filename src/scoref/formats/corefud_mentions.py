"""The mentions and entities that the brackets of a CorefUD file describe.

A mention is one or more pieces of consecutive nodes. Mentions are in the order of the
official scorer: by their first word, the longer one first, then by their last word and
the name of their entity. Entities are in the order of their first mentions. This order
decides which of two entities gets a mention that both list.

`BracketWalk` reads the brackets of entities with mentions in pieces or with faults, in
the order of the file. ``(e1[1/2]`` starts a mention in pieces, and ``(e1[2/2]``
continues the first mention that still lacks a piece. The head is counted over the words
of all pieces and is taken from the last one. A closing bracket closes the mention that
was opened last. As in the official scorer, a mention that two brackets open and close
at the same word continues to the end of its sentence, because this changes figures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats.brackets import CLOSING, OPENING, SINGLE, pair_brackets
from scoref.model import list_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from scoref.model import Ints


_PART = re.compile(rb"(.+)\[(\d+)/(\d+)\]")


class Brackets(NamedTuple):
    """Brackets in the order of the file, in columns.

    ``head`` is -1 where a bracket says nothing of a head.
    """

    kind: Ints
    node: Ints
    label: Ints
    head: Ints
    type: Ints


class MentionPieces(NamedTuple):
    """Mentions in columns; a piece is a run of nodes and belongs to a mention."""

    entity: Ints
    head: Ints
    end: Ints  # the node of the last bracket
    mention: Ints
    first: Ints
    last: Ints


class NodeMentions(NamedTuple):
    """Sorted mentions: their entities, and their words as nodes."""

    entity_document: Ints
    entity_name: Ints  # its row among the names of `EntityLabels`
    entity_type: Ints  # what its first bracket says
    entity: Ints
    head: Ints
    end: Ints
    start: Ints
    member: Ints


class EntityLabels(NamedTuple):
    """What brackets are called: the entity, and the piece if there are several."""

    base: Ints
    part: list[Part | None]
    text: list[bytes]

    @classmethod
    def of(cls, texts: Iterable[bytes]) -> EntityLabels:
        """Take pieces such as [1/2] off the names."""
        numbers: dict[bytes, int] = {}
        base, parts = [], []
        for text in texts:
            found = _PART.fullmatch(text) if text.endswith(b"]") else None
            name = found[1] if found else text
            base.append(numbers.setdefault(name, len(numbers)))
            parts.append((int(found[2]), int(found[3])) if found else None)
        return cls(np.array(base, dtype=np.int64), parts, list(numbers))

    def texts_of(self, names: Ints) -> tuple[str, ...]:
        """Give entities their names."""
        texts = [text.decode("utf-8", "replace") for text in self.text]
        return tuple(map(texts.__getitem__, names.tolist()))

    @property
    def rank(self) -> Ints:
        """Say at which place each name is in the order of names."""
        by_name = sorted(range(len(self.text)), key=self.text.__getitem__)
        rank = np.empty(len(by_name), dtype=np.int64)
        rank[by_name] = np.arange(len(by_name))
        return rank


def mentions_of(
    brackets: Brackets,
    labels: EntityLabels,
    *,
    document: Ints,
    sentence: Ints,
    is_local: bool,
    refuse: Callable[[BracketError, bytes], None],
) -> NodeMentions:
    """Pair brackets and sort what they enclose.

    Args:
        brackets: all of a file's.
        labels: what their ``label`` stands for.
        document: the document of each node.
        sentence: the sentence of each node.
        is_local: whether the same name in two documents is mere chance.
        refuse: raises an error, or notes it and lets the entity be left out.
    """
    base = labels.base[brackets.label]
    code = document[brackets.node] * max(1, len(labels.text)) + base
    _, first, entity = np.unique(code, return_index=True, return_inverse=True)
    is_odd, plain = _plain(brackets, entity, labels, sentence)
    walked = _walked(brackets, entity, is_odd, labels, sentence, refuse)
    pieces = _joined(plain, walked)
    entities = _Entities(
        document=document[brackets.node[first]],
        name=base[first],
        type=brackets.type[first],
        family=np.arange(len(first)) if is_local else base[first],
    )
    return _sorted(pieces, entities, labels.rank[base[first]])


def _plain(
    brackets: Brackets, entity: Ints, labels: EntityLabels, sentence: Ints
) -> tuple[NDArray[np.bool_], MentionPieces]:
    """Pair the brackets of entities without any oddity, all at once."""
    has_part = np.array([part is not None for part in labels.part], dtype=np.bool_)
    is_odd = np.zeros(int(entity.max(initial=-1)) + 1, dtype=np.bool_)
    is_odd[entity[has_part[brackets.label]]] = True
    others = np.flatnonzero(brackets.kind != SINGLE)
    pairs = pair_brackets(entity[others], brackets.kind[others] == OPENING)
    is_odd[: len(pairs.is_odd)] |= pairs.is_odd
    opened, closed = others[pairs.opened], others[pairs.closed]
    first, last = brackets.node[opened], brackets.node[closed]
    head = np.maximum(brackets.head[opened], 1)
    strange = (first == last) | (sentence[first] != sentence[last])
    strange |= first + head - 1 > last
    is_odd[entity[opened[strange]]] = True
    single = np.flatnonzero(brackets.kind == SINGLE)
    single = single[~is_odd[entity[single]]]
    kept = ~is_odd[entity[opened]]
    opened, closed, head = opened[kept], closed[kept], head[kept]
    node = brackets.node
    start = np.concatenate((node[single], node[opened]))
    end = np.concatenate((node[single], node[closed]))
    pieces = MentionPieces(
        entity=np.concatenate((entity[single], entity[opened])),
        head=np.concatenate((node[single], node[opened] + head - 1)),
        end=end,
        mention=np.arange(len(start)),
        first=start,
        last=end,
    )
    return is_odd, pieces


def _walked(
    brackets: Brackets,
    entity: Ints,
    is_odd: NDArray[np.bool_],
    labels: EntityLabels,
    sentence: Ints,
    refuse: Callable[[BracketError, bytes], None],
) -> MentionPieces:
    """Walk through the brackets of the other entities, one by one."""
    odd = np.flatnonzero(is_odd[entity])
    if not len(odd):
        return _as_pieces([])

    def sentence_end(node: int) -> int:
        return int(np.searchsorted(sentence, sentence[node], side="right")) - 1

    def name(label: int) -> bytes:
        return labels.text[int(labels.base[label])]

    walks: dict[int, tuple[BracketWalk, int]] = {}
    columns = (entity, brackets.kind, brackets.node, brackets.label, brackets.head)
    for of, kind, node, label, head in zip(
        *(column[odd].tolist() for column in columns), strict=True
    ):
        walk, _ = walks.setdefault(of, (BracketWalk(sentence_end), label))
        chunk = Chunk(kind != CLOSING, kind != OPENING, node, labels.part[label], head)
        try:
            walk.take(chunk)
        except BracketError as error:
            refuse(error, name(label))
    found: list[tuple[int, Walked]] = []
    for of, (walk, label) in walks.items():
        for fault in walk.unclosed():
            refuse(fault, name(label))
        found += [(of, mention) for mention in walk.finish()]
    return _as_pieces(found)


def _as_pieces(found: list[tuple[int, Walked]]) -> MentionPieces:
    rows = [
        (row, first, last)
        for row, (_, mention) in enumerate(found)
        for first, last in _merged(mention.pieces)
    ]
    mention, first, last = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    about = [(of, walked.head, walked.pieces[-1][1]) for of, walked in found]
    entity, head, end = np.array(about, dtype=np.int64).reshape(-1, 3).T
    return MentionPieces(entity, head, end, mention, first, last)


def _merged(pieces: list[list[int]]) -> list[list[int]]:
    """Count a word once that two pieces have."""
    merged: list[list[int]] = []
    for first, last in sorted(pieces):
        if merged and first <= merged[-1][1]:
            merged[-1][1] = max(last, merged[-1][1])
        else:
            merged.append([first, last])
    return merged


def _joined(one: MentionPieces, other: MentionPieces) -> MentionPieces:
    other = other._replace(mention=other.mention + len(one.entity))
    return MentionPieces(
        *(np.concatenate(pair) for pair in zip(one, other, strict=True))
    )


class _Entities(NamedTuple):
    """Entities of documents; those of a family have the name in common."""

    document: Ints
    name: Ints
    type: Ints
    family: Ints


def _sorted(
    pieces: MentionPieces, entities: _Entities, name_rank: Ints
) -> NodeMentions:
    """Bring mentions and entities into the official order.

    An entity that goes on in a later document is there what it was before: the
    first of its family has its place for all.
    """
    length = pieces.last - pieces.first + 1
    count = np.bincount(pieces.mention, length, len(pieces.entity)).astype(np.int64)
    first = np.full(len(count), np.iinfo(np.int64).max)
    last = np.full(len(count), -1, dtype=np.int64)
    np.minimum.at(first, pieces.mention, pieces.first)
    np.maximum.at(last, pieces.mention, pieces.last)
    order = np.lexsort((name_rank[pieces.entity], last, -count, first))
    family = entities.family[pieces.entity[order]]
    families, met = np.unique(family, return_index=True)
    turn = np.empty(int(families.max(initial=-1)) + 1, dtype=np.int64)
    turn[families] = met
    used = np.flatnonzero(np.bincount(pieces.entity))
    sequence = used[np.lexsort((entities.document[used], turn[entities.family[used]]))]
    number = np.full(len(entities.name), -1, dtype=np.int64)
    number[sequence] = np.arange(len(sequence))
    order = order[np.argsort(number[pieces.entity[order]], kind="stable")]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    pieces_order = np.lexsort((pieces.first, place[pieces.mention]))
    member = list_words(pieces.first[pieces_order], length[pieces_order])
    return NodeMentions(
        entity_document=entities.document[sequence],
        entity_name=entities.name[sequence],
        entity_type=entities.type[sequence],
        entity=number[pieces.entity[order]],
        head=pieces.head[order],
        end=pieces.end[order],
        start=np.concatenate(([0], np.cumsum(count[order]))),
        member=member,
    )


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
