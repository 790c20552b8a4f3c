"""The reference scorer's own figures on small made-up corpora."""

from __future__ import annotations

import pytest

import scoref
from support.paths import ROOT
from support.reference_figures import Figures, check_figures, figures_in

FOLDER = ROOT / "tests" / "golden"
EXPECTED = figures_in(FOLDER / "expected.json")


@pytest.mark.parametrize("scheme", ["conll-2012", "default"])
@pytest.mark.parametrize(("case", "figures"), EXPECTED.items(), ids=list(EXPECTED))
def test_figures_are_those_of_the_reference_scorer(
    case: str, figures: Figures, scheme: str
) -> None:
    paths = FOLDER / f"{case}.key.conll", FOLDER / f"{case}.response.conll"
    check_figures(scoref.score(*paths, scheme=scheme), figures)


def test_every_pair_of_files_has_its_figures() -> None:
    suffix = ".key.conll"
    pairs = {
        path.relative_to(FOLDER).as_posix().removesuffix(suffix)
        for path in FOLDER.rglob(f"*{suffix}")
    }
    assert pairs == EXPECTED.keys()
