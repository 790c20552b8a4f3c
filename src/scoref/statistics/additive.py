"""Results as matrices that add up over documents, and the scores of such sums.

A system that is compared has one matrix for each dataset; the scores of the datasets
are averaged. If there are several runs of a system, each has its own matrices, and the
scores of the runs are averaged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError
from scoref.metrics import means, metrics_of, parts_of
from scoref.metrics.base import one_number, ratio
from scoref.scoring.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.metrics.base import Floats, Metric
    from scoref.model import Ints

    Booleans = NDArray[np.bool_]


class _Columns(NamedTuple):
    """The columns of a metric's counts, and how they are scored."""

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
    """A column that is a figure itself."""

    place: int

    def scores(self, sums: Floats) -> Floats:
        return one_number(sums[..., self.place])

    def is_defined(self, sums: Floats) -> Booleans:
        return np.ones(sums.shape[:-1], dtype=np.bool_)


class Additive(NamedTuple):
    """A result as a matrix with one row per document, and scores for sums of rows."""

    documents: tuple[str, ...]  # none if the rows are blocks of entities
    names: tuple[str, ...]
    matrix: Floats
    columns: Mapping[str, _Columns | _Count]

    @classmethod
    def of(cls, result: Result) -> Additive:
        """Return the counts of all metrics, with documents sorted by name."""
        if result.window:
            raise OptionError(
                "windows of one text are not independent documents, so there are no "
                "intervals or tests over them"
            )
        additive = cls.in_order(result)
        # Intervals must not depend on the order of documents.
        order = sorted(range(len(result.documents)), key=result.documents.__getitem__)
        return additive._replace(
            documents=tuple(result.documents[row] for row in order),
            matrix=additive.matrix[order],
        )

    @classmethod
    def in_order(cls, result: Result) -> Additive:
        """Return the counts of all metrics, with documents in their own order."""
        assert len(result.runs) == 1, "each run has its own matrix"
        is_macro = result.scheme.average == "macro"
        additive = cls._join_columns(result, result.counts, is_macro=is_macro)
        return additive._replace(documents=result.documents, names=result.metrics)

    @classmethod
    def of_counts(
        cls, documents: tuple[str, ...], names: tuple[str, ...], matrix: Floats
    ) -> Additive:
        """Use a column of counts for each name; the score of a sum is the sum."""
        columns = {name: _Count(place) for place, name in enumerate(names)}
        return cls(documents, names, matrix, columns)

    @classmethod
    def of_blocks(cls, result: Result) -> Additive:
        """Return the counts of blocks of entities, for metrics that have them."""
        if result._blocks is None:
            raise OptionError(
                "entities can be resampled only if the result was scored with "
                "with_blocks=True"
            )
        if result.scheme.average == "macro":
            raise OptionError(
                "--unit entities cannot be combined with --average macro: a macro "
                "average is over documents"
            )
        additive = cls._join_columns(result, result._blocks, is_macro=False)
        if not result._blocks:
            names = ", ".join(result.metrics)
            raise OptionError(f"entities cannot be resampled for {names}")
        return additive._replace(
            names=tuple(
                name
                for name in result.metrics
                if result._blocks.keys() >= {*parts_of(name)}
            )
        )

    @classmethod
    def _join_columns(
        cls, result: Result, counts: Mapping[str, Floats], *, is_macro: bool
    ) -> Additive:
        """Put the counts of all metrics side by side.

        A macro average is a sum as well: of scores, and of documents that have one.
        """
        metrics = metrics_of(result.scheme)
        parts, columns, first = [], {}, 0
        for name, own in counts.items():
            metric, part = metrics[name], own
            if is_macro:
                is_defined = metric.is_defined(own).astype(np.float64)[:, None]
                part = np.hstack((metric.score(own) * is_defined, is_defined))
            columns[name] = _Columns(metric, first, first + part.shape[1], is_macro)
            first += part.shape[1]
            parts.append(part)
        matrix = np.hstack(parts) if parts else np.zeros((len(result.documents), 0))
        return cls((), (), matrix, columns)

    def scores(self, sums: Floats) -> Floats:
        """Return recall, precision and F₁ of each metric for sums of rows.

        A mean such as the CoNLL score has NaN for recall and precision.
        """
        scored = {name: column.scores(sums) for name, column in self.columns.items()}
        for mean in means(name for name in self.names if name not in scored):
            parts = [scored[part][..., 2] for part in mean.of]
            scored[mean.name] = one_number(mean.mean(parts))
        return np.stack([scored[name] for name in self.names], axis=-2)

    def is_defined(self, sums: Floats) -> Booleans:
        """Mark the metrics that are not 0/0 in sums of rows; a mean needs one part."""
        defined = {
            name: column.is_defined(sums) for name, column in self.columns.items()
        }
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

    @property
    def without_one(self) -> Floats:
        """Score the corpus without each document in turn."""
        return self.scores(self.matrix.sum(axis=0) - self.matrix)


_F1 = 2


def by_dataset(results: Result | Mapping[str, Result]) -> dict[str, Result]:
    """Sort a system's results by dataset; a single result has no dataset name."""
    if isinstance(results, Result):
        return {"": results}
    return dict(sorted(results.items()))


class ScoredSums(NamedTuple):
    """F₁ of sums of one dataset, and 1 if it is defined; both are 0 if it is not."""

    f1: Floats
    is_defined: Floats

    def broadcast(self, shape: tuple[int, ...]) -> ScoredSums:
        """Repeat one sum for as many rows as others have."""
        return ScoredSums(*(np.broadcast_to(column, shape) for column in self))


class Strata(NamedTuple):
    """The datasets of one system, in the order of their names."""

    parts: tuple[Additive, ...]

    @classmethod
    def of(cls, results: Iterable[Result]) -> Strata:
        """Make each result a matrix."""
        return cls(tuple(map(Additive.of, results)))

    def f1_of(self, number: int, sums: Floats) -> ScoredSums:
        """Score sums of one dataset."""
        part = self.parts[number]
        is_defined = part.is_defined(sums).astype(np.float64)
        return ScoredSums(part.scores(sums)[..., _F1] * is_defined, is_defined)

    def f1(self, sums: Sequence[Floats]) -> Floats:
        """Average the scores of the datasets, if they are defined; 0 if none is."""
        return _mean([self.f1_of(number, total) for number, total in enumerate(sums)])

    @property
    def covered(self) -> Ints:
        """Count the datasets in which each metric is defined."""
        sums = enumerate(self.totals)
        defined = [self.f1_of(number, total).is_defined for number, total in sums]
        return np.asarray(np.sum(defined, axis=0), dtype=np.int64)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return self.parts[0].names

    @property
    def totals(self) -> list[Floats]:
        """The sum of the documents of each dataset."""
        return [part.matrix.sum(axis=0) for part in self.parts]

    @property
    def total(self) -> Floats:
        """The mean score of all datasets."""
        return self.f1(self.totals)

    @property
    def figures(self) -> dict[str, float | None]:
        """The mean score by metric; None if it is undefined in all datasets."""
        rows = zip(self.names, self.total.tolist(), self.covered.tolist(), strict=True)
        return {name: value if count else None for name, value, count in rows}

    @property
    def sizes(self) -> list[int]:
        """Count the documents of each dataset, or its blocks of entities."""
        return [len(part.matrix) for part in self.parts]

    @property
    def documents(self) -> int:
        """Count the documents."""
        return sum(self.sizes)

    @property
    def freedom(self) -> int:
        """The degrees of freedom: documents minus datasets."""
        return sum(max(0, size - 1) for size in self.sizes)

    @property
    def without_one(self) -> Floats:
        """The scores without each document in turn.

        A dataset without its only document counts as 0.
        """
        rows, totals = [], self.totals
        whole = [self.f1_of(number, total) for number, total in enumerate(totals)]
        for number, part in enumerate(self.parts):
            left = self.f1_of(number, totals[number] - part.matrix)
            if len(part.matrix) == 1:
                left = ScoredSums(left.f1 * 0, whole[number].is_defined[None, :])
            others = [*whole[:number], *whole[number + 1 :]]
            shape = left.f1.shape
            rows.append(_mean([left, *(other.broadcast(shape) for other in others)]))
        return np.concatenate(rows)

    @property
    def by_document(self) -> Floats:
        """The scores of each document."""
        return np.concatenate(
            [part.scores(part.matrix)[..., _F1] for part in self.parts]
        )


class SystemRuns(NamedTuple):
    """The runs of one system. Its scores are means over runs.

    Runs are sorted by score, so that samples do not depend on the order of the files.
    """

    runs: tuple[Strata, ...]

    @classmethod
    def of(cls, name: str, datasets: Mapping[str, Result]) -> SystemRuns:
        """Make each run of each dataset a matrix."""
        numbers = {len(result.runs) for result in datasets.values()}
        if len(numbers) > 1:
            listed = ", ".join(map(str, sorted(numbers)))
            raise OptionError(
                f"{name} does not have the same number of runs for every dataset "
                f"({listed})"
            )
        by_run = zip(*(result.runs for result in datasets.values()), strict=True)
        runs = map(Strata.of, by_run)
        return cls(tuple(sorted(runs, key=lambda run: run.total.tolist())))

    @property
    def total(self) -> Floats:
        """The mean score of all runs."""
        return mean_of_runs([run.total for run in self.runs])

    @property
    def sd(self) -> Floats:
        """The standard deviation of the scores of all runs; 0 for one run."""
        if len(self.runs) == 1:
            return self.total * 0
        totals = np.array([run.total for run in self.runs])
        return np.asarray(totals.std(axis=0, ddof=1))

    @property
    def covered(self) -> Ints:
        """Count the datasets in which each metric is defined for any run."""
        return np.asarray(np.max([run.covered for run in self.runs], axis=0))

    @property
    def figures(self) -> dict[str, float | None]:
        """The mean score by metric; None if it is undefined everywhere."""
        names = self.runs[0].names
        rows = zip(names, self.total.tolist(), self.covered.tolist(), strict=True)
        return {name: value if count else None for name, value, count in rows}

    @property
    def without_one(self) -> Floats:
        """The mean scores without each document in turn."""
        return mean_of_runs([run.without_one for run in self.runs])

    @property
    def without_run(self) -> Floats:
        """How the mean changes without each run; no rows if there is one run."""
        return change_without_each([run.total for run in self.runs])

    @property
    def by_document(self) -> Floats:
        """The mean scores of each document."""
        return mean_of_runs([run.by_document for run in self.runs])


def mean_of_runs(runs: Sequence[Floats]) -> Floats:
    """Return the mean over runs."""
    return runs[0] if len(runs) == 1 else np.asarray(np.mean(runs, axis=0))


def change_without_each(totals: Sequence[Floats]) -> Floats:
    """Return how the mean of runs changes without each; no rows if there is one run."""
    runs = np.array(totals)
    if len(runs) == 1:
        return runs[:0]
    return np.asarray((runs.mean(axis=0) - runs) / (len(runs) - 1))


def _mean(datasets: Sequence[ScoredSums]) -> Floats:
    scores = np.sum([dataset.f1 for dataset in datasets], axis=0)
    return ratio(scores, np.sum([dataset.is_defined for dataset in datasets], axis=0))
