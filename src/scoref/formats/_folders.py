"""Folders that are one corpus: a document a file, named by its path.

    books/one.ann    books/one.txt      a document of brat, called ``one``
    books/two.ann    books/two.txt

Which endings make a document, and what lies beside it, is said by the records of
formats; what the files are is seen from their content. Other files are passed over and
counted. A folder without any such file is no corpus, but one of datasets.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats._text import decoded, read_lines
from scoref.formats.records import FORMATS, JSON, recognised, telling
from scoref.rules import REPEATED_DOCUMENT, UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Note

_PACKED = (".gz", ".xz")
_BEGINNING = 1 << 16
_DATASETS = (".conllu", ".conll", "_conll", ".conllua", ".ua", ".jsonl", ".jsonlines")
_NAMED = 5


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

    def notes(self) -> list[Note]:
        """Say what else lies in the folder."""
        from scoref.model import Note  # noqa: PLC0415 - NumPy

        count = len(self.others)
        special = [Note("special-files", 1, message) for message in self.special]
        if not count:
            return special
        known = Counter(ending or "no ending" for ending in self.others)
        endings = ", ".join(f"{each}: {known[each]}" for each in list(known)[:_NAMED])
        files = "file is" if count == 1 else "files are"
        message = f"{self.source}: {count} other {files} passed over ({endings})"
        return [*special, Note("other-files", count, message)]


def is_corpus(path: str | os.PathLike[str]) -> bool:
    """Tell a folder whose files are documents from a file, or a folder of datasets."""
    if not os.path.isdir(path):  # noqa: PTH112 - pathlib takes 5 ms to load
        return False
    return any(_format_of(file) is not None for file in _files(os.fspath(path)))


def is_datasets(path: str | os.PathLike[str]) -> bool:
    """Tell a folder of datasets from a file, and from a folder that is one corpus."""
    is_there = os.path.isdir(path)  # noqa: PTH112
    return is_there and not is_corpus(path)


def read_folder(path: str | os.PathLike[str]) -> Folder:
    """Read the files of a folder; its format is that of all of them.

    Raises:
        FormatError: there are two formats, or none.
    """
    source = os.fspath(path)
    files = list(_files(source))
    found = _only_format(source, files)
    endings = FORMATS[found].endings
    mine = [file for file in files if _ending(file, endings)]
    documents = tuple(_document(source, file, found) for file in mine)
    _refuse_repeated(documents, source)
    beside = {
        _without(file, _ending(file, endings)) + ending
        for file in mine
        for ending in FORMATS[found].beside
    }
    known = set(mine)
    others = [
        _suffix(file)
        for file in files
        if file not in known and _unpacked(file) not in beside
    ]
    return Folder(source, found, documents, tuple(others), special_files(source))


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
    name = os.path.basename(_unpacked(source))  # noqa: PTH119
    return os.path.splitext(name)[0]  # noqa: PTH122


def read_beside(source: str, ending: str) -> tuple[str, bytes] | None:
    """Read the file of the same name with another ending, if there is one."""
    stem = os.path.splitext(_unpacked(source))[0]  # noqa: PTH122
    for packed in ("", *_PACKED):
        path = f"{stem}{ending}{packed}"
        if os.path.isfile(path):  # noqa: PTH113
            return path, read_lines(path)
    return None


def text_beside(source: str, ending: str) -> str:
    """Read the text that belongs to a file of annotations."""
    found = read_beside(source, ending)
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
    return decoded(data, path)


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
        return not stat.S_ISREG(os.stat(file).st_mode)  # noqa: PTH116
    except (OSError, ValueError):
        return False  # reading it will say why


def _files(folder: str) -> Iterator[str]:
    """List the regular files of a folder and of those in it, by their names."""
    return (file for file in _paths(folder) if not _is_special(file))


def _paths(folder: str) -> Iterator[str]:
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield os.path.join(path, name)  # noqa: PTH118


def _format_of(file: str) -> str | None:
    """See whether a file is a document, and of which format."""
    candidates = [each for each in FORMATS.values() if _ending(file, each.endings)]
    if not candidates:
        return None
    found = recognised(_beginning(file))
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
        raise FormatError(
            f"there are two formats in this folder: '{first}' is {one}, '{second}' is "
            f"{other}",
            rule=UNREADABLE_FILE,
            source=source,
            hint="a folder is one corpus, in one format: keep them apart",
        )
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
    return recognised(_beginning(file)) if is_dataset else None


def _document(folder: str, file: str, name: str) -> DocumentFile:
    """Read a file, which must be of the folder's format or, maybe, empty."""
    data = read_lines(file)
    start = telling(data)
    record = FORMATS[name]
    found = recognised(start) if start else name
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
            with open(file, "rb") as opened:  # noqa: PTH123
                data = opened.read(_BEGINNING)
                data += opened.read() if telling(data)[:1] in JSON else b""
        except OSError:
            return b""  # reading it will say why
    return telling(data)


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
    return os.path.splitext(_unpacked(file))[1]  # noqa: PTH122
