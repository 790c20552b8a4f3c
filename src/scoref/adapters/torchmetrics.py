"""A metric for torchmetrics: update, compute, reset, and states that sync.

    metric = CoreferenceMetric(metrics="muc,conll")
    metric.update(preds, target)     # two lists of documents
    metric.compute()["conll"]        # of all documents, of all processes

The state is a sum over documents: the counts of all metrics or, with ``average:macro``,
the scores and the number of documents that have one. Processes add up their states, so
the scores are those of all documents together, not a mean over batches or processes.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.adapters._common import add_batch, base, extra, figures, refuse_unequal
from scoref.errors import OptionError, ScorefError
from scoref.metrics import choose_metrics
from scoref.metrics.base import Score
from scoref.scheme import Options, as_typed, option_names
from scoref.schemes import resolve
from scoref.scoring.evaluator import Evaluator
from scoref.statistics.additive import Additive

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from scoref.adapters._common import Batch
    from scoref.metrics.base import Floats
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result


class _Options(Options, total=False):
    """Conventions, and what torchmetrics takes."""

    compute_on_cpu: bool
    dist_sync_on_step: bool
    process_group: Any
    dist_sync_fn: Any
    distributed_available_fn: Any
    sync_on_compute: bool
    compute_with_cache: bool


class CoreferenceMetric(base("torchmetrics", "Metric")):  # type: ignore[misc] # untyped there
    """Scores documents as they come, on one device or many.

    A document is a list of entities, an entity a list of mentions, a mention ``(start,
    end)`` or another tuple or text; tensors and arrays will do for each of these.

    Args:
        metrics: names of metrics; all if not given.
        scheme: a set-up by name, such as ``conll-2012``.
        options: conventions such as ``singletons``, as in `scoref.score`, and what
            every metric of torchmetrics takes, such as ``sync_on_compute``.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False

    def __init__(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        scheme: str | Scheme | None = None,
        **options: Unpack[_Options],
    ) -> None:
        given: dict[str, Any] = {**options}
        own = {name: given.pop(name) for name in option_names() if name in given}
        super().__init__(**given)
        self._scheme = resolve(scheme, **own)
        if self._scheme.scope not in {None, "document"}:
            raise OptionError(
                f"{as_typed('scope', self._scheme.scope)} joins documents of all "
                "batches, of which only sums are kept here; scoref.Evaluator keeps them"
            )
        self._metrics = choose_metrics(metrics)
        torch = extra("torch")
        layout = Additive.of(self._nothing())
        # A MetricCollection takes metrics for one if their states are about the same
        # after the first batch; these bytes tell other conventions apart. They come
        # first, since some versions look at the first state only.
        conventions = f"{self.signature}{layout.names}".encode()
        code = torch.tensor(list(blake2b(conventions, digest_size=8).digest()))
        self.add_state("code", code, dist_reduce_fx="max")
        sums = torch.zeros(layout.matrix.shape[1], dtype=torch.float64)
        self.add_state("sums", sums, dist_reduce_fx="sum")
        self.add_state("documents", torch.tensor(0), dist_reduce_fx="sum")

    @property
    def signature(self) -> str:
        """Every choice that could move a figure, in one line."""
        return self._nothing().signature

    def update(self, preds: Batch, target: Batch) -> None:
        """Add documents: what the system said of each, and what the annotators did."""
        refuse_unequal(target, preds)
        if not len(target):
            return
        evaluator = self._evaluator()
        add_batch(evaluator, key=target, response=preds)
        result = evaluator.compute()
        _warn(result)
        sums = Additive.of(result).matrix.sum(axis=0)
        self.sums += extra("torch").from_numpy(sums).to(self.sums)
        self.documents += len(result.documents)

    def compute(self) -> dict[str, Any]:
        """Score all documents, by names such as ``muc/f1`` and ``conll``."""
        if not int(self.documents):
            raise ScorefError("there is nothing to score: no document was added")
        layout = Additive.of(self._nothing())
        scores = layout.scores(self.sums.cpu().double().numpy())
        by_name = dict(zip(layout.names, map(_score, scores), strict=True))
        return {
            name: self.sums.new_tensor(value)
            for name, value in figures(by_name).items()
        }

    def _evaluator(self) -> Evaluator:
        return Evaluator(scheme=self._scheme, metrics=self._metrics)

    def _nothing(self) -> Result:
        """Score nothing, to see what is counted, and in which columns."""
        evaluator = self._evaluator()
        evaluator.update(key=[], response=[])
        return evaluator.compute()


def _score(row: Floats) -> Score:
    recall, precision, f1 = row.tolist()
    return Score(None, None, f1) if np.isnan(recall) else Score(recall, precision, f1)


def _warn(result: Result) -> None:
    """Tell what was decided; what is empty or undefined in a batch is no news."""
    warn = extra("torchmetrics.utilities").rank_zero_warn
    for note in result.notes:
        if note.kind.startswith("duplicates"):
            warn(note.message)
