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
DOCCANO: Record = {
    "id": 7,
    "text": TEXT,
    "entities": [
        {"id": 21, "label": "PER", "start_offset": 0, "end_offset": 3},
        {"id": 22, "label": "PER", "start_offset": 11, "end_offset": 14},
    ],
    "relations": [{"id": 3, "from_id": 22, "to_id": 21, "type": "coref"}],
    "Comments": [],
}


def prodigy_span(token: int, start: int, end: int) -> Record:
    places = {"start": start, "end": end, "token_start": token, "token_end": token}
    return {**places, "label": None}


PRODIGY: Record = {
    "text": TEXT,
    "_input_hash": -11,
    "_task_hash": 12,
    "_view_id": "relations",
    "tokens": [
        {"text": word, "start": start, "end": start + len(word), "id": row, "ws": True}
        for row, (word, start) in enumerate(
            zip(WORDS, (0, 4, 9, 11, 15, 21), strict=True)
        )
    ],
    "spans": [{**prodigy_span(0, 0, 3), "type": "span"}],
    "relations": [
        {
            "head": 3,
            "child": 0,
            "head_span": prodigy_span(3, 11, 14),
            "child_span": prodigy_span(0, 0, 3),
            "color": "#ffd882",
            "label": "COREF",
        }
    ],
    "answer": "accept",
    "_timestamp": 1700000000,
    "_annotator_id": "coref-ada",
    "_session_id": "coref-ada",
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
    "coref-data": {
        "id": "d",
        "text": TEXT,
        "sentences": [
            {
                "id": number,
                "speaker": None,
                "text": text,
                "tokens": [
                    {"id": row, "text": word} for row, word in enumerate(words, start=1)
                ],
            }
            for number, text, words in (
                (1, "Mia slept.", WORDS[:3]),
                (2, "She dreamt.", WORDS[3:]),
            )
        ],
        "coref_chains": [[[0, 0, 0], [1, 0, 0]]],
        "genre": "novel",
        "meta_data": {"comment": "detokenizer=nltk"},
    },
    "conll2012-ontonotesv5": {
        "document_id": "d",
        "sentences": [
            {"part_id": 0, "words": words, "coref_spans": [[12, 0, 0]]}
            for words in (WORDS[:3], WORDS[3:])
        ],
    },
    "docred": {
        "title": "d",
        "sents": [WORDS[:3], WORDS[3:]],
        "vertexSet": [
            [
                {"name": "Mia", "pos": [0, 1], "sent_id": 0, "type": "PER"},
                {"name": "Mia", "pos": [0, 1], "sent_id": 1, "type": "PER"},
            ]
        ],
        "labels": [],
    },
    "dwie": {
        "id": "d",
        "content": TEXT,
        "tags": ["all", "test"],
        "mentions": [
            {"begin": 0, "end": 3, "text": "Mia", "concept": 2, "candidates": []},
            {"begin": 11, "end": 14, "text": "She", "concept": 2},
        ],
        "concepts": [{"concept": 2, "text": "Mia", "count": 2, "tags": []}],
        "relations": [],
    },
    "doccano": DOCCANO,
    "prodigy": PRODIGY,
    "label-studio": LINKED,
    "rucoco": {"entities": [[[0, 3], [11, 14]]], "includes": [[]], "text": TEXT},
}
SCORCH: Record = {"type": "clusters", "clusters": {"a": ["0.0-0", "1.0-0"]}}
LISTED: Record = {
    "coref_chain": "ACT1",
    "doc_id": "36_1ecb.xml",
    "mention_context": [*WORDS],
    "mention_id": "36_1ecb.xml_0_1",
    "mention_type": "ACT",
    "predicted_coref_chain": "UNK",
    "sent_id": 0,
    "tokens_number": [1],
    "tokens_str": "slept",
    "topic_id": "36ecb",
}
UCDCR: Record = {
    "coref_chain": "HUM1",
    "mention_id": "ECBPlus_12_10ecb_HUM1_0_7",
    "tokens_str": "She",
    "mention_type": "HUM",
    "tokens_text": ["She"],
    "tokens_number": [0],
    "sent_id": 1,
    "topic_id": "12",
    "subtopic_id": "12ecb",
    "doc_id": "10",
    "mention_context": [*WORDS],
    "context_start_end_global_id": [20, 25],
    "mention_sentence_start_end": [3, 6],
    "tokens_number_context": [3],
    "conll_doc_key": "12/12ecb/10",
}
EVERY: dict[str, Record] = {
    **RECORDS,
    "scorch": SCORCH,
    "mention-list": LISTED,
    "ucdcr": UCDCR,
}


def damaged(value: Any) -> list[Any]:
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
    **options: Any,
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
