"""Repairs of problems that have one right answer; everything else stays as it is.

A bracket without a partner does not have a right answer: the mention may have ended
anywhere, and removing the bracket removes a mention.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from scoref.formats import reading
from scoref.formats.catalogue import (
    CONLL_2012,
    COREFUD,
    FORMATS,
    JSON_LINES,
    UNIVERSAL_ANAPHORA,
)
from scoref.formats.input_files import Lines, with_line_feeds
from scoref.rules import (
    BLANK_LINES,
    BYTE_ORDER_MARK,
    CR_LINE_ENDS,
    DUPLICATE_MENTION,
    EMPTY_ENTITY,
    FLOAT_OFFSET,
    MISSING_END,
    MISSING_HEADER,
    NO_DOCUMENT,
    RULES,
    TRAILING_BLANKS,
    UNREADABLE_FILE,
    WINDOWS_LINE_ENDS,
)
from scoref.tools.check import reading as check_reading
from scoref.tools.check.check import check_data, views_of
from scoref.tools.check.documents import BOM, ending_in_blanks, unended, without_blanks
from scoref.tools.check.mentions import removal, repetitions, without
from scoref.tools.check.reading import PREFIX, evident_header, read_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.rules import Rule
    from scoref.tools.check.checked_corpus import View

    Mend = Callable[[bytes], bytes]


BEYOND_REPAIR = frozenset((UNREADABLE_FILE.name, NO_DOCUMENT.name))
"""Rules that leave nothing to repair."""

_END = b"#end document"

_ENTITIES = re.compile(rb"[\t|]Entity=[^|\t\r\n]")

_HEADER = re.compile(rb"^# global\.Entity[^\S\n]*=[^\S\n]*\S", re.MULTILINE)


class Repaired(NamedTuple):
    """A file after repair, and how many problems of each rule are gone."""

    data: bytes
    counts: dict[str, int]


def repair(
    data: bytes,
    *,
    source: str,
    format: str | None = None,
    rules: frozenset[str] | None = None,
) -> Repaired:
    r"""Repair what has one right answer, of some rules or of all.

    >>> repair(b"#begin document d\nAda\t(0)\nshe\t(0)\n", source="d").counts
    {'missing-end': 1}
    """
    name = format or reading.detect(data)
    before = _counted(data, source, name)
    if not BEYOND_REPAIR.isdisjoint(before):
        return Repaired(data, {})
    for rule, of_formats, mend in _REPAIRS:
        if name in of_formats and (rules is None or rule.name in rules):
            data = mend(data)
    after = _counted(data, source, name)
    gone = {rule: before[rule] - after[rule] for rule in RULES}
    return Repaired(data, {rule: count for rule, count in gone.items() if count > 0})


def _counted(data: bytes, source: str, name: str) -> Counter[str]:
    found = check_data(data, source=source, format=name)
    return Counter(problem.rule for problem in found)


def _parted(data: bytes) -> tuple[bytes, bytes]:
    """Part the mark in front, if there is one, from the text."""
    return (BOM, data.removeprefix(BOM)) if data.startswith(BOM) else (b"", data)


def _line_end(data: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in data else b"\n"


def _without_mark(data: bytes) -> bytes:
    # Files that were joined may have several.
    while data.startswith(BOM):
        data = data.removeprefix(BOM)
    return data


def _without_returns(data: bytes) -> bytes:
    return re.sub(rb"\r+\n", b"\n", data)


def _without_blanks(data: bytes) -> bytes:
    mark, text = _parted(data)
    lines = text.split(b"\n")
    for row in ending_in_blanks(Lines.of(text)).tolist():
        end = b"\r" if lines[row].endswith(b"\r") else b""
        lines[row] = without_blanks(lines[row].removesuffix(b"\r")) + end
    return mark + b"\n".join(lines)


def _with_blank_lines(data: bytes) -> bytes:
    mark, text = _parted(data)
    text = text.lstrip(b"\r\n")
    if not text.replace(b"\r", b"").endswith(b"\n\n"):
        text = text.rstrip(b"\r\n") + _line_end(data) * 2
    return mark + text


def _with_header(data: bytes) -> bytes:
    """Put the header behind the first `# newdoc`, or in front."""
    header = evident_header(data)
    if header is None or _HEADER.search(data) or not _ENTITIES.search(data):
        return data
    mark, text = _parted(data)
    at = text.find(b"\n") + 1 if text.startswith(b"# newdoc") else 0
    return mark + text[:at] + PREFIX + header + _line_end(data) + text[at:]


def _with_ends(data: bytes) -> bytes:
    """Put an end before the next document, or behind the last line."""
    mark, text = _parted(data)
    lines = Lines.of(text)
    pieces, done = [mark], 0
    for _, behind in unended(lines):
        at = int(lines.start[behind]) if behind < len(lines) else len(lines.data)
        pieces += [lines.data[done:at], _END + _line_end(data)]
        done = at
    return b"".join([*pieces, lines.data[done:] if done else text])


def _of_lines(change: Callable[[bytes], bytes | None]) -> Mend:
    """Make a repair of each line of JSON."""

    def mend(data: bytes) -> bytes:
        return b"\n".join(change(line) or line for line in data.split(b"\n"))

    return mend


def _without_repetitions(format_name: str) -> Mend:
    """Make a repair of files of brackets; what mentions there are must not change."""

    def mend(data: bytes) -> bytes:
        for view in _views(data, format_name):
            mended = _without_brackets(data, view)
            left = [_mentions(each) for each in _views(mended, format_name)]
            if left == [_mentions(view)]:
                return mended
        return data

    return mend


def _views(data: bytes, format_name: str) -> list[View]:
    return views_of(read_file(data, source="", format_name=format_name))


def _without_brackets(data: bytes, view: View) -> bytes:
    """Take out the brackets of what is listed twice."""
    mark, text = _parted(data)
    lines = text.split(b"\n")
    for mention in repetitions(view):
        for line, bracket in removal(view, mention) or ():
            row = lines[line - 1].decode("utf-8", "surrogateescape")
            mended = without(row, bracket, view.format)
            lines[line - 1] = mended.encode("utf-8", "surrogateescape")
    return mark + b"\n".join(lines)


def _mentions(view: View) -> set[object]:
    """List mentions and their entities, each once: a repair must not change these."""
    corpus = view.corpus
    rows = range(len(corpus.mention_entity))
    words = corpus.words
    if words is not None:
        start, member = words.start.tolist(), words.member.tolist()
        places = [tuple(member[start[row] : start[row + 1]]) for row in rows]
    else:
        spans = corpus.mention_start.tolist(), corpus.mention_end.tolist()
        places = list(zip(*spans, strict=True))
    documents = view.document.tolist()
    return {(documents[row], view.label(row), places[row]) for row in rows}


_CONLL, _COREFUD, _JSON = (
    frozenset((name,)) for name in (CONLL_2012, COREFUD, JSON_LINES)
)

_LINES = frozenset((CONLL_2012, COREFUD, UNIVERSAL_ANAPHORA))

_REPAIRS: tuple[tuple[Rule, frozenset[str], Mend], ...] = (
    (BYTE_ORDER_MARK, frozenset(FORMATS), _without_mark),
    (CR_LINE_ENDS, frozenset(FORMATS), with_line_feeds),
    (TRAILING_BLANKS, _LINES, _without_blanks),
    (FLOAT_OFFSET, _JSON, _of_lines(check_reading.with_whole_numbers)),
    (MISSING_HEADER, _COREFUD, _with_header),
    (MISSING_END, _CONLL, _with_ends),
    (WINDOWS_LINE_ENDS, frozenset(FORMATS), _without_returns),
    (BLANK_LINES, _COREFUD, _with_blank_lines),
    (DUPLICATE_MENTION, _CONLL, _without_repetitions(CONLL_2012)),
    (DUPLICATE_MENTION, _COREFUD, _without_repetitions(COREFUD)),
    (DUPLICATE_MENTION, _JSON, _of_lines(check_reading.without_repetitions)),
    (EMPTY_ENTITY, _JSON, _of_lines(check_reading.without_empty_entities)),
)
"""What is done about a rule, in files of which formats, in this order."""
