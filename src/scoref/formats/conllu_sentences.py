"""The sentences and documents of a CoNLL-U file, collected block by block.

A document without a name goes by its number, and words before the first one make a
document of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.formats.conllu import FORM, SentenceIds
from scoref.model import DocumentName, Sentences, Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from scoref.formats.conllu import Block, Newdoc
    from scoref.model import Ints

    Mask = NDArray[np.bool_]


class Outline(NamedTuple):
    """The sentences and words of a block, or of a file; empty nodes are no words."""

    sentence_line: Ints
    sentence_ids: SentenceIds
    word_count: Ints
    word: Texts
    word_line: Ints
    newdoc: list[Newdoc]

    @classmethod
    def of(cls, block: Block, is_word: Mask, form: int = FORM) -> Outline:
        """Copy what will be needed of a block."""
        words, count = np.flatnonzero(is_word), len(block.sentence_line)
        first = block.sentence[0] if len(block.sentence) else 0
        return cls(
            sentence_line=block.sentence_line,
            sentence_ids=block.sentence_ids,
            word_count=np.bincount(block.sentence[words] - first, minlength=count),
            word=block.texts(words, form),
            word_line=block.line[words],
            newdoc=block.newdoc,
        )

    @classmethod
    def joined(cls, outlines: Sequence[Outline]) -> Outline:
        """Put those of a file's blocks together."""
        line, ids, count, word, word_line, newdoc = zip(*outlines, strict=True)
        of_sentence, texts = zip(*ids, strict=True)
        return cls(
            sentence_line=np.concatenate(line),
            sentence_ids=SentenceIds(np.concatenate(of_sentence), joined_texts(texts)),
            word_count=np.concatenate(count),
            word=joined_texts(word),
            word_line=np.concatenate(word_line),
            newdoc=[each for found in newdoc for each in found],
        )

    def sentences(self, documents: ConlluDocuments) -> Sentences:
        """Make sentences, given their documents."""
        return Sentences(
            document=documents.of_sentence,
            is_start=documents.is_start,
            line=self.sentence_line,
            identifier=self._identifiers(),
            word_count=self.word_count,
            word=self.word,
            word_line=self.word_line,
        )

    def _identifiers(self) -> Texts:
        """Give sentences the ids before their first words; the last one counts."""
        sentence, text = self.sentence_ids
        nothing = len(sentence)
        if np.array_equal(sentence, np.arange(len(self.sentence_line))):
            return text
        comment = np.full(len(self.sentence_line) + 1, nothing)
        comment[sentence] = np.arange(nothing)
        return Texts(text.data, np.append(text.length, 0)).take(comment[:-1])


class ConlluDocuments(NamedTuple):
    """Documents in columns, and the one of each sentence."""

    names: tuple[DocumentName, ...]
    line: Ints
    of_sentence: Ints
    is_start: Mask  # whether a sentence starts one, or a part of one

    @classmethod
    def of(
        cls,
        newdoc: Sequence[Newdoc],
        sentence_line: Ints,
        repeated: Callable[[str, int, int], None] | None = None,
    ) -> ConlluDocuments:
        """See which document each sentence belongs to.

        Words before the first one make a document of their own. One whose name comes
        again goes on; ``repeated`` is told its name, its first line and the new one.
        """
        names: dict[str, int] = {}
        lines: list[int] = []
        of_part = [0]
        starts = np.array([sentence for sentence, *_ in newdoc], dtype=np.int64)
        if not newdoc or starts[0] > 0:
            names[""] = 0
            lines.append(int(sentence_line[0]))
        for number, (_, line, given) in enumerate(newdoc, start=1):
            # Without a name it goes by its number.
            name = f"document {number}" if given is None else given
            if name not in names:
                lines.append(line)
            elif repeated:
                repeated(name, lines[names[name]], line)
            of_part.append(names.setdefault(name, len(names)))
        count = len(sentence_line)
        length = np.diff(starts, prepend=0, append=count)
        is_start = np.zeros(count + 1, dtype=np.bool_)
        is_start[starts] = True
        return cls(
            names=tuple(map(DocumentName.plain, names)),
            line=np.array(lines, dtype=np.int64),
            of_sentence=np.repeat(np.array(of_part, dtype=np.int64), length),
            is_start=is_start[:-1],
        )


def joined_texts(texts: Sequence[Texts]) -> Texts:
    """Put texts behind each other."""
    return texts[0] if len(texts) == 1 else Texts.joined(texts)
