"""Reading a file to find all of its faults, and repairing headers and JSON lines.

A file that can be read in several ways is read in all of them: both sides of JSON lines
or Label Studio, and both layers of Universal Anaphora. In lenient mode, readers skip
most faults. Others always stop a reader, because nothing sensible can be made of such a
file. To find all faults, the line that stopped a reader is made harmless in memory, and
the file is read again. Each fault breaks a rule, which is looked up here.

A missing CorefUD header can be inferred from the brackets:

    # global.Entity = eid-etype-head-other

This works only if all opening brackets have the same number of fields, the first field
is the name that closing brackets use, and the third is a number or empty.

JSON lines are rewritten only if they need a repair. All others stay the same, byte for
byte.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats import reading
from scoref.formats.builder import listening
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
from scoref.tools.check.blame import blamed
from scoref.tools.check.documents import BOM, without_words
from scoref.tools.check.problems import FileListing, beside

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoref.formats.catalogue import Role
    from scoref.model import Corpus
    from scoref.rules import Rule
    from scoref.scheme import Layer
    from scoref.tools.check.problems import Problem

    Mask = Callable[[bytes, FormatError], bytes]


_MOST_REFUSALS = 50

_NOTHING_LEFT = frozenset((NO_DOCUMENT.name, EMPTY_DOCUMENT.name))


class Way(NamedTuple):
    """A way to read a file."""

    role: Role
    layer: Layer = "identity"


class ReadSide(NamedTuple):
    """What was read in one way.

    ``data`` is the file with harmless lines in the place of those that stop readers.
    """

    way: Way
    corpus: Corpus
    data: bytes


class ReadFile(NamedTuple):
    """A file as far as it can be read, and what cannot."""

    listing: FileListing
    format: str
    sides: list[ReadSide]
    problems: list[Problem]

    @property
    def is_whole(self) -> bool:
        """Tell whether nothing had to be passed over."""
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
    """Read a file in every way that it can be read; in one ``role`` if it has one.

    Without a name its format is seen, and may be that of the key. Universal Anaphora
    may lack IDENTITY if it has another layer, unless it is needed.
    """
    data = with_line_feeds(data)
    name = format_name or reading.detect(data, key_format)
    reader = _Reader(source, without_bom(data), name)
    unclear = _unclear(data, name, reader.listing) if format_name is None else []
    if unclear:
        return ReadFile(reader.listing, name, [], unclear)
    sides = []
    ways = _ways(name, data, role, needs_identity=needs_identity)
    for way in ways:
        reader.is_beside = way.layer != ways[0].layer
        corpus = reader.read(way)
        if corpus is not None:
            sides.append(ReadSide(way, corpus, reader.data))
    problems = reader.problems
    if not sides:
        problems = _without_consequences(problems)
    elif format_name is None and _is_something_else(sides[0].corpus, problems):
        return ReadFile(reader.listing, name, [], [_something_else(reader.listing)])
    elif format_name is None and not problems:
        unknown = _unannotated(sides, reader.listing, data)
        sides, problems = ([], unknown) if unknown else (sides, problems)
    return ReadFile(reader.listing, name, sides, problems)


def _unclear(data: bytes, name: str, listing: FileListing) -> list[Problem]:
    """Tell of JSON whose fields no format has."""
    try:
        reading.refuse_unclear(data, name, listing.source)
    except FormatError as error:
        return [listing.problem(UNREADABLE_FILE, error.problem, hint=error.hint)]
    return []


def _without_consequences(problems: list[Problem]) -> list[Problem]:
    """Leave out that there is nothing left to read, or say nothing else."""
    why = [each for each in problems if each.rule not in _NOTHING_LEFT]
    nothing = [each for each in problems if each.rule == NO_DOCUMENT.name]
    return why or nothing


def _is_something_else(corpus: Corpus, problems: list[Problem]) -> bool:
    """Suspect a file of rows that is neither marked nor, mostly, readable."""
    if corpus.format != CONLL_2012 or corpus.document_tokens is None:
        return False
    unreadable = sum(problem.rule == UNREADABLE_CELL.name for problem in problems)
    is_marked = any(name.name for name in corpus.documents)
    return not is_marked and 2 * unreadable > int(corpus.document_tokens.sum())


def _something_else(listing: FileListing) -> Problem:
    return listing.problem(
        UNREADABLE_FILE,
        "this looks like none of the formats that are known",
        hint="`scoref formats` lists them; if it is one of these, --format NAME shows "
        "what is wrong with it",
    )


def _unannotated(
    sides: list[ReadSide], listing: FileListing, data: bytes
) -> list[Problem]:
    """Tell of a file without mentions that does not say what it is."""
    if any(len(side.corpus.mention_entity) for side in sides):
        return []
    error = missing_annotation(data, sides[0].corpus.format, listing.source)
    if error is None:
        return []
    return [listing.problem(NOT_ANNOTATED, error.problem, hint=error.hint)]


def _ways(
    name: str, data: bytes, role: Role | None, *, needs_identity: bool
) -> list[Way]:
    if role is None and (sides := FORMATS[name].sides_in(data)):
        return [Way(side) for side in sides]
    if name == UNIVERSAL_ANAPHORA:
        named = headers(data)
        columns = {*named[0].names} if named else {IDENTITY}
        columns |= {IDENTITY} if needs_identity else set()
        layers: list[tuple[Layer, str]] = [
            ("identity", IDENTITY),
            ("discourse-deixis", DEIXIS),
        ]
        there = [Way(role or "key", layer) for layer, name in layers if name in columns]
        return there or [Way(role or "key")]
    return [Way(role or "key")]


def _about_floats(error: FormatError) -> FormatError:
    """Say of a line of JSON what alone is wrong with it."""
    found = re.search(r'clusters"\s*:.*?(\d+\.\d+)', error.text)
    return FormatError(
        "offsets are integers" + (f", and {found[1]} is none" if found else ""),
        source=error.source,
        line=error.line,
        text=error.text,
        span=found.span(1) if found else None,
        hint="write 3 instead of 3.0",
    )


class _Reader:
    """One file being read, as often as it takes."""

    def __init__(self, source: str, data: bytes, format_name: str) -> None:
        self.listing = FileListing(source, data)
        self.problems: list[Problem] = []
        self.is_beside = False  # whether this is not what scoring reads by default
        self._format = format_name
        self.data = with_line_feeds(data)
        self._refused: set[int | None] = set()
        self._told: set[tuple[int | None, str]] = set()

    def read(self, way: Way) -> Corpus | None:
        """Read the file in one way, and past what stops the reader if possible."""
        for _ in range(_MOST_REFUSALS):
            self._pass_empty_documents()
            with listening() as heard:
                try:
                    corpus = self._attempt(way, self.data)
                except FormatError as error:
                    if self._is_passed(error, way):
                        continue
                    self._tell(heard)
                    return None
            self._tell(heard)
            return corpus
        self.problems.append(
            self.listing.problem(
                GAVE_UP,
                f"after {_MOST_REFUSALS} lines that cannot be read the rest was not "
                "checked",
            )
        )
        return None

    def _pass_empty_documents(self) -> None:
        """Tell of documents of CorefUD without words, which its reader does not see."""
        for row in without_words(self.data) if self._format == COREFUD else ():
            message = "this document has no words"
            hint = "leave it out, or was the file cut off?"
            self.problems.append(
                self.listing.problem(EMPTY_DOCUMENT, message, row + 1, hint=hint)
            )
            self.data = commented(self.data, row)

    def _attempt(self, way: Way, data: bytes) -> Corpus:
        # Readers drop one mark. The file's own was dropped, others are no such marks.
        mark = BOM if data.startswith(BOM) else b""
        return reading.read_data(
            mark + data,
            source=self.listing.source,
            role=way.role,
            format=self._format,
            reading="lenient",
            layer=way.layer,
        )

    def _is_passed(self, error: FormatError, way: Way) -> bool:
        """Tell of what stops a reader, and make it harmless; False if that fails."""
        if self.data.startswith(BOM):
            self._pass_marks()
            return True
        if error.rule == NOT_JSON:
            return self._pass_lines(way)
        self._add(rule_of(error), error)
        again = error.line in self._refused
        self._refused.add(error.line)
        data = harmless(self.data, error, self._format, again=again)
        self.data = self.data if data is None else data
        return data is not None

    def _pass_marks(self) -> None:
        """Tell of marks behind the first one, which are no marks to a reader."""
        problem = self.listing.problem(
            BYTE_ORDER_MARK,
            "there are several byte order marks before the first character",
            1,
            hint="leave them out: only the first one is a mark to a reader",
            can_fix=True,
        )
        self.problems.append(problem._replace(severity="error"))
        while self.data.startswith(BOM):
            self.data = self.data.removeprefix(BOM)

    def _pass_lines(self, way: Way) -> bool:
        """Try each line of JSON alone, which is faster than all of them again."""
        before, lines = self.data, self.data.split(b"\n")
        for row, line in enumerate(lines):
            try:
                if line.strip():
                    self._attempt(way, line)
            except FormatError as error:
                error.line = row + 1
                lines[row] = self._mended(way, line)
                if lines[row]:
                    self._add(FLOAT_OFFSET, _about_floats(error))
                else:
                    self._add(NOT_JSON, error)
        self.data = b"\n".join(lines)
        return self.data != before

    def _mended(self, way: Way, line: bytes) -> bytes:
        """Repair a line of JSON, or give none if it is beyond repair."""
        mended = with_whole_numbers(line)
        try:
            if mended is not None:
                self._attempt(way, mended)
        except FormatError:
            mended = None
        return mended or b""

    def _tell(self, heard: list[FormatError]) -> None:
        for error in heard:
            self._add(rule_of(error), error)

    def _add(self, rule: Rule, error: FormatError) -> None:
        """Add a problem that was not told before."""
        what = error.line, error.problem
        if what in self._told:
            return
        self._told.add(what)
        line = error.line
        problem = self.listing.problem(
            rule,
            error.problem,
            line,
            blamed(error, self.listing.text(line)) if line else None,
            hint=error.hint,
            can_fix=self._can_fix(rule),
        )
        self.problems.append(beside(problem) if self.is_beside else problem)

    def _can_fix(self, rule: Rule) -> bool:
        if rule == MISSING_HEADER:
            return evident_header(self.data) is not None
        return rule == FLOAT_OFFSET


_COLUMNS = 10

_MISC = 9

_ALL_COLUMNS = 15


def rule_of(error: FormatError) -> Rule:
    """Say which rule a file breaks; readers know most, but not all of them."""
    return error.rule or (UNREADABLE_FILE if error.line is None else UNREADABLE_LINE)


def harmless(
    data: bytes, error: FormatError, format_name: str, *, again: bool
) -> bytes | None:
    """Make harmless what stops a reader; None if nothing can be read without it.

    A line that stops it ``again`` becomes a comment, whatever is wrong with it.
    """
    if error.line is None or error.is_final:
        return None
    what = rule_of(error), format_name
    if what in _HEADERS and not again:
        # Behind the last line, so that no other line moves.
        return data + b"\n" + PREFIX + (evident_header(data) or b"eid")
    mask, row = _MASKS.get(what), error.line - 1
    lines = data.split(b"\n")
    if row >= len(lines):
        return None  # the reader counts other line ends as well, as in XML
    if mask is None or again:
        return commented(data, row)
    lines[row] = mask(lines[row], error)
    return b"\n".join(lines)


def commented(data: bytes, row: int) -> bytes:
    """Make a line, counted from 0, a comment."""
    lines = data.split(b"\n")
    lines[row] = b"#"
    return b"\n".join(lines)


def _filled_up(line: bytes, _: FormatError) -> bytes:
    """Put columns before the last one, which has the entities."""
    *first, last = line.split(b"\t")
    more = [b"_"] * (_COLUMNS - 1 - len(first))
    return b"\t".join([*first, *more, last])


def _lengthened(line: bytes, _: FormatError) -> bytes:
    """Put columns behind the last one."""
    cells = line.rstrip(b"\r").split(b"\t")
    return b"\t".join([*cells, *[b"_"] * (_ALL_COLUMNS - len(cells))])


def _separated(line: bytes, _: FormatError) -> bytes:
    """Separate columns as in the first line: by tabs if this one has none."""
    return line.replace(b"\t", b" ") if b"\t" in line else b"\t".join(line.split())


def _without_entities(line: bytes, _: FormatError) -> bytes:
    return b"\t".join([*line.split(b"\t")[:_MISC], b"_"])


def _without_head(_: bytes, error: FormatError) -> bytes:
    start, end = error.span or (0, len(error.text))
    return (error.text[:start] + error.text[end:]).encode()


_HEADERS = {(MISSING_HEADER, COREFUD), (BAD_HEADER, COREFUD)}

_MASKS: dict[tuple[Rule, str], Mask] = {
    (MISSING_COLUMNS, COREFUD): _filled_up,
    (MISSING_COLUMNS, UNIVERSAL_ANAPHORA): _lengthened,
    (MIXED_SEPARATORS, UNIVERSAL_ANAPHORA): _separated,
    (NAMELESS_BRACKET, COREFUD): _without_entities,
    (UNREADABLE_HEAD, COREFUD): _without_head,
}
"""What is done about a rule in a file of a format; any other line becomes a comment."""

PREFIX = b"# global.Entity = "

_VALUE = re.compile(rb"[\t|]Entity=([^|\t\r\n]+)")

_BRACKET = re.compile(rb"\(([^()]+)|([^()]+)\)")

_PIECE = re.compile(rb"\[\d+/\d+\]$")

_BY_LENGTH = {1: b"eid", 3: b"eid-etype-head", 4: b"eid-etype-head-other"}

_HEAD = 2


def evident_header(data: bytes) -> bytes | None:
    r"""Say what the header of a file without one must be, if its brackets tell.

    >>> evident_header(b"1\t_\tEntity=(e1-person-1-\n2\t_\tEntity=e1)\n")
    b'eid-etype-head-other'
    >>> evident_header(b"1\t_\tEntity=(e1-person)\n")
    """
    openings: set[bytes] = set()
    closings: set[bytes] = set()
    for value in set(_VALUE.findall(data)):
        for opened, closed in _BRACKET.findall(value):
            (openings if opened else closings).add(opened or closed)
    fields = [opened.split(b"-") for opened in openings]
    lengths = {len(each) for each in fields}
    known = {_name(each[0]) for each in fields}
    if len(lengths) != 1 or not {_name(closed) for closed in closings} <= known:
        return None
    (length,) = lengths
    heads = [each[_HEAD] for each in fields] if length > _HEAD else [b"1"]
    is_number = all(head.isdigit() or not head for head in heads) and any(heads)
    return _BY_LENGTH.get(length) if is_number else None


def _name(text: bytes) -> bytes:
    return _PIECE.sub(b"", text)


FIELDS = ("clusters", "predicted_clusters")


def with_whole_numbers(line: bytes) -> bytes | None:
    """Write offsets such as 3.0 as integers; None if there are none.

    >>> with_whole_numbers(b'{"doc_key": "d", "clusters": [[[0.0, 1]]]}')
    b'{"doc_key": "d", "clusters": [[[0, 1]]]}'
    """
    return _changed(line, _whole)


def without_repetitions(line: bytes) -> bytes | None:
    """Drop what an entity lists a second time; None if there is no such thing."""
    return _changed(line, lambda clusters: [_once(each) for each in clusters])


def without_empty_entities(line: bytes) -> bytes | None:
    """Drop entities without a mention; None if there is none."""
    return _changed(line, lambda clusters: [each for each in clusters if each != []])


def _whole(value: object) -> object:
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _once(mentions: object) -> object:
    if not isinstance(mentions, list):
        return mentions
    return [each for row, each in enumerate(mentions) if each not in mentions[:row]]


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field appears twice: to keep one of them is a choice")
    return fields


def _changed(line: bytes, change: Callable[[list[object]], object]) -> bytes | None:
    """Change the entities of a document, and nothing else."""
    try:
        record = json.loads(line, object_pairs_hook=_fields)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    changed = record | {
        field: change(record[field])
        for field in FIELDS
        if isinstance(record.get(field), list)
    }
    # As text: 3.0 == 3 in Python.
    if repr(changed) == repr(record):
        return None
    blank = " " if b'": ' in line else ""
    written = json.dumps(
        changed, ensure_ascii=line.isascii(), separators=(f",{blank}", f":{blank}")
    )
    return written.encode()
