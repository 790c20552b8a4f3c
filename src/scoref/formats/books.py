"""Readers of two formats for books: BookNLP's entities and LitBank's table of mentions.

BookNLP has a file of entities and a file of the tokens that they refer to:

    one.entities    COREF  start_token  end_token  prop  cat  text
                    12     0            0          PROP  PER  Mia
    one.tokens      paragraph_ID  sentence_ID  …  token_ID_within_document  word  …

Columns are separated by tabs and nothing is quoted, so a word may be a quotation mark.
Tokens are counted from 0 through the document, and the last token is part of the
mention. Without the file of tokens, mentions are known only by their numbers.

LitBank has a table of mentions and a text with one sentence per line:

    one.ann    MENTION  T1  0  0  0  0  Mia  PER  PROP
               COREF    T1  Mia-0
    one.txt    Mia slept .

The four numbers are the sentence and the word of the first and of the last word,
counted from 0. The whole label names the entity; a mention without a label is an entity
of its own. Copulas and appositions (COP, APPOS) do not join entities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats.builder import CorpusBuilder, Faults
from scoref.formats.catalogue import BOOKNLP, LITBANK_TSV
from scoref.formats.folders import read_beside, text_beside
from scoref.formats.input_files import is_number, numbered_lines
from scoref.formats.tokens import tokens_of
from scoref.model import DocumentName, Note
from scoref.rules import IMPOSSIBLE_SPAN, NO_DOCUMENT, UNKNOWN_ENTITY, UNREADABLE_LINE

if TYPE_CHECKING:
    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus, Tokens
    from scoref.rules import Rule


HEADER = ("COREF", "start_token", "end_token", "prop", "cat", "text")

_NUMBERS = 3

_WORD, _SENTENCE, _NUMBER = "word", "sentence_ID", "token_ID_within_document"

_MOST = 2**53


def read_booknlp(data: bytes, asked: ReadOptions) -> Corpus:
    """Read one document, with its text if it lies beside the file."""
    tokens = _tokens_beside(asked.source)
    count = None if tokens is None else len(tokens.sentence)
    builder = CorpusBuilder(asked.source, BOOKNLP, has_labels=False)
    name = DocumentName.plain(asked.document)
    document = builder.add_document(name, line=1, tokens=count or 0)
    faults = Faults(asked.source, lenient=asked.lenient)
    entities: dict[str, int] = {}
    for row in _rows(data, asked.source):
        if not 0 <= row.start <= row.end < (_MOST if count is None else count):
            faults.found("unreadable-mentions", _impossible(row, count, asked.source))
            continue
        if row.entity not in entities:
            entities[row.entity] = builder.add_entity(row.entity, document)
        builder.mentions += [entities[row.entity], row.start, row.end, row.line]
    notes = [*faults.notes(), *([] if tokens else [_unspelt(asked.source)])]
    return builder.build(notes, has_tokens=tokens is not None, tokens=tokens)


class _Row(NamedTuple):
    entity: str
    start: int
    end: int
    line: int
    text: str


def _rows(data: bytes, source: str) -> list[_Row]:
    lines = numbered_lines(data, source)
    if not lines or lines[0][1].split("\t") != [*HEADER]:
        raise FormatError(
            "the first line does not name BookNLP's columns",
            rule=NO_DOCUMENT,
            source=source,
            line=1,
            text=lines[0][1] if lines else "",
            hint=f"expected {', '.join(HEADER)}, between tabs",
        )
    return [_row(line, number, source) for number, line in lines[1:]]


def _row(line: str, number: int, source: str) -> _Row:
    cells = line.split("\t")
    numbers = cells[:_NUMBERS]
    if len(cells) < len(HEADER) or not all(map(is_number, numbers[1:])):
        raise FormatError(
            "this is no row of BookNLP's entities",
            rule=UNREADABLE_LINE,
            source=source,
            line=number,
            text=line,
            hint=f"expected {', '.join(HEADER)}, between tabs; tokens are numbers",
        )
    return _Row(cells[0], int(cells[1]), int(cells[2]), number, line)


def _impossible(row: _Row, count: int | None, source: str) -> FormatError:
    size = "" if count is None else f" of {count} tokens"
    return FormatError(
        f"{row.start} to {row.end} is no mention in a document{size}",
        rule=IMPOSSIBLE_SPAN,
        source=source,
        line=row.line,
        text=row.text,
        hint="tokens are counted from 0, and the last one is part of the mention",
    )


def _tokens_beside(source: str) -> Tokens | None:
    found = read_beside(source, ".tokens")
    if found is None:
        return None
    path, data = found
    lines = numbered_lines(data, path)
    names = lines[0][1].split("\t") if lines else []
    if not {_WORD, _SENTENCE, _NUMBER} <= {*names}:
        raise FormatError(
            "the first line does not name the columns of BookNLP's tokens",
            rule=NO_DOCUMENT,
            source=path,
            line=1,
            text=lines[0][1] if lines else "",
            hint=f"looked for {_NUMBER}, {_SENTENCE} and {_WORD}",
        )
    places = [names.index(name) for name in (_WORD, _SENTENCE, _NUMBER)]
    words, sentences = list[str](), list[int]()
    for number, line in lines[1:]:
        cells = line.split("\t")
        found_cells = [cells[at] for at in places if at < len(cells)]
        if len(found_cells) < len(places) or found_cells[2] != str(len(words)):
            raise FormatError(
                f"this is not token {len(words)} of the document",
                rule=UNREADABLE_LINE,
                source=path,
                line=number,
                text=line,
                hint="expected a row for each token, in the order of the text; was "
                "the file cut off?",
            )
        words.append(found_cells[0])
        sentences.append(_sentence(found_cells[1], sentences))
    return tokens_of(words, sentences)


def _sentence(cell: str, before: list[int]) -> int:
    last = before[-1] if before else 0
    return max(last, int(cell)) if is_number(cell) else last


def _unspelt(source: str) -> Note:
    message = f"{source}: there is no .tokens beside it: mentions are numbers of tokens"
    return Note("no-tokens", 1, message)


_MENTION, _COREFERENCE, _OTHERS = "MENTION", "COREF", ("COP", "APPOS")

_FIELDS = {_MENTION: 9, _COREFERENCE: 3}


def read_litbank_tsv(data: bytes, asked: ReadOptions) -> Corpus:
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
