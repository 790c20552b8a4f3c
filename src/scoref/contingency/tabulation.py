"""Construction of the contingency table from matched mentions.

`tabulate` calls `tabulate_words` for sets of words, `tabulate_owned` for spans under
``duplicates:coval``, and `tabulate_spans` for other spans.

Under ``duplicates:coval`` nothing is removed if a mention is listed twice. coval and
the evaluators that neural systems carry look up a mention in a dictionary, which has
its last entity; sizes count every listing. If each mention is listed once, the result
is the usual table. BLANC, which coval does not have, counts each mention once, in its
last entity.

`tabulate_plurals` compares the plurals of both sides by the entities they stand for.

`tabulate_aligned` is for mentions that were matched one to one, separately for each
side. A mention in two entities belongs to the later one; overlaps count it in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from scoref.classes import NamedTuple
from scoref.contingency import Contingency, PluralTable, WordOverlap
from scoref.contingency.links import listed_once, repeated_links
from scoref.contingency.relations import count_anaphors
from scoref.errors import TooLargeError
from scoref.matching.duplicates import last_listed
from scoref.matching.ragged import count_shared
from scoref.model.arrays import count_values, is_all, is_new, ranges, starts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching import Matched, Side
    from scoref.matching.plurals import Plurals
    from scoref.matching.ragged import Ragged
    from scoref.matching.word_rules import Targets
    from scoref.matching.words import WordMatches, WordSide
    from scoref.model import Ints
    from scoref.scheme import Scheme

    Mask = NDArray[np.bool_]


def tabulate(matched: Matched, scheme: Scheme) -> Contingency:
    """Count what the entities of the two sides share, under a scheme."""
    if matched.words is not None:
        table = tabulate_words(matched, scheme)
    elif scheme.duplicates == "coval":
        table = tabulate_owned(matched)
    else:
        table = tabulate_spans(matched)
    if matched.listed is None and matched.words is None:
        return table
    from scoref.contingency.memberships import memberships_of

    return table._replace(memberships=memberships_of(matched))


def tabulate_spans(matched: Matched) -> Contingency:
    """Count what the entities of the two sides share.

    A response mention that the key has must be listed once: see `duplicates`.
    """
    key, response = matched.key, matched.response
    once_in_key, once_in_response = last_listed(key), last_listed(response)
    is_partition_of_key = is_all(once_in_key)
    of_key = matched.from_key
    shared = (of_key >= 0).nonzero()[0]
    width = np.int64(max(1, len(response.entity_document)))
    code = key.entity[shared] * width + of_key[shared]
    cells, overlap = count_values(code)
    count = mates = overlap
    if not is_partition_of_key:
        cell = cells.searchsorted(code)
        count = np.bincount(cell[once_in_key[shared]], minlength=len(cells))
        mates = np.bincount(cell[listed_once(key)[shared]], minlength=len(cells))
    documents = len(matched.documents)
    is_partition = is_partition_of_key and is_all(once_in_response)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_count_rows(key, once_in_key, documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_count_rows(response, once_in_response, documents),
        common_mentions=_count_rows(
            key, shared if is_partition else shared[once_in_key[shared]], documents
        ),
        cell_key=cells // width,
        cell_response=cells % width,
        key_count=count,
        response_count=count,
        key_mates=mates,
        response_mates=mates,
        overlap=overlap,
        repeated_links=None if is_partition else repeated_links(matched),
    )


def _count_rows(side: Side, rows: Mask | Ints, documents: int) -> Ints:
    """Count some rows of a side by document."""
    return np.bincount(side.document[rows], minlength=documents)


def tabulate_words(matched: Matched, scheme: Scheme) -> Contingency:
    """Count what entities share, and the columns that need mentions and words."""
    words, lead = matched.words, matched.lead
    assert words is not None
    assert lead is not None
    table = tabulate_aligned(matched, words, lead)
    table = table._replace(word_overlap=_word_overlap(matched, words))
    if scheme.anaphors:
        alignment = scheme.alignment or "official"
        anaphors = count_anaphors(
            words, table.document_count, lead, alignment, scheme.anaphors
        )
        table = table._replace(anaphors=anaphors)
    if all(side.corpus.anaphora is None for side in (words.key, words.response)):
        return table
    from scoref.contingency.relations import count_bridging, count_non_referring

    documents = table.document_count
    return table._replace(
        plurals=tabulate_plurals(words, lead),
        non_referring=count_non_referring(words, documents),
        bridging=count_bridging(words, documents, matched.owner(matched.key)),
    )


def _word_overlap(matched: Matched, words: WordMatches) -> WordOverlap:
    """Count the shared words of listings; a mention in two entities counts twice."""
    sides = words.key, words.response
    graph = words.shared
    if any(len(side.number) < len(side.side.mention) for side in sides):
        graph = count_shared(*(side.listed_words for side in sides))
    key_words, response_words = (
        np.bincount(
            side.side.document,
            side.words.length[side.listed_row],
            len(matched.documents),
        ).astype(np.int64)
        for side in sides
    )
    of_key = words.key.document
    if graph is not words.shared:
        of_key = matched.key.document
    return WordOverlap(*graph, of_key[graph[0]], key_words, response_words)


def tabulate_owned(matched: Matched) -> Contingency:
    """Count what entities share; the last entity that lists a mention owns it."""
    key, response = matched.key, matched.response
    width = np.int64(max(1, len(response.entity_document)))
    cells = count_cells(matched, cell_codes(key, key.mention, response, width), width)
    documents = len(matched.documents)
    once_in_key, once_in_response = last_listed(key), last_listed(response)
    links = None
    if not (once_in_key.all() and once_in_response.all()):
        owned = key.where(once_in_key), response.where(once_in_response)
        links = repeated_links(matched._replace(key=owned[0], response=owned[1]))
    common = once_in_key & (matched.from_key >= 0)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=key.size,
        key_mentions=_count_rows(key, once_in_key, documents),
        response_document=response.entity_document,
        response_size=response.size,
        response_mentions=_count_rows(response, once_in_response, documents),
        common_mentions=_count_rows(key, common, documents),
        **cells._asdict(),
        repeated_links=links,
    )


class _Elements(NamedTuple):
    """The mentions of elements, one row for each listing."""

    mention: Ints
    entity: Ints


class _Cells(NamedTuple):
    """Pairs of plurals with an element of each, and the mentions these share."""

    plural: Ints
    other_plural: Ints
    element: Ints
    other_element: Ints
    key_count: Ints
    response_count: Ints

    @property
    def overlap(self) -> Ints:
        return self.key_count


def tabulate_plurals(words: WordMatches, lead: Targets) -> PluralTable | None:
    """Compare the entities that plurals stand for; None if there are no plurals."""
    sides = words.key, words.response
    ours, theirs = (side.plurals for side in sides)
    if not len(ours.entity) and not len(theirs.entity):
        return None
    cells = _cells_of_plurals(ours, theirs, lead)
    width = np.int64(max(1, len(theirs.entity)))
    code, pair = np.unique(
        cells.plural * width + cells.other_plural, return_inverse=True
    )
    pair_key, pair_response = code // width, code % width
    return PluralTable(
        key_entity=ours.entity,
        key_document=_documents(sides[0]),
        key_identity=ours.identity,
        response_entity=theirs.entity,
        response_document=_documents(sides[1]),
        response_identity=theirs.identity,
        pair_key=pair_key,
        pair_response=pair_response,
        elements=_elements_table(
            (ours, theirs), (pair_key, pair_response), pair, cells
        ),
    )


def _documents(side: WordSide) -> Ints:
    return side.side.entity_document[side.plurals.entity]


def _cells_of_plurals(ours: Plurals, theirs: Plurals, lead: Targets) -> _Cells:
    """Count the mentions that elements share, for each pair of plurals with them."""
    key, response = (
        _Elements(side.mentions.value, side.mentions.owner()) for side in (ours, theirs)
    )
    height, width = (
        np.int64(max(1, len(side.mentions.length))) for side in (ours, theirs)
    )
    there = cell_codes(key, lead.key[key.mention], response, width)
    back = cell_codes(response, lead.response[response.mention], key, height)
    codes = there, back % height * width + back // height
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    key_count, response_count = (
        np.bincount(part, minlength=len(cells)) for part in np.split(cell, [len(there)])
    )
    element, other = cells // width, cells % width
    plural = _plurals_of_elements(ours).take(element)
    row = plural.owner()
    other_plural = _plurals_of_elements(theirs).take(other[row])
    row = row[other_plural.owner()]
    return _Cells(
        plural.value[other_plural.owner()],
        other_plural.value,
        element[row],
        other[row],
        key_count[row],
        response_count[row],
    )


def _plurals_of_elements(plurals: Plurals) -> Ragged:
    """List the plurals that each element belongs to."""
    elements, count = plurals.elements, len(plurals.mentions.length)
    order = np.argsort(elements.value, kind="stable")
    start = np.searchsorted(elements.value[order], np.arange(count + 1))
    return type(elements)(start, elements.owner()[order])


def _elements_table(
    plurals: tuple[Plurals, Plurals],
    pairs: tuple[Ints, Ints],
    pair: Ints,
    cells: _Cells,
) -> Contingency:
    """Return a table with a document for each pair, and for each plural alone."""
    counts = len(plurals[0].entity), len(plurals[1].entity)
    first_alone = len(pairs[0])
    alone = np.arange(counts[0]), np.arange(counts[1])
    documents = (
        np.concatenate((np.arange(first_alone), first_alone + alone[0])),
        np.concatenate((np.arange(first_alone), first_alone + counts[0] + alone[1])),
    )
    rows, sizes, of = [], [], []
    for side in (0, 1):
        taken = plurals[side].elements.take(np.concatenate((pairs[side], alone[side])))
        sizes.append(plurals[side].mentions.length[taken.value])
        rows.append(documents[side][taken.owner()])
        # Elements are sorted and pairs come first, so `searchsorted` finds both.
        count = max(1, len(plurals[side].mentions.length))
        here = (cells.element, cells.other_element)[side]
        of.append(
            np.searchsorted(taken.owner() * count + taken.value, pair * count + here)
        )
    nothing = np.zeros(first_alone + sum(counts), dtype=np.int64)
    return Contingency(
        document_count=len(nothing),
        key_document=rows[0],
        key_size=sizes[0],
        key_mentions=nothing,
        response_document=rows[1],
        response_size=sizes[1],
        response_mentions=nothing,
        common_mentions=nothing,
        cell_key=of[0],
        cell_response=of[1],
        key_count=cells.key_count,
        response_count=cells.response_count,
        key_mates=cells.key_count,
        response_mates=cells.response_count,
        overlap=cells.overlap,
    )


class AlignedListings(Protocol):
    """Mentions, and the entities that list them."""

    @property
    def mention(self) -> Ints:
        """The number of each listing's mention."""

    @property
    def entity(self) -> Ints:
        """The row of each listing's entity."""


def tabulate_aligned(
    matched: Matched, words: WordMatches, lead: Targets
) -> Contingency:
    """Count what entities share, in each direction by the counterparts of its side."""
    key, response = matched.key, matched.response
    width = np.int64(max(1, len(response.entity_document)))
    both = cell_codes(key, lead.key[key.mention], response, width)
    cells = count_cells(matched, both, width)
    documents = len(matched.documents)
    return Contingency(
        document_count=documents,
        key_document=key.entity_document,
        key_size=_sizes(words.key),
        key_mentions=np.bincount(words.key.document, minlength=documents),
        response_document=response.entity_document,
        response_size=_sizes(words.response),
        response_mentions=np.bincount(words.response.document, minlength=documents),
        common_mentions=np.bincount(
            words.key.document[words.pairs.key], minlength=documents
        ),
        **cells._asdict(),
    )


class CountedCells(NamedTuple):
    """Cells, and the number of listings that lead to them, by direction."""

    cell_key: Ints
    cell_response: Ints
    key_count: Ints
    response_count: Ints
    key_mates: Ints
    response_mates: Ints
    overlap: Ints


def count_cells(matched: Matched, both: Ints, width: np.int64) -> CountedCells:
    """Count the cells to which each side leads, and the cells of ``both``."""
    of_key, of_response = matched.from_key, matched.from_response
    codes = [
        (matched.key.entity * width + of_key)[of_key >= 0],
        (of_response * width + matched.response.entity)[of_response >= 0],
        both,
    ]
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    ends = np.cumsum([len(code) for code in codes])[:-1]
    ours, theirs, overlap = (
        np.bincount(part, minlength=len(cells)) for part in np.split(cell, ends)
    )
    return CountedCells(
        cells // width, cells % width, ours, theirs, ours, theirs, overlap
    )


def _sizes(side: WordSide) -> Ints:
    """Count the listings of each entity, and its plural if it has one."""
    size = side.side.size
    size[side.plurals.entity] += 1
    return size


_MOST_PAIRS, _USUAL = 1 << 16, 8
"""The most pairs of entities that may share a mention: so many, or this per listing."""


def cell_codes(
    key: AlignedListings, target: Ints, response: AlignedListings, width: np.int64
) -> Ints:
    """Return the cells of every key listing with each entity of its counterpart.

    An entity that lists a counterpart twice is one cell.

    Raises:
        TooLargeError: mentions are in so many entities of both sides that there are
            too many pairs.
    """
    # Not by `np.unique`, which loads numpy.ma.
    code = np.sort(response.mention * width + response.entity)
    code = code[is_new(code)]
    mention, entity = code // width, code % width
    # The last place has no entities: it is the target -1.
    last = max(int(mention.max(initial=-1)), int(target.max(initial=-1))) + 1
    entities = np.bincount(mention, minlength=last + 1)
    first, times = starts(entities)[target], entities[target]
    pairs = int(times.sum())
    if pairs > max(_MOST_PAIRS, _USUAL * (len(target) + len(code))):
        raise TooLargeError(
            "mentions are in too many entities: scoref would have to compare "
            f"{pairs:,} pairs of entities\n"
            "  hint: A mention must be in one entity. Use `scoref check` to find "
            "mentions "
            "that are listed several times."
        )
    cells: Ints = np.repeat(key.entity, times) * width + entity[ranges(first, times)]
    return cells
