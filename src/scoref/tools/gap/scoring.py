"""Answers counted by gender, and their ratio with an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref._version import __version__
from scoref.displayed import Displayed
from scoref.errors import OptionError, unknown
from scoref.figures import counted
from scoref.metrics.base import f_one, ratio
from scoref.model import Note
from scoref.statistics.confidence import RESAMPLES, SEED, check_options
from scoref.statistics.cuts import METHOD, Cuts
from scoref.statistics.draws import resampled
from scoref.statistics.levels import percent_of
from scoref.tools.gap.reading import read_answers, read_examples, refuse_missing

if TYPE_CHECKING:
    from scoref.metrics.base import Floats
    from scoref.statistics.cuts import Interval, Method
    from scoref.tools.gap.reading import Example, GapAnswers, Path

Scheme = Literal["gap-2018"]
SCHEMES: tuple[Scheme, ...] = ("gap-2018",)
_TP, _FP, _FN, _TN = range(4)
_OUTCOMES = 4
_SIDES = ("masculine", "feminine")
_TOLD = {
    "missing-answers": "examples without an answer: {}; two false negatives each, "
    "whatever is true",
    "odd-answers": "answers that are neither TRUE nor FALSE: {}; false negatives, "
    "whatever is true",
    "repeated-answers": "answers that were given before: {}; not looked at",
    "unknown-examples": "answers to no example: {}; not looked at",
}


class GapScore(NamedTuple):
    """What became of the decisions of some examples."""

    recall: float
    precision: float
    f1: float
    tp: int
    fp: int
    fn: int
    tn: int


@dataclass(frozen=True, eq=False, repr=False)
class GapResult(Displayed):
    """Counts of all examples, from which every figure follows.

    ``counts`` has a row for each example: true positives, false positives, false
    negatives and true negatives of masculine pronouns, then of feminine ones.
    """

    gold: str
    system: str
    counts: Floats
    scheme: Scheme | None = None
    notes: tuple[Note, ...] = ()

    _reported_by = "tools.gap.rendering:gap_report"

    @property
    def _in_short(self) -> str:
        return f"{self.system}, {counted(len(self.counts), 'example')}"

    @property
    def scores(self) -> dict[str, GapScore]:
        """Recall, precision and F1, of all pronouns and by gender."""
        masculine, feminine = np.split(self.counts.sum(axis=0), 2)
        parts = masculine + feminine, masculine, feminine
        names = ("overall", *_SIDES)
        return {name: _score(part) for name, part in zip(names, parts, strict=True)}

    @property
    def bias(self) -> float | None:
        """The ratio of F1, feminine to masculine; None if either is 0."""
        masculine, feminine = (self.scores[name].f1 for name in _SIDES)
        return feminine / masculine if masculine and feminine else None

    @property
    def signature(self) -> str:
        """How answers were counted, in one line."""
        return f"scoref:{__version__}|format:gap|scheme:{self.scheme or 'strict'}"

    def interval(
        self,
        *,
        level: float = 95,
        method: Method = METHOD,
        resamples: int = RESAMPLES,
        seed: int = SEED,
    ) -> Interval:
        """Say where the bias may lie, by the bootstrap over examples."""
        level = percent_of(level)
        check_options(method, resamples)
        count = len(self.counts)
        if self.bias is None or count < 2:  # noqa: PLR2004 - something must vary
            raise OptionError("there is no bias of which there could be an interval")
        draws = resampled(count, resamples, seed)
        drawn = np.concatenate([_biases(weights @ self.counts) for weights in draws])
        without = _biases(self.counts.sum(axis=0) - self.counts)
        cuts = Cuts(level, method, count, count - 1)
        # Draws in which nothing is right have no bias.
        drawn, without = (each[~np.isnan(each)] for each in (drawn, without))
        return cuts.interval(drawn, self.bias, without)


def score_gap(gold: Path, system: Path, *, scheme: str | None = None) -> GapResult:
    """Score a system on GAP.

    Args:
        gold: GAP's own file.
        system: lines of ID, A-coref and B-coref.
        scheme: None refuses what is missing, repeated, unknown or neither true nor
            false; ``gap-2018`` reads and counts as the official scorer does.
    """
    if scheme is not None and scheme not in SCHEMES:
        raise unknown("scheme of GAP", scheme, SCHEMES)
    is_official = scheme is not None
    examples = read_examples(gold)
    answers = read_answers(system, examples, is_official=is_official)
    if not is_official:
        refuse_missing(examples, answers, system)
    return GapResult(
        gold=str(gold),
        system=str(system),
        counts=_counts(examples, answers),
        scheme="gap-2018" if is_official else None,
        notes=_notes(examples, answers),
    )


def _counts(examples: dict[str, Example], answers: GapAnswers) -> Floats:
    counts = np.zeros((len(examples), 2 * _OUTCOMES))
    for row, (name, example) in enumerate(examples.items()):
        first = _OUTCOMES * _SIDES.index(example.gender)
        for truth, answer in zip(
            example.truth, answers.of.get(name, (None, None)), strict=True
        ):
            counts[row, first + _outcome(answer, is_true=truth)] += 1
    return counts


def _outcome(answer: bool | None, *, is_true: bool) -> int:
    """Say what a decision is; none is a false negative, whatever is true."""
    if answer is None:
        return _FN
    if is_true:
        return _TP if answer else _FN
    return _FP if answer else _TN


def _score(counts: Floats) -> GapScore:
    recall, precision, f1 = _figures(counts).tolist()
    tp, fp, fn, tn = (int(count) for count in counts)
    return GapScore(recall, precision, f1, tp, fp, fn, tn)


def _figures(counts: Floats) -> Floats:
    true, false, missed = (counts[..., place] for place in (_TP, _FP, _FN))
    recall, precision = ratio(true, true + missed), ratio(true, true + false)
    return np.stack((recall, precision, f_one(recall, precision)), axis=-1)


def _biases(sums: Floats) -> Floats:
    """Give the bias of any number of sums; NaN where there is none."""
    sides = np.split(sums, 2, axis=-1)
    masculine, feminine = (_figures(side)[..., 2] for side in sides)
    found = ratio(feminine, masculine, np.nan)
    found[feminine == 0] = np.nan
    return found


def _notes(examples: dict[str, Example], answers: GapAnswers) -> tuple[Note, ...]:
    missing = sum(name not in answers.of for name in examples)
    told = {
        "missing-answers": missing,
        "odd-answers": answers.odd,
        "repeated-answers": answers.repeated,
        "unknown-examples": answers.unknown,
    }
    return tuple(
        Note(kind, count, _TOLD[kind].format(count))
        for kind, count in told.items()
        if count
    )
