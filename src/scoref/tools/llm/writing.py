"""Texts to give to a model, and what it answered as a file like the key.

The text is that of the CRAC shared task's LLM track: a line for each document, words
with blanks between them, tokens of several words as they are spelt, and empty nodes as
`##` behind the word that they depend on. Marked, words have tags: entities are e1, e2,
… in each document, and of a mention with gaps the part with its head is marked.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.pieces import ZERO
from scoref.formats import CONLL_2012, COREFUD, JSON_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.model import Corpus
    from scoref.tools.llm.key_text import KeyDocument, Word
    from scoref.tools.llm.scoring import Key, Scored

_NO_FORM = frozenset(("", "_"))


def response_file(scored: Scored) -> bytes:
    """Write the mentions that were placed as a file of the key's format."""
    response = scored.response
    # One of the writers is wanted.
    if response.format == CONLL_2012:
        from scoref.formats import conll2012_writer  # noqa: PLC0415

        return conll2012_writer.write(response)
    if response.format == JSON_LINES:
        from scoref.formats import json_lines_writer  # noqa: PLC0415

        return json_lines_writer.write(response)
    if response.format == COREFUD:
        from scoref.formats import corefud_writer  # noqa: PLC0415

        return corefud_writer.write(response, scored.base, source=scored.result.key)
    from scoref.formats import universal_anaphora_writer  # noqa: PLC0415

    return universal_anaphora_writer.write(
        response, scored.base, source=scored.result.key
    )


def track_text(key: Key, *, marked: bool = False) -> str:
    """Write the documents of a key, a line for each, with its mentions if so asked."""
    mentions = _Mentions.of(key.corpus) if marked else None
    lines = []
    for row, document in enumerate(key.documents):
        in_place = False if document.is_zero.any() else None
        words = document.written(zeros_in_place=in_place, joined=True)
        tags = mentions.tags(row, words) if mentions else {}
        forms = [
            "|".join([_form(word, document), *filter(None, [tags.get(place)])])
            for place, word in enumerate(words)
        ]
        lines.append(" ".join(forms) + "\n")
    return "".join(lines)


def _form(word: Word, document: KeyDocument) -> str:
    if word.form != ZERO:
        return "_".join(word.form.split())
    form = document.words[word.first]
    return ZERO if form in _NO_FORM else ZERO + "_".join(form.split())


class _Mentions(NamedTuple):
    """The key's mentions, by document: their tokens, heads and entities."""

    first: list[int]
    of_document: list[list[int]]
    tokens: list[list[int]]
    head: list[int]
    entity: list[int]

    @classmethod
    def of(cls, key: Corpus) -> _Mentions:
        """Find the tokens and heads of all mentions that refer."""
        assert key.tokens is not None  # noqa: S101 - a key without text was refused
        start, member = key.tokens.of_mentions(key)
        tokens = [member[a:b].tolist() for a, b in pairwise(start.tolist())]
        head = [each[0] for each in tokens]
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
        return {place: ",".join(sorted(found)) for place, found in tags.items()}

    def _spans(
        self, document: int, words: Sequence[Word]
    ) -> Iterator[tuple[tuple[int, int, int], int, int, int]]:
        """Find the words at which mentions start and end, and their entities.

        They are numbered in Udapi's order: by first word, gaps or not, then the longer
        one first, then by last word. The shared task's tool leaves open which of two
        that start at one word is the first.
        """
        first = self.first[document]
        place = {
            first + token: number
            for number, word in enumerate(words)
            for token in _tokens(word)
        }
        for row in self.of_document[document]:
            found = sorted({place[t] for t in self.tokens[row] if t in place})
            gaps = [at + 1 for at, (a, b) in enumerate(pairwise(found)) if b > a + 1]
            parts = [found[a:b] for a, b in pairwise([0, *gaps, len(found)])]
            head = place.get(self.head[row])
            part = next((each for each in parts if head in each), parts[0])
            order = found[0], -len(found), found[-1]
            yield order, part[0], part[-1], self.entity[row]


def _tokens(word: Word) -> range:
    return range(word.first, word.last + 1)
