"""Loading of tables into an engine: choice of columns, counts of rows, duplicates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scoref.records.pair_tables import SAMPLE, look_like_pairs, pairs_error
from scoref.records.queries import Queries
from scoref.records.request import ROLES, TableSide, duplicate_error
from scoref.records.sources import Columns, readings, used_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.columns import SideColumns
    from scoref.records.ids import EngineColumn
    from scoref.records.request import CountRequest, Role, TableReading
    from scoref.records.sources import TableInput


STEPS = 10
"""The number of steps whose progress is reported, from reading to the end."""


class Session(Protocol):
    """An engine that is running: it reads tables, keeps results and runs queries.

    ``place`` is the SQL for the order of rows, or None if the text of clusters decides.
    ``number`` is the SQL for a number of each row.
    """

    quote: str
    prefix: str
    place: str | None
    number: str

    def load(
        self, table: TableInput, name: str, reading: TableReading
    ) -> list[EngineColumn]:
        """Give a table a name, and return its columns."""

    def view(self, name: str, query: str) -> None:
        """Give a query a name."""

    def keep(self, name: str, query: str) -> None:
        """Keep the result of a query under a name."""

    def keep_parts(self, queries: Queries, rows: int) -> None:
        """Join the sides and keep ``parts``; ``rows`` is how many they have."""

    def count_distinct(self, source: str, most: int) -> int | None:
        """Count rows, ``most`` at most, if all mentions differ; None if unsure."""

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Fetch a small result."""

    def arrays(self, query: str) -> list[NDArray[np.generic]]:
        """Fetch columns of values, none of which is missing."""

    def entangled(
        self, queries: Queries, blocks: Sequence[str], count: int
    ) -> list[Ints]:
        """Fetch the ``count`` cells that CEAF needs, as `with_entities` takes them."""


class _RowQueries(NamedTuple):
    """Queries that count all rows of a side, and its rows with null words."""

    rows: str
    null_words: str
    has_null_words: bool  # whether these words mean "not clustered"


class TableSides:
    """The sides of one table or two in an engine, by the names that queries use."""

    def __init__(self, session: Session, request: CountRequest) -> None:
        self.session, self.request = session, request
        self.queries = Queries(request.universe, request.is_grouped, session.prefix)
        self.counts: dict[Role, TableSide] = {role: TableSide(role) for role in ROLES}
        self.columns: dict[str, str] = {}
        self._row_queries: dict[Role, _RowQueries] = {}
        self._other_counts: dict[str, int] = {}

    def read_two(self, tables: Sequence[TableInput]) -> None:
        """Read key and response, as ``key_side`` and ``response_side``."""
        columns: dict[Role, dict[str, EngineColumn]] = {}
        chosen: dict[Role, SideColumns] = {}
        for role, table, reading in zip(
            ROLES, tables, readings(tables, self.request), strict=True
        ):
            columns[role] = self.load(table, f"{role}_table", reading)
            chosen[role] = reading.side(list(columns[role]))
        self.columns = used_columns(tables, list(chosen.values()))
        kinds = {columns[role][chosen[role].mention].kind for role in ROLES}
        for role in ROLES:
            self.view_rows(
                role, columns[role], chosen[role], as_text=kinds != {"integer"}
            )
        records = [(f"{role}_rows", "mention") for role in ROLES]
        for role, table in zip(ROLES, tables, strict=True):
            self.check_pairs(role, table, chosen[role], records)
            self.count_side(role, table.source)

    def load(
        self, table: TableInput, name: str, reading: TableReading
    ) -> dict[str, EngineColumn]:
        """Load a table, and return its columns by their names."""
        self.report_progress(f"reading {table.source}", 0)
        columns = self.session.load(table, self.name(name), reading)
        is_plain = isinstance(table, Columns) and not table.has_null_words
        has_null_words = self.request.has_null_words(is_plain=is_plain)
        return {
            column.name: replace(
                column,
                has_null_words=has_null_words,
                null_words=self.request.null_words,
            )
            for column in columns
        }

    def view_rows(
        self,
        role: Role,
        columns: dict[str, EngineColumn],
        chosen: SideColumns,
        *,
        as_text: bool,
    ) -> None:
        """Create the view of a side's rows, with the columns that queries use."""
        mention = self.sql(columns[chosen.mention], as_text=as_text)
        cluster = self.cluster_sql(columns[chosen.cluster])
        others = "".join(
            f", {self.sql(columns[name], as_text=True)} AS other{number}"
            for number, name in enumerate(chosen.others)
        )
        self.view(
            f"{role}_rows",
            f"SELECT {self.block(columns, chosen.group)}{mention} AS mention, "
            f"{cluster} AS cluster{others}{self.place()} "
            f"FROM {self.name(f'{role}_table')}",
        )
        self._other_counts[f"{role}_side"] = len(chosen.others)
        self.set_row_queries(role, f"{role}_table", columns[chosen.cluster], mention)

    def check_pairs(
        self,
        role: Role,
        table: TableInput,
        chosen: SideColumns,
        records: Sequence[tuple[str, str]],
    ) -> None:
        """Refuse a table of match pairs.

        ``records`` has the tables and columns that contain records.
        """
        if chosen.is_named or self.request.is_grouped:
            return
        rows = self.name(f"{role}_rows")
        texts = "CAST(mention AS STRING) AS record, CAST(cluster AS STRING) AS cluster"
        kept = "mention IS NOT NULL AND cluster IS NOT NULL"
        some = f"SELECT {texts} FROM {rows} WHERE {kept} LIMIT {SAMPLE}"
        sample = [(str(a), str(b)) for a, b in self.session.rows(some)]

        def is_record(_: set[str]) -> bool:
            return any(
                self.session.rows(
                    f"SELECT 1 FROM ({some}) AS sample "
                    f"JOIN {self.name(name)} AS others "
                    f"ON sample.cluster = CAST(others.{column} AS STRING) LIMIT 1"
                )
                for name, column in records
            )

        if not look_like_pairs(sample, is_record):
            return
        count, clusters, same = self.numbers(
            "SELECT count(*), count(DISTINCT cluster), "
            "count(CASE WHEN CAST(mention AS STRING) = CAST(cluster AS STRING) "
            f"THEN 1 END) FROM {rows} WHERE {kept}"
        )
        is_repeated = len({record for record, _ in sample}) < len(sample)
        if not same and (is_repeated or 2 * clusters > count):
            raise pairs_error(table.source, role)

    def set_row_queries(
        self, role: Role, table: str, cluster: EngineColumn, mention: str
    ) -> None:
        """Prepare the queries that count rows and null words of a side."""
        rows = f"SELECT count(*) FROM {self.name(table)}"
        is_null_word = cluster.is_null_word_sql(self.session.quote)
        null_words = f"{rows} WHERE {is_null_word} AND {mention} IS NOT NULL"
        self._row_queries[role] = _RowQueries(rows, null_words, cluster.has_null_words)

    def count_null_words(self, side: TableSide, role: Role) -> TableSide:
        """Count the null words of a side, if there may be any."""
        queries = self._row_queries[role]
        if queries.has_null_words:
            count = self.numbers(queries.null_words)[0] if side.unclustered else 0
            return replace(side, null_words=count)
        return replace(side, kept_null_words=self.numbers(queries.null_words)[0])

    def count_side(self, role: Role, source: str) -> None:
        """Count the rows of a side, and keep one for each mention."""
        rows, name = self.name(f"{role}_rows"), f"{role}_side"
        self.view(
            name,
            f"SELECT * FROM {rows} WHERE mention IS NOT NULL AND cluster IS NOT NULL",
        )
        (count,) = self.numbers(self._row_queries[role].rows)
        distinct = self.session.count_distinct(self.name(name), count)
        side = TableSide(source, count)
        if distinct != count:
            _, named, clustered = self.numbers(
                "SELECT count(*), count(mention), "
                f"count(CASE WHEN mention IS NOT NULL THEN cluster END) FROM {rows}"
            )
            side = TableSide(source, count, count - named, named - clustered)
        side = self.count_null_words(side, role)
        repeated = self._remove_duplicates(name, side) if distinct is None else 0
        self.counts[role] = replace(side, repeated=repeated)

    def _remove_duplicates(self, name: str, side: TableSide) -> int:
        """Refuse mentions with several rows, or keep one row of each and count them."""
        repeated, example = self.count_repeated(name)
        if not repeated:
            return 0
        if self.request.duplicates == "error":
            raise duplicate_error(side, repeated, example)
        order = "place" if self.place() else "CAST(cluster AS STRING)"
        query = self.queries.one_row_each(
            self.name(name), self.request.duplicates, order, self._others(name)
        )
        self.session.keep(self.name(f"{name}_once"), query)
        self.view(name, f"SELECT * FROM {self.name(name)}_once")
        return repeated

    def _others(self, name: str) -> tuple[str, ...]:
        """Name the additional columns of a side's view."""
        count = self._other_counts.get(name, 0)
        return tuple(f"other{number}" for number in range(count))

    def count_repeated(self, name: str) -> tuple[int, object]:
        """Count the mentions with several rows, and return one of them."""
        ((count, example),) = self.session.rows(self.queries.repeated(self.name(name)))
        return int(str(count)), example

    def numbers(self, query: str) -> list[int]:
        """Fetch one row of counts."""
        (row,) = self.session.rows(query)
        return [int(str(count)) for count in row]

    def sql(self, column: EngineColumn, *, as_text: bool | None = None) -> str:
        """Write the SQL of a column's ids."""
        as_text = self.queries.needs_text if as_text is None else as_text
        return column.sql(self.session.quote, as_text=as_text)

    def cluster_sql(self, column: EngineColumn) -> str:
        """Write the SQL of a column's clusters; NULL means "not clustered"."""
        as_text = self.queries.needs_text
        return column.cluster_sql(self.session.quote, as_text=as_text)

    def block(self, columns: dict[str, EngineColumn], group: str | None) -> str:
        """Write the SQL of a row's group, if there are groups."""
        if group is None:
            return ""
        return f"coalesce({self.sql(columns[group], as_text=True)}, '') AS block, "

    def place(self) -> str:
        """Write the SQL of a row's place, if it matters and is known."""
        if self.request.duplicates == "error" or self.session.place is None:
            return ""
        return f", {self.session.place} AS place"

    def name(self, name: str) -> str:
        """Return the name that a table has in the engine."""
        return f"{self.session.prefix}{name}"

    def view(self, name: str, query: str) -> None:
        """Give a query a name."""
        self.session.view(self.name(name), query)

    def report_progress(self, what: str, step: int) -> None:
        """Report the step that begins, of `STEPS`."""
        if self.request.progress is not None:
            self.request.progress(what, step / STEPS)
