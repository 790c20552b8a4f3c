"""Pairs of records as a key or a response: which ones are links, and their closure.

A row of such a table has two records. It may have a label, 0 or 1, or a score, of which
those from a threshold on are links. The metric `links` compares the links as they are
given. All other metrics compare clusters, so the links of a side are joined to
connected components. Every engine numbers records in the order of their text, and
everything after that happens in NumPy, so all engines give the same digits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError, OptionError, quoted
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.records import numpy_engine
from scoref.records.engines import NUMPY, open_session
from scoref.records.ids import CodedColumn, texts_of
from scoref.records.link_columns import LinkColumns, WantedLinks, WantedRecords
from scoref.records.link_rows import (
    FALSE,
    SEPARATOR,
    SOURCE_PREFIXES,
    TRUE,
    PairOptions,
    WrittenIds,
    check_distinct,
    ids_of,
    link_rows,
    pair_ids,
    row_error,
    sources_of,
)
from scoref.records.loading import TableSides
from scoref.records.numpy_engine import CodedRows, CodedTable
from scoref.records.pairs import fetch_pairs
from scoref.records.request import ROLES, SIDE_NAMES, TableReading, TableSide
from scoref.records.sources import check_unchanged, readings
from scoref.records.text_files import load_into_memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from scoref.model import Ints
    from scoref.records.columns import SideColumns
    from scoref.records.ids import EngineColumn
    from scoref.records.loading import Session
    from scoref.records.request import CountRequest, Role, TableCounts
    from scoref.records.sources import TableInput
    from scoref.scheme import Sources


class _Side(NamedTuple):
    """One side: its records, their clusters, and the links of a table of pairs.

    ``links`` are pairs of codes, the smaller one first, each once; None for clusters.
    """

    record: Ints
    cluster: Ints
    labels: list[str]
    counts: TableSide
    columns: LinkColumns | SideColumns
    links: tuple[Ints, Ints] | None = None
    with_itself: int = 0
    repeated: int = 0


class LinkedTable(NamedTuple):
    """A table of codes of which at least one side is pairs."""

    table: CodedTable
    links: tuple[tuple[Ints, Ints] | None, tuple[Ints, Ints] | None]
    sources: Sources
    notes: tuple[Note, ...]


def read_links(
    tables: Sequence[TableInput],
    request: CountRequest,
    options: PairOptions,
    engine: str,
) -> LinkedTable:
    """Read a key and a response of which at least one is pairs, with any engine."""
    if request.is_grouped:
        raise OptionError(
            "a table of pairs has no groups, so --group cannot be used with one"
        )
    with check_unchanged(tables):
        if engine == NUMPY:
            labels, sides, sources = _read_in_memory(tables, request, options)
        else:
            with open_session(engine, request, tables) as session:
                labels, sides, sources = _read_by_sql(session, tables, request, options)
    if options.records:
        labels, sides = _add_records(labels, sides, request, options, sources)
    key, response = sides
    block = np.zeros_like
    table = CodedTable(
        (
            CodedRows(key.record, block(key.record), key.cluster),
            CodedRows(response.record, block(response.record), response.cluster),
        ),
        (key.counts, response.counts),
        labels,
        [""],
        (key.labels, response.labels),
        key.columns.uses("key") | response.columns.uses("response"),
    )
    notes = [
        note
        for role, side in zip(ROLES, sides, strict=True)
        for note in _side_notes(role, side)
    ]
    return LinkedTable(table, (key.links, response.links), sources, tuple(notes))


class PairKey(NamedTuple):
    """A key that is pairs, alone: records, their components, and the links."""

    source: str
    labels: list[str]
    component: Ints
    links: tuple[Ints, Ints]
    sources: Sources
    notes: tuple[Note, ...]
    columns: dict[str, str]


def read_pair_key(
    table: TableInput,
    request: CountRequest,
    wanted: WantedLinks,
    options: PairOptions,
    *,
    has_prefix: bool = False,
) -> PairKey:
    """Read a key of pairs that is compared with something else than a table.

    With ``has_prefix``, ids of two sources have the `SOURCE_PREFIXES`.
    """
    reading = TableReading(
        table.source, "key", wanted, request.header, request.table_of("key")
    )
    taken = fetch_pairs(table, reading, request)
    columns = wanted.choose(taken.names, table.source, "key")
    sources = sources_of([columns], options)
    ids = WrittenIds(sources, has_prefix=has_prefix and sources == "two")
    left, right = pair_ids(taken, columns, ids)
    if None in left or None in right:
        raise row_error(table, reading, "record")
    check_distinct({*map(str, left)}, {*map(str, right)}, ids, table.source)
    rows = link_rows(taken, columns, reading, table)
    records = CodedColumn.of([*left, *right])
    one, other = np.split(records.codes, [len(left)])
    every = np.arange(len(records.labels))
    side = _closure(
        records.labels, every, one[rows], other[rows], table.source, columns
    )
    assert side.links is not None
    return PairKey(
        table.source,
        records.labels,
        side.cluster,
        side.links,
        ids.sources,
        tuple(_side_notes("key", side)),
        columns.uses("key"),
    )


def count_links(linked: LinkedTable, request: CountRequest) -> TableCounts:
    """Count the clusters of both sides, and the links that they share."""
    counts = numpy_engine.count_coded(linked.table, request)
    (key, response), records = linked.table.sides, len(linked.table.mentions)
    clusters = [np.full(records, -1, dtype=np.int64) for _ in ROLES]
    for cluster, side in zip(clusters, (key, response), strict=True):
        cluster[side.mention] = side.cluster
    in_key, in_response = (cluster >= 0 for cluster in clusters)
    is_kept = {
        "common": in_key & in_response,
        "key": in_key,
        "response": in_response,
    }.get(request.universe, np.ones(records, dtype=np.bool_))
    codes = [
        None
        if side is None
        else (side[0] * np.int64(records) + side[1])[
            is_kept[side[0]] & is_kept[side[1]]
        ]
        for side in linked.links
    ]
    totals = [
        len(code) if code is not None else _links_within(cluster[is_kept])
        for code, cluster in zip(codes, clusters, strict=True)
    ]
    both = 0
    if codes[0] is not None and codes[1] is not None:
        both = len(np.intersect1d(codes[0], codes[1], assume_unique=True))
    else:
        code, cluster = next(
            (code, clusters[1 - place])
            for place, code in enumerate(codes)
            if code is not None
        )
        one, other = cluster[code // records], cluster[code % records]
        both = int(((one >= 0) & (one == other)).sum())
    links = np.array([[both, *totals]], dtype=np.int64)
    return replace(counts, table=counts.table._replace(links=links))


def _links_within(cluster: Ints) -> int:
    size = np.bincount(cluster[cluster >= 0])
    return int((size * (size - 1) // 2).sum())


def connected_components(left: Ints, right: Ints, records: int) -> Ints:
    """Return the smallest record of each record's component.

    In each round, every component is joined to the smallest of its neighbours, so the
    number of components that have neighbours is at least halved.
    """
    root = np.arange(records, dtype=np.int64)
    while True:
        left, right = root[left], root[right]
        apart = left != right
        if not apart.any():
            return root
        left, right = left[apart], right[apart]
        np.minimum.at(root, np.maximum(left, right), np.minimum(left, right))
        while True:
            above = root[root]
            if np.array_equal(above, root):
                break
            root = above


def _closure(
    labels: Sequence[str],
    record: Ints,
    left: Ints,
    right: Ints,
    source: str,
    columns: LinkColumns,
) -> _Side:
    """Return the side of these links, with a cluster for each component."""
    count = np.int64(len(labels))
    apart = left != right
    low, high = np.minimum(left, right)[apart], np.maximum(left, right)[apart]
    code = np.unique(low * count + high)
    links = (code // count, code % count) if len(code) else (code, code)
    root = connected_components(links[0], links[1], len(labels))[record]
    roots, cluster = np.unique(root, return_inverse=True)
    return _Side(
        record,
        cluster.astype(np.int64),
        [labels[number] for number in roots.tolist()],
        TableSide(source, len(record)),
        columns,
        links,
        int((~apart).sum()),
        int(apart.sum()) - len(code),
    )


def _read_in_memory(
    tables: Sequence[TableInput], request: CountRequest, options: PairOptions
) -> tuple[list[str], list[_Side], Sources]:
    loaded = load_into_memory(tables, request)
    side_readings = readings(loaded, request)
    chosen: list[LinkColumns | SideColumns] = [
        reading.choose(table.names)  # type: ignore[misc]
        for table, reading in zip(loaded, side_readings, strict=True)
    ]
    ids = ids_of(chosen, options)
    texts: list[list[str | None]] = []
    is_link: dict[int, NDArray[np.bool_]] = {}
    clusters: dict[int, numpy_engine.KeySide] = {}
    for place, (table, reading, columns, original) in enumerate(
        zip(loaded, side_readings, chosen, tables, strict=True)
    ):
        if isinstance(columns, LinkColumns):
            taken = table.take(columns.names)
            both = pair_ids(taken, columns, ids)
            is_link[place] = link_rows(taken, columns, reading, original)
            if None in both[0] or None in both[1]:
                raise row_error(original, reading, "record")
            left_ids, right_ids = ({*map(str, side)} for side in both)
            check_distinct(left_ids, right_ids, ids, table.source)
            texts += both
        else:
            side = numpy_engine.key_side(table, reading, request, [])
            clusters[place] = side
            texts.append(list(side.mention))
    records = CodedColumn.of([text for column in texts for text in column])
    ends = np.cumsum([len(column) for column in texts])
    codes = iter(np.split(records.codes, ends[:-1]))
    sides = []
    for place, (table, columns) in enumerate(zip(loaded, chosen, strict=True)):
        if isinstance(columns, LinkColumns):
            left, right = next(codes), next(codes)
            rows = is_link[place]
            present = np.unique(np.concatenate((left, right)))
            sides.append(
                _closure(
                    records.labels,
                    present,
                    left[rows],
                    right[rows],
                    table.source,
                    columns,
                )
            )
        else:
            side = clusters[place]
            sides.append(
                _Side(next(codes), side.cluster, side.labels, side.side, columns)
            )
    return records.labels, sides, ids.sources


def _read_by_sql(
    session: Session,
    tables: Sequence[TableInput],
    request: CountRequest,
    options: PairOptions,
) -> tuple[list[str], list[_Side], Sources]:
    """Number records in the engine in the order of their text, and fetch numbers."""
    sides = TableSides(session, request)
    chosen: list[LinkColumns | SideColumns] = []
    columns: list[dict[str, EngineColumn]] = []
    side_readings = readings(tables, request)
    for role, table, reading in zip(ROLES, tables, side_readings, strict=True):
        columns.append(sides.load(table, f"{role}_table", reading))
        chosen.append(reading.choose(list(columns[-1])))  # type: ignore[arg-type]
    ids = ids_of(chosen, options)
    for role, table, reading, of_side, names in zip(
        ROLES, tables, side_readings, chosen, columns, strict=True
    ):
        if isinstance(of_side, LinkColumns):
            _view_pairs(sides, role, names, of_side, reading, ids)
            _check_rows(sides, role, table, reading, ids)
        else:
            sides.view_rows(role, names, of_side, as_text=True)
            sides.count_side(role, table.source)
    return (*_fetch(sides, tables, chosen), ids.sources)


def _view_pairs(
    sides: TableSides,
    role: Role,
    columns: Mapping[str, EngineColumn],
    chosen: LinkColumns,
    reading: TableReading,
    ids: WrittenIds,
) -> None:
    """Create the view of pairs: ids, the label as text, the score, is it a link."""

    def text(name: str) -> str:
        return sides.sql(columns[name], as_text=True)

    records = []
    for number, name in enumerate((chosen.left, chosen.right)):
        prefix, sql = ids.prefixes()[number], text(name)
        if chosen.datasets:
            sql = f"{text(chosen.datasets[number])} || '{SEPARATOR}' || {sql}"
        elif prefix:
            sql = f"'{prefix}' || {sql}"
        records.append(sql)
    label = f"lower({text(chosen.label)})" if chosen.label else "'1'"
    quote = sides.session.quote
    score = "CAST(0 AS DOUBLE)"
    written = "''"
    threshold = "CAST(0 AS DOUBLE)"
    if chosen.score:
        name = f"{quote}{chosen.score.replace(quote, quote * 2)}{quote}"
        score, written = f"TRY_CAST({name} AS DOUBLE)", text(chosen.score)
        assert isinstance(reading.wanted, WantedLinks)
        threshold = f"CAST('{float(reading.wanted.threshold or 0)!r}' AS DOUBLE)"
    true, every = (
        ", ".join(f"'{word}'" for word in some) for some in (TRUE, TRUE + FALSE)
    )
    sides.view(
        f"{role}_pairs",
        f"SELECT {records[0]} AS l, {records[1]} AS r, {label} AS label, "
        f"{score} AS score, {written} AS written FROM {sides.name(f'{role}_table')}",
    )
    sides.view(
        f"{role}_links",
        "SELECT l, r, label, score, written, coalesce(label, '') NOT IN "
        f"({every}) AS bad_label, score IS NULL OR isnan(score) AS bad_score, "
        f"label IN ({true}) AND score >= {threshold} AS is_link "
        f"FROM {sides.name(f'{role}_pairs')}",
    )


def _check_rows(
    sides: TableSides,
    role: Role,
    table: TableInput,
    reading: TableReading,
    ids: WrittenIds,
) -> None:
    """Refuse pairs with a bad label or score, or without an id."""
    rows = sides.name(f"{role}_links")
    labels, scores, records = sides.numbers(
        "SELECT count(CASE WHEN bad_label THEN 1 END), "
        "count(CASE WHEN bad_score THEN 1 END), "
        f"count(CASE WHEN l IS NULL OR r IS NULL THEN 1 END) FROM {rows}"
    )
    for count, kind, column in (
        (labels, "label", "label"),
        (scores, "score", "written"),
    ):
        if count:
            query = f"SELECT {column} FROM {rows} WHERE bad_{kind} LIMIT 1"
            ((value,),) = sides.session.rows(query)
            raise row_error(table, reading, kind, value)
    if records:
        raise row_error(table, reading, "record")
    if ids.sources == "two" and not ids.has_prefix:
        common = sides.session.rows(
            f"SELECT DISTINCT l FROM {rows} WHERE l IN (SELECT r FROM {rows})"
        )
        texts = {str(text) for (text,) in common}
        check_distinct(texts, texts, ids, table.source)


def _fetch(
    sides: TableSides,
    tables: Sequence[TableInput],
    chosen: Sequence[LinkColumns | SideColumns],
) -> tuple[list[str], list[_Side]]:
    session = sides.session
    parts: list[str] = []
    for role, columns in zip(ROLES, chosen, strict=True):
        if isinstance(columns, LinkColumns):
            rows = sides.name(f"{role}_links")
            parts += [f"SELECT l AS id FROM {rows}", f"SELECT r AS id FROM {rows}"]
        else:
            parts.append(f"SELECT mention AS id FROM {sides.name(f'{role}_side')}")
    records = sides.name("records")
    sides.report_progress("numbering records", 2)
    session.keep(
        records,
        "SELECT id, row_number() OVER (ORDER BY id) - 1 AS code "
        f"FROM ({' UNION '.join(parts)}) AS every",
    )
    labels = [
        str(text) for (text,) in session.rows(f"SELECT id FROM {records} ORDER BY code")
    ]
    sides.report_progress("fetching pairs", 4)
    read: list[_Side] = []
    for role, table, columns in zip(ROLES, tables, chosen, strict=True):
        if isinstance(columns, LinkColumns):
            rows = sides.name(f"{role}_links")
            left, right, is_link = (
                column.astype(np.int64)
                for column in session.arrays(
                    "SELECT a.code AS l, b.code AS r, CAST(is_link AS INT) AS k "
                    f"FROM {rows} JOIN {records} AS a ON l = a.id "
                    f"JOIN {records} AS b ON r = b.id"
                )
            )
            present = np.unique(np.concatenate((left, right)))
            there = is_link == 1
            read.append(
                _closure(
                    labels, present, left[there], right[there], table.source, columns
                )
            )
        else:
            side = sides.name(f"{role}_side")
            names = [
                str(name)
                for (name,) in session.rows(
                    f"SELECT DISTINCT CAST(cluster AS STRING) AS c FROM {side} "
                    "ORDER BY c"
                )
            ]
            record, cluster = (
                column.astype(np.int64)
                for column in session.arrays(
                    "SELECT code, dense_rank() OVER (ORDER BY CAST(cluster AS STRING)) "
                    f"- 1 AS c FROM {side} JOIN {records} ON mention = id"
                )
            )
            read.append(_Side(record, cluster, names, sides.counts[role], columns))
    return labels, read


def _add_records(
    labels: list[str],
    sides: Sequence[_Side],
    request: CountRequest,
    options: PairOptions,
    sources: Sources,
) -> tuple[list[str], list[_Side]]:
    """Add the records that are in no pair, as singletons of each side of pairs."""
    if (sources == "two") != (len(options.records) == len(ROLES)):
        expected = (
            "once, because the pairs are of one source"
            if sources != "two"
            else "twice, for the left and the right source"
        )
        raise OptionError(f"--records must be given {expected}")
    has_prefix = labels and all(isinstance(s.columns, LinkColumns) for s in sides)
    prefixes = SOURCE_PREFIXES if sources == "two" and has_prefix else ("", "")
    known: set[str] = set()
    for table, prefix in zip(options.records, prefixes, strict=False):
        known |= {prefix + name for name in record_ids(table, request, sources)}
    names = np.array(labels, dtype=object)
    for side in sides:
        lacking = sorted({str(name) for name in names[side.record]} - known)
        if lacking:
            files = quoted([table.source for table in options.records])
            raise FormatError(
                f"{counted(len(lacking), 'record is', 'records are')} not in {files}, "
                f"for example '{lacking[0]}'",
                source=side.counts.source,
                hint="--records must list all records. Ids are compared as text."
                + (" The left source comes first." if prefixes[0] else ""),
            )
    every = sorted(known)
    place = {name: number for number, name in enumerate(every)}
    code = np.array([place[name] for name in labels], dtype=np.int64)
    return every, [_with_singletons(side, code, every) for side in sides]


def _with_singletons(side: _Side, code: Ints, labels: list[str]) -> _Side:
    record = code[side.record]
    if side.links is None:
        return side._replace(record=record)
    alone = np.setdiff1d(np.arange(len(labels)), record)
    first = len(side.labels)
    return side._replace(
        record=np.concatenate((record, alone)),
        cluster=np.concatenate((side.cluster, first + np.arange(len(alone)))),
        labels=[*side.labels, *(labels[number] for number in alone.tolist())],
        counts=TableSide(side.counts.source, len(labels)),
        links=(code[side.links[0]], code[side.links[1]]),
    )


def record_ids(
    table: TableInput, request: CountRequest, sources: Sources = "one"
) -> set[str]:
    """Return the ids of a table that lists records."""
    wanted = WantedRecords(request.wanted.mention, sources == "named")
    reading = TableReading(table.source, None, wanted, request.header)
    columns = fetch_pairs(table, reading, request)
    chosen = wanted.choose(columns.names, table.source, None)
    ids = texts_of(columns.values[chosen.mention])
    if chosen.dataset:
        datasets = texts_of(columns.values[chosen.dataset])
        ids = [
            None if name is None else f"{dataset}{SEPARATOR}{name}"
            for dataset, name in zip(datasets, ids, strict=True)
        ]
    names = {name for name in ids if name is not None}
    if not names:
        raise FormatError("this table has no records", source=table.source)
    unnamed = ids.count(None)
    if unnamed:
        raise FormatError(
            f"{counted(unnamed, 'row has', 'rows have')} no '{chosen.mention}'",
            source=table.source,
            hint="Every row of --records needs the id of a record.",
        )
    return names


def _side_notes(role: Role, side: _Side) -> Iterator[Note]:
    if side.links is None or not isinstance(side.columns, LinkColumns):
        return
    name = SIDE_NAMES[role]
    if side.with_itself:
        text = (
            f"In {counted(side.with_itself, 'row')} of the {name}, a record is paired "
            "with itself. That is not a link."
        )
        yield Note(f"itself-in-{role}", side.with_itself, text)
    if side.repeated:
        text = (
            f"In {counted(side.repeated, 'row')} of the {name}, a pair is repeated. "
            "Each pair counts once, in either order."
        )
        yield Note(f"repeated-pairs-in-{role}", side.repeated, text)
    if not len(side.links[0]):
        text = f"{WARNING}The {name} has no links."
        yield Note(f"no-links-in-{role}", 1, text)
    if side.columns.unused:
        unused = quoted(list(side.columns.unused))
        text = (
            f"{WARNING}Every row of the {name} counts as a match. If one of the "
            f"columns {unused} is a label or a score, name it with --{role}-label or "
            f"--{role}-score."
        )
        yield Note(f"every-row-in-{role}", len(side.links[0]), text)
