"""Folders: one corpus with a file for each document, or a file for each dataset.

    books/one.ann    books/one.txt      a document of brat, called ``one``
    books/two.ann    books/two.txt

Some formats always have a file for each document; their records say which endings
make a document and which files belong to it. In all other formats, a file may hold
many documents. `folder_kind` decides whether such files are documents or datasets.
Formats are detected from the content. Other files are skipped and counted.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError, OptionError
from scoref.formats.catalogue import (
    CONLL_2012,
    FORMATS,
    JSON,
    JSON_LINES,
    detect_format,
    detect_json_format,
    detection_sample,
)
from scoref.formats.input_files import decode_text, read_lines
from scoref.rules import REPEATED_DOCUMENT, UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scoref.model import Note
    from scoref.scheme import FolderKind


_PACKED = (".gz", ".xz")

_BEGINNING = 1 << 16

_DATASETS = (".conllu", ".conll", "_conll", ".conllua", ".ua", ".jsonl", ".jsonlines")

_NAMED = 5

_ENDING = re.compile(
    r"\.(?:conllu|conll|conllua|ua|jsonl|jsonlines|json|txt|\w*conll)$"
)

_ROLE = re.compile(
    r"[._-](?:gold|key|response|pred|predicted|predictions|sys|system|out|output)$"
)

_DATASET_NAME = re.compile(
    r"[a-z]{2,3}_[a-z0-9]+(?:-corefud(?:-[a-z0-9]+)?|-(?:mini)?(?:train|dev|test))"
)
"""What CorefUD calls its datasets: ca_ancora-corefud-dev."""

_BEGIN = re.compile(
    rb"^#begin document[ \t]+(.*?)(?:;[ \t]*part\b.*)?\s*$", re.MULTILINE
)

_NEWDOC = re.compile(rb"^#[ \t]*newdoc\b[^\n]*", re.MULTILINE)


class DocumentFile(NamedTuple):
    """A file that is a document: what it is called, and where it lies."""

    name: str
    source: str
    data: bytes


class Folder(NamedTuple):
    """The documents of a folder, all of one format, and what else lies there."""

    source: str
    format: str
    documents: tuple[DocumentFile, ...]
    others: tuple[str, ...]  # endings of files that were passed over
    special: tuple[str, ...] = ()  # messages about what is not a regular file
    is_plain: bool = False  # whether its files could be datasets as well
    is_detected: bool = False  # whether nobody said that they are documents

    def notes(self) -> list[Note]:
        """Say that files were taken for documents, and what else is in the folder."""
        from scoref.model import Note

        notes = [Note("special-files", 1, message) for message in self.special]
        if self.is_detected:
            message = (
                f"{self.source}: a folder of {len(self.documents)} documents, read as "
                "one corpus; --folder datasets scores each file as a dataset"
            )
            notes.append(Note("folder", len(self.documents), message))
        count = len(self.others)
        if not count:
            return notes
        known = Counter(ending or "no ending" for ending in self.others)
        endings = ", ".join(f"{each}: {known[each]}" for each in list(known)[:_NAMED])
        files = "file is" if count == 1 else "files are"
        message = f"{self.source}: {count} other {files} passed over ({endings})"
        return [*notes, Note("other-files", count, message)]


def folder_kind(
    path: str | os.PathLike[str], asked: str | None = None
) -> FolderKind | None:
    """Tell whether the files of a folder are documents or datasets; None for a file.

    Without ``asked``, they are datasets if one of them has several documents or is
    called as CorefUD calls its datasets.

    Raises:
        OptionError: there is no choice to make.
    """
    if not os.path.isdir(path):
        if asked is None:
            return None
        raise OptionError(
            f"folder={asked} (--folder {asked}) is for folders of keys, and '{path}' "
            "is not a folder: leave it out. The files of a folder of responses are "
            "then documents"
        )
    source = os.fspath(path)
    if _is_of_documents(regular_files(source)):
        if asked == "datasets":
            raise OptionError(
                f"folder=datasets (--folder datasets): in '{path}' every file is one "
                "document of its format, so the folder is one corpus"
            )
        return "documents"
    if asked == "documents":
        return "documents"
    is_empty = not any(map(is_data, regular_files(source)))
    return "datasets" if asked or is_empty or why_datasets(source) else "documents"


def why_datasets(folder: str) -> str:
    """Say why the files of a folder are datasets; an empty text if they are not."""
    files = [file for file in regular_files(folder) if is_data(file)]
    for file in files:
        if _DATASET_NAME.fullmatch(os.path.basename(dataset_name(file)).lower()):
            return f"'{os.path.relpath(file, folder)}' is called like one of CorefUD's"
    for file in files:
        if _has_several_documents(file):
            return f"'{os.path.relpath(file, folder)}' has several documents"
    return ""


def is_corpus(path: str | os.PathLike[str], asked: str | None = None) -> bool:
    """Tell a folder whose files are documents from a file, or a folder of datasets."""
    return folder_kind(path, asked) == "documents"


def is_datasets(path: str | os.PathLike[str], asked: str | None = None) -> bool:
    """Tell a folder of datasets from a file, and from a folder that is one corpus."""
    return folder_kind(path, asked) == "datasets"


def dataset_name(file: str) -> str:
    """Leave out the ending of a file, and what says that it is a key or a response.

    >>> dataset_name("gold/en_gum-corefud-dev.gold.conllu.gz")
    'gold/en_gum-corefud-dev'
    """
    return _ROLE.sub("", _ENDING.sub("", _unpacked(file)))


def has_data_ending(file: str) -> bool:
    """Tell by its name whether a file may be scored."""
    name = os.path.basename(_unpacked(file))
    return not name.startswith(".") and _ENDING.search(name) is not None


def is_data(file: str) -> bool:
    """Tell a file that may be scored from others, such as a README."""
    if not has_data_ending(file):
        return False
    if not _unpacked(file).endswith((".txt", ".json")):
        return True
    start = _beginning(file)
    if start[:1] in JSON:
        return detect_json_format(start) is not None
    sign = FORMATS[detect_format(start)].annotation
    return sign is not None and sign.search(start) is not None


def _has_several_documents(file: str) -> bool:
    """Tell whether a file has more than one document; parts of one are one."""
    try:
        data = read_lines(file)
        name = detect_format(detection_sample(data))
        if name == CONLL_2012:
            return len({*_BEGIN.findall(data)}) > 1
        if FORMATS[name].kind != "spans":
            return len({*_NEWDOC.findall(data)}) > 1
        if name == JSON_LINES:
            from scoref.formats.json_documents import values

            return sum(1 for _ in values(data, file)) > 1
        from scoref.formats.reading import read_data  # reads folders

        return len(read_data(data, source=file, role="key").documents) > 1
    except FormatError:
        return False  # reading it will say why


def read_folder(path: str | os.PathLike[str], *, is_detected: bool = False) -> Folder:
    """Read the files of a folder; its format is that of all of them.

    Raises:
        FormatError: there are two formats, or none.
    """
    source = os.fspath(path)
    files = list(regular_files(source))
    if not _is_of_documents(files):
        return _read_plain(source, files, is_detected=is_detected)
    found = _only_format(source, files)
    endings = FORMATS[found].endings
    mine = [file for file in files if _ending(file, endings)]
    documents = tuple(_document(source, file, found) for file in mine)
    _refuse_repeated(documents, source)
    beside = {
        _without(file, _ending(file, endings)) + ending
        for file in mine
        for ending in FORMATS[found].companions
    }
    known = set(mine)
    others = [
        _suffix(file)
        for file in files
        if file not in known and _unpacked(file) not in beside
    ]
    return Folder(source, found, documents, tuple(others), special_files(source))


def _is_of_documents(files: Iterable[str]) -> bool:
    """Tell whether files are of a format that always has one document a file."""
    return any(_format_of(file) is not None for file in files)


def _read_plain(source: str, files: list[str], *, is_detected: bool) -> Folder:
    """Read files of a format in which a file may hold many documents."""
    mine = [file for file in files if is_data(file)]
    if not mine:
        raise no_file_error(source)
    data = {file: read_lines(file) for file in mine}
    name = _plain_format(source, data)
    documents = tuple(
        DocumentFile(
            dataset_name(os.path.relpath(file, source)).replace(os.sep, "/"), file, each
        )
        for file, each in data.items()
    )
    _refuse_repeated(documents, source)
    others = tuple(_suffix(file) for file in files if file not in data)
    return Folder(
        source,
        name,
        documents,
        others,
        special_files(source),
        is_plain=True,
        is_detected=is_detected,
    )


def _plain_format(source: str, data: Mapping[str, bytes]) -> str:
    """Find the format that all files have; one without annotations is as the others."""
    starts = {file: detection_sample(each) for file, each in data.items()}
    by_file = {file: detect_format(start) for file, start in starts.items()}
    is_signed = {
        file: (sign := FORMATS[name].annotation) is None
        or bool(sign.search(starts[file]))
        for file, name in by_file.items()
    }
    first = next((file for file in data if is_signed[file]), next(iter(data)))
    name = by_file[first]
    for file, start in starts.items():
        if not start:
            raise FormatError(
                "this file is empty",
                rule=UNREADABLE_FILE,
                source=file,
                hint=f"expected {FORMATS[name].text}",
            )
        if detect_format(start, name) != name:
            raise _two_formats(source, (first, name), (file, by_file[file]))
    return name


def _two_formats(
    source: str, one: tuple[str, str], other: tuple[str, str]
) -> FormatError:
    return FormatError(
        f"there are two formats in this folder: '{one[0]}' is {one[1]}, '{other[0]}' "
        f"is {other[1]}",
        rule=UNREADABLE_FILE,
        source=source,
        hint="the documents of a corpus have one format: keep formats apart, or give "
        "--folder datasets if each file is a dataset",
    )


def no_file_error(folder: str) -> FormatError:
    """Say that a folder has no file of a known format."""
    return FormatError(
        "there is no file to score in this folder",
        source=folder,
        hint="expected a file for each dataset, such as xx_name-dev.conllu, or a file "
        "for each document",
    )


def empty_document(source: str, data: bytes) -> bytes | Folder:
    """Take a file without anything for a document, where only its name says so."""
    owners = (name for name, each in FORMATS.items() if each.owns_endings)
    for name in owners:
        if _ending(source, FORMATS[name].endings):
            document = DocumentFile(document_name(source), source, data)
            return Folder(source, name, (document,), ())
    return data


def document_name(source: str) -> str:
    """Call a document by its file, where the file does not say what it is called.

    >>> document_name("books/one.ann"), document_name("a.txt.json.gz")
    ('one', 'a.txt')
    """
    name = os.path.basename(_unpacked(source))
    return os.path.splitext(name)[0]


def read_companion(source: str, ending: str) -> tuple[str, bytes] | None:
    """Read the file of the same name with another ending, if there is one."""
    stem = os.path.splitext(_unpacked(source))[0]
    for packed in ("", *_PACKED):
        path = f"{stem}{ending}{packed}"
        if os.path.isfile(path):
            return path, read_lines(path)
    return None


def read_companion_text(source: str, ending: str) -> str:
    """Read the text that belongs to a file of annotations."""
    found = read_companion(source, ending)
    if found is None:
        raise FormatError(
            "there is no text beside these annotations",
            rule=UNREADABLE_FILE,
            source=source,
            hint="give the path of the file, which is read with the one beside it"
            if source.startswith("<")
            else f"expected a file {document_name(source)}{ending} in the same folder",
        )
    path, data = found
    return decode_text(data, path)


def special_files(folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """Say which files of a folder are skipped: reading a pipe or device may hang."""
    return tuple(
        f"{file} was skipped, because it is not a regular file"
        for file in _paths(os.fspath(folder))
        if _is_special(file)
    )


def _is_special(file: str) -> bool:
    """Tell pipes, sockets and devices from regular files."""
    try:
        return not stat.S_ISREG(os.stat(file).st_mode)
    except (OSError, ValueError):
        return False  # reading it will say why


def regular_files(folder: str) -> Iterator[str]:
    """List the regular files of a folder and of those in it, by their names."""
    return (file for file in _paths(folder) if not _is_special(file))


def _paths(folder: str) -> Iterator[str]:
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield os.path.join(path, name)


def _format_of(file: str) -> str | None:
    """See whether a file is a document, and of which format."""
    candidates = [each for each in FORMATS.values() if _ending(file, each.endings)]
    if not candidates:
        return None
    found = detect_format(_beginning(file))
    if any(found == each.name for each in candidates):
        return found
    # Nothing else ends so.
    owners = (each.name for each in candidates if each.owns_endings)
    return next(owners, None)


def _only_format(source: str, files: list[str]) -> str:
    """Find the format of a folder, of which there may be one."""
    by_format: dict[str, str] = {}
    for file in files:
        is_empty = not _beginning(file).strip() if _is_owned(file) else False
        found = None if is_empty else _format_of(file) or _dataset_format(file)
        if found is not None:
            by_format.setdefault(found, file)
    if len(by_format) > 1:
        (one, first), (other, second), *_ = by_format.items()
        raise _two_formats(source, (first, one), (second, other))
    empty = (name for name in map(_format_of, files) if name is not None)
    return next(iter(by_format), None) or next(empty)


def _refuse_repeated(documents: tuple[DocumentFile, ...], source: str) -> None:
    """Refuse two files for one document: one of them is packed, or ends otherwise."""
    known: dict[str, str] = {}
    for document in documents:
        first = known.setdefault(document.name, document.source)
        if first != document.source:
            raise FormatError(
                f"'{first}' and '{document.source}' are both document "
                f"'{document.name}'",
                rule=REPEATED_DOCUMENT,
                source=source,
                hint="keep one file for each document",
            )


def _is_owned(file: str) -> bool:
    return any(
        each.owns_endings and _ending(file, each.endings) for each in FORMATS.values()
    )


def _dataset_format(file: str) -> str | None:
    """Say what a file is that is no document, but a dataset."""
    is_dataset = _unpacked(file).lower().endswith(_DATASETS)
    return detect_format(_beginning(file)) if is_dataset else None


def _document(folder: str, file: str, name: str) -> DocumentFile:
    """Read a file, which must be of the folder's format or, maybe, empty."""
    data = read_lines(file)
    start = detection_sample(data)
    record = FORMATS[name]
    found = detect_format(start) if start else name
    if found != name and not record.owns_endings:
        raise FormatError(
            f"this is not {name}, as the other files of {folder} are",
            rule=UNREADABLE_FILE,
            source=file,
            hint=f"expected {record.text}",
        )
    relative = os.path.relpath(file, folder).replace(os.sep, "/")
    return DocumentFile(
        _without(relative, _ending(relative, record.endings)), file, data
    )


def _beginning(file: str) -> bytes:
    """Read what tells of a file what it is; it may be packed."""
    if file.endswith(_PACKED):
        data = read_lines(file)
    else:
        try:
            with open(file, "rb") as opened:
                data = opened.read(_BEGINNING)
                data += opened.read() if detection_sample(data)[:1] in JSON else b""
        except OSError:
            return b""  # reading it will say why
    return detection_sample(data)


def _ending(file: str, endings: tuple[str, ...]) -> str:
    """Give the ending of a file, if it is one of these."""
    name = _unpacked(file)
    return next((each for each in endings if name.endswith(each)), "")


def _without(file: str, ending: str) -> str:
    return _unpacked(file).removesuffix(ending)


def _unpacked(file: str) -> str:
    for ending in _PACKED:
        file = file.removesuffix(ending)
    return file


def _suffix(file: str) -> str:
    return os.path.splitext(_unpacked(file))[1]
