"""The text of a Universal Anaphora file: documents, sentences, and nodes with codes.

A document without a name goes by its number, and words before the first one make a
document of their own. One that starts again is a fault; leniently, it goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import Blamed, FormatError
from scoref.formats._ua_lines import numbered
from scoref.model import DocumentName, Sentences, Texts
from scoref.rules import REPEATED_DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.formats._faults import Faults
    from scoref.formats._ua_lines import Rows
    from scoref.model import Ints


class Text(NamedTuple):
    """A file's text; ``rows`` and ``code`` are sorted by document."""

    documents: tuple[DocumentName, ...]
    document_line: Ints
    document_tokens: Ints
    sentences: Sentences  # in the order of the file
    rows: Rows
    code: Ints


def text_of(rows: Rows, source: str, faults: Faults) -> Text:
    """Find documents and sentences, and number the words."""
    documents = _documents(rows, source, faults)
    sentences = _sentences(rows, documents)
    rows, of_node = _by_document(rows, documents.of_node)
    count = len(documents.names)
    return Text(
        documents=documents.names,
        document_line=documents.line,
        document_tokens=np.bincount(of_node[~rows.is_zero], minlength=count),
        sentences=sentences,
        rows=rows,
        code=numbered(of_node, rows, source),
    )


def sentence_of(rows: Rows) -> Ints:
    """Give the sentence of each node, in the order of the file."""
    is_break = np.zeros(int(max(rows.line.max(), rows.breaks.max(initial=0))) + 1, bool)
    is_break[rows.breaks] = True
    part = np.cumsum(is_break)[rows.line]
    return np.cumsum(np.diff(part, prepend=-1) != 0) - 1


def column(values: Iterable[int]) -> Ints:
    """Make a column of integers."""
    return np.fromiter(values, dtype=np.int64)


class _Documents(NamedTuple):
    """Documents in columns, and the one of each node."""

    names: tuple[DocumentName, ...]
    line: Ints
    of_node: Ints
    starts: Ints  # lines of newdoc


def _documents(rows: Rows, source: str, faults: Faults) -> _Documents:
    """See which document each node belongs to."""
    names: dict[str, int] = {}
    lines: list[int] = []
    starts = column(line for line, _ in rows.newdoc)
    first = np.searchsorted(rows.line, starts)
    row_of_part = [0]
    if len(first) == 0 or first[0] > 0:
        names[""] = 0
        lines.append(int(rows.line[0]))
    for number, (line, given) in enumerate(rows.newdoc, start=1):
        # Without a name it goes by its number.
        name = f"document {number}" if given is None else given
        if name in names:
            faults.found(
                "repeated-documents", _again(name, lines[names[name]], source, line)
            )
        else:
            lines.append(line)
        row_of_part.append(names.setdefault(name, len(names)))
    return _Documents(
        names=tuple(map(DocumentName.plain, names)),
        line=column(lines),
        of_node=np.repeat(
            column(row_of_part), np.diff(first, prepend=0, append=len(rows.line))
        ),
        starts=starts,
    )


def _again(name: str, first_line: int, source: str, line: int) -> FormatError:
    return FormatError(
        f"document '{name}' starts again; it started in line {first_line}",
        rule=REPEATED_DOCUMENT,
        source=source,
        line=line,
        blamed=Blamed("document", name),
        hint="a document must be in one piece",
    )


def _by_document(rows: Rows, document: Ints) -> tuple[Rows, Ints]:
    """Sort nodes by document; only if one went on later do they move."""
    if (np.diff(document) >= 0).all():
        return rows, document
    order = np.argsort(document, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    turn = np.argsort(place[rows.layer.node])
    rows = rows._replace(
        line=rows.line[order],
        is_zero=rows.is_zero[order],
        layer=rows.layer.moved(place),
        upos=rows.upos[turn],
        bridging=rows.bridging.moved(place),
    )
    return rows, document[order]


def _sentences(rows: Rows, documents: _Documents) -> Sentences:
    sentence = sentence_of(rows)
    first = np.flatnonzero(np.diff(sentence, prepend=-1))
    line = rows.line[first]
    start = np.searchsorted(line, documents.starts)
    is_start = np.zeros(len(line), dtype=np.bool_)
    is_start[start[start < len(line)]] = True
    is_word = ~rows.is_zero
    return Sentences(
        document=documents.of_node[first],
        is_start=is_start,
        line=line,
        identifier=_identifiers(rows.sent_id, line),
        word_count=np.bincount(sentence[is_word], minlength=len(line)),
        word=rows.form,
        word_line=rows.line[is_word],
    )


def _identifiers(sent_id: tuple[Ints, Texts], line: Ints) -> Texts:
    """Give sentences the ids before their first words; the last one counts."""
    comment_line, text = sent_id
    sentence = np.searchsorted(line, comment_line)
    nothing = len(comment_line)
    comment = np.full(len(line) + 1, nothing)
    comment[sentence] = np.arange(nothing)
    return Texts(text.data, np.append(text.length, 0)).take(comment[:-1])
