"""Corpora of single files put together: one behind the other."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from scoref.model import Corpus, Note, Texts, Tokens, WordSets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scoref.model import Ints
    from scoref.topics import Topic


def joined(corpora: Sequence[Corpus], source: str, notes: Iterable[Note]) -> Corpus:
    """Put documents together whose mentions are spans.

    Lines are those of many files then, and no longer told.
    """
    documents = _offsets(len(each.documents) for each in corpora)
    entities = _offsets(len(each.entity_label) for each in corpora)
    mentions = sum(len(each.mention_entity) for each in corpora)
    return Corpus(
        source=source,
        format=corpora[0].format,
        documents=tuple(chain(*(each.documents for each in corpora))),
        document_tokens=_tokens_of_documents(corpora),
        document_line=np.zeros(int(documents[-1]), dtype=np.int64),
        entity_document=_column(corpora, lambda each: each.entity_document, documents),
        entity_label=tuple(chain(*(each.entity_label for each in corpora))),
        entity_type=_types(corpora),
        mention_entity=_column(corpora, lambda each: each.mention_entity, entities),
        mention_start=_column(corpora, lambda each: each.mention_start),
        mention_end=_column(corpora, lambda each: each.mention_end),
        mention_line=np.zeros(mentions, dtype=np.int64),
        mention_order=_order(corpora),
        notes=(*notes, *_told(chain(*(each.notes for each in corpora)), source)),
        faults={
            row + int(first): fault
            for each, first in zip(corpora, documents, strict=False)
            for row, fault in each.faults.items()
        },
        document_genre=_texts([each.document_genre for each in corpora]),
        tokens=_tokens(corpora),
        later=lambda: _tokens([each.with_tokens() for each in corpora]),
        mention_type=_texts([each.mention_type for each in corpora]),
        mention_kbid=_texts([each.mention_kbid for each in corpora]),
        has_labels=all(each.has_labels for each in corpora),
        document_topic=_topics(corpora),
        pieces=_pieces(corpora),
    )


def _offsets(counts: Iterable[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(np.fromiter(counts, dtype=np.int64))))


def _column(
    corpora: Sequence[Corpus],
    column: Callable[[Corpus], Ints],
    offsets: Ints | None = None,
) -> Ints:
    columns = [column(each) for each in corpora]
    if offsets is not None:
        moved = zip(columns, offsets.tolist(), strict=False)
        columns = [each + first for each, first in moved]
    return np.concatenate(columns)


def _tokens_of_documents(corpora: Sequence[Corpus]) -> Ints | None:
    counts = [each.document_tokens for each in corpora]
    known = [each for each in counts if each is not None]
    return np.concatenate(known) if len(known) == len(counts) else None


def _types(corpora: Sequence[Corpus]) -> tuple[str, ...] | None:
    if all(each.entity_type is None for each in corpora):
        return None
    types = (each.entity_type or ("",) * len(each.entity_label) for each in corpora)
    return tuple(chain(*types))


def _texts(columns: Sequence[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    """Put columns of texts together, if all have theirs."""
    known = [each for each in columns if each is not None]
    return tuple(chain(*known)) if len(known) == len(columns) else None


def _topics(corpora: Sequence[Corpus]) -> tuple[Topic | None, ...] | None:
    if all(each.document_topic is None for each in corpora):
        return None
    topics = (each.document_topic or (None,) * len(each.documents) for each in corpora)
    return tuple(chain(*topics))


def _order(corpora: Sequence[Corpus]) -> Ints | None:
    orders = [each.mention_order for each in corpora]
    known = [each for each in orders if each is not None]
    if len(known) < len(orders):
        return None
    mentions = _offsets(map(len, known)).tolist()
    moved = [each + first for each, first in zip(known, mentions, strict=False)]
    return np.concatenate(moved)


def _told(notes: Iterable[Note], source: str) -> list[Note]:
    """Tell once of each kind what was told of several files."""
    kinds: dict[str, list[Note]] = {}
    for note in notes:
        kinds.setdefault(note.kind, []).append(note)
    return [_one(found, source) for found in kinds.values()]


def _one(found: list[Note], source: str) -> Note:
    first = found[0]
    if len(found) == 1:
        return first
    count = sum(note.count for note in found)
    message = f"{first.message}; likewise in {len(found) - 1} more files of {source}"
    return Note(first.kind, count, f"{message}, {count} in all")


def _tokens(corpora: Sequence[Corpus]) -> Tokens | None:
    known = [each.tokens for each in corpora if each.tokens is not None]
    if len(known) < len(corpora):
        return None
    rows = _offsets(len(each.sentence) for each in known).tolist()
    sentences = _offsets(int(each.sentence.max(initial=-1)) + 1 for each in known)
    first = [each.first[:-1] + row for each, row in zip(known, rows, strict=False)]
    sentence = zip(known, sentences.tolist(), strict=False)
    return Tokens(
        first=np.concatenate([*first, rows[-1:]]),
        sentence=np.concatenate([each.sentence + before for each, before in sentence]),
        line=np.zeros(rows[-1], dtype=np.int64),
        word=Texts.joined([each.word for each in known]),
    )


def _pieces(corpora: Sequence[Corpus]) -> WordSets | None:
    if all(each.pieces is None for each in corpora):
        return None
    sets = [each.token_sets() for each in corpora]
    members = _offsets(len(each.member) for each in sets).tolist()
    start = [
        each.start[:-1] + first for each, first in zip(sets, members, strict=False)
    ]
    return WordSets(
        np.concatenate([*start, members[-1:]]),
        np.concatenate([each.member for each in sets]),
    )
