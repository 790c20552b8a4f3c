"""An answer as pieces of text, and mentions that are ranges of pieces.

Inline notations have text and mentions in one. JSON may bring its own tokens; if not,
its mentions are places in the key's text. `scoref.tools.llm.listed_mentions` finds the
places of mentions that are listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.alignment.pieces import Pieces, cut, cut_between, cut_words
from scoref.tools.llm.listed_mentions import Range, place_mentions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.tools.llm.answers import Answer
    from scoref.tools.llm.clusters import Clusters
    from scoref.tools.llm.key_text import KeyDocument
    from scoref.tools.llm.listed_mentions import UnplacedMention
    from scoref.tools.llm.marks import Fault
    from scoref.tools.llm.notations import Notation


class Reading(NamedTuple):
    """What an answer says; without text of its own, pieces are the key's.

    ``not_found`` are listed mentions that are not in the text. ``guessed`` counts the
    places that were chosen among several, and ``other_words`` the mentions whose
    offsets are not those of their words. ``is_understood`` says whether the
    answer is written in the notation: it has a mention, or a list without any.
    """

    text: str
    pieces: Pieces
    mentions: list[Range]
    faults: Sequence[Fault] = ()
    not_found: Sequence[UnplacedMention] = ()
    guessed: int = 0
    other_words: int = 0
    has_text: bool = True
    is_cut: bool = False
    is_understood: bool = True

    def words(self, start: int, end: int) -> str:
        """Return pieces of the answer as they are written there."""
        if start >= end:
            return ""
        if not self.pieces.end[-1]:  # tokens, which have no place in a text
            return " ".join(self.pieces.text[start:end])
        first, last = int(self.pieces.start[start]), int(self.pieces.end[end - 1])
        return self.text[first:last]


def read_answer(answer: Answer, notation: Notation, document: KeyDocument) -> Reading:
    """Read an answer about a document."""
    with_zeros = bool(document.is_zero.any())
    if notation.read is None:
        found = answer.clusters or notation.find(answer.text)
        if found is None:
            return Reading(answer.text, cut(answer.text), [], is_understood=False)
        return _read_clusters(found, answer.tokens, document)
    text = answer.unfenced()
    marked = notation.read(text)
    left_out = sorted([*marked.markup, *_foreign(text, marked.faults, document)])
    pieces = cut_between(text, left_out, with_zeros=with_zeros)
    ranges = [
        Range(*pieces.within(mention.start, mention.end), mention.label)
        for mention in marked.mentions
    ]
    is_understood = bool(marked.mentions)
    return Reading(text, pieces, ranges, marked.faults, is_understood=is_understood)


def _foreign(
    text: str, faults: Sequence[Fault], document: KeyDocument
) -> list[tuple[int, int]]:
    """Find broken brackets that cannot be the key's own: its text has none."""
    known = set(cut_words(document.words)[0].text) if faults else set()
    return [
        (fault.start, fault.end)
        for fault in faults
        if not known.issuperset(cut(text[fault.start : fault.end]).text)
    ]


def _read_clusters(
    found: Clusters, given: list[str] | None, document: KeyDocument
) -> Reading:
    tokens = found.tokens or given
    with_zeros = bool(document.is_zero.any())
    if tokens:
        pieces, owner = cut_words(tokens, with_zeros=with_zeros)
    else:
        key = document.text(zeros_in_place=with_zeros or None)
        pieces, owner = Pieces.alone(key.pieces), key.word
    listed = place_mentions(found.clusters, pieces.text, owner, with_zeros=with_zeros)
    return Reading(
        " ".join(tokens or document.words),
        pieces,
        listed.placed,
        not_found=listed.unplaced,
        guessed=listed.guessed,
        other_words=listed.other_words,
        has_text=bool(tokens),
        is_cut=found.is_cut,
    )
