"""`scoref.explain`: the figures of two files under every convention.

For several datasets, `across` returns the macro average of each convention's figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoref.displayed import Displayed
from scoref.errors import ScorefError
from scoref.formats import catalogue
from scoref.metrics import METRICS, conll, parts_of
from scoref.metrics.base import Score, Value, figures_of
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scoring.request import Request
from scoref.scoring.scores import Scores
from scoref.tools.explain import conventions
from scoref.tools.explain.conventions import (
    DUPLICATES,
    NOT_A_NUMBER,
    REFERENCE,
    SPANS,
    STRICT,
)
from scoref.tools.explain.figures import Figure, find, gives
from scoref.tools.explain.tools import read_sides

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.formats.inputs import Input
    from scoref.metrics.base import AnyScore
    from scoref.scheme import FolderKind, Missing
    from scoref.tools.explain.conventions import Practice
    from scoref.tools.explain.figures import Finding
    from scoref.tools.explain.tools import Figures, Sides


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """A convention, its figures, and why they differ from those of the reference.

    If the convention is a scheme, it has a ``signature``, and `scoref.score` returns
    the same figures. ``causes`` has every metric that differs. Where a tool averages
    recall and precision as well, its CoNLL score is a `Score` and not a `Value`.
    """

    convention: Practice
    scores: Scores
    signature: str | None
    causes: Mapping[str, tuple[str, ...]]
    difference: float | None  # of the CoNLL score

    @property
    def name(self) -> str:
        """The name of the convention."""
        return self.convention.name

    @property
    def label(self) -> str:
        """The name that people know."""
        return self.convention.label

    @property
    def cause(self) -> str | None:
        """Why figures differ; None if they do not."""
        return self.cause_of(*self.causes)

    def cause_of(self, *metrics: str) -> str | None:
        """Return why some metrics differ; None if they do not."""
        phrases = (phrase for name in metrics for phrase in self.causes.get(name, ()))
        return "; ".join(dict.fromkeys(phrases)) or None


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Displayed):
    """Every convention on the same two files; the first row is the reference."""

    key: str
    response: str
    format: str
    documents: tuple[str, ...]
    rows: tuple[PracticeRow, ...]
    notes: tuple[Note, ...] = ()

    _reported_by = "tools.explain.rendering:explanation_report"

    @property
    def _in_short(self) -> str:
        return counted(len(self.rows), "convention")

    @property
    def reference(self) -> PracticeRow:
        """The row that the others are compared with."""
        return self.rows[0]

    def row(self, name: str) -> PracticeRow:
        """Return the row of a convention."""
        return next(row for row in self.rows if row.name == name)

    def find(self, figure: str | float | Figure) -> Finding:
        """Look for a figure: which convention gives it?"""
        if not isinstance(figure, Figure):
            figure = Figure.parse(str(figure), tuple(self.reference.scores))
        return find(figure, self.rows)

    def giving(self, findings: Iterable[Finding]) -> tuple[str, ...]:
        """Name the conventions that give all of several figures."""
        figures = [finding.figure for finding in findings]
        return tuple(
            row.name
            for row in self.rows
            if all(gives(row, figure) for figure in figures)
        )


def explain(
    key: Input,
    response: Input | None = None,
    *,
    format: str | None = None,
    lenient: bool = False,
    missing: Missing | None = None,
    folder: FolderKind | None = None,
) -> Explanation:
    """Score a response under every convention in use, and say why figures differ.

    Args:
        key: the key: a path, or entities as for `scoref.score`.
        response: the response, in the same form.
        format: format of the files; detected by default.
        lenient: skip what cannot be read.
        missing: rule for documents on one side only: ``error``, ``empty``, or ``key``.
        folder: ``documents`` if the files of a folder are the documents of one corpus;
            detected by default.

    >>> explanation = explain([["a", "b"], ["c"]], [["a", "b"], ["c"]])
    >>> row = explanation.row("e2e-coref")
    >>> round(row.scores["ceafe"].f1, 4), row.cause_of("ceafe")
    (0.6667, 'CEAFe ignores singletons of the response but not of the key')
    """
    wanted = Request.of(format=format, lenient=lenient, missing=missing, folder=folder)
    sides = read_sides(key, response, wanted)
    rows: dict[str, PracticeRow] = {}
    notes: list[Note] = []
    for convention in _conventions(sides):
        try:
            figures = convention.score(sides)
        except ScorefError as error:
            message = f"Omitted: {convention.label} cannot score these files ({error})."
            notes.append(Note("left-out", 1, message.partition("\n")[0]))
            continue
        if convention is REFERENCE:
            notes += figures.notes
        rows[convention.name] = _row(convention, figures, rows)
    usual = sides.usual
    notes = [*usual.notes, *notes, *_label_warnings(sides), *_notes_on_rows(sides)]
    return Explanation(
        key=usual.key,
        response=usual.response,
        format=usual.format,
        documents=usual.documents,
        rows=tuple(rows.values()),
        notes=tuple(dict.fromkeys(notes)),
    )


def _conventions(sides: Sides) -> tuple[Practice, ...]:
    """List the conventions that apply to two files, the reference first."""
    twice = DUPLICATES if sides.has_duplicates else ()
    by_kind = {
        catalogue.COREFUD: conventions.COREFUD,
        catalogue.UNIVERSAL_ANAPHORA: conventions.UNIVERSAL_ANAPHORA,
    }
    if not sides.has_spans:
        kind = catalogue.FORMATS[sides.key.format].kind
        return (*by_kind[kind], *twice)
    strict = (STRICT,) if sides.has_conll else ()
    tools = (tool for tool in SPANS if tool.takes_duplicates or not twice)
    return (REFERENCE, *strict, *twice, *tools)


def _row(
    convention: Practice, figures: Figures, rows: Mapping[str, PracticeRow]
) -> PracticeRow:
    """Compare the figures of a convention with those of its base."""
    scores, signature = Scores(figures.scores), figures.signature
    if not rows:
        return PracticeRow(convention, scores, signature, {}, None)
    reference = next(iter(rows.values()))
    base = rows.get(convention.base or "") or rows.get(STRICT.name) or reference
    difference = scores[conll.NAME].f1 - reference.scores[conll.NAME].f1
    causes = {
        name: _causes(convention, name, score, base)
        for name, score in scores.items()
        if name != conll.NAME and _differ(score, reference.scores.get(name))
    }
    parts = [phrase for name in conll.PARTS for phrase in causes.get(name, ())]
    if parts:
        causes[conll.NAME] = tuple(dict.fromkeys(parts))
    return PracticeRow(convention, scores, signature, causes, difference)


def _causes(
    convention: Practice, metric: str, score: AnyScore, base: PracticeRow
) -> tuple[str, ...]:
    """Return what a convention changes, after the changes of its base."""
    if math.isnan(score.f1):
        return (convention.cause(NOT_A_NUMBER),)
    before = base.causes.get(metric, ())
    if not _differ(score, base.scores.get(metric)):
        return before
    return tuple(dict.fromkeys((*before, convention.cause(metric))))


def _differ(one: AnyScore, other: AnyScore | None) -> bool:
    """Return whether two scores differ in a figure that both have."""
    if other is None:
        return False
    pairs = zip(figures_of(one), figures_of(other), strict=True)
    return not all(
        a is None or b is None or math.isclose(a, b, rel_tol=0, abs_tol=1e-9)
        for a, b in pairs
    )


def _label_warnings(sides: Sides) -> list[Note]:
    """Warn that the row of Hugging Face's coval needs labels that a side lacks."""
    both = sides.key, sides.response
    unlabelled = [side.source for side in both if not side.has_labels]
    if not sides.has_spans or not unlabelled or len(sides.usual.documents) == 1:
        return []
    have = "has" if len(unlabelled) == 1 else "have"
    message = (
        f"{WARNING}{' and '.join(unlabelled)} {have} no entity labels. The row "
        'evaluate.load("coval") merges entities by label, so it used the position of '
        "each entity in its document. With labels, this row may differ."
    )
    return [Note("no-labels", len(unlabelled), message)]


def _notes_on_rows(sides: Sides) -> list[Note]:
    """Report conventions that are left out because they do not apply here."""
    notes = []
    if sides.has_conll and sides.files is None:
        message = (
            "Omitted: the reference scorer, which needs to read the input a second "
            "time. Give files instead of a pipe."
        )
        notes.append(Note("left-out", 1, message))
    if sides.has_duplicates and sides.has_spans:
        others = [tool.name for tool in SPANS if not tool.takes_duplicates]
        message = (
            f"Omitted: {', '.join(others)}. Some mentions are listed twice, and how "
            "these tools treat them is unknown."
        )
        notes.append(Note("left-out", len(others), message))
    if not sides.has_spans:
        message = (
            "Omitted: coval, e2e-coref, stanza, scorch and other tools that read "
            f"only spans. These files are in the {sides.key.format} format."
        )
        notes.append(Note("left-out", 1, message))
    return notes


def across(explanations: Mapping[str, Explanation]) -> Explanation:
    """Average every convention over datasets; one that a dataset lacks has no row."""
    datasets = [
        {row.name: row for row in explanation.rows}
        for explanation in explanations.values()
    ]
    shared = [name for name in datasets[0] if all(name in rows for rows in datasets)]
    reference = _mean_row([rows[shared[0]] for rows in datasets], None)
    others = [
        _mean_row([rows[name] for rows in datasets], reference) for name in shared[1:]
    ]
    absent = dict.fromkeys(
        row.label
        for rows in datasets
        for name, row in rows.items()
        if name not in shared
    )
    message = f"Omitted because some datasets lack them: {', '.join(absent)}."
    notes = [Note("left-out", len(absent), message)] if absent else []
    first = next(iter(explanations.values()))
    return Explanation(
        key=first.key,
        response=first.response,
        format=first.format,
        documents=tuple(
            name
            for explanation in explanations.values()
            for name in explanation.documents
        ),
        rows=(reference, *others),
        notes=(*notes, *_partial_means([rows[shared[0]] for rows in datasets])),
    )


def _partial_means(rows: Sequence[PracticeRow]) -> list[Note]:
    """Report how many datasets a mean covers, if it does not cover all of them."""
    counts = {
        metric: sum(_is_defined(row, metric) for row in rows)
        for metric in rows[0].scores
        if all(metric in row.scores for row in rows)
    }
    parts = [
        f"{METRICS[metric].label} over {count} of {len(rows)} datasets"
        for metric, count in counts.items()
        if count < len(rows)
    ]
    if not parts:
        return []
    message = f"{WARNING}Undefined figures (0/0) are left out of means: "
    message += f"{', '.join(parts)}."
    return [Note("partial-means", len(parts), message)]


def _mean_row(
    rows: Sequence[PracticeRow], reference: PracticeRow | None
) -> PracticeRow:
    """Average the figures of a convention, and merge the causes of all datasets."""
    first = rows[0]
    names = [name for name in first.scores if all(name in row.scores for row in rows)]
    scores = Scores(
        {
            name: _mean([row.scores[name] for row in rows if _is_defined(row, name)])
            for name in names
        }
    )
    signature = f"{first.signature}|datasets:macro" if first.signature else None
    if reference is None:
        return PracticeRow(first.convention, scores, signature, {}, None)
    causes: dict[str, tuple[str, ...]] = {}
    for row in rows:
        for name, phrases in row.causes.items():
            causes[name] = tuple(dict.fromkeys((*causes.get(name, ()), *phrases)))
    gap = scores[conll.NAME].f1 - reference.scores[conll.NAME].f1
    return PracticeRow(first.convention, scores, signature, causes, gap)


def _is_defined(row: PracticeRow, metric: str) -> bool:
    """Return whether there is anything to score; for a mean, in one of its parts."""
    parts = [row.scores[part] for part in parts_of(metric) if part in row.scores]
    return any(score.is_defined for score in parts or [row.scores[metric]])


def _mean(scores: Sequence[AnyScore]) -> AnyScore:
    """Average the datasets in which a metric is defined; 0/0 if there is none."""
    if not scores:
        return Score(0.0, 0.0, 0.0, is_defined=False)
    means = []
    for figures in zip(*map(figures_of, scores), strict=True):
        known = [figure for figure in figures if figure is not None]
        means.append(math.fsum(known) / len(known) if known else None)
    recall, precision, f1 = means
    assert f1 is not None
    if recall is None or precision is None:
        return Value(f1)
    return Score(recall, precision, f1)
