"""Whether a profile can be that of two clusterings at all.

What is counted is counted in several ways: mentions by cell and by cluster, clusters by
size, by their nearest one and by their fate. In a profile that was damaged, or written
by hand, these contradict each other, and figures above 100 % come out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoref.contingency.profile import Profile, Row, Sizes


def contradictions(profile: Profile) -> Iterator[str]:
    """Say what cannot be, one thing after the other."""
    yield from _of_sizes(profile)
    yield from _of_side("key", profile.key, ((r.a, r.a_common) for r in profile.cells))
    yield from _of_side(
        "response", profile.response, ((r.b, r.b_common) for r in profile.cells)
    )
    yield from _of_cells(profile)
    yield from _of_nearest(profile)
    yield from _of_fates(profile)


def _of_sizes(profile: Profile) -> Iterator[str]:
    """Look at each kind of cell and cluster alone."""
    for row in profile.cells:
        if not row.n <= row.a_common <= row.a:
            yield f"a key cluster of {row.a} shares {row.n} mentions"
        if not row.n <= row.b_common <= row.b:
            yield f"a response cluster of {row.b} shares {row.n} mentions"
    for sizes in (*profile.key, *profile.response):
        if sizes.common > sizes.size:
            yield f"of a cluster's {sizes.size} mentions, {sizes.common} are common"


def _of_side(
    role: str, clusters: Counter[Sizes], kinds: Iterable[tuple[int, int]]
) -> Iterator[str]:
    """Look for cells of clusters that are not there."""
    for kind in kinds:
        if kind not in clusters:
            yield f"there is no {role} cluster of {kind[0]}, but it shares mentions"


def _of_cells(profile: Profile) -> Iterator[str]:
    """Compare the common mentions of clusters of a kind with those of their cells."""
    key: Counter[tuple[int, int]] = Counter()
    response: Counter[tuple[int, int]] = Counter()
    for row, times in profile.cells.items():
        key[row.a, row.a_common] += row.n * times
        response[row.b, row.b_common] += row.n * times
    for role, clusters, shared in (
        ("key", profile.key, key),
        ("response", profile.response, response),
    ):
        for kind, times in clusters.items():
            if shared[kind] != kind.common * times:
                yield (
                    f"{times} {role} clusters of {kind.size} have {kind.common} common "
                    f"mentions each, but their cells have {shared[kind]}"
                )


def _of_nearest(profile: Profile) -> Iterator[str]:
    """See that every cluster with a common mention has a nearest one, in some cell."""
    shares = Counter[float]()
    indices = Counter[float]()
    for row, times in profile.cells.items():
        shares[row.n] += times
        indices[_index(row)] += times
    for role, clusters, most, best in (
        ("key", profile.key, profile.key_most, profile.key_best),
        ("response", profile.response, profile.response_most, profile.response_best),
    ):
        count = sum(times for kind, times in clusters.items() if kind.common)
        if not most.total() == best.total() == count:
            yield f"not every {role} cluster that shares mentions has a nearest one"
        if any(times > shares[n] for n, times in most.items()) or any(
            times > indices[index] for index, times in best.items()
        ):
            yield f"the nearest of a {role} cluster is in no cell"


def _index(row: Row) -> float:
    """Give Jaccard's index."""
    return row.n / (row.a + row.b - row.n) if row.a + row.b > row.n else 0.0


def _of_fates(profile: Profile) -> Iterator[str]:
    """Count again what became of key clusters, as far as cells tell."""
    whole = {row: times for row, times in profile.cells.items() if row.n == row.a}
    unchanged = sum(times for row, times in whole.items() if row.b == row.a)
    known = {"unchanged": unchanged, "merged": sum(whole.values()) - unchanged}
    for fate, count in known.items():
        if profile.cases.get(fate, 0) != count:
            yield f"{profile.cases.get(fate, 0)} clusters are {fate}, by cells {count}"
    if profile.cases.total() != profile.key_most.total():
        yield "not every key cluster that shares mentions has one fate"
