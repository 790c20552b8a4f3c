"""How a table is counted by SQL, whichever engine runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency.histogram import Kinds, histogram, with_entities
from scoref.contingency.undivided import with_undivided
from scoref.tables.asking import ROLES, Counted, Overlap, TableSide
from scoref.tables.columns import both_columns
from scoref.tables.sides import STEPS, TableSides
from scoref.tables.sources import readings, used_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.tables.asking import Ask
    from scoref.tables.sides import Session
    from scoref.tables.sources import Given

    Rows = Mapping[str, list[tuple[object, ...]]]

_COUNTED = {
    "keys": "clusters of the key",
    "responses": "clusters of the response",
    "joined": "how large paired clusters are",
    "near_key": "what is nearest to clusters of the key",
    "near_response": "what is nearest to clusters of the response",
}
_WIDTHS = {"cells": 7, "key": 4, "response": 4}


def count(session: Session, tables: Sequence[Given], ask: Ask) -> Counted:
    """Count one table that has both sides, or two."""
    counting = _Counting(session, ask)
    if len(tables) == 1:
        counting.read_one(tables[0])
    else:
        counting.read_two(tables)
    return counting.result()


class _Counting:
    """One table, or two, on the way through an engine."""

    def __init__(self, session: Session, ask: Ask) -> None:
        self._session, self._ask = session, ask
        self._sides = TableSides(session, ask)
        self._queries = self._sides.queries
        self._has_cells = False  # each pair of clusters once, as parts

    def read_two(self, tables: Sequence[Given]) -> None:
        """Read key and response, and join them."""
        self._sides.read_two(tables)
        self._join()

    def read_one(self, given: Given) -> None:
        """Read a table that has both sides."""
        sides = self._sides
        (reading,) = readings([given], self._ask)
        columns = sides.load(given, "both_table", reading)
        chosen = both_columns(list(columns), self._ask.wanted, given.source)
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
            f"SELECT {sides.block(columns, chosen.group)}{mention} AS mention, "  # noqa: S608
            f"{g} AS g, {p} AS p{sides.place()} FROM {sides.name('both_table')}",
        )
        named = "1" if chosen.mention is None else mention  # every row has a mention
        for role, cluster in zip(ROLES, clusters, strict=True):
            sides.note_words(role, "both_table", cluster, named)
        self._count_both(given.source, is_named=chosen.mention is not None)

    def result(self) -> Counted:
        """Count what follows from ``parts``."""
        session, queries, sides = self._session, self._queries, self._sides
        overlap = Overlap(*sides.numbers(queries.sides()))
        key, response = sides.counts["key"], sides.counts["response"]
        overlap.check(self._ask, key, response)
        self._name_counted()
        for step, (name, query) in enumerate(queries.views.items()):
            sides.tell(f"counting {_COUNTED[name]}", step + 3)
            session.keep(sides.name(name), query)
        rows = {name: session.rows(query) for name, query in queries.kinds().items()}
        blocks = self._blocks(rows)
        kinds = with_undivided(self._kinds(rows, blocks))
        table = histogram(kinds, len(blocks))
        if self._ask.ceaf:
            sides.tell("aligning clusters", STEPS - 1)
            table = with_entities(table, session.entangled(queries, blocks))
        sides.tell("done", STEPS)
        return Counted(blocks, table, key, response, overlap, sides.columns)

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
        columns = f"{'block, ' if self._ask.grouped else ''}mention, g, p"
        sides.view(
            "both_sides",
            f"SELECT {columns} FROM {rows} "  # noqa: S608
            f"WHERE {named_rows} AND (g IS NOT NULL OR p IS NOT NULL)",
        )
        every, named, *clustered = sides.numbers(
            "SELECT count(*), count(mention), "  # noqa: S608
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
        block = "block, " if self._ask.grouped else ""
        place = ", place" if sides.place() else ""
        for role, cluster in zip(ROLES, ("g", "p"), strict=True):
            sides.view(
                f"{role}_rows",
                f"SELECT {block}mention, {cluster} AS cluster{place} "  # noqa: S608
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
        if not self._ask.grouped:
            return [""]
        return sorted({str(row[0]) for side in ROLES for row in rows[side]})

    def _kinds(self, rows: Rows, blocks: list[str]) -> Kinds:
        """Number the groups of what was fetched."""
        number = {block: place for place, block in enumerate(blocks)}
        grouped = self._ask.grouped

        def numbered(name: str) -> NDArray[np.generic]:
            kind = np.float64 if name.endswith("nearest") else np.int64
            found = [
                (number[str(row[0])], *row[1:]) if grouped else (0, *row)
                for row in rows[name]
            ]
            width = len(found[0]) if found else _WIDTHS.get(name, 3)
            return np.array(found, dtype=kind).reshape(-1, width)

        return Kinds(*(numbered(name) for name in Kinds._fields))  # type: ignore[arg-type]
