"""Errors as text: by kind with what each costs, by class, and one by one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from scoref.notes import note_lines
from scoref.printable import printable
from scoref.render.figures import percent, signed
from scoref.render.json import json_of_each
from scoref.render.tables import Table, csv_text, drawn, remarks
from scoref.tools.errors.classes import classify
from scoref.tools.errors.kinds import KINDS
from scoref.tools.errors.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.model import Note
    from scoref.tools.errors import Analysis
    from scoref.tools.errors.wording import Worded

    Systems = Mapping[str, Analysis]

_BETWEEN = " | "
_MEANING = (
    "gain: of the CoNLL score in points, if just that kind were repaired; so far: with "
    "all kinds down to that one repaired"
)


class ErrorView(NamedTuple):
    """What of errors is shown: sorted by what, which kinds, and one by one or not."""

    output: str = "text"
    precision: int = 2
    by: str = "type"
    kinds: tuple[str, ...] = ()
    is_list: bool = False

    def shows(self, kind: int) -> bool:
        """Tell whether a kind is among those that were asked for."""
        return not self.kinds or KINDS[kind].name in self.kinds

    @property
    def shown(self) -> list[int]:
        """List the kinds that were asked for, by their places."""
        return [kind for kind in range(len(KINDS)) if self.shows(kind)]


def render_errors(systems: Systems, view: ErrorView) -> str:
    """Write the errors of each system."""
    if view.output == "json":
        return json_of_each([_object(*each, view) for each in systems.items()])
    if view.output == "csv":
        return _csv(systems, view)
    if view.is_list and view.output == "text":
        parts = [_lines(name, each, systems, view) for name, each in systems.items()]
    else:
        parts = [drawn(table, view.output) for table in _tables(systems, view)]
    return "\n\n".join([*parts, _remarks(systems, view)])


def notes_of(systems: Systems) -> list[str]:
    """List what was noted, a line for each kind."""
    told = (
        (name, note) for name, analysis in systems.items() for note in _notes(analysis)
    )
    return note_lines(told, of=len(systems))


def _tables(systems: Systems, view: ErrorView) -> list[Table]:
    if view.is_list:
        return [_listed(name, each, systems, view) for name, each in systems.items()]
    if view.by != "type":
        return [_by_class(name, each, systems, view) for name, each in systems.items()]
    if len(systems) == 1:
        (analysis,) = systems.values()
        return [_by_kind(analysis, view)]
    return [_side_by_side(systems, view)]


def _by_kind(analysis: Analysis, view: ErrorView) -> Table:
    """Give each kind a row: how many, and what the score is when they are repaired."""
    gains, digits = analysis.gains, view.precision
    count, total = gains.count.tolist(), int(gains.count.sum())
    rows = [["as it is", "", "", "", percent(gains.before, digits)]]
    for kind in view.shown:
        share = percent(count[kind] / max(total, 1), digits, is_defined=total > 0)
        gain = signed(gains.gain[kind], digits)
        reached = percent(float(gains.cumulative[kind]), digits)
        rows.append([KINDS[kind].label, str(count[kind]), share, gain, reached])
    if not view.kinds:
        last = float(gains.cumulative[-1])
        whole = percent(1, digits, is_defined=total > 0)
        gain = signed(last - gains.before, digits)
        rows.append(["all", str(total), whole, gain, percent(last, digits)])
    return Table("", ["", "Errors", "Share", "Gain", "CoNLL so far"], rows)


def _side_by_side(systems: Systems, view: ErrorView) -> Table:
    """Give each system a column: how many errors, and what they cost."""
    digits = view.precision
    rows = [
        [
            KINDS[kind].label,
            *(
                f"{each.gains.count[kind]} ({signed(each.gains.gain[kind], digits)})"
                for each in systems.values()
            ),
        ]
        for kind in view.shown
    ]
    if not view.kinds:
        ends = [
            f"{each.gains.count.sum()} "
            f"({signed(each.gains.cumulative[-1] - each.gains.before, digits)})"
            for each in systems.values()
        ]
        rows.append(["all", *ends])
    scores = [percent(each.gains.before, digits) for each in systems.values()]
    rows.append(["CoNLL", *scores])
    return Table("", ["Errors (gain)", *systems], rows)


def _by_class(
    name: str, analysis: Analysis, systems: Systems, view: ErrorView
) -> Table:
    """Count kinds by class; documents may be many, so that they are rows."""
    classes = classify(analysis, view.by)
    counts = classes.counts(analysis.errors)[:, view.shown]
    labels = [KINDS[kind].label for kind in view.shown]
    names = list(classes.names)
    if view.by != "document":
        counts, labels, names = counts.T, names, labels
    rows = [
        [row, *map(str, values), str(sum(values))]
        for row, values in zip(names, counts.tolist(), strict=True)
    ]
    sums = counts.sum(axis=0).tolist()
    rows.append(["all", *map(str, sums), str(sum(sums))])
    title = name if len(systems) > 1 else ""
    return Table(title, [view.by, *labels, "all"], rows)


def _listed(name: str, analysis: Analysis, systems: Systems, view: ErrorView) -> Table:
    rows = [
        [
            each.document,
            str(each.sentence or ""),
            KINDS[each.kind].label,
            each.detail,
        ]
        for each in _worded(analysis, view)
    ]
    title = name if len(systems) > 1 else ""
    return Table(title, ["document", "sentence", "error", ""], rows)


def _lines(name: str, analysis: Analysis, systems: Systems, view: ErrorView) -> str:
    """Write a line for each error, beginning with its place."""
    key, response = (corpus.source for corpus in analysis.corpora)
    lines = []
    for each in _worded(analysis, view):
        source, line = response, each.response_line
        if not each.response_words:
            source, line = key, each.key_line
        place = source if line is None else f"{source}:{line}"
        label = KINDS[each.kind].label
        lines.append(f"{printable(place)}: {label}: {printable(each.detail)}")
    title = [printable(name), ""] if len(systems) > 1 else []
    return "\n".join([*title, *(lines or ["no errors"])])


def _worded(analysis: Analysis, view: ErrorView) -> Iterator[Worded]:
    wording = Wording(analysis)
    for error, kind in enumerate(analysis.errors.kind.tolist()):
        if view.shows(kind):
            yield wording.worded(error)


def _csv(systems: Systems, view: ErrorView) -> str:
    """Write a row for each error."""
    head = (
        "response document sentence key_line response_line kind key_words "
        "response_words key_entity response_entity detail"
    )
    with_class = view.by not in {"type", "document"}
    rows: list[list[object]] = []
    for name, analysis in systems.items():
        classes = classify(analysis, view.by) if with_class else None
        wording = Wording(analysis)
        for error, kind in enumerate(analysis.errors.kind.tolist()):
            if view.shows(kind):
                more = [classes.names[classes.of_error[error]]] if classes else []
                rows.append([name, *_cells(wording.worded(error)), *more])
    return csv_text([*head.split(), *([view.by] if with_class else [])], rows)


def _cells(error: Worded) -> list[str | int | None]:
    return [
        error.document,
        error.sentence,
        error.key_line,
        error.response_line,
        error.name,
        _BETWEEN.join(error.key_words),
        _BETWEEN.join(error.response_words),
        error.key_entity,
        error.response_entity,
        error.detail,
    ]


def _object(name: str, analysis: Analysis, view: ErrorView) -> dict[str, object]:
    gains = analysis.gains
    kinds = [
        {
            "kind": KINDS[kind].name,
            "meaning": KINDS[kind].meaning,
            "count": int(gains.count[kind]),
            "gain": float(gains.gain[kind]),
            "conll": float(gains.alone[kind]),
            "conll_so_far": float(gains.cumulative[kind]),
        }
        for kind in view.shown
    ]
    written: dict[str, object] = {
        "signature": analysis.result.signature,
        "key": analysis.result.key,
        "response": name,
        "conll": gains.before,
        "kinds": kinds,
    }
    if view.by != "type":
        written["by"] = view.by
        written["classes"] = _classes_object(analysis, view)
    written["errors"] = [_error_object(each) for each in _worded(analysis, view)]
    written["notes"] = [dataclasses.asdict(note) for note in _notes(analysis)]
    return written


def _classes_object(analysis: Analysis, view: ErrorView) -> dict[str, dict[str, int]]:
    classes = classify(analysis, view.by)
    counts = classes.counts(analysis.errors).tolist()
    return {
        name: {KINDS[kind].name: row[kind] for kind in view.shown}
        for name, row in zip(classes.names, counts, strict=True)
    }


def _error_object(error: Worded) -> dict[str, object]:
    written = error._asdict()
    written["kind"] = error.name
    return written


def _notes(analysis: Analysis) -> tuple[Note, ...]:
    return (*analysis.result.notes, *analysis.notes)


def _remarks(systems: Systems, view: ErrorView) -> str:
    signature = next(iter(systems.values())).result.signature
    has_gains = view.by == "type" and not view.is_list
    return remarks(signature, view.output, [_MEANING] if has_gains else [])
