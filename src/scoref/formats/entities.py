"""Corpora made from Python values: lists of lists of mentions, by document or not.

A mention is any hashable value; lists, as in JSON, arrays and tensors count as tuples.
Equal values on both sides are the same mention. A dict of entities has their labels,
which hold across documents. Several documents are a dict; a list of documents is
refused because it looks like one document whose mentions are lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.errors import ScorefError
from scoref.model import Corpus, DocumentName

if TYPE_CHECKING:
    from scoref.model import Ints

NAME = "entities"

Entities = Iterable[Iterable[Hashable]]
Labelled = Mapping[str, Iterable[Hashable]]
Documents = Mapping[str, Entities | Labelled]


@dataclass(slots=True)
class EntityPairs:
    """Both sides, document by document, with one number for equal mentions.

    Mentions are numbered in the order in which they are added or, if ``is_sorted``, in
    the order of their representations, which does not depend on the order of entities.
    """

    key: _Columns = field(default_factory=lambda: _Columns("key"))
    response: _Columns = field(default_factory=lambda: _Columns("response"))
    is_sorted: bool = False

    @classmethod
    def of(
        cls,
        key: Entities | Documents,
        response: Entities | Documents,
        *,
        is_sorted: bool = False,
    ) -> EntityPairs:
        """Collect two sides of the same shape."""
        pairs = cls(is_sorted=is_sorted)
        pairs.add_all(key, response)
        return pairs

    def add_all(
        self, key: Entities | Documents, response: Entities | Documents
    ) -> None:
        """Add one document given as two lists, or many given as two dicts."""
        if isinstance(key, Mapping) and isinstance(response, Mapping):
            for name in [*key, *(name for name in response if name not in key)]:
                sides = key.get(name), response.get(name)
                self.add(str(name), *sides, is_document=True)
        elif isinstance(key, Mapping) or isinstance(response, Mapping):
            raise ScorefError(
                "one side is a dict of documents and the other is not",
                hint="Give both as dicts, or both as lists of entities.",
            )
        else:
            refuse_none(key, response)
            self.add(str(len(self.key.documents)), key, response)

    def build(self, rename: Callable[[str], str] = str) -> tuple[Corpus, Corpus]:
        """Build the corpora of both sides, with new names for the documents."""
        return self.key.build(rename), self.response.build(rename)

    def extend(self, other: EntityPairs, *, first_number: int) -> None:
        """Add documents that are named by their numbers, and renumber them."""
        self.key.extend(other.key, first_number)
        self.response.extend(other.response, first_number)

    def add(
        self,
        name: str,
        key: Entities | Labelled | None,
        response: Entities | Labelled | None,
        *,
        is_document: bool = False,
    ) -> None:
        """Add a document; a side is None if it does not have the document.

        ``is_document`` says that this is certainly one document. Otherwise, a list of
        documents is refused.
        """
        sides = [(self.key, _label_entities(key))]
        sides.append((self.response, _label_entities(response)))
        there = [entities for _, entities in sides if entities is not None]
        if not is_document:
            _refuse_documents(there)
        numbers = _new_numbers()
        if self.is_sorted:
            every = set(chain(*(side.every_mention() for side in there)))
            # Not all mentions can be compared, but all have a representation.
            for mention in sorted(every, key=repr):
                _ = numbers[mention]
        for columns, entities in sides:
            if entities is not None:
                columns.add(name, entities, numbers)


@dataclass(slots=True)
class _Columns:
    """The documents of one side, from which a corpus is built.

    Mentions are one list of numbers, with the size of each entity, because adding rows
    one by one is what takes long.
    """

    source: str
    documents: list[str] = field(default_factory=list)
    entities: list[int] = field(default_factory=list)  # how many there are, by document
    labels: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)  # by entity
    mentions: list[int] = field(default_factory=list)
    has_labels: bool = True

    def add(
        self,
        document: str,
        entities: _LabelledEntities,
        numbers: defaultdict[Hashable, int],
    ) -> None:
        """Add a document, and number its new mentions."""
        lists = entities.mentions.values()
        self.documents.append(document)
        self.entities.append(len(lists))
        self.labels += entities.mentions
        self.sizes += map(len, lists)
        self.mentions += map(numbers.__getitem__, chain.from_iterable(lists))
        self.has_labels &= entities.has_labels

    def extend(self, other: _Columns, first_number: int) -> None:
        """Add the documents of another side, and renumber them."""
        self.documents += [str(first_number + int(name)) for name in other.documents]
        self.entities += other.entities
        self.labels += other.labels
        self.sizes += other.sizes
        self.mentions += other.mentions
        self.has_labels &= other.has_labels

    def build(self, rename: Callable[[str], str] = str) -> Corpus:
        """Build the corpus."""
        mentions = np.array(self.mentions, dtype=np.int64)
        nowhere = np.zeros(len(mentions), dtype=np.int64)
        return Corpus(
            source=self.source,
            format=NAME,
            documents=tuple([DocumentName.plain(rename(n)) for n in self.documents]),
            document_tokens=None,
            document_line=np.zeros(len(self.documents), dtype=np.int64),
            entity_document=_repeat_rows(self.entities),
            entity_label=tuple(self.labels),
            mention_entity=_repeat_rows(self.sizes),
            mention_start=mentions,
            mention_end=mentions,
            mention_line=nowhere,
            mention_order=np.arange(len(mentions)),
            has_labels=self.has_labels,
        )


def _new_numbers() -> defaultdict[Hashable, int]:
    """Return a dict that numbers mentions from 0 when they are first looked up."""
    return defaultdict(count().__next__)


def _repeat_rows(times: list[int]) -> Ints:
    """Repeat the number of each row so many times."""
    return np.arange(len(times)).repeat(np.array(times, dtype=np.int64))


def corpora_of(
    people: Iterable[tuple[str, Entities | Documents]],
) -> tuple[list[Corpus], dict[str, list[Hashable]]]:
    """Make a corpus of the entities of each of several people, with their name.

    Equal mentions of one document have the same number in all corpora. The second value
    lists the mentions of each document in the order of these numbers.
    """
    numbers: dict[str, defaultdict[Hashable, int]] = defaultdict(_new_numbers)
    corpora, single = [], []
    for person, side in people:
        columns = _Columns(person)
        documents = side if isinstance(side, Mapping) else {"0": side}
        for document, values in documents.items():
            entities, name = _label_entities(values), str(document)
            if entities is None:
                raise ScorefError(
                    f"{person}: document '{name}' is None",
                    hint="Use [] for no entities.",
                )
            if not isinstance(side, Mapping):
                single.append(entities)
            columns.add(name, entities, numbers[name])
        corpora.append(columns.build())
    _refuse_documents(single)
    return corpora, {name: list(mentions) for name, mentions in numbers.items()}


class _LabelledEntities(NamedTuple):
    """The entities of one side of a document, by their labels or their numbers."""

    mentions: dict[str, list[Hashable]]
    has_labels: bool
    list_lengths: set[int]  # of mentions that are lists; 0 for lists of texts
    are_plain: bool  # whether mentions are texts, integers, or tuples of these

    def every_mention(self) -> Iterator[Hashable]:
        """Iterate over the mentions of all entities."""
        return chain.from_iterable(self.mentions.values())

    def is_nested(self, *, all_mentions: bool) -> bool:
        """Check whether all mentions, or any, consist of tuples."""
        if self.are_plain or not any(self.mentions.values()):
            return False
        test = all if all_mentions else any
        return test(
            isinstance(mention, tuple) and any(type(part) is tuple for part in mention)
            for mention in self.every_mention()
        )


def refuse_none(key: object, response: object) -> None:
    """Refuse a side that is None. A side without entities is a list."""
    for role, side in (("key", key), ("response", response)):
        if side is None:
            raise ScorefError(f"the {role} is None", hint="Use [] for no entities.")


def _refuse_documents(sides: list[_LabelledEntities]) -> None:
    """Refuse lists of documents, and lists that may be documents.

    If all mentions of a side consist of lists or tuples, there is one level too many.
    If only some do, they are mentions of several pieces. Mentions that are lists could
    also be entities whose mentions are texts or numbers. They are spans if all of them
    have the same length and contain a number.
    """
    others = [side for side in sides if not side.is_nested(all_mentions=True)]
    have_pieces = any(side.is_nested(all_mentions=False) for side in others)
    if len(others) < len(sides) and not have_pieces:
        raise ScorefError(
            "this looks like a list of documents: its mentions are lists",
            hint="Give documents as a dict on both sides, {name: entities}. Write "
            "mentions of several pieces as frozensets.",
        )
    for side in sides:
        if len(side.list_lengths) > 1 or side.list_lengths & {0, 1}:
            raise ScorefError(
                "these lists may be documents of entities, or entities whose mentions "
                "are lists",
                hint="Give documents as a dict on both sides, {name: entities}, or "
                "write mentions as tuples.",
            )


def _label_entities(
    entities: Entities | Labelled | None,
) -> _LabelledEntities | None:
    """Check the shape of one side, and label its entities."""
    if entities is None:
        return None
    lengths: set[int] = set()
    has_labels = isinstance(entities, Mapping)
    try:
        if isinstance(entities, Mapping):
            mentions = {
                str(name): _mentions(entity) for name, entity in entities.items()
            }
        else:
            mentions = {
                str(row): _mentions(entity)
                for row, entity in enumerate(_entities(entities))
            }
            has_labels = not mentions  # where there is no entity, no label is missing
        are_plain = _are_plain(list(chain.from_iterable(mentions.values())))
        if not are_plain:
            mentions = {
                label: _freeze_all(entity, lengths)
                for label, entity in mentions.items()
            }
    except TypeError as error:
        raise ScorefError(
            f"these are not entities: {error}",
            hint="Give a list of entities, each a list of hashable mentions.",
        ) from error
    return _LabelledEntities(mentions, has_labels, lengths, are_plain)


_SPANS = 3  # entities, mentions, start and end


def _entities(entities: Any) -> Iterable[Iterable[Hashable]]:  # noqa: ANN401 - or an array
    """Return the entities of a document, which may be an array of spans."""
    if len(getattr(entities, "shape", "spans")) < _SPANS:
        raise TypeError(
            f"an array of {len(entities.shape)} dimensions cannot hold entities. Its "
            "dimensions must be entities, mentions and offsets"
        )
    lists: Iterable[Iterable[Hashable]] = _without_arrays(entities)
    return lists


_PLAIN = frozenset((int, str))


def _mentions(entity: Iterable[Hashable]) -> list[Hashable]:
    """Return the mentions of an entity, as they were given."""
    if type(entity) is list:
        return entity
    if isinstance(entity, str | bytes):
        raise TypeError(f"an entity is a list of mentions, not the text {entity!r}")
    if isinstance(entity, Mapping):
        raise TypeError(
            "an entity is a list of mentions, not a dict. For several documents, use a "
            "dict of their names and entities"
        )
    mentions = list(_without_arrays(entity))
    if isinstance(entity, tuple) and len(mentions) > len(set(map(repr, mentions))):
        raise TypeError(f"an entity is a list of mentions, not the span {entity}")
    return mentions


def _are_plain(mentions: list[Any]) -> bool:
    """Check whether mentions are texts, integers, or tuples of these."""
    kinds = set(map(type, mentions))
    return kinds <= _PLAIN or (
        kinds == {tuple} and set(map(type, chain.from_iterable(mentions))) <= _PLAIN
    )


def _freeze_all(entity: list[Hashable], lengths: set[int]) -> list[Hashable]:
    """Make mentions comparable, and add the lengths of those that are lists."""
    mentions = [_without_arrays(mention) for mention in entity]
    for mention in mentions:
        if isinstance(mention, list):
            are_texts = all(isinstance(part, str) for part in mention)
            lengths.add(0 if are_texts else len(mention))
    return [_freeze(mention) for mention in mentions]


def _freeze(mention: object) -> Hashable:
    """Turn lists and arrays into tuples, so that a mention can be compared."""
    mention = _without_arrays(mention)
    if isinstance(mention, list | tuple):
        return tuple(_freeze(part) for part in mention)
    if isinstance(mention, Iterator):
        raise TypeError(f"a mention is a value, not a {type(mention).__name__}")
    hash(mention)
    return mention


def _without_arrays(value: Any) -> Any:  # noqa: ANN401 - arrays of any library
    """Turn arrays and tensors into lists and numbers, which can be compared."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return np.asarray(value).tolist() if hasattr(value, "__array__") else value
