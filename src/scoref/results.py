"""What scoring gives back: counts by document, and every score that follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.metrics import conll, labels_of, metrics_of
from scoref.metrics.base import Score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.metrics.base import Floats, Metric
    from scoref.model import Note
    from scoref.scheme import Scheme


@dataclass(frozen=True)
class Result:
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

    @property
    def signature(self) -> str:
        """Every choice that could move a figure, in one line."""
        signature = self.scheme.signature(self.format)
        if self.window:
            signature = f"{signature}|window:{self.window}"
        return f"{signature}|by:{self.slice[0]}" if self.slice else signature

    @property
    def conll(self) -> float:
        """The CoNLL score: the mean F1 of MUC, B³ and CEAFe."""
        if conll.NAME not in self.metrics:
            raise OptionError("'conll' was not among the metrics that were asked for")
        return self.scores[conll.NAME].f1

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Recall, precision and F1 of the corpus, by metric."""
        average = _macro if self.scheme.average == "macro" else _micro
        return self._selected(
            {
                name: average(metrics_of(self.scheme)[name], counts)
                for name, counts in self.counts.items()
            }
        )

    @cached_property
    def per_document(self) -> dict[str, dict[str, Score]]:
        """The same for each document, by its name."""
        metrics = metrics_of(self.scheme)
        return {
            document: self._selected(
                {
                    name: metrics[name].score_of(counts[row])
                    for name, counts in self.counts.items()
                }
            )
            for row, document in enumerate(self.documents)
        }

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from scoref import markup  # noqa: PLC0415 - few results are shown in one

        labels = labels_of(self.scheme, self.metrics)
        rows = [
            [labels[name], *markup.figures(*score)]
            for name, score in self.scores.items()
        ]
        return markup.shown(
            markup.table(["", "Recall", "Precision", "F₁"], rows),
            signatures=[self.signature],
            notes=[note.message for note in self.notes],
        )

    def _selected(self, scores: dict[str, Score]) -> dict[str, Score]:
        if conll.NAME in self.metrics:
            scores[conll.NAME] = conll.mean_f1(scores)
        return {name: scores[name] for name in self.metrics}


def signature_of(results: Iterable[Result]) -> str:
    """Write the signature of results that differ in nothing but their formats."""
    listed = list(results)
    formats = [name for each in listed for name in each.format.split("+")]
    return replace(listed[0], format="+".join(dict.fromkeys(formats))).signature


def _micro(metric: Metric, counts: Floats) -> Score:
    return metric.score_of(counts.sum(axis=0))


def _macro(metric: Metric, counts: Floats) -> Score:
    """Average over the documents in which there is something to score."""
    is_defined = metric.is_defined(counts)
    if not is_defined.any():
        return metric.score_of(np.zeros(counts.shape[1]))
    recall, precision, f1 = metric.score(counts[is_defined]).mean(axis=0).tolist()
    return Score(recall, precision, f1)
