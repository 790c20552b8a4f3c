"""Corpora made from Python values: lists of lists of mentions, by document or not.

A mention is any hashable value; lists, as in JSON, arrays and tensors count as tuples.
Equal values on both sides are the same mention. A dict of entities has their labels,
which hold across documents. Several documents are a dict; a list of documents is
refused because it looks like one document whose mentions are lists.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.errors import ScorefError
from scoref.formats.builder import CorpusBuilder
from scoref.model import DocumentName

if TYPE_CHECKING:
    from scoref.model import Corpus

NAME = "entities"

Entities = Iterable[Iterable[Hashable]]
Labelled = Mapping[str, Iterable[Hashable]]
Documents = Mapping[str, Entities | Labelled]


@dataclass(slots=True)
class EntityPairs:
    """Both sides, document by document, with one number for equal mentions.

    Numbers are given as mentions come, or sorted by what they look like: then they do
    not depend on the order of entities.
    """

    key: CorpusBuilder = field(default_factory=lambda: CorpusBuilder("key", NAME))
    response: CorpusBuilder = field(
        default_factory=lambda: CorpusBuilder("response", NAME)
    )
    is_sorted: bool = False

    @classmethod
    def of(
        cls,
        key: Entities | Documents,
        response: Entities | Documents,
        *,
        is_sorted: bool = False,
    ) -> EntityPairs:
        """Write down two sides of the same shape."""
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
                hint="give both as dicts, or both as lists of entities",
            )
        else:
            refuse_none(key, response)
            self.add(str(len(self.key.documents)), key, response)

    def build(self) -> tuple[Corpus, Corpus]:
        """Freeze both sides."""
        return self.key.build(has_tokens=False), self.response.build(has_tokens=False)

    def extend(self, other: EntityPairs, *, first_number: int) -> None:
        """Add documents that are called by their numbers, with new numbers."""
        sides = (self.key, other.key), (self.response, other.response)
        for mine, theirs in sides:
            documents = len(mine.documents)
            mine.extend(theirs)
            mine.documents[documents:] = [
                DocumentName.plain(str(first_number + int(document.name)))
                for document in theirs.documents
            ]

    def add(
        self,
        name: str,
        key: Entities | Labelled | None,
        response: Entities | Labelled | None,
        *,
        is_document: bool = False,
    ) -> None:
        """Add a document; None where a side does not have it.

        Unless it is certain that this ``is_document``, a list of documents is refused.
        """
        named = _named(key), _named(response)
        if not is_document:
            _refuse_documents([side for side in named if side])
        sides = (self.key, named[0]), (self.response, named[1])
        numbers: dict[Hashable, int] = {}
        if self.is_sorted:
            numbers = _sorted_numbers([entities for _, entities in sides if entities])
        for builder, entities in sides:
            if entities is None:
                continue
            entities.add_to(builder, name, numbers)


def corpora_of(
    people: Iterable[tuple[str, Entities | Documents]],
) -> tuple[list[Corpus], dict[str, list[Hashable]]]:
    """Make a corpus of what each of several people said, each called by their name.

    Equal mentions of one document have one number, whoever has them; what they are
    stands in a list for each document, at these numbers.
    """
    numbers: dict[str, dict[Hashable, int]] = {}
    corpora, single = [], []
    for who, said in people:
        builder = CorpusBuilder(who, NAME)
        documents = said if isinstance(said, Mapping) else {"0": said}
        for document, entities in documents.items():
            named, name = _named(entities), str(document)
            if named is None:
                raise ScorefError(
                    f"{who}: document '{name}' is None", hint="[] says: no entities"
                )
            if not isinstance(said, Mapping):
                single.append(named)
            named.add_to(builder, name, numbers.setdefault(name, {}))
        corpora.append(builder.build(has_tokens=False))
    _refuse_documents(single)
    return corpora, {name: list(each) for name, each in numbers.items()}


class _Named(NamedTuple):
    """The entities of one side of a document, by their labels, or by their places."""

    mentions: dict[str, list[Hashable]]
    has_labels: bool
    list_lengths: frozenset[int]  # of mentions that are lists; 0 for lists of texts

    def add_to(
        self, builder: CorpusBuilder, name: str, numbers: dict[Hashable, int]
    ) -> None:
        """Write them down as a document, in the numbers that its mentions have."""
        document = builder.add_document(DocumentName.plain(name), line=0)
        builder.has_labels &= self.has_labels
        for label, mentions in self.mentions.items():
            entity = builder.add_entity(label, document)
            for mention in mentions:
                number = numbers.setdefault(mention, len(numbers))
                builder.mentions.extend((entity, number, number, 0))

    def is_nested(self, *, all_mentions: bool) -> bool:
        """Tell whether all mentions, or any, consist of tuples."""
        if not any(self.mentions.values()):
            return False
        test = all if all_mentions else any
        return test(
            isinstance(mention, tuple) and any(type(part) is tuple for part in mention)
            for mention in chain.from_iterable(self.mentions.values())
        )


def _sorted_numbers(sides: list[_Named]) -> dict[Hashable, int]:
    every = (entity for side in sides for entity in side.mentions.values())
    found = {mention for entity in every for mention in entity}
    # Not all mentions can be compared, but all can be written down.
    return {mention: number for number, mention in enumerate(sorted(found, key=repr))}


def refuse_none(key: object, response: object) -> None:
    """Tell a side that is not there from one without entities."""
    for role, side in (("key", key), ("response", response)):
        if side is None:
            raise ScorefError(f"the {role} is None", hint="[] says: no entities")


def _refuse_documents(sides: list[_Named]) -> None:
    """Refuse lists of documents, and lists that may be documents.

    One level too many shows if all mentions of a side consist of lists or tuples. If
    some do and some do not, those are mentions of several pieces. Where mentions are
    lists, they may also be entities of mentions that are texts or numbers: as many
    parts in each of them, and a number among these, make spans.
    """
    others = [side for side in sides if not side.is_nested(all_mentions=True)]
    have_pieces = any(side.is_nested(all_mentions=False) for side in others)
    if len(others) < len(sides) and not have_pieces:
        raise ScorefError(
            "this looks like a list of documents: its mentions consist of lists",
            hint="give documents as a dict on both sides, {name: entities}; write "
            "mentions of several pieces as frozensets",
        )
    for side in sides:
        if len(side.list_lengths) > 1 or side.list_lengths & {0, 1}:
            raise ScorefError(
                "these lists may be documents of entities, or entities whose mentions "
                "are lists",
                hint="give documents as a dict on both sides, {name: entities}, or "
                "write mentions as tuples",
            )


def _named(entities: Entities | Labelled | None) -> _Named | None:
    """Check the shape of one side before anything is written down."""
    if entities is None:
        return None
    lengths: set[int] = set()
    try:
        if isinstance(entities, Mapping):
            named = {
                str(name): _mentions(entity, lengths)
                for name, entity in entities.items()
            }
            return _Named(named, has_labels=True, list_lengths=frozenset(lengths))
        listed = [_mentions(entity, lengths) for entity in _entities(entities)]
    except TypeError as error:
        raise ScorefError(
            f"these are not entities: {error}",
            hint="give a list of entities, each a list of hashable mentions",
        ) from error
    named = {str(index): entity for index, entity in enumerate(listed)}
    # Nobody is asked for labels where there is no entity.
    return _Named(named, has_labels=not named, list_lengths=frozenset(lengths))


_SPANS = 3  # entities, mentions, start and end


def _entities(entities: Any) -> Iterable[Iterable[Hashable]]:  # noqa: ANN401 - or an array
    """List the entities of a document, which may be an array of spans."""
    if len(getattr(entities, "shape", "spans")) < _SPANS:
        raise TypeError(
            f"a table of {len(entities.shape)} dimensions has no entities; an array "
            "has entities, mentions and offsets"
        )
    listed: Iterable[Iterable[Hashable]] = _without_arrays(entities)
    return listed


_PLAIN = frozenset((int, str))


def _mentions(entity: Iterable[Hashable], lengths: set[int]) -> list[Hashable]:
    """List the mentions of an entity, and add the lengths of those that are lists."""
    if isinstance(entity, str | bytes):
        raise TypeError(f"an entity is a list of mentions, not the text {entity!r}")
    if isinstance(entity, Mapping):
        raise TypeError(
            "an entity is a list of mentions, not a dict; dicts of entities are "
            "documents, which go into a dict themselves"
        )
    mentions = list(_without_arrays(entity))
    if isinstance(entity, tuple) and len(mentions) > len(set(map(repr, mentions))):
        raise TypeError(f"an entity is a list of mentions, not the span {entity}")
    kinds = set(map(type, mentions))
    if kinds <= _PLAIN:
        return mentions
    if kinds == {tuple} and set(map(type, chain.from_iterable(mentions))) <= _PLAIN:
        return mentions
    mentions = [_without_arrays(mention) for mention in mentions]
    for mention in mentions:
        if isinstance(mention, list):
            are_texts = all(isinstance(part, str) for part in mention)
            lengths.add(0 if are_texts else len(mention))
    return [_frozen(mention) for mention in mentions]


def _frozen(mention: object) -> Hashable:
    """Make a mention that came as a list a tuple, inner lists and arrays included."""
    mention = _without_arrays(mention)
    if isinstance(mention, list | tuple):
        return tuple(_frozen(part) for part in mention)
    if isinstance(mention, Iterator):
        raise TypeError(f"a mention is a value, not a {type(mention).__name__}")
    hash(mention)
    return mention


def _without_arrays(value: Any) -> Any:  # noqa: ANN401 - arrays of any library
    """Make lists and numbers of arrays and tensors, which are not equal to others."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return np.asarray(value).tolist() if hasattr(value, "__array__") else value
