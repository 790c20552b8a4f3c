"""The documents of a report: their sizes, which texts are shown, and these texts.

A text has words, and the mentions of the key and of every system. Key and systems have
the same words, except for empty nodes: the text has those of all of them, each at its
place.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError
from scoref.matching.as_spans import WordRuns
from scoref.matching.ragged import Ragged
from scoref.model import EMPTY, SENTENCE_BITS
from scoref.model.arrays import are_among, bounds, is_new, ranges, runs
from scoref.printable import counted
from scoref.tools.errors.entity_gains import entity_gains

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.metrics.base import Floats
    from scoref.model import Corpus, Ints, WordSets
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.errors.wording import MentionTexts

    Systems = Mapping[str, Analysis]
    Text = dict[str, object]


MOST_TOKENS = 3_000_000
"""The most tokens of all texts, counted once for each system, that a page can hold."""


def has_words(analysis: Analysis) -> bool:
    """Return whether there is a text to show."""
    return any(corpus.tokens is not None for corpus in analysis._corpora)


def choose_documents(
    systems: Systems,
    names: Sequence[str],
    patterns: Sequence[str],
    most_tokens: int,
) -> tuple[list[bool], str | None]:
    """Choose which texts are shown, and explain why others are left out.

    Args:
        systems: the analysis of each system.
        names: the documents of the report.
        patterns: names or patterns of documents; none for as many as fit.
        most_tokens: the most tokens that a page can hold.
    """
    first = next(iter(systems.values()))
    if not has_words(first):
        return [False] * len(names), None
    sizes = [size or 0 for size in _token_counts(first, names)]
    if patterns:
        is_shown = _match_names(first._corpora[0], names, patterns)
        total = sum(size for size, is_in in zip(sizes, is_shown, strict=True) if is_in)
        if total * len(systems) > most_tokens:
            times = f" for {len(systems)} systems" if len(systems) > 1 else ""
            raise OptionError(
                f"{counted(sum(is_shown), 'document')} with {total:,} tokens{times} "
                f"are too large for one page (at most {most_tokens:,} tokens). "
                "Choose fewer with --documents"
            )
        reason = "they were not chosen with --documents."
    else:
        room, is_shown = most_tokens, []
        for size in sizes:
            cost = size * len(systems)
            is_shown.append(cost <= room)
            room -= cost if is_shown[-1] else 0
        reason = (
            "the page would be too large. "
            "Choose the documents to show with --documents NAME,NAME."
        )
    left = len(names) - sum(is_shown)
    if not left:
        return is_shown, None
    texts, are = ("text", "is") if left == 1 else ("texts", "are")
    left_out = f"The {texts} of {left:,} of {len(names):,} documents {are} not shown"
    return is_shown, f"{left_out} because {reason}"


def _match_names(
    key: Corpus, names: Sequence[str], patterns: Sequence[str]
) -> list[bool]:
    """Find documents by names or patterns; each pattern must match one."""
    aliases = {document.name: document.aliases for document in key.documents}
    known = [(name, *aliases.get(name, ())) for name in names]
    is_match = [False] * len(names)
    for pattern in patterns:
        hits = [
            any(name == pattern or fnmatchcase(name, pattern) for name in document)
            for document in known
        ]
        if not any(hits):
            shown = ", ".join(f"'{name}'" for name in names[:3])
            more = f" and {len(names) - 3} more" if names[3:] else ""
            raise OptionError(
                f"no document matches '{pattern}'. The key has {shown}{more}"
            )
        is_match = [one or other for one, other in zip(is_match, hits, strict=True)]
    return is_match


def list_documents(analysis: Analysis, names: Sequence[str]) -> list[dict[str, object]]:
    """List documents with their sizes, by the key."""
    rows = {name: row for row, name in enumerate(analysis.documents)}
    key = analysis.key
    count = len(analysis.documents)
    mentions = np.bincount(key.document, minlength=count).tolist()
    _, first = np.unique(key.entity, return_index=True)
    entities = np.bincount(key.document[first], minlength=count).tolist()
    tokens = _token_counts(analysis, names)
    genre = dict(zip(analysis.documents, analysis.details.genre or (), strict=False))
    return [
        {
            "name": name,
            "genre": genre.get(name),
            "tokens": size,
            "mentions": mentions[rows[name]] if name in rows else 0,
            "entities": entities[rows[name]] if name in rows else 0,
            "has_text": False,
        }
        for name, size in zip(names, tokens, strict=True)
    ]


def _token_counts(analysis: Analysis, names: Sequence[str]) -> list[int | None]:
    """Count the tokens of each document in the key, or else in the response."""
    sizes: dict[str, int] = {}
    for corpus in reversed(analysis._corpora):
        length = corpus.document_tokens
        if corpus.tokens is not None:
            length = np.diff(corpus.tokens.first)
        if length is not None:
            rows = zip(corpus.documents, length.tolist(), strict=True)
            sizes |= {document.name: size for document, size in rows}
    return [sizes.get(name) for name in names]


EXACT, OVERLAP, ZERO, ALONE = "exact", "overlap", "zero", ""
"""How a mention was aligned if not by the scheme's match: by equal words; by an overlap
alone, which is a span error; as a zero, by its dependencies; not at all."""

_IN_DOCUMENT = (1 << SENTENCE_BITS) - 1


def texts_of(
    systems: Mapping[str, Analysis], names: Sequence[str], wanted: Sequence[bool]
) -> list[Text | None]:
    """Return the text of each document that is wanted, None for the others."""
    documents = _Documents(list(systems.values()))
    return [
        documents.text(name) if is_wanted else None
        for name, is_wanted in zip(names, wanted, strict=True)
    ]


class _Documents:
    """The documents of a report, with the mentions of the key and of all systems."""

    def __init__(self, analyses: list[Analysis]) -> None:
        first = analyses[0]
        self._key = _TextSide(first._wording.key)
        self._systems = [_System(analysis) for analysis in analyses]

    def text(self, name: str) -> Text | None:
        """Return a document as the page reads it; None if no file has its words."""
        text = self._merge_tokens(name)
        if text is None or not (text.words or self._has_no_mentions(name)):
            return None
        number = self._systems[0].numbers.get(name, -1)
        key = _Mentions.of(self._key, number, text.place)
        has_zeros = self._key.corpus.words is not None
        empty = np.flatnonzero(text.place & EMPTY) if has_zeros else text.place[:0]
        return {
            "words": text.words,
            "sentences": np.flatnonzero(is_new(text.sentence)).tolist(),
            "empty": empty.tolist(),
            "glued": None,
            "key": key.fields(),
            "systems": [system.text(name, key, text.place) for system in self._systems],
        }

    def _has_no_mentions(self, name: str) -> bool:
        """Return whether no system has a mention in a document."""
        return not any(
            len(system.side.mentions_in(system.numbers.get(name, -1)))
            for system in self._systems
        )

    def _merge_tokens(self, name: str) -> DocumentTokens | None:
        """Merge the tokens of all files that have the document."""
        merged: DocumentTokens | None = None
        sides = [(self._key, self._systems[0].numbers)]
        sides += [(system.side, system.numbers) for system in self._systems]
        for side, numbers in sides:
            if side.corpus.tokens is None or name not in numbers:
                continue
            row = side.row_of(numbers[name], name)
            if row is not None:
                tokens = side.document_tokens(row)
                merged = tokens if merged is None else merged.merge(tokens)
        return merged


class DocumentTokens(NamedTuple):
    """The tokens of one document. Places are the same in every corpus of the text."""

    place: Ints
    sentence: Ints
    words: list[str]

    def merge(self, other: DocumentTokens) -> DocumentTokens:
        """Add the tokens that only the other corpus has."""
        more = np.flatnonzero(~are_among(other.place, self.place))
        if not len(more):
            return self
        place = np.concatenate((self.place, other.place[more]))
        sentence = np.concatenate((self.sentence, other.sentence[more]))
        words = [*self.words, *(other.words[token] for token in more.tolist())]
        order = np.argsort(place, kind="stable")
        sorted_words = [words[token] for token in order.tolist()]
        sentence = np.maximum.accumulate(sentence[order])
        return DocumentTokens(place[order], sentence, sorted_words)


class CorpusText:
    """The tokens of a corpus, and the pieces of its mentions."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def document_tokens(self, row: int) -> DocumentTokens:
        """Return the tokens of a document, given its row in the corpus."""
        tokens = self.corpus.tokens
        assert tokens is not None
        start, end = int(tokens.first[row]), int(tokens.first[row + 1])
        sentence = tokens.sentence[start:end]
        first = int(sentence[0]) if len(sentence) else 0
        words = self.words[start:end]
        return DocumentTokens(self.place[start:end], sentence - first, words)

    @cached_property
    def words(self) -> list[str]:
        """The forms of all tokens."""
        tokens = self.corpus.tokens
        assert tokens is not None
        return tokens.forms(empty="")

    @cached_property
    def place(self) -> Ints:
        """A number for each token that is the same in every corpus of this text."""
        tokens, words = self.corpus.tokens, self.corpus.words
        assert tokens is not None
        if tokens.code is None or words is None:
            length = np.diff(tokens.first)
            return ranges(np.zeros_like(length), length)
        return tokens.code & _IN_DOCUMENT if words.by_document else tokens.code

    @cached_property
    def tokens(self) -> WordSets:
        """The tokens of each mention."""
        assert self.corpus.tokens is not None
        return self.corpus.tokens.of_mentions(self.corpus)

    def pieces(self, mentions: Ints, text: Ints) -> list[list[int]]:
        """Return the first and last token of each piece of mentions, in a text.

        Args:
            mentions: rows of the corpus.
            text: the places of the text's tokens.
        """
        if self.corpus.words is None:
            return self._spans(mentions, len(text))
        rows = Ragged(*self.tokens).take(mentions)
        owner = rows.owner()
        # An empty node that only another file has does not divide a mention: a piece
        # is a run of tokens that follow each other in this file.
        start, length = runs(owner, rows.value - np.arange(len(owner)))
        ends = np.column_stack((start, start + length - 1)).ravel()
        places = np.searchsorted(text, self.place[rows.value[ends]]).tolist()
        count = np.bincount(owner[start], minlength=len(mentions))
        return [places[a:b] for a, b in pairwise((2 * bounds(count)).tolist())]

    def _spans(self, rows: Ints, size: int) -> list[list[int]]:
        """Return first and last tokens; a file without words may exceed the text."""
        first, last = self.corpus.mention_start[rows], self.corpus.mention_end[rows]
        start = np.arange(len(rows) + 1)
        if self.corpus.pieces is not None:
            owner, first, last = WordRuns.of(self.corpus.pieces.take(rows))
            start = np.searchsorted(owner, start)
        ends = np.column_stack((first, last)).clip(max=size - 1).ravel().tolist()
        return [ends[a:b] for a, b in pairwise((2 * start).tolist())]


class _TextSide(CorpusText):
    """One side of an analysis, with its text."""

    def __init__(self, texts: MentionTexts) -> None:
        super().__init__(texts.corpus)
        self.side = texts.side
        self.texts = texts

    @cached_property
    def words(self) -> list[str]:
        """The forms of all tokens."""
        tokens = self.corpus.tokens
        assert tokens is not None
        if tokens.is_empty.any():
            return tokens.forms(empty="")
        return self.texts.words

    def mentions_in(self, document: int) -> Ints:
        """Return the mentions of a document, as places in the side."""
        start, end = np.searchsorted(self.side.document, (document, document + 1))
        return np.arange(start, end)

    def row_of(self, document: int, name: str) -> int | None:
        """Find the row of a scored document in the corpus."""
        mentions = self.mentions_in(document)
        if len(mentions):
            entity = self.corpus.mention_entity[self.side.row[mentions[0]]]
            return int(self.corpus.entity_document[entity])
        names = [known.name for known in self.corpus.documents]
        return names.index(name) if name in names else None


class _Mentions(NamedTuple):
    """The mentions of one side in one document, numbered from 0.

    ``entities`` and ``rows`` map rows of the corpus to these numbers.
    """

    document: int
    places: list[int]
    pieces: list[list[int]]
    entity: list[int]
    labels: list[str]
    entities: dict[int, int]
    rows: dict[int, int]
    classes: list[str] | None
    names: list[int]  # by entity: the mention that it is called by

    @classmethod
    def of(cls, side: _TextSide, document: int, text: Ints) -> _Mentions:
        """Find the mentions of a document in its text."""
        mentions = side.mentions_in(document)
        places = mentions.tolist()
        entities: dict[int, int] = {}
        entity = [
            entities.setdefault(row, len(entities))
            for row in side.side.entity[mentions].tolist()
        ]
        rows = side.side.row[mentions].tolist()
        classes = side.texts.classes
        names = [0] * len(entities)
        for place in np.argsort(side.texts.goodness[mentions]).tolist():
            names[entity[place]] = place
        return cls(
            document,
            places,
            side.pieces(side.side.row[mentions], text),
            entity,
            [side.corpus.entity_label[row] for row in entities],
            entities,
            {row: number for number, row in enumerate(rows)},
            None if classes is None else [classes[place] for place in places],
            names,
        )

    def fields(self) -> Text:
        """Return the mentions as the page reads them."""
        marks = zip(self.entity, self.pieces, strict=True)
        return {
            "entities": self.labels,
            "mentions": [[entity, *pieces] for entity, pieces in marks],
            "classes": self.classes,
            "names": self.names,
        }


_GAIN_UNITS = 1_000_000
"""Gains are written as integers of this unit, which are shorter than fractions."""


class _System:
    """One system: how its mentions were aligned, and which errors it has."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.side = _TextSide(analysis._wording.response)
        self.numbers = {name: row for row, name in enumerate(analysis.documents)}
        # By mention: the row of the key's mention that it was aligned with.
        self._partner = np.append(analysis.key.row, -1)[analysis.response.counterpart]

    def text(self, name: str, key: _Mentions, text: Ints) -> Text:
        """Return the mentions of the system in a document, and its errors."""
        mine = _Mentions.of(self.side, self.numbers.get(name, -1), text)
        partner = [key.rows.get(int(self._partner[place]), -1) for place in mine.places]
        why = [
            self._why(place, pieces, key.pieces[other] if other >= 0 else None)
            for place, pieces, other in zip(
                mine.places, mine.pieces, partner, strict=True
            )
        ]
        models = self.analysis._entity_partner
        return {
            **mine.fields(),
            "partner": partner,
            "why": None if {*why} <= {EXACT, ALONE} else why,
            "entity_partner": [
                key.entities.get(int(models[row]), -1) for row in mine.entities
            ],
            "errors": self._errors(mine, key),
            "gains": self._gains(key),
        }

    def _gains(self, key: _Mentions) -> list[int | None] | None:
        """Return the gain of each entity of the key, in units of 0.0001 points."""
        gains = self._entity_gains[list(key.entities)] * _GAIN_UNITS
        is_known = np.isfinite(gains)
        if not is_known.any():
            return None
        whole = np.rint(np.where(is_known, gains, 0)).astype(np.int64).tolist()
        return [
            gain if known else None
            for gain, known in zip(whole, is_known.tolist(), strict=True)
        ]

    @cached_property
    def _entity_gains(self) -> Floats:
        return entity_gains(self.analysis)

    def _why(self, place: int, mine: list[int], other: list[int] | None) -> str:
        """Return how a mention was aligned."""
        if other is None:
            return ALONE
        if self.analysis.response.partner[place] < 0:
            return OVERLAP
        if mine == other:
            return EXACT
        words = self.side.corpus.words
        scheme = self.analysis.result.scheme
        row = self.analysis.response.row[place]
        if words is not None and words.is_zero[row] and scheme.zeros == "dependent":
            return ZERO
        return scheme.match

    def _errors(self, mine: _Mentions, key: _Mentions) -> list[Text]:
        analysis, errors = self.analysis, self.analysis.errors
        wanted = mine.document, mine.document + 1
        start, end = np.searchsorted(errors.document, wanted).tolist()
        return [
            {
                "kind": int(errors.kind[error]),
                "key_mentions": _numbers(
                    errors.key_mentions, error, analysis.key.row, key.rows
                ),
                "response_mentions": _numbers(
                    errors.response_mentions, error, analysis.response.row, mine.rows
                ),
                "key_entity": key.entities.get(int(errors.key_entity[error]), -1),
                "response_entity": mine.entities.get(
                    int(errors.response_entity[error]), -1
                ),
            }
            for error in range(start, end)
        ]


def _numbers(
    sets: WordSets, error: int, row: Ints, numbers: dict[int, int]
) -> list[int]:
    """Return the numbers of an error's mentions, except those in other documents."""
    mentions = sets.member[sets.start[error] : sets.start[error + 1]]
    return [numbers[place] for place in row[mentions].tolist() if place in numbers]
