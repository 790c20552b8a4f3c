"""The engine NumPy: tables in memory, counted in arrays by the same rules as in SQL."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency import Contingency
from scoref.contingency.histogram import (
    histogram,
    kinds_of,
    unequal_cells,
    with_entities,
)
from scoref.model.arrays import numbered
from scoref.records.columns import both_columns
from scoref.records.ids import CodedColumn, concatenate_values, text_of
from scoref.records.pair_tables import SAMPLE, look_like_pairs, pairs_error
from scoref.records.queries import ESCAPE, FRESH
from scoref.records.request import (
    ROLES,
    ClusterCounts,
    NameCounts,
    Overlap,
    SampleCounts,
    TableCounts,
    TableSide,
    duplicate_error,
)
from scoref.records.sources import Columns, readings, used_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.errors import FormatError
    from scoref.model import Ints
    from scoref.records.columns import SideColumns
    from scoref.records.ids import Values
    from scoref.records.request import CountRequest, TableReading
    from scoref.records.sources import Frame

    Bools = NDArray[np.bool_]


_NONE = -1  # the code of a mention or a cluster that is missing


class CodedRows(NamedTuple):
    """One side: the codes of mention, block and cluster of each row."""

    mention: Ints
    block: Ints
    cluster: Ints


class CodedTable(NamedTuple):
    """Both sides, and the labels of their codes."""

    sides: tuple[CodedRows, CodedRows]
    counts: tuple[TableSide, TableSide]
    mentions: list[str]
    blocks: list[str]
    clusters: tuple[list[str], list[str]]
    columns: dict[str, str]


class _Joined(NamedTuple):
    """Each mention of either side once, and its clusters.

    ``place`` is the number of the block times the number of mentions, plus the code of
    the mention.
    """

    place: Ints
    key: Ints
    response: Ints


def count(tables: Sequence[Columns | Frame], request: CountRequest) -> TableCounts:
    """Count one table that has both sides, or two."""
    return count_coded(_read(tables, request), request)


def count_coded(table: CodedTable, request: CountRequest) -> TableCounts:
    """Count a table whose mentions and clusters are codes already."""
    (key, key_count), (response, response_count) = _remove_duplicates(table, request)
    joined = _join(key, response, len(table.mentions))
    in_key, in_response = joined.key != _NONE, joined.response != _NONE
    overlap = Overlap(
        int((in_key & ~in_response).sum()),
        int((in_response & ~in_key).sum()),
        int((in_key & in_response).sum()),
    )
    overlap.check(request, key_count, response_count)
    clusters, blocks = _apply_universe(joined, table, request)
    counts = tabulate(clusters, len(blocks), is_aligned=request.ceaf)
    return TableCounts(
        blocks, counts, key_count, response_count, overlap, table.columns
    )


def count_sample(
    tables: Sequence[Columns | Frame], request: CountRequest
) -> SampleCounts:
    """Count what each cluster of the key shares with clusters of the response."""
    table = _read(tables, request)
    others = _other_values(table, tables[0], request)
    (key, key_count), (response, response_count) = _remove_duplicates(table, request)
    _, g, p = _join(key, response, len(table.mentions))
    both = (g != _NONE) & (p != _NONE)
    width = np.int64(max(1, len(table.clusters[1])))
    cell, shared = np.unique(g[both] * width + p[both], return_counts=True)
    labelled, size = np.unique(key.cluster, return_counts=True)
    response_size = np.bincount(response.cluster, minlength=width)
    return SampleCounts(
        clusters=[table.clusters[0][code] for code in labelled.tolist()],
        size=size,
        cell=np.searchsorted(labelled, cell // width),
        predicted=numbered(cell % width)[0],
        shared=shared,
        predicted_size=response_size[cell % width],
        others=[others[code] for code in labelled.tolist()],
        predicted_clusters=int((response_size > 0).sum()),
        key=key_count,
        response=response_count,
        columns=table.columns,
    )


def _other_values(
    table: CodedTable, key: Columns | Frame, request: CountRequest
) -> dict[int, set[tuple[str | None, ...]]]:
    """Collect the values of other columns for each cluster of the key."""
    (reading, _) = readings([key, key], request)
    names = reading.side(key.names).others
    taken = key.take(names)
    columns = [list(map(text_of, taken.values[name])) for name in names]
    rows = list(zip(*columns, strict=True)) or [()] * len(key)
    side = table.sides[0]
    values: dict[int, set[tuple[str | None, ...]]] = {}
    for mention, cluster, row in zip(
        side.mention.tolist(), side.cluster.tolist(), rows, strict=True
    ):
        if _NONE not in {mention, cluster}:
            values.setdefault(cluster, set()).add(row)
    return values


class KeySide(NamedTuple):
    """One side alone: each mention once, the code of its cluster, and its row."""

    mention: list[str]
    cluster: Ints
    side: TableSide
    columns: SideColumns
    labels: list[str]  # of the clusters
    row: Ints


def key_side(
    key: Columns | Frame,
    reading: TableReading,
    request: CountRequest,
    others: Sequence[Values],
) -> KeySide:
    """Read the key; ``others`` are columns of records that it is compared with."""
    columns = reading.side(key.names)
    table = key.take(columns.names)
    mention = CodedColumn.of(table.values[columns.mention])
    cluster, is_null_word = _code_clusters(table, columns.cluster, request)
    rows = CodedRows(mention.codes, np.zeros_like(mention.codes), cluster.codes)
    if not columns.is_named:
        records = [*mention.labels, *map(text_of, chain(*others))]
        _check_pairs(
            mention, cluster, records, pairs_error(key.source, reading.role or "key")
        )
    counts = _count_rows(rows, table, is_null_word, request)
    row, side = _distinct_rows(rows, counts, mention.labels, request)
    names = [mention.labels[code] for code in mention.codes[row].tolist()]
    used, codes = np.unique(cluster.codes[row], return_inverse=True)
    labels = [cluster.labels[code] for code in used.tolist()]
    return KeySide(names, codes.astype(np.int64), side, columns, labels, row)


def count_clusters(
    table: Columns | Frame, reading: TableReading, request: CountRequest
) -> ClusterCounts:
    """Count the clusters of one table by size, and those that share names."""
    side = key_side(table, reading, request, [])
    size, times = np.unique(np.bincount(side.cluster), return_counts=True)
    names = None
    if side.columns.others:
        (column,) = side.columns.others
        texts = CodedColumn.of(table.take([column]).values[column])
        names = _count_names(side.cluster, texts.codes[side.row])
    columns = (
        {}
        if isinstance(table, Columns) and not table.is_named
        else (side.columns.uses("response"))
    )
    return ClusterCounts(size, times, names, side.side, columns)


def _count_names(cluster: Ints, name: Ints) -> NameCounts:
    """Count clusters with several names, and names with several clusters."""
    is_named = name != _NONE
    both = np.unique(np.column_stack((cluster[is_named], name[is_named])), axis=0)
    clusters, names = np.unique(both[:, 0]), np.unique(both[:, 1])
    of_cluster = np.bincount(both[:, 0], minlength=1)
    of_name = np.bincount(both[:, 1], minlength=1)
    is_shared = of_name[both[:, 1]] > 1
    return NameCounts(
        len(clusters),
        int((of_cluster > 1).sum()),
        len(np.unique(both[is_shared, 0])),
        len(names),
        int((of_name > 1).sum()),
    )


def cluster_names(
    tables: Sequence[Columns | Frame], request: CountRequest
) -> tuple[list[str | None], list[str | None], list[str]]:
    """Return the clusters of each mention, None where it has none, and its name."""
    return names_of(_read(tables, request), request)


def names_of(
    table: CodedTable, request: CountRequest
) -> tuple[list[str | None], list[str | None], list[str]]:
    """Do the same for a table whose mentions and clusters are codes already."""
    (key, _), (response, _) = _remove_duplicates(table, request)
    place, *sides = _join(key, response, len(table.mentions))
    block, mention = np.divmod(place, max(1, len(table.mentions)))
    prefixes = [f"{name}: " if name else "" for name in table.blocks]
    prefix = [prefixes[code] for code in block.tolist()]
    key_names, response_names = (
        [
            None if code == _NONE else within + labels[code]
            for within, code in zip(prefix, side.tolist(), strict=True)
        ]
        for side, labels in zip(sides, table.clusters, strict=True)
    )
    return key_names, response_names, [table.mentions[i] for i in mention.tolist()]


def _read(tables: Sequence[Columns | Frame], request: CountRequest) -> CodedTable:
    return (
        _read_one(tables[0], request)
        if len(tables) == 1
        else _read_two(tables, request)
    )


def _read_one(both: Columns | Frame, request: CountRequest) -> CodedTable:
    chosen = both_columns(both.names, request.wanted, both.source)
    table = both.take(chosen.names)
    named = table.values.get(chosen.mention or "")
    mention = CodedColumn.of(np.arange(len(table)) if named is None else named)
    block = _code_blocks([_groups(table, chosen.group)])
    clusters, is_null_word = zip(
        *(
            _code_clusters(table, name, request)
            for name in (chosen.key, chosen.response)
        ),
        strict=True,
    )
    key, response = (
        CodedRows(mention.codes, block.codes, cluster.codes) for cluster in clusters
    )
    return CodedTable(
        (key, response),
        (
            _count_rows(key, table, is_null_word[0], request),
            _count_rows(response, table, is_null_word[1], request),
        ),
        mention.labels,
        block.labels,
        (clusters[0].labels, clusters[1].labels),
        used_columns([both], [chosen]),
    )


def _read_two(both: Sequence[Columns | Frame], request: CountRequest) -> CodedTable:
    tables, chosen = [], []
    for table, reading in zip(both, readings(both, request), strict=True):
        columns = reading.side(table.names)
        chosen.append(columns)
        tables.append(table.take(columns.names))
    pairs = list(zip(tables, chosen, strict=True))
    mention = CodedColumn.of(
        concatenate_values(table.values[names.mention] for table, names in pairs)
    )
    block = _code_blocks([_groups(table, names.group) for table, names in pairs])
    clusters, is_null_word = zip(
        *(_code_clusters(table, names.cluster, request) for table, names in pairs),
        strict=True,
    )
    cut = len(tables[0])
    key = CodedRows(mention.codes[:cut], block.codes[:cut], clusters[0].codes)
    response = CodedRows(mention.codes[cut:], block.codes[cut:], clusters[1].codes)
    for rows, cluster, columns, table, role in zip(
        (key, response), clusters, chosen, tables, ROLES, strict=True
    ):
        if not columns.is_named and not request.is_grouped:
            records = CodedColumn(rows.mention, mention.labels)
            error = pairs_error(table.source, role)
            _check_pairs(records, cluster, mention.labels, error)
    return CodedTable(
        (key, response),
        (
            _count_rows(key, tables[0], is_null_word[0], request),
            _count_rows(response, tables[1], is_null_word[1], request),
        ),
        mention.labels,
        block.labels,
        (clusters[0].labels, clusters[1].labels),
        used_columns(both, chosen),
    )


def _code_clusters(
    table: Columns, name: str, request: CountRequest
) -> tuple[CodedColumn, Bools]:
    """Code a column of clusters, and mark the rows with null words."""
    return CodedColumn.of_clusters(
        table.values[name],
        has_null_words=request.has_null_words(is_plain=not table.has_null_words),
        null_words=request.null_words,
    )


def _check_pairs(
    mention: CodedColumn,
    cluster: CodedColumn,
    records: Iterable[str | None],
    error: FormatError,
) -> None:
    """Refuse a table of match pairs: first test some rows, then all of them."""
    kept = np.flatnonzero((mention.codes != _NONE) & (cluster.codes != _NONE))
    for place in (kept[:SAMPLE], kept):
        columns = [
            [column.labels[code] for code in column.codes[place].tolist()]
            for column in (mention, cluster)
        ]
        rows = list(zip(*columns, strict=True))
        if not look_like_pairs(rows, lambda names: not names.isdisjoint(records)):
            return
    raise error


def _groups(table: Columns, name: str | None) -> Values:
    """Return the groups of rows; one for all if there are none."""
    return [""] * len(table) if name is None else table.values[name]


def _code_blocks(columns: list[Values]) -> CodedColumn:
    """Code groups; rows without one are in the group ''."""
    column = CodedColumn.of(concatenate_values(columns))
    codes = np.where(column.codes == _NONE, len(column.labels), column.codes)
    return CodedColumn.sorted(codes, [*column.labels, ""])


def _count_rows(
    rows: CodedRows, table: Columns, is_null_word: Bools, request: CountRequest
) -> TableSide:
    is_missing = request.has_null_words(is_plain=not table.has_null_words)
    has_mention = rows.mention != _NONE
    is_kept = has_mention & (rows.cluster != _NONE)
    total = len(rows.mention)
    null_words = int((has_mention & is_null_word).sum())
    return TableSide(
        table.source,
        total,
        total - int(has_mention.sum()),
        int((has_mention & ~is_kept).sum()),
        null_words=null_words if is_missing else 0,
        kept_null_words=0 if is_missing else null_words,
    )


def _remove_duplicates(
    table: CodedTable, request: CountRequest
) -> list[tuple[CodedRows, TableSide]]:
    return [
        _remove_duplicates_of(rows, side, table.mentions, request)
        for rows, side in zip(table.sides, table.counts, strict=True)
    ]


def _remove_duplicates_of(
    rows: CodedRows, side: TableSide, mentions: list[str], request: CountRequest
) -> tuple[CodedRows, TableSide]:
    """Keep one row of each mention that has a cluster, and count the repeated ones."""
    row, counts = _distinct_rows(rows, side, mentions, request)
    return CodedRows(*(column[row] for column in rows)), counts


def _distinct_rows(
    rows: CodedRows, side: TableSide, mentions: list[str], request: CountRequest
) -> tuple[Ints, TableSide]:
    """Choose one row of each mention that has a cluster."""
    kept = np.flatnonzero((rows.mention != _NONE) & (rows.cluster != _NONE))
    place = rows.block[kept] * np.int64(len(mentions)) + rows.mention[kept]
    if request.duplicates == "last":
        kept, place = kept[::-1], place[::-1]
    distinct, first, times = np.unique(place, return_index=True, return_counts=True)
    repeated = distinct[times > 1] % max(1, len(mentions))
    if len(repeated) and request.duplicates == "error":
        raise duplicate_error(side, len(repeated), mentions[repeated.min()])
    return kept[first], replace(side, repeated=len(repeated))


def _join(key: CodedRows, response: CodedRows, mentions: int) -> _Joined:
    width = np.int64(max(1, mentions))
    places = [side.block * width + side.mention for side in (key, response)]
    place, row = np.unique(np.concatenate(places), return_inverse=True)
    cut = len(places[0])
    g, p = (np.full(len(place), _NONE, dtype=np.int64) for _ in ROLES)
    g[row[:cut]] = key.cluster
    p[row[cut:]] = response.cluster
    return _Joined(place, g, p)


_KEPT = {
    "both": (False, False),
    "common": (True, True),
    "union": (False, False),
    "key": (True, False),
    "response": (False, True),
}
"""Whether a mention must be in the key, and in the response."""

_FILLED = {"union": (True, True), "key": (False, True), "response": (True, False)}
"""Whether mentions that the key lacks, and the response, get clusters there."""


def _apply_universe(
    joined: _Joined, table: CodedTable, request: CountRequest
) -> tuple[CodedClusters, list[str]]:
    """Select the mentions of the universe, and code clusters by block and label."""
    place, g, p = joined
    in_key, in_response = _KEPT[request.universe]
    kept = ~((in_key & (g == _NONE)) | (in_response & (p == _NONE)))
    block, mention = np.divmod(place[kept], max(1, len(table.mentions)))
    used_blocks, block = np.unique(block, return_inverse=True)
    sides = []
    for cluster, labels, is_filled in zip(
        (g[kept], p[kept]),
        table.clusters,
        _FILLED.get(request.universe, (False, False)),
        strict=True,
    ):
        side = CodedColumn(cluster, labels)
        if is_filled:
            side = _add_singletons(side, mention, table.mentions)
        sides.append(_code_by_block(side, block))
    (key, key_block), (response, response_block) = sides
    blocks = [table.blocks[i] for i in used_blocks.tolist()]
    if not request.is_grouped and not blocks:
        blocks = [""]
    return CodedClusters(key, response, key_block, response_block), blocks


def _add_singletons(
    side: CodedColumn, mention: Ints, mentions: list[str]
) -> CodedColumn:
    """Make a cluster for each mention that a side lacks."""
    lacking = np.flatnonzero(side.codes == _NONE)
    labels = [ESCAPE + label if label[0] == "\1" else label for label in side.labels]
    codes = side.codes.copy()
    codes[lacking] = len(labels) + np.arange(len(lacking))
    made = [FRESH + mentions[code] for code in mention[lacking].tolist()]
    return CodedColumn.sorted(codes, [*labels, *made])


def _code_by_block(side: CodedColumn, block: Ints) -> tuple[Ints, Ints]:
    """Number clusters through all blocks, and return the block of each cluster."""
    is_clustered = side.codes != _NONE
    width = np.int64(max(1, len(side.labels)))
    distinct, codes = np.unique(
        block[is_clustered] * width + side.codes[is_clustered], return_inverse=True
    )
    numbers = np.full(len(side.codes), _NONE, dtype=np.int64)
    numbers[is_clustered] = codes
    return numbers, distinct // width


class CodedClusters(NamedTuple):
    """The codes of each mention's clusters, -1 if a side lacks the mention.

    Clusters are numbered through all blocks: ``key_block`` has the block of each.
    """

    key: Ints
    response: Ints
    key_block: Ints
    response_block: Ints

    def table(self, blocks: int) -> Contingency:
        """Count the mentions that clusters share."""
        both = (self.key >= 0) & (self.response >= 0)
        width = np.int64(max(1, len(self.response_block)))
        code, n = np.unique(
            self.key[both] * width + self.response[both], return_counts=True
        )
        key_size = _sizes(self.key, len(self.key_block))
        response_size = _sizes(self.response, len(self.response_block))
        return Contingency(
            document_count=blocks,
            key_document=self.key_block,
            key_size=key_size,
            key_mentions=_by_block(self.key_block, key_size, blocks),
            response_document=self.response_block,
            response_size=response_size,
            response_mentions=_by_block(self.response_block, response_size, blocks),
            common_mentions=_by_block(self.key_block[code // width], n, blocks),
            cell_key=code // width,
            cell_response=code % width,
            key_count=n,
            response_count=n,
            key_mates=n,
            response_mates=n,
            overlap=n,
        )


def _sizes(cluster: Ints, count: int) -> Ints:
    return np.bincount(cluster[cluster >= 0], minlength=count)


def _by_block(block: Ints, values: Ints, count: int) -> Ints:
    return np.bincount(block, values, count).astype(np.int64)


def tabulate(clusters: CodedClusters, blocks: int, *, is_aligned: bool) -> Contingency:
    """Count kinds as the other engines do, so that the digits are the same."""
    table = clusters.table(blocks)
    counts = histogram(kinds_of(table), blocks)
    return with_entities(counts, unequal_cells(table)) if is_aligned else counts
