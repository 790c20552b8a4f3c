"""The file that mentions are written into: are its documents those of the corpus?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, FormatError
from scoref.formats import entities

if TYPE_CHECKING:
    from scoref.model import Corpus, DocumentName, Ints


class BaseDocuments(NamedTuple):
    """The documents of a file, their lines, and how many words each has."""

    source: str
    documents: tuple[DocumentName, ...]
    line: Ints
    words: Ints

    def check(self, corpus: Corpus) -> None:
        """See whether documents come in the same order: by name, and by length.

        Raises:
            AlignmentError: they do not.
        """
        ours, theirs = self.documents, corpus.documents
        if len(ours) != len(theirs):
            raise AlignmentError(
                f"there are {len(ours)} documents, but {len(theirs)} in "
                f"{corpus.source}",
                source=self.source,
                hint="documents start with '# newdoc id = ...' and are taken in order",
            )
        places = {name.name: row for row, name in enumerate(ours)}
        tokens = corpus.document_tokens
        tokens = self.words if tokens is None else tokens
        for row, document in enumerate(theirs):
            named = {places[alias] for alias in document.aliases if alias in places}
            if (named and row not in named) or tokens[row] != self.words[row]:
                raise AlignmentError(
                    f"document '{ours[row].name}' with {self.words[row]} words is not "
                    f"document '{document.name}' with {tokens[row]} words of "
                    f"{corpus.source}",
                    source=self.source,
                    line=int(self.line[row]),
                    hint="documents must come in the same order, with the same words",
                )

    def spans(self, corpus: Corpus) -> tuple[Ints, Ints]:
        """Find the first and the last word of mentions that are spans of tokens.

        Words are numbered through the file, one document behind the other.

        Raises:
            AlignmentError: the file is not the text that the mentions are from.
            FormatError: they are from no text.
        """
        if corpus.format == entities.NAME:
            raise FormatError(
                "these mentions are mere values, not words of a text",
                source=corpus.source,
                hint="give the entities as a file, with tokens from start to end",
            )
        self.check(corpus)
        document = corpus.mention_document
        start, end = corpus.mention_start, corpus.mention_end
        is_beyond = (start < 0) | (end < start) | (end >= self.words[document])
        if is_beyond.any():
            row = int(np.argmax(is_beyond))
            of = f"which has {self.words[document[row]]} words in {self.source}"
            raise bad_span(corpus, row, f"goes beyond its document, {of}")
        offset = (np.cumsum(self.words) - self.words)[document]
        return start + offset, end + offset


def bad_span(corpus: Corpus, row: int, problem: str) -> AlignmentError:
    """Say what is wrong with a mention."""
    start, end = int(corpus.mention_start[row]), int(corpus.mention_end[row])
    label = corpus.entity_label[int(corpus.mention_entity[row])]
    return AlignmentError(
        f"the mention of entity {label} from token {start} to {end} {problem}",
        source=corpus.source,
        line=int(corpus.mention_line[row]) or None,
        hint="the file must have the same tokens, and a mention in CorefUD ends in "
        "the sentence in which it starts",
    )
