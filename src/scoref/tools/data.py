"""The command `scoref data`: the known keys, and which of them a file is."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from scoref.fingerprint import SHOWN, known_keys, name_of, recognise
from scoref.notes import WARNING
from scoref.render import OUTPUTS
from scoref.render.report import Column, Heading, Remarks, Report, Table
from scoref.terminal.help import Command
from scoref.terminal.help import files as complete_files
from scoref.terminal.options import of_files, of_folders
from scoref.terminal.printing import print_report
from scoref.terminal.running import refusing
from scoref.terminal.systems import Attempts, expanded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.fingerprint import Fingerprint, Recognised
    from scoref.model import Corpus
    from scoref.render.report import Object, Part


@click.command(
    cls=Command,
    examples={
        "scoref data": "List the known keys.",
        "scoref data key.conll": "Find the known key that is closest to a file.",
    },
)
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=complete_files)
@of_files
@of_folders
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="Output format.",
)
def command(
    files: tuple[str, ...],
    *,
    format: str | None,
    folder: str | None,
    output: str,
) -> None:
    """Identify each FILE by a fingerprint of its words and entities.

    The fingerprint is the same for the same words and entities in every format. It does
    not depend on labels, line endings or the order of documents. Without a FILE, the
    known keys are listed.
    """
    with refusing():
        if not files:
            print_report(known_keys_report(), output)
            return
        from scoref.formats import input_files, reading
        from scoref.formats.fingerprints import fingerprint
        from scoref.terminal.systems import named

        input_files.refuse_second_reading(path for _, path in named(files))
        paths = expanded(named(files), folder)
        for name, count in Counter(name for name, _ in paths).items():
            if count > 1:
                raise click.UsageError(f"two files have the same name, '{name}'")
        attempts, fingerprints, warnings = Attempts(), {}, []
        for name, path in paths:
            with attempts.trying(path) if len(paths) > 1 else nullcontext():
                corpus = reading.read(
                    path, role="key", format=format, with_tokens=True, folder=folder
                )
                fingerprints[name] = fingerprint(corpus)
                warnings += _warnings(corpus)
        if fingerprints:
            print_report(data_report(fingerprints, warnings), output)
        attempts.finish()


def _warnings(corpus: Corpus) -> list[str]:
    """List the warnings about a key that was read."""
    messages = [
        note.message
        for note in corpus.notes
        if note.message.startswith(WARNING) or note.kind == "special-files"
    ]
    if not len(corpus.mention_entity):
        message = (
            f"{WARNING}{corpus.source} has no mentions, so it is probably not a key."
        )
        messages.append(message)
    return messages


def known_keys_report() -> Report:
    """List the keys that are known."""
    rows = [
        [
            known.name,
            f"{known.documents}",
            f"{known.mentions:,}",
            f"{known.entities:,}",
            known.key[:SHOWN] if known.key else f"~{known.annotation[:SHOWN]}",
        ]
        for known in known_keys()
    ]
    columns = (
        Column("Name", "name"),
        *map(Column, ("Documents", "Mentions", "Entities", "Key")),
    )
    more = Remarks(["`scoref data FILE` identifies a file."])
    return Report(
        name="known-keys",
        parts=lambda: [Table(columns, rows), more],
        objects=lambda: [
            {
                field: value
                for field, value in known._asdict().items()
                if field != "parts"
            }
            for known in known_keys()
        ],
    )


def data_report(
    fingerprints: Mapping[str, Fingerprint], notes: Sequence[str] = ()
) -> Report:
    """Report for each file which key it is."""

    def parts() -> Iterator[Part]:
        for name, fingerprint in fingerprints.items():
            yield Heading(name)
            yield Remarks(list(_lines(fingerprint)))

    return Report(
        name="data",
        parts=parts,
        objects=lambda: [
            {
                "file": name,
                **fingerprint.as_object(name_of(fingerprint) or ""),
                "known": [_known_object(match) for match in recognise(fingerprint)],
            }
            for name, fingerprint in fingerprints.items()
        ],
        notes=notes,
    )


def _known_object(match: Recognised) -> Object:
    return {
        "name": match.known.name,
        "version": match.known.version,
        "exact": match.is_exact,
        "documents": match.known.documents,
        "shared": list(match.shared),
        "changed": list(match.changed),
        "others": list(match.others),
    }


def _lines(fingerprint: Fingerprint) -> Iterator[str]:
    """Describe the known keys that a file matches, and its hashes."""
    matches = recognise(fingerprint)
    if not matches:
        count = len(fingerprint.documents)
        documents = "1 document" if count == 1 else f"{count:,} documents"
        yield (
            f"unknown key: {documents}, {fingerprint.mentions:,} mentions, "
            f"{fingerprint.entities:,} entities"
        )
    for match in matches:
        known = match.known
        name = f"{known.name} ({known.version}; {known.source})"
        yield f"{name}: {_extent(match)}"
    annotation = f"annotation {fingerprint.annotation[:SHOWN]}"
    if fingerprint.text is None:
        yield f"{annotation}; the file has no words"
    else:
        text = fingerprint.text[:SHOWN]
        yield f"key {fingerprint.short}, text {text}, {annotation}"


def _extent(match: Recognised) -> str:
    """Describe how many documents of a known key are the same."""
    total = match.known.documents
    if match.is_exact:
        return f"{total} documents of {total}"
    parts = [f"{len(match.shared)} documents of {total}"]
    if match.changed:
        parts.append(f"same text but other entities: {_first_names(match.changed)}")
    if match.others:
        parts.append(f"not in this key: {_first_names(match.others)}")
    return "; ".join(parts)


def _first_names(names: tuple[str, ...]) -> str:
    """Quote the first three names, and count the others."""
    shown = ", ".join(f"'{name}'" for name in names[:3])
    return f"{shown} and {len(names) - 3} more" if names[3:] else shown
