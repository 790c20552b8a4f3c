"""What is wrong with a response in one sentence, and its weakest documents.

The sentence is made from the figures. It names the kinds of errors that cost most, and
a class of mentions or a genre that has most of these errors.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.metrics import conll, leading_metric, metrics_of, parts_of
from scoref.printable import counted
from scoref.tools.errors.kinds import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    KINDS,
    MISSING_ENTITY,
    MISSING_MENTION,
    SPAN,
    WRONG_LINK,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.repairs import Mask


class _Problem(NamedTuple):
    """Kinds of errors with one cause, and how the sentence describes them."""

    kinds: tuple[int, ...]
    name: str
    errors: str
    error: str


_PROBLEMS = (
    _Problem(
        (MISSING_MENTION, MISSING_ENTITY),
        "misses mentions",
        "mentions or entities that were not found",
        "a mention or an entity that was not found",
    ),
    _Problem(
        (EXTRA_MENTION, EXTRA_ENTITY),
        "has too many mentions",
        "mentions or entities that are not in the key",
        "a mention or an entity that is not in the key",
    ),
    _Problem(
        (SPAN,),
        "has wrong boundaries",
        "mentions with too many or too few words",
        "a mention with too many or too few words",
    ),
    _Problem(
        (CONFLATED, WRONG_LINK),
        "links too much",
        "about mentions that were put with another entity",
        "about mentions that were put with another entity",
    ),
    _Problem(
        (DIVIDED,),
        "links too little",
        "parts of entities that were separated from the rest",
        "a part of an entity that was separated from the rest",
    ),
)

_CLEAR = 0.4
"""The share of all gains with which one problem is what is wrong."""

_MOST, _FEW = 0.5, 0.5

_EXAMPLES = 3


def summary_of(analysis: Analysis, *, with_words: bool = True, system: str = "") -> str:
    """Say in one sentence what is wrong.

    Args:
        analysis: the errors of the response.
        with_words: whether words of the text and genres may be quoted.
        system: the name of the system, if there are several.
    """
    errors = analysis.errors
    response = system or "The response"
    if not len(errors.kind):
        return f"{response} is the same as the key."
    if not len(analysis._corpora[1].mention_entity):
        return f"{response} has no mentions."
    costs = [_cost(analysis, problem) for problem in _PROBLEMS]
    place = int(np.argmax(costs))
    genre = _genre_clause(analysis) if with_words else ""
    if costs[place] < _CLEAR * math.fsum(cost for cost in costs if cost > -math.inf):
        return f"{_mixed(analysis, system)}{genre}."
    problem = _PROBLEMS[place]
    chosen = np.isin(errors.kind, problem.kinds)
    shown = _share_of_errors(problem, int(chosen.sum()), len(errors.kind))
    clause = _class_clause(analysis, problem, chosen, with_words=with_words)
    costliest = _costliest_clause(analysis, problem)
    return f"{response} {problem.name}: {shown}{clause}{costliest}{genre}."


def _cost(analysis: Analysis, problem: _Problem) -> float:
    """Add up the gains of kinds; a problem without errors is never the largest."""
    gains, kinds = analysis.gains, list(problem.kinds)
    if not gains.count[kinds].any():
        return -math.inf
    return math.fsum(gains.gain[kinds].tolist())


def _share_of_errors(problem: _Problem, count: int, whole: int) -> str:
    if count == whole == 1:
        return f"its only error is {problem.error}"
    if count == whole:
        every = "both of its" if whole == _TWO else f"all of its {whole:,}"
        return f"{every} errors are {problem.errors}"
    if count == 1:
        return f"1 of its {whole:,} errors is {problem.error}"
    return f"{count:,} of its {whole:,} errors are {problem.errors}"


_TWO = 2


def _mixed(analysis: Analysis, system: str) -> str:
    """Name the costliest kinds if no problem is much more costly than the others."""
    gains = analysis.gains
    first, second = np.argsort(-gains.gain, kind="stable")[:2].tolist()
    names = [
        f"{KINDS[kind].label} ({counted(int(gains.count[kind]), 'error')})"
        for kind in (first, second)
    ]
    of_system = f" of {system}" if system else ""
    most = f"{names[0]} and {names[1]} cost most"
    return f"The errors{of_system} are of several kinds: {most}"


def _costliest_clause(analysis: Analysis, problem: _Problem) -> str:
    """Name the kind with the largest gain if it is not part of the problem."""
    kind = int(np.argmax(analysis.gains.gain))
    if kind in problem.kinds:
        return ""
    return f"; of single kinds, {_plural(KINDS[kind].label)} cost most"


def _plural(label: str) -> str:
    """Return the plural of the label of a kind; some are plurals."""
    if label.endswith("ies"):
        return label
    return f"{label[:-1]}ies" if label.endswith("y") else f"{label}s"


def _class_clause(
    analysis: Analysis, problem: _Problem, chosen: Mask, *, with_words: bool
) -> str:
    """Name a class of mentions that most of these errors are about.

    If the problem has several kinds, their numbers are those of the groups of errors.
    """
    classes = analysis.details.mention_class
    count = int(chosen.sum())
    if classes is None or count < _EXAMPLES:
        return ""
    counts = np.bincount(classes.of_error[chosen], minlength=len(classes.names))
    place = int(np.argmax(counts))
    name = _PLURAL.get(classes.names[place])
    if name is None or counts[place] <= _MOST * count:
        return ""
    examples = ""
    if with_words and name == "pronouns":
        rows = np.flatnonzero(chosen & (classes.of_error == place))
        examples = f" ({', '.join(_common_words(analysis, rows.tolist()))})"
    number = f"{int(counts[place]):,}" if counts[place] < count else "all"
    of_class = analysis.errors.kind[chosen & (classes.of_error == place)]
    kinds = [(kind, int((of_class == kind).sum())) for kind in problem.kinds]
    parts = [f"{_plural(KINDS[kind].label)} ({many:,})" for kind, many in kinds if many]
    split = f": {' and '.join(parts)}" if len(parts) > 1 else ""
    return f", and {number} of these concern {name}{examples}{split}"


_PLURAL = {"pronoun": "pronouns", "proper": "names", "common": "nouns", "zero": "zeros"}


def _common_words(analysis: Analysis, rows: list[int]) -> list[str]:
    """List the words that most errors begin with."""
    wording = analysis._wording
    texts = map(wording.words, rows)
    counts = Counter(text if text == "I" else text.lower() for text in texts)
    return [text for text, _ in counts.most_common(_EXAMPLES)]


def _genre_clause(analysis: Analysis) -> str:
    """Name a genre that has most of the errors but few of the mentions."""
    genres = analysis.details.genre
    if genres is None or len({*genres}) <= 1:
        return ""
    names, of_document = np.unique(genres, return_inverse=True)
    errors, mentions = (
        np.bincount(of_document[documents], minlength=len(names))
        for documents in (analysis.errors.document, analysis.key.document)
    )
    shares = errors / errors.sum(), mentions / max(int(mentions.sum()), 1)
    place = int(np.argmax(shares[0]))
    if shares[0][place] <= _MOST or shares[1][place] >= _FEW * shares[0][place]:
        return ""
    of_errors, of_mentions = (float(share[place]) for share in shares)
    most = "all errors" if of_errors == 1 else f"{100 * of_errors:.0f} % of all errors"
    return (
        f"; genre {names[place]} has {most} but only {100 * of_mentions:.0f} % of the "
        "mentions in the key"
    )


class DocumentScores(NamedTuple):
    """Recall, precision and F₁ of each document in the leading metric."""

    figures: Floats
    is_defined: NDArray[np.bool_]


def score_documents(analysis: Analysis) -> DocumentScores:
    """Score each document, or the unit it belongs to, in the leading metric.

    The figures of an average such as CoNLL are means of those of its parts.
    """
    result = analysis.result
    known, parts = metrics_of(result.scheme), parts_of(leading_metric(result.metrics))
    figures: Floats = np.mean(
        [known[part].score(result.counts[part]) for part in parts], axis=0
    )
    is_defined = np.any(
        [known[part].is_defined(result.counts[part]) for part in parts], axis=0
    )
    return DocumentScores(figures[analysis._unit], is_defined[analysis._unit])


def analysed_documents(analysis: Analysis) -> DocumentScores:
    """Score each document with the matches that errors are found with.

    These are the scores from which gains start. They differ from those of the result
    if `Analysis.has_other_score`.
    """
    if not analysis.has_other_score:
        return score_documents(analysis)
    counts = analysis._repairs.unrepaired_counts()
    result = dataclasses.replace(
        analysis.result, metrics=(conll.NAME,), counts=counts, slice=None
    )
    return score_documents(dataclasses.replace(analysis, result=result))


def main_kinds(analysis: Analysis) -> tuple[Ints, Ints]:
    """Return the most frequent kind of error of each document, and their number."""
    counts = analysis.count_by_document()
    return counts.argmax(axis=1), counts.max(axis=1)


class WeakDocument(NamedTuple):
    """A document with a low score in the leading metric.

    ``recall``, ``precision`` and ``f1`` are those from which gains start. ``main_kind``
    is the kind of most errors, or None, and ``of_main_kind`` their number.
    """

    document: str
    f1: float
    errors: int
    recall: float
    precision: float
    main_kind: str | None
    of_main_kind: int


def weakest_documents(analysis: Analysis, most: int = 3) -> tuple[WeakDocument, ...]:
    """Return the documents with the lowest scores, if there are enough to compare.

    Documents whose score is not below the median are not weak.
    """
    scores = analysed_documents(analysis)
    f1 = np.where(scores.is_defined, scores.figures[:, 2], np.inf)
    if np.isfinite(f1).sum() < most:
        return ()
    median = float(np.median(f1[np.isfinite(f1)]))
    errors = analysis.count_by_document().sum(axis=1)
    kinds, of_kind = main_kinds(analysis)
    order = np.lexsort((-errors, f1))[:most]
    return tuple(
        WeakDocument(
            document=analysis.documents[row],
            f1=float(f1[row]),
            errors=int(errors[row]),
            recall=float(scores.figures[row, 0]),
            precision=float(scores.figures[row, 1]),
            main_kind=KINDS[int(kinds[row])].name if errors[row] else None,
            of_main_kind=int(of_kind[row]),
        )
        for row in order.tolist()
        if f1[row] < median
    )
