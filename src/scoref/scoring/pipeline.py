"""The steps from two corpora to a result: matching, tabulation, counting and notes.

`score_corpora` shows all of them. `score_and_keep` also returns what was counted.
`ManySchemes` scores the same corpora again and again, and shares steps.
"""

from __future__ import annotations

import dataclasses
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple
from scoref.contingency.tabulation import tabulate
from scoref.errors import OptionError, TooLargeError
from scoref.matching.spans import match_mentions, with_gold_mentions
from scoref.metrics import METRICS, b_cubed, metrics_of, needed_metrics
from scoref.metrics.base import Metric
from scoref.model import Note
from scoref.notes import WARNING
from scoref.scoring.deferred import CountsOnDemand, later
from scoref.scoring.format_defaults import fit_scheme
from scoref.scoring.results import Result, plugins_of
from scoref.scoring.sanity_checks import ENOUGH, coverage_notes, suspicions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scoref.contingency import Contingency
    from scoref.matching import Matched
    from scoref.metrics.base import Floats
    from scoref.model import Corpus
    from scoref.scheme import Scheme


def score_corpora(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    *,
    with_blocks: bool = False,
    on_demand: bool = False,
) -> Result:
    """Score a response by every metric.

    ``with_blocks`` counts by blocks of entities as well, for intervals over these.
    ``on_demand`` counts a metric when the result is asked for it, if the table is
    small. This is for documents in a loop, of which often one figure is read.
    """
    with naming_sizes(key, response):
        scheme = fit_scheme(scheme, key, response)
        response = with_gold_mentions(key, response, scheme)
        # Counting needs memory, and no mentions: the matching is not kept.
        counted = _Tabulated.of(match_mentions(key, response, scheme), scheme)
        counters = counted.counters(metrics, scheme)
        if on_demand and counted.is_small and not plugins_of(metrics, key.format):
            unread = CountsOnDemand(counters, counted.table)
            return _result(key, response, scheme, metrics, counted, unread)
        counts = {}
        for name, count in counters.items():
            counts[name] = count(counted.table)
        result = _result(key, response, scheme, metrics, counted, counts)
        if not with_blocks:
            return result
        blocks = _count_blocks(counted.table, scheme, counts)
        return dataclasses.replace(result, _blocks=blocks)


class Kept(NamedTuple):
    """A result, and what it was counted from."""

    result: Result
    matched: Matched
    table: Contingency
    corpora: tuple[Corpus, Corpus]  # as they were scored


def score_and_keep(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    matched: Matched | None = None,
) -> Kept:
    """Score a response, and keep the mentions that the counts are made of.

    ``matched`` is the matching under a scheme that matches alike and counts
    differently.
    """
    with naming_sizes(key, response):
        scheme = fit_scheme(scheme, key, response)
        response = with_gold_mentions(key, response, scheme)
        matched = matched or match_mentions(key, response, scheme)
        counted = _Tabulated.of(matched, scheme)
        counters = counted.counters(metrics, scheme)
        counts = {name: count(counted.table) for name, count in counters.items()}
        result = _result(key, response, scheme, metrics, counted, counts)
        return Kept(result, matched, counted.table, (key, response))


_ONLY_COUNTING = {"blanc": "reference", "lea": "self-links", "average": "micro"}
"""Conventions that change neither matching nor table, each with some value."""


class ManySchemes:
    """A key and a response that are scored by many schemes, such as by `explain`.

    Schemes that match alike share a table, and metrics share counts of equal columns.
    Counts are small. Of tables, only the first and the last one stay in memory.
    """

    def __init__(self, key: Corpus, response: Corpus) -> None:
        self._corpora = key, response
        words = [side.words for side in self._corpora]
        self._has_zeros = any(each is not None and each.is_zero.any() for each in words)
        self._tables: list[tuple[Scheme, _Tabulated]] = []
        self._counts: dict[tuple[str, tuple[object, ...]], Floats] = {}

    def score(self, scheme: Scheme, metrics: tuple[str, ...]) -> Result:
        """Return the result that `score_corpora` returns."""
        key, response = self._corpora
        with naming_sizes(key, response):
            scheme = fit_scheme(scheme, key, response)
            alike = dataclasses.replace(scheme, **_ONLY_COUNTING)  # type: ignore[arg-type]
            if not self._has_zeros:
                alike = dataclasses.replace(alike, zeros=None)
            response = with_gold_mentions(key, response, scheme)
            counted = next((each for one, each in self._tables if one == alike), None)
            if counted is None:
                matched = match_mentions(key, response, scheme)
                counted = _Tabulated.of(matched, scheme)
                self._tables[1:] = [(alike, counted)]
            counts = {}
            for name, count in counted.counters(metrics, scheme).items():
                metric = METRICS[name]
                assert isinstance(metric, Metric)
                depends: tuple[object, ...] = (alike,)
                if metric.under:
                    depends = alike, scheme.blanc, scheme.lea
                elif metric.needs == "words" and counted.table.word_overlap:
                    depends = counted.overlap_hashes()
                if (name, depends) not in self._counts:
                    self._counts[name, depends] = count(counted.table)
                counts[name] = self._counts[name, depends]
            return _result(key, response, scheme, metrics, counted, counts)


@contextmanager
def naming_sizes(key: Corpus, response: Corpus) -> Iterator[None]:
    """Turn a MemoryError into a message that names both files and their sizes."""
    try:
        yield
    except MemoryError as error:
        sizes = [f"{len(side.mention_entity):,}" for side in (key, response)]
        raise TooLargeError(
            f"there is not enough memory to compare {sizes[0]} mentions of "
            f"{key.source} with {sizes[1]} of {response.source}"
        ) from error


_SMALL = 1 << 16  # mentions


class _Tabulated(NamedTuple):
    """The table of a matching, and what else of the matching a result needs."""

    table: Contingency
    documents: tuple[str, ...]
    notes: tuple[Note, ...]

    @classmethod
    def of(cls, matched: Matched, scheme: Scheme) -> _Tabulated:
        return cls(tabulate(matched, scheme), matched.documents, matched.notes)

    @property
    def is_small(self) -> bool:
        """Whether the table may stay in memory, for counts on demand."""
        return sum(self.table.mention_totals) < _SMALL

    def overlap_hashes(self) -> tuple[bytes, ...]:
        """Return a hash of each column that MOR counts, if the table has them."""
        from hashlib import sha256  # for many schemes only

        columns = self.table.word_overlap or ()
        return tuple(sha256(column.tobytes()).digest() for column in columns)

    def counters(
        self, metrics: tuple[str, ...], scheme: Scheme
    ) -> dict[str, Callable[[Contingency], Floats]]:
        """Return the function that counts each metric; plurals need others."""
        known = metrics_of(scheme)
        names = needed_metrics(metrics)
        if self.table.plurals is None and scheme.evaluate != "split-antecedents":
            return {name: known[name].count for name in names}
        from scoref.metrics._plurals import count_plurals, count_with_plurals

        only_plurals = scheme.evaluate == "split-antecedents"
        count = count_plurals if only_plurals else count_with_plurals
        return {name: partial(count, known[name]) for name in names}


def _result(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    counted: _Tabulated,
    counts: Mapping[str, Floats] | CountsOnDemand,
) -> Result:
    table, documents, notes = counted
    nothing = _without_mentions(key, response)
    explained = {"shifted-offsets", "other-kinds-of-mentions"}
    if not nothing and all(
        note.kind not in explained for note in (*response.notes, *notes)
    ):
        nothing = _with_few_common_mentions(table)
    before = (
        *key.notes,
        *response.notes,
        *nothing,
        *suspicions(key, response, table),
        *_on_memberships(notes, metrics),
    )
    after = coverage_notes(*table.common_and_all, metrics, key.format)

    def all_notes() -> tuple[Note, ...]:
        return (*before, *_undefined(metrics, scheme, counts), *after)

    format_name = "+".join(dict.fromkeys((key.format, response.format)))
    is_later = isinstance(counts, CountsOnDemand)
    return Result(
        key=str(key.source),
        response=str(response.source),
        format=format_name,
        scheme=scheme,
        metrics=metrics,
        documents=documents,
        counts=later(counts) if isinstance(counts, CountsOnDemand) else counts,
        notes=later(all_notes) if is_later else all_notes(),
        fingerprint=key.fingerprint,
        plugins=plugins_of(metrics, format_name),
    )


_ROUNDING = 1e-6


def _count_blocks(
    table: Contingency, scheme: Scheme, counts: Mapping[str, Floats]
) -> dict[str, Floats]:
    """Count metrics by blocks of entities, if their counts are sums over blocks."""
    from scoref.contingency.partition import in_blocks

    if table.plurals is not None:
        raise OptionError(
            "--unit entities cannot be used with split antecedents, which tie entities "
            "together. Use --split-antecedents drop (split_antecedents=drop in Python)"
        )
    blocks, known, by_block = in_blocks(table), metrics_of(scheme), {}
    for name, whole in counts.items():
        if known[name].is_sum_of_blocks:
            parts = known[name].count(blocks)
            # If mentions repeat, the blocks may not add up to the whole.
            if (abs(parts.sum(axis=0) - whole.sum(axis=0)) < _ROUNDING).all():
                by_block[name] = parts
    return by_block


_MANY_REPEATED = 10


def _on_memberships(notes: tuple[Note, ...], metrics: tuple[str, ...]) -> list[Note]:
    """Add to notes on duplicates that a metric allows mentions in several entities."""
    name = b_cubed.EXTENDED
    if name in metrics:
        more = f" {name} counts them in all of their entities."
        kinds: tuple[str, ...] = ("duplicates-in-key", "duplicates-in-response")
    else:
        more = f" If this is intended, use --metrics {name}."
        kinds = ("duplicates-in-key",)
    return [
        dataclasses.replace(note, message=f"{note.message}{more}")
        if note.kind in kinds and (name in metrics or note.count > _MANY_REPEATED)
        else note
        for note in notes
    ]


def _undefined(
    metrics: tuple[str, ...],
    scheme: Scheme,
    counts: Mapping[str, Floats] | CountsOnDemand,
) -> list[Note]:
    """List metrics whose figure is 0/0 and counted as 0, other than zeros."""
    known = metrics_of(scheme)
    labels = [
        known[name].label
        for name in metrics
        if name in known
        and name != "zero"
        and not known[name].is_defined_anywhere(counts[name])
    ]
    if not labels:
        return []
    are = "is" if len(labels) == 1 else "are"
    message = f"{', '.join(labels)} {are} 0/0 and counted as 0."
    return [Note("undefined", len(labels), message)]


def _without_mentions(key: Corpus, response: Corpus) -> list[Note]:
    """Warn of a side without mentions: usually the wrong file was given."""
    sides = ("key", key), ("response", response)
    return [
        Note(
            "no-mentions",
            1,
            f"{WARNING}The {role} has no mentions. Is it the right file?",
        )
        for role, side in sides
        if not len(side.mention_entity)
    ]


_FEW = 0.1  # documents in a wrong order have about 6 % of their mentions in common


def _with_few_common_mentions(table: Contingency) -> list[Note]:
    """Warn that hardly anything matches, so that the figures are near 0."""
    *sides, common = table.mention_totals
    if not all(sides):
        return []
    if not common:
        message = (
            f"{WARNING}None of the {sides[1]:,} response mentions is one of the "
            f"{sides[0]:,} key mentions, so the scores of entities are 0. Is it the "
            "response to this key?"
        )
        return [Note("no-common-mentions", sides[1], message)]
    if min(sides) < ENOUGH or common >= _FEW * min(sides):
        return []
    message = (
        f"{WARNING}Only {common:,} of the {sides[1]:,} response mentions are among the "
        f"{sides[0]:,} key mentions. Is it the response to this key, with its "
        "documents in the same order?"
    )
    return [Note("few-common-mentions", common, message)]
