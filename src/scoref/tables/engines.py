"""What counts a table: NumPy in memory, DuckDB on disk, Spark on a cluster."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scoref.errors import unknown
from scoref.tables.duckdb_session import DuckSession
from scoref.tables.extras import is_there
from scoref.tables.files import Files
from scoref.tables.interrupts import interrupting
from scoref.tables.sources import Frame
from scoref.tables.spark_session import SparkSession
from scoref.tables.text_files import is_small

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.tables.asking import Ask
    from scoref.tables.sides import Session
    from scoref.tables.sources import Given

_SMALL = 1_000_000
NUMPY, DUCKDB, SPARK = ENGINES = ("numpy", "duckdb", "spark")


def check_engine(engine: str | None) -> None:
    """Refuse what is no engine."""
    if engine is not None and engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)


def engine_for(tables: Sequence[Given], ask: Ask) -> str:
    """Choose an engine: NumPy for what is small, unless memory is a question."""
    if any(isinstance(table, Frame) and table.library == "spark" for table in tables):
        return SPARK
    rows = [sys.maxsize if ask.memory else _size(table) for table in tables]
    if sum(rows) <= _SMALL or (sum(rows) < sys.maxsize and not is_there("duckdb")):
        return NUMPY
    return DUCKDB


def _size(table: Given) -> int:
    """Count rows; those of a file are none or too many."""
    if isinstance(table, Files):
        return 0 if is_small(table) else sys.maxsize
    return len(table)


@contextmanager
def session_of(engine: str, ask: Ask, tables: Sequence[Given]) -> Iterator[Session]:
    """Start an engine that knows SQL, and stop it again."""
    if engine == SPARK:
        with SparkSession(ask, tables) as spark:
            yield spark
        return
    with DuckSession(ask, tables) as duck, interrupting(duck.connection.interrupt):
        yield duck
