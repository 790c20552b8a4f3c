"""The Universal Anaphora scorer's own figures: 46 pairs with 13 settings.

BLANC is the exception. Where a plural shares its entity with other mentions, the
official scorer counts the links of those that come behind it in a list that was made
from a set. scoref has the plural come first, so that all of its links count; what the
official scorer has less is then a sum of whole links, each as heavy as its plural.
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref.contingency.tabulation import tabulate
from scoref.formats import reading
from scoref.matching.spans import match_mentions
from scoref.metrics import available
from scoref.metrics._plurals import count_with_plurals
from scoref.metrics.base import Part
from scoref.metrics.blanc import blanc
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from support.golden import BLANC_BY_HASH, GOLDEN
from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.model import Corpus
    from scoref.scheme import Scheme

Values = list[float]
Figures = dict[str, dict[str, Values | list[Values] | float]]

HERE = ROOT / "tests" / "golden" / "ua"
OFFICIAL = GOLDEN / "ua"
SUFFIX = ".key.ua"
METRICS = ("muc", "bcub", "ceafe", "ceafm", "lea")
BRIDGING = ("bridging-anaphors", "bridging-markables", "bridging-entities")
MATCHES = {"exact": "exact", "partial-corefud": "partial", "partial-craft": "craft"}


def _figures_in(folder: Path) -> dict[str, Figures]:
    text = (folder / "expected.json").read_text(encoding="utf-8")
    found: dict[str, Figures] = json.loads(text)
    return found


def _cases(folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}"))


def _scheme(setting: str) -> Scheme:
    if setting == "only-split":
        return resolve("codi-crac-2022-ar", evaluate="split-antecedents")
    match, singletons, split, *zeros = setting.split("|")
    return resolve(
        "codi-crac-2022-ar",
        match=MATCHES[match],
        singletons="keep" if singletons == "singletons" else "drop",
        split_antecedents="keep" if split == "split" else "drop",
        zeros="linear" if zeros == ["zeros"] else "drop",
    )


def _sides(base: Path) -> tuple[Corpus, Corpus]:
    key = reading.read(f"{base}.key.ua", role="key")
    return key, reading.read(f"{base}.response.ua", role="response")


def _check(base: Path, figures: Figures) -> None:
    """Compare every figure but BLANC."""
    sides = _sides(base)
    for setting, expected in figures.items():
        scheme = _scheme(setting)
        result = score_corpora(*sides, scheme, available(sides[0], scheme))
        found: dict[str, object] = {
            name: list(result.scores[name][:3]) for name in METRICS
        }
        if setting != "only-split":
            found["conll"] = result.conll
            found["non-referring"] = list(result.scores["non-referring"][:3])
            found["bridging"] = [list(result.scores[name][:3]) for name in BRIDGING]
        assert {*found, "blanc"} == expected.keys()
        for name, value in found.items():
            _assert_equal(value, expected[name], f"{setting} {name}")


def _assert_equal(found: object, expected: object, what: str) -> None:
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-9), what


def _check_blanc(base: Path, figures: Figures) -> None:
    sides = _sides(base)
    for setting, expected in figures.items():
        scheme = _scheme(setting)
        result = score_corpora(*sides, scheme, ("blanc",))
        official = np.array(expected["blanc"])
        is_open = "split" in setting.split("|") and base.name in BLANC_BY_HASH
        if not is_open:
            _assert_equal(result.scores["blanc"][:3], official, f"{setting} blanc")
            continue
        assert result.scores["blanc"].f1 > official[2] + 1e-9, setting
        sums = result.counts["blanc"].sum(axis=0)
        explained = [
            blanc("corefud").score(sums - np.array([less, 0, 0, 0, 0, 0]))
            for less in _sums_of_links(*sides, scheme)
        ]
        assert any(official == pytest.approx(each, abs=1e-9) for each in explained)


def _sums_of_links(key: Corpus, response: Corpus, scheme: Scheme) -> set[float]:
    """List what may be missing: of each plural none, some or all of its links."""
    links: list[tuple[int, float]] = []

    def look(table: Contingency) -> Floats:
        weight = np.broadcast_to(table.overlap_plural, table.key_count.shape)
        links.extend(zip(table.key_count.tolist(), weight.tolist(), strict=True))
        return np.zeros((table.document_count, 3))

    metric = blanc("corefud")
    coreference = metric.parts[0]
    looking = Part(look, coreference.count_elements, coreference.ratios)
    table = tabulate(match_mentions(key, response, scheme), scheme)
    count_with_plurals(dataclasses.replace(metric, parts=(looking,)), table)
    sums = {0.0}
    for count, weight in links:
        if weight > 0:
            found = {less + n * weight for less in sums for n in range(count + 1)}
            sums = {round(less, 12) for less in found}
    return sums


@pytest.mark.parametrize("case", _cases(HERE))
def test_figures_are_those_of_the_universal_anaphora_scorer(case: str) -> None:
    figures = _figures_in(HERE)[case]
    assert len(figures) == 13
    _check(HERE / case, figures)


@pytest.mark.parametrize("case", _cases(HERE))
def test_blanc_is_the_official_one_with_plurals_first(case: str) -> None:
    _check_blanc(HERE / case, _figures_in(HERE)[case])


def test_every_pair_of_universal_anaphora_files_has_its_figures() -> None:
    assert set(_cases(HERE)) == _figures_in(HERE).keys()


@pytest.mark.parametrize("scheme", [None, "default", "codi-crac-2022-ar"])
def test_the_default_scheme_keeps_singletons_and_split_antecedents(
    scheme: str | None,
) -> None:
    paths = HERE / "plurals.key.ua", HERE / "plurals.response.ua"
    expected = _figures_in(HERE)["plurals"]["exact|singletons|split"]
    result = scoref.score(*paths, scheme=scheme)
    for name in METRICS:
        _assert_equal(result.scores[name][:3], expected[name], name)
    assert result.conll == pytest.approx(expected["conll"], abs=1e-9)


@pytest.mark.parametrize("case", _cases(OFFICIAL))
def test_made_up_texts_get_the_figures_of_the_universal_anaphora_scorer(
    case: str,
) -> None:
    figures = _figures_in(OFFICIAL)[case]
    assert len(figures) == 13
    _check(OFFICIAL / case, figures)


@pytest.mark.parametrize("case", _cases(OFFICIAL))
def test_made_up_texts_get_the_official_blanc_with_plurals_first(case: str) -> None:
    _check_blanc(OFFICIAL / case, _figures_in(OFFICIAL)[case])
