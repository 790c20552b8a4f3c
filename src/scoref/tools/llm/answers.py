"""Where answers come from: one for each document of the key.

* a folder: a file for each document, called what the document is called; marks that
  a file's name cannot have, such as `/`, may be any other mark;
* JSON lines, or a list in JSON: an object for each document, with its name and its
  answer, or with the answer's clusters themselves;
* a file of text: a line for each document, in the key's order, as the CRAC shared task
  has it; or, if the key has one document, the whole file.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.alignment.pieces import composed
from scoref.errors import AlignmentError, FormatError, quoted
from scoref.formats import name_of, read_bytes
from scoref.tools.llm.clusters import Clusters, clusters_of, decode, has_clusters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Corpus, DocumentName

_NAMES = ("doc_key", "doc_id", "id", "document", "doc", "name", "key")
_ANSWERS = ("output", "answer", "prediction", "response", "completion", "content")
_NO_LETTER = re.compile(r"\W+")
_THOUGHT = re.compile(
    r"\A.*</think(?:ing)?>|\A\s*<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE
)
_UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
_FENCE = re.compile(r"^[ \t]*```[^\n`]*$\n?", re.MULTILINE)


class Answer(NamedTuple):
    """What a model wrote about one document, and where it stands.

    ``tokens`` are those that the model was given, if the file says so; ``clusters`` is
    there if the answer is no text but JSON that was read already.
    """

    text: str
    source: str
    line: int | None = None
    tokens: list[str] | None = None
    clusters: Clusters | None = None

    def unfenced(self) -> str:
        """Give the text without the lines around blocks of code."""
        return _FENCE.sub("", self.text)


class Answers(NamedTuple):
    """An answer for each document of the key, or None, and names nobody knows."""

    of_document: list[Answer | None]
    unknown: list[str]


def read_answers(path: str | os.PathLike[str], key: Corpus) -> Answers:
    """Read a folder or a file, and pair answers with documents."""
    if os.path.isdir(path):  # noqa: PTH112 - pathlib takes 5 ms to load
        return _paired(_of_folder(os.fspath(path)), key, os.fspath(path))
    source, text = name_of(path), _decoded(read_bytes(path), name_of(path))
    records = _records(text, source)
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
    return composed(text.replace("\r\n", "\n").replace("\r", "\n"))


def answer_of(text: str, source: str) -> Answer:
    """Take a text that is in memory, which may be clusters in JSON."""
    return _answer(composed(text.replace("\r\n", "\n")), source)


def _answer(text: str, source: str, line: int | None = None) -> Answer:
    """Leave out what a model thought before it answered."""
    return Answer(_THOUGHT.sub("", text), source, line)


def _of_folder(folder: str) -> list[tuple[str, Answer]]:
    found = []
    for name in sorted(os.listdir(folder)):  # noqa: PTH208
        path = os.path.join(folder, name)  # noqa: PTH118
        if not name.startswith(".") and os.path.isfile(path):  # noqa: PTH113
            text = _decoded(read_bytes(path), path)
            found.append((name, _answer(text, path)))
    return found


def _records(text: str, source: str) -> list[tuple[int, dict[str, object]]] | None:
    """Read objects of JSON, with their lines; None if this is no such file."""
    start = text.lstrip()
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


def _lines(text: str, source: str) -> Iterable[tuple[int, dict[str, object]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        value = _loaded(line) if line.strip() else None
        if isinstance(value, dict):
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
    found = (record[name] for name in _NAMES if isinstance(record.get(name), str | int))
    return next((str(name) for name in found), None)


def _of_records(
    records: list[tuple[int, dict[str, object]]], key: Corpus, source: str
) -> Answers:
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


def _of_record(record: dict[str, object], source: str, line: int | None) -> Answer:
    tokens = record.get("tokens")
    given = [str(each) for each in tokens] if isinstance(tokens, list) else None
    # A text may be what the model was given, beside the clusters that it found.
    names = _ANSWERS if has_clusters(record) else (*_ANSWERS, "text")
    for name in names:
        found = record.get(name)
        if isinstance(found, str):
            return _answer(composed(found), source, line)._replace(tokens=given)
        if isinstance(found, dict | list):
            return Answer("", source, line, given, clusters_of(found))
        if name in record and found is None:
            return Answer("", source, line, given)
    return Answer("", source, line, given, clusters_of(record))


def _of_text(text: str, key: Corpus, source: str) -> list[Answer | None]:
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
