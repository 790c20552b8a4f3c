"""Mention detection, and MOR, the mention overlap ratio (Žabokrtský et al., 2022).

Mention detection counts the mentions that were found, whatever entity they are in. A
mention that is listed twice counts once:

    R  =  mentions in both  ÷  mentions in the key

MOR counts words. Mentions of both sides are paired one to one so that they share the
most words in total, whatever entities they are in and however mentions are matched
otherwise:

    R  =  shared words  ÷  words of all key mentions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import np
from scoref.metrics.base import Metric, columns

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats


def _count(table: Contingency) -> Floats:
    common = table.common_mentions
    return columns(common, table.key_mentions, common, table.response_mentions)


MENTIONS = Metric(
    name="mentions",
    label="Mentions",
    asks="mentions found",
    reference="Pradhan et al. (2014)",
    page="mentions",
    place=100,
    usual="texts",
    aliases=("mention",),
    count=_count,
    is_sum_of_blocks=True,
    is_sum_of_cells=True,
)


def _count_overlap(table: Contingency) -> Floats:
    graph = table.word_overlap
    if graph is None:
        return np.zeros((table.document_count, 4))
    from scoref.metrics._assignment import best_matching

    best = best_matching(graph.key, graph.response, graph.words)
    shared = np.bincount(
        graph.document[best], graph.words[best], minlength=table.document_count
    )
    return columns(shared, graph.key_words, shared, graph.response_words)


MOR = Metric(
    name="mor",
    label="MOR",
    asks="words of mentions found",
    reference="Žabokrtský et al. (2022)",
    page="mor",
    place=400,
    usual="texts",
    count=_count_overlap,
    needs="words",
)

METRICS = (
    MENTIONS,
    MOR,
)
