"""The Universal Anaphora scorer 2.0 once more: slow, from its description.

Documents are scored one by one, numerators and denominators are added up. A mention
is a set of words, and a plural the set of its elements, each a tuple of mentions.
Where the official scorer leaves something to the order of a set, or crashes:

- a plural is the first mention of its entity (BLANC);
- equal places go by their words (matching);
- an entity that was left without mentions is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from support.oracle_ua_metrics import (
    METRICS,
    Cluster,
    Pair,
    assigned,
    only_plurals,
    owners,
    score,
    total,
    with_plurals,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from support.oracle_ua_metrics import Elements, Figures, Identity, Sums
    from support.universal_anaphora import Document, Mention, Word

    Verdicts = Counter[str]

LEVELS = ("bridging-anaphors", "bridging-markables", "bridging-entities")


class Setting(NamedTuple):
    """The options of the scorer."""

    match: str
    keeps_singletons: bool
    keeps_plurals: bool
    keeps_zeros: bool


class Side(NamedTuple):
    """A document of one side, filtered."""

    clusters: list[Cluster]
    non_referring: list[Identity]
    bridges: dict[Identity, Identity]


def figures(
    key: list[Document], response: list[Document], setting: Setting
) -> dict[str, Figures]:
    """Score with every metric: recall, precision and F₁."""
    sides = _sides(key, response, setting)
    pairs = [_pair(*both, setting.match) for both in sides]
    found = {
        name: score(total(with_plurals(pair, name) for pair in pairs))
        for name in METRICS
    }
    kinds = [total(with_plurals(pair, name) for pair in pairs) for name in "CN"]
    found["blanc"] = _mean([score(kind) for kind in kinds if kind[1] or kind[3]])
    found["mor"] = score(total(map(_mor, pairs)))
    found["mentions"] = score(total(map(_mentions, pairs)))
    found["non-referring"] = _rates(_non_referring(*both) for both in sides)
    for level in LEVELS:
        found[level] = _rates(_bridging(*both, level) for both in sides)
    return found


def figures_of_plurals(
    key: list[Document], response: list[Document], setting: Setting
) -> dict[str, Figures]:
    """Score plurals and nothing else; BLANC is made of what the whole is made of."""
    pairs = [_pair(*both, setting.match) for both in _sides(key, response, setting)]
    found = {
        name: score(total(only_plurals(pair, name) for pair in pairs))
        for name in METRICS
    }
    kinds = []
    for name in "CN":
        whole = total(with_plurals(pair, name) for pair in pairs)
        if whole[1] or whole[3]:
            kinds.append(score(total(only_plurals(pair, name) for pair in pairs)))
    return found | {"blanc": _mean(kinds)}


def _sides(
    key: list[Document], response: list[Document], setting: Setting
) -> list[tuple[Side, Side]]:
    others = {document.name: document for document in response}
    return [
        (_side(document, setting), _side(others[document.name], setting))
        for document in key
    ]


def _mean(kinds: list[Figures]) -> Figures:
    mean = [sum(column) / len(kinds) for column in zip(*kinds, strict=True)]
    return (mean[0], mean[1], mean[2]) if kinds else (0.0, 0.0, 0.0)


def _rates(verdicts: Iterable[Verdicts]) -> Figures:
    counts: Verdicts = sum(verdicts, Counter())
    true = counts["tp"]
    return score((true, true + counts["fn"], true, true + counts["fp"]))


def _side(document: Document, setting: Setting) -> Side:
    """Filter a document: plurals, what does not refer, singletons, zeros, repeats."""
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for markable in document.markables:
        mentions[markable.entity].append(markable.mention)
    clusters: list[Cluster] = []
    non_referring = []
    for name, listed in mentions.items():
        if not document.entities[name].is_referring:
            non_referring.append(frozenset(listed[0].words))
            continue
        plural = _elements(document, name, mentions) if setting.keeps_plurals else None
        cluster = _cluster(listed, plural)
        if cluster.size > 1 or setting.keeps_singletons:
            if setting.keeps_plurals:
                cluster.mentions = list(dict.fromkeys(cluster.mentions))
            _drop_zeros(cluster, setting)
            _join(clusters, cluster)
    # The last anchor of a markable counts, and then the last of equal markables.
    anchors = dict(document.bridged)
    bridges = {
        frozenset(anaphor.mention.words): frozenset(antecedent.mention.words)
        for anaphor, antecedent in anchors.items()
    }
    clusters = [cluster for cluster in clusters if cluster.size]
    return Side(clusters, non_referring, bridges)


def _cluster(mentions: list[Mention], plural: Elements | None) -> Cluster:
    cluster = Cluster([frozenset(mention.words) for mention in mentions], plural)
    for mention in mentions:
        first, last = mention.minimum or (1, 0)
        minimum = frozenset((number, 0) for number in range(first, last + 1))
        cluster.minimum.setdefault(frozenset(mention.words), minimum)
    return cluster


def _elements(
    document: Document, name: str, mentions: dict[str, list[Mention]]
) -> Elements | None:
    waiting, leaves = list(document.entities[name].elements), []
    for element in waiting:
        entity = document.entities[element]
        elements = entity.elements if entity.is_referring else []
        waiting += elements
        if not elements:
            leaves.append(element)
    found = frozenset(
        tuple(frozenset(mention.words) for mention in mentions[leaf]) for leaf in leaves
    )
    return found or None


def _drop_zeros(cluster: Cluster, setting: Setting) -> None:
    if not setting.keeps_zeros:
        cluster.mentions = [one for one in cluster.mentions if not _is_zero(one)]


def _is_zero(mention: Identity) -> bool:
    return any(zero for _, zero in mention)


def _join(clusters: list[Cluster], cluster: Cluster) -> None:
    """Add a cluster, or put it into an earlier one that has an equal plural."""
    for earlier in clusters:
        if cluster.plural is not None and earlier.plural == cluster.plural:
            both = earlier.mentions + cluster.mentions
            earlier.mentions = list(dict.fromkeys(both))
            earlier.minimum = cluster.minimum | earlier.minimum
            return
    clusters.append(cluster)


def _pair(key: Side, response: Side, match: str) -> Pair:
    """Match what is not equal, and write both directions into one dictionary."""
    pools = [set(owners(side.clusters)) for side in (key, response)]
    equal = pools[0] & pools[1]
    # The official order of equal places is that of a hash; here that of the words.
    rows, columns = (
        sorted(
            pool - equal, key=lambda one: (min(one), max(one), len(one), sorted(one))
        )
        for pool in pools
    )
    pairs: list[tuple[Identity, Identity]] = []
    if match == "craft":
        pairs = _greedy(rows, columns)
    elif match == "partial":
        minimum: dict[Identity, frozenset[Word]] = {}
        for cluster in key.clusters:
            minimum = cluster.minimum | minimum  # the first one counts
        matrix = np.zeros((len(rows), len(columns)))
        for i, one in enumerate(rows):
            for j, other in enumerate(columns):
                matrix[i, j] = _similarity(one, other, minimum[one])
        pairs = [(rows[i], columns[j]) for i, j in assigned(matrix) if matrix[i, j]]
    lead = dict(pairs) | {other: one for one, other in pairs}
    return Pair(key.clusters, response.clusters, lead)


def _similarity(key: Identity, response: Identity, minimum: frozenset[Word]) -> float:
    fits = bool(minimum) and minimum <= response <= key
    return len(response) / len(key) if fits else 0.0


def _greedy(
    key: list[Identity], response: list[Identity]
) -> list[tuple[Identity, Identity]]:
    pairs: dict[Identity, Identity] = {}
    for other in response:
        for one in key:
            if any(run <= _runs(one)[0] for run in _runs(other)):
                pairs.setdefault(one, other)
                break
    return list(pairs.items())


def _runs(mention: Identity) -> list[set[Word]]:
    runs: list[set[Word]] = []
    for number, zero in sorted(mention):
        if not zero and runs and (number - 1, 0) in runs[-1]:
            runs[-1].add((number, zero))
        else:
            runs.append({(number, zero)})
    return runs


def _mor(pair: Pair) -> Sums:
    sides = [
        [mention for cluster in side for mention in cluster.mentions]
        for side in (pair.key, pair.response)
    ]
    matrix = np.zeros((len(sides[0]), len(sides[1])))
    for i, one in enumerate(sides[0]):
        for j, other in enumerate(sides[1]):
            matrix[i, j] = len(one & other)
    best = sum(float(matrix[place]) for place in assigned(matrix))
    words = [sum(map(len, side)) for side in sides]
    return best, words[0], best, words[1]


def _mentions(pair: Pair) -> Sums:
    pools = [set(owners(side)) for side in (pair.key, pair.response)]
    common = sum(pair.lead.get(one, one) in pools[1] for one in pools[0])
    return common, len(pools[0]), common, len(pools[1])


def _non_referring(key: Side, response: Side) -> Verdicts:
    ours, theirs = key.non_referring, response.non_referring
    verdicts: Verdicts = Counter("tp" if one in theirs else "fn" for one in ours)
    verdicts["fp"] = sum(one not in ours for one in theirs)
    return verdicts


def _bridging(key: Side, response: Side, level: str) -> Verdicts:
    ours, theirs = key.bridges, response.bridges
    owner = owners(key.clusters)
    verdicts: Verdicts = Counter()
    for anaphor in ours.keys() | theirs.keys():
        pair = ours.get(anaphor), theirs.get(anaphor)
        if None not in pair and _is_right(pair, level, owner):
            verdicts["tp"] += 1
            continue
        verdicts["fn"] += anaphor in ours
        verdicts["fp"] += anaphor in theirs
    return verdicts


def _is_right(
    antecedents: tuple[Identity | None, Identity | None],
    level: str,
    owner: dict[Identity, int],
) -> bool:
    one, other = antecedents
    if level == "bridging-anaphors" or one == other:
        return True
    if level == "bridging-markables" or one not in owner or other not in owner:
        return False
    return owner[one] == owner[other]
