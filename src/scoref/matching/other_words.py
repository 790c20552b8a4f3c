"""Reports words that differ in documents whose mentions are compared by position.

Two files of the same format are scored by the numbers of words. If the words
themselves differ, the files may be different texts, and the score means nothing.
Spellings that formats and tokenisers vary, such as ``-LRB-``, quotes and case, are the
same word.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import place_of
from scoref.model import Note, Texts
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.model import Corpus, Ints, Tokens


class PairedTexts(NamedTuple):
    """The texts of two sides; a document has the same row and size on both."""

    key: Tokens
    response: Tokens
    sources: tuple[str, str]
    names: Sequence[str]

    def notes(self, documents: int, size: int) -> tuple[Note, ...]:
        """Report the words that differ.

        ``documents`` and ``size`` are the numbers of documents and words that were
        compared, including documents that are not here because they are the same.
        """
        from scoref.alignment.overlay import LEAST_SHARE  # rare

        ours, theirs = self.key.word.strings(), self.response.word.strings()
        first = self.key.first.tolist()
        rows: list[int] = []
        count = 0
        is_other_text = False
        for start, end in pairwise(first):
            inside = _differing_rows(ours[start:end], theirs[start:end])
            count += bool(inside)
            is_other_text |= len(inside) > (1 - LEAST_SHARE) * (end - start)
            rows += [start + row for row in inside]
        if not rows:
            return ()
        where = f" in {count:,} of {documents:,} documents" if documents > 1 else ""
        message = (
            f"{len(rows):,} of {counted(size, 'word')} differ from the key{where} "
            f"(first: {self._word(1, rows[0])}, but {self._word(0, rows[0])}). "
            "Mentions were compared by position."
        )
        if is_other_text:
            message = f"{WARNING}{message} If the texts are different, the score is "
            message += "wrong."
        return (Note("differing-words", count, message),)

    def _word(self, side: int, row: int) -> str:
        """Quote a word with its line or, in a folder, its document."""
        text, source = (self.key, self.response)[side], self.sources[side]
        place = place_of(source, int(text.line[row]))
        if place == source:
            document = int(np.searchsorted(text.first, row, side="right")) - 1
            place = f"{source}, document '{self.names[document]}'"
        return f"'{text.word.text(row)[:_SHOWN]}' ({place})"


_SHOWN = 20


def note_other_words(key: Corpus, response: Corpus, partner: Ints) -> tuple[Note, ...]:
    """Report words that differ in documents with the same number of words.

    ``partner`` is the row of each key document in the response; -1: it has none. The
    words are read only if the checksums of a document differ or are not known.
    """
    ours = np.flatnonzero(partner >= 0)
    theirs = partner[ours]
    counts = key.document_tokens, response.document_tokens
    if counts[0] is None or counts[1] is None:
        return ()
    is_paired = counts[0][ours] == counts[1][theirs]
    ours, theirs = ours[is_paired], theirs[is_paired]
    documents, size = len(ours), int(counts[0][ours].sum())
    checksums = key.document_checksum, response.document_checksum
    if checksums[0] is not None and checksums[1] is not None:
        differs = checksums[0][ours] != checksums[1][theirs]
        ours, theirs = ours[differs], theirs[differs]
    if not len(ours):
        return ()
    texts = key.with_tokens().tokens, response.with_tokens().tokens
    if texts[0] is None or texts[1] is None:
        return ()
    paired = texts[0].of_documents(ours), texts[1].of_documents(theirs)
    if paired[0].first_difference(paired[1]) < 0:
        return ()
    names = [key.documents[row].name for row in ours.tolist()]
    texts_of_both = PairedTexts(*paired, (key.source, response.source), names)
    return texts_of_both.notes(documents, size)


def _differing_rows(ours: Sequence[str], theirs: Sequence[str]) -> list[int]:
    """List the words of a document that differ in more than their spelling."""
    pairs = zip(ours, theirs, strict=True)
    rows = [row for row, (mine, other) in enumerate(pairs) if mine != other]
    if not rows or not _is_text(ours) or not _is_text(theirs):
        return []
    forms = [_spellings([side[row] for row in rows]) for side in (ours, theirs)]
    return [row for row, mine, other in zip(rows, *forms, strict=True) if mine != other]


def _is_text(words: Sequence[str]) -> bool:
    """Tell whether these are words, and not one placeholder or token numbers."""
    if len(words) == 1:
        return True
    return len(set(words)) > 1 and not all(map(str.isdecimal, words))


def _spellings(words: Sequence[str]) -> list[str]:
    """Write words in the one spelling that quotes, brackets and letters have."""
    from scoref.alignment.pieces import normal_form  # rare

    form = normal_form(Texts.of(words))
    text = form.text(0, len(form.characters))
    places = pairwise(form.border.tolist())
    return [text[start:end].casefold() for start, end in places]
