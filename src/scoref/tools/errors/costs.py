"""What one error costs: what a metric would gain if just that one were repaired.

Each repair is a document of its own in one more table, so that all are counted at once,
and by the metrics as they are: in extracts, where a metric is a sum over cells (see
`extracts`), and otherwise in copies of blocks or of whole documents (see `copies`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency.blocks import in_blocks
from scoref.metrics import CONLL, metrics_of, needed, parts_of
from scoref.model import Note
from scoref.statistics.additive import Additive
from scoref.tools.errors.copies import WholeGroups, copies_of
from scoref.tools.errors.extracts import Extracts
from scoref.tools.errors.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Ints
    from scoref.scoring.results import Result
    from scoref.tools.errors.moves import Moves

_AT_ONCE = 1 << 20
_MOVES_AT_ONCE = 1 << 13
"""Repairs are counted in parts of so many rows, or so many, so that memory does."""
_MOST_COPIED = 1 << 18
"""So many rows are copied where an alignment is not proved, which takes seconds."""


class ErrorGains(Mapping[str, "Floats"]):
    """By metric: the gain of each error, in the order of `Errors`.

    A gain is what F1, or what else the metric gives, would be with just that error
    repaired, less what it is. It is computed when it is asked for. Where very many
    entities hang together it may be a lower bound in CEAF, and ``notes`` says of how
    many.
    """

    def __init__(self, table: Contingency, moves: Moves, result: Result) -> None:
        self.table, self._result = table, result
        self.moves, self._which = moves.distinct()
        known = metrics_of(result.scheme)
        of_entities = tuple(
            name
            for name in result.metrics
            if all(known[part].needs == "mentions" for part in parts_of(name))
        )
        # Something must say which error is worse, even if nobody asked for entities.
        self.metrics = of_entities or (CONLL,)
        self._found: dict[str, Floats] = {}
        self._changes: dict[str, Floats] = {}
        self._bounded: dict[str, int] = {}

    def __iter__(self) -> Iterator[str]:
        """Name the metrics: all that are about entities alone."""
        return iter(self.metrics)

    def __len__(self) -> int:
        """Count the metrics."""
        return len(self.metrics)

    def __getitem__(self, name: str) -> Floats:
        """Compute the gains in a metric, once."""
        if name not in self.metrics:
            raise KeyError(name)
        if name not in self._found:
            self._found[name] = self._gains(name)[self._which]
        return self._found[name]

    @property
    def notes(self) -> tuple[Note, ...]:
        """Say of what was computed so far which gains are lower bounds."""
        known = metrics_of(self._result.scheme)
        return tuple(
            Note(
                f"gains-{name}",
                count,
                f"{count:,} errors cost at least what is shown, as far as "
                f"{known[name].label} goes: so many entities hang together that they "
                "were not all aligned anew for each",
            )
            for name, count in self._bounded.items()
            if count
        )

    def _gains(self, name: str) -> Floats:
        """Score the corpus with the document of each move in place of its own."""
        known, parts = metrics_of(self._result.scheme), parts_of(name)
        counts = {part: known[part].count(self.table) for part in parts}
        unit = self.moves.documents(self.table)
        as_it_is = _scorable(self._result, name, counts)
        repaired = _scorable(
            self._result,
            name,
            {part: counts[part][unit] + self._change(known[part]) for part in parts},
        )
        sums = as_it_is.matrix.sum(axis=0) - as_it_is.matrix[unit] + repaired.matrix
        gains: Floats = (as_it_is.scores(sums) - as_it_is.total)[:, 0, 2]
        return gains

    def _change(self, metric: Metric) -> Floats:
        """Say by how much each move changes the counts of its document."""
        if metric.name not in self._changes:
            by_extracts = metric.is_sum_of_cells
            self._changes |= (
                self._in_extracts() if by_extracts else self._in_copies(metric)
            )
        return self._changes[metric.name]

    def _in_extracts(self) -> dict[str, Floats]:
        """Count every metric for which extracts do."""
        known = metrics_of(self._result.scheme)
        metrics = [known[name] for name in needed(self.metrics)]
        found: dict[str, list[Floats]] = {
            each.name: [] for each in metrics if each.is_sum_of_cells
        }
        extracts = Extracts(self.table)
        for part in _parts(extracts.rows(self.moves)):
            before, after = extracts.of(self.moves.take(part))
            for name, changes in found.items():
                changes.append(known[name].count(after) - known[name].count(before))
        return {name: np.vstack(changes) for name, changes in found.items()}

    def _in_copies(self, metric: Metric) -> dict[str, Floats]:
        """Count a metric in what surrounds each move, if that will do, or in more."""
        found = np.zeros((len(self.moves.key), len(metric.columns)))
        left = np.arange(len(found))
        if metric.weigh is not None:
            around = Surroundings(self.table, metric)
            for part in np.array_split(left, 1 + len(left) // _MOVES_AT_ONCE):
                found[part], is_done = around.changes(self.moves.take(part))
                left = np.setdiff1d(left, part[is_done & around.is_proved])
            left = self._affordable(metric, left)
        found[left] = self.in_groups(metric, self.moves.take(left))
        return {metric.name: found}

    def _affordable(self, metric: Metric, moves: Ints) -> Ints:
        """Choose the moves whose whole block is copied; others keep a lower bound."""
        rows = WholeGroups(self._table_of(metric)).rows(self.moves.take(moves))
        order = np.argsort(rows, kind="stable")  # a tangle leaves the small ones alone
        fits = np.empty(len(rows), dtype=np.bool_)
        fits[order] = np.cumsum(rows[order]) <= _MOST_COPIED
        bounded = np.isin(self._which, moves[~fits])
        self._bounded[metric.name] = int(np.count_nonzero(bounded))
        return moves[fits]

    def _table_of(self, metric: Metric) -> Contingency:
        return self._blocks if metric.is_sum_of_blocks else self.table

    def in_groups(self, metric: Metric, moves: Moves) -> Floats:
        """Count a metric in copies of blocks, or of whole documents."""
        table = self._table_of(metric)
        groups, before = WholeGroups(table), metric.count(table)
        changes = []
        for part in _parts(groups.rows(moves)):
            some = moves.take(part)
            after = copies_of(table, some, groups.members(some)).table
            changes.append(metric.count(after) - before[some.documents(table)])
        return np.vstack(changes)

    @cached_property
    def _blocks(self) -> Contingency:
        return in_blocks(self.table, *self.moves.ties)


def _scorable(result: Result, name: str, counts: Mapping[str, Floats]) -> Additive:
    rows = len(next(iter(counts.values())))
    documents = ("",) * rows
    return Additive.in_order(
        dataclasses.replace(
            result, documents=documents, metrics=(name,), counts=counts, slice=None
        )
    )


def _parts(rows: Ints) -> Iterator[Ints]:
    """Cut repairs into parts that are not too large."""
    part = np.cumsum(rows) // _AT_ONCE
    bounds = np.flatnonzero(np.diff(part, prepend=-1))
    return iter(np.split(np.arange(len(rows)), bounds[1:]))
