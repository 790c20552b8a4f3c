"""Which key it was: a fingerprint of text and annotation.

A signature says how was scored; this says what. It is the same for the same words and
entities, whatever the format, the labels and the order; it is not for one word, or one
mention, that differs. Of each document there are three SHA-256:

    text         its words, a line each; empty nodes are none
    annotation   its entities, a line each: mentions as `4`, `4-7` or `4-7,9`, which are
                 numbers of words from 0, sorted, lines too
    document     both

and those of a corpus are made of its documents', sorted. So names of documents, their
order and their files play no part. Where there are no words, there is only the
annotation's.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = 10
"""How many digits people see."""


class DocumentPrint(NamedTuple):
    """What a document holds; ``text`` is None where the format does not tell words."""

    name: str
    text: bytes | None
    annotation: bytes

    @property
    def whole(self) -> bytes | None:
        """Text and annotation together."""
        if self.text is None:
            return None
        return hashlib.sha256(self.text + self.annotation).digest()


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a corpus holds, in three numbers of 64 digits."""

    documents: tuple[DocumentPrint, ...]
    mentions: int
    entities: int

    @property
    def annotation(self) -> str:
        """Of entities and mentions."""
        return _together(each.annotation for each in self.documents)

    @property
    def text(self) -> str | None:
        """Of words; None where there are none."""
        texts = [each.text for each in self.documents if each.text is not None]
        return _together(texts) if len(texts) == len(self.documents) else None

    @property
    def key(self) -> str | None:
        """Of all of it; None where there are no words."""
        wholes = [each.whole for each in self.documents]
        known = [each for each in wholes if each is not None]
        return _together(known) if len(known) == len(wholes) else None

    @classmethod
    def joined(cls, prints: Iterable[Fingerprint]) -> Fingerprint:
        """Take several files for one: documents are the same in whichever file."""
        found = list(prints)
        return cls(
            tuple(document for each in found for document in each.documents),
            sum(each.mentions for each in found),
            sum(each.entities for each in found),
        )

    def as_object(self, name: str) -> dict[str, object]:
        """Give it as programs know it."""
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
        """What stands in a signature: ``~`` marks that there were no words."""
        return self.key[:SHOWN] if self.key else f"~{self.annotation[:SHOWN]}"


def _together(digests: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()
