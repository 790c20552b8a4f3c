"""The view of a file that rules check: a corpus, its words, and where mentions are."""

from __future__ import annotations

import re
from collections import defaultdict
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.formats.catalogue import CONLL_2012, COREFUD, JSON_LINES, UNIVERSAL_ANAPHORA
from scoref.formats.corefud_brackets import EntityHeader
from scoref.formats.corefud_brackets import _headers as corefud_headers
from scoref.formats.input_files import Lines
from scoref.formats.tokens import conll2012_word, read_tokens
from scoref.formats.trees import token_rows
from scoref.matching.as_spans import as_spans
from scoref.matching.ragged import Ragged, number_rows
from scoref.model import Texts, Tokens
from scoref.tools.check import blame

if TYPE_CHECKING:
    from scoref.model import Ints
    from scoref.rules import Rule
    from scoref.tools.check.mentions import LineBrackets
    from scoref.tools.check.problems import FileListing, Problem
    from scoref.tools.check.reading import ReadSide

    Span = tuple[int, int]


_PAIR = re.compile(r"\[\s*(\d+)\s*,\s*(\d+)\s*\]")

_SHOWN = 40


class View:
    """One corpus of a file; what is needed of its text is read when it is asked for."""

    def __init__(self, side: ReadSide, listing: FileListing, *, is_whole: bool) -> None:
        self.way, self.corpus, self.data = side
        self.listing = listing
        self.is_whole = is_whole
        self.name = listing.source
        self.what = "this file"
        self.brackets: dict[int, defaultdict[str, LineBrackets]] = {}

    @property
    def format(self) -> str:
        """Name the format."""
        return self.corpus.format

    @cached_property
    def lines(self) -> Lines:
        """Find the lines of what was read."""
        return Lines.of(self.data)

    def as_spans(self) -> View:
        """Look at the same file with spans in place of sets of words."""
        found = copy(self)
        found.corpus = as_spans(self.corpus)
        vars(found).pop("tokens", None)
        return found

    def line_at(self, byte: int) -> int:
        """Find the line of a byte."""
        return int(np.searchsorted(self.lines.start, byte, side="right"))

    @cached_property
    def tokens(self) -> Tokens | None:
        """Read the words; None if the file does not tell them."""
        if self.corpus.tokens is not None:
            return self.corpus.tokens
        try:
            return read_tokens(self.corpus, self.data)
        except FormatError:
            # Of a file without a column IDENTITY no text is read.
            return None

    @cached_property
    def layout(self) -> Tokens | None:
        """Find where tokens are; None if the file does not tell, or contradicts."""
        corpus = self.corpus
        if self.format == CONLL_2012:
            # Without the words, which take ten times as long.
            first, row, sentence = token_rows(corpus, self.lines)
            return Tokens(first, sentence, row + 1, Texts.blank(len(row)))
        return None if len(self.disagreeing) else self.tokens

    @cached_property
    def disagreeing(self) -> Ints:
        """List the documents whose two texts differ in length."""
        counted = self.corpus.document_tokens
        if self.format != JSON_LINES or self.tokens is None or counted is None:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(np.diff(self.tokens.first) != counted)

    @cached_property
    def document(self) -> Ints:
        """Give the document of each mention."""
        return self.corpus.mention_document

    @cached_property
    def number(self) -> Ints:
        """Give equal mentions of a document the same number."""
        words = self.corpus.words
        if words is not None:
            return number_rows(Ragged(words.start, words.member), self.document)[0]
        start = np.arange(len(self.document) + 1) * 2
        spans = np.column_stack((self.corpus.mention_start, self.corpus.mention_end))
        return number_rows(Ragged(start, spans.ravel()), self.document)[0]

    @cached_property
    def ends(self) -> tuple[Ints, Ints] | None:
        """Find the first and the last token of each mention, as rows of the layout."""
        layout, corpus = self.layout, self.corpus
        if layout is None:
            return None
        if corpus.words is None or layout.code is None:
            first = layout.first[self.document]
            return first + corpus.mention_start, first + corpus.mention_end
        start, row = layout.of_mentions(corpus)
        return row[start[:-1]], row[start[1:] - 1]

    def label(self, mention: int) -> str:
        """Name the entity of a mention."""
        return self.corpus.entity_label[int(self.corpus.mention_entity[mention])]

    def words(self, mention: int) -> str:
        """Show a mention as its words, or as its offsets if there are none."""
        ends, corpus = self.ends, self.corpus
        start, end = corpus.mention_start[mention], corpus.mention_end[mention]
        if ends is None:
            return f"[{start}, {end}]"
        rows = range(int(ends[0][mention]), int(ends[1][mention]) + 1)
        text = " ".join(filter(None, map(self._word, rows[:_SHOWN])))
        text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        return f"'{text}'" if text.strip("_ ") else "a zero"

    def line(self, mention: int) -> int:
        """Find the line where a mention starts."""
        layout, ends = self.layout, self.ends
        if layout is None or ends is None or self.format == JSON_LINES:
            return int(self.corpus.mention_line[mention])
        return int(layout.line[int(ends[0][mention])])

    def problem(
        self,
        rule: Rule,
        mention: int,
        message: str,
        hint: str,
        *,
        can_fix: bool = False,
    ) -> Problem:
        """Make a problem of a mention, shown where it starts."""
        line = self.line(mention)
        span = self._span(mention, self.listing.text(line))
        return self.listing.problem(
            rule, message, line, span, hint=hint, can_fix=can_fix
        )

    def about_document(
        self, rule: Rule, document: int, message: str, hint: str
    ) -> Problem:
        """Make a problem of a document, shown where it starts."""
        line = int(self.corpus.document_line[document]) or None
        name = self.corpus.documents[document].name
        text = self.listing.text(line) if line else ""
        span = blame.literal(text, name) if line and name else None
        return self.listing.problem(rule, message, line, span, hint=hint)

    def _word(self, row: int) -> str:
        """Give one word; of CoNLL-2012, without reading all of them."""
        if self.format == CONLL_2012 and self.layout is not None:
            return self._conll2012_word(int(self.layout.line[row]))
        if self.tokens is None:
            return ""
        end = int(self._word_ends[row])
        start = end - int(self.tokens.word.length[row])
        return self.tokens.word.data[start:end].tobytes().decode("utf-8", "replace")

    def _conll2012_word(self, line: int) -> str:
        # A line may have thousands of mentions, and be as long.
        if line not in self._words:
            word = conll2012_word(self.lines[line - 1])
            self._words[line] = word.decode("utf-8", "replace")
        return self._words[line]

    @cached_property
    def _words(self) -> dict[int, str]:
        return {}

    @cached_property
    def _word_ends(self) -> Ints:
        assert self.tokens is not None
        return np.cumsum(self.tokens.word.length)

    def _span(self, mention: int, text: str) -> Span | None:
        """Find the bracket of a mention in its line; the last one of several."""
        corpus = self.corpus
        if self.format == JSON_LINES:
            pair = int(corpus.mention_start[mention]), int(corpus.mention_end[mention])
            listed = self._pairs(int(corpus.mention_line[mention]))[pair]
            return listed[min(1, len(listed) - 1)] if listed else None
        if self.format == UNIVERSAL_ANAPHORA and corpus.anaphora is not None:
            return blame.markable(text, corpus.anaphora.markable[mention])
        return blame.opening(text, self.label(mention), self.entity_field)

    @cached_property
    def entity_field(self) -> int:
        """Find which field of CorefUD's brackets is the entity."""
        return self._header.entity

    @cached_property
    def head_field(self) -> int | None:
        """Find which field of CorefUD's brackets is the head."""
        return self._header.head

    @cached_property
    def _header(self) -> EntityHeader:
        found = corefud_headers(self.data) if self.format == COREFUD else []
        header = EntityHeader.of(found[-1][0]) if found else None
        return header or EntityHeader(0, None)

    def _pairs(self, line: int) -> dict[Span, list[Span]]:
        """Find the mentions in a line of JSON."""
        if self._looked_at[0] != line:
            text = self.listing.text(line)
            field = "predicted_clusters" if self.way.role == "response" else "clusters"
            found: dict[Span, list[Span]] = defaultdict(list)
            for pair in _PAIR.finditer(text, max(0, text.find(f'"{field}"'))):
                found[int(pair[1]), int(pair[2])].append(pair.span())
            self._looked_at = line, found
        return self._looked_at[1]

    @cached_property
    def _looked_at(self) -> tuple[int, dict[Span, list[Span]]]:
        return 0, {}
