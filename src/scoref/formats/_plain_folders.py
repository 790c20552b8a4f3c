"""Folders of documents in formats in which one file could hold them all.

Where documents have headers (CoNLL-2012, CoNLL-U), the files are read as if they were
one file, so every figure is that of the one file. In other formats each file is read by
itself, and the corpora are joined.

Documents keep the names that files give them. A name that comes in several files is
told apart by the file: document ``x`` of ``a.conll`` is ``a/x``. The name of the file
is an alias of its only document, so that key and response are paired if one side lacks
proper names.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_right
from collections import Counter
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import JoinedSource
from scoref.formats._joining import joined
from scoref.formats._text import without_bom
from scoref.formats.format import CONLL_2012
from scoref.formats.records import FORMATS
from scoref.model import DocumentName, FileAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.formats._folders import DocumentFile, Folder
    from scoref.formats.format import Asked
    from scoref.model import Corpus, Note

    Read = Callable[[bytes, Asked, str], Corpus]

_BEGIN = re.compile(rb"^(#begin document[ \t]+\(?)([^\r\n]*)", re.MULTILINE)
_NEWDOC = re.compile(
    rb"^(#[ \t]*newdoc\b(?:[ \t]+id[ \t]*=[ \t]*)?)([^\r\n]*)", re.MULTILINE
)
_FIRST_ROW = re.compile(rb"^[^#\s]", re.MULTILINE)
_COLUMNS = b"# global.columns"
_LINE = re.compile(r"\bline (\d+)")


def read_plain(folder: Folder, asked: Asked, name: str, read: Read) -> Corpus:
    """Read the files of a folder as one corpus."""
    notes = (
        folder.notes()
        if asked.role == "key"
        else folder._replace(is_detected=False).notes()
    )
    if name == CONLL_2012 or FORMATS[name].kind != "spans":
        corpus = _read_as_one(folder, asked, name, read)
        return dataclasses.replace(corpus, notes=(*notes, *corpus.notes))
    # A response in any file is a response of the folder: then every file needs one.
    has_response = [
        "response" in FORMATS[name].sides_in(file.data) for file in folder.documents
    ]
    corpora = [
        read(
            file.data,
            asked._replace(
                source=file.source,
                document=file.name,
                is_shared=asked.is_shared or any(has_response),
            ),
            name,
        )
        for file in folder.documents
    ]
    owners = [
        file.name
        for file, corpus in zip(folder.documents, corpora, strict=True)
        for _ in corpus.documents
    ]
    whole = joined(corpora, folder.source, notes)
    return dataclasses.replace(whole, documents=_named(whole.documents, owners))


def _read_as_one(folder: Folder, asked: Asked, name: str, read: Read) -> Corpus:
    pattern = _BEGIN if name == CONLL_2012 else _NEWDOC
    pieces = [_Piece.of(file, pattern) for file in folder.documents]
    texts = _told_apart(pieces, pattern)
    lines = _Lines(
        tuple(piece.file.source for piece in pieces),
        tuple(accumulate((text.count(b"\n") for text in texts), initial=0)),
        tuple(piece.added for piece in pieces),
    )
    source = JoinedSource.of(folder.source, lines.place)
    corpus = read(b"".join(texts), asked._replace(source=source), name)
    owners = [
        folder.documents[lines.file_of(line)].name
        for line in corpus.document_line.tolist()
    ]
    return dataclasses.replace(
        corpus,
        documents=_named(corpus.documents, owners),
        notes=tuple(map(lines.corrected, corpus.notes)),
    )


class _Piece(NamedTuple):
    """A file as a part of one text; ``added`` lines were put before its own."""

    file: DocumentFile
    text: bytes
    added: int

    @classmethod
    def of(cls, file: DocumentFile, pattern: re.Pattern[bytes]) -> _Piece:
        """End the text with an empty line, and name its document if nothing does."""
        text = without_bom(file.data).rstrip() + b"\n\n"
        if pattern is _BEGIN:
            return cls(file, text, 0)
        title = b"# newdoc id = " + file.name.encode()
        header, row = _NEWDOC.search(text), _FIRST_ROW.search(text)
        if header is not None and (row is None or header.start() < row.start()):
            is_bare = b"=" not in header[0]
            return cls(file, _NEWDOC.sub(title, text, count=1) if is_bare else text, 0)
        if text.startswith(_COLUMNS):
            first, _, rest = text.partition(b"\n")
            return cls(file, first + b"\n" + title + b"\n" + rest, 1)
        return cls(file, title + b"\n" + text, 1)


def _told_apart(pieces: Sequence[_Piece], pattern: re.Pattern[bytes]) -> list[bytes]:
    """Put the names of files before names that come in several files."""
    names = [
        {found[2].strip() for found in pattern.finditer(each.text)} for each in pieces
    ]
    times = Counter(chain(*names))
    texts = []
    for piece, own in zip(pieces, names, strict=True):
        repeated = {name for name in own if times[name] > 1}
        prefix = piece.file.name.encode() + b"/"

        def renamed(
            found: re.Match[bytes],
            repeated: set[bytes] = repeated,
            prefix: bytes = prefix,
        ) -> bytes:
            is_repeated = found[2].strip() in repeated
            return found[1] + (prefix if is_repeated else b"") + found[2]

        texts.append(pattern.sub(renamed, piece.text) if repeated else piece.text)
    return texts


class _Lines(NamedTuple):
    """Where a line of the one text is in the files."""

    sources: tuple[str, ...]
    start: tuple[int, ...]
    added: tuple[int, ...]

    def file_of(self, line: int) -> int:
        """Find the file of a line, counted from 1."""
        return min(
            bisect_right(self.start, max(line, 1) - 1) - 1, len(self.sources) - 1
        )

    def place(self, line: int) -> tuple[str, int]:
        """Find the file of a line, and its number there."""
        file = self.file_of(line)
        return self.sources[file], max(line - self.start[file] - self.added[file], 1)

    def corrected(self, note: Note) -> Note:
        """Let a note name the file and its line."""

        def placed(found: re.Match[str]) -> str:
            source, line = self.place(int(found[1]))
            return f"{source}:{line}"

        return dataclasses.replace(note, message=_LINE.sub(placed, note.message))


def _named(
    documents: Sequence[DocumentName], owners: Sequence[str]
) -> tuple[DocumentName, ...]:
    """Tell documents of the same name apart by their files, which are aliases, too."""
    times = Counter(document.name for document in documents)
    lone = {owner for owner, count in Counter(owners).items() if count == 1}
    taken = Counter(chain(*({*document.aliases} for document in documents)))
    found = []
    for document, owner in zip(documents, owners, strict=True):
        named = document
        if owner in lone and not document.aliases:
            named = DocumentName.plain(owner)
        elif times[document.name] > 1:
            named = DocumentName(
                f"{owner}/{document.name}",
                tuple(f"{owner}/{alias}" for alias in document.aliases),
            )
        if owner in lone and not taken[owner] and owner not in named.aliases:
            named = named._replace(aliases=(*named.aliases, FileAlias(owner)))
        found.append(named)
    return tuple(found)
