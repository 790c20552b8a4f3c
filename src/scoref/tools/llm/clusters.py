"""Answers in JSON: lists of mentions, by their offsets or by their words.

    {"tokens": ["Ada", "met", "him"], "clusters_token_offsets": [[[0, 0]], [[2, 2]]]}
    {"clusters": [["Ada", "she"], ["him"]]}
    {"Ada": ["Ada", "she"], "Charles": ["him"]}

The first is the CRAC shared task's. An entity is any list of mentions, wherever it
stands, and a mention is a text, a pair of offsets (both ends are part of it), or an
object with `start` and `end` or with `text`; objects in one list may say their own
`cluster`. Where there are lists of offsets and of texts, offsets count. The answer may
stand between other words, and may be cut off: all mentions that are complete are read.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCED = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_START = re.compile(r"^[ \t]*([\[{])", re.MULTILINE)
_PART = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_CLOSES = {"[": "]", "{": "}"}
_OFFSETS = ("clusters_token_offsets", "predicted_clusters", "clusters")
_NO_CLUSTERS = {"tokens", "sentences", "text", "doc_id", "doc_key", "id"}
_TEXTS = ("text", "mention", "span", "string")
_LABELS = ("cluster", "cluster_id", "entity", "entity_id", "chain", "chain_id")
_NEXT = re.compile(r"[\s,]*(?=[\[{])")
_PAIR = 2
_LITERAL = len("false")
_TRIED = 50


class Located(NamedTuple):
    """A mention that has both offsets and words."""

    start: int
    end: int
    words: str


Place = tuple[int, int] | str | Located


class Clusters(NamedTuple):
    """Entities as lists of mentions; the text's tokens if the answer has them."""

    clusters: list[list[Place]]
    tokens: list[str] | None = None
    is_cut: bool = False


def find_clusters(answer: str) -> Clusters | None:
    """Find the JSON in an answer; None if there is none that lists mentions.

    >>> find_clusters('Sure: [["Ada", "she"], ["him"')
    Clusters(clusters=[['Ada', 'she'], ['him']], tokens=None, is_cut=True)
    """
    for text, start in _candidates(answer):
        value, is_cut = decode(text, start)
        if _is_part(value):
            value = _values(text, start)
        if found := clusters_of(value):
            return found._replace(is_cut=is_cut)
    return None


def _candidates(answer: str) -> Iterator[tuple[str, int]]:
    """Give the places where JSON may start: in fences first, then at brackets."""
    for fenced in _FENCED.finditer(answer):
        yield fenced[1].strip(), 0
    answer = answer.rstrip()
    for start in islice(_START.finditer(answer), _TRIED):
        yield answer, start.start(1)
    inside = re.search(r"[\[{]\s*[\[{\"]", answer)
    if inside:
        yield answer, inside.start()


def _is_part(value: object) -> bool:
    """Tell whether a value is one entity or one mention, so that others may follow."""
    if isinstance(value, dict):
        return _place(value) is not None or is_entity(value.get("mentions"))
    return is_entity(value)


def _values(text: str, start: int) -> object:
    """Read entities or mentions that follow each other, as in JSON lines."""
    found: list[object] = []
    decoder = json.JSONDecoder()
    while next_value := _NEXT.match(text, start):
        try:
            value, start = decoder.raw_decode(text, next_value.end())
        except (json.JSONDecodeError, RecursionError):
            break
        found.append(value)
    return found if len(found) != 1 or isinstance(found[0], dict) else found[0]


def decode(text: str, start: int = 0) -> tuple[object, bool]:
    """Read JSON, as far as it goes: the value, and whether it was cut off."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        is_cut = "Unterminated" in error.msg or len(text) - error.pos < _LITERAL
        return (_decode_cut(text[start:]) if is_cut else None), True
    except RecursionError:
        return None, False
    return value, False


def _decode_cut(text: str) -> object:
    """Close what is still open behind the last value that is complete."""
    stack: list[str] = []
    end, closing = 0, ""
    for part in _PART.finditer(text):
        if part[0] in _CLOSES:
            stack.append(part[0])
            continue
        if part[0] in "]}":
            if not stack or _CLOSES[stack.pop()] != part[0]:
                return None
        elif not stack or stack[-1] != "[":
            continue  # a name, or what it stands for, which may not be all
        end = part.end()
        closing = "".join(_CLOSES[each] for each in reversed(stack))
    try:
        return json.loads(text[:end] + closing) if end else None
    except (json.JSONDecodeError, RecursionError):
        return None


def has_clusters(record: dict[str, object]) -> bool:
    """Tell whether an object is an answer itself."""
    return any(name in record for name in (*_OFFSETS, "clusters_text_mentions"))


def is_entity(value: object) -> bool:
    """Tell whether a value of JSON is a list of mentions."""
    return isinstance(value, list) and bool(value) and None not in map(_place, value)


def clusters_of(value: object) -> Clusters | None:
    """Find entities in a value of JSON; None if it does not list any.

    A list without entities says that there are none: `[]`, or `{"clusters": []}`.
    """
    tokens = value.get("tokens") if isinstance(value, dict) else None
    if not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
        tokens = None
    for name in _OFFSETS:
        if isinstance(value, dict) and isinstance(value.get(name), list | dict):
            value = value[name]
            break
    entities = list(_entities(value))
    return Clusters(entities, tokens) if entities or _is_empty(value) else None


def _is_empty(value: object) -> bool:
    """Tell whether a value has lists, and nothing in any of them."""
    if isinstance(value, dict):
        lists = [
            item
            for name, item in value.items()
            if name not in _NO_CLUSTERS and isinstance(item, dict | list)
        ]
        return not value or (bool(lists) and all(map(_is_empty, lists)))
    return isinstance(value, list) and all(map(_is_empty, value))


def _entities(value: object) -> Iterator[list[Place]]:
    """Go down to the lists whose items are mentions."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name not in _NO_CLUSTERS:
                yield from _entities(item)
    elif isinstance(value, list):
        places = [_place(item) for item in value]
        found = [place for place in places if place is not None]
        if value and len(found) == len(value):
            yield from _by_label(value, found)
        else:
            for item, place in zip(value, places, strict=True):
                if place is None:
                    yield from _entities(item)


def _by_label(items: list[object], places: list[Place]) -> Iterator[list[Place]]:
    """Give one entity, or several if each mention says to which it belongs."""
    labels = [_label(item) for item in items]
    if None in labels:
        yield places
        return
    entities: dict[str | None, list[Place]] = {}
    for label, place in zip(labels, places, strict=True):
        entities.setdefault(label, []).append(place)
    yield from entities.values()


def _label(item: object) -> str | None:
    if not isinstance(item, dict):
        return None
    found = (item[name] for name in _LABELS if isinstance(item.get(name), str | int))
    return next((str(label) for label in found), None)


def _place(item: object) -> Place | None:
    """Tell whether something is a mention, and where."""
    if isinstance(item, str):
        return item
    if isinstance(item, list):
        is_pair = len(item) == _PAIR and all(type(each) is int for each in item)
        return (item[0], item[1]) if is_pair else None
    if not isinstance(item, dict):
        return None
    texts = [item[name] for name in _TEXTS if isinstance(item.get(name), str)]
    start, end = item.get("start"), item.get("end")
    if type(start) is int and type(end) is int:
        return Located(start, end, texts[0]) if texts else (start, end)
    return texts[0] if texts and "mentions" not in item else None
