"""Corpora with a document for each window, and in it a part of every entity.

Whatever a document has of its own, a window gets: a name, words that no other window
has, and the parses of its sentences. A bridge stays if both its ends are in one window.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.matching.ragged import Ragged
from scoref.model import (
    SENTENCE_BITS,
    Anaphora,
    DocumentName,
    Parses,
    Sentences,
    Texts,
    WordSets,
)
from scoref.scoring.windows.borders import Members
from scoref.scoring.windows.places import words_of

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints, Words
    from scoref.scoring.windows.borders import Windows
    from scoref.scoring.windows.places import PlacedSides


def windows_as_documents(
    text: PlacedSides, windows: Windows, members: tuple[Members, Members]
) -> tuple[Corpus, Corpus]:
    """Make a document of each window, on both sides."""
    names = _names(text.names, windows)
    shift = _shifts(text, windows, members)
    key, response = (
        _cut(side.corpus, member, names, shift)
        for side, member in zip(text.sides, members, strict=True)
    )
    parses = text.sides[0].corpus.parses
    if parses is None:
        return key, response
    parses, origin = _of_windows(parses, text.key_row, windows)
    key = dataclasses.replace(_counted_from(key, origin), parses=parses)
    return key, _counted_from(response, origin)


def _names(names: tuple[str, ...], windows: Windows) -> tuple[DocumentName, ...]:
    """Name windows by their words; one that comes again says so."""
    found: dict[str, None] = {}
    for document, low, high in zip(*map(np.ndarray.tolist, windows), strict=True):
        name = f"{names[document]} [{low}:{high}]".lstrip()
        found[f"{name} again" if name in found else name] = None
    return tuple(map(DocumentName.plain, found))


def _shifts(
    text: PlacedSides, windows: Windows, members: tuple[Members, Members]
) -> Ints | None:
    """Say how to renumber the sentences of each window, so that no two share words.

    Inside a window distances stay what they are.
    """
    words = [side.corpus.words for side in text.sides]
    count = len(windows.document)
    low, high = np.full(count, np.iinfo(np.int64).max), np.full(count, -1)
    for each, member in zip(words, members, strict=True):
        if each is None:
            return None
        if each.by_document:
            return np.arange(count) - windows.document
        first, last = each.member[each.start[:-1]], each.member[each.start[1:] - 1]
        np.minimum.at(low, member.window, first[member.row] >> SENTENCE_BITS)
        np.maximum.at(high, member.window, last[member.row] >> SENTENCE_BITS)
    length = np.maximum(high - low + 1, 0)
    shift: Ints = np.cumsum(length) - length - np.minimum(low, high)
    return shift


def _cut(
    corpus: Corpus,
    members: Members,
    names: tuple[DocumentName, ...],
    shift: Ints | None,
) -> Corpus:
    """Cut the entities of one side; their parts stay in order."""
    width = np.int64(max(1, len(corpus.entity_document)))
    code = members.window * width + corpus.mention_entity[members.row]
    part, entity = np.unique(code, return_inverse=True)
    order = np.argsort(entity, kind="stable")
    row, window, whole = members.row[order], members.window[order], part % width
    labels, types = corpus.entity_label, corpus.entity_type
    found = dataclasses.replace(
        corpus,
        documents=names,
        document_tokens=None,
        document_line=np.zeros(len(names), dtype=np.int64),
        entity_document=part // width,
        entity_label=tuple(labels[each] for each in whole.tolist()),
        entity_type=types and tuple(types[each] for each in whole.tolist()),
        has_labels=False,  # what goes on in another window is known
        mention_entity=entity[order],
        mention_start=corpus.mention_start[row],
        mention_end=corpus.mention_end[row],
        mention_line=corpus.mention_line[row],
        mention_order=None
        if corpus.mention_order is None
        else corpus.mention_order[row],
        faults={},
        parses=None,
        tokens=None,
        pieces=corpus.pieces and corpus.pieces.take(row),
    )
    if shift is None:
        return found
    words = _shifted(words_of(corpus), row, shift[window] << np.int64(SENTENCE_BITS))
    anaphora = corpus.anaphora
    if anaphora is not None:
        anaphora = _bridged(anaphora, Members(row, window), whole, len(names))
    return dataclasses.replace(found, words=words, anaphora=anaphora)


def _shifted(words: Words, row: Ints, shift: Ints) -> Words:
    """Keep the words of some mentions, in sentences with new numbers."""

    def moved(sets: WordSets) -> WordSets:
        taken = Ragged(*sets).take(row)
        return WordSets(taken.start, taken.value + np.repeat(shift, taken.length))

    start, member = moved(WordSets(words.start, words.member))
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
        minimum=words.minimum and moved(words.minimum),
    )


_NONE = np.zeros(0, dtype=np.int64)
_NO_TEXTS = Texts(_NONE.astype(np.uint8), _NONE)
_NO_SENTENCES = Sentences(
    _NONE, _NONE.astype(np.bool_), _NONE, _NO_TEXTS, _NONE, _NO_TEXTS, _NONE
)
"""The texts were compared before they were cut."""


def _bridged(anaphora: Anaphora, new: Members, entity: Ints, count: int) -> Anaphora:
    """Keep the bridges inside windows; plurals were refused, or nobody wants them."""
    order = np.argsort(new.row * np.int64(count) + new.window)
    code = (new.row * np.int64(count) + new.window)[order]
    first = np.searchsorted(new.row[order], anaphora.anaphor, side="left")
    times = np.searchsorted(new.row[order], anaphora.anaphor, side="right") - first
    end = np.cumsum(times)
    anaphor = order[np.arange(times.sum()) + np.repeat(first - end + times, times)]
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


def _of_windows(parses: Parses, key_row: Ints, windows: Windows) -> tuple[Parses, Ints]:
    """Give windows the sentences that they touch, and say where these begin."""
    starts = np.flatnonzero(np.diff(parses.sentence, prepend=-1))
    bounds = np.append(starts, len(parses.sentence))
    documents = np.append(parses.first, len(parses.sentence))
    row = key_row[windows.document]
    first, behind = documents[row], documents[row + 1]
    begin = np.minimum(first + windows.low, behind)
    end = np.minimum(first + windows.high, behind)
    is_there = (row >= 0) & (begin < end)
    begin = bounds[np.searchsorted(bounds, begin, side="right") - 1]
    end = bounds[np.searchsorted(bounds, end)]
    length = np.where(is_there, end - begin, 0)
    before = np.cumsum(length) - length
    taken = np.arange(length.sum()) + np.repeat(begin - before, length)
    is_new = np.diff(parses.sentence[taken], prepend=-1) != 0
    is_new[before[length > 0]] = True
    found = Parses(
        first=before,
        sentence=np.cumsum(is_new) - 1,
        line=parses.line[taken],
        word=parses.word.take(taken),
        tag=parses.tag.take(taken),
        piece=parses.piece.take(taken),
    )
    return found, np.where(is_there, begin - first, 0)


def _counted_from(corpus: Corpus, origin: Ints) -> Corpus:
    """Count tokens from where each window's sentences begin."""
    before = origin[corpus.mention_document]
    start, end = corpus.mention_start - before, corpus.mention_end - before
    return dataclasses.replace(corpus, mention_start=start, mention_end=end)
