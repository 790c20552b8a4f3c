"""The tree of a mention, from the parse of the key, for `mina`.

coval reads the same pieces in its own way: see `shapes`.

A token of CoNLL-2012 has a piece of its sentence's tree: the phrases that open there, a
star for the word, the phrases that close. The tree of a mention is made of the pieces
of its own tokens, on either side from the key's:

    (TOP(S(NP*   the            (NP the dog)   is NP over two words,
             *)  dog
         (VP*))) barked         dog barked     is nothing over one word and VP.

Where the mention begins or ends inside a phrase:

- A phrase that opens in the mention and closes behind it is a phrase here, too: ``the``
  is NP over one word. But if all of it is again one phrase, that one is meant: TOP
  and S above are not the tree of ``the dog``.
- A phrase that opened before the mention is none of its phrases. What is left of it
  stands side by side under a root without a tag.
- Of phrases over the same words that close in the mention the outermost is the root.

Tags go by their first two letters: NP-SBJ is NP, and NML is NM.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.matching.documents import scored_documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Parses

_PIECE = re.compile(rb"(?:\([^()*]+)*\*\)*")
_SENTENCE = re.compile(rb"(?:(?:\([^()* ]+)*\*\)* )*")
_NO_PIECES = frozenset((b"", b"*", b"-", b"_"))
_NO_BRACKETS = bytes(set(range(256)) - set(b"()"))
_COLUMN = 6
_VERB_PHRASE = b"VP"


@dataclass(slots=True)
class Phrase:
    """A phrase over phrases and words; a word is its number in the mention."""

    tag: bytes
    children: list[Phrase | int] = field(default_factory=list)

    @property
    def words(self) -> list[int]:
        """List the words directly under the phrase."""
        return [child for child in self.children if isinstance(child, int)]

    @property
    def phrases(self) -> list[Phrase]:
        """List the phrases directly under the phrase."""
        return [child for child in self.children if isinstance(child, Phrase)]


@lru_cache(maxsize=1 << 16)
def tree(pieces: tuple[bytes, ...]) -> Phrase:
    """Make a tree of the pieces of a mention's words.

    >>> tree((b"(S(NP*", b"*)"))
    Phrase(tag=b'NP', children=[0, 1])
    """
    is_open = [Phrase(b"")]
    for word, piece in enumerate(pieces):
        tags, closed = _cut(piece)
        for tag in tags:
            phrase = Phrase(tag)
            is_open[-1].children.append(phrase)
            is_open.append(phrase)
        is_open[-1].children.append(word)
        if closed:
            # What opened before the mention has nothing to close here.
            del is_open[max(1, len(is_open) - closed) :]
    root = is_open[0]
    for phrase in is_open:
        if root is not phrase or len(root.children) > 1 or not root.phrases:
            break
        (root,) = root.phrases
    return root


@lru_cache(maxsize=1 << 16)
def _cut(piece: bytes) -> tuple[list[bytes], int]:
    """List the phrases that a piece opens, and count those that it closes."""
    opening, _, closing = piece.partition(b"*")
    return [tag[:2] for tag in opening.split(b"(")[1:]], len(closing)


def are_verb_phrases(
    key: Corpus, response: Corpus, documents: Documents, trees: Trees
) -> NDArray[np.bool_]:
    """Mark mentions whose root is VP: the key's, then the response's."""
    found = []
    for side, rows in ((key, documents.key), (response, documents.response)):
        key_row = np.append(documents.key, -1)[scored_documents(side, rows)]
        document = key_row[side.mention_document]
        places = zip(
            document.tolist(),
            side.mention_start.tolist(),
            side.mention_end.tolist(),
            strict=True,
        )
        roots = (trees.root(*place) for place in places)
        found += [root is not None and root.tag == _VERB_PHRASE for root in roots]
    return np.array(found, dtype=np.bool_)


class Trees:
    """The trees of mentions in the documents of a key.

    A sentence is looked at when a mention of it is asked for, and refused if its parse
    is not sound.
    """

    def __init__(self, key: Corpus, *, wanted_for: str) -> None:
        assert key.parses is not None  # noqa: S101 - a key without was refused
        self.parses: Parses = key.parses
        self._source = key.source
        self._wanted_for = wanted_for
        sentence = self.parses.sentence
        starts = np.flatnonzero(np.diff(sentence, prepend=-1))
        self._sentence: list[int] = sentence.tolist()
        self._sentence_start: list[int] = [*starts.tolist(), len(sentence)]
        self._first: list[int] = [*self.parses.first.tolist(), len(sentence)]
        self._sound: set[int] = set()

    def first_row(self, document: int, start: int, end: int) -> int | None:
        """Find where a mention stands among the tokens of the key.

        None if it crosses sentences, or is not in the key's text; -1 is no document.
        """
        if document < 0 or self._first[document] + end >= self._first[document + 1]:
            return None
        row = self._first[document] + start
        sentence = self._sentence[row]
        if sentence != self._sentence[row + end - start]:
            return None
        if sentence not in self._sound:
            self._check(sentence)
            self._sound.add(sentence)
        return row

    def root(self, document: int, start: int, end: int) -> Phrase | None:
        """Give the tree of a mention; None if it is not in one sentence of the key."""
        row = self.first_row(document, start, end)
        if row is None:
            return None
        return tree(self.parses.piece.texts(slice(row, row + end - start + 1)))

    def _check(self, sentence: int) -> None:
        """Refuse a sentence whose pieces do not make a tree."""
        first, last = self._sentence_start[sentence : sentence + 2]
        found = fault_in(self.parses.piece.texts(slice(first, last)))
        if found is not None:
            row, problem = found
            line = int(self.parses.line[first + row])
            raise refusal(problem, self._source, line, self._wanted_for)


def fault_in(pieces: tuple[bytes, ...]) -> tuple[int, str] | None:
    """Say what is wrong with the parse of a sentence, and at which token."""
    text = b" ".join((*pieces, b""))
    brackets = text.translate(None, _NO_BRACKETS)
    if brackets and _SENTENCE.fullmatch(text) and _is_balanced(brackets):
        return None
    return _fault(pieces)


def refusal(problem: str, source: str, line: int, wanted_for: str) -> FormatError:
    """Say what is wrong with the parses of a key, and what they are for."""
    return FormatError(
        problem,
        source=source,
        line=line,
        hint=f"{wanted_for} needs the parses of the key: column {_COLUMN}, such as "
        "'(NP*', in each sentence that has a mention",
    )


def _is_balanced(brackets: bytes) -> bool:
    while b"()" in brackets:
        brackets = brackets.replace(b"()", b"")
    return not brackets


def _fault(pieces: Sequence[bytes]) -> tuple[int, str]:
    """Say what is wrong with the parse of a sentence, and at which token."""
    if _NO_PIECES.issuperset(pieces):
        return 0, f"there is no parse in column {_COLUMN}"
    depth = 0
    for row, piece in enumerate(pieces):
        if not piece:
            return row, f"this row is too short to have a parse in column {_COLUMN}"
        if not _PIECE.fullmatch(piece):
            found = piece.decode("utf-8", "replace")
            return row, f"'{found}' in column {_COLUMN} is no piece of a parse"
        depth += piece.count(b"(") - piece.count(b")")
        if depth < 0:
            return row, "the parse closes a phrase here that it never opened"
    phrases = "a phrase" if depth == 1 else f"{depth} phrases"
    return 0, f"the parse of the sentence that starts here leaves {phrases} open"
