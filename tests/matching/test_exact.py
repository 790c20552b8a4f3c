"""Exact match: the same document, first token and last token."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref

if TYPE_CHECKING:
    from pathlib import Path

Spans = list[tuple[int, int]]


def _common(folder: Path, key: Spans, response: Spans) -> float:
    """Count the mentions that both sides have."""
    paths = folder / "key.jsonl", folder / "response.jsonl"
    for path, spans in zip(paths, (key, response), strict=True):
        record = {"doc_key": "d", "clusters": [spans]}
        path.write_text(json.dumps(record), encoding="utf-8")
    counts: list[float] = scoref.score(*paths).counts["mentions"][0].tolist()
    return counts[0]


@pytest.mark.parametrize(
    ("key", "response", "common"),
    [
        ([(0, 0)], [(0, 0)], 1),
        ([(0, 1)], [(0, 0)], 0),
        ([(0, 1)], [(1, 1)], 0),
        ([(0, 2), (1, 1)], [(1, 1), (0, 2)], 2),
        ([(0, 9)], [(1, 9), (0, 8), (0, 10)], 0),
        ([(0, 10**6), (10**6, 10**6)], [(10**6, 10**6)], 1),
    ],
)
def test_mentions_match_if_both_ends_do(
    tmp_path: Path, key: Spans, response: Spans, common: int
) -> None:
    assert _common(tmp_path, key, response) == common


def test_the_same_span_of_another_document_does_not_match() -> None:
    key = {"a": [[(0, 1)]], "b": [[(2, 3)]]}
    response = {"a": [[(2, 3)]], "b": [[(0, 1)]]}
    result = scoref.score(key, response, metrics="mentions")
    assert result.counts["mentions"].tolist() == [[0, 1, 0, 1], [0, 1, 0, 1]]


def test_spans_with_huge_offsets_are_not_confused(tmp_path: Path) -> None:
    assert _common(tmp_path, [(0, 2**40)], [(2**40, 2**40)]) == 0
