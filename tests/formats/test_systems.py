"""The JSON of each system and corpus, with its own rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError, score
from support.json_documents import (
    CORENLP,
    RECORDS,
    SCORCH,
    TEXT,
    WORDS,
    entity_texts,
    problem_of,
    read_records,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", RECORDS)
def test_mentions_are_what_the_text_says(name: str) -> None:
    found = read_records(RECORDS[name])
    assert found.format == name
    assert entity_texts(found) == [["Mia", "She"]]


@pytest.mark.parametrize("name", RECORDS)
def test_formats_are_scored_against_each_other(name: str, tmp_path: Path) -> None:
    key, response = tmp_path / "d.conll", tmp_path / "response.json"
    rows = "".join(f"d\t0\t0\t{word}\t-\n" for word in WORDS)
    rows = rows.replace("Mia\t-", "Mia\t(1)").replace("She\t-", "She\t(1)")
    key.write_text(f"#begin document (d); part 000\n{rows}\n#end document\n")
    response.write_text(json.dumps(RECORDS[name]))
    for sides in ((key, response), (response, key)):
        assert score(*sides, metrics="conll").conll == 1


def test_fastcoref_counts_words_if_the_text_is_a_list_of_them() -> None:
    record = {
        "text": WORDS,
        "clusters": [[[0, 1], [3, 4]]],
        "clusters_strings": [[["Mia"], ["She"]]],
    }
    assert entity_texts(read_records(record)) == [["Mia", "She"]]


def test_fastcoref_may_have_lost_a_mention() -> None:
    record = {
        "text": TEXT,
        "clusters": [[[0, 3], None, [11, 14]], [None]],
        "clusters_strings": [["Mia", None, "She"], [None]],
    }
    found = read_records(record)
    assert entity_texts(found) == [["Mia", "She"]]
    assert [(note.kind, note.count) for note in found.notes] == [("null-mentions", 2)]


@pytest.mark.parametrize("tokens", [[["Mia"], ["She", "woke"]], [[["Mia"]], [["She"]]]])
def test_entities_across_documents_have_one_label(tokens: list[object]) -> None:
    offsets = [[[1, 0, 0]], [[0, 0, 0], [1, 0, 0]]]
    found = read_records({"tokens": tokens, "clusters_token_offsets": offsets})
    assert [each.name for each in found.documents] == ["0", "1"]
    assert entity_texts(found) == [["Mia"], ["She"], ["She"]]
    assert found.entity_label == ("1", "0", "1")
    assert found.has_labels


def test_a_document_that_is_not_there_is_refused() -> None:
    record = {"tokens": [["Mia"]], "clusters_token_offsets": [[[1, 0, 0]]]}
    found, _ = problem_of(record)
    assert found == "clusters_token_offsets[0]: there is no document 1; this file has 1"


def test_corenlp_names_its_document_with_or_without_the_ending() -> None:
    found = read_records({**CORENLP, "docId": "wsj_1.txt"}).documents[0]
    assert found == ("wsj_1.txt", ("wsj_1", "wsj_1.txt"))


def test_corenlp_without_chains_is_no_response_without_mentions() -> None:
    found, hint = problem_of({"sentences": CORENLP["sentences"]})
    assert found == "this file has no coreference"
    assert "coref" in hint


def test_corenlp_has_the_words_of_the_text() -> None:
    tokens = [
        {"word": "-LRB-", "originalText": "("},
        {"word": "Mia", "originalText": ""},
        {"word": "-RRB-", "originalText": ")"},
    ]
    mentions = [
        {"sentNum": 1, "startIndex": 1, "endIndex": 4, "text": "-LRB- Mia -RRB-"}
    ]
    found = read_records({"sentences": [{"tokens": tokens}], "corefs": {"1": mentions}})
    assert entity_texts(found) == [["( Mia )"]]


def test_a_message_has_the_words_as_the_text_spells_them() -> None:
    tokens = [
        {"word": "-LRB-", "originalText": "("},
        {"word": "Mia", "originalText": "Mia"},
    ]
    mention = {"sentNum": 1, "startIndex": 1, "endIndex": 3, "text": "( Ada"}
    record = {"sentences": [{"tokens": tokens}], "corefs": {"1": [mention]}}
    problem, _ = problem_of(record)
    assert problem == "corefs.1[0]: [0, 0, 2] is '( Mia' in the text, not '( Ada'"


def test_corenlp_counts_by_sentence() -> None:
    mention = {"sentNum": 1, "startIndex": 3, "endIndex": 5}
    found, _ = problem_of({**CORENLP, "corefs": {"4": [mention]}})
    assert found == "corefs.4[0]: [0, 2, 4] is not a mention in a document of 6 words"


def test_spacy_may_have_heads_only() -> None:
    found = read_records(RECORDS["spacy"])
    assert [note.kind for note in found.notes] == ["heads-only"]
    spans = {"coref_clusters_0": [{"start": 0, "end": 9}]}
    longer = read_records({**RECORDS["spacy"], "spans": spans})
    assert entity_texts(longer) == [["Mia slept"]]
    assert longer.notes == ()


def test_entities_that_include_others_are_noted() -> None:
    found = read_records({**RECORDS["rucoco"], "includes": [[1, 2], []]})
    assert [(note.kind, note.count) for note in found.notes] == [("plurals", 1)]


def test_scorch_counts_parts_as_conll_2012_does() -> None:
    found = read_records({**SCORCH, "name": "bc/x-001"}).documents[0]
    assert found.name == "bc/x-001"
    assert {"bc/x-001", "bc/x_1"} <= {*found.aliases}


def test_graphs_are_what_links_join() -> None:
    graph = {"type": "graph", "mentions": [1, [2, 3], "c"], "links": [["c", 1]]}
    clusters = {"type": "clusters", "clusters": {"a": [1.0, "c"], "b": [[2, 3]]}}
    mentions = [
        sorted(read_records(each).mention_start.tolist()) for each in (graph, clusters)
    ]
    assert mentions[0] == mentions[1]
    assert len({*mentions[0]}) == 3
    assert [len(read_records(each).entity_label) for each in (graph, clusters)] == [
        2,
        2,
    ]


def test_values_are_compared_with_values_only(tmp_path: Path) -> None:
    key, response = tmp_path / "key.json", tmp_path / "response.json"
    key.write_text(json.dumps({**SCORCH, "name": "d"}))
    response.write_text(json.dumps(RECORDS["maverick"]))
    with pytest.raises(FormatError, match="are values without a text"):
        score(key, response)
    graph = {"name": "d", "type": "graph", "mentions": ["0.0-0"], "links": []}
    response.write_text(json.dumps(graph))
    assert score(key, response).scores["mentions"].precision == 1


def test_singletons_that_a_system_never_writes_are_a_warning(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    clusters = [[[0, 0], [3, 3]], [[1, 1]]]
    key.write_text(json.dumps({"doc_key": "d", "tokens": WORDS, "clusters": clusters}))
    response.write_text(json.dumps(RECORDS["fastcoref"]))
    notes = {note.kind: note.message for note in score(key, response).notes}
    assert notes["no-singletons"] == (
        "warning: the response has no singletons, but the key has 1 (33% of its "
        "mentions). This lowers recall. Use --singletons drop (singletons=drop) to "
        "leave them out."
    )
    kinds = [note.kind for note in score(key, response, singletons="drop").notes]
    assert "no-singletons" not in kinds
