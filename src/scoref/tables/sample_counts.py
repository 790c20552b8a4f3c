"""What a sample of clusters needs to know of a prediction, however large that is.

A labelled cluster meets a few predicted ones. How many records it shares with each of
them, and how large they are in all, is everything that an estimate is made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.tables.sides import STEPS, TableSides

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.model import Ints
    from scoref.tables.asking import Ask, TableSide
    from scoref.tables.sides import Session
    from scoref.tables.sources import Given


class Sampled(NamedTuple):
    """Labelled clusters, and the cells that they have with predicted ones.

    ``others`` has what stands in other columns beside each labelled cluster.
    """

    clusters: Sequence[str]
    size: Ints  # as labelled
    cell: Ints  # the labelled cluster of each cell, by its number
    predicted: Ints  # the predicted one, by a number
    shared: Ints
    predicted_size: Ints
    others: Sequence[set[tuple[str | None, ...]]]
    predicted_clusters: int | None  # in all, if it was asked for
    key: TableSide
    response: TableSide
    columns: Mapping[str, str]

    @property
    def found(self) -> Ints:
        """How many records of each labelled cluster the prediction has."""
        found = np.bincount(self.cell, self.shared, len(self.size))
        return found.astype(np.int64)


def sample(
    session: Session, tables: Sequence[Given], ask: Ask, *, with_total: bool
) -> Sampled:
    """Count by SQL; only what the sample meets is fetched."""
    sides = TableSides(session, ask)
    sides.read_two(tables)
    key, response = sides.name("key_side"), sides.name("response_side")
    cells, sizes = sides.name("cells"), sides.name("sizes")
    sides.tell("looking for labelled records", 2)
    session.keep(
        cells,
        "SELECT k.cluster AS g, r.cluster AS p, count(*) AS n "  # noqa: S608
        f"FROM {key} AS k JOIN {response} AS r ON k.mention = r.mention GROUP BY 1, 2",
    )
    sides.tell("counting predicted clusters", STEPS // 2)
    session.keep(
        sizes,
        f"SELECT cluster AS p, count(*) AS b FROM {response} "  # noqa: S608
        f"WHERE cluster IN (SELECT p FROM {cells}) GROUP BY cluster",
    )
    labelled = _labelled(sides, key, len(ask.wanted.others))
    rows = session.rows(f"SELECT g, p, n, b FROM {cells} JOIN {sizes} USING (p)")  # noqa: S608
    total = None
    if with_total:
        (total,) = sides.numbers(f"SELECT count(DISTINCT cluster) FROM {response}")  # noqa: S608
    sides.tell("done", STEPS)
    return _sampled(sides, labelled, rows, total)


class _Labelled(NamedTuple):
    size: dict[str, int]
    others: dict[str, set[tuple[str | None, ...]]]


def _labelled(sides: TableSides, key: str, others: int) -> _Labelled:
    """Fetch labelled clusters, with their sizes and what stands beside them."""
    counted = sides.session.rows(
        f"SELECT cluster, count(*) FROM {key} GROUP BY cluster"  # noqa: S608
    )
    columns = "".join(f", other{number}" for number in range(others))
    beside = sides.session.rows(f"SELECT DISTINCT cluster{columns} FROM {key}")  # noqa: S608
    found: dict[str, set[tuple[str | None, ...]]] = {}
    for cluster, *values in beside:
        texts = tuple(None if each is None else str(each) for each in values)
        found.setdefault(str(cluster), set()).add(texts)
    return _Labelled({str(name): int(str(size)) for name, size in counted}, found)


def _sampled(
    sides: TableSides,
    labelled: _Labelled,
    rows: Sequence[tuple[object, ...]],
    total: int | None,
) -> Sampled:
    """Number clusters by their names, so that every engine gives the same digits."""
    names = sorted(labelled.size)
    number = {name: place for place, name in enumerate(names)}
    predicted = sorted({str(p) for _, p, _, _ in rows})
    place = {name: code for code, name in enumerate(predicted)}
    coded = sorted((number[str(g)], place[str(p)], n, b) for g, p, n, b in rows)
    cells = np.array(coded, dtype=np.int64).reshape(-1, 4)
    return Sampled(
        clusters=names,
        size=np.array([labelled.size[name] for name in names], dtype=np.int64),
        cell=cells[:, 0],
        predicted=cells[:, 1],
        shared=cells[:, 2],
        predicted_size=cells[:, 3],
        others=[labelled.others[name] for name in names],
        predicted_clusters=total,
        key=sides.counts["key"],
        response=sides.counts["response"],
        columns=sides.columns,
    )
