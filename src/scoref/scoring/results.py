"""The result of scoring: counts by document, and all scores that follow from them.

`join_results` combines results of single documents into the result of a corpus.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum, nan
from typing import TYPE_CHECKING

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import OptionError, quoted
from scoref.figures import figure, has_figures
from scoref.metrics import (
    CONLL,
    labels_of,
    leading_metric,
    means,
    metrics_of,
    needed_metrics,
    parts_of,
    usual,
)
from scoref.metrics.base import RATIO_DENOMINATORS, Score
from scoref.scheme import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.contingency import Contingency
    from scoref.fingerprint import Fingerprint
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Note
    from scoref.scheme import Scheme


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
    counts: Mapping[str, Floats]
    notes: tuple[Note, ...] = ()
    blocks: Mapping[str, Floats] | None = None  # counts by block of entities, if wanted
    slice: tuple[str, str] | None = None  # what the slices go by, and which one it is
    window: str | None = None  # what documents were cut into
    table: Contingency | None = None  # what was counted, if it is small enough
    columns: Mapping[str, str] = field(default_factory=dict)  # of a table, by their use
    fingerprint: Fingerprint | None = None  # of the key, if it was asked for

    def __eq__(self, other: object) -> bool:
        """Compare counts, conventions and notes."""
        if not isinstance(other, Result):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name) for name in _COMPARED
        ) and (
            _same(self.counts, other.counts)
            and _same(self.blocks or {}, other.blocks or {})
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    @property
    def signature(self) -> str:
        """Every choice that can change a figure, in one line."""
        signature = self.scheme.signature(self.format)
        if self.window:
            signature = f"{signature}|window:{self.window}"
        if self.slice:
            signature = f"{signature}|by:{self.slice[0]}"
        return f"{signature}|key:{self.key_name}" if self.fingerprint else signature

    @property
    def key_name(self) -> str:
        """The name of the key, if it is known, and digits of its fingerprint."""
        if self.fingerprint is None:
            return ""
        from scoref.fingerprint import label_of

        return label_of(self.fingerprint)

    @property
    def conll(self) -> float:
        """The CoNLL score: the mean F1 of MUC, B³ and CEAFe."""
        if CONLL not in self.metrics:
            raise OptionError("'conll' was not computed. Add it to the metrics")
        return self.scores[CONLL].f1

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

    def discreet(self) -> Result:
        """Leave out notes, which may quote words of the key."""
        return replace(self, notes=())

    def flat(self, prefix: str = "") -> dict[str, float]:
        """Return every figure by a name such as ``muc/f1``, for loggers.

        Undefined figures, 0/0, are left out, so that a curve does not fall to 0.
        """
        return {
            f"{prefix}{name}/{figure}": value
            for name, score in self.scores.items()
            for figure in ("recall", "precision", "f1")
            if score.is_defined and (value := getattr(score, figure)) is not None
        }

    @property
    def undefined(self) -> float:
        """What 0/0 is."""
        return UNDEFINED[self.scheme.undefined or "zero"]

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Recall, precision and F1 of the corpus, by metric."""
        metrics, is_macro = metrics_of(self.scheme), self.scheme.average == "macro"
        scores = {}
        for name, counts in self.counts.items():
            if is_macro:
                scores[name] = _macro_average(metrics[name], counts, self.undefined)
            else:
                sums = counts.sum(axis=0)
                scores[name] = metrics[name].score_of(sums, self.undefined)
        return self._select(scores)

    def score_by(self, metric: str) -> Score:
        """Return the score by a metric, or by one that was counted for a mean."""
        if metric in self.metrics:
            return self.scores[metric]
        return self.of_metrics([metric]).scores[metric]

    def shown_score(self, metric: str) -> Score:
        """Return a score; recall and precision are NaN where they are 0/0, not 0."""
        score, known = self.score_by(metric), metrics_of(self.scheme)
        is_ratio = metric in known and known[metric].denominators == RATIO_DENOMINATORS
        if not is_ratio or self.undefined or self.scheme.average == "macro":
            return score
        recall, precision = self.counts[metric].sum(axis=0)[[*RATIO_DENOMINATORS]]
        return score._replace(
            recall=score.recall if recall else nan,
            precision=score.precision if precision else nan,
        )

    def with_figures(self, *, per_document: bool = False) -> Result:
        """Compute the scores now, so that a report only has to show them."""
        _ = self.scores, self.per_document if per_document else None
        return self

    def is_defined(self, metric: str) -> bool:
        """Tell whether a metric has anything to score in any document.

        A mean such as the CoNLL score is defined if one of its parts is.
        """
        known = metrics_of(self.scheme)
        return any(
            bool(known[part].is_defined(self.counts[part]).any())
            for part in parts_of(metric)
        )

    @property
    def values(self) -> dict[str, float]:
        """Metrics that are one number and not a percentage, such as the Rand index."""
        known = metrics_of(self.scheme)
        return {
            name: score.f1
            for name, score in self.scores.items()
            if name in known and known[name].scale != "percent"
        }

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
        )

    def of_metrics(self, names: Iterable[str]) -> Result:
        """Keep some metrics only."""
        metrics = tuple(names)
        needed = needed_metrics(metrics)
        if missing := [name for name in needed if name not in self.counts]:
            raise OptionError(f"{self.response} was not scored by {', '.join(missing)}")
        blocks = self.blocks
        if blocks is not None:
            blocks = {name: blocks[name] for name in needed if name in blocks}
        counts = {name: self.counts[name] for name in needed}
        return replace(self, metrics=metrics, counts=counts, blocks=blocks)

    @property
    def mentions(self) -> dict[str, int]:
        """How many mentions there are, where the table was kept."""
        table = self._kept_table
        return {
            "key": int(table.key_mentions.sum()),
            "response": int(table.response_mentions.sum()),
            "common": int(table.common_mentions.sum()),
        }

    @property
    def clusters(self) -> dict[str, int]:
        """How many entities there are, and what became of the key's, if known."""
        from scoref.contingency.partition import fates_of  # for tables

        return fates_of(self._kept_table)

    @property
    def _kept_table(self) -> Contingency:
        if self.table is None:
            raise OptionError("this result has no table. Only score_table keeps it")
        return self.table

    @cached_property
    def per_document(self) -> dict[str, dict[str, Score]]:
        """Recall, precision and F1 of each document, by its name."""
        metrics = metrics_of(self.scheme)
        return {
            document: self._select(
                {
                    name: metrics[name].score_of(counts[row], self.undefined)
                    for name, counts in self.counts.items()
                }
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

    def _select(self, scores: dict[str, Score]) -> dict[str, Score]:
        """Add means of scores, and keep the metrics of the result in their order."""
        for mean in means(self.metrics):
            scores[mean.name] = mean.score_of(scores)
        return {name: scores[name] for name in self.metrics}


def mean_score(scores: Iterable[Score]) -> Score:
    """Average recall, precision and F1 over datasets; undefined if there are none."""
    known = list(scores)
    if not known:
        return Score(0.0, 0.0, 0.0, is_defined=False)
    recalls = [score.recall for score in known if score.recall is not None]
    precisions = [score.precision for score in known if score.precision is not None]
    has_both = len(recalls) == len(precisions) == len(known)
    return Score(
        fsum(recalls) / len(known) if has_both else None,
        fsum(precisions) / len(known) if has_both else None,
        fsum(score.f1 for score in known) / len(known),
    )


def signature_of(results: Iterable[Result]) -> str:
    """Write the signature of results that differ in nothing but their formats."""
    listed = list(results)
    formats = [name for result in listed for name in result.format.split("+")]
    return replace(listed[0], format="+".join(dict.fromkeys(formats))).signature


_COMPARED = (
    *("key", "response", "format", "scheme", "metrics", "documents", "notes"),
    *("slice", "window", "columns"),
)


def _same(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(counts, other[name], equal_nan=True)
        for name, counts in one.items()
    )


def _macro_average(metric: Metric, counts: Floats, undefined: float) -> Score:
    """Average over the documents in which there is something to score."""
    is_defined = metric.is_defined(counts)
    if not is_defined.any():
        return metric.score_of(np.zeros(counts.shape[1]), undefined)
    scores = metric.score(counts[is_defined], undefined).mean(axis=0)
    recall, precision, f1 = scores.tolist()
    if metric.scale != "percent":
        return Score(None, None, f1)
    return Score(recall, precision, f1)


def refuse_no_result(value: object, function: str) -> None:
    """Refuse a value that is not a result, such as the path of a file."""
    if not isinstance(value, Result):
        raise OptionError(
            f"{function}() takes a result, not {type(value).__name__}",
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
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise OptionError(f"{quoted(twice)} was scored more than once")
    formats = [part for result in results for part in result.format.split("+")]
    return replace(
        first,
        format="+".join(dict.fromkeys(formats)),
        documents=tuple(names),
        counts={
            name: np.vstack([result.counts[name] for result in results])
            for name in first.counts
        },
        notes=tuple(dict.fromkeys(note for one in results for note in one.notes)),
    )
