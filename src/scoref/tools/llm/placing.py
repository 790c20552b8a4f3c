"""From an answer to a response: mentions placed on the key's tokens.

Inline notations contain text and mentions together. JSON may have tokens of its own;
otherwise its mentions are places in the key's text, and `listed_mentions` finds them.

A mention is placed where its pieces are in the key: from the first token that one of
them stands for to the last. It is *moved* if its own first or last piece stands for
nothing, and *unplaced* if none of them stands for anything.

An answer with a different text is *refused*: of the pairs of neighbouring pieces of the
shorter text, a share below `LEAST_SHARE` are neighbours in the other. Single words
prove nothing, because those of any sentence occur in a long text.

The response is a corpus over the key's tokens. Mentions and entities are in the order
of the official scorers, by the first word and the longer one first, because that order
decides which entity keeps a mention that is listed twice.
"""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from scoref.alignment.pieces import Pieces, cut, cut_between, cut_words
from scoref.alignment.words import Alignment, align
from scoref.model import EMPTY, LAST_WORD, SENTENCE_BITS, WORD_BITS, Words
from scoref.tools.llm.listed_mentions import Range, UnplacedMention, place_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.formats.trees import DependencyTrees
    from scoref.model import Corpus, Ints, Tokens
    from scoref.tools.llm.answers import Answer
    from scoref.tools.llm.key_text import KeyDocument, KeyText
    from scoref.tools.llm.listed_mentions import Clusters
    from scoref.tools.llm.notations import Fault, Notation


class Reading(NamedTuple):
    """What an answer says; without text of its own, pieces are the key's.

    ``not_found`` are listed mentions that are not in the text. ``guessed`` counts the
    places that were chosen among several, and ``other_words`` the mentions whose
    offsets are not those of their words. ``is_understood`` says whether the
    answer is written in the notation: it has a mention, or a list without any.
    """

    text: str
    pieces: Pieces
    mentions: list[Range]
    faults: Sequence[Fault] = ()
    not_found: Sequence[UnplacedMention] = ()
    guessed: int = 0
    other_words: int = 0
    has_text: bool = True
    is_cut: bool = False
    is_understood: bool = True

    def words(self, start: int, end: int) -> str:
        """Return pieces of the answer as they are written there."""
        if start >= end:
            return ""
        if not self.pieces.end[-1]:  # tokens, which have no place in a text
            return " ".join(self.pieces.text[start:end])
        first, last = int(self.pieces.start[start]), int(self.pieces.end[end - 1])
        return self.text[first:last]


def read_answer(answer: Answer, notation: Notation, document: KeyDocument) -> Reading:
    """Read an answer about a document."""
    with_zeros = bool(document.is_zero.any())
    if notation.read is None:
        found = answer.clusters or notation.find(answer.text)
        if found is None:
            return Reading(answer.text, cut(answer.text), [], is_understood=False)
        return _read_clusters(found, answer.tokens, document)
    text = answer.unfenced()
    marked = notation.read(text)
    left_out = sorted([*marked.markup, *_foreign(text, marked.faults, document)])
    pieces = cut_between(text, left_out, with_zeros=with_zeros)
    ranges = [
        Range(*pieces.within(mention.start, mention.end), mention.label)
        for mention in marked.mentions
    ]
    is_understood = bool(marked.mentions)
    return Reading(text, pieces, ranges, marked.faults, is_understood=is_understood)


def _foreign(
    text: str, faults: Sequence[Fault], document: KeyDocument
) -> list[tuple[int, int]]:
    """Find broken brackets that cannot be the key's own: its text has none."""
    known = set(cut_words(document.words)[0].text) if faults else set()
    return [
        (fault.start, fault.end)
        for fault in faults
        if not known.issuperset(cut(text[fault.start : fault.end]).text)
    ]


def _read_clusters(
    found: Clusters, given: list[str] | None, document: KeyDocument
) -> Reading:
    tokens = found.tokens or given
    with_zeros = bool(document.is_zero.any())
    if tokens:
        pieces, owner = cut_words(tokens, with_zeros=with_zeros)
    else:
        key = document.text(zeros_in_place=with_zeros or None)
        pieces, owner = Pieces.alone(key.pieces), key.word
    listed = place_mentions(found.clusters, pieces.text, owner, with_zeros=with_zeros)
    return Reading(
        " ".join(tokens or document.words),
        pieces,
        listed.placed,
        not_found=listed.unplaced,
        guessed=listed.guessed,
        other_words=listed.other_words,
        has_text=bool(tokens),
        is_cut=found.is_cut,
    )


Status = Literal["scored", "missing", "empty", "refused", "unmarked"]

LEAST_SHARE = 0.1


class Counts(NamedTuple):
    """What became of an answer's words and mentions.

    ``words`` of the key are the same, changed or lost; ``added`` are pieces of the
    answer. ``mentions`` that were read are kept, moved or unplaced; ``broken`` are
    brackets and tags that nobody can read.
    """

    words: int = 0
    same: int = 0
    changed: int = 0
    lost: int = 0
    added: int = 0
    mentions: int = 0
    kept: int = 0
    moved: int = 0
    unplaced: int = 0
    broken: int = 0


class PlacedMention(NamedTuple):
    """Tokens of a document, in order, and the entity that they are a mention of."""

    tokens: tuple[int, ...]
    label: str


class Aligned(NamedTuple):
    """An answer laid on a text of the key."""

    reading: Reading
    text: KeyText
    alignment: Alignment

    @classmethod
    def of(cls, reading: Reading, document: KeyDocument) -> Aligned:
        """Choose the text, and align the answer with it."""
        pieces = reading.pieces.text
        if not reading.has_text:
            in_place = bool(document.is_zero.any()) or None
            text = document.text(zeros_in_place=in_place)
            rows = np.arange(len(pieces))
            return cls(reading, text, Alignment(rows, rows, rows >= 0))
        text = document.text_for(pieces)
        return cls(reading, text, align(text.pieces, pieces))

    def share(self) -> float:
        """Say how much of the shorter text is the other's, by pairs of neighbours."""
        alignment = self.alignment
        size = min(len(self.text.pieces), len(alignment.first)) - 1
        if size < 1:
            return float(alignment.is_same.any())
        is_same = alignment.is_same[:-1] & alignment.is_same[1:]
        is_next = alignment.first[1:] - alignment.last[:-1] == 1
        return float((is_same & is_next).sum()) / size


class PlacedAnswer(NamedTuple):
    """What became of an answer: mentions with and without a place, and counts.

    ``guessed`` counts the mentions whose place was chosen among several, and
    ``other_words`` those whose offsets are not the offsets of their words.
    ``is_understood`` is false if the answer has nothing in the notation.
    """

    status: Status
    counts: Counts
    mentions: Sequence[PlacedMention] = ()
    unplaced: Sequence[UnplacedMention] = ()
    guessed: int = 0
    other_words: int = 0
    is_understood: bool = False


def place(
    aligned: Aligned, document: KeyDocument, *, by_sentence: bool
) -> PlacedAnswer:
    """Place mentions; ``by_sentence``, they end where the sentence does."""
    reading = aligned.reading
    counts = _words(aligned) if reading.has_text else Counts()
    read = len(reading.mentions) + len(reading.not_found)
    counts = counts._replace(mentions=read, broken=_broken(aligned))
    status = _status(aligned, read)
    mentions, unplaced, moved = [], list(reading.not_found), 0
    for mention in reading.mentions:
        tokens, is_moved = _tokens(mention, aligned, document)
        if not tokens or status == "refused":
            pieces = reading.pieces.text[mention.start : mention.end]
            words = reading.words(mention.start, mention.end)
            unplaced.append(UnplacedMention.of(words, pieces, mention.label))
            continue
        if by_sentence:
            inside = _in_sentence(tokens, document)
            is_moved |= len(inside) < len(tokens)
            tokens = inside
        moved += is_moved
        mentions.append(PlacedMention(tokens, mention.label))
    counts = counts._replace(
        kept=len(mentions) - moved,
        moved=moved,
        unplaced=len(unplaced),
    )
    guessed = reading.guessed if mentions else 0
    return PlacedAnswer(
        status,
        counts,
        mentions,
        unplaced,
        guessed,
        reading.other_words,
        reading.is_understood,
    )


def _status(aligned: Aligned, read: int) -> Status:
    reading = aligned.reading
    if reading.has_text and not reading.pieces.text:
        return "empty"
    if reading.has_text and aligned.share() < LEAST_SHARE:
        return "refused"
    return "scored" if read else "unmarked"


def _words(aligned: Aligned) -> Counts:
    text = aligned.text
    count = len(text.first)
    output, is_same = aligned.alignment.of_key(len(text.pieces))
    pieces = np.bincount(text.word, minlength=count)
    found = np.bincount(text.word[output >= 0], minlength=count)
    same = np.bincount(text.word[is_same], minlength=count)
    unchanged, lost = int((same == pieces).sum()), int((found == 0).sum())
    return Counts(
        words=count,
        same=unchanged,
        changed=count - unchanged - lost,
        lost=lost,
        added=int((aligned.alignment.first < 0).sum()),
    )


def _broken(aligned: Aligned) -> int:
    return len(real_faults(aligned))


def real_faults(aligned: Aligned) -> list[int]:
    """List faults that are none of the key's own brackets, by their rows."""
    reading, found = aligned.reading, []
    for row, fault in enumerate(reading.faults):
        first, behind = reading.pieces.within(fault.start, fault.end)
        if behind == first or not aligned.alignment.is_same[first:behind].all():
            found.append(row)
    return found


def _tokens(
    mention: Range, aligned: Aligned, document: KeyDocument
) -> tuple[tuple[int, ...], bool]:
    """Find the tokens of a mention, and whether it had to be moved."""
    pieces = slice(mention.start, mention.end)
    first = aligned.alignment.first[pieces]
    there = np.flatnonzero(first >= 0)
    if not len(there):
        return (), False
    is_moved = bool(there[0] > 0 or there[-1] < len(first) - 1)
    last = aligned.alignment.last[pieces]
    word = aligned.text.word[[first[there[0]], last[there[-1]]]]
    return _between(int(word[0]), int(word[1]), aligned.text, document), is_moved


def _between(
    start: int, end: int, text: KeyText, document: KeyDocument
) -> tuple[int, ...]:
    """List the tokens from a word of the text to another.

    Empty nodes inside belong to it where they are in the file; at the ends, and alone,
    where the text has them.
    """
    first, last = text.first[start : end + 1], text.last[start : end + 1]
    overt = np.flatnonzero(~document.is_zero[first])
    if not len(overt):
        return tuple(sorted(first.tolist()))
    inside = range(int(first[overt].min()), int(last[overt].max()) + 1)
    around = (*first[: overt[0]].tolist(), *first[overt[-1] + 1 :].tolist())
    return tuple(sorted({*inside, *around})) if around else tuple(inside)


def _in_sentence(tokens: tuple[int, ...], document: KeyDocument) -> tuple[int, ...]:
    """Keep what is in the sentence in which a mention starts."""
    sentence = document.tokens.sentence[list(tokens)]
    if sentence[0] == sentence[-1]:
        return tokens
    return tuple(np.array(tokens)[sentence == sentence[0]].tolist())


class _Mention(NamedTuple):
    """A mention by its rows among all tokens; without any, it is not in the text."""

    document: int
    label: str
    tokens: tuple[int, ...]
    unplaced: UnplacedMention | None = None

    def order(self) -> tuple[bool, tuple[int, ...], str]:
        """Sort by the first word, the longer one first; the unplaced come last."""
        if self.unplaced:
            return True, (), self.unplaced.words
        return False, (self.tokens[0], -len(self.tokens), self.tokens[-1]), ""


def response_of(
    key: Corpus,
    placed: Sequence[PlacedAnswer],
    *,
    source: str,
    trees: DependencyTrees | None = None,
    with_unplaced: bool = False,
) -> Corpus:
    """Make a corpus of an answer for each document of the key.

    ``with_unplaced`` adds the mentions that are not in the text: they belong to their
    entities, and match nothing.
    """
    tokens = key.tokens
    assert tokens is not None
    entities: dict[tuple[int, str], list[_Mention]] = {}
    for mention in _mentions(placed, tokens.first.tolist(), with_unplaced):
        of_entity = entities.setdefault((mention.document, mention.label), [])
        of_entity.append(mention)
    for of_entity in entities.values():
        of_entity.sort(key=_Mention.order)
    # The labels are the model's, so that they must not decide the order.
    names = sorted(
        entities, key=lambda name: (name[0], [m.order() for m in entities[name]])
    )
    mentions = [mention for name in names for mention in entities[name]]
    document = _column([mention.document for mention in mentions])
    is_unplaced = np.array([not each.tokens for each in mentions], dtype=np.bool_)
    first = tokens.first[document]
    start, end = (
        np.where(
            is_unplaced, first, _column([(m.tokens or (0,))[at] for m in mentions])
        )
        for at in (0, -1)
    )
    line = key.document_line[document]
    line[~is_unplaced] = tokens.line[end[~is_unplaced]]
    corpus = dataclasses.replace(
        key,
        source=source,
        entity_document=_column([document for document, _ in names]),
        entity_label=tuple(label for _, label in names),
        mention_entity=np.repeat(
            np.arange(len(names)), [len(entities[name]) for name in names]
        ),
        mention_start=start,
        mention_end=end,
        mention_line=line,
        mention_order=None,
        mention_unplaced=is_unplaced if is_unplaced.any() else None,
        mention_type=None,
        mention_kbid=None,
        mention_ids=None,
        pieces=None,
        notes=(),
        faults={},
        words=None,
        anaphora=None,
        entity_type=None,
        parses=None,
    )
    if key.words is None:
        return dataclasses.replace(
            corpus, mention_start=start - first, mention_end=end - first
        )
    return _with_words(corpus, key.words, mentions, trees)


def _mentions(
    placed: Sequence[PlacedAnswer], first: list[int], with_unplaced: bool
) -> Iterator[_Mention]:
    for document, answer in enumerate(placed):
        for mention in answer.mentions:
            tokens = tuple(first[document] + token for token in mention.tokens)
            yield _Mention(document, mention.label, tokens)
        for unplaced in answer.unplaced if with_unplaced else ():
            yield _Mention(document, unplaced.label, (), unplaced)


def _with_words(
    corpus: Corpus,
    of_key: Words,
    mentions: list[_Mention],
    trees: DependencyTrees | None,
) -> Corpus:
    """Add the words of mentions, and their heads."""
    assert corpus.tokens is not None
    sets = _word_sets(corpus.tokens, mentions)
    start = np.concatenate(([0], np.cumsum(_column(list(map(len, sets))))))
    member = _column([word for words in sets for word in words])
    known = _known_heads(of_key) if trees else {}
    head = _column(
        [
            known[words]
            if words in known
            else trees.head(words)
            if trees and mention.tokens
            else words[0]
            for words, mention in zip(sets, mentions, strict=True)
        ]
    )
    is_placed = ~corpus.is_unplaced
    head_upos = np.zeros(len(head), np.uint64)
    if trees:
        head_upos[is_placed] = trees.upos_of(head[is_placed])
    words = Words(
        sentences=of_key.sentences,
        start=start,
        member=member,
        head=head,
        is_zero=(head & EMPTY) > 0,
        head_upos=head_upos,
        dependencies=_dependencies(head, trees),
        by_document=of_key.by_document,
    )
    return dataclasses.replace(
        corpus,
        words=words,
        mention_start=member[start[:-1]],
        mention_end=member[start[1:] - 1],
    )


def _word_sets(tokens: Tokens, mentions: list[_Mention]) -> list[tuple[int, ...]]:
    """List the words of mentions; those of one that is not in the text are made up.

    The last words that a sentence could have stand for them: no text has so many.
    """
    assert tokens.code is not None
    sets: list[tuple[int, ...]] = []
    last = LAST_WORD
    for mention in mentions:
        if mention.unplaced is None:
            sets.append(tuple(tokens.code[list(mention.tokens)].tolist()))
            continue
        row = max(int(tokens.first[mention.document + 1]) - 1, 0)
        sentence = int(tokens.code[row]) >> SENTENCE_BITS << SENTENCE_BITS
        numbers = range(last - mention.unplaced.size + 1, last + 1)
        last -= mention.unplaced.size
        empty = int(mention.unplaced.is_zero)
        sets.append(tuple(sentence | each << WORD_BITS | empty for each in numbers))
    return sets


def _known_heads(words: Words) -> dict[tuple[int, ...], int]:
    """Give the heads of the key's mentions, by their words."""
    ends = pairwise(words.start.tolist())
    sets = [tuple(words.member[a:b].tolist()) for a, b in ends]
    return dict(zip(sets[::-1], words.head.tolist()[::-1], strict=True))


def _dependencies(
    head: Ints, trees: DependencyTrees | None
) -> dict[int, frozenset[tuple[str, str]]]:
    zeros = head[(head & EMPTY) > 0].tolist()
    known = trees.dependencies if trees else {}
    return {node: frozenset(known.get(node, ())) for node in zeros}


def _column(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)
