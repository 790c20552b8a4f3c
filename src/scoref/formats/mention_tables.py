"""Tables of mentions: scoref's own, TAC's and neleval's.

scoref's own table, which it can also write, is for spreadsheets, data frames and
scripts:

    document     entity  start  end  pieces   text
    news/0001_0  0       0      1             Ada Lovelace
    news/0001_0  4       3      9    3-5,8-9  in the , old house

Each row is a mention. ``start`` and ``end`` are token offsets in the document, counted
from 0, and both are part of the mention; ``pieces`` lists the parts of a mention with
gaps. Columns are separated by tabs or by commas, and the first row names them. Their
order is free, and ``pieces`` and ``text`` are optional. ``type`` is the type of a
mention and ``kbid`` is its link to a knowledge base; ``topic`` and ``subtopic`` are
those of its document. Other columns are ignored. The table has no words outside
mentions, no sentences, and no documents without mentions.

The tables of TAC and neleval have no text and count characters:

    run1⇥M1⇥Mia⇥one:0-2⇥NIL1⇥PER⇥NAM⇥1.0          TAC EDL
    one⇥0⇥2⇥NIL1⇥1.0⇥PER                            neleval

The last character is part of the mention. The entity is what the mention is linked to,
in a knowledge base or not (``NIL…``), and may have mentions in many documents. If a
line of neleval has several candidates, each with its score and its type, the first one
with the highest score counts.
"""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder, Faults
from scoref.formats.catalogue import MENTION_TABLE, NELEVAL, TAC_EDL
from scoref.formats.input_files import is_number, numbered_lines, without_bom
from scoref.formats.tokens import runs_of, spelt
from scoref.model import SENTENCE_BITS, WORD_BITS, DocumentName
from scoref.rules import IMPOSSIBLE_SPAN, UNREADABLE_LINE
from scoref.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus


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
    type: str | None = None
    kbid: str | None = None
    topic: Topic | None = None


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
    document = corpus.mention_document.tolist()
    for row, (tokens, text) in enumerate(_mentions(corpus)):
        runs = runs_of(tokens)
        pieces = "" if len(runs) == 1 else ",".join(map(_written, runs))
        name = corpus.documents[document[row]].short
        label = corpus.entity_label[entity[row]]
        said = texts[row] if texts else text
        writer.writerow([name, label, tokens[0], tokens[-1], pieces, said])
    return out.getvalue().encode("utf-8", "surrogatepass")


def read(data: bytes, asked: ReadOptions) -> Corpus:
    """Read a table; the corpus has no tokens."""
    documents: dict[str, list[_Row]] = {}
    for row in _rows(data, asked.source):
        documents.setdefault(row.document, []).append(row)
    builder = CorpusBuilder(asked.source, MENTION_TABLE)
    every = [row for rows in documents.values() for row in rows]
    builder.mention_type = _column([row.type for row in every])
    builder.mention_kbid = _column([row.kbid for row in every])
    for name, rows in documents.items():
        line = rows[0].line
        document = builder.add_document(DocumentName.plain(name), line=line)
        if topic := _topic(rows, asked.source):
            builder.topics[document] = topic
        entities: dict[str, int] = {}
        for row in rows:
            if row.entity not in entities:
                entities[row.entity] = builder.add_entity(row.entity, document)
            builder.add_mention(entities[row.entity], runs_of(row.tokens), row.line)
    return builder.build(has_tokens=False)


def _column(texts: list[str | None]) -> list[str] | None:
    """Give a column that the table has; None if it has not."""
    found = [text for text in texts if text is not None]
    return found or None


def _topic(rows: list[_Row], source: str) -> Topic | None:
    """Give the topic of a document, of which all of its rows must say the same."""
    first = rows[0]
    for row in rows:
        if row.topic != first.topic:
            raise FormatError(
                f"document '{row.document}' had another topic in line {first.line}",
                source=source,
                line=row.line,
                hint="a document belongs to one topic",
            )
    return first.topic


def texts(data: bytes, *, source: str) -> dict[int, str]:
    """Give what the rows say of mentions' texts, by line."""
    return {row.line: row.text for row in _rows(data, source) if row.text}


def _mentions(corpus: Corpus) -> Iterator[tuple[list[int], str]]:
    """Give each mention's tokens, counted by document, and its text."""
    if corpus.tokens is not None:
        tokens, words, (start, row) = spelt(corpus)
        document = corpus.mention_document
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
        start, member = corpus.token_sets()
        tokens_of_all = member.tolist()
        for a, b in pairwise(start.tolist()):
            yield tokens_of_all[a:b], ""


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
    topic, subtopic = found.get("topic", ""), found.get("subtopic", "")
    return _Row(
        found["document"],
        found["entity"],
        tokens,
        found.get("text", ""),
        line,
        found.get("type"),
        found.get("kbid"),
        Topic(topic or subtopic, subtopic or None) if topic or subtopic else None,
    )


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


_TAC_PLACE = re.compile(r"(.+):(\d{1,15})-(\d{1,15})", re.ASCII)

_TAC_FIELDS, _NELEVAL_FIELDS = 8, 4

_SCORE = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)


class _TacRow(NamedTuple):
    document: str
    start: int
    end: int
    entity: str
    type: str = ""


def read_tac(data: bytes, asked: ReadOptions) -> Corpus:
    """Read TAC EDL."""
    return _read(data, asked, TAC_EDL, _tac_row, "run, id, text, document:start-end")


def read_neleval(data: bytes, asked: ReadOptions) -> Corpus:
    """Read neleval's own format."""
    return _read(data, asked, NELEVAL, _neleval_row, "document, start, end, entity")


def _tac_row(cells: list[str]) -> _TacRow | None:
    found = _TAC_PLACE.fullmatch(cells[3]) if len(cells) >= _TAC_FIELDS else None
    if not found:
        return None
    return _TacRow(found[1], int(found[2]), int(found[3]), cells[4], cells[5])


def _neleval_row(cells: list[str]) -> _TacRow | None:
    if len(cells) < _NELEVAL_FIELDS or not all(map(is_number, cells[1:3])):
        return None
    candidates = [cells[place : place + 3] for place in range(3, len(cells), 3)]
    if not all(_SCORE.fullmatch(each[1]) for each in candidates if len(each) > 1):
        return None
    entity, _, kind = (*max(candidates, key=_score), "", "")[:3]
    return _TacRow(cells[0], int(cells[1]), int(cells[2]), entity, kind)


def _score(candidate: list[str]) -> float:
    return float(candidate[1]) if len(candidate) > 1 else 0.0


def _read(
    data: bytes,
    asked: ReadOptions,
    name: str,
    row_of: Callable[[list[str]], _TacRow | None],
    expected: str,
) -> Corpus:
    faults = Faults(asked.source, lenient=asked.lenient)
    documents: dict[str, list[tuple[_TacRow, int]]] = {}
    for number, line in numbered_lines(data, asked.source):
        row = row_of(line.split("\t"))
        if row is None or row.start > row.end:
            error = _refusal(row, line, number, asked.source, expected)
            faults.found("unreadable-mentions", error)
        else:
            documents.setdefault(row.document, []).append((row, number))
    return _built(documents, asked.source, name, faults)


def _built(
    documents: dict[str, list[tuple[_TacRow, int]]],
    source: str,
    name: str,
    faults: Faults,
) -> Corpus:
    types: list[str] = []
    ids: list[str] = []
    builder = CorpusBuilder(source, name, mention_kbid=ids)
    for called, rows in documents.items():
        line = rows[0][1]
        document = builder.add_document(DocumentName.plain(called), line=line)
        entities: dict[str, int] = {}
        for row, number in rows:
            if row.entity not in entities:
                entities[row.entity] = builder.add_entity(row.entity, document)
            builder.mentions += [entities[row.entity], row.start, row.end, number]
            types.append(row.type)
            ids.append(row.entity)
    if any(types):
        builder.mention_type = types
    if not documents:
        raise FormatError("there is no mention in this file", source=source)
    return builder.build(faults.notes(), has_tokens=False)


def _refusal(
    row: _TacRow | None, line: str, number: int, source: str, expected: str
) -> FormatError:
    what = "this is no mention" if row is None else "this mention ends before it starts"
    return FormatError(
        what,
        rule=IMPOSSIBLE_SPAN if row else UNREADABLE_LINE,
        source=source,
        line=number,
        text=line,
        hint=f"expected {expected}, … between tabs; characters are counted from 0, and "
        "the last one is part of the mention",
    )
