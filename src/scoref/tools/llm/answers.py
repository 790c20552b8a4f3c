"""Reading of model output: one answer for each document of the key.

Answers come from

* a folder with a file for each document, which has the document's name; characters that
  a file name cannot have, such as `/`, may be replaced by any other;
* JSON lines, or a list in JSON: an object for each document, with its name and its
  answer, or with the clusters of the answer;
* an object in JSON that has an answer for each document's name;
* a text file with a line for each document, in the key's order, as in the CRAC shared
  task; or, if the key has one document, the whole file.

`open_envelope` finds the answer in the batch results and completions of services.
OpenAI's batch files have `custom_id` and `response.body`, whose `choices` or `output`
hold the messages. Anthropic's have `custom_id` and `result.message.content`, Google's
have `key` and `response.candidates`. The same objects may also be alone on each line.
A request that failed has an error instead of an answer.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.alignment.pieces import compose
from scoref.errors import AlignmentError, FormatError, quoted
from scoref.formats.input_files import name_of, read_bytes
from scoref.formats.json_documents import JsonValue, repeated_field
from scoref.tools.llm.json_clusters import (
    Clusters,
    clusters_of,
    decode,
    has_clusters,
    is_entity,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Corpus, DocumentName


_FENCE = re.compile(r"^[ \t]*```[^\n`]*$\n?", re.MULTILINE)


class Answer(NamedTuple):
    """The answer of a model about one document, and its place in a file.

    ``tokens`` are the tokens that the model received, if the file has them.
    ``clusters`` is set if the answer is not a text but JSON that was read already.
    ``failure`` says why a service did not answer.
    """

    text: str
    source: str
    line: int | None = None
    tokens: list[str] | None = None
    clusters: Clusters | None = None
    failure: str = ""

    def unfenced(self) -> str:
        """Return the text without the lines around blocks of code."""
        return _FENCE.sub("", self.text)


class Answers(NamedTuple):
    """An answer or None for each document of the key, and names of no document."""

    of_document: list[Answer | None]
    unknown: list[str]


def read_answers(path: str | os.PathLike[str], key: Corpus) -> Answers:
    """Read a folder or a file, and pair answers with documents."""
    if os.path.isdir(path):
        return _read_folder(os.fspath(path), key)
    source, text = name_of(path), _decode_text(read_bytes(path), name_of(path))
    records = _json_records(text, key, source)
    if records is None:
        return Answers(_answers_of_text(text, key, source), [])
    return _answers_of_records(records, key, source)


def _read_folder(folder: str, key: Corpus) -> Answers:
    """Read the files of a folder, whose names are those of documents."""
    answers = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.startswith(".") and os.path.isfile(path):
            text = _decode_text(read_bytes(path), path)
            answers.append((name, _without_thoughts(text, path)))
    return _pair_with_documents(answers, key, folder)


def _decode_text(data: bytes, source: str) -> str:
    """Decode UTF-8, and refuse files that are not text."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FormatError(
            "this file is UTF-16",
            source=source,
            hint="Convert it to UTF-8, for example with iconv -t UTF-8.",
        )
    if b"\0" in data:
        raise FormatError(
            "this is a binary file", source=source, hint="Expected a text file."
        )
    text = data.decode("utf-8-sig", "replace")
    return compose(text.replace("\r\n", "\n").replace("\r", "\n"))


def answer_of(text: str, source: str) -> Answer:
    """Make an answer of a text in memory, which may be clusters in JSON."""
    return _without_thoughts(compose(text.replace("\r\n", "\n")), source)


_THOUGHTS_IN_TEXT = re.compile(
    r"\A.*</think(?:ing)?>|\A\s*<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE
)


def _without_thoughts(text: str, source: str, line: int | None = None) -> Answer:
    """Make an answer without the thoughts of the model before it."""
    return Answer(_THOUGHTS_IN_TEXT.sub("", text), source, line)


def _json_records(
    text: str, key: Corpus, source: str
) -> list[tuple[int, dict[str, object]]] | None:
    """Read objects of JSON, with their lines; None if this is not such a file."""
    start = text.lstrip()
    if not start.startswith(("{", "[")):
        return None
    whole = _load_json(start)
    if isinstance(whole, dict) and _is_by_document(whole, key):
        return [(0, {"doc_key": name, "output": whole[name]}) for name in whole]
    texts = whole if isinstance(whole, list) else []
    is_text = all(isinstance(text, str) for text in texts)
    if is_text and len(texts) == len(key.documents) > 1:
        return [(0, {"output": text}) for text in texts]
    first_line = start.partition("\n")[0]
    if start.startswith("{") and isinstance(_load_json(first_line), dict):
        return list(_json_lines(text, source))
    value, _ = decode(start.rstrip())
    items = value if isinstance(value, list) else [value]
    objects = [(0, item) for item in items if isinstance(item, dict)]
    is_named = all(_name(item) is not None for _, item in objects)
    return objects if objects and len(objects) == len(items) and is_named else None


def _is_by_document(value: dict[str, object], key: Corpus) -> bool:
    """Say whether an object has an answer for each document, by its name.

    Documents without a name have numbers, which may also be names of entities.
    """
    row_of = _rows_by_name([name for name in key.documents if name.aliases])
    are_known = [_find_row(name, row_of) is not None for name in value]
    is_flat = any(map(is_entity, value.values()))
    return all(are_known) if is_flat else any(are_known)


def _json_lines(text: str, source: str) -> Iterable[tuple[int, dict[str, object]]]:
    """Read an object for each line, and refuse anything else."""
    for number, line in enumerate(text.split("\n"), start=1):
        value = _load_json(line) if line.strip() else None
        if isinstance(value, dict):
            data = line.encode()
            if again := repeated_field(data, value):
                raise again.error(JsonValue(data, number), source)
            yield number, value
        elif line.strip():
            raise FormatError(
                "this is not a JSON object",
                source=source,
                line=number,
                text=line,
                hint='Expected {"doc_key": "...", "output": "..."} for each document.',
            )


def _load_json(line: str) -> object:
    """Read JSON; None if it is not."""
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return None


_NAME_FIELDS = (
    "custom_id",
    "doc_key",
    "doc_id",
    "id",
    "document",
    "doc",
    "name",
    "key",
)

_ANSWER_FIELDS = ("output", "answer", "prediction", "response", "completion", "content")


def _name(record: dict[str, object]) -> str | None:
    """Return the name of the document; the `id` of a completion is not one."""
    is_completion = "object" in record or "role" in record
    for field in _NAME_FIELDS:
        if field == "id" and is_completion:
            continue
        if isinstance(record.get(field), str | int):
            return str(record[field])
    return None


def _answers_of_records(
    records: list[tuple[int, dict[str, object]]], key: Corpus, source: str
) -> Answers:
    """Pair the answers of objects with documents: by name, or in the key's order."""
    _refuse_partial_predictions(records, source)
    answers = [
        _answer_of_record(record, source, line or None) for line, record in records
    ]
    names = [_name(record) for _, record in records]
    if all(name is None for name in names) and len(names) == len(key.documents):
        return Answers(list(answers), [])
    for (line, record), name in zip(records, names, strict=True):
        if name is None:
            raise FormatError(
                "this answer has no document name",
                source=source,
                line=line or None,
                text=json.dumps(record, ensure_ascii=False),
                hint="Name the document in one of these fields: "
                f"{', '.join(_NAME_FIELDS)}.",
            )
    pairs = zip(names, answers, strict=True)
    named = [(name or "", answer) for name, answer in pairs]
    return _pair_with_documents(named, key, source)


def _refuse_partial_predictions(
    records: list[tuple[int, dict[str, object]]], source: str
) -> None:
    """Refuse objects without predicted entities, if others have them.

    Such an object has the key's entities in `clusters`.
    """
    field = "predicted_clusters"
    if not any(field in record for _, record in records):
        return
    for line, record in records:
        if record.get(field) is None:
            raise FormatError(
                f"'{field}' is null or missing in this document",
                source=source,
                line=line or None,
                hint=f"Every document needs '{field}'. An empty list [] means that "
                "there are no entities.",
            )


def _answer_of_record(
    record: dict[str, object], source: str, line: int | None
) -> Answer:
    """Find the answer in an object."""
    items = record.get("tokens")
    tokens = [*map(str, items)] if isinstance(items, list) else None
    if open_envelope(record):
        return _answer_of_value(record, source, line, tokens)
    # If an object has clusters, its text may be what the model received.
    fields = _ANSWER_FIELDS if has_clusters(record) else (*_ANSWER_FIELDS, "text")
    for field in fields:
        value = record.get(field)
        if field in record and (value is None or isinstance(value, str | dict | list)):
            return _answer_of_value(value, source, line, tokens)
    if clusters := clusters_of(record):
        return Answer("", source, line, tokens, clusters)
    names = quoted(list(record), len(_ANSWER_FIELDS))
    raise FormatError(
        f"this object contains no answer. Its fields are {names}",
        source=source,
        line=line,
        hint="Put the answer into one of these fields: "
        f"{', '.join((*_ANSWER_FIELDS, 'text'))}.",
    )


def _answer_of_value(
    value: object, source: str, line: int | None, tokens: list[str] | None
) -> Answer:
    """Make an answer of a text, or of JSON that was read already."""
    if isinstance(value, dict) and (envelope := open_envelope(value)):
        if envelope.failure:
            return Answer("", source, line, tokens, failure=envelope.failure)
        return _answer_of_value(envelope.answer, source, line, tokens)
    if clusters := clusters_of(value):
        return Answer("", source, line, tokens, clusters)
    if isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    text = compose(value) if isinstance(value, str) else ""
    return _without_thoughts(text, source, line)._replace(tokens=tokens)


_ANNOTATED = re.compile(r"\s*#(?:begin document| newdoc| global\.Entity)")


def _answers_of_text(text: str, key: Corpus, source: str) -> list[Answer | None]:
    """Take a line for each document, or the whole text for one document."""
    if _ANNOTATED.match(text):
        raise FormatError(
            "this is an annotated file, not the answer of a model",
            source=source,
            hint=f"Score it with: scoref {key.source} {source}",
        )
    count = len(key.documents)
    if count == 1:
        return [_without_thoughts(text, source)]
    lines = text.removesuffix("\n").split("\n") if text else []
    if len(lines) != count:
        are = "is 1 line" if len(lines) == 1 else f"are {len(lines)} lines"
        raise AlignmentError(
            f"there {are} of text, but {key.source} has {count:,} documents",
            source=source,
            hint="Give one line for each document in the order of the key, a "
            "folder with one file for each document, or JSON lines "
            '{"doc_key": "...", "output": "..."}.',
        )
    return [
        _without_thoughts(line, source, number)
        for number, line in enumerate(lines, start=1)
    ]


def _pair_with_documents(
    answers: Sequence[tuple[str, Answer]], key: Corpus, source: str
) -> Answers:
    """Find the document of each name; two answers about one are an error."""
    row_of = _rows_by_name(key.documents)
    of_document: list[Answer | None] = [None] * len(key.documents)
    unknown = []
    for name, answer in answers:
        row = _find_row(name, row_of)
        if row is None:
            unknown.append(name)
        elif of_document[row] is not None:
            raise AlignmentError(
                f"'{name}' is a second answer for document '{key.documents[row].name}'",
                source=answer.source,
                line=answer.line,
                hint="Give one answer for each document.",
            )
        else:
            of_document[row] = answer
    if not any(of_document):
        documents = quoted([document.name for document in key.documents])
        raise AlignmentError(
            f"no answer is for a document of {key.source}",
            source=source,
            hint=f"The documents are {documents}. The answers are for "
            + (", ".join(f"'{name}'" for name, _ in answers[:3]) or "none")
            + ".",
        )
    return Answers(of_document, unknown)


def _rows_by_name(documents: Sequence[DocumentName]) -> dict[str, int | None]:
    """Return documents by all their names; None for a name that several have.

    Full names have precedence over aliases, and exact ones over those in which other
    characters replace some.
    """
    rows: dict[str, int | None] = {}
    spellings = (
        lambda document: [document.name],
        lambda document: document.aliases,
        lambda document: [_plain(document.name)],
        lambda document: [_plain(alias) for alias in document.aliases],
    )
    for spelling in spellings:
        added: dict[str, int | None] = {}
        for row, document in enumerate(documents):
            for name in set(spelling(document)):
                added[name] = None if name in added else row
        rows = {**added, **rows}
    return rows


def _find_row(name: str, row_of: dict[str, int | None]) -> int | None:
    """Find a document by its name, or by the name of a file."""
    stem = name.rpartition(".")[0]
    for spelling in (name, stem, _plain(name), _plain(stem)):
        if row_of.get(spelling) is not None:
            return row_of[spelling]
    return None


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")


class Envelope(NamedTuple):
    """The answer of a service, a text or JSON of a tool, or why there is none."""

    answer: object = None
    failure: str = ""


def open_envelope(record: dict[str, object]) -> Envelope | None:
    """Return the answer in an object of a service; None if it is not one.

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


_THOUGHTS = {"reasoning", "thinking", "redacted_thinking"}

_MESSAGES = {"text", "message", "function_call", "output_text", *_THOUGHTS}


def _is_envelope(value: dict[str, object]) -> bool:
    """Say whether an object holds messages and not entities."""
    if "body" in value or "status_code" in value:
        return True
    if isinstance(value.get("message"), dict):
        return True
    for field in ("choices", "candidates", "messages", "output", "content"):
        items = value.get(field)
        item = items[0] if isinstance(items, list) and items else None
        if isinstance(item, dict) and (
            {"message", "content", "role", "delta", "finish_reason"} & item.keys()
            or item.get("type") in _MESSAGES
        ):
            return True
    return False


_OK = 200


def _failure(record: dict[str, object], inside: object) -> str:
    """Say why a request failed; nothing if it did not."""
    inner = inside if isinstance(inside, dict) else {}
    for holder in (record, inner, inner.get("body")):
        error = holder.get("error") if isinstance(holder, dict) else None
        while isinstance(error, dict) and error.get("error"):
            error = error["error"]
        if isinstance(error, dict) and error:
            return str(error.get("message") or error)
        if error:
            return str(error)
    kind = inner.get("type")
    if inside is record.get("result") and kind != "succeeded":
        return str(kind)
    code = inner.get("status_code", _OK)
    return "" if code == _OK else f"status {code}"


_CONTENT_FIELDS = (
    *("body", "choices", "candidates", "output", "message", "messages"),
    *("content", "parts", "output_text", "text", "refusal"),
    *("tool_calls", "function", "arguments"),
)

_CHOICE = {"choices": 0, "candidates": 0, "messages": -1}
"""Which of several answers counts."""


def _content(value: object) -> object:
    """Return the text inside, without the thoughts of the model."""
    if isinstance(value, list):
        parts = [_content(item) for item in value]
        texts = [part for part in parts if isinstance(part, str)]
        others = [part for part in parts if isinstance(part, dict | list)]
        return "".join(texts) if any(texts) or not others else others[0]
    if not isinstance(value, dict):
        return value
    if value.get("type") in _THOUGHTS:
        return None
    fields = [name for name in _CONTENT_FIELDS if value.get(name) not in (None, "", [])]
    if value.get("type") == "tool_use" or not fields:
        return value.get("input")
    content = value[fields[0]]
    if isinstance(content, list) and fields[0] in _CHOICE:
        content = content[_CHOICE[fields[0]]]
    return _content(content)
