"""Files in, columns out: which reader reads what.

A reader is a function from bytes to a `Corpus`; `scoref.formats.records` has all that
is known of each format. Names are looked up when they are asked for: help and lists
need the records only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.lazy import names

if TYPE_CHECKING:
    from scoref.formats._folders import (
        Folder,
        dataset_name,
        folder_kind,
        is_corpus,
        is_datasets,
        read_folder,
        regular_files,
        special_files,
        why_datasets,
    )
    from scoref.formats._text import (
        name_of,
        read_bytes,
        read_lines,
        reading_again,
        refuse_second_reading,
    )
    from scoref.formats.format import (
        CONLL_2012,
        COREFUD,
        JSON_LINES,
        UNIVERSAL_ANAPHORA,
        Narrowed,
        Role,
    )
    from scoref.formats.reading import (
        detect,
        read,
        read_both,
        read_data,
        read_input,
        read_response,
        refuse_unclear,
    )
    from scoref.formats.records import FORMATS

__all__ = [
    "CONLL_2012",
    "COREFUD",
    "FORMATS",
    "JSON_LINES",
    "UNIVERSAL_ANAPHORA",
    "Folder",
    "Narrowed",
    "Role",
    "dataset_name",
    "detect",
    "folder_kind",
    "is_corpus",
    "is_datasets",
    "name_of",
    "read",
    "read_both",
    "read_bytes",
    "read_data",
    "read_folder",
    "read_input",
    "read_lines",
    "read_response",
    "reading_again",
    "refuse_second_reading",
    "refuse_unclear",
    "regular_files",
    "special_files",
    "why_datasets",
]

__getattr__, __dir__ = names(
    __name__,
    {
        "CONLL_2012": "format",
        "COREFUD": "format",
        "FORMATS": "records",
        "JSON_LINES": "format",
        "UNIVERSAL_ANAPHORA": "format",
        "Folder": "_folders",
        "Narrowed": "format",
        "Role": "format",
        "dataset_name": "_folders",
        "detect": "reading",
        "folder_kind": "_folders",
        "is_corpus": "_folders",
        "is_datasets": "_folders",
        "name_of": "_text",
        "read": "reading",
        "read_both": "reading",
        "read_bytes": "_text",
        "read_data": "reading",
        "read_folder": "_folders",
        "read_input": "reading",
        "read_lines": "_text",
        "read_response": "reading",
        "reading_again": "_text",
        "refuse_second_reading": "_text",
        "refuse_unclear": "reading",
        "regular_files": "_folders",
        "special_files": "_folders",
        "why_datasets": "_folders",
    },
)
