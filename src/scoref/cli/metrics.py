"""The command `scoref metrics`."""

from __future__ import annotations

from scoref.cli._lists import listing

command = listing(
    "metrics", "List the metrics, with what each one asks and a link to its definition."
)
