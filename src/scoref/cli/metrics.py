"""The command `scoref metrics`."""

from __future__ import annotations

from scoref.cli._lists import listing

command = listing(
    "metrics",
    "List the metrics, with what each one asks, or show the page about the one of a "
    "NAME.",
    {"scoref metrics muc": "Show how MUC is defined."},
)
