"""coref-data, conll2012_ontonotesv5, DocRED and DWIE, with their own rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scoref import score
from support.json_documents import (
    RECORDS,
    WORDS,
    Record,
    entity_texts,
    problem_of,
    read_records,
)

if TYPE_CHECKING:
    from pathlib import Path

COREF_DATA, ONTONOTES = RECORDS["coref-data"], RECORDS["conll2012-ontonotesv5"]
DOCRED, DWIE = RECORDS["docred"], RECORDS["dwie"]


def test_rows_of_the_viewer_are_documents() -> None:
    rows = [
        {"row_idx": 0, "row": COREF_DATA, "truncated_cells": []},
        {"row_idx": 1, "row": {**COREF_DATA, "id": "e"}, "truncated_cells": []},
    ]
    viewer = {"features": [], "rows": rows, "num_rows_total": 2, "partial": False}
    corpus = read_records(viewer)
    assert [name.name for name in corpus.documents] == ["d", "e"]
    assert entity_texts(corpus) == [["Mia", "She"], ["Mia", "She"]]


def test_rows_that_the_viewer_has_cut_off_are_refused() -> None:
    row = {"row": COREF_DATA, "truncated_cells": ["sentences"]}
    problem, hint = problem_of({"rows": [row]})
    assert problem == "rows[0].row: the viewer has cut off sentences"
    assert "Dataset.to_json" in hint


def test_the_place_of_a_mention_is_named_in_rows_as_well() -> None:
    row = {**COREF_DATA, "coref_chains": [[[0, 0, 0]], [[1, 0, 3]]]}
    problem, _ = problem_of({"rows": [{"row": row, "truncated_cells": []}]})
    assert problem.startswith("rows[0].row.coref_chains[1][0]: [1, 0, 3] is not a men")
    problem, hint = problem_of(row)
    assert problem.startswith("coref_chains[1][0]: [1, 0, 3]")
    assert hint.endswith("The last one is part of the mention.")


def test_the_words_of_raw_datasets_are_lists() -> None:
    raw = {"doc_name": "d", "sentences": [WORDS], "coref_chains": [[[0, 0, 0]]]}
    corpus = read_records(raw)
    assert corpus.documents[0].name == "d"
    assert entity_texts(corpus) == [["Mia"]]


def test_empty_nodes_of_corefud_are_words() -> None:
    tokens = [
        {"id": 1.0, "text": "Dormí", "head": 0},
        {"id": 1.1, "text": None, "head": None},
    ]
    record = {"id": "d", "sentences": [{"id": 1, "tokens": tokens}]}
    corpus = read_records({**record, "coref_chains": [[[0, 1, 1]]]})
    assert entity_texts(corpus) == [["_"]]


def test_documents_without_chains_are_refused() -> None:
    other = {name: COREF_DATA[name] for name in ("id", "sentences")}
    problem, _ = problem_of(COREF_DATA, {**other, "id": "e"})
    assert problem == "document 'e' has no 'coref_chains'"


def test_parts_of_ontonotes_are_documents_named_as_in_conll(tmp_path: Path) -> None:
    sentences = [
        {"part_id": 0, "words": WORDS[:3], "coref_spans": [[4, 0, 0]]},
        {"part_id": 1, "words": WORDS[3:], "coref_spans": [[4, 0, 0], [5, 0, 1]]},
        {"part_id": 1, "words": WORDS[:3], "coref_spans": [[4, 0, 0]]},
    ]
    record: Record = {"document_id": "bc/cctv/00/cctv_0000", "sentences": sentences}
    corpus = read_records(record)
    assert [name.name for name in corpus.documents] == [
        "(bc/cctv/00/cctv_0000); part 000",
        "(bc/cctv/00/cctv_0000); part 001",
    ]
    assert entity_texts(corpus) == [["Mia"], ["She", "Mia"], ["She dreamt"]]
    assert corpus.entity_label == ("4", "4", "5")
    conll = tmp_path / "key.conll"
    conll.write_text(
        "#begin document (bc/cctv/00/cctv_0000); part 000\n"
        "bc/cctv/00/cctv_0000\t0\t0\tMia\t(4)\n"
        "bc/cctv/00/cctv_0000\t0\t1\tslept\t-\n"
        "bc/cctv/00/cctv_0000\t0\t2\t.\t-\n\n#end document\n"
        "#begin document (bc/cctv/00/cctv_0000); part 001\n"
        "bc/cctv/00/cctv_0000\t1\t0\tShe\t(4)|(5\n"
        "bc/cctv/00/cctv_0000\t1\t1\tdreamt\t5)\n"
        "bc/cctv/00/cctv_0000\t1\t2\t.\t-\n\n"
        "bc/cctv/00/cctv_0000\t1\t0\tMia\t(4)\n"
        "bc/cctv/00/cctv_0000\t1\t1\tslept\t-\n"
        "bc/cctv/00/cctv_0000\t1\t2\t.\t-\n\n#end document\n"
    )
    hub = tmp_path / "hub.jsonl"
    hub.write_text(json.dumps(record))
    assert score(conll, hub).scores["mentions"].f1 == 1
    assert score(conll, hub).conll == score(conll, conll).conll


def test_the_place_of_a_coref_span_is_named() -> None:
    sentences = [{"part_id": 0, "words": ["Mia"], "coref_spans": [[4, 0, 1]]}]
    problem, _ = problem_of({"document_id": "d", "sentences": sentences})
    assert problem.startswith("sentences[0].coref_spans[0]: [0, 0, 1] is not a mention")


def test_the_end_of_a_docred_mention_is_the_word_after_it() -> None:
    mention = {"name": "She", "pos": [0, 4], "sent_id": 1, "type": "PER"}
    problem, hint = problem_of({**DOCRED, "vertexSet": [[mention]]})
    assert problem.startswith("vertexSet[0][0]: [1, 0, 4] is not a mention")
    assert hint.endswith("The word at the end offset is not included.")


def test_dwie_without_texts_says_how_to_get_them() -> None:
    record = {name: DWIE[name] for name in DWIE if name != "content"}
    problem, hint = problem_of(record)
    assert problem == "this document has no 'content'"
    assert "dwie_download.py" in hint


def test_dwie_compares_the_texts_of_mentions() -> None:
    mentions = [{"begin": 0, "end": 2, "text": "Mia", "concept": 0}]
    problem, hint = problem_of({**DWIE, "mentions": mentions})
    assert problem == "mentions[0]: [0, 2] is 'Mi' in the text, not 'Mia'"
    assert "The last character seems to be part of mentions" in hint
    mentions = [{"begin": 1, "end": 3, "text": "Mia", "concept": 0}]
    problem, _ = problem_of({**DWIE, "mentions": mentions})
    assert problem == "mentions[0]: [1, 3] is 'ia' in the text, not 'Mia'"
