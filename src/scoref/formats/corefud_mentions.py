"""The mentions and entities that the brackets of a CorefUD file describe.

A mention is one or more pieces of consecutive nodes. Mentions are in the order of the
official scorer: by their first word, the longer one first, then by their last word and
the name of their entity. Entities are in the order of their first mentions. This order
decides which of two entities gets a mention that both list.

The brackets of most entities are simple and are paired all at once. `BracketWalk` reads
those of the other entities one by one: entities with mentions in pieces or with faults.
``(e1[1/2]`` starts a mention in pieces, and ``(e1[2/2]`` continues the first mention
that still lacks a piece. The head is counted over the words of all pieces and is taken
from the last one. A closing bracket closes the mention that was opened last. As in the
official scorer, a mention that two brackets open and close at the same word continues
to the end of its sentence, because this changes figures.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple, dataclass
from scoref.formats.brackets import CLOSING, OPENING, SINGLE, pair_brackets
from scoref.lazy import pattern
from scoref.model import list_words
from scoref.model.arrays import bounds, inverse, number_and_first, runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from scoref.model import Ints


class Brackets(NamedTuple):
    """Brackets in the order of the file, in columns.

    ``head`` is -1 if a bracket has no head.
    """

    kind: Ints
    node: Ints
    label: Ints
    head: Ints
    type: Ints


Part = tuple[int, int]
"""The number of a piece and the number of pieces: [1/2]."""

_PART = pattern(rb"(.+)\[(\d+)/(\d+)\]")


class EntityLabels(NamedTuple):
    """The labels of brackets: the row of the name in ``text``, and the piece if any."""

    base: Ints
    part: list[Part | None]
    text: list[bytes]

    @classmethod
    def of(cls, texts: Iterable[bytes]) -> EntityLabels:
        """Separate pieces such as [1/2] from the names."""
        numbers: dict[bytes, int] = {}
        base, parts = [], []
        for text in texts:
            match = _PART.fullmatch(text) if text.endswith(b"]") else None
            name = match[1] if match else text
            base.append(numbers.setdefault(name, len(numbers)))
            parts.append((int(match[2]), int(match[3])) if match else None)
        return cls(np.array(base, dtype=np.int64), parts, list(numbers))

    def texts_of(self, names: Ints) -> tuple[str, ...]:
        """Return the names as texts."""
        texts = [text.decode("utf-8", "replace") for text in self.text]
        return tuple(map(texts.__getitem__, names.tolist()))

    @property
    def rank(self) -> Ints:
        """Return the place of each name in alphabetical order."""
        by_name = sorted(range(len(self.text)), key=self.text.__getitem__)
        return inverse(np.array(by_name, dtype=np.int64))


class NodeMentions(NamedTuple):
    """Sorted mentions: their entities, and their words as nodes."""

    entity_document: Ints
    entity_name: Ints  # its row among the names of `EntityLabels`
    entity_type: Ints  # according to its first bracket
    entity: Ints
    head: Ints
    end: Ints
    start: Ints
    member: Ints


class MentionPieces(NamedTuple):
    """Mentions and their pieces, in columns; a piece is a run of nodes."""

    entity: Ints
    head: Ints
    end: Ints  # the node of the last bracket
    mention: Ints  # of each piece
    first: Ints
    last: Ints


def mentions_of(
    brackets: Brackets,
    labels: EntityLabels,
    *,
    document: Ints,
    sentence: Ints,
    is_local: bool,
    refuse: Callable[[BracketError, bytes], None],
) -> NodeMentions:
    """Pair brackets, and sort the mentions that they enclose.

    Args:
        brackets: all brackets of a file.
        labels: the labels of the brackets.
        document: the document of each node.
        sentence: the sentence of each node.
        is_local: whether ids are valid within a document only.
        refuse: called with each fault; raises an error or notes the fault.
    """
    base = labels.base[brackets.label]
    code = document[brackets.node] * max(1, len(labels.text)) + base
    entity, first = number_and_first(code)
    is_odd, plain = _pair_plain_entities(brackets, entity, labels, sentence)
    odd = _walk_odd_entities(brackets, entity, is_odd, labels, sentence, refuse)
    odd = odd._replace(mention=odd.mention + len(plain.entity))
    pieces = MentionPieces(*map(np.concatenate, zip(plain, odd, strict=True)))
    entities = _Entities(
        document=document[brackets.node[first]],
        name=base[first],
        type=brackets.type[first],
        family=np.arange(len(first)) if is_local else base[first],
    )
    return _sort_mentions(pieces, entities, labels.rank[base[first]])


def _pair_plain_entities(
    brackets: Brackets, entity: Ints, labels: EntityLabels, sentence: Ints
) -> tuple[NDArray[np.bool_], MentionPieces]:
    """Pair the brackets of simple entities all at once; mark the others as odd."""
    has_part = np.array([part is not None for part in labels.part], dtype=np.bool_)
    is_odd = np.zeros(int(entity.max(initial=-1)) + 1, dtype=np.bool_)
    is_odd[entity[has_part[brackets.label]]] = True
    others = np.flatnonzero(brackets.kind != SINGLE)
    pairs = pair_brackets(entity[others], brackets.kind[others] == OPENING)
    is_odd[: len(pairs.is_odd)] |= pairs.is_odd
    opened, closed = others[pairs.opened], others[pairs.closed]
    first, last = brackets.node[opened], brackets.node[closed]
    head = np.maximum(brackets.head[opened], 1)
    is_unusual = (first == last) | (sentence[first] != sentence[last])
    is_unusual |= first + head - 1 > last
    is_odd[entity[opened[is_unusual]]] = True
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


def _walk_odd_entities(
    brackets: Brackets,
    entity: Ints,
    is_odd: NDArray[np.bool_],
    labels: EntityLabels,
    sentence: Ints,
    refuse: Callable[[BracketError, bytes], None],
) -> MentionPieces:
    """Read the brackets of odd entities one by one."""
    odd = np.flatnonzero(is_odd[entity])
    if not len(odd):
        return _pieces_of([])

    def sentence_end(node: int) -> int:
        return int(np.searchsorted(sentence, sentence[node], side="right")) - 1

    def name(label: int) -> bytes:
        return labels.text[int(labels.base[label])]

    walks: dict[int, tuple[BracketWalk, int]] = {}
    columns = (entity, brackets.kind, brackets.node, brackets.label, brackets.head)
    for row, kind, node, label, head in zip(
        *(column[odd].tolist() for column in columns), strict=True
    ):
        walk, _ = walks.setdefault(row, (BracketWalk(sentence_end), label))
        bracket = Bracket(
            kind != CLOSING, kind != OPENING, node, labels.part[label], head
        )
        try:
            walk.take(bracket)
        except BracketError as error:
            refuse(error, name(label))
    mentions: list[tuple[int, PiecedMention]] = []
    for row, (walk, label) in walks.items():
        for fault in walk.unclosed_errors():
            refuse(fault, name(label))
        mentions += [(row, mention) for mention in walk.finish()]
    return _pieces_of(mentions)


def _pieces_of(mentions: list[tuple[int, PiecedMention]]) -> MentionPieces:
    """Put mentions and their entities into columns; merge pieces that overlap."""
    rows: list[tuple[int, int, int]] = []
    pieces: list[tuple[int, int, int]] = []
    for row, (entity, mention) in enumerate(mentions):
        rows.append((entity, mention.head, mention.pieces[-1][1]))
        merged: list[list[int]] = []
        for first, last in sorted(mention.pieces):
            if merged and first <= merged[-1][1]:
                merged[-1][1] = max(last, merged[-1][1])
            else:
                merged.append([first, last])
        pieces += [(row, first, last) for first, last in merged]
    return MentionPieces(
        *np.array(rows, dtype=np.int64).reshape(-1, 3).T,
        *np.array(pieces, dtype=np.int64).reshape(-1, 3).T,
    )


class _Entities(NamedTuple):
    """Entities of documents; a family is the entities with the same name."""

    document: Ints
    name: Ints
    type: Ints
    family: Ints


def _sort_mentions(
    pieces: MentionPieces, entities: _Entities, name_rank: Ints
) -> NodeMentions:
    """Sort mentions and entities into the official order.

    Entities of one family in several documents come together, at the place of the first
    mention of any of them.
    """
    length = pieces.last - pieces.first + 1
    count = np.bincount(pieces.mention, length, len(pieces.entity)).astype(np.int64)
    first_piece, number = runs(pieces.mention)
    first = pieces.first[first_piece]
    last = pieces.last[first_piece + number - 1]
    order = np.lexsort((name_rank[pieces.entity], last, -count, first))
    family = entities.family[pieces.entity[order]]
    rank = np.empty(int(family.max(initial=-1)) + 1, dtype=np.int64)
    rank[family[::-1]] = np.arange(len(family))[::-1]  # the first mention comes last
    used = np.flatnonzero(np.bincount(pieces.entity))
    sequence = used[np.lexsort((entities.document[used], rank[entities.family[used]]))]
    number = np.full(len(entities.name), -1, dtype=np.int64)
    number[sequence] = np.arange(len(sequence))
    order = order[np.argsort(number[pieces.entity[order]], kind="stable")]
    pieces_order = np.argsort(inverse(order)[pieces.mention], kind="stable")
    member = list_words(pieces.first[pieces_order], length[pieces_order])
    return NodeMentions(
        entity_document=entities.document[sequence],
        entity_name=entities.name[sequence],
        entity_type=entities.type[sequence],
        entity=number[pieces.entity[order]],
        head=pieces.head[order],
        end=pieces.end[order],
        start=bounds(count[order]),
        member=member,
    )


class Bracket(NamedTuple):
    """A bracket: its kind, its node, its piece and its head."""

    is_opening: bool
    is_closing: bool
    node: int
    part: Part | None
    head: int


@dataclass()
class PiecedMention:
    """A mention that is being read: pieces of consecutive nodes."""

    pieces: list[list[int]]
    head_field: int
    part: Part | None
    is_open: bool = False
    head: int = -1

    def set_head(self) -> None:
        """Find the head among the words so far.

        A head of 0 is the last word if the last piece is one word, else the first.
        """
        nodes = [node for first, last in self.pieces for node in range(first, last + 1)]
        ends_in_one_word = self.part is not None and self.pieces[-1][0] == nodes[-1]
        if self.head_field > len(nodes):
            raise BracketError("head", nodes[-1])
        if self.head_field > 0 or (self.head_field == 0 and ends_in_one_word):
            self.head = nodes[self.head_field - 1]


class BracketError(Exception):
    """A fault of a bracket: its kind and its node."""

    def __init__(self, kind: str, node: int) -> None:
        super().__init__(kind)
        self.kind = kind
        self.node = node


@dataclass()
class BracketWalk:
    """Reads the brackets of one entity of one document, one by one."""

    sentence_end: Callable[[int], int]
    mentions: list[PiecedMention] = field(default_factory=list)
    _open: list[PiecedMention] = field(default_factory=list)

    def take(self, bracket: Bracket) -> None:
        """Read the next bracket."""
        if not bracket.is_opening:
            self._close(bracket)
            return
        mention = self._open_piece(bracket)
        if not bracket.is_closing:
            mention.is_open = True
            self._open.append(mention)
        elif bracket.part is None or _is_last(bracket.part):
            mention.set_head()

    def unclosed_errors(self) -> list[BracketError]:
        """Return an error for each mention that was never closed."""
        return [
            BracketError("unclosed", mention.pieces[-1][0]) for mention in self._open
        ]

    def finish(self) -> list[PiecedMention]:
        """Return the mentions that were closed."""
        mentions = [mention for mention in self.mentions if not mention.is_open]
        for mention in mentions:
            if mention.head < 0:
                mention.head = mention.pieces[0][0]
        return mentions

    def _open_piece(self, bracket: Bracket) -> PiecedMention:
        """Start a mention, or add a piece to the first mention that lacks one."""
        node = bracket.node
        if bracket.part is None or bracket.part[0] == 1:
            mention = PiecedMention([[node, node]], bracket.head, bracket.part)
            self.mentions.append(mention)
            return mention
        for mention in self.mentions:
            if mention.part and not _is_last(mention.part) and not mention.is_open:
                mention.pieces.append([node, node])
                mention.part, mention.head_field = bracket.part, bracket.head
                return mention
        raise BracketError("piece", node)

    def _close(self, bracket: Bracket) -> None:
        node = bracket.node
        if not self._open:
            raise BracketError("unopened", node)
        mention = self._open.pop()
        mention.is_open = False
        piece = mention.pieces[-1]
        end = self.sentence_end(piece[1])
        if node > end or node < piece[1]:
            self.mentions.remove(mention)
            raise BracketError("sentence", node)
        piece[1] = end if node == piece[1] else node
        if bracket.part is None or _is_last(bracket.part):
            mention.set_head()


def _is_last(part: Part) -> bool:
    return part[0] == part[1]
