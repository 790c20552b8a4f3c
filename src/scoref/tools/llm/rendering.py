"""Reports on answers: scores, counts of words and mentions, and where answers broke.

An answer breaks where its words are not the key's, where brackets do not fit, and where
a mention has no place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO
from scoref.figures import UNDEFINED
from scoref.render.report import Line, Listing, Report, Table, columns
from scoref.render.scores import ScoreView, result_object, score_report
from scoref.scoring.results import signature_of
from scoref.tools.llm.placing import real_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.render.report import Part
    from scoref.tools.llm.key_text import KeyDocument, KeyText
    from scoref.tools.llm.placing import Aligned, Counts, PlacedAnswer
    from scoref.tools.llm.scoring import Scored


_COLUMNS = {
    "words": "Words",
    "same": "Same",
    "changed": "Changed",
    "lost": "Lost",
    "added": "Added",
    "mentions": "Mentions",
    "kept": "Kept",
    "moved": "Moved",
    "unplaced": "Unplaced",
    "broken": "Broken",
}

_OF_WORDS = 5

_WIDTH = 60


def llm_report(
    systems: Sequence[Scored], view: ScoreView, *, with_breaks: bool = False
) -> Report:
    """Report scores, then a table of words and mentions for each system."""
    scores = score_report([each.result for each in systems], view)
    return Report(
        name="llm",
        parts=lambda: [*scores.parts(), *_parts(systems, with_breaks=with_breaks)],
        objects=lambda: [
            _object(each, view, with_breaks=with_breaks) for each in systems
        ],
        rows=scores.rows,
        notes=scores.notes,
    )


def scored_report(scored: Scored) -> Report:
    """Report one system."""
    return llm_report([scored], ScoreView())


def _parts(systems: Sequence[Scored], *, with_breaks: bool) -> Iterator[Part]:
    common = signature_of(each.result for each in systems)
    for each in systems:
        yield _table(each, _title(each, common, titled=len(systems) > 1))
    for each in systems:
        lines = [Line(line) for line in _lines(each)] if with_breaks else []
        if lines:
            yield Listing(lines)


def _title(scored: Scored, common: str, *, titled: bool) -> str:
    """Name a system, with its signature if that is not what was said before."""
    result = scored.result
    more = "" if result.signature == common else f": {result.signature}"
    return f"{result.response}{more}" if titled else ""


def _table(scored: Scored, title: str) -> Table:
    rows = [
        [_named(name, placed.status), *_figures(placed.counts)]
        for name, placed in scored.answers.items()
    ]
    if len(rows) > 1:
        rows.append(["all", *_figures(scored.counts)])
    return Table(columns(scored.notation or "", *_COLUMNS.values()), rows, title)


def _named(name: str, status: str) -> str:
    shown = name or "document"
    return shown if status == "scored" else f"{shown} ({status})"


def _figures(counts: Counts) -> list[str]:
    """Write the counts; there are no words where an answer is offsets only."""
    figures = [str(count) for count in counts]
    if not counts.words:
        figures[:_OF_WORDS] = [UNDEFINED] * _OF_WORDS
    return figures


def _object(scored: Scored, view: ScoreView, *, with_breaks: bool) -> dict[str, object]:
    written = result_object(scored.result, per_document=view.per_document)
    written["notation"] = scored.notation
    written["words"] = scored.counts._asdict()
    written["guessed"] = scored.guessed
    written["answers"] = {
        name: {"status": placed.status, **placed.counts._asdict()}
        for name, placed in scored.answers.items()
    }
    if with_breaks:
        written["breaks"] = {
            name: [each._asdict() for each in found]
            for name, found in scored.breaks.items()
        }
    return written


def _lines(scored: Scored) -> Iterator[str]:
    """Show each place: the key's words above the answer's."""
    for name, breaks in scored.breaks.items():
        for each in breaks:
            line = "" if each.line is None else f":{each.line}"
            place = f"{name} ({scored.result.key}{line})"
            yield f"{place}: {each.problem or each.kind}"
            yield from _shown(each)


def _shown(found: Break) -> Iterator[str]:
    if found.kind == "cut off":
        return
    if found.line is not None:
        yield f"    key     {_in_context(found, found.key)}"
    yield f"    output  {_in_context(found, found.output)}"


def _in_context(found: Break, words: str) -> str:
    parts = _clipped(found.before), f"«{_clipped(words)}»", _clipped(found.after)
    return " ".join(filter(None, parts))


def _clipped(text: str) -> str:
    """Write a text on one line, its middle left out if it is long."""
    text = " ".join(text.split())
    half = _WIDTH // 2
    return text if len(text) <= _WIDTH else f"{text[:half]} … {text[-half:]}"


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
