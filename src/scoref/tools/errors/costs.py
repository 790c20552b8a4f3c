"""What one error costs: the gain of a metric if only this error were repaired.

Each repair becomes a small document in one more table, so that the metrics count all
repairs at once without any changes. Most metrics are sums over entities and cells, or
use nothing of other entities but their number of mentions. For these metrics, the
document is an extract: the two response entities that the repair touches, their cells
(equal ones in one row), the key entity of the mentions, and one entity on each side
that stands for all others. The repair is counted in the extract before and after. All
other metrics use copies of blocks or of whole documents (see `repair_tables`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.histogram import count_rows, table_of_rows
from scoref.contingency.partition import in_blocks
from scoref.matching.ragged import Ragged
from scoref.metrics import CONLL, metrics_of, needed_metrics, parts_of
from scoref.model import Note
from scoref.model.arrays import are_among, runs
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.statistics.additive import Additive
from scoref.tools.errors.local_alignment import LocalAlignment
from scoref.tools.errors.repair_tables import WholeDocuments, copies_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.contingency import Contingency
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Ints
    from scoref.scoring.results import Result
    from scoref.tools.errors.repair_tables import Moves


_AT_ONCE = 1 << 20

_MOVES_AT_ONCE = 1 << 13
"""Most rows, and most repairs, that are counted at once, to limit memory."""

_MOST_COPIED = 1 << 18
"""Most rows that are copied if an alignment is not proved, which takes seconds."""


class ErrorGains(Mapping[str, "Floats"]):
    """By metric: the gain of each error, in the order of `Errors`.

    A gain is the F₁ (or the metric's other figure) with only that error repaired, less
    the present one. It is computed when it is requested. If very many entities are
    connected, it may be a lower bound in CEAF; ``notes`` says for how many errors.
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
        # Errors are sorted by their cost, even if no metric of entities was requested.
        self.metrics = of_entities or (CONLL,)
        self._gains: dict[str, Floats] = {}
        self._changes: dict[str, Floats] = {}
        self._bounded: dict[str, int] = {}

    def __iter__(self) -> Iterator[str]:
        """Iterate over the metrics: all that depend on entities alone."""
        return iter(self.metrics)

    def __len__(self) -> int:
        """Count the metrics."""
        return len(self.metrics)

    def __getitem__(self, name: str) -> Floats:
        """Compute the gains in a metric, once."""
        if name not in self.metrics:
            raise KeyError(name)
        if name not in self._gains:
            self._gains[name] = self._compute_gains(name)[self._which]
        return self._gains[name]

    @property
    def notes(self) -> tuple[Note, ...]:
        """List the metrics computed so far of which some gains are lower bounds."""
        known = metrics_of(self._result.scheme)
        return tuple(
            Note(
                f"gains-{name}",
                count,
                f"{WARNING}The {known[name].label} gains of {counted(count, 'error')} "
                "are lower bounds. Too many entities overlap to align all of them "
                "again for each error.",
            )
            for name, count in self._bounded.items()
            if count
        )

    def _compute_gains(self, name: str) -> Floats:
        """Score the corpus with the document of each move as it is after the move."""
        known, parts = metrics_of(self._result.scheme), parts_of(name)
        counts = {part: known[part].count(self.table) for part in parts}
        unit = self.moves.documents(self.table)
        before = additive_of(self._result, name, counts)
        after = additive_of(
            self._result,
            name,
            {part: counts[part][unit] + self._change(known[part]) for part in parts},
        )
        sums = before.matrix.sum(axis=0) - before.matrix[unit] + after.matrix
        gains: Floats = (before.scores(sums) - before.total)[:, 0, 2]
        return gains

    def _change(self, metric: Metric) -> Floats:
        """Return by how much each move changes the counts of its document."""
        if metric.name not in self._changes:
            if metric.is_sum_of_cells:
                self._count_extracts()
            else:
                self._changes[metric.name] = self._count_copies(metric)
        return self._changes[metric.name]

    def _count_extracts(self) -> None:
        """Count every metric for which extracts are sufficient."""
        known = metrics_of(self._result.scheme)
        metrics = [known[name] for name in needed_metrics(self.metrics)]
        changes: dict[str, list[Floats]] = {
            metric.name: [] for metric in metrics if metric.is_sum_of_cells
        }
        extracts = Extracts(self.table)
        for part in _parts(extracts.rows(self.moves)):
            before, after = extracts.of(self.moves.take(part))
            for name, parts in changes.items():
                parts.append(known[name].count(after) - known[name].count(before))
        self._changes |= {name: np.vstack(parts) for name, parts in changes.items()}

    def _count_copies(self, metric: Metric) -> Floats:
        """Count a metric in copies: of a few entities if that is proved, or of more."""
        changes = np.zeros((len(self.moves.key), len(metric.columns)))
        left = np.arange(len(changes))
        if metric.weigh is not None:
            alignment = LocalAlignment(self.table, metric)
            for part in np.array_split(left, 1 + len(left) // _MOVES_AT_ONCE):
                changes[part], is_done = alignment.changes(self.moves.take(part))
                left = left[~are_among(left, part[is_done & alignment.is_proved])]
            left = self._affordable(metric, left)
        changes[left] = self.in_groups(metric, self.moves.take(left))
        return changes

    def _affordable(self, metric: Metric, moves: Ints) -> Ints:
        """Choose the moves whose whole block is copied; others keep a lower bound."""
        rows = WholeDocuments(self._table_of(metric)).rows(self.moves.take(moves))
        order = np.argsort(rows, kind="stable")  # small blocks first
        fits = np.empty(len(rows), dtype=np.bool_)
        fits[order] = np.cumsum(rows[order]) <= _MOST_COPIED
        bounded = np.isin(self._which, moves[~fits])
        self._bounded[metric.name] = int(np.count_nonzero(bounded))
        return moves[fits]

    def in_groups(self, metric: Metric, moves: Moves) -> Floats:
        """Count a metric in copies of blocks, or of whole documents."""
        table = self._table_of(metric)
        groups, before = WholeDocuments(table), metric.count(table)
        changes = []
        for part in _parts(groups.rows(moves)):
            some = moves.take(part)
            after = copies_of(table, some, groups.members(some)).table
            changes.append(metric.count(after) - before[some.documents(table)])
        return np.vstack(changes)

    def _table_of(self, metric: Metric) -> Contingency:
        return self._blocks if metric.is_sum_of_blocks else self.table

    @cached_property
    def _blocks(self) -> Contingency:
        """The table with blocks of entities that share mentions as its documents."""
        return in_blocks(self.table, *self.moves.ties)


def additive_of(result: Result, name: str, counts: Mapping[str, Floats]) -> Additive:
    """Prepare the counts of one metric for scoring any sums of their rows."""
    documents = ("",) * len(next(iter(counts.values())))
    return Additive.in_order(
        dataclasses.replace(
            result, documents=documents, metrics=(name,), counts=counts, slice=None
        )
    )


def _parts(rows: Ints) -> Iterator[Ints]:
    """Split repairs into parts that are not too large."""
    start, _ = runs(np.cumsum(rows) // _AT_ONCE)
    return iter(np.split(np.arange(len(rows)), start[1:]))


_REST = 2


class _Touched(NamedTuple):
    """What a repair can change: a row for each repair.

    The columns are the source, the target and all other entities of the response.
    ``cell`` is the number of mentions that they share with the moved mentions' entity.
    """

    size: Ints
    common: Ints
    cell: Ints

    def after(self, moves: Moves) -> _Touched:
        """Move the mentions."""
        nothing = np.zeros_like(moves.leaving)
        sizes = np.column_stack((-moves.leaving, moves.arriving, nothing))
        common = np.column_stack(
            (-moves.common_leaving, moves.common_arriving, nothing)
        )
        return _Touched(self.size + sizes, self.common + common, self.cell + common)


class _Others(NamedTuple):
    """The other cells of source and target, equal ones in one row, and the rest's."""

    move: Ints
    column: Ints
    shared: Ints
    key_size: Ints
    times: Ints


class Extracts:
    """Extracts of a table: only the entities that a repair touches."""

    def __init__(self, table: Contingency) -> None:
        self._table = table
        self._width = np.int64(len(table.response_size) + 1)
        self._code = table.cell_key * self._width + table.cell_response
        key_size = table.key_size[table.cell_key]
        self._kinds = count_rows(table.cell_response, table.overlap, key_size)
        # Two more rows that are empty: for missing entities (-1) and for new ones (-2).
        start = np.searchsorted(self._kinds[:, 0], np.arange(self._width))
        start = np.append(start, [len(self._kinds)] * 2)
        self._kinds_of = Ragged(start, np.arange(len(self._kinds)))

    def rows(self, moves: Moves) -> Ints:
        """Estimate how many rows the extract of each move has."""
        length = self._kinds_of.length
        rows: Ints = length[moves.source] + length[moves.target]
        return rows

    def of(self, moves: Moves) -> tuple[Contingency, Contingency]:
        """Make a document for each move, in a table before and in one after it."""
        before = self._touched(moves)
        others = self._others(moves, before)
        key_size = np.append(self._table.key_size, 0)[moves.key]
        return (
            _extract(before, others, key_size),
            _extract(before.after(moves), others, key_size),
        )

    def _touched(self, moves: Moves) -> _Touched:
        table = self._table
        unit = moves.documents(table)
        ends = np.column_stack((moves.source, moves.target))
        common = np.bincount(table.cell_response, table.overlap, self._width - 1)
        of_key = np.bincount(table.cell_key, table.overlap, len(table.key_size))
        cell = np.column_stack([self._shared(moves.key, end) for end in ends.T])
        return _Touched(
            _with_rest(
                _of_ends(table.response_size, ends), table.response_mentions[unit]
            ),
            _with_rest(_of_ends(common, ends), table.common_mentions[unit]),
            _with_rest(cell, _of_ends(of_key, moves.key)),
        )

    def _shared(self, key: Ints, response: Ints) -> Ints:
        """Return how many mentions a key entity and a response entity share."""
        code = np.where((key >= 0) & (response >= 0), key * self._width + response, -1)
        place = np.searchsorted(self._code, code)
        is_there = np.append(self._code, -2)[place] == code
        return np.where(is_there, np.append(self._table.overlap, 0)[place], 0)

    def _others(self, moves: Moves, touched: _Touched) -> _Others:
        """List the cells of source and target except those of the moved mentions."""
        key_size = np.append(self._table.key_size, 0)[moves.key]
        parts = []
        for column, end in enumerate((moves.source, moves.target)):
            rows = self._kinds_of.take(end)
            move = rows.owner()
            _, shared, size, times = self._kinds[rows.value].T
            own = (shared == touched.cell[move, column]) & (size == key_size[move])
            parts.append((move, np.full_like(move, column), shared, size, times - own))
        rest = touched.common[:, _REST] - touched.cell[:, _REST]
        every = np.arange(len(rest))
        ones = np.ones_like(every)
        parts.append((every, ones * _REST, rest, rest, ones))
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        kept = (columns[-1] > 0) & (columns[2] > 0)
        return _Others(*(column[kept] for column in columns))


def _of_ends(values: Ints, ends: Ints) -> Ints:
    """Look up a value of entities; 0 for no entity and for a new one."""
    looked_up: Ints = np.append(values, [0, 0])[ends].astype(np.int64)
    return looked_up


def _with_rest(ends: Ints, total: Ints) -> Ints:
    """Add a column for what is left of the total."""
    return np.column_stack((ends, total - ends.sum(axis=1)))


def _extract(touched: _Touched, others: _Others, key_size: Ints) -> Contingency:
    """Make the table: key rows are the moved mentions' entities, then the others."""
    in_key = np.flatnonzero(key_size)  # moves whose mentions are in the key
    common = touched.cell[in_key].sum(axis=1)
    own = np.column_stack((in_key, key_size[in_key], common, np.ones_like(in_key)))
    alike = np.column_stack((others.move, others.key_size, others.shared, others.times))
    is_there = touched.size > 0
    owner = np.nonzero(is_there)[0]
    response = np.column_stack(
        (owner, touched.size[is_there], touched.common[is_there], np.ones_like(owner))
    )
    key_row = np.cumsum(key_size > 0) - 1
    response_row = np.cumsum(is_there).reshape(is_there.shape) - 1
    move, column = np.nonzero(touched.cell)
    cells = (
        np.append(key_row[move], len(own) + np.arange(len(alike))),
        np.append(response_row[move, column], response_row[others.move, others.column]),
        np.append(touched.cell[move, column], others.shared),
        np.append(np.ones_like(move), others.times),
    )
    return table_of_rows(len(key_size), np.vstack((own, alike)), response, cells)
