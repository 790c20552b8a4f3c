"""Comparison of differently tokenised documents by their characters.

`place_words` finds where in the key's text each word of the response begins and ends.
Words may be cut differently, and a few characters may differ. `pair_by_text` pairs
documents by their texts if their names do not say which belong together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.alignment.overlay import NOWHERE, overlay_part, overlay_whole
from scoref.alignment.pieces import fold_case, normal_form
from scoref.alignment.words import common_ends
from scoref.errors import AlignmentError, WithoutKey, place_of
from scoref.matching.documents import differ
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import counted

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from scoref.alignment.overlay import Overlay
    from scoref.alignment.pieces import Characters, NormalForm
    from scoref.model import Corpus, Ints, Tokens

    Pair = tuple[int, int]


class CutText(NamedTuple):
    """The text of one side, with the borders of its words."""

    corpus: Corpus
    tokens: Tokens
    form: NormalForm

    @classmethod
    def of(cls, corpus: Corpus) -> CutText:
        """Write the words of a corpus in their normal form."""
        tokens = corpus.tokens
        assert tokens is not None
        return cls(corpus, tokens, normal_form(tokens.word))

    def rows(self, document: int) -> slice:
        """Return the rows of a document's words."""
        first, end = self.tokens.first[document : document + 2].tolist()
        return slice(first, end)

    def start(self, document: int) -> int:
        """Return the place of a document's first character."""
        return int(self.form.border[self.tokens.first[document]])

    def characters(self, document: int) -> Characters:
        """Return the characters of a document."""
        end = int(self.form.border[self.tokens.first[document + 1]])
        return self.form.characters[self.start(document) : end]

    def borders(self, document: int) -> Ints:
        """Return the borders of a document's words, counted from its start."""
        rows = self.rows(document)
        border = self.form.border[rows.start : rows.stop + 1]
        return border - self.start(document)

    def word_at(self, document: int, place: int) -> int:
        """Return the word at a character of a document; at its end, the last word."""
        rows = self.rows(document)
        last: int = rows.stop - 1
        ends = self.form.border[rows.start + 1 : rows.stop + 1] - self.start(document)
        row = int(rows.start) + int(np.searchsorted(ends, place, side="right"))
        return min(row, last)


class Strictness(NamedTuple):
    """Which differences between two texts are allowed.

    ``lenient``: one may be the beginning, or the end, of the other. ``numbers``: if
    both have the same number of words, the words are paired by their numbers, except in
    the pairs of ``strangers``, whose names differ.
    """

    lenient: bool = False
    numbers: bool = False
    strangers: Container[Pair] = ()


class WordPlaces(NamedTuple):
    """The places of the response's words in the key, and the part that is compared.

    ``begin`` and ``end`` are places among the key's characters, one per word of the
    response; `NOWHERE` if the word is not there. ``first`` and ``last``, one per
    document of the key, are the ends of the part that the response has, too.
    """

    begin: Ints
    end: Ints
    first: Ints
    last: Ints
    notes: tuple[Note, ...]

    @property
    def borders(self) -> Ints:
        """Return where words of the response begin or end."""
        return np.append(self.begin, self.end)


class _Difference(NamedTuple):
    """A difference between two documents that are compared nevertheless."""

    kind: Literal["case", "characters", "lengths", "words"]
    number: int = 1
    size: int = 1
    first: str = ""


def place_words(
    key: CutText, response: CutText, pairs: Iterable[Pair], rule: Strictness
) -> WordPlaces:
    """Find the words of each document of the response in its partner in the key.

    Raises:
        AlignmentError: they are not the same text.
    """
    begin, end = np.full((2, len(response.tokens.line)), NOWHERE, dtype=np.int64)
    bounds = key.form.border[key.tokens.first]
    first, last = bounds[:-1].copy(), bounds[1:].copy()
    differences: list[_Difference] = []
    for pair in pairs:
        rows, start = response.rows(pair[1]), bounds[pair[0]]
        places, part, others = _place_document(key, response, pair, rule)
        begin[rows], end[rows] = (
            np.where(place == NOWHERE, NOWHERE, place + start) for place in places
        )
        first[pair[0]], last[pair[0]] = part[0] + start, part[1] + start
        differences += others
    return WordPlaces(begin, end, first, last, tuple(_notes(differences)))


def _place_document(
    key: CutText, response: CutText, pair: Pair, rule: Strictness
) -> tuple[tuple[Ints, Ints], Pair, list[_Difference]]:
    """Find the words of a document in its partner, and the part that is compared."""
    border = response.borders(pair[1])
    mine, theirs = key.characters(pair[0]), response.characters(pair[1])
    whole = 0, len(mine)
    if np.array_equal(mine, theirs):
        return (border[:-1], border[1:]), whole, []
    if len(mine) == len(theirs) and np.array_equal(fold_case(mine), fold_case(theirs)):
        return (border[:-1], border[1:]), whole, [_Difference("case")]
    overlay = overlay_whole(mine, theirs)
    is_part = overlay is None and rule.lenient
    if is_part:
        overlay = overlay_part(mine, theirs)
    if overlay is not None:
        places = overlay.begins(border[:-1]), overlay.ends(border[1:])
        differences = _differing_characters(key, response, pair, overlay)
        differences += [_Difference("lengths")] * is_part
        return places, overlay.key_part, differences
    numbers = key.borders(pair[0])
    if rule.numbers and len(numbers) == len(border) and pair not in rule.strangers:
        return (numbers[:-1], numbers[1:]), whole, [_Difference("words")]
    raise _other_text_error(key, response, pair)


_SHOWN = 20


def _differing_characters(
    key: CutText, response: CutText, pair: Pair, overlay: Overlay
) -> list[_Difference]:
    if not overlay.differing:
        return []
    sides = key.characters(pair[0]), response.characters(pair[1])
    place, _ = common_ends(*sides)
    words = []
    for text, document in zip((key, response), pair, strict=True):
        row = text.word_at(document, place)
        line = place_of(text.corpus.source, int(text.tokens.line[row]))
        words.append(f"'{text.tokens.word.text(row)[:_SHOWN]}' ({line})")
    shown = f"{words[1]}, but {words[0]} in the key"
    return [_Difference("characters", overlay.differing, max(map(len, sides)), shown)]


_MESSAGES = {
    "case": "Upper and lower case differ from the key in {documents}. scoref ignored "
    "the difference.",
    "characters": WARNING + "{count:,} of {size:,} characters differ from the key "
    "(first: {first}). Mentions were compared by their places.",
    "lengths": WARNING + "One side has more text in {documents}. Mentions in the "
    "additional text were left out.",
    "words": WARNING + "The words differ from the key in {documents}, but there are "
    "as many. scoref compared them by number. If the texts are different, the score "
    "is wrong.",
}


def _notes(differences: list[_Difference]) -> Iterator[Note]:
    for kind, message in _MESSAGES.items():
        rows = [row for row in differences if row.kind == kind]
        if not rows:
            continue
        count = sum(row.number for row in rows)
        text = message.format(
            count=count,
            size=sum(row.size for row in rows),
            first=rows[0].first,
            documents=counted(count, "document"),
        )
        yield Note(f"differing-{kind}", count, text)


def _other_text_error(key: CutText, response: CutText, pair: Pair) -> AlignmentError:
    """Show the first difference between two texts, on both sides."""
    sides = key.characters(pair[0]), response.characters(pair[1])
    place, after = common_ends(*sides)
    shown = [
        _excerpt(side, document, place)
        for side, document in zip((key, response), pair, strict=True)
    ]
    ours, theirs = key.corpus.documents[pair[0]], response.corpus.documents[pair[1]]
    is_part = max(place, after) == min(map(len, sides)) > 0
    longer = "key" if len(sides[0]) > len(sides[1]) else "response"
    hint = "The words may be split differently, but the text must be the same."
    if is_part:
        hint = f"The {longer} has more text. Use --lenient to score the common part."
    problem = f"the text of document '{theirs.name}' differs from"
    partner = key.corpus.source
    if differ(ours, theirs):
        partner = f"document '{ours.name}' in {key.corpus.source}"
        hint = "Use --document-names FILE to pair the documents."
    return AlignmentError(
        f"{problem} {partner}",
        source=response.corpus.source,
        line=shown[1][1],
        beside=(f"key       {shown[0][0]}", f"response  {shown[1][0]}"),
        hint=hint,
        without_key=WithoutKey(
            f"{problem} the key", place_of(response.corpus.source, shown[1][1])
        ),
    )


_AROUND = 40


def _excerpt(text: CutText, document: int, place: int) -> tuple[str, int | None]:
    """Return the word at a place with some characters around it, and its line."""
    rows = text.rows(document)
    if rows.start == rows.stop:
        return f"{text.corpus.source}: (no words)", None
    row = text.word_at(document, place)
    words = text.tokens.word
    first, end = max(rows.start, row - _AROUND), min(rows.stop, row + _AROUND)
    before = " ".join(map(words.text, range(first, row)))[-_AROUND:]
    after = " ".join(map(words.text, range(row + 1, end)))[:_AROUND]
    line = int(text.tokens.line[row]) or None
    source = place_of(text.corpus.source, line)
    return f"{source}: … {before} [{words.text(row)}] {after} …", line


class DocumentPairs(NamedTuple):
    """Rows of documents in the key and in the response that belong together."""

    pairs: Sequence[Pair]
    notes: tuple[Note, ...] = ()


def pair_by_text(
    key: CutText, response: CutText, partner: Ints, *, lenient: bool
) -> DocumentPairs:
    """Pair documents that names do not pair, if a side has no names or one document.

    They are paired by order if their texts agree, and by text otherwise. ``lenient``:
    one text may be the beginning, or the end, of the other.
    """

    def agree(pair: Pair) -> bool:
        sides = key.characters(pair[0]), response.characters(pair[1])
        if np.array_equal(*sides):
            return True
        small = tuple(map(fold_case, sides))
        if overlay_whole(*small) is not None:
            return True
        return lenient and overlay_part(*small) is not None

    named = [(row, other) for row, other in enumerate(partner.tolist()) if other >= 0]
    ours = np.flatnonzero(partner < 0).tolist()
    theirs = sorted(set(range(len(response.corpus.documents))) - {b for _, b in named})
    if not ours or not theirs:
        return DocumentPairs(named)
    in_order = list(zip(ours, theirs, strict=False))
    all_agree = len(ours) == len(theirs) and all(map(agree, in_order))
    is_one = len(key.corpus.documents) == len(response.corpus.documents) == 1
    have_names = [
        any(text.corpus.documents[row].aliases for row in rows)
        for text, rows in ((key, ours), (response, theirs))
    ]
    if all(have_names):
        return DocumentPairs(in_order if is_one and all_agree else named)
    # A later step checks whether two lone documents are the same text.
    if all_agree or is_one:
        return DocumentPairs(sorted(named + in_order))
    pairs = _pair_equal_texts(key, response, ours, theirs)
    documents = counted(len(pairs), "document was", "documents were")
    message = f"{documents} paired by text, because names and order did not match."
    notes = (Note("paired-by-text", len(pairs), message),) if pairs else ()
    return DocumentPairs(sorted(named + pairs), notes)


def _pair_equal_texts(
    key: CutText, response: CutText, ours: Sequence[int], theirs: Sequence[int]
) -> list[Pair]:
    """Pair texts that occur once on each side, and refuse the others."""

    def rows_of(side: CutText, rows: Sequence[int]) -> dict[bytes, list[int]]:
        texts: dict[bytes, list[int]] = {}
        for row in rows:
            texts.setdefault(side.characters(row).tobytes(), []).append(row)
        return texts

    in_key = rows_of(key, ours)
    pairs = []
    for text, rows in rows_of(response, theirs).items():
        partners = in_key.get(text, [])
        if len(rows) > 1 or len(partners) > 1:
            why = "has the same text as another one"
            raise _unclear_error(response.corpus, rows[0], why)
        if not partners:
            why = "has a text that the key does not have"
            raise _unclear_error(response.corpus, rows[0], why)
        pairs.append((partners[0], rows[0]))
    return pairs


def _unclear_error(response: Corpus, row: int, why: str) -> AlignmentError:
    problem = f"document {row + 1} of the response {why}"
    line = int(response.document_line[row]) or None
    return AlignmentError(
        problem,
        source=response.source,
        line=line,
        without_key=WithoutKey(problem, place_of(response.source, line)),
        hint="Documents without names are paired by order or by text. Use "
        "--document-names FILE to pair them.",
    )
