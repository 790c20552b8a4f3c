"""The contingency table: one sparse table of key entities by response entities.

Every metric is a few lines of code on this table and does not see mentions. A *cell* is
a pair of entities that share a mention; other pairs have no row. All documents of a
corpus are in the same table.

If each mention belongs to one entity on each side, a cell is one number. If a mention
is listed in two entities, or is matched in one direction only, there are several ways
to count the mentions that two entities share. The table holds each:

``key_count``, ``response_count``
    mentions of the key entity for which this is *the* response entity, and the
    other way round (MUC, B³, BLANC, LEA);
``key_mates``, ``response_mates``
    for each of those, the mentions that are with it in both entities (B³);
``overlap``
    listings in the key entity of mentions that the response entity has (CEAF).

An entity may have one additional mention, a plural, that stands for other entities.
Sizes count it. The fraction of it that the two sides share differs by metric and has
columns of its own: ``key_plural``, ``response_plural`` and ``overlap_plural``.

A table of a billion mentions is a histogram: a row represents a number of equal
entities or cells (``key_times``, ``response_times``, ``cell_times``). Values that
cannot be computed from such rows are counted before: ``key_common``,
``response_common`` and `Clusterwise`. Metrics work the same way on both kinds of table.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple
from scoref.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.contingency.memberships import Memberships
    from scoref.model import Ints

    Floats = NDArray[np.float64]
    Values = NDArray[np.float64 | np.int64 | np.bool_]


class WordOverlap(NamedTuple):
    """Pairs of mentions that share words, and the number of words by document."""

    key: Ints
    response: Ints
    words: Ints
    document: Ints
    key_words: Ints
    response_words: Ints


class PluralTable(NamedTuple):
    """Plurals of both sides, each with the entity that has it, and pairs of them.

    A pair is a plural of the key and one of the response that share a mention. The
    entities that the two stand for are compared like a document: ``elements`` is a
    table with a document for each pair, then one for each plural of the key against
    nothing, and then one for each plural of the response.
    """

    key_entity: Ints
    key_document: Ints
    key_identity: Ints
    response_entity: Ints
    response_document: Ints
    response_identity: Ints
    pair_key: Ints
    pair_response: Ints
    elements: Contingency


class Clusterwise(NamedTuple):
    """Sums by document that need all cells of an entity at once."""

    nearest: Floats  # Jaccard index with the most similar entity: key, response
    largest: Ints  # mentions shared with the entity that has the most: key, response
    fates: Ints  # key entities by their fates in the response, as in `FATES`


FATES = ("unchanged", "merged", "partitioned", "overlapping")
"""The fates of a key entity that has a mention in common with the response."""


class _Columns(NamedTuple):
    """The columns of a table: cells, entities and documents."""

    document_count: int
    key_document: Ints
    key_size: Ints
    key_mentions: Ints  # distinct ones, by document; so are the next two
    response_document: Ints
    response_size: Ints
    response_mentions: Ints
    common_mentions: Ints
    cell_key: Ints
    cell_response: Ints
    key_count: Ints
    response_count: Ints
    key_mates: Ints
    response_mates: Ints
    overlap: Ints
    key_plural: Floats | int = 0
    response_plural: Floats | int = 0
    overlap_plural: Floats | int = 0
    plurals: PluralTable | None = None  # from which those fractions are computed
    # How many entities and cells a row represents:
    key_times: Ints | int = 1
    response_times: Ints | int = 1
    cell_times: Ints | int = 1
    # Mentions of each entity that the other side has, too; None: see `partition`
    key_common: Ints | None = None
    response_common: Ints | None = None
    clusterwise: Clusterwise | None = None  # None: it is computed from the cells
    alignable: Contingency | None = None  # of a histogram, for CEAF
    # Counts by document that need mentions and words:
    repeated_links: Ints | None = None  # BLANC, if mentions repeat
    word_overlap: WordOverlap | None = None  # MOR
    anaphors: Ints | None = None  # the anaphor-decomposable score
    non_referring: Ints | None = None
    bridging: Ints | None = None
    memberships: Memberships | None = None  # extended B³, if mentions repeat
    # Pairs of records as they were given: in both sides, in the key, in the response
    links: Ints | None = None


class Contingency(_Columns):
    """Cells, entities and documents, in columns.

    Several metrics need the table with its sides swapped, and the document of each
    cell. Both are computed once.
    """

    @cached_property
    def mention_totals(self) -> tuple[int, int, int]:
        """The number of mentions of the key, of the response, and of both."""
        columns = self.key_mentions, self.response_mentions, self.common_mentions
        key, response, common = (int(np.add.reduce(column)) for column in columns)
        return key, response, common

    @property
    def common_and_all(self) -> tuple[int, int]:
        """The number of mentions that both sides have, and that either side has."""
        key, response, common = self.mention_totals
        return common, key + response - common

    @cached_property
    def swapped(self) -> Contingency:
        """The same table with key and response swapped."""
        return Contingency(
            document_count=self.document_count,
            key_document=self.response_document,
            key_size=self.response_size,
            key_mentions=self.response_mentions,
            response_document=self.key_document,
            response_size=self.key_size,
            response_mentions=self.key_mentions,
            common_mentions=self.common_mentions,
            cell_key=self.cell_response,
            cell_response=self.cell_key,
            key_count=self.response_count,
            response_count=self.key_count,
            key_mates=self.response_mates,
            response_mates=self.key_mates,
            overlap=self.overlap,
            key_plural=self.response_plural,
            response_plural=self.key_plural,
            overlap_plural=self.overlap_plural,
            key_times=self.response_times,
            response_times=self.key_times,
            cell_times=self.cell_times,
            key_common=self.response_common,
            response_common=self.key_common,
            links=None if self.links is None else self.links[:, [0, 2, 1]],
        )

    @property
    def is_histogram(self) -> bool:
        """Return whether a row represents several entities or cells."""
        return not isinstance(self.cell_times, int)

    @cached_property
    def cell_document(self) -> Ints:
        """Return the document of each cell."""
        return self.key_document[self.cell_key]

    @cached_property
    def both_sizes(self) -> Ints:
        """Add the sizes of the two entities of each cell."""
        return self.key_size[self.cell_key] + self.response_size[self.cell_response]

    @cached_property
    def key_total(self) -> Floats:
        """Sum the sizes of key entities by document."""
        return self.sum_key(self.key_size)

    @cached_property
    def key_entities(self) -> Floats:
        """Count the key entities by document."""
        if isinstance(self.key_times, int):
            entities = np.bincount(self.key_document, minlength=self.document_count)
            return entities.astype(np.float64)
        return self.sum_key(np.ones_like(self.key_size))

    @cached_property
    def key_links(self) -> Floats:
        """Count the pairs of mentions inside key entities by document."""
        return self.sum_key(pairs(self.key_size))

    def sum_cells(self, values: Values) -> Floats:
        """Sum a value of each cell by document."""
        return self._sum_by_document(self.cell_document, values, self.cell_times)

    def of_key(self, values: Ints | Floats) -> Floats:
        """Sum a value of each cell by key entity; the mean of the entities of a row."""
        if isinstance(self.cell_times, int) and isinstance(self.key_times, int):
            return _sums(self.cell_key, values, len(self.key_size))
        sums = _sums(self.cell_key, values * self.cell_times, len(self.key_size))
        return sums / self.key_times

    def sum_key(self, values: Values) -> Floats:
        """Sum a value of each key entity by document."""
        return self._sum_by_document(self.key_document, values, self.key_times)

    def sum_response(self, values: Values) -> Floats:
        """Sum a value of each response entity by document."""
        document, times = self.response_document, self.response_times
        return self._sum_by_document(document, values, times)

    def _sum_by_document(
        self, document: Ints, values: Values, times: Ints | int
    ) -> Floats:
        if not isinstance(times, int):
            values = values.astype(np.float64) * times
            if self.document_count == 1:
                # Pairwise summation keeps the digits of millions of fractions.
                return np.asarray(values.sum(keepdims=True))
        return _sums(document, values, self.document_count)


def _sums(group: Ints, values: Values, count: int) -> Floats:
    """Sum values by group. Without values, `np.bincount` would return integers."""
    if not len(group):
        return np.zeros(count)
    return np.asarray(np.bincount(group, values, count), dtype=np.float64)


def pairs(count: Ints) -> Ints:
    """Return the number of pairs of so many things."""
    return count * (count - np.int64(1)) // 2
