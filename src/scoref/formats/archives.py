"""Functions that unpack compressed files and zips, within limits.

A compressed file is unpacked in memory. A zip with one file is read as that file, and a
zip with several files as a folder: ``x.zip/a.conll`` is the path of a file in it. Zips
are not trusted. Paths that lead out of the zip, links, too many members and too many
bytes are refused, and sizes are counted while unpacking because headers may lie.
"""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, TYPE_CHECKING

from scoref.errors import FormatError, quoted
from scoref.formats.input_files import is_zip
from scoref.writing import keep_from_writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST_BYTES, _MOST_TIMES = 1 << 30, 200
"""An archive may unpack to this many bytes, or to this many times its own size."""

MOST_FILES = 10_000
"""The largest number of files in a submission, or of members in a zip."""

_PIECE = 1 << 20


# Compressed files


def unpack(data: bytes, source: str) -> bytes:
    """Unpack a compressed file, or a zip with one file; other data stay as they are."""
    try:
        if data.startswith(b"PK"):
            return _only_member(data, source)
        for sign, open_archive in _COMPRESSIONS.items():
            if data.startswith(sign):
                return unpack_archive(
                    open_archive(io.BytesIO(data), source), len(data), source
                )
    except FormatError:
        raise
    except MemoryError as error:
        raise FormatError(
            f"there is not enough memory to unpack its {len(data):,} bytes",
            source=source,
            hint="Split the documents into several files.",
        ) from error
    except Exception as error:
        raise FormatError(
            f"cannot be unpacked: {str(error).lower()}",
            source=source,
            hint="The file is truncated or damaged. Compress it again.",
        ) from error
    return data


def unpack_archive(archive: IO[bytes], size: int, source: str) -> bytes:
    """Unpack an archive of this size; one that would fill the memory is refused."""
    pieces, length = [], 0
    most = most_bytes(size)
    while piece := archive.read(_PIECE):
        pieces.append(piece)
        length += len(piece)
        if length > most:
            raise FormatError(
                f"its {size:,} bytes unpack to more than {most:,}",
                source=source,
                hint="If you trust the file, unpack it and score the result.",
            )
    return b"".join(pieces)


def most_bytes(size: int) -> int:
    """Return to how many bytes an archive of this size may unpack."""
    return max(_MOST_BYTES, _MOST_TIMES * size)


def is_compressed(data: bytes) -> bool:
    """Check whether data are compressed; a zip is not."""
    return data.startswith(tuple(_COMPRESSIONS))


def open_compressed(file: IO[bytes], start: bytes, source: str) -> IO[bytes]:
    """Open a compressed file, which starts with these bytes, for reading in pieces."""
    signs = (sign for sign in _COMPRESSIONS if start.startswith(sign))
    return _COMPRESSIONS[next(signs)](file, source)


# The modules take 10 ms to load, so each is loaded only if it is needed.


def _open_gzip(file: IO[bytes], source: str) -> IO[bytes]:  # noqa: ARG001
    import gzip

    return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]


def _open_xz(file: IO[bytes], source: str) -> IO[bytes]:  # noqa: ARG001
    import lzma

    return lzma.LZMAFile(file)


def _open_bz2(file: IO[bytes], source: str) -> IO[bytes]:  # noqa: ARG001
    import bz2

    return bz2.BZ2File(file)


def _open_zstandard(file: IO[bytes], source: str) -> IO[bytes]:
    """Open a file with Python 3.14's library, its backport, or PyArrow."""
    from importlib import import_module

    for name in ("compression.zstd", "backports.zstd"):
        try:
            opened: IO[bytes] = import_module(name).ZstdFile(file)
        except ImportError:
            continue
        return opened
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        raise FormatError(
            "this file is compressed with Zstandard, which Python reads from version "
            "3.14 on",
            source=source,
            hint="Unpack it with `zstd -d`, or run `pip install backports.zstd`.",
        ) from None
    stream = arrow.CompressedInputStream(arrow.PythonFile(file, mode="r"), "zstd")
    return io.BufferedReader(stream)


_COMPRESSIONS: dict[bytes, Callable[[IO[bytes], str], IO[bytes]]] = {
    b"\x1f\x8b": _open_gzip,
    b"\xfd7zXZ\x00": _open_xz,
    b"BZh": _open_bz2,
    b"\x28\xb5\x2f\xfd": _open_zstandard,
}


# Zips

_LITTER = {"__MACOSX", "Thumbs.db", "desktop.ini"}
_LONGEST_NAME = 255  # bytes, which file systems accept
_LONGEST_PATH = 1024  # bytes; a path of many folders is slow, and recursive to remove
_DRIVE = re.compile(r"[A-Za-z]:")
_ABOUT = re.compile(r"(?:readme|licen[cs]e)\b", re.IGNORECASE)
_ZIP_HINT = "Zip only regular files, without links."


def is_litter(name: str) -> bool:
    """Return whether a file is hidden or was created by a desktop, as Thumbs.db."""
    return name in _LITTER or name.startswith(".")


@dataclass(frozen=True, slots=True)
class ZipArchive:
    """A zip whose members have been checked: regular files with harmless paths."""

    source: str
    packed: zipfile.ZipFile
    members: dict[str, zipfile.ZipInfo]

    @classmethod
    def of(
        cls, file: str | os.PathLike[str] | IO[bytes], source: str, most_files: int
    ) -> ZipArchive:
        """Open a zip, and refuse members that are not files or not safe."""
        try:
            packed = zipfile.ZipFile(file)
        except Exception as error:
            raise damaged(source, error) from error
        return cls(source, packed, _members(packed, source, most_files))

    def pieces(self, path: str) -> Iterator[bytes]:
        """Unpack a member, a part after another."""
        try:
            with self.packed.open(self.members[path]) as opened:
                while piece := opened.read(_PIECE):
                    yield piece
        except Exception as error:
            raise damaged(self.source, error, path) from error

    def unpack(self, path: str, most: int) -> bytes:
        """Unpack a member of at most this size, which may be an archive itself."""
        pieces, left = [], most
        for piece in self.pieces(path):
            left -= len(piece)
            if left < 0:
                raise too_large(path, most, self.source)
            pieces.append(piece)
        return b"".join(pieces)

    def read(self, path: str, most: int) -> bytes:
        """Unpack a member of at most this size, which must not be an archive."""
        data = self.unpack(path, most)
        if is_compressed(data) or data.startswith(b"PK\3\4"):
            raise FormatError(
                f"'{path}' is compressed, and so is the zip that contains it",
                source=self.source,
                hint="Zip the uncompressed file.",
            )
        return data


def _members(
    packed: zipfile.ZipFile, source: str, most_files: int
) -> dict[str, zipfile.ZipInfo]:
    """Find the path of each file, and refuse what is not a regular file."""
    members = packed.infolist()
    if len(members) > most_files:
        raise too_many(len(members), most_files, source)
    files: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        # Some Windows tools write backslashes.
        name = member.filename.replace("\\", "/")
        parts = [part for part in name.split("/") if part not in {"", "."}]
        path = "/".join(parts)
        problem = _problem_with(name, parts, member)
        if not problem and len(path.encode("utf-8", "surrogatepass")) > _LONGEST_PATH:
            problem = f"has a path of more than {_LONGEST_PATH:,} bytes"
        if not problem and path in files:
            problem = "appears twice"
        if problem:
            shown = member.filename
            if len(shown) > _LONGEST_NAME:  # it would fill the log
                shown = f"{shown[:_LONGEST_NAME]}…"
            raise FormatError(f"'{shown}' {problem}", source=source, hint=_ZIP_HINT)
        if not _is_folder(name, member) and not any(map(is_litter, parts)):
            files[path] = member
    _refuse_files_as_folders(files, source)
    return files


def _problem_with(name: str, parts: list[str], member: zipfile.ZipInfo) -> str:
    """Return why a member cannot be unpacked; nothing if it can."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if not parts and not member.file_size:
        return ""  # '/', './' or '.': it only names a folder
    if name.startswith("/") or ".." in parts or _DRIVE.match(name):
        return "would be written outside its folder"
    if kind == stat.S_IFLNK:
        return "is a link, and links are not followed"
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return "is not a regular file"
    if _is_folder(name, member):
        return "is a folder but has content" if member.file_size else ""
    longest = max(len(part.encode("utf-8", "surrogatepass")) for part in parts)
    if longest > _LONGEST_NAME:
        return f"has a name of more than {_LONGEST_NAME} bytes"
    return ""


def _is_folder(name: str, member: zipfile.ZipInfo) -> bool:
    is_named_so = name.rpartition("/")[2] in {"", "."}
    return is_named_so or stat.S_ISDIR(member.external_attr >> 16)


def _refuse_files_as_folders(files: dict[str, zipfile.ZipInfo], source: str) -> None:
    for path in files:
        above = path.rpartition("/")[0]
        while above:
            if above in files:
                raise FormatError(
                    f"'{above}' is a file, but '{path}' is inside it",
                    source=source,
                    hint=_ZIP_HINT,
                )
            above = above.rpartition("/")[0]


def damaged(source: str, error: Exception, member: str = "") -> FormatError:
    """Return the error of a zip that cannot be unpacked."""
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    if why == "File is not a zip file":  # it has no list of its files
        why = "it is truncated or damaged"
    where = f" at '{member}'" if member else ""
    return FormatError(
        f"this zip cannot be unpacked{where}: {why}",
        source=source,
        hint="Test it with `unzip -t`, and zip the files again without a password.",
    )


def too_many(count: int, most: int, source: str) -> FormatError:
    """Return the error of a folder or zip with too many files."""
    return FormatError(
        f"there are {count:,} files, but at most {most:,} are accepted",
        source=source,
        hint="Remove the files that are not scored.",
    )


def too_large(name: str, most: int, source: str) -> FormatError:
    """Return the error of a folder or zip with too many bytes."""
    return FormatError(
        f"with '{name}', the unpacked files have more than {most:,} bytes, which is "
        "the limit",
        source=source,
        hint="Remove the files that are not scored.",
    )


# Zips as input


def open_zip(path: str) -> ZipArchive:
    """Read a zip, and check its members and their sizes."""
    status = os.stat(path)
    return _open_zip(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _open_zip(path: str, _changed: int, _size: int) -> ZipArchive:
    with open(path, "rb") as file:
        keep_from_writing(file.fileno(), path)
        data = file.read()
    return _checked_zip(data, path)  # of bytes, which several processes can share


def _checked_zip(data: bytes, source: str) -> ZipArchive:
    archive = ZipArchive.of(io.BytesIO(data), source, MOST_FILES)
    most = left = most_bytes(len(data))
    for name, member in archive.members.items():
        left -= member.file_size
        if left < 0:
            raise too_large(name, most, source)
    return archive


def single_member(archive: ZipArchive) -> str | None:
    """Return the only file in a zip; a README does not count."""
    names = [*archive.members]
    if len(names) > 1:
        names = [name for name in names if not _ABOUT.match(os.path.basename(name))]
    return names[0] if len(names) == 1 else None


def _only_member(data: bytes, source: str) -> bytes:
    archive = _checked_zip(data, source)
    name = single_member(archive)
    if name is None:
        count = len(archive.members)
        names = f": {quoted([*archive.members])}" if count else ""
        raise FormatError(
            f"this zip has {count:,} files, but one is expected{names}",
            source=source,
            hint="Unpack it, and give scoref the file that you mean.",
        )
    return archive.read(name, most_bytes(len(data)))


def split_zip_path(path: str) -> tuple[str, str] | None:
    """Split the path of a file or folder in a zip: ``x.zip/a/b`` into both parts."""
    head, tail = path, ""
    while True:
        head, name = os.path.split(head)
        if not name:
            if not head or head == os.path.dirname(head):
                return None
            continue
        tail = f"{name}/{tail}" if tail else name
        if is_zip(head):
            return head, tail
        if os.path.isdir(head):
            return None


def read_in_zip(path: str) -> bytes | None:
    """Read a file in a zip; None if the path does not lead into a zip."""
    place = split_zip_path(path)
    if place is None:
        return None
    archive = open_zip(place[0])
    inner, tail = _split_at_inner_zip(archive, place[1])
    if tail:
        document = _open_inner_zip(archive, inner)
        if tail in document.members:
            return document.read(tail, document.members[tail].file_size)
    if place[1] not in archive.members:
        names = quoted([*archive.members])
        raise FormatError(
            f"there is no file '{place[1]}' in {place[0]}",
            source=path,
            hint=f"It has {names}." if names else "It is empty.",
        )
    member = archive.members[place[1]]
    return archive.read(place[1], member.file_size)


def _split_at_inner_zip(archive: ZipArchive, path: str) -> tuple[str, str]:
    """Split ``a/b.zip/c`` after the zip in a zip; the second part may be empty."""
    inner, tail = path, ""
    while inner and inner not in archive.members:
        inner, _, name = inner.rpartition("/")
        tail = f"{name}/{tail}" if tail else name
    return inner, tail if inner else ""


_MOST_INNER = 100
"""The largest number of members in a zip that is in a zip."""


def _open_inner_zip(archive: ZipArchive, name: str) -> ZipArchive:
    """Open a zip in a zip, which may unpack to as much as the outer one."""
    source = f"{archive.source}/{name}"
    data = archive.unpack(name, archive.members[name].file_size)
    inner = ZipArchive.of(io.BytesIO(data), source, _MOST_INNER)
    most = left = most_bytes(len(data))
    for path, member in inner.members.items():
        left -= member.file_size
        if left < 0:
            raise too_large(path, most, source)
    return inner


def documents_in_zip(path: str) -> list[str]:
    """List the paths of documents in a zip, which may be in a zip itself.

    Type systems of UIMA, which are in XML, are not documents.
    """
    if is_zip(path):
        archive = open_zip(path)
    else:
        outer, name = split_zip_path(path) or ("", "")
        archive = _open_inner_zip(open_zip(outer), name)
    return [
        os.path.join(path, *name.split("/"))
        for name in sorted(archive.members)
        if not name.lower().endswith(".xml")
    ]


def files_in_zip(path: str) -> list[str]:
    """List the paths of all files in a zip, or in a folder of a zip."""
    archive, folder = (path, "") if is_zip(path) else split_zip_path(path) or ("", "")
    if not archive:
        return []
    prefix = f"{folder}/" if folder else ""
    members = sorted(open_zip(archive).members)
    return [
        os.path.join(archive, *name.split("/"))
        for name in members
        if name.startswith(prefix)
    ]


def zip_root(path: str) -> str:
    """Return the innermost folder of a zip that has all its files."""
    files = files_in_zip(path)
    return os.path.commonpath(map(os.path.dirname, files)) if files else path
