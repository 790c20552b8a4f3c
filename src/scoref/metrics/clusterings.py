"""Scores from a profile: integers are added up, and divided once.

With n the mentions that a key cluster of size a and a response cluster of size b share:

    pairwise             Σ C(n, 2)  of  Σ C(a, 2)  and  Σ C(b, 2): links
    pairwise-membership  Σ n²       of  Σ a²       and  Σ b²: a mention with itself, too
    pairwise-s2and       as pairwise, and a singleton has a link to itself
    bcub                 Σ n² / a   of  Σ a        and  Σ n² / b  of  Σ b: by mention
    bcub-entity          Σ (n / a)²                and  Σ n² / (a b), both of the number
                         of key clusters
    cluster              clusters that are equal, of all of either side
    closest-cluster      Jaccard's index n / (a + b − n) with the nearest cluster

A mention of one side only is in a or b and in no n, as in the rest of scoref. The other
variants of B³ and CEAF treat it in other ways (Cai and Strube, 2010): see
`b_cubed_0` to `b_cubed_sys`, and `alignments` for CEAF.

Sums of fractions are exact sums (`math.fsum`), so that no order of rows can change a
digit.
"""

from __future__ import annotations

from math import comb, fsum
from typing import TYPE_CHECKING

from scoref.metrics.alignments import ALIGNED, Sides
from scoref.metrics.base import Score
from scoref.metrics.indices import values
from scoref.metrics.ratios import Ratios, figures, score_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from scoref.contingency.profile import Profile, Sizes

__all__ = [
    "ALIGNED",
    "RATIOS",
    "Ratios",
    "Sides",
    "blanc",
    "blanc_counts",
    "score_of",
    "values",
]


def _cells(profile: Profile) -> list[tuple[int, int, int, int]]:
    return [
        (row.n, row.a, row.b, times) for row, times in profile.cells.items() if row.n
    ]


def _sum_sizes(sizes: Counter[Sizes], of: Callable[[int], int]) -> int:
    return sum(of(kind.size) * times for kind, times in sizes.items())


def pairwise(profile: Profile) -> Ratios:
    """Links: unordered pairs of different mentions."""
    both = sum(comb(n, 2) * times for n, _, _, times in _cells(profile))
    return Ratios(
        (both, _sum_sizes(profile.key, lambda size: comb(size, 2))),
        (both, _sum_sizes(profile.response, lambda size: comb(size, 2))),
    )


def pairwise_membership(profile: Profile) -> Ratios:
    """Ordered pairs, a mention with itself included (paper coreference)."""
    both = sum(n * n * times for n, _, _, times in _cells(profile))
    return Ratios(
        (both, _sum_sizes(profile.key, lambda size: size * size)),
        (both, _sum_sizes(profile.response, lambda size: size * size)),
    )


def pairwise_s2and(profile: Profile) -> Ratios:
    """Links, and a singleton is a link to itself (S2AND)."""

    def links(size: int) -> int:
        return comb(size, 2) if size > 1 else size

    both = sum(
        (comb(n, 2) + (n == a == b == 1)) * times for n, a, b, times in _cells(profile)
    )
    return Ratios(
        (both, _sum_sizes(profile.key, links)),
        (both, _sum_sizes(profile.response, links)),
    )


def muc(profile: Profile) -> Ratios:
    """Links that hold clusters together (Vilain et al., 1995)."""
    both = sum((n - 1) * times for n, _, _, times in _cells(profile))
    return Ratios(
        (both, _sum_sizes(profile.key, lambda size: size - 1)),
        (both, _sum_sizes(profile.response, lambda size: size - 1)),
    )


def b_cubed(profile: Profile) -> Ratios:
    """Each mention's share of its cluster (Bagga and Baldwin, 1998)."""
    cells = _cells(profile)
    return Ratios(
        (fsum(n * n * times / a for n, a, _, times in cells), profile.key_mentions),
        (
            fsum(n * n * times / b for n, _, b, times in cells),
            profile.response_mentions,
        ),
    )


def b_cubed_entity(profile: Profile) -> Ratios:
    """The same, averaged by key cluster (er-evaluation)."""
    cells = _cells(profile)
    clusters = profile.key.total()
    return Ratios(
        (fsum(n * n * times / (a * a) for n, a, _, times in cells), clusters),
        (fsum(n * n * times / (a * b) for n, a, b, times in cells), clusters),
    )


def lea(profile: Profile) -> Ratios:
    """Links, weighted by cluster (Moosavi and Strube, 2016).

    Singletons have a link to themselves, as in its authors' scorer.
    """
    cells = _cells(profile)

    def resolved(n: int, size: int, other: int, times: int) -> float:
        if size == 1:
            return float((n == other == 1) * times)
        return size * comb(n, 2) * times / comb(size, 2)

    return Ratios(
        (fsum(resolved(n, a, b, t) for n, a, b, t in cells), profile.key_mentions),
        (fsum(resolved(n, b, a, t) for n, a, b, t in cells), profile.response_mentions),
    )


def cluster(profile: Profile) -> Ratios:
    """Clusters that are exactly equal."""
    both = sum(times for n, a, b, times in _cells(profile) if n == a == b)
    return Ratios((both, profile.key.total()), (both, profile.response.total()))


def closest_cluster(profile: Profile) -> Ratios:
    """How near the nearest cluster is, by Jaccard's index, on average."""

    def nearest(best: Counter[float]) -> float:
        return fsum(index * times for index, times in best.items())

    return Ratios(
        (nearest(profile.key_best), profile.key.total()),
        (nearest(profile.response_best), profile.response.total()),
    )


def b_cubed_0(profile: Profile) -> Ratios:
    """B³ that leaves out what only the response has (Stoyanov et al., 2009)."""
    kept = [
        (row.n, row.a, row.b_common, times)
        for row, times in profile.cells.items()
        if row.n
    ]
    return Ratios(
        (fsum(n * n * times / a for n, a, _, times in kept), profile.key_mentions),
        (fsum(n * n * times / b for n, _, b, times in kept), profile.common_mentions),
    )


def _alone(sizes: Counter[Sizes], *, singletons: bool) -> float:
    """Credit each one-sided mention with itself alone, of its cluster."""
    return fsum(
        (kind.size - kind.common) * times / kind.size
        for kind, times in sizes.items()
        if singletons or kind != (1, 0)
    )


def _mentions(sizes: Counter[Sizes], *, singletons: bool) -> int:
    """Count mentions, with or without one-sided ones that are clusters of their own."""
    return sum(
        kind.size * times
        for kind, times in sizes.items()
        if singletons or kind != (1, 0)
    )


def _b_cubed_credited(profile: Profile, *, singletons: bool) -> Ratios:
    usual = b_cubed(profile)
    alone = _alone(profile.key, singletons=True)
    credit = _alone(profile.response, singletons=singletons)
    return Ratios(
        (fsum((usual.recall[0], alone)), usual.recall[1]),
        (
            fsum((usual.precision[0], credit)),
            _mentions(profile.response, singletons=singletons),
        ),
    )


def b_cubed_all(profile: Profile) -> Ratios:
    """B³ that takes a one-sided mention for a cluster of its own (idem)."""
    return _b_cubed_credited(profile, singletons=True)


def b_cubed_rn(profile: Profile) -> Ratios:
    """The same without response singletons that the key lacks (Rahman and Ng, 2009)."""
    return _b_cubed_credited(profile, singletons=False)


def b_cubed_sys(profile: Profile) -> Ratios:
    """B³ of Cai and Strube (2010): each side gets what it lacks as singletons."""
    recall, precision = b_cubed_rn(profile)
    missing = profile.key_mentions - profile.common_mentions
    return Ratios(recall, (fsum((precision[0], missing)), precision[1] + missing))


RATIOS: dict[str, Callable[[Profile], Ratios]] = {
    "pairwise": pairwise,
    "pairwise-membership": pairwise_membership,
    "pairwise-s2and": pairwise_s2and,
    "muc": muc,
    "bcub": b_cubed,
    "bcub-entity": b_cubed_entity,
    "lea": lea,
    "cluster": cluster,
    "closest-cluster": closest_cluster,
    "bcub-0": b_cubed_0,
    "bcub-all": b_cubed_all,
    "bcub-rn": b_cubed_rn,
    "bcub-sys": b_cubed_sys,
}
"""What has recall and precision, and follows from the profile."""


def blanc_counts(profile: Profile) -> tuple[Ratios, Ratios]:
    """Links inside clusters, and across."""
    inside = pairwise(profile)
    key, response = profile.key_mentions, profile.response_mentions
    common = profile.common_mentions
    both_c = inside.recall[0]
    together_key = sum(
        comb(kind.common, 2) * times for kind, times in profile.key.items()
    )
    together_response = sum(
        comb(kind.common, 2) * times for kind, times in profile.response.items()
    )
    both_n = comb(common, 2) - together_key - together_response + both_c
    across = Ratios(
        (both_n, comb(key, 2) - inside.recall[1]),
        (both_n, comb(response, 2) - inside.precision[1]),
    )
    return inside, across


def blanc(inside: Ratios, across: Ratios, undefined: float = 0.0) -> Score:
    """Average both kinds of links (Luo et al., 2014).

    A kind that the key lacks is left out, as in the reference scorer.
    """
    is_defined = any(bottom for kind in (inside, across) for _, bottom in kind)
    if not inside.recall[1]:
        return score_of(across, undefined)._replace(is_defined=is_defined)
    if not across.recall[1]:
        return score_of(inside, undefined)._replace(is_defined=is_defined)
    one, other = figures(inside, undefined), figures(across, undefined)
    recall, precision, f1 = (fsum(each) / 2 for each in zip(one, other, strict=True))
    return Score(recall, precision, f1)
