"""Scores of what language models wrote, and what became of their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import UNDEFINED
from scoref.render.report import Line, Listing, Report, Table, columns
from scoref.render.scores import ScoreView, result_object, score_report
from scoref.scoring.results import signature_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.render.report import Part
    from scoref.tools.llm.breaks import Break
    from scoref.tools.llm.placing import Counts
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
