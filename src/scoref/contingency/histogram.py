"""Tables in which a row represents all entities, or cells, that are equal for a metric.

For a metric, a key entity is its size and the number of its mentions that the response
has. A cell is the number of mentions that two entities share, and these two entities. A
billion mentions have a few thousand kinds of each, so engines count kinds. Their counts
are small, and can be saved and merged.

Only an alignment must distinguish entities. Equal entities are aligned with each other,
and entities without a common mention with none: these stay kinds. The others, which are
few in most clusterings, get a row each (`with_entities`).

All engines give the same figures: rows are sorted, and sums of fractions are computed
from the rows alone.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from scoref.contingency import FATES, Clusterwise, Contingency
from scoref.contingency.partition import (
    clusterwise,
    commons,
    fate_of,
    highest,
    partition,
)
from scoref.errors import OptionError
from scoref.model.arrays import inverse, ranges, runs, starts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Floats = NDArray[np.float64]
    Numbers = TypeVar("Numbers", Ints, Floats)
    Cells = tuple[Ints, Ints, Ints, Ints]  # both entities, what they share, times


class Kinds(NamedTuple):
    """All counts of two clusterings, in rows; the last column is the number of times.

    ``cells`` has the document, the number of mentions that two entities share, and the
    sizes and common mentions of both. ``key`` and ``response`` have the document, the
    size and the common mentions of entities. The others have the document and one value
    of each entity with a common mention: the Jaccard index with the nearest entity, the
    largest number of mentions shared with one, and the number of its fate in `FATES`.
    """

    cells: Ints
    key: Ints
    response: Ints
    key_nearest: Floats
    response_nearest: Floats
    key_largest: Ints
    response_largest: Ints
    fates: Ints


def kinds_of(table: Contingency) -> Kinds:
    """Count equal entities and cells of a table."""
    table = partition(table)
    common, other_common = commons(table)
    cell_key, cell_response, n = table.cell_key, table.cell_response, table.overlap
    a, b = table.key_size[cell_key], table.response_size[cell_response]
    index = n / (a + b - n)
    fate = fate_of(table)
    sides = (
        (cell_key, table.key_document),
        (cell_response, table.response_document),
    )
    nearest = [_count_highest(index, *side) for side in sides]
    largest = [_count_highest(n, *side).astype(np.int64) for side in sides]
    return Kinds(
        cells=count_rows(
            table.key_document[cell_key],
            *(n, a, b, common[cell_key], other_common[cell_response]),
        ),
        key=count_rows(table.key_document, table.key_size, common),
        response=count_rows(table.response_document, table.response_size, other_common),
        key_nearest=nearest[0],
        response_nearest=nearest[1],
        key_largest=largest[0],
        response_largest=largest[1],
        fates=count_rows(table.key_document[fate >= 0], fate[fate >= 0]),
    )


def count_rows(*columns: Numbers) -> Numbers:
    """Return the distinct rows, sorted, with the number of times each occurs."""
    order = np.lexsort(columns[::-1])
    rows = np.column_stack(columns)[order]
    first, times = runs(*rows.T)
    return np.column_stack((rows[first], times))


def _count_highest(value: Ints | Floats, entity: Ints, document: Ints) -> Floats:
    """Count entities by the highest value of their cells, if they have any."""
    best = highest(value, entity, len(document))
    there = np.flatnonzero(best)
    return count_rows(document[there].astype(np.float64), best[there])


def histogram(kinds: Kinds, documents: int) -> Contingency:
    """Return the table of these counts."""
    cells, key, response = (rows[np.lexsort(rows.T[::-1])] for rows in kinds[:3])
    document, n, a, b, a_common, b_common, times = cells.T
    cell_key = _find(key, (document, a, a_common))
    cell_response = _find(response, (document, b, b_common))
    nearest = kinds.key_nearest, kinds.response_nearest
    largest = kinds.key_largest, kinds.response_largest
    fates = []
    for fate in range(len(FATES)):
        there = kinds.fates[kinds.fates[:, 1] == fate]
        fates.append(np.bincount(there[:, 0], there[:, 2], documents))
    sums = Clusterwise(
        nearest=np.column_stack([_exact_sums(rows, documents) for rows in nearest]),
        largest=_integers([_exact_sums(rows, documents) for rows in largest]),
        fates=_integers(fates),
    )
    table = table_of_rows(documents, key, response, (cell_key, cell_response, n, times))
    return table._replace(clusterwise=sums)


def with_entities(table: Contingency, cells: Sequence[Ints]) -> Contingency:
    """Add the rows that an alignment needs to a histogram.

    Args:
        table: the histogram.
        cells: the cells of entities that are not equal, in columns: the document, the
            numbers of both entities, the number of shared mentions, the sizes and the
            common mentions of both.
    """
    order = np.lexsort((cells[2], cells[1], cells[0]))
    document, key, response, n, a, b, a_common, b_common = (
        np.asarray(column, dtype=np.int64)[order] for column in cells
    )
    key_rows, cell_key = _entities(key, (document, a, a_common))
    response_rows, cell_response = _entities(response, (document, b, b_common))
    equal = _equal_entities(table)
    place = np.arange(len(equal))
    of_equal = equal[:, [0, 1, 1, 2]]  # all their mentions are common
    whole = table_of_rows(
        table.document_count,
        np.vstack((key_rows, of_equal, _without_common(table))),
        np.vstack((response_rows, of_equal, _without_common(table.swapped))),
        (
            np.concatenate((cell_key, len(key_rows) + place)),
            np.concatenate((cell_response, len(response_rows) + place)),
            np.concatenate((n, equal[:, 1])),
            np.concatenate((np.ones_like(n), equal[:, 2])),
        ),
    )
    return table._replace(alignable=whole)


def expanded(table: Contingency) -> Contingency:
    """Return a table in which each row is one entity or one cell.

    Raises:
        OptionError: the histogram was built without the rows of single entities.
    """
    if not table.is_histogram:
        return table
    whole = table.alignable
    if whole is None:
        raise OptionError("this table has no single entities, only numbers of them")
    key, response = _rows(whole), _rows(whole.swapped)
    times = _times(whole)
    copy = ranges(np.zeros_like(times), times)  # the cells of the same row are equal
    cells: Cells = (
        np.repeat(starts(key[:, 3])[whole.cell_key], times) + copy,
        np.repeat(starts(response[:, 3])[whole.cell_response], times) + copy,
        np.repeat(whole.overlap, times),
        np.ones(len(copy), dtype=np.int64),
    )
    sides = [np.repeat(side, side[:, 3], axis=0) for side in (key, response)]
    for side in sides:
        side[:, 3] = 1
    plain = table_of_rows(whole.document_count, sides[0], sides[1], cells)
    return plain._replace(key_times=1, response_times=1, cell_times=1)


def unequal_cells(table: Contingency) -> tuple[Ints, ...]:
    """Return the cells of entities that are not equal, for `with_entities`."""
    table = partition(table)
    common, other_common = commons(table)
    n, key, response = table.overlap, table.cell_key, table.cell_response
    a, b = table.key_size[key], table.response_size[response]
    rows = np.flatnonzero((n != a) | (n != b))
    sizes = a, b, common[key], other_common[response]
    columns = table.key_document[key], key, response, n, *sizes
    return tuple(column[rows] for column in columns)


def of_documents(table: Contingency, documents: Sequence[int]) -> Contingency:
    """Keep some documents of a histogram, in this order."""
    place = np.full(table.document_count, -1)
    place[list(documents)] = np.arange(len(documents))
    key, key_row = _keep_documents(_rows(table), place)
    response, response_row = _keep_documents(_rows(table.swapped), place)
    cells = np.flatnonzero(key_row[table.cell_key] >= 0)
    kept = table_of_rows(
        len(documents),
        key,
        response,
        (
            key_row[table.cell_key[cells]],
            response_row[table.cell_response[cells]],
            table.overlap[cells],
            _times(table)[cells],
        ),
    )
    sums, rows = clusterwise(table), list(documents)
    sums = Clusterwise(sums.nearest[rows], sums.largest[rows], sums.fates[rows])
    return kept._replace(clusterwise=sums)


def _times(table: Contingency) -> Ints:
    return np.broadcast_to(table.cell_times, table.overlap.shape)


def _rows(table: Contingency) -> Ints:
    """Return key entities as rows: document, size, common mentions, times."""
    common, _ = commons(table)
    return np.column_stack(
        (
            table.key_document,
            table.key_size,
            common,
            np.broadcast_to(table.key_times, common.shape),
        )
    )


def _keep_documents(rows: Ints, place: Ints) -> tuple[Ints, Ints]:
    """Keep the rows of some documents, and return the new place of each row."""
    document = place[rows[:, 0]]
    kept = np.flatnonzero(document >= 0)
    new_row = np.full(len(rows), -1)
    new_row[kept] = np.arange(len(kept))
    return np.column_stack((document[kept], rows[kept, 1:])), new_row


def join_histograms(
    tables: Sequence[Contingency], documents: Sequence[int]
) -> Contingency:
    """Join histograms of one document each, and give the documents new numbers."""
    count = max(documents) + 1
    sums = Clusterwise(
        nearest=np.zeros((count, 2)),
        largest=np.zeros((count, 2), dtype=np.int64),
        fates=np.zeros((count, len(FATES)), dtype=np.int64),
    )
    key, response, cell_key, cell_response = [], [], [], []
    keys = responses = 0
    for table, document in zip(tables, documents, strict=True):
        key.append(_rows(table))
        response.append(_rows(table.swapped))
        key[-1][:, 0] = response[-1][:, 0] = document
        cell_key.append(table.cell_key + keys)
        cell_response.append(table.cell_response + responses)
        keys, responses = keys + len(key[-1]), responses + len(response[-1])
        for total, column in zip(sums, clusterwise(table), strict=True):
            total[document] += column[0]
    cells: Cells = (
        np.concatenate(cell_key),
        np.concatenate(cell_response),
        np.concatenate([table.overlap for table in tables]),
        np.concatenate([_times(table) for table in tables]),
    )
    whole = table_of_rows(count, np.vstack(key), np.vstack(response), cells)
    return whole._replace(clusterwise=sums)


def table_of_rows(
    documents: int, key: Ints, response: Ints, cells: Cells
) -> Contingency:
    """Return the table of rows of entities, and of cells with their times."""
    cell_key, cell_response, n, times = cells
    none = np.zeros(documents, dtype=np.int64)
    table = Contingency(
        document_count=documents,
        key_document=key[:, 0],
        key_size=key[:, 1],
        key_mentions=none,
        response_document=response[:, 0],
        response_size=response[:, 1],
        response_mentions=none,
        common_mentions=none,
        cell_key=cell_key,
        cell_response=cell_response,
        key_count=n,
        response_count=n,
        key_mates=n,
        response_mates=n,
        overlap=n,
        key_times=key[:, 3],
        response_times=response[:, 3],
        cell_times=times,
        key_common=key[:, 2],
        response_common=response[:, 2],
    )
    return table._replace(
        key_mentions=table.sum_key(table.key_size).astype(np.int64),
        response_mentions=table.sum_response(table.response_size).astype(np.int64),
        common_mentions=table.sum_key(key[:, 2]).astype(np.int64),
    )


def _find(rows: Ints, wanted: tuple[Ints, ...]) -> Ints:
    """Return the rows that have these documents, sizes and common mentions."""
    both = np.vstack((rows[:, :3], np.column_stack(wanted)))
    _, number = np.unique(both, axis=0, return_inverse=True)
    number = number.reshape(-1)
    return inverse(number[: len(rows)])[number[len(rows) :]]


def _entities(number: Ints, columns: tuple[Ints, ...]) -> tuple[Ints, Ints]:
    """Return a row for each entity, and the row of each cell's entity."""
    _, first, row = np.unique(number, return_index=True, return_inverse=True)
    ones = np.ones(len(first), dtype=np.int64)
    return np.column_stack((*(column[first] for column in columns), ones)), row


def _equal_entities(table: Contingency) -> Ints:
    """List equal entities: document, size, times."""
    n, key = table.overlap, table.cell_key
    is_equal = (n == table.key_size[key]) & (
        n == table.response_size[table.cell_response]
    )
    rows: Ints = np.column_stack((table.key_document[key], n, _times(table)))
    return np.asarray(rows[is_equal])


def _without_common(table: Contingency) -> Ints:
    """List key entities without a common mention: document, size, 0, times."""
    rows: Ints = _rows(table)
    return np.asarray(rows[rows[:, 2] == 0])


def _exact_sums(rows: Floats | Ints, documents: int) -> Floats:
    """Sum values by document, rounded once."""
    products: list[list[float]] = [[] for _ in range(documents)]
    for document, value, times in rows.tolist():
        products[int(document)].append(value * times)
    return np.array([fsum(values) for values in products])


def _integers(columns: Sequence[Ints | Floats]) -> Ints:
    return np.column_stack(columns).astype(np.int64)
