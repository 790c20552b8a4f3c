"""Corpora made from Python values: lists of lists of mentions, by document or not.

A mention is any hashable value; lists, as in JSON, arrays and tensors count as tuples.
Equal values on both sides are the same mention. A dict of entities has their labels,
which hold across documents. Several documents are a dict by name, or a list, if the
levels of the list leave no doubt about what is a document and what is a mention.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from os import PathLike
from os.path import exists
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from scoref.errors import ScorefError
from scoref.formats.mention_kinds import MentionKinds
from scoref.model import Corpus, DocumentName, Note
from scoref.printable import counted, describe, shortened, side_name

if TYPE_CHECKING:
    from scoref.model import Ints

NAME = "entities"

Entities = Iterable[Iterable[Hashable]]
Labelled = Mapping[str, Iterable[Hashable]]
Documents = Mapping[str, Entities | Labelled]
Spans = list[Any]  # tuples of start and end
_Sides = Sequence[tuple[str, Any]]  # what was passed, after its role or name


@dataclass(slots=True)
class EntityPairs:
    """Both sides, document by document, with one number for equal mentions.

    Mentions are numbered in the order in which they are added or, if ``is_sorted``, in
    the order of their representations, which does not depend on the order of entities.
    """

    key: _Columns = field(default_factory=lambda: _Columns("key"))
    response: _Columns = field(default_factory=lambda: _Columns("response"))
    is_sorted: bool = False
    # The mentions of documents in which few are the same, if all of them are spans.
    spans: dict[str, Spans] = field(default_factory=dict)
    kinds: MentionKinds = field(default_factory=MentionKinds)

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
        """Add one document given as two lists, or many given as dicts or lists."""
        split = _split_documents([("key", key), ("response", response)])
        for name, *sides in split.documents:
            self.add(str(len(self.key.documents)) if name is None else name, *sides)
        if split.are_lists:
            count = counted(len(self.key.documents), "document")
            note = Note(
                "listed-documents",
                len(self.key.documents),
                f"The lists were read as {count}, and not as mentions with several "
                "pieces. Write the pieces of a mention as a frozenset.",
            )
            self.key.notes += (note,)

    def build(self, rename: Callable[[str], str] = str) -> tuple[Corpus, Corpus]:
        """Build the corpora of both sides, with new names for the documents."""
        key, response = (
            side.build(self.spans, rename) for side in (self.key, self.response)
        )
        if notes := self.kinds.notes():
            response = replace(response, notes=(*response.notes, *notes))
        return key, response

    def extend(self, other: EntityPairs, *, first_number: int) -> None:
        """Add documents that are named by their numbers, and renumber them."""
        for name, spans in other.spans.items():
            self.spans[str(first_number + int(name))] = spans
        self.kinds.extend(other.kinds)
        self.key.extend(other.key, first_number)
        self.response.extend(other.response, first_number)

    def add(
        self,
        name: str,
        key: Entities | Labelled | None,
        response: Entities | Labelled | None,
    ) -> None:
        """Add a document; a side is None if it does not have the document."""
        sides = [(self.key, _label_entities(key))]
        sides.append((self.response, _label_entities(response)))
        there = [entities for _, entities in sides if entities is not None]
        numbers = _new_numbers()
        if self.is_sorted:
            every = set(chain(*(side.every_mention() for side in there)))
            # Not all mentions can be compared, but all have a representation.
            for mention in sorted(every, key=repr):
                _ = numbers[mention]
        for columns, entities in sides:
            if entities is not None:
                columns.add(name, entities, numbers)
        if len(there) == len(sides):
            sizes = [len({*entities.every_mention()}) for entities in there]
            common = sum(sizes) - len(numbers)
            self.kinds.has_common |= common > 0
            if not self.kinds.has_common:
                self.kinds.add(*(entities.every_mention() for entities in there))
            if 2 * common < min(sizes) and all(map(_is_span, numbers)):
                self.spans[name] = list(numbers)


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
    notes: tuple[Note, ...] = ()

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

    def build(
        self,
        spans: Mapping[str, Spans] | None = None,
        rename: Callable[[str], str] = str,
    ) -> Corpus:
        """Build the corpus; ``spans`` are the mentions of some documents in order."""
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
            notes=self.notes,
            mention_offsets=self._offsets(mentions, spans) if spans else None,
        )

    def _offsets(self, mentions: Ints, spans: Mapping[str, Spans]) -> tuple[Ints, Ints]:
        """Return start and end of each mention; those without spans are far apart."""
        first, last = mentions * _APART, mentions * _APART
        ends = np.cumsum([0, *self.sizes])[np.cumsum([0, *self.entities])]
        for row, name in enumerate(self.documents):
            if name in spans:
                here = slice(ends[row], ends[row + 1])
                offsets = np.array(spans[name], dtype=np.int64)[mentions[here]]
                first[here], last[here] = offsets[:, 0], offsets[:, 1]
        return first, last


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
    people = list(people)
    columns = [_Columns(person) for person, _ in people]
    mentions: dict[str, list[Hashable]] = {}
    for place, (name, *sides) in enumerate(_split_documents(people).documents):
        numbers = _new_numbers()
        document = str(place) if name is None else name
        for column, side in zip(columns, sides, strict=True):
            entities = _label_entities(side)
            if entities is not None:
                column.add(document, entities, numbers)
        mentions[document] = list(numbers)
    return [column.build() for column in columns], mentions


class _LabelledEntities(NamedTuple):
    """The entities of one side of a document, by their labels or their numbers."""

    mentions: dict[str, list[Hashable]]
    has_labels: bool

    def every_mention(self) -> Iterator[Hashable]:
        """Iterate over the mentions of all entities."""
        return chain.from_iterable(self.mentions.values())


def documents_of(
    key: Any,
    response: Any,
) -> Iterable[tuple[Any, ...]]:
    """Split what was passed into documents: a name and two sides for each.

    Only the documents of dicts have names. If a side lacks a document, it is None.
    """
    return _split_documents([("key", key), ("response", response)]).documents


class _Split(NamedTuple):
    """Documents: a name and the sides of each.

    ``are_lists`` says that they were told from mentions by the levels of lists only.
    """

    documents: Iterable[tuple[Any, ...]]
    are_lists: bool = False


def _split_documents(sides: _Sides) -> _Split:
    for role, side in sides:
        _refuse_no_entities(side, role)
    are_dicts = [isinstance(side, Mapping) for _, side in sides]
    if all(are_dicts):
        return _Split(_named_documents(sides))
    if any(are_dicts):
        raise ScorefError(
            "one side is a dict of documents and the other is not: "
            + _descriptions(sides),
            hint="Give both as dicts, or both as lists.",
        )
    lists = [(role, _without_iterators(side)) for role, side in sides]
    both = [side for _, side in lists]
    if not _are_documents(lists):
        return _Split([(None, *both)])
    documents = [(None, *documents) for documents in zip(*both, strict=True)]
    return _Split(documents, are_lists=any(map(_is_nested_list, both)))


def _named_documents(sides: _Sides) -> Iterator[tuple[Any, ...]]:
    for name in dict.fromkeys(name for _, side in sides for name in side):
        for role, side in sides:
            if name in side:
                _refuse_no_entities(side[name], role, str(name))
        yield str(name), *(side.get(name) for _, side in sides)


_LEVELS = 4  # documents, entities, mentions, offsets


def _is_nested_list(value: object, levels: int = _LEVELS) -> bool:
    """Return whether the first values of a list are lists down to the offsets."""
    return levels == 0 or (
        isinstance(value, list)
        and any(_is_nested_list(part, levels - 1) for part in value)
    )


def _descriptions(sides: _Sides) -> str:
    """Describe what was passed for each side."""
    return ", ".join(f"{side_name(role)} is {describe(side)}" for role, side in sides)


_SEQUENCES = frozenset((list, tuple, set, frozenset))


def _without_iterators(side: Any) -> list[Any]:
    """Return a list of entities or documents that can be read more than once."""
    return [
        item if type(item) in _SEQUENCES or not isinstance(item, Iterator) else [*item]
        for item in _without_arrays(side)
    ]


Shape = Literal["entities", "pieces", "documents", "tuples", "empty"]
"""What a list can be, by the levels below it.

Entities have mentions, of which some may consist of ``pieces``. Documents have
entities. If all mentions are tuples of tuples, these may be mentions of several pieces,
or entities. Empty lists may be anything.
"""


def _are_documents(sides: _Sides) -> bool:
    """Return whether lists are lists of documents; those that may be are refused."""
    if all(_starts_plainly(side) for _, side in sides):
        return False
    shapes = {_shape_of(side) for _, side in sides} - {"empty"}
    if "pieces" in shapes or shapes <= {"entities"}:
        for _, side in sides:
            _refuse_lists_of_values(side)
        return False
    if "entities" in shapes:
        raise ScorefError(
            "this looks like a list of documents on one side only: "
            + _descriptions(sides),
            hint="Give documents as a list or a dict, {name: entities}, on both sides. "
            "Write mentions of several pieces as frozensets.",
        )
    if shapes == {"tuples"}:
        raise ScorefError(
            "this looks like a list of documents, or of mentions with several pieces: "
            + _descriptions(sides),
            hint="Write documents and entities as lists, and mentions as tuples. Write "
            "mentions of several pieces as frozensets.",
        )
    if len({len(side) for _, side in sides}) > 1:
        counts = (f"{len(side)} in {side_name(role)}" for role, side in sides)
        raise ScorefError(
            "these look like lists of documents, but there are not equally many: "
            + ", ".join(counts),
            hint="Lists are paired by position. Use a dict by name, {name: entities}, "
            "to pair documents by name.",
        )
    return True


def _starts_plainly(items: list[Any]) -> bool:
    """Return whether the first mention is a value or a tuple of values.

    Then this is a list of entities. Looking at one mention is enough and takes no time.
    """
    for item in items:
        if isinstance(item, Mapping):
            return False
        mentions = item if type(item) in _SEQUENCES else _without_arrays(item)
        if isinstance(mentions, str | bytes) or not hasattr(mentions, "__iter__"):
            return True  # not an entity, which is reported later
        for mention in mentions:
            if type(mention) is tuple:
                return not any(type(part) in _SEQUENCES for part in mention)
            return isinstance(mention, str | int)
    return True


def _shape_of(items: list[Any]) -> Shape:
    """Find out what a list is from all of its parts."""
    if any(isinstance(item, Mapping) for item in items):
        return "documents"
    kinds = {_kind_of(part) for item in items for part in _parts(item)}
    kinds.discard("empty")
    if not kinds:
        return "empty"
    if "entity" in kinds and kinds <= {"entity", "tuples"}:
        return "documents"
    if kinds == {"tuples"}:
        return "tuples"
    return "pieces" if kinds & {"entity", "tuples"} else "entities"


def _parts(item: Any) -> Iterable[Any]:
    """Return the mentions of an entity; what is not an entity is reported later."""
    parts: Any = _without_arrays(item)
    is_text = isinstance(parts, str | bytes)
    return parts if hasattr(parts, "__iter__") and not is_text else ()


def _kind_of(part: object) -> str:
    """Return whether a mention of an entity may be an entity of a document."""
    part = _without_arrays(part)
    if isinstance(part, set):
        return "entity"  # it cannot be a mention
    if not isinstance(part, list | tuple):
        return "mention"
    if not part:
        return "empty"
    parts = map(_without_arrays, part)
    if not any(isinstance(value, list | tuple) for value in parts):
        return "mention"
    return "entity" if isinstance(part, list) else "tuples"


def _refuse_lists_of_values(items: list[Any]) -> None:
    """Refuse mentions that are lists, unless they are spans.

    They could also be entities whose mentions are texts or numbers. They are spans if
    all of them have the same length and contain a number.
    """
    lengths = {
        0 if all(isinstance(value, str) for value in mention) else len(mention)
        for item in items
        for mention in map(_without_arrays, _parts(item))
        if isinstance(mention, list)
    }
    if len(lengths) > 1 or lengths & {0, 1}:
        raise ScorefError(
            "these lists may be documents of entities, or entities whose mentions "
            f"are lists: {describe(items)}",
            hint="Give documents as a dict on both sides, {name: entities}, or "
            "write mentions as tuples.",
        )


_APART = 8  # offsets that no suspected shift moves onto each other

_SPANS = 3  # entities, mentions, start and end


def _refuse_no_entities(
    side: Any,
    role: str,
    document: str | None = None,
) -> None:
    """Refuse values that cannot be entities, with a description of what they are."""
    if type(side) is list and side and type(side[0]) is list:
        return
    where = side_name(role)
    if document is not None:
        where = f"document {document!r} of {where}"
    if side is None:
        raise ScorefError(f"{where} is None", hint="Use [] for no entities.")
    labels = (
        "An entity is a list of mentions. For one label per item, use "
        "scoref.score_table."
    )
    if hasattr(side, "tolist") or hasattr(side, "__array__"):
        values = _without_arrays(side)
        try:
            array = np.asarray(values)
        except ValueError:  # an array of lists or arrays, which is as good as a list
            _refuse_no_entities(values, role, document)
            return
        if array.ndim < _SPANS:
            hint = labels if array.ndim == 1 else _DIMENSIONS
            raise ScorefError(f"{where} is {describe(side)}, not entities", hint=hint)
        _refuse_padding(side, where)
        return
    if isinstance(side, str | bytes) or not hasattr(side, "__iter__"):
        raise ScorefError(
            f"{where} is {describe(side)}, not entities",
            hint="Give a list of entities, each a list of hashable mentions."
            if document is None
            else labels,
        )
    if isinstance(side, list | tuple) and side:
        if all(isinstance(item, str | PathLike) for item in side) and exists(side[0]):
            raise ScorefError(
                f"{where} is {describe(side)}, the first of which is a file",
                hint="Give one file. scoref.score_runs takes a list of responses.",
            )
        scalars = (str, bytes, int, float, np.generic, type(None))
        if all(isinstance(_without_arrays(item), scalars) for item in side):
            raise ScorefError(f"{where} is {describe(side)}, not entities", hint=labels)
        if all(map(_is_span, side)):
            raise ScorefError(
                f"{where} is {describe(side)} of two numbers, which may be mentions or "
                f"entities. The first is {side[0]}",
                hint="Write entities as lists: [[(0, 1), (5, 6)], [(3, 4)]].",
            )


def _refuse_padding(array: Any, what: str) -> None:
    """Refuse arrays with offsets that cannot be meant."""
    offsets = np.asarray(_without_arrays(array))
    if offsets.dtype.kind in "if" and not (offsets >= 0).all():
        raise ScorefError(
            f"{what} is {describe(array)} with offsets that are negative or not "
            "numbers",
            hint="Leave out the padding: give a list with an array of spans for "
            "each entity.",
        )


def _is_span(value: object) -> bool:
    """Return whether a value looks like a span: a tuple of two numbers."""
    return (
        type(value) is tuple
        and len(value) == 2
        and type(value[0]) is type(value[1]) is int
        and -_LARGEST < value[0] < _LARGEST
        and -_LARGEST < value[1] < _LARGEST
    )


_LARGEST = 1 << 31  # offset that a text may have


_DIMENSIONS = (
    "The dimensions of an array are entities, mentions and offsets. If entities have "
    "different sizes, give a list with an array of spans for each entity."
)


def _label_entities(
    entities: Entities | Labelled | None,
) -> _LabelledEntities | None:
    """Check the shape of one side, and label its entities."""
    if entities is None:
        return None
    has_labels = isinstance(entities, Mapping)
    try:
        if isinstance(entities, Mapping):
            mentions = {
                str(name): _mentions(entity) for name, entity in entities.items()
            }
        else:
            mentions = {
                str(row): entity if type(entity) is list else _mentions(entity)
                for row, entity in enumerate(_without_arrays(entities))
            }
            has_labels = not mentions  # where there is no entity, no label is missing
        if not _are_plain(list(chain.from_iterable(mentions.values()))):
            mentions = {
                label: [_freeze(mention) for mention in entity]
                for label, entity in mentions.items()
            }
    except TypeError as error:
        raise ScorefError(
            f"these are not entities: {error}",
            hint="Give a list of entities, each a list of hashable mentions.",
        ) from error
    return _LabelledEntities(mentions, has_labels)


_PLAIN = frozenset((int, str))


def _mentions(entity: Iterable[Hashable]) -> list[Hashable]:
    """Return the mentions of an entity, as they were given."""
    values = _without_arrays(entity)
    if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__iter__"):
        raise TypeError(f"an entity is a list of mentions, not {describe(entity)}")
    if values is not entity:
        _refuse_padding(entity, "an entity")
    mentions = list(values)
    if isinstance(entity, tuple) and len(mentions) > len(set(map(repr, mentions))):
        span = shortened(str(entity))
        raise TypeError(f"an entity is a list of mentions, not the span {span}")
    return mentions


def _are_plain(mentions: list[Any]) -> bool:
    """Check whether mentions are texts, integers, or tuples of these."""
    kinds = set(map(type, mentions))
    return kinds <= _PLAIN or (
        kinds == {tuple} and set(map(type, chain.from_iterable(mentions))) <= _PLAIN
    )


def _freeze(mention: object) -> Hashable:
    """Turn lists and arrays into tuples, so that a mention can be compared."""
    mention = _without_arrays(mention)
    if isinstance(mention, list | tuple):
        return tuple(_freeze(part) for part in mention)
    if isinstance(mention, Iterator):
        raise TypeError(f"a mention is a value, not a {type(mention).__name__}")
    if mention != mention:  # noqa: PLR0124 - it would not match itself
        raise TypeError("a mention is NaN, which is not equal to itself")
    hash(mention)
    return mention


def _without_arrays(value: Any) -> Any:
    """Turn arrays and tensors into lists and numbers, which can be compared."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return np.asarray(value).tolist() if hasattr(value, "__array__") else value
