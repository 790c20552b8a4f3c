"""Windows of long documents, each scored as a separate document.

A mention belongs to the window in which it begins, so every mention is in exactly one.
Entities are cut at the borders: links across them are not scored, and the part of an
entity in a window may be a single mention. Windows begin at 0, N, 2N ….

BookCoref's evaluator (`evaluate.py`, mode `gold_window`) differs. Its windows end at
s = N, 2N … and at the end of the text; each has the mentions with s − N < start < s.
Therefore

- a mention that begins at the first token of a window is in none, except for the last
  window;
- the last window is as long as the others, so it repeats mentions of the previous
  window; all of them, if the length of the text is a multiple of N.

Words are counted from 0. A zero has the place of the word before it or, before all
words, that of the first one. `windows_as_documents` gives each window a name, words
that no other window has, and the parses of its sentences. A bridge stays if both its
ends are in one window.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import OptionError, TooLargeError
from scoref.matching.documents import pair_documents, scored_documents
from scoref.matching.ragged import Ragged
from scoref.matching.spans import same_text
from scoref.model import (
    SENTENCE_BITS,
    WORD_BITS,
    Anaphora,
    DocumentName,
    Note,
    Parses,
    Sentences,
    Texts,
    WordSets,
)
from scoref.model.arrays import is_new, ranges, runs, starts
from scoref.notes import WARNING
from scoref.printable import counted
from scoref.scheme import as_typed
from scoref.scoring.format_defaults import fit_scheme
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Words
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result


PUBLISHED = ("bookcoref",)
"""Evaluators that cut windows in their own way, by name."""

_USUAL = 1500

_WRITTEN = re.compile(r"([1-9][0-9]{0,8})|bookcoref(?::([1-9][0-9]{0,8}))?")


NEED_FILES = "windows need files, because entities in Python have no positions"


class Window(NamedTuple):
    """The length of windows in tokens, and whether BookCoref's evaluator cuts them."""

    size: int
    is_bookcoref: bool = False

    @classmethod
    def of(cls, window: int | str) -> Window:
        """Parse a number of tokens, `bookcoref` or `bookcoref:1500`.

        >>> str(Window.of("bookcoref"))
        'bookcoref-1500'
        """
        match = _WRITTEN.fullmatch(str(window))
        if not match:
            raise OptionError(
                f"unknown window '{window}'. Expected a number of tokens such as "
                f"{_USUAL}, or bookcoref or bookcoref:{_USUAL} for windows as in the "
                "published evaluator"
            )
        return cls(int(match[1] or match[2] or _USUAL), match[1] is None)

    def __str__(self) -> str:
        return f"bookcoref-{self.size}" if self.is_bookcoref else str(self.size)


class Windowed(NamedTuple):
    """The result of a corpus as it is, and of its windows as documents."""

    whole: Result
    windows: Result


def score_both(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    window: Window,
) -> Windowed:
    """Score the corpus as it is, and its windows."""
    _refuse_scopes(scheme)
    whole = score_corpora(key, response, scheme, metrics)
    return Windowed(whole, score_windows(key, response, scheme, metrics, window))


def score_windows(
    key: Corpus,
    response: Corpus,
    scheme: Scheme,
    metrics: tuple[str, ...],
    window: Window,
) -> Result:
    """Score each window as a document."""
    _refuse_scopes(scheme)
    text = place_mentions(key, response, fit_scheme(scheme, key, response))
    cut = cut_like_bookcoref if window.is_bookcoref else cut_evenly
    windows, members = cut(text, window.size)
    parts = windows_as_documents(text, windows, members)
    result = score_corpora(*parts, scheme, metrics)
    notes = (*result.notes, *text.notes, *_lost_and_repeated(text, members))
    if result.scheme.singletons == "drop":
        notes = (*notes, *_alone_in_window(text, members))
    return dataclasses.replace(result, window=str(window), notes=notes)


def _refuse_scopes(scheme: Scheme) -> None:
    if scheme.scope not in {None, "document"}:
        raise OptionError(
            "--window cannot be combined with "
            f"{as_typed('scope', scheme.scope)}: windows divide documents, and the "
            "scope joins them"
        )


def _lost_and_repeated(
    text: PlacedSides, members: tuple[Members, Members]
) -> list[Note]:
    """Note how many mentions are in no window, and how many in two."""
    notes = []
    sides = zip(("key", "response"), text.sides, members, strict=True)
    for role, side, member in sides:
        times = np.bincount(member.row, minlength=len(side.document))
        lost = int((times[side.document >= 0] == 0).sum())
        again = int((times > 1).sum())
        if lost or again:
            message = (
                f"{WARNING}{counted(lost, f'{role} mention')} in no window (not "
                f"scored), {again:,} in two windows (scored twice)."
            )
            notes.append(Note(f"windows-of-{role}", lost + again, message))
    return notes


def _alone_in_window(text: PlacedSides, members: tuple[Members, Members]) -> list[Note]:
    """Note that mentions are dropped because the rest of their entity is elsewhere."""
    alone = 0
    for side, member in zip(text.sides, members, strict=True):
        size = np.bincount(side.corpus.mention_entity, minlength=1)
        entity = side.corpus.mention_entity[member.row]
        code = member.window * np.int64(len(size)) + entity
        _, part, count = np.unique(code, return_inverse=True, return_counts=True)
        alone += int(((count[part] == 1) & (size[entity] > 1)).sum())
    if not alone:
        return []
    message = (
        f"{WARNING}{counted(alone, 'mention')} alone in a window, left out as "
        "singletons. Use --singletons keep (singletons=keep) to keep them."
    )
    return [Note("alone-in-windows", alone, message)]


_PLACE = (1 << SENTENCE_BITS) - 1


class WindowSide(NamedTuple):
    """One side: the document of each mention (-1: not scored), and its first word."""

    corpus: Corpus
    document: Ints
    place: Ints


class PlacedSides(NamedTuple):
    """Both sides, whose documents have the same numbers."""

    names: tuple[str, ...]
    length: Ints  # of each document, in words; -1: unknown
    key_row: Ints  # of each document in the key that was read; -1: not there
    sides: tuple[WindowSide, WindowSide]
    notes: tuple[Note, ...] = ()


def place_mentions(key: Corpus, response: Corpus, scheme: Scheme) -> PlacedSides:
    """Pair documents, and find the first word of each mention."""
    if "entities" in {key.format, response.format}:
        raise OptionError(NEED_FILES)
    anaphora = [side.anaphora for side in (key, response) if side.anaphora is not None]
    has_plurals = any(len(each.plural) for each in anaphora)
    if has_plurals and scheme.split_antecedents == "keep":
        raise OptionError(
            "--window cannot be used with split antecedents, which tie entities of "
            "several windows together. Use --split-antecedents drop "
            "(split_antecedents=drop in Python)"
        )
    if key.words is not None and not key.words.by_document:
        key, response, _ = same_text(key, response, scheme)
        return _by_sentence(key, response)
    documents = pair_documents(key, response, scheme)
    length = _document_lengths(key, response, documents)
    if key.words is None:
        sides = _span(key, documents.key), _span(response, documents.response)
    else:
        key, response, _ = same_text(key, response, scheme)
        sides = _by_document(key), _by_document(response)
    return PlacedSides(documents.names, length, documents.key, sides, documents.notes)


def words_of(corpus: Corpus) -> Words:
    """Return the words of a corpus that has them."""
    assert corpus.words is not None
    return corpus.words


def _document_lengths(key: Corpus, response: Corpus, documents: Documents) -> Ints:
    """Return the number of tokens from the key, or else from the response."""
    length = np.full(len(documents.names), -1, dtype=np.int64)
    for corpus, rows in ((response, documents.response), (key, documents.key)):
        if corpus.document_tokens is not None:
            there = np.flatnonzero(rows >= 0)
            length[there] = corpus.document_tokens[rows[there]]
    return length


def _span(corpus: Corpus, rows: Ints) -> WindowSide:
    scored = scored_documents(corpus, rows)
    return WindowSide(corpus, scored[corpus.mention_document], corpus.mention_start)


def _by_document(corpus: Corpus) -> WindowSide:
    """Read the place from the number of the first word, which counts from 1."""
    words = words_of(corpus)
    number = (words.member[words.start[:-1]] & _PLACE) >> WORD_BITS
    return WindowSide(corpus, corpus.mention_document, np.maximum(number - 1, 0))


def _by_sentence(key: Corpus, response: Corpus) -> PlacedSides:
    sentences = words_of(key).sentences
    count, document = sentences.word_count, sentences.document
    length = np.bincount(document, count, len(key.documents)).astype(np.int64)
    # A document may be continued after another one.
    order = np.argsort(document, kind="stable")
    before = np.empty_like(count)
    before[order] = starts(count[order])
    before -= starts(length)[document]

    def side(corpus: Corpus) -> WindowSide:
        words = words_of(corpus)
        first = words.member[words.start[:-1]]
        sentence, number = first >> SENTENCE_BITS, (first & _PLACE) >> WORD_BITS
        inside = np.maximum(np.minimum(number, count[sentence]) - 1, 0)
        return WindowSide(corpus, corpus.mention_document, before[sentence] + inside)

    names = tuple(document.name for document in key.documents)
    return PlacedSides(
        names, length, np.arange(len(names)), (side(key), side(response))
    )


MOST_WINDOWS = 1 << 22
"""A limit is needed because a text without words may claim any length."""


class Windows(NamedTuple):
    """The windows of all documents, and the words at which mentions may begin."""

    document: Ints
    low: Ints
    high: Ints  # the first word at which they may not


class Members(NamedTuple):
    """Rows of mentions of one side, and the window of each."""

    row: Ints
    window: Ints


def cut_evenly(text: PlacedSides, size: int) -> tuple[Windows, tuple[Members, Members]]:
    """Cut every document into windows of a size; the last may be shorter."""
    length = _lengths(text, size)
    count = np.maximum(-(-length // size), 1)
    _refuse_many(text, count, size)
    first = starts(count)
    document = np.repeat(np.arange(len(count)), count)
    low = (np.arange(len(document)) - first[document]) * size

    def members(side: WindowSide) -> Members:
        row = np.flatnonzero(side.document >= 0)
        return Members(row, first[side.document[row]] + side.place[row] // size)

    windows = Windows(document, low, np.minimum(low + size, length[document]))
    return windows, (members(text.sides[0]), members(text.sides[1]))


def _refuse_many(text: PlacedSides, count: Ints, size: int) -> None:
    if not len(count) or count.sum(dtype=np.float64) <= MOST_WINDOWS:
        return
    document = int(np.argmax(count))
    raise TooLargeError(
        f"document '{text.names[document]}' would have {count[document]:,} windows of "
        f"{size:,} tokens. The limit is {MOST_WINDOWS:,} windows in all",
        hint="Check the positions of its mentions, or use a larger --window.",
    )


def _lengths(text: PlacedSides, size: int) -> Ints:
    """Return the length of each document; if unknown, it ends with a window."""
    last = np.zeros(len(text.names), dtype=np.int64)
    for side in text.sides:
        there = side.document >= 0
        np.maximum.at(last, side.document[there], side.place[there] + 1)
    unknown = -(-last // size) * size
    return np.where(text.length < 0, unknown, np.maximum(text.length, last))


def cut_like_bookcoref(
    text: PlacedSides, size: int
) -> tuple[Windows, tuple[Members, Members]]:
    """Cut every document as BookCoref's evaluator does."""
    length = text.length
    if (length < 0).any():
        raise OptionError(
            "--window bookcoref needs the length of each document. Add 'sentences' or "
            "'tokens' to the JSON lines"
        )
    whole = length // size
    first = starts(whole + 1)
    document = np.repeat(np.arange(len(whole)), whole + 1)
    number = np.arange(len(document)) - first[document]
    is_last = number == whole[document]
    high = np.where(is_last, length[document], (number + 1) * size)

    def members(side: WindowSide) -> Members:
        row = np.flatnonzero(side.document >= 0)  # a key without documents has none
        at, start = side.document[row], side.place[row]
        is_inner = (start % size > 0) & (start < whole[at] * size)
        is_late = (start > length[at] - size) & (start < length[at])
        of_inner = (first[at] + start // size)[is_inner]
        of_late = (first[at] + whole[at])[is_late]
        return Members(
            np.concatenate((row[is_inner], row[is_late])),
            np.concatenate((of_inner, of_late)),
        )

    windows = Windows(document, np.maximum(high - size + 1, 0), high)
    return windows, (members(text.sides[0]), members(text.sides[1]))


def windows_as_documents(
    text: PlacedSides, windows: Windows, members: tuple[Members, Members]
) -> tuple[Corpus, Corpus]:
    """Make a document of each window, on both sides.

    Windows are named by their words; a window that is repeated says so.
    """
    names: dict[str, None] = {}
    for document, low, high in zip(*map(np.ndarray.tolist, windows), strict=True):
        name = f"{text.names[document]} [{low}:{high}]".lstrip()
        names[f"{name} again" if name in names else name] = None
    documents = tuple(map(DocumentName.plain, names))
    shift = _sentence_shifts(text, windows, members)
    key, response = (
        _cut_entities(side.corpus, member, documents, shift)
        for side, member in zip(text.sides, members, strict=True)
    )
    parses = text.sides[0].corpus.parses
    if parses is None:
        return key, response
    parses, origin = _parses_of_windows(parses, text.key_row, windows)
    key = dataclasses.replace(_count_from(key, origin), parses=parses)
    return key, _count_from(response, origin)


def _sentence_shifts(
    text: PlacedSides, windows: Windows, members: tuple[Members, Members]
) -> Ints | None:
    """Return how to renumber the sentences of each window, so that no two share words.

    Distances within a window do not change.
    """
    words = [side.corpus.words for side in text.sides]
    count = len(windows.document)
    low, high = np.full(count, np.iinfo(np.int64).max), np.full(count, -1)
    for side, member in zip(words, members, strict=True):
        if side is None:
            return None
        if side.by_document:
            return np.arange(count) - windows.document
        first, last = side.member[side.start[:-1]], side.member[side.start[1:] - 1]
        np.minimum.at(low, member.window, first[member.row] >> SENTENCE_BITS)
        np.maximum.at(high, member.window, last[member.row] >> SENTENCE_BITS)
    length = np.maximum(high - low + 1, 0)
    shift: Ints = starts(length) - np.minimum(low, high)
    return shift


def _cut_entities(
    corpus: Corpus,
    members: Members,
    names: tuple[DocumentName, ...],
    shift: Ints | None,
) -> Corpus:
    """Cut the entities of one side at windows; the parts stay in order."""
    width = np.int64(max(1, len(corpus.entity_document)))
    code = members.window * width + corpus.mention_entity[members.row]
    part, entity = np.unique(code, return_inverse=True)
    order = np.argsort(entity, kind="stable")
    row, window, whole = members.row[order], members.window[order], part % width
    labels, types = corpus.entity_label, corpus.entity_type
    side = dataclasses.replace(
        corpus.take_mentions(row),
        documents=names,
        document_tokens=None,
        document_line=np.zeros(len(names), dtype=np.int64),
        entity_document=part // width,
        entity_label=tuple(labels[each] for each in whole.tolist()),
        entity_type=types and tuple(types[each] for each in whole.tolist()),
        has_labels=False,  # parts in other windows are other entities
        mention_entity=entity[order],
        faults={},
        parses=None,
        tokens=None,
    )
    if shift is None:
        return side
    words = _shift_words(
        words_of(corpus), row, shift[window] << np.int64(SENTENCE_BITS)
    )
    anaphora = corpus.anaphora
    if anaphora is not None:
        anaphora = _keep_bridges(anaphora, Members(row, window), whole, len(names))
    return dataclasses.replace(side, words=words, anaphora=anaphora)


def _shift_words(words: Words, row: Ints, shift: Ints) -> Words:
    """Keep the words of some mentions, in sentences with new numbers."""

    def move(sets: WordSets) -> WordSets:
        taken = Ragged(*sets).take(row)
        return WordSets(taken.start, taken.value + np.repeat(shift, taken.length))

    start, member = move(WordSets(words.start, words.member))
    head, is_zero = words.head[row], words.is_zero[row]
    zeros = zip(head[is_zero].tolist(), (head + shift)[is_zero].tolist(), strict=True)
    known = words.dependencies
    return words._replace(
        sentences=_NO_SENTENCES,
        start=start,
        member=member,
        head=head + shift,
        is_zero=is_zero,
        head_upos=words.head_upos[row],
        dependencies={new: known[old] for old, new in zeros if old in known},
        relations=(),
        minimum=words.minimum and move(words.minimum),
    )


_NONE = np.zeros(0, dtype=np.int64)

_NO_TEXTS = Texts(_NONE.astype(np.uint8), _NONE)

_NO_SENTENCES = Sentences(
    _NONE, _NONE.astype(np.bool_), _NONE, _NO_TEXTS, _NONE, _NO_TEXTS, _NONE
)
"""The texts were compared before they were cut."""


def _keep_bridges(
    anaphora: Anaphora, new: Members, entity: Ints, count: int
) -> Anaphora:
    """Keep the bridges inside windows; plurals were refused or are not scored."""
    order = np.argsort(new.row * np.int64(count) + new.window)
    code = (new.row * np.int64(count) + new.window)[order]
    first = np.searchsorted(new.row[order], anaphora.anaphor, side="left")
    times = np.searchsorted(new.row[order], anaphora.anaphor, side="right") - first
    anaphor = order[ranges(first, times)]
    bridge = np.repeat(np.arange(len(times)), times)
    wanted = anaphora.antecedent[bridge] * np.int64(count) + new.window[anaphor]
    place = np.searchsorted(code, wanted)
    there = np.flatnonzero(np.append(code, -1)[place] == wanted)
    return Anaphora(
        markable=(),
        is_referring=anaphora.is_referring[entity],
        plural=_NONE,
        element=_NONE,
        anaphor=anaphor[there],
        antecedent=order[place[there]],
        relation=tuple(anaphora.relation[each] for each in bridge[there].tolist()),
    )


def _parses_of_windows(
    parses: Parses, key_row: Ints, windows: Windows
) -> tuple[Parses, Ints]:
    """Return the parses of the sentences that windows touch, and where these begin."""
    borders = np.append(runs(parses.sentence)[0], len(parses.sentence))
    documents = np.append(parses.first, len(parses.sentence))
    row = key_row[windows.document]
    first, limit = documents[row], documents[row + 1]
    begin = np.minimum(first + windows.low, limit)
    end = np.minimum(first + windows.high, limit)
    is_there = (row >= 0) & (begin < end)
    begin = borders[np.searchsorted(borders, begin, side="right") - 1]
    end = borders[np.searchsorted(borders, end)]
    length = np.where(is_there, end - begin, 0)
    before = starts(length)
    taken = ranges(begin, length)
    starts_sentence = is_new(parses.sentence[taken])
    starts_sentence[before[length > 0]] = True
    own = Parses(
        first=before,
        sentence=np.cumsum(starts_sentence) - 1,
        line=parses.line[taken],
        word=parses.word.take(taken),
        tag=parses.tag.take(taken),
        piece=parses.piece.take(taken),
    )
    return own, np.where(is_there, begin - first, 0)


def _count_from(corpus: Corpus, origin: Ints) -> Corpus:
    """Count tokens from where each window's sentences begin."""
    before = origin[corpus.mention_document]
    start, end = corpus.mention_start - before, corpus.mention_end - before
    return dataclasses.replace(corpus, mention_start=start, mention_end=end)
