"""Pack the official scorers' figures: make golden.

Reads the folders in ../shared/golden and writes tests/golden/official.tar.xz. Times,
owners and the order of the files do not depend on the machine, so the same files
become the same archive.
"""

from __future__ import annotations

import io
import lzma
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def tar_of(folder: Path) -> bytes:
    """Return everything in a folder as an archive without compression."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            member = tarfile.TarInfo(f"{name}/" if path.is_dir() else name)
            if path.is_dir():
                member.type, member.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(member)
            else:
                data = path.read_bytes()
                member.size, member.mode = len(data), 0o644
                archive.addfile(member, io.BytesIO(data))
    return tar.getvalue()


def main() -> None:
    """Write the archive, unless the folder is missing."""
    source = ROOT.parent / "shared" / "golden"
    if not source.is_dir():
        sys.exit(f"There is no folder {source}. It has the files to pack.")
    target = ROOT / "tests" / "golden" / "official.tar.xz"
    data = lzma.compress(tar_of(source), preset=9 | lzma.PRESET_EXTREME)
    is_same = target.exists() and target.read_bytes() == data
    target.write_bytes(data)
    change = "unchanged" if is_same else "changed"
    sys.stdout.write(f"{target.relative_to(ROOT)}: {len(data):,} bytes, {change}\n")


if __name__ == "__main__":
    main()
