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
from scoref.formats.tokens import runs_of, text_to_write
from scoref.model import SENTENCE_BITS, WORD_BITS, DocumentName
from scoref.rules import IMPOSSIBLE_SPAN, UNREADABLE_LINE
from scoref.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus


COLUMNS = ("document", "entity", "start", "end", "pieces", "text")

_PLACE = (1 << SENTENCE_BITS) - 1


def write(corpus: Corpus, *, delimiter: str = "\t", texts: Sequence[str] = ()) -> bytes:
    """Write the mentions of a corpus, with their texts if it has its tokens.

    Args:
        corpus: mentions of any format.
        delimiter: the separator of columns.
        texts: the texts of mentions, if the corpus has no tokens.

    Raises:
        FormatError: there are empty nodes.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(COLUMNS)
    entity = corpus.mention_entity.tolist()
    document = corpus.mention_document.tolist()
    for row, (tokens, words) in enumerate(_mentions(corpus)):
        runs = runs_of(tokens)
        pieces = ",".join(
            str(first) if first == last else f"{first}-{last}" for first, last in runs
        )
        name = corpus.documents[document[row]].short
        label = corpus.entity_label[entity[row]]
        text = texts[row] if texts else words
        pieces = pieces if len(runs) > 1 else ""
        writer.writerow([name, label, tokens[0], tokens[-1], pieces, text])
    return out.getvalue().encode("utf-8", "surrogatepass")


def _mentions(corpus: Corpus) -> Iterator[tuple[list[int], str]]:
    """Yield the tokens of each mention, counted by document, and its text."""
    if corpus.tokens is not None:
        tokens, words, (start, row) = text_to_write(corpus)
        offset = tokens.first[corpus.mention_document].tolist()
        rows = row.tolist()
        for number, (a, b) in enumerate(pairwise(start.tolist())):
            text = " ".join(words[place] for place in rows[a:b])
            yield [place - offset[number] for place in rows[a:b]], text
        return
    if corpus.words is not None:
        start = corpus.words.start
        member = ((corpus.words.member & _PLACE) >> WORD_BITS) - 1
    else:
        start, member = corpus.token_sets()
    places = member.tolist()
    for a, b in pairwise(start.tolist()):
        yield places[a:b], ""


def texts(data: bytes, *, source: str) -> dict[int, str]:
    """Return the texts of mentions as the table has them, by line."""
    return {row.line: row.text for row in _rows(data, source) if row.text}


def read(data: bytes, options: ReadOptions) -> Corpus:
    """Read a table; the corpus has no tokens."""
    documents: dict[str, list[_Row]] = {}
    for row in _rows(data, options.source):
        documents.setdefault(row.document, []).append(row)
    builder = CorpusBuilder(options.source, MENTION_TABLE)
    every = [row for rows in documents.values() for row in rows]
    # The table has these columns for all rows or for none.
    builder.mention_type = [row.type for row in every if row.type is not None] or None
    builder.mention_kbid = [row.kbid for row in every if row.kbid is not None] or None
    for name, rows in documents.items():
        line = rows[0].line
        document = builder.add_document(DocumentName.plain(name), line=line)
        if topic := _topic(rows, options.source):
            builder.topics[document] = topic
        entities: dict[str, int] = {}
        for row in rows:
            if row.entity not in entities:
                entities[row.entity] = builder.add_entity(row.entity, document)
            builder.add_mention(entities[row.entity], runs_of(row.tokens), row.line)
    return builder.build(has_tokens=False)


class _Row(NamedTuple):
    document: str
    entity: str
    tokens: list[int]
    text: str
    line: int
    type: str | None = None
    kbid: str | None = None
    topic: Topic | None = None


def _topic(rows: list[_Row], source: str) -> Topic | None:
    """Return the topic of a document, which must be the same in all of its rows."""
    first = rows[0]
    for row in rows:
        if row.topic != first.topic:
            raise FormatError(
                f"document '{row.document}' has another topic in line {first.line}",
                source=source,
                line=row.line,
                hint="A document must have one topic.",
            )
    return first.topic


def _rows(data: bytes, source: str) -> list[_Row]:
    return [
        _row(values, line, source)
        for line, values in named_rows(data, source, COLUMNS[:4], COLUMNS)
    ]


def named_rows(
    data: bytes, source: str, needed: Sequence[str], columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the cells of each row of a table, by the columns' names.

    Some columns are ``needed``; ``columns`` are all that the table may have.
    """
    text = without_bom(data).decode("utf-8", "replace")
    first_line = text.partition("\n")[0]
    delimiter = "\t" if "\t" in first_line else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [(reader.line_num, cells) for cells in reader]
    except csv.Error as error:
        problem = f"this is not a table: {error}"
        raise FormatError(problem, source=source, line=reader.line_num) from error
    names = [name.strip().lower() for name in rows[0][1]] if rows else []
    for name in needed:
        if name not in names:
            raise FormatError(
                f"this table has no column '{name}'",
                source=source,
                line=1,
                text=first_line,
                hint=f"The first row must name the columns: {', '.join(columns)}.",
            )
    for line, cells in rows[1:]:
        if cells and len(cells) < len(names):
            raise FormatError(
                f"this row has {len(cells)} columns instead of {len(names)}",
                source=source,
                line=line,
                text=" ".join(cells),
                hint="All rows must have as many columns as the first one.",
            )
        if cells:
            yield line, dict(zip(names, cells, strict=False))


def tokens_of(values: dict[str, str], line: int, source: str) -> list[int]:
    """Return the tokens of the mention in a row of a table."""
    start, end, pieces = values["start"], values["end"], values.get("pieces", "")
    tokens = _tokens(start, end, pieces)
    if tokens is None:
        raise FormatError(
            f"{start} to {end}{f' ({pieces})' if pieces else ''} is not a mention",
            source=source,
            line=line,
            text=" ".join(values.values()),
            hint="Offsets are counted from 0, and both ends are part of the mention. "
            "Pieces are written 3-5,8-9.",
        )
    return tokens


def _row(values: dict[str, str], line: int, source: str) -> _Row:
    tokens = tokens_of(values, line, source)
    topic, subtopic = values.get("topic", ""), values.get("subtopic", "")
    return _Row(
        values["document"],
        values["entity"],
        tokens,
        values.get("text", ""),
        line,
        values.get("type"),
        values.get("kbid"),
        Topic(topic or subtopic, subtopic or None) if topic or subtopic else None,
    )


_PIECES = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*", re.ASCII)

_OFFSET = re.compile(r"\d{1,9}", re.ASCII)

_MOST = (1 << SENTENCE_BITS - WORD_BITS) - 1


def _tokens(start: str, end: str, pieces: str) -> list[int] | None:
    """Return the tokens of a mention, or None if there can be no such mention.

    >>> _tokens("3", "9", "3-5,8-9"), _tokens("5", "3", "")
    ([3, 4, 5, 8, 9], None)
    """
    text = pieces or f"{start}-{end}"
    if not (_OFFSET.fullmatch(start) and _OFFSET.fullmatch(end)):
        return None
    if not _PIECES.fullmatch(text):
        return None
    runs = [tuple(map(int, run.split("-"))) for run in text.split(",")]
    bounds = [(run[0], run[-1]) for run in runs]
    is_sorted = all(last < after for (_, last), (after, _) in pairwise(bounds))
    is_whole = bounds[0][0] == int(start) and bounds[-1][1] == int(end) < _MOST
    if not is_sorted or not is_whole or any(a > b for a, b in bounds):
        return None
    return [token for a, b in bounds for token in range(a, b + 1)]


class _LinkedMention(NamedTuple):
    """A line of TAC or neleval; the entity is what the mention is linked to."""

    document: str
    start: int
    end: int
    entity: str
    type: str = ""


_TAC_FIELDS, _NELEVAL_FIELDS = 8, 4

_TAC_PLACE = re.compile(r"(.+):(\d{1,15})-(\d{1,15})", re.ASCII)


def read_tac(data: bytes, options: ReadOptions) -> Corpus:
    """Read TAC EDL."""

    def mention(cells: list[str]) -> _LinkedMention | None:
        place = _TAC_PLACE.fullmatch(cells[3]) if len(cells) >= _TAC_FIELDS else None
        if not place:
            return None
        start, end = int(place[2]), int(place[3])
        return _LinkedMention(place[1], start, end, cells[4], cells[5])

    expected = "run, id, text, document:start-end"
    return _read_linked(data, options, TAC_EDL, mention, expected)


_SCORE = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)


def read_neleval(data: bytes, options: ReadOptions) -> Corpus:
    """Read neleval's own format."""

    def mention(cells: list[str]) -> _LinkedMention | None:
        if len(cells) < _NELEVAL_FIELDS or not all(map(is_number, cells[1:3])):
            return None
        best, highest = list[str](), float("-inf")
        for place in range(3, len(cells), 3):
            candidate = cells[place : place + 3]
            score = candidate[1] if len(candidate) > 1 else "0"
            if not _SCORE.fullmatch(score):
                return None
            if not best or float(score) > highest:
                best, highest = candidate, float(score)
        entity, _, kind = (*best, "", "")[:3]
        return _LinkedMention(cells[0], int(cells[1]), int(cells[2]), entity, kind)

    expected = "document, start, end, entity"
    return _read_linked(data, options, NELEVAL, mention, expected)


def _read_linked(
    data: bytes,
    options: ReadOptions,
    name: str,
    mention_of: Callable[[list[str]], _LinkedMention | None],
    expected: str,
) -> Corpus:
    source = options.source
    faults = Faults(source, lenient=options.lenient)
    documents: dict[str, list[tuple[_LinkedMention, int]]] = {}
    for number, line in numbered_lines(data, source):
        mention = mention_of(line.split("\t"))
        if mention is None or mention.start > mention.end:
            error = FormatError(
                "this mention ends before it starts"
                if mention
                else "this is not a mention",
                rule=IMPOSSIBLE_SPAN if mention else UNREADABLE_LINE,
                source=source,
                line=number,
                text=line,
                hint=f"Expected {expected}, … separated by tabs. Characters are "
                "counted from 0. The last one is part of the mention.",
            )
            faults.report("unreadable-mentions", error)
        else:
            documents.setdefault(mention.document, []).append((mention, number))
    if not documents:
        raise FormatError("this file has no mention", source=source)
    types: list[str] = []
    kbids: list[str] = []
    builder = CorpusBuilder(source, name, mention_kbid=kbids)
    for document_name, mentions in documents.items():
        line_number = mentions[0][1]
        document = builder.add_document(
            DocumentName.plain(document_name), line=line_number
        )
        entities: dict[str, int] = {}
        for mention, number in mentions:
            label = mention.entity
            if label not in entities:
                entities[label] = builder.add_entity(label, document)
            builder.mentions += [entities[label], mention.start, mention.end, number]
            types.append(mention.type)
            kbids.append(label)
    if any(types):
        builder.mention_type = types
    return builder.build(faults.notes(), has_tokens=False)
