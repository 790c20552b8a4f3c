"""The metrics of plugins: which records are accepted, and how they are called.

A plugin's functions always get plain tables, in which a row is one entity or one cell,
and their results are checked. What they raise becomes a `PluginError` that names the
package.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, ParamSpec, TypeVar, get_args

from scoref.catalogues import PluginError, check_fields, check_name, describe
from scoref.errors import ScorefError
from scoref.lazy import np
from scoref.metrics.base import Mean, Metric, MetricRecord, Scale

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Scoring

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

PUBLIC = frozenset(
    (
        *("name", "label", "asks", "reference", "page", "aliases", "of"),
        *("count", "score", "columns", "denominators", "scale", "is_distance"),
        *("is_sum_of_blocks", "shares"),
    )
)
"""The fields of a record that a plugin may set."""

_FIGURES = 3  # recall, precision and F₁


def adopt(
    record: object, package: str, known: Mapping[str, MetricRecord]
) -> MetricRecord:
    """Check a plugin's record, and return it with its package."""
    if not isinstance(record, Metric | Mean):
        raise ScorefError(
            "expected a Metric or a Mean of scoref.plugins, not "
            f"{type(record).__name__}"
        )
    for name in (record.name, *record.aliases):
        check_name(name)
    defaults = {field.name: field.default for field in dataclasses.fields(record)}
    check_fields(record, defaults, PUBLIC)
    if isinstance(record, Mean):
        _check_parts(record, known)
        return dataclasses.replace(record, package=package)
    _check_metric(record)
    shares = record.shares
    return dataclasses.replace(
        record,
        package=package,
        is_aligned=True,  # tables of records must keep single entities
        count=_checked_count(record, package),
        score=_checked_score(record, package),
        shares=None if shares is None else _named(shares, record, package),
    )


def _check_parts(mean: Mean, known: Mapping[str, MetricRecord]) -> None:
    for part in mean.of:
        if not isinstance(known.get(part), Metric):
            raise ScorefError(f"'{part}' is not a metric that can be averaged")
    if not mean.of:
        raise ScorefError("a mean needs the names of metrics in 'of'")


def _check_metric(metric: Metric) -> None:
    functions = metric.count, metric.score, metric.shares or metric.count
    if not all(map(callable, functions)):
        raise ScorefError("'count', 'score' and 'shares' must be functions")
    if metric.scale not in get_args(Scale):
        raise ScorefError(f"'scale' must be one of {', '.join(get_args(Scale))}")
    if metric.is_distance and metric.scale == "percent":
        raise ScorefError("a distance needs the scale 'number' or 'count'")
    if any(column >= len(metric.columns) for column in metric.denominators):
        raise ScorefError("'denominators' must be places in 'columns'")


def _named(
    function: Callable[Parameters, Returned], metric: Metric, package: str
) -> Callable[Parameters, Returned]:
    """Let errors of a plugin's function name the metric and the package."""

    def call(*arguments: Parameters.args, **options: Parameters.kwargs) -> Returned:
        try:
            return function(*arguments, **options)
        except ScorefError:
            raise
        except Exception as error:
            raise _failure(metric, package, describe(error)) from error

    return call


def _failure(metric: Metric, package: str, problem: str) -> PluginError:
    return PluginError(
        f"metric '{metric.name}' of plugin {package} failed: {problem}",
        hint="This is a fault of the plugin. Report it to the plugin's authors.",
    )


def _checked_count(metric: Metric, package: str) -> Callable[[Contingency], Floats]:
    count = _named(metric.count, metric, package)

    def checked(table: Contingency) -> Floats:
        from scoref.contingency.histogram import expanded

        counts = np.asarray(count(expanded(table)), dtype=np.float64)
        expected = table.document_count, len(metric.columns)
        if counts.shape != expected:
            raise _failure(
                metric,
                package,
                f"its counts have the shape {counts.shape} instead of {expected} "
                "(documents, columns)",
            )
        if not np.isfinite(counts).all():
            raise _failure(metric, package, "some of its counts are not finite")
        return counts

    return checked


def _checked_score(metric: Metric, package: str) -> Scoring:
    score = _named(metric.score, metric, package)

    def checked(counts: Floats, undefined: float = 0.0) -> Floats:
        scores = np.asarray(score(counts, undefined), dtype=np.float64)
        expected = (*counts.shape[:-1], _FIGURES)
        if scores.shape != expected:
            raise _failure(
                metric,
                package,
                f"its scores have the shape {scores.shape} instead of {expected} "
                "(…, recall, precision and F₁)",
            )
        return scores

    return checked
