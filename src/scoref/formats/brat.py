r"""brat standoff: a text, and beside it what is annotated in it, by characters.

    one.txt    Ada said she would come .
    one.ann    T1	Mention 0 3	Ada
               T2	Mention 9 12	she
               *	Coreference T1 T2

Entities are read from lines of equivalence (``*``), from relations between two mentions
(``R1	Coreference Arg1:T2 Arg2:T1``), or from both; a mention that is in none is an
entity of its own. Written are lines of equivalence, since they hold entities as they
are.

Tokens are what blanks separate. In a text where mentions start or end inside of such
tokens, as in *Ada's* or *(she)*, tokens are runs of letters and digits, and other
characters one by one; if a mention still ends inside of one, it is cut there. A line is
a sentence.

A document is two files, called by its name with ``.txt`` and ``.ann``. What the name of
a file may not hold is written ``%20``, as in addresses, but for the slash: folders are
parts of names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import quote, unquote

import numpy as np

from scoref.errors import FormatError
from scoref.formats._brat_lines import COREFERENCE, LineReader
from scoref.formats._characters import BLANKS, cut
from scoref.formats._text import without_bom
from scoref.formats.token_sets import (
    Annotated,
    corpus_of,
    runs_of,
    sentence_starts,
    spelt,
)
from scoref.model import Note, Texts, Tokens, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.formats._brat_lines import Annotations, TextBound
    from scoref.formats._characters import Cut
    from scoref.model import Corpus

    Place = tuple[int, int]

NAME = "brat"
Splitting = Literal["auto", "blanks", "words"]

_MENTION = "Mention"
_TYPE = re.compile(r"(?!Mention$)[A-Za-z0-9_-]+")
_WORD = re.compile(r"[^ \t\n\r\v\f\0]+")
_WORDS = re.compile(r"\w+|[^\w\s]")
_LAST_BLANK = 0x3000  # of Unicode
_SAFE = re.compile(r"[\w\-~.]")


class Pair(NamedTuple):
    """A document: its name, its text, its annotations, and what to call these."""

    name: str
    text: bytes
    annotations: bytes
    source: str


def write(corpus: Corpus) -> dict[str, bytes]:
    """Write files by their names: a text and its annotations for each document.

    Raises:
        FormatError: there is no text, or there are empty nodes, or words with blanks.
    """
    tokens, words, (start, row) = spelt(corpus)
    for word, line in zip(words, tokens.line.tolist(), strict=True):
        if not can_hold_word(word):
            raise FormatError(
                f"the word {word!r} cannot be written",
                source=corpus.source,
                line=line or None,
                hint="blanks separate the words of a text",
            )
    is_start = sentence_starts(tokens).tolist()
    rows = row.tolist()
    members = [rows[a:b] for a, b in pairwise(start.tolist())]
    of_document: dict[int, list[int]] = defaultdict(list)
    document = corpus.entity_document[corpus.mention_entity].tolist()
    for mention, place in enumerate(document):
        of_document[place].append(mention)
    files = {}
    for number, (first, last) in enumerate(pairwise(tokens.first.tolist())):
        name = file_name(corpus.documents[number].short)
        text = _Text.of(words[first:last], is_start[first:last], first)
        lines = _annotations(corpus, of_document[number], members, text)
        files[f"{name}.txt"] = text.text.encode()
        files[f"{name}.ann"] = "".join(f"{line}\n" for line in lines).encode()
    return files


def can_hold_word(word: str) -> bool:
    """Say whether a word comes back as it is: blanks would cut it."""
    return _WORD.fullmatch(word) is not None


def can_hold_type(name: str) -> bool:
    """Say whether a mention can be of this type."""
    return _TYPE.fullmatch(name) is not None


def file_name(document: str) -> str:
    """Call a document's files something that every system takes.

    >>> file_name("bc/cctv_0"), file_name("../a b"), file_name("")
    ('bc/cctv_0', '%2E%2E/a%20b', '%')
    """
    parts = [
        "".join(each if _SAFE.match(each) else quote(each, safe="") for each in part)
        for part in document.split("/")
    ]
    return "/".join(
        (part.replace(".", "%2E") if set(part) <= {"."} else part) or "%"
        for part in parts
    )


def document_name(file: str) -> str:
    """Say which document a file is of, by its name without the suffix.

    >>> document_name("bc/cctv_0"), document_name("%2E%2E/a%20b"), document_name("%")
    ('bc/cctv_0', '../a b', '')
    """
    parts = ["" if part == "%" else part for part in file.split("/")]
    return "/".join(map(unquote, parts))


def read(
    pairs: Iterable[Pair], *, source: str, splitting: Splitting = "auto"
) -> Corpus:
    """Read documents; ``splitting`` says what tokens are, in all of them alike."""
    found = [_Document.of(pair) for pair in pairs]
    if not found:
        raise FormatError(
            "there is no document here",
            source=source,
            hint="a document is two files: one.txt, and one.ann beside it",
        )
    if splitting == "auto":
        fits = not any(each.tokens("blanks")[1] for each in found)
        splitting = "blanks" if fits else "words"
    collected = _Collected()
    for document in found:
        collected.add(document, *document.tokens(splitting))
    return collected.corpus(source, splitting)


class _Document(NamedTuple):
    """A document that was read: what it is called, its text, and what that says."""

    name: str
    text: str
    said: Annotations

    @classmethod
    def of(cls, pair: Pair) -> _Document:
        text = _decoded(pair.text, pair.source)
        reader = LineReader(text, pair.source)
        said = reader.read(_decoded(pair.annotations, pair.source))
        return cls(pair.name, text, said)

    def tokens(self, splitting: Splitting) -> tuple[Cut, int]:
        """Cut the text, and count the tokens cut where mentions start or end."""
        spans = chain(*(mention.spans for mention in self.said.mentions))
        blanks, words = BLANKS, list[int]()
        if splitting == "words":
            blanks = "".join(filter(str.isspace, map(chr, range(_LAST_BLANK + 1))))
            words = list(chain(*(each.span() for each in _WORDS.finditer(self.text))))
        whole = cut(self.text, words, blanks=blanks)
        found = cut(self.text, chain(words, *spans), blanks=blanks)
        return found, len(found.start) - len(whole.start)


class _Text(NamedTuple):
    """A document as it is written, and the places of its tokens."""

    text: str
    first: int
    start: list[int]
    end: list[int]
    sentence: list[int]

    @classmethod
    def of(cls, words: Sequence[str], starts: Sequence[bool], first: int) -> _Text:
        text: list[str] = []
        start, end, sentence = list[int](), list[int](), list[int]()
        at = 0
        for word, is_start in zip(words, starts, strict=True):
            if text:
                text.append("\n" if is_start else " ")
                at += 1
            text.append(word)
            start.append(at)
            at += len(word)
            end.append(at)
            sentence.append(is_start + (sentence[-1] if sentence else 0))
        return cls("".join(text) + "\n" * bool(text), first, start, end, sentence)

    def spans(self, tokens: Sequence[int]) -> list[Place]:
        """Find the characters of tokens; no span goes beyond a line."""
        places = [token - self.first for token in tokens]
        # Two tokens of different sentences are no neighbours if numbers have a gap.
        apart = {place: place + self.sentence[place] for place in places}
        back = {value: place for place, value in apart.items()}
        runs = runs_of([apart[place] for place in places])
        return [(self.start[back[a]], self.end[back[b]]) for a, b in runs]


def _annotations(
    corpus: Corpus, mentions: list[int], members: list[list[int]], text: _Text
) -> list[str]:
    lines, groups = [], defaultdict[int, list[str]](list)
    types = corpus.entity_type or ("",) * len(corpus.entity_label)
    for number, row in enumerate(mentions, start=1):
        entity = int(corpus.mention_entity[row])
        kind = types[entity] if can_hold_type(types[entity]) else _MENTION
        spans = text.spans(members[row])
        places = ";".join(f"{start} {end}" for start, end in spans)
        said = " ".join(text.text[start:end] for start, end in spans)
        lines.append(f"T{number}\t{kind} {places}\t{said}")
        groups[entity].append(f"T{number}")
    lines += [
        f"*\t{COREFERENCE} {' '.join(names)}"
        for names in groups.values()
        if len(names) > 1
    ]
    return lines


def _decoded(data: bytes, source: str) -> str:
    try:
        return without_bom(data).decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            "this is not UTF-8", source=source, hint="iconv -t UTF-8 makes UTF-8 of it"
        ) from error


class _Collected:
    """Documents that were read, one behind the other."""

    def __init__(self) -> None:
        self._cuts = 0
        self._others = 0
        self._documents: list[str] = []
        self._words: list[str] = []
        self._sentence: list[int] = []
        self._first = [0]
        self._entities: list[tuple[int, str, str]] = []
        self._mentions: list[tuple[int, int, list[int]]] = []

    def add(self, document: _Document, tokens: Cut, cuts: int) -> None:
        """Add a document; so many tokens were cut where mentions start or end."""
        self._cuts += cuts
        self._others += document.said.others
        first = len(self._words)
        self._words += tokens.word.strings()
        offset = self._sentence[-1] + 1 if self._sentence else 0
        self._sentence += (tokens.sentence + offset).tolist()
        for number, entity in enumerate(_entities(document.said)):
            kind = "" if entity[0].type == _MENTION else entity[0].type
            row = len(self._entities)
            self._entities.append((len(self._documents), str(number), kind))
            for mention in entity:
                members = _members(mention, tokens, first)
                self._mentions.append((row, mention.line, members))
        self._documents.append(document.name)
        self._first.append(len(self._words))

    def _notes(self, source: str, splitting: Splitting) -> list[Note]:
        """Tell what was decided, and what was not read."""
        notes = []
        if splitting == "words":
            message = f"{source}: tokens are runs of letters, not what blanks separate"
            notes.append(Note("split-words", len(self._words), message))
        if self._cuts:
            message = (
                f"{source}: {self._cuts} tokens cut where a mention starts or ends"
            )
            notes.append(Note("cut-tokens", self._cuts, message))
        if self._others:
            message = f"{source}: {self._others} lines of other annotations not read"
            notes.append(Note("other-annotations", self._others, message))
        return notes

    def corpus(self, source: str, splitting: Splitting) -> Corpus:
        """Freeze it."""
        notes = self._notes(source, splitting)
        members = [tokens for *_, tokens in self._mentions]
        first = np.array(self._first, dtype=np.int64)
        nothing = np.zeros(len(self._words), dtype=np.int64)
        annotated = Annotated(
            documents=tuple(self._documents),
            document_line=np.zeros(len(self._documents), dtype=np.int64),
            first=first,
            entity_document=_column(document for document, *_ in self._entities),
            entity_label=tuple(label for _, label, _ in self._entities),
            entity_type=tuple(kind for *_, kind in self._entities),
            mention_entity=_column(entity for entity, *_ in self._mentions),
            mention_line=_column(line for _, line, _ in self._mentions),
            members=WordSets(
                np.cumsum([0, *map(len, members)]),
                _column(token for each in members for token in each),
            ),
        )
        sentence = np.array(self._sentence, dtype=np.int64)
        tokens = Tokens(first, sentence, nothing, Texts.of(self._words))
        return corpus_of(
            annotated, source=source, format=NAME, tokens=tokens, notes=notes
        )


def _members(mention: TextBound, tokens: Cut, first: int) -> list[int]:
    """List the tokens of a mention; ``first`` is that of the document."""
    start, end = np.array(mention.spans, dtype=np.int64).T
    found: set[int] = set()
    for a, b in zip(*(run.tolist() for run in tokens.runs(start, end)), strict=True):
        found.update(range(first + a, first + b + 1))
    return sorted(found)


def _entities(annotations: Annotations) -> list[list[TextBound]]:
    """Put together what lines put together, in the order of first mentions."""
    leader = {mention.name: mention.name for mention in annotations.mentions}

    def found(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for group in annotations.groups:
        for name in group[1:]:
            leader[found(name)] = found(group[0])
    entities: dict[str, list[TextBound]] = {}
    for mention in annotations.mentions:
        entities.setdefault(found(mention.name), []).append(mention)
    return list(entities.values())


def _column(values: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.fromiter(values, dtype=np.int64)
