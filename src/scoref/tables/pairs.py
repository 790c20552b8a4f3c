"""Tables of pairs: two records each, and a score or a label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import OptionError
from scoref.tables.duckdb_session import DuckSession
from scoref.tables.sources import Columns, Frame, recognise
from scoref.tables.text_files import is_small, read_text

if TYPE_CHECKING:
    from typing import Any

    from scoref.tables.asking import Ask, TableReading
    from scoref.tables.files import Files
    from scoref.tables.sources import Given

_NAMES = ("left", "right", "score")
_TRIPLE = 3


def recognise_pairs(table: object, source: str, *, remote: bool = False) -> Given:
    """Tell what a table of pairs is: triples, what dedupe scored, or any table."""
    if isinstance(table, np.ndarray):
        return _array(table, source)
    is_table = isinstance(table, str | PathLike | Mapping)
    is_frame = hasattr(table, "columns") or hasattr(table, "__arrow_c_stream__")
    if isinstance(table, Iterable) and not is_table and not is_frame:
        return _triples(list(table), source)
    return recognise(table, source, remote=remote)


def _array(table: np.ndarray[Any, Any], source: str) -> Columns:
    """Take dedupe's array of pairs and scores, or one with three columns."""
    if table.dtype.names and {"pairs", "score"} <= set(table.dtype.names):
        left, right = table["pairs"].T
        columns = left, right, table["score"].astype(np.float64)
    elif table.ndim == 2 and table.shape[1] == _TRIPLE:  # noqa: PLR2004
        columns = table[:, 0], table[:, 1], table[:, 2]
    else:
        raise OptionError(
            f"the {source} are an array of shape {table.shape}: give two columns of "
            "records and one of scores"
        )
    return Columns(source, dict(zip(_NAMES, columns, strict=True)))


def _triples(table: list[object], source: str) -> Columns:
    for each in table:
        if not isinstance(each, tuple | list) or len(each) != _TRIPLE:
            raise OptionError(
                f"the {source} list {each!r}: a pair is (record, record, score)"
            )
    columns = [list(column) for column in zip(*table, strict=True)]
    return Columns(source, dict(zip(_NAMES, columns or [[], [], []], strict=True)))


def fetched(given: Given, reading: TableReading, ask: Ask) -> Columns:
    """Bring a small table of pairs into memory."""
    if isinstance(given, Columns):
        return given.take(reading.needed(given.names))
    if isinstance(given, Frame) and given.library == "spark":
        given = Frame(given.source, "arrow", given.table.toArrow())
    if isinstance(given, Frame):
        return given.take(reading.needed(given.names))
    return _of_files(given, reading, ask)


def _of_files(given: Files, reading: TableReading, ask: Ask) -> Columns:
    if is_small(given):
        return read_text(given, reading)
    with DuckSession(ask, [given]) as session:
        session.load(given, "pairs", reading)
        table: Any = session.connection.sql("FROM pairs")
        frame = Frame(given.source, "arrow", table.to_arrow_table())
        return frame.take(reading.needed(frame.names))
