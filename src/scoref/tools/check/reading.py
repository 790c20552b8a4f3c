"""A file read for its faults: all of them, and what is good of it beside.

Where the same file can be read in several ways, all of them are: both sides of JSON
lines or Label Studio, and both layers of Universal Anaphora.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoref import formats
from scoref.errors import FormatError
from scoref.formats import CONLL_2012, COREFUD, FORMATS, UNIVERSAL_ANAPHORA
from scoref.formats._faults import listening
from scoref.formats._text import with_line_feeds, without_bom
from scoref.formats._ua_columns import DEIXIS, IDENTITY, headers
from scoref.formats._unannotated import unannotated
from scoref.rules import (
    BYTE_ORDER_MARK,
    EMPTY_DOCUMENT,
    FLOAT_OFFSET,
    GAVE_UP,
    MISSING_HEADER,
    NO_DOCUMENT,
    NOT_ANNOTATED,
    NOT_JSON,
    UNREADABLE_CELL,
    UNREADABLE_FILE,
)
from scoref.tools.check.faults import commented, harmless, rule_of
from scoref.tools.check.header import evident_header
from scoref.tools.check.json_text import with_whole_numbers
from scoref.tools.check.newdocs import without_words
from scoref.tools.check.places import blamed
from scoref.tools.check.problems import FileListing, beside
from scoref.tools.check.text import BOM

if TYPE_CHECKING:
    from scoref.formats import Role
    from scoref.model import Corpus
    from scoref.rules import Rule
    from scoref.scheme import Layer
    from scoref.tools.check.problems import Problem

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


def read_file(  # noqa: PLR0913 - what a file is, and how to read it
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
    name = format_name or formats.detect(data, key_format)
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
        formats.refuse_unclear(data, name, listing.source)
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
    error = unannotated(data, sides[0].corpus.format, listing.source)
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
        return formats.read_data(
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
