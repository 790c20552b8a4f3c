from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from scoref.errors import FormatError
from scoref.writing import write_whole


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"something long")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


def test_the_file_behind_a_link_is_replaced(tmp_path: Path) -> None:
    (link := tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_device_is_written_to_and_stays_one() -> None:
    write_whole(os.devnull, b"new")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_folder_is_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be written: is a directory"):
        write_whole(tmp_path, b"new")
