r"""TAC's table of entity mentions, and neleval's own: no text, characters by number.

    run1⇥M1⇥Mia⇥one:0-2⇥NIL1⇥PER⇥NAM⇥1.0          TAC EDL
    one⇥0⇥2⇥NIL1⇥1.0⇥PER                            neleval

A mention goes from a character to a character of its document, and the last one is part
of it. Its entity is what it is linked to, in a knowledge base or not (``NIL…``), and
may have mentions in many documents. Where neleval's table has several candidates on a
line, each with its score and its type, the first of the highest score counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats._builder import CorpusBuilder
from scoref.formats._faults import Faults
from scoref.formats._text import is_number, numbered_lines
from scoref.formats.format import NELEVAL, TAC_EDL
from scoref.model import DocumentName
from scoref.rules import IMPOSSIBLE_SPAN, UNREADABLE_LINE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats.format import Asked
    from scoref.model import Corpus

_PLACE = re.compile(r"(.+):(\d{1,15})-(\d{1,15})", re.ASCII)
_TAC_FIELDS, _NELEVAL_FIELDS = 8, 4
_SCORE = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)


class _Row(NamedTuple):
    document: str
    start: int
    end: int
    entity: str
    type: str = ""


def read_tac(data: bytes, asked: Asked) -> Corpus:
    """Read TAC EDL."""
    return _read(data, asked, TAC_EDL, _tac_row, "run, id, text, document:start-end")


def read_neleval(data: bytes, asked: Asked) -> Corpus:
    """Read neleval's own format."""
    return _read(data, asked, NELEVAL, _neleval_row, "document, start, end, entity")


def _tac_row(cells: list[str]) -> _Row | None:
    found = _PLACE.fullmatch(cells[3]) if len(cells) >= _TAC_FIELDS else None
    if not found:
        return None
    return _Row(found[1], int(found[2]), int(found[3]), cells[4], cells[5])


def _neleval_row(cells: list[str]) -> _Row | None:
    if len(cells) < _NELEVAL_FIELDS or not all(map(is_number, cells[1:3])):
        return None
    candidates = [cells[place : place + 3] for place in range(3, len(cells), 3)]
    if not all(_SCORE.fullmatch(each[1]) for each in candidates if len(each) > 1):
        return None
    entity, _, kind = (*max(candidates, key=_score), "", "")[:3]
    return _Row(cells[0], int(cells[1]), int(cells[2]), entity, kind)


def _score(candidate: list[str]) -> float:
    return float(candidate[1]) if len(candidate) > 1 else 0.0


def _read(
    data: bytes,
    asked: Asked,
    name: str,
    row_of: Callable[[list[str]], _Row | None],
    expected: str,
) -> Corpus:
    faults = Faults(asked.source, lenient=asked.lenient)
    documents: dict[str, list[tuple[_Row, int]]] = {}
    for number, line in numbered_lines(data, asked.source):
        row = row_of(line.split("\t"))
        if row is None or row.start > row.end:
            error = _refusal(row, line, number, asked.source, expected)
            faults.found("unreadable-mentions", error)
        else:
            documents.setdefault(row.document, []).append((row, number))
    return _built(documents, asked.source, name, faults)


def _built(
    documents: dict[str, list[tuple[_Row, int]]],
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
    row: _Row | None, line: str, number: int, source: str, expected: str
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
