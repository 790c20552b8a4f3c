"""scorch's JSON: entities of values, whatever these are.

    {"name": "d-000", "type": "clusters", "clusters": {"a": ["0.0-0", "1.0-0"]}}
    {"type": "graph", "mentions": [1, 2, 3], "links": [[1, 2]]}

Equal values are the same mention, and there is no text: both sides must be scorch's. A
document a file; its name is ``name``, or that of the file.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Literal

import msgspec

from scoref.errors import FormatError
from scoref.formats._builder import CorpusBuilder
from scoref.formats._faults import Faults
from scoref.formats._groups import Groups
from scoref.formats._json_documents import (
    Form,
    file_document,
    refuse_no_document,
    undecodable,
)
from scoref.formats._json_repeats import fields_of, repeated
from scoref.formats._json_values import UNDECODABLE, values
from scoref.formats.conll2012 import document_name
from scoref.formats.format import SCORCH
from scoref.model import DocumentName
from scoref.rules import MISSING_CLUSTERS

if TYPE_CHECKING:
    from scoref.formats.format import Asked
    from scoref.model import Corpus

_PART = re.compile(r"(.+)-(\d{3,})")
_WORDS = re.compile(r"(\d{1,7})\.(\d{1,7})-(\d{1,7})", re.ASCII)
_SENTENCE = 1 << 24
_OTHER = 1 << 60


class _Record(msgspec.Struct):
    type: Literal["clusters", "graph"] = "clusters"
    clusters: dict[str, list[object]] | None = None
    mentions: list[object] = msgspec.field(default_factory=list)
    links: list[tuple[object, object]] = msgspec.field(default_factory=list)
    name: str | int | None = None


_FORM = Form(
    SCORCH,
    _Record,
    '{"type": "clusters", "clusters": {"id": [mention, ...], ...}}',
    objects=("clusters",),
)
_DECODER = msgspec.json.Decoder(_Record)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read entities as scorch has them."""
    builder = CorpusBuilder(asked.source, SCORCH)
    faults = Faults(asked.source, lenient=asked.lenient)
    found = list(values(data, asked.source))
    for number, value in enumerate(found, start=1):
        try:
            record = _DECODER.decode(value.data)
        except UNDECODABLE as error:
            raise undecodable(error, value, asked.source, _FORM) from error
        if again := repeated(value.data, fields_of(record), _FORM.objects):
            faults.found("repeated-fields", again.error(value, asked.source))
        name = _named(record, asked, number if len(found) > 1 else None)
        row = builder.add_document(name, line=value.line)
        for label, mentions in _entities(record, asked.source, value.line).items():
            entity = builder.add_entity(label, row)
            for mention in mentions:
                builder.mentions.extend((entity, *_numbers(mention), value.line))
    refuse_no_document(builder, _FORM)
    return builder.build(faults.notes(), has_tokens=False)


def _named(record: _Record, asked: Asked, number: int | None) -> DocumentName:
    if record.name is None and number is not None:
        return DocumentName.numbered(number)
    name = str(record.name or asked.document or file_document(asked.source))
    part = _PART.fullmatch(name)
    if part is None:
        return DocumentName.plain(name)
    return DocumentName(
        name, (name, *document_name(f"({part[1]}); part {part[2]}").aliases)
    )


def _entities(record: _Record, source: str, line: int) -> dict[str, list[object]]:
    """Give entities by their ids; those of a graph are what links join."""
    if record.type == "graph":
        ends = [mention for link in record.links for mention in link]
        known = {_written(mention): mention for mention in [*record.mentions, *ends]}
        groups = Groups(known)
        for one, other in record.links:
            groups.join(_written(one), _written(other))
        lists = groups.lists()
        return {
            str(row): [known[key] for key in each] for row, each in enumerate(lists)
        }
    if record.clusters is None:
        raise FormatError(
            "there are no 'clusters' here",
            rule=MISSING_CLUSTERS,
            source=source,
            line=line,
            hint=f"expected {_FORM.example}",
        )
    return record.clusters


def _numbers(mention: object) -> tuple[int, int]:
    """Make two numbers of a value, the same for equal values.

    What scorch makes of CoNLL-2012 keeps its order: sentence, first and last word.
    """
    if isinstance(mention, str) and (found := _WORDS.fullmatch(mention)):
        sentence, first, last = map(int, found.groups())
        return sentence * _SENTENCE + first, sentence * _SENTENCE + last
    digest = hashlib.blake2b(_written(mention).encode(), digest_size=7).digest()
    number = _OTHER + int.from_bytes(digest)
    return number, number


def _written(mention: object) -> str:
    """Write a value down, equal numbers alike."""
    if isinstance(mention, float) and mention.is_integer():
        mention = int(mention)
    return msgspec.json.encode(mention, order="deterministic").decode()
