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
from scoref.terminal.folders import Attempts, expanded
from scoref.terminal.help import Command
from scoref.terminal.help import files as complete_files
from scoref.terminal.options import of_files, of_folders
from scoref.terminal.printing import print_report
from scoref.terminal.running import refusing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.fingerprint import Fingerprint, KnownKey, Recognised
    from scoref.model import Corpus
    from scoref.render.report import Object, Part


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
    format: str | None,
    folder: str | None,
    output: str,
) -> None:
    """Say which key each FILE is, by a fingerprint of its words and entities.

    The fingerprint is the same for the same words and entities in every format,
    whatever the labels, the order of documents and line ends. Without a FILE, the
    keys are listed that are known by name.
    """
    with refusing():
        if not files:
            print_report(report_of_registry(), output)
            return
        from scoref.formats import (
            input_files,
            reading,
        )
        from scoref.formats.fingerprints import fingerprint
        from scoref.terminal.systems import named

        input_files.refuse_second_reading(path for _, path in named(files))
        given = expanded(named(files), folder)
        for name, count in Counter(name for name, _ in given).items():
            if count > 1:
                raise click.UsageError(f"two files are called '{name}'")
        attempts, found, warnings = Attempts(), {}, []
        for name, path in given:
            with attempts.trying(path) if len(given) > 1 else nullcontext():
                corpus = reading.read(
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


_COLUMNS = (
    Column("Name", "name"),
    Column("Documents"),
    Column("Mentions"),
    Column("Entities"),
    Column("Key"),
)

_NAMED = 3  # documents that are told by name


def report_of_registry() -> Report:
    """List the keys that are known."""
    return Report(name="known-keys", parts=_registry, objects=_known_objects)


def _registry() -> Iterator[Part]:
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
    yield Table(_COLUMNS, rows)
    yield Remarks(["`scoref data FILE` says which of them a file is."])


def _known_objects() -> Iterator[Object]:
    for known in known_keys():
        fields = known._asdict()
        del fields["parts"]
        yield fields


def report_of_files(
    found: Mapping[str, Fingerprint], notes: Sequence[str] = ()
) -> Report:
    """Say of each file which key it is."""
    return Report(
        name="data",
        parts=lambda: _parts(found),
        objects=lambda: [_object(*each) for each in found.items()],
        notes=notes,
    )


def _parts(found: Mapping[str, Fingerprint]) -> Iterator[Part]:
    for name, fingerprint in found.items():
        yield Heading(name)
        yield Remarks([*_verdict(fingerprint), _hashes(fingerprint)])


def _object(name: str, fingerprint: Fingerprint) -> Object:
    return {
        "file": name,
        **fingerprint.as_object(name_of(fingerprint) or ""),
        "known": [_known_object(each) for each in recognise(fingerprint)],
    }


def _known_object(found: Recognised) -> Object:
    return {
        "name": found.known.name,
        "version": found.known.version,
        "exact": found.is_exact,
        "documents": found.known.documents,
        "shared": list(found.shared),
        "changed": list(found.changed),
        "others": list(found.others),
    }


def _hashes(fingerprint: Fingerprint) -> str:
    annotation = fingerprint.annotation[:SHOWN]
    if fingerprint.text is None:
        return f"annotation {annotation}; the file has no words"
    return f"key {fingerprint.short}, text {fingerprint.text[:SHOWN]}, annotation " + (
        annotation
    )


def _verdict(fingerprint: Fingerprint) -> Iterator[str]:
    found = recognise(fingerprint)
    count = len(fingerprint.documents)
    if not found:
        documents = "1 document" if count == 1 else f"{count:,} documents"
        yield (
            f"a key that is not known: {documents}, {fingerprint.mentions:,} mentions, "
            f"{fingerprint.entities:,} entities"
        )
    for each in found:
        yield f"{_about(each.known)}: {_how_much(each)}"


def _about(known: KnownKey) -> str:
    return f"{known.name} ({known.version}; {known.source})"


def _how_much(found: Recognised) -> str:
    whole = found.known.documents
    if found.is_exact:
        return f"{whole} documents of {whole}"
    said = [f"{len(found.shared)} documents of {whole}"]
    if found.changed:
        said.append(f"same text, but other entities: {_listed(found.changed)}")
    if found.others:
        said.append(f"none of its texts: {_listed(found.others)}")
    return "; ".join(said)


def _listed(names: tuple[str, ...]) -> str:
    rest = len(names) - _NAMED
    shown = ", ".join(f"'{name}'" for name in names[:_NAMED])
    return f"{shown} and {rest} more" if rest > 0 else shown
