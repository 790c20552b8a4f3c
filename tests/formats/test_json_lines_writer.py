"""JSON lines, written: what a program reads is what was there."""

from __future__ import annotations

import json

import pytest

from places import EXAMPLES
from scoref import FormatError
from scoref.formats import read_data
from scoref.formats.json_lines_writer import write


def written(data: bytes, *, with_tokens: bool = True) -> list[dict[str, object]]:
    corpus = read_data(data, source="x", role="key", with_tokens=with_tokens)
    return [json.loads(line) for line in write(corpus).splitlines()]


def test_sentences_and_clusters_are_those_of_the_file() -> None:
    data = (
        b"#begin document (a); part 000\n"
        b"a\t0\t0\tAda\t(7)\na\t0\t1\tleft\t-\n\na\t0\t0\tShe\t(7)\n#end document\n"
        b"#begin document b\nb\t0\t0\tthe\t(x\nb\t0\t1\thouse\tx)\n#end document\n"
    )
    assert written(data) == [
        {
            "doc_key": "a_0",
            "sentences": [["Ada", "left"], ["She"]],
            "clusters": [[[0, 0], [2, 2]]],
        },
        {"doc_key": "b", "sentences": [["the", "house"]], "clusters": [[[0, 1]]]},
    ]


def test_order_and_repetition_stay() -> None:
    line = {
        "doc_key": "d",
        "sentences": [["a", "b", "c"], ["(", '"']],
        "clusters": [[[3, 4], [0, 1], [0, 1]], [[0, 1]], [[2, 2]]],
    }
    assert written(json.dumps(line).encode()) == [line]


def test_without_words_there_are_no_sentences() -> None:
    line = {"doc_key": "d", "clusters": [[[5, 9]], [[2, 2], [0, 1]]]}
    assert written(json.dumps(line).encode()) == [line]


def test_empty_documents_and_sentences_are_no_trouble() -> None:
    line = {"doc_key": "d", "sentences": [[], ["a"], []], "clusters": []}
    empty = {"doc_key": "e", "sentences": [], "clusters": []}
    data = "\n".join(map(json.dumps, (line, empty))).encode()
    assert written(data) == [{**line, "sentences": [["a"]]}, empty]


def test_zeros_and_gaps_are_refused() -> None:
    data = (EXAMPLES / "corefud-key.conllu").read_bytes()
    with pytest.raises(FormatError, match="empty nodes"):
        written(data)
    gap = b"\n".join(line for line in data.split(b"\n") if b".1\t_" not in line)
    with pytest.raises(FormatError, match="a mention has a gap"):
        written(gap)


def test_words_are_needed_to_count_them() -> None:
    data = (EXAMPLES / "ua-key.ua").read_bytes()
    with pytest.raises(FormatError, match="no tokens in this corpus"):
        written(data, with_tokens=False)
