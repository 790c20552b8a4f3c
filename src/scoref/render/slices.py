"""Slices as a report: a row for each, with its mentions on both sides and its F1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.figures import percent
from scoref.metrics import conll, labels_of, metrics_of
from scoref.metrics.base import RATIO_DENOMINATORS
from scoref.notes import note_lines
from scoref.render.report import Report, Rows, Signatures, Table, columns
from scoref.render.scores import FIGURES, result_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.render.report import Part
    from scoref.scoring.results import Result
    from scoref.scoring.slices import Slices as Sliced

    Slices = Mapping[str, Mapping[str, Result]]


def slices_report(systems: Slices, by: str, precision: int = 2) -> Report:
    """Report the slices of each system."""
    return Report(
        name="slices",
        parts=lambda: _parts(systems, by, precision),
        objects=lambda: [
            {
                "response": system,
                "by": by,
                "slices": {name: result_object(each) for name, each in slices.items()},
            }
            for system, slices in systems.items()
        ],
        rows=lambda: _rows(systems, by),
        notes=_notes(systems),
    )


def sliced_report(slices: Sliced) -> Report:
    """Report the slices of one system."""
    response = next((each.response for each in slices.values()), "")
    return slices_report({response: slices}, slices.by)


def _notes(systems: Slices) -> list[str]:
    told = (
        (system, note)
        for system, slices in systems.items()
        for result in slices.values()
        for note in result.notes
    )
    return note_lines(told, of=len(systems))


def _parts(systems: Slices, by: str, precision: int) -> Iterator[Part]:
    for system, slices in systems.items():
        yield _table(slices, system if len(systems) > 1 else "", by, precision)
    found = (result for slices in systems.values() for result in slices.values())
    yield Signatures([result.signature for result in found][:1])


def _table(slices: Mapping[str, Result], title: str, by: str, precision: int) -> Table:
    what = by.partition(":")[0]
    if not slices:
        return Table(columns(what, "(no mentions)"), [], title)
    first = next(iter(slices.values()))
    labels = list(labels_of(first.scheme, first.metrics).values())
    if by == "distance":
        labels = ["Anaphors"]
    sizes = ["Key", "Response"] if _sizes(first) else []
    rows = [
        [name, *_sizes(result), *_f1s(result, precision)]
        for name, result in slices.items()
    ]
    return Table(columns(what, *sizes, *labels), rows, title)


def _sizes(result: Result) -> list[str]:
    """Count the mentions of a slice on each side, where they were counted."""
    sums = {name: counts.sum(axis=0) for name, counts in result.counts.items()}
    if "mentions" in sums:
        return [f"{count:.0f}" for count in sums["mentions"][[1, 3]].tolist()]
    if result.metrics == ("zero",):
        true, false, missed, wrong = sums["zero"].tolist()
        return [f"{true + missed + wrong:.0f}", f"{true + false + wrong:.0f}"]
    return []


def _f1s(result: Result, precision: int) -> Iterator[str]:
    """Write F1; there is none where one side has nothing in the slice."""
    for name, score in result.scores.items():
        is_average = name == conll.NAME
        parts = conll.PARTS if is_average else (name,)
        is_there = any(_is_two_sided(result, part) for part in parts)
        is_defined = is_there and (score.is_defined or is_average)
        yield percent(score.f1, precision, is_defined=is_defined)


def _is_two_sided(result: Result, name: str) -> bool:
    """Tell whether both recall and precision have something to be divided by."""
    denominators = metrics_of(result.scheme)[name].denominators
    sums = result.counts[name].sum(axis=0)
    return denominators != RATIO_DENOMINATORS or bool(sums[list(denominators)].all())


def _rows(systems: Slices, by: str) -> Rows:
    rows = (
        [system, by, name, metric, *score, result.signature]
        for system, slices in systems.items()
        for name, result in slices.items()
        for metric, score in result.scores.items()
    )
    place = ["response", "by", "slice", "metric"]
    return Rows([*place, *FIGURES, "defined", "signature"], rows)
