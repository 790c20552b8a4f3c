"""What a file says of the genres of its documents.

    # newdoc id = GUM_academic_art
    # meta::genre = academic

A comment says it where a line is a word: ``# meta::genre = …``, ``# genre = …`` or
``# newdoc genre = …``, among the lines before a document's words or later; the first
one counts. JSON lines have a field ``genre``, in the object of a document or in its
``meta`` or ``metadata``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from scoref.formats import JSON_LINES
from scoref.formats._json_values import values
from scoref.formats._text import shown, without_bom

if TYPE_CHECKING:
    from scoref.model import Corpus

_COMMENT = re.compile(
    rb"^#[ \t]*(?:meta::|newdoc[ \t]+)?genre[ \t]*=[ \t]*([^\r\n]*)", re.IGNORECASE
)


def with_genres(corpus: Corpus, data: bytes) -> Corpus:
    """Add the genres of documents; an empty text where the file says nothing."""
    if corpus.format == JSON_LINES:
        genres = _of_records(data, corpus)
    else:
        genres = _of_comments(without_bom(data).split(b"\n"), corpus)
    return replace(corpus, document_genre=tuple(genres))


class _Record(msgspec.Struct):
    doc_key: str | int
    genre: object = None
    meta: object = None
    metadata: object = None


def _of_records(data: bytes, corpus: Corpus) -> list[str]:
    decode = msgspec.json.Decoder(_Record).decode
    records = [decode(value.data) for value in values(data, corpus.source)]
    genres = {str(record.doc_key): _of_record(record) for record in reversed(records)}
    return [genres[document.name] for document in corpus.documents]


def _of_record(record: _Record) -> str:
    found = [record.genre]
    for more in (record.meta, record.metadata):
        found += [more.get("genre")] if isinstance(more, dict) else []
    return next((genre for genre in found if genre and isinstance(genre, str)), "")


def _of_comments(lines: list[bytes], corpus: Corpus) -> list[str]:
    genres = [""] * len(corpus.documents)
    starts = sorted(
        (line, row) for row, line in enumerate(corpus.document_line.tolist())
    )
    for number, line in enumerate(lines):
        if found := _COMMENT.match(line):
            # It may stand above the line that names the document.
            below = _next_word(lines, number)
            place = bisect_right(starts, below, key=itemgetter(0)) - 1
            row = starts[max(0, place)][1]
            genres[row] = genres[row] or shown(found[1]).strip()
    return genres


def _next_word(lines: list[bytes], number: int) -> int:
    """Find the line behind a comment, and behind those that follow it."""
    while number < len(lines) and lines[number].startswith(b"#"):
        number += 1
    return number
