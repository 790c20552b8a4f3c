"""The figures of official scorers that the README counts are all in the repository."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from support.golden import GOLDEN, cases


class Size(NamedTuple):
    """How much a folder has."""

    suffix: str
    pairs: int
    settings: int
    """settings, or metrics, of each pair"""
    scores: int
    """scores of all pairs; a score may be recall, precision and F₁"""


SIZES = {
    "conll2012": Size("conll", 48, 5, 816),
    "conll2012-duplicates": Size("conll", 18, 5, 306),
    "corefud": Size("conllu", 48, 12, 48 * 12 * 9),
    "corefud-duplicates": Size("conllu", 18, 12, 18 * 12 * 9),
    "ua": Size("ua", 40, 13, 4560),
    "minimum-spans": Size("conll", 40, 8, 40 * 8 * 6),
}


@pytest.mark.parametrize("folder", SIZES)
def test_a_folder_has_all_pairs_and_scores(folder: str) -> None:
    expected = json.loads((GOLDEN / folder / "expected.json").read_text("utf-8"))
    suffix, pairs, settings, scores = SIZES[folder]
    names = cases(folder, suffix)
    assert names == sorted(expected)
    assert len(names) == pairs
    for name in names:
        assert (GOLDEN / folder / f"{name}.response.{suffix}").is_file()
        assert len(expected[name]) == settings
    by_setting = [found for case in expected.values() for found in case.values()]
    assert sum(map(len, by_setting)) == scores


def test_there_is_no_other_folder() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == SIZES.keys()
