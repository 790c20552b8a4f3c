"""The same verdict and the same names as the official validator, where it is installed.

``pip install udtools==0.2.8`` enables these tests.
"""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import re

import pytest

from scoref.tools.check.crac.rules import (
    CRASH,
    NOT_COVERED,
    OFFICIAL_RULES,
    VERSION,
)
from support.nightly import IS_NIGHTLY
from support.official_validator import (
    CLEAN,
    Verdict,
    damaged_files,
    official_names,
    our_names,
    sources,
)
from support.paths import NO_SHARED


def _installed() -> str:
    try:
        return importlib.metadata.version("udtools")
    except importlib.metadata.PackageNotFoundError:
        return "none"


needs_udtools = pytest.mark.skipif(
    _installed() != VERSION, reason=f"udtools {VERSION} is not installed"
)
every_seed = pytest.mark.parametrize("seed", range(40 if IS_NIGHTLY else 4))


def _disagreement(data: bytes) -> tuple[object, object] | None:
    official, ours = official_names(data), our_names(data)
    if isinstance(official, str):  # the validator stopped
        return None if ours.errors else (official, ours)
    return None if official == ours else (official, ours)


@needs_udtools
@every_seed
def test_damaged_files_break_the_same_rules(seed: int) -> None:
    for _, data in damaged_files(seed, 100, sources(with_shared=False)):
        assert _disagreement(data) is None, data.decode()


@needs_udtools
@every_seed
def test_damaged_corpora_break_the_same_rules(seed: int) -> None:
    files = sources(with_shared=True)
    if len(files) == len(sources(with_shared=False)):
        pytest.skip(NO_SHARED)
    for _, data in damaged_files(seed, 25, files):
        assert _disagreement(data) is None, data.decode()


@needs_udtools
def test_the_official_names_are_those_of_the_validator() -> None:
    folder = importlib.resources.files("udtools")
    names: set[str] = set()
    for level in (1, 2, 6):
        code = folder.joinpath(f"level{level}.py").read_text("utf-8")
        names.update(re.findall(r"testid='([\w-]+)'", code))
    assert names == {*OFFICIAL_RULES, *NOT_COVERED} - {CRASH}


@needs_udtools
def test_the_validator_never_reports_inactive_rules() -> None:
    row = b"Bridge=e1<e6:part"
    for bridges in (b"Bridge=e6<e6", b"Bridge=a<b", b"Bridge=a<e6:x,a<e6:y"):
        official = official_names(CLEAN.replace(row, bridges))
        assert official == Verdict(frozenset(), frozenset())


def test_a_clean_file_breaks_no_official_rule() -> None:
    assert our_names(CLEAN) == Verdict(frozenset(), frozenset())
