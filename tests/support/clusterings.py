"""Two clusterings of a test as the table that metrics see of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import Contingency
from scoref.contingency.histogram import (
    histogram,
    kinds_of,
    of_documents,
    unequal_cells,
    with_entities,
)
from scoref.metrics import METRICS
from scoref.metrics.base import RATIO_COLUMNS, Metric
from scoref.records.table.profiles import counts_object

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.scoring.results import Result

    Side = Sequence[Iterable[Hashable]]
    Ints = NDArray[np.int64]

OF_TABLES: dict[str, Metric] = {
    name: each
    for name, each in METRICS.items()
    if isinstance(each, Metric) and each.needs == "mentions"
}
ALL_RATIOS = tuple(
    name
    for name, each in OF_TABLES.items()
    if each.columns == RATIO_COLUMNS and name != "mentions"
)
ALIGNED = tuple(name for name, each in OF_TABLES.items() if each.is_aligned)
INDICES = tuple(name for name, each in OF_TABLES.items() if each.scale != "percent")


class Ratios(NamedTuple):
    """Recall and precision, each a numerator over a denominator."""

    recall: tuple[float, float]
    precision: tuple[float, float]


def ratios(table: Contingency, name: str) -> Ratios:
    """Count a metric of a table of one document."""
    a, b, c, d = OF_TABLES[name].count(table)[0].tolist()
    return Ratios((a, b), (c, d))


def indices(table: Contingency) -> dict[str, float]:
    """Compute everything that is one number."""
    return {name: OF_TABLES[name](table).f1 for name in INDICES}


def whole(result: Result) -> dict[str, object]:
    """Give all that a result of a table says, to be compared bit by bit."""
    assert result.table is not None
    names = result.documents
    tables = {
        name: counts_object(of_documents(result.table, [row]))
        for row, name in enumerate(names)
    }
    return {
        "signature": result.signature,
        "scores": result.scores,
        "groups": result.per_document,
        "tables": tables,
        "notes": result.notes,
    }


def counted(table: Contingency) -> Contingency:
    """Count kinds, as engines do."""
    found = histogram(kinds_of(table), table.document_count)
    return with_entities(found, unequal_cells(table))


def tabulate(key: Side, response: Side) -> Contingency:
    """Compare every cluster with every other."""
    keys, responses = [set(each) for each in key], [set(each) for each in response]
    cells = [
        (i, j, len(one & other))
        for i, one in enumerate(keys)
        for j, other in enumerate(responses)
        if one & other
    ]
    sizes = [np.array([len(each) for each in side], int) for side in (keys, responses)]
    return _table(np.array(cells, dtype=np.int64).reshape(-1, 3).T, sizes)


def tabulate_labels(key: Ints, response: Ints) -> Contingency:
    """Do that for large clusterings; -1 stands for a mention that a side lacks."""
    both = (key >= 0) & (response >= 0)
    width = int(response.max()) + 1
    code, n = np.unique(key[both] * width + response[both], return_counts=True)
    sizes = [np.bincount(side[side >= 0]) for side in (key, response)]
    return _table((code // width, code % width, n), sizes)


def _table(cells: Iterable[Ints], sizes: Sequence[Ints]) -> Contingency:
    cell_key, cell_response, n = cells
    return Contingency(
        document_count=1,
        key_document=np.zeros_like(sizes[0]),
        key_size=sizes[0],
        key_mentions=np.array([sizes[0].sum()]),
        response_document=np.zeros_like(sizes[1]),
        response_size=sizes[1],
        response_mentions=np.array([sizes[1].sum()]),
        common_mentions=np.array([n.sum()]),
        cell_key=cell_key,
        cell_response=cell_response,
        key_count=n,
        response_count=n,
        key_mates=n,
        response_mates=n,
        overlap=n,
    )
