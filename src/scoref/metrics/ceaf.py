"""CEAF (Luo, 2005): entities, each aligned with at most one of the other side.

The alignment maximises the total similarity of the aligned entities. φ3 is the number
of shared mentions, φ4 is Dice's coefficient; with n_ij the mentions that entities i and
j share and k_i, r_j their sizes:

    CEAFm   φ3 = n_ij                   R = Σ φ3 / key mentions
    CEAFe   φ4 = 2 n_ij / (k_i + r_j)   R = Σ φ4 / key entities

The optimum is exact. φ4 is solved in integers, as a multiple of 2^-S with S as large as
64 bits allow (40 up to a million entities), so CEAFe is optimal to 2^-S for each
aligned pair.

Several alignments may be optimal. They have the same sum, but the sum may come from
different entities. Callers who need to know these pass ranks of entities, so that the
choice does not depend on the order of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.lazy import np
from scoref.metrics.base import Metric, Part, Shares, columns, ratio

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Ranks
    from scoref.model import Ints

_FINEST = 40
_BITS = 61


def alignable(table: Contingency) -> Contingency:
    """Return a table with a row for each entity whose partner is not obvious."""
    if not table.is_histogram:
        return table
    if table.alignable is None:
        raise OptionError("an alignment needs the entities, but a histogram has none")
    return table.alignable


def align_by_mentions(table: Contingency, ranks: Ranks | None = None) -> Ints:
    """Return the cells of an alignment that shares the most mentions."""
    return _align(table, _weigh_by_mentions(table), ranks)


def _weigh_by_mentions(table: Contingency) -> Ints:
    if isinstance(table.overlap_plural, int):
        return table.overlap
    return _round_to_shift(_overlap(table), _shift(table))


def align_by_entities(table: Contingency, ranks: Ranks | None = None) -> Ints:
    """Return the cells of an alignment with the highest φ4."""
    return _align(table, _weigh_by_entities(table), ranks)


def _weigh_by_entities(table: Contingency) -> Ints:
    shift = _shift(table)
    if not isinstance(table.overlap_plural, int):
        return _round_to_shift(phi_four(table), shift)
    # Divide in two steps, so that entities of a billion mentions do not overflow.
    sizes, left = table.both_sizes, np.int64(shift - shift // 2)
    whole, rest = np.divmod(2 * table.overlap << np.int64(shift // 2), sizes)
    weight: Ints = (whole << left) + (rest << left) // sizes
    return weight


def _align(table: Contingency, weight: Ints, ranks: Ranks | None) -> Ints:
    from scoref.metrics._assignment import best_matching

    if ranks is None:
        return best_matching(table.cell_key, table.cell_response, weight)
    key, response = ranks[0][table.cell_key], ranks[1][table.cell_response]
    order = np.lexsort((response, key))
    chosen = best_matching(key[order], response[order], weight[order])
    return np.sort(order[chosen])


def phi_four(table: Contingency) -> Floats:
    """Compute Dice's coefficient for each cell."""
    return 2 * _overlap(table) / table.both_sizes


def _overlap(table: Contingency) -> Ints | Floats:
    plural = table.overlap_plural
    return table.overlap if isinstance(plural, int) else table.overlap + plural


def _shift(table: Contingency) -> int:
    """Return S: weights are multiples of 2^-S, as fine as 64 bits allow."""
    most = max(len(table.key_size), len(table.response_size), 1)
    if not isinstance(table.overlap_plural, int):
        most = max(most, int(table.overlap.max(initial=1)))
    return min(_FINEST, _BITS - 1 - most.bit_length())


def _round_to_shift(similarity: Ints | Floats, shift: int) -> Ints:
    return np.rint(similarity * 2.0**shift).astype(np.int64)


def _count_mentions(table: Contingency) -> Floats:
    table = alignable(table)
    total = total_of(table, align_by_mentions(table), _overlap(table))
    return columns(total, table.key_total, total, table.swapped.key_total)


def _count_entities(table: Contingency) -> Floats:
    table = alignable(table)
    total = total_of(table, align_by_entities(table), phi_four(table))
    return columns(total, table.key_entities, total, table.swapped.key_entities)


def total_of(table: Contingency, aligned: Ints, similarity: Ints | Floats) -> Floats:
    """Sum the similarity of aligned entities by document."""
    gained = np.zeros(len(table.cell_key))
    gained[aligned] = similarity[aligned]
    return table.sum_cells(gained)


def _shares_of_mentions(table: Contingency, aligned: Ints) -> Shares:
    """Give each mention of a cell 1, of 1, if the two entities are aligned."""
    gained = np.zeros(len(table.cell_key))
    gained[aligned] = table.overlap[aligned]
    # The overlap of a cell that counts no mention goes to the entity.
    alone = np.where(table.key_count == 0, gained, 0)
    of_entity = np.bincount(table.cell_key, alone, len(table.key_size))
    return Shares(
        ratio(gained, table.key_count.astype(np.float64)),
        of_entity / table.key_size,
        np.ones(len(table.key_size)),
    )


def _shares_of_entities(table: Contingency, aligned: Ints) -> Shares:
    """Give each mention of an aligned entity φ4/k, of 1/k, even if it is not found."""
    of_entity = np.zeros(len(table.key_size))
    of_entity[table.cell_key[aligned]] = phi_four(table)[aligned]
    size = table.key_size
    return Shares(np.zeros(len(table.cell_key)), of_entity / size, 1 / size)


METRICS = (
    Metric(
        name="ceafm",
        label="CEAFm",
        asks="mentions in common, in the best pairing of entities",
        reference="Luo (2005)",
        page="ceaf",
        place=220,
        usual="always",
        count=_count_mentions,
        parts=(Part(_count_mentions, _count_mentions),),
        is_sum_of_blocks=True,
        is_aligned=True,
        shares=_shares_of_mentions,
        align=align_by_mentions,
        weigh=_weigh_by_mentions,
    ),
    Metric(
        name="ceafe",
        label="CEAFe",
        asks="similarity in the best pairing of entities",
        reference="Luo (2005)",
        page="ceaf",
        place=230,
        usual="always",
        count=_count_entities,
        parts=(Part(_count_entities, _count_entities),),
        is_sum_of_blocks=True,
        is_aligned=True,
        shares=_shares_of_entities,
        align=align_by_entities,
        weigh=_weigh_by_entities,
    ),
)
