"""The CorefUD scorer 1.2 once more: slow, from its description, with sets and dicts.

Documents are scored one by one, numerators and denominators are added up. K and S
are lists of clusters of the key and of the response; a cluster is a list of
mentions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from support.corefud import Annotated, Word

    Identity = Hashable
    Map = dict[Identity, int]
    Sums = tuple[float, float, float, float]
    Figures = tuple[float, float, float]
    Dependencies = frozenset[tuple[str, str]]

METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")


@dataclass(frozen=True)
class Mention:
    """A mention, and what makes it the same as another one."""

    words: tuple[Word, ...]
    head: Word
    dependencies: Dependencies
    identity: Identity

    @property
    def is_zero(self) -> bool:
        return self.head[2] > 0

    @property
    def place(self) -> tuple[Word, Word, int]:
        return self.words[0], self.words[-1], len(self.words)


Cluster = list[Mention]


def figures(
    key: Annotated, response: Annotated, match: str, singletons: str, zeros: str
) -> dict[str, Figures]:
    """Score with every metric: recall, precision and F₁."""
    sides = [_documents(side, match, singletons, zeros) for side in (key, response)]
    documents = [
        Document(clusters, sides[1].get(name, []), match, zeros)
        for name, clusters in sides[0].items()
    ]
    found: dict[str, Figures] = {}
    for name, count in _COUNTS.items():
        found[name] = _figures(_total(count(each) for each in documents))
    coreferent = _total(each.blanc_coreferent() for each in documents)
    separate = _total(each.blanc_separate() for each in documents)
    kinds = [kind for kind in (coreferent, separate) if kind[1] or kind[3]]
    means = np.mean([_figures(kind) for kind in kinds], axis=0) if kinds else [0.0] * 3
    found["blanc"] = (float(means[0]), float(means[1]), float(means[2]))
    return found


def _total(counts: Iterable[Sums]) -> Sums:
    r, of, p, out_of = (sum(column) for column in zip(*counts, strict=True))
    return r, of, p, out_of


def _figures(sums: Sums) -> Figures:
    recall = sums[0] / sums[1] if sums[1] else 0.0
    precision = sums[2] / sums[3] if sums[3] else 0.0
    both = recall + precision
    return recall, precision, 2 * recall * precision / both if both else 0.0


def _documents(
    side: Annotated, match: str, singletons: str, zeros: str
) -> dict[str, list[Cluster]]:
    """Filter a side; entities in order, cut where the document changes."""
    names: list[str] = []
    for sentence in side.sentences:
        names.append(sentence.newdoc if sentence.newdoc is not None else names[-1])
    entities = []
    for name, mentions in side.entities.items():
        ranked = [
            ((one.words[0], -len(one.words), one.words[-1], name), one)
            for one in mentions
        ]
        ranked.sort(key=lambda each: each[0])
        entities.append(ranked)
    entities.sort(key=lambda ranked: ranked[0][0])
    found: dict[str, list[Cluster]] = {name: [] for name in names}
    for ranked in entities:
        pieces: dict[str, Cluster] = defaultdict(list)
        for _, one in ranked:
            mention = Mention(
                one.words,
                one.head,
                _dependencies(side, one.head),
                (one.words, one.head) if match == "head" else one.words,
            )
            pieces[names[one.words[0][0] - 1]].append(mention)
        for name, cluster in pieces.items():
            if kept := _filtered(cluster, singletons, zeros):
                found[name].append(kept)
    return found


def _dependencies(side: Annotated, head: Word) -> Dependencies:
    text = side.sentences[head[0] - 1].zeros.get(head[1:], "_")
    items = [] if text == "_" else text.split("|")
    pairs = (item.split(":", 1) for item in items)
    return frozenset((parent, relation) for parent, relation in pairs)


def _filtered(cluster: Cluster, singletons: str, zeros: str) -> Cluster:
    distinct: dict[Identity, Mention] = {}
    for mention in cluster:
        distinct.setdefault(mention.identity, mention)
    kept = list(distinct.values())
    if singletons == "drop" and len(kept) == 1:
        return []
    if zeros == "drop":
        kept = [mention for mention in kept if not mention.is_zero]
    return kept


class Document:
    """A document's clusters, who owns what, and the one dictionary of matches."""

    def __init__(
        self, key: list[Cluster], response: list[Cluster], match: str, zeros: str
    ) -> None:
        self.key, self.response = key, response
        self.owner_in_key, self.owner_in_response = _owners(key), _owners(response)
        self.alignment = _alignment(key, response, match, zeros)

    def lead(self, mention: Mention) -> Identity:
        return self.alignment.get(mention.identity, mention.identity)

    @property
    def directions(self) -> list[tuple[list[Cluster], Map, list[Cluster]]]:
        """Recall, then precision: clusters, owners on the other side, its clusters."""
        return [
            (self.key, self.owner_in_response, self.response),
            (self.response, self.owner_in_key, self.key),
        ]

    def found(self, cluster: Cluster, owners: Map) -> list[int]:
        """Give the other side's owner of each mention that has one."""
        leads = [self.lead(mention) for mention in cluster]
        return [owners[lead] for lead in leads if lead in owners]

    def muc(self) -> Sums:
        sums: list[float] = []
        for clusters, owners, _ in self.directions:
            owned = [self.found(cluster, owners) for cluster in clusters]
            links = sum(len(each) - len(set(each)) for each in owned)
            sums += [links, sum(len(cluster) - 1 for cluster in clusters)]
        return _as_sums(sums)

    def bcub(self) -> Sums:
        sums: list[float] = []
        for clusters, owners, _ in self.directions:
            kept = 0.0
            for cluster in clusters:
                times = Counter(self.found(cluster, owners)).values()
                kept += sum(count**2 for count in times) / len(cluster)
            sums += [kept, sum(map(len, clusters))]
        return _as_sums(sums)

    def ceafe(self) -> Sums:
        best = self._ceaf(lambda common, key, response: 2 * common / (key + response))
        return best, len(self.key), best, len(self.response)

    def ceafm(self) -> Sums:
        best = self._ceaf(lambda common, _key, _response: common)
        sizes = [sum(map(len, side)) for side in (self.key, self.response)]
        return best, sizes[0], best, sizes[1]

    def _ceaf(self, similarity: Callable[[int, int, int], float]) -> float:
        listed = [{one.identity for one in cluster} for cluster in self.response]
        matrix = np.zeros((len(self.key), len(self.response)))
        for row, cluster in enumerate(self.key):
            for column, others in enumerate(listed):
                common = sum(self.lead(mention) in others for mention in cluster)
                matrix[row, column] = similarity(common, len(cluster), len(others))
        return _best(matrix)

    def lea(self) -> Sums:
        sums: list[float] = []
        for clusters, owners, others in self.directions:
            kept = 0.0
            for cluster in clusters:
                owned = self.found(cluster, owners)
                if len(cluster) == 1:
                    kept += bool(owned) and len(others[owned[0]]) == 1
                    continue
                links = len(cluster) * (len(cluster) - 1) / 2
                common = sum(one == other for one, other in combinations(owned, 2))
                kept += len(cluster) * common / links
            sums += [kept, sum(map(len, clusters))]
        return _as_sums(sums)

    def blanc_coreferent(self) -> Sums:
        both = sum(
            one == other
            for cluster in self.key
            for one, other in combinations(
                self.found(cluster, self.owner_in_response), 2
            )
        )
        return both, _inside(self.key), both, _inside(self.response)

    def blanc_separate(self) -> Sums:
        owned = [self.found(cluster, self.owner_in_response) for cluster in self.key]
        both = sum(
            one != other
            for cluster, later in combinations(owned, 2)
            for one in cluster
            for other in later
        )
        return both, _across(self.key), both, _across(self.response)

    def mor(self) -> Sums:
        sides = [
            [set(mention.words) for cluster in side for mention in cluster]
            for side in (self.key, self.response)
        ]
        shared = [[len(one & other) for other in sides[1]] for one in sides[0]]
        best = _best(np.array(shared, dtype=float).reshape(*map(len, sides)))
        words = [sum(map(len, side)) for side in sides]
        return best, words[0], best, words[1]

    def zero(self) -> Sums:
        key = [sorted(cluster, key=lambda one: one.place) for cluster in self.key]
        response = [sorted(each, key=lambda one: one.place) for each in self.response]
        first = {cluster[0].identity for cluster in response}
        covered: set[Identity] = set()
        verdicts: Counter[str] = Counter()
        for cluster in key:
            previous: set[int] = set()
            for place, mention in enumerate(cluster):
                other = self._counterpart(mention)
                if place and mention.is_zero:
                    covered.add(other)
                    verdicts[self._verdict(other, first, previous)] += 1
                if other is not None:
                    previous.add(self.owner_in_response[other])
        false = [
            mention
            for cluster in response
            for mention in cluster
            if mention.is_zero and mention.identity not in first | covered
        ]
        true, wrong = verdicts["TP"], verdicts["WL"]
        return true, true + wrong + verdicts["FN"], true, true + wrong + len(false)

    def _counterpart(self, mention: Mention) -> Identity | None:
        """Prefer the same place to what was matched."""
        if mention.identity in self.owner_in_response:
            return mention.identity
        found = self.alignment.get(mention.identity)
        return found if found in self.owner_in_response else None

    def _verdict(
        self, other: Identity | None, first: set[Identity], previous: set[int]
    ) -> str:
        if other is None or other in first:
            return "FN"
        return "TP" if self.owner_in_response[other] in previous else "WL"


_COUNTS = {
    "muc": Document.muc,
    "bcub": Document.bcub,
    "ceafe": Document.ceafe,
    "ceafm": Document.ceafm,
    "lea": Document.lea,
    "mor": Document.mor,
    "zero": Document.zero,
}


def _as_sums(sums: list[float]) -> Sums:
    return sums[0], sums[1], sums[2], sums[3]


def _best(matrix: NDArray[np.float64]) -> float:
    return float(matrix[linear_sum_assignment(-matrix)].sum()) if matrix.size else 0.0


def _inside(clusters: list[Cluster]) -> int:
    return sum(len(cluster) * (len(cluster) - 1) // 2 for cluster in clusters)


def _across(clusters: list[Cluster]) -> int:
    mentions = sum(map(len, clusters))
    return mentions * (mentions - 1) // 2 - _inside(clusters)


def _owners(clusters: list[Cluster]) -> Map:
    return {
        mention.identity: number
        for number, cluster in enumerate(clusters)
        for mention in cluster
    }


def _alignment(
    key: list[Cluster], response: list[Cluster], match: str, zeros: str
) -> dict[Identity, Identity]:
    """Match in phases, and write the matches of both directions into one dictionary."""
    pools = [_pool(key), _pool(response)]
    pairs: list[tuple[Mention, Mention]] = []
    if zeros == "dependent":
        only_zeros = [[one for one in pool.values() if one.is_zero] for pool in pools]
        pairs += _assigned(only_zeros[0], only_zeros[1], _alike_zeros)
        for one, other in pairs:
            del pools[0][one.identity], pools[1][other.identity]
    for identity in pools[0].keys() & pools[1].keys():
        del pools[0][identity], pools[1][identity]
    if match != "exact":
        rest = [list(pool.values()) for pool in pools]
        alike = _alike_heads if match == "head" else _alike_parts
        pairs += _assigned(rest[0], rest[1], alike)
    moved = [pair for pair in pairs if pair[0].identity != pair[1].identity]
    return {one.identity: other.identity for one, other in moved} | {
        other.identity: one.identity for one, other in moved
    }


def _pool(clusters: list[Cluster]) -> dict[Identity, Mention]:
    pool: dict[Identity, Mention] = {}
    for cluster in clusters:
        for mention in cluster:
            pool.setdefault(mention.identity, mention)
    return pool


def _assigned(
    key: list[Mention],
    response: list[Mention],
    score: Callable[[Mention, Mention], float],
) -> list[tuple[Mention, Mention]]:
    # The official order of equal places is that of a hash; here words, then heads.
    rows, columns = (
        sorted(side, key=lambda one: (*one.place, one.words, one.head))
        for side in (key, response)
    )
    matrix = np.array([[score(one, other) for other in columns] for one in rows])
    if not matrix.size:
        return []
    chosen = zip(*linear_sum_assignment(-matrix), strict=True)
    return [(rows[i], columns[j]) for i, j in chosen if matrix[i, j] > 0]


def _alike_zeros(key: Mention, response: Mention) -> float:
    if key.head[0] != response.head[0]:
        return 0.0
    parents = [{parent for parent, _ in one.dependencies} for one in (key, response)]
    labelled = _f1(key.dependencies, response.dependencies)
    return 10 * labelled + _f1(parents[0], parents[1])


def _f1(one: AbstractSet[object], other: AbstractSet[object]) -> float:
    common = len(one & other)
    if not common:
        return 0.0
    recall, precision = common / len(one), common / len(other)
    return 2 * precision * recall / (precision + recall)


def _alike_parts(key: Mention, response: Mention) -> float:
    words = set(response.words)
    if key.head not in words or not words <= set(key.words):
        return 0.0
    return len(words) / len(key.words)


def _alike_heads(key: Mention, response: Mention) -> float:
    if key.head != response.head:
        return 0.0
    return len(set(key.words) & set(response.words)) / len(key.words)
