"""BLANC (Recasens and Hovy, 2011) for predicted mentions (Luo et al., 2014).

Pairs of mentions are of two kinds: coreference links C, inside an entity, and
non-coreference links N, across two. Each kind has recall and precision,

    R_c = |C_key ∩ C_response| / |C_key|      R_n = |N_key ∩ N_response| / |N_key|

and BLANC is the mean of both kinds. This holds for F₁ as well: BLANC's F₁ is the mean
of two F₁, not the F₁ of mean recall and mean precision. If there is no link of one
kind, the other kind is the score. Scorers disagree on when a kind is absent. The
reference scorer looks for links in the key alone (``reference``, the default). For the
CorefUD scorer a kind is absent only if the response has no such link either, and scores
0 otherwise (``corefud``). MAVEN-ERE's scorer counts an absent kind as 0
(``both-kinds``).

Pairs are not enumerated: their numbers follow from sizes. Pairs that both sides
separate are those of all common mentions, less those together in the key, less those
together in the response, plus those together in both.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from scoref.contingency import pairs
from scoref.lazy import np
from scoref.metrics.base import Metric, Part, columns, ratio, with_f_one

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.scheme import Blanc

_RATIOS = (0, 1, 0, 2)
_COLUMNS = (
    "coreference_links_in_both",
    "coreference_links_in_key",
    "coreference_links_in_response",
    "non_coreference_links_in_both",
    "non_coreference_links_in_key",
    "non_coreference_links_in_response",
)


def _count(table: Contingency) -> Floats:
    if table.repeated_links is not None:
        return table.repeated_links.astype(np.float64)
    both_kinds = _count_coreference(table), _count_others(table)
    return np.concatenate(both_kinds, axis=1)


def _count_coreference(table: Contingency) -> Floats:
    """Count links inside entities: in both sides, in the key, in the response."""
    both = pairs(table.key_count) + table.key_count * table.overlap_plural
    return columns(table.sum_cells(both), table.key_links, table.swapped.key_links)


def _count_others(table: Contingency) -> Floats:
    """Count links across entities: in both sides, in the key, in the response."""
    # A mention weighs 1, a plural the fraction that is found of it: a link weighs the
    # product of both ends, and all links inside a group half of (Σw)² - Σw².
    weight = (table.key_count + table.overlap_plural).astype(np.float64)
    square = (table.key_count + np.square(table.overlap_plural)).astype(np.float64)
    of_cell = np.square(weight) - square
    together = (
        table.sum_key(_found(table, weight, square)),
        table.sum_response(_found(table.swapped, weight, square)),
    )
    everything = np.square(table.sum_cells(weight)) - table.sum_cells(square)
    both = everything - together[0] - together[1] + table.sum_cells(of_cell)
    response = table.swapped
    return columns(
        both / 2,
        _pairs(table.key_total) - table.key_links,
        _pairs(response.key_total) - response.key_links,
    )


def _found(table: Contingency, weight: Floats, square: Floats) -> Floats:
    """Count twice the links inside the found part of each key entity."""
    if table.key_common is not None:
        return np.asarray(2.0 * pairs(table.key_common))
    count = len(table.key_size)
    total = np.bincount(table.cell_key, weight, count)
    return np.asarray(np.square(total) - np.bincount(table.cell_key, square, count))


def _score(counts: Floats, undefined: float = 0.0, *, rule: Blanc) -> Floats:
    # The last two axes: the kinds of links; in both, in the key, in the response. If
    # only plurals are scored, the links of the whole document follow.
    links = counts.reshape(*counts.shape[:-1], counts.shape[-1] // len(_COLUMNS), 2, 3)
    kinds, whole = links[..., 0, :, :], links[..., -1, :, :]
    recall = ratio(kinds[..., 0], kinds[..., 1], undefined)
    precision = ratio(kinds[..., 0], kinds[..., 2], undefined)
    figures = with_f_one(recall, precision)
    c, n = figures[..., 0, :], figures[..., 1, :]
    mean: Floats = (c + n) / 2
    if rule == "both-kinds":
        return mean
    is_there = whole[..., 1:2] if rule == "reference" else whole[..., 1:]
    if np.count_nonzero(is_there) == is_there.size:
        return mean
    is_absent = (is_there == 0).all(axis=-1, keepdims=True)
    return np.where(is_absent[..., 0, :], n, np.where(is_absent[..., 1, :], c, mean))


def _pairs(count: Floats | Ints) -> Floats:
    return (1.0 * count * count - count) / 2


@lru_cache
def blanc(rule: Blanc, *, of_plurals: bool = False) -> Metric:
    """Return BLANC under one of the rules for absent links.

    If only plurals are scored, the links of whole documents follow the counts and
    decide whether a kind of links is absent.
    """
    whole = tuple(f"document_{column}" for column in _COLUMNS)
    return Metric(
        name="blanc",
        label="BLANC",
        asks="mean over pairs that corefer and pairs that do not",
        page="blanc",
        place=250,
        usual="always",
        count=_count,
        score=partial(_score, rule=rule),
        columns=(*_COLUMNS, *whole) if of_plurals else _COLUMNS,
        denominators=(1, 2, 4, 5),
        parts=(
            Part(_count_coreference, _count_coreference, _RATIOS),
            Part(_count_others, _count_others, _RATIOS),
        ),
        is_sum_of_cells=True,
        reference="Recasens and Hovy (2011), Luo et al. (2014)",
        under=lambda scheme: blanc(
            scheme.blanc, of_plurals=scheme.evaluate == "split-antecedents"
        ),
    )


METRICS = (blanc("reference"),)
