"""Fingerprints of keys, and the list of published keys that are recognised by them.

A signature records how a system was scored; a fingerprint records on which key. It
does not depend on the format, the labels or the order, but it changes if a single word
or mention changes. Each document has three SHA-256 hashes:

    text         its words, one per line, without empty nodes
    annotation   its entities, one per line: mentions as `4`, `4-7` or `4-7,9`, which
                 are numbers of words from 0; mentions and lines are sorted
    document     both

The hashes of a corpus are made from the sorted hashes of its documents, so the names
of documents, their order and their files do not matter. A corpus without words has
only the hash of its annotation.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable


SHOWN = 10
"""How many digits people see."""


class DocumentPrint(NamedTuple):
    """The digests of a document; ``text`` is None if the format has no words."""

    name: str
    text: bytes | None
    annotation: bytes

    @property
    def whole(self) -> bytes | None:
        """Text and annotation together."""
        if self.text is None:
            return None
        return hashlib.sha256(self.text + self.annotation).digest()


@dataclass(frozen=True)
class Fingerprint:
    """The digests of a corpus: three numbers of 64 digits, each computed once."""

    documents: tuple[DocumentPrint, ...]
    mentions: int
    entities: int

    @cached_property
    def annotation(self) -> str:
        """The digest of entities and mentions."""
        return _digest(each.annotation for each in self.documents)

    @cached_property
    def text(self) -> str | None:
        """The digest of words; None without words."""
        texts = [each.text for each in self.documents if each.text is not None]
        return _digest(texts) if len(texts) == len(self.documents) else None

    @cached_property
    def key(self) -> str | None:
        """The digest of text and annotation; None without words."""
        wholes = [each.whole for each in self.documents]
        known = [each for each in wholes if each is not None]
        return _digest(known) if len(known) == len(wholes) else None

    @classmethod
    def joined(cls, prints: Iterable[Fingerprint]) -> Fingerprint:
        """Combine several files: it does not matter in which file a document is."""
        files = list(prints)
        return cls(
            tuple(document for file in files for document in file.documents),
            sum(file.mentions for file in files),
            sum(file.entities for file in files),
        )

    def as_object(self, name: str) -> dict[str, object]:
        """Return the fields of the JSON output."""
        return {
            "name": name,
            "key": self.key,
            "text": self.text,
            "annotation": self.annotation,
            "documents": len(self.documents),
            "mentions": self.mentions,
            "entities": self.entities,
        }

    @property
    def short(self) -> str:
        """The digits in a signature; ``~`` marks a key without words."""
        return self.key[:SHOWN] if self.key else f"~{self.annotation[:SHOWN]}"


def _digest(digests: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()


_FILE = "known-keys.json"

_DIGITS = 16  # of the parts


class KnownKey(NamedTuple):
    """A key that is available to everyone, with its digests.

    ``parts`` has the first digits of each document's text and annotation, where they
    were computed from the files; the rest is known as a whole.
    """

    name: str
    version: str
    source: str
    documents: int
    mentions: int
    entities: int
    key: str | None
    text: str | None
    annotation: str
    parts: tuple[tuple[str, str], ...] = ()


class Recognised(NamedTuple):
    """A known key that a file is, or is most similar to.

    ``shared`` are documents that are the known key's; ``changed`` have its text and
    other entities; ``others`` are none of it.
    """

    known: KnownKey
    shared: tuple[str, ...]
    changed: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        """Whether it is that key, and all of it."""
        return (
            len(self.shared) == self.known.documents
            and not self.changed
            and not self.others
        )


@cache
def known_keys() -> tuple[KnownKey, ...]:
    """List the keys that are known."""
    listed = json.loads(files("scoref.scoring").joinpath(_FILE).read_bytes())["keys"]
    return tuple(
        KnownKey(**{**each, "parts": tuple(map(tuple, each.get("parts", ())))})
        for each in listed
    )


def name_of(fingerprint: Fingerprint) -> str | None:
    """Return the name of a known key; the first if several are the same."""
    for known in known_keys():
        if is_same(known, fingerprint):
            return known.name
    return None


def label_of(fingerprint: Fingerprint) -> str:
    """Return the name of a known key and digits; the digits alone for others."""
    name = name_of(fingerprint)
    return f"{name}@{fingerprint.short}" if name else fingerprint.short


def known_key(name: str) -> KnownKey:
    """Find a key by its name."""
    by_name = {known.name: known for known in known_keys()}
    if name not in by_name:
        raise unknown("key", name, by_name)
    return by_name[name]


def recognise(fingerprint: Fingerprint) -> list[Recognised]:
    """Return the known keys that a file is, or else the most similar ones."""
    names = tuple(each.name for each in fingerprint.documents)
    same = [
        Recognised(known, names, (), ())
        for known in known_keys()
        if is_same(known, fingerprint)
    ]
    if same:
        return same
    near = [compared(known, fingerprint) for known in known_keys() if known.parts]
    near += [
        Recognised(known, (), names, ())
        for known in known_keys()
        if not known.parts and fingerprint.text and known.text == fingerprint.text
    ]
    # Most documents, then the fewest that are missing.
    best = max(map(_nearness, near), default=(0, 0))
    return [each for each in near if best[0] and _nearness(each) == best]


def is_same(known: KnownKey, fingerprint: Fingerprint) -> bool:
    """Tell whether a file is a known key, and all of it."""
    if fingerprint.key is None or known.key is None:
        return known.annotation == fingerprint.annotation
    return known.key == fingerprint.key


def _nearness(found: Recognised) -> tuple[int, int]:
    return len(found.shared) + len(found.changed), -found.known.documents


def compared(known: KnownKey, fingerprint: Fingerprint) -> Recognised:
    """Compare documents with a key that is known document by document."""
    texts = {text for text, _ in known.parts}
    wholes = {*known.parts}
    found: tuple[list[str], list[str], list[str]] = [], [], []
    for document in fingerprint.documents:
        digits = _digits(document)
        place = 0 if digits in wholes else 1 if digits[0] in texts else 2
        found[place].append(document.name)
    return Recognised(known, *map(tuple, found))


def _digits(document: DocumentPrint) -> tuple[str, str]:
    text = "" if document.text is None else document.text.hex()[:_DIGITS]
    return text, document.annotation.hex()[:_DIGITS]
