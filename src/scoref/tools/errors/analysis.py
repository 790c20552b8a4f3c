"""Error analysis of a key and its responses, from files or from entities.

`find_errors` is part of the public interface. The commands `errors` and `report` use
`analyse_files` and `analyse_datasets`. All of them end in `analyse`, which shows the
steps: score, pair the spans that were not matched, find the cells, list the errors, and
repair them to see what they cost.
"""

from __future__ import annotations

import dataclasses
import operator
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.formats.inputs import entity_corpora, files_of
from scoref.formats.reading import open_file
from scoref.matching.spans import match_mentions
from scoref.metrics import available, choose_metrics, conll
from scoref.model import Note
from scoref.notes import WARNING
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.pipeline import score_and_keep
from scoref.scoring.request import Request
from scoref.tools.errors.findings import OTHER_SCORE, AnalysedSide, Analysis
from scoref.tools.errors.listing import find_cells, list_errors
from scoref.tools.errors.mentions import mentions_of, names_heads, with_heads
from scoref.tools.errors.repairs import Repairs
from scoref.tools.errors.spans import choose_rule, pair_overlapping, rule_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Unpack

    from scoref.formats.inputs import Input, Path
    from scoref.formats.reading import OpenedFile
    from scoref.matching import Matched
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme
    from scoref.scoring.request import ScoreOptions
    from scoref.scoring.results import Result
    from scoref.terminal.systems import Attempts
    from scoref.tools.errors.mentions import Mentions
    from scoref.tools.errors.spans import SpanPairs


def find_errors(
    key: Input,
    response: Input,
    *,
    span_errors: str | None = None,
    **options: Unpack[ScoreOptions],
) -> Analysis:
    """Find every error of a response by kind, and what each kind costs.

    Args:
        key: the gold annotation, as for `scoref.score`.
        response: the output of the system.
        span_errors: rule for a response mention that is a key mention with other
            words: ``head``, ``share``, ``share:0.6`` or ``overlap``. The default is
            ``head`` for texts with heads, and otherwise half of the words.
        options: options of `scoref.score`.

    >>> find_errors([["a", "b", "c"]], [["a", "b"], ["c"]]).costs["divided-entity"]
    Cost(errors=1, gain=0.36190476190476195)
    """
    wanted = Request.of(**options)
    rule_of(span_errors)  # refuses a wrong rule before files are read
    files = files_of(("key", key), ("response", response))
    if files is not None:
        (pair,) = read_pairs(files[0], files[1:], _with_texts(wanted))
        return analyse(*pair, span_errors)
    corpora = entity_corpora(key, response)
    metrics = choose_metrics(wanted.metrics, scheme=wanted.scheme)
    return analyse(*corpora, wanted.scheme_for(None), metrics, span_errors)


def analyse_files(
    key: Path | OpenedFile,
    names: Mapping[str, Path],
    wanted: Request,
    annotators: Mapping[str, Path] | None = None,
    span_errors: str | None = None,
) -> dict[str, Analysis]:
    """Analyse each response, and see which errors other annotators would have made.

    Args:
        key: the file of the key.
        names: the files of the responses, by the name of the system.
        wanted: how they are read and scored.
        annotators: the keys of other annotators, by their names.
        span_errors: see `analyse`.
    """
    rule_of(span_errors)
    wanted = _with_texts(wanted)
    pairs = read_pairs(key, names.values(), wanted)
    analyses = {
        name: analyse(*pair, span_errors)
        for name, pair in zip([*names] or [str(key)], pairs, strict=True)
    }
    if not annotators:
        return analyses
    from scoref.tools.errors.annotator_support import add_support, read_annotators

    corpus = next(iter(analyses.values()))._corpora[0]
    others = read_annotators(annotators, wanted, corpus)
    return {name: add_support(analysis, others) for name, analysis in analyses.items()}


def analyse_datasets(
    key: str,
    names: Mapping[str, str],
    wanted: Request,
    attempts: Attempts,
    span_errors: str | None = None,
) -> Iterator[tuple[str, dict[str, Analysis]]]:
    """Analyse one dataset after the other; files that cannot be read are left out."""
    from scoref.terminal.systems import paired

    folder, wanted = wanted.folder, wanted.changed(folder="datasets")
    for dataset in paired(key, names, attempts, folder):
        opened: OpenedFile | None = None
        systems: dict[str, Analysis] = {}
        for name, path in dataset.responses.items():
            with attempts.trying(str(path), dataset.name, name):
                opened = opened or open_file(dataset.key, wanted.format)
                systems |= analyse_files(
                    opened, {name: str(path)}, wanted, None, span_errors
                )
        yield dataset.name, systems


def _with_texts(wanted: Request) -> Request:
    """Request that files are read with everything that an analysis uses."""
    return dataclasses.replace(
        wanted, with_tokens=True, with_genres=True, with_parses=True
    )


def analyse(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...] | None = None,
    span_errors: str | None = None,
) -> Analysis:
    """Find every error of a response, and what each kind costs.

    Args:
        key: the gold annotation.
        response: the output of the system.
        scheme: how it is scored.
        metrics: metrics of the result; all if not given.
        span_errors: the rule by which mentions with different words are the same:
            `head`, `share`, `share:N` or `overlap`. If not given, heads decide if there
            are any.
    """
    wanted_rule = rule_of(span_errors)
    if scheme.evaluate == "split-antecedents":
        raise OptionError(
            "split antecedents alone cannot be analysed: plurals have no mentions"
        )
    metrics = metrics or available(key, scheme)
    originals = key, response
    result, matched, (key, response) = _score_and_match(*originals, scheme, metrics)
    matching = mentions_of((key, response), matched)
    ours, theirs, rule = choose_rule(matching, (key, response), wanted_rule)
    pairs = pair_overlapping(ours, theirs, rule)
    sides = (
        _side(ours, pairs.key, pairs.response),
        _side(theirs, pairs.response, pairs.key),
    )
    of_response = np.append(theirs.entity, -1)[sides[0].counterpart]
    entities = len(key.entity_label), len(response.entity_label)
    cells = find_cells(ours.entity, of_response, entities)
    errors = list_errors((ours, theirs), sides, pairs, cells)
    repairs = Repairs(*sides, cells, errors, result, matching.unit)
    gains = repairs.gains()
    adds_heads = not all(map(names_heads, originals)) and conll.NAME in result.metrics
    if adds_heads and result.scheme.match in {"head", "partial"}:
        gains = dataclasses.replace(gains, official=result.conll)
    analysis = Analysis(
        documents=matching.documents,
        key=sides[0],
        response=sides[1],
        errors=errors,
        gains=gains,
        error_gains=repairs.error_gains(),
        result=result,
        _corpora=(key, response),
        _home=cells.home,
        _entity_partner=cells.model,
        _unit=matching.unit,
        _span_rule=rule,
        _repairs=repairs,
        notes=(
            *_unknown_repetitions(matching.notes, result),
            *_note_same_words(pairs, ours),
        ),
    )
    notes = (*analysis.notes, *_note_other_score(analysis, originals))
    return dataclasses.replace(analysis, notes=notes)


def _score_and_match(
    key: Corpus, response: Corpus, scheme: Scheme, metrics: tuple[str, ...]
) -> tuple[Result, Matched, tuple[Corpus, Corpus]]:
    """Score, and match mentions by the heads of the trees, without plurals."""
    kept = score_and_keep(key, response, scheme, metrics)
    corpora, scheme = with_heads(kept.corpora, kept.result.scheme)
    if scheme.split_antecedents == "keep":
        scheme = dataclasses.replace(scheme, split_antecedents="drop")
    is_same = all(map(operator.is_, corpora, kept.corpora))
    if scheme == kept.result.scheme and is_same:
        return kept.result, kept.matched, kept.corpora
    return kept.result, match_mentions(*corpora, scheme), corpora


def _side(mentions: Mentions, mine: Ints, other: Ints) -> AnalysedSide:
    """Make one side of the analysis; ``mine`` and ``other`` are the span pairs."""
    overlapping = np.full(len(mentions.row), -1, dtype=np.int64)
    overlapping[mine] = other
    return AnalysedSide(
        mentions.row, mentions.document, mentions.entity, mentions.partner, overlapping
    )


def _unknown_repetitions(notes: tuple[Note, ...], result: Result) -> Iterator[Note]:
    """Leave out repeated mentions that the scores have a note about."""
    known = {note.kind for note in result.notes}
    for note in notes:
        if note.kind.replace("repeated", "duplicates") not in known:
            yield note


def _note_same_words(pairs: SpanPairs, key: Mentions) -> tuple[Note, ...]:
    """Note how many span errors have the same words and differ in the head only."""
    differs = (pairs.left != 0) | (pairs.right != 0) | (pairs.inside != 0)
    count = len(differs) - int(differs.sum())
    if not count or key.head is None:
        return ()
    have = "span error has" if count == 1 else "span errors have"
    message = (
        f"{count:,} {have} the same words as the key but a different head. "
        "Use --match exact to ignore heads."
    )
    return (Note("same-words", count, message),)


def _note_other_score(
    analysis: Analysis, originals: tuple[Corpus, Corpus]
) -> tuple[Note, ...]:
    """Note that gains do not start from the score of the response, and why."""
    if not analysis.has_other_score:
        return ()
    gains = analysis.gains
    cause = (
        "The error analysis counts each mention in one entity, matches mentions one to "
        "one and ignores plurals."
    )
    if gains.official is not None:
        names = [side.source for side in originals if not names_heads(side)]
        have = "has" if len(names) == 1 else "have"
        by_heads = all(map(names_heads, analysis._corpora))
        found = "the heads of the trees" if by_heads else "the words of mentions"
        cause = (
            f"{' and '.join(names)} {have} no heads, and the official scorer takes the "
            f"first word of each mention instead. Errors are found with {found}."
        )
    message = (
        f"{WARNING}Gains start from a CoNLL score of {100 * gains.before:.2f}, not "
        f"from {100 * analysis.result.conll:.2f}. {cause}"
    )
    return (Note(OTHER_SCORE, 1, message),)
