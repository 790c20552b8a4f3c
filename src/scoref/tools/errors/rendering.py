"""Reports on errors, as tables, lines, CSV rows and JSON objects.

Errors are counted by kind, with what each kind costs, or by class; or each error has a
line. Several systems have a column each and are compared in pairs, and the errors of
several datasets are added up.
"""

from __future__ import annotations

import dataclasses
import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import place_of
from scoref.figures import percent, signed
from scoref.metrics import labels_of, leading_metric
from scoref.notes import note_lines
from scoref.render.report import (
    Column,
    Heading,
    Line,
    Listing,
    Remarks,
    Report,
    Rows,
    Signatures,
    Table,
    columns,
)
from scoref.scoring.comparable import comparability_notes
from scoref.scoring.mention_classes import type_notes
from scoref.scoring.results import signature_of
from scoref.tools.errors.classes import classify, table_notes
from scoref.tools.errors.details import COLUMNS, ErrorRows, gain_columns
from scoref.tools.errors.groups import changes_between
from scoref.tools.errors.kinds import KINDS, SPAN
from scoref.tools.errors.pairs import ALL, compare_errors
from scoref.tools.errors.summary import summary_of, weakest_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scoref.model import Note
    from scoref.render.report import Part
    from scoref.scoring.mention_classes import ClassTable
    from scoref.tools.errors.classes import Classes
    from scoref.tools.errors.findings import Analysis, Gains
    from scoref.tools.errors.groups import ErrorGroup
    from scoref.tools.errors.pairs import TwoSystems

    Systems = Mapping[str, Analysis]


class ErrorView(NamedTuple):
    """Which errors are shown, and how: the options of the command."""

    output: str = "text"
    precision: int = 2
    by: str = "kind"
    kinds: tuple[str, ...] = ()
    is_list: bool = False
    sort: str | None = None
    classes: ClassTable | None = None

    @property
    def order(self) -> str:
        """The order of errors. The default for lists is the cost."""
        return self.sort or ("cost" if self.is_list else "document")

    def gain_metrics(self, metrics: Sequence[str]) -> Sequence[str]:
        """Choose the metrics in which the output shows the cost of single errors."""
        if self.output in {"json", "csv"}:
            return metrics
        return [leading_metric(metrics)] if self.is_list else []

    @property
    def shown(self) -> list[int]:
        """The places of the kinds that are shown."""
        return [
            place
            for place, kind in enumerate(KINDS)
            if not self.kinds or kind.name in self.kinds
        ]

    @property
    def is_classed(self) -> bool:
        """Whether errors are counted by class."""
        return self.by != "kind"


def errors_report(systems: Systems, view: ErrorView) -> Report:
    """Report the errors of each system."""
    results = {name: analysis.result for name, analysis in systems.items()}
    signature = signature_of(results.values())
    classes = {
        name: classify(analysis, view.by, view.classes)
        for name, analysis in systems.items()
        if view.is_classed
    }
    for analysis in systems.values():
        for name in view.gain_metrics(analysis.error_gains.metrics):
            analysis.error_gains[name]  # computed now, because it may add notes
    notes = [
        (name, note)
        for name, analysis in systems.items()
        for note in (*_notes(analysis, view.by), *table_notes(analysis, view.classes))
    ]
    content = _Content(systems, classes, view, cache(lambda: compare_errors(systems)))
    return Report(
        name="errors",
        parts=lambda: [*content.parts(), Signatures([signature]), *content.meaning()],
        objects=lambda: [content.object(name) for name in systems],
        rows=content.rows,
        notes=[*comparability_notes(results), *note_lines(notes, of=len(systems))],
    )


def analysis_report(analysis: Analysis) -> Report:
    """Report the errors of one system."""
    return errors_report({analysis.result.response: analysis}, ErrorView())


def _notes(analysis: Analysis, by: str) -> tuple[Note, ...]:
    return (
        *analysis.result.notes,
        *analysis.notes,
        *type_notes(*analysis._corpora, is_english_usual=by != "mention-type"),
        *analysis.error_gains.notes,
    )


_BETWEEN = " | "

_AGREEING = "agreeing"

_MEANING_OF_ONE = "In brackets: {label} points gained if only this error were fixed."

_MEANING = "Gain: CoNLL points if only this kind were fixed."

_MEANING_SO_FAR = " So far: CoNLL after fixing this kind and all above it."


class _Content(NamedTuple):
    """The content of a report: systems, classes of their errors, and the view."""

    systems: Systems
    classes: Mapping[str, Classes]
    view: ErrorView
    pairs: Callable[[], list[TwoSystems]]

    def parts(self) -> list[Part]:
        """Return the tables, or the lines, for people."""
        view, systems = self.view, self.systems
        if view.is_list:
            if view.output != "text":
                return [self._error_table(name) for name in systems]
            return [part for name in systems for part in self._error_lines(name)]
        if view.is_classed:
            return [self._class_table(name) for name in systems]
        if len(systems) == 1:
            (analysis,) = systems.values()
            return [*_first_lines(analysis, view), _kind_table(analysis, view)]
        first = [
            part
            for name, analysis in systems.items()
            for part in (
                Heading(name),
                *_first_lines(analysis, view, _FEW_GROUPS, system=name),
            )
        ]
        whole = [] if view.kinds else [*first, Heading("All systems")]
        return [*whole, *self._tables_of_several()]

    def _tables_of_several(self) -> Iterator[Part]:
        """Make a table of all systems, and tables of each two of them."""
        systems, view = self.systems, self.view
        yield _system_table(systems, view)
        for pair in self.pairs():
            yield table_of_two(pair, view.shown)
            if view.kinds:
                continue
            changes = changes_between(systems[pair.first], systems[pair.second])
            for verb, heading, groups in (
                ("fixes", "Gain", changes.fixes),
                ("breaks", "Loss", changes.breaks),
            ):
                title = f"From {pair.first} to {pair.second}: what {pair.second} {verb}"
                yield from _group_table(groups, view, title, _FEW_GROUPS, heading)

    def meaning(self) -> list[Part]:
        """Explain gains, and the rules by which span errors were found."""
        view, analyses = self.view, list(self.systems.values())
        if view.is_classed:
            return []
        if view.is_list:
            if not any(len(analysis.errors.kind) for analysis in analyses):
                return []
            name = leading_metric(analyses[0].error_gains.metrics)
            label = labels_of(analyses[0].result.scheme, [name])[name]
            lines = [_MEANING_OF_ONE.format(label=label)]
        elif len(analyses) == 1:
            lines = [_MEANING + _MEANING_SO_FAR]
        else:
            lines = [_MEANING, MEANING_OF_TWO, _MEANING_OF_CHANGES]
        rules = {
            analysis._span_rule: None
            for analysis in analyses
            if SPAN in view.shown and analysis.gains.count[SPAN]
        }
        return [Remarks([*lines, *(f"Span errors: {rule.meaning}" for rule in rules)])]

    def _title(self, name: str) -> str:
        return name if len(self.systems) > 1 else ""

    def _class_table(self, name: str) -> Table:
        """Count kinds by class. Classes are columns, but documents are rows."""
        view, classes = self.view, self.classes[name]
        counts = classes.counts(self.systems[name].errors)[:, view.shown]
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
        return Table(columns(view.by, *labels, "all"), rows, self._title(name))

    def _error_table(self, name: str) -> Table:
        """Make a row for each error."""
        errors = self._errors(name)
        rows = [
            [
                *(worded.document, str(worded.sentence or ""), worded.label),
                *(errors.signed(error, self.view.precision), worded.detail),
            ]
            for error, worded in errors
        ]
        labels = [
            Column("document", "name"),
            Column("sentence"),
            *(Column("error", "text"), Column("gain"), Column("", "text")),
        ]
        return Table(labels, rows, self._title(name))

    def _error_lines(self, name: str) -> list[Part]:
        """Write a line for each error, beginning with its place.

        The place is the line of the response, or of the key if the response lacks it.
        """
        key, response = (corpus.source for corpus in self.systems[name]._corpora)
        errors, digits = self._errors(name), self.view.precision
        lines = []
        for error, worded in errors:
            place = place_of(response, worded.response_line)
            if not worded.response_words:
                place = place_of(key, worded.key_line)
            gain = errors.signed(error, digits)
            lines.append(Line(f"{place}: {worded.label} ({gain}): {worded.detail}"))
        title = self._title(name)
        heading: list[Part] = [Heading(title)] if title else []
        return [*heading, Listing(lines or [Line("No errors.")])]

    def _errors(self, name: str) -> ErrorRows:
        return ErrorRows(self.systems[name], self.view.shown, self.view.order)

    def rows(self) -> Rows:
        """Return a row of CSV for each error."""
        systems, by = self.systems, self.view.by
        has_class = self.view.is_classed and by != "document"
        has_supporters = any(
            analysis._supporters is not None for analysis in systems.values()
        )
        header = ["response", *COLUMNS, *gain_columns(next(iter(systems.values())))]
        if has_class:
            header.append(by)
        if has_supporters:
            header.append(_AGREEING)

        def rows() -> Iterator[list[object]]:
            for name, analysis in systems.items():
                errors = self._errors(name)
                for error, worded in errors:
                    row: list[object] = [name, *errors.cells(error, worded)]
                    if has_class:
                        classes = self.classes[name]
                        row.append(classes.names[int(classes.of_error[error])])
                    if has_supporters:
                        row.append(_BETWEEN.join((analysis._supporters or ())[error]))
                    yield row

        return Rows(header, rows())

    def object(self, name: str) -> dict[str, object]:
        """Return the JSON object of a system."""
        analysis = self.systems[name]
        fields: dict[str, object] = {
            "dataset": None,
            "signature": analysis.result.signature,
            "key": analysis.result.key,
            "response": name,
            "conll": analysis.gains.score,
            "conll_with_heads": analysis.gains.before,
            "span_errors": str(analysis._span_rule),
            "summary": summary_of(
                analysis, system=name if len(self.systems) > 1 else ""
            ),
            "groups": _group_objects(analysis.groups),
            "entities": [entity._asdict() for entity in analysis.entities],
            "weakest_documents": [
                document._asdict() for document in weakest_documents(analysis)
            ],
            "kinds": [_kind_object(analysis, kind) for kind in self.view.shown],
        }
        if self.view.is_classed:
            fields["by"] = self.view.by
            fields["classes"] = self._classes_object(name)
        supporters, errors = analysis._supporters, self._errors(name)
        fields["errors"] = [
            {
                **errors.fields(error, worded),
                **({} if supporters is None else {_AGREEING: supporters[error]}),
            }
            for error, worded in errors
        ]
        fields["against"] = [
            {
                "response": pair.second,
                "kinds": [row._asdict() for row in pair.kinds],
                **{
                    verb: _group_objects(groups)
                    for verb, groups in changes_between(
                        analysis, self.systems[pair.second]
                    )
                    ._asdict()
                    .items()
                },
            }
            for pair in self.pairs()
            if pair.first == name
        ]
        fields["notes"] = _notes(analysis, self.view.by)
        return fields

    def _classes_object(self, name: str) -> dict[str, dict[str, int]]:
        classes = self.classes[name]
        counts = classes.counts(self.systems[name].errors).tolist()
        return {
            label: {KINDS[kind].name: row[kind] for kind in self.view.shown}
            for label, row in zip(classes.names, counts, strict=True)
        }


_GROUPS, _FEW_GROUPS = 6, 3
"""The most groups that are shown for one system, and for each of several."""


def _first_lines(
    analysis: Analysis, view: ErrorView, most: int = _GROUPS, system: str = ""
) -> Iterator[Part]:
    """Say what is wrong, what to look at first, and which documents are the weakest."""
    if view.kinds or not len(analysis.errors.kind):
        return
    yield Listing([Line(summary_of(analysis, system=system))])
    yield from _group_table(analysis.groups, view, "", most)
    yield from _weakest_table(analysis, view)


def _weakest_table(analysis: Analysis, view: ErrorView) -> Iterator[Table]:
    """Make a row for each weak document, with its scores and its main kind of error."""
    result, digits = analysis.result, view.precision
    labels = {kind.name: kind.label for kind in KINDS}
    leading = leading_metric(result.metrics)
    label = labels_of(result.scheme, [leading])[leading]
    if analysis.has_other_score:
        label = _HEADED.capitalize() if analysis.gains.official is not None else "Start"
    rows = [
        [
            *(percent(value, digits) for value in (one.f1, one.recall, one.precision)),
            str(one.errors),
            one.document
            if one.main_kind is None
            else f"{one.document}: {labels[one.main_kind]} ({one.of_main_kind:,})",
        ]
        for one in weakest_documents(analysis)
    ]
    if rows:
        heads = columns(label, "Recall", "Precision", "Errors")[1:]
        last = Column("Weakest documents: most frequent error", "text")
        yield Table([Column(label), *heads, last], rows)


def _group_table(
    groups: Sequence[ErrorGroup],
    view: ErrorView,
    title: str,
    most: int,
    heading: str = "Gain",
) -> Iterator[Table]:
    """Make a row for each group whose errors cost something."""
    write = signed if heading == "Gain" else percent
    rows = [
        [
            write(group.gain, view.precision),
            str(group.count),
            f"{group.title}: {group.detail}" if group.detail else group.title,
        ]
        for group in groups[:most]
        if group.gain > 0
    ]
    if rows:
        labels = [Column(heading), Column("Errors"), Column("Look here first", "text")]
        yield Table(labels, rows, title)


_HEADED = "with heads"


def _kind_table(analysis: Analysis, view: ErrorView) -> Table:
    """Make a row for each kind: how many errors, and the score if they are repaired."""
    gains, digits = analysis.gains, view.precision
    count, total = gains.count.tolist(), int(gains.count.sum())
    rows = [["as scored", "", "", "", percent(gains.score, digits)]]
    if gains.official is not None:
        more = signed(gains.before - gains.official, digits)
        rows.append([_HEADED, "", "", more, percent(gains.before, digits)])
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
    labels = ["", "Errors", "Share", "Gain", "CoNLL so far"]
    if analysis._supporters is None:
        return Table(columns(*labels), rows)
    supported = _supported(analysis, view)
    agreed = [*[""] * (len(rows) - len(supported)), *supported]
    wide = [[*row, cell] for row, cell in zip(rows, agreed, strict=True)]
    return Table(columns(*labels, "Some agree"), wide)


def _supported(analysis: Analysis, view: ErrorView) -> list[str]:
    """Count by kind the errors that some other annotator would have made."""
    supported, kinds = analysis.supported, analysis.errors.kind
    counts = [
        (supported[kinds == kind].sum(), (kinds == kind).sum()) for kind in view.shown
    ]
    if not view.kinds:
        counts.append((supported.sum(), len(supported)))
    return [
        f"{count} ({percent(count / errors, 0)} %)" if errors else "0"
        for count, errors in counts
    ]


def _system_table(systems: Systems, view: ErrorView) -> Table:
    """Make a column for each system: how many errors, and what they cost."""
    digits, gains = view.precision, [analysis.gains for analysis in systems.values()]
    rows = [
        [
            KINDS[kind].label,
            *(f"{of.count[kind]} ({signed(of.gain[kind], digits)})" for of in gains),
        ]
        for kind in view.shown
    ]
    if not view.kinds:
        sums = [
            f"{of.count.sum()} ({signed(of.cumulative[-1] - of.before, digits)})"
            for of in gains
        ]
        rows.append(["all", *sums])
    rows.append(["CoNLL", *(percent(of.score, digits) for of in gains)])
    if any(of.official is not None for of in gains):
        rows.append([_HEADED, *(percent(of.before, digits) for of in gains)])
    return Table(columns("Errors (gain)", *systems), rows)


def _group_objects(groups: Sequence[ErrorGroup]) -> list[dict[str, object]]:
    return [dataclasses.asdict(group) for group in groups]


def _kind_object(analysis: Analysis, kind: int) -> dict[str, object]:
    gains = analysis.gains
    return {
        "kind": KINDS[kind].name,
        "meaning": KINDS[kind].meaning,
        "count": int(gains.count[kind]),
        "gain": float(gains.gain[kind]),
        "conll": float(gains.alone[kind]),
        "conll_so_far": float(gains.cumulative[kind]),
    }


MEANING_OF_TWO = (
    "Only, Both, Neither: mentions with this error in one system, in both, in neither. "
    "Difference: how many more errors the first system has. p: randomisation test of "
    "the difference, swapping documents, with Holm's correction."
)


def table_of_two(pair: TwoSystems, shown: Sequence[int]) -> Table:
    """Make a row for each kind that is shown, and for all if all are shown."""
    labels = {KINDS[kind].name: KINDS[kind].label for kind in shown}
    if len(labels) == len(KINDS):
        labels[ALL] = ALL
    rows = [
        [
            labels[row.kind],
            *map(str, row[1:5]),
            f"{row.difference:+d}" if row.difference else "0",
            "" if row.adjusted is None else f"{row.adjusted:.4f}",
        ]
        for row in pair.kinds
        if row.kind in labels
    ]
    names = ["", f"Only {pair.first}", f"Only {pair.second}", "Both", "Neither"]
    return Table(
        columns(*names, "Difference", "p"), rows, f"{pair.first} and {pair.second}"
    )


_MEANING_OF_CHANGES = (
    "Fixes: CoNLL points that the first system would gain if these errors, which only "
    "it makes, were fixed. Breaks: the same for the second system, as a loss. They do "
    "not add up to the difference of the scores."
)

_MEANING_OF_SUMS = (
    "Errors are summed. Gain and CoNLL are means over the datasets that could be read."
)


def sum_parts(systems: Mapping[str, Sequence[Gains]], view: ErrorView) -> list[Part]:
    """Add up the errors of each system over datasets, and average their costs."""
    digits = view.precision
    datasets = {name: gains for name, gains in systems.items() if gains}
    rows = []
    for kind in view.shown:
        cells = []
        for gains in datasets.values():
            count = sum(int(of.count[kind]) for of in gains)
            gain = _mean(float(of.gain[kind]) for of in gains)
            cells.append(f"{count} ({signed(gain, digits)})")
        rows.append([KINDS[kind].label, *cells])
    scores = (_mean(of.score for of in gains) for gains in datasets.values())
    rows.append(["CoNLL", *(percent(score, digits) for score in scores)])
    if any(of.official is not None for gains in datasets.values() for of in gains):
        starts = (_mean(of.before for of in gains) for gains in datasets.values())
        rows.append([_HEADED, *(percent(start, digits) for start in starts)])
    table = Table(columns("Errors (gain)", *datasets), rows)
    return [Heading("All datasets"), table, Remarks([_MEANING_OF_SUMS])]


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return math.fsum(numbers) / len(numbers)
