"""Scores on GAP: its two tables are read, and answers are counted by gender.

One table has the examples with the correct answers, the other has the answers of a
system. The bias is feminine F₁ divided by masculine F₁, with a bootstrap interval if
one is wanted. The report has one decimal by default, as GAP's own scorer prints it.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref._version import __version__
from scoref.displayed import Displayed
from scoref.errors import AlignmentError, FormatError, OptionError, unknown
from scoref.figures import UNDEFINED, percent
from scoref.formats.input_files import name_of, read_bytes
from scoref.formats.inputs import needed_files
from scoref.metrics.base import f_one, ratio
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.render.report import Report, Rows, Signatures, Table, columns
from scoref.scoring.sanity_checks import ENOUGH
from scoref.statistics.bootstrap import METHOD, Cuts, percent_of, resample
from scoref.statistics.confidence import RESAMPLES, SEED, check_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.inputs import File, Path
    from scoref.metrics.base import Floats
    from scoref.statistics.bootstrap import Interval, Method


Gender = Literal["masculine", "feminine"]

GENDERS: dict[str, Gender] = {
    "he": "masculine",
    "his": "masculine",
    "him": "masculine",
    "she": "feminine",
    "her": "feminine",
    "hers": "feminine",
}

_LABELS = {"true": True, "false": False}

_COLUMNS = ("ID", "Pronoun", "A-coref", "B-coref")

_ANSWER = 3

_HINT = (
    "Expected lines of ID, A-coref and B-coref, separated by tabs and without a "
    "header. Use --scheme gap-2018 to count bad lines as the official scorer does."
)


class Example(NamedTuple):
    """A pronoun: its gender, and whether it refers to each of two names."""

    gender: Gender
    truth: tuple[bool, bool]


class GapAnswers(NamedTuple):
    """A system's two answers for each example; None is neither TRUE nor FALSE.

    The other fields count answers that the official scorer skips or misreads.
    """

    of: dict[str, tuple[bool | None, bool | None]]
    repeated: int = 0
    unknown: int = 0
    odd: int = 0


def read_examples(path: Path) -> dict[str, Example]:
    """Read the gold file, which has a header."""
    source, rows = name_of(path), _rows(path)
    _, header = next(rows, (1, []))
    missing = [name for name in _COLUMNS if name not in header]
    if missing:
        raise FormatError(
            f"column '{missing[0]}' is missing",
            source=source,
            line=1,
            text="\t".join(header),
            hint="Give the original GAP file. Its header starts with ID and Text.",
        )
    places = [header.index(name) for name in _COLUMNS]
    examples: dict[str, Example] = {}
    for line, row in rows:
        name, pronoun, *labels = (
            row[place] if place < len(row) else "" for place in places
        )
        gender = GENDERS.get(pronoun.lower())
        a, b = (_LABELS.get(text.lower()) for text in labels)
        if gender is None:
            problem = f"'{pronoun}' is not a GAP pronoun ({', '.join(GENDERS)})"
        elif a is None or b is None:
            problem = (
                f"'{labels[0] if a is None else labels[1]}' is neither TRUE nor FALSE"
            )
        elif name in examples:
            problem = f"example '{name}' is listed twice"
        else:
            examples[name] = Example(gender, (a, b))
            continue
        raise FormatError(problem, source=source, line=line)
    if not examples:
        raise FormatError("this file has no examples", source=source)
    return examples


def read_answers(
    path: Path, examples: dict[str, Example], *, is_official: bool
) -> GapAnswers:
    """Read a system's file; count bad answers as officially, or refuse the first."""
    answers: dict[str, tuple[bool | None, bool | None]] = {}
    repeated = unknown = odd = 0
    for line, row in _rows(path):
        name, *labels = row[:_ANSWER]
        if len(row) < _ANSWER:
            problem = f"expected 3 columns, found {len(row)}"
        elif name in answers:
            repeated += 1
            problem = f"example '{name}' has two answers"
        elif name not in examples:
            unknown += 1
            problem = f"the key has no example '{name}'"
            answers[name] = None, None
        else:
            a, b = (_LABELS.get(text.lower()) for text in labels)
            answers[name] = a, b
            if a is not None and b is not None:
                continue
            odd += 1
            problem = (
                f"'{labels[0] if a is None else labels[1]}' is neither TRUE nor FALSE"
            )
        if len(row) < _ANSWER or not is_official:
            text = "\t".join(row)
            raise FormatError(
                problem, source=name_of(path), line=line, text=text, hint=_HINT
            )
    return GapAnswers(answers, repeated, unknown, odd)


def refuse_missing(
    examples: dict[str, Example], answers: GapAnswers, path: Path
) -> None:
    """Refuse a system that leaves examples out."""
    missing = [name for name in examples if name not in answers.of]
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise AlignmentError(
            f"example '{missing[0]}'{more} has no answer",
            source=name_of(path),
            hint="Answer every example. With --scheme gap-2018, a missing answer "
            "counts as two false negatives, as in the official scorer.",
        )


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Read a table as the official scorer does, quotes included."""
    source = name_of(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t")
        for row in reader:
            if row:
                yield reader.line_num, row
    except (UnicodeDecodeError, csv.Error) as error:
        problem = f"this is not a table in UTF-8 ({error})"
        raise FormatError(problem, source=source) from error


Scheme = Literal["gap-2018"]

SCHEMES: tuple[Scheme, ...] = ("gap-2018",)

_TP, _FP, _FN, _TN = range(4)

_OUTCOMES = 4

_SIDES = ("masculine", "feminine")

_NOTES = {
    "missing-answers": f"{WARNING}Examples without an answer: {{:,}}. Each counts as "
    "two false negatives, even if the truth is FALSE. This lowers recall.",
    "odd-answers": f"{WARNING}Answers that are neither TRUE nor FALSE: {{:,}}. Each "
    "counts as a false negative, even if the truth is FALSE. This lowers recall.",
    "repeated-answers": f"{WARNING}Repeated answers: {{:,}}. Only the first answer to "
    "an example counts.",
    "unknown-examples": f"{WARNING}Answers to examples that the key does not have: "
    "{:,}. They were ignored.",
}


class GapScore(NamedTuple):
    """Counts and ratios of the decisions about some examples."""

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

    _reported_by = "tools.bias.gap:gap_report"

    @property
    def _in_short(self) -> str:
        return f"{self.system}, {counted(len(self.counts), 'example')}"

    @property
    def scores(self) -> dict[str, GapScore]:
        """Recall, precision and F₁, of all pronouns and by gender."""
        masculine, feminine = np.split(self.counts.sum(axis=0), 2)
        counts = {
            "overall": masculine + feminine,
            "masculine": masculine,
            "feminine": feminine,
        }
        return {
            name: GapScore(*_figures(part).tolist(), *map(int, part))
            for name, part in counts.items()
        }

    @property
    def bias(self) -> float | None:
        """The ratio of F₁, feminine to masculine; None if either is 0."""
        masculine, feminine = (self.scores[name].f1 for name in _SIDES)
        return feminine / masculine if masculine and feminine else None

    @property
    def signature(self) -> str:
        """The conventions of the count, in one line."""
        return f"scoref:{__version__}|format:gap|scheme:{self.scheme or 'strict'}"

    def interval(
        self,
        *,
        level: float = 95,
        method: Method = METHOD,
        resamples: int = RESAMPLES,
        seed: int = SEED,
    ) -> Interval:
        """Compute an interval of the bias, by the bootstrap over examples."""
        level = percent_of(level)
        check_options(method, resamples, seed)
        count = len(self.counts)
        if self.bias is None or count < 2:
            raise OptionError("the bias is undefined, so it has no interval")
        draws = resample(count, resamples, seed)
        drawn = np.concatenate([_biases(weights @ self.counts) for weights in draws])
        without = _biases(self.counts.sum(axis=0) - self.counts)
        cuts = Cuts(level, method, count, count - 1)
        # A draw without a correct answer has no bias.
        drawn, without = (biases[~np.isnan(biases)] for biases in (drawn, without))
        return cuts.interval(drawn, self.bias, without)


def score_gap(gold: File, system: File, *, scheme: str | None = None) -> GapResult:
    """Score a system on GAP.

    Args:
        gold: GAP's own file.
        system: lines of ID, A-coref and B-coref.
        scheme: ``gap-2018`` reads and counts as the official scorer does. By default,
            answers that are missing, repeated, unknown or neither true nor false are
            refused.
    """
    if scheme is not None and scheme not in SCHEMES:
        raise unknown("GAP scheme", scheme, SCHEMES)
    is_official = scheme is not None
    files = needed_files("score_gap", ("gold", gold), ("system", system))
    examples = read_examples(files[0])
    answers = read_answers(files[1], examples, is_official=is_official)
    if not is_official:
        refuse_missing(examples, answers, files[1])
    return GapResult(
        gold=str(files[0]),
        system=str(files[1]),
        counts=_counts(examples, answers),
        scheme="gap-2018" if is_official else None,
        notes=_notes(examples, answers),
    )


def _counts(examples: dict[str, Example], answers: GapAnswers) -> Floats:
    """Count the decisions about each example.

    Without an answer, a decision is a false negative, even if the truth is FALSE.
    """
    counts = np.zeros((len(examples), 2 * _OUTCOMES))
    for row, (name, example) in enumerate(examples.items()):
        first = _OUTCOMES * _SIDES.index(example.gender)
        both = answers.of.get(name, (None, None))
        for is_true, answer in zip(example.truth, both, strict=True):
            if is_true:
                outcome = _TP if answer else _FN
            else:
                outcome = _FN if answer is None else _FP if answer else _TN
            counts[row, first + outcome] += 1
    return counts


def _figures(counts: Floats) -> Floats:
    """Return recall, precision and F₁ of any number of counts."""
    true, false, missed = (counts[..., place] for place in (_TP, _FP, _FN))
    recall, precision = ratio(true, true + missed), ratio(true, true + false)
    return np.stack((recall, precision, f_one(recall, precision)), axis=-1)


def _biases(sums: Floats) -> Floats:
    """Return the bias of any number of sums; NaN where it is not defined."""
    sides = np.split(sums, 2, axis=-1)
    masculine, feminine = (_figures(side)[..., 2] for side in sides)
    biases = ratio(feminine, masculine, np.nan)
    biases[feminine == 0] = np.nan
    return biases


def _notes(examples: dict[str, Example], answers: GapAnswers) -> tuple[Note, ...]:
    counts = {
        "missing-answers": sum(name not in answers.of for name in examples),
        "odd-answers": answers.odd,
        "repeated-answers": answers.repeated,
        "unknown-examples": answers.unknown,
    }
    notes = [
        Note(kind, count, _NOTES[kind].format(count))
        for kind, count in counts.items()
        if count
    ]
    for gender in _SIDES:
        if all(example.gender != gender for example in examples.values()):
            message = (
                f"{WARNING}The key has no {gender} pronouns, so the bias is undefined. "
                "The figures of these pronouns are reported as 0."
            )
            notes.append(Note("no-pronouns", 1, message))
    is_right = all(
        answers.of.get(name) == example.truth for name, example in examples.items()
    )
    if is_right and len(examples) >= ENOUGH:
        message = (
            f"{WARNING}All answers are the same as in the key. "
            "Is the second file a response?"
        )
        notes.append(Note("same-as-key", 1, message))
    return tuple(notes)


class GapView(NamedTuple):
    """How figures are shown, and the interval of the bias, if there is one."""

    precision: int = 1
    interval: Interval | None = None
    level: float = 95
    chance: str = ""  # the signature of the interval


USUAL = GapView()


def gap_report(result: GapResult, view: GapView = USUAL) -> Report:
    """Report the figures of a system."""
    signatures = [result.signature, *([view.chance] if view.chance else [])]
    return Report(
        name="gap",
        parts=lambda: [
            _table(result, view),
            Signatures(signatures),
        ],
        objects=lambda: [_object(result, view)],
        rows=lambda: Rows(
            ["pronouns", *GapScore._fields],
            ([name, *score] for name, score in result.scores.items()),
        ),
        notes=[note.message for note in result.notes],
    )


def _table(result: GapResult, view: GapView) -> Table:
    rows = [
        [
            name.capitalize(),
            *(percent(figure, view.precision) for figure in score[:3]),
            *(str(count) for count in score[3:]),
        ]
        for name, score in result.scores.items()
    ]
    digits = view.precision + 1
    bias = UNDEFINED if result.bias is None else f"{result.bias:.{digits}f}"
    if view.interval is not None:
        bias += f" [{view.interval.low:.{digits}f}, {view.interval.high:.{digits}f}]"
    rows.append(["Bias", "", "", bias, "", "", "", ""])
    header = ("Recall", "Precision", "F₁", "TP", "FP", "FN", "TN")
    return Table(columns("", *header), rows)


def _object(result: GapResult, view: GapView) -> dict[str, object]:
    fields: dict[str, object] = {
        "scores": {name: score._asdict() for name, score in result.scores.items()},
        "bias": result.bias,
        "notes": result.notes,
        "signature": result.signature,
    }
    if view.interval is not None:
        fields["confidence"] = {
            "signature": view.chance,
            "level": view.level,
            "bias": view.interval._asdict(),
        }
    return fields
