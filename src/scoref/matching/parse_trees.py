"""Trees, heads and minimum spans of mentions, from the parses of the key.

A token of CoNLL-2012 has a piece of its sentence's tree: the phrases that open there, a
star for the word, the phrases that close. The tree of a mention is made of the pieces
of its own tokens. The pieces are the key's for both sides:

    (TOP(S(NP*   the            (NP the dog)   is NP over two words,
             *)  dog
         (VP*))) barked         dog barked     is nothing over one word and VP.

Where the mention begins or ends inside a phrase:

- A phrase that opens in the mention and closes after it is a phrase here, too: ``the``
  is NP over one word. But if its only content is another phrase, that phrase is used:
  TOP and S above are not the tree of ``the dog``.
- A phrase that opened before the mention is not one of its phrases. Its remaining parts
  are next to each other under a root without a tag.
- Of several phrases over the same words that close in the mention, the outermost is the
  root.

Only the first two letters of a tag count: NP-SBJ is NP, and NML is NM.

`match_mina` finds minimum spans as in the paper (Moosavi et al., 2019; ``match:mina``):
the words that a mention cannot do without. In short, these are the words directly under
the mention's root or else those nearest to it, on a path through noun phrases only or
through verb phrases only. `minimum_spans` has coval's version, which works on units of
several words and reads the same pieces differently.

1. Words qualify if they have a letter or digit or are ``%``, unless they are brackets
   such as -LRB- or tagged CC, DT or IN.
2. The root decides which phrases are admissible: VP if it is VP; NP, NM, QP and NX if
   it is NP or NM. Otherwise its children decide: NP… if one is NP or NM; else VP if one
   is; else NP….
3. The words directly under the root that qualify are the minimum span.
4. If there is none: from each admissible child down through admissible phrases, the
   words that qualify at the shallowest depth that has one.
5. If there is no such child: the same from the root, through all phrases until the
   first that is NP, NM or VP, which decides which are admissible.
6. If nothing was found, or if the mention crosses sentences or is not in the key's
   text: the whole mention.

`head_word` returns the head of a mention: the last noun, name or pronoun among its
minimum words or, if there is none, the last of them. In *a 1977 agreement with
Czechoslovakia* these words are *1977* and *agreement*, and the head is *agreement*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.matching.documents import scored_documents
from scoref.matching.spans import match_by, span_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from scoref.matching import Matched
    from scoref.matching.documents import Documents
    from scoref.model import Corpus, Ints, Parses


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
        opening, _, closing = piece.partition(b"*")
        for tag in opening.split(b"(")[1:]:
            phrase = Phrase(tag[:2])
            is_open[-1].children.append(phrase)
            is_open.append(phrase)
        is_open[-1].children.append(word)
        if closing:
            # A phrase that opened before the mention is not among the open ones.
            del is_open[max(1, len(is_open) - len(closing)) :]
    root = is_open[0]
    for phrase in is_open:
        if root is not phrase or len(root.children) > 1 or not root.phrases:
            break
        (root,) = root.phrases
    return root


class Trees:
    """The trees of mentions in the documents of a key.

    A sentence is checked when the tree of one of its mentions is needed, and refused if
    its parse is not sound.
    """

    def __init__(self, key: Corpus, *, wanted_for: str) -> None:
        assert key.parses is not None
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
        """Return the row of a mention's first token in the key.

        None if the mention crosses sentences or is not in the key's text; document -1
        is not in the key.
        """
        if document < 0 or self._first[document] + end >= self._first[document + 1]:
            return None
        row = self._first[document] + start
        sentence = self._sentence[row]
        if sentence != self._sentence[row + end - start]:
            return None
        if sentence not in self._sound:
            first, last = self._sentence_start[sentence : sentence + 2]
            fault = fault_in(self.parses.piece.texts(slice(first, last)))
            if fault is not None:
                line = int(self.parses.line[first + fault[0]])
                raise refusal(fault[1], self._source, line, self._wanted_for)
            self._sound.add(sentence)
        return row

    def root(self, document: int, start: int, end: int) -> Phrase | None:
        """Return the tree of a mention; None if it is not in one sentence."""
        row = self.first_row(document, start, end)
        if row is None:
            return None
        return tree(self.parses.piece.texts(slice(row, row + end - start + 1)))


_SENTENCE = re.compile(rb"(?:(?:\([^()* ]+)*\*\)* )*")

_NO_BRACKETS = bytes(set(range(256)) - set(b"()"))


def fault_in(pieces: tuple[bytes, ...]) -> tuple[int, str] | None:
    """Return what is wrong with the parse of a sentence, and at which token."""
    text = b" ".join((*pieces, b""))
    brackets = text.translate(None, _NO_BRACKETS)
    if not brackets or not _SENTENCE.fullmatch(text):
        return _first_fault(pieces)
    while b"()" in brackets:
        brackets = brackets.replace(b"()", b"")
    return _first_fault(pieces) if brackets else None


_PIECE = re.compile(rb"(?:\([^()*]+)*\*\)*")

_NO_PIECES = frozenset((b"", b"*", b"-", b"_"))

_COLUMN = 6


def _first_fault(pieces: Sequence[bytes]) -> tuple[int, str]:
    if _NO_PIECES.issuperset(pieces):
        return 0, f"there is no parse in column {_COLUMN}"
    depth = 0
    for row, piece in enumerate(pieces):
        if not piece:
            return row, f"this row is too short to have a parse in column {_COLUMN}"
        if not _PIECE.fullmatch(piece):
            cell = piece.decode("utf-8", "replace")
            return row, f"'{cell}' in column {_COLUMN} is not part of a parse"
        depth += piece.count(b"(") - piece.count(b")")
        if depth < 0:
            return row, "the parse closes a phrase here that it never opened"
    phrases = "a phrase" if depth == 1 else f"{depth} phrases"
    return 0, f"the parse of the sentence that starts here leaves {phrases} open"


def refusal(problem: str, source: str, line: int, wanted_for: str) -> FormatError:
    """Return the error for a key with a bad parse, and say who needs parses."""
    return FormatError(
        problem,
        source=source,
        line=line,
        hint=f"{wanted_for} needs the parses of the key: column {_COLUMN}, such as "
        "'(NP*', in each sentence that has a mention.",
    )


def are_verb_phrases(
    key: Corpus, response: Corpus, documents: Documents, trees: Trees
) -> NDArray[np.bool_]:
    """Mark mentions whose root is VP: the key's, then the response's."""
    are_verbal = []
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
        are_verbal += [root is not None and root.tag == b"VP" for root in roots]
    return np.array(are_verbal, dtype=np.bool_)


_NOUNS = (b"N", b"PR", b"PN", b"WP")
"""How tags of nouns, names and pronouns begin, in English, Chinese and Arabic."""


def head_word(trees: Trees, document: int, start: int, end: int) -> int | None:
    """Return the head of a mention, as a token of the document.

    None if the mention is not in one sentence of the key's document.
    """
    row = trees.first_row(document, start, end)
    if row is None:
        return None
    words = minimum_span(trees, document, start, end)
    tags = trees.parses.tag.texts(slice(row, row + end - start + 1))
    nouns = [word for word in words if tags[word - start].startswith(_NOUNS)]
    return nouns[-1] if nouns else words[-1]


_NOMINAL = frozenset((b"NP", b"NM", b"QP", b"NX"))

_VERBAL = frozenset((b"VP",))

_DECIDING = {b"NP": _NOMINAL, b"NM": _NOMINAL, b"VP": _VERBAL}

_WEAK_TAGS = frozenset((b"CC", b"DT", b"IN"))

_BRACKETS = frozenset((b"-LRB-", b"-RRB-", b"-LSB-", b"-RSB-", b"-LCB-", b"-RCB-"))


def match_mina(
    key: Corpus, response: Corpus, documents: Documents, trees: Trees
) -> Matched:
    """Give mentions with equal minimum spans the same integer."""

    def codes(document: Ints, start: Ints, end: Ints) -> Ints:
        distinct, inverse = np.unique(
            span_codes(document, start, end), return_index=True, return_inverse=True
        )[1:]
        # Document -1 is not scored, and a later step drops its mentions.
        key_row = np.append(documents.key, -1)[document[distinct]]
        numbers: dict[tuple[int, ...], int] = {}
        code = [
            numbers.setdefault((scored, *minimum_span(trees, *place)), len(numbers))
            for scored, *place in zip(
                document[distinct].tolist(),
                key_row.tolist(),
                start[distinct].tolist(),
                end[distinct].tolist(),
                strict=True,
            )
        ]
        return np.array(code, dtype=np.int64)[inverse]

    return match_by(codes, key, response, documents)


def minimum_span(trees: Trees, document: int, start: int, end: int) -> tuple[int, ...]:
    """Return the words that a mention of the key's document must share to match.

    If the mention is not in one sentence of the key, these are its first word and, as a
    negative number, its last.
    """
    row = trees.first_row(document, start, end)
    if row is None:
        return start, ~end
    if start == end:
        return (start,)
    here = slice(row, row + end - start + 1)
    word, tag = trees.parses.word.texts(here), trees.parses.tag.texts(here)

    def qualifies(at: int) -> bool:
        return _qualifies(word[at], tag[at])

    words = _minimum_words(tree(trees.parses.piece.texts(here)), qualifies)
    return tuple([start + at for at in words or range(len(word))])


@lru_cache(maxsize=1 << 16)
def _qualifies(word: bytes, tag: bytes) -> bool:
    if tag in _WEAK_TAGS or word.upper() in _BRACKETS:
        return False
    text = word.decode("utf-8", "replace")
    return text == "%" or any(character.isalnum() for character in text)


def _minimum_words(root: Phrase, qualifies: Callable[[int], bool]) -> list[int]:
    """Choose the words of the minimum span; none if it is the whole mention."""
    direct = [word for word in root.words if qualifies(word)]
    if direct:
        return direct
    admissible = _DECIDING.get(root.tag)
    if admissible is None:
        deciding = [_DECIDING.get(phrase.tag) for phrase in root.phrases]
        is_verbal = _VERBAL in deciding and _NOMINAL not in deciding
        admissible = _VERBAL if is_verbal else _NOMINAL
    children = [phrase for phrase in root.phrases if phrase.tag in admissible]
    if not children:
        return _nearest_words(root, qualifies, None)
    return [
        word
        for child in children
        for word in _nearest_words(child, qualifies, admissible)
    ]


def _nearest_words(
    root: Phrase, qualifies: Callable[[int], bool], admissible: frozenset[bytes] | None
) -> list[int]:
    """Return the words that qualify at the shallowest depth."""
    level = [root]
    while level:
        words, below = [], []
        for phrase in level:
            admissible = admissible or _DECIDING.get(phrase.tag)
            if phrase is root or admissible is None or phrase.tag in admissible:
                words += [word for word in phrase.words if qualifies(word)]
                below += phrase.phrases
        if words:
            return words
        level = below
    return []
