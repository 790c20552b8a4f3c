"""A temporary folder for data that do not fit into memory.

The folder is removed when the work ends, even with an error. Only a process that is
killed leaves it behind. The next process then removes it: a lock shows whether another
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
    """A folder of our own."""

    def __init__(self) -> None:
        self.path = _made()
        self._links: dict[str, str] = {}
        # It gets its name when it is locked, so that nobody sees it without its lock.
        self._lock = _locked(self.path / f"{_LOCK}.part")
        if self._lock is not None:
            (self.path / f"{_LOCK}.part").rename(self.path / _LOCK)
        _sweep(self.path)

    def links(self, name: str, paths: Sequence[str]) -> list[str]:
        """Give files names that have no meaning to anybody, such as that of a pattern.

        A file may be called ``p[12].parquet``, which engines take for two others.
        """
        found = []
        for number, path in enumerate(paths):
            suffixes = "".join(Path(path).suffixes[-2:]) if path.isascii() else ""
            plain = suffixes if suffixes.replace(".", "").isalnum() else ""
            link = self.path / f"{name}-{number}{plain}"
            link.symlink_to(os.path.realpath(path))
            self._links[str(link)] = path
            found.append(str(link))
        return found

    def meant(self, text: str) -> str | None:
        """Give the file that a message means by the name that it got here."""
        links = [link for link in self._links if link in text]
        return self._links[max(links, key=len)] if links else None  # 11 has 1 in it

    def folder(self, name: str) -> Path:
        """Make a folder in it that is like no other."""
        return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.path))

    def close(self) -> None:
        """Take it away."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)


def _made() -> Path:
    """Make a folder, if its name is one that every engine takes for a name."""
    try:
        place = tempfile.gettempdir()
        if not place.isprintable() or set("*?[]{}\\") & set(place):
            raise OptionError(
                f"the temporary folder is called {place!r}, which is a pattern or no "
                "text: set TMPDIR to another one"
            )
        return Path(tempfile.mkdtemp(prefix=_PREFIX))
    except OSError as error:
        raise OptionError(f"there is no temporary folder: {error}") from error


def _locked(path: Path) -> int | None:
    """Hold a file for as long as this process lives; None if somebody else does."""
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


def _sweep(own: Path) -> None:
    """Take away what a process left behind that was killed."""
    for folder in own.parent.glob(f"{_PREFIX}*"):
        held = _locked(folder / _LOCK) if _is_ours(folder, own) else None
        if held is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(held)


def _is_ours(folder: Path, own: Path) -> bool:
    """Tell whether this user made a folder for the same purpose."""
    if folder == own or folder.is_symlink():
        return False
    try:
        return folder.owner() == own.owner() and (folder / _LOCK).is_file()
    except (OSError, KeyError):
        return False
