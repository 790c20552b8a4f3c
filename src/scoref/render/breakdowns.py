"""Reports with scores by slice and by window.

Slices have a row each, with their mentions on both sides and F₁. Windows have one row
for the whole documents and one for all windows together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoref.figures import percent
from scoref.metrics import (
    conll,
    labels_of,
    metrics_of,
)
from scoref.metrics.base import RATIO_DENOMINATORS, figures_of
from scoref.notes import WARNING, note_lines
from scoref.render.objects import result_object
from scoref.render.report import (
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.render.scores import (
    SCORE_COLUMNS,
    ScoreView,
)
from scoref.scoring.comparable import comparability_notes
from scoref.scoring.results import signature_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.metrics.base import AnyScore, Floats
    from scoref.render.report import Part
    from scoref.scoring.results import Result
    from scoref.scoring.slices import Slices as Sliced
    from scoref.scoring.windows import Window, Windowed
    from scoref.statistics.confidence import Confidence

    Intervals = Mapping[tuple[str, str | None, str], Confidence]
    Slices = Mapping[str, Mapping[str, Result]]
    Systems = Mapping[str, Windowed]


def slices_report(systems: Slices, by: str, precision: int = 2) -> Report:
    """Report the slices of each system."""
    notes = (
        (system, note)
        for system, slices in systems.items()
        for result in slices.values()
        for note in result.notes
    )
    firsts = {
        system: next(iter(slices.values()))
        for system, slices in systems.items()
        if slices
    }
    wholes = {system: replace(first, slice=None) for system, first in firsts.items()}
    return Report(
        name="slices",
        parts=lambda: _slice_parts(systems, by, precision),
        objects=lambda: [
            {
                "response": system,
                "by": by,
                "slices": {
                    name: result_object(result) for name, result in slices.items()
                },
            }
            for system, slices in systems.items()
        ],
        rows=lambda: _slice_rows(systems, by),
        notes=[*comparability_notes(wholes), *note_lines(notes, of=len(systems))],
    )


def sliced_report(slices: Sliced) -> Report:
    """Report the slices of one system."""
    response = next((result.response for result in slices.values()), "")
    return slices_report({response: slices}, slices.by)


def _slice_parts(systems: Slices, by: str, precision: int) -> Iterator[Part]:
    for system, slices in systems.items():
        yield _slice_table(slices, system if len(systems) > 1 else "", by, precision)
    firsts = [next(iter(slices.values())) for slices in systems.values() if slices]
    yield Signatures([signature_of(firsts)] if firsts else [])


def _slice_table(
    slices: Mapping[str, Result], title: str, by: str, precision: int
) -> Table:
    what = by.partition(":")[0]
    if not slices:
        return Table(columns(what, "(no mentions)"), [], title)
    first = next(iter(slices.values()))
    labels = list(labels_of(first.scheme, first.metrics).values())
    if by == "distance":
        labels = ["Anaphors"]
    sizes = ["Key", "Response"] if _slice_sizes(first) else []
    rows = [
        [name, *_slice_sizes(result), *_slice_figures(result, precision)]
        for name, result in slices.items()
    ]
    return Table(columns(what, *sizes, *labels), rows, title)


def _slice_sizes(result: Result) -> list[str]:
    """Return the number of mentions on each side, if they were counted."""
    sums = {name: counts.sum(axis=0) for name, counts in result.counts.items()}
    if result.metrics == ("zero",) and "mentions" not in sums:
        true, false, missed, wrong = sums["zero"].tolist()
        return [f"{true + missed + wrong:.0f}", f"{true + false + wrong:.0f}"]
    return _mention_counts(sums)


def _mention_counts(sums: Mapping[str, Floats]) -> list[str]:
    """Write how many mentions each side has, if they were counted."""
    if "mentions" not in sums:
        return []
    return [f"{count:.0f}" for count in sums["mentions"][[1, 3]].tolist()]


def _slice_figures(result: Result, precision: int) -> Iterator[str]:
    """Write F₁, which is undefined if one side has nothing in the slice."""
    known = metrics_of(result.scheme)

    def is_two_sided(name: str) -> bool:
        denominators = known[name].denominators
        sums = result.counts[name].sum(axis=0)
        is_ratio = denominators == RATIO_DENOMINATORS
        return not is_ratio or bool(sums[list(denominators)].all())

    for name, score in result.scores.items():
        is_average = name == conll.NAME
        parts = conll.PARTS if is_average else (name,)
        is_defined = any(map(is_two_sided, parts)) and (score.is_defined or is_average)
        yield percent(score.f1, precision, is_defined=is_defined)


def _slice_rows(systems: Slices, by: str) -> Rows:
    """Write a row for each system, slice and metric."""
    rows = (
        [
            system,
            by,
            name,
            metric,
            *figures_of(score),
            score.is_defined,
            result.signature,
        ]
        for system, slices in systems.items()
        for name, result in slices.items()
        for metric, score in result.scores.items()
    )
    return Rows(["response", "by", "slice", *SCORE_COLUMNS], rows)


def windows_report(systems: Systems, window: Window, view: ScoreView) -> Report:
    """Report the whole documents and the windows of each system."""
    signature = signature_of([results.windows for results in systems.values()])
    wholes = {system: results.whole for system, results in systems.items()}
    return Report(
        name="windows",
        parts=lambda: [
            *(
                _window_table(results, system if len(systems) > 1 else "", window, view)
                for system, results in systems.items()
            ),
            Signatures([signature]),
        ],
        objects=lambda: [
            {
                "response": system,
                "window": str(window),
                **{
                    name: result_object(result, per_document=view.per_document)
                    for name, result in results._asdict().items()
                },
            }
            for system, results in systems.items()
        ],
        rows=lambda: _window_rows(systems, view),
        notes=[*comparability_notes(wholes), *_window_notes(systems)],
    )


def _window_notes(systems: Systems) -> list[str]:
    """Return each note once, with the systems and parts that it is about."""
    places: dict[str, list[tuple[str, str]]] = {}
    for system, windowed in systems.items():
        for part, result in windowed._asdict().items():
            for note in result.notes:
                places.setdefault(note.message, []).append((system, part))
    lines = []
    for message, where in places.items():
        names = list(dict.fromkeys(system for system, _ in where))
        parts = list(dict.fromkeys(part for _, part in where))
        subject = [", ".join(names)] if len(names) < len(systems) else []
        subject += parts if len(parts) == 1 else []
        kind = WARNING if message.startswith(WARNING) else ""
        lines.append(f"{kind}{': '.join([*subject, message.removeprefix(WARNING)])}")
    return lines


def _window_table(
    results: Windowed, title: str, window: Window, view: ScoreView
) -> Table:
    whole, windows = results.whole, results.windows
    whose = "BookCoref's windows" if window.is_bookcoref else "windows"
    label = f"{whose} of {window.size} token{'s' if window.size > 1 else ''}"

    def row(
        name: str,
        documents: int,
        counts: Mapping[str, Floats],
        scores: Mapping[str, AnyScore],
    ) -> list[str]:
        figures = [view.figure(metric, s.f1, s) for metric, s in scores.items()]
        return [name, str(documents), *_mention_counts(counts), *figures]

    rows = []
    for name, result in (("whole", whole), (label, windows)):
        sums = {metric: counts.sum(axis=0) for metric, counts in result.counts.items()}
        rows.append(row(name, len(result.documents), sums, result.scores))
    if view.per_document:
        for number, (name, scores) in enumerate(windows.per_document.items()):
            sums = {metric: counts[number] for metric, counts in windows.counts.items()}
            rows.append(row(name, 1, sums, scores))
    labels = labels_of(whole.scheme, whole.metrics).values()
    sides = ["Key", "Response"] if "mentions" in whole.counts else []
    return Table(columns("", "Documents", *sides, *labels), rows, title)


def _window_rows(systems: Systems, view: ScoreView) -> Rows:
    """Write a row for each system, part, document and metric."""

    def rows() -> Iterator[list[object]]:
        for system, results in systems.items():
            for part, result in results._asdict().items():
                groups = (
                    result.per_document if view.per_document else {"": result.scores}
                )
                for document, scores in groups.items():
                    where = [system, part, *([document] if view.per_document else [])]
                    for metric, score in scores.items():
                        figures = *figures_of(score), score.is_defined
                        yield [*where, metric, *figures, result.signature]

    place = ["response", "part", *(["document"] if view.per_document else [])]
    return Rows([*place, *SCORE_COLUMNS], rows())
