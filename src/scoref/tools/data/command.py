"""The command `scoref data`: which key is this?"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from scoref.notes import WARNING
from scoref.render import OUTPUTS
from scoref.terminal.completing import files as complete_files
from scoref.terminal.folders import Attempts, expanded
from scoref.terminal.help import Command
from scoref.terminal.options import of_files, of_folders
from scoref.terminal.printing import print_report
from scoref.terminal.running import refusing

if TYPE_CHECKING:
    from scoref.model import Corpus


@click.command(
    cls=Command,
    examples={
        "scoref data": "List the keys that are known.",
        "scoref data key.conll": "Say which of them a file is, or is nearest to.",
    },
)
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=complete_files)
@of_files
@of_folders
@click.option("--output", type=click.Choice(OUTPUTS), default="text", show_default=True)
def command(
    files: tuple[str, ...],
    *,
    format: str | None,  # noqa: A002 - the name that users type
    folder: str | None,
    output: str,
) -> None:
    """Say which key each FILE is, by a fingerprint of its words and entities.

    The fingerprint is the same for the same words and entities in every format,
    whatever the labels, the order of documents and line ends. Without a FILE, the
    keys are listed that are known by name.
    """
    with refusing():
        from scoref.tools.data.rendering import (  # noqa: PLC0415 - data
            report_of_files,
            report_of_registry,
        )

        if not files:
            print_report(report_of_registry(), output)
            return
        from scoref import formats  # noqa: PLC0415 - NumPy
        from scoref.formats.fingerprints import fingerprint  # noqa: PLC0415
        from scoref.terminal.systems import named  # noqa: PLC0415

        formats.refuse_second_reading(path for _, path in named(files))
        given = expanded(named(files), folder)
        for name, count in Counter(name for name, _ in given).items():
            if count > 1:
                raise click.UsageError(f"two files are called '{name}'")
        attempts, found, warnings = Attempts(), {}, []
        for name, path in given:
            with attempts.trying(path) if len(given) > 1 else nullcontext():
                corpus = formats.read(
                    path, role="key", format=format, with_tokens=True, folder=folder
                )
                found[name] = fingerprint(corpus)
                warnings += _warnings(corpus)
        if found:
            print_report(report_of_files(found, warnings), output)
        attempts.finish()


def _warnings(corpus: Corpus) -> list[str]:
    """List what is probably wrong with a key, and what its notes warn of."""
    found = [
        note.message
        for note in corpus.notes
        if note.message.startswith(WARNING) or note.kind == "special-files"
    ]
    if not len(corpus.mention_entity):
        message = f"{WARNING}{corpus.source} has no mention, so it is hardly a key"
        found.append(message)
    return found
