"""Functions that read a file or a folder into a `Corpus`.

`open_file` reads the bytes of a file and detects its format, once. `read_opened` turns
an opened file into a corpus; `ReadOptions` says how. `read` and `read_data` do both in
one call. A reader is a function from bytes to a `Corpus`; `scoref.formats.catalogue`
describes the formats, and `scoref.formats.folder_corpus` reads the files of a folder as
one corpus.
"""

from __future__ import annotations

import dataclasses
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple
from scoref.errors import FormatError, unknown
from scoref.formats.catalogue import (
    FORMATS,
    JSON_LINES,
    ReadOptions,
    detect_format,
    detection_sample,
    recognise_format,
)
from scoref.formats.folders import (
    DocumentFile,
    Folder,
    document_name,
    empty_document,
    folder_kind,
    folder_root,
    is_folder,
    no_file_error,
    read_folder,
    why_datasets,
)
from scoref.formats.input_files import (
    explain_memory_errors,
    name_of,
    read_bytes,
    read_lines,
    return_in_line,
    shown,
    with_line_feeds,
)
from scoref.rules import MIXED_LINE_ENDS, UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from scoref.formats.catalogue import Role, Splitting
    from scoref.model import Corpus, Tokens
    from scoref.scheme import Layer, Reading


class OpenedFile(NamedTuple):
    """A file, or a folder of documents, in memory, and its format."""

    source: str
    data: bytes | Folder
    format: str
    is_detected: bool  # the format was detected from the content
    path: str | PathLike[str] | None = None  # of a large file, to read its text later

    @property
    def is_plain_folder(self) -> bool:
        """Whether this is a folder whose files could also be datasets."""
        return isinstance(self.data, Folder) and self.data.is_plain


_KEPT = 1_000_000
"""Bytes of a file that a corpus keeps in case its words have to be compared.

A larger file is read again in that case, which is rare.
"""


def open_file(
    path: str | PathLike[str],
    format: str | None = None,
    *,
    key_format: str | None = None,
    folder: str | None = None,
) -> OpenedFile:
    """Read the bytes of a file or a folder, and detect the format if none is given.

    A response without a sign of any format has the format of the key. ``folder`` says
    what the files of a folder are; it has no meaning for a file.
    """
    data = read_input(path, folder)
    opened = open_data(data, name_of(path), format, key_format)
    is_large = isinstance(data, bytes) and len(data) > _KEPT and os.path.isfile(path)
    return opened._replace(path=path) if is_large else opened


def open_data(
    data: bytes | Folder,
    source: str,
    format: str | None = None,
    key_format: str | None = None,
) -> OpenedFile:
    """Make an opened file of data that are in memory."""
    if isinstance(data, bytes):
        data = with_line_feeds(data)
    if format is None:
        return OpenedFile(source, data, detect(data, key_format), is_detected=True)
    if FORMATS.find(format) is None:
        raise unknown("format", format, FORMATS)
    return OpenedFile(source, data, format, is_detected=False)


def pool_files(files: Sequence[OpenedFile]) -> OpenedFile:
    """Make one corpus of files that hold different documents of it."""
    first, source = files[0], ",".join(file.source for file in files)
    for file in files:
        if file.format != first.format:
            raise FormatError(
                f"this is {file.format}, but {first.source} is {first.format}. "
                "Folds of one corpus must have the same format",
                source=file.source,
                hint="`scoref convert` changes the format of a file.",
            )
    documents = [
        document
        for file in files
        for document in (
            file.data.documents
            if isinstance(file.data, Folder)
            else [DocumentFile(document_name(file.source), file.source, file.data)]
        )
    ]
    is_plain = all(
        file.is_plain_folder or isinstance(file.data, bytes) for file in files
    )
    pooled = Folder(source, first.format, tuple(documents), (), is_plain=is_plain)
    return first._replace(source=source, data=pooled, path=None)


def read_input(path: str | PathLike[str], folder: str | None = None) -> bytes | Folder:
    """Read a whole file, or all documents of a folder that is one corpus."""
    if is_folder(path):
        if folder_kind(path, folder) == "documents":
            return read_folder(path, is_detected=folder is None)
        why = why_datasets(folder_root(path))
        if folder == "datasets" and not why:
            why = "--folder datasets (folder=datasets) was given"
        if not why:
            raise no_file_error(name_of(path))
        raise FormatError(
            f"this is a folder of datasets, because {why}",
            source=name_of(path),
            hint="Give one of its files, or use --folder documents (folder=documents) "
            "to read all files as one corpus.",
        )
    data = with_line_feeds(read_bytes(path))
    is_blank = not data or data.isspace()  # which stops at the first letter
    return empty_document(name_of(path), data) if is_blank else data


def detect(data: bytes | Folder, key_format: str | None = None) -> str:
    """Detect the format of a file from its beginning.

    A response without a sign of any format has the format of the key.
    """
    if isinstance(data, Folder):
        return data.format
    return detect_format(detection_sample(data), key_format)


def read_opened(opened: OpenedFile, asked: ReadOptions) -> Corpus:
    """Read one side from an opened file.

    A file whose format was detected must show that it is annotated.
    """
    source, data, name, is_detected, path = opened
    asked = asked._replace(source=source, document=document_name(source))
    if isinstance(data, Folder):
        corpus = _read_folder(data, asked, name)
        return corpus.with_tokens() if asked.with_tokens else corpus
    if asked.reading != "reference":
        _refuse_other_files(data[:_BEGINNING], source, name)
    if is_detected:
        refuse_unclear(data, name, source)
    with _hint_at_other_format(data, name):
        corpus = _read_file(data, asked, name, path)
    if is_detected and asked.reading == "strict":
        _refuse_unannotated(corpus, data)
    return corpus.with_tokens() if asked.with_tokens else corpus


@contextmanager
def _hint_at_other_format(data: bytes, name: str) -> Iterator[None]:
    """Let an error say if the file looks like another format than the one given.

    Formats of JSON are easily confused, so their errors keep their hints.
    """
    try:
        yield
    except FormatError as error:
        other = recognise_format(detection_sample(data))
        formats = [FORMATS[one] for one in (name, other) if one]
        are_json = all(record.has_fields is not None for record in formats)
        if other not in {None, name} and not are_json:
            error.hint = (
                f"This file looks like {other}. Omit --format (format in Python)."
            )
        raise


def read_both(
    path: str | PathLike[str], format: str | None, asked: ReadOptions
) -> tuple[Corpus, Corpus]:
    """Read key and response from one file that has both, such as JSON lines."""
    if is_folder(path):
        raise FormatError(
            "this is a folder, but no response was given",
            source=name_of(path),
            hint="Give a key and a response: two files or two folders.",
        )
    opened = open_data(read_bytes(path), name_of(path), format)
    source, data, name, *_ = opened
    assert isinstance(data, bytes)
    _refuse_other_files(data[:_BEGINNING], source, name)
    if "response" not in FORMATS[name].sides_in(data):
        problem = "no response was given"
        hint = "Give a response after the key, as in `scoref KEY RESPONSE`."
        if name == JSON_LINES:
            from scoref.formats.json_documents import field_names

            problem += ", and this file has no 'predicted_clusters'"
            if fields := field_names(data):
                hint += f" The fields of this file are {fields}."
        else:
            hint += (
                " A file of JSON lines may contain both ('clusters' and "
                "'predicted_clusters')."
            )
        raise FormatError(problem, source=source, hint=hint)
    opened = opened._replace(is_detected=False)
    asked = asked._replace(is_shared=True)
    key = read_opened(opened, asked._replace(role="key"))
    return key, read_opened(opened, asked._replace(role="response"))


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
    asked = ReadOptions(
        role, reading, layer, with_tokens=with_tokens, is_shared=is_shared
    )
    return read_opened(open_file(path, format, folder=folder), asked)


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
    is_shared: bool = False,
    relations: tuple[str, ...] = (),
    splitting: Splitting | None = None,
) -> Corpus:
    """Read one side from data in memory; `ReadOptions` explains the options."""
    asked = ReadOptions(
        role,
        reading,
        layer,
        with_tokens=with_tokens,
        is_shared=is_shared,
        relations=relations,
        splitting=splitting,
    )
    return read_opened(open_data(data, source, format, key_format), asked)


def _read_file(
    data: bytes,
    asked: ReadOptions,
    name: str,
    path: str | PathLike[str] | None = None,
) -> Corpus:
    if asked.role == "response":
        _refuse_unread_response(data, name, asked.source)
    if asked.reading != "reference" and not FORMATS[name].takes_cr:
        _refuse_mixed_line_ends(data, asked.source)
    with explain_memory_errors(data, asked.source):
        corpus = FORMATS[name].read(data, asked)
    if asked.with_genres:
        from scoref.formats.genres import add_genres

        corpus = add_genres(corpus, data)
    # The corpus keeps the bytes of a small file, and none of a large one.
    kept = data if path is None or asked.with_tokens else b""

    def read_text() -> Tokens | None:
        from scoref.formats.tokens import read_tokens

        if path is None or kept:
            return read_tokens(corpus, kept)
        return read_tokens(corpus, read_lines(path))

    return dataclasses.replace(corpus, later=read_text)


def _read_folder(folder: Folder, asked: ReadOptions, name: str) -> Corpus:
    from scoref.formats.folder_corpus import join_corpora, read_plain  # rare

    if folder.is_plain:
        return read_plain(folder, asked, name, _read_file)
    if not {*FORMATS[name].endings} & {*FORMATS[folder.format].endings}:
        raise FormatError(
            f"the files of this folder are {folder.format}, not {name}",
            rule=UNREADABLE_FILE,
            source=folder.source,
            hint=f"Omit --format, or use --format {folder.format}.",
        )
    corpora = [
        _read_file(
            file.data, asked._replace(source=file.source, document=file.name), name
        )
        for file in folder.documents
    ]
    return join_corpora(corpora, folder.source, folder.notes())


_BEGINNING = 1 << 16

_USUAL = (b"#begin document", b"# ", b'{"doc_key"')
"""Beginnings of files that need no closer look."""

_PREDICTED = "predicted_clusters"


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
        "this line contains a CR. Some lines seem to end in CR, others in LF",
        rule=MIXED_LINE_ENDS,
        source=source,
        line=data.count(b"\n", 0, place) + 1,
        text=shown(data[start:].partition(b"\n")[0]),
        hint="Convert all line ends to LF.",
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
            hint=f"Write the response to a separate file in {name}, or write both "
            "sides as JSON lines.",
        )


def _refuse_other_files(start: bytes, source: str, name: str) -> None:
    """Say what a file is that no reader can read; plugins may read such files."""
    if (start.startswith(_USUAL) and b"\0" not in start) or FORMATS[name].package:
        return
    from scoref.formats.refusals import refuse_other_files

    refuse_other_files(start, source, name)


def refuse_unclear(data: bytes, name: str, source: str) -> None:
    """Refuse objects in JSON that were taken for JSON lines without any sign of it."""
    if name == JSON_LINES:
        from scoref.formats.refusals import refuse_other_json

        refuse_other_json(data, source)
