from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path

import pytest

from scoref.errors import FormatError, OptionError
from scoref.writing import (
    keep_from_writing,
    one_run,
    write_all,
    write_standard,
    write_whole,
)


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


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o600)
    write_whole(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o600)


def test_a_file_is_on_the_disk_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    replace = os.replace

    def renamed(*names: str) -> None:
        steps.append("rename")
        replace(*names)

    monkeypatch.setattr(os, "fsync", lambda _: steps.append("sync"))
    monkeypatch.setattr(os, "replace", renamed)
    write_all({tmp_path / "x": b"1", tmp_path / "y": b"2"})
    assert steps == ["sync", "sync", "rename", "rename"]


def test_of_several_files_none_is_there_without_the_others(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be written"):
        write_all({tmp_path / "x": b"1", tmp_path / "no" / "y": b"2"})
    assert list(tmp_path.iterdir()) == []


def test_what_a_run_has_read_is_not_written_by_any_name(tmp_path: Path) -> None:
    (read := tmp_path / "read").write_bytes(b"old")
    (tmp_path / "symbolic").symlink_to(read)
    (tmp_path / "hard").hardlink_to(read)
    with one_run():
        keep_from_writing(read, "read")
        for name in ("read", "symbolic", "hard"):
            with pytest.raises(OptionError, match="'read' is an input of the same"):
                write_whole(tmp_path / name, b"new")
    assert read.read_bytes() == b"old"
    write_whole(read, b"new")  # another run


def test_what_a_run_has_written_is_not_written_again(tmp_path: Path) -> None:
    (link := tmp_path / "link").symlink_to(tmp_path / "x")
    with one_run():
        write_whole(tmp_path / "x", b"first")
        with pytest.raises(OptionError, match="is another output of the same command"):
            write_whole(link, b"second")
        write_whole(os.devnull, b"once")
        write_whole(os.devnull, b"and again")
    assert link.read_bytes() == b"first"


def test_a_terminal_gets_printable_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    write_standard(b"Ada\x1b[2J wrote\n")
    assert "\x1b" not in stream.getvalue()
    assert stream.getvalue().startswith("Ada")
    assert stream.getvalue().endswith(" wrote\n")
