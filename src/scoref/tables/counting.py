"""How a table is counted by SQL, whichever engine runs it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from scoref.contingency.histogram import Kinds, histogram, with_entities
from scoref.tables.asking import ROLES, Counted, Overlap, Side, duplicate
from scoref.tables.columns import both_columns, side_columns
from scoref.tables.queries import Queries
from scoref.tables.sources import readings, used_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.tables.asking import Ask, Reading, Role
    from scoref.tables.columns import SideColumns
    from scoref.tables.ids import Column
    from scoref.tables.sources import Given

    Rows = Mapping[str, list[tuple[object, ...]]]

_STEPS = 10


class Session(Protocol):
    """An engine at work: how it reads tables, keeps results and runs queries."""

    quote: str
    prefix: str
    place: str | None  # the order of rows, as SQL; None: clusters by their text
    number: str  # a number for each row, as SQL

    def load(self, given: Given, name: str, reading: Reading) -> list[Column]:
        """Make a table known by name, and tell its columns."""

    def view(self, name: str, query: str) -> None:
        """Name a query."""

    def keep(self, name: str, query: str) -> None:
        """Name the result of a query."""

    def keep_parts(self, queries: Queries, rows: int) -> None:
        """Join the sides and keep ``parts``; ``rows`` is how many they have."""

    def count_different(self, source: str, most: int) -> int | None:
        """Count rows, ``most`` at most, if all mentions differ; None if unsure."""

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Fetch a small result."""

    def entangled(self, queries: Queries, blocks: Sequence[str]) -> list[Ints]:
        """Fetch the cells that CEAF has to look at, as `with_entities` takes them."""


def count(session: Session, tables: Sequence[Given], ask: Ask) -> Counted:
    """Count one table that has both sides, or two."""
    counting = _Counting(session, ask)
    if len(tables) == 1:
        counting.read_one(tables[0])
    else:
        counting.read_two(*tables)
    return counting.result()


class _Counting:
    """One table, or two, on the way through an engine."""

    def __init__(self, session: Session, ask: Ask) -> None:
        self._session, self._ask = session, ask
        self._queries = Queries(ask.universe, ask.grouped, session.prefix)
        self._sides: dict[Role, Side] = {role: Side(role) for role in ROLES}
        self._columns: dict[str, str] = {}

    def read_two(self, *tables: Given) -> None:
        """Read key and response, and join them."""
        columns: dict[Role, dict[str, Column]] = {}
        chosen: dict[Role, SideColumns] = {}
        for role, given, reading in zip(
            ROLES, tables, readings(tables, self._ask), strict=True
        ):
            columns[role] = self._load(given, f"{role}_table", reading)
            chosen[role] = side_columns(
                list(columns[role]), reading.wanted, given.source, role
            )
        self._columns = used_columns(tables, list(chosen.values()))
        kinds = {columns[role][chosen[role].mention].kind for role in ROLES}
        for role, given in zip(ROLES, tables, strict=True):
            there, names = columns[role], chosen[role]
            mention = self._sql(there[names.mention], as_text=kinds != {"integer"})
            cluster = self._sql(there[names.cluster])
            block = self._block(there, names.group)
            self._view(
                f"{role}_rows",
                f"SELECT {block}{mention} AS mention, {cluster} AS cluster"  # noqa: S608
                f"{self._place()} FROM {self._name(f'{role}_table')}",
            )
            self._count_side(role, given.source)
        self._join()

    def read_one(self, given: Given) -> None:
        """Read a table that has both sides."""
        (reading,) = readings([given], self._ask)
        columns = self._load(given, "both_table", reading)
        chosen = both_columns(list(columns), self._ask.wanted, given.source)
        self._columns = used_columns([given], [chosen])
        g, p = (self._sql(columns[name]) for name in (chosen.key, chosen.response))
        mention = "NULL"
        if chosen.mention is not None:
            mention = self._sql(columns[chosen.mention])
        elif self._queries.needs_text:
            mention = f"CAST({self._session.number} AS STRING)"
        self._view(
            "both_rows",
            f"SELECT {self._block(columns, chosen.group)}{mention} AS mention, "  # noqa: S608
            f"{g} AS g, {p} AS p{self._place()} FROM {self._name('both_table')}",
        )
        self._count_both(given.source, is_named=chosen.mention is not None)

    def result(self) -> Counted:
        """Count what follows from ``parts``."""
        session, queries = self._session, self._queries
        overlap = Overlap(*self._numbers(queries.sides()))
        key, response = self._sides["key"], self._sides["response"]
        overlap.check(self._ask, key, response)
        for step, (name, query) in enumerate(queries.views.items()):
            self._tell(f"counting {name.replace('_', ' ')}", step + 2)
            session.keep(self._name(name), query)
        rows = {name: session.rows(query) for name, query in queries.kinds().items()}
        blocks = self._blocks(rows)
        table = histogram(self._kinds(rows, blocks), len(blocks))
        if self._ask.ceaf:
            self._tell("aligning clusters", _STEPS - 1)
            table = with_entities(table, session.entangled(queries, blocks))
        self._tell("done", _STEPS)
        return Counted(blocks, table, key, response, overlap, self._columns)

    def _count_both(self, source: str, *, is_named: bool) -> None:
        """Count a table by rows, or join its sides where mentions have several."""
        rows = self._name("both_rows")
        named_rows = "mention IS NOT NULL" if is_named else "true"
        columns = f"{'block, ' if self._ask.grouped else ''}mention, g, p"
        self._view(
            "both_sides",
            f"SELECT {columns} FROM {rows} "  # noqa: S608
            f"WHERE {named_rows} AND (g IS NOT NULL OR p IS NOT NULL)",
        )
        every, named, *clustered = self._numbers(
            "SELECT count(*), count(mention), "  # noqa: S608
            f"count(CASE WHEN {named_rows} THEN g END), "
            f"count(CASE WHEN {named_rows} THEN p END) FROM {rows}"
        )
        for role, count in zip(ROLES, clustered, strict=True):
            unnamed = every - named if is_named else 0
            self._sides[role] = Side(source, every, unnamed, every - unnamed - count)
        if is_named and self._is_listed_twice(every):
            self._cut_sides()
        else:
            self._tell("counting cells", 1)
            parts = self._queries.parts_of_table()
            self._session.keep(self._name("parts"), parts)

    def _is_listed_twice(self, rows: int) -> bool:
        source = self._name("both_sides")
        if self._session.count_different(source, rows) is not None:
            return False
        return self._twice("both_sides")[0] > 0

    def _cut_sides(self) -> None:
        """Make two tables of one."""
        block = "block, " if self._ask.grouped else ""
        place = ", place" if self._place() else ""
        for role, cluster in zip(ROLES, ("g", "p"), strict=True):
            self._view(
                f"{role}_rows",
                f"SELECT {block}mention, {cluster} AS cluster{place} "  # noqa: S608
                f"FROM {self._name('both_rows')}",
            )
            self._count_side(role, self._sides[role].source)
        self._join()

    def _count_side(self, role: Role, source: str) -> None:
        """Count the rows of a side, and keep one for each mention."""
        rows, name = self._name(f"{role}_rows"), f"{role}_side"
        self._view(
            name,
            f"SELECT * FROM {rows} WHERE mention IS NOT NULL AND cluster IS NOT NULL",  # noqa: S608
        )
        (every,) = self._numbers(f"SELECT count(*) FROM {rows}")  # noqa: S608
        different = self._session.count_different(self._name(name), every)
        side = Side(source, every)
        if different != every:
            _, named, clustered = self._numbers(
                "SELECT count(*), count(mention), "  # noqa: S608
                f"count(CASE WHEN mention IS NOT NULL THEN cluster END) FROM {rows}"
            )
            side = Side(source, every, every - named, named - clustered)
        twice = 0
        if different is None:
            twice = self._keep_once(name, side)
        self._sides[role] = replace(side, twice=twice)

    def _keep_once(self, name: str, side: Side) -> int:
        """Refuse mentions that stand twice on a side, or keep one row of each."""
        twice, example = self._twice(name)
        if not twice:
            return 0
        if self._ask.duplicates == "error":
            raise duplicate(side, twice, example)
        order = "place" if self._place() else "CAST(cluster AS STRING)"
        once = self._queries.once(self._name(name), self._ask.duplicates, order)
        self._session.keep(self._name(f"{name}_once"), once)
        self._view(name, f"SELECT * FROM {self._name(name)}_once")  # noqa: S608
        return twice

    def _join(self) -> None:
        self._tell("joining key and response", 1)
        rows = max(side.kept for side in self._sides.values())
        self._session.keep_parts(self._queries, rows)

    def _twice(self, name: str) -> tuple[int, object]:
        """Count the mentions that stand twice, and give one."""
        ((twice, example),) = self._session.rows(self._queries.twice(self._name(name)))
        return int(str(twice)), example

    def _numbers(self, query: str) -> list[int]:
        """Fetch one row of counts."""
        (found,) = self._session.rows(query)
        return [int(str(each)) for each in found]

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

    def _load(self, given: Given, name: str, reading: Reading) -> dict[str, Column]:
        self._tell(f"reading {given.source}", 0)
        columns = self._session.load(given, self._name(name), reading)
        return {column.name: column for column in columns}

    def _sql(self, column: Column, *, as_text: bool | None = None) -> str:
        as_text = self._queries.needs_text if as_text is None else as_text
        return column.sql(self._session.quote, as_text=as_text)

    def _block(self, columns: dict[str, Column], group: str | None) -> str:
        if group is None:
            return ""
        return f"coalesce({self._sql(columns[group], as_text=True)}, '') AS block, "

    def _place(self) -> str:
        if self._ask.duplicates == "error" or self._session.place is None:
            return ""
        return f", {self._session.place} AS place"

    def _name(self, name: str) -> str:
        return f"{self._session.prefix}{name}"

    def _view(self, name: str, query: str) -> None:
        self._session.view(self._name(name), query)

    def _tell(self, what: str, step: int) -> None:
        if self._ask.progress is not None:
            self._ask.progress(what, step / _STEPS)


_WIDTHS = {"cells": 7, "key": 4, "response": 4}
