"""The choice of an engine: NumPy in memory, DuckDB on disk, or Spark on a cluster.

The module also lets signals interrupt a long query. Python runs a signal's handler in
the main thread, which is busy until DuckDB finishes the query. So another thread waits
for signals and interrupts the query, and then the handler can run.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scoref.errors import unknown
from scoref.records.duckdb_engine import DuckSession
from scoref.records.file_types import Files, is_installed
from scoref.records.sources import Frame
from scoref.records.spark_engine import SparkSession
from scoref.records.text_files import is_small

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scoref.records.loading import Session
    from scoref.records.request import CountRequest
    from scoref.records.sources import TableInput


_SMALL = 1_000_000

NUMPY, DUCKDB, SPARK = ENGINES = ("numpy", "duckdb", "spark")


def check_engine(engine: str | None) -> None:
    """Refuse what is no engine."""
    if engine is not None and engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)


def engine_for(tables: Sequence[TableInput], request: CountRequest) -> str:
    """Choose an engine: NumPy for what is small, unless memory is a question."""
    if any(isinstance(table, Frame) and table.library == "spark" for table in tables):
        return SPARK
    rows = [sys.maxsize if request.memory else _size(table) for table in tables]
    if sum(rows) <= _SMALL or (sum(rows) < sys.maxsize and not is_installed("duckdb")):
        return NUMPY
    return DUCKDB


def _size(table: TableInput) -> int:
    """Count rows; those of a file are none or too many."""
    if isinstance(table, Files):
        return 0 if is_small(table) else sys.maxsize
    return len(table)


@contextmanager
def open_session(
    engine: str, request: CountRequest, tables: Sequence[TableInput]
) -> Iterator[Session]:
    """Start an engine that knows SQL, and stop it again."""
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
    """Call ``stop`` as soon as a signal comes that has a handler."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears of signals
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    watching = threading.Thread(target=_watch, args=(heard, stop), daemon=True)
    watching.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)  # which ends the thread
        watching.join()
        os.close(heard)


def _watch(heard: int, stop: Callable[[], object]) -> None:
    while os.read(heard, 1):
        stop()
