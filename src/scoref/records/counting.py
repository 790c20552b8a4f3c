"""Counting tables by SQL, with any engine: whole tables, and samples of clusters.

Most entities lie in one cell with all of their mentions. The size of such an entity is
the n of its cell, and no other cell belongs to it. So engines group only the cells of
divided entities, and `add_undivided` adds the others from the kinds of cells.

An estimate needs only what a sample of labelled clusters shares with a prediction: the
predicted clusters that each one meets, how many records they share, and their sizes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from scoref.contingency import FATES
from scoref.contingency.histogram import Kinds, histogram, with_entities
from scoref.model.arrays import is_new
from scoref.records.columns import both_columns
from scoref.records.loading import STEPS, TableSides
from scoref.records.queries import CELLS, DIVIDED_KEYS, DIVIDED_RESPONSES
from scoref.records.request import (
    ROLES,
    ClusterCounts,
    NameCounts,
    Overlap,
    SampleCounts,
    TableCounts,
    TableSide,
)
from scoref.records.sources import has_names, readings, used_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.columns import BothColumns
    from scoref.records.ids import EngineColumn
    from scoref.records.loading import Session
    from scoref.records.request import CountRequest, TableReading
    from scoref.records.sources import TableInput

    Numbers = TypeVar("Numbers", Ints, NDArray[np.float64])


def count(
    session: Session, tables: Sequence[TableInput], request: CountRequest
) -> TableCounts:
    """Count one table that has both sides, or two."""
    counting = _Counting(session, request)
    if len(tables) == 1:
        counting.read_one(tables[0])
    else:
        counting.read_two(tables)
    return counting.result()


class _Counting:
    """Counts one table, or two, in an engine."""

    def __init__(self, session: Session, request: CountRequest) -> None:
        self._session, self._request = session, request
        self._sides = TableSides(session, request)
        self._queries = self._sides.queries
        self._has_cells = False  # whether ``parts`` has each pair of clusters once

    def read_two(self, tables: Sequence[TableInput]) -> None:
        """Read key and response, and join them."""
        self._sides.read_two(tables)
        self._join()

    def read_one(self, table: TableInput) -> None:
        """Read a table that has both sides."""
        sides = self._sides
        (reading,) = readings([table], self._request)
        columns = sides.load(table, "both_table", reading)
        chosen = both_columns(list(columns), self._request.wanted, table.source)
        sides.columns = used_columns([table], [chosen])
        self._view_both(columns, chosen)
        named = "1"  # every row has a mention
        if chosen.mention is not None:
            named = sides.sql(columns[chosen.mention])
        for role, name in zip(ROLES, (chosen.key, chosen.response), strict=True):
            sides.set_row_queries(role, "both_table", columns[name], named)
        has_gaps = self._count_rows(table.source, is_named=chosen.mention is not None)
        if not has_gaps:
            # Engines count the columns of a file faster than expressions.
            for name, column in columns.items():
                columns[name] = replace(column, has_gaps=False)
            self._view_both(columns, chosen)
        self._count_both(is_named=chosen.mention is not None)

    def _view_both(self, columns: dict[str, EngineColumn], chosen: BothColumns) -> None:
        """Create the views of all rows, and of those that a side has."""
        sides = self._sides
        g, p = (
            sides.cluster_sql(columns[name]) for name in (chosen.key, chosen.response)
        )
        mention, named_rows = "NULL", "true"
        if chosen.mention is not None:
            mention = sides.sql(columns[chosen.mention])
            named_rows = "mention IS NOT NULL"
        elif self._queries.needs_text:
            mention = f"CAST({self._session.number} AS STRING)"
        sides.view(
            "both_rows",
            f"SELECT {sides.block(columns, chosen.group)}{mention} AS mention, "
            f"{g} AS g, {p} AS p{sides.place()} FROM {sides.name('both_table')}",
        )
        names = f"{'block, ' if self._request.is_grouped else ''}mention, g, p"
        sides.view(
            "both_sides",
            f"SELECT {names} FROM {sides.name('both_rows')} "
            f"WHERE {named_rows} AND (g IS NOT NULL OR p IS NOT NULL)",
        )

    def _count_rows(self, source: str, *, is_named: bool) -> bool:
        """Count the rows of both sides, and return whether any id is missing."""
        sides = self._sides
        named_rows = "mention IS NOT NULL" if is_named else "true"
        rows = sides.name("both_rows")
        total, named, *clustered = sides.numbers(
            "SELECT count(*), count(mention), "
            f"count(CASE WHEN {named_rows} THEN g END), "
            f"count(CASE WHEN {named_rows} THEN p END) FROM {rows}"
        )
        for role, number in zip(ROLES, clustered, strict=True):
            unnamed = total - named if is_named else 0
            side = TableSide(source, total, unnamed, total - unnamed - number)
            sides.counts[role] = sides.count_null_words(side, role)
        return {total} != {named if is_named else total, *clustered}

    def _count_both(self, *, is_named: bool) -> None:
        """Count a table by rows, or join its sides if a mention has several rows."""
        sides = self._sides
        total = sides.counts["key"].rows
        if (
            is_named
            and self._session.count_distinct(sides.name("both_sides"), total) is None
            and sides.count_repeated("both_sides")[0]
        ):
            self._split_sides()
        else:
            sides.report_progress("counting pairs of clusters", 1)
            parts = self._queries.parts_of_table()
            self._session.keep(sides.name("parts"), parts)
            self._has_cells = not self._queries.needs_text

    def _split_sides(self) -> None:
        """Make two tables of one, and join them."""
        sides = self._sides
        block = "block, " if self._request.is_grouped else ""
        place = ", place" if sides.place() else ""
        for role, cluster in zip(ROLES, ("g", "p"), strict=True):
            sides.view(
                f"{role}_rows",
                f"SELECT {block}mention, {cluster} AS cluster{place} "
                f"FROM {sides.name('both_rows')}",
            )
            sides.count_side(role, sides.counts[role].source)
        self._join()

    def _join(self) -> None:
        self._sides.report_progress("joining key and response", 1)
        rows = max(side.clustered for side in self._sides.counts.values())
        self._session.keep_parts(self._queries, rows)

    def result(self) -> TableCounts:
        """Count everything that follows from ``parts``."""
        session, queries, sides = self._session, self._queries, self._sides
        overlap = Overlap(*sides.numbers(queries.overlap()))
        key, response = sides.counts["key"], sides.counts["response"]
        overlap.check(self._request, key, response)
        if not overlap.key_only and not overlap.response_only:
            queries = self._queries = replace(queries, is_complete=True)
        sides.report_progress("counting pairs of clusters", 2)
        if self._has_cells:
            sides.view("counted", queries.counted_once())
        else:
            session.keep(sides.name("counted"), queries.counted())
        sides.report_progress("counting the sizes of clusters", 4)
        session.keep(sides.name("sized"), queries.sized())
        sides.report_progress("counting equal clusters", 6)
        blocks, rows = self._rows_of_kinds()
        kinds = add_undivided(kinds_of_rows(rows))
        table = histogram(kinds, len(blocks))
        if self._request.ceaf:
            sides.report_progress("aligning clusters", STEPS - 1)
            count = _count_entangled(kinds)
            table = with_entities(table, session.entangled(queries, blocks, count))
        sides.report_progress("done", STEPS)
        return TableCounts(blocks, table, key, response, overlap, sides.columns)

    def _rows_of_kinds(self) -> tuple[list[str], KindRows]:
        """Fetch the groups, sorted, and all counts of equal rows."""
        part, *columns = self._session.arrays(self._queries.kinds())
        blocks, block = [""], np.zeros(len(part), dtype=np.int64)
        if self._request.is_grouped:
            block_names = list(map(str, columns.pop(0).tolist()))
            blocks = sorted(set(block_names))
            number = {name: place for place, name in enumerate(blocks)}
            block = np.array([number[name] for name in block_names], dtype=np.int64)
        *numbers, best, times = columns
        n, a, b, a_common, b_common = (column.astype(np.int64) for column in numbers)
        return blocks, KindRows(
            part=part.astype(np.int64),
            block=block,
            n=n,
            a=a,
            b=b,
            a_common=a_common,
            b_common=b_common,
            best=best.astype(np.float64),
            times=times.astype(np.int64),
        )


class KindRows(NamedTuple):
    """The columns of the query `Queries.kinds`; ``block`` has the group's number."""

    part: Ints
    block: Ints
    n: Ints
    a: Ints
    b: Ints
    a_common: Ints
    b_common: Ints
    times: Ints
    best: NDArray[np.float64]

    def stack(self, rows: Ints, *names: str) -> Any:
        """Return the block and some columns of these rows as a matrix."""
        columns = [getattr(self, name)[rows] for name in ("block", *names)]
        return np.column_stack(columns)


def kinds_of_rows(rows: KindRows) -> Kinds:
    """Return the kinds of cells and entities, from cells and divided clusters.

    Equal cells of entities of size a have n mentions each. So these entities have the
    sum of all n, which is a times their number.
    """
    is_cell = rows.part == CELLS
    sides = []
    for size, common in (("a", "a_common"), ("b", "b_common")):
        here = np.flatnonzero(is_cell & (getattr(rows, size) > 0))
        mentions = rows.n[here] * rows.times[here]
        side = rows.stack(here, size, common)
        sides.append(_merge_equal(np.column_stack((side, mentions))))
        sides[-1][:, -1] //= sides[-1][:, 1]
    both = np.flatnonzero(is_cell & (rows.a > 0) & (rows.b > 0))
    key = np.flatnonzero(rows.part == DIVIDED_KEYS)
    response = np.flatnonzero(rows.part == DIVIDED_RESPONSES)
    return Kinds(
        cells=rows.stack(both, "n", "a", "b", "a_common", "b_common", "times"),
        key=sides[0],
        response=sides[1],
        key_nearest=rows.stack(key, "best", "times"),
        response_nearest=rows.stack(response, "best", "times"),
        key_largest=rows.stack(key, "n", "times"),
        response_largest=rows.stack(response, "n", "times"),
        fates=rows.stack(key, "a", "times"),
    )


def _count_entangled(kinds: Kinds) -> int:
    """Count the pairs of clusters that share mentions and are not equal."""
    _, n, a, b, _, _, times = kinds.cells.T
    return int(times[(n < a) | (n < b)].sum())


_UNCHANGED, _MERGED = map(FATES.index, ("unchanged", "merged"))


def add_undivided(kinds: Kinds) -> Kinds:
    """Add undivided entities to kinds of which only divided ones were counted."""
    document, n, a, b, _, _, times = kinds.cells.T
    index = n / (a + b - n)
    fate = np.where(n == b, _UNCHANGED, _MERGED)

    def add(rows: Numbers, value: Numbers, size: Ints) -> Numbers:
        here = np.flatnonzero(n == size)
        more = np.column_stack((document[here], value[here], times[here]))
        return _merge_equal(np.vstack((rows, more.astype(rows.dtype))))

    return kinds._replace(
        key_nearest=add(kinds.key_nearest, index, a),
        response_nearest=add(kinds.response_nearest, index, b),
        key_largest=add(kinds.key_largest, n, a),
        response_largest=add(kinds.response_largest, n, b),
        fates=add(kinds.fates, fate, a),
    )


def _merge_equal(rows: Numbers) -> Numbers:
    """Merge rows that are equal but for the last column, which is added up."""
    rows = rows[np.lexsort(rows[:, -2::-1].T)]
    first = np.flatnonzero(is_new(*rows[:, :-1].T))
    if not len(first):
        return rows
    return np.column_stack((rows[first, :-1], np.add.reduceat(rows[:, -1], first)))


def count_sample(
    session: Session,
    tables: Sequence[TableInput],
    request: CountRequest,
    *,
    with_total: bool,
) -> SampleCounts:
    """Count what labelled clusters share with predicted ones, and fetch only that."""
    sides = TableSides(session, request)
    sides.read_two(tables)
    key, response = sides.name("key_side"), sides.name("response_side")
    cells, sizes = sides.name("cells"), sides.name("sizes")
    sides.report_progress("looking for labelled records", 2)
    session.keep(
        cells,
        "SELECT k.cluster AS g, r.cluster AS p, count(*) AS n "
        f"FROM {key} AS k JOIN {response} AS r ON k.mention = r.mention GROUP BY 1, 2",
    )
    sides.report_progress("counting predicted clusters", STEPS // 2)
    session.keep(
        sizes,
        f"SELECT cluster AS p, count(*) AS b FROM {response} "
        f"WHERE cluster IN (SELECT p FROM {cells}) GROUP BY cluster",
    )
    labelled = session.rows(f"SELECT cluster, count(*) FROM {key} GROUP BY cluster")
    columns = [f", other{number}" for number in range(len(request.wanted.others))]
    values = session.rows(f"SELECT DISTINCT cluster{''.join(columns)} FROM {key}")
    shared = session.rows(f"SELECT g, p, n, b FROM {cells} JOIN {sizes} USING (p)")
    total = None
    if with_total:
        (total,) = sides.numbers(f"SELECT count(DISTINCT cluster) FROM {response}")
    sides.report_progress("done", STEPS)
    return _sample_counts(sides, labelled, values, shared, total)


def _sample_counts(
    sides: TableSides,
    labelled: Sequence[tuple[object, ...]],
    values: Sequence[tuple[object, ...]],
    shared: Sequence[tuple[object, ...]],
    total: int | None,
) -> SampleCounts:
    """Number clusters by their names, so that every engine gives the same digits."""
    size = {str(name): int(str(count)) for name, count in labelled}
    names = sorted(size)
    others: dict[str, set[tuple[str | None, ...]]] = {name: set() for name in names}
    for cluster, *row in values:
        texts = tuple(None if value is None else str(value) for value in row)
        others[str(cluster)].add(texts)
    number = {name: place for place, name in enumerate(names)}
    predicted = sorted({str(p) for _, p, _, _ in shared})
    predicted_number = {name: place for place, name in enumerate(predicted)}
    rows = sorted(
        (number[str(g)], predicted_number[str(p)], n, b) for g, p, n, b in shared
    )
    cells = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return SampleCounts(
        clusters=names,
        size=np.array([size[name] for name in names], dtype=np.int64),
        cell=cells[:, 0],
        predicted=cells[:, 1],
        shared=cells[:, 2],
        predicted_size=cells[:, 3],
        others=[others[name] for name in names],
        predicted_clusters=total,
        key=sides.counts["key"],
        response=sides.counts["response"],
        columns=sides.columns,
    )


def count_clusters(
    session: Session, table: TableInput, reading: TableReading, request: CountRequest
) -> ClusterCounts:
    """Count the clusters of one table by size, and those that share names."""
    sides = TableSides(session, request)
    columns = sides.load(table, "response_table", reading)
    chosen = reading.side(list(columns))
    sides.view_rows("response", columns, chosen, as_text=True)
    sides.check_pairs("response", table, chosen, [("response_rows", "mention")])
    sides.count_side("response", table.source)
    rows = sides.name("response_side")
    sides.report_progress("counting clusters", STEPS // 2)
    found = session.rows(
        "SELECT size, count(*) FROM "
        f"(SELECT cluster, count(*) AS size FROM {rows} GROUP BY cluster) AS sizes "
        "GROUP BY size"
    )
    sizes = np.array(sorted(found), dtype=np.int64).reshape(-1, 2)
    names = _count_names(sides, rows) if chosen.others else None
    return ClusterCounts(
        sizes[:, 0],
        sizes[:, 1],
        names,
        sides.counts["response"],
        chosen.uses("response") if has_names(table) else {},
    )


def _count_names(sides: TableSides, rows: str) -> NameCounts:
    """Count clusters with several names, and names with several clusters."""
    naming = sides.name("naming")
    sides.session.keep(
        naming,
        f"SELECT DISTINCT cluster, other0 AS name FROM {rows} WHERE other0 IS NOT NULL",
    )
    several = f"SELECT name FROM {naming} GROUP BY name HAVING count(*) > 1"
    varied = f"SELECT cluster FROM {naming} GROUP BY cluster HAVING count(*) > 1"
    clusters, names = sides.numbers(
        f"SELECT count(DISTINCT cluster), count(DISTINCT name) FROM {naming}"
    )
    (varied_count,) = sides.numbers(f"SELECT count(*) FROM ({varied}) AS varied")
    (homonymous,) = sides.numbers(
        f"SELECT count(DISTINCT cluster) FROM {naming} WHERE name IN ({several})"
    )
    (shared,) = sides.numbers(f"SELECT count(*) FROM ({several}) AS several")
    return NameCounts(clusters, varied_count, homonymous, names, shared)
