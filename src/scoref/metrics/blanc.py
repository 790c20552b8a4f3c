"""BLANC (Recasens and Hovy, 2011) for predicted mentions (Luo et al., 2014).

Pairs of mentions are of two kinds: coreference links C, inside an entity, and
non-coreference links N, across two. Each kind has recall and precision,

    R_c = |C_key ∩ C_response| / |C_key|      R_n = |N_key ∩ N_response| / |N_key|

and BLANC is the mean of both kinds, of the two F1 as well: it is not the F1 of
mean recall and mean precision. If there is no link of one kind, the other kind is
the score. The reference scorer looks for links in the key alone (``reference``, the
default); for the CorefUD scorer a kind is absent only if the response has no such
link either, and scores 0 otherwise (``corefud``).

No pair is looked at: the numbers of pairs follow from sizes. Pairs that both
sides separate are those of all common mentions, less those together in the key,
less those together in the response, plus those together in both.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency import pairs
from scoref.metrics.base import Metric, f_one, ratio

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats
    from scoref.model import Ints
    from scoref.scheme import Blanc

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
    c_both = table.sum_cells(pairs(table.key_count))
    c_key = table.sum_key(pairs(table.key_size))
    c_response = table.sum_response(pairs(table.response_size))
    found = table.key_count
    found_of_key = np.bincount(table.cell_key, found, len(table.key_size))
    found_of_response = np.bincount(
        table.cell_response, found, len(table.response_size)
    )
    together_in_key = table.sum_key(_pairs(found_of_key))
    together_in_response = table.sum_response(_pairs(found_of_response))
    all_common = _pairs(table.sum_cells(found))
    n_both = all_common - together_in_key - together_in_response + c_both
    n_key = _pairs(table.sum_key(table.key_size)) - c_key
    n_response = _pairs(table.sum_response(table.response_size)) - c_response
    return np.column_stack((c_both, c_key, c_response, n_both, n_key, n_response))


def _score(counts: Floats, rule: Blanc) -> Floats:
    c, n = counts[..., :3], counts[..., 3:]
    last = 2 if rule == "reference" else 3
    no_c = (c[..., 1:last] == 0).all(axis=-1, keepdims=True)
    no_n = (n[..., 1:last] == 0).all(axis=-1, keepdims=True)
    c, n = _kind(c), _kind(n)
    return np.where(no_c, n, np.where(no_n, c, (c + n) / 2))


def _kind(counts: Floats) -> Floats:
    recall = ratio(counts[..., 0], counts[..., 1])
    precision = ratio(counts[..., 0], counts[..., 2])
    return np.stack((recall, precision, f_one(recall, precision)), axis=-1)


def _pairs(count: Floats | Ints) -> Floats:
    return (1.0 * count * count - count) / 2


def blanc(rule: Blanc) -> Metric:
    """Make BLANC under one of the two rules for absent links."""
    return Metric(
        name="blanc",
        label="BLANC",
        count=_count,
        score=partial(_score, rule=rule),
        columns=_COLUMNS,
        denominators=(1, 2, 4, 5),
        reference="Recasens and Hovy (2011), Luo et al. (2014)",
    )
