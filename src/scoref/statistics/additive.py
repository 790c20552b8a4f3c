"""What adds up over documents, and the scores that follow from a sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError
from scoref.metrics import means, metrics_of, parts_of
from scoref.metrics.base import one_number, ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats, Metric
    from scoref.scoring.results import Result

    Booleans = NDArray[np.bool_]

FIGURES = ("recall", "precision", "f1")


class _Columns(NamedTuple):
    """Where a metric's counts stand, and how they are scored."""

    metric: Metric
    first: int
    last: int
    is_macro: bool

    def scores(self, sums: Floats) -> Floats:
        counts = sums[..., self.first : self.last]
        if self.is_macro:
            return ratio(counts[..., :3], counts[..., 3:])
        return self.metric.score(counts)

    def is_defined(self, sums: Floats) -> Booleans:
        counts = sums[..., self.first : self.last]
        if self.is_macro:
            return np.asarray(counts[..., 3] > 0)
        return self.metric.is_defined(counts)


class _Count(NamedTuple):
    """A column that is a figure as it stands."""

    place: int

    def scores(self, sums: Floats) -> Floats:
        return one_number(sums[..., self.place])

    def is_defined(self, sums: Floats) -> Booleans:
        return np.ones(sums.shape[:-1], dtype=np.bool_)


class Additive(NamedTuple):
    """A result as a matrix, one row a document, and a score for any sum of rows."""

    documents: tuple[str, ...]  # none where blocks of entities are the rows
    names: tuple[str, ...]
    matrix: Floats
    columns: Mapping[str, _Columns | _Count]

    @classmethod
    def of(cls, result: Result) -> Additive:
        """Put the counts of all metrics side by side."""
        if result.window:
            raise OptionError(
                "windows of one text are no independent documents: there are no "
                "intervals or tests over them"
            )
        found = cls.in_order(result)
        # By name, so that no order of files can move an interval.
        order = sorted(range(len(result.documents)), key=result.documents.__getitem__)
        return found._replace(
            documents=tuple(result.documents[row] for row in order),
            matrix=found.matrix[order],
        )

    @classmethod
    def in_order(cls, result: Result) -> Additive:
        """Do that without a look at documents, whose order stays as it is."""
        is_macro = result.scheme.average == "macro"
        found = cls._beside(result, result.counts, is_macro=is_macro)
        return found._replace(documents=result.documents, names=result.metrics)

    @classmethod
    def of_counts(
        cls, documents: tuple[str, ...], names: tuple[str, ...], matrix: Floats
    ) -> Additive:
        """Take counts as they are, a column for each name: a sum is its own score."""
        columns = {name: _Count(place) for place, name in enumerate(names)}
        return cls(documents, names, matrix, columns)

    @classmethod
    def of_blocks(cls, result: Result) -> Additive:
        """Do that with the counts of blocks of entities; some metrics have none."""
        if result.blocks is None:
            raise OptionError("score with_blocks=True to draw blocks of entities")
        if result.scheme.average == "macro":
            raise OptionError("a macro average is over documents, not over entities")
        found = cls._beside(result, result.blocks, is_macro=False)
        if not result.blocks:
            names = ", ".join(result.metrics)
            raise OptionError(f"{names}: no sum over entities, so none can be drawn")
        return found._replace(
            names=tuple(
                name
                for name in result.metrics
                if result.blocks.keys() >= {*parts_of(name)}
            )
        )

    @classmethod
    def _beside(
        cls, result: Result, counted: Mapping[str, Floats], *, is_macro: bool
    ) -> Additive:
        metrics = metrics_of(result.scheme)
        parts, columns, first = [], {}, 0
        for name, counts in counted.items():
            metric = metrics[name]
            part = _document_scores(metric, counts) if is_macro else counts
            columns[name] = _Columns(metric, first, first + part.shape[1], is_macro)
            first += part.shape[1]
            parts.append(part)
        matrix = np.hstack(parts) if parts else np.zeros((len(result.documents), 0))
        return cls((), (), matrix, columns)

    def scores(self, sums: Floats) -> Floats:
        """Score sums of rows: for each the metrics, with recall, precision and F1.

        A mean such as the CoNLL score has no recall and no precision, here NaN.
        """
        scored = {name: column.scores(sums) for name, column in self.columns.items()}
        for mean in means(name for name in self.names if name not in scored):
            parts = [scored[part][..., 2] for part in mean.of]
            scored[mean.name] = one_number(mean.mean(parts))
        return np.stack([scored[name] for name in self.names], axis=-2)

    def is_defined(self, sums: Floats) -> Booleans:
        """Tell which metrics are not 0/0 in sums of rows; a mean needs one part."""
        defined = {name: each.is_defined(sums) for name, each in self.columns.items()}
        return np.stack(
            [
                np.any([defined[part] for part in parts_of(name)], axis=0)
                if name not in defined
                else defined[name]
                for name in self.names
            ],
            axis=-1,
        )

    @property
    def total(self) -> Floats:
        """Score the corpus."""
        return self.scores(self.matrix.sum(axis=0))


def _document_scores(metric: Metric, counts: Floats) -> Floats:
    """Make a macro average a sum, too: of scores, and of documents that have one."""
    is_defined = metric.is_defined(counts).astype(np.float64)[:, None]
    return np.hstack((metric.score(counts) * is_defined, is_defined))
