"""The largest divided and conflated clusters, for data without a text.

A cluster of the key is divided if its mentions are in several clusters of the response.
A cluster of the response is conflated if it has mentions of several key clusters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Column = Sequence[object] | NDArray[np.generic]

LISTED = 1000
"""How many clusters are listed of each kind."""
MOST = 50
"""How many parts and mentions are listed of a cluster."""


class _Labels(NamedTuple):
    """What clusters are called, and the cluster of each mention, -1 for none."""

    name: Sequence[str]
    code: Ints

    @classmethod
    def of(cls, labels: Column) -> _Labels:
        found = np.asarray(labels)
        if np.issubdtype(found.dtype, np.integer):
            distinct, code = np.unique(found, return_inverse=True)
            below = int((distinct < 0).sum())
            names = [str(each) for each in distinct[below:].tolist()]
            return cls(names, np.maximum(code - below, -1))
        numbers: dict[object, int] = {}
        codes = [
            -1 if each is None or each == "" else numbers.setdefault(each, len(numbers))
            for each in found.tolist()
        ]
        return cls([str(each) for each in numbers], np.array(codes, dtype=np.int64))

    @property
    def size(self) -> Ints:
        return np.bincount(self.code[self.code >= 0], minlength=len(self.name))


class Parted(TypedDict):
    """Clusters that are not as on the other side; there may be more than are listed."""

    divided: list[dict[str, object]]
    conflated: list[dict[str, object]]
    divided_count: int
    conflated_count: int


def clusters_of(key_labels: Column, response_labels: Column, ids: Column) -> Parted:
    """List the biggest divided clusters, and the biggest conflated ones.

    Args:
        key_labels: the key's cluster of each mention: integers, below 0 where it has
            none, or anything else, None or empty where it has none.
        response_labels: that of the response, in the same order.
        ids: what mentions are called.

    >>> found = clusters_of(["x", "x", "x"], ["a", "a", "b"], [1, 2, 3])
    >>> [part["response"] for part in found["divided"][0]["parts"]]
    ['a', 'b']
    >>> found["conflated"]
    []
    """
    key, response = _Labels.of(key_labels), _Labels.of(response_labels)
    divided, divided_count = _parted(key, response, ids, ("key", "response"))
    conflated, conflated_count = _parted(response, key, ids, ("response", "key"))
    return Parted(
        divided=divided,
        conflated=conflated,
        divided_count=divided_count,
        conflated_count=conflated_count,
    )


def _parted(
    whole: _Labels, other: _Labels, ids: Column, roles: tuple[str, str]
) -> tuple[list[dict[str, object]], int]:
    """List the biggest clusters whose mentions are in several of the other side."""
    both = np.flatnonzero((whole.code >= 0) & (other.code >= 0))
    width = np.int64(max(1, len(other.name)))
    code = whole.code[both] * width + other.code[both]
    cells, shared = np.unique(code, return_counts=True)
    owner, part = cells // width, cells % width
    parts = np.bincount(owner, minlength=len(whole.name))
    size, other_size = whole.size, other.size
    order = np.lexsort((np.arange(len(size)), -parts, -size))
    several = order[parts[order] > 1]
    chosen = [int(each) for each in several[:LISTED]]
    members = _members(whole.code, chosen)
    found = []
    for cluster in chosen:
        here = slice(*np.searchsorted(owner, (cluster, cluster + 1)).tolist())
        largest = here.start + np.argsort(-shared[here], kind="stable")[:MOST]
        found.append(
            {
                roles[0]: whole.name[cluster],
                "size": int(size[cluster]),
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
    return found, len(several)


def _members(code: Ints, chosen: list[int]) -> dict[int, list[int]]:
    """List some mentions of each chosen cluster, without a look at all for each."""
    rows = np.flatnonzero(np.isin(code, chosen))
    rows = rows[np.argsort(code[rows], kind="stable")]
    first = np.searchsorted(code[rows], chosen, side="left").tolist()
    end = np.searchsorted(code[rows], chosen, side="right").tolist()
    return {
        cluster: rows[a : min(b, a + MOST)].tolist()
        for cluster, a, b in zip(chosen, first, end, strict=True)
    }
