"""The clusters of each record by name, for pages and lists that show single clusters.

Counts need only the profile of a table, which any engine returns. Lists need the names,
so the columns are loaded into memory, and the number of rows has a limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoref.errors import OptionError
from scoref.records.api import PairSides, record_tables, side_tables
from scoref.records.columns import WantedColumns
from scoref.records.duckdb_engine import DuckSession
from scoref.records.engines import engine_for
from scoref.records.file_types import Files
from scoref.records.link_rows import PairOptions
from scoref.records.links import read_links
from scoref.records.numpy_engine import cluster_names, names_of
from scoref.records.request import ROLES, CountRequest, missing_words
from scoref.records.sources import Frame, check_unchanged, readings, recognise
from scoref.records.text_files import is_small, load_into_memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.records.request import TableReading
    from scoref.records.sources import TableInput
    from scoref.scoring.results import Result

    Labels = tuple[list[str | None], list[str | None], list[str]]


MOST = 5_000_000
"""The largest number of rows whose clusters are listed."""


def cluster_labels(
    tables: Sequence[object],
    *,
    mention: str | None = None,
    key_mention: str | None = None,
    response_mention: str | None = None,
    key_cluster: str | None = None,
    response_cluster: str | None = None,
    group: str | None = None,
    pairs: PairSides | None = None,
    **options: Any,
) -> tuple[list[str | None], list[str | None], list[str]]:
    """Return the clusters of each mention of a table or two, and its name.

    Args:
        tables: a key and a response, or one table that has both.
        mention: as in `scoref.score_table`, like the others.
        key_mention: the mention's column in the key.
        response_mention: the mention's column in the response.
        key_cluster: the column of the key's clusters.
        response_cluster: the column of the response's clusters.
        group: the column of groups; their names are prefixes of the clusters.
        pairs: which sides are pairs of records, and how their columns are chosen.
        options: universe, duplicates, header, table, memory and remote.

    >>> cluster_labels([{"m1": "a", "m2": "a"}, {"m1": 1}])
    (['a', 'a'], ['1', None], ['m1', 'm2'])
    """
    wanted = WantedColumns(
        *(mention, key_cluster, response_cluster, group),
        *(key_mention, response_mention),
        **(pairs.choices if pairs else {}),  # type: ignore[arg-type]
    )
    request = CountRequest(wanted=wanted, **options)
    if pairs and pairs.name:
        key, response = tables
        sides = side_tables(key, response, pairs, remote=request.remote)
        engine = engine_for(sides, request)
        return names_of(
            read_links(sides, request, pairs.options, engine).table, request
        )
    inputs = [
        recognise(table, role, remote=request.remote)
        for table, role in zip(tables, ROLES, strict=False)
    ]
    with check_unchanged(inputs):
        fetched = [
            _fetch_large(table, reading, request)
            for table, reading in zip(inputs, readings(inputs, request), strict=True)
        ]
        loaded = load_into_memory(fetched, request)
    if sum(len(table) for table in loaded) > MOST:
        raise OptionError(
            f"clusters can be listed for tables of up to {MOST:,} rows. Use "
            "a sample of the table"
        )
    return cluster_names(loaded, request)


def _fetch_large(
    table: TableInput, reading: TableReading, request: CountRequest
) -> TableInput:
    """Load a large file into memory with DuckDB, but not more rows than are shown."""
    if not isinstance(table, Files) or is_small(table):
        return table
    with DuckSession(request, [table]) as session:
        session.load(table, "wanted", reading)
        relation: Any = session.connection.sql(f"FROM wanted LIMIT {MOST + 1}")
        return Frame(table.source, "arrow", relation.to_arrow_table())


_PAIR_COLUMNS = ("left", "right", "label", "score")

_COUNTING = (
    *("mention", "key_mention", "response_mention", "key_cluster"),
    *("response_cluster", "group", "universe", "duplicates", "header", "table"),
    *("memory", "remote"),
)


def labels_of_result(
    result: Result, tables: Sequence[object], options: Mapping[str, Any]
) -> Labels:
    """Return the clusters of each record of tables that were scored.

    Args:
        result: the scores, which say which sides are pairs.
        tables: a key and a response, or one table that has both.
        options: the keywords with which `score_table` was called.
    """
    pairs = result.scheme.pairs
    columns: dict[str, list[str | None]] = {
        role: [options.get(f"{role}_{name}") for name in _PAIR_COLUMNS]
        for role in ROLES
    }
    remote = bool(options.get("remote"))
    sides = PairSides.of(
        pairs in {"key", "both"},
        pairs in {"response", "both"},
        columns,
        [options.get(name) for name in _PAIR_COLUMNS],
        options.get("threshold"),
        PairOptions(
            options.get("two_sources"),
            record_tables(options.get("records"), remote=remote),
        ),
    )
    counting = {name: options[name] for name in _COUNTING if name in options}
    counting["missing_values"] = missing_words(options.get("missing_values"))
    return cluster_labels(tables, pairs=sides, **counting)


def can_be_listed(tables: Sequence[object], rows: int) -> bool:
    """Return whether the clusters of tables with so many rows can be listed."""
    is_spark = any(type(t).__module__.startswith("pyspark") for t in tables)
    return rows <= MOST and not is_spark
