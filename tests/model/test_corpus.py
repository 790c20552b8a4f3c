"""What a corpus says about its mentions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoref.formats.reading import read_data
from scoref.model import WordSets
from support.bad_files import conll


@pytest.mark.parametrize(
    ("tokens", "place"),
    [
        ([0, 1, 2], "[0, 2]"),
        ([0, 1, 3], "[0, 1], [3, 3]"),
        ([1, 3, 4, 6], "[1, 1], [3, 4], [6, 6]"),
    ],
)
def test_a_place_has_a_range_for_each_piece(tokens: list[int], place: str) -> None:
    data = b'{"doc_key": "d", "clusters": [[[0, 7]]]}'
    corpus = read_data(data, source="x.jsonl", role="key", format="json-lines")
    assert corpus.place(0) == "[0, 7]"
    pieces = WordSets(np.array([0, len(tokens)]), np.array(tokens))
    assert replace(corpus, pieces=pieces).place(0) == place


def test_spans_are_lists_of_their_tokens() -> None:
    corpus = read_data(conll("(0", "0)|(1)", "(0)"), source="x", role="key")
    sets = corpus.token_sets()
    assert sets.start.tolist() == [0, 2, 3, 4]
    assert sorted(sets.member.tolist()) == [0, 1, 1, 2]
