"""LitBank's table of mentions, and beside it the text, a sentence a line.

    one.ann    MENTION  T1  0  0  0  0  Mia  PER  PROP
               COREF    T1  Mia-0
    one.txt    Mia slept .

A mention goes from a word of a sentence to a word of a sentence, both counted from 0
and both part of it. Its entity is the whole label; a mention without one is an entity
of its own. Copulas and appositions (COP, APPOS) join nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats._builder import CorpusBuilder
from scoref.formats._folders import text_beside
from scoref.formats._text import is_number, numbered_lines
from scoref.formats.format import LITBANK_TSV
from scoref.formats.token_sets import tokens_of
from scoref.model import DocumentName
from scoref.rules import IMPOSSIBLE_SPAN, UNKNOWN_ENTITY, UNREADABLE_LINE

if TYPE_CHECKING:
    from scoref.formats.format import Asked
    from scoref.model import Corpus
    from scoref.rules import Rule

_MENTION, _COREFERENCE, _OTHERS = "MENTION", "COREF", ("COP", "APPOS")
_FIELDS = {_MENTION: 9, _COREFERENCE: 3}


def read(data: bytes, asked: Asked) -> Corpus:
    """Read one document, whose text lies beside the file."""
    text = _Text.of(text_beside(asked.source, ".txt"))
    mentions, labels = _Lines(asked.source).read(data, text)
    builder = CorpusBuilder(asked.source, LITBANK_TSV, has_labels=False)
    name = DocumentName.plain(asked.document)
    document = builder.add_document(name, line=1, tokens=len(text.words))
    entities: dict[str, int] = {}
    for identifier, mention in mentions.items():
        label = labels.get(identifier, identifier)
        if label not in entities or identifier not in labels:
            entities[label] = builder.add_entity(label, document)
        builder.mentions += [entities[label], *mention]
    return builder.build(tokens=tokens_of(text.words, text.sentence))


class _Text(NamedTuple):
    """Words, the sentence of each, and where sentences start."""

    words: list[str]
    sentence: list[int]
    first: list[int]

    @classmethod
    def of(cls, text: str) -> _Text:
        found = cls([], [], [0])
        for number, line in enumerate(text.split("\n")):
            words = line.split()
            found.words.extend(words)
            found.sentence.extend([number] * len(words))
            found.first.append(len(found.words))
        return found

    def place(self, sentence: int, word: int) -> int | None:
        """Find a word of a sentence."""
        if sentence + 1 >= len(self.first):
            return None
        place = self.first[sentence] + word
        return place if place < self.first[sentence + 1] else None


class _Lines:
    """Reads the lines of one document."""

    def __init__(self, source: str) -> None:
        self._source = source

    def read(
        self, data: bytes, text: _Text
    ) -> tuple[dict[str, tuple[int, int, int]], dict[str, str]]:
        """Give mentions, from where to where and in which line, and their labels."""
        mentions: dict[str, tuple[int, int, int]] = {}
        labels: dict[str, tuple[str, int, str]] = {}
        for number, line in numbered_lines(data, self._source):
            cells = line.split("\t")
            if cells[0] == _MENTION and len(cells) >= _FIELDS[_MENTION]:
                if cells[1] in mentions:
                    problem = f"{cells[1]} comes a second time"
                    raise self._error(UNREADABLE_LINE, problem, number, line)
                mentions[cells[1]] = self._mention(cells, number, line, text)
            elif cells[0] == _COREFERENCE and len(cells) >= _FIELDS[_COREFERENCE]:
                labels[cells[1]] = cells[2], number, line
            elif cells[0] not in _OTHERS:
                raise self._error(
                    UNREADABLE_LINE,
                    "this is no line of LitBank's annotations",
                    number,
                    line,
                    "expected MENTION with 9 fields, COREF with 3, COP or APPOS, "
                    "between tabs",
                )
        for identifier, (_, number, line) in labels.items():
            if identifier not in mentions:
                problem = f"there is no mention {identifier}"
                raise self._error(UNKNOWN_ENTITY, problem, number, line)
        return mentions, {name: label for name, (label, *_) in labels.items()}

    def _mention(
        self, cells: list[str], number: int, line: str, text: _Text
    ) -> tuple[int, int, int]:
        numbers = [int(cell) if is_number(cell) else -1 for cell in cells[2:6]]
        start = text.place(*numbers[:2]) if min(numbers) >= 0 else None
        end = text.place(*numbers[2:]) if min(numbers) >= 0 else None
        if start is None or end is None or start > end:
            raise self._error(
                IMPOSSIBLE_SPAN,
                f"there are no words {' '.join(cells[2:6])} in the text",
                number,
                line,
                "sentences are the lines of the text, counted from 0, as are words",
            )
        found = " ".join(text.words[start : end + 1])
        if found.split() != cells[6].split():
            raise self._error(
                IMPOSSIBLE_SPAN,
                f"this is '{found}' in the text",
                number,
                line,
                "the text must be the one that was annotated",
            )
        return start, end, number

    def _error(
        self, rule: Rule, problem: str, number: int, line: str, hint: str = ""
    ) -> FormatError:
        return FormatError(
            problem, rule=rule, source=self._source, line=number, text=line, hint=hint
        )
