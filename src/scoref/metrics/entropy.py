"""How much one clustering says about the other: indices made of entropies.

They compare two partitions of one set, so that mentions which only one side has are
left out. With n the common mentions that clusters with a and b of them share, N in all:

    homogeneity    1 − H(key | response) / H(key)
    completeness   1 − H(response | key) / H(response)
    v-measure      their harmonic mean (Rosenberg and Hirschberg, 2007)
    nmi            mutual information by the mean of both entropies: the V-measure again
    vi             H(key | response) + H(response | key), in nats (Meilă, 2003)

N · H(key) is Σ a log(N / a), and N · H(key | response) is Σ n log(b / n). The latter
adds up over documents as it is, and is exactly 0 where nothing is left to know. For the
former, each document counts its own Σ a log(N / a) and its N log N: what a sum of
documents has beyond theirs is N log N less the sum of these.

Where nothing can be told apart, as with one common mention, they are 1 as in
scikit-learn. Without a common mention they are undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.contingency.partition import commons, partition
from scoref.lazy import np
from scoref.metrics.base import Metric, f_one, one_number, ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Scoring
    from scoref.model import Ints

_COLUMNS = (
    "key_unknown",
    "response_unknown",
    "key_information",
    "response_information",
    "mentions_log_mentions",
    "common_mentions",
)
_COMMON = 5


def _count(table: Contingency) -> Floats:
    table = partition(table)
    key, response = commons(table)
    n = table.overlap
    total = table.sum_key(key)
    return np.column_stack(
        (
            table.sum_cells(information(n, response[table.cell_response])),
            table.sum_cells(information(n, key[table.cell_key])),
            table.sum_key(information(key, total[table.key_document])),
            table.sum_response(information(response, total[table.response_document])),
            _times_log(total),
            total,
        )
    )


def information(part: Ints, whole: Ints | Floats) -> Floats:
    """Compute part · log(whole / part), with all digits if they are nearly equal."""
    beyond = np.asarray(whole - part, dtype=np.float64)
    return np.asarray(part * np.log1p(ratio(beyond, part.astype(np.float64))))


def _times_log(total: Floats) -> Floats:
    logarithm: Floats = total * np.log(np.maximum(total, 1))
    return logarithm


def _entropies(counts: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Give what is left to know of the key and of the response, and their entropies."""
    key_left, response_left, key, response, logs, total = np.moveaxis(counts, -1, 0)
    between = np.maximum(_times_log(total) - logs, 0)
    return (
        ratio(key_left, total),
        ratio(response_left, total),
        ratio(key + between, total),
        ratio(response + between, total),
    )


def _known(left: Floats, entropy: Floats) -> Floats:
    return np.maximum(0, 1 - ratio(left, entropy))


def _homogeneity(counts: Floats) -> Floats:
    left, _, entropy, _ = _entropies(counts)
    return _known(left, entropy)


def _completeness(counts: Floats) -> Floats:
    _, left, _, entropy = _entropies(counts)
    return _known(left, entropy)


def _v_measure(counts: Floats) -> Floats:
    return f_one(_homogeneity(counts), _completeness(counts))


def _variation(counts: Floats) -> Floats:
    key_left, response_left, _, _ = _entropies(counts)
    return key_left + response_left


def _scored(index: Callable[[Floats], Floats]) -> Scoring:
    def score(counts: Floats, undefined: float = 0.0) -> Floats:
        is_defined = counts[..., _COMMON] > 0
        return one_number(np.where(is_defined, index(counts), undefined))

    return score


METRICS = tuple(
    Metric(
        name=name,
        label=label,
        asks=asks,
        reference=reference,
        page="clusterings",
        place=place,
        usual="tables" if name in {"nmi", "v-measure", "vi"} else "never",
        aliases=aliases,
        count=_count,
        score=_scored(index),
        columns=_COLUMNS,
        denominators=(_COMMON,),
        scale="number",
        is_distance=name == "vi",
    )
    for place, (name, label, asks, reference, index, aliases) in enumerate(
        (
            (
                "homogeneity",
                "Homogeneity",
                "does each response cluster hold one key cluster only?",
                "Rosenberg and Hirschberg (2007)",
                _homogeneity,
                (),
            ),
            (
                "completeness",
                "Completeness",
                "is each key cluster in one response cluster?",
                "Rosenberg and Hirschberg (2007)",
                _completeness,
                (),
            ),
            (
                "v-measure",
                "V-measure",
                "harmonic mean of homogeneity and completeness",
                "Rosenberg and Hirschberg (2007)",
                _v_measure,
                ("v",),
            ),
            (
                "nmi",
                "Normalised mutual information",
                "what either side says of the other, by their mean entropy",
                "Strehl and Ghosh (2002)",
                _v_measure,
                (),
            ),
            (
                "vi",
                "Variation of information",
                "what is left to know of each side, given the other",
                "Meilă (2003)",
                _variation,
                (),
            ),
        ),
        start=610,
    )
)
