"""Mentions written as brackets in a column, and the stack that closes them.

Both readings of CoNLL-2012 share this: they differ in how a cell becomes
brackets, not in what brackets mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scoref.formats._builder import CorpusBuilder


class BracketCell(NamedTuple):
    """The brackets of one cell, by the labels they carry.

    They are taken in this order, whatever their order in the cell is, as the
    reference scorer does. ``is_clean`` tells that the cell holds nothing else.
    """

    single: tuple[bytes, ...] = ()
    opening: tuple[bytes, ...] = ()
    closing: tuple[bytes, ...] = ()
    is_clean: bool = True


Opened = tuple[int, int]
"""The token and the line of a bracket that waits for its end."""


class BracketStack:
    """The mentions of one document while its rows go by.

    Entities are numbered by first sight of their label, mentions by their end.
    """

    def __init__(self, builder: CorpusBuilder, document: int) -> None:
        self._builder = builder
        self._document = document
        self._add = builder.mentions.extend
        self._entity: dict[bytes, int] = {}
        self._open: dict[bytes, list[Opened]] = {}

    def take(self, cell: BracketCell, token: int, line: int) -> list[bytes]:
        """Add a token's brackets; return the labels closed but never opened."""
        single, opening, closing, _ = cell
        entity, waiting = self._entity, self._open
        unopened: list[bytes] = []
        for label in single:
            row = entity[label] if label in entity else self._new_entity(label)
            self._add((row, token, token, line))
        for label in opening:
            if label not in entity:
                self._new_entity(label)
            waiting.setdefault(label, []).append((token, line))
        for label in closing:
            if waiting.get(label):
                start, _ = waiting[label].pop()
                self._add((entity[label], start, token, line))
            else:
                unopened.append(label)
        return unopened

    def unclosed(self) -> list[tuple[Opened, bytes]]:
        """List the brackets that still wait for their end, in order."""
        return sorted(
            (opened, label) for label, all_ in self._open.items() for opened in all_
        )

    def _new_entity(self, label: bytes) -> int:
        text = label.decode("utf-8", "replace")
        row = self._entity[label] = self._builder.add_entity(text, self._document)
        return row
