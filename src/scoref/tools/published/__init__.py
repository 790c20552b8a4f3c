"""Published results to stand beside: tables of the literature as data.

The figures are as printed, each with its source and how near that is to the authors;
they are fractions here, as everywhere. A figure can only be compared with them if the
same documents were scored by the same conventions: `beside` says where that cannot be
so.
"""

from scoref.tools.published.comparability import PlacedTable, beside, beside_datasets
from scoref.tools.published.tables import (
    Published,
    PublishedRow,
    Source,
    names,
    table,
)

__all__ = [
    "PlacedTable",
    "Published",
    "PublishedRow",
    "Source",
    "beside",
    "beside_datasets",
    "names",
    "table",
]
