"""What a file is, in words, and the keys that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.fingerprint import SHOWN
from scoref.render.report import Column, Heading, Remarks, Report, Table
from scoref.scoring.registry import known_keys, name_of, recognise

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoref.fingerprint import Fingerprint
    from scoref.render.report import Object, Part
    from scoref.scoring.registry import KnownKey, Recognised

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
