"""The registry of metrics, and functions to choose among them.

scoref collects `METRICS` from every module of this package, so a new metric is a new
file. The records do not need NumPy; their functions import it when they are called.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from scoref.errors import OptionError, unknown
from scoref.metrics.base import Mean, Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.metrics.base import MetricRecord, Scale
    from scoref.model import Corpus
    from scoref.scheme import Scheme


def _found() -> dict[str, MetricRecord]:
    """Gather the records of this folder, in the order in which they are shown."""
    files = os.listdir(__path__[0])
    names = sorted(name.removesuffix(".py") for name in files if name.endswith(".py"))
    modules = [import_module(f"{__name__}.{name}") for name in names if name[0] != "_"]
    records: list[MetricRecord] = [
        each for module in modules for each in getattr(module, "METRICS", ())
    ]
    return {each.name: each for each in sorted(records, key=lambda each: each.place)}


METRICS: dict[str, MetricRecord] = _found()
"""Everything that can be asked for, by name, in the order in which it is shown."""

CONLL = "conll"
_OF_SCHEME = {
    "codi-crac-2022-br": "bridging",
    "maven-ere": "muc,bcub,ceafe,blanc,conll-blanc",
}
"""Set-ups that look at nothing else."""
_NEEDS = {
    "words": "is for formats with words, such as CorefUD, and not for plurals alone",
    "zeros": "is for CorefUD",
    "anaphora": "is for Universal Anaphora, and for identity (--evaluate identity)",
}


def usual(kind: str, *needs: str) -> tuple[str, ...]:
    """List what is computed of texts or tables that nobody asked anything of.

    >>> usual("texts")
    ('mentions', 'muc', 'bcub', 'ceafm', 'ceafe', 'blanc', 'lea', 'conll')
    """
    return tuple(
        name
        for name, each in METRICS.items()
        if each.usual in {"always", kind} and _needs(each) in {"mentions", *needs}
    )


def _needs(metric: MetricRecord) -> str:
    return metric.needs if isinstance(metric, Metric) else "mentions"


class _UnderScheme(Mapping[str, Metric]):
    """Metrics by name, under the conventions of a scheme."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme

    def __getitem__(self, name: str) -> Metric:
        metric = METRICS[name]
        if not isinstance(metric, Metric):
            raise KeyError(name)
        return metric.under(self._scheme) if metric.under else metric

    def __iter__(self) -> Iterator[str]:
        return (name for name, each in METRICS.items() if isinstance(each, Metric))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def metrics_of(scheme: Scheme) -> Mapping[str, Metric]:
    """Give every metric under the conventions of a scheme."""
    return _UnderScheme(scheme)


def available(corpus: Corpus, scheme: Scheme) -> tuple[str, ...]:
    """List the metrics that a format, and what is evaluated of it, allow."""
    if corpus.words is None:
        return usual("texts")
    if scheme.evaluate == "split-antecedents":
        return tuple(name for name in usual("texts") if _is_for_plurals(name))
    if not corpus.words.by_document:
        return usual("texts", "words", "zeros")
    needs = ["anaphora"] if scheme.evaluate == "identity" else []
    return usual("texts", "words", *needs)


def _is_for_plurals(name: str) -> bool:
    metric = METRICS[name]
    return isinstance(metric, Mean) or (
        isinstance(metric, Metric) and bool(metric.parts)
    )


def choose_metrics(
    names: str | Iterable[str] | None,
    known: tuple[str, ...] | None = None,
    *,
    scheme: object = None,
) -> tuple[str, ...]:
    """Check metric names and put them into the usual order; ``known`` if none is given.

    A scheme's name may stand for some of them, and ``all`` for all. What is not usual
    is there by its name.

    >>> choose_metrics("lea,bcub-sys,muc")
    ('muc', 'lea', 'bcub-sys')
    """
    known = usual("texts") if known is None else known
    if names is None:
        names = _OF_SCHEME.get(scheme) if isinstance(scheme, str) else None
    if names is None:
        return known
    given = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    wanted = [name for text in given for name in _named(text.lower())]
    allowed = [name for name in METRICS if name in known or _is_by_name(name, known)]
    if "all" in wanted:
        return tuple(allowed)
    for name in wanted:
        if name not in METRICS:
            raise unknown("metric", name, (*allowed, "all"))
        if name not in allowed:
            raise OptionError(f"'{name}' {_why_not(name)}")
    if not wanted:
        raise OptionError("no metric was named; leave the option out to get the usual")
    return tuple(name for name in allowed if name in wanted)


def _named(text: str) -> tuple[str, ...]:
    found = tuple(name for name, each in METRICS.items() if text in each.aliases)
    return found or (text,)


def _is_by_name(name: str, known: tuple[str, ...]) -> bool:
    """Tell what any mentions can be scored by, unless plurals alone are scored."""
    is_of_mentions = "mentions" in known or "pairwise" in known
    return is_of_mentions and _needs(METRICS[name]) == "mentions"


def _why_not(name: str) -> str:
    return _NEEDS.get(
        _needs(METRICS[name]), "is for mentions, and not for plurals alone"
    )


def labels_of(scheme: Scheme, names: Iterable[str]) -> dict[str, str]:
    """Give metrics, and their mean, the names that people know them by.

    >>> from scoref.scheme import Scheme
    >>> labels_of(Scheme(), ["bcub", "conll"])
    {'bcub': 'B³', 'conll': 'CoNLL'}
    """
    known = metrics_of(scheme)
    return {
        name: known[name].label if name in known else METRICS[name].label
        for name in names
    }


def leading_metric(names: Sequence[str]) -> str:
    """Choose the metric that stands for a system where only one can be shown.

    >>> leading_metric(("muc", "lea", "conll")), leading_metric(("lea", "muc"))
    ('conll', 'lea')
    """
    return CONLL if CONLL in names else names[0]


def parts_of(name: str) -> tuple[str, ...]:
    """Give what a mean is made of; any other metric is made of itself.

    >>> parts_of("conll"), parts_of("muc")
    (('muc', 'bcub', 'ceafe'), ('muc',))
    """
    metric = METRICS[name]
    return metric.of if isinstance(metric, Mean) else (name,)


def scale_of(name: str) -> Scale:
    """Say whether figures of a metric are percentages, numbers or counts."""
    metric = METRICS[name]
    return metric.scale if isinstance(metric, Metric) else "percent"


def is_distance(name: str) -> bool:
    """Tell whether less is better."""
    metric = METRICS[name]
    return isinstance(metric, Metric) and metric.is_distance


def means(names: Iterable[str]) -> list[Mean]:
    """Give the means among some metrics."""
    return [each for name in names if isinstance(each := METRICS[name], Mean)]


def needed_metrics(names: Iterable[str]) -> tuple[str, ...]:
    """List the metrics that must be counted to give the scores that are wanted."""
    wanted = {part for name in names for part in parts_of(name)}
    return tuple(name for name in METRICS if name in wanted)
