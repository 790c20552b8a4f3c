"""Notes on tables of records: files, headers, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.errors import quoted
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.records.file_types import Files
from scoref.records.request import ROLES, SIDE_NAMES, TableReading
from scoref.records.text_files import shared_first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.records.request import CountRequest, TableCounts, TableSide
    from scoref.records.sources import TableInput


_MOST_PATHS = 12  # that a note lists


def file_notes(tables: Sequence[TableInput]) -> Iterator[Note]:
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


def header_notes(tables: Sequence[TableInput], request: CountRequest) -> Iterator[Note]:
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


def count_notes(counts: TableCounts, request: CountRequest) -> Iterator[Note]:
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
    *words, last_word = request.null_words or ("",)
    null_words = f"{', '.join(words)} or {last_word}" if words else last_word
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
        "of matching records, add --key-pairs or --response-pairs."
    )
    yield Note("only-singletons", common, text)
