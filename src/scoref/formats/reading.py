"""Functions that read a file or a folder into a `Corpus`: `read` and its variants.

A reader is a function from bytes to a `Corpus`. The format is detected from the first
bytes of a file; `scoref.formats.catalogue` describes the formats.

`read_plain` reads a folder of documents in a format in which one file could hold them
all. If documents have headers (CoNLL-2012, CoNLL-U), the files are read as one file, so
every figure is the same as for one file. In other formats, each file is read separately
and `joined` puts the corpora together. Documents keep the names that the files contain.
A name that occurs in several files is prefixed with the file: document ``x`` of
``a.conll`` is ``a/x``. If a file has only one document, its name is an alias of that
document, so key and response can be paired even if one side has no proper names.
"""

from __future__ import annotations

import dataclasses
import os
import re
from bisect import bisect_right
from collections import Counter
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError, JoinedSource, unknown
from scoref.formats.catalogue import (
    CONLL_2012,
    FORMATS,
    JSON_LINES,
    ReadOptions,
    Role,
    Selection,
    detect_format,
    detection_sample,
)
from scoref.formats.folders import (
    Folder,
    document_name,
    empty_document,
    folder_kind,
    read_folder,
    why_datasets,
)
from scoref.formats.input_files import (
    explain_memory_errors,
    name_of,
    read_bytes,
    reading_again,
    return_in_line,
    shown,
    with_line_feeds,
    without_bom,
)
from scoref.model import Corpus, DocumentName, FileAlias, Note, Texts, Tokens, WordSets
from scoref.rules import MIXED_LINE_ENDS, UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike

    from scoref.formats.catalogue import Splitting
    from scoref.formats.folders import DocumentFile
    from scoref.model import Ints
    from scoref.scheme import Layer, Reading
    from scoref.topics import Topic

    Read = Callable[[bytes, ReadOptions, str], Corpus]


_BEGINNING = 1 << 16

_PREDICTED = "predicted_clusters"

_USUAL = (b"#begin document", b"# ", b'{"doc_key"')
"""How files begin that need no second look."""


def read(
    path: str | PathLike[str],
    *,
    role: Role,
    format: str | None = None,
    reading: Reading = "strict",
    layer: Layer = "identity",
    with_tokens: bool = False,
    is_shared: bool = False,
    folder: str | None = None,
) -> Corpus:
    """Read one side from a file or a folder; ``-`` is standard input."""
    return read_data(
        read_input(path, folder),
        again=reading_again(path),
        source=name_of(path),
        role=role,
        format=format,
        reading=reading,
        layer=layer,
        with_tokens=with_tokens,
        is_shared=is_shared,
    )


def read_input(path: str | PathLike[str], folder: str | None = None) -> bytes | Folder:
    """Read a file whole, or all documents of a folder that is one corpus.

    ``folder`` says what the files of a folder are; it means nothing for a file.
    """
    if os.path.isdir(path):
        if folder_kind(path, folder) == "documents":
            return read_folder(path, is_detected=folder is None)
        why = why_datasets(os.fspath(path))
        if folder == "datasets" and not why:
            why = "folder=datasets (--folder datasets) says so"
        raise FormatError(
            f"cannot be read: this is a folder of datasets, since {why}"
            if why
            else "cannot be read: there is no file to score in this folder",
            source=name_of(path),
            hint="give files, or folders for key and responses: folders of datasets "
            "are for `scoref KEYS RESPONSES`, and folder=documents (--folder "
            "documents) reads the files of a key's folder as one corpus"
            if why
            else "expected a file, or a folder with a document a file",
        )
    data = with_line_feeds(read_bytes(path))
    is_blank = not data or data.isspace()  # which stops at the first letter
    return empty_document(name_of(path), data) if is_blank else data


def read_data(
    data: bytes | Folder,
    *,
    source: str,
    role: Role,
    format: str | None = None,
    key_format: str | None = None,
    reading: Reading = "strict",
    layer: Layer = "identity",
    with_tokens: bool = False,
    with_genres: bool = False,
    is_shared: bool = False,
    again: Callable[[], bytes] | None = None,
    splitting: Splitting | None = None,
    narrowed: Selection | None = None,
) -> Corpus:
    """Read one side from what is in memory: a file, or the documents of a folder.

    Without a ``format`` it is seen from the file, which must show that it is annotated;
    a response may be like the key. ``layer`` is what to read of files that hold more
    than one kind of coreference: Universal Anaphora's discourse deixis, CoNLL-2012's
    parses beside its entities, or CorefUD's types of entities. ``with_tokens`` reads
    the text as well, ``with_genres`` what the file says of its documents' genres.
    ``is_shared`` says that the file holds both sides. ``again`` gives the same bytes to
    whoever wants the text later.
    ``splitting`` says what tokens are to be where mentions are counted in characters,
    ``narrowed`` what of a file is to be read.
    """
    asked = ReadOptions(
        source,
        role,
        reading,
        layer,
        document_name(source),
        is_shared=is_shared,
        splitting=splitting,
        **(narrowed or Selection())._asdict(),
    )
    if isinstance(data, Folder):
        corpus = _read_folder(data, asked, format, with_genres=with_genres)
        return corpus.with_tokens() if with_tokens else corpus
    data = with_line_feeds(data)
    name = detect(data, key_format) if format is None else _known(format)
    if reading != "reference":
        _refuse_other_files(data[:_BEGINNING], source, name)
    if format is None:
        refuse_unclear(data, name, source)
    corpus = _read_file(data, asked, name, again, with_genres=with_genres)
    if format is None and reading == "strict":
        _refuse_unannotated(corpus, data)
    return corpus.with_tokens() if with_tokens else corpus


def _read_file(
    data: bytes,
    asked: ReadOptions,
    name: str,
    again: Callable[[], bytes] | None = None,
    *,
    with_genres: bool,
) -> Corpus:
    if asked.role == "response":
        _refuse_unread_response(data, name, asked.source)
    if asked.reading != "reference" and not FORMATS[name].takes_cr:
        _refuse_mixed_line_ends(data, asked.source)
    with explain_memory_errors(data, asked.source):
        corpus = FORMATS[name].read(data, asked)
    if with_genres:
        from scoref.formats.genres import add_genres as saying

        corpus = saying(corpus, data)
    return _promising(corpus, again or (lambda: data))


def _promising(corpus: Corpus, again: Callable[[], bytes]) -> Corpus:
    """Keep a way to the text, which most do not want."""

    def later() -> Tokens | None:
        from scoref.formats.tokens import read_tokens

        return read_tokens(corpus, again())

    return dataclasses.replace(corpus, later=later)


def _read_folder(
    folder: Folder,
    asked: ReadOptions,
    format: str | None,
    *,
    with_genres: bool,
) -> Corpus:
    name = folder.format if format is None else _known(format)
    if folder.is_plain:
        return read_plain(folder, asked, name, _reader(with_genres=with_genres))
    if not {*FORMATS[name].endings} & {*FORMATS[folder.format].endings}:
        raise FormatError(
            f"the files of this folder are {folder.format}, not {name}",
            rule=UNREADABLE_FILE,
            source=folder.source,
            hint=f"leave --format out, or say --format {folder.format}",
        )
    corpora = [
        _read_file(
            file.data,
            asked._replace(source=file.source, document=file.name),
            name,
            with_genres=with_genres,
        )
        for file in folder.documents
    ]
    return joined(corpora, folder.source, folder.notes())


def read_both(
    path: str | PathLike[str],
    *,
    format: str | None = None,
    reading: Reading = "strict",
    with_tokens: bool = False,
    with_genres: bool = False,
    narrowed: Selection | None = None,
) -> tuple[Corpus, Corpus]:
    """Read key and response from one file that holds both, such as JSON lines."""
    if os.path.isdir(path):
        raise FormatError(
            "this is a folder, and there is no response",
            source=name_of(path),
            hint="give KEY and RESPONSE: two files, or two folders",
        )
    data, source = with_line_feeds(read_bytes(path)), name_of(path)
    name = detect(data) if format is None else _known(format)
    _refuse_other_files(data[:_BEGINNING], source, name)
    if "response" not in FORMATS[name].sides_in(data):
        raise FormatError(
            "this file holds no response",
            source=source,
            hint=_what_there_is(data, name),
        )
    roles: tuple[Role, Role] = ("key", "response")
    key, response = (
        read_data(
            data,
            again=reading_again(path),
            source=source,
            role=role,
            format=name,
            reading=reading,
            with_tokens=with_tokens,
            with_genres=with_genres,
            is_shared=True,
            narrowed=narrowed,
        )
        for role in roles
    )
    return key, response


def _what_there_is(data: bytes, name: str) -> str:
    """Say what a file has in place of two sides, and what would be two."""
    wanted = "give two files, KEY and RESPONSE, or one of JSON lines that has"
    wanted += " 'clusters' and 'predicted_clusters'"
    if name != JSON_LINES:
        return f"it is read as {name}; {wanted}"
    from scoref.formats.json_documents import field_names

    fields = field_names(data)
    return f"its fields are {fields}; {wanted}" if fields else wanted


def _reader(*, with_genres: bool) -> Callable[[bytes, ReadOptions, str], Corpus]:
    def read_one(data: bytes, asked: ReadOptions, name: str) -> Corpus:
        return _read_file(data, asked, name, with_genres=with_genres)

    return read_one


def read_response(
    path: str | PathLike[str],
    *,
    format: str | None,
    key_format: str,
    reading: Reading,
    layer: Layer = "identity",
    with_tokens: bool = False,
    narrowed: Selection | None = None,
    folder: str | None = None,
) -> Corpus:
    """Read a response; without a sign of anything else it is what the key is."""
    return read_data(
        read_input(path, folder),
        again=reading_again(path),
        source=name_of(path),
        role="response",
        format=format,
        key_format=key_format,
        reading=reading,
        layer=layer,
        with_tokens=with_tokens,
        narrowed=narrowed,
    )


def detect(data: bytes | Folder, key_format: str | None = None) -> str:
    """See from its beginning what a file is.

    A response without a sign of anything else is what the key is.
    """
    if isinstance(data, Folder):
        return data.format
    return detect_format(detection_sample(data), key_format)


def _refuse_unannotated(corpus: Corpus, data: bytes) -> None:
    """Refuse a file without a mention, unless something says what it is."""
    if len(corpus.mention_entity):
        return
    from scoref.formats.refusals import missing_annotation

    error = missing_annotation(data, corpus.format, corpus.source)
    if error is not None:
        raise error


def _refuse_mixed_line_ends(data: bytes, source: str) -> None:
    """Refuse lines of which some end in CR and others in LF."""
    place = return_in_line(data)
    if place is None:
        return
    start = data.rfind(b"\n", 0, place) + 1
    raise FormatError(
        "this line contains a CR: some lines seem to end in CR, others in LF",
        rule=MIXED_LINE_ENDS,
        source=source,
        line=data.count(b"\n", 0, place) + 1,
        text=shown(data[start:].partition(b"\n")[0]),
        hint="convert the file to one kind of line ends, LF",
        is_final=True,
    )


def _refuse_unread_response(data: bytes, name: str, source: str) -> None:
    """Refuse predictions in a format whose reader would return the key instead."""
    record = FORMATS[name]
    if record.has_fields is None or record.sides or _PREDICTED.encode() not in data:
        return
    from scoref.formats.json_documents import has_field

    if has_field(data, _PREDICTED):
        raise FormatError(
            f"this file has the field '{_PREDICTED}', which {name} does not have",
            rule=UNREADABLE_FILE,
            source=source,
            hint=f"write the response as {name} to a file of its own, or both sides "
            "as JSON lines",
        )


def _refuse_other_files(start: bytes, source: str, name: str) -> None:
    """Say what a file is that no reader can read."""
    if start.startswith(_USUAL) and b"\0" not in start:
        return
    from scoref.formats.refusals import refuse_other_files

    refuse_other_files(start, source, name)


def refuse_unclear(data: bytes, name: str, source: str) -> None:
    """Refuse objects in JSON that were taken for JSON lines without any sign of it."""
    if name == JSON_LINES:
        from scoref.formats.refusals import refuse_other_json

        refuse_other_json(data, source)


def _known(name: str) -> str:
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    return name


_BEGIN = re.compile(rb"^(#begin document[ \t]+\(?)([^\r\n]*)", re.MULTILINE)

_NEWDOC = re.compile(
    rb"^(#[ \t]*newdoc\b(?:[ \t]+id[ \t]*=[ \t]*)?)([^\r\n]*)", re.MULTILINE
)

_FIRST_ROW = re.compile(rb"^[^#\s]", re.MULTILINE)

_COLUMNS = b"# global.columns"

_LINE = re.compile(r"\bline (\d+)")


def read_plain(folder: Folder, asked: ReadOptions, name: str, read: Read) -> Corpus:
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


def _read_as_one(folder: Folder, asked: ReadOptions, name: str, read: Read) -> Corpus:
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


def joined(corpora: Sequence[Corpus], source: str, notes: Iterable[Note]) -> Corpus:
    """Put documents together whose mentions are spans.

    Lines are those of many files then, and no longer told.
    """
    documents = _offsets(len(each.documents) for each in corpora)
    entities = _offsets(len(each.entity_label) for each in corpora)
    mentions = sum(len(each.mention_entity) for each in corpora)
    return Corpus(
        source=source,
        format=corpora[0].format,
        documents=tuple(chain(*(each.documents for each in corpora))),
        document_tokens=_tokens_of_documents(corpora),
        document_line=np.zeros(int(documents[-1]), dtype=np.int64),
        entity_document=_column(corpora, lambda each: each.entity_document, documents),
        entity_label=tuple(chain(*(each.entity_label for each in corpora))),
        entity_type=_types(corpora),
        mention_entity=_column(corpora, lambda each: each.mention_entity, entities),
        mention_start=_column(corpora, lambda each: each.mention_start),
        mention_end=_column(corpora, lambda each: each.mention_end),
        mention_line=np.zeros(mentions, dtype=np.int64),
        mention_order=_order(corpora),
        notes=(*notes, *_told(chain(*(each.notes for each in corpora)), source)),
        faults={
            row + int(first): fault
            for each, first in zip(corpora, documents, strict=False)
            for row, fault in each.faults.items()
        },
        document_genre=_texts([each.document_genre for each in corpora]),
        tokens=_tokens(corpora),
        later=lambda: _tokens([each.with_tokens() for each in corpora]),
        mention_type=_texts([each.mention_type for each in corpora]),
        mention_kbid=_texts([each.mention_kbid for each in corpora]),
        has_labels=all(each.has_labels for each in corpora),
        document_topic=_topics(corpora),
        pieces=_pieces(corpora),
    )


def _offsets(counts: Iterable[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(np.fromiter(counts, dtype=np.int64))))


def _column(
    corpora: Sequence[Corpus],
    column: Callable[[Corpus], Ints],
    offsets: Ints | None = None,
) -> Ints:
    columns = [column(each) for each in corpora]
    if offsets is not None:
        moved = zip(columns, offsets.tolist(), strict=False)
        columns = [each + first for each, first in moved]
    return np.concatenate(columns)


def _tokens_of_documents(corpora: Sequence[Corpus]) -> Ints | None:
    counts = [each.document_tokens for each in corpora]
    known = [each for each in counts if each is not None]
    return np.concatenate(known) if len(known) == len(counts) else None


def _types(corpora: Sequence[Corpus]) -> tuple[str, ...] | None:
    if all(each.entity_type is None for each in corpora):
        return None
    types = (each.entity_type or ("",) * len(each.entity_label) for each in corpora)
    return tuple(chain(*types))


def _texts(columns: Sequence[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    """Put columns of texts together, if all have theirs."""
    known = [each for each in columns if each is not None]
    return tuple(chain(*known)) if len(known) == len(columns) else None


def _topics(corpora: Sequence[Corpus]) -> tuple[Topic | None, ...] | None:
    if all(each.document_topic is None for each in corpora):
        return None
    topics = (each.document_topic or (None,) * len(each.documents) for each in corpora)
    return tuple(chain(*topics))


def _order(corpora: Sequence[Corpus]) -> Ints | None:
    orders = [each.mention_order for each in corpora]
    known = [each for each in orders if each is not None]
    if len(known) < len(orders):
        return None
    mentions = _offsets(map(len, known)).tolist()
    moved = [each + first for each, first in zip(known, mentions, strict=False)]
    return np.concatenate(moved)


def _told(notes: Iterable[Note], source: str) -> list[Note]:
    """Tell once of each kind what was told of several files."""
    kinds: dict[str, list[Note]] = {}
    for note in notes:
        kinds.setdefault(note.kind, []).append(note)
    return [_one(found, source) for found in kinds.values()]


def _one(found: list[Note], source: str) -> Note:
    first = found[0]
    if len(found) == 1:
        return first
    count = sum(note.count for note in found)
    message = f"{first.message}; likewise in {len(found) - 1} more files of {source}"
    return Note(first.kind, count, f"{message}, {count} in all")


def _tokens(corpora: Sequence[Corpus]) -> Tokens | None:
    known = [each.tokens for each in corpora if each.tokens is not None]
    if len(known) < len(corpora):
        return None
    rows = _offsets(len(each.sentence) for each in known).tolist()
    sentences = _offsets(int(each.sentence.max(initial=-1)) + 1 for each in known)
    first = [each.first[:-1] + row for each, row in zip(known, rows, strict=False)]
    sentence = zip(known, sentences.tolist(), strict=False)
    return Tokens(
        first=np.concatenate([*first, rows[-1:]]),
        sentence=np.concatenate([each.sentence + before for each, before in sentence]),
        line=np.zeros(rows[-1], dtype=np.int64),
        word=Texts.joined([each.word for each in known]),
    )


def _pieces(corpora: Sequence[Corpus]) -> WordSets | None:
    if all(each.pieces is None for each in corpora):
        return None
    sets = [each.token_sets() for each in corpora]
    members = _offsets(len(each.member) for each in sets).tolist()
    start = [
        each.start[:-1] + first for each, first in zip(sets, members, strict=False)
    ]
    return WordSets(
        np.concatenate([*start, members[-1:]]),
        np.concatenate([each.member for each in sets]),
    )
