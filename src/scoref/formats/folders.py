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
from itertools import chain
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple
from scoref.errors import FormatError, OptionError, quoted
from scoref.formats.catalogue import (
    CONLL_2012,
    FORMATS,
    JSON,
    JSON_LINES,
    detect_format,
    detect_json_format,
    detection_sample,
)
from scoref.formats.input_files import decode_text, is_zip, read_lines
from scoref.lazy import pattern
from scoref.notes import WARNING
from scoref.rules import REPEATED_DOCUMENT, UNREADABLE_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scoref.formats.projects import ProjectPath
    from scoref.model import Note
    from scoref.scheme import FolderKind


class DocumentFile(NamedTuple):
    """A file that is a document: the name of the document, its path and its bytes."""

    name: str
    source: str
    data: bytes


class Folder(NamedTuple):
    """The documents of a folder, all of one format, and its other files."""

    source: str
    format: str
    documents: tuple[DocumentFile, ...]
    others: tuple[str, ...]  # endings of files that were skipped
    special: tuple[str, ...] = ()  # messages about files that are not regular
    is_plain: bool = False  # whether its files could be datasets as well
    is_detected: bool = False  # whether --folder was not given
    missing: tuple[str, ...] = ()  # documents of a project that this annotator lacks

    def notes(self) -> list[Note]:
        """Say that files are read as documents, and which files were skipped."""
        from scoref.model import Note

        notes = [Note("special-files", 1, message) for message in self.special]
        if self.is_detected:
            count = len(self.documents)
            documents = "1 document" if count == 1 else f"{count:,} documents"
            message = (
                f"{self.source} is a folder of {documents}, read as one corpus. Use "
                "--folder datasets to score each file as a dataset."
            )
            notes.append(Note("folder", len(self.documents), message))
        if count := len(self.missing):
            total = count + len(self.documents)
            missing = f"{'is' if count == 1 else 'are'} missing"
            message = (
                f"{self.source}: {count:,} of {total:,} documents of the project "
                f"{missing} ({quoted(self.missing)})."
            )
            notes.append(Note("missing-documents", count, message))
        if count := len(self.others):
            by_ending = Counter(ending or "no ending" for ending in self.others)
            endings = ", ".join(
                f"{ending}: {number}" for ending, number in [*by_ending.items()][:5]
            )
            files = "other file was" if count == 1 else "other files were"
            message = f"{self.source}: {count:,} {files} skipped ({endings})."
            notes.append(Note("other-files", count, message))
        return notes


def folder_kind(
    path: str | os.PathLike[str], asked: str | None = None
) -> FolderKind | None:
    """Return whether the files of a folder are documents or datasets; None for a file.

    ``asked`` decides if it is given. Otherwise, the files are datasets if one of them
    has several documents or is named like the datasets of CorefUD.

    Raises:
        OptionError: ``asked`` is not possible for this path.
    """
    if not is_folder(path):
        if asked is None:
            return None
        raise OptionError(
            f"folder={asked} (--folder {asked}) is for folders of keys, and '{path}' "
            "is not a folder. Omit it"
        )
    source = folder_root(path)
    if _project_at(path) is not None or _is_of_documents(regular_files(source)):
        if asked == "datasets":
            raise OptionError(
                f"folder=datasets (--folder datasets) does not suit '{path}': each "
                "file is one document in its format, so the folder is one corpus"
            )
        return "documents"
    if asked == "documents":
        return "documents"
    is_empty = not any(map(is_data, regular_files(source)))
    return "datasets" if asked or is_empty or why_datasets(source) else "documents"


_DATASET_NAME = pattern(
    r"[a-z]{2,3}_[a-z0-9]+(?:-corefud(?:-[a-z0-9]+)?|-(?:mini)?(?:train|dev|test))"
)
"""The names of datasets in CorefUD, such as ca_ancora-corefud-dev."""


def why_datasets(folder: str) -> str:
    """Say why the files of a folder are datasets; an empty text if they are not."""
    files = [file for file in regular_files(folder) if is_data(file)]
    for file in files:
        if _DATASET_NAME.fullmatch(os.path.basename(dataset_name(file)).lower()):
            return (
                f"'{os.path.relpath(file, folder)}' is named like a dataset of CorefUD"
            )
    for file in files:
        if _has_several_documents(file):
            return f"'{os.path.relpath(file, folder)}' has several documents"
    return ""


def is_corpus(path: str | os.PathLike[str], asked: str | None = None) -> bool:
    """Check whether a path is a folder whose files are documents."""
    return folder_kind(path, asked) == "documents"


def is_datasets(path: str | os.PathLike[str], asked: str | None = None) -> bool:
    """Check whether a path is a folder whose files are datasets."""
    return asked != "documents" and folder_kind(path, asked) == "datasets"


def refuse_without_folder(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse ``--folder documents`` if none of the paths is a folder."""
    if not any(map(is_folder, paths)):
        raise OptionError(
            "folder=documents (--folder documents) is for folders, but all paths are "
            "files. Omit it"
        )


_ENDING = pattern(r"\.(?:conllu|conll|conllua|ua|jsonl|jsonlines|json|txt|\w*conll)$")

_ROLE = pattern(
    r"[._-](?:gold|key|response|pred|predicted|predictions|sys|system|out|output)$"
)


def dataset_name(file: str) -> str:
    """Return the name of a file without its ending and its role, such as ``gold``.

    >>> dataset_name("gold/en_gum-corefud-dev.gold.conllu.gz")
    'gold/en_gum-corefud-dev'
    """
    return _ROLE.sub("", _ENDING.sub("", _without_packing(file)))


def has_data_ending(file: str) -> bool:
    """Check by its name whether a file may be scored."""
    name = os.path.basename(_without_packing(file))
    return not name.startswith(".") and _ENDING.search(name) is not None


def is_data(file: str) -> bool:
    """Check whether a file may be scored; a README may not."""
    if not has_data_ending(file):
        return False
    if not _without_packing(file).endswith((".txt", ".json")):
        return True
    start = _sample(file)
    if start[:1] in JSON:
        return detect_json_format(start) is not None
    sign = FORMATS[detect_format(start)].annotation
    return sign is not None and sign.search(start) is not None


def scorable_names(folder: str) -> set[str]:
    """Return the names of a folder's documents or datasets, by the paths of files."""
    return {
        dataset_name(name) if has_data_ending(name) else os.path.splitext(name)[0]
        for file in regular_files(folder)
        if is_data(file) or _document_format(file) is not None
        for name in [_without_packing(os.path.relpath(file, folder))]
    }


_BEGIN = pattern(rb"^#begin document[ \t]+(.*?)(?:;[ \t]*part\b.*)?\s*$", re.MULTILINE)

_NEWDOC = pattern(rb"^#[ \t]*newdoc\b[^\n]*", re.MULTILINE)


def _has_several_documents(file: str) -> bool:
    """Check whether a file has more than one document; parts of one count as one."""
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
        return False  # reading the file reports it


def read_folder(path: str | os.PathLike[str], *, is_detected: bool = False) -> Folder:
    """Read the files of a folder, which must have the same format.

    Raises:
        FormatError: there are two formats, or none.
    """
    place = _project_at(path)
    if place is not None:
        from scoref.formats.projects import read_project

        return read_project(place)
    source = folder_root(path)
    files = list(regular_files(source))
    if not _is_of_documents(files):
        return _read_plain_folder(source, files, is_detected=is_detected)
    name = _format_of_folder(source, files)
    record = FORMATS[name]
    members = [file for file in files if _ending(file, record.endings)]
    documents = tuple(_read_document(source, file, name) for file in members)
    _refuse_repeated(documents, source)
    companions = {
        _without_packing(file).removesuffix(_ending(file, record.endings)) + ending
        for file in members
        for ending in record.companions
    }
    known = set(members)
    others = [
        _suffix(file)
        for file in files
        if file not in known and _without_packing(file) not in companions
    ]
    return Folder(source, name, documents, tuple(others), special_files(source))


def _is_of_documents(files: Iterable[str]) -> bool:
    """Check whether files are of a format that always has one document per file.

    Plugins are asked about files if scoref can read none of them.
    """
    names = list(files)
    if any(_document_format(file) is not None for file in names):
        return True
    if not names or any(map(has_data_ending, names)):
        return False
    FORMATS.with_plugins()
    return any(_document_format(file) is not None for file in names)


def _document_format(file: str) -> str | None:
    """Return the format of a file that is always one document, or None."""
    candidates = [
        record for record in FORMATS.values() if _ending(file, record.endings)
    ]
    if not candidates:
        return None
    name = detect_format(_sample(file))
    if any(name == record.name for record in candidates):
        return name
    owners = (record.name for record in candidates if record.owns_endings)
    return next(owners, None)


_DATASETS = (".conllu", ".conll", "_conll", ".conllua", ".ua", ".jsonl", ".jsonlines")


def _format_of_folder(source: str, files: list[str]) -> str:
    """Return the format of all documents; a dataset among them is a second format."""
    owned = chain.from_iterable(
        record.endings for record in FORMATS.values() if record.owns_endings
    )
    endings = tuple(owned)
    by_format: dict[str, str] = {}
    for file in files:
        if _ending(file, endings) and not _sample(file).strip():
            continue  # an empty document has no sign of its format
        name = _document_format(file)
        if name is None and _without_packing(file).lower().endswith(_DATASETS):
            name = detect_format(_sample(file))
        if name is not None:
            by_format.setdefault(name, file)
    if len(by_format) > 1:
        (one, first), (other, second), *_ = by_format.items()
        raise _two_formats(source, (first, one), (second, other))
    empty = (name for name in map(_document_format, files) if name is not None)
    return next(iter(by_format), None) or next(empty)


def _read_document(folder: str, file: str, name: str) -> DocumentFile:
    """Read a file, which must be of the folder's format or empty."""
    data = read_lines(file)
    start = detection_sample(data)
    record = FORMATS[name]
    if start and not record.owns_endings and detect_format(start) != name:
        raise FormatError(
            f"this is not {name}, as the other files of {folder} are",
            rule=UNREADABLE_FILE,
            source=file,
            hint=f"Expected {record.text}.",
        )
    relative = os.path.relpath(file, folder).replace(os.sep, "/")
    ending = _ending(relative, record.endings)
    return DocumentFile(_without_packing(relative).removesuffix(ending), file, data)


def _read_plain_folder(source: str, files: list[str], *, is_detected: bool) -> Folder:
    """Read files of a format in which a file may hold many documents."""
    data = {file: read_lines(file) for file in files if is_data(file)}
    if not data:
        raise no_file_error(source)
    name = _plain_format(source, data)
    documents = tuple(
        DocumentFile(
            dataset_name(os.path.relpath(file, source)).replace(os.sep, "/"),
            file,
            content,
        )
        for file, content in data.items()
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
    """Return the format of all files; a file without annotations is like the others."""
    starts = {file: detection_sample(content) for file, content in data.items()}
    by_file = {file: detect_format(start) for file, start in starts.items()}
    is_annotated = {
        file: (sign := FORMATS[name].annotation) is None
        or bool(sign.search(starts[file]))
        for file, name in by_file.items()
    }
    first = next((file for file in data if is_annotated[file]), next(iter(data)))
    name = by_file[first]
    for file, start in starts.items():
        if not start:
            raise FormatError(
                "this file is empty",
                rule=UNREADABLE_FILE,
                source=file,
                hint=f"Expected {FORMATS[name].text}.",
            )
        if detect_format(start, name) != name:
            raise _two_formats(source, (first, name), (file, by_file[file]))
    return name


def _refuse_repeated(documents: tuple[DocumentFile, ...], source: str) -> None:
    """Refuse two files for one document, such as a plain and a packed one."""
    known: dict[str, str] = {}
    for document in documents:
        first = known.setdefault(document.name, document.source)
        if first != document.source:
            raise FormatError(
                f"'{first}' and '{document.source}' are both document "
                f"'{document.name}'",
                rule=REPEATED_DOCUMENT,
                source=source,
                hint="Keep one file for each document.",
            )


def _two_formats(
    source: str, one: tuple[str, str], other: tuple[str, str]
) -> FormatError:
    return FormatError(
        f"there are two formats in this folder: '{one[0]}' is {one[1]}, '{other[0]}' "
        f"is {other[1]}",
        rule=UNREADABLE_FILE,
        source=source,
        hint="Use one format for all documents of a corpus, or --folder datasets if "
        "each file is a dataset.",
    )


def no_file_error(folder: str) -> FormatError:
    """Return the error of a folder without a file of a known format."""
    hint = (
        "Expected a file for each dataset, such as xx_name-dev.conllu, or a file for "
        "each document."
    )
    for file in filter(_is_archive, _paths(folder)):
        hint = f"Unpack {os.path.relpath(file, folder)} first."
    return FormatError(
        "there is no file to score in this folder", source=folder, hint=hint
    )


def empty_document(source: str, data: bytes) -> bytes | Folder:
    """Return an empty file as a document if its name shows its format."""
    for name, record in FORMATS.items():
        if record.owns_endings and _ending(source, record.endings):
            document = DocumentFile(document_name(source), source, data)
            return Folder(source, name, (document,), ())
    return data


_EXPORTED = pattern(
    r"(?:^|/)(?:annotation|curation)/([^/]+)/[^/]+\.(?:zip|xmi|json|tsv)(?:/[^/]+)?$"
)


def document_name(source: str) -> str:
    """Return the name of a document in a file that does not name it.

    >>> document_name("books/one.ann"), document_name("a.txt.json.gz")
    ('one', 'a.txt')

    A file of a project export is named by its annotator, so its folder names the
    document.

    >>> document_name("p.zip/annotation/d.txt/ada.zip/ada.xmi")
    'd.txt'
    """
    if exported := _EXPORTED.search(source.replace(os.sep, "/")):
        return exported[1]
    name = os.path.basename(_without_packing(source))
    return os.path.splitext(name)[0]


def read_companion(source: str, ending: str) -> tuple[str, bytes] | None:
    """Read the file of the same name with another ending, if there is one."""
    stem = os.path.splitext(_without_packing(source))[0]
    for packed in ("", *_PACKED):
        path = f"{stem}{ending}{packed}"
        if _has_file(path):
            return path, read_lines(path)
    return None


def read_companion_text(source: str, ending: str) -> str:
    """Read the text that belongs to a file of annotations."""
    companion = read_companion(source, ending)
    if companion is None:
        raise FormatError(
            "the text of these annotations is missing",
            rule=UNREADABLE_FILE,
            source=source,
            hint="Give the path of the file. Its text must be in the same folder."
            if source.startswith("<")
            else f"Expected a file {document_name(source)}{ending} in the same folder.",
        )
    path, data = companion
    return decode_text(data, path)


def special_files(folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return messages about files that are skipped but may contain data.

    Reading a file that is not regular may hang. Archives are not unpacked.
    """
    messages: list[str] = []
    if _project_at(folder) is not None:
        return ()  # whose files are in archives
    for file in _paths(os.fspath(folder)):
        if _is_special(file):
            messages.append(f"{file} was skipped because it is not a regular file.")
        elif _is_archive(file):
            messages.append(
                f"{WARNING}{file} was skipped because archives in a folder are not "
                "unpacked. Unpack it to score its files."
            )
    return tuple(messages)


def _is_archive(file: str) -> bool:
    """Check by its name whether a file is an archive that is not read in a folder."""
    return file.lower().endswith(_ARCHIVES) and not has_data_ending(file)


def archives_in(folder: str) -> list[str]:
    """List the archives that are directly in a folder."""
    if not os.path.isdir(folder):
        return []  # a zip may not contain archives
    return [
        file
        for file in _paths(folder)
        if os.path.dirname(file) == folder.rstrip(os.sep) and _is_archive(file)
    ]


def regular_files(folder: str) -> Iterator[str]:
    """Iterate over the regular files of a folder and its subfolders, by name."""
    return (file for file in _paths(folder) if not _is_special(file))


def _is_special(file: str) -> bool:
    """Check whether a file is a pipe, a socket or a device."""
    try:
        return not stat.S_ISREG(os.stat(file).st_mode)
    except (OSError, ValueError):
        return False  # reading the file reports it


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Check whether a path is a folder, a folder in a zip, or a zip of files."""
    if os.path.isdir(path):
        return True
    if os.path.exists(path):
        if not is_zip(path):
            return False
        from scoref.formats.archives import open_zip, single_member  # rare

        return single_member(open_zip(os.fspath(path))) is None
    from scoref.formats.archives import files_in_zip

    return bool(files_in_zip(os.fspath(path))) or _project_at(path) is not None


def _project_at(path: str | os.PathLike[str]) -> ProjectPath | None:
    """Return the project of INCEpTION to which a path leads, if it leads to one."""
    from scoref.formats.projects import project_at  # rare

    return project_at(path)


def subfolders(folder: str) -> list[str]:
    """List the names of the folders in a folder, which may be in a zip."""
    if os.path.isdir(folder):
        names = {
            name for name in os.listdir(folder) if os.path.isdir(f"{folder}/{name}")
        }
    else:
        files = (os.path.relpath(file, folder) for file in _paths(folder))
        names = {file.partition(os.sep)[0] for file in files if os.sep in file}
    return sorted(name for name in names if not name.startswith("."))


def folder_root(path: str | os.PathLike[str]) -> str:
    """Return the path of a folder, or of the folder in a zip that has all files."""
    if os.path.isdir(path):
        return os.fspath(path)
    from scoref.formats.archives import zip_root

    return zip_root(os.fspath(path))


def _has_file(path: str) -> bool:
    """Check whether there is a file with this path, which may be in a zip."""
    folder = os.path.dirname(path)
    if not folder or os.path.isdir(folder):
        return os.path.isfile(path)
    return path in _paths(folder)


def _paths(folder: str) -> Iterator[str]:
    if not os.path.isdir(folder):
        from scoref.formats.archives import files_in_zip

        yield from files_in_zip(folder)
        return
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield os.path.join(path, name)


_PACKED = (".gz", ".xz", ".bz2", ".zst", ".zip")

_TAR = (".tar", ".tgz", ".tbz2", ".txz", *(f".tar{packing}" for packing in _PACKED))

_ARCHIVES = (*_TAR, ".zip", ".7z", ".rar", ".lz4", ".lzma", ".lz", ".lzo", ".sz", ".z")
"""Endings of archives, and of compressed files that scoref does not read."""


def _without_packing(file: str) -> str:
    for ending in _PACKED:
        file = file.removesuffix(ending)
    return file


def _ending(file: str, endings: tuple[str, ...]) -> str:
    """Return the ending of a file, if it is one of these."""
    name = _without_packing(file)
    return next((ending for ending in endings if name.endswith(ending)), "")


def _suffix(file: str) -> str:
    return os.path.splitext(_without_packing(file))[1]


_BEGINNING = 1 << 16


def _sample(file: str) -> bytes:
    """Read the part of a file from which its format is detected."""
    if file.endswith(_PACKED):
        data = read_lines(file)
    else:
        try:
            with open(file, "rb") as opened:
                data = opened.read(_BEGINNING)
                data += opened.read() if detection_sample(data)[:1] in JSON else b""
        except OSError:
            from scoref.formats.archives import read_in_zip

            data = read_in_zip(file) or b""  # reading the file reports an error
    return detection_sample(data)
