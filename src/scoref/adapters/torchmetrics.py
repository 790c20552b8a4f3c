"""A metric for torchmetrics: update, compute, reset, and states that sync.

    metric = CoreferenceMetric(metrics="muc,conll")
    metric.update(preds, target)     # two lists of documents
    metric.compute()["conll"]        # of all documents, of all processes

The state is a sum over documents: the counts of all metrics or, with ``average:macro``,
the scores and the number of documents that have one. Processes add up their states, so
the scores are those of all documents together, not a mean over batches or processes.
"""

from __future__ import annotations

import math
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from scoref.adapters._common import (
    add_batch,
    base_class,
    load_library,
    refuse_unequal,
)
from scoref.errors import OptionError, ScorefError
from scoref.metrics import choose_metrics
from scoref.metrics.base import AnyScore, Score, Value
from scoref.scheme import Options, as_typed, option_names
from scoref.schemes import resolve
from scoref.scoring.evaluator import Evaluator
from scoref.scoring.scores import named_figures
from scoref.statistics.additive import Additive

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from scoref.adapters._common import Batch
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result


class _Options(Options, total=False):
    """Conventions, and the options of torchmetrics."""

    compute_on_cpu: bool
    dist_sync_on_step: bool
    process_group: Any
    dist_sync_fn: Any
    distributed_available_fn: Any
    sync_on_compute: bool
    compute_with_cache: bool


class CoreferenceMetric(base_class("torchmetrics", "Metric")):  # type: ignore[misc] # untyped there
    """Scores documents batch by batch, on one device or many.

    A document is a list of entities, an entity a list of mentions, a mention ``(start,
    end)`` or another tuple or text; tensors and arrays will do for each of these.

    Args:
        metrics: names of metrics; all if not given.
        scheme: name of a scheme, such as ``conll-2012``.
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
        others: dict[str, Any] = {**options}
        own = {name: others.pop(name) for name in option_names() if name in others}
        super().__init__(**others)
        self._scheme = resolve(scheme, **own)
        if self._scheme.scope not in {None, "document"}:
            raise OptionError(
                f"{as_typed('scope', self._scheme.scope)} joins documents of all "
                "batches, but this metric keeps only sums. Use scoref.Evaluator"
            )
        self._metrics = choose_metrics(metrics)
        torch = load_library("torch")
        layout = Additive.of(self._nothing())
        # A MetricCollection merges metrics whose states are almost equal after the
        # first batch. These bytes differ if conventions differ. They come first,
        # because some versions compare only the first state.
        conventions = f"{self.signature}{layout.names}".encode()
        code = torch.tensor(list(blake2b(conventions, digest_size=8).digest()))
        self.add_state("code", code, dist_reduce_fx="max")
        sums = torch.zeros(layout.matrix.shape[1], dtype=torch.float64)
        self.add_state("sums", sums, dist_reduce_fx="sum")
        self.add_state("documents", torch.tensor(0), dist_reduce_fx="sum")

    @property
    def signature(self) -> str:
        """All conventions that can change a figure, in one line."""
        return self._nothing().signature

    def update(self, preds: Batch, target: Batch) -> None:
        """Add documents of a system, and the same documents of the key."""
        refuse_unequal(target, preds)
        if not len(target):
            return
        evaluator = self._evaluator()
        add_batch(evaluator, key=target, response=preds)
        result = evaluator.compute()
        # Other notes, such as undefined scores, do not matter for a single batch.
        warn = load_library("torchmetrics.utilities").rank_zero_warn
        for note in result.notes:
            if note.kind.startswith("duplicates"):
                warn(note.message)
        sums = Additive.of(result).matrix.sum(axis=0)
        self.sums += load_library("torch").from_numpy(sums).to(self.sums)
        self.documents += len(result.documents)

    def compute(self) -> dict[str, Any]:
        """Return the scores of all documents, as ``muc/f1``, ``conll`` and so on."""
        if not int(self.documents):
            raise ScorefError("there is nothing to score: no document was added")
        layout = Additive.of(self._nothing())
        rows = layout.scores(self.sums.cpu().double().numpy()).tolist()
        scores: dict[str, AnyScore] = {
            name: Value(f1) if math.isnan(recall) else Score(recall, precision, f1)
            for name, (recall, precision, f1) in zip(layout.names, rows, strict=True)
        }
        return {
            name: self.sums.new_tensor(value)
            for name, value in named_figures(scores).items()
        }

    def _evaluator(self) -> Evaluator:
        return Evaluator(scheme=self._scheme, metrics=self._metrics)

    def _nothing(self) -> Result:
        """Score an empty document, for its signature and its columns of counts."""
        evaluator = self._evaluator()
        evaluator.update(key=[], response=[])
        return evaluator.compute()
