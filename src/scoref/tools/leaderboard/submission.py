"""Find the files that a participant handed in, and unpack them if they are in a zip.

Platforms unpack a submission as it is, so the files may be in a folder in a folder,
next to files that a desktop creates. Only regular files are read. Links are
refused, because a link to the key would score 100. A zip is checked while it is
unpacked, because its headers may lie about sizes.
"""

from __future__ import annotations

import os
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import (
    FormatError,
    MissingFileError,
    UnreadableFileError,
    quoted,
)
from scoref.formats.archives import (
    MOST_FILES,
    ZipArchive,
    damaged,
    is_compressed,
    is_litter,
    open_compressed,
    too_large,
    too_many,
)
from scoref.formats.folders import dataset_name, is_corpus
from scoref.notes import WARNING
from scoref.printable import printable
from scoref.scoring.dataset_files import files_in

if TYPE_CHECKING:
    from collections.abc import Iterator

TIMES, AT_LEAST = 20, 100 << 20
"""A submission may unpack to this many times the reference's size, or to this size."""

_PIECE = 1 << 20

_RANKING = "`scoref REFERENCE SYSTEMS`"


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
            hint="Submit one file for each dataset, or one zip with all of them. To "
            f"rank several systems, use {_RANKING}.",
        )
    return _in_zip(archives[0], scratch, most, skipped)


def refuse_systems(path: Path, reference: Path) -> None:
    """Refuse a folder of several systems, each with files for the datasets."""
    if not path.is_dir() or files_in(path):
        return
    datasets = {dataset_name(file.name) for file in files_in(reference)}
    systems = [
        folder.name
        for folder in _inside(path)
        if folder.is_dir()
        and datasets & {dataset_name(file.name) for file in files_in(folder)}
    ]
    if len(systems) > 1:
        raise FormatError(
            f"this is a folder of {len(systems)} systems, not one submission: "
            f"{quoted(systems)}",
            source=str(path),
            hint=f"Score one of them, or rank all of them with {_RANKING}.",
        )


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
        raise too_many(len(regular), MOST_FILES, str(folder))
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
            if not is_litter(entry.name):
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
            if not is_litter(path.name) and (path.is_file() or path.is_dir())
        )


def _refuse_size(folder: Path, files: list[Path], most: int) -> None:
    """Refuse files that are too large in total, each as it is when it is read."""
    left = most
    for file in files:
        for size in _sizes(file):
            left -= size
            if left < 0:
                raise too_large(os.path.relpath(file, folder), most, str(folder))


def _sizes(file: Path) -> Iterator[int]:
    """Count the bytes of a file, unpacked if it is compressed."""
    with _reading(file), file.open("rb") as opened:
        start = opened.read(8)
    if not is_compressed(start):
        yield file.stat().st_size
        return
    try:
        with (
            file.open("rb") as opened,
            open_compressed(opened, start, str(file)) as packed,
        ):
            while piece := packed.read(_PIECE):
                yield len(piece)
    except FormatError:
        raise
    except Exception:  # noqa: BLE001 - the reader of the file reports the damage
        return


@contextmanager
def _reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an OSError into a message that names the file or folder."""
    try:
        yield
    except OSError as error:
        raise UnreadableFileError.of(error, os.fspath(path)) from error


# Zips


def _unpack(file: Path, scratch: Path, most: int) -> None:
    """Write the members of a zip, whatever its headers say about their sizes."""
    archive = ZipArchive.of(file, str(file), MOST_FILES)
    left = most
    with archive.packed:
        for path in archive.members:
            target = scratch / path
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("xb") as unpacked:
                    for piece in archive.pieces(path):
                        left -= len(piece)
                        if left < 0:
                            raise too_large(path, most, str(file))
                        unpacked.write(piece)
            except (OSError, ValueError) as error:
                raise damaged(str(file), error, path) from error
