"""The command `scoref schemes`."""

from __future__ import annotations

from scoref.cli._lists import listing

command = listing(
    "schemes",
    "List the conventions that have a name, or say what the one of a NAME chooses.",
    {"scoref schemes crac-2026": "Say what the shared task of 2026 chose."},
)
