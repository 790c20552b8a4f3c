"""From an answer to a response: mentions placed on the key's tokens.

Inline notations contain text and mentions together. JSON may have tokens of its own;
otherwise its mentions are places in the key's text, and `listed_mentions` finds them.

A mention is placed where its pieces are in the key: from the first token that is
aligned with one of them to the last. It is *moved* if its own first or last piece is
not aligned, and *unplaced* if none of its pieces is.

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
from scoref.model.arrays import bounds
from scoref.tools.llm.listed_mentions import Range, UnplacedMention, place_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoref.formats.trees import DependencyTrees
    from scoref.model import Corpus, Ints, Tokens
    from scoref.tools.llm.answers import Answer
    from scoref.tools.llm.json_clusters import Clusters
    from scoref.tools.llm.key_text import KeyDocument, KeyText
    from scoref.tools.llm.notations import Fault, Notation


class Reading(NamedTuple):
    """The text and mentions of an answer; without own text, pieces are the key's.

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
        clusters = answer.clusters or notation.find(answer.text)
        if clusters is None:
            return Reading(answer.text, cut(answer.text), [], is_understood=False)
        return _read_clusters(clusters, answer.tokens, document)
    text = answer.unfenced()
    marked = notation.read(text)
    left_out = [*marked.markup, *_foreign_brackets(text, marked.faults, document)]
    pieces = cut_between(text, sorted(left_out), with_zeros=with_zeros)
    ranges = [
        Range(*pieces.within(mention.start, mention.end), mention.label)
        for mention in marked.mentions
    ]
    is_understood = bool(marked.mentions)
    return Reading(text, pieces, ranges, marked.faults, is_understood=is_understood)


def _foreign_brackets(
    text: str, faults: Sequence[Fault], document: KeyDocument
) -> list[tuple[int, int]]:
    """Find broken brackets that the key's text does not contain."""
    known = set(cut_words(document.words)[0].text) if faults else set()
    return [
        (fault.start, fault.end)
        for fault in faults
        if not known.issuperset(cut(text[fault.start : fault.end]).text)
    ]


def _read_clusters(
    clusters: Clusters, model_input: list[str] | None, document: KeyDocument
) -> Reading:
    """Place listed mentions in the tokens of the answer, or in the key's text."""
    tokens = clusters.tokens or model_input
    with_zeros = bool(document.is_zero.any())
    if tokens:
        pieces, owner = cut_words(tokens, with_zeros=with_zeros)
    else:
        key = document.text(zeros_in_place=with_zeros or None)
        pieces, owner = Pieces.alone(key.pieces), key.word
    mentions = place_mentions(
        clusters.clusters, pieces.text, owner, with_zeros=with_zeros
    )
    return Reading(
        " ".join(tokens or document.words),
        pieces,
        mentions.placed,
        not_found=mentions.unplaced,
        guessed=mentions.guessed,
        other_words=mentions.other_words,
        has_text=bool(tokens),
        is_cut=clusters.is_cut,
    )


Status = Literal["scored", "missing", "empty", "refused", "unmarked"]


class Counts(NamedTuple):
    """The words and mentions of an answer, counted by what became of them.

    ``words`` of the key are the same, changed or lost; ``added`` are pieces of the
    answer. ``mentions`` that were read are kept, moved or unplaced; ``broken`` are
    brackets and tags that cannot be read.
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
    """The tokens of a mention, in order, and its entity."""

    tokens: tuple[int, ...]
    label: str


class Aligned(NamedTuple):
    """An answer, the text of the key that is most like it, and their alignment."""

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
        """Return the share of neighbouring pieces that both texts have."""
        alignment = self.alignment
        size = min(len(self.text.pieces), len(alignment.first)) - 1
        if size < 1:
            return float(alignment.is_same.any())
        is_same = alignment.is_same[:-1] & alignment.is_same[1:]
        is_next = alignment.first[1:] - alignment.last[:-1] == 1
        return float((is_same & is_next).sum()) / size


class PlacedAnswer(NamedTuple):
    """The mentions of an answer, with and without a place, and counts.

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


LEAST_SHARE = 0.1
"""An answer that shares fewer neighbouring pieces with the key is refused."""


def place(
    aligned: Aligned, document: KeyDocument, *, by_sentence: bool
) -> PlacedAnswer:
    """Place mentions; ``by_sentence``, they end where the sentence does."""
    reading = aligned.reading
    mention_count = len(reading.mentions) + len(reading.not_found)
    status: Status = "scored" if mention_count else "unmarked"
    if reading.has_text and not reading.pieces.text:
        status = "empty"
    elif reading.has_text and aligned.share() < LEAST_SHARE:
        status = "refused"
    mentions, unplaced, moved = [], list(reading.not_found), 0
    for mention in reading.mentions:
        tokens, is_moved = _find_tokens(mention, aligned, document)
        if not tokens or status == "refused":
            pieces = reading.pieces.text[mention.start : mention.end]
            words = reading.words(mention.start, mention.end)
            unplaced.append(UnplacedMention.of(words, pieces, mention.label))
            continue
        if by_sentence:
            sentence = document.tokens.sentence[list(tokens)]
            inside = np.array(tokens)[sentence == sentence[0]].tolist()
            is_moved |= len(inside) < len(tokens)
            tokens = tuple(inside)
        moved += is_moved
        mentions.append(PlacedMention(tokens, mention.label))
    counts = _count_words(aligned) if reading.has_text else Counts()
    counts = counts._replace(
        mentions=mention_count,
        kept=len(mentions) - moved,
        moved=moved,
        unplaced=len(unplaced),
        broken=len(real_faults(aligned)),
    )
    return PlacedAnswer(
        status,
        counts,
        mentions,
        unplaced,
        reading.guessed if mentions else 0,
        reading.other_words,
        reading.is_understood,
    )


def _count_words(aligned: Aligned) -> Counts:
    """Count the words of the key that are the same, changed or lost."""
    text = aligned.text
    count = len(text.first)
    output, is_same = aligned.alignment.of_key(len(text.pieces))
    pieces = np.bincount(text.word, minlength=count)
    aligned_pieces = np.bincount(text.word[output >= 0], minlength=count)
    same_pieces = np.bincount(text.word[is_same], minlength=count)
    same = int((same_pieces == pieces).sum())
    lost = int((aligned_pieces == 0).sum())
    return Counts(
        words=count,
        same=same,
        changed=count - same - lost,
        lost=lost,
        added=int((aligned.alignment.first < 0).sum()),
    )


def real_faults(aligned: Aligned) -> list[int]:
    """List the rows of faults that are not brackets of the key's text."""
    reading, rows = aligned.reading, []
    for row, fault in enumerate(reading.faults):
        first, end = reading.pieces.within(fault.start, fault.end)
        if end == first or not aligned.alignment.is_same[first:end].all():
            rows.append(row)
    return rows


def _find_tokens(
    mention: Range, aligned: Aligned, document: KeyDocument
) -> tuple[tuple[int, ...], bool]:
    """Find the tokens of a mention, and say whether it had to be moved."""
    pieces = slice(mention.start, mention.end)
    first = aligned.alignment.first[pieces]
    in_key = np.flatnonzero(first >= 0)
    if not len(in_key):
        return (), False
    is_moved = bool(in_key[0] > 0 or in_key[-1] < len(first) - 1)
    last = aligned.alignment.last[pieces]
    word = aligned.text.word[[first[in_key[0]], last[in_key[-1]]]]
    tokens = _tokens_between(int(word[0]), int(word[1]), aligned.text, document)
    return tokens, is_moved


def _tokens_between(
    start: int, end: int, text: KeyText, document: KeyDocument
) -> tuple[int, ...]:
    """List the tokens from a word of the text to another.

    Empty nodes between overt words are those between them in the file. Empty nodes at
    the ends, or alone, are those that the text has there.
    """
    first, last = text.first[start : end + 1], text.last[start : end + 1]
    overt = np.flatnonzero(~document.is_zero[first])
    if not len(overt):
        return tuple(sorted(first.tolist()))
    inside = range(int(first[overt].min()), int(last[overt].max()) + 1)
    around = (*first[: overt[0]].tolist(), *first[overt[-1] + 1 :].tolist())
    return tuple(sorted({*inside, *around})) if around else tuple(inside)


class _Mention(NamedTuple):
    """A mention and its rows among all tokens, which are empty if it is unplaced."""

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
    for mention in _all_mentions(placed, tokens.first.tolist(), with_unplaced):
        entities.setdefault((mention.document, mention.label), []).append(mention)
    for entity_mentions in entities.values():
        entity_mentions.sort(key=_Mention.order)
    # The model chooses labels freely, so they must not decide the order.
    names = sorted(
        entities, key=lambda name: (name[0], [m.order() for m in entities[name]])
    )
    mentions = [mention for name in names for mention in entities[name]]
    document = _column([mention.document for mention in mentions])
    is_unplaced = np.array([not mention.tokens for mention in mentions], dtype=np.bool_)
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


def _all_mentions(
    placed: Sequence[PlacedAnswer], first: list[int], with_unplaced: bool
) -> Iterator[_Mention]:
    """Return the mentions of all answers, by document."""
    for document, answer in enumerate(placed):
        for mention in answer.mentions:
            tokens = tuple(first[document] + token for token in mention.tokens)
            yield _Mention(document, mention.label, tokens)
        for unplaced in answer.unplaced if with_unplaced else ():
            yield _Mention(document, unplaced.label, (), unplaced)


def _with_words(
    corpus: Corpus,
    key_words: Words,
    mentions: list[_Mention],
    trees: DependencyTrees | None,
) -> Corpus:
    """Add the words of mentions, and their heads.

    A mention that the key has, too, gets the head that it has in the key.
    """
    assert corpus.tokens is not None
    sets = _word_sets(corpus.tokens, mentions)
    start = bounds(_column([len(words) for words in sets]))
    member = _column([word for words in sets for word in words])
    key_head: dict[tuple[int, ...], int] = {}
    if trees:
        ends = pairwise(key_words.start.tolist())
        key_sets = [tuple(key_words.member[a:b].tolist()) for a, b in ends]
        heads = key_words.head.tolist()
        key_head = dict(zip(key_sets[::-1], heads[::-1], strict=True))
    head = _column(
        [
            key_head[words]
            if words in key_head
            else trees.head(words)
            if trees and mention.tokens
            else words[0]
            for words, mention in zip(sets, mentions, strict=True)
        ]
    )
    is_placed = ~corpus.is_unplaced
    is_zero = (head & EMPTY) > 0
    head_upos = np.zeros(len(head), np.uint64)
    if trees:
        head_upos[is_placed] = trees.upos_of(head[is_placed])
    dependencies = trees.dependencies if trees else {}
    words = Words(
        sentences=key_words.sentences,
        start=start,
        member=member,
        head=head,
        is_zero=is_zero,
        head_upos=head_upos,
        dependencies={
            node: frozenset(dependencies.get(node, ()))
            for node in head[is_zero].tolist()
        },
        by_document=key_words.by_document,
    )
    return dataclasses.replace(
        corpus,
        words=words,
        mention_start=member[start[:-1]],
        mention_end=member[start[1:] - 1],
    )


def _word_sets(tokens: Tokens, mentions: list[_Mention]) -> list[tuple[int, ...]]:
    """List the words of mentions.

    A mention that is not in the text gets the last words that a sentence could have,
    which no text contains.
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
        sets.append(tuple(sentence | word << WORD_BITS | empty for word in numbers))
    return sets


def _column(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)
