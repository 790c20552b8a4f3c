"""Pairs of files with the figures that official scorers computed for them.

`tests/golden/official.tar.xz` has a folder for each scorer and kind of input, with
`expected.json`. tests/golden/README.md describes them. The archive is unpacked into
`build/golden`. Each process of pytest compares this folder with the archive and repairs
it if it differs, so an edited file cannot hide a fault.
"""

from __future__ import annotations

import os
import tarfile
from typing import TYPE_CHECKING

from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

ARCHIVE = ROOT / "tests" / "golden" / "official.tar.xz"
BLANC_BY_HASH = ("0036", "0038", "0044", "plural-by-hash")
"""Pairs with split antecedents whose BLANC is lower in the Universal Anaphora scorer.

There it depends on the order of a set.
"""


def files_in(archive: Path) -> dict[str, bytes]:
    """Return the content of each file in an archive."""
    with tarfile.open(archive) as opened:
        return {
            member.name: file.read()
            for member in opened
            if (file := opened.extractfile(member))
        }


def unpack(files: dict[str, bytes], folder: Path) -> None:
    """Give a folder these files and no others."""
    for path in folder.rglob("[!.]*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink(missing_ok=True)
    for name, data in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{os.getpid()}")
        part.write_bytes(data)
        part.replace(path)  # another process may do the same at this time


_FILES = files_in(ARCHIVE)
GOLDEN = ROOT / "build" / "golden"
"""The folder with the folders conll2012, corefud, ua and others."""
unpack(_FILES, GOLDEN)


def cases(folder: str, suffix: str) -> list[str]:
    """Return the names of the pairs in a folder of the archive."""
    ending = f".key.{suffix}"
    return sorted(
        name.removeprefix(f"{folder}/").removesuffix(ending)
        for name in _FILES
        if name.startswith(f"{folder}/") and name.endswith(ending)
    )
