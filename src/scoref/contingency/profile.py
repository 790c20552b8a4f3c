"""The profile of two clusterings: how often two clusters of these sizes share so much.

A row stands for ``times`` cells: pairs of a key cluster of size ``a`` and a response
cluster of size ``b`` that share ``n`` mentions, 1 at least. Mentions that only one side
has count in their cluster's size; ``a_common`` and ``b_common`` are the sizes without
them. Clusters that share nothing with any other stand in the counts of each side alone.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from scoref.contingency.consistency import contradictions
from scoref.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints

    Floats = NDArray[np.float64]

Kind = TypeVar("Kind")

FATES = ("unchanged", "merged", "partitioned", "overlapping")
"""What may become of a key cluster that has a mention in common with the response."""

_VERSION = 1
_MOST = 2**63
_WRONG = (KeyError, TypeError, ValueError, IndexError, OverflowError)


class Cells(NamedTuple):
    """Pairs of clusters that share mentions, and how many, in columns."""

    key: Ints
    response: Ints
    n: Ints


class Clusters(NamedTuple):
    """The clusters of one side, in columns: their block, and their sizes.

    ``common`` counts the mentions that the other side has, too.
    """

    block: Ints
    size: Ints
    common: Ints


class Row(NamedTuple):
    """Cells that are alike."""

    n: int
    a: int
    b: int
    a_common: int
    b_common: int


class Sizes(NamedTuple):
    """Clusters of one side, by their size, with and without one-sided mentions."""

    size: int
    common: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything that is counted of two clusterings; counts of each kind of thing.

    ``key_best`` and ``response_best`` count clusters by Jaccard's index with the
    nearest one of the other side, ``key_most`` and ``response_most`` by the size of the
    largest part that they share with one. ``cases`` counts key clusters by what became
    of them (see `FATES`). A cluster without a common mention is in none of these.
    """

    cells: Counter[Row]
    key: Counter[Sizes]
    response: Counter[Sizes]
    key_best: Counter[float]
    response_best: Counter[float]
    key_most: Counter[int]
    response_most: Counter[int]
    cases: Counter[str]

    def __add__(self, other: Profile) -> Profile:
        """Put two parts of a table together that have no cluster in common."""
        sums = {name: getattr(self, name) + getattr(other, name) for name in _NAMES}
        return Profile(**sums)

    @property
    def key_mentions(self) -> int:
        """Count the key's mentions."""
        return sum(kind.size * times for kind, times in self.key.items())

    @property
    def response_mentions(self) -> int:
        """Count the response's mentions."""
        return sum(kind.size * times for kind, times in self.response.items())

    @property
    def common_mentions(self) -> int:
        """Count the mentions that both sides have."""
        return sum(kind.common * times for kind, times in self.key.items())

    def dump(self) -> str:
        """Write it down, to be scored again or merged without the data."""
        written = {name: _written(getattr(self, name)) for name in _NAMES}
        return json.dumps(
            {"scoref-profile": _VERSION, **written}, separators=(",", ":")
        )

    @classmethod
    def load(cls, text: str, source: str) -> Profile:
        """Read what `dump` wrote."""
        try:
            found = json.loads(text)
            if found["scoref-profile"] != _VERSION:
                raise KeyError
            profile = cls(
                cells=_counter(found["cells"], _row),
                key=_counter(found["key"], _sizes),
                response=_counter(found["response"], _sizes),
                key_best=_counter(found["key_best"], _index),
                response_best=_counter(found["response_best"], _index),
                key_most=_counter(found["key_most"], _positive),
                response_most=_counter(found["response_most"], _positive),
                cases=_counter(found["cases"], _fate),
            )
        except (*_WRONG, RecursionError) as error:
            raise FormatError(
                "this is no profile of two clusterings",
                source=source,
                hint="`scoref table … --save-profile FILE` writes one",
            ) from error
        for contradiction in contradictions(profile):
            raise FormatError(
                f"this profile contradicts itself: {contradiction}",
                source=source,
                hint="count the tables again",
            )
        return profile


_NAMES = tuple(field.name for field in dataclasses.fields(Profile))
Written = list[list[int | float | str]]


def _written(counter: Counter[object]) -> Written:
    rows = [
        [*(kind if isinstance(kind, tuple) else (kind,)), times]
        for kind, times in counter.items()
    ]
    return sorted(rows)


def _counter(rows: Written, make: Callable[..., Kind]) -> Counter[Kind]:
    found: Counter[Kind] = Counter()
    for *kind, times in rows:
        found[make(*kind)] += _positive(times)
    return found


def _row(*numbers: object) -> Row:
    return Row(*map(_positive, numbers))


def _sizes(size: object, common: object) -> Sizes:
    return Sizes(_positive(size), 0 if common == 0 else _positive(common))


def _positive(number: object) -> int:
    if type(number) is not int or not 0 < number < _MOST:
        raise ValueError(number)
    return number


def _index(number: object) -> float:
    if not isinstance(number, float | int) or not 0 < number <= 1:
        raise ValueError(number)
    return float(number)


def _fate(name: object) -> str:
    if name not in FATES:
        raise ValueError(name)
    return str(name)


def count_profiles(
    cells: Cells, key: Clusters, response: Clusters, blocks: int
) -> list[Profile]:
    """Count the profile of each block; no cell goes from one block to another."""
    block = key.block[cells.key]
    a, b = key.size[cells.key], response.size[cells.response]
    common = key.common[cells.key], response.common[cells.response]
    index = cells.n / (a + b - cells.n)
    sides = (cells.key, key.block), (cells.response, response.block)
    parts = (
        _counted(block, (cells.n, a, b, *common), blocks, Row),
        *(
            _counted(side.block, (side.size, side.common), blocks, Sizes)
            for side in (key, response)
        ),
        *(_highest(index, *side, blocks, float) for side in sides),
        *(_highest(cells.n, *side, blocks, int) for side in sides),
        _fates(cells, key, response, blocks),
    )
    return [Profile(*of_block) for of_block in zip(*parts, strict=True)]


def _counted(
    block: Ints,
    columns: Sequence[Ints | Floats],
    blocks: int,
    make: Callable[..., Kind],
) -> list[Counter[Kind]]:
    """Count equal rows, block by block."""
    order = np.lexsort((*reversed(columns), block))
    in_order = [column[order] for column in (block, *columns)]
    is_first = np.zeros(len(order), dtype=np.bool_)
    is_first[:1] = True
    for column in in_order:
        is_first[1:] |= column[1:] != column[:-1]
    first = np.flatnonzero(is_first)
    times = np.diff(np.append(first, len(order))).tolist()
    kinds: Iterable[tuple[int, ...]] = zip(
        *(column[first].tolist() for column in in_order), strict=True
    )
    found: list[Counter[Kind]] = [Counter() for _ in range(blocks)]
    for (number, *values), count in zip(kinds, times, strict=True):
        found[number][make(*values)] = count
    return found


def _highest(
    value: Ints | Floats,
    cluster: Ints,
    block: Ints,
    blocks: int,
    make: Callable[..., Kind],
) -> list[Counter[Kind]]:
    """Count clusters by their highest value, where they have any."""
    highest: Floats = np.zeros(len(block))
    np.maximum.at(highest, cluster, value)
    there = np.flatnonzero(highest)
    return _counted(block[there], (highest[there],), blocks, make)


def _fates(
    cells: Cells, key: Clusters, response: Clusters, blocks: int
) -> list[Counter[str]]:
    """Say what became of each key cluster.

    One that is found as a whole in a larger cluster was merged; one whose mentions make
    up two clusters or more was partitioned; whatever is left overlaps.
    """
    count = len(key.size)
    parts = np.bincount(cells.key, minlength=count)
    whole_parts = np.bincount(
        cells.key[cells.n == response.size[cells.response]], minlength=count
    )
    is_found = key.common == key.size
    fate = np.select(
        [
            is_found & (parts == 1) & (whole_parts == 1),
            is_found & (parts == 1),
            is_found & (whole_parts == parts),
        ],
        [0, 1, 2],
        default=3,
    )
    there = np.flatnonzero(parts)
    return _counted(key.block[there], (fate[there],), blocks, FATES.__getitem__)
