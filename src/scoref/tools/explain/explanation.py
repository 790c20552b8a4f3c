"""`scoref.explain`: the figures of two files under every convention.

For several datasets, `across` returns the macro average of each convention's figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoref.displayed import Displayed
from scoref.errors import ScorefError
from scoref.figures import counted
from scoref.formats import catalogue
from scoref.metrics import METRICS, conll, parts_of
from scoref.metrics.base import Score
from scoref.model import Note
from scoref.notes import WARNING
from scoref.scoring.request import Request
from scoref.tools.explain import conventions
from scoref.tools.explain.conventions import (
    DUPLICATES,
    NOT_A_NUMBER,
    REFERENCE,
    SPANS,
    STRICT,
)
from scoref.tools.explain.figures import Figure, find, gives
from scoref.tools.explain.tools import sides_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.scheme import FolderKind, Missing
    from scoref.tools.explain.conventions import Practice
    from scoref.tools.explain.figures import Finding
    from scoref.tools.explain.tools import Figures, Input, Sides


_ALIKE = 1e-9


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """A convention, what it gives, and why that is not what the reference gives.

    ``signature`` is there where the convention is a scheme: `scoref.score` gives the
    same. ``causes`` has every metric that differs.
    """

    convention: Practice
    scores: Mapping[str, Score]
    signature: str | None
    causes: Mapping[str, tuple[str, ...]]
    difference: float | None  # of the CoNLL score

    @property
    def name(self) -> str:
        """What the convention is called."""
        return self.convention.name

    @property
    def label(self) -> str:
        """What people call it."""
        return self.convention.label

    @property
    def cause(self) -> str | None:
        """Say why figures differ; None if they do not."""
        return self.cause_of(*self.causes)

    def cause_of(self, *metrics: str) -> str | None:
        """Say why some metrics differ; None if they do not."""
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
        """What the others are compared with."""
        return self.rows[0]

    def row(self, name: str) -> PracticeRow:
        """Give the row of a convention."""
        return next(row for row in self.rows if row.name == name)

    def find(self, figure: str | float | Figure) -> Finding:
        """Look for a figure: which convention gives it?"""
        if not isinstance(figure, Figure):
            figure = Figure.parse(str(figure), tuple(self.reference.scores))
        return find(figure, self.rows)

    def giving(self, findings: Iterable[Finding]) -> tuple[str, ...]:
        """Name the conventions that give all of several figures."""
        wanted = [found.figure for found in findings]
        return tuple(
            row.name for row in self.rows if all(gives(row, each) for each in wanted)
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
        key: what the annotators said: a path, or entities as for `scoref.score`.
        response: what the system said.
        format: the files' format; detected if not given.
        lenient: pass over what cannot be read.
        missing: a document on one side only: ``error``, ``empty``, or ``key``.
        folder: ``documents``, if the files of a key's folder are the documents of one
            corpus; detected if not given.

    >>> found = explain([["a", "b"], ["c"]], [["a", "b"], ["c"]])
    >>> row = found.row("e2e-coref")
    >>> round(row.scores["ceafe"].f1, 4), row.cause_of("ceafe")
    (0.6667, "CEAFe drops the response's singletons and keeps the key's")
    """
    wanted = Request.of(format=format, lenient=lenient, missing=missing, folder=folder)
    sides = sides_of(key, response, wanted)
    rows, notes = _rows(sides, _conventions(sides))
    usual = sides.usual
    return Explanation(
        key=usual.key,
        response=usual.response,
        format=usual.format,
        documents=usual.documents,
        rows=rows,
        notes=tuple(
            dict.fromkeys((*usual.notes, *notes, *_on_labels(sides), *_left_out(sides)))
        ),
    )


def _conventions(sides: Sides) -> tuple[Practice, ...]:
    """List those that have a meaning for two files, the reference first."""
    twice = DUPLICATES if sides.has_duplicates else ()
    by_kind = {
        catalogue.COREFUD: conventions.COREFUD,
        catalogue.UNIVERSAL_ANAPHORA: conventions.UNIVERSAL_ANAPHORA,
    }
    if not sides.has_spans:
        kind = catalogue.FORMATS[sides.key.format].kind
        return (*by_kind[kind], *twice)
    is_conll = catalogue.CONLL_2012 in {sides.key.format, sides.response.format}
    of_tools = tuple(each for each in SPANS if each.takes_duplicates or not twice)
    return (REFERENCE, *((STRICT,) if is_conll else ()), *twice, *of_tools)


def _rows(
    sides: Sides, chosen: tuple[Practice, ...]
) -> tuple[tuple[PracticeRow, ...], list[Note]]:
    rows: dict[str, PracticeRow] = {}
    notes: list[Note] = []
    for convention in chosen:
        try:
            figures = convention.score(sides)
        except ScorefError as error:
            notes.append(_fault(convention, error))
            continue
        if convention is REFERENCE:
            notes += figures.notes
        rows[convention.name] = _row(convention, figures, rows)
    return tuple(rows.values()), notes


def _row(
    convention: Practice, figures: Figures, rows: Mapping[str, PracticeRow]
) -> PracticeRow:
    scores, signature = figures.scores, figures.signature
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
    convention: Practice, metric: str, score: Score, base: PracticeRow
) -> tuple[str, ...]:
    """Say what a convention changes, and what that which it builds on has changed."""
    if math.isnan(score.f1):
        return (convention.cause(NOT_A_NUMBER),)
    before = base.causes.get(metric, ())
    if not _differ(score, base.scores.get(metric)):
        return before
    return tuple(dict.fromkeys((*before, convention.cause(metric))))


def _differ(one: Score, other: Score | None) -> bool:
    """Compare the figures that both have."""
    if other is None:
        return False
    pairs = zip(one[:3], other[:3], strict=True)
    return not all(
        a is None or b is None or math.isclose(a, b, rel_tol=0, abs_tol=_ALIKE)
        for a, b in pairs
    )


def _fault(convention: Practice, error: ScorefError) -> Note:
    message = f"{convention.label} cannot score these files: {error}"
    return Note("left-out", 1, message.partition("\n")[0])


def _on_labels(sides: Sides) -> list[Note]:
    """Warn that the row of Hugging Face's coval needs labels that a side lacks."""
    both = sides.key, sides.response
    unlabelled = [side.source for side in both if not side.has_labels]
    if not sides.has_spans or not unlabelled or len(sides.usual.documents) == 1:
        return []
    lacks = "does not have" if len(unlabelled) == 1 else "do not have"
    message = (
        f'{WARNING}the row evaluate.load("coval") depends on entity labels, which '
        f"{' and '.join(unlabelled)} {lacks}. The place of an entity in its document "
        "was taken for its label, so the same entities with labels, as in CoNLL-2012, "
        "may have other figures in this row."
    )
    return [Note("no-labels", len(unlabelled), message)]


def _left_out(sides: Sides) -> list[Note]:
    """Tell which conventions have no meaning here, or not their full one."""
    notes = []
    if sides.is_read_once:
        message = (
            "what comes through a pipe can be read once only, so the reference "
            "scorer's way to read CoNLL-2012 is left out: give files for that"
        )
        notes.append(Note("left-out", 1, message))
    if not sides.has_duplicates:
        message = "no mention is listed twice, so rules about that are left out"
        notes.append(Note("left-out", len(DUPLICATES), message))
    elif sides.has_spans:
        others = [each.name for each in SPANS if not each.takes_duplicates]
        message = (
            "mentions are listed twice; what becomes of them in other tools is not "
            f"known here, and these are left out: {', '.join(others)}"
        )
        notes.append(Note("left-out", len(others), message))
    if not sides.has_spans:
        message = (
            f"these files are {sides.key.format}; tools that know spans only, such as "
            "coval, e2e-coref, stanza and scorch, are left out"
        )
        notes.append(Note("left-out", 1, message))
    return notes


def across(explanations: Mapping[str, Explanation]) -> Explanation:
    """Average every convention over datasets; one that a dataset lacks has no row."""
    every = list(explanations.values())
    first = every[0]
    shared = [row.name for row in first.rows if all(_has(each, row) for each in every)]
    reference = _averaged([each.row(shared[0]) for each in every], None)
    rows = [_averaged([each.row(name) for each in every], reference) for name in shared]
    absent = dict.fromkeys(
        row.label for each in every for row in each.rows if row.name not in shared
    )
    message = f"left out, since not every dataset has them: {', '.join(absent)}"
    notes = [Note("left-out", len(absent), message)] if absent else []
    return Explanation(
        key=first.key,
        response=first.response,
        format=first.format,
        documents=tuple(name for each in every for name in each.documents),
        rows=(reference, *rows[1:]),
        notes=(*notes, *_partial(every, shared[0])),
    )


def _partial(every: Sequence[Explanation], name: str) -> list[Note]:
    """Say how many datasets a mean covers, if it does not cover all of them."""
    rows = [each.row(name) for each in every]
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
    message = f"undefined (0/0) elsewhere, so averaged: {', '.join(parts)}"
    return [Note("partial-means", len(parts), message)]


def _has(explanation: Explanation, wanted: PracticeRow) -> bool:
    return any(row.name == wanted.name for row in explanation.rows)


def _averaged(
    rows: Sequence[PracticeRow], reference: PracticeRow | None
) -> PracticeRow:
    """Average figures; causes are those of any dataset."""
    first = rows[0]
    names = [name for name in first.scores if all(name in row.scores for row in rows)]
    scores = {
        name: _mean([row.scores[name] for row in rows if _is_defined(row, name)])
        for name in names
    }
    causes = {
        name: tuple(dict.fromkeys(_phrases(rows, name)))
        for name in dict.fromkeys(each for row in rows for each in row.causes)
    }
    signature = f"{first.signature}|datasets:macro" if first.signature else None
    if reference is None:
        return PracticeRow(first.convention, scores, signature, {}, None)
    gap = scores[conll.NAME].f1 - reference.scores[conll.NAME].f1
    return PracticeRow(first.convention, scores, signature, causes, gap)


def _phrases(rows: Sequence[PracticeRow], name: str) -> Iterable[str]:
    return (each for row in rows for each in row.causes.get(name, ()))


def _is_defined(row: PracticeRow, metric: str) -> bool:
    """Tell whether there is anything to score; a mean is defined if a part of it is."""
    parts = [row.scores[part] for part in parts_of(metric) if part in row.scores]
    return any(score.is_defined for score in parts or [row.scores[metric]])


def _mean(scores: Sequence[Score]) -> Score:
    """Average the datasets in which a metric is defined; 0/0 if there is none."""
    if not scores:
        return Score(0.0, 0.0, 0.0, is_defined=False)
    recall, precision, f1 = (
        _mean_of(each) for each in zip(*(score[:3] for score in scores), strict=True)
    )
    assert f1 is not None
    return Score(recall, precision, f1)


def _mean_of(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return math.fsum(found) / len(found) if found else None
