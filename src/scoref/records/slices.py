"""The function `slice_table`: scores for classes of records, and where scores are lost.

The classes are the values of any column of the records: of the gold data, of the
prediction, or of a table that lists the records. The counts of every metric are shared
out among the records, as for slices of texts.

A small tree then looks for the classes, or combinations of them, with the lowest B³. It
splits the records in two by the value that reduces the variance of B³ most, and the
parts again. Recall is about the records of the gold data, precision about those of the
prediction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from scoref.contingency.memberships import Listed, Listings
from scoref.displayed import Displayed
from scoref.errors import OptionError
from scoref.figures import percent
from scoref.printable import counted
from scoref.records.api import NoPairsError, record_tables, score_table
from scoref.records.cluster_labels import can_be_listed, labels_of_result
from scoref.records.ids import texts_of
from scoref.records.link_columns import WantedRecords
from scoref.records.numpy_engine import CodedClusters
from scoref.records.pairs import fetch_pairs
from scoref.records.request import ROLES, CountRequest, TableReading
from scoref.records.sources import has_names, recognise
from scoref.scoring.slices import Slices, shared_slices

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Unpack

    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Note
    from scoref.records.api import TableOptions
    from scoref.records.columns import ChosenColumns
    from scoref.scoring.results import Result

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]


class WeakRecords(NamedTuple):
    """Records with a low B³: what they have in common, and how much they lose.

    Args:
        figure: ``recall`` or ``precision``.
        conditions: what the records have in common, such as "source is web".
        records: how many there are.
        share: their share of all records of the side.
        value: their mean of the figure.
        lost: their share of all that is missing to a figure of 1.
    """

    figure: str
    conditions: tuple[str, ...]
    records: int
    share: float
    value: float
    lost: float


@dataclass(frozen=True, eq=False, repr=False)
class TableSlices(Displayed):
    """The scores by class of each column, and the records that lose most."""

    whole: Result
    slices: Mapping[str, Slices]
    losses: tuple[WeakRecords, ...]

    _reported_by = "records.slices_report:table_slices_report"

    @property
    def _in_short(self) -> str:
        return f"by {', '.join(self.slices)}"

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes on the whole table."""
        return self.whole.notes


MISSING = "(missing)"
"""The class of records without a value."""


def slice_table(
    key: object,
    response: object = None,
    *,
    by: str | Sequence[str],
    metrics: str | Sequence[str] | None = None,
    universe: Any = "both",
    **options: Unpack[TableOptions],
) -> TableSlices:
    """Score a clustering by the classes of its records.

    Args:
        key: as `score_table` takes it.
        response: as `score_table` takes it.
        by: the names of one column or several. They may be in either table, or in that
            of ``records``.
        metrics: names of metrics; by default the usual ones of tables.
        universe: how records are treated that one side lacks.
        options: those of `score_table` about reading.

    >>> both = {"id": [1, 2, 3, 4], "gold": [1, 1, 2, 2], "system": [1, 1, 2, 3]}
    >>> sliced = slice_table({**both, "year": [7, 7, 8, 8]}, by="year")
    >>> [result.scores["bcub"].recall for result in sliced.slices["year"].values()]
    [1.0, 0.5]
    """
    columns = (by,) if isinstance(by, str) else tuple(dict.fromkeys(by))
    records = options.get("records")
    chosen: dict[str, Any] = {**options, "universe": universe}
    try:
        result = score_table(key, response, metrics=metrics or _METRICS, **chosen)
    except NoPairsError:
        if records is None:
            raise
        del chosen["records"]
        result = score_table(key, response, metrics=metrics or _METRICS, **chosen)
    tables = [key] if response is None else [key, response]
    sizes = result.mentions
    if not can_be_listed(tables, sizes["key"] + sizes["response"]):
        raise OptionError(
            "classes of records can be scored for tables of up to 5,000,000 rows, and "
            "not for Spark DataFrames. Use a sample of the table"
        )
    key_labels, response_labels, names = labels_of_result(result, tables, chosen)
    values = _values_of(tables, records, result, columns, options)
    classes = {
        column: [by_record.get(name) or MISSING for name in names]
        for column, by_record in values.items()
    }
    sides = _in_universe(_coded(key_labels), _coded(response_labels), universe)
    kept = np.flatnonzero((sides[0] >= 0) | (sides[1] >= 0))
    listed = _listed(sides[0][kept], sides[1][kept])
    kept_classes = {
        column: [labels[row] for row in kept.tolist()]
        for column, labels in classes.items()
    }
    slices = {
        column: _slices(result, listed, labels, column)
        for column, labels in kept_classes.items()
    }
    return TableSlices(result, slices, tuple(_losses(listed, kept_classes)))


_METRICS = ("pairwise", "muc", "bcub", "ceafe", "lea", "cluster", "conll")


def _coded(labels: Sequence[str | None]) -> Ints:
    """Number clusters in the order of their names; -1 for none."""
    names = sorted({label for label in labels if label is not None})
    place = {name: number for number, name in enumerate(names)}
    return np.array(
        [-1 if label is None else place[label] for label in labels], dtype=np.int64
    )


def _in_universe(key: Ints, response: Ints, universe: str) -> tuple[Ints, Ints]:
    """Leave out records, or make singletons of them, as the universe wants."""
    in_key, in_response = key >= 0, response >= 0
    if universe == "common":
        both = in_key & in_response
        return np.where(both, key, -1), np.where(both, response, -1)
    if universe in {"key", "response"}:
        is_kept = in_key if universe == "key" else in_response
        key, response = np.where(is_kept, key, -1), np.where(is_kept, response, -1)
        is_wanted = is_kept
    elif universe == "union":
        is_wanted = in_key | in_response
    else:
        return key, response
    return _with_singletons(key, is_wanted), _with_singletons(response, is_wanted)


def _with_singletons(cluster: Ints, is_wanted: Mask) -> Ints:
    alone = np.flatnonzero(is_wanted & (cluster < 0))
    filled = cluster.copy()
    filled[alone] = cluster.max(initial=-1) + 1 + np.arange(len(alone))
    return filled


def _listed(key: Ints, response: Ints) -> Listed:
    """Return the table of these clusters, and each record with its cell."""
    key, response = _dense(key), _dense(response)
    blocks = [
        np.zeros(int(side.max(initial=-1)) + 1, np.int64) for side in (key, response)
    ]
    table = CodedClusters(key, response, blocks[0], blocks[1]).table(1)
    width = np.int64(max(1, len(table.response_size)))
    codes = table.cell_key * width + table.cell_response
    both = (key >= 0) & (response >= 0)
    cell = np.full(len(key), -1, dtype=np.int64)
    cell[both] = np.searchsorted(codes, key[both] * width + response[both])
    listings = []
    for side in (key, response):
        rows = np.flatnonzero(side >= 0)
        listings.append(
            Listings(
                cast("Corpus", None),  # records are not in a text
                rows,
                side[rows],
                np.zeros(len(rows), dtype=np.int64),
                cell[rows],
                np.ones(len(rows), dtype=np.bool_),
                both[rows],
            )
        )
    ranks = np.arange(len(table.key_size)), np.arange(len(table.response_size))
    return Listed(table, listings[0], listings[1], ranks)


def _dense(cluster: Ints) -> Ints:
    """Renumber clusters without gaps."""
    is_there = cluster >= 0
    dense = np.full(len(cluster), -1, dtype=np.int64)
    dense[is_there] = np.unique(cluster[is_there], return_inverse=True)[1]
    return dense


def _slices(
    whole: Result, listed: Listed, labels: Sequence[str], column: str
) -> Slices:
    """Share out the counts of every metric among the classes of a column."""
    names = _in_order(set(labels))
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([place[label] for label in labels], dtype=np.int64)
    classes = numbers[listed.key.row], numbers[listed.response.row]
    own = {
        name: counts.sum(axis=0, keepdims=True) for name, counts in whole.counts.items()
    }
    mentions = [
        float(count)
        for side in (listed.key, listed.response)
        for count in (side.is_found.sum(), len(side.row))
    ]
    own["mentions"] = np.array([mentions])
    whole = replace(whole, counts=own, documents=("",), notes=())
    slices = shared_slices(whole, listed, classes, names, column)
    return Slices(
        {
            name: replace(result, slice=(column, name))
            for name, result in slices.items()
        },
        column,
    )


def _in_order(names: set[str]) -> list[str]:
    """Sort classes as numbers, if they are; the missing one is last."""
    known = names - {MISSING}
    try:
        ordered = sorted(known, key=float)
    except ValueError:
        ordered = sorted(known)
    return ordered + ([MISSING] if MISSING in names else [])


@dataclass(frozen=True, slots=True)
class _WantedValues:
    """The column of records, and those of the columns of classes that are there."""

    record: str
    columns: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The names that must be there: none, because another table may have them."""
        return []

    def is_header(self, row: Sequence[str | None]) -> bool:
        """Return whether the first row of a file has the name of the column."""
        return self.record in row

    def choose(
        self, columns: Sequence[str], source: str, role: str | None
    ) -> ChosenColumns:
        """Choose the columns of classes that this table has."""
        del source, role
        chosen = [self.record, *(name for name in self.columns if name in columns)]
        return _ChosenValues(list(dict.fromkeys(chosen)), list(columns))


class _ChosenValues(NamedTuple):
    """The columns that are read, and all columns of the table."""

    names: list[str]
    known: list[str]

    def uses(self, _: str) -> dict[str, str]:
        """Return no uses: these columns are not about clusters."""
        return {}


def _values_of(
    tables: Sequence[object],
    records: object,
    result: Result,
    columns: Sequence[str],
    options: Mapping[str, Any],
) -> dict[str, dict[str, str]]:
    """Return the value of each record in each column, from the first table with one."""
    request = CountRequest(
        header=options.get("header"),
        table=options.get("table"),
        remote=bool(options.get("remote")),
    )
    keeps_last = options.get("duplicates") == "last"
    values: dict[str, dict[str, str]] = {}
    known: list[str] = []
    for table, role, record, prefix in _sources(tables, records, result, request):
        reading = TableReading(
            table.source,
            role,
            _WantedValues(record, tuple(columns)),
            request.header,
            request.table_of(role),
        )
        taken = fetch_pairs(table, reading, request)
        known += [name for name in taken.names if name not in known]
        names = texts_of(taken.values[record])
        for column in columns:
            if column not in taken.values:
                continue
            of_column = values.setdefault(column, {})
            own: dict[str, str] = {}
            texts = texts_of(taken.values[column])
            for name, text in zip(names, texts, strict=True):
                if name is not None and text is not None:
                    full = prefix + name
                    own[full] = text if keeps_last else own.get(full, text)
            values[column] = {**own, **of_column}
    for column in columns:
        if column not in values:
            raise OptionError(
                f"no table has the column '{column}'",
                hint="--by needs a column of the gold data, of the prediction, or of "
                "the table given with --records.",
            )
    return values


def _sources(
    tables: Sequence[object], records: object, result: Result, request: CountRequest
) -> Iterator[tuple[Any, Any, str, str]]:
    """Yield each table of records, its role, its column of records, and a prefix."""
    for role, table in zip(ROLES, tables, strict=False):
        name = result.columns.get(f"{role} mention") or result.columns.get("mention")
        if name is None:
            continue
        recognised = recognise(table, role, remote=request.remote)
        if has_names(recognised):
            yield recognised, role if len(tables) > 1 else None, name, ""
    listed = record_tables(records, remote=request.remote)
    has_prefix = result.scheme.sources == "two" and result.scheme.pairs == "both"
    prefixes = ("left:", "right:") if has_prefix else ("", "")
    for table, prefix in zip(listed, prefixes, strict=False):
        wanted = WantedRecords(None, datasets=False)
        reading = TableReading(table.source, None, wanted, request.header)
        names = fetch_pairs(table, reading, request).names
        yield table, None, names[0], prefix


_MOST_CONDITIONS = 2

_FEWEST = 0.02  # the share of the records that a part must have

_LEAST_GAIN = 0.01  # the share of the variance that a split must explain

_MOST_LOSSES = 3

_MOST_VALUES = 50  # of a column of numbers, before ranges are used


class _Part(NamedTuple):
    """Some records of a side, and what they have in common."""

    rows: Ints
    conditions: tuple[str, ...]


def _losses(
    listed: Listed, classes: Mapping[str, Sequence[str]]
) -> Iterator[WeakRecords]:
    """Find the records with a low recall, and those with a low precision."""
    table = listed.table
    for figure, side, size in (
        ("recall", listed.key, table.key_size),
        ("precision", listed.response, table.response_size),
    ):
        shared = np.append(table.overlap, 0)[side.cell].astype(np.float64)
        value = np.where(side.cell >= 0, shared, 0.0) / size[side.entity]
        if not len(value) or not (value < 1).any():
            continue
        of_side = {
            column: [labels[row] for row in side.row.tolist()]
            for column, labels in classes.items()
        }
        parts = _grow(_Part(np.arange(len(value)), ()), value, _candidates(of_side))
        total = float((1 - value).sum())
        losses = [
            WeakRecords(
                figure,
                part.conditions,
                len(part.rows),
                len(part.rows) / len(value),
                float(value[part.rows].mean()),
                float((1 - value[part.rows]).sum()) / total,
            )
            for part in parts
            if part.conditions
        ]
        worse = [loss for loss in losses if loss.lost > loss.share]
        worse.sort(key=lambda loss: (-loss.lost, loss.conditions))
        yield from worse[:_MOST_LOSSES]


class _Candidate(NamedTuple):
    """A way to split records in two: those of a class, or up to a number."""

    yes: str
    no: str
    holds: Mask


def _candidates(classes: Mapping[str, Sequence[str]]) -> list[_Candidate]:
    """List the splits by each column."""
    candidates = []
    for column, labels in classes.items():
        names = np.array(labels, dtype=object)
        numbers = _as_numbers(labels)
        if numbers is not None:
            known = np.unique(numbers[~np.isnan(numbers)])
            step = max(1, len(known) // _MOST_VALUES)
            candidates += [
                _Candidate(
                    f"{column} up to {limit:g}",
                    f"{column} above {limit:g}",
                    numbers <= limit,
                )
                for limit in known[:-1:step].tolist()
            ]
            continue
        distinct, counts = np.unique(names.astype(str), return_counts=True)
        common = distinct[np.argsort(-counts, kind="stable")][:_MOST_VALUES]
        others = (
            {distinct[0]: distinct[1], distinct[1]: distinct[0]}
            if (len(distinct) == 2)
            else {}
        )
        candidates += [
            _Candidate(
                f"{column} {name}",
                f"{column} {others.get(name, f'other than {name}')}",
                names == name,
            )
            for name in common.tolist()
        ]
    return candidates


_FEWEST_NUMBERS = 6  # different ones; fewer are classes


def _as_numbers(labels: Sequence[str]) -> Floats | None:
    """Return a column of numbers; None if it has other values, or few of them."""
    known = set(labels)
    if len(known) < _FEWEST_NUMBERS:
        return None
    try:
        by_label = {name: np.nan if name == MISSING else float(name) for name in known}
    except ValueError:
        return None
    return np.array([by_label[label] for label in labels], dtype=np.float64)


def _grow(part: _Part, value: Floats, candidates: list[_Candidate]) -> list[_Part]:
    """Split a part in two as long as that explains something; return the leaves."""
    if len(part.conditions) == _MOST_CONDITIONS:
        return [part]
    own = value[part.rows]
    spread = float(np.square(own - own.mean()).sum())
    fewest = max(2, _FEWEST * len(value))
    best, gain = None, _LEAST_GAIN * float(np.square(value - value.mean()).sum())
    for candidate in candidates:
        holds = candidate.holds[part.rows]
        yes = int(holds.sum())
        if min(yes, len(own) - yes) < fewest or not spread:
            continue
        sums = float(own[holds].sum()), float(own[~holds].sum())
        explained = (
            sums[0] ** 2 / yes
            + sums[1] ** 2 / (len(own) - yes)
            - (sums[0] + sums[1]) ** 2 / len(own)
        )
        if explained > gain + _ROUNDING:
            best, gain = candidate, explained
    if best is None:
        return [part]
    holds = best.holds[part.rows]
    return [
        leaf
        for rows, condition in (
            (part.rows[holds], best.yes),
            (part.rows[~holds], best.no),
        )
        for leaf in _grow(_Part(rows, (*part.conditions, condition)), value, candidates)
    ]


_ROUNDING = 1e-9


def sentence_of(loss: WeakRecords, whole: float, precision: int = 2) -> str:
    """Write in words where a figure is lost.

    >>> sentence_of(WeakRecords("recall", ("source web",), 3, 0.25, 0.4, 0.6), 0.75)
    'B³ recall is 40.00 (75.00 overall) for 3 records with source web: 25 % of the \
records, 60 % of the lost recall.'
    """
    records = counted(loss.records, "record")
    return (
        f"B³ {loss.figure} is {percent(loss.value, precision)} "
        f"({percent(whole, precision)} overall) for {records} with "
        f"{' and '.join(loss.conditions)}: {100 * loss.share:.0f} % of the records, "
        f"{100 * loss.lost:.0f} % of the lost {loss.figure}."
    )
