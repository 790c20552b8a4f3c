"""Scores on both halves of a test set such as WinoBias, and the report on them.

Texts are paired by a part of their documents' names. The report shows both halves side
by side, with their average, their difference, its interval and its p-value.
"""

from __future__ import annotations

import dataclasses
import os
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from scoref.displayed import Displayed
from scoref.errors import AlignmentError, OptionError
from scoref.figures import difference, figure
from scoref.formats.inputs import needed_files
from scoref.metrics import labels_of
from scoref.model import Note
from scoref.notes import WARNING, note_lines
from scoref.printable import counted, describe
from scoref.render.objects import result_object
from scoref.render.report import Remarks, Report, Rows, Signatures, Table, columns
from scoref.scoring.evaluate import score_files
from scoref.scoring.request import Request
from scoref.statistics.bootstrap import METHOD
from scoref.statistics.compare import compare
from scoref.statistics.confidence import RESAMPLES, SEED

if TYPE_CHECKING:
    from typing import Unpack

    from scoref.formats.inputs import File, Path
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.statistics.compare import Comparison, Difference


PAIRS = r"//(\d+)"
"""The part of a document's name that a pair has in common: in WinoBias, its number."""

PRO, ANTI = "pro", "anti"


@dataclass(frozen=True, eq=False, repr=False)
class BiasResult(Displayed):
    """The scores of both halves, in which documents have the names of their pairs."""

    pro: Result
    anti: Result
    comparison: Comparison

    _reported_by = "tools.bias.winobias:bias_report"

    @property
    def _in_short(self) -> str:
        return f"{counted(self.pairs, 'pair')} of documents"

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.pro.documents)

    @cached_property
    def differences(self) -> dict[str, Difference]:
        """The differences of F₁, pro minus anti, with interval and tests, by metric."""
        return {row.metric: row for row in self.comparison.differences}

    @property
    def average(self) -> dict[str, float]:
        """The mean F₁ of both halves, by metric."""
        pro, anti = self.pro.scores, self.anti.scores
        return {name: (pro[name].f1 + anti[name].f1) / 2 for name in pro}

    @property
    def difference(self) -> dict[str, float]:
        """The differences of F₁, pro minus anti, by metric."""
        pro, anti = self.pro.scores, self.anti.scores
        return {name: pro[name].f1 - anti[name].f1 for name in pro}


def score_bias(
    pro: tuple[File, File],
    anti: tuple[File, File],
    *,
    pairs: str = PAIRS,
    **options: Unpack[ScoreOptions],
) -> BiasResult:
    """Score two halves of a test set whose texts are pairs, and test the difference.

    Args:
        pro: key and response of texts that agree with a stereotype.
        anti: key and response of texts that contradict it.
        pairs: a regular expression. The names of a pair have the same first group.
        options: options of `scoref.score`.
    """
    roles = "pro key", "pro response", "anti key", "anti response"
    given: dict[str, object] = {"pro": pro, "anti": anti}
    for name, half in given.items():
        if not isinstance(half, tuple | list) or len(half) != 2:
            raise OptionError(
                f"{name} must be a pair (key, response), not {describe(half)}"
            )
    halves = zip(roles, (*pro, *anti), strict=True)
    pro_key, pro_response, anti_key, anti_response = needed_files("score_bias", *halves)
    return bias_of(
        (pro_key, pro_response),
        (anti_key, anti_response),
        Request.of(**options),
        pairs=pairs,
    )


def bias_of(
    pro: tuple[Path, Path],
    anti: tuple[Path, Path],
    wanted: Request,
    *,
    pairs: str = PAIRS,
    level: float = 95,
    method: Method = METHOD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> BiasResult:
    """Score two halves as `score_bias` does, with options of the comparison."""
    pattern = _pair_pattern(pairs)
    halves = [_score_half(*half, wanted, pattern) for half in (pro, anti)]
    _refuse_unpaired(halves[0], halves[1])
    _refuse_unpaired(halves[1], halves[0])
    # The halves have keys of their own, which are paired text by text.
    sides = (dataclasses.replace(half, key="", fingerprint=None) for half in halves)
    comparison = compare(
        dict(zip((PRO, ANTI), sides, strict=True)),
        level=level,
        method=method,
        resamples=resamples,
        seed=seed,
    )
    warnings = (*_same_files(pro, anti), *_swapped_halves(pro, anti))
    comparison = dataclasses.replace(comparison, notes=(*warnings, *comparison.notes))
    return BiasResult(halves[0], halves[1], comparison)


def _pair_pattern(pairs: str) -> re.Pattern[str]:
    """Compile the pattern of pairs, which must have a group."""
    try:
        pattern = re.compile(pairs)
    except re.error as error:
        place = error.pos or 0
        raise OptionError(
            f"--pair-pattern is not a regular expression ({error.msg})",
            text=pairs,
            span=(place, place + 1),
        ) from error
    if not pattern.groups:
        raise OptionError(
            "--pair-pattern needs a group that captures the name of the pair",
            text=pairs,
            span=(0, len(pairs)),
            hint=f"For WinoBias, use {PAIRS}.",
        )
    return pattern


def _score_half(
    key: Path, response: Path, wanted: Request, pattern: re.Pattern[str]
) -> Result:
    """Score a half, and rename its documents to their pairs."""
    (result,) = score_files(key, [response], wanted)
    documents: dict[str, str] = {}  # by pair
    for document in result.documents:
        match = pattern.search(document)
        if match is None or match[1] is None:
            raise AlignmentError(
                f"document '{document}' does not match --pair-pattern "
                f"'{pattern.pattern}'",
                source=result.key,
                hint="Give a regular expression whose first group is the same for "
                "both documents of a pair.",
            )
        other = documents.setdefault(match[1], document)
        if other != document:
            raise AlignmentError(
                f"documents '{other}' and '{document}' are both in pair '{match[1]}'",
                source=result.key,
                hint="A pair has one document in each half.",
            )
    return dataclasses.replace(result, documents=tuple(documents))


def _refuse_unpaired(half: Result, other: Result) -> None:
    """Refuse a half that has pairs which the other half lacks."""
    there = {*other.documents}
    alone = [name for name in half.documents if name not in there]
    if alone:
        more = f" (and {len(alone) - 1} more)" if len(alone) > 1 else ""
        raise AlignmentError(
            f"pair '{alone[0]}'{more} has no document in {other.key}", source=half.key
        )


def _same_files(pro: tuple[Path, Path], anti: tuple[Path, Path]) -> list[Note]:
    """Warn of a file that is given for both halves, as key or as response."""
    notes = []
    for role, first, second in zip(("key", "response"), pro, anti, strict=True):
        if os.path.abspath(first) == os.path.abspath(second):
            message = (
                f"{WARNING}'{os.fspath(first)}' was given as the {role} of both "
                "halves. Expected: PRO_KEY PRO_RESPONSE ANTI_KEY ANTI_RESPONSE."
            )
            notes.append(Note("same-file", 1, message))
    return notes


def _swapped_halves(pro: tuple[Path, Path], anti: tuple[Path, Path]) -> list[Note]:
    """Warn if the name of a file says that it is of the other half."""
    notes = []
    for paths, half, other in ((pro, PRO, ANTI), (anti, ANTI, PRO)):
        for path in paths:
            name = os.fspath(path)
            words = re.split(r"[^a-z]+", os.path.basename(name).lower())
            if other in words and half not in words:
                message = (
                    f"{WARNING}{name} was given for the {half} half. If the halves are "
                    "swapped, the difference has the wrong sign."
                )
                notes.append(Note("swapped-halves", 1, message))
    return notes[:1]


_FIELDS = ("metric", "pro", "anti", "average", "difference", "low", "high", "p")


def bias_report(result: BiasResult, precision: int = 2) -> Report:
    """Report a row for each metric."""
    halves = (PRO, result.pro), (ANTI, result.anti)
    notes = [(name, note) for name, half in halves for note in half.notes]
    notes += [(name, note) for name, _ in halves for note in result.comparison.notes]
    meaning = f"p: randomisation test, swapping the texts of {result.pairs:,} pairs."
    return Report(
        name="bias",
        parts=lambda: [
            _table(result, precision),
            Signatures([result.pro.signature, result.comparison.signature]),
            Remarks([meaning]),
        ],
        objects=lambda: [_object(result)],
        rows=lambda: Rows(_FIELDS, _figures(result)),
        notes=note_lines(notes, of=2),
    )


def _table(result: BiasResult, precision: int) -> Table:
    labels = labels_of(result.pro.scheme, result.pro.metrics)
    rows = [
        [
            labels[name],
            *(figure(name, value, precision) for value in (pro, anti, average)),
            difference(name, gap, precision),
            ""
            if low is None or high is None
            else f"[{difference(name, low, precision)}, "
            f"{difference(name, high, precision)}]",
            "" if p is None else f"{p:.4f}",
        ]
        for name, pro, anti, average, gap, low, high, p in _figures(result)
    ]
    level = f"{result.comparison.level:g} %"
    header = columns("F₁", "Pro", "Anti", "Average", "Difference", level, "p")
    return Table(header, rows)


_Figures = tuple[
    str, float, float, float, float, float | None, float | None, float | None
]


def _figures(result: BiasResult) -> list[_Figures]:
    """Return the values of `_FIELDS` for each metric."""
    average, gap = result.average, result.difference
    rows: list[_Figures] = []
    for name, score in result.pro.scores.items():
        test = result.differences[name]
        low, high = test.interval or (None, None)
        anti, p = result.anti.scores[name].f1, test.randomisation
        rows.append((name, score.f1, anti, average[name], gap[name], low, high, p))
    return rows


def _object(result: BiasResult) -> dict[str, object]:
    tests = result.differences
    return {
        "pro": result_object(result.pro),
        "anti": result_object(result.anti),
        "average": result.average,
        "difference": result.difference,
        "pairs": result.pairs,
        "p": {name: row.randomisation for name, row in tests.items()},
        "p_holm": {name: row.adjusted for name, row in tests.items()},
        "intervals": {name: row.interval for name, row in tests.items()},
        "signature": result.pro.signature,
        "comparison": result.comparison.signature,
        "notes": result.comparison.notes,
    }
