"""Counting tables by SQL, with any engine: whole tables, and samples of clusters.

Most entities lie in one cell with all of their mentions. The size of such an entity is
the n of its cell, and no other cell belongs to it. So engines group only the cells of
divided entities, and `add_undivided` adds the others from the kinds of cells.

An estimate needs only what a sample of labelled clusters shares with a prediction: the
predicted clusters that each one meets, how many records they share, and their sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from scoref.contingency import FATES
from scoref.contingency.histogram import Kinds, histogram, with_entities
from scoref.records.columns import both_columns
from scoref.records.loading import STEPS, TableSides
from scoref.records.request import ROLES, Overlap, TableCounts, TableSide
from scoref.records.sources import readings, used_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.loading import Session
    from scoref.records.request import CountRequest
    from scoref.records.sources import TableInput

    Rows = Mapping[str, list[tuple[object, ...]]]
    Numbers = TypeVar("Numbers", Ints, NDArray[np.float64])


_COUNTED = {
    "keys": "clusters of the key",
    "responses": "clusters of the response",
    "joined": "how large paired clusters are",
    "near_key": "what is nearest to clusters of the key",
    "near_response": "what is nearest to clusters of the response",
}

_WIDTHS = {"cells": 7, "key": 4, "response": 4}


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
    """One table, or two, on the way through an engine."""

    def __init__(self, session: Session, request: CountRequest) -> None:
        self._session, self._request = session, request
        self._sides = TableSides(session, request)
        self._queries = self._sides.queries
        self._has_cells = False  # each pair of clusters once, as parts

    def read_two(self, tables: Sequence[TableInput]) -> None:
        """Read key and response, and join them."""
        self._sides.read_two(tables)
        self._join()

    def read_one(self, given: TableInput) -> None:
        """Read a table that has both sides."""
        sides = self._sides
        (reading,) = readings([given], self._request)
        columns = sides.load(given, "both_table", reading)
        chosen = both_columns(list(columns), self._request.wanted, given.source)
        sides.columns = used_columns([given], [chosen])
        clusters = [columns[name] for name in (chosen.key, chosen.response)]
        g, p = map(sides.cluster_sql, clusters)
        mention = "NULL"
        if chosen.mention is not None:
            mention = sides.sql(columns[chosen.mention])
        elif self._queries.needs_text:
            mention = f"CAST({self._session.number} AS STRING)"
        sides.view(
            "both_rows",
            f"SELECT {sides.block(columns, chosen.group)}{mention} AS mention, "
            f"{g} AS g, {p} AS p{sides.place()} FROM {sides.name('both_table')}",
        )
        named = "1" if chosen.mention is None else mention  # every row has a mention
        for role, cluster in zip(ROLES, clusters, strict=True):
            sides.note_words(role, "both_table", cluster, named)
        self._count_both(given.source, is_named=chosen.mention is not None)

    def result(self) -> TableCounts:
        """Count what follows from ``parts``."""
        session, queries, sides = self._session, self._queries, self._sides
        overlap = Overlap(*sides.numbers(queries.sides()))
        key, response = sides.counts["key"], sides.counts["response"]
        overlap.check(self._request, key, response)
        self._name_counted()
        for step, (name, query) in enumerate(queries.views.items()):
            sides.tell(f"counting {_COUNTED[name]}", step + 3)
            session.keep(sides.name(name), query)
        rows = {name: session.rows(query) for name, query in queries.kinds().items()}
        blocks = self._blocks(rows)
        kinds = add_undivided(self._kinds(rows, blocks))
        table = histogram(kinds, len(blocks))
        if self._request.ceaf:
            sides.tell("aligning clusters", STEPS - 1)
            table = with_entities(table, session.entangled(queries, blocks))
        sides.tell("done", STEPS)
        return TableCounts(blocks, table, key, response, overlap, sides.columns)

    def _name_counted(self) -> None:
        """Add parts up, unless each pair of clusters has one already."""
        self._sides.tell("counting pairs of clusters", 2)
        if self._has_cells:
            self._sides.view("counted", self._queries.counted_once())
        else:
            name = self._sides.name("counted")
            self._session.keep(name, self._queries.counted())

    def _count_both(self, source: str, *, is_named: bool) -> None:
        """Count a table by rows, or join its sides where mentions have several."""
        sides = self._sides
        rows = sides.name("both_rows")
        named_rows = "mention IS NOT NULL" if is_named else "true"
        columns = f"{'block, ' if self._request.grouped else ''}mention, g, p"
        sides.view(
            "both_sides",
            f"SELECT {columns} FROM {rows} "
            f"WHERE {named_rows} AND (g IS NOT NULL OR p IS NOT NULL)",
        )
        every, named, *clustered = sides.numbers(
            "SELECT count(*), count(mention), "
            f"count(CASE WHEN {named_rows} THEN g END), "
            f"count(CASE WHEN {named_rows} THEN p END) FROM {rows}"
        )
        for role, count in zip(ROLES, clustered, strict=True):
            unnamed = every - named if is_named else 0
            side = TableSide(source, every, unnamed, every - unnamed - count)
            sides.counts[role] = sides.count_words(side, role)
        if is_named and self._is_listed_twice(every):
            self._cut_sides()
        else:
            sides.tell("counting pairs of clusters", 1)
            parts = self._queries.parts_of_table()
            self._session.keep(sides.name("parts"), parts)
            self._has_cells = not self._queries.needs_text

    def _is_listed_twice(self, rows: int) -> bool:
        source = self._sides.name("both_sides")
        if self._session.count_different(source, rows) is not None:
            return False
        return self._sides.twice("both_sides")[0] > 0

    def _cut_sides(self) -> None:
        """Make two tables of one."""
        sides = self._sides
        block = "block, " if self._request.grouped else ""
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
        self._sides.tell("joining key and response", 1)
        rows = max(side.kept for side in self._sides.counts.values())
        self._session.keep_parts(self._queries, rows)

    def _blocks(self, rows: Rows) -> list[str]:
        """Name the groups, in order."""
        if not self._request.grouped:
            return [""]
        return sorted({str(row[0]) for side in ROLES for row in rows[side]})

    def _kinds(self, rows: Rows, blocks: list[str]) -> Kinds:
        """Number the groups of what was fetched."""
        number = {block: place for place, block in enumerate(blocks)}
        grouped = self._request.grouped

        def numbered(name: str) -> NDArray[np.generic]:
            kind = np.float64 if name.endswith("nearest") else np.int64
            found = [
                (number[str(row[0])], *row[1:]) if grouped else (0, *row)
                for row in rows[name]
            ]
            width = len(found[0]) if found else _WIDTHS.get(name, 3)
            return np.array(found, dtype=kind).reshape(-1, width)

        return Kinds(*(numbered(name) for name in Kinds._fields))  # type: ignore[arg-type]


_UNCHANGED, _MERGED = map(FATES.index, ("unchanged", "merged"))


def add_undivided(kinds: Kinds) -> Kinds:
    """Add undivided entities to kinds of which only divided ones were counted."""
    document, n, a, b, _, _, times = kinds.cells.T
    index = n / (a + b - n)
    fate = np.where(n == b, _UNCHANGED, _MERGED)

    def added(rows: Numbers, value: Numbers, size: Ints) -> Numbers:
        here = np.flatnonzero(n == size)
        more = np.column_stack((document[here], value[here], times[here]))
        return _merged(np.vstack((rows, more.astype(rows.dtype))))

    return kinds._replace(
        key_nearest=added(kinds.key_nearest, index, a),
        response_nearest=added(kinds.response_nearest, index, b),
        key_largest=added(kinds.key_largest, n, a),
        response_largest=added(kinds.response_largest, n, b),
        fates=added(kinds.fates, fate, a),
    )


def _merged(rows: Numbers) -> Numbers:
    """Make one row of those that have document and value in common."""
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    is_new = np.ones(len(rows), dtype=np.bool_)
    is_new[1:] = (rows[1:, :2] != rows[:-1, :2]).any(axis=1)
    first = np.flatnonzero(is_new)
    if not len(first):
        return rows
    times = np.add.reduceat(rows[:, 2], first)
    return np.column_stack((rows[first, :2], times))


class SampleCounts(NamedTuple):
    """Labelled clusters, and the cells that they have with predicted ones.

    ``others`` has what stands in other columns beside each labelled cluster.
    """

    clusters: Sequence[str]
    size: Ints  # as labelled
    cell: Ints  # the labelled cluster of each cell, by its number
    predicted: Ints  # the predicted one, by a number
    shared: Ints
    predicted_size: Ints
    others: Sequence[set[tuple[str | None, ...]]]
    predicted_clusters: int | None  # in all, if it was asked for
    key: TableSide
    response: TableSide
    columns: Mapping[str, str]

    @property
    def found(self) -> Ints:
        """How many records of each labelled cluster the prediction has."""
        found = np.bincount(self.cell, self.shared, len(self.size))
        return found.astype(np.int64)


def sample(
    session: Session,
    tables: Sequence[TableInput],
    request: CountRequest,
    *,
    with_total: bool,
) -> SampleCounts:
    """Count by SQL; only what the sample meets is fetched."""
    sides = TableSides(session, request)
    sides.read_two(tables)
    key, response = sides.name("key_side"), sides.name("response_side")
    cells, sizes = sides.name("cells"), sides.name("sizes")
    sides.tell("looking for labelled records", 2)
    session.keep(
        cells,
        "SELECT k.cluster AS g, r.cluster AS p, count(*) AS n "
        f"FROM {key} AS k JOIN {response} AS r ON k.mention = r.mention GROUP BY 1, 2",
    )
    sides.tell("counting predicted clusters", STEPS // 2)
    session.keep(
        sizes,
        f"SELECT cluster AS p, count(*) AS b FROM {response} "
        f"WHERE cluster IN (SELECT p FROM {cells}) GROUP BY cluster",
    )
    labelled = _labelled(sides, key, len(request.wanted.others))
    rows = session.rows(f"SELECT g, p, n, b FROM {cells} JOIN {sizes} USING (p)")
    total = None
    if with_total:
        (total,) = sides.numbers(f"SELECT count(DISTINCT cluster) FROM {response}")
    sides.tell("done", STEPS)
    return _sampled(sides, labelled, rows, total)


class _Labelled(NamedTuple):
    size: dict[str, int]
    others: dict[str, set[tuple[str | None, ...]]]


def _labelled(sides: TableSides, key: str, others: int) -> _Labelled:
    """Fetch labelled clusters, with their sizes and what stands beside them."""
    counted = sides.session.rows(
        f"SELECT cluster, count(*) FROM {key} GROUP BY cluster"
    )
    columns = "".join(f", other{number}" for number in range(others))
    beside = sides.session.rows(f"SELECT DISTINCT cluster{columns} FROM {key}")
    found: dict[str, set[tuple[str | None, ...]]] = {}
    for cluster, *values in beside:
        texts = tuple(None if each is None else str(each) for each in values)
        found.setdefault(str(cluster), set()).add(texts)
    return _Labelled({str(name): int(str(size)) for name, size in counted}, found)


def _sampled(
    sides: TableSides,
    labelled: _Labelled,
    rows: Sequence[tuple[object, ...]],
    total: int | None,
) -> SampleCounts:
    """Number clusters by their names, so that every engine gives the same digits."""
    names = sorted(labelled.size)
    number = {name: place for place, name in enumerate(names)}
    predicted = sorted({str(p) for _, p, _, _ in rows})
    place = {name: code for code, name in enumerate(predicted)}
    coded = sorted((number[str(g)], place[str(p)], n, b) for g, p, n, b in rows)
    cells = np.array(coded, dtype=np.int64).reshape(-1, 4)
    return SampleCounts(
        clusters=names,
        size=np.array([labelled.size[name] for name in names], dtype=np.int64),
        cell=cells[:, 0],
        predicted=cells[:, 1],
        shared=cells[:, 2],
        predicted_size=cells[:, 3],
        others=[labelled.others[name] for name in names],
        predicted_clusters=total,
        key=sides.counts["key"],
        response=sides.counts["response"],
        columns=sides.columns,
    )
