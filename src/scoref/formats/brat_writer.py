"""Entities as brat standoff: a text and its annotations for each document.

Entities are lines of equivalence (``*``), since these hold them as they are. What the
name of a file may not hold is written ``%20``, as in addresses, but for the slash:
folders are parts of names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from scoref.errors import FormatError
from scoref.formats._brat_lines import COREFERENCE, MENTION
from scoref.formats.token_sets import runs_of, spelt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.model import Corpus

    Place = tuple[int, int]

_TYPE = re.compile(r"(?!Mention$)[A-Za-z0-9_-]+")
_WORD = re.compile(r"[^ \t\n\r\v\f\0]+")
_SAFE = re.compile(r"[\w\-~.]")


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
    is_start = tokens.is_start.tolist()
    rows = row.tolist()
    members = [rows[a:b] for a, b in pairwise(start.tolist())]
    of_document: dict[int, list[int]] = defaultdict(list)
    document = corpus.mention_document.tolist()
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
        kind = types[entity] if can_hold_type(types[entity]) else MENTION
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
