"""The command `scoref formats`."""

from __future__ import annotations

from scoref.cli._lists import listing

command = listing("formats", "List the formats that can be read, with a link for each.")
