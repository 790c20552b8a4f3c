"""Answers come in folders, lines and lists, and are paired with documents by name.

Batch results and completions are opened, and those that failed are refused.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref.errors import AlignmentError, FormatError
from scoref.formats.conll2012 import document_name
from scoref.model import Corpus, DocumentName
from scoref.tools.llm.answers import read_answers
from scoref.tools.llm.scoring import AnswerResult, score_output
from support.llm_answers import LONG, as_json, write_key

if TYPE_CHECKING:
    from pathlib import Path


NAMES = [document_name("(bc/cctv/00); part 000"), DocumentName.plain("Büro.1")]


def key(names: list[DocumentName] = NAMES) -> Corpus:
    nothing = np.zeros(0, dtype=np.int64)
    return Corpus(
        source="key.conll",
        format="conll-2012",
        documents=tuple(names),
        document_tokens=None,
        document_line=np.arange(len(names)),
        entity_document=nothing,
        entity_label=(),
        mention_entity=nothing,
        mention_start=nothing,
        mention_end=nothing,
        mention_line=nothing,
    )


def texts(path: Path, names: list[DocumentName] = NAMES) -> list[str | None]:
    answers = read_answers(path, key(names)).of_document
    return [answer and answer.text for answer in answers]


@pytest.mark.parametrize(
    "files", [("bc_cctv_00.txt", "Büro.1.md"), ("bc-cctv-00_0", "Büro_1.txt")]
)
def test_files_of_a_folder_are_called_what_documents_are_called(
    tmp_path: Path, files: tuple[str, str]
) -> None:
    for name in files:
        (tmp_path / name).write_text(f"about {name}", encoding="utf-8")
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "folder").mkdir()
    assert texts(tmp_path) == [f"about {name}" for name in files]


@pytest.mark.parametrize("name", ["doc_key", "doc_id", "id", "document"])
@pytest.mark.parametrize("answer", ["output", "answer", "prediction", "text"])
def test_lines_say_their_document(tmp_path: Path, name: str, answer: str) -> None:
    path = tmp_path / "output.jsonl"
    records = [{name: "Büro.1", answer: "two"}, {name: "bc/cctv/00_0", answer: "one"}]
    path.write_text("\n".join(map(json.dumps, records)))
    assert texts(path) == ["one", "two"]


def test_lines_without_names_are_in_the_order_of_the_key(tmp_path: Path) -> None:
    path = tmp_path / "output.jsonl"
    path.write_text('{"output": "one"}\n{"output": null}\n')
    assert texts(path) == ["one", ""]
    path.write_text('{"output": "one"}\n{"id": "Büro.1", "output": "two"}\n')
    with pytest.raises(FormatError, match="this answer has no document name"):
        texts(path)


def test_lists_of_the_shared_task_hold_the_clusters(tmp_path: Path) -> None:
    path = tmp_path / "output.json"
    records = [
        {"doc_id": name, "tokens": ["x"], "clusters_token_offsets": [[[0, 0]]]}
        for name in ("bc/cctv/00", "Büro.1")
    ]
    path.write_text(json.dumps(records, indent=2))
    answers = read_answers(path, key()).of_document
    assert [answer and answer.clusters for answer in answers] == [
        ([[(0, 0)]], ["x"], False)
    ] * 2


def test_a_text_has_a_line_a_document_or_is_about_one(tmp_path: Path) -> None:
    path = tmp_path / "output.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert texts(path) == ["one", "two"]
    assert texts(path, NAMES[:1]) == ["one\ntwo\n"]
    path.write_text("one\ntwo\nthree\n")
    with pytest.raises(
        AlignmentError, match=r"there are 3 lines of text, but key\.conll has 2"
    ):
        texts(path)
    path.write_text("[[Ada](#1)'s dog](#2) ran\n[He](#1) ran\n")
    assert texts(path) == ["[[Ada](#1)'s dog](#2) ran", "[He](#1) ran"]


def test_thoughts_are_no_part_of_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "output.txt"
    path.write_text("<think>\n[Ada](#1)?\n</think>\n[Ada](#1).")
    assert texts(path, NAMES[:1]) == ["\n[Ada](#1)."]


def test_what_cannot_be_paired_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "output.jsonl"
    path.write_text('{"id": "x", "output": "one"}\n')
    with pytest.raises(AlignmentError, match="no answer is for a document of key"):
        texts(path)
    path.write_text('{"id": "Büro.1", "output": ""}\n{"id": "Büro_1", "output": ""}\n')
    with pytest.raises(AlignmentError, match="'Büro_1' is a second answer for"):
        texts(path)
    path.write_text('{"id": "Büro.1", "output": ""}\n{"id": \n')
    with pytest.raises(FormatError, match="jsonl:2: this is not a JSON object"):
        texts(path)
    path.write_bytes(b"one\0two")
    with pytest.raises(FormatError, match="this is a binary file"):
        texts(path)
    with pytest.raises(FormatError, match="cannot be read"):
        texts(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(AlignmentError, match="answers are for none"):
        texts(tmp_path / "empty")


def test_a_field_that_appears_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"doc_key": "a", "clusters": [["Ada"]], "clusters": []}\n')
    with pytest.raises(FormatError, match=r":1: the field 'clusters' appears twice"):
        read_answers(path, key())


def test_a_name_of_two_documents_names_neither(tmp_path: Path) -> None:
    names = [DocumentName.plain("a/b"), DocumentName.plain("a-b")]
    (tmp_path / "a_b.txt").write_text("x")
    (tmp_path / "a-b.txt").write_text("y")
    answers = read_answers(tmp_path, key(names))
    assert [answer and answer.text for answer in answers.of_document] == [None, "y"]
    assert answers.unknown == ["a_b.txt"]


def test_a_text_next_to_clusters_is_the_input_of_the_model(tmp_path: Path) -> None:
    path = tmp_path / "output.jsonl"
    path.write_text('{"id": "Büro.1", "text": "Ada", "clusters": [["Ada"]]}\n')
    (_, answer) = read_answers(path, key()).of_document
    assert answer is not None
    assert (answer.text, answer.clusters) == ("", ([["Ada"]], None, False))


def test_an_object_may_have_an_answer_for_each_document(tmp_path: Path) -> None:
    path = tmp_path / "output.json"
    path.write_text('{"Büro.1": "two",\n "bc_cctv_00": "one"}')
    assert texts(path) == ["one", "two"]
    path.write_text('{"Büro.1": [["x"]], "bc/cctv/00": {"clusters": [["y"]]}}')
    answers = read_answers(path, key()).of_document
    assert [one and one.clusters and one.clusters.clusters for one in answers] == [
        *([["y"]], [["x"]]),
    ]


def test_entities_with_numbers_are_not_documents(tmp_path: Path) -> None:
    path = tmp_path / "output.json"
    path.write_text('{"1": ["Ada", "she"], "2": ["Bob"]}')
    for name in (DocumentName.numbered(1), DocumentName.plain("1")):
        (answer,) = read_answers(path, key([name])).of_document
        assert answer is not None
        assert answer.clusters is not None
        assert answer.clusters.clusters == [["Ada", "she"], ["Bob"]]


def test_a_list_of_texts_is_in_the_order_of_the_key(tmp_path: Path) -> None:
    path = tmp_path / "output.json"
    path.write_text('["one", "two"]')
    assert texts(path) == ["one", "two"]


ANSWER = as_json(LONG)

COMPLETION = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": ANSWER}}],
}

RESPONSES = {
    "id": "resp_1",
    "object": "response",
    "output": [
        {"type": "reasoning", "summary": []},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": ANSWER}],
        },
    ],
}

CALL = {"function": {"name": "answer", "arguments": ANSWER}}

TOOL = {"choices": [{"message": {"content": None, "tool_calls": [CALL]}}]}

MESSAGE = {
    "id": "msg_1",
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "?"},
        {"type": "text", "text": ANSWER},
    ],
}

USED = {"content": [{"type": "tool_use", "input": json.loads(ANSWER)}]}

GEMINI = {"candidates": [{"content": {"role": "model", "parts": [{"text": ANSWER}]}}]}

CHAT = {
    "messages": [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": ANSWER},
    ]
}


def openai(body: object, name: str = "a") -> dict[str, object]:
    response = {"status_code": 200, "request_id": "x", "body": body}
    return {"id": "batch_1", "custom_id": name, "response": response, "error": None}


def anthropic(message: object) -> dict[str, object]:
    return {"custom_id": "a", "result": {"type": "succeeded", "message": message}}


def score(
    folder: Path, *records: object, documents: str = "a", **options: str
) -> AnswerResult:
    key = write_key(folder, dict.fromkeys(documents, LONG))
    output = folder / "output.jsonl"
    output.write_text("".join(json.dumps(record) + "\n" for record in records))
    return score_output(key, output, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "record",
    [
        openai(COMPLETION),
        openai(RESPONSES),
        openai(TOOL),
        anthropic(MESSAGE),
        anthropic(USED),
        {"key": "a", "response": GEMINI},
        {"doc_key": "a", "response": COMPLETION},
        {"id": "a", "response": MESSAGE},
        {"doc_key": "a", "output": COMPLETION},
        {"doc_key": "a", **CHAT},
        {"doc_key": "a", "message": {"role": "assistant", "content": ANSWER}},
        COMPLETION,
        RESPONSES,
        MESSAGE,
        GEMINI,
    ],
)
def test_answers_are_taken_out_of_what_services_return(
    tmp_path: Path, record: dict[str, object]
) -> None:
    system = score(tmp_path, record)
    assert system.result.conll == pytest.approx(1)
    assert system.notation == "json"


def test_answers_of_a_batch_come_in_any_order(tmp_path: Path) -> None:
    other = {"choices": [{"message": {"content": '[["Ada Lovelace", "her"]]'}}]}
    batch = openai(other, "b"), openai(COMPLETION, "a")
    system = score(tmp_path, *batch, documents="ab")
    assert [answer.counts.mentions for answer in system.answers.values()] == [6, 2]


FAILED = [
    {"custom_id": "b", "response": None, "error": {"message": "too late"}},
    {
        "custom_id": "b",
        "response": {"status_code": 429, "body": {"error": {"message": "too late"}}},
        "error": None,
    },
    {
        "custom_id": "b",
        "result": {"type": "errored", "error": {"error": {"message": "too late"}}},
    },
]


@pytest.mark.parametrize("failed", FAILED)
def test_a_request_that_failed_is_refused_or_missing(
    tmp_path: Path, failed: dict[str, object]
) -> None:
    batch = openai(COMPLETION), failed
    with pytest.raises(AlignmentError, match=r"jsonl:2: .* for 'b' failed: too late"):
        score(tmp_path, *batch, documents="ab")
    system = score(tmp_path, *batch, documents="ab", missing="empty")
    assert [answer.status for answer in system.answers.values()] == [
        "scored",
        "missing",
    ]
    assert system.result.scores["mentions"].recall == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"custom_id": "b", "result": {"type": "expired"}}, "expired"),
        (
            {"custom_id": "b", "response": {"status_code": 500, "body": {}}},
            "status 500",
        ),
        ({"custom_id": "b", "response": {"body": {"choices": []}}}, "no message in it"),
    ],
)
def test_a_failure_says_why(
    tmp_path: Path, record: dict[str, object], why: str
) -> None:
    with pytest.raises(AlignmentError, match=why):
        score(tmp_path, openai(COMPLETION), record, documents="ab")
