"""Metrics on request: pairs, equal and nearest clusters, and twinless variants.

What `clusterings` says of a table of mentions, for each document of a corpus. They are
meant for mentions that are listed once and matched one to one. Where a mention is
listed twice its second listing is one that the other side lacks, and so is a plural,
which stands for other entities. Where two sides count what they share in two ways, as
in the official alignment of CorefUD, the smaller count holds.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.profile import Cells, Clusters, count_profiles
from scoref.metrics.alignments import ALIGNMENTS, Sides
from scoref.metrics.base import Metric
from scoref.metrics.clusterings import RATIOS

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.contingency import Contingency
    from scoref.contingency.profile import Profile
    from scoref.metrics.alignments import Alignment, Credit
    from scoref.metrics.base import Floats
    from scoref.metrics.ratios import Ratios
    from scoref.model import Ints


class _Clusterings(NamedTuple):
    """A table as two clusterings; blocks are documents."""

    cells: Cells
    key: Clusters
    response: Clusters

    @classmethod
    def of(cls, table: Contingency) -> _Clusterings:
        n = np.minimum(table.key_count, table.response_count)
        shared = np.flatnonzero(n)
        cells = Cells(table.cell_key[shared], table.cell_response[shared], n[shared])
        key = _clusters(table.key_document, table.key_size, cells.key, cells.n)
        response = _clusters(
            table.response_document, table.response_size, cells.response, cells.n
        )
        return cls(cells, key, response)


def _clusters(document: Ints, size: Ints, cluster: Ints, n: Ints) -> Clusters:
    common = np.bincount(cluster, n, len(size)).astype(np.int64)
    return Clusters(document, size, common)


def _count_profiles(table: Contingency, ratios: Callable[[Profile], Ratios]) -> Floats:
    profiles = count_profiles(*_Clusterings.of(table), table.document_count)
    rows = [[*recall, *precision] for recall, precision in map(ratios, profiles)]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def _count_aligned(
    table: Contingency, align: Callable[[Cells, Sides], Alignment]
) -> Floats:
    cells, key, response = _Clusterings.of(table)
    found = align(cells, Sides(*key[1:], *response[1:]))
    recall, precision = (
        _by_document(credit, table) for credit in (found.recall, found.precision)
    )
    of_precision = table.sum_response(found.response) + table.sum_key(found.missing)
    return np.column_stack((recall, table.sum_key(found.key), precision, of_precision))


def _by_document(credit: Credit, table: Contingency) -> Floats:
    # One of two aligned clusters may be a singleton that was added; never both.
    document = np.maximum(
        _looked_up(table.key_document, credit.key),
        _looked_up(table.response_document, credit.response),
    )
    earned = np.bincount(document, credit.top / credit.bottom, table.document_count)
    return earned.astype(np.float64, copy=False)


def _looked_up(document: Ints, cluster: Ints) -> Ints:
    found: Ints = np.append(document, -1)[np.minimum(cluster, len(document))]
    return found


_NAMED = {
    "pairwise": ("Pairwise, links", "Menestrina et al. (2010)"),
    "pairwise-membership": ("Pairwise, with itself", "iesl/paper_coref (2015)"),
    "pairwise-s2and": ("Pairwise, S2AND", "Subramanian et al. (2021)"),
    "bcub-entity": ("B³ by key cluster", "Binette and Reiter (2023)"),
    "cluster": ("Exact cluster", "Menestrina et al. (2010)"),
    "closest-cluster": ("Closest cluster", "Benjelloun et al. (2009)"),
    "bcub-0": ("B³_0", "Stoyanov et al. (2009)"),
    "bcub-all": ("B³_all", "Stoyanov et al. (2009)"),
    "bcub-rn": ("B³_r&n", "Rahman and Ng (2009)"),
    "bcub-sys": ("B³_sys", "Cai and Strube (2010)"),
    "ceafm-rn": ("CEAFm_r&n", "Rahman and Ng (2009)"),
    "ceafm-sys": ("CEAFm_sys", "Cai and Strube (2010)"),
    "ceafe-sys": ("CEAFe_sys", "Cai and Strube (2010)"),
}


def _metric(name: str, label: str, reference: str) -> Metric:
    count = (
        partial(_count_profiles, ratios=RATIOS[name])
        if name in RATIOS
        else partial(_count_aligned, align=ALIGNMENTS[name])
    )
    return Metric(name=name, label=label, count=count, reference=reference)


BY_NAME = {name: _metric(name, *words) for name, words in _NAMED.items()}
"""Every variant."""
