"""The command `scoref schemes`."""

from __future__ import annotations

from scoref.cli._lists import listing

command = listing(
    "schemes", "List the conventions that have a name; JSON says what each one chooses."
)
