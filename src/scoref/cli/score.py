"""The command `scoref score`: what `scoref` does without a command's name."""

from __future__ import annotations

from scoref.cli import command as scoref
from scoref.terminal.options import ScoringCommand

command = ScoringCommand(
    "score",
    params=scoref.params,
    callback=scoref.callback,
    help=scoref.help,
    examples=scoref.examples,
)
