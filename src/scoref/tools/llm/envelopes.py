"""Answers inside what a service or a library returns: batch results and completions.

OpenAI's batch files have `custom_id` and `response.body`, whose `choices` or `output`
hold the messages. Anthropic's have `custom_id` and `result.message.content`, Google's
have `key` and `response.candidates`. The same objects may stand alone, one for each
line. A request that failed has an error instead of an answer.
"""

from __future__ import annotations

from typing import NamedTuple

_MESSAGES = {"message", "reasoning", "function_call", "output_text"}
_THOUGHTS = {"reasoning", "thinking", "redacted_thinking"}
_SUCCEEDED, _OK = "succeeded", 200
_INSIDE = ("body", "choices", "candidates", "output", "message", "messages")
_CHOSEN = {"choices": 0, "candidates": 0, "messages": -1}
"""Which of several answers counts."""
_CONTENT = (
    *_INSIDE,
    *("content", "parts", "output_text", "text", "refusal"),
    *("tool_calls", "function", "arguments"),
)


class Envelope(NamedTuple):
    """What was answered: a text, or JSON of a tool; or why there is no answer."""

    answer: object = None
    failure: str = ""


def open_envelope(record: dict[str, object]) -> Envelope | None:
    """Take the answer out of an object; None if it is not one of a service.

    >>> message = {"role": "assistant", "content": "[Ada](#1)"}
    >>> body = {"choices": [{"message": message}]}
    >>> open_envelope({"custom_id": "d1", "response": {"body": body}})
    Envelope(answer='[Ada](#1)', failure='')
    """
    response, result = record.get("response"), record.get("result")
    if isinstance(response, dict) and _is_envelope(response):
        inside: object = response
    elif isinstance(result, dict) and "type" in result:
        inside = result
    elif response is None and record.get("error") and "custom_id" in record:
        inside = {}
    elif _is_envelope(record):
        inside = record
    else:
        return None
    failure = _failure(record, inside)
    answer = None if failure else _content(inside)
    if answer in (None, "") and not failure:
        failure = "there is no message in it"
    return Envelope(answer, failure)


def _is_envelope(value: dict[str, object]) -> bool:
    """Tell whether an object holds messages, rather than entities."""
    if (
        "body" in value
        or "status_code" in value
        or isinstance(value.get("message"), dict)
    ):
        return True
    lists = [value.get(name) for name in ("choices", "candidates", "messages")]
    lists += [value.get(name) for name in ("output", "content")]
    items = [each[0] for each in lists if isinstance(each, list) and each]
    return any(
        isinstance(item, dict)
        and (
            {"message", "content", "role", "delta", "finish_reason"} & item.keys()
            or item.get("type") in {"text", *_MESSAGES, *_THOUGHTS}
        )
        for item in items
    )


def _failure(record: dict[str, object], inside: object) -> str:
    """Say why a request failed; nothing if it did not."""
    inner = inside if isinstance(inside, dict) else {}
    body = inner.get("body")
    for holder in (record, inner, body):
        error = holder.get("error") if isinstance(holder, dict) else None
        if error:
            return _message(error)
    kind = inner.get("type")
    if inside is record.get("result") and kind != _SUCCEEDED:
        return str(kind)
    code = inner.get("status_code", _OK)
    return "" if code == _OK else f"status {code}"


def _message(error: object) -> str:
    if isinstance(error, dict):
        inner = error.get("error")
        return _message(inner) if inner else str(error.get("message") or error)
    return str(error)


def _content(value: object) -> object:
    """Go down to the text, without what a model thought before it answered."""
    if isinstance(value, list):
        parts = [_content(each) for each in value]
        texts = [part for part in parts if isinstance(part, str)]
        others = [part for part in parts if isinstance(part, dict | list)]
        return "".join(texts) if any(texts) or not others else others[0]
    if not isinstance(value, dict):
        return value
    if value.get("type") in _THOUGHTS:
        return None
    names = [name for name in _CONTENT if value.get(name) not in (None, "", [])]
    if value.get("type") == "tool_use" or not names:
        return value.get("input")
    found = value[names[0]]
    if isinstance(found, list) and names[0] in _CHOSEN:
        found = found[_CHOSEN[names[0]]]
    return _content(found)
