"""The function `score_table`: score clusterings in files, frames or Python values.

The module also turns the counts of a table into a `Result`.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeGuard, get_args

from scoref.errors import OptionError, unknown
from scoref.metrics import (
    METRICS,
    choose_metrics,
    metrics_of,
    needed_metrics,
    parts_of,
    usual,
)
from scoref.model import Note
from scoref.records.columns import WantedColumns
from scoref.records.engines import check_engine, count_tables, engine_for
from scoref.records.link_columns import WantedLinks
from scoref.records.link_rows import PairOptions
from scoref.records.links import count_links, read_links
from scoref.records.notes import (
    count_notes,
    file_notes,
    header_notes,
    same_file_notes,
)
from scoref.records.pair_tables import PairTableError
from scoref.records.pairs import recognise_pairs
from scoref.records.request import (
    ROLES,
    SIDE_NAMES,
    CountRequest,
    Duplicates,
    check_memory,
    missing_words,
)
from scoref.records.sources import check_lengths, recognise
from scoref.scheme import TABLE, Scheme, Universe
from scoref.scoring.results import UNDEFINED, Result, plugins_of
from scoref.scoring.sanity_checks import coverage_notes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from scoref.contingency import Contingency
    from scoref.records.columns import ColumnChooser
    from scoref.records.request import Progress, TableCounts
    from scoref.records.sources import TableInput
    from scoref.scheme import Pairs, Sources, Undefined


class TableOptions(TypedDict, total=False):
    """The keywords of `score_table` about reading, for functions like it."""

    mention: str | None
    key_mention: str | None
    response_mention: str | None
    key_cluster: str | None
    response_cluster: str | None
    key_pairs: bool | None
    response_pairs: bool | None
    left: str | None
    right: str | None
    label: str | None
    score: str | None
    key_left: str | None
    key_right: str | None
    key_label: str | None
    key_score: str | None
    response_left: str | None
    response_right: str | None
    response_label: str | None
    response_score: str | None
    threshold: float | None
    two_sources: bool | None
    records: object
    missing_values: str | Iterable[str] | None
    duplicates: Duplicates
    engine: str | None
    memory: str | None
    header: bool | None
    table: str | tuple[str, str] | None
    remote: bool
    progress: Progress | None


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
    key_pairs: bool | None = None,
    response_pairs: bool | None = None,
    left: str | None = None,
    right: str | None = None,
    label: str | None = None,
    score: str | None = None,
    key_left: str | None = None,
    key_right: str | None = None,
    key_label: str | None = None,
    key_score: str | None = None,
    response_left: str | None = None,
    response_right: str | None = None,
    response_label: str | None = None,
    response_score: str | None = None,
    threshold: float | None = None,
    two_sources: bool | None = None,
    records: object = None,
    missing_values: str | Iterable[str] | None = None,
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
        key_pairs: whether the rows of the key are pairs of records that match; by
            default detected from the names of its columns.
        response_pairs: the same of the response.
        left: the column of a pair's first record; by default found by its name.
        right: the column of the second record.
        label: the column that says whether a pair matches: 0 or 1, false or true.
        score: the column of a pair's score.
        key_left: the key's column, if the sides call it differently, like those below.
        key_right: the key's column of the second record.
        key_label: the key's column of labels.
        key_score: the key's column of scores.
        response_left: the response's column of the first record.
        response_right: the response's column of the second record.
        response_label: the response's column of labels.
        response_score: the response's column of scores.
        threshold: pairs with this score or a higher one are links.
        two_sources: whether left and right records may have the same ids; by default
            decided by the names of the columns.
        records: a table or a list of all records, so that records in no pair count;
            with two sources, a tuple of two: left and right.
        missing_values: clusters that mean "not clustered", in upper or lower case; by
            default na, null, -1 and other usual words.
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
        missing_values=missing_words(missing_values),
    )
    pairs = PairSides.of(
        key_pairs,
        response_pairs,
        {
            "key": (key_left, key_right, key_label, key_score),
            "response": (response_left, response_right, response_label, response_score),
        },
        (left, right, label, score),
        threshold,
        PairOptions(two_sources, record_tables(records, remote=remote)),
    )
    if response is None:
        pairs.check_one_table()
        if key_mention or response_mention:
            raise OptionError(
                "--key-record and --response-record need two tables. Name "
                "the column of one table with --record"
            )
    counted_tables = _count(key, response, request, pairs, engine)
    counts, tables = counted_tables.counts, counted_tables.tables
    scheme = Scheme(
        group=group,
        universe=universe,
        pairs=counted_tables.pairs,
        sources=counted_tables.sources,
        threshold=counted_tables.threshold,
        missing_values=_missing_text(request),
        duplicates=duplicates,
        # Spark does not keep the order of rows, so the text of clusters decides.
        row_order="text"
        if counted_tables.engine == "spark" and duplicates != "error"
        else None,
        undefined=undefined,
    )
    sources = counts.key.source, counts.response.source
    result = score_counts(counts.table, counts.blocks, scheme, names, sources)
    notes = (
        *file_notes(tables),
        *same_file_notes(tables, request),
        *header_notes(tables, request),
        *counted_tables.notes,
        *count_notes(counts, request),
        *result.notes,
    )
    return replace(result, notes=notes, columns=counts.columns)


def _missing_text(request: CountRequest) -> str | None:
    """Write the words of --missing-values for the signature."""
    if request.missing_values is None:
        return None
    return (
        ",".join(re.sub(r"[^\w<>/.-]", "_", w) for w in request.missing_values)
        or "none"
    )


class PairSides(NamedTuple):
    """Which sides are pairs (None: not decided), and how their columns are chosen."""

    key: bool | None
    response: bool | None
    key_links: WantedLinks
    response_links: WantedLinks
    options: PairOptions

    @classmethod
    def of(
        cls,
        key: bool | None,
        response: bool | None,
        columns: Mapping[str, Sequence[str | None]],
        shared: Sequence[str | None],
        threshold: float | None,
        options: PairOptions,
    ) -> PairSides:
        """Make the choosers of both sides; ``shared`` columns are those of both."""
        choosers = []
        for role in ROLES:
            left, right, label, score = (
                own or both for own, both in zip(columns[role], shared, strict=True)
            )
            choosers.append(WantedLinks(left, right, label, score, threshold))
        return cls(key, response, choosers[0], choosers[1], options)

    @property
    def choices(self) -> dict[str, ColumnChooser | None]:
        """The choosers of those sides that are pairs, as `WantedColumns` takes them."""
        return {
            "key_pairs": self.key_links if self.key else None,
            "response_pairs": self.response_links if self.response else None,
        }

    @property
    def name(self) -> Pairs | None:
        """The sides that are pairs."""
        if self.key and self.response:
            return "both"
        return "key" if self.key else "response" if self.response else None

    @property
    def wants_pairs(self) -> bool:
        """Whether an option was given that only pairs have."""
        links = self.key_links, self.response_links
        return (
            any(side.names for side in links)
            or self.key_links.threshold is not None
            or self.options.two_sources is not None
        )

    def check_one_table(self) -> None:
        """Refuse options of pairs for one table that has both sides."""
        if self.key or self.response or self.wants_pairs:
            raise OptionError(
                "pairs need two tables, one for the gold data and one for the "
                "prediction"
            )


class _Counted(NamedTuple):
    """The counts of tables, the engine, and what is known about pairs."""

    counts: TableCounts
    tables: list[TableInput]
    engine: str
    notes: tuple[Note, ...] = ()
    pairs: Pairs | None = None
    sources: Sources | None = None
    threshold: str | None = None


def record_tables(records: object, *, remote: bool) -> tuple[TableInput, ...]:
    """Recognise the tables that list all records: one, or one for each source."""
    if records is None:
        return ()
    is_several = isinstance(records, tuple | list) and not _are_ids(records)
    tables = list(records) if is_several else [records]  # type: ignore[call-overload]
    if len(tables) > len(ROLES):
        raise OptionError("--records can be given once, or twice for two sources")
    tables = [{"record": list(ids)} if _are_ids(ids) else ids for ids in tables]
    return tuple(recognise(table, "records", remote=remote) for table in tables)


def _are_ids(records: object) -> TypeGuard[Collection[object]]:
    """Return whether records are listed by their ids, not by tables that have them."""
    if not isinstance(records, list | set | frozenset):
        return False
    return all(isinstance(item, str | int) for item in records) and not (
        len(records) <= len(ROLES) and any(os.path.exists(str(r)) for r in records)
    )


def _count(
    key: object,
    response: object,
    request: CountRequest,
    pairs: PairSides,
    engine: str | None,
) -> _Counted:
    """Count tables; a side whose columns have names of pairs is read as pairs."""
    notes: list[Note] = []
    while True:
        wanted = replace(request.wanted, **pairs.choices)  # type: ignore[arg-type]
        chosen = replace(request, wanted=wanted)
        tables = side_tables(key, response, pairs, remote=request.remote)
        name = engine or engine_for(tables, chosen)
        try:
            if pairs.name is None:
                counts = count_tables(tables, chosen, name)
                if pairs.wants_pairs or pairs.options.records:
                    raise NoPairsError(_NO_PAIRS)
                return _Counted(counts, tables, name)
            linked = read_links(tables, chosen, pairs.options, name)
        except PairTableError as error:
            named = request.wanted.key_cluster, request.wanted.response_cluster
            side = error.role
            if side not in ROLES or named[side == "response"]:
                raise
            if getattr(pairs, side) is not None:
                raise
            pairs = (
                pairs._replace(key=True)
                if side == "key"
                else pairs._replace(response=True)
            )
            text = (
                f"The {SIDE_NAMES[side]} is read as pairs of matching records, because "
                f"of its column names. Use --{side}-pairs to say so."
            )
            notes.append(Note(f"{side}-pairs", 1, text))
            continue
        threshold = pairs.key_links.threshold
        has_score = any(use.endswith(" score") for use in linked.table.columns)
        if threshold is not None and not has_score:
            raise OptionError("--threshold needs a column of scores. Name it: --score")
        return _Counted(
            count_links(linked, chosen),
            tables,
            name,
            (*notes, *linked.notes),
            pairs.name,
            linked.sources,
            None if threshold is None else repr(float(threshold)),
        )


class NoPairsError(OptionError):
    """Options of pairs, but neither side is pairs."""


_NO_PAIRS = (
    "--left, --right, --label, --score, --threshold, --two-sources, --one-source and "
    "--records are for pairs. Add --key-pairs or --response-pairs"
)


def side_tables(
    key: object, response: object, pairs: PairSides, *, remote: bool
) -> list[TableInput]:
    """Recognise the tables of both sides, or the one that has both."""
    tables = [
        recognise_pairs(key, "key", remote=remote, has_scores=False)
        if pairs.key
        else recognise(key, "key", remote=remote)
    ]
    if response is None:
        return tables
    tables.append(
        recognise_pairs(response, "response", remote=remote, has_scores=False)
        if pairs.response
        else recognise(response, "response", remote=remote)
    )
    if pairs.name is None:
        check_lengths(*tables)
    return tables


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
