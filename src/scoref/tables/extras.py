"""Packages that only some tables need, and what to install where they are missing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from scoref.errors import OptionError

if TYPE_CHECKING:
    from types import ModuleType

_NEEDED = {
    "duckdb": "tables need DuckDB: pip install 'scoref[table]'",
    "pyarrow": "this table needs Arrow: pip install 'scoref[table]'",
    "pyspark": "Spark needs PySpark: pip install 'scoref[spark]'",
}


def extra(name: str) -> ModuleType:
    """Load such a package, or a module of one."""
    try:
        return import_module(name)
    except ImportError as error:
        raise OptionError(_NEEDED[name.partition(".")[0]]) from error


def is_there(name: str) -> bool:
    """Tell whether such a package is installed."""
    return find_spec(name) is not None
