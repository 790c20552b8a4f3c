"""Reader of Label Studio: tasks with a text, its regions, and relations of regions.

    [{"data": {"text": "Mia slept. She dreamt."}, "annotations": [{"result": [
       {"id": "a", "type": "labels", "value": {"start": 0, "end": 3}, …},
       {"id": "b", "type": "labels", "value": {"start": 11, "end": 14}, …},
       {"type": "relation", "from_id": "b", "to_id": "a", "labels": ["coref"]}]}]}]

This is the export called JSON. Offsets count characters, and the end is the character
after the mention. Relations join regions into entities, except relations whose label
begins with *bridg*; a region in no relation is a singleton. The key is
``annotations``. The response is ``predictions`` if any task of the file has
predictions, and then every task needs them. Otherwise, it is ``annotations``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scoref.errors import FormatError, quoted
from scoref.formats.annotation_tools import Relations
from scoref.formats.builder import Groups
from scoref.formats.catalogue import LABEL_STUDIO
from scoref.formats.json_documents import (
    UNDECODABLE,
    Form,
    NamedRecord,
    read_documents,
    values,
)
from scoref.formats.json_spans import DocumentError, JsonDocument, JsonEntity
from scoref.rules import NO_DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus


_PREDICTIONS = "predictions"


class _Item(msgspec.Struct):
    """A region, a relation of two regions, or something else that is skipped."""

    type: str = ""
    id: str | int | None = None
    to_name: str = ""
    value: dict[str, object] | None = None
    from_id: str | int | None = None
    to_id: str | int | None = None
    labels: list[str] | None = None


class _Answer(msgspec.Struct):
    result: list[_Item] = msgspec.field(default_factory=list)
    was_cancelled: bool = False
    completed_by: object = None
    model_version: str | None = None

    def author(self) -> str:
        """Return the annotator or, without one, the version of the model."""
        by = self.completed_by
        if isinstance(by, dict):
            by = by.get("id", by.get("email"))
        return str(self.model_version if by is None else by)


class _Record(msgspec.Struct):
    data: dict[str, object]
    annotations: list[_Answer] | None = None
    completions: list[_Answer] | None = None
    predictions: list[_Answer] | None = None


class _Predictions(msgspec.Struct):
    """The predictions of a task, without its text and its annotations."""

    predictions: list[_Answer] | None = None


_FORM = Form(
    LABEL_STUDIO,
    _Record,
    '{"data": {"text": "..."}, "annotations": [{"result": [...]}]}, the export JSON',
    objects=("data", "annotations", "completions", "predictions"),
)


def read(data: bytes, options: ReadOptions) -> Corpus:
    """Read the annotations or the predictions of a file."""
    models = _models(data, options.source) if options.role == "response" else set()
    tasks = _Tasks(options, models, Relations(options), set())
    try:
        corpus = read_documents(data, options, _FORM, tasks.documents)
    except FormatError as error:
        if error.rule != NO_DOCUMENT or not tasks.other_authors:
            raise
        error.problem = f"this file has nothing by '{options.annotator}'"
        error.hint = f"It has annotations by {quoted(sorted(tasks.other_authors))}."
        raise
    return replace(corpus, notes=(*corpus.notes, *tasks.relations.notes()))


def _models(data: bytes, source: str) -> set[str]:
    """Return the models with predictions in a file."""
    if b'"predictions"' not in data:
        return set()
    models: set[str] = set()
    decode = msgspec.json.Decoder(_Predictions).decode
    for value in values(data, source):
        try:
            task = decode(value.data)
        except UNDECODABLE:
            continue  # reading the file reports it
        models.update(answer.author() for answer in task.predictions or [])
    return models


class _Region(NamedTuple):
    """The characters of a region, its text if the file has it, and its place."""

    span: tuple[int, int]
    text: str | None
    path: str


class _Tasks(NamedTuple):
    """Makes documents of tasks, and counts what joined regions or was skipped."""

    options: ReadOptions
    models: set[str]  # with predictions, if this is a response
    relations: Relations
    other_authors: set[str]  # of annotations that were not asked for

    def documents(self, record: _Record) -> Iterator[JsonDocument]:
        """Yield the document of a task, unless the task has no annotation."""
        field, answers = self._answers(record)
        answer, path = self._choose(answers, field)
        missing = field if answer is None and field == _PREDICTIONS else ""
        if missing:
            answer = _Answer()
        if answer is None:
            self.relations.skipped["tasks without an annotation"] += 1
            self.other_authors.update(other.author() for other in answers)
            return
        items = {
            f"{path}.result[{row}]": item for row, item in enumerate(answer.result)
        }
        regions = {
            place if item.id is None else str(item.id): _region(item, place)
            for place, item in items.items()
            if item.type == "labels"
        }
        groups = Groups(regions)
        for place, item in items.items():
            if item.type not in {"labels", "relation"}:
                _refuse_elements(item, place)
                self.relations.skipped[
                    "annotations that are not regions or relations"
                ] += 1
        for place, item in items.items():
            if item.type == "relation" and self._is_joining(item, place, regions):
                groups.join(str(item.from_id), str(item.to_id))
        annotated = next((item.to_name for item in items.values() if item.to_name), "")
        yield JsonDocument(
            msgspec.convert(record.data, NamedRecord).document_name(),
            [
                _entity(number, [regions[name] for name in names])
                for number, names in enumerate(groups.lists())
            ],
            text=_text(record.data, annotated or "text"),
            is_end_included=False,
            missing=missing,
        )

    def _answers(self, record: _Record) -> tuple[str, list[_Answer]]:
        """Return the answers of the side to be read, and the field they are in."""
        options = self.options
        if self.models or (options.role == "response" and options.is_shared):
            if (record.annotations or record.completions) and not options.is_shared:
                self.relations.skipped[
                    "annotations, because the file has predictions"
                ] += 1
            return _PREDICTIONS, record.predictions or []
        if record.completions and not record.annotations:
            return "completions", record.completions
        return "annotations", record.annotations or []

    def _choose(self, answers: list[_Answer], field: str) -> tuple[_Answer | None, str]:
        """Return the only answer of the author asked for, and its place."""
        author = self.options.annotator
        if field == _PREDICTIONS and author not in self.models:
            author = ""  # it names an annotator of the key
        candidates = [
            (answer, f"{field}[{row}]")
            for row, answer in enumerate(answers)
            if not answer.was_cancelled and author in {"", answer.author()}
        ]
        if len(candidates) > 1:
            authors = quoted([answer.author() for answer, _ in candidates])
            problem = f"this task has {len(candidates)} {field}, by {authors}"
            raise DocumentError(field, problem, "Choose one with --annotator NAME.")
        return candidates[0] if candidates else (None, "")

    def _is_joining(self, item: _Item, place: str, regions: dict[str, _Region]) -> bool:
        """Check whether a relation joins its regions, and count it."""
        if not self.relations.is_joining(item.labels or []):
            return False
        for end in (str(item.from_id), str(item.to_id)):
            if end not in regions:
                raise DocumentError(place, f"this task has no region '{end}'")
        return True


def _region(item: _Item, place: str) -> _Region:
    _refuse_elements(item, place)
    value = item.value or {}
    start, end, text = (value.get(name) for name in ("start", "end", "text"))
    if not isinstance(start, int) or not isinstance(end, int):
        problem = "this region has no 'start' and 'end' in characters"
        raise DocumentError(f"{place}.value", problem)
    return _Region((start, end), text if isinstance(text, str) else None, place)


def _refuse_elements(item: _Item, place: str) -> None:
    if "startOffset" in (item.value or {}):
        raise DocumentError(
            f"{place}.value",
            "this region is counted in paragraphs or elements, not in characters",
            "Annotate plain text: <Text name=... value=...> in the labeling setup.",
        )


def _entity(number: int, regions: list[_Region]) -> JsonEntity:
    return JsonEntity(
        str(number),
        [region.span for region in regions],
        "",
        [region.text for region in regions],
        [region.path for region in regions],
    )


def _text(data: dict[str, object], field: str) -> str:
    """Return the text that was annotated, or the only one there is."""
    texts = {name: value for name, value in data.items() if isinstance(value, str)}
    for name in (field, "text"):
        if name in texts:
            return texts[name]
    if len(texts) == 1:
        return next(iter(texts.values()))
    problem = f"there is no text '{field}', only {quoted(list(data)) or 'nothing'}"
    raise DocumentError("data", problem, "Expected the text that was annotated.")
