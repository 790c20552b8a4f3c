"""Figures are the same where NumPy's default integer has 32 bits."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from click.testing import CliRunner

import scoref
from support.narrow_integers import narrowed
from support.paths import EXAMPLES

DOCUMENTS, MENTIONS = 40, 1500  # so many that codes of two numbers exceed 32 bits


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Write a key and a response as CoNLL-2012."""
    rng = np.random.default_rng(0)
    folder = tmp_path_factory.mktemp("narrow")
    key = rng.integers(0, MENTIONS // 3, (DOCUMENTS, MENTIONS))
    moved = rng.integers(0, MENTIONS // 3, (DOCUMENTS, MENTIONS))
    response = np.where(rng.random(key.shape) < 0.3, moved, key)
    paths = []
    for name, entities in (("key", key), ("response", response)):
        lines = []
        for number, document in enumerate(entities.tolist()):
            lines.append(f"#begin document (d{number}); part 000")
            lines += [f"d{number} 0 {t} w ({e})" for t, e in enumerate(document)]
            lines += ["", "#end document"]
        paths.append(folder / f"{name}.conll")
        paths[-1].write_text("\n".join(lines) + "\n")
    return list(map(str, paths))


def test_the_stand_in_has_integers_of_32_bits() -> None:
    with narrowed():
        product = np.arange(100_000) * np.bincount(np.arange(100_000))
        assert product.dtype == np.int32
        assert np.array([2**40]).dtype == np.int64
        assert np.zeros(3, dtype=np.int64).dtype == np.int64
        assert np.cumsum(np.ones(3, dtype=np.int64)).dtype == np.int64
    assert np.arange(3).dtype == np.intp


def test_texts_have_the_same_scores(files: list[str]) -> None:
    expected = scoref.score(*files, metrics="all")
    with narrowed():
        found = scoref.score(*files, metrics="all")
        scores = found.scores
    assert scores == expected.scores
    assert found.notes == expected.notes


@pytest.mark.parametrize(
    "form", ["corefud-{}.conllu", "ua-{}.ua", "ecb-{}.conll", "explain-{}.conll"]
)
def test_formats_have_the_same_scores(form: str) -> None:
    paths = [EXAMPLES / form.format(side) for side in ("key", "response")]
    expected = scoref.score(*paths)
    with narrowed():
        found = scoref.score(*paths)
        scores = found.scores
    assert scores == expected.scores
    assert found.notes == expected.notes


@pytest.mark.parametrize("groups", [1, 300])
def test_tables_have_the_same_scores(groups: int) -> None:
    rng = np.random.default_rng(1)
    rows = 120_000
    key = np.where(rng.random(rows) < 0.7, 0, rng.integers(0, rows, rows))
    response = np.where(rng.random(rows) < 0.2, rng.integers(0, rows, rows), key)
    block = rng.integers(0, groups, rows)
    table = {"gold": key, "predicted": response, "block": block}
    expected = scoref.score_table(table, group="block", engine="numpy")
    with narrowed():
        found = scoref.score_table(table, group="block", engine="numpy")
        scores = found.scores
    assert scores == expected.scores


def test_curves_and_estimates_are_the_same() -> None:
    rng = np.random.default_rng(2)
    records = 60_000
    key = {record: record // 3 for record in range(records)}
    ends = rng.integers(0, records, (2, 5000)).tolist()
    near = [(record, record + 1, 0.5) for record in range(0, records - 1, 2)]
    pairs = [*near, *zip(*ends, rng.random(5000).tolist(), strict=True)]
    predicted = {record: record // 4 for record in key}
    sample = {record: key[record] for record in range(records // 2)}
    curve, estimate = scoref.curve(key, pairs), scoref.estimate(sample, predicted)
    with narrowed():
        assert scoref.curve(key, pairs).points[:] == curve.points[:]
        assert scoref.estimate(sample, predicted).scores == estimate.scores


@pytest.mark.parametrize(
    "words",
    [
        ["errors"],
        ["errors", "--output", "json"],
        ["explain"],
        ["agree"],
        ["compare"],
        ["check"],
        ["stats"],
        ["convert", "--to", "json-lines", "-"],
        ["score", "--confidence", "95", "--resamples", "50"],
        ["score", "--by", "entity-size"],
        ["score", "--window", "100"],
    ],
)
def test_commands_print_the_same(words: list[str], files: list[str]) -> None:
    name, *options = words
    given = files if name != "compare" else [*files, f"same={files[1]}"]
    given = files[:1] if name == "convert" else given
    place = "cli" if name == "score" else f"tools.{name}.command"
    command = import_module(f"scoref.{place}").command

    def run() -> tuple[int, str]:
        result = CliRunner().invoke(command, [*given, *options], catch_exceptions=False)
        return result.exit_code, result.output

    expected = run()
    assert expected[0] in {0, 1}, expected[1]
    with narrowed():
        assert run() == expected
