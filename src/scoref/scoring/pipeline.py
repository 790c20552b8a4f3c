"""The steps from two corpora to a result: matching, tabulation, counting and notes."""

from __future__ import annotations

import dataclasses
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from scoref.contingency.tabulation import tabulate
from scoref.errors import OptionError, TooLargeError
from scoref.matching.spans import match_mentions, with_gold_mentions
from scoref.metrics import b_cubed, metrics_of, needed_metrics
from scoref.model import Note
from scoref.notes import WARNING
from scoref.scoring.format_defaults import fitted
from scoref.scoring.results import Result
from scoref.scoring.sanity_checks import coverage_notes, suspicions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scoref.contingency import Contingency
    from scoref.matching import Matched
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Corpus
    from scoref.scheme import Scheme


class Kept(NamedTuple):
    """A result, and what it was counted from."""

    result: Result
    matched: Matched
    table: Contingency
    corpora: tuple[Corpus, Corpus]  # as they were scored


def score_corpora(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    *,
    with_blocks: bool = False,
) -> Result:
    """Count every metric, and keep what was noted on the way.

    ``with_blocks`` counts by blocks of entities as well, for intervals over these.
    """
    with naming_sizes(key, response):
        scheme = fitted(scheme, key, response)
        response = with_gold_mentions(key, response, scheme)
        # Nobody asks for mentions here: they are gone before metrics are counted.
        tabulated = _tabulated(match_mentions(key, response, scheme), scheme)
        counted = _counted(key, response, scheme, metrics, tabulated)
        if not with_blocks:
            return counted
        blocks = _blocks(tabulated.table, metrics_of(scheme), counted.counts)
        return dataclasses.replace(counted, blocks=blocks)


def score_and_keep(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    matched: Matched | None = None,
) -> Kept:
    """Do that for those who ask which mentions a count is made of.

    ``matched`` is what was kept of a scheme that matches alike and counts otherwise.
    """
    with naming_sizes(key, response):
        scheme = fitted(scheme, key, response)
        response = with_gold_mentions(key, response, scheme)
        matched = matched or match_mentions(key, response, scheme)
        tabulated = _tabulated(matched, scheme)
        result = _counted(key, response, scheme, metrics, tabulated)
        return Kept(result, matched, tabulated.table, (key, response))


@contextmanager
def naming_sizes(key: Corpus, response: Corpus) -> Iterator[None]:
    """Say what was too large if memory does not do."""
    try:
        yield
    except MemoryError as error:
        sizes = [f"{len(side.mention_entity):,}" for side in (key, response)]
        raise TooLargeError(
            f"there is not enough memory to compare {sizes[0]} mentions of "
            f"{key.source} with {sizes[1]} of {response.source}"
        ) from error


class _Tabulated(NamedTuple):
    table: Contingency
    documents: tuple[str, ...]
    notes: tuple[Note, ...]


def _tabulated(matched: Matched, scheme: Scheme) -> _Tabulated:
    return _Tabulated(tabulate(matched, scheme), matched.documents, matched.notes)


def _counted(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    tabulated: _Tabulated,
) -> Result:
    table, documents, notes = tabulated
    known = metrics_of(scheme)
    count = _counting(table, scheme)
    counts = {name: count(known[name], table) for name in needed_metrics(metrics)}
    empty = _without_mentions(key, response)
    if not empty and all(note.kind != "shifted-offsets" for note in notes):
        empty = _without_common_mentions(table)
    undefined = _undefined([known[name] for name in metrics if name in known], counts)
    return Result(
        key=str(key.source),
        response=str(response.source),
        format="+".join(dict.fromkeys((key.format, response.format))),
        scheme=scheme,
        metrics=metrics,
        documents=documents,
        counts=counts,
        notes=(
            *key.notes,
            *response.notes,
            *empty,
            *suspicions(key, response, table),
            *_on_memberships(notes, metrics),
            *undefined,
            *coverage_notes(*table.common_and_all, metrics, key.format),
        ),
        fingerprint=key.fingerprint,
    )


_ROUNDING = 1e-6


def _blocks(
    table: Contingency, known: Mapping[str, Metric], counts: Mapping[str, Floats]
) -> dict[str, Floats]:
    from scoref.contingency.partition import in_blocks

    if table.plurals is not None:
        raise OptionError(
            "plurals tie entities together, so that these cannot be drawn one by one: "
            "leave them out (split_antecedents=drop, --split-antecedents drop)"
        )
    blocks = in_blocks(table)
    found = {
        name: known[name].count(blocks)
        for name in counts
        if known[name].is_sum_of_blocks
    }
    # Where mentions repeat, a metric may be no sum over blocks.
    return {
        name: each
        for name, each in found.items()
        if (abs(each.sum(axis=0) - counts[name].sum(axis=0)) < _ROUNDING).all()
    }


def _counting(
    table: Contingency, scheme: Scheme
) -> Callable[[Metric, Contingency], Floats]:
    if table.plurals is None and scheme.evaluate != "split-antecedents":
        return lambda metric, table: metric.count(table)
    from scoref.metrics._plurals import count_plurals, count_with_plurals

    only_plurals = scheme.evaluate == "split-antecedents"
    return count_plurals if only_plurals else count_with_plurals


_MANY_REPEATED = 10


def _on_memberships(notes: tuple[Note, ...], metrics: tuple[str, ...]) -> list[Note]:
    """Say which metric lets a mention be in several entities, as in some keys."""
    name = b_cubed.EXTENDED
    if name in metrics:
        more = f"; {name} sees them in all of their entities"
        kinds: tuple[str, ...] = ("duplicates-in-key", "duplicates-in-response")
    else:
        more = f"; if that is on purpose, --metrics {name} scores it"
        kinds = ("duplicates-in-key",)
    return [
        dataclasses.replace(note, message=f"{note.message}{more}")
        if note.kind in kinds and (name in metrics or note.count > _MANY_REPEATED)
        else note
        for note in notes
    ]


def _undefined(metrics: list[Metric], counts: Mapping[str, Floats]) -> list[Note]:
    """Say which figures are 0 by convention; that there are no zeros goes without."""
    labels = [
        metric.label
        for metric in metrics
        if metric.name != "zero" and not metric.is_defined(counts[metric.name]).any()
    ]
    if not labels:
        return []
    are = "is" if len(labels) == 1 else "are"
    message = f"{', '.join(labels)} {are} 0/0 here and counted as 0"
    return [Note("undefined", len(labels), message)]


def _without_mentions(key: Corpus, response: Corpus) -> list[Note]:
    """Say that a side is empty: most often the wrong file was given."""
    sides = ("key", key), ("response", response)
    return [
        Note(
            "no-mentions",
            1,
            f"{WARNING}the {role} has no mention at all: is it the right file?",
        )
        for role, side in sides
        if not len(side.mention_entity)
    ]


def _without_common_mentions(table: Contingency) -> list[Note]:
    """Say that nothing matches: then every figure is 0, whatever the entities are."""
    sides = int(table.key_mentions.sum()), int(table.response_mentions.sum())
    if not all(sides) or table.common_mentions.any():
        return []
    message = (
        f"{WARNING}none of {sides[1]} mentions of the response is one of the key's "
        f"{sides[0]}, so every figure is 0: "
        "is it the response to this key?"
    )
    return [Note("no-common-mentions", sides[1], message)]
