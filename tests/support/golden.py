"""Pairs of files with the figures that official scorers computed for them.

`tests/golden/official.tar.xz` has a folder for each scorer and kind of input, with
`expected.json`. tests/golden/README.md describes them. The archive is unpacked once
into a temporary folder, which is named after its content.
"""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import tempfile
from pathlib import Path

from support.paths import ROOT

_ARCHIVE = ROOT / "tests" / "golden" / "official.tar.xz"


def _unpack() -> Path:
    digest = hashlib.sha256(_ARCHIVE.read_bytes()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir(), f"scoref-golden-{digest}")
    if not folder.is_dir():
        part = Path(tempfile.mkdtemp(prefix="scoref-golden-part-"))
        with tarfile.open(_ARCHIVE) as archive:
            archive.extractall(part, filter="data")
        try:
            part.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(part)
    return folder


GOLDEN = _unpack()
"""The folder with the folders conll2012, corefud, ua and others."""


def cases(folder: str, suffix: str) -> list[str]:
    """Return the names of the pairs in a folder."""
    ending = f".key.{suffix}"
    names = [path.name.removesuffix(ending) for path in (GOLDEN / folder).iterdir()]
    return sorted(name for name in names if "." not in name)
