"""The command `scoref formats`."""

from __future__ import annotations

from scoref.cli._lists import listing

command = listing(
    "formats",
    "List the formats that can be read, or show the page about the one of a NAME.",
    {"scoref formats corefud": "Show the page about CorefUD."},
)
