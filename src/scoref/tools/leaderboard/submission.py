"""Find the files that a participant handed in, and unpack them if they are in a zip.

Platforms unpack a submission as it is, so the files may be in a folder in a folder,
next to files that a desktop creates. Only regular files are read. Links are
refused, because a link to the key would score 100. A zip is checked while it is
unpacked, because its headers may lie about sizes.
"""

from __future__ import annotations

import gzip
import lzma
import os
import re
import stat
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import (
    FormatError,
    MissingFileError,
    UnreadableFileError,
    quoted,
)
from scoref.formats.folders import is_corpus
from scoref.notes import WARNING
from scoref.printable import printable
from scoref.scoring.dataset_files import files_in

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FILES = 10_000
"""The largest number of files in a submission, or of members in its zip."""

TIMES, AT_LEAST = 20, 100 << 20
"""A submission may unpack to this many times the reference's size, or to this size."""

_LITTER = {"__MACOSX", "Thumbs.db", "desktop.ini"}
_LONGEST_NAME = 255  # bytes, which file systems take
_LONGEST_PATH = 1024  # bytes; a path of many folders is slow, and recursive to remove
_DRIVE = re.compile(r"[A-Za-z]:")
_PIECE = 1 << 20


class Submission(NamedTuple):
    """The folder with a participant's files, and what was skipped on the way."""

    folder: Path
    notes: tuple[str, ...]


def find_submission(path: Path, scratch: Path, reference: Path) -> Submission:
    """Find the folder with the files; a zip is unpacked into ``scratch``.

    ``path`` is the organiser's own and may be a link. Nothing below it may be one.

    Raises:
        FormatError: there is nothing, or something that is not safe to read.
    """
    files = (file for file in reference.rglob("*") if file.is_file())
    most = max(AT_LEAST, TIMES * sum(file.stat().st_size for file in files))
    if path.is_file():
        return _in_zip(path, scratch, most, ())
    if not path.is_dir():
        raise MissingFileError(
            "this folder or zip does not exist",
            source=str(path),
            hint="Expected a folder with one file for each dataset, or a zip of them.",
        )
    skipped = _special_files(path, most)
    folder = innermost_folder(path)
    archives = [file for file in _inside(folder) if file.is_file() and _is_zip(file)]
    if not archives or files_in(folder) or is_corpus(folder):
        unopened = [
            f"{WARNING}{file.name} is a zip that was not unpacked." for file in archives
        ]
        return Submission(folder, (*skipped, *unopened))
    if len(archives) > 1:
        raise FormatError(
            f"there are {len(archives)} zip files: "
            f"{quoted([file.name for file in archives])}",
            source=str(path),
            hint="Submit one file for each dataset, or one zip with all of them.",
        )
    return _in_zip(archives[0], scratch, most, skipped)


def _in_zip(
    archive: Path, scratch: Path, most: int, skipped: tuple[str, ...]
) -> Submission:
    if not _is_zip(archive):
        raise FormatError(
            "this is neither a folder nor a zip",
            source=str(archive),
            hint="Expected a folder with one file for each dataset, or a zip of them.",
        )
    _unpack(archive, scratch, most)
    try:
        files = [Path(entry.path) for entry in _entries(scratch) if entry.is_file()]
        _refuse_size(scratch, files, most)
        return Submission(innermost_folder(scratch), skipped)
    except FormatError as error:
        raise FormatError(
            error.problem, source=str(archive), hint=error.hint
        ) from error


def _is_zip(file: Path) -> bool:
    return file.suffix.lower() == ".zip" or zipfile.is_zipfile(file)


def _is_litter(name: str) -> bool:
    """Return whether a file is hidden or was created by a desktop, as Thumbs.db."""
    return name in _LITTER or name.startswith(".")


# Folders


def _special_files(folder: Path, most: int) -> tuple[str, ...]:
    """Refuse links and too many or too large files; name what will be skipped."""
    regular, special = [], []
    for entry in _entries(folder):
        name = os.path.relpath(entry.path, folder)
        if entry.is_symlink():
            raise FormatError(
                f"'{name}' is a link",
                source=str(folder),
                hint="Submit the file itself. Links are not followed.",
            )
        if entry.is_file(follow_symlinks=False):
            regular.append(Path(entry.path))
        elif not entry.is_dir(follow_symlinks=False):
            special.append(f"{name}: skipped because this is not a regular file")
    if special and not regular:
        raise FormatError(
            f"this submission is empty. {printable(special[0])}",
            source=str(folder),
            hint="Submit one file for each dataset.",
        )
    if len(regular) > MOST_FILES:
        raise _too_many(len(regular), str(folder))
    _refuse_size(folder, regular, most)
    return tuple(map(printable, special))


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """List everything below a folder except litter, without following links."""
    waiting = [os.fspath(folder)]
    while waiting:
        place = waiting.pop()
        with _reading(place), os.scandir(place) as entries:
            children = sorted(entries, key=lambda entry: entry.name)
        for entry in children:
            if not _is_litter(entry.name):
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def innermost_folder(folder: Path) -> Path:
    """Return the first folder below that contains more than a single folder."""
    while True:
        inside = _inside(folder)
        if not inside:
            raise FormatError(
                "this submission is empty",
                source=str(folder),
                hint="Submit one file for each dataset.",
            )
        if len(inside) > 1 or not inside[0].is_dir():
            return folder
        folder = inside[0]


def _inside(folder: Path) -> list[Path]:
    """List the regular files and folders that a participant put there."""
    with _reading(folder):
        return sorted(
            path
            for path in folder.iterdir()
            if not _is_litter(path.name) and (path.is_file() or path.is_dir())
        )


def _refuse_size(folder: Path, files: list[Path], most: int) -> None:
    """Refuse files that are too large in total, each as it is when it is read."""
    left = most
    for file in files:
        for size in _sizes(file):
            left -= size
            if left < 0:
                raise _too_large(os.path.relpath(file, folder), most, str(folder))


def _sizes(file: Path) -> Iterator[int]:
    """Count the bytes of a file, unpacked if it is gzip or xz."""
    with _reading(file), file.open("rb") as plain:
        start = plain.read(2)
        size = file.stat().st_size
    if start not in {b"\x1f\x8b", b"\xfd7"}:
        yield size
        return
    try:
        with (gzip if start == b"\x1f\x8b" else lzma).open(file) as packed:
            while piece := packed.read(_PIECE):
                yield len(piece)
    except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error):
        return  # the reader of the file reports the damage


@contextmanager
def _reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an OSError into a message that names the file or folder."""
    try:
        yield
    except OSError as error:
        raise UnreadableFileError.of(error, os.fspath(path)) from error


# Zips


def _unpack(archive: Path, scratch: Path, most: int) -> None:
    """Write the members of a zip, whatever its headers say about their sizes."""
    try:
        packed = zipfile.ZipFile(archive)
    except Exception as error:
        raise _damaged(archive, error) from error
    left = most
    with packed:
        for path, member in _members(packed, archive).items():
            target = scratch / path
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("xb") as file:
                    for piece in _pieces(packed, member, archive):
                        left -= len(piece)
                        if left < 0:
                            raise _too_large(path, most, str(archive))
                        file.write(piece)
            except (OSError, ValueError) as error:
                raise _damaged(archive, error, path) from error


def _pieces(
    packed: zipfile.ZipFile, member: zipfile.ZipInfo, archive: Path
) -> Iterator[bytes]:
    try:
        with packed.open(member) as opened:
            while piece := opened.read(_PIECE):
                yield piece
    except Exception as error:
        raise _damaged(archive, error, member.filename) from error


def _members(packed: zipfile.ZipFile, archive: Path) -> dict[str, zipfile.ZipInfo]:
    """Find the path of each file, and refuse what is not a file of a submission."""
    members = packed.infolist()
    if len(members) > MOST_FILES:
        raise _too_many(len(members), str(archive))
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
            raise FormatError(
                f"'{shown}' {problem}",
                source=str(archive),
                hint="Zip one regular file for each dataset, without links.",
            )
        if not _is_folder(name, member) and not any(map(_is_litter, parts)):
            files[path] = member
    _refuse_files_as_folders(files, archive)
    return files


def _problem_with(name: str, parts: list[str], member: zipfile.ZipInfo) -> str:
    """Return why a member cannot be unpacked; nothing if it can."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if not parts and not member.file_size:
        return ""  # '/', './' or '.': it only names a folder
    if name.startswith("/") or ".." in parts or _DRIVE.match(name):
        return "would be written outside the submission"
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


def _refuse_files_as_folders(files: dict[str, zipfile.ZipInfo], archive: Path) -> None:
    for path in files:
        above = path.rpartition("/")[0]
        while above:
            if above in files:
                raise FormatError(
                    f"'{above}' is a file, but '{path}' is inside it",
                    source=str(archive),
                    hint="Zip one regular file for each dataset, without links.",
                )
            above = above.rpartition("/")[0]


def _damaged(archive: Path, error: Exception, member: str = "") -> FormatError:
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    where = f" at '{member}'" if member else ""
    return FormatError(
        f"this zip cannot be unpacked{where}: {why}",
        source=str(archive),
        hint="Test it with `unzip -t`, and zip the files again without a password.",
    )


def _too_many(count: int, source: str) -> FormatError:
    return FormatError(
        f"there are {count:,} files, but at most {MOST_FILES:,} are accepted",
        source=source,
        hint="Submit one file for each dataset.",
    )


def _too_large(name: str, most: int, source: str) -> FormatError:
    return FormatError(
        f"with '{name}', the unpacked files have more than {most:,} "
        "bytes, which is the limit",
        source=source,
        hint="Submit one file for each dataset and nothing else.",
    )
