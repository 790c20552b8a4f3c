"""doccano and Prodigy: spans that are joined by relations, and answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError, score
from support.json_documents import (
    DOCCANO,
    PRODIGY,
    Record,
    entity_texts,
    problem_of,
    prodigy_span,
    read_records,
)

if TYPE_CHECKING:
    from pathlib import Path

DREAMT = {"id": 23, "label": "EVENT", "start_offset": 15, "end_offset": 21}


def test_spans_of_doccano_that_nothing_joins_are_singletons() -> None:
    bridge = {"id": 4, "from_id": 23, "to_id": 21, "type": "bridging"}
    record = {
        **DOCCANO,
        "entities": [*DOCCANO["entities"], DREAMT],
        "relations": [*DOCCANO["relations"], bridge],
    }
    corpus = read_records(record)
    assert entity_texts(corpus) == [["Mia", "She"], ["dreamt"]]
    assert corpus.documents[0].name == "7"
    assert [note.message for note in corpus.notes] == [
        "Relations that join mentions in d.json: coref (1).",
        "Skipped in d.json: relations 'bridging' (1).",
    ]


def test_types_of_relations_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text(json.dumps(DOCCANO))
    assert score(path, path, relations="coref").scores["muc"].recall == 1
    assert not score(path, path, relations="same").scores["muc"].is_defined


def test_doccano_refuses_relations_to_nothing_and_spans_outside() -> None:
    relation = {"id": 1, "from_id": 22, "to_id": 99, "type": "coref"}
    problem, _ = problem_of({**DOCCANO, "relations": [relation]})
    assert problem == "relations[0]: this document has no entity with the id 99"
    span = {"id": 21, "label": "PER", "start_offset": 0, "end_offset": 99}
    problem, _ = problem_of({**DOCCANO, "entities": [span], "relations": []})
    assert problem.startswith("entities[0]: [0, 99] is not a mention in a document")


def relation(head: int, child: int, label: str | None = "COREF") -> Record:
    return {"head": head, "child": child, "label": label}


def test_only_spans_that_relations_join_are_mentions_of_prodigy() -> None:
    spans = [prodigy_span(0, 0, 3), prodigy_span(4, 15, 21)]
    corpus = read_records({**PRODIGY, "spans": spans})
    assert entity_texts(corpus) == [["Mia", "She"]]
    assert [note.message for note in corpus.notes] == [
        "Relations that join mentions in d.json: COREF (1).",
        "Skipped in d.json: spans that no relation joins (1).",
    ]


def test_a_token_stands_for_its_span() -> None:
    wide = {"start": 11, "end": 21, "token_start": 3, "token_end": 4, "label": "NP"}
    record = {**PRODIGY, "spans": [wide], "relations": [relation(4, 0)]}
    assert entity_texts(read_records(record)) == [["Mia", "She dreamt"]]


def test_answers_that_were_not_accepted_are_left_out() -> None:
    other = {**PRODIGY, "_input_hash": 2, "answer": "reject"}
    corpus = read_records(PRODIGY, other, {**other, "answer": "ignore"})
    assert len(corpus.documents) == 1
    assert [note.message for note in corpus.notes][1:] == [
        "Skipped in d.json: answers 'reject' (1).",
        "Skipped in d.json: answers 'ignore' (1).",
    ]
    with pytest.raises(FormatError, match="no answer in this file was accepted"):
        read_records(other)


def test_one_annotator_is_chosen(tmp_path: Path) -> None:
    eva = {**PRODIGY, "_annotator_id": "coref-eva", "relations": [relation(3, 4)]}
    problem, hint = problem_of(PRODIGY, eva)
    assert problem == "this text was annotated by 'coref-ada' and 'coref-eva'"
    assert hint == "Choose one with --annotator NAME."
    path, only_eva = tmp_path / "db.jsonl", tmp_path / "eva.jsonl"
    path.write_text(f"{json.dumps(PRODIGY)}\n{json.dumps(eva)}\n")
    only_eva.write_text(json.dumps(eva))
    assert score(path, only_eva, annotator="coref-eva").scores["muc"].recall == 1
    with pytest.raises(FormatError) as caught:
        score(path, path, annotator="Bo")
    assert caught.value.problem == "this file has nothing by 'Bo'"
    assert caught.value.hint == "It has annotations by 'coref-ada', 'coref-eva'."


def test_a_text_that_was_annotated_twice_is_refused() -> None:
    problem, _ = problem_of(PRODIGY, {**PRODIGY, "answer": "accept"})
    assert problem == "this text was annotated twice"


def test_the_place_of_a_span_of_prodigy_is_named() -> None:
    outside = {**PRODIGY["relations"][0], "head_span": prodigy_span(9, 30, 33)}
    problem, _ = problem_of({**PRODIGY, "relations": [outside]})
    assert problem.startswith("relations[0].head_span: [9, 9] is not a mention")
