"""Maverick and xCoRe: words, and clusters of them.

    {"tokens": ["Mia", "slept", ".", "She", "dreamt", "."],
     "clusters_token_offsets": [[[0, 0], [3, 3]]]}

The last word is part of a mention. ``clusters_char_offsets`` are not looked at: they
take one blank for granted between sentences. xCoRe's mentions across documents have the
document before the words, and ``tokens`` are those of each document:

    {"tokens": [[["Mia", "slept"]], [["She", "woke"]]],
     "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]]]}

An entity of several documents has the same label in each. There are no names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.formats._json_documents import Form, NamedRecord, read_documents
from scoref.formats._json_spans import JsonDocument, JsonEntity, Misplaced, numbered
from scoref.formats.format import MAVERICK, XCORE
from scoref.model import DocumentName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.format import Asked
    from scoref.model import Corpus

    Texts = list[list[str]] | None


class _Record(NamedRecord, kw_only=True):
    tokens: list[object]
    clusters_token_offsets: list[list[tuple[int, int]]]
    clusters_token_text: list[list[str]] | None = None


class _Across(NamedRecord, kw_only=True):
    tokens: list[object]
    clusters_token_offsets: list[list[tuple[int, int, int]]]
    clusters_token_text: list[list[str]] | None = None


_FORM = Form(
    MAVERICK,
    _Record,
    '{"tokens": ["word", ...], "clusters_token_offsets": [[[0, 0], ...], ...]}',
)
_ACROSS = Form(
    XCORE,
    _Across,
    '{"tokens": [[["word", ...]], ...], "clusters_token_offsets": [[[0, 0, 0], ...]]}',
    has_labels=True,
)


def read(data: bytes, asked: Asked) -> Corpus:
    """Read what Maverick wrote, or xCoRe of single documents."""
    return read_documents(data, asked, _FORM, _documents)


def read_across(data: bytes, asked: Asked) -> Corpus:
    """Read what xCoRe wrote across documents."""
    numbers = iter(range(2**62))
    return read_documents(data, asked, _ACROSS, lambda each: _across(each, numbers))


def _documents(record: _Record) -> Iterator[JsonDocument]:
    path, said = "clusters_token_offsets", record.clusters_token_text
    entities = numbered(record.clusters_token_offsets, path, said)
    yield JsonDocument(
        record.called(), entities, [list(_words(record.tokens, "tokens"))]
    )


def _across(record: _Across, numbers: Iterator[int]) -> Iterator[JsonDocument]:
    """Give each document its share of the clusters, which keep their numbers."""
    shares: list[list[JsonEntity]] = [[] for _ in record.tokens]
    path, said = "clusters_token_offsets", record.clusters_token_text
    for entity in numbered(record.clusters_token_offsets, path, said):
        for number in sorted({span[0] for span in entity.spans if span}):
            if not 0 <= number < len(shares):
                problem = f"there is no document {number} among {len(shares)}"
                raise Misplaced(entity.path, problem, "documents are counted from 0")
            shares[number].append(_share(entity, number))
    for row, (words, entities) in enumerate(zip(record.tokens, shares, strict=True)):
        found = list(_words([words], f"tokens[{row}]"))
        name = DocumentName.numbered(next(numbers))
        yield JsonDocument(name, entities, [found])


def _share(entity: JsonEntity, number: int) -> JsonEntity:
    rows = [row for row, span in enumerate(entity.spans) if span and span[0] == number]
    spans = [span[1:] for span in entity.spans if span and span[0] == number]
    said = None if entity.said is None else [entity.said[row] for row in rows]
    return JsonEntity(
        entity.label, spans, "", said, [entity.place(row) for row in rows]
    )


def _words(tokens: list[object], path: str) -> Iterator[str]:
    """Give words, however many lists they are in."""
    for number, each in enumerate(tokens):
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            yield from _words(each, f"{path}[{number}]")
        else:
            problem = f"expected a word, found {type(each).__name__}"
            raise Misplaced(f"{path}[{number}]", problem)
