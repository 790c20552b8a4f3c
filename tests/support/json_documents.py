"""A small document in every format of JSON, and what can be damaged in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scoref import FormatError
from scoref.formats.reading import read_data

if TYPE_CHECKING:
    from scoref.formats.catalogue import Role
    from scoref.model import Corpus

WORDS = ["Mia", "slept", ".", "She", "dreamt", "."]
TEXT = "Mia slept. She dreamt."
Record = dict[str, Any]


def region(name: str, start: int, end: int, text: str) -> Record:
    value = {"start": start, "end": end, "text": text, "labels": ["Person"]}
    return {"id": name, "type": "labels", "to_name": "text", "value": value}


def relation(one: str, other: str, *labels: str) -> Record:
    return {"type": "relation", "from_id": one, "to_id": other, "labels": [*labels]}


def task(*result: Record, **more: object) -> Record:
    return {"data": {"text": TEXT}, "annotations": [{"result": [*result]}], **more}


MIA, SHE = region("a", 0, 3, "Mia"), region("b", 11, 14, "She")
LINKED = task(MIA, SHE, relation("b", "a", "coref"))
CORENLP: Record = {
    "sentences": [
        {"tokens": [{"word": word, "originalText": word} for word in sentence]}
        for sentence in (WORDS[:3], WORDS[3:])
    ],
    "corefs": {
        "7": [
            {"sentNum": 1, "startIndex": 1, "endIndex": 2, "text": "Mia"},
            {"sentNum": 2, "startIndex": 1, "endIndex": 2, "text": "She"},
        ]
    },
}
RECORDS: dict[str, Record] = {
    "fastcoref": {
        "text": TEXT,
        "clusters": [[[0, 3], [11, 14]]],
        "clusters_strings": [["Mia", "She"]],
    },
    "allennlp": {
        "top_spans": [[0, 0], [3, 3]],
        "document": WORDS,
        "clusters": [[[0, 0], [3, 3]]],
    },
    "corenlp": CORENLP,
    "maverick": {
        "tokens": WORDS,
        "clusters_token_offsets": [[[0, 0], [3, 3]]],
        "clusters_char_offsets": [[[0, 2], [99, 101]]],
        "clusters_token_text": [["Mia", "She"]],
        "clusters_char_text": None,
    },
    "xcore": {"tokens": [[WORDS]], "clusters_token_offsets": [[[0, 0, 0], [0, 3, 3]]]},
    "preco": {
        "id": "d",
        "sentences": [WORDS[:3], [" "], WORDS[3:]],
        "mention_clusters": [[[0, 0, 1], [2, 0, 1]]],
    },
    "spacy": {
        "text": TEXT,
        "tokens": [{"id": 0, "start": 0, "end": 3}, {"id": 2, "start": 9, "end": 10}],
        "spans": {
            "coref_head_clusters_1": [{"start": 0, "end": 3}, {"start": 11, "end": 14}],
            "coref_clusters_1": [{"start": 0, "end": 3}, {"start": 11, "end": 14}],
            "sc": [{"start": 4, "end": 9}],
        },
    },
    "maven-ere": {
        "id": "d",
        "tokens": [WORDS[:3], WORDS[3:]],
        "events": [
            {
                "id": "e",
                "mention": [
                    {"id": "m", "sent_id": 0, "offset": [0, 1], "trigger_word": "Mia"},
                    {"id": "n", "sent_id": 1, "offset": [0, 1], "trigger_word": "She"},
                ],
            }
        ],
    },
    "label-studio": LINKED,
    "rucoco": {"entities": [[[0, 3], [11, 14]]], "includes": [[]], "text": TEXT},
}
SCORCH: Record = {"type": "clusters", "clusters": {"a": ["0.0-0", "1.0-0"]}}
EVERY: dict[str, Record] = {**RECORDS, "scorch": SCORCH}


def damaged(value: Any) -> list[Any]:  # noqa: ANN401 - any JSON
    """Give a value with each of its parts lost or of another type, one at a time."""
    found: list[Any] = [None, "x", -1, [], {}]
    if isinstance(value, dict):
        for name, part in value.items():
            found.append({other: value[other] for other in value if other != name})
            found += [{**value, name: each} for each in damaged(part)]
    elif isinstance(value, list):
        for row, part in enumerate(value):
            found += [[*value[:row], *value[row + 1 :]]]
            found += [[*value[:row], each, *value[row + 1 :]] for each in damaged(part)]
    return found


def read_records(
    *records: object,
    role: Role = "key",
    **options: Any,  # noqa: ANN401 - those of `read_data`
) -> Corpus:
    """Read records, one per line, as a file."""
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    return read_data(data, source="d.json", role=role, **options)


def entity_texts(corpus: Corpus) -> list[list[str]]:
    """Return the texts of mentions by entity."""
    assert corpus.tokens is not None
    words = corpus.tokens.word.strings()
    first = corpus.tokens.first[corpus.entity_document[corpus.mention_entity]]
    texts: list[list[str]] = [[] for _ in corpus.entity_label]
    for row, entity in enumerate(corpus.mention_entity.tolist()):
        start = int(first[row] + corpus.mention_start[row])
        end = int(first[row] + corpus.mention_end[row])
        texts[entity].append(" ".join(words[start : end + 1]))
    return texts


def problem_of(*records: object) -> tuple[str, str]:
    """Return the problem and the hint of the last record, which cannot be read."""
    with pytest.raises(FormatError) as caught:
        read_records(*records)
    assert caught.value.line == len(records)
    return caught.value.problem, caught.value.hint
