"""A plain table of mentions: for spreadsheets, data frames and scripts.

    document     entity  start  end  pieces   text
    news/0001_0  0       0      1             Ada Lovelace
    news/0001_0  4       3      9    3-5,8-9  in the , old house

A row is a mention. ``start`` and ``end`` are token offsets in the document, counted
from 0, and both are part of the mention; ``pieces`` says more of a mention with gaps.
Columns are separated by tabs or by commas, and the first row names them. ``pieces``
and ``text`` may be left out, the order is free, and other columns are not looked at.

There is no text but that of mentions: what stands between them, where sentences start,
and documents without mentions are not in the table.
"""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats._text import without_bom
from scoref.formats.token_sets import Annotated, corpus_of, runs_of, spelt
from scoref.model import SENTENCE_BITS, WORD_BITS, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.model import Corpus

NAME = "mention-table"
COLUMNS = ("document", "entity", "start", "end", "pieces", "text")
_NEEDED = COLUMNS[:4]
_PIECES = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*", re.ASCII)
_OFFSET = re.compile(r"\d{1,9}", re.ASCII)
_MOST = (1 << SENTENCE_BITS - WORD_BITS) - 1
_PLACE = (1 << SENTENCE_BITS) - 1
_HINT = "offsets are counted from 0, and both ends are part of the mention"


class _Row(NamedTuple):
    document: str
    entity: str
    tokens: list[int]
    text: str
    line: int


def write(corpus: Corpus, *, delimiter: str = "\t", texts: Sequence[str] = ()) -> bytes:
    """Write the mentions of a corpus, with their texts if it has its tokens.

    Args:
        corpus: mentions of any format.
        delimiter: what separates columns.
        texts: those of the mentions, where the corpus has no tokens.

    Raises:
        FormatError: there are empty nodes.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(COLUMNS)
    entity = corpus.mention_entity.tolist()
    document = corpus.entity_document[corpus.mention_entity].tolist()
    for row, (tokens, text) in enumerate(_mentions(corpus)):
        runs = runs_of(tokens)
        pieces = "" if len(runs) == 1 else ",".join(map(_written, runs))
        name = corpus.documents[document[row]].short
        label = corpus.entity_label[entity[row]]
        said = texts[row] if texts else text
        writer.writerow([name, label, tokens[0], tokens[-1], pieces, said])
    return out.getvalue().encode("utf-8", "surrogatepass")


def read(data: bytes, *, source: str) -> Corpus:
    """Read a table; the corpus has no tokens."""
    rows = _rows(data, source)
    documents = list(dict.fromkeys(row.document for row in rows))
    number = {name: place for place, name in enumerate(documents)}
    labels = dict.fromkeys((number[row.document], row.entity) for row in rows)
    entities = {key: place for place, key in enumerate(sorted(labels, key=_first))}
    entity = [entities[number[row.document], row.entity] for row in rows]
    order = sorted(range(len(rows)), key=entity.__getitem__)
    length = [0] * len(documents)
    for row in rows:
        place = number[row.document]
        length[place] = max(length[place], row.tokens[-1] + 1)
    first = np.cumsum([0, *length])
    offset = [int(first[number[rows[row].document]]) for row in order]
    members = [
        [token + start for token in rows[row].tokens]
        for row, start in zip(order, offset, strict=True)
    ]
    annotated = Annotated(
        documents=tuple(documents),
        document_line=np.zeros(len(documents), dtype=np.int64),
        first=first,
        entity_document=np.array([each for each, _ in entities], dtype=np.int64),
        entity_label=tuple(label for _, label in entities),
        entity_type=("",) * len(entities),
        mention_entity=np.array([entity[row] for row in order], dtype=np.int64),
        mention_line=np.array([rows[row].line for row in order], dtype=np.int64),
        members=WordSets(
            np.cumsum([0, *map(len, members)]),
            np.array([token for each in members for token in each], dtype=np.int64),
        ),
    )
    return corpus_of(annotated, source=source, format=NAME, tokens=None)


def texts(data: bytes, *, source: str) -> dict[int, str]:
    """Give what the rows say of mentions' texts, by line."""
    return {row.line: row.text for row in _rows(data, source) if row.text}


def _first(pair: tuple[int, str]) -> int:
    return pair[0]


def _mentions(corpus: Corpus) -> Iterator[tuple[list[int], str]]:
    """Give each mention's tokens, counted by document, and its text."""
    if corpus.tokens is not None:
        tokens, words, (start, row) = spelt(corpus)
        document = corpus.entity_document[corpus.mention_entity]
        offset = tokens.first[document].tolist()
        rows = row.tolist()
        for number, (a, b) in enumerate(pairwise(start.tolist())):
            text = " ".join(words[place] for place in rows[a:b])
            yield [place - offset[number] for place in rows[a:b]], text
    elif corpus.words is not None:
        place = ((corpus.words.member & _PLACE) >> WORD_BITS) - 1
        places = place.tolist()
        for a, b in pairwise(corpus.words.start.tolist()):
            yield places[a:b], ""
    else:
        spans = zip(
            corpus.mention_start.tolist(), corpus.mention_end.tolist(), strict=True
        )
        for a, b in spans:
            yield list(range(a, b + 1)), ""


def _written(run: tuple[int, int]) -> str:
    first, last = run
    return str(first) if first == last else f"{first}-{last}"


def _rows(data: bytes, source: str) -> list[_Row]:
    text = without_bom(data).decode("utf-8", "replace")
    first_line = text.partition("\n")[0]
    delimiter = "\t" if "\t" in first_line else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        cells = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        problem = f"this is no table: {error}"
        raise FormatError(problem, source=source, line=reader.line_num) from error
    names = [name.strip().lower() for name in cells[0][1]] if cells else []
    lacking = [name for name in _NEEDED if name not in names]
    if lacking:
        raise FormatError(
            f"there is no column '{lacking[0]}' in this table",
            source=source,
            line=1,
            text=first_line,
            hint=f"the first row names the columns: {', '.join(COLUMNS)}",
        )
    return [_row(names, row, line, source) for line, row in cells[1:] if row]


def _row(names: list[str], cells: list[str], line: int, source: str) -> _Row:
    if len(cells) < len(names):
        raise FormatError(
            f"this row has {len(cells)} columns and not {len(names)}",
            source=source,
            line=line,
            text=" ".join(cells),
            hint="every row has as many columns as the first",
        )
    found = dict(zip(names, cells, strict=False))
    tokens = _tokens(found["start"], found["end"], found.get("pieces", ""))
    if tokens is None:
        pieces = found.get("pieces", "")
        shown = f"{found['start']} to {found['end']}" + f" ({pieces})" * bool(pieces)
        raise FormatError(
            f"{shown} is no mention",
            source=source,
            line=line,
            text=" ".join(cells),
            hint=f"{_HINT}; pieces are written 3-5,8-9",
        )
    return _Row(found["document"], found["entity"], tokens, found.get("text", ""), line)


def _tokens(start: str, end: str, pieces: str) -> list[int] | None:
    """List the tokens of a mention, or None if there can be no such mention.

    >>> _tokens("3", "9", "3-5,8-9"), _tokens("5", "3", "")
    ([3, 4, 5, 8, 9], None)
    """
    if not _OFFSET.fullmatch(start) or not _OFFSET.fullmatch(end):
        return None
    text = pieces or f"{start}-{end}"
    if not _PIECES.fullmatch(text):
        return None
    runs = [tuple(map(int, run.split("-"))) for run in text.split(",")]
    bounds = [(run[0], run[-1]) for run in runs]
    is_sorted = all(last < after for (_, last), (after, _) in pairwise(bounds))
    is_whole = bounds[0][0] == int(start) and bounds[-1][1] == int(end) < _MOST
    if not is_sorted or not is_whole or any(a > b for a, b in bounds):
        return None
    return [token for a, b in bounds for token in range(a, b + 1)]
