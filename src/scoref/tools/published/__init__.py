"""Published results to compare with: tables from the literature as data.

The figures are as printed, but as fractions. Each has its source, which is the paper,
the authors' repository or model card, or a collection kept by others. A new figure is
comparable only if the same documents were scored by the same conventions; `beside`
reports where that cannot be so.
"""

from scoref.tools.published.tables import (
    PlacedTable,
    Published,
    PublishedRow,
    Source,
    beside,
    beside_datasets,
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
