"""Scores of clusterings from their definitions: sets, all pairs, exact fractions; slow.

The twinless variants change the sides as Cai and Strube (2010) write, and then count
plain B³ or CEAF.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, log, sqrt
from typing import TYPE_CHECKING

from support import oracle_metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from support.oracle_metrics import Counts, Entity

    Side = Sequence[Entity]


def _all(side: Side) -> Entity:
    return frozenset().union(*side)


def _of(mention: int, side: Side) -> Entity:
    return next((each for each in side if mention in each), frozenset())


def _shares(found: set[Entity], key: set[Entity], response: set[Entity]) -> Counts:
    return tuple(Fraction(len(each)) for each in (found, key, found, response))


def _links(side: Side) -> set[Entity]:
    return {frozenset(pair) for each in side for pair in combinations(each, 2)}


def pairwise(key: Side, response: Side) -> Counts:
    ours, theirs = _links(key), _links(response)
    return _shares(ours & theirs, ours, theirs)


def pairwise_membership(key: Side, response: Side) -> Counts:
    """Count by mention, as the text of the paper-coreference evaluation does."""
    found = missed = spurious = 0
    for mention in _all(key) | _all(response):
        gold, predicted = _of(mention, key), _of(mention, response)
        found += len(gold & predicted)
        spurious += len(predicted - gold)
        missed += len(gold - predicted)
    counts = (found, found + missed, found, found + spurious)
    return tuple(map(Fraction, counts))


def pairwise_s2and(key: Side, response: Side) -> Counts:
    ours, theirs = (
        _links(side) | {each for each in side if len(each) == 1}
        for side in (key, response)
    )
    return _shares(ours & theirs, ours, theirs)


def bcub_entity(key: Side, response: Side) -> Counts:
    recall = precision = Fraction(0)
    for entity in key:
        for mention in entity:
            found = _of(mention, response)
            shared = len(entity & found)
            recall += Fraction(shared, len(entity)) / len(entity)
            precision += Fraction(shared, len(found) or 1) / len(entity)
    entities = Fraction(len(key))
    return recall, entities, precision, entities


def cluster(key: Side, response: Side) -> Counts:
    return _shares(set(key) & set(response), set(key), set(response))


def closest_cluster(key: Side, response: Side) -> Counts:
    def nearest(own: Side, other: Side) -> Fraction:
        return sum(
            (
                max(
                    (Fraction(len(e & o), len(e | o)) for o in other),
                    default=Fraction(),
                )
                for e in own
            ),
            start=Fraction(),
        )

    return (
        nearest(key, response),
        Fraction(len(key)),
        nearest(response, key),
        Fraction(len(response)),
    )


def bcub_0(key: Side, response: Side) -> Counts:
    return oracle_metrics.bcub(key, _without(response, _all(response) - _all(key)))


def bcub_all(key: Side, response: Side) -> Counts:
    recall, of_recall, precision, of_precision = oracle_metrics.bcub(key, response)
    recall += _each_alone(key, _all(key) - _all(response))
    precision += _each_alone(response, _all(response) - _all(key))
    return recall, of_recall, precision, of_precision


def bcub_rn(key: Side, response: Side) -> Counts:
    return bcub_all(key, _less_singletons(key, response))


def bcub_sys(key: Side, response: Side) -> Counts:
    return _sys(key, response, oracle_metrics.bcub)


def ceafm_rn(key: Side, response: Side) -> Counts:
    return oracle_metrics.ceafm(key, _less_singletons(key, response))


def ceafm_sys(key: Side, response: Side) -> Counts:
    return _sys(key, response, oracle_metrics.ceafm)


def ceafe_sys(key: Side, response: Side) -> Counts:
    return _sys(key, response, oracle_metrics.ceafe)


def _sys(key: Side, response: Side, count: Callable[[Side, Side], Counts]) -> Counts:
    """Follow the paper's two algorithms, line by line."""
    kept = _less_singletons(key, response)
    missing = [frozenset({mention}) for mention in _all(key) - _all(response)]
    spurious = _all(kept) - _all(key)
    for_precision = [*kept, *missing]
    key_for_precision = [*key, *(frozenset({mention}) for mention in spurious)]
    for_recall = _without(for_precision, spurious)
    recall = count(key, for_recall)[:2]
    return *recall, *count(key_for_precision, for_precision)[2:]


def _less_singletons(key: Side, response: Side) -> list[Entity]:
    return [each for each in response if len(each) > 1 or each & _all(key)]


def _without(side: Side, mentions: Entity) -> list[Entity]:
    return [each - mentions for each in side if each - mentions]


def _each_alone(side: Side, mentions: Iterable[int]) -> Fraction:
    parts = (Fraction(1, len(_of(mention, side))) for mention in mentions)
    return sum(parts, start=Fraction())


RATIO_ORACLES = {
    "pairwise": pairwise,
    "pairwise-membership": pairwise_membership,
    "pairwise-s2and": pairwise_s2and,
    "muc": oracle_metrics.muc,
    "bcub": oracle_metrics.bcub,
    "bcub-entity": bcub_entity,
    "lea": oracle_metrics.lea_self_links,
    "cluster": cluster,
    "closest-cluster": closest_cluster,
    "bcub-0": bcub_0,
    "bcub-all": bcub_all,
    "bcub-rn": bcub_rn,
    "bcub-sys": bcub_sys,
    "bcub-extended": oracle_metrics.bcub,  # of partitions
    "ceafm": oracle_metrics.ceafm,
    "ceafe": oracle_metrics.ceafe,
    "ceafm-rn": ceafm_rn,
    "ceafm-sys": ceafm_sys,
    "ceafe-sys": ceafe_sys,
}


def common(key: Side, response: Side) -> tuple[list[Entity], list[Entity]]:
    """Take away what only one side has."""
    both = _all(key) & _all(response)
    return tuple(
        [each & both for each in side if each & both] for side in (key, response)
    )  # type: ignore[return-value] # two of them


def values(key: Side, response: Side) -> dict[str, float]:
    """Compute every index of two partitions of the same mentions, at least of one."""
    mentions = sorted(_all(key))
    pairs = [frozenset(pair) for pair in combinations(mentions, 2)]
    ours, theirs = _links(key), _links(response)
    both, every = len(ours & theirs), len(pairs)
    agreed = sum((pair in ours) == (pair in theirs) for pair in pairs)
    found = {
        "rand": agreed / every if every else 1.0,
        "ari": _adjusted(both, len(ours), len(theirs), every),
        "fowlkes-mallows": both / sqrt(len(ours) * len(theirs))
        if ours and theirs
        else 0.0,
    }
    return found | _information(key, response, mentions) | _parts(key, response)


def _adjusted(both: int, ours: int, theirs: int, every: int) -> float:
    if not every:
        return 1.0
    expected = Fraction(ours * theirs, every)
    most = Fraction(ours + theirs, 2)
    return float((both - expected) / (most - expected)) if most != expected else 1.0


def _entropy(labels: Iterable[object]) -> float:
    counts = Counter(labels)
    total = counts.total()
    return -sum(times / total * log(times / total) for times in counts.values())


def _information(
    key: Side, response: Side, mentions: Sequence[int]
) -> dict[str, float]:
    ours, theirs = ([_of(each, side) for each in mentions] for side in (key, response))
    h_key, h_response = _entropy(ours), _entropy(theirs)
    joint = _entropy(zip(ours, theirs, strict=True))
    shared = h_key + h_response - joint
    homogeneity = shared / h_key if h_key else 1.0
    completeness = shared / h_response if h_response else 1.0
    total = homogeneity + completeness
    return {
        "homogeneity": homogeneity,
        "completeness": completeness,
        "v-measure": 2 * homogeneity * completeness / total if total > 1e-9 else 0.0,
        "nmi": 2 * homogeneity * completeness / total if total > 1e-9 else 0.0,
        "ami": _adjusted_information(key, response, len(mentions)),
        "vi": 2 * joint - h_key - h_response,
    }


def _adjusted_information(key: Side, response: Side, total: int) -> float:
    """Compare what is left to know with its mean over ways to hand out clusters."""

    def left(n: int, a: int, b: int) -> float:
        return n * (log(a / n) + log(b / n)) / 2

    cells = [
        (len(one & other), len(one), len(other)) for one in key for other in response
    ]
    found = sum(left(n, a, b) for n, a, b in cells if n)
    chance = sum(
        comb(a, n) * comb(total - a, b - n) / comb(total, b) * left(n, a, b)
        for _, a, b in cells
        for n in range(max(1, a + b - total), min(a, b) + 1)
    )
    return 1 - found / chance if chance > 1e-9 else 1.0


def _parts(key: Side, response: Side) -> dict[str, float]:
    overlaps = {one & other for one in key for other in response if one & other}
    mentions = len(_all(key))

    def pure(own: Side, other: Side) -> float:
        return sum(max(len(each & one) for one in other) for each in own) / mentions

    return {
        "talburt-wang": sqrt(len(key) * len(response)) / len(overlaps),
        "gmd": len(overlaps) - len(key) + len(overlaps) - len(response),
        "purity": pure(response, key),
        "inverse-purity": pure(key, response),
    }


def fates(key: Side, response: Side) -> Counter[str]:
    """Say what became of each key cluster, by looking at whole clusters."""
    found: Counter[str] = Counter()
    for entity in key:
        touched = [each for each in response if each & entity]
        if touched:
            found[_fate(entity, touched)] += 1
    return found


def _fate(entity: Entity, touched: list[Entity]) -> str:
    if touched == [entity]:
        return "unchanged"
    if any(entity < each for each in touched):
        return "merged"
    return "partitioned" if _all(touched) == entity else "overlapping"


def steps_between(start: frozenset[Entity], end: frozenset[Entity]) -> int:
    """Search for the fewest merges of two clusters and splits of one in two.

    What does not belong together in the end must not be merged on the way.
    """
    seen, reached, steps = {start}, {start}, 0
    while end not in seen:
        reached = {far for near in reached for far in _one_step(near, end)} - seen
        seen |= reached
        steps += 1
    return steps


def _one_step(
    side: frozenset[Entity], end: frozenset[Entity]
) -> Iterable[frozenset[Entity]]:
    for one, other in combinations(side, 2):
        if any(one | other <= each for each in end):
            yield (side - {one, other}) | {one | other}
    for each in side:
        first, *rest = sorted(each)
        for size in range(len(rest)):
            for chosen in combinations(rest, size):
                part = frozenset({first, *chosen})
                yield (side - {each}) | {part, each - part}
