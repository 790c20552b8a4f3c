"""Entities as Python values: lists of lists of mentions, by document or not.

A mention is anything hashable; a list, as JSON gives it, counts as a tuple. The
same mention on both sides is an equal value. A dict of entities has their labels,
which hold across documents.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import ScorefError
from scoref.formats._builder import CorpusBuilder
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
                self.add(str(name), key.get(name), response.get(name))
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
    ) -> None:
        """Add a document; None where a side does not have it."""
        sides = (self.key, _named(key)), (self.response, _named(response))
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
    corpora = []
    for who, said in people:
        builder = CorpusBuilder(who, NAME)
        documents = said if isinstance(said, Mapping) else {"0": said}
        for document, entities in documents.items():
            named, name = _named(entities), str(document)
            if named is None:
                raise ScorefError(
                    f"{who}: document '{name}' is None", hint="[] says: no entities"
                )
            named.add_to(builder, name, numbers.setdefault(name, {}))
        corpora.append(builder.build(has_tokens=False))
    return corpora, {name: list(each) for name, each in numbers.items()}


class _Named(NamedTuple):
    """The entities of one side of a document, by their labels, or by their places."""

    mentions: dict[str, list[Hashable]]
    has_labels: bool

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


def _named(entities: Entities | Labelled | None) -> _Named | None:
    """Check the shape of one side before anything is written down."""
    if entities is None:
        return None
    try:
        if isinstance(entities, Mapping):
            named = {str(name): _mentions(each) for name, each in entities.items()}
            return _Named(named, has_labels=True)
        listed = [_mentions(entity) for entity in entities]
    except TypeError as error:
        raise ScorefError(
            f"these are no entities: {error}",
            hint="give a list of entities, each a list of hashable mentions; "
            "arrays have .tolist()",
        ) from error
    named = {str(index): entity for index, entity in enumerate(listed)}
    # Nobody is asked for labels where there is no entity.
    return _Named(named, has_labels=not named)


def _mentions(entity: Iterable[Hashable]) -> list[Hashable]:
    if isinstance(entity, str | bytes):
        raise TypeError(f"an entity is a list of mentions, not the text {entity!r}")
    mentions = list(entity)
    try:
        for mention in mentions:
            hash(mention)
    except TypeError:
        mentions = [_frozen(mention) for mention in mentions]
    return mentions


def _frozen(mention: object) -> Hashable:
    """Make a mention that came as a list a tuple, inner lists included."""
    if isinstance(mention, list | tuple):
        return tuple(_frozen(part) for part in mention)
    hash(mention)
    return mention
