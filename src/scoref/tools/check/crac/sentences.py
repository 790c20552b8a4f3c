"""Sentences of a CoNLL-U file, and the official rules of level 1."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

from scoref.tools.check.crac.rules import OFFICIAL_RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.tools.check.problems import FileListing, Problem

COLUMNS = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS"),
    *("FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
)
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(len(COLUMNS))

WORD_ID = re.compile(r"[1-9][0-9]*")
RANGE_ID = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
EMPTY_ID = re.compile(r"([0-9]+)\.([1-9][0-9]*)")

_SPACES = re.compile(r"\s+")
_TWO_SPACES = re.compile(r"\s\s")
_SPACE = re.compile(
    "[ \x0b\x0c\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)
"""All spaces except tabs and line feeds; a list is searched faster than a class."""

_WITHOUT_SPACES = frozenset((ID, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS))


class Findings:
    """The problems of a file, in the order in which they are found."""

    def __init__(self, listing: FileListing) -> None:
        self.listing = listing
        self.problems: list[Problem] = []

    def report(
        self, name: str, line: int, message: str, blamed: str = "", column: int = ID
    ) -> None:
        """Add a problem; ``blamed`` is looked for in the line, from a column on."""
        rule, _, remedy = OFFICIAL_RULES[name]
        span = None
        if blamed:
            text, start = self.listing.text(line), 0
            for _ in range(column):
                start = text.find("\t", start) + 1
            start = text.find(blamed, start)
            span = (start, start + len(blamed)) if start >= 0 else None
        # Of impossible parts, only [1/1] has one right answer.
        can_fix = rule.has_fix and (name != "spurious-entity-id" or "[1/1]" in blamed)
        problem = self.listing.problem(
            rule, message, line, span, hint=remedy, can_fix=can_fix
        )
        self.problems.append(problem._replace(official=name))


class Sentence:
    """The lines of a sentence up to a blank line, and its rows in columns.

    Rows are words, empty nodes and multiword tokens. Lines are counted from 1.
    Nearly all sentences keep the rules, and whole columns show that much faster than
    single rows. So most rules look at columns first, and at rows only if they must.
    """

    def __init__(self, lines: list[str], line: int, count: int, end: int) -> None:
        self.lines = lines
        self.line = line
        self.comments = lines[:count]
        self._row_lines = lines[count:end]
        self.first_row = line + count

    @cached_property
    def rows(self) -> list[list[str]]:
        """The cells of each row."""
        return [text.split("\t") for text in self._row_lines]

    @cached_property
    def columns(self) -> list[list[str]]:
        """The cells of each column; none if the rules of lines or cells are broken."""
        body, count = "\n".join(self._row_lines), len(self._row_lines)
        if self.lines[-1]:
            return []
        width = len(COLUMNS) + 1
        cells = body.replace("\n", "\t\n\t").split("\t")
        if len(cells) != count * width - 1 or cells[width - 1 :: width] != (
            ["\n"] * (count - 1)
        ):
            return []
        columns = [cells[column::width] for column in range(len(COLUMNS))]
        if "\t".join(body.split()) != body.replace("\n", "\t") and not (
            _has_usual_spaces(columns)
        ):
            return []
        return columns if all(name[0].isdigit() for name in columns[ID]) else []

    @cached_property
    def nodes(self) -> list[list[str]]:
        """The columns without multiword tokens."""
        return self._columns_without("-", self.columns)

    @cached_property
    def words(self) -> list[list[str]]:
        """The columns without multiword tokens and empty nodes."""
        return self._columns_without(".", self.nodes)

    @staticmethod
    def _columns_without(mark: str, columns: list[list[str]]) -> list[list[str]]:
        if not columns or mark not in "\t".join(columns[ID]):
            return columns
        kept = [mark not in name for name in columns[ID]]
        return [[*compress(column, kept)] for column in columns]

    @cached_property
    def relations(self) -> list[tuple[str, str]]:
        """The ids of nodes and their DEPS, without those that only repeat HEAD."""
        nodes = self.nodes
        basic = [*map(":".join, zip(nodes[HEAD], nodes[DEPREL], strict=True))]
        if nodes[DEPS] == basic:
            return []
        return [
            (name, deps)
            for name, deps, usual in zip(nodes[ID], nodes[DEPS], basic, strict=True)
            if deps not in {usual, "_"}
        ]

    def column(self, column: int) -> list[str]:
        """Return the cells of a column; each row must have ten."""
        return (
            self.columns[column] if self.columns else [row[column] for row in self.rows]
        )

    def numbered(self) -> Iterator[tuple[int, list[str]]]:
        """Return each row with its line."""
        return enumerate(self.rows, start=self.first_row)


def _has_usual_spaces(columns: list[list[str]]) -> bool:
    """Return whether no cell is empty and only forms, lemmas and MISC have spaces."""
    for column, cells in enumerate(columns):
        joined = "\t".join(cells)
        if "\t".join(joined.split()) != joined and (
            column in _WITHOUT_SPACES
            or any(not cell or " ".join(cell.split()) != cell for cell in cells)
        ):
            return False
    return not any(
        "-" in name and _SPACE.search(form)
        for name, form in zip(columns[ID], columns[FORM], strict=True)
    )


def sentences(text: str) -> Iterator[Sentence]:
    """Split a file into sentences, each with the blank line that ends it."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    start = 0
    for at, line in enumerate(lines):
        if not line or line.isspace():
            yield _sentence(lines[start : at + 1], start + 1)
            start = at + 1
    if start < len(lines):
        yield _sentence(lines[start:], start + 1)


def _sentence(lines: list[str], line: int) -> Sentence:
    is_ended = not lines[-1] or lines[-1].isspace()
    end = len(lines) - is_ended
    count = 0
    while count < end and lines[count][0] == "#":
        count += 1
    return Sentence(lines, line, count, end)


def check_characters(text: str, findings: Findings) -> None:
    """Find text that is not in normal form."""
    if unicodedata.is_normalized("NFC", text):
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if not unicodedata.is_normalized("NFC", line):
            normal = unicodedata.normalize("NFC", line)
            pairs = enumerate(zip(line, normal, strict=False))
            at = next((at for at, (old, new) in pairs if old != new), len(normal))
            findings.report(
                "unicode-normalization",
                number,
                f"character {at + 1} and those after it have a shorter form in NFC",
                line[at : at + 1],
            )


def check_lines(sentence: Sentence, findings: Findings) -> bool:
    """Check that comments come first and rows follow; return whether to go on."""
    if sentence.columns:
        return True
    lines, is_sound = sentence.lines, True
    has_row = False
    last = len(lines) - 1
    is_ended = not lines[last] or lines[last].isspace()
    for at, text in enumerate(lines[: last if is_ended else None]):
        line = sentence.line + at
        if text[0] == "#":
            if at >= len(sentence.comments):
                findings.report(
                    "misplaced-comment", line, "this comment is inside a sentence"
                )
                is_sound = False
        elif text[0].isdigit():
            has_row = True
        else:
            message = "this line is not a word, a comment or blank"
            findings.report("invalid-line", line, message)
            is_sound = False
    if not is_ended:
        message = "there is no blank line after the last sentence"
        findings.report("missing-empty-line", sentence.line + last, message)
        return has_row
    if lines[last]:
        message = "this line looks blank, but has spaces"
        findings.report("pseudo-empty-line", sentence.line + last, message)
    if not has_row:
        message = "this blank line does not end a sentence"
        findings.report("empty-sentence", sentence.line + last, message)
    return is_sound and has_row


def check_columns(sentence: Sentence, findings: Findings) -> bool:
    """Check the number of columns and their spaces; return whether to go on."""
    if sentence.columns:
        return True
    is_sound = True
    for line, row in sentence.numbered():
        if len(row) != len(COLUMNS):
            message = f"this line has {len(row)} columns instead of {len(COLUMNS)}"
            findings.report("number-of-columns", line, message)
            is_sound = False
    rows = "\n".join(sentence.lines[len(sentence.comments) :])
    if _has_space(rows):
        for line, row in sentence.numbered():
            if _has_space("\t".join(row)) and len(row) == len(COLUMNS):
                _check_spaces(row, line, findings)
    return is_sound


def _has_space(rows: str) -> bool:
    """Return whether some cell is empty or has a space."""
    framed = f"\n{rows}\n"
    marks = ("\t\t", "\n\t", "\t\n")
    return any(mark in framed for mark in marks) or _SPACE.search(rows) is not None


def _check_spaces(row: list[str], line: int, findings: Findings) -> None:
    is_range = RANGE_ID.fullmatch(row[ID]) is not None
    for column, cell in enumerate(row):
        name = COLUMNS[column]
        if is_range and column in {FORM, LEMMA} and _SPACES.search(cell):
            message = f"the multiword token '{cell}' has a space"
            findings.report("invalid-whitespace-mwt", line, message, cell, column)
        elif column in _WITHOUT_SPACES and _SPACES.search(cell):
            message = f"{name} has a space: '{cell}'"
            findings.report("invalid-whitespace", line, message, cell, column)
        elif not cell:
            findings.report("empty-column", line, f"{name} is empty")
        else:
            for rule, is_broken, fault in (
                ("leading-whitespace", cell[0].isspace(), "starts with a space"),
                ("trailing-whitespace", cell[-1].isspace(), "ends in a space"),
                (
                    "repeated-whitespace",
                    _TWO_SPACES.search(cell) is not None,
                    "has two spaces in a row",
                ),
            ):
                if is_broken:
                    message = f"{name} {fault}: '{cell}'"
                    findings.report(rule, line, message, cell, column)


class _Ids:
    """The ids of a sentence: what comes next, and what is covered."""

    def __init__(self) -> None:
        self.word = 0
        self.next_empty = 1
        self.words: list[int] = []
        self.ranges: list[tuple[int, int, int]] = []


_USUAL_IDS: list[str] = []


def check_ids(sentence: Sentence, findings: Findings) -> bool:
    """Check that nodes are numbered in order; return whether to go on."""
    if sentence.columns and _has_usual_ids(sentence):
        return True
    ids = _Ids()
    is_sound = True
    for line, row in sentence.numbered():
        is_sound &= _check_id(ids, row[ID], line, findings)
    if ids.words != list(range(1, len(ids.words) + 1)):
        numbers = ", ".join(map(str, ids.words[:20]))
        more = " …" if len(ids.words) > len(ids.words[:20]) else ""
        message = f"the words of this sentence are numbered {numbers}{more}"
        findings.report("word-id-sequence", sentence.first_row, message)
        is_sound = False
    for start, end, line in ids.ranges:
        name = f"{start}-{end}"
        if end < start:
            message = f"{name} ends before it starts"
            findings.report("reversed-word-interval", line, message, name)
            is_sound = False
        elif end > len(ids.words):
            message = f"the last word of this sentence is {len(ids.words)}"
            findings.report("word-interval-out", line, message, name)
            is_sound = False
    return is_sound and _check_overlaps(sentence, findings)


def _has_usual_ids(sentence: Sentence) -> bool:
    """Return whether words are numbered from 1, and multiword tokens come before."""
    words = sentence.nodes[ID]
    while len(_USUAL_IDS) < len(words):
        _USUAL_IDS.append(str(len(_USUAL_IDS) + 1))
    if words != _USUAL_IDS[: len(words)]:
        return False
    if sentence.nodes is sentence.columns:
        return True
    last, names = 0, sentence.columns[ID]
    for name, following in zip(names, [*names[1:], ""], strict=True):
        if "-" in name:
            start, _, end = name.partition("-")
            if start != following or end not in words or not last < int(start):
                return False
            last = int(end)
            if last < int(start):
                return False
    return True


def _check_id(ids: _Ids, name: str, line: int, findings: Findings) -> bool:
    """Check one id against those before it."""
    if WORD_ID.fullmatch(name):
        ids.next_empty, ids.word = 1, int(name)
        ids.words.append(ids.word)
        last = ids.ranges[-1] if ids.ranges else (0, 0, 0)
        if not last[0] <= ids.word <= last[1]:
            ids.ranges.append((ids.word, ids.word, line))
        return True
    if match := RANGE_ID.fullmatch(name):
        ids.next_empty = 1
        start, end = int(match[1]), int(match[2])
        if ids.words and start <= ids.words[-1]:
            message = f"word {start} comes before this line"
            findings.report("misplaced-word-interval", line, message, name)
            return False
        ids.ranges.append((start, end, line))
        return True
    if match := EMPTY_ID.fullmatch(name):
        word, number = int(match[1]), int(match[2])
        is_sound = (word, number) == (ids.word, ids.next_empty)
        if not is_sound:
            message = f"expected {ids.word}.{ids.next_empty}"
            findings.report("misplaced-empty-node", line, message, name)
        ids.next_empty += 1
        if word == ids.word and ids.ranges and word < ids.ranges[-1][0]:
            start, end, _ = ids.ranges[-1]
            message = f"this empty node comes after the multiword token {start}-{end}"
            findings.report("misplaced-empty-node", line, message, name)
            is_sound = False
        return is_sound
    findings.report("invalid-word-id", line, f"'{name}' is not an ID", name)
    return False


def _check_overlaps(sentence: Sentence, findings: Findings) -> bool:
    """Check that multiword tokens have no word in common."""
    is_sound, covered = True, set[int]()
    for line, row in sentence.numbered():
        match = RANGE_ID.fullmatch(row[ID])
        words = range(int(match[1]), int(match[2]) + 1) if match else range(0)
        if not covered.isdisjoint(words):
            message = f"{row[ID]} shares words with an earlier multiword token"
            findings.report("overlapping-word-intervals", line, message, row[ID])
            is_sound = False
        covered.update(words)
    return is_sound
