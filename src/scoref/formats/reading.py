"""Files in, columns out: what a file is, and what reads it.

A reader is a function from bytes to a `Corpus`. What a file is, is seen from
its first bytes; `scoref.formats.records` has all that is known of each format.
"""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING

from scoref.errors import FormatError, unknown
from scoref.formats._folders import (
    Folder,
    document_name,
    empty_document,
    folder_kind,
    read_folder,
    why_datasets,
)
from scoref.formats._sizes import refusing_size
from scoref.formats._text import (
    name_of,
    read_bytes,
    reading_again,
    return_in_line,
    shown,
    with_line_feeds,
)
from scoref.formats.format import (
    JSON_LINES,
    Asked,
    Narrowed,
    Role,
)
from scoref.formats.records import FORMATS, recognised, telling
from scoref.rules import MIXED_LINE_ENDS, UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from scoref.formats.format import Splitting
    from scoref.model import Corpus, Tokens
    from scoref.scheme import Layer, Reading

_BEGINNING = 1 << 16
_PREDICTED = "predicted_clusters"
_USUAL = (b"#begin document", b"# ", b'{"doc_key"')
"""How files begin that need no second look."""


def read(  # noqa: PLR0913 - what a file is, and how to read it
    path: str | PathLike[str],
    *,
    role: Role,
    format: str | None = None,  # noqa: A002 - the name that users type
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
    if os.path.isdir(path):  # noqa: PTH112 - pathlib takes 5 ms to load
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


def read_data(  # noqa: PLR0913 - what a file is, and how to read it
    data: bytes | Folder,
    *,
    source: str,
    role: Role,
    format: str | None = None,  # noqa: A002
    key_format: str | None = None,
    reading: Reading = "strict",
    layer: Layer = "identity",
    with_tokens: bool = False,
    with_genres: bool = False,
    is_shared: bool = False,
    again: Callable[[], bytes] | None = None,
    splitting: Splitting | None = None,
    narrowed: Narrowed | None = None,
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
    asked = Asked(
        source,
        role,
        reading,
        layer,
        document_name(source),
        is_shared=is_shared,
        splitting=splitting,
        **(narrowed or Narrowed())._asdict(),
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
    asked: Asked,
    name: str,
    again: Callable[[], bytes] | None = None,
    *,
    with_genres: bool,
) -> Corpus:
    if asked.role == "response":
        _refuse_unread_response(data, name, asked.source)
    if asked.reading != "reference" and not FORMATS[name].takes_cr:
        _refuse_mixed_line_ends(data, asked.source)
    with refusing_size(data, asked.source):
        corpus = FORMATS[name].read(data, asked)
    if with_genres:
        from scoref.formats.genres import with_genres as saying  # noqa: PLC0415

        corpus = saying(corpus, data)
    return _promising(corpus, again or (lambda: data))


def _promising(corpus: Corpus, again: Callable[[], bytes]) -> Corpus:
    """Keep a way to the text, which most do not want."""

    def later() -> Tokens | None:
        from scoref.formats.tokens import read_tokens  # noqa: PLC0415 - if wanted

        return read_tokens(corpus, again())

    return dataclasses.replace(corpus, later=later)


def _read_folder(
    folder: Folder,
    asked: Asked,
    format: str | None,  # noqa: A002
    *,
    with_genres: bool,
) -> Corpus:
    from scoref.formats._joining import joined  # noqa: PLC0415 - folders are rare
    from scoref.formats._plain_folders import read_plain  # noqa: PLC0415

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


def read_both(  # noqa: PLR0913 - what a file is, and how to read it
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    reading: Reading = "strict",
    with_tokens: bool = False,
    with_genres: bool = False,
    narrowed: Narrowed | None = None,
) -> tuple[Corpus, Corpus]:
    """Read key and response from one file that holds both, such as JSON lines."""
    if os.path.isdir(path):  # noqa: PTH112 - 5 ms
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
    from scoref.formats._json_values import field_names  # noqa: PLC0415 - rarely

    fields = field_names(data)
    return f"its fields are {fields}; {wanted}" if fields else wanted


def _reader(*, with_genres: bool) -> Callable[[bytes, Asked, str], Corpus]:
    def read_one(data: bytes, asked: Asked, name: str) -> Corpus:
        return _read_file(data, asked, name, with_genres=with_genres)

    return read_one


def read_response(  # noqa: PLR0913 - what a file is, and how to read it
    path: str | PathLike[str],
    *,
    format: str | None,  # noqa: A002
    key_format: str,
    reading: Reading,
    layer: Layer = "identity",
    with_tokens: bool = False,
    narrowed: Narrowed | None = None,
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
    return recognised(telling(data), key_format)


def _refuse_unannotated(corpus: Corpus, data: bytes) -> None:
    """Refuse a file without a mention, unless something says what it is."""
    if len(corpus.mention_entity):
        return
    from scoref.formats._unannotated import unannotated  # noqa: PLC0415 - rarely

    error = unannotated(data, corpus.format, corpus.source)
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
    from scoref.formats._json_values import has_field  # noqa: PLC0415 - rarely

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
    from scoref.formats._refusals import refuse_other_files  # noqa: PLC0415 - rarely

    refuse_other_files(start, source, name)


def refuse_unclear(data: bytes, name: str, source: str) -> None:
    """Refuse objects in JSON that were taken for JSON lines without any sign of it."""
    if name == JSON_LINES:
        from scoref.formats._json_refusals import refuse_other_json  # noqa: PLC0415

        refuse_other_json(data, source)


def _known(name: str) -> str:
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    return name
