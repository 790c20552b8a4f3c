"""CoNLL-U without mentions, as a base for writers that add mentions to a text.

The base is made from bare words or from a file. From a file it keeps the lemmas, trees
and comments of CorefUD, stanza and Universal Anaphora. It drops everything about
coreference: Entity=, Bridge=, SplitAnte=, chains, and columns after the tenth.
`BaseDocuments` checks that the documents of such a file are those of the corpus.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, FormatError
from scoref.formats import conllu, corefud, entities
from scoref.formats.catalogue import UNIVERSAL_ANAPHORA
from scoref.formats.conllu import DEPS, HEAD, MISC, NEWDOC
from scoref.formats.input_files import without_bom
from scoref.formats.stanza import has_chains
from scoref.formats.tokens import read_tokens
from scoref.formats.ua_text import NAMES, headers, with_tabs
from scoref.model.arrays import starts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoref.model import Corpus, DocumentName, Ints, Sentences, Tokens


_COLUMNS = MISC + 1

_NOTHING = b"_"


class Base(NamedTuple):
    """A text in CoNLL-U, and the places in it of the tokens from which it was made.

    ``code`` is the code of each token in CorefUD, and -1 for a multiword token, which
    is not a word there.
    """

    data: bytes
    sentences: Sentences
    line: Ints
    code: Ints


_WORD = re.compile(r"[^\t\n\r\0]+")

_NAME = re.compile(r"(?![ \t\v\f])[^\n\r\0]*(?<![ \t\v\f])")


def can_hold_word(word: str) -> bool:
    """Check whether a word can be read back."""
    return _WORD.fullmatch(word) is not None


def can_hold_name(name: str) -> bool:
    """Check whether a name can be read back; white space around it would be lost."""
    return _NAME.fullmatch(name) is not None


def plain_base(documents: Sequence[str], tokens: Tokens) -> Base:
    """Make a text of bare words, with sentences numbered by document."""
    lines: list[str] = []
    token_line: list[int] = []
    names = dict(zip(tokens.first[:-1].tolist(), documents, strict=True))
    name, sentence, number, empty = "", 0, 0, 0
    columns = tokens.word.strings(), tokens.is_start.tolist(), tokens.is_empty.tolist()
    for row, (word, is_start, is_empty) in enumerate(zip(*columns, strict=True)):
        if row in names:
            name, sentence = names[row], 0
        if is_start:
            lines += [""] * bool(lines)
            lines += [f"# newdoc id = {name}"] * (row in names)
            sentence, number, empty = sentence + 1, 0, 0
            lines.append(f"# sent_id = {name or 'sentence'}-{sentence}")
        number, empty = (number, empty + 1) if is_empty else (number + 1, 0)
        place = f"{number}.{empty}" if is_empty else str(number)
        lines.append("\t".join([place, word or "_", *["_"] * (_COLUMNS - 2)]))
        token_line.append(len(lines))
    data = "".join(f"{line}\n" for line in [*lines, ""]).encode()
    return _read(data, np.array(token_line, dtype=np.int64))


_HEADERS = re.compile(rb"#\s*global\.(?:Entity|columns)\b")

_COREFERENCE = (b"Entity", b"Bridge", b"SplitAnte", b"Split")


def base_of_file(data: bytes, format: str, line: Ints) -> Base | None:
    """Make a text of a file; ``line`` has the lines of its tokens.

    Return None if words are not numbered as in CoNLL-U, which is possible in Universal
    Anaphora.
    """
    data = without_bom(data)
    is_ua = format == UNIVERSAL_ANAPHORA
    if is_ua:
        data = with_tabs(data, "<base>")
    header = headers(data) if is_ua else []
    names = header[0].names if header else NAMES
    places = [names.index(name) if name in names else None for name in NAMES[:_COLUMNS]]
    lines: list[bytes] = []
    new_line = [0]
    for text in data.split(b"\n"):
        kept = _kept_lines(text, places, lines)
        lines += kept
        new_line.append(len(lines) if kept else 0)
    base = b"\n".join(lines)
    if not line.size or not is_ua or _is_in_order(base):
        return _read(base, np.array(new_line)[line])
    return None


def _kept_lines(
    text: bytes, places: list[int | None], before: list[bytes]
) -> list[bytes]:
    """Return what remains of a line: nothing of a header, ten columns of a word.

    In Universal Anaphora, a document may start without a blank line before it, so one
    is added.
    """
    if text.startswith(b"#"):
        if _HEADERS.match(text):
            return []
        is_start = NEWDOC.fullmatch(text.rstrip(b"\r")) is not None
        words = (line for line in reversed(before) if not line.startswith(b"#"))
        is_blank_missing = is_start and bool(next(words, b"").strip())
        return [b"", text] if is_blank_missing else [text]
    if not text.strip():
        return [text]
    bare = text.rstrip(b"\r")
    cells = bare.split(b"\t")
    kept = [
        cells[place] if place is not None and place < len(cells) else _NOTHING
        for place in places
    ]
    items = [
        item
        for item in kept[MISC].split(b"|")
        if item.partition(b"=")[0] not in _COREFERENCE and not has_chains(item)
    ]
    kept[MISC] = b"|".join(items) or _NOTHING
    return [b"\t".join(kept) + text[len(bare) :]]


def _is_in_order(data: bytes) -> bool:
    """Check whether words are numbered from 1 in each sentence, as in CoNLL-U."""
    sentence, number, empty = -1, 0, 0
    for block in _blocks(data):
        columns = (block.sentence, *block.id[:4])
        for at, first, last, is_empty, is_range in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            if at != sentence:
                sentence, number, empty = at, 0, 0
            expected = (number, empty + 1) if is_empty else (number + 1, last)
            if (first, last) != expected:
                return False
            if is_empty:
                empty += 1
            elif not is_range:
                number, empty = number + 1, 0
    return True


def _read(data: bytes, line: Ints) -> Base:
    """Read the text that was made, to find the codes of its tokens in CorefUD."""
    corpus = corefud.read(data, source="<base>")
    tokens = read_tokens(corpus, data)
    assert corpus.words is not None
    assert tokens is not None
    assert tokens.code is not None
    code = np.full(data.count(b"\n") + 2, -1, dtype=np.int64)
    code[tokens.line] = tokens.code
    return Base(data, corpus.words.sentences, line, code[line])


def with_relations(base: Base, values: Mapping[int, bytes]) -> Base:
    """Add attributes to the last column of tokens, by their rows."""
    lines = base.data.split(b"\n")
    for row, value in values.items():
        place = int(base.line[row]) - 1
        text = lines[place].rstrip(b"\r")
        end = lines[place][len(text) :]
        cells = text.split(b"\t")
        others = [] if cells[MISC] in {b"", _NOTHING} else [cells[MISC]]
        cells[MISC] = b"|".join([*others, value])
        lines[place] = b"\t".join(cells) + end
    return base._replace(data=b"\n".join(lines))


def with_trees(base: Base) -> Base:
    """Give a head to every word without one.

    Such words depend on the root of their sentence; if there is no root, the first of
    them is the root. An empty node without dependencies depends on the word before it,
    so that it is found by its place. The CorefUD scorer warns of every word without a
    head, and stops at such a node.
    """
    lines = base.data.split(b"\n")
    words: list[int] = []
    for row, line in enumerate([*lines, b""]):
        number, is_empty, _ = line.partition(b"\t")[0].partition(b".")
        if not line.strip():
            _add_heads(lines, words)
            words = []
        elif number.isdigit() and line.count(b"\t") == MISC:
            if not is_empty:
                words.append(row)
                continue
            cells = line.split(b"\t")
            if cells[DEPS] in {b"", _NOTHING}:
                cells[DEPS] = b"0:root" if number == b"0" else number + b":dep"
            lines[row] = b"\t".join(cells)
    return base._replace(data=b"\n".join(lines))


def _add_heads(lines: list[bytes], words: Iterable[int]) -> None:
    """Give a head to the words of one sentence that have none."""
    cells = {row: lines[row].split(b"\t") for row in words}
    headless = [row for row in cells if cells[row][HEAD] in {b"", _NOTHING}]
    if not headless:
        return
    root = next((row for row in cells if cells[row][HEAD] == b"0"), headless[0])
    for row in headless:
        head = (b"0", b"root") if row == root else (cells[root][0], b"dep")
        cells[row][HEAD : HEAD + 2] = head
        lines[row] = b"\t".join(cells[row])


def multiword_tokens(data: bytes, line: Ints) -> list[int]:
    """Return how many words each line of Universal Anaphora stands for; 0: one word."""
    data = with_tabs(without_bom(data), "<base>")
    header = headers(data)
    place = header[0].names.index("ID") if header else 0
    counts: dict[int, int] = {}
    for block in _blocks(data, place):
        multiword = np.flatnonzero(block.id.is_range)
        words = block.id.second[multiword] - block.id.number[multiword] + 1
        lines = block.line[multiword].tolist()
        counts.update(zip(lines, np.maximum(words, 1).tolist(), strict=True))
    return [counts.get(number, 0) for number in line.tolist()]


def _blocks(data: bytes, place: int = 0) -> Iterator[conllu.Block]:
    """Read words, empty nodes and multiword tokens without checking their numbers."""
    dialect = conllu.Dialect(lambda *_: None, place, has_ranges=True)
    return conllu.blocks(data, "<base>", dialect)


class BaseDocuments(NamedTuple):
    """The documents of a file, their lines, and their numbers of words."""

    source: str
    documents: tuple[DocumentName, ...]
    line: Ints
    words: Ints

    def check(self, corpus: Corpus) -> None:
        """Check that both have the same documents in the same order.

        Names and numbers of words are compared.

        Raises:
            AlignmentError: the documents differ.
        """
        ours, theirs = self.documents, corpus.documents
        if len(ours) != len(theirs):
            raise AlignmentError(
                f"this file has {len(ours)} documents, but {corpus.source} has "
                f"{len(theirs)}",
                source=self.source,
                hint="Start each document with '# newdoc id = ...' and keep the order "
                "of both files the same.",
            )
        rows = {name.name: row for row, name in enumerate(ours)}
        tokens = corpus.document_tokens
        tokens = self.words if tokens is None else tokens
        for row, document in enumerate(theirs):
            same_name = {rows[alias] for alias in document.aliases if alias in rows}
            if (same_name and row not in same_name) or tokens[row] != self.words[row]:
                raise AlignmentError(
                    f"document '{ours[row].name}' has {self.words[row]} words here, "
                    f"but document '{document.name}' of {corpus.source} has "
                    f"{tokens[row]}",
                    source=self.source,
                    line=int(self.line[row]),
                    hint="Documents must be in the same order and have the same words.",
                )

    def spans(self, corpus: Corpus) -> tuple[Ints, Ints]:
        """Return the first and the last word of mentions that are spans of tokens.

        Words are numbered through the file.

        Raises:
            AlignmentError: the file is not the text that the mentions are from.
            FormatError: the mentions are not from a text.
        """
        if corpus.format == entities.NAME:
            raise FormatError(
                "these mentions are plain values, not words of a text",
                source=corpus.source,
                hint="Give the entities as a file in which mentions have start and end "
                "tokens.",
            )
        self.check(corpus)
        document = corpus.mention_document
        start, end = corpus.mention_start, corpus.mention_end
        is_beyond = (start < 0) | (end < start) | (end >= self.words[document])
        if is_beyond.any():
            row = int(np.argmax(is_beyond))
            size = f"which has {self.words[document[row]]} words in {self.source}"
            raise span_error(corpus, row, f"goes beyond its document, {size}")
        offset = starts(self.words)[document]
        return start + offset, end + offset


def span_error(corpus: Corpus, row: int, problem: str) -> AlignmentError:
    """Return an error about a mention."""
    start, end = int(corpus.mention_start[row]), int(corpus.mention_end[row])
    label = corpus.entity_label[int(corpus.mention_entity[row])]
    return AlignmentError(
        f"the mention of entity {label} from token {start} to {end} {problem}",
        source=corpus.source,
        line=int(corpus.mention_line[row]) or None,
        hint="Both files must have the same tokens, and a CorefUD mention must end in "
        "the sentence in which it starts.",
    )
