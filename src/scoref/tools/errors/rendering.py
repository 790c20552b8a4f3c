"""Reports on errors: by kind with what each costs, by class, one by one, and by pairs.

Two systems are compared in a table and in JSON.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import place_of
from scoref.figures import percent, signed
from scoref.metrics import CONLL, labels_of, leading_metric
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
from scoref.tools.errors.details import COLUMNS, ErrorRows, gain_columns
from scoref.tools.errors.kinds import KINDS, SPAN
from scoref.tools.errors.mentions import classify
from scoref.tools.errors.pairs import ALL, compare_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scoref.model import Note
    from scoref.render.report import Part
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.mentions import Classes
    from scoref.tools.errors.pairs import KindOfTwo, TwoSystems
    from scoref.tools.errors.wording import Worded

    Systems = Mapping[str, Analysis]


_BETWEEN = " | "

_WITH_ALL_GAINS = ("json", "csv")

_AGREEING = "agreeing"

_MEANING_OF_ONE = "in brackets: what the {label} would gain if just that were mended"

_MEANING = "gain: of the CoNLL score in points, if just that kind were repaired"

_MEANING_SO_FAR = "; so far: with all kinds down to that one repaired"


class ErrorView(NamedTuple):
    """What of errors is shown: sorted by what, which kinds, and one by one or not."""

    output: str = "text"
    precision: int = 2
    by: str = "type"
    kinds: tuple[str, ...] = ()
    is_list: bool = False
    sort: str | None = None

    @property
    def order(self) -> str:
        """Say how errors are sorted: a list by what they cost, unless asked."""
        return self.sort or ("cost" if self.is_list else "document")

    def written(self, metrics: Sequence[str]) -> Sequence[str]:
        """Choose the metrics in which it is written what one error costs."""
        if self.output in _WITH_ALL_GAINS:
            return metrics
        return [leading_metric(metrics)] if self.is_list else []

    def shows(self, kind: int) -> bool:
        """Tell whether a kind is among those that were asked for."""
        return not self.kinds or KINDS[kind].name in self.kinds

    @property
    def shown(self) -> list[int]:
        """List the kinds that were asked for, by their places."""
        return [kind for kind in range(len(KINDS)) if self.shows(kind)]

    @property
    def is_classed(self) -> bool:
        """Tell whether errors are counted by class."""
        return self.by != "type"


def errors_report(systems: Systems, view: ErrorView) -> Report:
    """Report the errors of each system."""
    signature = next(iter(systems.values())).result.signature
    classes = {
        name: classify(each, view.by)
        for name, each in systems.items()
        if view.is_classed
    }
    shown = _Shown(systems, classes, view, cache(lambda: compare_errors(systems)))
    return Report(
        name="errors",
        parts=lambda: [*shown.parts(), Signatures([signature]), *shown.meaning()],
        objects=lambda: [shown.object(name) for name in systems],
        rows=shown.rows,
        notes=_notes(systems, view),
    )


def analysis_report(analysis: Analysis) -> Report:
    """Report the errors of one system."""
    return errors_report({analysis.result.response: analysis}, ErrorView())


def _notes(systems: Systems, view: ErrorView) -> list[str]:
    """List what was noted, a line for each kind."""
    for analysis in systems.values():
        for name in view.written(analysis.error_gains.metrics):
            analysis.error_gains[name]  # computed now, as it may have to be noted
    told = (
        (name, note) for name, analysis in systems.items() for note in _noted(analysis)
    )
    return note_lines(told, of=len(systems))


def _noted(analysis: Analysis) -> tuple[Note, ...]:
    return (*analysis.result.notes, *analysis.notes, *analysis.error_gains.notes)


class _Shown(NamedTuple):
    """Systems, the classes of their errors if these are wanted, and what is shown."""

    systems: Systems
    classes: Mapping[str, Classes]
    view: ErrorView
    pairs: Callable[[], list[TwoSystems]]

    def parts(self) -> list[Part]:
        """Choose the tables, or the lines."""
        view, systems = self.view, self.systems
        if view.is_list:
            one_by_one = self._lines if view.output == "text" else self._listed
            return [part for name in systems for part in one_by_one(name)]
        if view.is_classed:
            return [self._by_class(name) for name in systems]
        if len(systems) == 1:
            (analysis,) = systems.values()
            return [_by_kind(analysis, view)]
        return [
            _side_by_side(systems, view),
            *(table_of_two(each, view.shown) for each in self.pairs()),
        ]

    def meaning(self) -> list[Part]:
        """Say what gains are."""
        if self.view.is_classed:
            return []
        if not self.view.is_list:
            words = (
                [_MEANING + _MEANING_SO_FAR]
                if len(self.systems) == 1
                else [_MEANING, MEANING_OF_TWO]
            )
            return [Remarks([*words, *self._rules()])]
        if not any(len(each.errors.kind) for each in self.systems.values()):
            return []
        return [Remarks([_MEANING_OF_ONE.format(label=self._label), *self._rules()])]

    def _rules(self) -> list[str]:
        """Say by which rule mentions were taken for one with other words."""
        rules = {
            each.span_rule: None
            for each in self.systems.values()
            if self.view.shows(SPAN) and each.gains.count[SPAN]
        }
        return [f"span errors: {rule.meaning}" for rule in rules]

    @property
    def _label(self) -> str:
        analysis = next(iter(self.systems.values()))
        name = leading_metric(analysis.error_gains.metrics)
        label = labels_of(analysis.result.scheme, [name])[name]
        return f"{label} score" if name == CONLL else label

    def _title(self, name: str) -> str:
        return name if len(self.systems) > 1 else ""

    def _by_class(self, name: str) -> Table:
        """Count kinds by class; documents may be many, so that they are rows."""
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

    def _listed(self, name: str) -> list[Part]:
        found = self._errors(name)
        rows = [
            [
                *(each.document, str(each.sentence or ""), each.label),
                *(found.signed(error, self.view.precision), each.detail),
            ]
            for error, each in found
        ]
        labels = [
            Column("document", "name"),
            Column("sentence"),
            *(Column("error", "text"), Column("gain"), Column("", "text")),
        ]
        return [Table(labels, rows, self._title(name))]

    def _lines(self, name: str) -> list[Part]:
        """Write a line for each error, beginning with its place."""
        sources = [corpus.source for corpus in self.systems[name].corpora]
        found, digits = self._errors(name), self.view.precision
        lines = [
            Line(
                f"{_place(each, *sources)}: {each.label} "
                f"({found.signed(error, digits)}): {each.detail}"
            )
            for error, each in found
        ]
        title = self._title(name)
        heading: list[Part] = [Heading(title)] if title else []
        return [*heading, Listing(lines or [Line("no errors")])]

    def _errors(self, name: str) -> ErrorRows:
        return ErrorRows(self.systems[name], self.view.shown, self.view.order)

    def rows(self) -> Rows:
        """Give each error a row."""
        more = [self.view.by] if self.view.is_classed else []
        more = [name for name in more if name != "document"]
        if any(each.supporters is not None for each in self.systems.values()):
            more.append(_AGREEING)
        gains = gain_columns(next(iter(self.systems.values())))
        rows = (
            [
                *(name, *found.cells(error, each)),
                *(self._cell(name, error, what) for what in more),
            ]
            for name in self.systems
            for found in [self._errors(name)]
            for error, each in found
        )
        return Rows(["response", *COLUMNS, *gains, *more], rows)

    def _cell(self, name: str, error: int, what: str) -> str:
        if what == _AGREEING:
            return _BETWEEN.join((self.systems[name].supporters or ())[error])
        return self._class(name, error)

    def _class(self, name: str, error: int) -> str:
        classes = self.classes[name]
        return classes.names[int(classes.of_error[error])]

    def object(self, name: str) -> dict[str, object]:
        """Give a system as JSON knows it."""
        analysis = self.systems[name]
        written: dict[str, object] = {
            "dataset": None,
            "signature": analysis.result.signature,
            "key": analysis.result.key,
            "response": name,
            "conll": analysis.gains.score,
            "conll_with_heads": analysis.gains.before,
            "span_errors": str(analysis.span_rule),
            "kinds": [_kind_object(analysis, kind) for kind in self.view.shown],
        }
        if self.view.is_classed:
            written["by"] = self.view.by
            written["classes"] = self._classes_object(name)
        supporters, found = analysis.supporters, self._errors(name)
        errors = [
            {
                **found.written(error, each),
                **({} if supporters is None else {_AGREEING: supporters[error]}),
            }
            for error, each in found
        ]
        return {
            **written,
            "errors": errors,
            "against": [
                object_of_two(each) for each in self.pairs() if each.first == name
            ],
            "notes": _noted(analysis),
        }

    def _classes_object(self, name: str) -> dict[str, dict[str, int]]:
        classes = self.classes[name]
        counts = classes.counts(self.systems[name].errors).tolist()
        return {
            each: {KINDS[kind].name: row[kind] for kind in self.view.shown}
            for each, row in zip(classes.names, counts, strict=True)
        }


_HEADED = "with heads"


def _by_kind(analysis: Analysis, view: ErrorView) -> Table:
    """Give each kind a row: how many, and what the score is when they are repaired."""
    gains, digits = analysis.gains, view.precision
    count, total = gains.count.tolist(), int(gains.count.sum())
    rows = [["as it is", "", "", "", percent(gains.score, digits)]]
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
    if analysis.supporters is None:
        return Table(columns(*labels), rows)
    supported = _supported(analysis, view)
    agreed = [*[""] * (len(rows) - len(supported)), *supported]
    wide = [[*row, cell] for row, cell in zip(rows, agreed, strict=True)]
    return Table(columns(*labels, "Some agree"), wide)


def _supported(analysis: Analysis, view: ErrorView) -> list[str]:
    """Count by kind the errors that some other annotator would have made."""
    found, kinds = analysis.supported, analysis.errors.kind
    counts = [
        (found[kinds == kind].sum(), (kinds == kind).sum()) for kind in view.shown
    ]
    if not view.kinds:
        counts.append((found.sum(), len(found)))
    return [
        f"{count} ({percent(count / every, 0)} %)" if every else "0"
        for count, every in counts
    ]


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
    scores = [percent(each.gains.score, digits) for each in systems.values()]
    rows.append(["CoNLL", *scores])
    if any(each.gains.official is not None for each in systems.values()):
        starts = [percent(each.gains.before, digits) for each in systems.values()]
        rows.append([_HEADED, *starts])
    return Table(columns("Errors (gain)", *systems), rows)


def _place(error: Worded, key: str, response: str) -> str:
    """Name the line of the response, or of the key if only that has it."""
    source, line = response, error.response_line
    if not error.response_words:
        source, line = key, error.key_line
    return place_of(source, line)


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
    "only, both, neither: mentions that are in such an error of one system, of both, "
    "of neither; errors: how many more the first one has; p: of that difference, by "
    "swapping documents, after Holm's correction"
)


def table_of_two(pair: TwoSystems, shown: Sequence[int]) -> Table:
    """Give each kind that is shown a row, and all of them one if they are all shown."""
    labels = {KINDS[kind].name: KINDS[kind].label for kind in shown}
    if len(labels) == len(KINDS):
        labels[ALL] = ALL
    rows = [
        [labels[row.kind], *map(str, row[1:5]), _more(row), _p(row)]
        for row in pair.kinds
        if row.kind in labels
    ]
    names = ["", f"Only {pair.first}", f"Only {pair.second}", "Both", "Neither"]
    return Table(
        columns(*names, "Errors", "p"), rows, f"{pair.first} and {pair.second}"
    )


def _more(row: KindOfTwo) -> str:
    return f"{row.difference:+d}" if row.difference else "0"


def _p(row: KindOfTwo) -> str:
    return "" if row.adjusted is None else f"{row.adjusted:.4f}"


def object_of_two(pair: TwoSystems) -> dict[str, object]:
    """Give the second of two systems, as the first one sees it."""
    rows = [row._asdict() for row in pair.kinds]
    return {"response": pair.second, "kinds": rows}
