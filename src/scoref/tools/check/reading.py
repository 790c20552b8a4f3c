"""Reading a file to find all of its faults.

A file that can be read in several ways is read in all of them: both sides of JSON lines
or Label Studio, and both layers of Universal Anaphora. In lenient mode, readers skip
most faults. Other faults stop a reader. To find all of them, the line that stopped the
reader is masked in memory, and the file is read again.

Two masks are also repairs: a CorefUD header that can be inferred from the brackets, and
JSON lines that are written without a fault.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats import reading
from scoref.formats.builder import record_faults
from scoref.formats.catalogue import CONLL_2012, COREFUD, FORMATS, UNIVERSAL_ANAPHORA
from scoref.formats.input_files import with_line_feeds, without_bom
from scoref.formats.refusals import missing_annotation
from scoref.formats.ua_text import DEIXIS, IDENTITY, headers
from scoref.rules import (
    BAD_HEADER,
    BYTE_ORDER_MARK,
    EMPTY_DOCUMENT,
    FLOAT_OFFSET,
    GAVE_UP,
    MISSING_COLUMNS,
    MISSING_HEADER,
    MIXED_SEPARATORS,
    NAMELESS_BRACKET,
    NO_DOCUMENT,
    NOT_ANNOTATED,
    NOT_JSON,
    UNREADABLE_CELL,
    UNREADABLE_FILE,
    UNREADABLE_HEAD,
    UNREADABLE_LINE,
)
from scoref.tools.check.blame import blamed_span
from scoref.tools.check.documents import BOM, empty_documents
from scoref.tools.check.problems import FileListing, as_warning

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats.catalogue import Role
    from scoref.model import Corpus
    from scoref.rules import Rule
    from scoref.scheme import Layer
    from scoref.tools.check.problems import Problem

    Mask = Callable[[bytes, FormatError], bytes]


class Way(NamedTuple):
    """A way to read a file: one side, and one layer of it."""

    role: Role
    layer: Layer = "identity"


class ReadSide(NamedTuple):
    """The corpus that was read in one way.

    ``data`` is the file with masks in place of the lines that stop readers.
    """

    way: Way
    corpus: Corpus
    data: bytes


class ReadFile(NamedTuple):
    """A file as far as it can be read, and the problems that readers found."""

    listing: FileListing
    format: str
    sides: list[ReadSide]
    problems: list[Problem]

    @property
    def is_whole(self) -> bool:
        """Whether nothing had to be skipped."""
        return not any(problem.severity == "error" for problem in self.problems)


def read_file(
    data: bytes,
    *,
    source: str,
    format_name: str | None,
    key_format: str | None = None,
    role: Role | None = None,
    needs_identity: bool = False,
) -> ReadFile:
    """Read a file in each way in which it can be read, or in one ``role`` only.

    If no format is given, it is detected, and may be that of the key. A file of
    Universal Anaphora with another layer needs no IDENTITY, unless it is required.
    """
    data = with_line_feeds(data)
    name = format_name or reading.detect(data, key_format)
    reader = _Reader(source, without_bom(data), name)
    listing = reader.listing
    if format_name is None:
        try:
            reading.refuse_unclear(data, name, source)
        except FormatError as error:
            problem = listing.problem(UNREADABLE_FILE, error.problem, hint=error.hint)
            return ReadFile(listing, name, [], [problem])
    sides = []
    ways = _ways(name, data, role, needs_identity=needs_identity)
    for way in ways:
        reader.is_default_layer = way.layer == ways[0].layer
        corpus = reader.read(way)
        if corpus is not None:
            sides.append(ReadSide(way, corpus, reader.data))
    problems = reader.problems
    if not sides:
        # That nothing is left to read follows from the other problems.
        left = NO_DOCUMENT.name, EMPTY_DOCUMENT.name
        causes = [problem for problem in problems if problem.rule not in left]
        nothing = [problem for problem in problems if problem.rule == NO_DOCUMENT.name]
        problems = causes or nothing
    elif format_name is None:
        unknown = _unknown_file(sides, problems, data, listing)
        if unknown is not None:
            sides, problems = [], [unknown]
    return ReadFile(listing, name, sides, problems)


def _ways(
    name: str, data: bytes, role: Role | None, *, needs_identity: bool
) -> list[Way]:
    """List the ways in which a file can be read; the first is scoring's default."""
    if role is None and (sides := FORMATS[name].sides_in(data)):
        return [Way(side) for side in sides]
    if name == UNIVERSAL_ANAPHORA:
        column_headers = headers(data)
        columns = {*column_headers[0].names} if column_headers else {IDENTITY}
        columns |= {IDENTITY} if needs_identity else set()
        layers: list[tuple[Layer, str]] = [
            ("identity", IDENTITY),
            ("discourse-deixis", DEIXIS),
        ]
        ways = [Way(role or "key", layer) for layer, name in layers if name in columns]
        return ways or [Way(role or "key")]
    return [Way(role or "key")]


def _unknown_file(
    sides: list[ReadSide], problems: list[Problem], data: bytes, listing: FileListing
) -> Problem | None:
    """Suspect that a file that could be read is not of the detected format."""
    corpus = sides[0].corpus
    if corpus.format == CONLL_2012 and corpus.document_tokens is not None:
        # Rows are not marked as a document, and most cells cannot be read.
        unreadable = sum(problem.rule == UNREADABLE_CELL.name for problem in problems)
        is_marked = any(name.name for name in corpus.documents)
        if not is_marked and 2 * unreadable > int(corpus.document_tokens.sum()):
            return listing.problem(
                UNREADABLE_FILE,
                "the format of this file was not recognised",
                hint="See `scoref formats`. If it is one of these formats, --format "
                "NAME shows what is wrong.",
            )
    if problems or any(len(side.corpus.mention_entity) for side in sides):
        return None
    error = missing_annotation(data, corpus.format, listing.source)
    if error is None:
        return None
    return listing.problem(NOT_ANNOTATED, error.problem, hint=error.hint)


_MOST_REFUSALS = 50


class _Reader:
    """A file that is read repeatedly, with more masks each time."""

    def __init__(self, source: str, data: bytes, format_name: str) -> None:
        self.listing = FileListing(source, data)
        self.problems: list[Problem] = []
        self.is_default_layer = True
        self.data = with_line_feeds(data)
        self._format = format_name
        self._refused_lines: set[int | None] = set()
        self._reported: set[tuple[int | None, str]] = set()

    def read(self, way: Way) -> Corpus | None:
        """Read the file in one way, and mask what stops the reader if possible."""
        for _ in range(_MOST_REFUSALS):
            self._mask_empty_documents()
            corpus = None
            with record_faults() as faults:
                try:
                    corpus = self._attempt(way, self.data)
                except FormatError as error:
                    if self._mask_error(error, way):
                        continue
            for fault in faults:
                self._report(rule_of(fault), fault)
            return corpus
        self.problems.append(
            self.listing.problem(
                GAVE_UP,
                f"{_MOST_REFUSALS} lines cannot be read. The rest of the file "
                "was not checked",
            )
        )
        return None

    def _mask_empty_documents(self) -> None:
        """Report CorefUD documents without words, which the reader does not see."""
        for row in empty_documents(self.data) if self._format == COREFUD else ():
            message = "this document has no words"
            hint = "Leave it out, or check whether the file was cut off."
            self.problems.append(
                self.listing.problem(EMPTY_DOCUMENT, message, row + 1, hint=hint)
            )
            self.data = _with_comment(self.data, row)

    def _attempt(self, way: Way, data: bytes) -> Corpus:
        # Readers drop one byte order mark. The file's own was dropped before, so any
        # other must stay.
        mark = BOM if data.startswith(BOM) else b""
        return reading.read_data(
            mark + data,
            source=self.listing.source,
            role=way.role,
            format=self._format,
            reading="lenient",
            layer=way.layer,
        )

    def _mask_error(self, error: FormatError, way: Way) -> bool:
        """Report what stops a reader, and mask it; return False if that fails."""
        if self.data.startswith(BOM):
            self._drop_marks()
            return True
        if error.rule == NOT_JSON:
            return self._mask_json_lines(way)
        self._report(rule_of(error), error)
        again = error.line in self._refused_lines
        self._refused_lines.add(error.line)
        data = mask_line(self.data, error, self._format, again=again)
        self.data = self.data if data is None else data
        return data is not None

    def _drop_marks(self) -> None:
        """Report byte order marks after the first one, which readers do not drop."""
        problem = self.listing.problem(
            BYTE_ORDER_MARK,
            "there are several byte order marks before the first character",
            1,
            hint="Remove them. Only the first is read as a byte order mark.",
            can_fix=True,
        )
        self.problems.append(problem._replace(severity="error"))
        while self.data.startswith(BOM):
            self.data = self.data.removeprefix(BOM)

    def _mask_json_lines(self, way: Way) -> bool:
        """Read each line of JSON alone, which is faster than reading all again."""
        before, lines = self.data, self.data.split(b"\n")
        for row, line in enumerate(lines):
            try:
                if line.strip():
                    self._attempt(way, line)
            except FormatError as error:
                error.line = row + 1
                lines[row] = self._with_readable_offsets(way, line)
                if lines[row]:
                    self._report(FLOAT_OFFSET, _float_error(error))
                else:
                    self._report(NOT_JSON, error)
        self.data = b"\n".join(lines)
        return self.data != before

    def _with_readable_offsets(self, way: Way, line: bytes) -> bytes:
        """Write offsets as integers; return nothing if the line stays unreadable."""
        rewritten = with_whole_numbers(line)
        try:
            if rewritten is not None:
                self._attempt(way, rewritten)
        except FormatError:
            return b""
        return rewritten or b""

    def _report(self, rule: Rule, error: FormatError) -> None:
        """Add a problem, unless it was reported before."""
        line = error.line
        if (line, error.problem) in self._reported:
            return
        self._reported.add((line, error.problem))
        can_fix = rule == FLOAT_OFFSET
        if rule == MISSING_HEADER:
            can_fix = evident_header(self.data) is not None
        problem = self.listing.problem(
            rule,
            error.problem,
            line,
            blamed_span(error, self.listing.text(line)) if line else None,
            hint=error.hint,
            can_fix=can_fix,
        )
        self.problems.append(problem if self.is_default_layer else as_warning(problem))


def rule_of(error: FormatError) -> Rule:
    """Return the rule that a file breaks; most readers name it in their error."""
    return error.rule or (UNREADABLE_FILE if error.line is None else UNREADABLE_LINE)


def _float_error(error: FormatError) -> FormatError:
    """Return an error about the offsets of a line that is otherwise readable."""
    number = re.search(r'clusters"\s*:.*?(\d+\.\d+)', error.text)
    return FormatError(
        "offsets must be integers" + (f", but found {number[1]}" if number else ""),
        source=error.source,
        line=error.line,
        text=error.text,
        span=number.span(1) if number else None,
        hint="Write 3 instead of 3.0.",
    )


def mask_line(
    data: bytes, error: FormatError, format_name: str, *, again: bool
) -> bytes | None:
    """Mask the line that stops a reader; None if nothing can be read without it.

    A line that stops the reader ``again`` becomes a comment, whatever its fault is.
    """
    if error.line is None or error.is_final:
        return None
    fault = rule_of(error), format_name
    is_header = fault in {(MISSING_HEADER, COREFUD), (BAD_HEADER, COREFUD)}
    if is_header and not again:
        # After the last line, so that no other line moves.
        return data + b"\n" + HEADER_START + (evident_header(data) or b"eid")
    mask, row = _MASKS.get(fault), error.line - 1
    lines = data.split(b"\n")
    if row >= len(lines):
        return None  # the reader counts other line ends as well, as in XML
    if mask is None or again:
        return _with_comment(data, row)
    lines[row] = mask(lines[row], error)
    return b"\n".join(lines)


def _with_comment(data: bytes, row: int) -> bytes:
    """Turn a line, counted from 0, into a comment."""
    lines = data.split(b"\n")
    lines[row] = b"#"
    return b"\n".join(lines)


_CONLLU_COLUMNS = 10

_UA_COLUMNS = 15


def _fill_conllu_columns(line: bytes, _: FormatError) -> bytes:
    """Insert columns before the last one, which has the entities."""
    *first, last = line.split(b"\t")
    more = [b"_"] * (_CONLLU_COLUMNS - 1 - len(first))
    return b"\t".join([*first, *more, last])


def _fill_ua_columns(line: bytes, _: FormatError) -> bytes:
    """Append columns."""
    cells = line.rstrip(b"\r").split(b"\t")
    return b"\t".join([*cells, *[b"_"] * (_UA_COLUMNS - len(cells))])


def _change_separator(line: bytes, _: FormatError) -> bytes:
    """Separate columns as in the first line: by tabs if this one has none."""
    return line.replace(b"\t", b" ") if b"\t" in line else b"\t".join(line.split())


def _drop_entities(line: bytes, _: FormatError) -> bytes:
    """Empty the last column."""
    return b"\t".join([*line.split(b"\t")[: _CONLLU_COLUMNS - 1], b"_"])


def _drop_head(_: bytes, error: FormatError) -> bytes:
    start, end = error.span or (0, len(error.text))
    return (error.text[:start] + error.text[end:]).encode()


_MASKS: dict[tuple[Rule, str], Mask] = {
    (MISSING_COLUMNS, COREFUD): _fill_conllu_columns,
    (MISSING_COLUMNS, UNIVERSAL_ANAPHORA): _fill_ua_columns,
    (MIXED_SEPARATORS, UNIVERSAL_ANAPHORA): _change_separator,
    (NAMELESS_BRACKET, COREFUD): _drop_entities,
    (UNREADABLE_HEAD, COREFUD): _drop_head,
}
"""How to mask a line that breaks a rule; any other line becomes a comment."""

HEADER_START = b"# global.Entity = "

_VALUE = re.compile(rb"[\t|]Entity=([^|\t\r\n]+)")

_BRACKET = re.compile(rb"\(([^()]+)|([^()]+)\)")

_PIECE = re.compile(rb"\[\d+/\d+\]$")

_BY_LENGTH = {1: b"eid", 3: b"eid-etype-head", 4: b"eid-etype-head-other"}

_HEAD = 2


def evident_header(data: bytes) -> bytes | None:
    r"""Infer the missing header of a CorefUD file from its brackets.

    All opening brackets must have the same number of fields. The first field must be
    the name that closing brackets use, and the third must be a number or empty.

    >>> evident_header(b"1\t_\tEntity=(e1-person-1-\n2\t_\tEntity=e1)\n")
    b'eid-etype-head-other'
    >>> evident_header(b"1\t_\tEntity=(e1-person)\n")
    """
    openings: set[bytes] = set()
    closings: set[bytes] = set()
    for value in set(_VALUE.findall(data)):
        for opened, closed in _BRACKET.findall(value):
            (openings if opened else closings).add(opened or closed)
    brackets = [opened.split(b"-") for opened in openings]
    lengths = {len(fields) for fields in brackets}
    names = {_PIECE.sub(b"", fields[0]) for fields in brackets}
    closed_names = {_PIECE.sub(b"", closed) for closed in closings}
    if len(lengths) != 1 or not closed_names <= names:
        return None
    (length,) = lengths
    heads = [fields[_HEAD] for fields in brackets] if length > _HEAD else [b"1"]
    is_number = all(head.isdigit() or not head for head in heads) and any(heads)
    return _BY_LENGTH.get(length) if is_number else None


def with_whole_numbers(line: bytes) -> bytes | None:
    """Write offsets such as 3.0 as integers; None if there are none.

    >>> with_whole_numbers(b'{"doc_key": "d", "clusters": [[[0.0, 1]]]}')
    b'{"doc_key": "d", "clusters": [[[0, 1]]]}'
    """

    def as_integers(value: object) -> object:
        if isinstance(value, list):
            return [as_integers(item) for item in value]
        return int(value) if isinstance(value, float) and value.is_integer() else value

    return _rewrite(line, as_integers)


def without_repetitions(line: bytes) -> bytes | None:
    """Drop mentions that an entity lists a second time; None if there are none."""

    def keep_first(mentions: object) -> object:
        if not isinstance(mentions, list):
            return mentions
        return [
            mention
            for row, mention in enumerate(mentions)
            if mention not in mentions[:row]
        ]

    return _rewrite(line, lambda clusters: [*map(keep_first, clusters)])


def without_empty_entities(line: bytes) -> bytes | None:
    """Drop entities without a mention; None if there are none."""
    return _rewrite(
        line, lambda clusters: [mentions for mentions in clusters if mentions != []]
    )


def _rewrite(line: bytes, change: Callable[[list[object]], object]) -> bytes | None:
    """Change the entities of a JSON document and nothing else; None if all is right."""

    def refuse_repeated_fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            raise ValueError(
                "a field appears twice, and only you can decide which to keep"
            )
        return fields

    try:
        record = json.loads(line, object_pairs_hook=refuse_repeated_fields)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    changed = record | {
        field: change(record[field])
        for field in ("clusters", "predicted_clusters")
        if isinstance(record.get(field), list)
    }
    # Texts are compared, because 3.0 == 3 in Python.
    if repr(changed) == repr(record):
        return None
    blank = " " if b'": ' in line else ""
    written = json.dumps(
        changed, ensure_ascii=line.isascii(), separators=(f",{blank}", f":{blank}")
    )
    return written.encode()
