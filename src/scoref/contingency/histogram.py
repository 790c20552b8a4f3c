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

from itertools import accumulate
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Floats = NDArray[np.float64]
    Numbers = TypeVar("Numbers", Ints, Floats)
    Cells = tuple[Ints, Ints, Ints, Ints]  # both entities, what they share, times


class Kinds(NamedTuple):
    """Everything that is counted of two clusterings, in rows; the last column counts.

    ``cells`` has the document, what two entities share, the sizes of both, and what of
    these is common; ``key`` and ``response`` have the document, the size and the common
    mentions of entities. The others have the document and one value of each entity that
    has a common mention: Jaccard's index with the nearest entity, the largest part that
    it shares with one, and the number of its fate in `FATES`.
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
    """Count what is alike in a table of entities."""
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
    nearest = [_highest(index, *side) for side in sides]
    largest = [_highest(n, *side).astype(np.int64) for side in sides]
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
    """Count equal rows, and sort them."""
    order = np.lexsort(columns[::-1])
    rows = np.column_stack(columns)[order]
    is_first = np.ones(len(rows), dtype=np.bool_)
    is_first[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    first = np.flatnonzero(is_first)
    return np.column_stack((rows[first], np.diff(np.append(first, len(rows)))))


def _highest(value: Ints | Floats, entity: Ints, document: Ints) -> Floats:
    """Count entities by their highest value, where they have any."""
    best = highest(value, entity, len(document))
    there = np.flatnonzero(best)
    return count_rows(document[there].astype(np.float64), best[there])


def histogram(kinds: Kinds, documents: int) -> Contingency:
    """Make a table of what was counted."""
    cells, key, response = (_sorted(rows) for rows in kinds[:3])
    document, n, a, b, a_common, b_common, times = cells.T
    cell_key = _find(key, (document, a, a_common))
    cell_response = _find(response, (document, b, b_common))
    nearest = kinds.key_nearest, kinds.response_nearest
    largest = kinds.key_largest, kinds.response_largest
    counted = Clusterwise(
        nearest=np.column_stack([_exact_sums(each, documents) for each in nearest]),
        largest=_integers([_exact_sums(each, documents) for each in largest]),
        fates=_integers(
            [_times_of(kinds.fates, fate, documents) for fate in range(len(FATES))]
        ),
    )
    table = table_of_rows(documents, key, response, (cell_key, cell_response, n, times))
    return table._replace(clusterwise=counted)


def with_entities(table: Contingency, cells: Sequence[Ints]) -> Contingency:
    """Give a histogram the rows that an alignment needs.

    Args:
        table: the histogram.
        cells: those of entities that are not equal, in columns: the document, the
            numbers of both entities, what they share, their sizes, and what of these is
            common.
    """
    order = np.lexsort((cells[2], cells[1], cells[0]))
    document, key, response, n, a, b, a_common, b_common = (
        np.asarray(column, dtype=np.int64)[order] for column in cells
    )
    key_rows, cell_key = _entities(key, (document, a, a_common))
    response_rows, cell_response = _entities(response, (document, b, b_common))
    equal = _equal(table)
    place = np.arange(len(equal))
    of_equal = equal[:, [0, 1, 1, 2]]  # all of their mentions are common
    whole = table_of_rows(
        table.document_count,
        np.vstack((key_rows, of_equal, _alone(table))),
        np.vstack((response_rows, of_equal, _alone(table.swapped))),
        (
            np.concatenate((cell_key, len(key_rows) + place)),
            np.concatenate((cell_response, len(response_rows) + place)),
            np.concatenate((n, equal[:, 1])),
            np.concatenate((np.ones_like(n), equal[:, 2])),
        ),
    )
    return table._replace(alignable=whole)


def unequal_cells(table: Contingency) -> tuple[Ints, ...]:
    """Give the cells of entities that are not equal, as `with_entities` takes them."""
    table = partition(table)
    common, other_common = commons(table)
    n, key, response = table.overlap, table.cell_key, table.cell_response
    a, b = table.key_size[key], table.response_size[response]
    rows = np.flatnonzero((n != a) | (n != b))
    sizes = a, b, common[key], other_common[response]
    columns = table.key_document[key], key, response, n, *sizes
    return tuple(column[rows] for column in columns)


def of_documents(table: Contingency, documents: Sequence[int]) -> Contingency:
    """Keep some documents of a histogram, in this order; the rest is forgotten."""
    place = np.full(table.document_count, -1)
    place[list(documents)] = np.arange(len(documents))
    key, key_row = _kept(_rows(table), place)
    response, response_row = _kept(_rows(table.swapped), place)
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
    found, rows = clusterwise(table), list(documents)
    counted = Clusterwise(found.nearest[rows], found.largest[rows], found.fates[rows])
    return kept._replace(clusterwise=counted)


def _times(table: Contingency) -> Ints:
    return np.broadcast_to(table.cell_times, table.overlap.shape)


def _rows(table: Contingency) -> Ints:
    """Give key entities as rows: document, size, common mentions, times."""
    common, _ = commons(table)
    return np.column_stack(
        (
            table.key_document,
            table.key_size,
            common,
            np.broadcast_to(table.key_times, common.shape),
        )
    )


def _kept(rows: Ints, place: Ints) -> tuple[Ints, Ints]:
    """Keep the rows of some documents, and tell where each one went."""
    document = place[rows[:, 0]]
    kept = np.flatnonzero(document >= 0)
    moved = np.full(len(rows), -1)
    moved[kept] = np.arange(len(kept))
    return np.column_stack((document[kept], rows[kept, 1:])), moved


def join_histograms(
    tables: Sequence[Contingency], documents: Sequence[int]
) -> Contingency:
    """Put histograms of one document each together, and number their documents."""
    numbered = list(zip(tables, documents, strict=True))
    key = [_moved(_rows(table), document) for table, document in numbered]
    response = [_moved(_rows(table.swapped), document) for table, document in numbered]
    cells: Cells = (
        np.concatenate(
            [table.cell_key + first for table, first in _firsts(tables, key)]
        ),
        np.concatenate(
            [table.cell_response + first for table, first in _firsts(tables, response)]
        ),
        np.concatenate([table.overlap for table in tables]),
        np.concatenate([_times(table) for table in tables]),
    )
    count = max(documents) + 1
    whole = table_of_rows(count, np.vstack(key), np.vstack(response), cells)
    return whole._replace(clusterwise=_added(tables, documents, count))


def _firsts(
    tables: Sequence[Contingency], rows: Sequence[Ints]
) -> Iterator[tuple[Contingency, int]]:
    """Say at which row of all the rows of each table begin."""
    firsts = accumulate((len(each) for each in rows), initial=0)
    return zip(tables, firsts, strict=False)


def _moved(rows: Ints, document: int) -> Ints:
    rows[:, 0] = document
    return rows


def _added(
    tables: Sequence[Contingency], documents: Sequence[int], count: int
) -> Clusterwise:
    """Add up what needs all cells of an entity."""
    nearest, largest, fates = (
        np.zeros((count, 2)),
        np.zeros((count, 2), dtype=np.int64),
        np.zeros((count, len(FATES)), dtype=np.int64),
    )
    for table, document in zip(tables, documents, strict=True):
        found = clusterwise(table)
        nearest[document] += found.nearest[0]
        largest[document] += found.largest[0]
        fates[document] += found.fates[0]
    return Clusterwise(nearest, largest, fates)


def table_of_rows(
    documents: int, key: Ints, response: Ints, cells: Cells
) -> Contingency:
    """Make a table of rows of entities, and of cells with their times."""
    cell_key, cell_response, n, times = cells
    nobody = np.zeros(documents, dtype=np.int64)
    table = Contingency(
        document_count=documents,
        key_document=key[:, 0],
        key_size=key[:, 1],
        key_mentions=nobody,
        response_document=response[:, 0],
        response_size=response[:, 1],
        response_mentions=nobody,
        common_mentions=nobody,
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


def _sorted(rows: Ints) -> Ints:
    return rows[np.lexsort(rows.T[::-1])]


def _find(rows: Ints, wanted: tuple[Ints, ...]) -> Ints:
    """Find sorted rows by their document, size and common mentions."""
    every = np.vstack((rows[:, :3], np.column_stack(wanted)))
    _, number = np.unique(every, axis=0, return_inverse=True)
    number = number.reshape(-1)
    row_of = np.empty(len(rows), dtype=np.int64)
    row_of[number[: len(rows)]] = np.arange(len(rows))
    found: Ints = row_of[number[len(rows) :]]
    return found


def _entities(number: Ints, columns: tuple[Ints, ...]) -> tuple[Ints, Ints]:
    """Give each entity a row, and each cell the row of its entity."""
    _, first, row = np.unique(number, return_index=True, return_inverse=True)
    ones = np.ones(len(first), dtype=np.int64)
    return np.column_stack((*(column[first] for column in columns), ones)), row


def _equal(table: Contingency) -> Ints:
    """List equal entities: document, size, times."""
    n, key = table.overlap, table.cell_key
    is_equal = (n == table.key_size[key]) & (
        n == table.response_size[table.cell_response]
    )
    rows: Ints = np.column_stack((table.key_document[key], n, _times(table)))
    return np.asarray(rows[is_equal])


def _alone(table: Contingency) -> Ints:
    """List key entities without a common mention: document, size, 0, times."""
    rows: Ints = _rows(table)
    return np.asarray(rows[rows[:, 2] == 0])


def _exact_sums(rows: Floats | Ints, documents: int) -> Floats:
    """Add up values by document, rounded once."""
    products: list[list[float]] = [[] for _ in range(documents)]
    for document, value, times in rows.tolist():
        products[int(document)].append(value * times)
    return np.array([fsum(each) for each in products])


def _times_of(rows: Ints, value: int, documents: int) -> Ints:
    there = rows[rows[:, 1] == value]
    return np.bincount(there[:, 0], there[:, 2], documents)


def _integers(columns: Sequence[Ints | Floats]) -> Ints:
    return np.column_stack(columns).astype(np.int64)
