"""A temporary folder for data that do not fit into memory.

The folder is removed when the work ends, even with an error. It remains only if the
process is killed. The next process then removes it: a lock shows whether another
process still uses a folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from scoref.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence


_PREFIX = "scoref-"

_LOCK = "in-use.lock"


class Scratch:
    """A temporary folder of this process."""

    def __init__(self) -> None:
        self.path = _make_folder()
        self._links: dict[str, str] = {}
        # The file is renamed after it is locked, so that it is never seen unlocked.
        self._lock = _lock(self.path / f"{_LOCK}.part")
        if self._lock is not None:
            (self.path / f"{_LOCK}.part").rename(self.path / _LOCK)
        self._remove_abandoned()

    def _remove_abandoned(self) -> None:
        """Remove the folders of processes that were killed."""
        for folder in self.path.parent.glob(f"{_PREFIX}*"):
            held = _lock(folder / _LOCK) if _is_ours(folder, self.path) else None
            if held is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(held)

    def links(self, name: str, paths: Sequence[str]) -> list[str]:
        """Link files to names that engines do not read as patterns.

        A file may be called ``p[12].parquet``, which engines read as two other files.
        """
        links = []
        for number, path in enumerate(paths):
            suffixes = "".join(Path(path).suffixes[-2:]) if path.isascii() else ""
            plain = suffixes if suffixes.replace(".", "").isalnum() else ""
            link = self.path / f"{name}-{number}{plain}"
            link.symlink_to(os.path.realpath(path))
            self._links[str(link)] = path
            links.append(str(link))
        return links

    def original_of(self, message: str) -> str | None:
        """Return the file whose link an engine's message names."""
        links = [link for link in self._links if link in message]
        return self._links[max(links, key=len)] if links else None  # 11 has 1 in it

    def folder(self, name: str) -> Path:
        """Make a new folder in it."""
        return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.path))

    def close(self) -> None:
        """Remove it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)


def _make_folder() -> Path:
    """Make a folder, unless an engine would read its name as a pattern."""
    try:
        place = tempfile.gettempdir()
        if not place.isprintable() or set("*?[]{}\\") & set(place):
            raise OptionError(
                f"the name of the temporary folder, {place!r}, contains a "
                "wildcard or is not valid text. Set TMPDIR to another folder"
            )
        return Path(tempfile.mkdtemp(prefix=_PREFIX))
    except OSError as error:
        raise OptionError(f"no temporary folder can be used: {error}") from error


def _lock(path: Path) -> int | None:
    """Lock a file until this process ends; None if another process has locked it."""
    try:
        import fcntl  # not on Windows
    except ImportError:
        return None
    held = -1
    try:
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if held >= 0:
            os.close(held)
        return None
    return held


def _is_ours(folder: Path, own: Path) -> bool:
    """Return whether this user made a folder for the same purpose."""
    if folder == own or folder.is_symlink():
        return False
    try:
        return folder.owner() == own.owner() and (folder / _LOCK).is_file()
    except (OSError, KeyError):
        return False
