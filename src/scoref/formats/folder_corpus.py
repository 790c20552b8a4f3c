"""One corpus from the files of a folder of documents.

`read_plain` reads a folder in a format in which one file could hold all documents. If
documents have headers (CoNLL-2012, CoNLL-U), the files are read as one file, so every
figure is the same as for one file. In other formats, each file is read separately and
`join_corpora` puts the corpora together. Documents keep the names that the files
contain. A name that occurs in several files is prefixed with the file: document ``x``
of ``a.conll`` is ``a/x``. If a file has only one document, its name is an alias of that
document, so key and response can be paired even if one side has no proper names.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_right
from collections import Counter
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import JoinedSource
from scoref.formats.catalogue import CONLL_2012, FORMATS
from scoref.formats.input_files import without_bom
from scoref.model import Corpus, DocumentName, FileAlias, Note, Texts, Tokens, WordSets
from scoref.model.arrays import bounds
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scoref.formats.catalogue import ReadOptions
    from scoref.formats.folders import DocumentFile, Folder
    from scoref.model import Ints

    Read = Callable[[bytes, ReadOptions, str], Corpus]


def read_plain(folder: Folder, asked: ReadOptions, name: str, read: Read) -> Corpus:
    """Read the files of a folder as one corpus; ``read`` reads one file."""
    notes = (
        folder.notes()
        if asked.role == "key"
        else folder._replace(is_detected=False).notes()
    )
    if name == CONLL_2012 or FORMATS[name].kind != "spans":
        corpus = _read_as_one_file(folder, asked, name, read)
        return dataclasses.replace(corpus, notes=(*notes, *corpus.notes))
    # If any file holds a response, every file needs one.
    has_response = any(
        "response" in FORMATS[name].sides_in(file.data) for file in folder.documents
    )
    corpora = [
        read(
            file.data,
            asked._replace(
                source=file.source,
                document=file.name,
                is_shared=asked.is_shared or has_response,
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
    whole = join_corpora(corpora, folder.source, notes)
    return dataclasses.replace(
        whole, documents=_distinct_names(whole.documents, owners)
    )


_BEGIN = re.compile(rb"^(#begin document[ \t]+\(?)([^\r\n]*)", re.MULTILINE)

_NEWDOC = re.compile(
    rb"^(#[ \t]*newdoc\b(?:[ \t]+id[ \t]*=[ \t]*)?)([^\r\n]*)", re.MULTILINE
)

_FIRST_ROW = re.compile(rb"^[^#\s]", re.MULTILINE)

_COLUMNS = b"# global.columns"


def _read_as_one_file(
    folder: Folder, asked: ReadOptions, name: str, read: Read
) -> Corpus:
    """Concatenate the files and read the result; lines are those of the files."""
    pattern = _BEGIN if name == CONLL_2012 else _NEWDOC
    pieces = [_Piece.of(file, pattern) for file in folder.documents]
    texts = _texts_with_distinct_names(pieces, pattern)
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
        documents=_distinct_names(corpus.documents, owners),
        notes=tuple(map(lines.correct, corpus.notes)),
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


def _texts_with_distinct_names(
    pieces: Sequence[_Piece], pattern: re.Pattern[bytes]
) -> list[bytes]:
    """Prefix document names that occur in several files with the file's name."""
    names = [
        {match[2].strip() for match in pattern.finditer(piece.text)} for piece in pieces
    ]
    times = Counter(chain(*names))
    texts = []
    for piece, own in zip(pieces, names, strict=True):
        repeated = {name for name in own if times[name] > 1}
        prefix = piece.file.name.encode() + b"/"

        def rename(
            match: re.Match[bytes],
            repeated: set[bytes] = repeated,
            prefix: bytes = prefix,
        ) -> bytes:
            is_repeated = match[2].strip() in repeated
            return match[1] + (prefix if is_repeated else b"") + match[2]

        texts.append(pattern.sub(rename, piece.text) if repeated else piece.text)
    return texts


_LINE = re.compile(r"\bline (\d+)")


class _Lines(NamedTuple):
    """The file and the line that each line of the joined text comes from."""

    sources: tuple[str, ...]
    start: tuple[int, ...]
    added: tuple[int, ...]

    @classmethod
    def of(cls, corpora: Sequence[Corpus]) -> _Lines:
        """Count the lines of several corpora, as far as they have documents."""
        last = [
            max(
                int(corpus.mention_line.max(initial=0)),
                int(corpus.document_line.max(initial=0)),
            )
            for corpus in corpora
        ]
        return cls(
            tuple(corpus.source for corpus in corpora),
            tuple(accumulate(last, initial=0)),
            (0,) * len(corpora),
        )

    def shift(self, columns: Sequence[Ints]) -> Ints:
        """Turn the lines of single files into lines of all; 0 means no line."""
        return np.concatenate(
            [
                np.where(line > 0, line + start, 0)
                for line, start in zip(columns, self.start, strict=False)
            ]
        )

    def file_of(self, line: int) -> int:
        """Return the number of the file that has a line, counted from 1."""
        return min(
            bisect_right(self.start, max(line, 1) - 1) - 1, len(self.sources) - 1
        )

    def place(self, line: int) -> tuple[str, int]:
        """Return the file of a line, and its number there."""
        file = self.file_of(line)
        return self.sources[file], max(line - self.start[file] - self.added[file], 1)

    def correct(self, note: Note) -> Note:
        """Replace line numbers in a note by file and line."""

        def place(match: re.Match[str]) -> str:
            source, line = self.place(int(match[1]))
            return f"{source}:{line}"

        return dataclasses.replace(note, message=_LINE.sub(place, note.message))


def _distinct_names(
    documents: Sequence[DocumentName], owners: Sequence[str]
) -> tuple[DocumentName, ...]:
    """Prefix repeated names with the file, and make files aliases of lone documents.

    ``owners`` has the name of the file of each document.
    """
    times = Counter(document.name for document in documents)
    lone = {owner for owner, count in Counter(owners).items() if count == 1}
    taken = Counter(chain(*({*document.aliases} for document in documents)))
    names = []
    for document, owner in zip(documents, owners, strict=True):
        name = document
        if owner in lone and not document.aliases:
            name = DocumentName.plain(owner)
        elif times[document.name] > 1:
            name = DocumentName(
                f"{owner}/{document.name}",
                tuple(f"{owner}/{alias}" for alias in document.aliases),
            )
        if owner in lone and not taken[owner] and owner not in name.aliases:
            name = name._replace(aliases=(*name.aliases, FileAlias(owner)))
        names.append(name)
    return tuple(names)


def join_corpora(
    corpora: Sequence[Corpus], source: str, notes: Iterable[Note]
) -> Corpus:
    """Put the documents of several corpora, whose mentions are spans, into one.

    Lines are counted through all files, and the source finds the file of a line.
    """
    lines = _Lines.of(corpora)
    documents = _offsets(len(corpus.documents) for corpus in corpora)
    entities = _offsets(len(corpus.entity_label) for corpus in corpora)
    mentions = _offsets(len(corpus.mention_entity) for corpus in corpora)

    def column(values: Callable[[Corpus], Ints], shifts: Ints | None = None) -> Ints:
        columns = [values(corpus) for corpus in corpora]
        if shifts is not None:
            pairs = zip(columns, shifts.tolist(), strict=False)
            columns = [numbers + shift for numbers, shift in pairs]
        return np.concatenate(columns)

    def ints_if_all(columns: list[Ints | None]) -> Ints | None:
        known = [values for values in columns if values is not None]
        return np.concatenate(known) if len(known) == len(columns) else None

    def texts_if_all(columns: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
        known = [values for values in columns if values is not None]
        return tuple(chain(*known)) if len(known) == len(columns) else None

    types = topics = None
    if any(corpus.entity_type is not None for corpus in corpora):
        types = tuple(
            chain(
                *(
                    each.entity_type or ("",) * len(each.entity_label)
                    for each in corpora
                )
            )
        )
    if any(corpus.document_topic is not None for corpus in corpora):
        topics = tuple(
            chain(
                *(
                    each.document_topic or (None,) * len(each.documents)
                    for each in corpora
                )
            )
        )
    return Corpus(
        source=JoinedSource.of(source, lines.place),
        format=corpora[0].format,
        documents=tuple(chain(*(corpus.documents for corpus in corpora))),
        document_tokens=ints_if_all([corpus.document_tokens for corpus in corpora]),
        document_line=lines.shift([corpus.document_line for corpus in corpora]),
        entity_document=column(lambda corpus: corpus.entity_document, documents),
        entity_label=tuple(chain(*(corpus.entity_label for corpus in corpora))),
        entity_type=types,
        mention_entity=column(lambda corpus: corpus.mention_entity, entities),
        mention_start=column(lambda corpus: corpus.mention_start),
        mention_end=column(lambda corpus: corpus.mention_end),
        mention_line=lines.shift([corpus.mention_line for corpus in corpora]),
        mention_order=ints_if_all(
            [
                None if corpus.mention_order is None else corpus.mention_order + first
                for corpus, first in zip(corpora, mentions.tolist(), strict=False)
            ]
        ),
        notes=(*notes, *_merge_notes(corpora, source)),
        faults={
            row + int(first): fault
            for corpus, first in zip(corpora, documents, strict=False)
            for row, fault in corpus.faults.items()
        },
        document_checksum=ints_if_all([corpus.document_checksum for corpus in corpora]),
        document_genre=texts_if_all([corpus.document_genre for corpus in corpora]),
        tokens=_join_tokens(corpora),
        later=lambda: _join_tokens([corpus.with_tokens() for corpus in corpora]),
        mention_type=texts_if_all([corpus.mention_type for corpus in corpora]),
        mention_kbid=texts_if_all([corpus.mention_kbid for corpus in corpora]),
        has_labels=all(corpus.has_labels for corpus in corpora),
        document_topic=topics,
        pieces=_join_pieces(corpora),
    )


def _offsets(counts: Iterable[int]) -> Ints:
    return bounds(np.fromiter(counts, dtype=np.int64))


def _merge_notes(corpora: Sequence[Corpus], source: str) -> list[Note]:
    """Merge notes of the same kind from several files."""
    kinds: dict[str, list[Note]] = {}
    for note in chain(*(corpus.notes for corpus in corpora)):
        kinds.setdefault(note.kind, []).append(note)
    merged = []
    for first, *others in kinds.values():
        count = first.count + sum(note.count for note in others)
        files = counted(len(others), "more file")
        message = f"{first.message} The same applies to {files} of {source} "
        message += f"({count:,} in total)."
        merged.append(Note(first.kind, count, message) if others else first)
    return merged


def _join_tokens(corpora: Sequence[Corpus]) -> Tokens | None:
    known = [corpus.tokens for corpus in corpora if corpus.tokens is not None]
    if len(known) < len(corpora):
        return None
    rows = _offsets(len(tokens.sentence) for tokens in known).tolist()
    sentences = _offsets(int(tokens.sentence.max(initial=-1)) + 1 for tokens in known)
    first = [tokens.first[:-1] + row for tokens, row in zip(known, rows, strict=False)]
    pairs = zip(known, sentences.tolist(), strict=False)
    return Tokens(
        first=np.concatenate([*first, rows[-1:]]),
        sentence=np.concatenate([tokens.sentence + before for tokens, before in pairs]),
        line=np.zeros(rows[-1], dtype=np.int64),
        word=Texts.joined([tokens.word for tokens in known]),
    )


def _join_pieces(corpora: Sequence[Corpus]) -> WordSets | None:
    if all(corpus.pieces is None for corpus in corpora):
        return None
    sets = [corpus.token_sets() for corpus in corpora]
    members = _offsets(len(tokens.member) for tokens in sets).tolist()
    start = [
        tokens.start[:-1] + first for tokens, first in zip(sets, members, strict=False)
    ]
    return WordSets(
        np.concatenate([*start, members[-1:]]),
        np.concatenate([tokens.member for tokens in sets]),
    )
