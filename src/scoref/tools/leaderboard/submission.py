"""What a participant handed in: files, perhaps in a folder in a folder, or in a zip.

Platforms unpack a submission as it is. So its files may be deeper than they should be,
and beside what a desktop leaves behind. What is not sure is refused with names: two
files for one dataset, a zip that would fill the disk, a path that leads out of it.
"""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from scoref.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LITTER = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}
_HIDDEN = "."
_TIMES, _AT_LEAST = 20, 100 << 20
"""A zip may be so many times as large as the reference, and so large in any case."""


def find_submission(folder: Path, scratch: Path, reference: Path) -> Path:
    """Find the folder with the files; a zip is unpacked into ``scratch``.

    Raises:
        FormatError: there is nothing, or more than one zip, or a zip that is unsafe.
    """
    if not folder.is_dir():
        raise FormatError("there is no such folder", source=str(folder))
    most = max(_AT_LEAST, _TIMES * _size_of(reference))
    found = _descended(folder)
    archives = [each for each in _listed(found) if zipfile.is_zipfile(each)]
    if not archives:
        return found
    if len(archives) > 1:
        names = ", ".join(f"'{each.name}'" for each in archives)
        raise FormatError(
            f"there are {len(archives)} zip files, {names}",
            source=str(folder),
            hint="hand in one file for each dataset, or one zip with all of them",
        )
    _unpack(archives[0], scratch, most)
    return _descended(scratch)


def _listed(folder: Path) -> list[Path]:
    """List what a participant put there."""
    return sorted(
        each
        for each in folder.iterdir()
        if each.name not in _LITTER and not each.name.startswith(_HIDDEN)
    )


def _descended(folder: Path) -> Path:
    """Go down as long as there is nothing but one folder."""
    while True:
        inside = _listed(folder)
        if not inside:
            raise FormatError(
                "there is nothing in this submission",
                source=str(folder),
                hint="hand in one file for each dataset",
            )
        if len(inside) > 1 or not inside[0].is_dir() or inside[0].is_symlink():
            return folder
        folder = inside[0]


def _size_of(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def _unpack(archive: Path, scratch: Path, most: int) -> None:
    try:
        with zipfile.ZipFile(archive) as packed:
            members = [*_members(packed, archive)]
            size = sum(member.file_size for member in members)
            if size > most:
                raise FormatError(
                    f"this would be {size:,} bytes, and {most:,} are enough",
                    source=str(archive),
                )
            for member in members:
                packed.extract(member, scratch)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise FormatError(
            f"this zip cannot be unpacked: {error}", source=str(archive)
        ) from error


def _members(packed: zipfile.ZipFile, archive: Path) -> Iterator[zipfile.ZipInfo]:
    """Give what is to be unpacked, and refuse what would land elsewhere."""
    for member in packed.infolist():
        path = PurePosixPath(member.filename.replace("\\", "/"))
        is_link = stat.S_ISLNK(member.external_attr >> 16)
        leads_out = path.is_absolute() or ".." in path.parts or ":" in path.parts[0]
        if leads_out or is_link:
            raise FormatError(
                f"'{member.filename}' would lead out of the submission",
                source=str(archive),
                hint="zip the files themselves, without links",
            )
        litter = any(part in _LITTER or part.startswith(_HIDDEN) for part in path.parts)
        if not litter and not member.is_dir():
            yield member
