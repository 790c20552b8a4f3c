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
from scoref.records.columns import NULL_WORDS, WantedColumns
from scoref.records.engines import check_engine, count_tables, engine_for
from scoref.records.file_types import Files
from scoref.records.request import (
    ROLES,
    CountRequest,
    Duplicates,
    TableReading,
    check_memory,
)
from scoref.records.sources import check_lengths, recognise
from scoref.records.text_files import shared_first_line
from scoref.scheme import TABLE, Scheme, Universe
from scoref.scoring.results import UNDEFINED, Result
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
        ("policy for duplicates", duplicates, get_args(Duplicates)),
        ("policy for 0/0", undefined, UNDEFINED),
    ):
        if value not in known:
            raise unknown(kind, value, known)
    names = metrics_for(metrics)
    aligned = [name for name in names if is_aligned(name)]
    if not ceaf:
        if metrics not in (None, "all") and aligned:
            raise OptionError(
                f"'{aligned[0]}' needs an alignment: leave out ceaf=False (--no-ceaf)"
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
        raise OptionError("one table has one column of mentions: name it by --mention")
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
    )


_MOST_PATHS = 12  # that a note lists


def _file_notes(tables: Sequence[TableInput]) -> Iterator[Note]:
    """List the files of a pattern or a folder."""
    for table in tables:
        if isinstance(table, Files) and table.paths != (table.source,):
            paths = quoted(table.paths, _MOST_PATHS)
            text = f"'{table.source}' was read as {len(table.paths)} files: {paths}"
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
        text = f"{WARNING}{files[0].source} was given twice and compared with itself"
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
        text = f"both files begin with '{line}', which was read as a mention"
        text = f"{WARNING}{text}" if is_header else text
        yield Note(
            "header", 1, f"{text}; if these are names, say so (header, --header)"
        )


_ONE_SIDED = {
    "both": "counts in the size of its cluster, but indices of one number leave it out",
    "common": "is left out",
    "union": "is a singleton on the other side",
}


def _count_notes(counts: TableCounts, request: CountRequest) -> Iterator[Note]:
    """Note what happened to skipped rows and to mentions of one side."""
    for role, side in (("key", counts.key), ("response", counts.response)):
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
            text = f"{lone} of {total} mentions of the {role} are in the {role} only: "
            yield Note(f"only-in-{role}", lone, f"{text}each {_ONE_SIDED[universe]}")
    yield from _sample_notes(counts, request)
    yield from _singleton_notes(counts)


def side_notes(role: str, side: TableSide, request: CountRequest) -> Iterator[Note]:
    """Note which rows of a side were skipped."""
    if not side.clustered:
        yield Note("no-mentions", 1, f"the {role} has no mention at all")
    if side.unnamed:
        text = (
            f"left out, since they name no mention: {side.unnamed} rows of the {role}"
        )
        yield Note(f"unnamed-in-{role}", side.unnamed, text)
    if side.unclustered:
        text = f"not clustered: {side.unclustered} rows of the {role} have no cluster"
        yield Note(f"unclustered-in-{role}", side.unclustered, text)
    *words, last_word = NULL_WORDS
    null_words = f"{', '.join(words)} or {last_word}"
    if side.null_words:
        text = (
            f"{side.null_words} rows of the {role} are not clustered because their "
            f"cluster is written as {null_words}"
        )
        yield Note(f"missing-values-in-{role}", side.null_words, text)
    if side.kept_null_words:
        text = (
            f"{WARNING}{side.kept_null_words} mentions of the {role} are in a cluster "
            f"that is called {null_words}. If they are not clustered, use None, which "
            "is how dicts and lists say so."
        )
        yield Note(f"missing-values-in-{role}", side.kept_null_words, text)
    if side.repeated:
        text = (
            f"{side.repeated} mentions are listed more than once in the {role}; "
            f"the {request.duplicates} counts"
        )
        yield Note(f"duplicates-in-{role}", side.repeated, text)


_SAMPLE_SHARE = 0.2  # of the response's mentions


def _sample_notes(counts: TableCounts, request: CountRequest) -> Iterator[Note]:
    """Warn if the key seems to be a sample of the mentions in the response."""
    missing, common = counts.overlap.response_only, counts.overlap.common
    if not common or missing < _SAMPLE_SHARE * (missing + common):
        return
    share = 100 * missing / (missing + common)
    text = f"the key lacks {missing} of the response's {missing + common} mentions"
    if request.universe in {"common", "key"}:
        effect = "wrong merges with these are not seen, so that precision is optimistic"
    else:
        effect = "every merge with these counts as wrong, so that precision is too low"
    advice = (
        "if the key's clusters are a sample, `scoref estimate` (scoref.estimate) tells "
        "what holds for all"
    )
    message = f"{text} ({share:.0f} %): {effect}; {advice}"
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
        f"{WARNING}every cluster of key and response has one mention, so the scores "
        "say nothing about links. If the rows are pairs of matching records, turn "
        "them into clusters first (see Pairs in docs/tables.md)."
    )
    yield Note("only-singletons", common, text)
