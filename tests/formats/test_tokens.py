"""The tokens of each format, their numbers, and the text that writers need."""

from __future__ import annotations

import numpy as np
import pytest

from scoref import FormatError
from scoref.formats.reading import read_data
from scoref.formats.tokens import (
    read_tokens,
    sentences_of,
    text_to_write,
    token_numbers,
    tokens_of,
)
from support.paths import EXAMPLES


def texts_of_mentions(data: bytes) -> list[str]:
    corpus = read_data(data, source="file", role="key")
    tokens = read_tokens(corpus, data)
    assert tokens is not None
    sets, words = tokens.of_mentions(corpus), tokens.word.strings()
    return [
        " ".join(words[row] for row in sets.member[start:end].tolist())
        for start, end in zip(sets.start[:-1], sets.start[1:], strict=True)
    ]


def test_mentions_of_conll_2012_are_words_of_the_fourth_column() -> None:
    data = (
        b"#begin document (one); part 000\n"
        b"one\t0\t0\tAda\tNNP\t(1)\none\t0\t1\twrote\tVBD\t-\n\n"
        b"one\t0\t2\tthe\tDT\t(2\none\t0\t3\tnotes\tNNS\t2)\n#end document\n"
    )
    assert texts_of_mentions(data) == ["Ada", "the notes"]


def test_in_few_columns_the_word_is_before_the_brackets() -> None:
    assert texts_of_mentions(b"#begin document (x)\nx she (1)\n#end document") == [
        "she"
    ]


def test_sentences_of_json_lines_are_numbered_through_the_corpus() -> None:
    data = (
        b'{"doc_key": "a", "clusters": [[[1, 2]]], "sentences": [["x"], ["y", "z"]]}\n'
        b'{"doc_key": "b", "clusters": [], "tokens": ["w"]}\n'
    )
    corpus = read_data(data, source="file", role="key")
    tokens = read_tokens(corpus, data)
    assert tokens is not None
    assert tokens.first.tolist() == [0, 3, 4]
    assert tokens.sentence.tolist() == [0, 1, 1, 2]
    assert texts_of_mentions(data) == ["y z"]


def test_words_are_numbered_from_1_and_empty_nodes_after_their_word() -> None:
    is_empty = np.array([True, False, True, True, False, False])
    document, number, second = token_numbers(np.array([0, 5, 6]), is_empty)
    assert document.tolist() == [0, 0, 0, 0, 0, 1]
    assert number.tolist() == [0, 1, 1, 1, 2, 1]
    assert second.tolist() == [1, 0, 1, 2, 0, 0]


def test_sentences_of_tokens_have_their_documents() -> None:
    sentences = sentences_of(tokens_of(["a", "b", "c"], [0, 0, 1], line=4))
    assert sentences.word_count.tolist() == [2, 1]
    assert sentences.is_start.tolist() == [True, False]
    assert sentences.line.tolist() == [4, 4]
    assert len(sentences_of(None).line) == 0


def test_a_writer_gets_words_and_the_tokens_of_mentions() -> None:
    data = b'{"doc_key": "a", "clusters": [[[1, 2]]], "tokens": ["x", "y", "z"]}'
    corpus = read_data(data, source="x", role="key", with_tokens=True)
    _, words, sets = text_to_write(corpus)
    assert words == ["x", "y", "z"]
    assert (sets.start.tolist(), sets.member.tolist()) == ([0, 2], [1, 2])
    corpus = read_data(data, source="x", role="key")
    with pytest.raises(FormatError, match="this corpus has no words"):
        text_to_write(corpus)


def test_json_lines_without_sentences_have_no_text() -> None:
    data = b'{"doc_key": "a", "clusters": []}'
    corpus = read_data(data, source="file", role="key")
    assert read_tokens(corpus, data) is None


def row(number: str, form: str, misc: str = "_") -> bytes:
    cells = [number, form, *["_"] * 7, misc]
    return "\t".join(cells).encode() + b"\n"


def test_empty_nodes_of_corefud_follow_their_words() -> None:
    data = (
        b"# global.Entity = eid-etype-head-other\n# newdoc id = a\n"
        + row("1", "came", "Entity=(e1--1-)")
        + row("1.1", "she", "Entity=(e2--1-)")
        + b"\n# newdoc id = b\n"
        + row("1", "The", "Entity=(e3--2-")
        + row("2", "end", "Entity=e3)")
        + b"\n"
    )
    assert texts_of_mentions(data) == ["came", "she", "The end"]
    corpus = read_data(data, source="file", role="key")
    tokens = read_tokens(corpus, data)
    assert tokens is not None
    assert tokens.first.tolist() == [0, 2, 4]
    assert tokens.line.tolist() == [3, 4, 7, 8]


@pytest.mark.parametrize("name", ["corefud-key.conllu", "ua-key.ua", "key.conll"])
def test_the_lines_of_tokens_hold_their_words(name: str) -> None:
    data = (EXAMPLES / name).read_bytes()
    corpus = read_data(data, source=name, role="key")
    tokens = read_tokens(corpus, data)
    assert tokens is not None
    lines = data.decode().split("\n")
    words = zip(tokens.line.tolist(), tokens.word.strings(), strict=True)
    assert all(word in lines[line - 1].split("\t") for line, word in words if word)
    assert (np.diff(tokens.first) > 0).all()
    assert texts_of_mentions(data)


def test_a_file_with_discourse_deixis_alone_has_a_text() -> None:
    data = (
        b"# global.columns = ID FORM DISCOURSE_DEIXIS\n# newdoc id = a\n"
        b"1\tthat\t(EntityID=e1|MarkableID=m1)\n\n"
    )
    corpus = read_data(data, source="file", role="key", layer="discourse-deixis")
    tokens = read_tokens(corpus, data)
    assert tokens is not None
    assert tokens.word.strings() == ["that"]
