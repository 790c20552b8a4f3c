"""Slices as text: a row for each, with its mentions on both sides and its F1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.metrics import conll, labels_of, metrics_of
from scoref.metrics.base import RATIO_DENOMINATORS
from scoref.notes import note_lines
from scoref.render.figures import percent
from scoref.render.json import json_of_each, result_object
from scoref.render.tables import Table, csv_text, drawn, remarks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.scoring.results import Result

    Slices = Mapping[str, Mapping[str, Result]]


def render_slices(systems: Slices, by: str, output: str, precision: int = 2) -> str:
    """Write a table for each system, or all of them for programs."""
    if output == "json":
        written = [
            {
                "response": system,
                "by": by,
                "slices": {
                    name: result_object(result, per_document=False)
                    for name, result in slices.items()
                },
            }
            for system, slices in systems.items()
        ]
        return json_of_each(written)
    if output == "csv":
        return _csv(systems, by)
    parts = [
        drawn(_table(slices, system if len(systems) > 1 else "", by, precision), output)
        for system, slices in systems.items()
    ]
    return "\n\n".join([*parts, _remarks(systems, output)])


def notes_of(systems: Slices) -> list[str]:
    """List what was noted, a line for each kind."""
    told = (
        (system, note)
        for system, slices in systems.items()
        for result in slices.values()
        for note in result.notes
    )
    return note_lines(told, of=len(systems))


def _table(slices: Mapping[str, Result], title: str, by: str, precision: int) -> Table:
    if not slices:
        return Table(title, [by.partition(":")[0], "(no mentions)"], [])
    first = next(iter(slices.values()))
    labels = list(labels_of(first.scheme, first.metrics).values())
    if by == "distance":
        labels = ["Anaphors"]
    sizes = ["Key", "Response"] if _sizes(first) else []
    rows = [
        [name, *_sizes(result), *_f1s(result, precision)]
        for name, result in slices.items()
    ]
    return Table(title, [by.partition(":")[0], *sizes, *labels], rows)


def _sizes(result: Result) -> list[str]:
    """Count the mentions of a slice on each side, where they were counted."""
    sums = {name: counts.sum(axis=0) for name, counts in result.counts.items()}
    if "mentions" in sums:
        return [f"{count:.0f}" for count in sums["mentions"][[1, 3]].tolist()]
    if result.metrics == ("zero",):
        true, false, missed, wrong = sums["zero"].tolist()
        return [f"{true + missed + wrong:.0f}", f"{true + false + wrong:.0f}"]
    return []


def _f1s(result: Result, precision: int) -> list[str]:
    """Write F1; there is none where one side has nothing in the slice."""
    cells = []
    for name, score in result.scores.items():
        is_average = name == conll.NAME
        parts = conll.PARTS if is_average else (name,)
        is_there = any(_is_two_sided(result, part) for part in parts)
        is_defined = is_there and (score.is_defined or is_average)
        cells.append(percent(score.f1, precision, is_defined=is_defined))
    return cells


def _is_two_sided(result: Result, name: str) -> bool:
    """Tell whether both recall and precision have something to be divided by."""
    denominators = metrics_of(result.scheme)[name].denominators
    sums = result.counts[name].sum(axis=0)
    return denominators != RATIO_DENOMINATORS or bool(sums[list(denominators)].all())


def _remarks(systems: Slices, output: str) -> str:
    found = (result for slices in systems.values() for result in slices.values())
    signature = next((result.signature for result in found), "")
    return remarks(signature, output)


def _csv(systems: Slices, by: str) -> str:
    head = "response by slice metric recall precision f1 defined signature"
    rows = [
        [system, by, name, metric, *score, result.signature]
        for system, slices in systems.items()
        for name, result in slices.items()
        for metric, score in result.scores.items()
    ]
    return csv_text(head.split(), rows)
