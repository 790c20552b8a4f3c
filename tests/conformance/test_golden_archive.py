"""The figures of official scorers that the README counts are all in the repository."""

from __future__ import annotations

import json
import lzma
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pack_golden import tar_of
from support.golden import ARCHIVE, BLANC_BY_HASH, GOLDEN, cases, files_in, unpack
from support.paths import NO_SHARED, ROOT

if TYPE_CHECKING:
    from pathlib import Path

SHARED = ROOT.parent / "shared" / "golden"


class Size(NamedTuple):
    """How much a folder has."""

    suffix: str
    pairs: int
    settings: int
    """settings, or metrics, of each pair"""


SIZES = {
    "conll2012": Size("conll", 48, 5),
    "conll2012-duplicates": Size("conll", 18, 5),
    "corefud": Size("conllu", 48, 12),
    "corefud-duplicates": Size("conllu", 18, 12),
    "ua": Size("ua", 40, 13),
    "minimum-spans": Size("conll", 40, 8),
}


def _expected(folder: str) -> dict[str, dict[str, dict[str, Any]]]:
    text = (GOLDEN / folder / "expected.json").read_text("utf-8")
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(text)
    return found


def _count(figures: object) -> int:
    """Count the numbers in figures, such as three in recall, precision and F₁."""
    if isinstance(figures, dict):
        return sum(map(_count, figures.values()))
    return sum(map(_count, figures)) if isinstance(figures, list) else 1


def _readme(pattern: str) -> list[int]:
    """Return the numbers that the README has in a sentence."""
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    found = re.search(pattern, text)
    assert found, pattern
    return [int(number.replace(",", "")) for number in found.groups()]


@pytest.mark.parametrize("folder", SIZES)
def test_a_folder_has_all_pairs_and_settings(folder: str) -> None:
    expected = _expected(folder)
    suffix, pairs, settings = SIZES[folder]
    names = cases(folder, suffix)
    assert names == sorted(expected)
    assert len(names) == pairs
    for name in names:
        assert (GOLDEN / folder / f"{name}.response.{suffix}").is_file()
        assert len(expected[name]) == settings


def test_there_is_no_other_folder() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == SIZES.keys()


def test_the_readme_counts_the_pairs_of_the_perl_scorer() -> None:
    (pairs,) = _readme(r"Perl reference scorer 8\.01: [^.]* on ([\d,]+) corpora")
    folders = ("conll2012", "conll2012-duplicates")
    assert sum(len(_expected(folder)) for folder in folders) == pairs


def test_the_readme_counts_the_pairs_and_settings_of_the_corefud_scorer() -> None:
    pairs, settings = _readme(
        r"CorefUD scorer 1\.2: [^.]* on ([\d,]+) corpora under ([\d,]+) settings each"
    )
    found = [
        case
        for folder in ("corefud", "corefud-duplicates")
        for case in _expected(folder).values()
    ]
    assert len(found) == pairs
    assert {len(case) for case in found} == {settings}


def test_the_readme_counts_scores_of_the_universal_anaphora_scorer() -> None:
    """A score is what a metric has under one setting, such as recall, precision, F₁."""
    equal, scores = _readme(
        r"Universal Anaphora scorer 2\.0: ([\d,]+) of ([\d,]+) scores are equal"
    )
    expected = _expected("ua")
    figures = [each for case in expected.values() for each in case.values()]
    assert sum(map(len, figures)) == scores
    by_hash = [
        setting
        for name in BLANC_BY_HASH
        for setting in expected.get(name, {})
        if "split" in setting.split("|")
    ]
    assert scores - len(by_hash) == equal


def test_the_readme_counts_single_figures_of_coval() -> None:
    scores, pairs = _readme(r"coval: ([\d,]+) scores of ([\d,]+) corpora are equal")
    expected = _expected("minimum-spans")
    assert _count(expected) == scores
    assert len(expected) == pairs


def test_a_copy_that_was_edited_is_repaired(tmp_path: Path) -> None:
    files = {"ua/expected.json": b"{}", "ua/a.key.ua": b"a\n"}
    unpack(files, tmp_path)
    (tmp_path / "ua" / "expected.json").write_bytes(b"[]")
    (tmp_path / "ua" / "a.key.ua").unlink()
    (tmp_path / "ua" / "b.key.ua").write_bytes(b"b\n")
    unpack(files, tmp_path)
    found = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert found == files


def test_packing_the_same_files_gives_the_same_archive(tmp_path: Path) -> None:
    unpack(files_in(ARCHIVE), tmp_path)
    assert tar_of(tmp_path) == lzma.decompress(ARCHIVE.read_bytes())


def test_the_archive_has_the_files_that_it_was_packed_from() -> None:
    if not SHARED.is_dir():
        pytest.skip(NO_SHARED)
    found = {
        path.relative_to(SHARED).as_posix(): path.read_bytes()
        for path in SHARED.rglob("*")
        if path.is_file()
    }
    assert found == files_in(ARCHIVE)
