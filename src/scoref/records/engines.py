"""The choice of an engine: NumPy in memory, DuckDB on disk, or Spark on a cluster.

`count_tables` and `count_sample` count with the engine that fits, or with the one that
the caller named. The module also lets signals interrupt a long query. Python runs a
signal's handler in the main thread, which is busy until DuckDB finishes the query. So
another thread waits for signals and interrupts the query, and then the handler can run.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scoref.errors import unknown
from scoref.records import counting, numpy_engine
from scoref.records.columns import WantedColumns
from scoref.records.duckdb_engine import DuckSession
from scoref.records.file_types import Files, is_installed
from scoref.records.request import TableReading
from scoref.records.sources import Frame, check_unchanged, has_names
from scoref.records.spark_engine import SparkSession
from scoref.records.text_files import is_small, load_into_memory, read_in_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scoref.records.loading import Session
    from scoref.records.request import (
        ClusterCounts,
        CountRequest,
        SampleCounts,
        TableCounts,
    )
    from scoref.records.sources import TableInput


NUMPY, DUCKDB, SPARK = ENGINES = ("numpy", "duckdb", "spark")

_SMALL = 1_000_000  # rows that NumPy counts


def count_tables(
    tables: Sequence[TableInput], request: CountRequest, engine: str
) -> TableCounts:
    """Count one table that has both sides, or two."""
    with check_unchanged(tables):
        if engine == NUMPY:
            return numpy_engine.count(load_into_memory(tables, request), request)
        with open_session(engine, request, tables) as session:
            return counting.count(session, tables, request)


def count_sample(
    tables: Sequence[TableInput],
    request: CountRequest,
    engine: str | None,
    *,
    with_total: bool = False,
) -> SampleCounts:
    """Count what labelled clusters share with predicted ones.

    With ``with_total``, all predicted clusters are counted as well.
    """
    engine = engine or engine_for(tables, request)
    with check_unchanged(tables):
        if engine == NUMPY:
            return numpy_engine.count_sample(load_into_memory(tables, request), request)
        with open_session(engine, request, tables) as session:
            return counting.count_sample(
                session, tables, request, with_total=with_total
            )


def count_clusters(
    table: TableInput, request: CountRequest, engine: str | None
) -> ClusterCounts:
    """Count the clusters of one table."""
    check_engine(engine)
    chosen = engine or engine_for([table], request)
    wanted = request.wanted if has_names(table) else WantedColumns()
    reading = TableReading(
        table.source, "response", wanted, request.header, request.table_of(None)
    )
    with check_unchanged([table]):
        if chosen == NUMPY:
            loaded = read_in_memory(table, reading)
            return numpy_engine.count_clusters(loaded, reading, request)
        with open_session(chosen, request, [table]) as session:
            return counting.count_clusters(session, table, reading, request)


def check_engine(engine: str | None) -> None:
    """Refuse a name that is not an engine's."""
    if engine is not None and engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)


def engine_for(tables: Sequence[TableInput], request: CountRequest) -> str:
    """Choose an engine: NumPy for small tables, unless memory is limited."""
    if any(isinstance(table, Frame) and table.library == "spark" for table in tables):
        return SPARK
    if request.memory:
        return DUCKDB
    rows = 0
    for table in tables:
        if isinstance(table, Files):
            rows += 0 if is_small(table) else sys.maxsize
        else:
            rows += len(table)
    if rows <= _SMALL or (rows < sys.maxsize and not is_installed("duckdb")):
        return NUMPY
    return DUCKDB


@contextmanager
def open_session(
    engine: str, request: CountRequest, tables: Sequence[TableInput]
) -> Iterator[Session]:
    """Start an engine that runs SQL, and stop it afterwards."""
    if engine == SPARK:
        with SparkSession(request, tables) as spark:
            yield spark
        return
    with (
        DuckSession(request, tables) as duck,
        interrupt_on_signal(duck.connection.interrupt),
    ):
        yield duck


@contextmanager
def interrupt_on_signal(stop: Callable[[], object]) -> Iterator[None]:
    """Call ``stop`` as soon as a signal arrives that has a handler."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)

    def watch() -> None:
        while os.read(read_end, 1):
            stop()

    before = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(write_end)  # which ends the thread
        watcher.join()
        os.close(read_end)
