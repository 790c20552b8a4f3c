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
from scoref.tools.check.check import check_data, views_of
from scoref.tools.check.crac.repairs import OFFICIAL_REPAIRS
from scoref.tools.check.crac.rules import OFFICIAL_RULES
from scoref.tools.check.documents import (
    BOM,
    lines_ending_in_blanks,
    strip_blanks,
    unended_documents,
)
from scoref.tools.check.mentions import removal, remove_bracket, repetitions
from scoref.tools.check.reading import (
    HEADER_START,
    evident_header,
    read_file,
    with_whole_numbers,
    without_empty_entities,
    without_repetitions,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.rules import Rule
    from scoref.tools.check.checked_corpus import View

    Repair = Callable[[bytes], bytes]


BEYOND_REPAIR = frozenset((UNREADABLE_FILE.name, NO_DOCUMENT.name))
"""Rules that leave nothing to repair."""


class RepairedFile(NamedTuple):
    """A file after repair, and how many problems of each rule are gone."""

    data: bytes
    counts: dict[str, int]


def repair(
    data: bytes,
    *,
    source: str,
    format: str | None = None,
    rules: frozenset[str] | None = None,
    profile: str | None = None,
) -> RepairedFile:
    r"""Repair problems that have one right answer, of some rules or of all.

    >>> repair(b"#begin document d\nAda\t(0)\nshe\t(0)\n", source="d").counts
    {'missing-end': 1}
    """
    name = format or (COREFUD if profile else reading.detect(data))
    before = _count_problems(data, source, name, profile)
    if not BEYOND_REPAIR.isdisjoint(before):
        return RepairedFile(data, {})
    repairs = [(rule, change) for rule, formats, change in _REPAIRS if name in formats]
    for rule, change in [*repairs, *(OFFICIAL_REPAIRS if profile else ())]:
        if rules is None or rule.name in rules:
            data = change(data)
    after = _count_problems(data, source, name, profile)
    gone = {rule: before[rule] - after[rule] for rule in (*RULES, *OFFICIAL_RULES)}
    counts = {rule: count for rule, count in gone.items() if count > 0}
    return RepairedFile(data, counts)


def _count_problems(
    data: bytes, source: str, format_name: str, profile: str | None
) -> Counter[str]:
    problems = check_data(data, source=source, format=format_name, profile=profile)
    return Counter(problem.rule for problem in problems)


def _drop_marks(data: bytes) -> bytes:
    # A file that was made of several files may have several marks.
    while data.startswith(BOM):
        data = data.removeprefix(BOM)
    return data


def _split_mark(data: bytes) -> tuple[bytes, bytes]:
    """Separate the byte order mark, if there is one, from the text."""
    return (BOM, data.removeprefix(BOM)) if data.startswith(BOM) else (b"", data)


def _line_end(data: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in data else b"\n"


def _strip_lines(data: bytes) -> bytes:
    """Drop blanks at the ends of lines."""
    mark, text = _split_mark(data)
    lines = text.split(b"\n")
    for row in lines_ending_in_blanks(Lines.of(text)).tolist():
        end = b"\r" if lines[row].endswith(b"\r") else b""
        lines[row] = strip_blanks(lines[row].removesuffix(b"\r")) + end
    return mark + b"\n".join(lines)


def _fix_blank_lines(data: bytes) -> bytes:
    """Drop blank lines at the start, and add one at the end if there is none."""
    mark, text = _split_mark(data)
    text = text.lstrip(b"\r\n")
    if not text.replace(b"\r", b"").endswith(b"\n\n"):
        text = text.rstrip(b"\r\n") + _line_end(data) * 2
    return mark + text


_ENTITIES = re.compile(rb"[\t|]Entity=[^|\t\r\n]")

_HEADER = re.compile(rb"^# global\.Entity[^\S\n]*=[^\S\n]*\S", re.MULTILINE)


def _add_header(data: bytes) -> bytes:
    """Add the header after the first `# newdoc`, or at the start."""
    header = evident_header(data)
    if header is None or _HEADER.search(data) or not _ENTITIES.search(data):
        return data
    mark, text = _split_mark(data)
    at = text.find(b"\n") + 1 if text.startswith(b"# newdoc") else 0
    return mark + text[:at] + HEADER_START + header + _line_end(data) + text[at:]


def _add_ends(data: bytes) -> bytes:
    """Add an end before the next document, or after the last line."""
    mark, text = _split_mark(data)
    lines = Lines.of(text)
    pieces, done = [mark], 0
    for _, line_after in unended_documents(lines):
        is_last = line_after >= len(lines)
        at = len(lines.data) if is_last else int(lines.start[line_after])
        pieces += [lines.data[done:at], b"#end document" + _line_end(data)]
        done = at
    return b"".join([*pieces, lines.data[done:] if done else text])


def _each_line(change: Callable[[bytes], bytes | None]) -> Repair:
    """Make a repair that changes lines of JSON one by one."""
    return lambda data: b"\n".join(change(line) or line for line in data.split(b"\n"))


def _drop_repetitions(format_name: str) -> Repair:
    """Make a repair of files with brackets that keeps every mention once."""

    def views(data: bytes) -> list[View]:
        return views_of(read_file(data, source="", format_name=format_name))

    def drop(data: bytes) -> bytes:
        for view in views(data):
            repaired = _remove_brackets(data, view)
            if [_mentions(after) for after in views(repaired)] == [_mentions(view)]:
                return repaired
        return data

    return drop


def _remove_brackets(data: bytes, view: View) -> bytes:
    """Remove the brackets of mentions that are listed twice."""
    mark, text = _split_mark(data)
    lines = text.split(b"\n")
    for mention in repetitions(view):
        for line, bracket in removal(view, mention) or ():
            row = lines[line - 1].decode("utf-8", "surrogateescape")
            row = remove_bracket(row, bracket, view.format)
            lines[line - 1] = row.encode("utf-8", "surrogateescape")
    return mark + b"\n".join(lines)


def _mentions(view: View) -> set[object]:
    """Return mentions with their entities; a repair must not change these."""
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

_REPAIRS: tuple[tuple[Rule, frozenset[str], Repair], ...] = (
    (BYTE_ORDER_MARK, frozenset(FORMATS), _drop_marks),
    (CR_LINE_ENDS, frozenset(FORMATS), with_line_feeds),
    (TRAILING_BLANKS, _LINES, _strip_lines),
    (FLOAT_OFFSET, _JSON, _each_line(with_whole_numbers)),
    (MISSING_HEADER, _COREFUD, _add_header),
    (MISSING_END, _CONLL, _add_ends),
    (
        WINDOWS_LINE_ENDS,
        frozenset(FORMATS),
        lambda data: re.sub(rb"\r+\n", b"\n", data),
    ),
    (BLANK_LINES, _COREFUD, _fix_blank_lines),
    (DUPLICATE_MENTION, _CONLL, _drop_repetitions(CONLL_2012)),
    (DUPLICATE_MENTION, _COREFUD, _drop_repetitions(COREFUD)),
    (DUPLICATE_MENTION, _JSON, _each_line(without_repetitions)),
    (EMPTY_ENTITY, _JSON, _each_line(without_empty_entities)),
)
"""The repair of each rule, with the formats that it applies to, in order."""
