"""JSON lines whose offsets count word pieces: mentions are mapped to words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError, score
from scoref.formats.reading import read_data

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus
    from support.json_documents import Record

SPANBERT: Record = {
    "doc_key": "nw/a_0",
    "sentences": [
        ["[CLS]", "Ada", "##line", "slept", ".", "[SEP]"],
        ["[CLS]", "She", "dream", "##t", "[SEP]"],
    ],
    "speakers": [["[SPL]", "-", "-", "-", "-", "[SPL]"], ["[SPL]", "-", "-", "-", "-"]],
    "constituents": [],
    "ner": [],
    "clusters": [[[1, 2], [7, 7]]],
    "sentence_map": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2],
    "subtoken_map": [0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 4],
    "pronouns": [7],
}
WORDS = ["Adaline", "slept", ".", "She", "dreamt"]


def read(*records: Record) -> Corpus:
    data = "\n".join(map(json.dumps, records)).encode()
    return read_data(data, source="x.jsonl", role="key", with_tokens=True)


def test_mentions_and_sentences_are_those_of_words() -> None:
    corpus = read(SPANBERT)
    assert corpus.tokens is not None
    assert corpus.document_tokens is not None
    assert corpus.document_tokens.tolist() == [5]
    assert corpus.tokens.word.strings() == WORDS
    assert corpus.tokens.sentence.tolist() == [0, 0, 0, 1, 1]
    assert corpus.mention_start.tolist() == [0, 3]
    assert corpus.mention_end.tolist() == [0, 3]


def test_a_prediction_is_scored_against_a_key_in_words(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    clusters = [[[0, 0], [3, 3]], [[1, 1], [4, 4]]]
    key.write_text(
        json.dumps({"doc_key": "nw/a_0", "sentences": [WORDS], "clusters": clusters})
    )
    predicted = [[[1, 2], [7, 7]], [[3, 3], [8, 9]]]
    response.write_text(json.dumps({**SPANBERT, "predicted_clusters": predicted}))
    result = score(key, response)
    assert result.conll == 1
    assert "words:" not in str(result.signature)


def test_words_of_coref_hoi_are_used_and_objects_may_share_a_line() -> None:
    words = ["Adaline", "slept", ".", "SHE", "dreamt", "\u200b"]
    record = {**SPANBERT, "tokens": words}
    data = json.dumps(record) + json.dumps({**record, "doc_key": "nw/b_0"})
    corpus = read_data(data.encode(), source="x", role="key", with_tokens=True)
    assert corpus.tokens is not None
    assert corpus.tokens.word.strings() == words * 2
    assert corpus.document_tokens is not None
    assert corpus.document_tokens.tolist() == [6, 6]


def test_pieces_of_speakers_are_not_words() -> None:
    record: Record = {
        "doc_key": "d",
        "sentences": [["[SPEAKER_START]", "\u0120Mia", "[SPEAKER_END]", "\u0120slept"]],
        "subtoken_map": [0, 1, 2, 3],
        "orig_subtoken_map": [-1, 0, -1, 1],
        "orig_tokens": ["Mia", "slept"],
        "clusters": [[[1, 1], [3, 3]]],
    }
    corpus = read(record)
    assert corpus.mention_start.tolist() == [0, 1]
    with pytest.raises(FormatError, match=r"\[0, 1\] is not a mention in a document"):
        read({**record, "clusters": [[[0, 1]]]})


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"subtoken_map": [0]}, "length of 'subtoken_map' is 1, but there are 11 word"),
        (
            {"subtoken_map": [0, 0, 0, 1, 2, 2, 1, 3, 4, 4, 4]},
            r"subtoken_map\[6\] is 1, after 2",
        ),
        ({"tokens": ["Ada"]}, "'subtoken_map' has word 4 of 1 words"),
        ({"clusters": [[[8, 11]]]}, r"\[8, 11\] is not .* of 11 word pieces"),
    ],
)
def test_maps_that_do_not_fit_are_refused(changed: Record, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        read({**SPANBERT, **changed})


def test_pieces_of_other_tokenizers_are_joined() -> None:
    record: Record = {
        "doc_key": "d",
        "sentences": [["\u2581Mi", "a", "\u2581slept", "[UNK]"]],
        "subtoken_map": [0, 0, 1, 3],
        "clusters": [],
    }
    corpus = read(record)
    assert corpus.tokens is not None
    assert corpus.tokens.word.strings() == ["Mia", "slept", "\ufffd", "[UNK]"]
    record["sentences"] = [["\u0120na", "\u00c3\u00af", "ve", "\u0120x"]]
    record["subtoken_map"] = [0, 0, 0, 1]
    tokens = read(record).tokens
    assert tokens is not None
    assert tokens.word.strings() == ["na\u00efve", "x"]
