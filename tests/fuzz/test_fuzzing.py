from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from fuzz_cases import LISTS, Case, case_of

from scoref.cli import COMMANDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")

if TYPE_CHECKING:
    from pathlib import Path


def test_a_seed_is_always_the_same_case() -> None:
    assert [case_of(seed) for seed in range(50)] == [case_of(n) for n in range(50)]


def test_every_command_that_reads_files_is_drawn() -> None:
    calls = [case_of(seed).arguments for seed in range(1500)]
    assert {call[0] for call in calls} == {
        *("scoref", "scoref-conll", "scoref-corefud", "scoref-ua")
    }
    drawn = {call[1] for call in calls if call[0] == "scoref"}
    assert drawn >= set(COMMANDS) - LISTS - {"score"}


@pytest.mark.parametrize(
    ("code", "err", "found"),
    [
        (0, b"note: fine\n", ""),
        (1, b"error: wrong\n", ""),
        (-11, b"", "ended by signal 11"),
        (-14, b"", "still running after 30 s"),
        (120, b"", "exit code 120"),
        (
            *(1, b"Traceback (most recent call last):\n  x\nKeyError: 1\n"),
            "traceback: KeyError: 1",
        ),
        (1, b"error: a\x1b[31m\n", "something unprintable in a message"),
    ],
)
def test_what_is_a_find(code: int, err: bytes, found: str, tmp_path: Path) -> None:
    from fuzzing import Done, complaint  # not on every system

    assert complaint(Case(["scoref"], {}), Done(code, b"", err), tmp_path) == found


def test_a_changed_input_is_a_find(tmp_path: Path) -> None:
    from fuzzing import Done, complaint

    (tmp_path / "key").write_bytes(b"new")
    case = Case(["scoref"], {"key": b"old"})
    assert complaint(case, Done(0, b"", b""), tmp_path) == "key was changed"


@pytest.mark.parametrize(
    ("seeds", "found", "lines"),
    [
        ([1, 2, 3], 0, ["3 cases, 0 findings", "first seed: 1, last 3"]),
        (
            *([99, 7], 2),
            ["2 cases, 2 findings", "first seed: 99, the others are random as well"],
        ),
        ([5], 1, ["1 cases, 1 findings", "first seed: 5"]),
    ],
)
def test_a_run_ends_with_what_was_tried(
    seeds: list[int], found: int, lines: list[str]
) -> None:
    from fuzzing import FINDS, summary

    *begin, tried, kept = summary(seeds, found)
    assert begin == lines
    programs = [case_of(seed).arguments[0] for seed in seeds]
    assert all(f"{name} {programs.count(name)}" in tried for name in programs)
    assert kept == f"folder for findings: {FINDS}"
