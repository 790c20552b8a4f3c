"""Entities that an answer lists in JSON, by offsets or by words.

    {"tokens": ["Ada", "met", "him"], "clusters_token_offsets": [[[0, 0]], [[2, 2]]]}
    {"clusters": [["Ada", "she"], ["him"]]}
    {"Ada": ["Ada", "she"], "Charles": ["him"]}

The first form is the CRAC shared task's. An entity is any list of mentions, at any
depth. A mention is a text, a pair of offsets (both ends are part of it), or an object
with `start` and `end` or with `text`; objects in one list may name their own `cluster`.
If there are lists of offsets and lists of texts, offsets count. The answer may be
surrounded by other words, and may be cut off: all complete mentions are read.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Located(NamedTuple):
    """A mention that has both offsets and words."""

    start: int
    end: int
    words: str


Place = tuple[int, int] | str | Located


class Clusters(NamedTuple):
    """Entities as lists of mentions, and the text's tokens if the answer has them."""

    clusters: list[list[Place]]
    tokens: list[str] | None = None
    is_cut: bool = False


def find_clusters(answer: str) -> Clusters | None:
    """Find JSON in an answer; None if there is none that lists mentions.

    >>> find_clusters('Sure: [["Ada", "she"], ["him"')
    Clusters(clusters=[['Ada', 'she'], ['him']], tokens=None, is_cut=True)
    """
    for text, start in _candidates(answer):
        value, is_cut = decode(text, start)
        if _has_no_prediction(value):
            return None  # the lists inside it are the key's
        # One entity or one mention may be followed by others.
        is_part = is_entity(value)
        if isinstance(value, dict):
            is_part = _place(value) is not None or is_entity(value.get("mentions"))
        if is_part:
            value = _consecutive_values(text, start)
        if clusters := clusters_of(value):
            return clusters._replace(is_cut=is_cut)
    return None


_FENCED = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)

_BRACKET = re.compile(r"^[ \t]*([\[{])", re.MULTILINE)

_MOST_BRACKETS = 50


def _candidates(answer: str) -> Iterator[tuple[str, int]]:
    """Return the places where JSON may start: in fences first, then at brackets."""
    for fenced in _FENCED.finditer(answer):
        yield fenced[1].strip(), 0
    answer = answer.rstrip()
    for bracket in islice(_BRACKET.finditer(answer), _MOST_BRACKETS):
        yield answer, bracket.start(1)
    inside = re.search(r"[\[{]\s*[\[{\"]", answer)
    if inside:
        yield answer, inside.start()


_NEXT = re.compile(r"[\s,]*(?=[\[{])")


def _consecutive_values(text: str, start: int) -> object:
    """Read entities or mentions that follow each other, as in JSON lines."""
    values: list[object] = []
    decoder = json.JSONDecoder(object_pairs_hook=_refuse_repeated_names)
    while next_value := _NEXT.match(text, start):
        try:
            value, start = decoder.raw_decode(text, next_value.end())
        except (ValueError, RecursionError):
            break
        values.append(value)
    return values if len(values) != 1 or isinstance(values[0], dict) else values[0]


class _RepeatedNameError(ValueError):
    """A name appears twice in an object, and one of its values would be lost."""


def _refuse_repeated_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise _RepeatedNameError
    return names


_LONGEST_LITERAL = len("false")


def decode(text: str, start: int = 0) -> tuple[object, bool]:
    """Read JSON as far as possible: return the value, and whether it was cut off.

    An object in which a name appears twice is not read.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_refuse_repeated_names)
    try:
        value, _ = decoder.raw_decode(text, start)
    except _RepeatedNameError:
        return None, False
    except json.JSONDecodeError as error:
        left = len(text) - error.pos
        is_cut = "Unterminated" in error.msg or left < _LONGEST_LITERAL
        return (_decode_cut(text[start:]) if is_cut else None), True
    except RecursionError:
        return None, False
    return value, False


_JSON_PART = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)

_CLOSING = {"[": "]", "{": "}"}


def _decode_cut(text: str) -> object:
    """Close all brackets that are open after the last complete value."""
    stack: list[str] = []
    end, closing = 0, ""
    for part in _JSON_PART.finditer(text):
        if part[0] in _CLOSING:
            stack.append(part[0])
            continue
        if part[0] in "]}":
            if not stack or _CLOSING[stack.pop()] != part[0]:
                return None
        elif not stack or stack[-1] != "[":
            continue  # a name, or its value, which may be incomplete
        end = part.end()
        closing = "".join(_CLOSING[bracket] for bracket in reversed(stack))
    if not end:
        return None
    try:
        return json.loads(
            text[:end] + closing, object_pairs_hook=_refuse_repeated_names
        )
    except (ValueError, RecursionError):
        return None


_PREDICTED, _KEY = "predicted_clusters", "clusters"

_OFFSET_FIELDS = ("clusters_token_offsets", _PREDICTED, _KEY)


def has_clusters(record: dict[str, object]) -> bool:
    """Say whether an object is an answer itself."""
    return any(name in record for name in (*_OFFSET_FIELDS, "clusters_text_mentions"))


def is_entity(value: object) -> bool:
    """Say whether a value of JSON is a list of mentions."""
    return isinstance(value, list) and bool(value) and None not in map(_place, value)


def clusters_of(value: object) -> Clusters | None:
    """Find entities in a value of JSON; None if it does not list any.

    An empty list, `[]` or `{"clusters": []}`, says that there are no entities.
    """
    tokens = value.get("tokens") if isinstance(value, dict) else None
    if not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
        tokens = None
    if _has_no_prediction(value):
        return None
    for name in _OFFSET_FIELDS:
        if isinstance(value, dict) and isinstance(value.get(name), list | dict):
            value = value[name]
            break
    entities = list(_entities(value))
    return Clusters(entities, tokens) if entities or _is_empty(value) else None


def _has_no_prediction(value: object) -> bool:
    """Say whether an object has the field for a response, but no list in it."""
    if not isinstance(value, dict):
        return False
    if _PREDICTED in value and not isinstance(value[_PREDICTED], list | dict):
        return True
    return any(map(_has_no_prediction, value.values()))


def _answer_fields(record: dict[str, object]) -> list[object]:
    """Return the values that may list entities of the answer.

    If an object has `predicted_clusters`, its `clusters` are the key.
    """
    left_out = {"tokens", "sentences", "text", "doc_id", "doc_key", "id"}
    if _PREDICTED in record:
        left_out.add(_KEY)
    return [item for name, item in record.items() if name not in left_out]


def _is_empty(value: object) -> bool:
    """Say whether a value has lists, and all of them are empty."""
    if isinstance(value, dict):
        fields = _answer_fields(value)
        lists = [item for item in fields if isinstance(item, dict | list)]
        return not value or (bool(lists) and all(map(_is_empty, lists)))
    return isinstance(value, list) and all(map(_is_empty, value))


def _entities(value: object) -> Iterator[list[Place]]:
    """Find the lists whose items are mentions, at any depth."""
    if isinstance(value, dict):
        for item in _answer_fields(value):
            yield from _entities(item)
    elif isinstance(value, list):
        items = [_place(item) for item in value]
        places = [place for place in items if place is not None]
        if value and len(places) == len(value):
            yield from _split_by_label(value, places)
        else:
            for item, place in zip(value, items, strict=True):
                if place is None:
                    yield from _entities(item)


_LABEL_FIELDS = ("cluster", "cluster_id", "entity", "entity_id", "chain", "chain_id")


def _split_by_label(items: list[object], places: list[Place]) -> Iterator[list[Place]]:
    """Return one entity, or several if each mention names its entity."""
    entities: dict[str, list[Place]] = {}
    for item, place in zip(items, places, strict=True):
        fields = item if isinstance(item, dict) else {}
        labels = [fields.get(name) for name in _LABEL_FIELDS]
        labels = [label for label in labels if isinstance(label, str | int)]
        if not labels:
            yield places
            return
        entities.setdefault(str(labels[0]), []).append(place)
    yield from entities.values()


_TEXT_FIELDS = ("text", "mention", "span", "string")

_PAIR = 2


def _place(item: object) -> Place | None:
    """Return the words or offsets of a mention; None if it is not a mention."""
    if isinstance(item, str):
        return item
    if isinstance(item, list):
        is_pair = len(item) == _PAIR and all(type(offset) is int for offset in item)
        return (item[0], item[1]) if is_pair else None
    if not isinstance(item, dict):
        return None
    texts = [item[name] for name in _TEXT_FIELDS if isinstance(item.get(name), str)]
    start, end = item.get("start"), item.get("end")
    if type(start) is int and type(end) is int:
        return Located(start, end, texts[0]) if texts else (start, end)
    return texts[0] if texts and "mentions" not in item else None
