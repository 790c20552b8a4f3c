"""The registry of metrics, and functions to choose among them.

scoref collects `METRICS` from every module of this package, so a new metric is a new
file. The records do not need NumPy; their functions import it when they are called.
Metrics of plugins are added when they are needed; see `scoref.catalogues`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar, overload

from scoref.catalogues import Catalogue
from scoref.errors import OptionError, unknown
from scoref.metrics._plugins import adopt
from scoref.metrics.base import Mean, Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.metrics.base import MetricRecord, Scale
    from scoref.model import Corpus
    from scoref.scheme import Scheme


def _load_records() -> list[MetricRecord]:
    """Collect the records of this package, in the order of their places."""
    files = os.listdir(__path__[0])
    names = sorted(name.removesuffix(".py") for name in files if name.endswith(".py"))
    modules = [import_module(f"{__name__}.{name}") for name in names if name[0] != "_"]
    records: list[MetricRecord] = [
        record for module in modules for record in getattr(module, "METRICS", ())
    ]
    records.sort(key=lambda record: record.place)
    return records


METRICS: Catalogue[MetricRecord] = Catalogue(
    _load_records(),
    "metric",
    lambda record, package: adopt(record, package, METRICS),
    taken=("all",),
)
"""All metrics and means by name, in the order in which they are shown.

Those of plugins come last, and only if they were needed; see `all_metrics`.
"""


def all_metrics() -> Mapping[str, MetricRecord]:
    """Return all metrics and means by name, with those of plugins."""
    return METRICS.with_plugins()


CONLL = "conll"


def usual(kind: str, *needs: str) -> tuple[str, ...]:
    """Return the default metrics for texts or tables.

    >>> usual("texts")
    ('mentions', 'muc', 'bcub', 'ceafm', 'ceafe', 'blanc', 'lea', 'conll')
    """
    return _usual(tuple(METRICS), kind, needs)


@lru_cache(maxsize=64)
def _usual(
    known: tuple[str, ...], kind: str, needs: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(
        name
        for name in known
        if METRICS[name].usual in {"always", kind}
        and _needs(METRICS[name]) in {"mentions", *needs}
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
        return (name for name, metric in METRICS.items() if isinstance(metric, Metric))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def metrics_of(scheme: Scheme) -> Mapping[str, Metric]:
    """Return every metric under the conventions of a scheme."""
    return _UnderScheme(scheme)


def available(corpus: Corpus, scheme: Scheme) -> tuple[str, ...]:
    """List the default metrics for a format and the layer that is evaluated."""
    if corpus.words is None:
        return usual("texts")
    if scheme.evaluate == "split-antecedents":
        return tuple(
            name
            for name in usual("texts")
            if not isinstance(metric := METRICS[name], Metric) or metric.parts
        )
    if not corpus.words.by_document:
        return usual("texts", "words", "zeros")
    needs = ["anaphora"] if scheme.evaluate == "identity" else []
    return usual("texts", "words", *needs)


_OF_SCHEME = {
    "codi-crac-2022-br": "bridging",
    "maven-ere": "muc,bcub,ceafe,blanc,conll-blanc",
}
"""The metrics of schemes that use others than the default ones."""
_NEEDS = {
    "mentions": "is for mentions, not for split antecedents alone",
    "words": "is for formats with words, such as CorefUD",
    "zeros": "is for CorefUD",
    "anaphora": "is for Universal Anaphora with --evaluate identity",
}


def metric_names(names: str | Iterable[str]) -> list[str]:
    """Split a text into names of metrics, and replace aliases; nothing is checked.

    >>> metric_names("b3,MUC,other")
    ['bcub', 'muc', 'other']
    """
    texts = names.replace(",", " ").split() if isinstance(names, str) else names
    return [name for text in texts for name in _without_alias(text)]


def metric_name(text: str) -> str:
    """Return the name of the one metric that a name or an alias stands for.

    >>> metric_name("B³"), metric_name("unknown")
    ('bcub', 'unknown')
    """
    names = _without_alias(text)
    return names[0] if len(names) == 1 else text


def _without_alias(text: str) -> list[str]:
    """Return the metric, or the metrics, that a name or an alias stands for."""
    if text in METRICS:
        return [text]
    lower = str(text).lower()
    aliased = [name for name, metric in METRICS.items() if lower in metric.aliases]
    return aliased or [lower]


Value = TypeVar("Value")
Default = TypeVar("Default")


class ByMetric(dict[str, Value]):
    """A dict by metric that also takes aliases, such as ``b3`` for ``bcub``.

    >>> figures = ByMetric(bcub=0.5)
    >>> figures["b3"], figures.get("B³"), "b3" in figures, figures == {"bcub": 0.5}
    (0.5, 0.5, True, True)
    """

    __slots__ = ()

    def __missing__(self, name: str) -> Value:
        known = metric_name(name)
        if dict.__contains__(self, known):
            return dict.__getitem__(self, known)
        several = _without_alias(name)
        if several[1:]:
            problem = f"{name!r} means several metrics: {', '.join(several)}"
        else:
            problem = f"no figure for {name!r}. There are: {', '.join(self)}"
        raise KeyError(problem)

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or (
            isinstance(name, str) and dict.__contains__(self, metric_name(name))
        )

    @overload
    def get(self, name: str, default: None = None, /) -> Value | None: ...

    @overload
    def get(self, name: str, default: Value, /) -> Value: ...

    @overload
    def get(self, name: str, default: Default, /) -> Value | Default: ...

    def get(self, name: str, default: object = None, /) -> object:
        """Return the value of a metric, or a default if there is none."""
        try:
            return self[name]
        except KeyError:
            return default


def choose_metrics(
    names: str | Iterable[str] | None,
    known: tuple[str, ...] | None = None,
    *,
    scheme: object = None,
) -> tuple[str, ...]:
    """Check metric names and put them into the usual order; ``known`` if none is given.

    ``scheme`` is the name of a scheme with metrics of its own, and ``all`` means all
    metrics of scoref. Metrics that need only mentions can be chosen even if they are
    not known. Plugins are loaded for names that scoref does not have.

    >>> choose_metrics("lea,bcub-sys,muc")
    ('muc', 'lea', 'bcub-sys')
    """
    known = usual("texts") if known is None else known
    if names is None:
        names = _OF_SCHEME.get(scheme) if isinstance(scheme, str) else None
    if names is None:
        return known
    wanted = metric_names(names)
    if any(name != "all" and name not in METRICS for name in wanted):
        METRICS.with_plugins()
        wanted = metric_names(names)
    # Any mentions can be scored by these, unless plurals alone are scored.
    has_mentions = "mentions" in known or "pairwise" in known
    allowed = [
        name
        for name, metric in METRICS.items()
        if name in known or (has_mentions and _needs(metric) == "mentions")
    ]
    if "all" in wanted:
        # Installing a plugin must not change what a command prints.
        wanted += [name for name in allowed if not METRICS[name].package]
        wanted = [name for name in wanted if name != "all"]
    for name in wanted:
        if name not in METRICS:
            raise unknown("metric", name, (*allowed, "all"))
        if name not in allowed:
            raise OptionError(f"'{name}' {_NEEDS[_needs(METRICS[name])]}")
    if not wanted:
        raise OptionError(
            "no metric was given. Leave the option out for the default metrics"
        )
    return tuple(name for name in allowed if name in wanted)


def labels_of(scheme: Scheme, names: Iterable[str]) -> dict[str, str]:
    """Return the labels under which metrics and means are shown.

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
    """Choose the metric to show for a system if only one can be shown.

    >>> leading_metric(("muc", "lea", "conll")), leading_metric(("lea", "muc"))
    ('conll', 'lea')
    """
    return CONLL if CONLL in names else names[0]


def parts_of(name: str) -> tuple[str, ...]:
    """Return the metrics that a mean averages; for other metrics, the metric itself.

    >>> parts_of("conll"), parts_of("muc")
    (('muc', 'bcub', 'ceafe'), ('muc',))
    """
    metric = METRICS[name]
    return metric.of if isinstance(metric, Mean) else (name,)


def scale_of(name: str) -> Scale:
    """Return whether figures of a metric are percentages, numbers or counts."""
    metric = METRICS[name]
    return metric.scale if isinstance(metric, Metric) else "percent"


def is_distance(name: str) -> bool:
    """Return whether lower is better."""
    metric = METRICS[name]
    return isinstance(metric, Metric) and metric.is_distance


def means(names: Iterable[str]) -> list[Mean]:
    """Return the means among some metrics."""
    return [mean for name in names if isinstance(mean := METRICS[name], Mean)]


def needed_metrics(names: Iterable[str]) -> tuple[str, ...]:
    """List the metrics that must be counted for some scores."""
    return _needed(tuple(METRICS), tuple(names))


@lru_cache(maxsize=64)
def _needed(known: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    wanted = {part for name in names for part in parts_of(name)}
    return tuple(name for name in known if name in wanted)
