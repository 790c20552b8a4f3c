"""All figures of agreement on passages of five annotators, if they are there."""

from __future__ import annotations

import json
import lzma
import zlib
from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.tools.agree.options import AVERAGES, DISTANCES, MISSING
from support.paths import NO_SHARED, ROOT

if TYPE_CHECKING:
    from scoref.tools.agree.options import Average, Missing

FOLDER = ROOT.parent / "shared" / "real" / "agreement"
DIGITS = 1e-12

People = dict[str, dict[str, list[list[str]]]]

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason=NO_SHARED)


@pytest.fixture(scope="module")
def passages() -> list[dict[str, Any]]:
    lines = lzma.decompress((FOLDER / "ezcoref.jsonl.xz").read_bytes()).splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text())
    return found


@pytest.fixture(scope="module")
def workers(passages: list[dict[str, Any]]) -> People:
    found: People = {}
    for passage in passages:
        for worker, entities in passage["annotators"].items():
            found.setdefault(worker, {})[passage["document"]] = entities
    return found


@pytest.mark.parametrize("average", AVERAGES)
def test_alpha_of_the_workers(
    workers: People, expected: dict[str, Any], average: Average
) -> None:
    found = scoref.agree(workers, distances=list(DISTANCES), average=average)
    assert found.alpha == pytest.approx(expected["alpha"][average], rel=DIGITS)
    if average == "within":
        for part in ("observed", "expected"):
            figures = getattr(found, part)
            assert figures == pytest.approx(expected["alpha"][part], rel=DIGITS)


def test_alpha_of_each_passage_which_is_nltk_s(
    workers: People, expected: dict[str, Any]
) -> None:
    found = scoref.agree(workers).per_document
    assert found.keys() == expected["per_document"].keys()
    for document, figures in expected["per_document"].items():
        assert found[document].alpha == pytest.approx(figures, rel=DIGITS)


def test_f1_of_pairs_of_annotators_and_on_average(
    workers: People, expected: dict[str, Any]
) -> None:
    found, figures = scoref.agree(workers), expected["agreement"]
    assert found.mean == pytest.approx(figures["mean"], rel=DIGITS)
    assert found.per_annotator.keys() == figures["per_annotator"].keys()
    for name, f1 in figures["per_annotator"].items():
        assert found.per_annotator[name] == pytest.approx(f1, rel=DIGITS)
    assert {"|".join(pair) for pair in found.pairs} == figures["pairs"].keys()
    for name, pair in figures["pairs"].items():
        first, second = name.split("|")
        mine = found.pairs[first, second]
        assert mine.documents == pair["documents"]
        f1 = {metric: score.f1 for metric, score in mine.scores.items()}
        assert f1 == pytest.approx(pair["scores"], rel=DIGITS)


def test_the_fifth_worker_against_the_others(
    passages: list[dict[str, Any]], expected: dict[str, Any]
) -> None:
    keys: People = {f"A{number}": {} for number in range(1, 5)}
    response: dict[str, list[list[str]]] = {}
    for passage in passages:
        *others, last = passage["annotators"].values()
        response[passage["document"]] = last
        for key, entities in zip(keys.values(), others, strict=True):
            key[passage["document"]] = entities
    found, figures = scoref.agree(keys, response=response).response, expected["several"]
    assert found is not None
    for name, f1 in figures["per_key"].items():
        mine = {metric: each.f1 for metric, each in found.per_key[name].scores.items()}
        assert mine == pytest.approx(f1, rel=DIGITS)
    assert found.mean == pytest.approx(figures["mean"], rel=DIGITS)
    assert found.best == pytest.approx(figures["best"], rel=DIGITS)
    assert found.counts._asdict() == figures["counts"]
    assert found.supported._asdict() == pytest.approx(figures["supported"], rel=DIGITS)
    shares = found.lenient_precision, found.strict_recall
    given = figures["lenient_precision"], figures["strict_recall"]
    assert shares == pytest.approx(given, rel=DIGITS)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("average", AVERAGES)
def test_alpha_without_a_tenth_of_the_mentions(
    workers: People, expected: dict[str, Any], average: Average, missing: Missing
) -> None:
    thinned = {
        worker: {
            document: [
                [each for each in entity if _is_kept(document, worker, each)]
                for entity in entities
            ]
            for document, entities in said.items()
        }
        for worker, said in workers.items()
    }
    found = scoref.agree(thinned, missing=missing, average=average)
    figures = expected["thinned"]
    assert found.alpha == pytest.approx(figures["alpha"][missing][average], rel=DIGITS)
    assert found.mean == pytest.approx(figures["mean"], rel=DIGITS)
    if average == "within":
        for part in ("observed", "expected"):
            mine, theirs = getattr(found, part), figures["alpha"][missing][part]
            assert mine == pytest.approx(theirs, rel=DIGITS)


def _is_kept(document: str, worker: str, mention: str) -> bool:
    return zlib.crc32(f"{document}|{worker}|{mention}".encode()) % 10 != 0
