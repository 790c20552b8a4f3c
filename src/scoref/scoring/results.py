"""The result of scoring: counts by document, and all scores that follow from them.

`join_results` combines results of single documents into the result of a corpus.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import dataclass
from scoref.displayed import Displayed
from scoref.errors import OptionError, quoted, unknown
from scoref.figures import figure, has_figures
from scoref.formats.catalogue import FORMATS
from scoref.metrics import (
    CONLL,
    METRICS,
    ByMetric,
    labels_of,
    leading_metric,
    means,
    metric_name,
    metric_names,
    metrics_of,
    needed_metrics,
    parts_of,
    usual,
)
from scoref.metrics.base import Score, Value, score_sums
from scoref.printable import describe
from scoref.scheme import TABLE
from scoref.scoring.deferred import deferred
from scoref.scoring.scores import Scores, named_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.contingency import Contingency
    from scoref.fingerprint import Fingerprint
    from scoref.metrics.base import AnyScore, Floats, Metric
    from scoref.model import Note
    from scoref.scheme import Scheme
    from scoref.scoring.deferred import CountsOnDemand


UNDEFINED = {"zero": 0.0, "one": 1.0, "nan": float("nan")}
"""What 0/0 may be: 0, as in coreference; 1, as in FACTORIE; or not a number."""


@dataclass(frozen=True, eq=False, repr=False)
class Result(Displayed):
    """The scores of one response at full precision, and how they were computed.

    ``counts`` has a matrix for each metric: a row for each document, and the
    columns that the metric names. Corpus scores are scores of their sums, or,
    with ``average:macro``, means of document scores.
    """

    key: str
    response: str
    format: str
    scheme: Scheme
    metrics: tuple[str, ...]
    documents: tuple[str, ...]
    counts: Mapping[str, Floats] = deferred()
    notes: tuple[Note, ...] = deferred(())
    _blocks: Mapping[str, Floats] | None = None  # counts by block, if requested
    slice: tuple[str, str] | None = None  # what the slices go by, and which one it is
    window: str | None = None  # what documents were cut into
    table: Contingency | None = None  # what was counted, if it is small enough
    columns: Mapping[str, str] = field(default_factory=dict)  # of a table, by their use
    fingerprint: Fingerprint | None = None  # of the key, if it was asked for
    plugins: tuple[str, ...] = ()  # packages, with versions, of metrics and formats
    trivial: Mapping[str, Result] = field(default_factory=dict)  # systems, if wanted
    folds: int = 1  # number of responses that were pooled

    def __post_init__(self) -> None:
        fields = vars(self)
        if not callable(fields["_counts"]):
            fields["_counts"] = ByMetric(fields["_counts"])

    def __eq__(self, other: object) -> bool:
        """Compare counts, conventions and notes."""
        if not isinstance(other, Result):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name) for name in _COMPARED
        ) and (
            _same(self.counts, other.counts)
            and _same(self._blocks or {}, other._blocks or {})
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    def __getstate__(self) -> dict[str, object]:
        """Return what is pickled; functions that compute counts are not."""
        _ = self.counts, self.notes
        return vars(self)

    @property
    def signature(self) -> str:
        """Every choice that can change a figure, in one line."""
        return signature_of([self])

    @property
    def runs(self) -> tuple[Result, ...]:
        """The results of the system's runs; a result of one run is its own."""
        return (self,)

    @property
    def sd(self) -> Scores:
        """The standard deviation of each figure over runs; one run has none."""
        return Scores()

    @property
    def sd_per_document(self) -> dict[str, Scores]:
        """The standard deviation of each document's figures; one run has none."""
        return {}

    @property
    def notes_by_response(self) -> list[tuple[str, Note]]:
        """The notes, each with the name of its response."""
        return [(self.response, note) for note in self.notes]

    @property
    def key_name(self) -> str:
        """The name of the key, if it is known, and digits of its fingerprint."""
        if self.fingerprint is None:
            return ""
        from scoref.fingerprint import label_of

        return label_of(self.fingerprint)

    @property
    def conll(self) -> float:
        """The CoNLL score: the mean F₁ of MUC, B³ and CEAFe."""
        if CONLL not in self.metrics:
            raise OptionError("'conll' was not computed. Add it to the metrics")
        return self._figure(CONLL).f1

    @property
    def headline(self) -> str:
        """The metric to show if there is room for one.

        It is the CoNLL score for texts, and for tables only if it was asked for.
        """
        is_usual = {*usual("tables")} <= {*self.metrics}
        if self.format != TABLE or (CONLL in self.metrics and not is_usual):
            return leading_metric(self.metrics)
        first = (name for name in self.metrics if name not in {CONLL, "mentions"})
        return next(first, self.metrics[0])

    def _discreet(self) -> Result:
        """Leave out notes, which may quote words of the key."""
        return replace(self, notes=())

    def flat(self, prefix: str = "") -> dict[str, float]:
        """Return every figure by a name such as ``muc/f1`` or ``conll``, for loggers.

        The adapters use the same names. Undefined figures, 0/0, are left out, so that
        a curve does not fall to 0.
        """
        defined = {
            name: score for name, score in self.scores.items() if score.is_defined
        }
        return {
            f"{prefix}{name}": value for name, value in named_figures(defined).items()
        }

    @property
    def _undefined(self) -> float:
        """What 0/0 is."""
        return UNDEFINED[self.scheme.undefined or "zero"]

    @cached_property
    def scores(self) -> Scores:
        """The scores of the corpus by metric, each a `Score` or a `Value`."""
        return self._scores_by(self.metrics)

    def _scores_by(self, names: tuple[str, ...]) -> Scores:
        """Compute scores by some metrics; others are not counted for this."""
        known = metrics_of(self.scheme)
        metrics = {name: known[name] for name in needed_metrics(names)}
        counts = {name: self._counts_by(name) for name in metrics}
        if self.scheme.average == "macro":
            scores = {
                name: _macro_average(metric, counts[name], self._undefined)
                for name, metric in metrics.items()
            }
        else:
            sums = {
                name: rows[0] if len(rows) == 1 else rows.sum(axis=0)
                for name, rows in counts.items()
            }
            scores = score_sums(metrics, sums, self._undefined)
        return _with_means(scores, names)

    def _counts_by(self, metric: str) -> Floats:
        """Return the counts of one metric; others are not counted for this."""
        counts: Mapping[str, Floats] | CountsOnDemand = vars(self)["_counts"]
        return counts[metric]

    def score_by(self, metric: str) -> AnyScore:
        """Return the score by a metric, or by one that was counted for a mean."""
        metric = metric_name(metric)
        if metric in self.metrics:
            return self._figure(metric)
        return self.of_metrics([metric]).scores[metric]

    def _figure(self, metric: str) -> AnyScore:
        """Return the score by a metric of the result."""
        scores = self.scores if "scores" in vars(self) else self._scores_by((metric,))
        return scores[metric]

    def _with_figures(self, *, per_document: bool = False) -> Result:
        """Compute the scores now, so that a report only has to show them."""
        _ = self.scores, self.per_document if per_document else None
        return self

    def is_defined(self, metric: str) -> bool:
        """Tell whether a metric has anything to score in any document.

        A mean such as the CoNLL score is defined if one of its parts is.
        """
        known = metrics_of(self.scheme)
        return any(
            known[part].is_defined_anywhere(self._counts_by(part))
            for part in parts_of(metric_name(metric))
        )

    @property
    def values(self) -> dict[str, float]:
        """Metrics that are one number and not a percentage, such as the Rand index."""
        known = metrics_of(self.scheme)
        return ByMetric(
            (name, score.f1)
            for name, score in self.scores.items()
            if name in known and known[name].scale != "percent"
        )

    @cached_property
    def groups(self) -> dict[str, Result]:
        """A result for each document: of a table, for each group."""
        return {
            name: self.of_documents([row])
            for row, name in enumerate(self.documents)
            if name
        }

    def of_documents(self, rows: Sequence[int]) -> Result:
        """Keep some documents only."""
        table = self.table
        if table is not None:
            from scoref.contingency.histogram import of_documents  # for tables

            table = of_documents(table, rows)
        return replace(
            self,
            documents=tuple(self.documents[row] for row in rows),
            counts={name: counts[rows] for name, counts in self.counts.items()},
            table=table,
            trivial={},
        )

    def of_metrics(self, names: str | Iterable[str]) -> Result:
        """Keep some metrics only."""
        metrics = tuple(metric_names(names))
        for name in metrics:
            if name not in METRICS:
                raise unknown("metric", name, self.metrics)
        needed = needed_metrics(metrics)
        if missing := [name for name in needed if name not in self.counts]:
            raise OptionError(f"{self.response} was not scored by {', '.join(missing)}")
        blocks = self._blocks
        if blocks is not None:
            blocks = {name: blocks[name] for name in needed if name in blocks}
        counts = {name: self.counts[name] for name in needed}
        trivial = {
            name: each.of_metrics(metrics) for name, each in self.trivial.items()
        }
        return replace(
            self, metrics=metrics, counts=counts, _blocks=blocks, trivial=trivial
        )

    @property
    def mentions(self) -> dict[str, int]:
        """The number of mentions, if the table was kept."""
        table = self._kept_table
        return {
            "key": int(table.key_mentions.sum()),
            "response": int(table.response_mentions.sum()),
            "common": int(table.common_mentions.sum()),
        }

    @property
    def clusters(self) -> dict[str, int]:
        """The number of entities, and how those of the key were divided, if known."""
        from scoref.contingency.partition import fates_of  # for tables

        return fates_of(self._kept_table)

    @property
    def _kept_table(self) -> Contingency:
        if self.table is None:
            raise OptionError("this result has no table. Only score_table keeps it")
        return self.table

    @cached_property
    def per_document(self) -> dict[str, Scores]:
        """The scores of each document, by its name."""
        known = metrics_of(self.scheme)
        metrics = {name: known[name] for name in self.counts}
        return {
            document: _with_means(
                score_sums(
                    metrics,
                    {name: counts[row] for name, counts in self.counts.items()},
                    self._undefined,
                ),
                self.metrics,
            )
            for row, document in enumerate(self.documents)
        }

    @property
    def _reported_by(self) -> str:
        if self.format == TABLE:
            return "records.table.report:clustering_report"
        return "render.scores:result_report"

    @property
    def _in_short(self) -> str:
        metric = self.headline
        label = labels_of(self.scheme, [metric])[metric]
        score = self.scores[metric]
        is_defined = has_figures(metric, is_defined=score.is_defined)
        return f"{label} {figure(metric, score.f1, is_defined=is_defined)}"


def _with_means(scores: dict[str, AnyScore], names: tuple[str, ...]) -> Scores:
    """Add means of scores, and return those by some metrics in their order."""
    for mean in means(names):
        scores[mean.name] = mean.score_of(scores)
    return Scores((name, scores[name]) for name in names)


def mean_score(scores: Iterable[AnyScore]) -> AnyScore:
    """Average every figure over datasets; undefined if there are none."""
    known = list(scores)
    if not known:
        return Score(0.0, 0.0, 0.0, is_defined=False)
    f1 = fsum(score.f1 for score in known) / len(known)
    with_recall = [score for score in known if isinstance(score, Score)]
    if len(with_recall) < len(known):
        return Value(f1)
    return Score(
        fsum(score.recall for score in with_recall) / len(known),
        fsum(score.precision for score in with_recall) / len(known),
        f1,
    )


def signature_of(results: Iterable[Result]) -> str:
    """Write the signature of results that differ in formats and numbers of runs only.

    Three runs of the first system and one of the second are ``runs:3+1``.
    """
    listed = list(results)
    first = listed[0]
    fields = {
        "window": first.window,
        "by": first.slice and first.slice[0],
        "folds": _numbers([result.folds for result in listed]),
        "runs": _numbers([len(result.runs) for result in listed]),
        "key": first.key_name,
    }
    signature = first.scheme.signature(_formats_of(listed), _joined_plugins(listed))
    more = [f"{name}:{value}" for name, value in fields.items() if value]
    return "|".join([signature, *more])


def _numbers(numbers: Sequence[int]) -> str:
    """Write the number of each system, or one number for all; nothing if it is 1."""
    if len({*numbers}) == 1:
        return "" if numbers[0] == 1 else str(numbers[0])
    return "+".join(map(str, numbers))


def _formats_of(results: Sequence[Result]) -> str:
    names = [name for result in results for name in result.format.split("+")]
    return "+".join(dict.fromkeys(names))


def _joined_plugins(results: Sequence[Result]) -> tuple[str, ...]:
    return tuple(sorted({name for result in results for name in result.plugins}))


def plugins_of(metrics: Iterable[str], format_name: str) -> tuple[str, ...]:
    """List the plugins, with their versions, that figures depend on."""
    if not (METRICS.has_plugins or FORMATS.has_plugins):
        return ()
    names = [part for name in metrics for part in (name, *parts_of(name))]
    packages = {METRICS[name].package for name in names}
    formats = (FORMATS.get(name) for name in format_name.split("+"))
    packages |= {record.package for record in formats if record is not None}
    return tuple(sorted(packages - {""}))


_COMPARED = (
    *("key", "response", "format", "scheme", "metrics", "documents", "notes"),
    *("slice", "window", "columns", "plugins"),
)


def _same(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(counts, other[name], equal_nan=True)
        for name, counts in one.items()
    )


def _macro_average(metric: Metric, counts: Floats, undefined: float) -> AnyScore:
    """Average over the documents in which there is something to score."""
    is_defined = metric.is_defined(counts)
    if not is_defined.any():
        return metric.score_of(np.zeros(counts.shape[1]), undefined)
    scores = metric.score(counts[is_defined], undefined).mean(axis=0)
    recall, precision, f1 = scores.tolist()
    if metric.scale != "percent":
        return Value(f1)
    return Score(recall, precision, f1)


def refuse_no_result(value: object, function: str) -> None:
    """Refuse a value that is not a result, such as the path of a file."""
    if not isinstance(value, Result):
        raise OptionError(
            f"{function}() takes a result, not {describe(value)}",
            hint="scoref.score(key, response) returns a result.",
        )


def join_results(results: Sequence[Result]) -> Result:
    """Combine results of separate documents: counts add up, scores do not.

    All must have been scored by the same metrics and conventions, and no document may
    occur twice.
    """
    if not results:
        raise OptionError("there is nothing to score. Give at least one document")
    first = results[0]
    for other in results[1:]:
        if (other.metrics, other.scheme) != (first.metrics, first.scheme):
            raise OptionError(
                "results have different conventions or metrics and cannot be joined: "
                f"{other.signature} and {first.signature}"
            )
    names = [name for result in results for name in result.documents]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise OptionError(f"{quoted(twice)} was scored more than once")
    return replace(
        first,
        format=_formats_of(results),
        plugins=_joined_plugins(results),
        documents=tuple(names),
        counts={
            name: np.vstack([result.counts[name] for result in results])
            for name in first.counts
        },
        notes=tuple(dict.fromkeys(note for one in results for note in one.notes)),
        trivial={},
        _blocks=_join_blocks(results),
        fingerprint=first.fingerprint if len(results) == 1 else None,
    )


def _join_blocks(results: Sequence[Result]) -> dict[str, Floats] | None:
    """Join the counts by block of entities, of metrics that all results have."""
    blocks = [result._blocks for result in results if result._blocks is not None]
    if len(blocks) < len(results):
        return None
    names = [name for name in blocks[0] if all(name in own for own in blocks)]
    return {name: np.vstack([own[name] for own in blocks]) for name in names}
