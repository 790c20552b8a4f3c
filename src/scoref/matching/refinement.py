"""Words of the key, cut further where a mention of the response has a border."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.model import Cells, Texts, Tokens

if TYPE_CHECKING:
    from scoref.matching.cut_texts import CutText
    from scoref.model import Ints, Parses

_LEAF = b"*"


class Refinement(NamedTuple):
    """Words that both sides can be counted in.

    Word ``row`` is a piece of the key's word ``origin[row]``, from character
    ``border[row]`` to ``border[row + 1]`` of the key's text.
    """

    border: Ints
    origin: Ints
    first: Ints  # by document of the key, and the end of the last one

    @classmethod
    def of(cls, key: CutText, places: Ints) -> Refinement:
        """Cut the key's words at these places as well."""
        border = key.form.border
        at = np.minimum(np.searchsorted(border, places), len(border) - 1)
        inner = np.unique(places[border[at] != places])
        word = np.searchsorted(border, inner, side="right") - 1
        pieces = 1 + np.bincount(word, minlength=len(border) - 1)
        before = np.concatenate(([0], np.cumsum(pieces)))
        return cls(
            border=np.sort(np.concatenate((border, inner))),
            origin=np.repeat(np.arange(len(pieces)), pieces),
            first=before[key.tokens.first],
        )

    def starts(self, place: Ints) -> Ints:
        """Find the words that start at places; empty ones before them do not count."""
        return np.searchsorted(self.border, place, side="right") - 1

    def ends(self, place: Ints) -> Ints:
        """Find the words that end at places."""
        return np.searchsorted(self.border, place) - 1

    @property
    def is_cut(self) -> bool:
        """Tell whether any word of the key is in pieces."""
        return len(self.origin) > 0 and len(self.origin) != self.origin[-1] + 1

    def tokens(self, key: CutText) -> Tokens:
        """Write the pieces as a text."""
        tokens = key.tokens
        if not self.is_cut:
            return tokens
        words = tokens.word.take(self.origin).strings()
        for row in self._pieces().tolist():
            words[row] = self._piece(key, row, words[row])
        return Tokens(
            self.first,
            tokens.sentence[self.origin],
            tokens.line[self.origin],
            Texts.of(words),
        )

    def parses(self, parses: Parses) -> Parses:
        """Hang the pieces of a word where the word hangs: all are leaves there."""
        if not self.is_cut:
            return parses
        found = parses._replace(
            first=self.first[:-1],
            sentence=parses.sentence[self.origin],
            line=parses.line[self.origin],
            word=parses.word.take(self.origin),
            tag=parses.tag.take(self.origin),
        )
        return found._replace(piece=self._leaves(parses.piece.take(self.origin)))

    def _pieces(self) -> Ints:
        """List the words that are no whole words of the key."""
        count = np.bincount(self.origin)
        return np.flatnonzero(count[self.origin] > 1)

    def _piece(self, key: CutText, row: int, word: str) -> str:
        """Write a piece with the word's own characters, if each stands for one."""
        whole = key.form.border[self.origin[row] : self.origin[row] + 2]
        start, end = self.border[row : row + 2]
        if len(word) == whole[1] - whole[0]:
            return word[start - whole[0] : end - whole[0]]
        return key.form.text(start, end)

    def _leaves(self, cells: Cells) -> Cells:
        """Open brackets before the first piece of a word, close them behind the last.

        Of `(NP*)`, which is a word, `(NP*` and `*)` are left.
        """
        start, end = cells.start.copy(), cells.end.copy()
        for row in self._pieces().tolist():
            leaf = cells.data.find(_LEAF, start[row], end[row])
            if leaf >= 0 and row and self.origin[row] == self.origin[row - 1]:
                start[row] = leaf
            if leaf >= 0 and (self.origin[row] == self.origin[row + 1 : row + 2]).any():
                end[row] = leaf + 1
        return Cells(cells.data, start, end)
