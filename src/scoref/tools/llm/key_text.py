"""The text of a key's document, to give to a model and to align its answer with.

A key with empty nodes or multiword tokens has several such texts. An answer may contain
empty nodes or not, at their place in the file or after the word that they depend on,
and it may have `del` or `de el`. The shared task's converter has written all of these.
scoref uses the text that shares most pairs of neighbouring pieces with the answer.

The text for a model is that of the CRAC shared task's LLM track: a line for each
document, words with blanks between them, multiword tokens as they are spelt, and empty
nodes as `##` after the word that they depend on. If mentions are marked, words have
tags: entities are e1, e2, … in each document, and of a mention with gaps the part with
its head is marked. `response_file` writes a response in the format of the key.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO, compose, cut_words
from scoref.formats.catalogue import CONLL_2012, COREFUD, JSON_LINES
from scoref.model import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.formats.trees import DependencyTrees
    from scoref.model import Corpus, Tokens
    from scoref.model.arrays import Ints, Mask
    from scoref.tools.llm.scoring import AnswerResult, Key


class Word(NamedTuple):
    """A word of a text: some tokens of the document, and its place for sorting."""

    place: tuple[int, bool, int]
    first: int
    last: int
    form: str


class KeyText(NamedTuple):
    """The pieces of a text, the word of each, and the tokens of each word."""

    pieces: list[str]
    word: Ints  # by piece
    first: Ints  # by word
    last: Ints

    @classmethod
    def of(cls, words: Sequence[Word]) -> KeyText:
        """Cut words into pieces."""
        forms = [word.form for word in words]
        pieces, owner = cut_words(forms, with_zeros=True)
        first, last = (
            np.array([word[column] for word in words], dtype=np.int64)
            for column in (1, 2)
        )
        return cls(pieces.text, owner, first, last)


@dataclass(frozen=True)
class KeyDocument:
    """The tokens of one document, and what its texts are made of.

    ``parent`` has the word that each empty node depends on. ``surface`` has multiword
    tokens by their first word: the last word, and the form.
    """

    tokens: Tokens
    parent: dict[int, int]
    surface: dict[int, tuple[int, str]]

    @cached_property
    def words(self) -> list[str]:
        """The forms of tokens, with composed accents as in answers."""
        return list(map(compose, self.tokens.word.strings()))

    @cached_property
    def is_zero(self) -> Mask:
        """Which tokens are empty nodes."""
        return self.tokens.is_empty

    def text_for(self, answer: Sequence[str]) -> KeyText:
        """Choose the text that an answer is most like."""
        has_zeros = bool(self.is_zero.any())
        orders: list[bool | None] = [None]
        if has_zeros and ZERO in answer:
            orders = [True, False] if self.parent else [True]
        joins = [False, True] if self.surface else [False]
        if len(orders) == len(joins) == 1:
            return self.text(zeros_in_place=orders[0])
        pairs = Counter(pairwise(answer))
        texts = [
            self.text(zeros_in_place=order, joined=joined)
            for order in orders
            for joined in joins
        ]
        return max(
            texts,
            key=lambda text: (Counter(pairwise(text.pieces)) & pairs).total(),
        )

    def text(self, *, zeros_in_place: bool | None, joined: bool = False) -> KeyText:
        """Return a text of the document; see `text_words`."""
        return KeyText.of(self.text_words(zeros_in_place=zeros_in_place, joined=joined))

    def text_words(self, *, zeros_in_place: bool | None, joined: bool) -> list[Word]:
        """Return the words of a text.

        Empty nodes are in their place in the file, after their parent, or left out
        (None). The words of multiword tokens may be ``joined``.
        """
        words = list(self._overt_words(joined=joined))
        if zeros_in_place is not None:
            words += self._zeros(in_place=zeros_in_place, joined=joined)
        return sorted(words)

    def _overt_words(self, *, joined: bool) -> Iterator[Word]:
        done = -1
        for row in np.flatnonzero(~self.is_zero).tolist():
            if row <= done:
                continue
            done, form = row, self.words[row]
            if joined and row in self.surface:
                done, form = self.surface[row]
            yield Word((2 * done, False, row), row, done, form)

    def _zeros(self, *, in_place: bool, joined: bool) -> Iterator[Word]:
        last_of_surface = {
            row: last
            for first, (last, _) in (self.surface.items() if joined else ())
            for row in range(first, last + 1)
        }
        for row in np.flatnonzero(self.is_zero).tolist():
            word_before = row
            while word_before >= 0 and self.is_zero[word_before]:
                word_before -= 1
            anchor = word_before if in_place else self.parent.get(row, word_before)
            place = 2 * last_of_surface.get(anchor, anchor) + 1
            yield Word((place, anchor != word_before, row), row, row, ZERO)


def documents_of(key: Corpus, trees: DependencyTrees | None) -> Iterator[KeyDocument]:
    """Return the documents of a key, one by one."""
    assert key.tokens is not None
    surface_of = {surface.first: surface for surface in trees.surfaces} if trees else {}
    for tokens in key.tokens.by_document():
        codes = [] if tokens.code is None else tokens.code.tolist()
        row_of = {code: row for row, code in enumerate(codes)}
        surfaces = (surface_of[code] for code in row_of if code in surface_of)
        yield KeyDocument(
            tokens,
            _parents(row_of, tokens.sentence, trees) if trees else {},
            {
                row_of[surface.first]: (row_of[surface.last], surface.form)
                for surface in surfaces
                if surface.last in row_of
            },
        )


def _parents(
    row_of: dict[int, int], sentence: Ints, trees: DependencyTrees
) -> dict[int, int]:
    """Find the word after which the shared task writes each empty node."""
    parents: dict[int, int] = {}
    for code, row in row_of.items():
        if not code & EMPTY:
            continue
        parent, visited = trees.parent_of_empty(code), {code}
        while parent & EMPTY and parent not in visited:
            visited.add(parent)
            parent = trees.parent_of_empty(parent)
        word_before_sentence = int(np.searchsorted(sentence, sentence[row])) - 1
        parents[row] = row_of.get(parent, word_before_sentence)
    return parents


def response_file(scored: AnswerResult) -> bytes:
    """Write the placed mentions as a file of the key's format."""
    response = scored._response
    # Import only the writer that is needed.
    if response.format == CONLL_2012:
        from scoref.formats import conll2012_writer

        return conll2012_writer.write(response)
    if response.format == JSON_LINES:
        from scoref.formats import json_lines

        return json_lines.write(response)
    if response.format == COREFUD:
        from scoref.formats import corefud_writer

        return corefud_writer.write(response, scored._base, source=scored.result.key)
    from scoref.formats import ua_writer

    return ua_writer.write(response, scored._base, source=scored.result.key)


def track_text(key: Key, *, marked: bool = False) -> str:
    """Write a line for each document of a key, with its mentions if ``marked``."""
    mentions = _KeyMentions.of(key.corpus) if marked else None
    lines = []
    for row, document in enumerate(key.documents):
        in_place = False if document.is_zero.any() else None
        words = document.text_words(zeros_in_place=in_place, joined=True)
        tags = mentions.tags(row, words) if mentions else {}
        forms = []
        for place, word in enumerate(words):
            form = word.form
            if form == ZERO:
                node_form = document.words[word.first]
                form += "" if node_form == "_" else "_".join(node_form.split())
            form = "_".join(form.split())
            forms.append(f"{form}|{tags[place]}" if place in tags else form)
        lines.append(" ".join(forms) + "\n")
    return "".join(lines)


class _KeyMentions(NamedTuple):
    """The key's mentions, by document: their tokens, heads and entities."""

    first: list[int]
    of_document: list[list[int]]
    tokens: list[list[int]]
    head: list[int]
    entity: list[int]

    @classmethod
    def of(cls, key: Corpus) -> _KeyMentions:
        """Find the tokens and heads of all mentions that refer."""
        assert key.tokens is not None
        start, member = key.tokens.of_mentions(key)
        tokens = [member[a:b].tolist() for a, b in pairwise(start.tolist())]
        head = [rows[0] for rows in tokens]
        if key.words is not None and key.tokens.code is not None:
            head = key.tokens.rows(key.words.head).tolist()
        refers = np.ones(len(key.entity_document), dtype=np.bool_)
        if key.anaphora is not None:
            refers = key.anaphora.is_referring
        of_document: list[list[int]] = [[] for _ in key.documents]
        for row in np.flatnonzero(refers[key.mention_entity]).tolist():
            of_document[key.entity_document[key.mention_entity[row]]].append(row)
        first = key.tokens.first.tolist()
        return cls(first, of_document, tokens, head, key.mention_entity.tolist())

    def tags(self, document: int, words: Sequence[Word]) -> dict[int, str]:
        """Write the tags of each word of a document."""
        tags: dict[int, list[str]] = {}
        names: dict[int, str] = {}
        for _, start, end, entity in sorted(self._spans(document, words)):
            name = names.setdefault(entity, f"e{len(names) + 1}")
            if start == end:
                tags.setdefault(start, []).append(f"[{name}]")
            else:
                tags.setdefault(start, []).append(f"[{name}")
                tags.setdefault(end, []).append(f"{name}]")
        return {place: ",".join(sorted(names)) for place, names in tags.items()}

    def _spans(
        self, document: int, words: Sequence[Word]
    ) -> Iterator[tuple[tuple[int, int, int], int, int, int]]:
        """Find the words at which mentions start and end, and their entities.

        They have Udapi's order: by first word, gaps or not, then the longer one first,
        then by last word. The shared task's tool does not define which of two mentions
        that start at one word comes first.
        """
        first = self.first[document]
        place_of = {
            first + token: place
            for place, word in enumerate(words)
            for token in range(word.first, word.last + 1)
        }
        for row in self.of_document[document]:
            places = sorted({place_of[t] for t in self.tokens[row] if t in place_of})
            gaps = [at + 1 for at, (a, b) in enumerate(pairwise(places)) if b > a + 1]
            parts = [places[a:b] for a, b in pairwise([0, *gaps, len(places)])]
            head = place_of.get(self.head[row])
            part = next((part for part in parts if head in part), parts[0])
            order = places[0], -len(places), places[-1]
            yield order, part[0], part[-1], self.entity[row]
