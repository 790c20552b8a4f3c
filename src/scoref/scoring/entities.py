"""Scores of single entities: how much of each one was found, split up and merged.

The partner of a key entity is the response entity that shares most mentions with it; of
several, the smallest. Recall, precision and F₁ compare the two. A response entity that
shares no mention with the key has a row of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.memberships import list_mentions
from scoref.errors import unknown
from scoref.scoring.pipeline import score_and_keep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoref.contingency import Contingency
    from scoref.contingency.memberships import Listings
    from scoref.model import Corpus, Ints
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result


class EntityScore(NamedTuple):
    """An entity of the key with its partner, or an entity that only the response has.

    ``parts`` is the number of response entities that share a mention with it, and
    ``missed`` the number of its mentions that are in none. ``merged_with`` lists the
    other key entities that share a mention with the partner.
    """

    document: str
    entity: str | None
    response_entity: str | None
    key_size: int
    response_size: int
    shared: int
    recall: float | None
    precision: float | None
    f1: float
    parts: int
    missed: int
    merged_with: tuple[str, ...]


SORTS: dict[str, Callable[[EntityScore], float]] = {
    "document": lambda _: 0,
    "size": lambda row: -max(row.key_size, row.response_size),
    "recall": lambda row: 2 if row.recall is None else row.recall,
    "precision": lambda row: 2 if row.precision is None else row.precision,
    "f1": lambda row: row.f1,
    "parts": lambda row: -row.parts,
    "missed": lambda row: -row.missed,
    "merged": lambda row: -len(row.merged_with),
}
"""What entities can be sorted by, with the order: the worst and the largest first."""


def sort_entities(rows: Sequence[EntityScore], by: str) -> list[EntityScore]:
    """Sort entities; equal ones keep their order."""
    if by not in SORTS:
        raise unknown("order", by, SORTS)
    return sorted(rows, key=SORTS[by])


class _Side(NamedTuple):
    """The labels and the documents of the entities of one side."""

    label: list[str]
    document: list[str]

    @classmethod
    def of(cls, side: Listings, count: int) -> _Side:
        """Look up a mention of each entity of the table."""
        corpus = side.corpus
        first = np.zeros(count, dtype=np.int64)
        first[side.entity[::-1]] = side.row[::-1]
        names = [document.name for document in corpus.documents]
        return cls(
            [corpus.entity_label[row] for row in corpus.mention_entity[first].tolist()],
            [names[row] for row in corpus.mention_document[first].tolist()],
        )


class EntityScores(NamedTuple):
    """The entities of a system, and the result that they are part of."""

    rows: list[EntityScore]
    result: Result


def entities_of(
    key: Corpus, response: Corpus, scheme: Scheme, sort: str = "document"
) -> EntityScores:
    """Score each entity, in the order of the key; then those of the response only."""
    kept = score_and_keep(key, response, scheme, ("mentions",))
    table = kept.table
    listed = list_mentions(kept.corpora, kept.matched, table, kept.result.scheme)
    ours = _Side.of(listed.key, len(table.key_size))
    theirs = _Side.of(listed.response, len(table.response_size))
    rows = _key_rows(table, ours, theirs)
    found = np.bincount(table.cell_response, minlength=len(table.response_size))
    for entity in np.flatnonzero(found == 0).tolist():
        size = int(table.response_size[entity])
        rows.append(
            EntityScore(
                document=theirs.document[entity],
                entity=None,
                response_entity=theirs.label[entity],
                key_size=0,
                response_size=size,
                shared=0,
                recall=None,
                precision=0.0,
                f1=0.0,
                parts=0,
                missed=0,
                merged_with=(),
            )
        )
    return EntityScores(sort_entities(rows, sort), kept.result)


def _key_rows(table: Contingency, ours: _Side, theirs: _Side) -> list[EntityScore]:
    key_size, response_size = table.key_size, table.response_size
    parts = np.bincount(table.cell_key, minlength=len(key_size))
    shared = np.bincount(table.cell_key, table.key_count, len(key_size))
    best = _partners(table)
    sharers: dict[int, list[int]] = {}
    for mine, other in zip(
        table.cell_key.tolist(), table.cell_response.tolist(), strict=True
    ):
        sharers.setdefault(other, []).append(mine)
    rows = []
    for entity, size in enumerate(key_size.tolist()):
        cell = int(best[entity])
        partner = int(table.cell_response[cell]) if cell >= 0 else None
        common = int(table.key_count[cell]) if partner is not None else 0
        theirs_common = int(table.response_count[cell]) if partner is not None else 0
        other_size = 0 if partner is None else int(response_size[partner])
        recall = common / size
        precision = None if partner is None else theirs_common / other_size
        total = recall + (precision or 0)
        rows.append(
            EntityScore(
                document=ours.document[entity],
                entity=ours.label[entity],
                response_entity=None if partner is None else theirs.label[partner],
                key_size=size,
                response_size=other_size,
                shared=common,
                recall=recall,
                precision=precision,
                f1=2 * recall * (precision or 0) / total if total else 0.0,
                parts=int(parts[entity]),
                missed=size - round(float(shared[entity])),
                merged_with=tuple(
                    ours.label[row]
                    for row in sharers.get(-1 if partner is None else partner, ())
                    if row != entity
                ),
            )
        )
    return rows


def _partners(table: Contingency) -> Ints:
    """Return the cell of each key entity with its partner; -1 if it has none."""
    count = table.key_count
    size = table.response_size[table.cell_response]
    order = np.lexsort((-np.arange(len(count)), -size, count))
    best = np.full(len(table.key_size), -1, dtype=np.int64)
    best[table.cell_key[order]] = order  # the last one assigned is the best
    return best
