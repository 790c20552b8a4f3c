"""Profiles are checked when they are read: damaged ones score nothing."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from scoref.records.api import score_table
from scoref.records.table import profiles
from scoref.records.table.command import command
from scoref.records.table.profiles import dump_profile

if TYPE_CHECKING:
    from pathlib import Path

KEY = {"1": "a", "2": "a", "3": "a", "4": "b", "5": "b", "6": "c", "7": "d", "8": "e"}
RESPONSE = {"1": "x", "2": "x", "3": "y", "4": "y", "5": "z", "6": "w", "8": "x"}
SAVED: dict[str, Any] = json.loads(dump_profile(score_table(KEY, RESPONSE)))


def changed(**parts: object) -> str:
    return json.dumps(SAVED | parts)


@given(
    key=st.dictionaries(st.integers(0, 9), st.integers(0, 3)),
    response=st.dictionaries(st.integers(0, 9), st.integers(0, 3)),
    universe=st.sampled_from(["union", "key", "response"]),
)
def test_every_profile_that_was_counted_can_be_read(
    key: dict[int, int],
    response: dict[int, int],
    universe: Any,  # noqa: ANN401
) -> None:
    if not key.keys() & response.keys():
        universe = "union"
    result = score_table(key, response, universe=universe)
    assert result.table is not None
    assert profiles.counts_object(
        profiles.load_counts(json.loads(dump_profile(result)))
    ) == profiles.counts_object(result.table)


@pytest.mark.parametrize(
    "text",
    [
        changed(cells=[[1, 1, 1, 1, 1, float("inf")]]),
        changed(cells=[[1.5, 2, 2, 2, 2, 1]]),
        changed(cells=[[1, 1, 1, 1, 1]]),
        changed(cells=7),
        changed(key=[[0, 0, 1]]),
        changed(key=[[2**70, 1, 1]]),
        changed(key=[[True, True, True]]),
        changed(nearest=[float("nan"), 1]),
        changed(fates=["lost"]),
        changed(**{"scoref-profile": 1}),
        "[" * 100_000,
        "[]",
        "null",
        "9" * 5000,
    ],
)
def test_what_is_no_profile_is_refused(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "saved").write_text(text + "\n")
    result = CliRunner().invoke(command, ["--profile", str(path)])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {path}:1: this ")


@pytest.mark.parametrize(
    "about",
    [
        {"universe": "all"},
        {"universe": ["both"]},
        {"duplicates": 7},
        {"group": 7},
        {"group": ["x"]},
    ],
)
def test_what_is_told_about_a_profile_is_checked(
    tmp_path: Path, about: dict[str, object]
) -> None:
    (path := tmp_path / "saved").write_text(changed(**about) + "\n")
    result = CliRunner().invoke(command, ["--profile", str(path)])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {path}:1: this profile is damaged: ")


def test_no_damage_ends_in_a_traceback(tmp_path: Path) -> None:
    path, rng = tmp_path / "saved", random.Random(13)  # noqa: S311 - damage
    whole = json.dumps(SAVED).encode()
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 2, 5])):
            data[rng.randrange(len(data))] = rng.choice(b'0123456789[],".-e\xff')
        path.write_bytes(data)
        result = CliRunner().invoke(command, ["--profile", str(path)])
        assert result.exit_code in {0, 1}, (bytes(data), result.exception)
