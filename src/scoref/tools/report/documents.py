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
from scoref.tools.errors.classes import mention_classes
from scoref.tools.errors.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.model import Corpus, Ints, WordSets
    from scoref.tools.errors.findings import AnalysedSide, Analysis

    Systems = Mapping[str, Analysis]
    Text = dict[str, object]


MOST_TOKENS = 3_000_000
"""Of all texts together, once for each system: what a page can hold."""

_SHOWN = 3


def has_words(analysis: Analysis) -> bool:
    """Tell whether there is a text to show."""
    return any(corpus.tokens is not None for corpus in analysis.corpora)


def choose_documents(
    systems: Systems,
    names: Sequence[str],
    patterns: Sequence[str],
    most_tokens: int,
) -> tuple[list[bool], str | None]:
    """Choose whose texts are shown, and say which ones are not, and why."""
    first = next(iter(systems.values()))
    if not has_words(first):
        return [False] * len(names), None
    sizes = _tokens(first, names)
    if patterns:
        chosen = _matching(systems, names, patterns)
        _refuse_too_many(chosen, sizes, len(systems), most_tokens)
        left = len(names) - sum(chosen)
        message = f"{_left(left)}, since nobody asked for more" if left else None
        return chosen, message
    room, chosen = most_tokens, []
    for size in sizes:
        cost = (size or 0) * len(systems)
        chosen.append(cost <= room)
        room -= cost if chosen[-1] else 0
    left = len(names) - sum(chosen)
    if not left:
        return chosen, None
    return chosen, (
        f"{_left(left)}, since the page would be too large; --documents NAME,NAME "
        "chooses whose are shown"
    )


def _left(count: int) -> str:
    if count == 1:
        return "the text of 1 document is left out"
    return f"the texts of {count} documents are left out"


def _refuse_too_many(
    chosen: list[bool], sizes: list[int | None], systems: int, most: int
) -> None:
    total = sum(size or 0 for size, is_in in zip(sizes, chosen, strict=True) if is_in)
    if total * systems > most:
        times = f" for {systems} systems" if systems > 1 else ""
        raise OptionError(
            f"{sum(chosen)} documents with {total} tokens{times} are too much for one "
            f"page ({most} at most): choose fewer with --documents"
        )


def _matching(
    systems: Systems, names: Sequence[str], patterns: Sequence[str]
) -> list[bool]:
    """Find documents by name or pattern; each must find one."""
    key = next(iter(systems.values())).corpora[0]
    aliases = {each.name: each.aliases for each in key.documents}
    known = [(name, *aliases.get(name, ())) for name in names]
    found = [False] * len(names)
    for pattern in patterns:
        hits = [
            any(each == pattern or fnmatchcase(each, pattern) for each in called)
            for called in known
        ]
        if not any(hits):
            shown = ", ".join(f"'{name}'" for name in names[:_SHOWN])
            more = f" and {len(names) - _SHOWN} more" if names[_SHOWN:] else ""
            raise OptionError(f"no document '{pattern}' (there are: {shown}{more})")
        found = [one or other for one, other in zip(found, hits, strict=True)]
    return found


def list_documents(analysis: Analysis, names: Sequence[str]) -> list[dict[str, object]]:
    """List documents with their sizes, by the key."""
    rows = {name: row for row, name in enumerate(analysis.documents)}
    key = analysis.key
    count = len(analysis.documents)
    mentions = np.bincount(key.document, minlength=count).tolist()
    _, first = np.unique(key.entity, return_index=True)
    entities = np.bincount(key.document[first], minlength=count).tolist()
    tokens = _tokens(analysis, names)
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


def _tokens(analysis: Analysis, names: Sequence[str]) -> list[int | None]:
    """Count the tokens of each document, by whoever has it, the key first."""
    sizes: dict[str, int] = {}
    for corpus in reversed(analysis.corpora):
        length = corpus.document_tokens
        if corpus.tokens is not None:
            length = np.diff(corpus.tokens.first)
        if length is not None:
            rows = zip(corpus.documents, length.tolist(), strict=True)
            sizes |= {document.name: size for document, size in rows}
    return [sizes.get(name) for name in names]


_IN_DOCUMENT = (1 << SENTENCE_BITS) - 1

_UNFORMED = {"", "_"}

EXACT, OVERLAP, ZERO, ALONE = "exact", "overlap", "zero", ""
"""How a mention was aligned, beside the scheme's match: by equal words; by nothing but
an overlap, which is a span error; as a zero, by its dependencies; not at all."""


def texts_of(
    systems: Mapping[str, Analysis], names: Sequence[str], wanted: Sequence[bool]
) -> list[Text | None]:
    """Give the text of each document that is wanted, None for the others."""
    drawn = _Drawn(list(systems.values()))
    found = [
        drawn.begun(name) if is_wanted else None
        for name, is_wanted in zip(names, wanted, strict=True)
    ]
    return [None if each is None else drawn.text(each) for each in found]


class _Piece(NamedTuple):
    """One document of one corpus: its tokens by place, comparable between corpora."""

    place: Ints
    sentence: Ints
    words: list[str]

    def with_others(self, other: _Piece) -> _Piece:
        """Add the tokens that only the other has."""
        more = np.flatnonzero(~np.isin(other.place, self.place))
        if not len(more):
            return self
        place = np.concatenate((self.place, other.place[more]))
        sentence = np.concatenate((self.sentence, other.sentence[more]))
        words = [*self.words, *(other.words[each] for each in more.tolist())]
        order = np.argsort(place, kind="stable")
        ordered = [words[each] for each in order.tolist()]
        return _Piece(place[order], np.maximum.accumulate(sentence[order]), ordered)


class _TextSide:
    """One side of an analysis, as it is drawn."""

    def __init__(self, corpus: Corpus, side: AnalysedSide) -> None:
        self.corpus = corpus
        self.side = side
        self.classes = mention_classes(corpus, side)

    def of_document(self, document: int) -> Ints:
        """List the mentions of a document, by their places in the side."""
        start, end = np.searchsorted(self.side.document, (document, document + 1))
        return np.arange(start, end)

    def piece(self, row: int) -> _Piece:
        """Give the tokens of a document, by its row in the corpus."""
        tokens = self.corpus.tokens
        assert tokens is not None
        start, end = int(tokens.first[row]), int(tokens.first[row + 1])
        sentence = tokens.sentence[start:end]
        first = int(sentence[0]) if len(sentence) else 0
        return _Piece(self.place[start:end], sentence - first, self.words[start:end])

    def row_of(self, document: int, name: str) -> int | None:
        """Find a scored document in the corpus."""
        here = self.of_document(document)
        if len(here):
            entity = self.corpus.mention_entity[self.side.row[here[0]]]
            return int(self.corpus.entity_document[entity])
        rows = [each.name for each in self.corpus.documents]
        return rows.index(name) if name in rows else None

    @cached_property
    def words(self) -> list[str]:
        tokens = self.corpus.tokens
        assert tokens is not None
        return tokens.forms(empty="")

    @cached_property
    def place(self) -> Ints:
        """Give each token a number that is the same in every corpus of this text."""
        tokens, words = self.corpus.tokens, self.corpus.words
        assert tokens is not None
        if tokens.code is None or words is None:
            length = np.diff(tokens.first)
            start = np.repeat(tokens.first[:-1], length)
            return np.arange(len(start)) - start
        return tokens.code & _IN_DOCUMENT if words.by_document else tokens.code

    @cached_property
    def tokens(self) -> WordSets:
        assert self.corpus.tokens is not None
        return self.corpus.tokens.of_mentions(self.corpus)

    def pieces(self, mentions: Ints, text: Ints) -> list[list[int]]:
        """Give the first and last token of each piece of mentions, in a text."""
        if self.corpus.words is None:
            return self._spans(mentions, len(text))
        rows = Ragged(*self.tokens).take(self.side.row[mentions])
        owner = rows.owner()
        # An empty node that only another file has does not tear a mention apart.
        is_start = np.diff(rows.value, prepend=-2) != 1
        is_start |= np.diff(owner, prepend=-1) != 0
        starts = np.flatnonzero(is_start)
        ends = np.append(starts[1:], len(owner)) - 1
        tokens = rows.value[np.column_stack((starts, ends[: len(starts)])).ravel()]
        found = np.searchsorted(text, self.place[tokens]).tolist()
        count = 2 * np.bincount(owner[starts], minlength=len(mentions))
        bounds = [0, *np.cumsum(count).tolist()]
        return [found[first:last] for first, last in pairwise(bounds)]

    def _spans(self, mentions: Ints, size: int) -> list[list[int]]:
        """Give first and last tokens; a file without words may go beyond the text."""
        rows = self.side.row[mentions]
        first, last = self.corpus.mention_start[rows], self.corpus.mention_end[rows]
        bounds = np.arange(len(rows) + 1)
        if self.corpus.pieces is not None:
            owner, first, last = WordRuns.of(self.corpus.pieces.take(rows))
            bounds = np.searchsorted(owner, bounds)
        ends = np.column_stack((first, last)).clip(max=size - 1).ravel().tolist()
        return [ends[a:b] for a, b in pairwise((2 * bounds).tolist())]


class _Mentions(NamedTuple):
    """The mentions of one side in one document, numbered anew.

    ``entities`` and ``rows`` lead from the corpus' rows to these numbers.
    """

    document: int
    places: list[int]
    pieces: list[list[int]]
    entity: list[int]
    labels: list[str]
    entities: dict[int, int]
    rows: dict[int, int]
    classes: list[str] | None

    @classmethod
    def of(cls, side: _TextSide, document: int, text: Ints) -> _Mentions:
        """Find the mentions of a document in its text."""
        here = side.of_document(document)
        places = here.tolist()
        entities: dict[int, int] = {}
        entity = [
            entities.setdefault(each, len(entities))
            for each in side.side.entity[here].tolist()
        ]
        rows = side.side.row[here].tolist()
        classes = side.classes
        return cls(
            document,
            places,
            side.pieces(here, text),
            entity,
            [side.corpus.entity_label[each] for each in entities],
            entities,
            {row: number for number, row in enumerate(rows)},
            None if classes is None else [classes[each] for each in places],
        )

    def written(self) -> Text:
        """Give them as the page reads them."""
        return {
            "entities": self.labels,
            "mentions": self.marks(),
            "classes": self.classes,
        }

    def marks(self) -> list[list[int]]:
        """Give the entity and the pieces of each mention."""
        return [
            [entity, *pieces]
            for entity, pieces in zip(self.entity, self.pieces, strict=True)
        ]


class _System:
    """One system: how its mentions were aligned, and what is wrong with them."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.side = _TextSide(analysis.corpora[1], analysis.response)
        self.numbers = {name: row for row, name in enumerate(analysis.documents)}
        self._wording = Wording(analysis)
        # Of each mention the row of the key's that it was aligned with.
        self._partner = np.append(analysis.key.row, -1)[analysis.response.counterpart]

    def text(self, name: str, key: _Mentions, text: Ints) -> Text:
        """Draw its mentions in a document."""
        mine = _Mentions.of(self.side, self.numbers.get(name, -1), text)
        partner = self._partners(mine, key)
        why = [
            self._why(place, pieces, key.pieces[other] if other >= 0 else None)
            for place, pieces, other in zip(
                mine.places, mine.pieces, partner, strict=True
            )
        ]
        models = self.analysis.entity_partner
        return {
            **mine.written(),
            "partner": partner,
            "why": None if {*why} <= {EXACT, ALONE} else why,
            "entity_partner": [
                key.entities.get(int(models[each]), -1) for each in mine.entities
            ],
            "errors": self._errors(mine, key),
        }

    def _partners(self, mine: _Mentions, key: _Mentions) -> list[int]:
        return [key.rows.get(int(self._partner[each]), -1) for each in mine.places]

    def _why(self, place: int, mine: list[int], other: list[int] | None) -> str:
        """Say how a mention was aligned."""
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
                "message": self._wording.detail(error),
            }
            for error in range(start, end)
        ]


def _numbers(
    sets: WordSets, error: int, row: Ints, numbers: dict[int, int]
) -> list[int]:
    """Number the mentions of an error that are in a document: it may have others."""
    mentions = sets.member[sets.start[error] : sets.start[error + 1]]
    return [numbers[each] for each in row[mentions].tolist() if each in numbers]


class _Begun(NamedTuple):
    """A document with the mentions of the key, before those of systems are drawn."""

    name: str
    text: _Piece
    key: _Mentions


class _Drawn:
    """All that is needed to draw documents."""

    def __init__(self, analyses: list[Analysis]) -> None:
        first = analyses[0]
        self._key = _TextSide(first.corpora[0], first.key)
        self._systems = [_System(each) for each in analyses]

    def begun(self, name: str) -> _Begun | None:
        """Draw the key's side of a document; None if nobody has its words."""
        text = self._text(name)
        if text is None or not (text.words or self._is_empty(name)):
            return None
        number = self._systems[0].numbers.get(name, -1)
        return _Begun(name, text, _Mentions.of(self._key, number, text.place))

    def text(self, begun: _Begun) -> Text:
        """Draw a document."""
        name, text, key = begun
        has_zeros = self._key.corpus.words is not None
        empty = np.flatnonzero(text.place & EMPTY) if has_zeros else text.place[:0]
        starts = np.flatnonzero(np.diff(text.sentence, prepend=-1) != 0)
        return {
            "words": text.words,
            "sentences": starts.tolist(),
            "empty": empty.tolist(),
            "glued": None,
            "key": key.written(),
            "systems": [each.text(name, key, text.place) for each in self._systems],
        }

    def _is_empty(self, name: str) -> bool:
        """Tell whether nobody has a mention in a document."""
        sides = ((each.side, each.numbers.get(name, -1)) for each in self._systems)
        return all(not len(side.of_document(number)) for side, number in sides)

    def _text(self, name: str) -> _Piece | None:
        """Put together the tokens of everybody who has the document."""
        found: _Piece | None = None
        sides = [(self._key, self._systems[0].numbers)]
        sides += [(each.side, each.numbers) for each in self._systems]
        for side, numbers in sides:
            if side.corpus.tokens is None or name not in numbers:
                continue
            row = side.row_of(numbers[name], name)
            if row is not None:
                piece = side.piece(row)
                found = piece if found is None else found.with_others(piece)
        return found
