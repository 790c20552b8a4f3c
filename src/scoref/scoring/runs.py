"""Several responses of one system: runs on the same documents, or folds of a corpus.

Runs differ in their random seed, for example. Their scores are averaged, and the
standard deviation over runs is reported as well. Folds cover different documents. They
are pooled into one response, so their figures are those of one concatenated file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import fsum, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from scoref.classes import dataclass
from scoref.errors import AlignmentError, OptionError, quoted
from scoref.figures import figure
from scoref.metrics import metric_names
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import describe
from scoref.scoring.comparable import unlike
from scoref.scoring.results import Result, join_results, refuse_no_result
from scoref.scoring.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Unpack

    from scoref.formats.inputs import Input
    from scoref.metrics.base import AnyScore
    from scoref.scoring.request import ScoreOptions

    Statistic = Callable[[Sequence[float]], float]

EQUAL_RUNS = "equal-runs"
"""The kind of note on two runs with the same counts."""


@dataclass(frozen=True, eq=False, repr=False)
class RunResults(Result):
    """The results of several runs of one system on the same documents.

    Scores are means over runs, and ``sd`` has their standard deviations. ``counts`` are
    means as well. Figures are not computed from them, but from the counts of each run.
    """

    runs: tuple[Result, ...] = ()

    @classmethod
    def of(cls, results: Sequence[Result]) -> RunResults:
        """Combine results that have the same documents and were scored alike."""
        first = results[0]
        rows = {name: row for row, name in enumerate(first.documents)}
        for other in results[1:]:
            for what, mine, theirs in unlike(other, first):
                raise OptionError(
                    f"{other.response} and {first.response} cannot be runs of one "
                    f"system: {what} is {mine or 'none'} for {other.response}, "
                    f"{theirs or 'none'} for {first.response}"
                )
        runs = tuple(
            run
            if run.documents == first.documents
            else run.of_documents([*map(run.documents.index, rows)])
            for run in results
        )
        formats = [part for run in runs for part in run.format.split("+")]
        notes = [note for run in runs for note in run.notes]
        return cls(
            key=first.key,
            response=",".join(run.response for run in runs),
            format="+".join(dict.fromkeys(formats)),
            scheme=first.scheme,
            metrics=first.metrics,
            documents=first.documents,
            counts={
                name: np.mean([run.counts[name] for run in runs], axis=0)
                for name in first.counts
            },
            notes=tuple(dict.fromkeys([*_equal_runs(runs), *notes])),
            slice=first.slice,
            window=first.window,
            fingerprint=first.fingerprint,
            runs=runs,
        )

    def __eq__(self, other: object) -> bool:
        """Compare the results of all runs."""
        return isinstance(other, RunResults) and self.runs == other.runs

    __hash__ = None

    @cached_property
    def scores(self) -> Scores:
        """The mean of recall, precision and F₁ over runs, by metric."""
        return _over_runs([run.scores for run in self.runs], mean)

    def _figure(self, metric: str) -> AnyScore:
        return self.scores[metric]

    @property
    def mean(self) -> Scores:
        """The mean of recall, precision and F₁ over runs, by metric."""
        return self.scores

    @cached_property
    def sd(self) -> Scores:
        """The standard deviation of recall, precision and F₁ over runs, by metric."""
        return _over_runs([run.scores for run in self.runs], standard_deviation)

    @cached_property
    def per_document(self) -> dict[str, Scores]:
        """The mean over runs of each document's scores, by its name."""
        return self._by_document(mean)

    @cached_property
    def sd_per_document(self) -> dict[str, Scores]:
        """The standard deviation over runs of each document's scores, by its name."""
        return self._by_document(standard_deviation)

    def _by_document(self, statistic: Statistic) -> dict[str, Scores]:
        return {
            name: _over_runs([run.per_document[name] for run in self.runs], statistic)
            for name in self.documents
        }

    @property
    def notes_by_response(self) -> list[tuple[str, Note]]:
        """The notes, each with the name of its run."""
        own = [note for note in self.notes if note.kind == EQUAL_RUNS]
        return [
            *((self.response, note) for note in own),
            *((run.response, note) for run in self.runs for note in run.notes),
        ]

    def is_defined(self, metric: str) -> bool:
        """Return whether any run has something to score."""
        return any(run.is_defined(metric) for run in self.runs)

    def _discreet(self) -> Result:
        """Leave out notes, which may quote words of the key."""
        runs = tuple(run._discreet() for run in self.runs)
        return replace(self, notes=(), runs=runs)

    def of_documents(self, rows: Sequence[int]) -> Result:
        """Keep some documents only."""
        return self._with_runs(run.of_documents(rows) for run in self.runs)

    def of_metrics(self, names: str | Iterable[str]) -> Result:
        """Keep some metrics only."""
        metrics = tuple(metric_names(names))
        return self._with_runs(run.of_metrics(metrics) for run in self.runs)

    def _with_runs(self, runs: Iterable[Result]) -> RunResults:
        return replace(RunResults.of([*runs]), response=self.response, notes=self.notes)

    @property
    def _in_short(self) -> str:
        metric = self.headline
        sd = figure(metric, self.sd[metric].f1)
        return f"{super()._in_short} ± {sd} over {len(self.runs)} runs"


def mean(values: Sequence[float]) -> float:
    """Return the mean."""
    return fsum(values) / len(values)


def standard_deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample, which divides by n - 1.

    >>> standard_deviation([1.0, 2.0, 3.0])
    1.0
    """
    middle = mean(values)
    return sqrt(fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def _over_runs(runs: Sequence[Scores], statistic: Statistic) -> Scores:
    """Apply a statistic to each figure; an average such as CoNLL has one value."""
    combined = Scores()
    for metric in runs[0]:
        scores = [run[metric] for run in runs]
        like = next((score for score in scores if score.is_defined), scores[0])
        names = [name for name in like._fields if name != "is_defined"]
        figures = {
            name: statistic([getattr(score, name) for score in scores])
            for name in names
        }
        combined[metric] = like._replace(**figures)  # type: ignore[arg-type]
    return combined


def _equal_runs(runs: Sequence[Result]) -> list[Note]:
    """Warn of two runs that have the same counts in every document."""
    for one, other in combinations(runs, 2):
        if all(
            np.array_equal(counts, other.counts[name])
            for name, counts in one.counts.items()
        ):
            message = (
                f"{WARNING}{one.response} and {other.response} have the same counts in "
                "every document. If they are not different runs, the standard "
                "deviation is too small."
            )
            return [Note(EQUAL_RUNS, 1, message)]
    return []


def runs_or_folds(
    names: Sequence[str],
    documents: Sequence[Iterable[str]],
    of_key: Iterable[str] = (),
    missing: str | None = None,
) -> Literal["runs", "folds"]:
    """Return whether responses have the same documents, or none in common.

    Args:
        names: the names of the responses, for the error.
        documents: the names of each response's documents.
        of_key: the names of the key's documents.
        missing: what happens to documents on one side only. A run may lack documents
            that are then empty, and have documents that are then left out.

    Raises:
        AlignmentError: they have some documents in common, but not all.
    """
    sets = [frozenset(own) for own in documents]
    if missing == "key":
        sets = [own.intersection(of_key) for own in sets]
    # Files with fewer documents in common are more likely to be folds with a mistake.
    are_runs = all(
        2 * len(one & other) > min(len(one), len(other))
        for one, other in combinations(sets, 2)
    )
    if missing in {"key", "empty"} and are_runs:
        sets = [own.union(of_key) for own in sets]
    if len({*sets}) == 1:
        return "runs"
    if sum(map(len, sets)) == len(frozenset().union(*sets)):
        return "folds"
    pairs = list(combinations(zip(names, sets, strict=True), 2))
    sharing = [(one, other) for one, other in pairs if one[1] & other[1]]
    partial = [(one, other) for one, other in sharing if one[1] != other[1]]
    one, other = (partial or sharing)[0]
    shared = quoted(sorted(one[1] & other[1]))
    if partial:
        only = [
            f"only {name} has {quoted(sorted(own - others))}"
            for (name, own), (_, others) in ((one, other), (other, one))
            if own - others
        ]
        problem = f"both have {shared}, {', '.join(only)}"
    else:
        name, own = next(
            (name, own)
            for name, own in zip(names, sets, strict=True)
            if not own & one[1]
        )
        problem = f"both have {shared}, but {name} has {quoted(sorted(own))}"
    raise AlignmentError(
        f"this and {other[0]} are neither runs nor folds of one system: {problem}",
        source=one[0],
        hint="Runs must have the same documents. With --missing key (missing=key in "
        "Python), a run may lack some and have others; with empty, it may only lack "
        "some. Folds must have none in common.",
    )


def join_runs(results: Sequence[Result]) -> Result:
    """Combine the results of several runs or folds of one system.

    Results with the same documents are runs: the scores of the new result are their
    means, and its ``sd`` has their standard deviations. Results without a common
    document are folds, which are pooled. One result stays as it is.

    Raises:
        AlignmentError: they have some documents in common, but not all.
    """
    given: object = results
    if not isinstance(given, list | tuple):
        raise OptionError(
            f"join_runs() takes a list of results, not {type(results).__name__}",
            hint="scoref.join_runs([first, second])",
        )
    for result in results:
        refuse_no_result(result, "join_runs")
    runs = [run for result in results for run in result.runs]
    if not runs:
        raise OptionError("there are no runs. Give at least one result")
    if len(runs) == 1:
        return runs[0]
    kind = runs_or_folds(
        [run.response for run in runs], [run.documents for run in runs]
    )
    if kind == "runs":
        return RunResults.of(runs)
    return replace(
        join_results(runs),
        key=",".join(dict.fromkeys(run.key for run in runs)),
        response=",".join(run.response for run in runs),
        folds=len(runs),
    )


def score_runs(
    key: Input,
    responses: Sequence[Input],
    **options: Unpack[ScoreOptions],
) -> Result:
    """Score several runs of one system, or the folds of a corpus.

    Responses with the same documents are runs. The scores of the result are means over
    runs, ``sd`` has their standard deviations, and ``runs`` has the result of each.
    Responses without a common document are folds. They are pooled and scored as one
    response.

    Args:
        key: the key, as for `score`.
        responses: a list of responses, each as for `score`.
        options: the options of `score`.

    Raises:
        AlignmentError: responses have some documents in common, but not all.

    >>> key = [["a", "b", "c"]]
    >>> result = score_runs(key, [[["a", "b"], ["c"]], [["a", "b", "c"]]])
    >>> f"{result.scores['muc'].f1:.3f} ± {result.sd['muc'].f1:.3f}"
    '0.833 ± 0.236'
    """
    from scoref.formats.inputs import files_of, is_file
    from scoref.scoring.evaluate import read_systems, score
    from scoref.scoring.pipeline import score_corpora
    from scoref.scoring.request import Request

    if is_file(responses) or isinstance(responses, Mapping):
        raise OptionError(
            f"score_runs() takes a list of responses, not {describe(responses)}",
            hint="scoref.score(key, response) scores one response.",
        )
    given = list(responses)
    if not given:
        raise OptionError("there are no runs. Give at least one response")
    names = [f"response {number}" for number in range(1, len(given) + 1)]
    files = files_of(("key", key), *zip(names, given, strict=True))
    if files is not None:
        request = Request.of(**options)
        (system,) = read_systems(files[0], [tuple(files[1:])], request)
        results = [
            score_corpora(*pair, with_blocks=request.with_blocks)
            for pair in system.pairs
        ]
        return system.join(results)._with_figures()
    tables = [response for response in given if isinstance(response, Mapping)]
    if len(tables) == len(given) > 1:
        documents = [[*map(str, table)] for table in tables]
        of_key = [*map(str, key)] if isinstance(key, Mapping) else []
        missing = options.get("missing")
        if runs_or_folds(names, documents, of_key, missing) == "folds":
            pooled = {name: own for table in tables for name, own in table.items()}
            return replace(score(key, pooled, **options), folds=len(tables))
    return join_runs([score(key, response, **options) for response in given])
