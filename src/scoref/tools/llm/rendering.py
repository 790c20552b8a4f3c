"""Reports on answers: scores, counts of words and mentions, and where answers broke.

An answer breaks where its words are not the key's, where brackets do not fit, and where
a mention has no place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO
from scoref.figures import UNDEFINED
from scoref.render.objects import result_object
from scoref.render.report import Line, Listing, Remarks, Report, Table, columns
from scoref.render.scores import ScoreView, score_report
from scoref.scoring.results import signature_of
from scoref.tools.llm.placing import real_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.render.report import Part
    from scoref.tools.llm.key_text import KeyDocument, KeyText
    from scoref.tools.llm.placing import Aligned, Counts, PlacedAnswer
    from scoref.tools.llm.scoring import AnswerResult


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

_WORD_COLUMNS = 5

_LEGEND = (
    "Words of the key: same, changed or lost in the answer. Added: words only in the "
    "answer. Mentions: kept, moved (the first or last word is not in the key) or "
    "unplaced (no word is). Broken: brackets or tags that cannot be read."
)

_STATUSES = {
    "missing": "the file has no answer for this document",
    "empty": "the answer is empty",
    "refused": "the answer is not the text of the key, so it was scored as empty",
    "unmarked": "the answer has no mentions",
}
"""The meaning of each status other than scored."""


def llm_report(
    systems: Sequence[AnswerResult], view: ScoreView, *, with_breaks: bool = False
) -> Report:
    """Report scores, then a table of words and mentions for each system."""
    scores = score_report([system.result for system in systems], view)
    return Report(
        name="llm",
        parts=lambda: [*scores.parts(), *_parts(systems, with_breaks=with_breaks)],
        objects=lambda: [
            _object(system, view, with_breaks=with_breaks) for system in systems
        ],
        rows=scores.rows,
        notes=scores.notes,
    )


def scored_report(scored: AnswerResult) -> Report:
    """Report one system."""
    return llm_report([scored], ScoreView())


def _parts(systems: Sequence[AnswerResult], *, with_breaks: bool) -> Iterator[Part]:
    common_signature = signature_of(system.result for system in systems)
    for system in systems:
        result, title = system.result, ""
        if len(systems) > 1:
            is_common = result.signature == common_signature
            title = result.response + ("" if is_common else f": {result.signature}")
        yield _table(system, title)
    yield Remarks([_LEGEND, *_status_lines(systems)])
    for system in systems:
        lines = [Line(line) for line in _break_lines(system)] if with_breaks else []
        if lines:
            yield Listing(lines)


def _status_lines(systems: Sequence[AnswerResult]) -> Iterator[str]:
    """Explain each status that appears in the tables."""
    used = {answer.status for system in systems for answer in system.answers.values()}
    for status, meaning in _STATUSES.items():
        if status in used:
            yield f"({status}): {meaning}."


def _table(scored: AnswerResult, title: str) -> Table:
    """Count words and mentions in a row for each document."""
    rows = []
    for name, answer in scored.answers.items():
        status = "" if answer.status == "scored" else f" ({answer.status})"
        rows.append([(name or "document") + status, *_figures(answer.counts)])
    if len(rows) > 1:
        rows.append(["all", *_figures(scored.counts)])
    return Table(columns(scored.notation or "", *_COLUMNS.values()), rows, title)


def _figures(counts: Counts) -> list[str]:
    """Write the counts; an answer that has only offsets has no words."""
    figures = [str(count) for count in counts]
    if not counts.words:
        figures[:_WORD_COLUMNS] = [UNDEFINED] * _WORD_COLUMNS
    return figures


def _object(
    scored: AnswerResult, view: ScoreView, *, with_breaks: bool
) -> dict[str, object]:
    fields = result_object(scored.result, per_document=view.per_document)
    fields["notation"] = scored.notation
    fields["words"] = scored.counts._asdict()
    fields["guessed"] = scored.guessed
    fields["answers"] = {
        name: {"status": answer.status, **answer.counts._asdict()}
        for name, answer in scored.answers.items()
    }
    if with_breaks:
        fields["breaks"] = {
            name: [place._asdict() for place in breaks]
            for name, breaks in scored.breaks.items()
        }
    return fields


def _break_lines(scored: AnswerResult) -> Iterator[str]:
    """Show each break, with the key's words above the answer's."""
    for name, breaks in scored.breaks.items():
        for place in breaks:
            line = "" if place.line is None else f":{place.line}"
            problem = place.problem or place.kind
            yield f"{name} ({scored.result.key}{line}): {problem}"
            if place.kind == "cut off":
                continue
            if place.line is not None:
                yield f"    key     {_in_context(place, place.key)}"
            yield f"    output  {_in_context(place, place.output)}"


def _in_context(place: Break, words: str) -> str:
    parts = _shorten(place.before), f"«{_shorten(words)}»", _shorten(place.after)
    return " ".join(filter(None, parts))


_WIDTH = 60


def _shorten(text: str) -> str:
    """Write a text on one line, without its middle if it is long."""
    text = " ".join(text.split())
    half = _WIDTH // 2
    return text if len(text) <= _WIDTH else f"{text[:half]} … {text[-half:]}"


Kind = Literal["changed", "lost", "added", "bracket", "mention", "cut off", "refused"]


class Break(NamedTuple):
    """One place: the words of the key and of the answer, and words around them.

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
    """List every place at which an answer broke, differences of words first."""
    breaks: list[Break] = []
    if placed.status == "refused":
        text = aligned.reading.text
        breaks.append(
            Break("refused", None, "", "", text, "", "this is not the text of the key")
        )
    elif aligned.reading.has_text:
        breaks += _word_breaks(aligned, document)
    breaks += _bracket_breaks(aligned)
    for mention in placed.unplaced:
        problem = f"a mention of entity {mention.label} is not in the text"
        breaks.append(Break("mention", None, "", "", mention.words, "", problem))
    return breaks


def _word_breaks(aligned: Aligned, document: KeyDocument) -> Iterator[Break]:
    """Find words between pieces that are the same."""
    alignment = aligned.alignment
    rows = np.flatnonzero(alignment.is_same)
    # The ends of each gap between two equal pieces, in the key and in the output.
    key_before = np.concatenate(([-1], alignment.last[rows]))
    key_after = np.concatenate((alignment.first[rows], [len(aligned.text.pieces)]))
    output_before = np.concatenate(([-1], rows))
    output_after = np.concatenate((rows, [len(alignment.first)]))
    is_gap = (key_after - key_before > 1) | (output_after - output_before > 1)
    for gap in np.flatnonzero(is_gap).tolist():
        key = int(key_before[gap]) + 1, int(key_after[gap])
        output = int(output_before[gap]) + 1, int(output_after[gap])
        yield _word_break(aligned, document, key, output)


_WORDS_AROUND = 3


def _word_break(
    aligned: Aligned,
    document: KeyDocument,
    key: tuple[int, int],
    output: tuple[int, int],
) -> Break:
    """Make a break of pieces of the key and of the output."""
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
        _words(text, document, max(0, start - _WORDS_AROUND), start),
        _words(text, document, start, end),
        reading.words(*output),
        _words(text, document, end, end + _WORDS_AROUND),
    )


def _words(text: KeyText, document: KeyDocument, start: int, end: int) -> str:
    tokens = zip(text.first[start:end], text.last[start:end], strict=True)
    return " ".join(
        ZERO if document.is_zero[row] else document.words[row]
        for a, b in tokens
        for row in range(a, b + 1)
    )


_CHARACTERS_AROUND = 24


def _bracket_breaks(aligned: Aligned) -> Iterator[Break]:
    """Find broken brackets, and JSON that is cut off."""
    reading = aligned.reading
    for row in real_faults(aligned):
        fault = reading.faults[row]
        before = reading.text[max(0, fault.start - _CHARACTERS_AROUND) : fault.start]
        after = reading.text[fault.end : fault.end + _CHARACTERS_AROUND]
        output = reading.text[fault.start : fault.end]
        yield Break(
            "bracket", None, before, "", output, after, f"'{output}' {fault.problem}"
        )
    if reading.is_cut:
        yield Break(
            "cut off",
            None,
            "the JSON is cut off",
            "",
            "",
            "",
            "the JSON ends before its end",
        )
