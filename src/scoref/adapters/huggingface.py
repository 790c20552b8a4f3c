"""A metric for Hugging Face's `evaluate`.

    metric = CoreferenceMetric()
    metric.add_batch(predictions=..., references=...)
    metric.compute(metrics="muc,conll")["conll"]

An example is a document: a list of entities, each a list of mentions ``[start, end]``.
Equal offsets in two documents are two mentions, and counts are summed over all
documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoref.adapters._common import add_batch, base_class, load_library
from scoref.errors import ScorefError
from scoref.scheme import taking_options
from scoref.scoring.evaluator import Evaluator
from scoref.scoring.scores import named_figures

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from scoref.adapters._common import Batch
    from scoref.scheme import Options, Scheme

_INPUTS = """
    predictions: a list of documents, as predicted by the system: each a list of
        entities, each a list of mentions [start, end].
    references: the same documents, as annotated.
    scheme: the name of a scheme, such as 'conll-2012'.
    metrics: names of metrics. [default: all]
    singletons, duplicates, blanc, lea, average: the conventions of scoref.score.
Returns recall, precision and F₁ of each metric as fractions ('muc/recall',
'muc/precision', 'muc/f1'), the CoNLL score ('conll'), the signature, and notes.
"""


class CoreferenceMetric(base_class("evaluate", "Metric")):  # type: ignore[misc] # untyped there
    """Scores documents with `add`, `add_batch` and `compute`."""

    def _info(self) -> Any:
        datasets = load_library("datasets")
        document = [[[datasets.Value("int64")]]]
        return load_library("evaluate").MetricInfo(
            description="Coreference scores with the digits of the official scorers.",
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features(
                {"predictions": document, "references": document}
            ),
        )

    @taking_options
    def _compute(
        self,
        predictions: Batch,
        references: Batch,
        *,
        scheme: str | Scheme | None = None,
        metrics: str | Iterable[str] | None = None,
        **options: Unpack[Options],
    ) -> dict[str, object]:
        """Score all documents that were added."""
        evaluator = Evaluator(scheme=scheme, metrics=metrics, **options)
        add_batch(evaluator, key=references, response=predictions)
        if not len(evaluator):
            raise ScorefError("there is nothing to score: no document was added")
        result = evaluator.compute()
        return {
            **named_figures(result.scores),
            "signature": result.signature,
            "notes": [note.message for note in result.notes],
        }
