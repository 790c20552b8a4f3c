"""How a table is counted by SQL, whichever engine runs it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Protocol

from scoref.contingency.profile import Profile, Row, Sizes
from scoref.tables.asking import Counted, Overlap, Side, duplicate
from scoref.tables.columns import both_columns, side_columns
from scoref.tables.queries import Queries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.tables.alignment import Shared
    from scoref.tables.asking import Ask
    from scoref.tables.columns import SideColumns
    from scoref.tables.ids import Column
    from scoref.tables.sources import Given

Role = Literal["key", "response"]
ROLES: tuple[Role, Role] = ("key", "response")
_STEPS = 10


class Session(Protocol):
    """An engine at work: how it reads tables, keeps results and runs queries."""

    quote: str
    prefix: str
    place: str  # the order of rows, as SQL
    number: str  # a number for each row, as SQL

    def load(self, given: Given, name: str, ask: Ask) -> list[Column]:
        """Make a table known by name, and tell its columns."""

    def view(self, name: str, query: str) -> None:
        """Name a query."""

    def keep(self, name: str, query: str) -> None:
        """Name the result of a query."""

    def keep_parts(self, queries: Queries, rows: int) -> None:
        """Join the sides and keep ``parts``; ``rows`` is how many they have."""

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Fetch a small result."""

    def shared(self, queries: Queries, blocks: Sequence[str]) -> Shared:
        """Fetch the cells that CEAF has to look at."""


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

    def read_two(self, *tables: Given) -> None:
        """Read key and response, and join them."""
        columns: dict[Role, dict[str, Column]] = {}
        chosen: dict[Role, SideColumns] = {}
        for role, given in zip(ROLES, tables, strict=True):
            wanted = self._ask.wanted.of_side(role)
            columns[role] = self._load(given, f"{role}_table", role)
            chosen[role] = side_columns(list(columns[role]), wanted, given.source)
        kinds = {columns[role][chosen[role].mention].kind for role in ROLES}
        for role, given in zip(ROLES, tables, strict=True):
            mention, cluster, group = chosen[role]
            mention = self._sql(columns[role][mention], as_text=kinds != {"integer"})
            cluster = self._sql(columns[role][cluster])
            block = self._block(columns[role], group)
            self._view(
                f"{role}_rows",
                f"SELECT {block}{mention} AS mention, {cluster} AS cluster"  # noqa: S608
                f"{self._place()} FROM {self._name(f'{role}_table')}",
            )
            self._sides[role] = self._count_side(role, given.source)
        self._join()

    def read_one(self, given: Given) -> None:
        """Read a table that has both sides."""
        columns = self._load(given, "both_table", None)
        chosen = both_columns(list(columns), self._ask.wanted, given.source)
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
        (found,) = session.rows(queries.sides())
        overlap = Overlap(*(int(str(each)) for each in found))
        self._check_once(overlap)
        overlap.check(self._ask, *self._sides.values())
        for step, (name, query) in enumerate(queries.views.items()):
            self._tell(f"counting {name.replace('_', ' ')}", step + 2)
            session.keep(self._name(name), query)
        profiles = self._profiles()
        blocks = sorted(profiles)
        shared = None
        if self._ask.ceaf:
            self._tell("aligning clusters", _STEPS - 1)
            shared = session.shared(queries, blocks)
        self._tell("done", _STEPS)
        found_profiles = [profiles[block] for block in blocks]
        return Counted(blocks, found_profiles, shared, *self._sides.values(), overlap)

    def _count_both(self, source: str, *, is_named: bool) -> None:
        """Count a table by rows, or join its sides where mentions have several."""
        rows = self._name("both_rows")
        kept = "mention IS NOT NULL AND" if is_named else ""
        columns = f"{'block, ' if self._ask.grouped else ''}mention, g, p"
        self._view(
            "both_sides",
            f"SELECT {columns} FROM {rows} "  # noqa: S608
            f"WHERE {kept} (g IS NOT NULL OR p IS NOT NULL)",
        )
        (found,) = self._session.rows(
            f"SELECT count(*), count(mention), count(g), count(p) FROM {rows}"  # noqa: S608
        )
        every, named, *clustered = (int(str(each)) for each in found)
        for role, count in zip(ROLES, clustered, strict=True):
            unnamed = every - named if is_named else 0
            self._sides[role] = Side(source, every, unnamed, every - unnamed - count)
        if is_named and self._twice("both_sides")[0]:
            self._cut_sides()
        else:
            self._tell("counting cells", 1)
            parts = self._queries.parts_of_table()
            self._session.keep(self._name("parts"), parts)

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
            self._sides[role] = self._count_side(role, self._sides[role].source)
        self._join()

    def _count_side(self, role: Role, source: str) -> Side:
        """Count the rows of a side, and keep one for each mention."""
        rows = self._name(f"{role}_rows")
        (found,) = self._session.rows(
            "SELECT count(*), count(mention), "  # noqa: S608
            f"count(CASE WHEN mention IS NOT NULL THEN cluster END) FROM {rows}"
        )
        every, named, clustered = (int(str(each)) for each in found)
        side = Side(source, every, every - named, named - clustered)
        self._view(
            f"{role}_side",
            f"SELECT * FROM {rows} WHERE mention IS NOT NULL AND cluster IS NOT NULL",  # noqa: S608
        )
        return side

    def _join(self) -> None:
        """Join the sides, with one row for each mention."""
        for role in ROLES:
            if self._ask.duplicates == "error":
                continue
            twice, _ = self._twice(f"{role}_side")
            if twice:
                self._sides[role] = replace(self._sides[role], twice=twice)
                source = self._name(f"{role}_side")
                once = self._queries.once(source, self._ask.duplicates)
                self._session.keep(self._name(f"{role}_once"), once)
                self._view(f"{role}_side", f"SELECT * FROM {self._name(f'{role}_once')}")
        self._tell("joining key and response", 1)
        rows = max(side.kept for side in self._sides.values())
        self._session.keep_parts(self._queries, rows)
