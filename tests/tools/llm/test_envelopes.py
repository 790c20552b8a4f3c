"""Batch results and completions are opened, and those that failed are refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from llm_written import LONG, as_json, write_key
from scoref.errors import AlignmentError
from scoref.tools.llm import Scored, score_output

if TYPE_CHECKING:
    from pathlib import Path

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
) -> Scored:
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
    found = score(tmp_path, record)
    assert found.result.conll == pytest.approx(1)
    assert found.notation == "json"


def test_answers_of_a_batch_come_in_any_order(tmp_path: Path) -> None:
    other = {"choices": [{"message": {"content": '[["Ada Lovelace", "her"]]'}}]}
    batch = openai(other, "b"), openai(COMPLETION, "a")
    found = score(tmp_path, *batch, documents="ab")
    assert [each.counts.mentions for each in found.answers.values()] == [6, 2]


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
    with pytest.raises(AlignmentError, match=r"jsonl:2: .* about 'b' failed: too late"):
        score(tmp_path, *batch, documents="ab")
    found = score(tmp_path, *batch, documents="ab", missing="empty")
    assert [each.status for each in found.answers.values()] == ["scored", "missing"]
    assert found.result.scores["mentions"].recall == pytest.approx(1 / 2)


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
