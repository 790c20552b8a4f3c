"""Converted files score as the originals do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref.tools.convert.conversion import convert
from support.paths import EXAMPLES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

GOLDEN = ROOT.parent / "shared" / "golden"
METRICS = ["mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea"]
FORMATS = ["conll-2012", "json-lines", "corefud", "universal-anaphora"]
every_format = pytest.mark.parametrize("to", FORMATS)


def score(key: Path, response: Path, form: str) -> scoref.Result:
    if form in {"conll-2012", "json-lines"}:
        return scoref.score(key, response, format=form, metrics=METRICS)
    return scoref.score(
        key,
        response,
        format=form,
        metrics=METRICS,
        match="exact",
        singletons="keep",
        split_antecedents="drop",
        zeros="drop" if form == "universal-anaphora" else "linear",
        duplicates="first",
        blanc="reference" if form == "corefud" else None,
    )


def converted(folder: Path, files: list[Path], form: str, to: str) -> list[Path]:
    found = []
    for file in files:
        made = convert(file, to, format=form, lossy=True)
        found.append(folder / f"{file.name}.{to}")
        found[-1].write_bytes(made.data)
    return found


def pairs(folder: str, suffix: str) -> list[list[Path]]:
    """Take a part of the pairs: all of them take a minute."""
    keys = sorted(GOLDEN.glob(f"{folder}/*.key.{suffix}"))[::6]
    return [
        [key, key.with_name(key.name.replace(".key.", ".response."))] for key in keys
    ]


def assert_same(before: scoref.Result, after: scoref.Result) -> None:
    for metric in METRICS:
        mine, theirs = before.counts[metric], after.counts[metric]
        assert np.allclose(mine, theirs), (metric, mine - theirs)


@every_format
@pytest.mark.parametrize("stem", ["", "many-"])
def test_the_examples_have_the_same_counts(tmp_path: Path, to: str, stem: str) -> None:
    response = "many-a.conll" if stem else "response.conll"
    files = [EXAMPLES / f"{stem}key.conll", EXAMPLES / response]
    before = score(files[0], files[1], "conll-2012")
    key, response_file = converted(tmp_path, files, "conll-2012", to)
    assert_same(before, score(key, response_file, to))


@every_format
@pytest.mark.skipif(not GOLDEN.exists(), reason="the golden pairs are not here")
def test_golden_pairs_of_conll_2012_have_the_same_counts(
    tmp_path: Path, to: str
) -> None:
    found = pairs("conll2012", "conll")
    assert found
    for files in found:
        before = score(files[0], files[1], "conll-2012")
        key, response = converted(tmp_path, files, "conll-2012", to)
        assert_same(before, score(key, response, to))


@pytest.mark.parametrize("form", ["corefud", "ua"])
@pytest.mark.skipif(not GOLDEN.exists(), reason="the golden pairs are not here")
def test_golden_pairs_score_alike_in_all_formats_that_know_no_zeros(
    tmp_path: Path, form: str
) -> None:
    source, suffix = {
        "corefud": ("corefud", "conllu"),
        "ua": ("universal-anaphora", "ua"),
    }[form]
    found = pairs(form, suffix)
    assert found
    for files in found:
        spans = converted(tmp_path, files, source, "json-lines")
        before = score(spans[0], spans[1], "json-lines")
        for to in ("conll-2012", "corefud", "universal-anaphora"):
            key, response = converted(tmp_path, spans, "json-lines", to)
            assert_same(before, score(key, response, to))


@pytest.mark.parametrize(
    ("stem", "suffix", "form"),
    [("corefud", "conllu", "universal-anaphora"), ("ua", "ua", "corefud")],
)
def test_the_other_examples_keep_their_mentions_in_each_others_format(
    tmp_path: Path, stem: str, suffix: str, form: str
) -> None:
    source = "corefud" if stem == "corefud" else "universal-anaphora"
    files = [EXAMPLES / f"{stem}-{side}.{suffix}" for side in ("key", "response")]
    there = converted(tmp_path, files, source, form)
    back = converted(tmp_path, there, form, source)
    # Both know zeros, but not how the other one matches them.
    again = converted(tmp_path, files, source, "json-lines")
    ours = converted(tmp_path, back, source, "json-lines")
    assert [file.read_bytes() for file in ours] == [file.read_bytes() for file in again]


def test_entities_across_documents_stay_joined(tmp_path: Path) -> None:
    second = '"sentences": [["c", "d"]], "clusters": {"Y": [[0, 0]], "X": [[1, 1]]}'
    lines = [
        '{"doc_key": "1_1ecb", "sentences": [["a", "b"]], "clusters": {"X": [[0, 0]]}}',
        f'{{"doc_key": "1_2ecb", {second}}}',
    ]
    source, target = tmp_path / "x.jsonl", tmp_path / "x.conll"
    source.write_text("\n".join(lines), encoding="utf-8")
    target.write_bytes(convert(source, "conll-2012").data)
    cells = [line.split("\t")[-1] for line in target.read_text("utf-8").splitlines()]
    assert [cell for cell in cells if cell.startswith("(")] == ["(0)", "(1)", "(0)"]
    assert scoref.score(source, target, scope="corpus").scores["muc"].f1 == 1
