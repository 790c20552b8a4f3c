"""Score clusterings that are tables: files, frames, and Python's own values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from scoref.errors import OptionError, unknown
from scoref.scheme import Scheme, Universe
from scoref.scoring.results import UNDEFINED
from scoref.tables.asking import Ask, Duplicates, check_memory
from scoref.tables.columns import WantedColumns
from scoref.tables.counting import count
from scoref.tables.engines import NUMPY, check_engine, engine_for, session_of
from scoref.tables.memory import count as memory_count
from scoref.tables.notes import about_files, about_header, notes
from scoref.tables.results import is_aligned, metrics_for, score_counted
from scoref.tables.sources import check_lengths, recognise, unchanged
from scoref.tables.text_files import in_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.scheme import Undefined
    from scoref.scoring.results import Result
    from scoref.tables.asking import Counted, Progress
    from scoref.tables.sources import Given


def score_table(  # noqa: PLR0913 - each is a question of its own
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
    told = (*about_files(tables), *about_header(tables, ask), *notes(counted, ask))
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
