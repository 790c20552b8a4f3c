"""Error analysis of a key and a response: `scoref.find_errors`.

For several datasets, `sum_parts` adds up the errors of each kind and averages what they
cost.
"""

from __future__ import annotations

import dataclasses
import math
import operator
import os
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.figures import percent, signed
from scoref.formats.reading import open_file
from scoref.matching.spans import match_mentions
from scoref.metrics import available, chosen, conll
from scoref.model import Note
from scoref.render.report import Heading, Remarks, Table, columns
from scoref.scoring.evaluate import entity_pair, path_of, read_pairs
from scoref.scoring.pipeline import score_and_keep
from scoref.scoring.request import Request
from scoref.tools.errors.findings import AnalysedSide, Analysis
from scoref.tools.errors.kinds import KINDS
from scoref.tools.errors.listing import find_cells, list_errors
from scoref.tools.errors.mentions import mentions_of, names_heads, with_heads
from scoref.tools.errors.repairs import Repairs
from scoref.tools.errors.spans import pair_overlapping, rule_of, settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    from scoref.formats.entities import Documents, Entities
    from scoref.formats.reading import OpenedFile
    from scoref.matching import Matched
    from scoref.model import Corpus, Ints
    from scoref.render.report import Part
    from scoref.scheme import Scheme
    from scoref.scoring.evaluate import Path
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result
    from scoref.terminal.folders import Attempts
    from scoref.tools.errors.findings import Gains
    from scoref.tools.errors.mentions import Mentions
    from scoref.tools.errors.rendering import ErrorView
    from scoref.tools.errors.spans import SpanPairs


_SAME = 1e-9


def analyse(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...] | None = None,
    span_errors: str | None = None,
) -> Analysis:
    """Find every error of a response, and what each kind costs.

    Args:
        key: what the annotators said.
        response: what the system said.
        scheme: how it is scored.
        metrics: what the result is to have; all if not given.
        span_errors: when mentions are taken for one with other words: `head`, `share`,
            `share:N` or `overlap`; by heads where there are any if not given.
    """
    asked = rule_of(span_errors)
    if scheme.evaluate == "split-antecedents":
        raise OptionError("plurals alone have no mentions that could be wrong")
    metrics = metrics or available(key, scheme)
    given = key, response
    result, matched, (key, response) = _scored(*given, scheme, metrics)
    matching = mentions_of((key, response), matched)
    ours, theirs, rule = settled(matching, (key, response), asked)
    pairs = pair_overlapping(ours, theirs, rule)
    sides = (
        _side(ours, pairs.key, pairs.response),
        _side(theirs, pairs.response, pairs.key),
    )
    of_response = np.append(theirs.entity, -1)[sides[0].counterpart]
    entities = len(key.entity_label), len(response.entity_label)
    cells = find_cells(ours.entity, of_response, entities)
    errors = list_errors((ours, theirs), sides, pairs, cells)
    count = np.bincount(errors.kind, minlength=len(KINDS))
    repairs = Repairs(*sides, cells, result, matching.unit)
    gains = repairs.gains(count)
    is_headed = not all(map(names_heads, given)) and conll.NAME in result.metrics
    if is_headed and result.scheme.match in {"head", "partial"}:
        gains = dataclasses.replace(gains, official=result.conll)
    return Analysis(
        documents=matching.documents,
        key=sides[0],
        response=sides[1],
        errors=errors,
        gains=gains,
        error_gains=repairs.single(errors),
        result=result,
        corpora=(key, response),
        home=cells.home,
        entity_partner=cells.model,
        unit=matching.unit,
        span_rule=rule,
        notes=(
            *matching.notes,
            *_same_words(pairs, ours),
            *_other_score(result, gains, given),
        ),
    )


def find_errors(
    key: Path | Entities | Documents,
    response: Path | Entities | Documents,
    *,
    span_errors: str | None = None,
    **options: Unpack[ScoreOptions],
) -> Analysis:
    """Find every error of a response by kind, and what each kind costs.

    Args:
        key: what the annotators said.
        response: what the system said.
        span_errors: when a mention of the response is one of the key's with other
            words: ``head``, ``share``, ``share:0.6`` or ``overlap``. By heads where
            there are any, if not given, and else if they share half of their words.
        options: what `score` takes.

    >>> find_errors([["a", "b", "c"]], [["a", "b"], ["c"]]).costs["divided-entity"]
    Cost(errors=1, gain=0.36190476190476195)
    """
    wanted = Request.of(**options)
    if isinstance(key, str | os.PathLike):
        files = analysable(wanted, span_errors)
        (pair,) = read_pairs(key, [path_of(response)], files)
        return analyse(*pair, span_errors)
    both = entity_pair(key, response)
    metrics = chosen(wanted.metrics, scheme=wanted.scheme)
    return analyse(*both, wanted.scheme_for(None), metrics, span_errors)


def analyse_files(
    key: str | OpenedFile,
    names: Mapping[str, str],
    wanted: Request,
    annotators: Mapping[str, str] | None = None,
    span_errors: str | None = None,
) -> dict[str, Analysis]:
    """Analyse each response, by its name, and ask other annotators about it."""
    wanted = analysable(wanted, span_errors)
    pairs = read_pairs(key, names.values(), wanted)
    systems = {
        name: analyse(*pair, span_errors)
        for name, pair in zip([*names] or [str(key)], pairs, strict=True)
    }
    if not annotators:
        return systems
    from scoref.tools.errors.annotator_support import read_others, with_support

    others = read_others(annotators, wanted, next(iter(systems.values())).corpora[0])
    return {name: with_support(each, others) for name, each in systems.items()}


def analyse_datasets(
    key: str,
    names: Mapping[str, str],
    wanted: Request,
    attempts: Attempts,
    span_errors: str | None = None,
) -> Iterator[tuple[str, dict[str, Analysis]]]:
    """Analyse dataset after dataset; what cannot be read is reported and left out."""
    from scoref.terminal.folders import paired  # folders are rare

    asked, wanted = wanted.folder, wanted.changed(folder="datasets")
    for dataset in paired(key, names, attempts, asked):
        opened: OpenedFile | None = None
        systems: dict[str, Analysis] = {}
        for name, path in dataset.responses.items():
            with attempts.trying(str(path), dataset.name, name):
                opened = opened or open_file(dataset.key, wanted.format)
                systems |= analyse_files(
                    opened, {name: str(path)}, wanted, None, span_errors
                )
        yield dataset.name, systems


def analysable(wanted: Request, span_errors: str | None = None) -> Request:
    """Ask for all of the files that an analysis looks at."""
    rule_of(span_errors)
    return dataclasses.replace(
        wanted, with_tokens=True, with_genres=True, with_parses=True
    )


def _scored(
    key: Corpus, response: Corpus, scheme: Scheme, metrics: tuple[str, ...]
) -> tuple[Result, Matched, tuple[Corpus, Corpus]]:
    """Score, and match mentions: by their heads in the trees, without plurals."""
    kept = score_and_keep(key, response, scheme, metrics)
    corpora, scheme = with_heads(kept.corpora, kept.result.scheme)
    if scheme.split_antecedents == "keep":
        scheme = dataclasses.replace(scheme, split_antecedents="drop")
    is_same = all(map(operator.is_, corpora, kept.corpora))
    if scheme == kept.result.scheme and is_same:
        return kept.result, kept.matched, kept.corpora
    return kept.result, match_mentions(*corpora, scheme), corpora


def _side(mentions: Mentions, mine: Ints, other: Ints) -> AnalysedSide:
    overlapping = np.full(len(mentions.row), -1, dtype=np.int64)
    overlapping[mine] = other
    return AnalysedSide(
        mentions.row, mentions.document, mentions.entity, mentions.partner, overlapping
    )


def _same_words(pairs: SpanPairs, key: Mentions) -> tuple[Note, ...]:
    """Say how many span errors are none but for the heads."""
    differs = (pairs.left != 0) | (pairs.right != 0) | (pairs.inside != 0)
    count = len(differs) - int(differs.sum())
    if not count or key.head is None:
        return ()
    have = "span error has" if count == 1 else "span errors have"
    message = (
        f"{count} {have} the words of the key and another head; --match exact does not "
        "ask for heads"
    )
    return (Note("same-words", count, message),)


def _other_score(
    result: Result, gains: Gains, corpora: tuple[Corpus, Corpus]
) -> tuple[Note, ...]:
    """Say that the score is not the official one, where it is not, and why."""
    if conll.NAME not in result.metrics:
        return ()
    if abs(result.conll - gains.before) < _SAME:
        return ()
    if gains.official is not None:
        names = [side.source for side in corpora if not names_heads(side)]
        have = "has" if len(names) == 1 else "have"
        message = (
            f"{' and '.join(names)} {have} no heads: errors are found with heads from "
            "the trees, or by words if there are none, and gains start from the CoNLL "
            f"score with these, {100 * gains.before:.2f}"
        )
        return (Note("other-score", 1, message),)
    message = (
        f"gains start from a CoNLL score of {100 * gains.before:.2f}, not from that of "
        f"the response ({100 * result.conll:.2f}): here each mention is in one entity, "
        "matches are one to one, and plurals are left aside"
    )
    return (Note("other-score", 1, message),)


_ALL = "all datasets"

_MEANING = "errors are added up; gain and CoNLL are means over what could be read"


def sum_parts(systems: Mapping[str, Sequence[Gains]], view: ErrorView) -> list[Part]:
    """Give each system a column, as for the systems of one dataset."""
    digits = view.precision
    found = {name: each for name, each in systems.items() if each}
    rows = [
        [KINDS[kind].label, *(_cell(each, kind, digits) for each in found.values())]
        for kind in view.shown
    ]
    scores = (_mean(gains.before for gains in each) for each in found.values())
    rows.append(["CoNLL", *(percent(score, digits) for score in scores)])
    table = Table(columns("Errors (gain)", *found), rows)
    return [Heading(_ALL), table, Remarks([_MEANING])]


def _cell(datasets: Sequence[Gains], kind: int, digits: int) -> str:
    count = sum(int(gains.count[kind]) for gains in datasets)
    gain = _mean(float(gains.gain[kind]) for gains in datasets)
    return f"{count} ({signed(gain, digits)})"


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed)
