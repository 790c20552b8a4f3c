"""A file that a corpus is written into: Universal Anaphora, or plain CoNLL-U.

Only cells are changed. Where a line names the columns, those that lack are added to it
and to the words. Where none does, words get all fifteen, and such a line is put atop.

Words of a corpus are counted by document, as here, by sentence, as in CorefUD, or are
the tokens of a document. In the last two multiword tokens do not count, but they are
lines of the file: those between two words of a mention belong to it.
"""

from __future__ import annotations

import re
from bisect import bisect
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, FormatError
from scoref.formats._base_documents import BaseDocuments
from scoref.formats._faults import Faults
from scoref.formats._text import shown
from scoref.formats._ua_columns import (
    DEIXIS,
    IDENTITY,
    NAMES,
    columns_of,
    has_tabs,
    headers,
    with_tabs,
)
from scoref.formats._ua_text import column, read_text
from scoref.model import EMPTY, SENTENCE_BITS, Tokens, WordSets, place_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.formats._ua_text import NodeText
    from scoref.model import Corpus, Ints, Sentences, Words

    Line = list[bytes]
    Nodes = list[list[int]]

_CONLLU = NAMES.index(IDENTITY)
_TAB, _BLANKS = re.compile(rb"(\t)"), re.compile(rb"([ \t]+)")
_ID = re.compile(rb"\s*0*([0-9]{1,6})(?:\.0*([0-9]{1,4}))?")
_NOTHING = b"_"
_SAME_TEXT = "the file must be the text that the mentions are from"


class BaseFile(NamedTuple):
    """The lines of a file, cut into cells, and its text.

    The line of a word is its cells, with what separates them, and what stands behind
    the last one. Any other line is one piece.
    """

    source: str
    lines: list[Line]
    names: tuple[str, ...]
    has_header: bool
    text: NodeText

    @classmethod
    def of(cls, data: bytes, source: str, cleared: tuple[str, ...]) -> BaseFile:
        """Cut a file into cells, empty some columns, and read its text."""
        found = headers(data)
        given = found[0].names if found else NAMES[:_CONLLU]
        wanted = cleared if found else NAMES[_CONLLU:]
        lacking = tuple(name for name in wanted if name not in given)
        names = (*given, *lacking)
        lines = _lines(data, source, given=len(given), wanted=len(names))
        for header in found:
            row = data.count(b"\n", 0, header.start)
            extension = "".join(f" {name}" for name in lacking).encode()
            end = header.end - header.start
            lines[row] = [lines[row][0][:end] + extension + lines[row][0][end:]]
        for cells in lines:
            for name in cleared if len(cells) > 1 else ():
                cells[2 * names.index(name)] = _NOTHING
        plain = with_tabs(_joined(lines), source)
        columns = columns_of(plain, source=source, deixis=DEIXIS in cleared)
        columns = columns._replace(bridging=None)
        text = read_text(plain, columns, source, Faults(source, lenient=False))
        return cls(source, lines, names, bool(found), text)

    def line(self, node: int) -> int:
        """Give the line of a node, counted from 1."""
        return int(self.text.rows.line[node])

    def documents(self, count: Ints) -> BaseDocuments:
        """Give the documents, of which these numbers of words are counted."""
        text = self.text
        return BaseDocuments(self.source, text.documents, text.document_line, count)

    def ids(self) -> tuple[Ints, Ints]:
        """Give each node's code as CorefUD has it, and list the multiword tokens."""
        place = 2 * self.names.index("ID")
        numbers, empties, tokens = [], [], []
        for node, line in enumerate(self.text.rows.line.tolist()):
            text = self.lines[line - 1][place]
            found = _ID.match(text)
            number, empty = found.groups() if found else (b"0", b"0")
            numbers.append(int(number))
            empties.append(int(empty or b"0"))
            if b"-" in text:
                tokens.append(node)
        sentence = self.text.rows.sentence
        code = place_codes(sentence, column(numbers), column(empties))
        code[tokens] = -1
        return code, column(tokens)

    def written(self, values: Mapping[str, Mapping[int, str]]) -> bytes:
        """Put values into columns, by their names and by nodes."""
        for name, of_node in values.items():
            place = 2 * self.names.index(name)
            for node, value in of_node.items():
                self.lines[self.line(node) - 1][place] = value.encode()
        header = b""
        if not self.has_header:
            end = b"\r\n" if self.lines[0][-1].endswith(b"\r") else b"\n"
            header = f"# global.columns = {' '.join(self.names)}".encode() + end
        return header + _joined(self.lines)


def _lines(data: bytes, source: str, *, given: int, wanted: int) -> list[Line]:
    """Cut lines into cells, and give each line of a word as many as it should have."""
    separator = _TAB if has_tabs(data) else _BLANKS
    lines: list[Line] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.startswith(b"#") or not line.strip():
            lines.append([line])
            continue
        end = len(line.rstrip(b"\r" if separator is _TAB else b" \t\r"))
        start = 0 if separator is _TAB else len(line) - len(line.lstrip())
        cells = separator.split(line[start:end])
        count = (len(cells) + 1) // 2
        if count < given:
            raise FormatError(
                f"this line has {count} columns and not {given}",
                source=source,
                line=number,
                text=shown(line),
                hint="a plain CoNLL-U file has ten columns between tabs; others are "
                "named in a line '# global.columns'",
            )
        cells[0] = line[:start] + cells[0]
        cells += [b"\t" if separator is _TAB else b" ", _NOTHING] * (wanted - count)
        lines.append([*cells, line[end:]])
    return lines


def _joined(lines: list[Line]) -> bytes:
    return b"\n".join(map(b"".join, lines))


def aligned(corpus: Corpus, base: BaseFile) -> tuple[Nodes, Nodes]:
    """Find the nodes of each mention, and those of its minimum."""
    words = corpus.words
    if words is None:
        mentions = _of_spans(corpus, base)
        return mentions, [[] for _ in mentions]
    if words.by_document:
        base.documents(base.text.document_tokens).check(corpus)
        _check_words(words, base, np.flatnonzero(~base.text.rows.is_zero))
        code, tokens = base.text.code, np.zeros(0, dtype=np.int64)
    else:
        code, tokens = base.ids()
        is_word = ~base.text.rows.is_zero & (code >= 0)
        _check_sentences(words.sentences, base)
        _check_words(words, base, np.flatnonzero(is_word))
    found = _finder(code, tokens, base)
    minimum = words.minimum or WordSets(np.zeros_like(words.start), words.member[:0])
    return found(words.start, words.member), found(*minimum)


def _finder(code: Ints, tokens: Ints, base: BaseFile) -> Callable[[Ints, Ints], Nodes]:
    """Make a function from sets of words to nodes."""
    order = np.argsort(code, kind="stable")
    words: Ints = np.cumsum(~base.text.rows.is_zero & (code >= 0))

    def found(start: Ints, member: Ints) -> Nodes:
        place = np.minimum(np.searchsorted(code[order], member), len(code) - 1)
        node = order[place]
        missing = np.flatnonzero(code[node] != member)
        if len(missing):
            is_zero = bool(member[missing[0]] & EMPTY)
            raise AlignmentError(
                f"a mention has a {'zero' if is_zero else 'word'} that is not here",
                source=base.source,
                hint="the empty nodes of all mentions must be in the file"
                if is_zero
                else _SAME_TEXT,
            )
        nodes = node.tolist()
        sets = [nodes[first:end] for first, end in pairwise(start.tolist())]
        return [_with_tokens(sorted(set(members)), tokens, words) for members in sets]

    return found


def _with_tokens(nodes: list[int], tokens: Ints, words: Ints) -> list[int]:
    """Add the multiword tokens between words of a set that follow each other.

    ``words`` counts the other words up to each node.
    """
    if not nodes or not len(tokens):
        return nodes
    found, (first, last) = set(nodes), np.searchsorted(tokens, [nodes[0], nodes[-1]])
    for token in tokens[first:last].tolist():
        place = bisect(nodes, token)
        if words[nodes[place]] - words[nodes[place - 1]] == 1:
            found.add(token)
    return sorted(found)


def _of_spans(corpus: Corpus, base: BaseFile) -> Nodes:
    """Find mentions that are spans of tokens."""
    code, tokens = base.ids()
    is_word = ~base.text.rows.is_zero & (code >= 0)
    words = np.flatnonzero(is_word)
    document = base.text.code[words] >> SENTENCE_BITS
    count = np.bincount(document, minlength=len(base.text.documents))
    first, last = base.documents(count).spans(corpus)
    spans = zip(first.tolist(), last.tolist(), strict=True)
    count = np.cumsum(is_word)
    return [_with_tokens(words[a : b + 1].tolist(), tokens, count) for a, b in spans]


def _check_sentences(sentences: Sentences, base: BaseFile) -> None:
    ours, theirs = base.text.sentences.document, sentences.document
    if len(ours) != len(theirs):
        raise AlignmentError(
            f"there are {len(ours)} sentences, but {len(theirs)} in the corpus",
            source=base.source,
            hint=_SAME_TEXT,
        )
    if (ours != theirs).any():
        row = int(np.argmax(ours != theirs))
        raise AlignmentError(
            f"sentence {row + 1} is in another document than in the corpus",
            source=base.source,
            line=int(base.text.sentences.line[row]),
            hint=_SAME_TEXT,
        )


def _check_words(words: Words, base: BaseFile, nodes: Ints) -> None:
    """Compare words one by one, those of a document or those of a sentence."""
    text, sentences = base.text, words.sentences
    unit = text.code[nodes] >> SENTENCE_BITS
    if not words.by_document:
        unit = text.rows.sentence[nodes]
        sentences = sentences._replace(document=np.arange(len(sentences.line)))
    nodes = nodes[np.argsort(unit, kind="stable")]
    units = int(max(unit.max(initial=-1), sentences.document.max(initial=-1))) + 1
    count = np.bincount(unit, minlength=units)
    place = np.cumsum(~text.rows.is_zero)[nodes] - 1
    ours = Tokens(
        first=np.concatenate(([0], np.cumsum(count))),
        sentence=text.rows.sentence[nodes],
        line=text.rows.line[nodes],
        word=text.sentences.word.take(place),
    )
    theirs = sentences.tokens(units)
    at = ours.first_difference(theirs)
    if at < 0:
        return
    if at >= min(len(ours.line), len(theirs.line)):
        problem, line = (
            f"there are {len(ours.line)} words, but {len(theirs.line)}",
            None,
        )
    elif ours.document[at] == theirs.document[at]:
        problem = f"this word is '{ours.word.text(at)}', but '{theirs.word.text(at)}'"
        line = int(ours.line[at])
    else:
        problem, line = "this word is in another place than", int(ours.line[at])
    raise AlignmentError(
        f"{problem} in the corpus", source=base.source, line=line, hint=_SAME_TEXT
    )
