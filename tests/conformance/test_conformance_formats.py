"""What systems and annotation tools write, with the figures that it must get.

Every pair of ``expected.json`` is a test; what stands in the way of one is said.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.formats import reading
from scoref.tools.convert.conversion import convert
from support.paths import NO_SHARED, ROOT

FOLDER = ROOT.parent / "shared" / "real" / "formats"
NOT_YET: dict[str, str] = {}
"""Formats with figures that are not reached, and why."""
LIKE_CORPORA = ("conll", "own-tokens")
"""Folders whose files are in the formats of other folders."""

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


@pytest.mark.parametrize(
    "pair", _pairs() or [{}], ids=lambda p: _called(p) if p else ""
)
def test_pairs_get_their_figures(pair: Pair) -> None:
    if not pair:
        pytest.skip(NO_SHARED)
    try:
        _check(pair, FOLDER / pair["key"], FOLDER / pair["response"])
    except (AssertionError, scoref.ScorefError):
        if pair["format"] in NOT_YET:
            pytest.xfail(NOT_YET[pair["format"]])
        raise


def _check(pair: Pair, key: Path, response: Path) -> None:
    result = scoref.score(key, response, metrics=[*pair["scores"]], **_options(pair))
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


def _of_files() -> list[Pair]:
    """List the pairs of single files that need no others beside them."""
    return [
        pair
        for pair in _pairs()
        if pair["format"] not in NOT_YET
        and all((FOLDER / pair[side]).is_file() for side in ("key", "response"))
        and not pair["response"].endswith((".ann", ".entities"))
    ]


@pytest.mark.parametrize(
    "pair", _of_files() or [{}], ids=lambda p: _called(p) if p else ""
)
def test_packed_files_get_them_as_well(pair: Pair, tmp_path: Path) -> None:
    if not pair:
        pytest.skip(NO_SHARED)
    packed = []
    for side in ("key", "response"):
        # Files of which the name is that of a document stay apart from each other.
        path = tmp_path / side / f"{Path(pair[side]).name}.gz"
        path.parent.mkdir()
        path.write_bytes(gzip.compress((FOLDER / pair[side]).read_bytes()))
        packed.append(path)
    _check(pair, packed[0], packed[1])


def _samples() -> list[Path]:
    beside = {".txt", ".tokens", ".md"}
    return sorted(
        path
        for path in FOLDER.glob("*/**/*")
        if path.is_file()
        and path.suffix not in beside
        and path.relative_to(FOLDER).parts[0] not in (*LIKE_CORPORA, "gap")
    )


@pytest.mark.parametrize(
    "path",
    _samples() or [None],
    ids=lambda p: str(p.relative_to(FOLDER)) if p else "",
)
def test_no_file_of_one_format_is_taken_for_another(path: Path | None) -> None:
    if path is None:
        pytest.skip(NO_SHARED)
    folder = path.relative_to(FOLDER).parts[0]
    name = {"webanno-chain": "webanno", "xcore": "xcore"}.get(folder, folder)
    assert reading.detect(path.read_bytes()) == name


def _converted() -> list[Pair]:
    """List the pairs whose sides both have a text to be converted."""
    return [
        pair
        for pair in _pairs()
        if pair["sides"] == "both"
        and pair["conll"]
        and pair["format"] not in {"tac-edl", "scorch", "stanza", *NOT_YET}
        and not _options(pair)
    ]


@pytest.mark.parametrize(
    "pair", _converted() or [{}], ids=lambda p: _called(p) if p else ""
)
def test_what_is_converted_to_conll_2012_has_the_same_figures(
    pair: Pair, tmp_path: Path
) -> None:
    if not pair:
        pytest.skip(NO_SHARED)
    sides = []
    for side in ("key", "response"):
        path = tmp_path / f"{side}.conll"
        path.write_bytes(convert(FOLDER / pair[side], "conll-2012", lossy=True).data)
        sides.append(path)
    _check(pair, sides[0], sides[1])
