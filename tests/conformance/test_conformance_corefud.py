"""The CorefUD scorer's own figures: seventy made-up pairs, and GUM beside."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.formats import reading
from scoref.metrics import available
from scoref.scoring.pipeline import score_corpora
from support.corefud import scheme_with
from support.golden import GOLDEN
from support.paths import NO_SHARED, ROOT

if TYPE_CHECKING:
    from pathlib import Path

Figures = dict[str, dict[str, list[float] | float]]

HERE = ROOT / "tests" / "golden" / "corefud"
REAL = ROOT.parent / "shared" / "real"
FOLDERS = ("corefud", "corefud-duplicates")
METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")


def _figures_in(folder: Path) -> dict[str, Figures]:
    """Read what the official scorer gives, by case and setting."""
    text = (folder / "expected.json").read_text(encoding="utf-8")
    found: dict[str, Figures] = json.loads(text)
    return found


def _cases(folder: Path) -> list[str]:
    suffix = ".key.conllu"
    return sorted(path.name.removesuffix(suffix) for path in folder.glob(f"*{suffix}"))


def _options(setting: str) -> dict[str, str]:
    match, singletons, zeros = setting.split("|")
    keep = "keep" if singletons == "singletons" else "drop"
    return {"match": match, "singletons": keep, "zeros": zeros}


def _check(base: Path, figures: Figures) -> None:
    key = reading.read(f"{base}.key.conllu", role="key")
    response = reading.read(f"{base}.response.conllu", role="response")
    for setting, by_metric in figures.items():
        scheme = scheme_with(_options(setting))
        result = score_corpora(key, response, scheme, available(key, scheme))
        found = {name: list(result.scores[name][:3]) for name in METRICS}
        for name in METRICS:
            expected = pytest.approx(by_metric[name], abs=1e-9)
            assert found[name] == expected, (setting, name)
        assert result.conll == pytest.approx(by_metric["conll"], abs=1e-9), setting


@pytest.mark.parametrize("case", _cases(HERE))
def test_figures_are_those_of_the_corefud_scorer(case: str) -> None:
    figures = _figures_in(HERE)[case]
    assert len(figures) == 12
    _check(HERE / case, figures)


def test_every_pair_of_corefud_files_has_its_figures() -> None:
    assert set(_cases(HERE)) == _figures_in(HERE).keys()


@pytest.mark.parametrize("scheme", [None, "crac-2024", "crac-2025", "crac-2026"])
def test_the_default_scheme_is_the_official_set_up(scheme: str | None) -> None:
    paths = HERE / "zeros.key.conllu", HERE / "zeros.response.conllu"
    expected = _figures_in(HERE)["zeros"]["head|no-singletons|dependent"]
    result = scoref.score(*paths, scheme=scheme)
    found = {name: result.scores[name][:3] for name in METRICS}
    assert found == {name: pytest.approx(expected[name]) for name in METRICS}
    assert result.conll == pytest.approx(expected["conll"])


@pytest.mark.parametrize(
    ("folder", "case"),
    [(name, case) for name in FOLDERS for case in _cases(GOLDEN / name)],
)
def test_made_up_corpora_get_the_figures_of_the_corefud_scorer(
    folder: str, case: str
) -> None:
    path = GOLDEN / folder
    figures = _figures_in(path)[case]
    assert len(figures) == 12
    _check(path / case, figures)


def test_gum_gets_the_figures_of_the_corefud_scorer() -> None:
    if not REAL.exists():
        pytest.skip(NO_SHARED)
    _check(REAL / "gum", _figures_in(REAL)["gum"])


TARGETS = ("universal-anaphora", "tsv", "brat", "conll-2012", "json-lines")


@pytest.mark.parametrize("case", _cases(GOLDEN / "corefud"))
def test_a_key_equals_its_conversions(case: str, tmp_path: Path) -> None:
    key = GOLDEN / "corefud" / f"{case}.key.conllu"
    for target in TARGETS:
        response = _converted(key, target, tmp_path)
        # A table does not hold documents without mentions.
        result = scoref.score(key, response, singletons="keep", missing="empty")
        if any(note.kind.startswith("duplicates") for note in result.notes):
            # Two mentions were reduced to the same piece.
            assert target in {"conll-2012", "json-lines"}
            assert result.scores["mentions"].f1 == 1
            continue
        scores = [score for score in result.scores.values() if score.is_defined]
        assert [score.f1 for score in scores] == [1.0] * len(scores), target


def _converted(key: Path, target: str, folder: Path) -> Path:
    found = scoref.convert(key, target, lossy=True)
    path = folder / target
    for name, data in (found.files or {"": found.data}).items():
        file = path / name if name else path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return path
