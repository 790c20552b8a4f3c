"""Mentions written as brackets in a column, and the stack that closes them.

Both readings of CoNLL-2012 share this: they differ in how a cell becomes
brackets, not in what brackets mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scoref.model import CorpusBuilder


class Cell(NamedTuple):
    """The brackets of one cell, by the labels they carry.

    They are taken in this order, whatever their order in the cell is, as the
    reference scorer does. ``is_clean`` tells that the cell holds nothing else.
    """

    single: tuple[bytes, ...] = ()
    opening: tuple[bytes, ...] = ()
    closing: tuple[bytes, ...] = ()
    is_clean: bool = True


class Opened(NamedTuple):
    """A bracket that waits for its end."""

    token: int
    line: int


class BracketStack:
    """The mentions of one document while its rows go by.

    Entities are numbered by first sight of their label, mentions by their end.
    """

    def __init__(self, builder: CorpusBuilder, document: int) -> None:
        self._builder = builder
        self._document = document
        self._entity: dict[bytes, int] = {}
        self._open: dict[bytes, list[Opened]] = {}

    def take(self, cell: Cell, token: int, line: int) -> list[bytes]:
        """Add a token's brackets; return the labels closed but never opened."""
        for label in cell.single:
            self._add(label, token, token, line)
        for label in cell.opening:
            self.entity(label)
            self._open.setdefault(label, []).append(Opened(token, line))
        unopened = []
        for label in cell.closing:
            waiting = self._open.get(label)
            if waiting:
                self._add(label, waiting.pop().token, token, line)
            else:
                unopened.append(label)
        return unopened

    def unclosed(self) -> list[tuple[Opened, bytes]]:
        """List the brackets that still wait for their end, in order."""
        return sorted(
            (opened, label) for label, all_ in self._open.items() for opened in all_
        )

    def entity(self, label: bytes) -> int:
        """Give the row of the entity that a label stands for."""
        row = self._entity.get(label)
        if row is None:
            text = label.decode("utf-8", "replace")
            row = self._entity[label] = self._builder.add_entity(text, self._document)
        return row

    def _add(self, label: bytes, start: int, end: int, line: int) -> None:
        builder = self._builder
        builder.mention_entity.append(self.entity(label))
        builder.mention_start.append(start)
        builder.mention_end.append(end)
        builder.mention_line.append(line)
