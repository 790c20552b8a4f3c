"""What systems and annotation tools write, with the figures that it must get.

Every pair of ``expected.json`` is a test. Formats that are not read yet are listed in
``NOT_READ``; what else stands in the way of a pair is said in its place.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import scoref

FOLDER = Path(__file__).parents[2] / "shared" / "real" / "formats"
NOT_READ = frozenset(
    {
        "booknlp",
        "brat",
        "ecbplus",
        "litbank-brat",
        "litbank-tsv",
        "stanza",
        "tac-edl",
        "webanno",
        "webanno-chain",
    }
)
OTHER_TOKENS = ("fastcoref/response", "preco/response", "rucoco/", "own-tokens/")

Pair = dict[str, Any]


def _pairs() -> list[Pair]:
    path = FOLDER / "expected.json"
    if not path.exists():
        return []
    pairs: list[Pair] = json.loads(path.read_text())["pairs"]
    return pairs


def _called(pair: Pair) -> str:
    options = ",".join(f"{key}={value}" for key, value in _options(pair).items())
    return f"{pair['format']}:{pair['key']}:{pair['response']}:{options}"


def _options(pair: Pair) -> dict[str, Any]:
    return dict(pair.get("options") or {})


def _reason(pair: Pair) -> str:
    """Say why a pair is not scored yet; nothing if it is."""
    paths = [FOLDER / pair[side] for side in ("key", "response")]
    if pair["format"] in NOT_READ:
        return "the format is not read yet"
    if any(path.is_dir() for path in paths):
        return "folders of documents are not read yet"
    if "scope" in _options(pair):
        return "there are no scopes yet"
    if pair["response"].startswith(OTHER_TOKENS) and pair["sides"] == "response":
        return "other tokens are not aligned yet"
    return "its protocol is not known yet" if pair["format"] == "maven-ere" else ""


@pytest.mark.parametrize(
    "pair", _pairs() or [{}], ids=lambda p: _called(p) if p else ""
)
def test_pairs_get_their_figures(pair: Pair) -> None:
    if not pair:
        pytest.skip("'formats' does not lie beside the project")
    reason = _reason(pair)
    try:
        _check(pair)
    except (AssertionError, scoref.ScorefError, TypeError):
        if reason:
            pytest.xfail(reason)
        raise


def _check(pair: Pair) -> None:
    result = scoref.score(
        FOLDER / pair["key"], FOLDER / pair["response"], **_options(pair)
    )
    found = {
        name: [
            getattr(result.scores[name], part) for part in ("recall", "precision", "f1")
        ]
        for name in pair["scores"]
        if name != "conll"
    }
    expected = {name: each for name, each in pair["scores"].items() if name != "conll"}
    assert found == {name: pytest.approx(each) for name, each in expected.items()}
    assert result.conll == pytest.approx(pair["scores"]["conll"])
