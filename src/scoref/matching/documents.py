"""Pairing of the documents of key and response, and units of several documents.

`pair_documents` pairs documents by name, by alias or by place. `units_of` groups them
by the scheme's scope, such as a topic or the whole corpus: entities of a unit that have
the same label are one entity. Later steps treat a unit as a document. Mentions do not
change: the same offsets in two documents are two mentions.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.document_names import READINGS
from scoref.errors import AlignmentError, OptionError, WithoutKey, place_of, quoted
from scoref.model import FileAlias, Note
from scoref.model.arrays import inverse
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.document_names import Mapped
    from scoref.model import Corpus, DocumentName, Ints
    from scoref.scheme import Scheme
    from scoref.topics import Topic, Topics

    Names = tuple[DocumentName, ...]


class Documents(NamedTuple):
    """The documents to be scored, and their row on each side (-1: not there)."""

    names: tuple[str, ...]
    key: Ints
    response: Ints
    notes: tuple[Note, ...] = ()
    units: Units | None = None  # None: each document is a unit


def pair_documents(key: Corpus, response: Corpus, scheme: Scheme) -> Documents:
    """Pair documents by name, and check that they can be the same text.

    The key's order is kept. The scheme decides what happens to a document that is
    missing on one side. ``error`` refuses it. ``empty`` scores it as a document without
    entities on that side. ``key`` scores the documents of the key and no others, as the
    reference scorer does.
    """
    partner = partners(key, response, scheme)
    pairs = partner.tolist()
    key_only = [row for row, other in enumerate(pairs) if other < 0]
    response_only = sorted({*range(len(response.documents))}.difference(pairs))
    notes = []
    if scheme.missing == "error" and (key_only or response_only):
        blame = _blame(key, key_only, response, response_only)
        _refuse_missing(key, key_only, response, response_only, blame)
        _refuse_missing(response, response_only, key, key_only, blame)
    if scheme.missing == "key":
        what = f"not in {key.source}. {_IGNORED}"
        notes += _note("ignored", response_only, response.source, what)
        response_only = []
    else:
        what = f"not in {key.source}. {_WITHOUT_KEY}"
        notes += _note("empty", response_only, response.source, what)
    what = f"not in {response.source}. {_WITHOUT_RESPONSE}"
    notes += _note("empty", key_only, key.source, what)
    extra = [response.documents[row].name for row in response_only]
    documents = Documents(
        names=(*(document.name for document in key.documents), *extra),
        key=np.array([*range(len(pairs)), *(-1 for _ in extra)], dtype=np.int64),
        response=np.array([*pairs, *response_only], dtype=np.int64),
    )
    for side, rows in ((key, documents.key), (response, documents.response)):
        for row in rows.tolist() if side.faults else ():
            if row in side.faults:
                raise side.faults[row]
    notes += _length_notes(key, response, documents, scheme)
    notes += _other_name_notes(key, response, partner)
    return documents._replace(notes=tuple(notes)) if notes else documents


def partners(
    key: Corpus, response: Corpus, scheme: Scheme, *, by_place: bool = True
) -> Ints:
    """Return the row of each key document in the response; -1: it is not there.

    ``by_place`` pairs documents by their place if one side has no names and both sides
    have the same number of documents.
    """
    is_nameless = any(
        side.documents and not any(document.aliases for document in side.documents)
        for side in (key, response)
    )
    if by_place and is_nameless and len(key.documents) == len(response.documents):
        return np.arange(len(key.documents))
    # For the reference scorer, `part 0` and `part 000` are two documents.
    by_alias = scheme.reading != "reference" or key.format != response.format
    return pair_names(key.documents, response.documents, by_alias)


@lru_cache(maxsize=16)
def pair_names(key: Names, response: Names, by_alias: bool) -> Ints:
    """Return the row of each key document in the response, by its name or an alias.

    Several steps of a scoring need the pairs, which are found once.
    """
    row_of = {
        document.name: row for row, document in enumerate(response) if document.aliases
    }
    partner = np.array(
        [row_of.get(document.name, -1) if document.aliases else -1 for document in key],
        dtype=np.int64,
    )
    if by_alias:
        # Full names first, so that an alias never takes another document's partner.
        for reading in READINGS:
            _pair_by_alias(reading, key, response, partner)
    partner.flags.writeable = False
    return partner


def _pair_by_alias(
    reading: Callable[[str], str], key: Names, response: Names, partner: Ints
) -> None:
    """Pair remaining documents that alone share an alias, after ``reading`` it."""

    def owners(documents: Names, rows: Ints) -> dict[str, set[int]]:
        rows_of: dict[str, set[int]] = {}
        for row in rows.tolist():
            for alias in map(reading, documents[row].aliases):
                rows_of.setdefault(alias, set()).add(row)
        return rows_of

    free = _unpaired(response, partner)
    left = np.flatnonzero(partner < 0)
    if not len(free) or not len(left):
        return
    ours, theirs = owners(key, left), owners(response, free)
    taken: set[int] = set()
    for row in left.tolist():
        for alias in map(reading, key[row].aliases):
            candidates = theirs.get(alias, set()) - taken
            if len(candidates) == 1 and (reading is str or len(ours[alias]) == 1):
                (partner[row],) = candidates
                taken |= candidates
                break


def _unpaired(response: Names, partner: Ints) -> Ints:
    is_free = np.ones(len(response), dtype=np.bool_)
    is_free[partner[partner >= 0]] = False
    return is_free.nonzero()[0]


def covered_documents(key: Corpus, response: Corpus, scheme: Scheme) -> list[str]:
    """Return the names of the response's documents, in the key if it has them."""
    given = dict(scheme.document_names.listed) if scheme.document_names else {}
    names = [given.get(document.name, document.name) for document in response.documents]
    for row, other in enumerate(partners(key, response, scheme).tolist()):
        if other >= 0:
            names[other] = key.documents[row].name
    return names


def scored_documents(corpus: Corpus, rows: Ints) -> Ints:
    """Map a corpus's own documents to the scored ones; -1 for those left out."""
    if len(rows) == len(corpus.documents) == 1:
        return rows
    scored = np.empty(len(corpus.documents), dtype=np.int64)
    scored.fill(-1)
    there = (rows >= 0).nonzero()[0]
    scored[rows[there]] = there
    return scored


OTHER_NAMES = "other-names"
"""The kind of note on documents that were paired although their names differ."""


def other_names(key: Corpus, response: Corpus, partner: Ints) -> Ints:
    """List the key's documents whose names differ from those of their partners.

    A name may be written in the manner of two formats: ``(nw/a); part 000`` is also
    ``nw/a_0``. Documents without a name are paired by place and not listed.
    """
    return np.array(
        [
            row
            for row, other in enumerate(partner.tolist())
            if other >= 0 and differ(key.documents[row], response.documents[other])
        ],
        dtype=np.int64,
    )


def differ(one: DocumentName, other: DocumentName) -> bool:
    """Return whether no way to write one document's name is a name of the other.

    Names in the files differ even if the files themselves have the same name.
    """
    if one.name == other.name or not one.aliases or not other.aliases:
        return False
    ours, theirs = (
        {alias for alias in document.aliases if not isinstance(alias, FileAlias)}
        for document in (one, other)
    )
    return ours.isdisjoint(other.aliases) and theirs.isdisjoint(one.aliases)


def _other_name_notes(key: Corpus, response: Corpus, partner: Ints) -> list[Note]:
    """Warn of paired documents whose names differ and whose words were not compared."""
    if key.documents == response.documents:
        return []
    rows = other_names(key, response, partner)
    if not len(rows):
        return []
    first = rows[0]
    names = response.documents[partner[first]].name, key.documents[first].name
    count = len(rows)
    documents = counted(count, "document was", "documents were")
    message = (
        f"{WARNING}{documents} paired although the names differ (first: '{names[0]}' "
        f"of {response.source} with '{names[1]}' of {key.source}). There are no words "
        "to compare. If these are different documents, the score is wrong. Use "
        "--document-names FILE to pair them."
    )
    return [Note(OTHER_NAMES, count, message)]


_SHOWN = 10


def rename_documents(
    key: Corpus, response: Corpus, names: Mapped, *, is_one_of_many: bool = False
) -> Corpus:
    """Give documents of the response the key's names, as a list of names says.

    ``is_one_of_many`` if the list may also name documents of other datasets.
    """

    def rows_of(corpus: Corpus) -> dict[str, int]:
        rows: dict[str, int] = {}
        for row, document in enumerate(corpus.documents):
            for name in (document.name, *document.aliases):
                rows.setdefault(name, row)
        return rows

    ours, theirs = rows_of(key), rows_of(response)
    documents = list(response.documents)
    for theirs_name, our_name in names.listed:
        if is_one_of_many and theirs_name not in theirs and our_name not in ours:
            continue
        for side, rows, name in (
            (response, theirs, theirs_name),
            (key, ours, our_name),
        ):
            if name not in rows:
                listed = quoted([document.name for document in side.documents], _SHOWN)
                raise AlignmentError(
                    f"{side.source} has no document '{name}'",
                    source=names.given,
                    hint=f"It has {listed or 'no documents'}.",
                    without_key=WithoutKey(
                        f"this file has no document '{name}'"
                        if side is response
                        else "the list of document names does not match the key"
                    ),
                )
        documents[theirs[theirs_name]] = key.documents[ours[our_name]]
    return dataclasses.replace(response, documents=tuple(documents))


_IGNORED = "Not scored (--missing key)."
_WITHOUT_KEY = "The mentions there count as wrong (--missing empty)."
_WITHOUT_RESPONSE = "The mentions there count as missing."


def _note(kind: str, rows: list[int], source: str, what: str) -> list[Note]:
    """Warn about documents of one file that the other one does not have."""
    count = len(rows)
    if not count:
        return []
    documents = counted(count, "document is", "documents are")
    message = f"{WARNING}{source}: {documents} {what}"
    return [Note(f"{kind}-documents", count, message)]


def _blame(
    key: Corpus, key_only: list[int], response: Corpus, response_only: list[int]
) -> WithoutKey:
    """Name documents of the response that are wrong, but none of the key."""
    lines, source = response.document_line, response.source
    if len(response_only):
        first, count = response_only[0], len(response_only) - 1
        more = f" (and {count} more)" if count else ""
        name = response.documents[first].name
        problem = f"document '{name}'{more} is not in the key"
        return WithoutKey(problem, place_of(source, int(lines[first])))
    total, lost = len(key.documents), len(key_only)
    problem = f"this file lacks {lost} of the key's {total} documents"
    if not len(lines):
        return WithoutKey(problem)
    place = place_of(source, int(lines[-1]))
    return WithoutKey(f"{problem}. Its last document starts here", place)


def _refuse_missing(
    side: Corpus, rows: list[int], other: Corpus, others: list[int], blame: WithoutKey
) -> None:
    """Refuse documents that only one side has; list those of the other side as well."""
    if not len(rows):
        return
    first = rows[0]
    more = f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
    empty = "--missing empty (missing=empty in Python) to score a missing document "
    empty += "as an empty one."
    if len(others):  # both sides are listed in the message
        hint = "Use --document-names FILE to pair documents with different names, or "
        hint += empty
    else:
        names = quoted([document.name for document in other.documents])
        hint = f"{other.source} has {names or 'no document'}. Use {empty}"
    raise AlignmentError(
        f"document '{side.documents[first].name}'{more} is not in {other.source}",
        source=side.source,
        line=int(side.document_line[first]) or None,
        beside=[
            f"only in {corpus.source}: "
            + quoted([corpus.documents[row].name for row in alone], _SHOWN)
            for corpus, alone in ((side, rows), (other, others))
            if len(others)
        ],
        hint=hint,
        without_key=blame,
    )


def _length_notes(
    key: Corpus, response: Corpus, documents: Documents, scheme: Scheme
) -> list[Note]:
    """Refuse documents that differ in their number of tokens, or warn of them."""
    if key.document_tokens is None or response.document_tokens is None:
        return []
    both = np.flatnonzero((documents.key >= 0) & (documents.response >= 0))
    there = documents.key[both], documents.response[both]
    tokens = key.document_tokens[there[0]], response.document_tokens[there[1]]
    differing = np.flatnonzero(tokens[0] != tokens[1])
    if not len(differing):
        return []
    first = differing[0]
    row = there[1][first]
    line = int(response.document_line[row]) or None
    problem = f"document '{response.documents[row].name}' has {tokens[1][first]} tokens"
    problem += f" here, but {tokens[0][first]} in"
    error = AlignmentError(
        f"{problem} {place_of(key.source, int(key.document_line[there[0][first]]))}",
        source=response.source,
        line=line,
        hint="Key and response must have the same tokens, one per row.",
        without_key=WithoutKey(f"{problem} the key", place_of(response.source, line)),
    )
    if scheme.reading == "strict":
        raise error
    count = len(differing)
    scored = counted(count, "document was", "documents were")
    message = f"{WARNING}{scored} scored although the number of tokens differs "
    message += f"(first: {error.problem})."
    return [Note("unequal-documents", count, message)]


CORPUS = "corpus"


class Units(NamedTuple):
    """The unit of each scored document."""

    names: tuple[str, ...]
    of_document: Ints


def units_of(
    documents: Documents, key: Corpus, response: Corpus, scheme: Scheme
) -> Units | None:
    """Group the documents as the scheme's scope says; None: each is a unit."""
    if scheme.scope is None:
        return None
    if scheme.topics is None:
        return Units((CORPUS,), np.zeros(len(documents.names), dtype=np.int64))
    topics = _topics(documents, key, response, scheme.topics)
    names = [topic.topic for topic in topics]
    if scheme.scope == "subtopic":
        names = _subtopic_names(topics, scheme.topics)
    number = {name: row for row, name in enumerate(dict.fromkeys(names))}
    of_document = np.array([number[name] for name in names], dtype=np.int64)
    return Units(tuple(number), of_document)


def entities_of(corpus: Corpus, document: Ints, units: Units) -> tuple[Ints, Ints]:
    """Number the entities of a side, and return their units.

    Args:
        corpus: the side.
        document: the scored document of each of its documents, -1 if it is left out.
        units: the units in which entities with equal labels are one.

    Returns:
        The number of each row of the corpus's entities, in the order of the text, and
        the unit of each number.
    """
    own = document[corpus.entity_document]
    names = dict.fromkeys(corpus.entity_label)
    numbers = {name: place for place, name in enumerate(names)}
    label = np.fromiter(map(numbers.__getitem__, corpus.entity_label), np.int64)
    unit = np.append(units.of_document, -1)[own]
    code = unit * max(1, len(numbers)) + label
    _, first, joined = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return inverse(order)[joined], unit[first[order]]


def _topics(
    documents: Documents, key: Corpus, response: Corpus, topics: Topics
) -> list[Topic]:
    """Find the topic of every document, and refuse documents without a topic."""
    by_document = [topics.of(name) for name in documents.names]
    lost = [row for row, topic in enumerate(by_document) if topic is None]
    if not lost:
        return [topic for topic in by_document if topic is not None]
    first = lost[0]
    side, row = key, int(documents.key[first])
    if row < 0:
        side, row = response, int(documents.response[first])
    more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
    hint = "Give every document a topic, or use --scope corpus."
    if len(by_document) == 1:
        hint = (
            "This file is one meta-document whose rows name documents. Convert it with "
            "`scoref convert` first."
        )
    raise AlignmentError(
        f"document '{documents.names[first]}'{more} has no topic in {topics.given}",
        source=side.source,
        line=int(side.document_line[row]) or None,
        hint=hint,
        without_key=_blame_topics(documents, response, lost),
    )


def _blame_topics(
    documents: Documents, response: Corpus, lost: list[int]
) -> WithoutKey:
    """Name a document without a topic only if the key does not have the document."""
    for row in lost:
        if documents.key[row] < 0:
            line = int(response.document_line[documents.response[row]])
            place = place_of(response.source, line)
            name = documents.names[row]
            return WithoutKey(f"document '{name}' is not in the key", place)
    return WithoutKey("some documents of the key have no topic")


def _subtopic_names(topics: list[Topic], source: Topics) -> list[str]:
    """Name units by their subtopics, preceded by their topics if these are not unique.

    Raises:
        OptionError: a document has no subtopic.
    """
    if not all(topic.subtopic for topic in topics):
        raise OptionError(
            f"{source.given} has only topics, but --scope subtopic (scope=subtopic) "
            "needs subtopics",
            hint="Put them in the third column of a file, or in (?P<subtopic>…) of a "
            "pattern.",
        )
    pairs = {(topic.topic, topic.subtopic) for topic in topics}
    is_enough = len({subtopic for _, subtopic in pairs}) == len(pairs)
    return [
        f"{topic.subtopic}" if is_enough else f"{topic.topic}/{topic.subtopic}"
        for topic in topics
    ]
