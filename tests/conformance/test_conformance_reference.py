"""The Perl reference scorer's figures: 66 made-up corpora, and LitBank beside."""

from __future__ import annotations

import pytest

import scoref
from support.golden import GOLDEN, cases
from support.paths import NO_SHARED, ROOT
from support.reference_figures import check_figures, figures_in

FOLDERS = "conll2012", "conll2012-duplicates"
EXPECTED = {folder: figures_in(GOLDEN / folder / "expected.json") for folder in FOLDERS}
PAIRS = [(folder, case) for folder in FOLDERS for case in cases(folder, "conll")]
both_schemes = pytest.mark.parametrize("scheme", ["conll-2012", "default"])


@both_schemes
@pytest.mark.parametrize(("folder", "case"), PAIRS)
def test_made_up_corpora_get_the_figures_of_the_reference_scorer(
    folder: str, case: str, scheme: str
) -> None:
    base = GOLDEN / folder / case
    paths = f"{base}.key.conll", f"{base}.response.conll"
    check_figures(scoref.score(*paths, scheme=scheme), EXPECTED[folder][case])


def test_every_pair_has_its_figures() -> None:
    assert len(PAIRS) == 66
    assert {*PAIRS} == {
        (folder, case) for folder in FOLDERS for case in EXPECTED[folder]
    }


@both_schemes
def test_litbank_gets_the_figures_of_the_reference_scorer(scheme: str) -> None:
    folder = ROOT.parent / "shared" / "real"
    if not folder.exists():
        pytest.skip(NO_SHARED)
    figures = figures_in(folder / "expected.json")["litbank"]
    paths = folder / "litbank.key.conll", folder / "litbank.response.conll"
    check_figures(scoref.score(*paths, scheme=scheme), figures)
