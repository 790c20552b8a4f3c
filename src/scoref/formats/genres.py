"""The genres of documents, which are read in a second pass over a file.

In formats with one word per line, the first comment about a genre counts, whether it is
before the words of a document or later: ``# meta::genre = …``, ``# genre = …`` or
``# newdoc genre = …``. JSON lines have a field ``genre`` in the object of a document or
in its ``meta`` or ``metadata``.

    # newdoc id = GUM_academic_art
    # meta::genre = academic
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from scoref.formats.catalogue import JSON_LINES
from scoref.formats.input_files import shown, without_bom
from scoref.formats.json_documents import values

if TYPE_CHECKING:
    from scoref.model import Corpus


def add_genres(corpus: Corpus, data: bytes) -> Corpus:
    """Add the genres of documents; an empty text where the file says nothing."""
    if corpus.format == JSON_LINES:
        genres = _genres_of_records(corpus, data)
    else:
        lines = without_bom(data).split(b"\n") if b"genre" in data.lower() else []
        genres = _genres_of_comments(corpus, lines)
    return replace(corpus, document_genre=tuple(genres))


class _Record(msgspec.Struct):
    doc_key: str | int
    genre: object = None
    meta: object = None
    metadata: object = None

    def genre_or_nothing(self) -> str:
        """Return the first genre that the record has, or an empty text."""
        objects = [
            fields for fields in (self.meta, self.metadata) if isinstance(fields, dict)
        ]
        candidates = [self.genre, *(fields.get("genre") for fields in objects)]
        return next((text for text in candidates if text and isinstance(text, str)), "")


def _genres_of_records(corpus: Corpus, data: bytes) -> list[str]:
    decode = msgspec.json.Decoder(_Record).decode
    genres: dict[str, str] = {}
    for value in values(data, corpus.source):
        record = decode(value.data)
        genres.setdefault(str(record.doc_key), record.genre_or_nothing())
    return [genres[document.name] for document in corpus.documents]


_COMMENT = re.compile(
    rb"^#[ \t]*(?:meta::|newdoc[ \t]+)?genre[ \t]*=[ \t]*([^\r\n]*)", re.IGNORECASE
)


def _genres_of_comments(corpus: Corpus, lines: list[bytes]) -> list[str]:
    genres = [""] * len(corpus.documents)
    starts = sorted(
        (line, row) for row, line in enumerate(corpus.document_line.tolist())
    )
    for number, line in enumerate(lines):
        if comment := _COMMENT.match(line):
            # The comment may come before the one that names the document, so the
            # line after all comments decides to which document it belongs.
            after = number
            while after < len(lines) and lines[after].startswith(b"#"):
                after += 1
            place = bisect_right(starts, after, key=itemgetter(0)) - 1
            row = starts[max(0, place)][1]
            genres[row] = genres[row] or shown(comment[1]).strip()
    return genres
