"""Loading of tables into an engine: choice of columns, counts of rows, duplicates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scoref.records.columns import SAMPLE, look_like_pairs, pairs_error
from scoref.records.queries import Queries
from scoref.records.request import ROLES, TableSide, duplicate
from scoref.records.sources import Columns, readings, used_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.columns import EngineColumn, SideColumns
    from scoref.records.request import CountRequest, Role, TableReading
    from scoref.records.sources import TableInput


STEPS = 10
"""How many steps are told of, from reading to the end."""


class Session(Protocol):
    """An engine at work: how it reads tables, keeps results and runs queries."""

    quote: str
    prefix: str
    place: str | None  # the order of rows, as SQL; None: clusters by their text
    number: str  # a number for each row, as SQL

    def load(
        self, given: TableInput, name: str, reading: TableReading
    ) -> list[EngineColumn]:
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

    def arrays(self, query: str) -> list[NDArray[np.generic]]:
        """Fetch columns of numbers, none of which is missing."""

    def entangled(self, queries: Queries, blocks: Sequence[str]) -> list[Ints]:
        """Fetch the cells that CEAF has to look at, as `with_entities` takes them."""


class _Counts(NamedTuple):
    """Queries that count rows of a side, and words for "not clustered" in it."""

    rows: str
    words: str
    has_words: bool  # whether these words are more than names of clusters


class TableSides:
    """The sides of a table, or of two, by names that queries know."""

    def __init__(self, session: Session, request: CountRequest) -> None:
        self.session, self.request = session, request
        self.queries = Queries(request.universe, request.grouped, session.prefix)
        self.counts: dict[Role, TableSide] = {role: TableSide(role) for role in ROLES}
        self.columns: dict[str, str] = {}
        self._counts: dict[Role, _Counts] = {}

    def read_two(self, tables: Sequence[TableInput]) -> None:
        """Read key and response, as ``key_side`` and ``response_side``."""
        columns: dict[Role, dict[str, EngineColumn]] = {}
        chosen: dict[Role, SideColumns] = {}
        for role, given, reading in zip(
            ROLES, tables, readings(tables, self.request), strict=True
        ):
            columns[role] = self.load(given, f"{role}_table", reading)
            chosen[role] = reading.side(list(columns[role]))
        self.columns = used_columns(tables, list(chosen.values()))
        kinds = {columns[role][chosen[role].mention].kind for role in ROLES}
        for role in ROLES:
            self.name_rows(
                role, columns[role], chosen[role], as_text=kinds != {"integer"}
            )
        records = [(f"{role}_rows", "mention") for role in ROLES]
        for role, given in zip(ROLES, tables, strict=True):
            self.check_pairs(role, given, chosen[role], records)
            self.count_side(role, given.source)

    def name_rows(
        self,
        role: Role,
        there: dict[str, EngineColumn],
        names: SideColumns,
        *,
        as_text: bool,
    ) -> None:
        """Name the rows of a table, with their columns as queries know them."""
        mention = self.sql(there[names.mention], as_text=as_text)
        cluster = self.cluster_sql(there[names.cluster])
        others = "".join(
            f", {self.sql(there[name], as_text=True)} AS other{number}"
            for number, name in enumerate(names.others)
        )
        self.view(
            f"{role}_rows",
            f"SELECT {self.block(there, names.group)}{mention} AS mention, "
            f"{cluster} AS cluster{others}{self.place()} "
            f"FROM {self.name(f'{role}_table')}",
        )
        self.note_words(role, f"{role}_table", there[names.cluster], mention)

    def check_pairs(
        self,
        role: Role,
        given: TableInput,
        chosen: SideColumns,
        records: Sequence[tuple[str, str]],
    ) -> None:
        """Refuse a table of match pairs; ``records`` are columns that have records."""
        if chosen.is_named or self.request.grouped:
            return
        rows = self.name(f"{role}_rows")
        texts = "CAST(mention AS STRING) AS record, CAST(cluster AS STRING) AS cluster"
        kept = "mention IS NOT NULL AND cluster IS NOT NULL"
        some = f"SELECT {texts} FROM {rows} WHERE {kept} LIMIT {SAMPLE}"
        sample = [(str(a), str(b)) for a, b in self.session.rows(some)]

        def is_record(_: set[str]) -> bool:
            return any(
                self.session.rows(
                    f"SELECT 1 FROM ({some}) AS looked_at "
                    f"JOIN {self.name(table)} AS others "
                    f"ON looked_at.cluster = CAST(others.{column} AS STRING) LIMIT 1"
                )
                for table, column in records
            )

        if not look_like_pairs(sample, is_record):
            return
        every, different, same = self.numbers(
            "SELECT count(*), count(DISTINCT cluster), "
            "count(CASE WHEN CAST(mention AS STRING) = CAST(cluster AS STRING) "
            f"THEN 1 END) FROM {rows} WHERE {kept}"
        )
        is_repeated = len({record for record, _ in sample}) < len(sample)
        if not same and (is_repeated or 2 * different > every):
            raise pairs_error(given.source, role)

    def note_words(
        self, role: Role, table: str, cluster: EngineColumn, mention: str
    ) -> None:
        """Keep the queries that count rows and words for "not clustered" of a side."""
        every = f"SELECT count(*) FROM {self.name(table)}"
        is_word = cluster.is_word_sql(self.session.quote)
        words = f"{every} WHERE {is_word} AND {mention} IS NOT NULL"
        self._counts[role] = _Counts(every, words, cluster.has_words)

    def count_words(self, side: TableSide, role: Role) -> TableSide:
        """Count the words for "not clustered" of a side, if there may be any."""
        counts = self._counts[role]
        if counts.has_words:
            words = self.numbers(counts.words)[0] if side.unclustered else 0
            return replace(side, words=words)
        return replace(side, kept_words=self.numbers(counts.words)[0])

    def count_side(self, role: Role, source: str) -> None:
        """Count the rows of a side, and keep one for each mention."""
        rows, name = self.name(f"{role}_rows"), f"{role}_side"
        self.view(
            name,
            f"SELECT * FROM {rows} WHERE mention IS NOT NULL AND cluster IS NOT NULL",
        )
        (every,) = self.numbers(self._counts[role].rows)
        different = self.session.count_different(self.name(name), every)
        side = TableSide(source, every)
        if different != every:
            _, named, clustered = self.numbers(
                "SELECT count(*), count(mention), "
                f"count(CASE WHEN mention IS NOT NULL THEN cluster END) FROM {rows}"
            )
            side = TableSide(source, every, every - named, named - clustered)
        side = self.count_words(side, role)
        twice = 0
        if different is None:
            twice = self._keep_once(name, side)
        self.counts[role] = replace(side, twice=twice)

    def _keep_once(self, name: str, side: TableSide) -> int:
        """Refuse mentions that stand twice on a side, or keep one row of each."""
        twice, example = self.twice(name)
        if not twice:
            return 0
        if self.request.duplicates == "error":
            raise duplicate(side, twice, example)
        order = "place" if self.place() else "CAST(cluster AS STRING)"
        once = self.queries.once(self.name(name), self.request.duplicates, order)
        self.session.keep(self.name(f"{name}_once"), once)
        self.view(name, f"SELECT * FROM {self.name(name)}_once")
        return twice

    def twice(self, name: str) -> tuple[int, object]:
        """Count the mentions that stand twice, and give one."""
        ((twice, example),) = self.session.rows(self.queries.twice(self.name(name)))
        return int(str(twice)), example

    def numbers(self, query: str) -> list[int]:
        """Fetch one row of counts."""
        (found,) = self.session.rows(query)
        return [int(str(each)) for each in found]

    def load(
        self, given: TableInput, name: str, reading: TableReading
    ) -> dict[str, EngineColumn]:
        """Make a table known, and give its columns by their names."""
        self.tell(f"reading {given.source}", 0)
        columns = self.session.load(given, self.name(name), reading)
        has_words = not isinstance(given, Columns) or given.has_words
        return {column.name: replace(column, has_words=has_words) for column in columns}

    def sql(self, column: EngineColumn, *, as_text: bool | None = None) -> str:
        """Write the ids of a column."""
        as_text = self.queries.needs_text if as_text is None else as_text
        return column.sql(self.session.quote, as_text=as_text)

    def cluster_sql(self, column: EngineColumn) -> str:
        """Write the clusters of a column, NULL for what is not clustered."""
        as_text = self.queries.needs_text
        return column.cluster_sql(self.session.quote, as_text=as_text)

    def block(self, columns: dict[str, EngineColumn], group: str | None) -> str:
        """Write the group of a row, if there are groups."""
        if group is None:
            return ""
        return f"coalesce({self.sql(columns[group], as_text=True)}, '') AS block, "

    def place(self) -> str:
        """Write the place of a row, if it matters and is known."""
        if self.request.duplicates == "error" or self.session.place is None:
            return ""
        return f", {self.session.place} AS place"

    def name(self, name: str) -> str:
        """Give what a table is called in the engine."""
        return f"{self.session.prefix}{name}"

    def view(self, name: str, query: str) -> None:
        """Name a query."""
        self.session.view(self.name(name), query)

    def tell(self, what: str, step: int) -> None:
        """Say how far it is."""
        if self.request.progress is not None:
            self.request.progress(what, step / STEPS)
