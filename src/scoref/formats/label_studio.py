"""Reader of Label Studio: tasks with a text, its regions, and relations of regions.

    [{"data": {"text": "Mia slept. She dreamt."}, "annotations": [{"result": [
       {"id": "a", "type": "labels", "value": {"start": 0, "end": 3}, …},
       {"id": "b", "type": "labels", "value": {"start": 11, "end": 14}, …},
       {"type": "relation", "from_id": "b", "to_id": "a", "labels": ["coref"]}]}]}]

This is the export called JSON. Offsets count characters, and the end is the character
after the mention. Relations join regions into entities, except relations whose label
begins with *bridge*; a region in no relation is a singleton. The key is
``annotations``. The response is ``predictions`` if any task of the file has
predictions, and then every task needs them. Otherwise, it is ``annotations``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scoref.errors import FormatError, quoted
from scoref.formats.catalogue import LABEL_STUDIO
from scoref.formats.json_documents import (
    UNDECODABLE,
    Form,
    NamedRecord,
    read_documents,
    values,
)
from scoref.formats.json_spans import DocumentError, JsonDocument, JsonEntity
from scoref.formats.tokens import Groups
from scoref.model import Note
from scoref.rules import NO_DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus

    Data = dict[str, object]

_REGION, _RELATION = "labels", "relation"
_BRIDGE = "bridge"
_TEXT = "text"
_PREDICTIONS = "predictions"


class _Item(msgspec.Struct):
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
        by = self.completed_by
        if isinstance(by, dict):
            by = by.get("id", by.get("email"))
        return str(self.model_version if by is None else by)


class _Record(msgspec.Struct):
    data: dict[str, object]
    annotations: list[_Answer] | None = None
    completions: list[_Answer] | None = None
    predictions: list[_Answer] | None = None


class _Predicted(msgspec.Struct):
    """A task, as far as it shows who predicted something."""

    predictions: list[_Answer] | None = None


_FORM = Form(
    LABEL_STUDIO,
    _Record,
    '{"data": {"text": "..."}, "annotations": [{"result": [...]}]}, the export JSON',
    objects=("data", "annotations", "completions", "predictions"),
)
_PREDICTED = msgspec.json.Decoder(_Predicted)


def read(data: bytes, asked: ReadOptions) -> Corpus:
    """Read what was annotated, or predicted."""
    models = _models(data, asked) if asked.role == "response" else set()
    tasks = _Tasks(asked, models, Counter(), Counter(), set())
    try:
        corpus = read_documents(data, asked, _FORM, tasks.documents)
    except FormatError as error:
        if error.rule != NO_DOCUMENT or not tasks.authors:
            raise
        error.problem = f"there is nothing by '{asked.annotator}' in this file"
        error.hint = f"there is something by {quoted(sorted(tasks.authors))}"
        raise
    return replace(corpus, notes=(*corpus.notes, *tasks.notes()))


def _models(data: bytes, asked: ReadOptions) -> set[str]:
    """List the models with predictions in a file."""
    if b'"predictions"' not in data:
        return set()
    models: set[str] = set()
    for value in values(data, asked.source):
        try:
            task = _PREDICTED.decode(value.data)
        except UNDECODABLE:
            continue  # reading the file reports it
        models.update(answer.author() for answer in task.predictions or [])
    return models


class _Region(NamedTuple):
    """A region, by characters, what its text is said to be, and where it stands."""

    span: tuple[int, int]
    said: str | None
    path: str


class _Tasks(NamedTuple):
    """Tasks being read: by which relations regions were joined, and what was not."""

    asked: ReadOptions
    models: set[str]  # who predicted something, if this is a response
    joined: Counter[str]
    passed: Counter[str]
    authors: set[str]  # of what was not asked for

    def documents(self, record: _Record) -> Iterator[JsonDocument]:
        """Make a document of a task, unless nobody annotated it."""
        field, answers = self._answers(record)
        answer, path = self._chosen(answers, field)
        missing = field if answer is None and field == _PREDICTIONS else ""
        if missing:
            answer = _Answer()
        if answer is None:
            self.passed["tasks without an annotation"] += 1
            self.authors.update(each.author() for each in answers)
            return
        places = [
            (item, f"{path}.result[{row}]") for row, item in enumerate(answer.result)
        ]
        regions = {
            _name(item, place): _region(item, place)
            for item, place in places
            if item.type == _REGION
        }
        links = [each for each in places if each[0].type == _RELATION]
        for item, place in places:
            if item.type not in {_REGION, _RELATION}:
                _refuse_elements(item, place)
                self.passed["annotations that are no regions or relations"] += 1
        groups = Groups(regions)
        for one, other in self._links(regions, links):
            groups.join(one, other)
        lists = enumerate(groups.lists())
        field = next((item.to_name for item, _ in places if item.to_name), _TEXT)
        yield JsonDocument(
            msgspec.convert(record.data, NamedRecord).document_name(),
            [
                _entity(number, [regions[name] for name in each])
                for number, each in lists
            ],
            text=_text(record.data, field),
            is_end_included=False,
            missing=missing,
        )

    def _answers(self, record: _Record) -> tuple[str, list[_Answer]]:
        """Give the answers of a side, and say where they stand."""
        if self.models or (self.asked.role == "response" and self.asked.is_shared):
            if (record.annotations or record.completions) and not self.asked.is_shared:
                self.passed["annotations of a file with predictions"] += 1
            return _PREDICTIONS, record.predictions or []
        if record.completions and not record.annotations:
            return "completions", record.completions
        return "annotations", record.annotations or []

    def _chosen(self, answers: list[_Answer], field: str) -> tuple[_Answer | None, str]:
        """Choose the one answer that is to be read, and say where it stands."""
        author = self.asked.annotator
        if field == _PREDICTIONS and author not in self.models:
            author = ""  # it names an annotator of the key
        found = [
            (each, f"{field}[{row}]")
            for row, each in enumerate(answers)
            if not each.was_cancelled and author in {"", each.author()}
        ]
        if len(found) > 1:
            authors = quoted([each.author() for each, _ in found])
            problem = f"this task has {len(found)} {field}, by {authors}"
            raise DocumentError(field, problem, "choose one of them: --annotator NAME")
        return found[0] if found else (None, "")

    def _links(
        self, regions: dict[str, _Region], links: list[tuple[_Item, str]]
    ) -> Iterator[tuple[str, str]]:
        """Give the pairs that relations join, and count these by their labels."""
        for item, place in links:
            ends = str(item.from_id), str(item.to_id)
            missing = next((end for end in ends if end not in regions), None)
            label = ", ".join(item.labels or ["without a label"])
            if not self._joins(item.labels or []):
                self.passed[f"relations '{label}'"] += 1
            elif missing is not None:
                raise DocumentError(
                    place, f"there is no region '{missing}' in this task"
                )
            else:
                self.joined[label] += 1
                yield ends

    def _joins(self, labels: list[str]) -> bool:
        if self.asked.relations:
            return not set(labels).isdisjoint(self.asked.relations)
        return not any(label.lower().startswith(_BRIDGE) for label in labels)

    def notes(self) -> Iterator[Note]:
        """Tell by which relations regions were joined, and what was passed over."""
        if self.joined:
            said = ", ".join(f"{name} ({n})" for name, n in self.joined.most_common())
            message = f"relations that join mentions: {said}"
            yield Note("relations", self.joined.total(), message)
        for what, count in self.passed.items():
            yield Note("not-read", count, f"{what}, not read: {count}")


def _name(item: _Item, place: str) -> str:
    return place if item.id is None else str(item.id)


def _region(item: _Item, place: str) -> _Region:
    _refuse_elements(item, place)
    value = item.value or {}
    start, end, said = (value.get(name) for name in ("start", "end", "text"))
    if not isinstance(start, int) or not isinstance(end, int):
        problem = "this region has no 'start' and 'end' in characters"
        raise DocumentError(f"{place}.value", problem)
    return _Region((start, end), said if isinstance(said, str) else None, place)


def _refuse_elements(item: _Item, place: str) -> None:
    if "startOffset" in (item.value or {}):
        raise DocumentError(
            f"{place}.value",
            "this region is counted in paragraphs or elements, not in a text",
            "annotate plain text: <Text name=... value=...> in the labeling set-up",
        )


def _entity(number: int, regions: list[_Region]) -> JsonEntity:
    return JsonEntity(
        str(number),
        [region.span for region in regions],
        "",
        [region.said for region in regions],
        [region.path for region in regions],
    )


def _text(data: Data, field: str) -> str:
    """Find the text: what regions are of, or the only one there is."""
    texts = {name: each for name, each in data.items() if isinstance(each, str)}
    for name in (field, _TEXT):
        if name in texts:
            return texts[name]
    if len(texts) == 1:
        return next(iter(texts.values()))
    problem = f"there is no text '{field}', only {quoted(list(data)) or 'nothing'}"
    raise DocumentError("data", problem, "expected the text that was annotated")
