"""Estimates of pairwise figures from labelled pairs of records.

With s = predicted together, y = match, and w one over the chance of being drawn:

    P = Σ w s y / Σ w s        R = Σ w s y / Σ w y

Recall covers only pairs that could be drawn. Pairs that blocking left out are in no
sample.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, FormatError, OptionError
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.records.columns import MissingColumnError
from scoref.records.engines import count_sample
from scoref.records.estimate.estimate import (
    Estimate,
    estimate_clusters,
    missing_weights,
)
from scoref.records.estimate.estimators import (
    UNIFORM,
    ClusterNumbers,
    Draws,
    estimate_metric,
)
from scoref.records.estimate.report import design_text, signature_of
from scoref.records.ids import text_of
from scoref.records.link_columns import WantedLinks
from scoref.records.link_rows import PairOptions
from scoref.records.links import read_pair_key
from scoref.records.pairs import (
    MATCHES,
    TooFewColumnsError,
    WantedPairs,
    fetch_pairs,
    recognise_pairs,
)
from scoref.records.request import TableReading
from scoref.records.sources import recognise
from scoref.scoring.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.records.estimate.estimate import Choices
    from scoref.records.request import CountRequest
    from scoref.records.sources import Columns


_NAME = "pairwise"

_RECORD = "\x1f"  # a prefix, so that no record has the name of a null word


class _LabelledPairs(NamedTuple):
    """Pairs by the names of their records, whether they match, and their weights."""

    source: str
    left: list[str]
    right: list[str]
    is_match: Ints
    weights: Floats
    with_itself: int  # pairs of a record with itself, which were left out


def estimate_from_pairs(
    sample: object,
    predicted: object,
    choices: Choices,
    request: CountRequest,
    columns: tuple[str | None, str | None, str | None],
    engine: str | None,
) -> Estimate:
    """Estimate from labelled pairs, or from the clusters that matching pairs make."""
    try:
        return _estimate_pairs(
            sample, predicted, choices, request, columns, engine=engine
        )
    except TooFewColumnsError:
        table = recognise_pairs(
            sample, "sample", remote=request.remote, has_scores=False
        )
        left, right, _ = columns
        wanted = WantedLinks(left, right)
        key = read_pair_key(table, request, wanted, PairOptions())
    clusters = [key.labels[number] for number in key.component.tolist()]
    result = estimate_clusters(
        dict(zip(key.labels, clusters, strict=True)),
        predicted,
        choices,
        replace(request, wanted=replace(request.wanted, mention=None)),
        engine,
        {"sample": "matches", "sources": key.sources},
    )
    return replace(
        result,
        notes=(*key.notes, *result.notes),
        columns={**key.columns, **result.columns},
    )


def _estimate_pairs(
    labelled: object,
    predicted: object,
    choices: Choices,
    request: CountRequest,
    columns: tuple[str | None, str | None, str | None],
    *,
    engine: str | None = None,
) -> Estimate:
    """Estimate from pairs: the prediction shows which records are together."""
    if not isinstance(choices.weights, str) or choices.weights == "cluster-size":
        raise OptionError(
            f"weights of pairs are {UNIFORM} or a column, not '{choices.weights}'"
        )
    if choices.times is not None or choices.block or choices.is_er_evaluation:
        raise OptionError(
            "pairs have weights, but no times or blocks, and er-evaluation "
            "cannot be used with them"
        )
    pairs = _read_pairs(labelled, choices, request, columns)
    records = sorted({*pairs.left, *pairs.right})
    # Each record is counted as a labelled cluster of its own.
    sample = {name: f"{_RECORD}{name}" for name in records}
    counts = count_sample(
        [
            recognise(sample, "sample"),
            recognise(predicted, "prediction", remote=request.remote),
        ],
        replace(request, wanted=replace(request.wanted, others=())),
        engine,
    )
    cluster = np.full(len(records), -1, dtype=np.int64)
    cluster[counts.cell] = counts.predicted
    place = {
        name.removeprefix(_RECORD): number
        for number, name in enumerate(counts.clusters)
    }
    left, right = (
        cluster[[place[name] for name in side]] for side in (pairs.left, pairs.right)
    )
    is_predicted = (left >= 0) & (right >= 0)
    kept = _select(pairs, is_predicted, choices)
    together = ((left == right) & is_predicted)[kept].astype(np.int64)
    match, weights = pairs.is_match[kept], pairs.weights[kept]
    both = together * match
    terms = np.column_stack((both, match, both, together)).astype(np.float64)
    ones = np.ones(len(match), dtype=np.int64)
    draws = Draws(terms, weights, ones, _strata(weights))
    figures = estimate_metric(_NAME, draws, choices.level)
    lacking = int((~is_predicted).sum())
    return Estimate(
        scores=Scores({_NAME: figures.score}),
        errors={_NAME: figures.errors},
        intervals={_NAME: figures.intervals},
        effective={_NAME: figures.effective},
        values={},
        clusters=0,
        draws=len(match),
        records=len(records),
        level=choices.level,
        signature=signature_of(choices, sample="pairs"),
        promise=(
            f"pairs were drawn {design_text(choices)}, and all labels are correct"
        ),
        notes=tuple(_notes(pairs, lacking, match, together, choices)),
        columns=counts.columns,
    )


def _read_pairs(
    labelled: object,
    choices: Choices,
    request: CountRequest,
    names: tuple[str | None, str | None, str | None],
) -> _LabelledPairs:
    table = recognise_pairs(
        labelled, "labelled pairs", remote=request.remote, has_scores=False
    )
    wanted = WantedPairs(*names, kind="match", known=MATCHES, others=choices.columns)
    reading = TableReading(
        table.source, "key", wanted, request.header, request.table_of("key")
    )
    try:
        columns = fetch_pairs(table, reading, request)
    except MissingColumnError as error:
        raise missing_weights(error.name, [UNIFORM], error.columns) from error
    chosen = wanted.choose(columns.names, table.source, None)
    left, right = (_records(columns, name) for name in (chosen.left, chosen.right))
    labels = [_label(value, table.source) for value in columns.values[chosen.value]]
    weights = np.ones(len(columns))
    if choices.weights != UNIFORM:
        numbers = [str(number) for number in range(1, len(columns) + 1)]
        reader = ClusterNumbers("weight", table.source, numbers, unit="pair")
        texts = map(text_of, columns.values[str(choices.weights)])
        weights = reader.check_weights(reader.from_column([{text} for text in texts]))
    apart = [a != b for a, b in zip(left, right, strict=True)]
    if not any(apart):
        raise FormatError("there are no labelled pairs", source=table.source)
    return _LabelledPairs(
        table.source,
        list(compress(left, apart)),
        list(compress(right, apart)),
        np.array(labels, dtype=np.int64)[apart],
        weights[apart],
        apart.count(False),
    )


def _records(columns: Columns, name: str) -> list[str]:
    records = []
    for number, value in enumerate(columns.values[name], 1):
        record = text_of(value)
        if record is None:
            raise FormatError(
                f"pair {number} has no record in '{name}'", source=columns.source
            )
        records.append(record)
    return records


def _label(value: object, source: str) -> int:
    text = str(text_of(value)).lower()
    if text in {"1", "true", "yes"}:
        return 1
    if text in {"0", "false", "no"}:
        return 0
    raise FormatError(
        f"'{value}' is not a label. Expected 1 (match) or 0 (no match)", source=source
    )


def _select(
    pairs: _LabelledPairs, is_predicted: NDArray[np.bool_], choices: Choices
) -> Ints:
    """Return the rows of the pairs that count."""
    lacking = int((~is_predicted).sum())
    if lacking and choices.missing == "error":
        raise AlignmentError(
            f"{lacking:,} of {len(is_predicted):,} labelled pairs have a "
            "record that is not in the prediction",
            source=pairs.source,
            hint="Use --missing-records alone to count such a record as a predicted "
            "singleton, or --missing-records drop to leave the pair out (missing "
            "in Python).",
        )
    if not is_predicted.any():
        raise AlignmentError(
            "no labelled pair is in the prediction", source=pairs.source
        )
    is_kept = is_predicted if choices.missing == "drop" else np.ones_like(is_predicted)
    return np.flatnonzero(is_kept)


def _strata(weights: Floats) -> Ints:
    """Number the strata: pairs of equal weight.

    A single pair does not vary, so all pairs with a weight of their own are one
    stratum. If there is only one such pair, it joins its neighbour.
    """
    _, stratum, count = np.unique(weights, return_inverse=True, return_counts=True)
    is_single = count == 1
    if is_single.sum() == 1 and len(count) > 1:
        alone = int(np.flatnonzero(is_single)[0])
        return np.where(stratum == alone, alone - 1 if alone else 1, stratum)
    return np.where(is_single[stratum], np.flatnonzero(is_single)[:1].sum(), stratum)


def _notes(
    pairs: _LabelledPairs, lacking: int, match: Ints, together: Ints, choices: Choices
) -> Iterator[Note]:
    if pairs.with_itself:
        itself = counted(pairs.with_itself, "pair")
        text = f"scoref left out {itself} of a record with itself."
        yield Note("itself", pairs.with_itself, text)
    if lacking:
        is_alone = choices.missing == "alone"
        action = "counted as not linked" if is_alone else "left out"
        which = counted(lacking, "pair")
        text = f"scoref {action} {which} with a record that the prediction lacks."
        yield Note("missing", lacking, text)
    yield Note(
        "candidates",
        len(match),
        "Recall covers only pairs that could be drawn. Matches that "
        "blocking left out are not counted.",
    )
    if not (match * (1 - together)).any():
        text = (
            f"{WARNING}No match was found among pairs that are not linked. "
            "Recall means nothing unless such pairs were drawn, too."
        )
        yield Note("no-missed-match", 1, text)
