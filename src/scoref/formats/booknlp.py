"""BookNLP's entities, and beside them the tokens that they are counted in.

    one.entities    COREF  start_token  end_token  prop  cat  text
                    12     0            0          PROP  PER  Mia
    one.tokens      paragraph_ID  sentence_ID  …  token_ID_within_document  word  …

Columns are separated by tabs, and nothing is quoted: a word may be a quotation mark.
Tokens are counted from 0 through the document, and the last one is part of the mention.
Without the tokens, mentions are known by their numbers alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats._builder import CorpusBuilder
from scoref.formats._faults import Faults
from scoref.formats._folders import read_beside
from scoref.formats._text import is_number, numbered_lines
from scoref.formats.format import BOOKNLP
from scoref.formats.token_sets import tokens_of
from scoref.model import DocumentName, Note
from scoref.rules import IMPOSSIBLE_SPAN, NO_DOCUMENT, UNREADABLE_LINE

if TYPE_CHECKING:
    from scoref.formats.format import Asked
    from scoref.model import Corpus, Tokens

HEADER = ("COREF", "start_token", "end_token", "prop", "cat", "text")
_NUMBERS = 3
_WORD, _SENTENCE, _NUMBER = "word", "sentence_ID", "token_ID_within_document"
_MOST = 2**53


def read(data: bytes, asked: Asked) -> Corpus:
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
