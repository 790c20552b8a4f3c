"""The worst divided and conflated clusters, for data without a text.

The worst cluster is the one with the most pairs of mentions that are not together on
the other side.

A cluster of the key is divided if its mentions are in several clusters of the response.
A cluster of the response is conflated if it has mentions of several key clusters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

from scoref.contingency import pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Column = Sequence[object] | NDArray[np.generic]

LISTED = 1000
"""How many clusters are listed of each kind."""
MOST = 50
"""How many parts and mentions are listed of a cluster."""


class _Clusters(NamedTuple):
    """The names of clusters, and the cluster of each mention; -1 for none."""

    name: Sequence[str]
    code: Ints

    @classmethod
    def of(cls, labels: Column) -> _Clusters:
        """Number the labels of mentions."""
        column = np.asarray(labels)
        if np.issubdtype(column.dtype, np.integer):
            distinct, code = np.unique(column, return_inverse=True)
            below = int((distinct < 0).sum())
            names = [str(label) for label in distinct[below:].tolist()]
            return cls(names, np.maximum(code - below, -1))
        numbers: dict[object, int] = {}
        codes = [
            -1
            if label is None or label == ""
            else numbers.setdefault(label, len(numbers))
            for label in column.tolist()
        ]
        return cls([str(label) for label in numbers], np.array(codes, dtype=np.int64))

    @property
    def size(self) -> Ints:
        return np.bincount(self.code[self.code >= 0], minlength=len(self.name))


class ClusterErrors(TypedDict):
    """The worst divided and conflated clusters, and how many there are in total."""

    divided: list[dict[str, object]]
    conflated: list[dict[str, object]]
    divided_count: int
    conflated_count: int


def clusters_of(
    key_labels: Column, response_labels: Column, ids: Column
) -> ClusterErrors:
    """List the worst divided clusters, and the worst conflated ones.

    Args:
        key_labels: the key's cluster of each mention: integers, below 0 for no cluster,
            or anything else, None or empty for no cluster.
        response_labels: the response's cluster of each mention, in the same order.
        ids: the names of the mentions.

    >>> clusters = clusters_of(["x", "x", "x"], ["a", "a", "b"], [1, 2, 3])
    >>> [part["response"] for part in clusters["divided"][0]["parts"]]
    ['a', 'b']
    >>> clusters["conflated"]
    []
    """
    key, response = _Clusters.of(key_labels), _Clusters.of(response_labels)
    divided, divided_count = _in_parts(key, response, ids, ("key", "response"))
    conflated, conflated_count = _in_parts(response, key, ids, ("response", "key"))
    return ClusterErrors(
        divided=divided,
        conflated=conflated,
        divided_count=divided_count,
        conflated_count=conflated_count,
    )


def _in_parts(
    whole: _Clusters, other: _Clusters, ids: Column, roles: tuple[str, str]
) -> tuple[list[dict[str, object]], int]:
    """List the worst clusters whose mentions are in several of the other side."""
    both = np.flatnonzero((whole.code >= 0) & (other.code >= 0))
    width = np.int64(max(1, len(other.name)))
    code = whole.code[both] * width + other.code[both]
    cells, shared = np.unique(code, return_counts=True)
    owner, part = cells // width, cells % width
    parts = np.bincount(owner, minlength=len(whole.name))
    size, other_size = whole.size, other.size
    lost = pairs(size) - np.bincount(owner, pairs(shared), len(size)).astype(np.int64)
    order = np.lexsort((np.arange(len(size)), -parts, -size, -lost))
    several = order[parts[order] > 1]
    worst: list[int] = several[:LISTED].tolist()
    members = _members(whole.code, worst)
    clusters = []
    for cluster in worst:
        here = slice(*np.searchsorted(owner, (cluster, cluster + 1)).tolist())
        largest = here.start + np.argsort(-shared[here], kind="stable")[:MOST]
        clusters.append(
            {
                roles[0]: whole.name[cluster],
                "size": int(size[cluster]),
                "lost": int(lost[cluster]),
                "part_count": int(parts[cluster]),
                "parts": [
                    {
                        roles[1]: other.name[int(part[cell])],
                        "shared": int(shared[cell]),
                        "size": int(other_size[part[cell]]),
                    }
                    for cell in largest.tolist()
                ],
                "mentions": [str(ids[row]) for row in members[cluster]],
            }
        )
    return clusters, len(several)


def _members(code: Ints, clusters: list[int]) -> dict[int, list[int]]:
    """List the first mentions of each of some clusters."""
    rows = np.flatnonzero(np.isin(code, clusters))
    rows = rows[np.argsort(code[rows], kind="stable")]
    first = np.searchsorted(code[rows], clusters, side="left").tolist()
    end = np.searchsorted(code[rows], clusters, side="right").tolist()
    return {
        cluster: rows[a : min(b, a + MOST)].tolist()
        for cluster, a, b in zip(clusters, first, end, strict=True)
    }
