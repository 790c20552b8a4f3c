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
from scoref.formats.folders import read_companion, read_companion_text
from scoref.formats.input_files import is_number, numbered_lines
from scoref.formats.tokens import tokens_of
from scoref.model import DocumentName, Note
from scoref.rules import IMPOSSIBLE_SPAN, NO_DOCUMENT, UNKNOWN_ENTITY, UNREADABLE_LINE

if TYPE_CHECKING:
    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus, Tokens
    from scoref.rules import Rule

    Mention = tuple[int, int, int]
    """First word, last word, and line."""


HEADER = ("COREF", "start_token", "end_token", "prop", "cat", "text")

_MOST_TOKENS = 2**53


def read_booknlp(data: bytes, options: ReadOptions) -> Corpus:
    """Read one document of BookNLP, with its text if the file of tokens is there."""
    source = options.source
    tokens = _booknlp_tokens(source)
    count = None if tokens is None else len(tokens.sentence)
    most = _MOST_TOKENS if count is None else count
    builder = CorpusBuilder(source, BOOKNLP, has_labels=False)
    name = DocumentName.plain(options.document)
    document = builder.add_document(name, line=1, tokens=count or 0)
    faults = Faults(source, lenient=options.lenient)
    entities: dict[str, int] = {}
    for label, start, end, number, line in _booknlp_rows(data, source):
        if not 0 <= start <= end < most:
            size = "" if count is None else f" of {count} tokens"
            error = FormatError(
                f"tokens {start} to {end} are not a mention in a document{size}",
                rule=IMPOSSIBLE_SPAN,
                source=source,
                line=number,
                text=line,
                hint="Tokens are counted from 0. The last token is part of the "
                "mention.",
            )
            faults.report("unreadable-mentions", error)
            continue
        if label not in entities:
            entities[label] = builder.add_entity(label, document)
        builder.mentions += [entities[label], start, end, number]
    notes = faults.notes()
    if tokens is None:
        stem = source.removesuffix(".entities")
        message = (
            f"{source} has no text, because there is no {stem}.tokens. Mentions are "
            "compared by token number."
        )
        notes.append(Note("no-tokens", 1, message))
    return builder.build(notes, has_tokens=tokens is not None, tokens=tokens)


class _Row(NamedTuple):
    entity: str
    start: int
    end: int
    number: int
    line: str


def _booknlp_rows(data: bytes, source: str) -> list[_Row]:
    """Read the mentions of a file of entities."""
    lines = numbered_lines(data, source)
    if not lines or lines[0][1].split("\t") != [*HEADER]:
        raise FormatError(
            "the first line does not have BookNLP's column names",
            rule=NO_DOCUMENT,
            source=source,
            line=1,
            text=lines[0][1] if lines else "",
            hint=f"Expected {', '.join(HEADER)}, separated by tabs.",
        )
    rows = []
    for number, line in lines[1:]:
        cells = line.split("\t")
        if len(cells) < len(HEADER) or not all(map(is_number, cells[1:3])):
            raise FormatError(
                "this is not a row of a BookNLP entities file",
                rule=UNREADABLE_LINE,
                source=source,
                line=number,
                text=line,
                hint=f"Expected {', '.join(HEADER)}, separated by tabs. Tokens are "
                "numbers.",
            )
        rows.append(_Row(cells[0], int(cells[1]), int(cells[2]), number, line))
    return rows


_TOKEN_COLUMNS = ("word", "sentence_ID", "token_ID_within_document")


def _booknlp_tokens(source: str) -> Tokens | None:
    """Read the file of tokens that belongs to a file of entities, if there is one."""
    companion = read_companion(source, ".tokens")
    if companion is None:
        return None
    path, data = companion
    lines = numbered_lines(data, path)
    names = lines[0][1].split("\t") if lines else []
    if not {*_TOKEN_COLUMNS} <= {*names}:
        raise FormatError(
            "the first line does not have the column names of BookNLP's tokens",
            rule=NO_DOCUMENT,
            source=path,
            line=1,
            text=lines[0][1] if lines else "",
            hint="Expected token_ID_within_document, sentence_ID and word.",
        )
    places = [names.index(name) for name in _TOKEN_COLUMNS]
    words, sentences = list[str](), list[int]()
    for number, line in lines[1:]:
        cells = line.split("\t")
        values = [cells[place] for place in places if place < len(cells)]
        if len(values) < len(places) or values[2] != str(len(words)):
            raise FormatError(
                f"expected token {len(words)} of the document here",
                rule=UNREADABLE_LINE,
                source=path,
                line=number,
                text=line,
                hint="Give one row per token, in the order of the text. Was the file "
                "cut off?",
            )
        words.append(values[0])
        # Sentences never go back; a cell that is not a number is the same sentence.
        before = sentences[-1] if sentences else 0
        sentence = int(values[1]) if is_number(values[1]) else before
        sentences.append(max(before, sentence))
    return tokens_of(words, sentences)


def read_litbank_tsv(data: bytes, options: ReadOptions) -> Corpus:
    """Read one document of LitBank, with the text that belongs to it."""
    text = _Text.of(read_companion_text(options.source, ".txt"))
    mentions, labels = _LitbankReader(options.source, text).read(data)
    builder = CorpusBuilder(options.source, LITBANK_TSV, has_labels=False)
    name = DocumentName.plain(options.document)
    document = builder.add_document(name, line=1, tokens=len(text.words))
    entities: dict[str, int] = {}
    for identifier, mention in mentions.items():
        label = labels.get(identifier, identifier)
        if label not in entities or identifier not in labels:
            entities[label] = builder.add_entity(label, document)
        builder.mentions += [entities[label], *mention]
    return builder.build(tokens=tokens_of(text.words, text.sentence))


class _Text(NamedTuple):
    """Words, the sentence of each, and the first word of each sentence."""

    words: list[str]
    sentence: list[int]
    first: list[int]

    @classmethod
    def of(cls, text: str) -> _Text:
        words, sentence, first = list[str](), list[int](), [0]
        for number, line in enumerate(text.split("\n")):
            words += line.split()
            sentence += [number] * (len(words) - len(sentence))
            first.append(len(words))
        return cls(words, sentence, first)

    def place(self, sentence: int, word: int) -> int | None:
        """Return the number of a word of a sentence, if there is such a word."""
        if sentence + 1 >= len(self.first):
            return None
        place = self.first[sentence] + word
        return place if place < self.first[sentence + 1] else None


class _LitbankReader:
    """Reads the lines of one document of LitBank."""

    def __init__(self, source: str, text: _Text) -> None:
        self._source = source
        self._text = text

    def read(self, data: bytes) -> tuple[dict[str, Mention], dict[str, str]]:
        """Return the mentions and the labels of their entities, by identifier."""
        mentions: dict[str, Mention] = {}
        labels: dict[str, tuple[str, int, str]] = {}
        for number, line in numbered_lines(data, self._source):
            match line.split("\t"):
                case ["MENTION", identifier, _, _, _, _, _, _, _, *_] as cells:
                    if identifier in mentions:
                        problem = f"{identifier} appears twice"
                        raise self._error(UNREADABLE_LINE, problem, number, line)
                    mentions[identifier] = self._mention(cells, number, line)
                case ["COREF", identifier, label, *_]:
                    labels[identifier] = label, number, line
                case ["COP" | "APPOS", *_]:
                    pass
                case _:
                    raise self._error(
                        UNREADABLE_LINE,
                        "this is not a line of LitBank annotations",
                        number,
                        line,
                        "Expected MENTION with 9 fields, COREF with 3, COP or APPOS, "
                        "separated by tabs.",
                    )
        for identifier, (_, number, line) in labels.items():
            if identifier not in mentions:
                problem = f"there is no mention '{identifier}'"
                raise self._error(UNKNOWN_ENTITY, problem, number, line)
        return mentions, {name: label for name, (label, *_) in labels.items()}

    def _mention(self, cells: list[str], number: int, line: str) -> Mention:
        text = self._text
        numbers = [int(cell) if is_number(cell) else -1 for cell in cells[2:6]]
        start = text.place(*numbers[:2]) if min(numbers) >= 0 else None
        end = text.place(*numbers[2:]) if min(numbers) >= 0 else None
        if start is None or end is None or start > end:
            raise self._error(
                IMPOSSIBLE_SPAN,
                f"the text has no words {' '.join(cells[2:6])}",
                number,
                line,
                "Each line of the text is a sentence. Sentences and words are counted "
                "from 0.",
            )
        words = text.words[start : end + 1]
        if words != cells[6].split():
            raise self._error(
                IMPOSSIBLE_SPAN,
                f"the text has '{' '.join(words)}' here",
                number,
                line,
                "Give the text that was annotated.",
            )
        return start, end, number

    def _error(
        self, rule: Rule, problem: str, number: int, line: str, hint: str = ""
    ) -> FormatError:
        return FormatError(
            problem, rule=rule, source=self._source, line=number, text=line, hint=hint
        )
