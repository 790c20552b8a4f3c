"""The result of scoring: counts by document, and all scores that follow from them.

`joined` combines results of single documents into the result of a corpus.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import OptionError, quoted
from scoref.figures import figure, has_figures
from scoref.metrics import CONLL, labels_of, leading, means, metrics_of, parts_of, usual
from scoref.metrics.base import Score
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
    """The scores of one response, full precision, and how they came about.

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
    slice: tuple[str, str] | None = None  # what it was sorted by, and which part it is
    window: str | None = None  # what documents were cut into
    table: Contingency | None = None  # what was counted, where it is small enough
    columns: Mapping[str, str] = field(default_factory=dict)  # of a table, by their use
    fingerprint: Fingerprint | None = None  # of the key, where somebody asked for it

    def __eq__(self, other: object) -> bool:
        """Compare what was counted, how, and what was said about it."""
        if not isinstance(other, Result):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _SAID) and (
            _same(self.counts, other.counts)
            and _same(self.blocks or {}, other.blocks or {})
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    @property
    def signature(self) -> str:
        """Every choice that could move a figure, in one line."""
        signature = self.scheme.signature(self.format)
        if self.window:
            signature = f"{signature}|window:{self.window}"
        if self.slice:
            signature = f"{signature}|by:{self.slice[0]}"
        return f"{signature}|key:{self.key_name}" if self.fingerprint else signature

    @property
    def key_name(self) -> str:
        """Which key it was: a name that is known, and digits of its fingerprint."""
        if self.fingerprint is None:
            return ""
        from scoref.fingerprint import label_of

        return label_of(self.fingerprint)

    @property
    def conll(self) -> float:
        """The CoNLL score: the mean F1 of MUC, B³ and CEAFe."""
        if CONLL not in self.metrics:
            raise OptionError("'conll' was not among the metrics that were asked for")
        return self.scores[CONLL].f1

    @property
    def headline(self) -> str:
        """The metric that stands for a result where there is room for one.

        Of texts it is the CoNLL score, of tables only if somebody asked for it.
        """
        is_usual = {*usual("tables")} <= {*self.metrics}
        if self.format != TABLE or (CONLL in self.metrics and not is_usual):
            return leading(self.metrics)
        first = (name for name in self.metrics if name not in {CONLL, "mentions"})
        return next(first, self.metrics[0])

    def discreet(self) -> Result:
        """Leave out notes, which may quote words of the key."""
        return replace(self, notes=())

    def flat(self, prefix: str = "") -> dict[str, float]:
        """Give every figure a name such as ``muc/f1``, for loggers.

        What is undefined, 0/0, is left out: a curve should not fall to 0 for it.
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
        average = _macro if self.scheme.average == "macro" else _micro
        return self._selected(
            {
                name: average(metrics_of(self.scheme)[name], counts, self.undefined)
                for name, counts in self.counts.items()
            }
        )

    def with_figures(self, *, per_document: bool = False) -> Result:
        """Compute the scores now, so that a report only has to show them."""
        _ = self.scores, self.per_document if per_document else None
        return self

    def is_defined(self, metric: str) -> bool:
        """Tell whether there is anything to score by a metric, in any document.

        A mean such as the CoNLL score is defined if one of its parts is.
        """
        known = metrics_of(self.scheme)
        return any(
            bool(known[part].is_defined(self.counts[part]).any())
            for part in parts_of(metric)
        )

    @property
    def values(self) -> dict[str, float]:
        """What is one number and no percentage, such as the adjusted Rand index."""
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
        return replace(
            self,
            documents=tuple(self.documents[row] for row in rows),
            counts={name: counts[rows] for name, counts in self.counts.items()},
            table=_table_of(self.table, rows),
        )

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
        """How many entities there are, and what became of the key's, likewise."""
        from scoref.contingency.partition import fates_of  # for tables

        return fates_of(self._kept_table)

    @property
    def _kept_table(self) -> Contingency:
        if self.table is None:
            raise OptionError("this result has no table: score_table keeps one")
        return self.table

    @cached_property
    def per_document(self) -> dict[str, dict[str, Score]]:
        """The same for each document, by its name."""
        metrics = metrics_of(self.scheme)
        return {
            document: self._selected(
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

    def _selected(self, scores: dict[str, Score]) -> dict[str, Score]:
        for mean in means(self.metrics):
            scores[mean.name] = mean.score_of(scores)
        return {name: scores[name] for name in self.metrics}


def signature_of(results: Iterable[Result]) -> str:
    """Write the signature of results that differ in nothing but their formats."""
    listed = list(results)
    formats = [name for each in listed for name in each.format.split("+")]
    return replace(listed[0], format="+".join(dict.fromkeys(formats))).signature


_SAID = (
    *("key", "response", "format", "scheme", "metrics", "documents", "notes"),
    *("slice", "window", "columns"),
)


def _same(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(counts, other[name], equal_nan=True)
        for name, counts in one.items()
    )


def _table_of(table: Contingency | None, rows: Sequence[int]) -> Contingency | None:
    if table is None:
        return None
    from scoref.contingency.histogram import of_documents  # for tables

    return of_documents(table, rows)


def _micro(metric: Metric, counts: Floats, undefined: float) -> Score:
    return metric.score_of(counts.sum(axis=0), undefined)


def _macro(metric: Metric, counts: Floats, undefined: float) -> Score:
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
    """Refuse what is not a result, such as the path of a file."""
    if not isinstance(value, Result):
        raise OptionError(
            f"{function}() takes a result, not {type(value).__name__}",
            hint="scoref.score(key, response) returns one",
        )


def joined(results: Sequence[Result]) -> Result:
    """Put documents that were scored one by one together: counts add up, scores do not.

    All must have been scored by the same metrics and conventions, and no document may
    come twice.
    """
    if not results:
        raise OptionError("there is nothing to score: no document was given")
    first = results[0]
    for other in results[1:]:
        if (other.metrics, other.scheme) != (first.metrics, first.scheme):
            raise OptionError(
                "documents were not scored in the same way: "
                f"{other.signature} and {first.signature}"
            )
    names = [name for each in results for name in each.documents]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise OptionError(f"{quoted(twice)} was scored more than once")
    formats = [part for each in results for part in each.format.split("+")]
    return replace(
        first,
        format="+".join(dict.fromkeys(formats)),
        documents=tuple(names),
        counts={
            name: np.vstack([each.counts[name] for each in results])
            for name in first.counts
        },
        notes=tuple(dict.fromkeys(note for each in results for note in each.notes)),
    )
