"""The clusters of single mentions, for those who want to look at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoref.errors import OptionError
from scoref.tables.asking import ROLES, Ask
from scoref.tables.columns import WantedColumns
from scoref.tables.duckdb_session import DuckSession
from scoref.tables.files import Files
from scoref.tables.memory import labels
from scoref.tables.sources import Frame, readings, recognise, unchanged
from scoref.tables.text_files import in_memory, is_small

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.tables.asking import TableReading
    from scoref.tables.sources import Given

MOST = 5_000_000


def labels_of(  # noqa: PLR0913 - as in `scoref.score_table`
    tables: Sequence[object],
    *,
    mention: str | None = None,
    key_mention: str | None = None,
    response_mention: str | None = None,
    key_cluster: str | None = None,
    response_cluster: str | None = None,
    group: str | None = None,
    **options: Any,  # noqa: ANN401 - those of `Ask`
) -> tuple[list[str | None], list[str | None], list[str]]:
    """Give the clusters of each mention of a table or two, and its name.

    Args:
        tables: a key and a response, or one table that has both.
        mention: as in `scoref.score_table`, like the others.
        key_mention: that of the key alone.
        response_mention: that of the response.
        key_cluster: the column of the key's clusters.
        response_cluster: that of the response's.
        group: the column of groups; their names go before those of clusters.
        options: universe, duplicates, header, table, memory and remote.

    >>> labels_of([{"m1": "a", "m2": "a"}, {"m1": 1}])
    (['a', 'a'], ['1', None], ['m1', 'm2'])
    """
    wanted = WantedColumns(
        *(mention, key_cluster, response_cluster, group),
        *(key_mention, response_mention),
    )
    ask = Ask(wanted=wanted, **options)
    given = [
        recognise(each, role, remote=ask.remote)
        for each, role in zip(tables, ROLES, strict=False)
    ]
    how = readings(given, ask)
    with unchanged(given):
        fetched = in_memory(
            [_fetched(*each, ask) for each in zip(given, how, strict=True)], ask
        )
    if sum(len(each) for each in fetched) > MOST:
        raise OptionError(
            f"single clusters are looked at in tables of up to {MOST:,} rows; a sample "
            "will do"
        )
    return labels(fetched, ask)


def _fetched(given: Given, reading: TableReading, ask: Ask) -> Given:
    """Bring a large file into memory, by way of DuckDB."""
    if not isinstance(given, Files) or is_small(given):
        return given
    with DuckSession(ask, [given]) as session:
        session.load(given, "wanted", reading)
        table: Any = session.connection.sql(f"FROM wanted LIMIT {MOST + 1}")
        return Frame(given.source, "arrow", table.to_arrow_table())
