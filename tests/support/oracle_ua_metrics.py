"""The metrics of the Universal Anaphora scorer 2.0, slow, from their description.

K and S are lists of clusters of the key and of the response. A cluster has mentions
and, if it is a plural, what it stands for. ``lead`` says which mention of the other
side a mention was matched with, if it is another one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from support.universal_anaphora import Word

    Identity = frozenset[Word]
    Elements = frozenset[tuple[Identity, ...]]
    Sums = tuple[float, float, float, float]
    Figures = tuple[float, float, float]
    Links = dict[int, tuple[int, float]]

METRICS = ("muc", "bcub", "ceafe", "ceafm", "lea")
BY_EQUALITY = ("lea", "C", "N")


@dataclass
class Cluster:
    """An entity: its mentions, what it stands for if it is a plural, and minimums."""

    mentions: list[Identity]
    plural: Elements | None = None
    minimum: dict[Identity, frozenset[Word]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.mentions) + (self.plural is not None)


class Weights(NamedTuple):
    """To which cluster a plural is aligned, and how well: by R, by P, and by F₁."""

    rho: Links
    pi: Links
    phi: Links


class Direction(NamedTuple):
    """One side looked at from the other: what is found of its clusters."""

    clusters: list[Cluster]
    others: list[Cluster]
    found: list[list[int]]  # for each cluster, the owners of what has one
    links: Links


@dataclass
class Pair:
    """The clusters of two documents, or the elements of two plurals."""

    key: list[Cluster]
    response: list[Cluster]
    lead: dict[Identity, Identity]

    def found(self, clusters: list[Cluster], others: list[Cluster]) -> list[list[int]]:
        """Give the other side's owner of each mention that has one."""
        owner = owners(others)
        led = [[self.lead.get(one, one) for one in each.mentions] for each in clusters]
        return [[owner[one] for one in each if one in owner] for each in led]

    def directions(self, weights: Weights) -> tuple[Direction, Direction]:
        """Look at the key, for recall, and at the response, for precision."""
        key, response = self.key, self.response
        return (
            Direction(key, response, self.found(key, response), weights.rho),
            Direction(response, key, self.found(response, key), weights.pi),
        )


def with_plurals(pair: Pair, metric: str) -> Sums:
    """Count a document, plurals included."""
    weights, _ = _aligned(pair, metric)
    return _COUNTS[metric](pair, weights)


def only_plurals(pair: Pair, metric: str) -> Sums:
    """Count the elements of plurals."""
    return _aligned(pair, metric)[1]


def total(counts: Iterable[Sums]) -> Sums:
    """Add up numerators and denominators."""
    r, of, p, out_of = (sum(column) for column in zip(*counts, strict=True))
    return r, of, p, out_of


def score(sums: Sums) -> Figures:
    """Divide; 0/0 is 0."""
    recall = sums[0] / sums[1] if sums[0] and sums[1] else 0.0
    precision = sums[2] / sums[3] if sums[2] and sums[3] else 0.0
    both = recall + precision
    return recall, precision, 2 * recall * precision / both if both else 0.0


def owners(clusters: list[Cluster]) -> dict[Identity, int]:
    """Say which cluster a mention belongs to; the last one that lists it."""
    return {
        mention: number
        for number, cluster in enumerate(clusters)
        for mention in cluster.mentions
    }


def assigned(matrix: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Choose rows and columns one to one for the highest sum."""
    if not matrix.size:
        return []
    chosen = zip(*linear_sum_assignment(-matrix), strict=True)
    return [(int(i), int(j)) for i, j in chosen]


def _aligned(pair: Pair, metric: str) -> tuple[Weights, Sums]:
    """Align plurals by the F₁ of their elements; and add these up."""
    rows, columns = (
        [number for number, cluster in enumerate(side) if cluster.plural]
        for side in (pair.key, pair.response)
    )
    counts = {
        (i, j): _count_elements(pair, i, j, metric) for i in rows for j in columns
    }
    f1 = [[score(counts[i, j])[2] for j in columns] for i in rows]
    weights = Weights({}, {}, {})
    sums = np.zeros(4)
    matrix = np.array(f1).reshape(len(rows), len(columns))
    for row, column in assigned(matrix):
        i, j = rows[row], columns[column]
        recall, precision, both = score(counts[i, j])
        if recall:
            weights.rho[i] = j, recall
        if precision:
            weights.pi[j] = i, precision
        if both:
            weights.phi[i] = j, both
        sums += np.array(counts[i, j]) * (1, 0, 1, 0)
    for i in rows:
        sums[1] += _count_elements(pair, i, None, metric)[1]
    for j in columns:
        sums[3] += _count_elements(pair, None, j, metric)[3]
    if metric in BY_EQUALITY:
        _add_equal(pair, weights)
    return weights, (sums[0], sums[1], sums[2], sums[3])


def _count_elements(pair: Pair, i: int | None, j: int | None, metric: str) -> Sums:
    """Run the metric on what two plurals stand for; None stands for nothing."""
    plurals = (
        pair.key[i].plural if i is not None else None,
        pair.response[j].plural if j is not None else None,
    )
    clusters = [[Cluster(list(one)) for one in plural or ()] for plural in plurals]
    elements = Pair(clusters[0], clusters[1], pair.lead)
    count = _muc_of_elements if metric == "muc" else _COUNTS[metric]
    return count(elements, Weights({}, {}, {}))


def _add_equal(pair: Pair, weights: Weights) -> None:
    """Find equal plurals where one is not aligned."""
    for i, cluster in enumerate(pair.key):
        for j, other in enumerate(pair.response):
            if cluster.plural and cluster.plural == other.plural:
                weights.rho.setdefault(i, (j, 1.0))
                weights.pi.setdefault(j, (i, 1.0))
                weights.phi.setdefault(i, (j, 1.0))


def _muc(pair: Pair, weights: Weights) -> Sums:
    sums: list[float] = []
    for side in pair.directions(weights):
        kept = 0.0
        for number, (cluster, found) in enumerate(
            zip(side.clusters, side.found, strict=True)
        ):
            lost = len(cluster.mentions) - len(found)
            kept += cluster.size - lost - len(set(found))
            if cluster.plural:
                partner, weight = side.links.get(number, (-1, 0.0))
                kept -= 1 - weight if partner in found else 1
        sums += [kept, sum(cluster.size - 1 for cluster in side.clusters)]
    return _as_sums(sums)


def _muc_of_elements(pair: Pair, weights: Weights) -> Sums:
    sums = list(_muc(pair, weights))
    for place, side in zip((0, 2), pair.directions(weights), strict=True):
        for cluster, found in zip(side.clusters, side.found, strict=True):
            if cluster.size == 1:
                sums[place] += bool(found) and side.others[found[0]].size == 1
                sums[place + 1] += 1
    return _as_sums(sums)


def _bcub(pair: Pair, weights: Weights) -> Sums:
    sums: list[float] = []
    for side in pair.directions(weights):
        kept = 0.0
        for number, (cluster, found) in enumerate(
            zip(side.clusters, side.found, strict=True)
        ):
            share: Counter[int] = Counter(found)
            times = {owner: float(count) for owner, count in share.items()}
            if number in side.links:
                partner, weight = side.links[number]
                times[partner] = times.get(partner, 0.0) + weight
            kept += sum(count**2 for count in times.values()) / cluster.size
        sums += [kept, sum(cluster.size for cluster in side.clusters)]
    return _as_sums(sums)


def _ceaf(
    pair: Pair, weights: Weights, similarity: Callable[[float, int, int], float]
) -> float:
    matrix = np.zeros((len(pair.key), len(pair.response)))
    for i, cluster in enumerate(pair.key):
        leads = [pair.lead.get(mention, mention) for mention in cluster.mentions]
        for j, other in enumerate(pair.response):
            common = float(sum(lead in other.mentions for lead in leads))
            partner, weight = weights.phi.get(i, (-1, 0.0))
            common += weight if partner == j else 0
            matrix[i, j] = similarity(common, cluster.size, other.size)
    return sum(float(matrix[place]) for place in assigned(matrix))


def _ceafe(pair: Pair, weights: Weights) -> Sums:
    best = _ceaf(pair, weights, lambda common, key, other: 2 * common / (key + other))
    return best, len(pair.key), best, len(pair.response)


def _ceafm(pair: Pair, weights: Weights) -> Sums:
    best = _ceaf(pair, weights, lambda common, _key, _other: common)
    sizes = [sum(each.size for each in side) for side in (pair.key, pair.response)]
    return best, sizes[0], best, sizes[1]


def _weighed(side: Direction, number: int) -> list[tuple[int, float]]:
    """Give the owner and the weight of all that is found, the plural's first."""
    plural = [side.links[number]] if number in side.links else []
    return plural + [(owner, 1.0) for owner in side.found[number]]


def _lea(pair: Pair, weights: Weights) -> Sums:
    sums: list[float] = []
    for side in pair.directions(weights):
        kept = 0.0
        for number, cluster in enumerate(side.clusters):
            if cluster.size == 1:
                kept += _is_resolved(cluster, side, number)
                continue
            ends = _weighed(side, number)
            links = cluster.size * (cluster.size - 1) / 2
            common = sum(v * w for (i, v), (j, w) in combinations(ends, 2) if i == j)
            kept += cluster.size * common / links
        sums += [kept, sum(cluster.size for cluster in side.clusters)]
    return _as_sums(sums)


def _is_resolved(cluster: Cluster, side: Direction, number: int) -> bool:
    """Tell whether an entity of one mention, or of a plural alone, is one there, too.

    A plural must have an equal one there: how it was aligned does not matter.
    """
    owners = side.found[number]
    if cluster.plural:
        others = enumerate(side.others)
        owners = [owner for owner, other in others if other.plural == cluster.plural]
    return any(side.others[owner].size == 1 for owner in owners)


def _coreferent(pair: Pair, weights: Weights) -> Sums:
    side = pair.directions(weights)[0]._replace(links=weights.phi)
    both = 0.0
    for number in range(len(side.clusters)):
        # The plural comes first, so that it is the earlier one of its pairs.
        ends = combinations(_weighed(side, number), 2)
        both += sum(weight for (i, weight), (j, _) in ends if i == j)
    return both, _inside(pair.key), both, _inside(pair.response)


def _separate(pair: Pair, weights: Weights) -> Sums:
    side = pair.directions(weights)[0]._replace(links=weights.phi)
    ends = [_weighed(side, number) for number in range(len(side.clusters))]
    both = sum(
        v * w
        for one, other in combinations(ends, 2)
        for i, v in one
        for j, w in other
        if i != j
    )
    return both, _across(pair.key), both, _across(pair.response)


def _inside(clusters: list[Cluster]) -> int:
    return sum(cluster.size * (cluster.size - 1) // 2 for cluster in clusters)


def _across(clusters: list[Cluster]) -> int:
    mentions = sum(cluster.size for cluster in clusters)
    return mentions * (mentions - 1) // 2 - _inside(clusters)


def _as_sums(sums: list[float]) -> Sums:
    return sums[0], sums[1], sums[2], sums[3]


_COUNTS: dict[str, Callable[[Pair, Weights], Sums]] = {
    "muc": _muc,
    "bcub": _bcub,
    "ceafe": _ceafe,
    "ceafm": _ceafm,
    "lea": _lea,
    "C": _coreferent,
    "N": _separate,
}
