"""Comparison of differently tokenised documents by their characters.

`lay` finds where in the key's text each word of the response begins and ends. Words may
be cut differently, and a few characters may differ. `pair_by_text` pairs documents by
their texts if their names do not say which belong together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.alignment.overlay import NOWHERE, laid_on, laid_on_part
from scoref.alignment.pieces import folded, normal_form
from scoref.alignment.words import common_ends
from scoref.errors import AlignmentError, WithoutKey, place_of
from scoref.matching.documents import differ
from scoref.model import Note
from scoref.notes import WARNING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from scoref.alignment.overlay import Overlay
    from scoref.alignment.pieces import Characters, NormalForm
    from scoref.model import Corpus, Ints, Tokens

    Pair = tuple[int, int]


_AROUND = 40

_SHOWN = 20

_KINDS = {
    "case": "capitals and small letters differ: documents compared without: {count:,}",
    "characters": "{count:,} of {size:,} characters differ, first: {first}",
    "lengths": "documents of which one side has more text, which is left out: "
    "{count:,}",
    "words": WARNING + "{documents} other words than in the key, but as many. scoref "
    "compared them by number. If the texts are different, the score is wrong",
}


class CutText(NamedTuple):
    """The text of one side, and how it is cut into words."""

    corpus: Corpus
    tokens: Tokens
    form: NormalForm

    @classmethod
    def of(cls, corpus: Corpus) -> CutText:
        """Write the words of a corpus in one way."""
        tokens = corpus.tokens
        assert tokens is not None
        return cls(corpus, tokens, normal_form(tokens.word))

    def rows(self, document: int) -> slice:
        """Give the words of a document."""
        first, end = self.tokens.first[document : document + 2].tolist()
        return slice(first, end)

    def start(self, document: int) -> int:
        """Say where the characters of a document begin."""
        return int(self.form.border[self.tokens.first[document]])

    def characters(self, document: int) -> Characters:
        """Give the characters of a document."""
        end = int(self.form.border[self.tokens.first[document + 1]])
        return self.form.characters[self.start(document) : end]

    def borders(self, document: int) -> Ints:
        """Say where words of a document begin, counted from its start, and the end."""
        rows = self.rows(document)
        border = self.form.border[rows.start : rows.stop + 1]
        return border - self.start(document)

    def word_at(self, document: int, place: int) -> int:
        """Find the word that has a character of a document; the last one at its end."""
        rows = self.rows(document)
        last: int = rows.stop - 1
        ends = self.form.border[rows.start + 1 : rows.stop + 1] - self.start(document)
        found = int(rows.start) + int(np.searchsorted(ends, place, side="right"))
        return min(found, last)


class Strictness(NamedTuple):
    """What is done about documents that are not the same text.

    ``lenient``: one may be the beginning, or the end, of the other. ``numbers``: where
    both have as many words, these are taken for the same, one for one, except in the
    pairs of ``strangers``, whose names differ.
    """

    lenient: bool = False
    numbers: bool = False
    strangers: Container[Pair] = ()


class Laid(NamedTuple):
    """Where words of the response are in the key, and what of the key is compared.

    ``begin`` and ``end`` are places among the key's characters by word of the
    response, `NOWHERE` if it is not there; ``first`` and ``last`` by document of the
    key are the ends of what the response has of it.
    """

    begin: Ints
    end: Ints
    first: Ints
    last: Ints
    notes: tuple[Note, ...]

    @property
    def borders(self) -> Ints:
        """Say where words of the response begin or end."""
        return np.append(self.begin, self.end)


class _Found(NamedTuple):
    """What was found of a document that is not quite its partner."""

    kind: Literal["case", "characters", "lengths", "words"]
    number: int = 1
    size: int = 1
    first: str = ""


def lay(
    key: CutText, response: CutText, pairs: Iterable[Pair], rule: Strictness
) -> Laid:
    """Lay each document of the response on its partner in the key.

    Raises:
        AlignmentError: they are not the same text.
    """
    begin, end = np.full((2, len(response.tokens.line)), NOWHERE, dtype=np.int64)
    bounds = key.form.border[key.tokens.first]
    first, last = bounds[:-1].copy(), bounds[1:].copy()
    found: list[_Found] = []
    for pair in pairs:
        rows, start = response.rows(pair[1]), bounds[pair[0]]
        placed, part, differs = _placed(key, response, pair, rule)
        begin[rows], end[rows] = (_moved(each, start) for each in placed)
        first[pair[0]], last[pair[0]] = part[0] + start, part[1] + start
        found += differs
    return Laid(begin, end, first, last, tuple(_notes(found)))


def _moved(place: Ints, start: int) -> Ints:
    return np.where(place == NOWHERE, NOWHERE, place + start)


def _placed(
    key: CutText, response: CutText, pair: Pair, rule: Strictness
) -> tuple[tuple[Ints, Ints], Pair, list[_Found]]:
    """Find the words of a document in its partner, and what of that is compared."""
    border, mine, theirs = _sides(key, response, pair)
    whole = 0, len(mine)
    if np.array_equal(mine, theirs):
        return (border[:-1], border[1:]), whole, []
    if len(mine) == len(theirs) and np.array_equal(folded(mine), folded(theirs)):
        return (border[:-1], border[1:]), whole, [_Found("case")]
    overlay = laid_on(mine, theirs)
    is_part = overlay is None and rule.lenient
    if is_part:
        overlay = laid_on_part(mine, theirs)
    if overlay is not None:
        places = overlay.begins(border[:-1]), overlay.ends(border[1:])
        found = _differences(key, response, pair, overlay)
        found += [_Found("lengths")] * is_part
        return places, overlay.key_part, found
    numbers = key.borders(pair[0])
    if rule.numbers and len(numbers) == len(border) and pair not in rule.strangers:
        return (numbers[:-1], numbers[1:]), whole, [_Found("words")]
    raise _other_text(key, response, pair)


def _sides(
    key: CutText, response: CutText, pair: Pair
) -> tuple[Ints, Characters, Characters]:
    characters = key.characters(pair[0]), response.characters(pair[1])
    return response.borders(pair[1]), *characters


def _differences(
    key: CutText, response: CutText, pair: Pair, overlay: Overlay
) -> list[_Found]:
    if not overlay.differing:
        return []
    sides = key.characters(pair[0]), response.characters(pair[1])
    place, _ = common_ends(*sides)
    words = [
        _quoted(side, side.word_at(document, place))
        for side, document in zip((key, response), pair, strict=True)
    ]
    shown = f"{words[1]} in the response, {words[0]} in the key"
    return [_Found("characters", overlay.differing, max(map(len, sides)), shown)]


def _quoted(side: CutText, row: int) -> str:
    place = place_of(side.corpus.source, int(side.tokens.line[row]))
    return f"'{side.tokens.word.text(row)[:_SHOWN]}' ({place})"


def _notes(found: list[_Found]) -> Iterator[Note]:
    by_kind = {kind: [each for each in found if each.kind == kind] for kind in _KINDS}
    for kind, each in by_kind.items():
        if not each:
            continue
        count, size = sum(one.number for one in each), sum(one.size for one in each)
        message = _KINDS[kind].format(
            count=count,
            size=size,
            first=each[0].first,
            documents="1 document has" if count == 1 else f"{count:,} documents have",
        )
        yield Note(f"differing-{kind}", count, message)


def _other_text(key: CutText, response: CutText, pair: Pair) -> AlignmentError:
    """Show the first place where two texts are not the same, on both sides."""
    sides = key.characters(pair[0]), response.characters(pair[1])
    place, behind = common_ends(*sides)
    shown = [
        _excerpt(side, document, place)
        for side, document in zip((key, response), pair, strict=True)
    ]
    ours, theirs = key.corpus.documents[pair[0]], response.corpus.documents[pair[1]]
    is_part = max(place, behind) == min(map(len, sides)) > 0
    longer = "key" if len(sides[0]) > len(sides[1]) else "response"
    hint = "words may be cut in two ways, but the text must be the same"
    if is_part:
        hint = f"the {longer} has more text: --lenient scores what both have"
    problem = f"document '{theirs.name}' is another text than"
    partner = f"in {key.corpus.source}"
    if differ(ours, theirs):
        partner = f"its partner '{ours.name}' in {key.corpus.source}"
        hint = "--document-names FILE says which document is which"
    return AlignmentError(
        f"{problem} {partner}",
        source=response.corpus.source,
        line=shown[1][1],
        beside=(f"key       {shown[0][0]}", f"response  {shown[1][0]}"),
        hint=hint,
        without_key=WithoutKey(
            f"{problem} in the key", place_of(response.corpus.source, shown[1][1])
        ),
    )


def _excerpt(side: CutText, document: int, place: int) -> tuple[str, int | None]:
    """Write what is around a place: some characters before it, the word, and some."""
    rows = side.rows(document)
    if rows.start == rows.stop:
        return f"{side.corpus.source}: (no words)", None
    row = side.word_at(document, place)
    near = range(max(rows.start, row - _AROUND), min(rows.stop, row + _AROUND))
    words = {each: side.tokens.word.text(each) for each in near}
    before = " ".join(words[each] for each in near if each < row)[-_AROUND:]
    behind = " ".join(words[each] for each in near if each > row)[:_AROUND]
    line = int(side.tokens.line[row]) or None
    source = place_of(side.corpus.source, line)
    return f"{source}: … {before} [{words[row]}] {behind} …", line


class Paired(NamedTuple):
    """Rows of documents in the key and in the response that are the same ones."""

    pairs: Sequence[Pair]
    notes: tuple[Note, ...] = ()


def pair_by_text(
    key: CutText, response: CutText, partner: Ints, *, lenient: bool
) -> Paired:
    """Pair what names have not paired, where a side has no names, or one document.

    That is by order, if texts agree, and by texts otherwise. ``lenient``: one text may
    be the beginning, or the end, of the other.
    """
    named = [(row, other) for row, other in enumerate(partner.tolist()) if other >= 0]
    ours = np.flatnonzero(partner < 0).tolist()
    theirs = sorted(set(range(len(response.corpus.documents))) - {b for _, b in named})
    if not ours or not theirs:
        return Paired(named)
    in_order = list(zip(ours, theirs, strict=False))
    agree = len(ours) == len(theirs) and all(
        _agree(key, response, pair, lenient=lenient) for pair in in_order
    )
    is_one = len(key.corpus.documents) == len(response.corpus.documents) == 1
    if not _are_nameless(key.corpus, ours) and not _are_nameless(
        response.corpus, theirs
    ):
        return Paired(in_order if is_one and agree else named)
    # Whether two lone documents are the same text is seen later, with the place.
    if agree or is_one:
        return Paired(sorted(named + in_order))
    found = _by_text(key, response, ours, theirs)
    message = f"documents paired by their texts, not by names or order: {len(found)}"
    notes = (Note("paired-by-text", len(found), message),) if found else ()
    return Paired(sorted(named + found), notes)


def _are_nameless(corpus: Corpus, rows: Sequence[int]) -> bool:
    return not any(corpus.documents[row].aliases for row in rows)


def _agree(key: CutText, response: CutText, pair: Pair, *, lenient: bool) -> bool:
    sides = key.characters(pair[0]), response.characters(pair[1])
    if np.array_equal(*sides):
        return True
    alike = tuple(map(folded, sides))
    return laid_on(*alike) is not None or (lenient and laid_on_part(*alike) is not None)


def _by_text(
    key: CutText, response: CutText, ours: Sequence[int], theirs: Sequence[int]
) -> list[Pair]:
    """Find texts that occur once on each side."""
    places = _texts(key, ours)
    found = []
    for text, rows in _texts(response, theirs).items():
        there = places.get(text, [])
        if len(rows) > 1 or len(there) > 1:
            raise _unclear(response.corpus, rows, "has the same text as another one")
        if not there:
            raise _unclear(response.corpus, rows, "is none of the key's texts")
        found.append((there[0], rows[0]))
    return found


def _texts(side: CutText, rows: Sequence[int]) -> dict[bytes, list[int]]:
    found: dict[bytes, list[int]] = {}
    for row in rows:
        found.setdefault(side.characters(row).tobytes(), []).append(row)
    return found


def _unclear(response: Corpus, rows: Sequence[int], why: str) -> AlignmentError:
    row = rows[0]
    problem = f"document {row + 1} of the response {why}"
    line = int(response.document_line[row]) or None
    return AlignmentError(
        problem,
        source=response.source,
        line=line,
        without_key=WithoutKey(problem, place_of(response.source, line)),
        hint="documents without names are paired by order or by text; "
        "--document-names FILE says which is which",
    )
