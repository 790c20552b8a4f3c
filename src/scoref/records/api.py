"""The function `score_table`: score clusterings in files, frames or Python values.

The module also turns the counts of a table into a `Result`, and collects the notes on
a table: for example on files, the header, and rows that were skipped.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from scoref.errors import OptionError, quoted, unknown
from scoref.metrics import (
    METRICS,
    choose_metrics,
    metrics_of,
    needed_metrics,
    parts_of,
    usual,
)
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.records.columns import NULL_WORDS, WantedColumns
from scoref.records.engines import check_engine, count_tables, engine_for
from scoref.records.file_types import Files
from scoref.records.request import (
    ROLES,
    SIDE_NAMES,
    CountRequest,
    Duplicates,
    TableReading,
    check_memory,
)
from scoref.records.sources import check_lengths, recognise
from scoref.records.text_files import shared_first_line
from scoref.scheme import TABLE, Scheme, Universe
from scoref.scoring.results import UNDEFINED, Result, plugins_of
from scoref.scoring.sanity_checks import coverage_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.contingency import Contingency
    from scoref.records.request import Progress, TableCounts, TableSide
    from scoref.records.sources import TableInput
    from scoref.scheme import Undefined


def score_table(
    key: object,
    response: object = None,
    *,
    mention: str | None = None,
    key_mention: str | None = None,
    response_mention: str | None = None,
    key_cluster: str | None = None,
    response_cluster: str | None = None,
    group: str | None = None,
    universe: Universe = "both",
    duplicates: Duplicates = "error",
    undefined: Undefined = "zero",
    metrics: str | Iterable[str] | None = None,
    ceaf: bool = True,
    engine: str | None = None,
    memory: str | None = None,
    header: bool | None = None,
    table: str | tuple[str, str] | None = None,
    remote: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Score a clustering against another.

    Args:
        key: a path, a pattern, a folder of parts; a frame of pandas, polars, Arrow,
            DuckDB or Spark; a dict from mention to cluster, pairs (mention, cluster) as
            tuples, clusters as lists or sets, or labels, one for each mention.
        response: the same; None if the key's table has the response's clusters, too.
        mention: the mention's column; by default the first one of two tables. In one
            table it is found by its name, or each row is a mention.
        key_mention: the mention's column in the key, if the sides call it differently.
        response_mention: the mention's column in the response.
        key_cluster: the column of the key's clusters; by default the second one.
        response_cluster: the column of the response's clusters.
        group: a column of groups; a cluster is within one group.
        universe: how mentions are treated that one side lacks.
        duplicates: which row of a mention counts, in the order of the table.
        undefined: the value of 0/0.
        metrics: names of metrics; by default all.
        ceaf: whether clusters are aligned, which takes the most time.
        engine: numpy, duckdb or spark; by default chosen by the size of the tables.
        memory: the memory that DuckDB may use, such as 2GB.
        header: whether a text file begins with names; by default detected.
        table: the table of a database, or one for each side.
        remote: whether a path may be an address, such as s3://…
        progress: called with each step and the share of the work that is done.

    >>> score_table([["a", "b"], ["c"]], [["a", "b", "c"]]).scores["pairwise"].f1
    0.5
    """
    for kind, value, known in (
        ("universe", universe, get_args(Universe)),
        ("duplicates policy", duplicates, get_args(Duplicates)),
        ("0/0 policy", undefined, UNDEFINED),
    ):
        if value not in known:
            raise unknown(kind, value, known)
    names = metrics_for(metrics)
    aligned = [name for name in names if is_aligned(name)]
    if not ceaf:
        if metrics not in (None, "all") and aligned:
            raise OptionError(
                f"'{aligned[0]}' aligns clusters, which ceaf=False (--no-ceaf) "
                "turns off. Leave out one of them"
            )
        names = tuple(name for name in names if name not in aligned)
    check_engine(engine)
    check_memory(memory)
    request = CountRequest(
        wanted=WantedColumns(
            *(mention, key_cluster, response_cluster, group),
            *(key_mention, response_mention),
        ),
        universe=universe,
        duplicates=duplicates,
        ceaf=ceaf and bool(aligned),
        header=header,
        table=table,
        memory=memory,
        remote=remote,
        progress=progress,
    )
    tables = [recognise(key, "key", remote=remote)]
    if response is not None:
        tables.append(recognise(response, "response", remote=remote))
        check_lengths(*tables)
    elif key_mention or response_mention:
        raise OptionError(
            "--key-mention and --response-mention need two tables. Name "
            "the column of one table with --mention"
        )
    engine = engine or engine_for(tables, request)
    counts = count_tables(tables, request, engine)
    scheme = Scheme(
        group=group,
        universe=universe,
        duplicates=duplicates,
        # Spark does not keep the order of rows, so the text of clusters decides.
        row_order="text" if engine == "spark" and duplicates != "error" else None,
        undefined=undefined,
    )
    sources = counts.key.source, counts.response.source
    result = score_counts(counts.table, counts.blocks, scheme, names, sources)
    notes = (
        *_file_notes(tables),
        *same_file_notes(tables, request),
        *_header_notes(tables, request),
        *_count_notes(counts, request),
        *result.notes,
    )
    return replace(result, notes=notes, columns=counts.columns)


def metrics_for(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """Check names of metrics, and return all metrics if there are none."""
    return choose_metrics("all" if names is None else names, usual("tables"))


def is_aligned(name: str) -> bool:
    """Return whether a metric, or a part of a mean, needs an alignment of clusters."""
    return any(getattr(METRICS[part], "is_aligned", False) for part in parts_of(name))


def score_counts(
    table: Contingency,
    documents: Sequence[str],
    scheme: Scheme,
    metrics: tuple[str, ...],
    sources: tuple[str, str],
) -> Result:
    """Score the counts of a table."""
    known = metrics_of(scheme)
    common, total = table.common_and_all
    return Result(
        key=sources[0],
        response=sources[1],
        format=TABLE,
        scheme=scheme,
        metrics=metrics,
        documents=tuple(documents),
        counts={name: known[name].count(table) for name in needed_metrics(metrics)},
        notes=tuple(coverage_notes(common, total, metrics, TABLE)),
        table=table,
        plugins=plugins_of(metrics, TABLE),
    )


_MOST_PATHS = 12  # that a note lists


def _file_notes(tables: Sequence[TableInput]) -> Iterator[Note]:
    """List the files of a pattern or a folder."""
    for table in tables:
        if isinstance(table, Files) and table.paths != (table.source,):
            paths = quoted(table.paths, _MOST_PATHS)
            files = counted(len(table.paths), "file")
            text = f"'{table.source}' was read as {files}: {paths}."
            yield Note("files", len(table.paths), text)


def same_file_notes(
    tables: Sequence[TableInput], request: CountRequest
) -> Iterator[Note]:
    """Warn if a file is compared with itself."""
    files = [table for table in tables if isinstance(table, Files)]
    if len(files) < len(tables) or len(files) < len(ROLES):
        return
    are_same = files[0].paths == files[1].paths
    columns = request.wanted.key_cluster, request.wanted.response_cluster
    if are_same and columns[0] == columns[1] and not isinstance(request.table, tuple):
        text = (
            f"{WARNING}{files[0].source} was given as gold data and prediction, so "
            "it is compared with itself."
        )
        yield Note("same-as-key", 1, text)


def _header_notes(
    tables: Sequence[TableInput], request: CountRequest
) -> Iterator[Note]:
    """Note a first line that was read as a row, but may have names of columns."""
    is_clear = request.header or request.wanted.names
    if is_clear or not all(isinstance(table, Files) for table in tables[:2]):
        return
    key, *response = (table for table in tables if isinstance(table, Files))
    line = shared_first_line(key, *response) if response else None
    if line is None:
        return
    is_header = TableReading(key.source).text_columns(line, key.format)[2]
    if is_header == (request.header is False):
        text = (
            f"{WARNING}Both files begin with '{line}', which was read as a record. "
            "If these are names of columns, add --header (header=True in Python)."
        )
        yield Note("header", 1, text)


_ONE_SIDED = {
    "both": "count in the size of their clusters",
    "common": "are left out",
    "union": "count as singletons there",
}


def _count_notes(counts: TableCounts, request: CountRequest) -> Iterator[Note]:
    """Note what happened to skipped rows and to mentions of one side."""
    for role, side in zip(ROLES, (counts.key, counts.response), strict=True):
        yield from side_notes(role, side, request)
    overlap = counts.overlap
    for role, lone in (
        ("key", overlap.key_only),
        ("response", overlap.response_only),
    ):
        if lone:
            total = overlap.common + lone
            universe = request.universe
            if universe not in _ONE_SIDED:  # that of one side
                universe = "union" if role == universe else "common"
            are = "is" if lone == 1 else "are"
            text = (
                f"{lone:,} of {total:,} records {are} only in the "
                f"{SIDE_NAMES[role]}. Records that the other side lacks "
                f"{_ONE_SIDED[universe]} (--universe {request.universe})."
            )
            yield Note(f"only-in-{role}", lone, text)
    yield from _sample_notes(counts, request)
    yield from _singleton_notes(counts)


def side_notes(role: str, side: TableSide, request: CountRequest) -> Iterator[Note]:
    """Note which rows of a side were skipped."""
    name = SIDE_NAMES.get(role, role)
    if not side.clustered:
        text = f"{WARNING}The {name} has no records, so every gold cluster is missing."
        yield Note("no-mentions", 1, text)
    if side.unnamed:
        rows = counted(side.unnamed, "row")
        text = f"{WARNING}scoref left out {rows} of the {name} without a record."
        yield Note(f"unnamed-in-{role}", side.unnamed, text)
    if side.unclustered:
        rows = counted(side.unclustered, "row")
        text = f"{WARNING}scoref left out {rows} of the {name} without a cluster."
        yield Note(f"unclustered-in-{role}", side.unclustered, text)
    *words, last_word = NULL_WORDS
    null_words = f"{', '.join(words)} or {last_word}"
    if side.null_words:
        rows = counted(side.null_words, "row")
        text = (
            f"{WARNING}scoref read the cluster of {rows} of the {name} as missing, "
            f"because it is written as {null_words}."
        )
        yield Note(f"missing-values-in-{role}", side.null_words, text)
    if side.kept_null_words:
        text = (
            f"{WARNING}Clusters of the {name} that are called {null_words} have "
            f"{counted(side.kept_null_words, 'record')} in total. If they have no "
            "cluster, use None instead."
        )
        yield Note(f"missing-values-in-{role}", side.kept_null_words, text)
    if side.repeated:
        text = (
            f"The {name} lists {counted(side.repeated, 'record')} more than once. "
            f"scoref kept the {request.duplicates} row of each."
        )
        yield Note(f"duplicates-in-{role}", side.repeated, text)


_SAMPLE_SHARE = 0.2  # of the response's mentions


def _sample_notes(counts: TableCounts, request: CountRequest) -> Iterator[Note]:
    """Warn if the key seems to be a sample of the mentions in the response."""
    missing, common = counts.overlap.response_only, counts.overlap.common
    if not common or missing < _SAMPLE_SHARE * (missing + common):
        return
    share = 100 * missing / (missing + common)
    text = (
        f"The gold data lacks {missing:,} of the prediction's "
        f"{missing + common:,} records ({share:.0f} %)"
    )
    if request.universe in {"common", "key"}:
        effect = "Wrong merges with them are not counted, so precision is too high"
    else:
        effect = "Every merge with them counts as wrong, so precision is too low"
    advice = (
        "If the gold data is a sample of clusters, use `scoref estimate` "
        "(scoref.estimate in Python)."
    )
    message = f"{WARNING}{text}. {effect}. {advice}"
    yield Note("key-is-a-sample", missing, message)


_FEWEST_MENTIONS = 3  # of which it is odd that no two are in a cluster


def _singleton_notes(counts: TableCounts) -> Iterator[Note]:
    """Warn if every cluster has one mention, as if the rows were pairs of records."""
    common, table = counts.overlap.common, counts.table
    if (
        common < _FEWEST_MENTIONS
        or max(table.key_size.max(), table.response_size.max()) > 1
    ):
        return
    text = (
        f"{WARNING}Every gold and predicted cluster has one record, "
        "so the scores say nothing about links. If the rows are pairs "
        "of matching records, turn them into clusters first (see Pairs "
        "in docs/tables.md)."
    )
    yield Note("only-singletons", common, text)
