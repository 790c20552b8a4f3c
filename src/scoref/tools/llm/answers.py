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
from scoref.formats.json_documents import Value, repeated
from scoref.tools.llm.listed_mentions import (
    Clusters,
    clusters_of,
    decode,
    has_clusters,
    is_entity,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Corpus, DocumentName


_NAMES = ("custom_id", "doc_key", "doc_id", "id", "document", "doc", "name", "key")

_ANSWERS = ("output", "answer", "prediction", "response", "completion", "content")

_NO_LETTER = re.compile(r"\W+")

_THOUGHT = re.compile(
    r"\A.*</think(?:ing)?>|\A\s*<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE
)

_UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE

_ANNOTATED = re.compile(r"\s*#(?:begin document| newdoc| global\.Entity)")

_FENCE = re.compile(r"^[ \t]*```[^\n`]*$\n?", re.MULTILINE)


class Answer(NamedTuple):
    """What a model wrote about one document, and where it stands.

    ``tokens`` are those that the model was given, if the file says so; ``clusters`` is
    there if the answer is not a text but JSON that was read already. ``failure`` says
    why a service did not answer.
    """

    text: str
    source: str
    line: int | None = None
    tokens: list[str] | None = None
    clusters: Clusters | None = None
    failure: str = ""

    def unfenced(self) -> str:
        """Give the text without the lines around blocks of code."""
        return _FENCE.sub("", self.text)


class Answers(NamedTuple):
    """An answer for each document of the key, or None, and names nobody knows."""

    of_document: list[Answer | None]
    unknown: list[str]


def read_answers(path: str | os.PathLike[str], key: Corpus) -> Answers:
    """Read a folder or a file, and pair answers with documents."""
    if os.path.isdir(path):
        return _paired(_of_folder(os.fspath(path)), key, os.fspath(path))
    source, text = name_of(path), _decoded(read_bytes(path), name_of(path))
    records = _records(text, key, source)
    if records is None:
        return Answers(_of_text(text, key, source), [])
    return _of_records(records, key, source)


def _decoded(data: bytes, source: str) -> str:
    if data.startswith(_UTF_16):
        raise FormatError(
            "this is UTF-16", source=source, hint="iconv -t UTF-8 makes UTF-8 of it"
        )
    if b"\0" in data:
        raise FormatError(
            "this is a binary file", source=source, hint="expected a file of text"
        )
    text = data.decode("utf-8-sig", "replace")
    return compose(text.replace("\r\n", "\n").replace("\r", "\n"))


def answer_of(text: str, source: str) -> Answer:
    """Take a text that is in memory, which may be clusters in JSON."""
    return _answer(compose(text.replace("\r\n", "\n")), source)


def _answer(text: str, source: str, line: int | None = None) -> Answer:
    """Leave out what a model thought before it answered."""
    return Answer(_THOUGHT.sub("", text), source, line)


def _of_folder(folder: str) -> list[tuple[str, Answer]]:
    found = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.startswith(".") and os.path.isfile(path):
            text = _decoded(read_bytes(path), path)
            found.append((name, _answer(text, path)))
    return found


def _records(
    text: str, key: Corpus, source: str
) -> list[tuple[int, dict[str, object]]] | None:
    """Read objects of JSON, with their lines; None if this is not such a file."""
    start = text.lstrip()
    whole = _loaded(start) if start.startswith(("{", "[")) else None
    if isinstance(whole, dict) and _is_by_document(whole, key):
        return [(0, {"doc_key": name, "output": whole[name]}) for name in whole]
    if isinstance(whole, list) and _is_one_for_each(whole, key):
        return [(0, {"output": text}) for text in whole]
    first = start.partition("\n")[0]
    if start.startswith("{") and isinstance(_loaded(first), dict):
        return list(_lines(text, source))
    if not start.startswith(("[", "{")):
        return None
    value, _ = decode(start.rstrip())
    items = value if isinstance(value, list) else [value]
    objects = [(0, item) for item in items if isinstance(item, dict)]
    is_named = all(_name(item) is not None for _, item in objects)
    return objects if objects and len(objects) == len(items) and is_named else None


def _is_by_document(value: dict[str, object], key: Corpus) -> bool:
    """Tell whether an object has an answer for each document, by its name.

    Documents without a name are called by numbers, which may be names of entities.
    """
    known = _known_names([each for each in key.documents if each.aliases])
    are_known = [_row(name, known) is not None for name in value]
    is_flat = any(is_entity(each) for each in value.values())
    return all(are_known) if is_flat else any(are_known)


def _is_one_for_each(values: list[object], key: Corpus) -> bool:
    """Tell whether a list has a text for each of several documents."""
    are_texts = all(isinstance(value, str) for value in values)
    return are_texts and len(values) == len(key.documents) > 1


def _lines(text: str, source: str) -> Iterable[tuple[int, dict[str, object]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        value = _loaded(line) if line.strip() else None
        if isinstance(value, dict):
            data = line.encode()
            if again := repeated(data, value):
                raise again.error(Value(data, number), source)
            yield number, value
        elif line.strip():
            raise FormatError(
                "not an object in JSON",
                source=source,
                line=number,
                text=line,
                hint='expected {"doc_key": "...", "output": "..."} for each document',
            )


def _loaded(line: str) -> object:
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return None


def _name(record: dict[str, object]) -> str | None:
    """Find the name of the document; the `id` of a completion is not one."""
    is_completion = "object" in record or "role" in record
    names = [name for name in _NAMES if name != "id" or not is_completion]
    found = (record[name] for name in names if isinstance(record.get(name), str | int))
    return next((str(name) for name in found), None)


def _of_records(
    records: list[tuple[int, dict[str, object]]], key: Corpus, source: str
) -> Answers:
    _refuse_half_predicted(records, source)
    answers = [_of_record(record, source, line or None) for line, record in records]
    names = [_name(record) for _, record in records]
    if all(name is None for name in names) and len(names) == len(key.documents):
        return Answers(list(answers), [])
    for (line, record), name in zip(records, names, strict=True):
        if name is None:
            raise FormatError(
                "this answer does not say which document it is about",
                source=source,
                line=line or None,
                text=json.dumps(record, ensure_ascii=False),
                hint=f"give it one of {', '.join(_NAMES)}",
            )
    named = [(name or "", each) for name, each in zip(names, answers, strict=True)]
    return _paired(named, key, source)


def _refuse_half_predicted(
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
                hint=f"every document needs '{field}'; [] means that there are no "
                "entities",
            )


def _of_record(record: dict[str, object], source: str, line: int | None) -> Answer:
    tokens = record.get("tokens")
    given = [str(each) for each in tokens] if isinstance(tokens, list) else None
    if open_envelope(record):
        return _of_value(record, source, line, given)
    # A text may be what the model was given, beside the clusters that it found.
    names = _ANSWERS if has_clusters(record) else (*_ANSWERS, "text")
    for name in names:
        found = record.get(name)
        if name in record and (found is None or isinstance(found, str | dict | list)):
            return _of_value(found, source, line, given)
    if clusters := clusters_of(record):
        return Answer("", source, line, given, clusters)
    fields = quoted(list(record), len(_ANSWERS))
    raise FormatError(
        f"there is no answer in this object; its fields are {fields}",
        source=source,
        line=line,
        hint=f"put the answer into one of {', '.join((*_ANSWERS, 'text'))}",
    )


def _of_value(
    value: object, source: str, line: int | None, tokens: list[str] | None
) -> Answer:
    """Take an answer that is a text, or JSON that was read already."""
    if isinstance(value, dict) and (envelope := open_envelope(value)):
        if envelope.failure:
            return Answer("", source, line, tokens, failure=envelope.failure)
        return _of_value(envelope.answer, source, line, tokens)
    if clusters := clusters_of(value):
        return Answer("", source, line, tokens, clusters)
    if isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    text = compose(value) if isinstance(value, str) else ""
    return _answer(text, source, line)._replace(tokens=tokens)


def _of_text(text: str, key: Corpus, source: str) -> list[Answer | None]:
    if _ANNOTATED.match(text):
        raise FormatError(
            "this is a file with annotations, and not what a model wrote",
            source=source,
            hint=f"scoref {key.source} {source} scores it",
        )
    count = len(key.documents)
    if count == 1:
        return [_answer(text, source)]
    lines = text.removesuffix("\n").split("\n") if text else []
    if len(lines) != count:
        raise AlignmentError(
            f"there {_lines_of_text(len(lines))}, but {count} documents in "
            f"{key.source}",
            source=source,
            hint="give a line a document in the key's order, a folder with a file a "
            'document, or JSON lines {"doc_key": "...", "output": "..."}',
        )
    return [_answer(line, source, row) for row, line in enumerate(lines, start=1)]


def _lines_of_text(count: int) -> str:
    return "is 1 line of text" if count == 1 else f"are {count} lines of text"


def _paired(answers: Sequence[tuple[str, Answer]], key: Corpus, source: str) -> Answers:
    """Find the document of each name; two answers to one are an error."""
    known = _known_names(key.documents)
    found: list[Answer | None] = [None] * len(key.documents)
    unknown = []
    for name, answer in answers:
        row = _row(name, known)
        if row is None:
            unknown.append(name)
        elif found[row] is not None:
            raise AlignmentError(
                f"'{name}' is a second answer about document "
                f"'{key.documents[row].name}'",
                source=answer.source,
                line=answer.line,
                hint="give one answer for each document",
            )
        else:
            found[row] = answer
    if not any(found):
        documents = quoted([document.name for document in key.documents])
        raise AlignmentError(
            f"no answer is about a document of {key.source}",
            source=source,
            hint=f"its documents are {documents}; answers are "
            + (", ".join(f"'{name}'" for name, _ in answers[:3]) or "none"),
        )
    return Answers(found, unknown)


def _known_names(documents: Sequence[DocumentName]) -> dict[str, int | None]:
    """Give documents by each of their names, exact or with other marks, if it is one's.

    Full names come first, so that no alias takes another document's.
    """
    known: dict[str, int | None] = {}
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
        known = {**added, **known}
    return known


def _row(name: str, known: dict[str, int | None]) -> int | None:
    stem = name.rpartition(".")[0]
    for spelling in (name, stem, _plain(name), _plain(stem)):
        if known.get(spelling) is not None:
            return known[spelling]
    return None


def _plain(name: str) -> str:
    return _NO_LETTER.sub("_", name).strip("_")


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
