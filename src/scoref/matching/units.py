"""Units: documents together, within which entities of the same label are one.

A unit stands where a document stands from here on. A mention stays what it is: the same
offsets in two documents are two mentions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, OptionError, WithoutKey, place_of
from scoref.model import Note
from scoref.topics import FIELD, bare

if TYPE_CHECKING:
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme
    from scoref.topics import Topic, Topics

CORPUS = "corpus"


class Units(NamedTuple):
    """Which unit each of the scored documents belongs to."""

    names: tuple[str, ...]
    of_document: Ints
    notes: tuple[Note, ...] = ()


def units_of(
    documents: Documents, key: Corpus, response: Corpus, scheme: Scheme
) -> Units | None:
    """Group the documents as the scheme's scope says; None: each is a unit."""
    if scheme.scope is None:
        return None
    if scheme.topics is None:
        return Units((CORPUS,), np.zeros(len(documents.names), dtype=np.int64))
    topics = _topics(documents, key, response, scheme.topics)
    if scheme.scope == "subtopic":
        _refuse_topics_only(topics, scheme.topics)
        names = _of_subtopics(topics)
    else:
        names = [topic.topic for topic in topics]
    number = {name: row for row, name in enumerate(dict.fromkeys(names))}
    of_document = np.array([number[name] for name in names], dtype=np.int64)
    return Units(tuple(number), of_document, _unused(documents, scheme.topics))


def entities_of(
    corpus: Corpus, document: Ints, units: Units | None
) -> tuple[Ints, Ints]:
    """Number the entities of a side, and say where each is.

    Args:
        corpus: the side.
        document: the scored document of each of its own, -1 if it is left out.
        units: what entities are joined in by their labels; None: none are.

    Returns:
        The number of each row of the corpus's entities, in the order of the text, and
        the document of each number; with units, the unit.
    """
    own = document[corpus.entity_document]
    if units is None:
        return np.arange(len(own)), own
    names = dict.fromkeys(corpus.entity_label)
    numbers = {name: place for place, name in enumerate(names)}
    label = np.fromiter(map(numbers.__getitem__, corpus.entity_label), np.int64)
    unit = np.append(units.of_document, -1)[own]
    code = unit * max(1, len(numbers)) + label
    _, first, joined = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[joined], unit[first[order]]


def _topics(
    documents: Documents, key: Corpus, response: Corpus, topics: Topics
) -> list[Topic]:
    """Find the topic of every document, and refuse those that have none."""
    found = [topics.of(name) for name in documents.names]
    lost = [row for row, topic in enumerate(found) if topic is None]
    if not lost:
        return [topic for topic in found if topic is not None]
    first = lost[0]
    side, row = key, int(documents.key[first])
    if row < 0:
        side, row = response, int(documents.response[first])
    more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
    hint = "every document must have one, or --scope corpus must do"
    if len(found) == 1:
        hint = (
            "this file is one meta-document; its rows name documents: convert it first"
        )
    raise AlignmentError(
        f"document '{documents.names[first]}'{more} has no topic in {topics.given}",
        source=side.source,
        line=int(side.document_line[row]) or None,
        hint=hint,
        without_key=_blame(documents, response, lost),
    )


def _blame(documents: Documents, response: Corpus, lost: list[int]) -> WithoutKey:
    """Name a document without a topic if the response alone has it."""
    for row in lost:
        if documents.key[row] < 0:
            line = int(response.document_line[documents.response[row]])
            place = place_of(response.source, line)
            name = documents.names[row]
            return WithoutKey(f"document '{name}' is not in the key", place)
    return WithoutKey("the topics of the key's documents are not complete")


def _refuse_topics_only(topics: list[Topic], source: Topics) -> None:
    if all(topic.subtopic for topic in topics):
        return
    raise OptionError(
        f"{source.given} gives topics only, and scope=subtopic (--scope subtopic) "
        "needs subtopics",
        hint="a file has them in its third column, a pattern in (?P<subtopic>…)",
    )


def _of_subtopics(topics: list[Topic]) -> list[str]:
    """Call units by their subtopics, and by their topics, too, where that is needed."""
    pairs = {(topic.topic, topic.subtopic) for topic in topics}
    is_enough = len({subtopic for _, subtopic in pairs}) == len(pairs)
    return [
        f"{topic.subtopic}" if is_enough else f"{topic.topic}/{topic.subtopic}"
        for topic in topics
    ]


def _unused(documents: Documents, topics: Topics) -> tuple[Note, ...]:
    """Say how many documents of a list of topics are on no side."""
    there = {*documents.names, *map(bare, documents.names)}
    count = sum(name not in there for name, _ in topics.listed)
    if not count or topics.source == FIELD:
        return ()
    message = (
        f"{count} of {len(topics.listed)} documents in {topics.given} are on neither "
        "side"
    )
    return (Note("unused-topics", count, message),)
