"""The conventions of tools against the tools themselves, where they are installed."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings

from scoref.tools.explain.explanation import explain
from support.strategies import Documents, Entities, corpora, repeating_entities

PARTS = "muc", "bcub", "ceafe"
FEW = settings(max_examples=30)


def spans(entities: Entities) -> list[list[tuple[int, int]]]:
    return [[(mention, mention) for mention in entity] for entity in entities]


def check_neural(key: Documents, response: Documents) -> None:
    corefeval = pytest.importorskip("corefeval")
    scorer = corefeval.Scorer()
    for name in key:
        both = {"truth": spans(key[name]), "predicted": spans(response[name])}
        scorer.update(corefeval.Document(**both))
    conll, figures = scorer.detailed_score("", "", verbose=False)
    scores = explain(key, response).row("e2e-coref").scores
    theirs = dict(zip((*PARTS, "lea"), figures.values(), strict=True))
    for name, figure in theirs.items():
        expected = figure["recall"], figure["precision"], figure["f1"]
        assert scores[name][:3] == pytest.approx(expected), name
    assert scores["conll"].f1 == pytest.approx(conll)


@given(corpora())
def test_the_neural_evaluator_is_coreference_eval(
    pair: tuple[Documents, Documents],
) -> None:
    check_neural(*pair)


@given(repeating_entities(), repeating_entities())
def test_it_is_where_mentions_are_listed_twice_too(
    key: Entities, response: Entities
) -> None:
    assume(all(key) and all(response))  # it divides by the size of an entity
    check_neural({"d": key}, {"d": response})


@given(corpora())
def test_metric4coref_is_itself(pair: tuple[Documents, Documents]) -> None:
    metrics = pytest.importorskip("metric4coref.metrics")
    key, response = (
        [
            [(name, mention) for mention in sorted(entity)]
            for name, entities in side.items()
            for entity in entities
        ]
        for side in pair
    )
    scores = explain(*pair).row("metric4coref").scores
    functions = metrics.muc, metrics.b_cubed, metrics.ceaf
    for name, function in zip(PARTS, functions, strict=True):
        try:
            precision, recall, f1 = function(response, key)
        except ZeroDivisionError:  # it has no figure where scoref has 0
            assert scores[name].f1 == 0, name
            continue
        assert scores[name][:3] == pytest.approx((recall, precision, f1)), name


def write_folder(side: Documents, folder: Path) -> Path:
    """Write a file for each document, as scorch reads them."""
    folder.mkdir()
    for name, entities in side.items():
        clusters = {str(row): entity for row, entity in enumerate(entities)}
        text = json.dumps({"type": "clusters", "clusters": clusters})
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


@FEW
@given(corpora())
def test_scorch_is_itself(pair: tuple[Documents, Documents]) -> None:
    scorch = pytest.importorskip("scorch.main")
    assume(all(entities for side in pair for entities in side.values()))
    scores = explain(*pair).row("scorch").scores
    with TemporaryDirectory() as folder:
        folders = [
            write_folder(side, Path(folder, name))
            for side, name in zip(pair, ("key", "response"), strict=True)
        ]
        lines = list(scorch.process_dirs(*folders))
    for name, line in zip(("muc", "bcub", "ceafm", "ceafe"), lines, strict=False):
        figures = [float(part.partition("=")[2]) for part in line.split("\t")[1:]]
        assert scores[name][:3] == pytest.approx(figures), name
