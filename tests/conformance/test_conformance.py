"""All figures of the reference scorer that lie beside the project, if they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from support.paths import ROOT
from support.reference_figures import check_figures, figures_in

if TYPE_CHECKING:
    from pathlib import Path

SHARED = ROOT.parent / "shared"
both_schemes = pytest.mark.parametrize("scheme", ["conll-2012", "default"])


def _present(path: Path) -> Path:
    """Give a path, or skip the test where it does not exist."""
    if not path.exists():
        pytest.skip(f"'{path.parent.name}' does not lie beside the project")
    return path


def _cases(folder: str) -> list[str]:
    suffix = ".key.conll"
    paths = (SHARED / "golden" / folder).glob(f"*{suffix}")
    return sorted(path.name.removesuffix(suffix) for path in paths) or ["0000"]


@both_schemes
@pytest.mark.parametrize(
    ("folder", "case"),
    [
        (folder, case)
        for folder in ("conll2012", "conll2012-duplicates")
        for case in _cases(folder)
    ],
)
def test_made_up_corpora_get_the_figures_of_the_reference_scorer(
    folder: str, case: str, scheme: str
) -> None:
    figures = figures_in(_present(SHARED / "golden" / folder / "expected.json"))[case]
    base = SHARED / "golden" / folder / case
    paths = f"{base}.key.conll", f"{base}.response.conll"
    check_figures(scoref.score(*paths, scheme=scheme), figures)


@both_schemes
def test_litbank_gets_the_figures_of_the_reference_scorer(scheme: str) -> None:
    folder = SHARED / "real"
    figures = figures_in(_present(folder / "expected.json"))["litbank"]
    paths = folder / "litbank.key.conll", folder / "litbank.response.conll"
    check_figures(scoref.score(*paths, scheme=scheme), figures)
