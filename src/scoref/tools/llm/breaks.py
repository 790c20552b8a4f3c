"""Where an answer broke: words that are not the key's, brackets, lost mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO
from scoref.tools.llm.placing import real_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.tools.llm.key_text import KeyDocument, KeyText
    from scoref.tools.llm.placing import Aligned, PlacedAnswer

Kind = Literal["changed", "lost", "added", "bracket", "mention", "cut off", "refused"]
_AROUND = 3
_CONTEXT = 24


class Break(NamedTuple):
    """One place: what the key has there, what the answer has, and words around.

    ``line`` is the key's, None if it is not known. ``problem`` says what is wrong with
    a bracket or a mention.
    """

    kind: Kind
    line: int | None
    before: str
    key: str
    output: str
    after: str
    problem: str = ""


def breaks_of(
    aligned: Aligned, placed: PlacedAnswer, document: KeyDocument
) -> list[Break]:
    """List every place at which an answer broke, those of words first."""
    found: list[Break] = []
    if placed.status == "refused":
        text = aligned.reading.text
        found.append(Break("refused", None, "", "", text, "", "this is not the text"))
    elif aligned.reading.has_text:
        found += _differences(aligned, document)
    found += _faults(aligned)
    found += _mentions(placed)
    return found


def _differences(aligned: Aligned, document: KeyDocument) -> Iterator[Break]:
    """Give what lies between pieces that are the same, if it is anything."""
    alignment = aligned.alignment
    rows = np.flatnonzero(alignment.is_same)
    last = np.concatenate(([-1], alignment.last[rows]))
    first = np.concatenate((alignment.first[rows], [len(aligned.text.pieces)]))
    before = np.concatenate(([-1], rows))
    behind = np.concatenate((rows, [len(alignment.first)]))
    at = np.flatnonzero((first - last > 1) | (behind - before > 1))
    for place in at.tolist():
        key = int(last[place]) + 1, int(first[place])
        output = int(before[place]) + 1, int(behind[place])
        yield _difference(aligned, document, key, output)


def _difference(
    aligned: Aligned,
    document: KeyDocument,
    key: tuple[int, int],
    output: tuple[int, int],
) -> Break:
    text, reading = aligned.text, aligned.reading
    is_lost, is_added = output[0] == output[1], key[0] >= key[1]
    kind: Kind = "lost" if is_lost else "added" if is_added else "changed"
    words = text.word
    start = int(words[key[0]]) if key[0] < len(words) else len(text.first)
    end = start if is_added else int(words[key[1] - 1]) + 1
    token = int(text.first[min(start, len(text.first) - 1)])
    return Break(
        kind,
        int(document.tokens.line[token]),
        _words(text, document, max(0, start - _AROUND), start),
        _words(text, document, start, end),
        reading.words(*output),
        _words(text, document, end, end + _AROUND),
    )


def _words(text: KeyText, document: KeyDocument, start: int, end: int) -> str:
    tokens = zip(text.first[start:end], text.last[start:end], strict=True)
    return " ".join(
        ZERO if document.is_zero[row] else document.words[row]
        for a, b in tokens
        for row in range(a, b + 1)
    )


def _faults(aligned: Aligned) -> Iterator[Break]:
    reading = aligned.reading
    for row in real_faults(aligned):
        fault = reading.faults[row]
        before = reading.text[max(0, fault.start - _CONTEXT) : fault.start]
        after = reading.text[fault.end : fault.end + _CONTEXT]
        output = reading.text[fault.start : fault.end]
        yield Break(
            "bracket", None, before, "", output, after, f"'{output}' {fault.problem}"
        )
    if reading.is_cut:
        yield Break("cut off", None, "", "", "", "", "the JSON ends before its end")


def _mentions(placed: PlacedAnswer) -> Iterator[Break]:
    for mention in placed.unplaced:
        problem = f"a mention of entity {mention.label} is not in the text"
        yield Break("mention", None, "", "", mention.words, "", problem)
