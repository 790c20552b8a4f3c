"""Readers and writers of files: `catalogue` lists the formats, `reading` reads them.

The names below are for Python users. Other modules of scoref import from the modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.formats.catalogue import FORMATS
    from scoref.formats.reading import detect, read, read_both, read_data

__all__ = ["FORMATS", "detect", "read", "read_both", "read_data"]

__getattr__, __dir__ = names(
    __name__,
    {
        "FORMATS": "catalogue",
        "detect": "reading",
        "read": "reading",
        "read_both": "reading",
        "read_data": "reading",
    },
)
