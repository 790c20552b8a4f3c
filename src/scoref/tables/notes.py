"""What is told beside the scores of a table: what was passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.errors import quoted
from scoref.model import Note
from scoref.notes import WARNING
from scoref.tables.asking import ROLES, TableReading
from scoref.tables.files import Files
from scoref.tables.ids import NOT_CLUSTERED
from scoref.tables.text_files import same_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.tables.asking import Ask, Counted, TableSide
    from scoref.tables.sources import Given

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
    for role, count in (
        ("key", overlap.key_only),
        ("response", overlap.response_only),
    ):
        if count:
            total = overlap.common + count
            fate = _fate(role, ask.universe)
            text = f"{count} of {total} mentions of the {role} are in the {role} only: "
            yield Note(f"only-in-{role}", count, f"{text}each {fate}")
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
