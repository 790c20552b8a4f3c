"""Two corpora in, a result out: the way of the data on one page."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from scoref.errors import OptionError, TooLargeError
from scoref.fitting import fitted
from scoref.metrics import metrics_of, needed
from scoref.model import Note
from scoref.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Corpus
    from scoref.scheme import Scheme


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
        return _scored(key, response, scheme, metrics, with_blocks=with_blocks)


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


def _scored(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    *,
    with_blocks: bool,
) -> Result:
    scheme = fitted(scheme, key, response)
    table, documents, notes = _table(key, response, scheme)
    known = metrics_of(scheme)
    count = _counting(table, scheme)
    counts = {name: count(known[name], table) for name in needed(metrics)}
    empty = _without_mentions(key, response) or _without_common_mentions(table)
    undefined = _undefined([known[name] for name in metrics if name in known], counts)
    return Result(
        key=key.source,
        response=response.source,
        format="+".join(dict.fromkeys((key.format, response.format))),
        scheme=scheme,
        metrics=metrics,
        documents=documents,
        counts=counts,
        notes=(*key.notes, *response.notes, *empty, *notes, *undefined),
        blocks=_blocks(table, known, counts) if with_blocks else None,
    )


_ROUNDING = 1e-6


def _blocks(
    table: Contingency, known: Mapping[str, Metric], counts: Mapping[str, Floats]
) -> dict[str, Floats]:
    from scoref.contingency.blocks import in_blocks  # noqa: PLC0415 - if wanted

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
    from scoref.metrics._plurals import count_plurals, count_with_plurals  # noqa: PLC0415

    only_plurals = scheme.evaluate == "split-antecedents"
    return count_plurals if only_plurals else count_with_plurals


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
        Note("no-mentions", 1, f"the {role} has no mention at all")
        for role, side in sides
        if not len(side.mention_entity)
    ]


def _without_common_mentions(table: Contingency) -> list[Note]:
    """Say that nothing matches: then every figure is 0, whatever the entities are."""
    sides = int(table.key_mentions.sum()), int(table.response_mentions.sum())
    if not all(sides) or table.common_mentions.any():
        return []
    message = (
        f"none of {sides[1]} mentions of the response is one of the key's {sides[0]}: "
        "is it the response to this key?"
    )
    return [Note("no-common-mentions", sides[1], message)]


def _table(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Contingency, tuple[str, ...], tuple[Note, ...]]:
    # Each way has its own modules, and start-up time counts: one is loaded.
    if key.words is None:
        from scoref.contingency.spans import match_spans, tabulate_as  # noqa: PLC0415

        matched, notes = match_spans(key, response, scheme)
        table = tabulate_as(matched, scheme.duplicates)
        return table, matched.documents, notes
    from scoref.contingency.words import tabulate_words  # noqa: PLC0415

    return tabulate_words(key, response, scheme)
