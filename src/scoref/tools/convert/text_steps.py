"""What formats cannot hold of a text: its words, sentences, documents and names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from scoref.model import Texts
from scoref.tools.convert.losses import LEFT_OUT, Step, at_token

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from scoref.tools.convert.content import Content
    from scoref.tools.convert.losses import Found

    Mask = NDArray[np.bool_]

_UNWRITABLE = re.compile(r"[\s\0]+")


def _empty_nodes(content: Content) -> Found:
    rows = np.flatnonzero(content.text.is_empty)
    if not len(rows):
        return content, 0, ""
    left = content.keep_tokens(~content.text.is_empty)
    return left, len(rows), at_token(content, int(rows[0]))


def _wordless_documents(content: Content) -> Found:
    return _documents(content, np.diff(content.text.first) > 0)


def _mentionless_documents(content: Content) -> Found:
    has_some = np.zeros(len(content.documents), dtype=np.bool_)
    has_some[content.entity_document] = True
    return _documents(content, has_some)


def _documents(content: Content, kept: Mask) -> Found:
    if kept.all():
        return content, 0, ""
    first = int(np.argmin(kept))
    place = f"{content.source}, document '{content.documents[first]}'"
    return content.keep_documents(kept), int((~kept).sum()), place


def _sentences(content: Content) -> Found:
    text = content.text
    whole = text._replace(sentence=text.document)
    rows = np.flatnonzero(text.is_start & ~whole.is_start)
    left = content._replace(text=whole)
    return left, len(rows), at_token(content, int(rows[0])) if len(rows) else ""


def _words(content: Content) -> Found:
    """Keep the texts of mentions, and nothing else."""
    if not content.has_words:
        return content, 0, ""
    words = content.text.word.strings()
    texts = (" ".join(words[token] for token in each) for each in content.lists())
    left = content._replace(has_words=False, mention_text=tuple(texts))
    return left, len(words), at_token(content, 0) if words else ""


def spelling(can_hold: Callable[[str], bool]) -> Step:
    """Make a step for words that a format cannot write."""

    def find(content: Content) -> Found:
        words = content.text.word.strings() if content.has_words else []
        is_empty = content.text.is_empty.tolist()
        rows = [
            row
            for row, word in enumerate(words)
            if not is_empty[row] and not can_hold(word)
        ]
        if not rows:
            return content, 0, ""
        for row in rows:
            words[row] = _UNWRITABLE.sub("_", words[row]) or "_"
        left = content._replace(text=content.text._replace(word=Texts.of(words)))
        return left, len(rows), at_token(content, rows[0])

    outcome = "white space in them becomes '_'"
    return Step("spellings", "words that cannot be written", outcome, find)


def naming(can_hold: Callable[[str], bool]) -> Step:
    """Make a step for names of documents that a format cannot write."""

    def find(content: Content) -> Found:
        rows = [row for row, name in enumerate(content.documents) if not can_hold(name)]
        if not rows:
            return content, 0, ""
        names, taken = list(content.documents), set(content.documents)
        for row in rows:
            name = bare = _UNWRITABLE.sub("_", names[row])
            number = 1
            while name in taken:
                number += 1
                name = f"{bare}-{number}"
            names[row] = name
            taken.add(name)
        place = f"document {content.documents[rows[0]]!r}"
        return content._replace(documents=tuple(names)), len(rows), place

    outcome = "white space in them becomes '_'"
    return Step("document-names", "names of documents", outcome, find)


EMPTY_NODES = Step("empty-nodes", "empty nodes", LEFT_OUT, _empty_nodes)
WORDLESS = Step("documents", "documents without words", LEFT_OUT, _wordless_documents)
MENTIONLESS = Step(
    "documents", "documents without mentions", LEFT_OUT, _mentionless_documents
)
SENTENCES = Step("sentences", "sentence boundaries", LEFT_OUT, _sentences)
WORDS = Step("words", "words", "left out but for the texts of mentions", _words)
