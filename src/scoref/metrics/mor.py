"""MOR, the mention overlap ratio (Žabokrtský et al., 2022): words.

Mentions of both sides are paired one to one so that they share the most words in
total, whatever entities they are in and however mentions are matched otherwise:

    R  =  shared words  ÷  words of all key mentions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import np
from scoref.metrics.base import Metric

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats


def _count(table: Contingency) -> Floats:
    graph = table.word_overlap
    if graph is None:
        return np.zeros((table.document_count, 4))
    from scoref.metrics._assignment import best_matching  # noqa: PLC0415 - NumPy

    best = best_matching(graph.key, graph.response, graph.words)
    shared = np.bincount(
        graph.document[best], graph.words[best], minlength=table.document_count
    )
    columns = (shared, graph.key_words, shared, graph.response_words)
    return np.column_stack(columns).astype(np.float64)


MOR = Metric(
    name="mor",
    label="MOR",
    asks="how many words of the mentions are covered?",
    reference="Žabokrtský et al. (2022)",
    page="mor",
    place=400,
    usual="texts",
    count=_count,
    needs="words",
)
METRICS = (MOR,)
