"""Checks that key and response are the same text; the first difference is shown.

`pair_texts` serves corpora whose words are counted by document. It pairs documents by
name, in any order; their words must be the same. After that, a word has the same number
on both sides.

`check_sentences` compares two files sentence by sentence and word by word. Key and
response must have the same sentences, with the same ids and the same words, and
documents that start at the same places. Empty nodes may differ.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import AlignmentError, WithoutKey, place_of
from scoref.matching.documents import (
    OTHER_NAMES,
    differ,
    other_names,
    pair_documents,
    scored_documents,
)
from scoref.matching.other_words import PairedTexts
from scoref.model import SENTENCE_BITS, DocumentName, WordSets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Note, Sentences, Tokens
    from scoref.scheme import Scheme

    Mask = NDArray[np.bool_]


class OtherWord(NamedTuple):
    """The first difference of two texts: the word of each, and its line.

    A text that ends there has no word, and the line of its last one.
    """

    ours: str | None
    theirs: str | None
    our_line: int | None
    their_line: int | None

    def problem(self, source: str) -> str:
        """Describe the difference as a fault of the second text."""
        place = place_of(source, self.our_line)
        if self.theirs is None:
            return f"the text ends here, but continues with '{self.ours}' in {place}"
        if self.ours is None:
            return f"the text continues with '{self.theirs}', but ends in {place}"
        return f"this word is '{self.theirs}', but '{self.ours}' in {place}"

    def without_key(self, source: str) -> WithoutKey:
        """Describe the difference without the word of the key."""
        problem = f"this word is '{self.theirs}', but the key has another word"
        if self.theirs is None:
            problem = "the text ends here, but continues in the key"
        elif self.ours is None:
            problem = f"the text continues with '{self.theirs}', but ends in the key"
        return WithoutKey(problem, place_of(source, self.their_line))


def first_other_word(ours: Tokens, theirs: Tokens) -> OtherWord | None:
    """Return the first word that differs in two texts; None: they are the same."""
    at = ours.first_difference(theirs)
    if at < 0:
        return None

    def word(text: Tokens) -> str | None:
        return text.word.text(at) if at < len(text.line) else None

    def line(text: Tokens) -> int | None:
        last = text.line[: at + 1][-1:]
        return int(last[0]) or None if len(last) else None

    return OtherWord(word(ours), word(theirs), line(ours), line(theirs))


def refuse_other_words(
    ours: Tokens, theirs: Tokens, *, sources: tuple[str, str], hint: str
) -> None:
    """Check that two texts are the same.

    Raises:
        AlignmentError: they differ; the error shows the first word that does.
    """
    other = first_other_word(ours, theirs)
    if other is not None:
        raise AlignmentError(
            other.problem(sources[0]),
            source=sources[1],
            line=other.their_line,
            hint=hint,
            without_key=other.without_key(sources[1]),
        )


_PLACE = (1 << SENTENCE_BITS) - 1


def pair_texts(
    key: Corpus, response: Corpus, scheme: Scheme
) -> tuple[Corpus, Corpus, tuple[Note, ...]]:
    """Pair documents, check that they are the same text, and number them alike."""
    documents = pair_documents(key, response, scheme)
    both = np.flatnonzero((documents.key >= 0) & (documents.response >= 0))
    if scheme.reading != "strict":  # check only documents whose names differ
        others = other_names(key, response, documents.response[: len(key.documents)])
        both = both[np.isin(documents.key[both], others)]
    _check_words(key, response, documents.key[both], documents.response[both])
    notes = tuple(note for note in documents.notes if note.kind != OTHER_NAMES)
    if scheme.reading != "strict":
        notes += _note_words(key, response, documents)
    names = tuple(map(DocumentName.plain, documents.names))
    return (
        _renumber(key, scored_documents(key, documents.key), names),
        _renumber(response, scored_documents(response, documents.response), names),
        notes,
    )


def _check_words(key: Corpus, response: Corpus, ours: Ints, theirs: Ints) -> None:
    """Refuse paired documents with different words; the hint has names that differ."""
    if not len(ours):
        return
    words = _words_of(key, ours), _words_of(response, theirs)
    at = words[0].first_difference(words[1])
    if at < 0:
        return
    hint = "Documents must have the same words. Only zeros may differ."
    place = int(np.searchsorted(words[0].first, at, side="right")) - 1
    place = min(place, len(ours) - 1)
    names = key.documents[ours[place]], response.documents[theirs[place]]
    if differ(*names):
        hint = (
            f"Document '{names[1].name}' was paired with '{names[0].name}'. Use "
            "--document-names FILE to pair documents."
        )
    refuse_other_words(*words, sources=(key.source, response.source), hint=hint)


def _note_words(
    key: Corpus, response: Corpus, documents: Documents
) -> tuple[Note, ...]:
    """Report words that differ in documents with the same number of words."""
    texts = [
        side.words.sentences.tokens(len(side.documents))
        for side in (key, response)
        if side.words is not None
    ]
    both = np.flatnonzero((documents.key >= 0) & (documents.response >= 0))
    rows = documents.key[both], documents.response[both]
    sizes = [np.diff(text.first)[row] for text, row in zip(texts, rows, strict=True)]
    is_equal = sizes[0] == sizes[1]
    ours, theirs = (
        text.of_documents(row[is_equal]) for text, row in zip(texts, rows, strict=True)
    )
    if ours.first_difference(theirs) < 0:
        return ()
    names = [key.documents[row].name for row in rows[0][is_equal].tolist()]
    paired = PairedTexts(ours, theirs, (key.source, response.source), names)
    return paired.notes(len(names), len(ours.line))


def _words_of(corpus: Corpus, documents: Ints) -> Tokens:
    assert corpus.words is not None
    text = corpus.words.sentences.tokens(len(corpus.documents))
    return text.of_documents(documents)


def _renumber(
    corpus: Corpus, scored: Ints, documents: tuple[DocumentName, ...]
) -> Corpus:
    """Give documents the numbers by which they are scored; -1: not scored."""
    if np.array_equal(scored, np.arange(len(documents))):
        return corpus
    words = corpus.words
    assert words is not None

    def move(code: Ints) -> Ints:
        document = scored[code >> SENTENCE_BITS]
        new_code: Ints = code & _PLACE | (document << np.int64(SENTENCE_BITS))
        return new_code

    minimum = words.minimum
    if minimum is not None:
        minimum = WordSets(minimum.start, move(minimum.member))
    return dataclasses.replace(
        corpus,
        documents=documents,
        entity_document=scored[corpus.entity_document],
        words=words._replace(
            member=move(words.member),
            head=move(words.head),
            minimum=minimum,
            tree_head=None if words.tree_head is None else move(words.tree_head),
        ),
    )


class _ComparedText(NamedTuple):
    """The parts of one side that must equal those of the other."""

    source: str
    documents: list[str]
    sentences: Sentences

    @classmethod
    def of(cls, corpus: Corpus) -> _ComparedText:
        assert corpus.words is not None
        names = [document.name for document in corpus.documents]
        return cls(corpus.source, names, corpus.words.sentences)


def check_sentences(key: Corpus, response: Corpus) -> None:
    """Refuse a response with other sentences; the error shows the first difference."""
    texts = _ComparedText.of(key), _ComparedText.of(response)
    sides = texts[0].sentences, texts[1].sentences
    common = min(len(side.line) for side in sides)
    # Each is the first sentence that differs, -1 for none, and a number of `_KINDS`.
    firsts = [
        (_first(*(side.document[:common] for side in sides)), 0),
        (_first(*(side.is_start[:common] for side in sides)), 0),
        (sides[0].identifier.first_difference(sides[1].identifier), 1),
        (_first(*(side.word_count[:common] for side in sides)), 2),
        (sides[0].first_difference(sides[1]), 2),
    ]
    # Documents with other names may have the same numbers.
    names = zip(*(text.documents for text in texts), strict=False)
    for row, (name, other) in enumerate(names):
        if name != other:
            firsts.append((int(np.argmax(sides[0].document == row)), 0))
            break
    different = [(place, what) for place, what in firsts if 0 <= place < common]
    if different:
        _refuse(*texts, *min(different))
    if len(sides[0].line) != len(sides[1].line):
        _refuse_length(*texts)


def _first(one: Ints | Mask, other: Ints | Mask) -> int:
    different = np.flatnonzero(one != other)
    return int(different[0]) if len(different) else -1


_KINDS = (
    (
        "document of sentence {} differs from the key",
        "Documents must start at the same sentences, with the same ids.",
    ),
    (
        "id of sentence {} differs from the key",
        "Sentences must have the same ids, in the same order.",
    ),
    ("words of sentence {} differ from the key", "Only empty nodes may differ."),
)


def _refuse(key: _ComparedText, response: _ComparedText, place: int, what: int) -> None:
    kind, hint = _KINDS[what]
    shown = [_excerpt(text, place, what) for text in (key, response)]
    problem = f"the {kind.format(place + 1)}"
    raise AlignmentError(
        problem,
        source=response.source,
        line=shown[1][1],
        hint=hint,
        without_key=WithoutKey(problem, place_of(response.source, shown[1][1])),
        beside=(
            f"key       {place_of(key.source, shown[0][1])}: {shown[0][0]}",
            f"response  {place_of(response.source, shown[1][1])}: {shown[1][0]}",
        ),
    )


_WIDTH = 60


def _excerpt(side: _ComparedText, place: int, what: int) -> tuple[str, int]:
    """Return the document, the id or the words of a sentence, and its line."""
    sentences = side.sentences
    line = int(sentences.line[place])
    if what == 0:
        return f"'{side.documents[int(sentences.document[place])]}'", line
    if what == 1:
        return f"'{sentences.identifier.text(place)}'", line
    first = int(sentences.word_count[:place].sum())
    words = range(first, first + int(sentences.word_count[place]))
    text = " ".join(sentences.word.text(word) for word in words)
    return text if len(text) <= _WIDTH else text[:_WIDTH] + " …", line


def _refuse_length(key: _ComparedText, response: _ComparedText) -> None:
    shorter, longer = sorted((key, response), key=lambda text: len(text.sentences.line))
    common, count = len(shorter.sentences.line), len(longer.sentences.line)
    their_lines = response.sentences.line
    if shorter is response:
        problem = f"this file has {common} sentences, but the key has {count}"
        line = int(their_lines[-1]) if common else None
    else:
        problem = f"sentence {common + 1} of {count} is not in the key"
        line = int(their_lines[common])
    raise AlignmentError(
        f"sentence {common + 1} of {count} is not in {shorter.source}, which has "
        f"{common}",
        source=longer.source,
        line=int(longer.sentences.line[common]),
        hint="Key and response must have the same sentences.",
        without_key=WithoutKey(problem, place_of(response.source, line)),
    )
