"""Windows as a report: a row for the whole, and one for all windows together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.metrics import labels_of
from scoref.notes import WARNING
from scoref.render.report import Report, Rows, Signatures, Table, columns
from scoref.render.scores import FIGURES, result_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.metrics.base import Floats, Score
    from scoref.render.scores import ScoreView
    from scoref.scoring.results import Result
    from scoref.scoring.windows import Window, Windowed

    Systems = Mapping[str, Windowed]


def windows_report(systems: Systems, window: Window, view: ScoreView) -> Report:
    """Report the whole and the windows of each system."""
    signature = next(iter(systems.values())).windows.signature
    return Report(
        name="windows",
        parts=lambda: [
            *(
                _table(found, system if len(systems) > 1 else "", window, view)
                for system, found in systems.items()
            ),
            Signatures([signature]),
        ],
        objects=lambda: _objects(systems, window, view),
        rows=lambda: _rows(systems, view),
        notes=_notes(systems),
    )


def _notes(systems: Systems) -> list[str]:
    """List what was noted, once, and of whom and of what if not of all."""
    found: dict[str, list[tuple[str, str]]] = {}
    for system, windowed in systems.items():
        for part, result in windowed._asdict().items():
            for note in result.notes:
                found.setdefault(note.message, []).append((system, part))
    lines = []
    for message, places in found.items():
        whose, parts = (list(dict.fromkeys(each)) for each in zip(*places, strict=True))
        owners = [", ".join(whose)] if len(whose) < len(systems) else []
        where = [*owners, *(parts if len(parts) == 1 else [])]
        kind = WARNING if message.startswith(WARNING) else ""
        lines.append(f"{kind}{': '.join([*where, message.removeprefix(WARNING)])}")
    return lines


def _table(found: Windowed, title: str, window: Window, view: ScoreView) -> Table:
    whose = "BookCoref's windows" if window.is_bookcoref else "windows"
    label = f"{whose} of {window.size} token{'s' if window.size > 1 else ''}"
    rows = [_row("whole", found.whole, view), _row(label, found.windows, view)]
    if view.per_document:
        rows += _rows_of_windows(found.windows, view)
    labels = labels_of(found.whole.scheme, found.whole.metrics).values()
    sides = ["Key", "Response"] if "mentions" in found.whole.counts else []
    return Table(columns("", "Documents", *sides, *labels), rows, title)


def _row(label: str, result: Result, view: ScoreView) -> list[str]:
    counts = {name: each.sum(axis=0) for name, each in result.counts.items()}
    count = len(result.documents)
    return [label, str(count), *_sizes(counts), *_figures(result.scores, view)]


def _rows_of_windows(windows: Result, view: ScoreView) -> list[list[str]]:
    rows = []
    for row, (name, scores) in enumerate(windows.per_document.items()):
        counts = {metric: each[row] for metric, each in windows.counts.items()}
        rows.append([name, "1", *_sizes(counts), *_figures(scores, view)])
    return rows


def _sizes(counts: Mapping[str, Floats]) -> list[str]:
    """Write how many mentions each side has, where they were counted."""
    if "mentions" not in counts:
        return []
    return [f"{count:.0f}" for count in counts["mentions"][[1, 3]].tolist()]


def _figures(scores: Mapping[str, Score], view: ScoreView) -> list[str]:
    return [view.figure(name, score.f1, score) for name, score in scores.items()]


def _objects(
    systems: Systems, window: Window, view: ScoreView
) -> Iterator[dict[str, object]]:
    for system, found in systems.items():
        parts = {
            name: result_object(result, per_document=view.per_document)
            for name, result in found._asdict().items()
        }
        yield {"response": system, "window": str(window), **parts}


def _rows(systems: Systems, view: ScoreView) -> Rows:
    place = ["document"] if view.per_document else []
    rows = (
        [system, name, *([document] if place else []), metric, *score, result.signature]
        for system, found in systems.items()
        for name, result in found._asdict().items()
        for document, scores in _groups(result, view)
        for metric, score in scores.items()
    )
    figures = ["metric", *FIGURES, "defined", "signature"]
    return Rows(["response", "part", *place, *figures], rows)


def _groups(result: Result, view: ScoreView) -> list[tuple[str, dict[str, Score]]]:
    """Give the corpus, or each of its documents."""
    if view.per_document:
        return list(result.per_document.items())
    return [("", result.scores)]
