"""What a plugin needs: names to write a metric or a format outside of scoref.

A plugin is a package with entry points. Those of the group ``scoref.metrics`` name a
`Metric` or a `Mean`; those of ``scoref.formats`` name a `Format`. An entry point may
also name a list of them.

    [project.entry-points."scoref.metrics"]
    half = "my_plugin:HALF"

    [project.entry-points."scoref.formats"]
    indented = "my_plugin:INDENTED"

docs/plugins.md explains which fields a plugin may set, and examples/plugin is a
template. Names that are not listed here may change at any time.
"""

from __future__ import annotations

from scoref.catalogues import PluginError, PluginWarning
from scoref.contingency import Contingency
from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder, Faults
from scoref.formats.catalogue import Format, ReadOptions
from scoref.metrics.base import (
    Mean,
    Metric,
    Shares,
    one_number,
    ratio,
    ratio_score,
    with_f_one,
)
from scoref.model import Corpus, DocumentName, Note

__all__ = [
    "Contingency",
    "Corpus",
    "CorpusBuilder",
    "DocumentName",
    "Faults",
    "Format",
    "FormatError",
    "Mean",
    "Metric",
    "Note",
    "PluginError",
    "PluginWarning",
    "ReadOptions",
    "Shares",
    "one_number",
    "ratio",
    "ratio_score",
    "with_f_one",
]
