"""Writer of CoNLL-2012: five columns separated by tabs, the last one for brackets.

    #begin document (news/0001); part 000
    news/0001	0	0	Ada	(0
    news/0001	0	1	Lovelace	0)

    #end document

The written file reads back as the same documents, words and mentions. The rules are:

* A document called ``x_3`` is part 3 of x, as the neural systems name it. Any other
  document is written without a part: ``(x)``.
* In a cell, opening brackets come first, the longest mention first, then mentions of
  one token, then closing brackets, innermost first.
* A closing bracket closes the mention that its entity opened last, and brackets open
  before they close. Crossing mentions of one entity and mentions with gaps therefore
  cannot be written.
* Entities keep their labels in documents where all labels are different numbers,
  because the reference scorer accepts only numbers. In other documents, entities are
  counted from 0.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import FormatError
from scoref.formats.tokens import text_to_write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Corpus, Ints

_NO_MENTION = "-"


class Span(NamedTuple):
    """A mention: the rows of its entity, its first token and its last token."""

    entity: int
    start: int
    end: int


def write(corpus: Corpus) -> bytes:
    """Write a corpus that was read with its tokens.

    Raises:
        FormatError: the corpus has no text, or something that the format cannot hold.
    """
    tokens, words, members = text_to_write(corpus)
    for word, line in zip(words, tokens.line.tolist(), strict=True):
        if not can_hold_word(word):
            raise _refusal(corpus, f"cannot write the word {word!r}", line)
    spans = _spans(corpus, *members)
    labels = labels_of(corpus)
    starts = tokens.is_start.tolist()
    cells = cells_of(spans, labels)
    columns = [
        (word, is_start, cells.get(row, _NO_MENTION))
        for row, (word, is_start) in enumerate(zip(words, starts, strict=True))
    ]
    lines: list[str] = []
    for row, (first, last) in enumerate(pairwise(tokens.first.tolist())):
        lines += _document_lines(corpus, row, columns[first:last])
    return "".join(f"{line}\n" for line in lines).encode()


_WORD = re.compile(r"(?![ \v\f])[^\t\n\r\0]+(?<![ \v\f])")
_NAME = re.compile(r"[^\n\r\0]*")
_PART = re.compile(r"(.*)_(0|[1-9][0-9]*)", re.DOTALL)
_LABEL = re.compile(r"[0-9]+")


def can_hold_word(word: str) -> bool:
    r"""Say whether a word can be written and read back unchanged.

    >>> can_hold_word("New York"), can_hold_word("a\tb"), can_hold_word(" a")
    (True, False, False)
    """
    return _WORD.fullmatch(word) is not None


def can_hold_name(name: str) -> bool:
    """Say whether a document can have this name."""
    return _NAME.fullmatch(name) is not None


def header(name: str) -> str:
    """Return the text after `#begin document`.

    >>> header("bc/cctv_3"), header("GUM_news")
    ('(bc/cctv); part 003', '(GUM_news)')
    """
    part = _PART.fullmatch(name)
    return f"({part[1]}); part {part[2]:0>3}" if part else f"({name})"


def labels_of(corpus: Corpus) -> list[str]:
    """Return a label for each entity: a number, and different ones in a document."""
    of_document: dict[int, list[int]] = defaultdict(list)
    for row, document in enumerate(corpus.entity_document.tolist()):
        of_document[document].append(row)
    labels = list(corpus.entity_label)
    for rows in of_document.values():
        old = [labels[row] for row in rows]
        if len(set(old)) < len(old) or not all(map(_LABEL.fullmatch, old)):
            for number, row in enumerate(rows):
                labels[row] = str(number)
    return labels


def crossing_mentions(spans: Sequence[Span]) -> list[int]:
    """Return the mentions to leave out because they cross another of their entity.

    >>> crossing_mentions([Span(0, 1, 3), Span(0, 3, 4), Span(1, 2, 5), Span(0, 3, 3)])
    [1]
    """
    order = sorted(
        range(len(spans)),
        key=lambda row: (spans[row].entity, spans[row].start, -spans[row].end),
    )
    crossing, entity, open_ends = [], -1, list[int]()
    for row in order:
        span = spans[row]
        if span.entity != entity:
            entity, open_ends = span.entity, []
        while open_ends and open_ends[-1] < span.start:
            open_ends.pop()
        if open_ends and open_ends[-1] < span.end:
            crossing.append(row)
        else:
            open_ends.append(span.end)
    return sorted(crossing)


def cells_of(spans: Iterable[Span], labels: Sequence[str]) -> dict[int, str]:
    """Return the brackets of each token that has some."""
    opening, single, closing = (defaultdict[int, list[Span]](list) for _ in range(3))
    for span in spans:
        if span.start == span.end:
            single[span.start].append(span)
        else:
            opening[span.start].append(span)
            closing[span.end].append(span)
    cells = {}
    for token in {*opening, *single, *closing}:
        opens = sorted(opening[token], key=lambda span: -span.end)
        closes = sorted(closing[token], key=lambda span: -span.start)
        brackets = [
            *(f"({labels[span.entity]}" for span in opens),
            *(f"({labels[span.entity]})" for span in single[token]),
            *(f"{labels[span.entity]})" for span in closes),
        ]
        cells[token] = "|".join(brackets)
    return cells


def _spans(corpus: Corpus, start: Ints, row: Ints) -> list[Span]:
    """Return the mentions as spans; refuse gaps and mentions that cross."""
    first, last = row[start[:-1]], row[start[1:] - 1]
    gaps = np.flatnonzero(last - first + 1 != np.diff(start))
    if len(gaps):
        line = int(corpus.mention_line[gaps[0]])
        raise _refusal(corpus, "cannot write a mention with a gap", line)
    columns = corpus.mention_entity.tolist(), first.tolist(), last.tolist()
    spans = [Span(*row) for row in zip(*columns, strict=True)]
    for mention in crossing_mentions(spans):
        label = corpus.entity_label[spans[mention].entity]
        line = int(corpus.mention_line[mention])
        raise _refusal(corpus, f"two mentions of entity {label} cross", line)
    return spans


def _document_lines(
    corpus: Corpus, row: int, tokens: Sequence[tuple[str, bool, str]]
) -> list[str]:
    """Return the lines of a document; a token is word, start of a sentence, cell."""
    name = corpus.documents[row].short
    if not can_hold_name(name):
        line = int(corpus.document_line[row])
        raise _refusal(corpus, f"{name!r} cannot be the name of a document", line)
    part = _PART.fullmatch(name)
    # scoref does not read this column, but a line that starts with '#' is a comment.
    column = re.sub(r"[\s#]", "_", part[1] if part else name) or "_"
    part_number = part[2] if part else "0"
    lines, number = [f"#begin document {header(name)}"], 0
    for place, (word, is_start, cell) in enumerate(tokens):
        if is_start:
            lines += [""] * (place > 0)
            number = 0
        lines.append(f"{column}\t{part_number}\t{number}\t{word}\t{cell}")
        number += 1
    return [*lines, "", "#end document"]


def _refusal(corpus: Corpus, problem: str, line: int) -> FormatError:
    return FormatError(
        problem,
        source=corpus.source,
        line=line or None,
        hint="`scoref convert --lossy` leaves out what CoNLL-2012 cannot represent, "
        "and reports it.",
    )
