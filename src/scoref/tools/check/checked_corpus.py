"""The view of a file that rules check: a corpus, its words, and where mentions are.

A file has one view for each way to read it. Text and places are read when a rule asks
for them first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.formats.catalogue import CONLL_2012, COREFUD, JSON_LINES, UNIVERSAL_ANAPHORA
from scoref.formats.corefud_brackets import EntityHeader, entity_headers
from scoref.formats.input_files import Lines
from scoref.formats.tokens import conll2012_word, read_tokens
from scoref.formats.trees import token_rows
from scoref.matching.as_spans import as_spans
from scoref.matching.ragged import Ragged, number_rows
from scoref.model import Texts, Tokens
from scoref.model.arrays import starts
from scoref.tools.check import blame

if TYPE_CHECKING:
    from scoref.model import Ints
    from scoref.rules import Rule
    from scoref.tools.check.mentions import LineBrackets
    from scoref.tools.check.problems import FileListing, Problem
    from scoref.tools.check.reading import ReadSide

    Span = tuple[int, int]


_JSON_SPAN = re.compile(r"\[\s*(\d+)\s*,\s*(\d+)\s*\]")

_MOST_CHARACTERS = 40


class View:
    """One corpus of a file, with functions that make problems of its mentions.

    ``name`` is what problems call the file, and ``what`` what they call this side.
    """

    def __init__(self, side: ReadSide, listing: FileListing, *, is_whole: bool) -> None:
        self.way, self.corpus, self.data = side
        self.listing = listing
        self.is_whole = is_whole
        self.name = listing.source
        self.what = "this file"
        self.brackets: dict[int, defaultdict[str, LineBrackets]] = {}
        self._conll2012_words: dict[int, str] = {}
        self._last_json_spans: tuple[int, dict[Span, list[Span]]] = 0, {}

    @property
    def format(self) -> str:
        """The name of the format."""
        return self.corpus.format

    @cached_property
    def lines(self) -> Lines:
        """The lines of the data that was read."""
        return Lines.of(self.data)

    def as_spans(self) -> View:
        """Return a view of the same file with spans instead of sets of words."""
        view = copy(self)
        view.corpus = as_spans(self.corpus)
        vars(view).pop("tokens", None)
        return view

    def line_at(self, byte: int) -> int:
        """Return the line of a byte, counted from 1."""
        return int(np.searchsorted(self.lines.start, byte, side="right"))

    @cached_property
    def tokens(self) -> Tokens | None:
        """The words; None if the file does not contain them."""
        if self.corpus.tokens is not None:
            return self.corpus.tokens
        try:
            return read_tokens(self.corpus, self.data)
        except FormatError:
            # The text of a file without a column IDENTITY cannot be read.
            return None

    @cached_property
    def layout(self) -> Tokens | None:
        """The places of tokens; None if the file does not say or contradicts itself."""
        if self.format == CONLL_2012:
            # The words are left out, because they take ten times as long to read.
            first, row, sentence = token_rows(self.corpus, self.lines)
            return Tokens(first, sentence, row + 1, Texts.blank(len(row)))
        return None if len(self.contradictory_documents) else self.tokens

    @cached_property
    def contradictory_documents(self) -> Ints:
        """The documents whose two texts, tokens and sentences, differ in length."""
        token_count = self.corpus.document_tokens
        if self.format != JSON_LINES or self.tokens is None or token_count is None:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(np.diff(self.tokens.first) != token_count)

    @cached_property
    def document(self) -> Ints:
        """The document of each mention."""
        return self.corpus.mention_document

    @cached_property
    def number(self) -> Ints:
        """A number for each mention; equal mentions of a document have the same."""
        words = self.corpus.words
        if words is not None:
            return number_rows(Ragged(words.start, words.member), self.document)[0]
        start = np.arange(len(self.document) + 1) * 2
        spans = np.column_stack((self.corpus.mention_start, self.corpus.mention_end))
        return number_rows(Ragged(start, spans.ravel()), self.document)[0]

    @cached_property
    def ends(self) -> tuple[Ints, Ints] | None:
        """The first and the last token of each mention, as rows of the layout."""
        layout, corpus = self.layout, self.corpus
        if layout is None:
            return None
        if corpus.words is None or layout.code is None:
            first = layout.first[self.document]
            return first + corpus.mention_start, first + corpus.mention_end
        start, row = layout.of_mentions(corpus)
        return row[start[:-1]], row[start[1:] - 1]

    def label(self, mention: int) -> str:
        """Return the label of a mention's entity."""
        return self.corpus.entity_label[int(self.corpus.mention_entity[mention])]

    def words(self, mention: int) -> str:
        """Return the words of a mention, or its offsets if the file has no words."""
        ends, corpus = self.ends, self.corpus
        start, end = corpus.mention_start[mention], corpus.mention_end[mention]
        if ends is None:
            return f"[{start}, {end}]"
        rows = range(int(ends[0][mention]), int(ends[1][mention]) + 1)
        text = " ".join(filter(None, map(self._word, rows[:_MOST_CHARACTERS])))
        if len(text) > _MOST_CHARACTERS:
            text = f"{text[:_MOST_CHARACTERS]}…"
        return f"'{text}'" if text.strip("_ ") else "a zero"

    def _word(self, row: int) -> str:
        """Return one word; in CoNLL-2012, only its line is read."""
        if self.format == CONLL_2012 and self.layout is not None:
            line = int(self.layout.line[row])
            # A line may start thousands of mentions and be long.
            if line not in self._conll2012_words:
                word = conll2012_word(self.lines[line - 1])
                self._conll2012_words[line] = word.decode("utf-8", "replace")
            return self._conll2012_words[line]
        if self.tokens is None:
            return ""
        start = int(self._word_start[row])
        end = start + int(self.tokens.word.length[row])
        return self.tokens.word.data[start:end].tobytes().decode("utf-8", "replace")

    @cached_property
    def _word_start(self) -> Ints:
        assert self.tokens is not None
        return starts(self.tokens.word.length)

    def line(self, mention: int) -> int:
        """Return the line where a mention starts."""
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
        """Make a problem about a mention, shown where it starts."""
        line = self.line(mention)
        span = self._span(mention, self.listing.text(line))
        return self.listing.problem(
            rule, message, line, span, hint=hint, can_fix=can_fix
        )

    def about_document(
        self, rule: Rule, document: int, message: str, hint: str
    ) -> Problem:
        """Make a problem about a document, shown where it starts."""
        line = int(self.corpus.document_line[document]) or None
        name = self.corpus.documents[document].name
        text = self.listing.text(line) if line else ""
        span = blame.literal(text, name) if line and name else None
        return self.listing.problem(rule, message, line, span, hint=hint)

    def _span(self, mention: int, text: str) -> Span | None:
        """Find the bracket of a mention in its line; the last one of several."""
        corpus = self.corpus
        if self.format == JSON_LINES:
            pair = int(corpus.mention_start[mention]), int(corpus.mention_end[mention])
            spans = self._json_spans(int(corpus.mention_line[mention]))[pair]
            return spans[min(1, len(spans) - 1)] if spans else None
        if self.format == UNIVERSAL_ANAPHORA and corpus.anaphora is not None:
            return blame.markable(text, corpus.anaphora.markable[mention])
        return blame.opening(text, self.label(mention), self.entity_field)

    def _json_spans(self, line: int) -> dict[Span, list[Span]]:
        """Find where the mentions of a line of JSON are written, by their offsets."""
        if self._last_json_spans[0] != line:
            text = self.listing.text(line)
            field = "predicted_clusters" if self.way.role == "response" else "clusters"
            spans: dict[Span, list[Span]] = defaultdict(list)
            for pair in _JSON_SPAN.finditer(text, max(0, text.find(f'"{field}"'))):
                spans[int(pair[1]), int(pair[2])].append(pair.span())
            self._last_json_spans = line, spans
        return self._last_json_spans[1]

    @property
    def entity_field(self) -> int:
        """Which field of CorefUD's brackets is the entity."""
        return self._header.entity

    @property
    def head_field(self) -> int | None:
        """Which field of CorefUD's brackets is the head."""
        return self._header.head

    @cached_property
    def _header(self) -> EntityHeader:
        headers = entity_headers(self.data) if self.format == COREFUD else []
        header = EntityHeader.of(headers[-1][0]) if headers else None
        return header or EntityHeader(0, None)
