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
from scoref.records.columns import (
    SAMPLE,
    Labelled,
    both_columns,
    joined_values,
    look_like_pairs,
    refused_pairs,
    text_of,
)
from scoref.records.counting import Sampled
from scoref.records.queries import ESCAPE, FRESH
from scoref.records.request import ROLES, Counted, Overlap, TableSide, duplicate
from scoref.records.sources import readings, used_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.errors import FormatError
    from scoref.model import Ints
    from scoref.records.columns import SideColumns, Values
    from scoref.records.request import Ask, TableReading
    from scoref.records.sources import Columns, Frame

    Bools = NDArray[np.bool_]


_NOBODY = -1

_KEPT = {
    "both": (False, False),
    "common": (True, True),
    "union": (False, False),
    "key": (True, False),
    "response": (False, True),
}

_FILLED = {"union": (True, True), "key": (False, True), "response": (True, False)}


class _Rows(NamedTuple):
    """One side: mention, block and cluster of each row, in numbers."""

    mention: Ints
    block: Ints
    cluster: Ints


class _Table(NamedTuple):
    """Both sides, and what their numbers stand for."""

    sides: tuple[_Rows, _Rows]
    counts: tuple[TableSide, TableSide]
    mentions: list[str]
    blocks: list[str]
    clusters: tuple[list[str], list[str]]
    columns: dict[str, str]


def count(tables: Sequence[Columns | Frame], ask: Ask) -> Counted:
    """Count one table that has both sides, or two."""
    table = _one(tables[0], ask) if len(tables) == 1 else _two(tables, ask)
    (key, key_count), (response, response_count) = (
        _once(rows, side, table.mentions, ask)
        for rows, side in zip(table.sides, table.counts, strict=True)
    )
    place, g, p = _joined(key, response, len(table.mentions))
    in_key, in_response = g != _NOBODY, p != _NOBODY
    overlap = Overlap(
        int((in_key & ~in_response).sum()),
        int((in_response & ~in_key).sum()),
        int((in_key & in_response).sum()),
    )
    overlap.check(ask, key_count, response_count)
    coded, blocks = _coded(place, g, p, table, ask)
    counted = tabulate(coded, len(blocks), is_aligned=ask.ceaf)
    return Counted(blocks, counted, key_count, response_count, overlap, table.columns)


def sample(tables: Sequence[Columns | Frame], ask: Ask) -> Sampled:
    """Count what each cluster of the key shares with clusters of the response."""
    table = _two(tables, ask)
    others = _others(table, tables[0], ask)
    (key, key_count), (response, response_count) = (
        _once(rows, side, table.mentions, ask)
        for rows, side in zip(table.sides, table.counts, strict=True)
    )
    _, g, p = _joined(key, response, len(table.mentions))
    both = (g != _NOBODY) & (p != _NOBODY)
    width = np.int64(max(1, len(table.clusters[1])))
    cell, shared = np.unique(g[both] * width + p[both], return_counts=True)
    there, size = np.unique(key.cluster, return_counts=True)
    response_size = np.bincount(response.cluster, minlength=width)
    return Sampled(
        clusters=[table.clusters[0][code] for code in there.tolist()],
        size=size,
        cell=np.searchsorted(there, cell // width),
        predicted=np.unique(cell % width, return_inverse=True)[1],
        shared=shared,
        predicted_size=response_size[cell % width],
        others=[others[code] for code in there.tolist()],
        predicted_clusters=int((response_size > 0).sum()),
        key=key_count,
        response=response_count,
        columns=table.columns,
    )


def _others(
    table: _Table, given: Columns | Frame, ask: Ask
) -> dict[int, set[tuple[str | None, ...]]]:
    """List what stands in other columns beside each cluster of the key."""
    (reading, _) = readings([given, given], ask)
    names = reading.side(given.names).others
    taken = given.take(names)
    columns = [list(map(text_of, taken.values[name])) for name in names]
    found: dict[int, set[tuple[str | None, ...]]] = {}
    rows = list(zip(*columns, strict=True)) or [()] * len(given)
    mentions, clusters = (each.tolist() for each in table.sides[0][::2])
    for mention, cluster, row in zip(mentions, clusters, rows, strict=True):
        if _NOBODY not in {mention, cluster}:
            found.setdefault(cluster, set()).add(row)
    return found


class KeySide(NamedTuple):
    """The key alone: each mention once, and its cluster by a number."""

    mention: list[str]
    cluster: Ints
    side: TableSide
    columns: SideColumns


def key_side(
    given: Columns | Frame, reading: TableReading, ask: Ask, others: Sequence[Values]
) -> KeySide:
    """Read the key; ``others`` are columns of records that it is compared with."""
    columns = reading.side(given.names)
    table = given.take(columns.names)
    mention = Labelled.of(table.values[columns.mention])
    cluster, is_word = Labelled.of_clusters(
        table.values[columns.cluster], has_words=table.has_words
    )
    rows = _Rows(mention.codes, np.zeros_like(mention.codes), cluster.codes)
    if not columns.is_named:
        records = [*mention.labels, *map(text_of, chain(*others))]
        _check_pairs(mention, cluster, records, refused_pairs(given.source, "key"))
    counted = _counted(rows, table, is_word)
    kept, side = _once(rows, counted, mention.labels, ask)
    names = [mention.labels[code] for code in kept.mention.tolist()]
    return KeySide(
        names, np.unique(kept.cluster, return_inverse=True)[1], side, columns
    )


def labels(
    tables: Sequence[Columns | Frame], ask: Ask
) -> tuple[list[str | None], list[str | None], list[str]]:
    """Give the clusters of each mention, None where it has none, and its name."""
    table = _one(tables[0], ask) if len(tables) == 1 else _two(tables, ask)
    key, response = (
        _once(rows, side, table.mentions, ask)[0]
        for rows, side in zip(table.sides, table.counts, strict=True)
    )
    place, *sides = _joined(key, response, len(table.mentions))
    block, mention = np.divmod(place, max(1, len(table.mentions)))
    within = [f"{name}: " if name else "" for name in table.blocks]
    blocks = block.tolist()
    found = [
        [
            None if code == _NOBODY else within[block] + names[code]
            for block, code in zip(blocks, side.tolist(), strict=True)
        ]
        for side, names in zip(sides, table.clusters, strict=True)
    ]
    return found[0], found[1], [table.mentions[each] for each in mention.tolist()]


def _two(given: Sequence[Columns | Frame], ask: Ask) -> _Table:
    tables, chosen = [], []
    for each, reading in zip(given, readings(given, ask), strict=True):
        columns = reading.side(each.names)
        chosen.append(columns)
        tables.append(each.take(columns.names))
    pairs = list(zip(tables, chosen, strict=True))
    mention = Labelled.of(joined_values(t.values[c.mention] for t, c in pairs))
    block = _blocks([_group(t, c.group) for t, c in pairs])
    clusters, is_word = zip(
        *(
            Labelled.of_clusters(t.values[c.cluster], has_words=t.has_words)
            for t, c in pairs
        ),
        strict=True,
    )
    cut = len(tables[0])
    mentions = mention.codes[:cut], mention.codes[cut:]
    blocks = block.codes[:cut], block.codes[cut:]
    codes = (each.codes for each in clusters)
    sides = [_Rows(*each) for each in zip(mentions, blocks, codes, strict=True)]
    for rows, cluster, columns, table, role in zip(
        sides, clusters, chosen, tables, ROLES, strict=True
    ):
        if not columns.is_named and not ask.grouped:
            records = Labelled(rows.mention, mention.labels)
            refused = refused_pairs(table.source, role)
            _check_pairs(records, cluster, mention.labels, refused)
    return _table(
        sides,
        tables,
        is_word,
        (mention, block, *clusters),
        used_columns(given, chosen),
    )


def _check_pairs(
    mention: Labelled,
    cluster: Labelled,
    records: Iterable[str | None],
    refused: FormatError,
) -> None:
    """Refuse a table of match pairs; what is suspicious in some rows may be in all."""
    kept = np.flatnonzero((mention.codes != _NOBODY) & (cluster.codes != _NOBODY))
    for place in (kept[:SAMPLE], kept):
        columns = [
            [each.labels[code] for code in each.codes[place].tolist()]
            for each in (mention, cluster)
        ]
        rows = list(zip(*columns, strict=True))
        if not look_like_pairs(rows, lambda names: not names.isdisjoint(records)):
            return
    raise refused


def _one(given: Columns | Frame, ask: Ask) -> _Table:
    chosen = both_columns(given.names, ask.wanted, given.source)
    table = given.take(chosen.names)
    named = table.values.get(chosen.mention or "")
    mention = Labelled.of(np.arange(len(table)) if named is None else named)
    block = _blocks([_group(table, chosen.group)])
    names = chosen.key, chosen.response
    clusters, is_word = zip(
        *(
            Labelled.of_clusters(table.values[name], has_words=table.has_words)
            for name in names
        ),
        strict=True,
    )
    return _table(
        [_Rows(mention.codes, block.codes, each.codes) for each in clusters],
        [table] * 2,
        is_word,
        (mention, block, *clusters),
        used_columns([given], [chosen]),
    )


def _table(
    sides: list[_Rows],
    tables: list[Columns],
    is_word: Sequence[Bools],
    labelled: tuple[Labelled, ...],
    columns: dict[str, str],
) -> _Table:
    key, response = sides
    mention, block, *clusters = (each.labels for each in labelled)
    return _Table(
        (key, response),
        (
            _counted(key, tables[0], is_word[0]),
            _counted(response, tables[1], is_word[1]),
        ),
        mention,
        block,
        (clusters[0], clusters[1]),
        columns,
    )


def _group(table: Columns, name: str | None) -> Values:
    """Give the groups of rows; one for all if there are none."""
    return [""] * len(table) if name is None else table.values[name]


def _blocks(columns: list[Values]) -> Labelled:
    """Number groups; rows without one are in the group ''."""
    found = Labelled.of(joined_values(columns))
    codes = np.where(found.codes == _NOBODY, len(found.labels), found.codes)
    return Labelled.sorted(codes, [*found.labels, ""])


def _counted(rows: _Rows, table: Columns, is_word: Bools) -> TableSide:
    named = rows.mention != _NOBODY
    kept = named & (rows.cluster != _NOBODY)
    every = len(rows.mention)
    words = int((named & is_word).sum())
    return TableSide(
        table.source,
        every,
        every - int(named.sum()),
        int((named & ~kept).sum()),
        words=words if table.has_words else 0,
        kept_words=0 if table.has_words else words,
    )


def _once(
    rows: _Rows, side: TableSide, mentions: list[str], ask: Ask
) -> tuple[_Rows, TableSide]:
    """Keep the rows that count, one for each mention."""
    kept = np.flatnonzero((rows.mention != _NOBODY) & (rows.cluster != _NOBODY))
    place = rows.block[kept] * np.int64(len(mentions)) + rows.mention[kept]
    if ask.duplicates == "last":
        kept, place = kept[::-1], place[::-1]
    found, first, times = np.unique(place, return_index=True, return_counts=True)
    twice = found[times > 1]
    if len(twice) and ask.duplicates == "error":
        example = min(twice.tolist(), key=lambda each: each % len(mentions))
        raise duplicate(side, len(twice), mentions[example % len(mentions)])
    rows = _Rows(*(column[kept[first]] for column in rows))
    return rows, replace(side, twice=len(twice))


def _joined(key: _Rows, response: _Rows, mentions: int) -> tuple[Ints, Ints, Ints]:
    """Give each mention's place, block and number in one, and its clusters."""
    width = np.int64(max(1, mentions))
    places = [side.block * width + side.mention for side in (key, response)]
    every, at = np.unique(np.concatenate(places), return_inverse=True)
    found = []
    cut = len(places[0])
    for side, where in ((key, at[:cut]), (response, at[cut:])):
        cluster = np.full(len(every), _NOBODY, dtype=np.int64)
        cluster[where] = side.cluster
        found.append(cluster)
    return every, found[0], found[1]


def _coded(
    place: Ints, g: Ints, p: Ints, table: _Table, ask: Ask
) -> tuple[Coded, list[str]]:
    """Apply the universe, and number clusters by block and text."""
    own, other = _KEPT[ask.universe]
    kept = ~((own & (g == _NOBODY)) | (other & (p == _NOBODY)))
    place = place[kept]
    block, mention = np.divmod(place, max(1, len(table.mentions)))
    names = [table.mentions[i] for i in mention] if ask.universe in _FILLED else []
    there, block = np.unique(block, return_inverse=True)
    sides = []
    for cluster, labels, is_filled in zip(
        (g[kept], p[kept]),
        table.clusters,
        _FILLED.get(ask.universe, (False, False)),
        strict=True,
    ):
        side = Labelled(cluster, labels)
        sides.append(_numbered(_filled(side, names) if is_filled else side, block))
    (key, key_block), (response, response_block) = sides
    blocks = [table.blocks[i] for i in there.tolist()]
    if not ask.grouped and not blocks:
        blocks = [""]
    return Coded(key, response, key_block, response_block), blocks


def _filled(side: Labelled, names: list[str]) -> Labelled:
    """Make a cluster for each mention that a side lacks."""
    lacking = np.flatnonzero(side.codes == _NOBODY)
    given = [ESCAPE + label if label[0] == "\1" else label for label in side.labels]
    codes = side.codes.copy()
    codes[lacking] = len(given) + np.arange(len(lacking))
    return Labelled.sorted(codes, [*given, *(FRESH + names[i] for i in lacking)])


def _numbered(side: Labelled, block: Ints) -> tuple[Ints, Ints]:
    """Number the clusters of all blocks, and tell the block of each."""
    there = side.codes != _NOBODY
    width = np.int64(max(1, len(side.labels)))
    found, codes = np.unique(
        block[there] * width + side.codes[there], return_inverse=True
    )
    numbers = np.full(len(side.codes), _NOBODY, dtype=np.int64)
    numbers[there] = codes
    return numbers, found // width


class Coded(NamedTuple):
    """Mentions by the numbers of their clusters, -1 where a side lacks them.

    Clusters are numbered through all blocks: ``key_block`` says where each is.
    """

    key: Ints
    response: Ints
    key_block: Ints
    response_block: Ints

    def table(self, blocks: int) -> Contingency:
        """Count what clusters share."""
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


def tabulate(coded: Coded, blocks: int, *, is_aligned: bool) -> Contingency:
    """Count kinds as the engines do, so that the digits are theirs."""
    table = coded.table(blocks)
    found = histogram(kinds_of(table), blocks)
    return with_entities(found, unequal_cells(table)) if is_aligned else found
