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
from scoref.records.columns import NOT_CLUSTERED, WantedColumns
from scoref.records.counting import count
from scoref.records.engines import NUMPY, check_engine, engine_for, session_of
from scoref.records.file_types import Files
from scoref.records.numpy_engine import count as memory_count
from scoref.records.request import ROLES, Ask, Duplicates, TableReading, check_memory
from scoref.records.sources import check_lengths, recognise, unchanged
from scoref.records.text_files import in_memory, same_words
from scoref.scheme import TABLE, Scheme, Universe
from scoref.scoring.results import UNDEFINED, Result
from scoref.scoring.sanity_checks import coverage_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoref.contingency import Contingency
    from scoref.records.request import Counted, Progress, TableSide
    from scoref.records.sources import Given
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
        mention: the mention's column; otherwise the first one of two tables. In one
            table it is found by its name, or each row is a mention.
        key_mention: the same of the key alone, if the sides call it differently.
        response_mention: that of the response.
        key_cluster: the column of the key's clusters; otherwise the second one.
        response_cluster: that of the response's.
        group: a column of groups: clusters do not go from one to another.
        universe: what becomes of mentions that one side lacks.
        duplicates: which row of a mention counts, in the order of the table.
        undefined: what 0/0 is.
        metrics: names of metrics; all if not given.
        ceaf: whether clusters are aligned, which takes the most time.
        engine: numpy, duckdb or spark; otherwise what fits the table.
        memory: what DuckDB may use, such as 2GB.
        header: whether a text file begins with names; otherwise by what stands there.
        table: the table of a database, or one for each side.
        remote: whether a path may be an address, such as s3://…
        progress: is told what is done and which part of all that is.

    >>> score_table([["a", "b"], ["c"]], [["a", "b", "c"]]).scores["pairwise"].f1
    0.5
    """
    _known("universe", universe, get_args(Universe))
    _known("policy for duplicates", duplicates, get_args(Duplicates))
    _known("policy for 0/0", undefined, UNDEFINED)
    names = _chosen(metrics, with_ceaf=ceaf)
    check_engine(engine)
    check_memory(memory)
    ask = Ask(
        wanted=WantedColumns(
            *(mention, key_cluster, response_cluster, group),
            *(key_mention, response_mention),
        ),
        universe=universe,
        duplicates=duplicates,
        ceaf=any(map(is_aligned, names)),
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
    chosen = engine or engine_for(tables, ask)
    with unchanged(tables):
        counted = _count(tables, ask, chosen)
    scheme = Scheme(
        group=group,
        universe=universe,
        duplicates=duplicates,
        # Spark knows no order of rows, so that it goes by the clusters' text.
        row_order="text" if chosen == "spark" and duplicates != "error" else None,
        undefined=undefined,
    )
    sources = counted.key.source, counted.response.source
    result = score_counted(counted.table, counted.blocks, scheme, names, sources)
    told = (
        *about_files(tables),
        *about_same_file(tables, ask),
        *about_header(tables, ask),
        *notes(counted, ask),
    )
    return replace(result, notes=(*told, *result.notes), columns=counted.columns)


def _chosen(metrics: str | Iterable[str] | None, *, with_ceaf: bool) -> tuple[str, ...]:
    names = metrics_for(metrics)
    if with_ceaf:
        return names
    wanted = [name for name in names if is_aligned(name)]
    if metrics not in {None, "all"} and wanted:
        raise OptionError(
            f"'{wanted[0]}' needs an alignment: leave out ceaf=False (--no-ceaf)"
        )
    return tuple(name for name in names if name not in wanted)


def _known(kind: str, found: str, known: Iterable[str]) -> None:
    if found not in known:
        raise unknown(kind, found, known)


def _count(tables: Sequence[Given], ask: Ask, engine: str) -> Counted:
    if engine == NUMPY:
        return memory_count(in_memory(tables, ask), ask)
    with session_of(engine, ask, tables) as session:
        return count(session, tables, ask)


def metrics_for(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """Check names of metrics; all if none is given."""
    return choose_metrics("all" if names is None else names, usual("tables"))


def is_aligned(name: str) -> bool:
    """Tell whether a metric, or a part of a mean, needs the clusters themselves."""
    return any(getattr(METRICS[part], "is_aligned", False) for part in parts_of(name))


def score_counted(
    table: Contingency,
    documents: Sequence[str],
    scheme: Scheme,
    metrics: tuple[str, ...],
    sources: tuple[str, str],
) -> Result:
    """Score a table that was counted."""
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


_SAMPLE = 0.2

_FEWEST = 3  # mentions of which it is odd that none is linked

_NAMED = 12  # files

_ONE_SIDED = {
    "both": "counts in the size of its cluster, but indices of one number leave it out",
    "common": "is left out",
    "union": "is a singleton on the other side",
}


def about_files(tables: Sequence[Given]) -> Iterator[Note]:
    """Say which files a pattern or a folder stands for."""
    for table in tables:
        if isinstance(table, Files) and table.paths != (table.source,):
            named = quoted(table.paths, _NAMED)
            text = f"'{table.source}' was read as {len(table.paths)} files: {named}"
            yield Note("files", len(table.paths), text)


def about_same_file(tables: Sequence[Given], ask: Ask) -> Iterator[Note]:
    """Warn if a file is compared with itself."""
    files = [table for table in tables if isinstance(table, Files)]
    if len(files) < len(tables) or len(files) < len(ROLES):
        return
    are_same = files[0].paths == files[1].paths
    columns = ask.wanted.key_cluster, ask.wanted.response_cluster
    if are_same and columns[0] == columns[1] and not isinstance(ask.table, tuple):
        text = f"{WARNING}{files[0].source} was given twice and compared with itself"
        yield Note("same-as-key", 1, text)


def about_header(tables: Sequence[Given], ask: Ask) -> Iterator[Note]:
    """Say that a line was read as a row which may have names of columns in it."""
    is_clear = ask.header or ask.wanted.names
    if is_clear or not all(isinstance(table, Files) for table in tables[:2]):
        return
    key, *response = (table for table in tables if isinstance(table, Files))
    line = same_words(key, *response) if response else None
    if line is None:
        return
    is_header = TableReading(key.source).text_columns(line, key.format)[2]
    if is_header == (ask.header is False):
        text = f"both files begin with '{line}', which was read as a mention"
        text = f"{WARNING}{text}" if is_header else text
        yield Note(
            "header", 1, f"{text}; if these are names, say so (header, --header)"
        )


def notes(counted: Counted, ask: Ask) -> Iterator[Note]:
    """Tell what happened to rows and mentions that are not on both sides."""
    for role, side in (("key", counted.key), ("response", counted.response)):
        yield from about_side(role, side, ask)
    overlap = counted.overlap
    for role, lone in (
        ("key", overlap.key_only),
        ("response", overlap.response_only),
    ):
        if lone:
            total = overlap.common + lone
            fate = _fate(role, ask.universe)
            text = f"{lone} of {total} mentions of the {role} are in the {role} only: "
            yield Note(f"only-in-{role}", lone, f"{text}each {fate}")
    yield from _sample(counted, ask)
    yield from _only_singletons(counted)


def _fate(role: str, universe: str) -> str:
    if universe in _ONE_SIDED:
        return _ONE_SIDED[universe]
    return _ONE_SIDED["union" if role == universe else "common"]


def about_side(role: str, side: TableSide, ask: Ask) -> Iterator[Note]:
    """Say which rows of a side were passed over."""
    if not side.kept:
        yield Note("no-mentions", 1, f"the {role} has no mention at all")
    if side.unnamed:
        text = (
            f"left out, since they name no mention: {side.unnamed} rows of the {role}"
        )
        yield Note(f"unnamed-in-{role}", side.unnamed, text)
    if side.unclustered:
        text = f"not clustered: {side.unclustered} rows of the {role} have no cluster"
        yield Note(f"unclustered-in-{role}", side.unclustered, text)
    if side.words:
        *others, last = NOT_CLUSTERED
        text = (
            f"{side.words} rows of the {role} are not clustered because their cluster "
            f"is written as {', '.join(others)} or {last}"
        )
        yield Note(f"missing-values-in-{role}", side.words, text)
    if side.kept_words:
        *others, last = NOT_CLUSTERED
        text = (
            f"{WARNING}{side.kept_words} mentions of the {role} are in a cluster that "
            f"is called {', '.join(others)} or {last}. If they are not clustered, use "
            "None, which is how dicts and lists say so."
        )
        yield Note(f"missing-values-in-{role}", side.kept_words, text)
    if side.twice:
        text = (
            f"{side.twice} mentions are listed more than once in the {role}; "
            f"the {ask.duplicates} counts"
        )
        yield Note(f"duplicates-in-{role}", side.twice, text)


def _sample(counted: Counted, ask: Ask) -> Iterator[Note]:
    """Warn where the key seems to be a sample of what the response clustered."""
    missing, common = counted.overlap.response_only, counted.overlap.common
    if not common or missing < _SAMPLE * (missing + common):
        return
    share = 100 * missing / (missing + common)
    text = f"the key lacks {missing} of the response's {missing + common} mentions"
    if ask.universe in {"common", "key"}:
        effect = "wrong merges with these are not seen, so that precision is optimistic"
    else:
        effect = "every merge with these counts as wrong, so that precision is too low"
    advice = (
        "if the key's clusters are a sample, `scoref estimate` (scoref.estimate) tells "
        "what holds for all"
    )
    message = f"{text} ({share:.0f} %): {effect}; {advice}"
    yield Note("key-is-a-sample", missing, message)


def _only_singletons(counted: Counted) -> Iterator[Note]:
    """Warn if no cluster has a second mention: pairs of records look like that."""
    common, table = counted.overlap.common, counted.table
    if common < _FEWEST or max(table.key_size.max(), table.response_size.max()) > 1:
        return
    text = (
        f"{WARNING}every cluster of key and response has one mention, so the scores "
        "say nothing about links. If the rows are pairs of matching records, turn "
        "them into clusters first (see Pairs in docs/tables.md)."
    )
    yield Note("only-singletons", common, text)
