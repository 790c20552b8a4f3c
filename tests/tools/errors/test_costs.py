"""What one error costs is what its repair gains, in every metric."""

from __future__ import annotations

import json
import re
from random import Random
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
from hypothesis import given

import scoref
from scoref.metrics import choose_metrics
from scoref.tools.errors import costs
from scoref.tools.errors.kinds import KINDS
from scoref.tools.errors.rendering import ErrorView, errors_report
from support import random_corefud
from support.error_analyses import analysis_of_texts
from support.paths import EXAMPLES, NO_SHARED, ROOT
from support.random_entities import partitions, text_of
from support.repair import by_document, json_lines, key_entities, mended

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.errors.findings import Analysis
    from support.oracle_errors import Entities

REAL = ROOT.parent / "shared" / "real"
SAME = 1e-12


def gains_of_files(
    analysis: Analysis, errors: list[int], folder: Path, metrics: str | None = None
) -> dict[str, list[float]]:
    """Write a response for each error in which it is mended, and score them all."""
    key, response = folder / "key.jsonl", folder / "response.jsonl"
    key.write_text(json_lines(analysis, key_entities(analysis)))
    scores = []
    for error in (None, *errors):
        response.write_text(json_lines(analysis, mended(analysis, error)))
        result = scoref.score(key, response, metrics=metrics).scores
        scores.append({name: score.f1 for name, score in result.items()})
    return {
        name: [after[name] - scores[0][name] for after in scores[1:]]
        for name in scores[0]
    }


def check(
    analysis: Analysis, errors: list[int], folder: Path, metrics: str | None = None
) -> None:
    """Compare with files in which an error is really mended."""
    expected = gains_of_files(analysis, errors, folder, metrics)
    assert list(analysis.error_gains) == list(expected)
    for name, gains in expected.items():
        computed = analysis.error_gains[name][errors]
        assert computed.tolist() == pytest.approx(gains, abs=SAME, rel=0), name


@given(key=partitions(), response=partitions())
def test_a_gain_is_that_of_a_file_in_which_the_error_is_mended(
    key: Entities, response: Entities, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    analysis = analysis_of_texts(
        text_of(key), text_of(response), "json-lines", choose_metrics("all")
    )
    check(analysis, list(range(len(analysis.errors.kind))), folder, "all")


def test_gains_of_a_file_are_those_of_mended_files(tmp_path: Path) -> None:
    paths = [EXAMPLES / f"many-{name}.conll" for name in ("key", "a")]
    analysis = scoref.find_errors(*paths)
    check(analysis, list(range(len(analysis.errors.kind))), tmp_path)


def dealt(folder: Path, sizes: list[int]) -> list[Path]:
    """Write documents whose mentions are dealt to entities of four, and dealt anew."""
    random = Random(7)  # noqa: S311 - no secret
    paths = [folder / "key.jsonl", folder / "response.jsonl"]
    entities = [[number // 4 for number in range(size)] for size in sizes]
    for path in paths:
        lines = []
        for name, entity in enumerate(entities):
            clusters = [
                [[at, at] for at, each in enumerate(entity) if each == number]
                for number in range(len(entity) // 4)
            ]
            words = [["word"] * len(entity)]
            line = {"doc_key": str(name), "sentences": words, "clusters": clusters}
            lines.append(json.dumps(line))
            random.shuffle(entity)
        path.write_text("\n".join(lines) + "\n")
    return paths


def test_a_tangle_leaves_small_documents_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = dealt(tmp_path, [200, *[24] * 12])
    analysis = scoref.find_errors(*paths)
    exact, is_small = analysis.error_gains["ceafe"], analysis.errors.document > 0
    monkeypatch.setattr(costs, "_MOST_COPIED", 5_000)
    bound = scoref.find_errors(*paths).error_gains
    differs = np.abs(bound["ceafe"] - exact) > SAME
    assert differs.any()
    assert not differs[is_small].any()


def test_where_all_hangs_together_gains_are_lower_bounds_and_that_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = dealt(tmp_path, [200])
    exact = scoref.find_errors(*paths).error_gains
    assert (dict(exact) and exact.notes) == ()
    monkeypatch.setattr(costs, "_MOST_COPIED", 5_000)
    bound = scoref.find_errors(*paths).error_gains
    for name in exact:
        assert (bound[name] <= exact[name] + SAME).all()
    noted = {note.kind: note.count for note in bound.notes}
    differing = np.count_nonzero(np.abs(bound["ceafe"] - exact["ceafe"]) > SAME)
    assert 0 < differing <= noted["gains-ceafe"] < len(exact["ceafe"])
    for view in (
        ErrorView(is_list=True),
        ErrorView(output="json"),
        ErrorView(output="csv", by="document"),
    ):
        analyses = {"a": scoref.find_errors(*paths)}
        notes = errors_report(analyses, view).notes
        counts = re.findall(r"gains of (\d+) errors are lower bounds", " ".join(notes))
        written = ["ceafe"] if view.is_list else ["ceafm", "ceafe"]
        assert counts == [str(noted[f"gains-{name}"]) for name in written]
    plain = errors_report({"a": scoref.find_errors(*paths)}, ErrorView())
    assert not [note for note in plain.notes if "lower bounds" in note]


def test_gains_are_the_same_in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [EXAMPLES / f"many-{name}.conll" for name in ("key", "b")]
    at_once = dict(scoref.find_errors(*paths).error_gains)
    monkeypatch.setattr(costs, "_AT_ONCE", 20)
    in_parts = dict(scoref.find_errors(*paths).error_gains)
    for name, gains in at_once.items():
        assert in_parts[name].tolist() == pytest.approx(gains.tolist(), abs=SAME)


def gains_by_name(analysis: Analysis, errors: list[int]) -> dict[str, list[float]]:
    """Score entities with one error mended, mentions by what they were matched with."""
    key = by_document(analysis, key_entities(analysis))
    scheme = analysis.result.scheme
    scores = []
    for error in (None, *errors):
        response = by_document(analysis, mended(analysis, error))
        result = scoref.score(
            key,
            response,
            metrics=[*analysis.error_gains],
            average=scheme.average,
            blanc=scheme.blanc,
            lea=scheme.lea,
        )
        scores.append({name: score.f1 for name, score in result.scores.items()})
    return {
        name: [after[name] - scores[0][name] for after in scores[1:]]
        for name in scores[0]
    }


def check_by_name(analysis: Analysis, errors: list[int]) -> None:
    expected = gains_by_name(analysis, errors)
    for name, gains in expected.items():
        computed = analysis.error_gains[name][errors]
        assert computed.tolist() == pytest.approx(gains, abs=SAME, rel=0), name


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_gains_are_those_of_the_average_that_is_asked_for(
    average: Literal["micro", "macro"],
) -> None:
    paths = [EXAMPLES / f"many-{name}.conll" for name in ("key", "a")]
    analysis = scoref.find_errors(*paths, average=average)
    check_by_name(analysis, list(range(len(analysis.errors.kind))))


def test_gains_of_mentions_that_are_sets_of_words() -> None:
    for seed in range(10):
        pair = random_corefud.random_pair(Random(seed))  # noqa: S311 - no secret is made
        texts = [side.text() for side in pair]
        analysis = analysis_of_texts(texts[0], texts[1], "corefud", singletons="keep")
        check_by_name(analysis, list(range(len(analysis.errors.kind))))


def test_what_needs_words_has_no_gains() -> None:
    paths = [EXAMPLES / f"corefud-{name}.conllu" for name in ("key", "response")]
    analysis = scoref.find_errors(*paths)
    missing = set(analysis.result.metrics) - set(analysis.error_gains)
    assert missing == {"mor", "zero"}
    with pytest.raises(KeyError):
        analysis.error_gains["mor"]


def test_a_response_without_errors_has_no_gains() -> None:
    analysis = scoref.find_errors([["a", "b"]], [["a", "b"]])
    assert {name: len(gains) for name, gains in analysis.error_gains.items()} == (
        dict.fromkeys(analysis.result.metrics, 0)
    )


@pytest.mark.parametrize("name", ["litbank.{}.conll", "gum.{}.conllu"])
def test_gains_of_real_texts_are_those_of_mended_ones(name: str) -> None:
    paths = [REAL / name.format(side) for side in ("key", "response")]
    if not paths[0].exists():
        pytest.skip(NO_SHARED)
    analysis = scoref.find_errors(*paths)
    kinds, some = analysis.errors.kind, []
    for kind in range(len(KINDS)):
        every = np.flatnonzero(kinds == kind)
        some += every[:: max(1, len(every) // 5)].tolist()
    check_by_name(analysis, some)
