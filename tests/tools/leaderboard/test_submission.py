"""What a participant may hand in: folders and zips, and what is refused in them."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
import socket
import stat
import struct
import time
import zipfile
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

from scoref.formats.archives import MOST_FILES
from scoref.tools.leaderboard import submission
from scoref.tools.leaderboard.submission import AT_LEAST
from support.commands import run
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

NAME = "en_one-corefud-test.conll"
RESPONSE = (EXAMPLES / "response.conll").read_bytes()
HIDDEN = "the secret of the system"


class Board:
    """A reference, an empty submission and a place for the scores."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.reference = root / "ref"
        self.submitted = root / "res"
        self.output = root / "out"
        self.reference.mkdir()
        self.submitted.mkdir()
        shutil.copy(EXAMPLES / "key.conll", self.reference / NAME)

    def run(self, submitted: Path | None = None) -> Result:
        places = (self.reference, submitted or self.submitted, self.output)
        return run("leaderboard", *places)

    def refused(self, *words: str, submitted: Path | None = None) -> str:
        done = self.run(submitted)
        assert done.exit_code == 1, done.output
        assert done.stderr.startswith("error: ")
        assert "cannot write the output" not in done.stderr
        assert done.stderr.count("error:") == 1
        assert "Traceback" not in done.stderr
        assert HIDDEN not in done.output
        assert not self.output.exists()
        for word in words:
            assert word in done.stderr
        return done.stderr

    def scored(self, submitted: Path | None = None) -> str:
        done = self.run(submitted)
        assert done.exit_code == 0, done.output
        assert '"conll": 81.7063' in (self.output / "scores.json").read_text()
        return done.stderr

    @property
    def zip(self) -> Path:
        return self.submitted / "my.zip"


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


# Folders


def test_a_link_to_the_key_is_refused(board: Board) -> None:
    (board.submitted / NAME).symlink_to(board.reference / NAME)
    board.refused(f"'{NAME}' is a link")


def test_a_link_to_a_file_of_the_system_is_refused(board: Board) -> None:
    other = board.root / "passwords"
    other.write_text(HIDDEN)
    (board.submitted / NAME).symlink_to(other)
    board.refused("is a link")


@pytest.mark.parametrize("place", ["deep", "deep/deeper", "."])
def test_links_are_refused_at_every_depth(board: Board, place: str) -> None:
    folder = board.submitted / place
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(RESPONSE)
    (folder / "other.conll").symlink_to(board.reference / NAME)
    board.refused("other.conll' is a link")


def test_a_folder_that_is_a_link_is_refused(board: Board) -> None:
    (board.submitted / "sub").symlink_to(board.reference)
    board.refused("'sub' is a link")


def test_a_dangling_link_is_refused(board: Board) -> None:
    (board.submitted / NAME).symlink_to("nowhere")
    board.refused("is a link")


def test_a_link_among_folders_that_go_round_is_refused(board: Board) -> None:
    (board.submitted / "sub").symlink_to(board.submitted)
    board.refused("'sub' is a link")


def test_a_zip_that_is_a_link_is_refused(board: Board) -> None:
    with zipfile.ZipFile(board.root / "real.zip", "w") as packed:
        packed.writestr(NAME, RESPONSE)
    board.zip.symlink_to(board.root / "real.zip")
    board.refused("'my.zip' is a link")


def test_the_path_of_the_organiser_may_be_a_link(board: Board) -> None:
    (board.submitted / NAME).write_bytes(RESPONSE)
    linked = board.root / "linked"
    linked.symlink_to(board.submitted)
    board.scored(linked)


def test_a_zip_may_be_given_itself(board: Board) -> None:
    with zipfile.ZipFile(board.root / "real.zip", "w") as packed:
        packed.writestr(NAME, RESPONSE)
    board.scored(board.root / "real.zip")


def test_errors_of_all_datasets_are_on_one_line(board: Board) -> None:
    (board.submitted / NAME).write_text("nonsense here\n")
    message = board.refused("nothing in this submission could be scored", f"{NAME}:1")
    assert "\\n" not in message


@pytest.mark.parametrize("place", ["pipe.conll", "x.zip", "pipe", "sub/pipe.jsonl"])
def test_pipes_are_skipped_and_named(board: Board, place: str) -> None:
    (board.submitted / NAME).write_bytes(RESPONSE)
    (board.submitted / place).parent.mkdir(exist_ok=True)
    os.mkfifo(board.submitted / place)
    assert f"{place}: skipped because" in board.scored()
    assert place in (board.output / "detailed_results.html").read_text()


def test_a_pipe_in_the_place_of_a_dataset_is_named(board: Board) -> None:
    os.mkfifo(board.submitted / NAME)
    (board.submitted / "other.conll").write_bytes(RESPONSE)
    board.refused(f"{NAME}: skipped because", "other.conll was not scored")


def test_a_submission_of_pipes_is_empty(board: Board) -> None:
    os.mkfifo(board.submitted / NAME)
    board.refused("this submission is empty", f"{NAME}: skipped")


def test_sockets_are_skipped_and_named(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    (board.submitted / NAME).write_bytes(RESPONSE)
    monkeypatch.chdir(board.submitted)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("s.conll")
        assert "s.conll: skipped because" in board.scored()


def test_a_folder_with_too_many_files_is_refused(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission, "MOST_FILES", 2)
    for number in range(3):
        (board.submitted / f"{number}.conll").write_bytes(RESPONSE)
    board.refused("there are 3 files, but at most 2 are accepted")


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gz", "xz"])
@pytest.mark.parametrize("is_zipped", [False, True])
def test_the_limit_counts_what_packed_files_unpack_to(
    board: Board, pack: Callable[[bytes], bytes], *, is_zipped: bool
) -> None:
    data = pack(b"x" * (AT_LEAST + 1))
    if is_zipped:
        with zipfile.ZipFile(board.zip, "w") as packed:
            packed.writestr(f"{NAME}.gz", data)
    else:
        (board.submitted / f"{NAME}.gz").write_bytes(data)
    board.refused(f"{NAME}.gz", f"more than {AT_LEAST:,} bytes, which is the limit")


def test_packed_files_are_scored(board: Board) -> None:
    (board.submitted / f"{NAME}.gz").write_bytes(gzip.compress(RESPONSE))
    board.scored()


def test_a_damaged_packed_file_is_blamed(board: Board) -> None:
    (board.submitted / f"{NAME}.gz").write_bytes(gzip.compress(RESPONSE)[:-20])
    board.refused(f"{NAME}.gz", "cannot be unpacked")


# Zips


def test_members_that_name_a_folder_are_skipped(board: Board) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        for name in ("/", "./", ".", "sub/", "sub/./", "sub//", "other/"):
            packed.writestr(zipfile.ZipInfo(name), b"")
        nameless = zipfile.ZipInfo("x")
        nameless.filename = ""
        packed.writestr(nameless, b"")
        folder = zipfile.ZipInfo("unmarked")
        folder.external_attr = (stat.S_IFDIR | 0o755) << 16
        packed.writestr(folder, b"")
        packed.writestr(f"./sub/{NAME}", RESPONSE)
    board.scored()


@pytest.mark.parametrize("name", ["./", ".", "sub/", ""])
def test_a_folder_with_content_is_refused(board: Board, name: str) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        member = zipfile.ZipInfo("x")
        member.filename = name
        packed.writestr(member, b"content")
        packed.writestr(NAME, RESPONSE)
    board.refused("my.zip", f"'{name}' is a folder but has content")


@pytest.mark.parametrize(
    "name", ["sub\\" + NAME, "sub\\deep\\" + NAME, ".\\" + NAME, "sub/.//" + NAME]
)
def test_names_of_other_systems_are_understood(board: Board, name: str) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(name, RESPONSE)
    board.scored()


@pytest.mark.parametrize(
    "name",
    [
        "../" + NAME,
        "/" + NAME,
        "a/../../" + NAME,
        "..\\" + NAME,
        "\\" + NAME,
        "C:\\" + NAME,
        "c:/" + NAME,
    ],
)
def test_names_that_lead_out_are_refused(board: Board, name: str) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(name, RESPONSE)
    board.refused("my.zip", "would be written outside its folder")


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (stat.S_IFLNK, "is a link"),
        (stat.S_IFIFO, "is not a regular file"),
        (stat.S_IFCHR, "is not a regular file"),
        (stat.S_IFSOCK, "is not a regular file"),
    ],
)
def test_only_regular_members_are_accepted(board: Board, kind: int, why: str) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(NAME, RESPONSE)
        member = zipfile.ZipInfo("deep/other.conll")
        member.external_attr = (kind | 0o777) << 16
        packed.writestr(member, str(board.reference / NAME))
    board.refused("my.zip", f"'deep/other.conll' {why}")


def test_a_file_below_a_file_is_refused(board: Board) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(f"a/b/{NAME}", RESPONSE)
        packed.writestr("a", "x")
    board.refused("my.zip", f"'a' is a file, but 'a/b/{NAME}' is inside it")


@pytest.mark.parametrize("again", [NAME, f"./{NAME}", f".\\{NAME}"])
def test_the_same_name_twice_is_refused(board: Board, again: str) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(NAME, RESPONSE)
        with (
            pytest.warns(UserWarning, match="Duplicate")
            if again == NAME
            else nullcontext()
        ):
            packed.writestr(again, RESPONSE)
    board.refused("my.zip", "appears twice")


@pytest.mark.parametrize("folders", [1000, 30_000])
def test_a_member_in_very_many_folders_is_refused(board: Board, folders: int) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        for number in range(20):
            packed.writestr("a/" * folders + f"{number}.conll", RESPONSE)
    message = board.refused("my.zip", "has a path of more than 1,024 bytes")
    assert len(message) < 1000


@pytest.mark.parametrize("name", ["n" * 300, "é" * 200, f"{'n' * 300}/{NAME}"])
def test_long_names_are_refused(board: Board, name: str) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(name, RESPONSE)
    board.refused("my.zip", "has a name of more than 255 bytes")


def test_long_paths_are_refused(board: Board) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr("deep/" * 2000 + NAME, RESPONSE)
    board.refused("my.zip", "has a path of more than 1,024 bytes")


@pytest.mark.parametrize(
    "method",
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA],
)
@pytest.mark.parametrize("place", [0.3, 0.6, 0.9])
def test_damaged_members_are_refused(board: Board, method: int, place: float) -> None:
    with zipfile.ZipFile(board.zip, "w", method) as packed:
        packed.writestr(NAME, RESPONSE)
        size = packed.getinfo(NAME).compress_size
    data = bytearray(board.zip.read_bytes())
    at = 30 + len(NAME) + int(place * size)
    data[at : at + 9] = bytes(byte ^ 0xFF for byte in data[at : at + 9])
    board.zip.write_bytes(data)
    board.refused("my.zip", f"this zip cannot be unpacked at '{NAME}'")


def test_a_wrong_checksum_is_refused(board: Board) -> None:
    _zip_with(board.zip, "<L", 16, 0xDEADBEEF)
    board.refused("my.zip", f"at '{NAME}'", "CRC")


def test_an_encrypted_member_is_refused(board: Board) -> None:
    _zip_with(board.zip, "<H", 8, 1)
    board.refused("my.zip", f"at '{NAME}'", "encrypted", "without a password")


def test_an_unknown_compression_is_refused(board: Board) -> None:
    _zip_with(board.zip, "<H", 10, 9)
    board.refused("my.zip", f"at '{NAME}'")


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_zip_that_is_cut_off_is_refused(board: Board, share: float) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(NAME, RESPONSE)
    data = board.zip.read_bytes()
    board.zip.write_bytes(data[: int(share * len(data))])
    board.refused("my.zip", "this zip cannot be unpacked")


def test_sizes_are_counted_and_not_believed(board: Board) -> None:
    with zipfile.ZipFile(board.zip, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(11):
            packed.writestr(f"{number}.conll", b"0" * (10 << 20))
    data = board.zip.read_bytes()
    board.zip.write_bytes(data.replace(struct.pack("<L", 10 << 20), bytes(4)))
    done = board.run()
    assert done.exit_code == 1
    assert "my.zip" in done.stderr


def test_many_members_are_refused_at_once(board: Board) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(NAME, RESPONSE)
        for number in range(MOST_FILES):
            packed.writestr(zipfile.ZipInfo(f"{number}"), b"")
    start = time.monotonic()
    board.refused("my.zip", f"{MOST_FILES + 1:,} files", f"{MOST_FILES:,} are accepted")
    assert time.monotonic() - start < 10


def test_as_many_members_as_allowed_are_accepted(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission, "MOST_FILES", 3)
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(NAME, RESPONSE)
        packed.writestr("a.txt.md", "x")
        packed.writestr("b.md", "x")
    board.scored()


def test_what_desktops_leave_behind_is_skipped(board: Board) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(f"sub/{NAME}", RESPONSE)
        for name in ("__MACOSX/sub/._x", ".DS_Store", "sub/Thumbs.db", ".git/config"):
            packed.writestr(name, "litter")
    board.scored()


def test_a_full_disk_names_the_zip(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(board.zip, "w") as packed:
        packed.writestr(NAME, RESPONSE)
    real = Path.open

    def opened(path: Path, mode: str = "r") -> IO[Any]:
        return real(Path("/dev/full"), "wb") if mode == "xb" else real(path, mode)

    monkeypatch.setattr(Path, "open", opened)
    board.refused("my.zip", "No space left on device")


def test_two_zips_are_refused(board: Board) -> None:
    for name in ("a.zip", "b.zip"):
        with zipfile.ZipFile(board.submitted / name, "w") as packed:
            packed.writestr(NAME, RESPONSE)
    board.refused("there are 2 zip files", "'a.zip', 'b.zip'")


def test_datasets_next_to_a_zip_are_scored(board: Board) -> None:
    (board.submitted / NAME).write_bytes(RESPONSE)
    with zipfile.ZipFile(board.submitted / "code.zip", "w") as packed:
        packed.writestr(NAME, b"")
    assert "warning: code.zip is a zip that was not unpacked." in board.scored()


def test_an_empty_zip_is_refused(board: Board) -> None:
    zipfile.ZipFile(board.zip, "w").close()
    board.refused("my.zip", "this submission is empty")


def _zip_with(path: Path, layout: str, at: int, value: int) -> None:
    """Write a zip whose central directory has another value in one place."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(NAME, RESPONSE)
    data = bytearray(path.read_bytes())
    struct.pack_into(layout, data, data.index(b"PK\x01\x02") + at, value)
    path.write_bytes(data)


def test_a_folder_of_systems_is_not_a_submission(board: Board) -> None:
    for name in ("a", "b"):
        (board.submitted / name).mkdir()
        (board.submitted / name / NAME).write_bytes(RESPONSE)
    with zipfile.ZipFile(board.submitted / "c.zip", "w") as packed:
        packed.writestr(NAME, RESPONSE)
    board.refused("folder of 2 systems", "'a', 'b'", "scoref REFERENCE SYSTEMS")
