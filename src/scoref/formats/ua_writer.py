"""Writer of Universal Anaphora: puts the mentions of a corpus into a column of a file.

    1   The      …   (EntityID=e1|MarkableID=markable_1|Min=2   _
    2   choir    …   )                                          _

The file is Universal Anaphora or plain CoNLL-U. The writer replaces the column IDENTITY
or DISCOURSE_DEIXIS and, for identity, BRIDGING if the corpus has bridges. All other
cells are kept byte for byte. If a line names the columns, missing columns are added to
it and to the words. Otherwise the line is added at the top, and words get all fifteen
columns. The written file reads back as the same mentions. The rules are:

* On a word, closing brackets come first, innermost first, then opening brackets, the
  longest markable first. A markable of one word is one bracket.
* A mention with a gap is written in parts of the same MarkableID, each with all
  attributes of the mention. Its minimum is written if it is a range of words.
* Closing brackets are bare, ``)``, if each closes the markable that was opened last. If
  this fails anywhere in the file, all closing brackets have names, ``markable_3)``.
* Entities and markables keep their names in documents where all names can be written
  and are different. In other documents, all get new names.
* A zero is a mention of its own: a mention of a zero and words cannot be written.
* Words of CorefUD are found by sentence and number, and tokens of other formats by
  their place in the document. Multiword tokens are not words there, but they are lines
  of this file: those between two words of a mention belong to it.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, FormatError
from scoref.formats.base_text import BaseDocuments
from scoref.formats.builder import Faults
from scoref.formats.input_files import shown, without_bom
from scoref.formats.ua_text import (
    BRIDGING,
    DEIXIS,
    IDENTITY,
    NAMES,
    column,
    columns_of,
    has_tabs,
    headers,
    read_text,
    with_tabs,
)
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS, Tokens, WordSets, place_codes
from scoref.model.arrays import bounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoref.formats.ua_text import NodeText
    from scoref.model import Corpus, Ints, Sentences, Words

    Line = list[bytes]
    Nodes = list[list[int]]


def write(
    corpus: Corpus, base: bytes, *, source: str = "<base>", deixis: bool = False
) -> bytes:
    """Write the mentions of a corpus into a file of Universal Anaphora or CoNLL-U.

    Args:
        corpus: a corpus of any format that says which words its mentions have.
        base: a file with the same words; its own mentions are dropped.
        source: the name of ``base`` in errors.
        deixis: whether to write DISCOURSE_DEIXIS instead of IDENTITY.

    Raises:
        AlignmentError: the corpus and the file are not the same text.
        FormatError: the file cannot be read, or a mention has a zero and words.
    """
    for fault in corpus.faults.values():
        raise fault
    data = without_bom(base)
    layer = DEIXIS if deixis else IDENTITY
    has_bridges = corpus.anaphora is not None and not deixis
    file = BaseFile.of(data, source, (layer, BRIDGING) if has_bridges else (layer,))
    writer = _Writer(corpus, file)
    values = {layer: writer.cells()}
    if has_bridges:
        values[BRIDGING] = writer.bridges()
    return base[: len(base) - len(data)] + file.fill(values)


_RELATION = re.compile(r"[^|()\s]*")

_PLACE = (1 << SENTENCE_BITS) - 1


class _Writer:
    """Writes the mentions of a corpus as cells of a file."""

    def __init__(self, corpus: Corpus, file: BaseFile) -> None:
        self._corpus = corpus
        self._file = file
        self._nodes, self._minimum = align(corpus, file)
        self._entity = corpus.mention_entity.tolist()
        used = sorted(set(self._entity))
        labels = [corpus.entity_label[row] for row in used]
        documents = corpus.entity_document[used].tolist() if used else []
        labels = _distinct_names(labels, documents, "e")
        self._label = dict(zip(used, labels, strict=True))
        # Mentions of other formats have no names. Equal names are replaced by new ones.
        names = corpus.anaphora.markable if corpus.anaphora else ()
        names = names or ("",) * len(self._nodes)
        documents = corpus.mention_document.tolist()
        self._name = _distinct_names(names, documents, "markable_")

    def cells(self) -> dict[int, str]:
        """Return the brackets of each node."""
        rows = sorted(range(len(self._name)), key=self._name.__getitem__)
        brackets, crosses = _sort_brackets(
            [part for row in rows for part in self._parts(row)]
        )
        opening = self._openings(dict.fromkeys(one.mention for one in brackets))
        cells: dict[int, str] = defaultdict(str)
        for bracket in brackets:
            row = bracket.mention
            if bracket.opens:
                cells[bracket.node] += opening[row] + ")" * bracket.closes
            else:
                cells[bracket.node] += f"{self._name[row] if crosses else ''})"
        return cells

    def bridges(self) -> dict[int, str]:
        """Return the cells of BRIDGING, at the first word of each anaphor."""
        cells: dict[int, str] = defaultdict(str)
        anaphora = self._corpus.anaphora
        assert anaphora is not None
        for anaphor, antecedent, relation in zip(
            anaphora.anaphor.tolist(),
            anaphora.antecedent.tolist(),
            anaphora.relation,
            strict=True,
        ):
            if not _RELATION.fullmatch(relation):
                raise FormatError(
                    f"cannot write the relation '{relation}'",
                    source=self._corpus.source,
                    hint="Values must not contain white space, '|', '(' or ')'.",
                )
            rel = f"|Rel={relation}" * bool(relation)
            cells[self._nodes[anaphor][0]] += (
                f"(MarkableID={self._name[anaphor]}{rel}"
                f"|MentionAnchor={self._name[antecedent]})"
            )
        return cells

    def _openings(self, rows: Iterable[int]) -> dict[int, str]:
        """Return the opening bracket of each mention."""
        anaphora, plurals = self._corpus.anaphora, defaultdict(list)
        pseudo: set[int] = set()
        if anaphora is not None:
            pseudo.update((~anaphora.is_referring).nonzero()[0].tolist())
            pairs = anaphora.plural.tolist(), anaphora.element.tolist()
            for plural, element in zip(*pairs, strict=True):
                if plural in self._label:
                    plurals[element].append(self._label[plural])
        openings = {}
        for row in rows:
            entity = self._entity[row]
            label = self._label[entity] + "-Pseudo" * (entity in pseudo)
            text = f"(EntityID={label}|MarkableID={self._name[row]}"
            minimum = self._minimum[row]
            runs = self._runs(minimum)
            if len(runs) == 1 and not self._file.text.code[minimum[0]] & EMPTY:
                first, last = (self._number(node) for node in runs[0])
                text += f"|Min={first}" if first == last else f"|Min={first},{last}"
            # Only the first mention of an entity has ElementOf.
            if labels := plurals.pop(entity, None):
                text += f"|ElementOf={','.join(labels)}"
            openings[row] = text
        return openings

    def _parts(self, row: int) -> list[_Part]:
        """Return the parts of a mention; refuse one with a zero and other words."""
        nodes = self._nodes[row]
        zeros = [node for node in nodes if self._file.text.code[node] & EMPTY]
        if zeros and len(nodes) > 1:
            label = self._corpus.entity_label[self._entity[row]]
            raise FormatError(
                f"a mention of entity {label} contains this zero and other words",
                source=self._file.source,
                line=self._file.line(zeros[0]),
                hint="In Universal Anaphora a zero is its own mention. Leave out the "
                "empty node or the mention.",
            )
        return [_Part(row, first, last) for first, last in self._runs(nodes)]

    def _runs(self, nodes: list[int]) -> list[tuple[int, int]]:
        """Join consecutive words; zeros between them do not count."""
        if not nodes:
            return []
        gaps = [
            (before, after)
            for before, after in pairwise(nodes)
            if self._number(after) != self._number(before) + 1
        ]
        first = [nodes[0], *(after for _, after in gaps)]
        last = [*(before for before, _ in gaps), nodes[-1]]
        return list(zip(first, last, strict=True))

    def _number(self, node: int) -> int:
        return (int(self._file.text.code[node]) & _PLACE) >> WORD_BITS


_NAME = re.compile(r"(?!.*-Pseudo$)[^|(),\s]+")


def _distinct_names(
    names: Sequence[str], documents: list[int], prefix: str
) -> list[str]:
    """Replace names in documents where some are equal or cannot be written."""
    of_document: dict[int, list[str]] = defaultdict(list)
    for name, document in zip(names, documents, strict=True):
        of_document[document].append(name)
    kept = {
        document
        for document, own in of_document.items()
        if len(set(own)) == len(own) and all(map(_NAME.fullmatch, own))
    }
    count: Counter[int] = Counter()
    distinct = []
    for name, document in zip(names, documents, strict=True):
        count[document] += 1
        distinct.append(name if document in kept else f"{prefix}{count[document]}")
    return distinct


class _Part(NamedTuple):
    """Consecutive words of a mention: the first and the last node."""

    mention: int
    first: int
    last: int


class _Bracket(NamedTuple):
    """A bracket that opens a part, closes it, or both."""

    node: int
    mention: int
    opens: bool
    closes: bool


def _sort_brackets(parts: list[_Part]) -> tuple[list[_Bracket], bool]:
    """Return the brackets of parts in order, and whether any two parts cross.

    On a node, closing brackets come first, innermost first, then opening ones, the
    longest first. Parts of the same length keep their order.
    """
    starting, ending = defaultdict(list), defaultdict(list)
    for part in parts:
        starting[part.first].append(part)
        if part.last > part.first:
            ending[part.last].append(part)
    brackets: list[_Bracket] = []
    is_open: list[_Part] = []
    crosses = False
    for node in sorted(starting.keys() | ending.keys()):
        closed = sorted(ending.get(node, ()), key=is_open.index, reverse=True)
        crosses |= is_open[len(is_open) - len(closed) :] != closed[::-1]
        for part in closed:
            is_open.remove(part)
            brackets.append(_Bracket(node, part.mention, opens=False, closes=True))
        for part in sorted(starting.get(node, ()), key=lambda part: -part.last):
            is_single = part.first == part.last
            bracket = _Bracket(node, part.mention, opens=True, closes=is_single)
            brackets.append(bracket)
            if not is_single:
                is_open.append(part)
    return brackets, crosses


_CONLLU = NAMES.index(IDENTITY)

_TAB, _BLANKS = re.compile(rb"(\t)"), re.compile(rb"([ \t]+)")

_ID = re.compile(rb"\s*0*([0-9]{1,6})(?:\.0*([0-9]{1,4}))?")

_NOTHING = b"_"

_SAME_TEXT = "Give the text that the mentions are from."


class BaseFile(NamedTuple):
    """The lines of a file, cut into cells, and its text.

    The line of a word is a list of its cells, the separators between them, and the line
    end. Any other line is a list of one piece.
    """

    source: str
    lines: list[Line]
    names: tuple[str, ...]
    has_header: bool
    text: NodeText

    @classmethod
    def of(cls, data: bytes, source: str, cleared: tuple[str, ...]) -> BaseFile:
        """Cut a file into cells, empty some columns, and read its text."""
        header_lines = headers(data)
        old = header_lines[0].names if header_lines else NAMES[:_CONLLU]
        needed = cleared if header_lines else NAMES[_CONLLU:]
        new = tuple(name for name in needed if name not in old)
        names = (*old, *new)
        lines = _cut_lines(data, source, least=len(old), count=len(names))
        for header in header_lines:
            row = data.count(b"\n", 0, header.start)
            extension = "".join(f" {name}" for name in new).encode()
            end = header.end - header.start
            lines[row] = [lines[row][0][:end] + extension + lines[row][0][end:]]
        for cells in lines:
            for name in cleared if len(cells) > 1 else ():
                cells[2 * names.index(name)] = _NOTHING
        plain = with_tabs(_join_lines(lines), source)
        columns = columns_of(plain, source=source, deixis=DEIXIS in cleared)
        columns = columns._replace(bridging=None)
        text = read_text(plain, columns, source, Faults(source, lenient=False))
        return cls(source, lines, names, bool(header_lines), text)

    def line(self, node: int) -> int:
        """Return the line of a node, counted from 1."""
        return int(self.text.rows.line[node])

    def documents(self, count: Ints) -> BaseDocuments:
        """Return the documents, with these numbers of words."""
        text = self.text
        return BaseDocuments(self.source, text.documents, text.document_line, count)

    def ids(self) -> tuple[Ints, Ints]:
        """Return the code of each node as in CorefUD, and the multiword tokens."""
        place = 2 * self.names.index("ID")
        numbers, empties, tokens = [], [], []
        for node, line in enumerate(self.text.rows.line.tolist()):
            text = self.lines[line - 1][place]
            match = _ID.match(text)
            number, empty = match.groups() if match else (b"0", b"0")
            numbers.append(int(number))
            empties.append(int(empty or b"0"))
            if b"-" in text:
                tokens.append(node)
        sentence = self.text.rows.sentence
        code = place_codes(sentence, column(numbers), column(empties))
        code[tokens] = -1
        return code, column(tokens)

    def fill(self, values: Mapping[str, Mapping[int, str]]) -> bytes:
        """Return the file with new values, by the name of the column and the node."""
        for name, of_node in values.items():
            place = 2 * self.names.index(name)
            for node, value in of_node.items():
                self.lines[self.line(node) - 1][place] = value.encode()
        header = b""
        if not self.has_header:
            end = b"\r\n" if self.lines[0][-1].endswith(b"\r") else b"\n"
            header = f"# global.columns = {' '.join(self.names)}".encode() + end
        return header + _join_lines(self.lines)


def _cut_lines(data: bytes, source: str, *, least: int, count: int) -> list[Line]:
    """Cut lines into cells; add empty cells to words that have fewer than ``count``."""
    separator = _TAB if has_tabs(data) else _BLANKS
    lines: list[Line] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.startswith(b"#") or not line.strip():
            lines.append([line])
            continue
        end = len(line.rstrip(b"\r" if separator is _TAB else b" \t\r"))
        start = 0 if separator is _TAB else len(line) - len(line.lstrip())
        cells = separator.split(line[start:end])
        columns = (len(cells) + 1) // 2
        if columns < least:
            raise FormatError(
                f"this line has {columns} columns instead of {least}",
                source=source,
                line=number,
                text=shown(line),
                hint="A plain CoNLL-U file has ten columns separated by tabs. Other "
                "columns are named in a line '# global.columns'.",
            )
        cells[0] = line[:start] + cells[0]
        cells += [b"\t" if separator is _TAB else b" ", _NOTHING] * (count - columns)
        lines.append([*cells, line[end:]])
    return lines


def _join_lines(lines: list[Line]) -> bytes:
    return b"\n".join(map(b"".join, lines))


def align(corpus: Corpus, base: BaseFile) -> tuple[Nodes, Nodes]:
    """Return the nodes of each mention, and those of its minimum."""
    words = corpus.words
    if words is None:
        mentions = _nodes_of_spans(corpus, base)
        return mentions, [[] for _ in mentions]
    if words.by_document:
        base.documents(base.text.document_tokens).check(corpus)
        code, tokens = base.text.code, np.zeros(0, dtype=np.int64)
    else:
        code, tokens = base.ids()
        _check_sentences(words.sentences, base)
    is_word = ~base.text.rows.is_zero & (code >= 0)
    _check_words(words, base, np.flatnonzero(is_word))
    order = np.argsort(code, kind="stable")
    words_before: Ints = np.cumsum(is_word)

    def nodes_of(start: Ints, member: Ints) -> Nodes:
        place = np.minimum(np.searchsorted(code[order], member), len(code) - 1)
        node = order[place]
        missing = np.flatnonzero(code[node] != member)
        if len(missing):
            is_zero = bool(member[missing[0]] & EMPTY)
            raise AlignmentError(
                f"a mention contains a {'zero' if is_zero else 'word'} that this file "
                "lacks",
                source=base.source,
                hint="The file must contain the empty nodes of all mentions."
                if is_zero
                else _SAME_TEXT,
            )
        nodes = node.tolist()
        sets = [nodes[first:end] for first, end in pairwise(start.tolist())]
        return [
            _add_tokens(sorted(set(members)), tokens, words_before) for members in sets
        ]

    minimum = words.minimum or WordSets(np.zeros_like(words.start), words.member[:0])
    return nodes_of(words.start, words.member), nodes_of(*minimum)


def _add_tokens(nodes: list[int], tokens: Ints, words_before: Ints) -> list[int]:
    """Add the multiword tokens between consecutive words of a mention.

    ``words_before`` counts the words up to each node.
    """
    if not nodes or not len(tokens):
        return nodes
    both, (first, last) = set(nodes), np.searchsorted(tokens, [nodes[0], nodes[-1]])
    for token in tokens[first:last].tolist():
        place = bisect(nodes, token)
        if words_before[nodes[place]] - words_before[nodes[place - 1]] == 1:
            both.add(token)
    return sorted(both)


def _nodes_of_spans(corpus: Corpus, base: BaseFile) -> Nodes:
    """Return the nodes of mentions that are spans of tokens."""
    code, tokens = base.ids()
    is_word = ~base.text.rows.is_zero & (code >= 0)
    words = np.flatnonzero(is_word)
    document = base.text.code[words] >> SENTENCE_BITS
    count = np.bincount(document, minlength=len(base.text.documents))
    first, last = base.documents(count).spans(corpus)
    spans = zip(first.tolist(), last.tolist(), strict=True)
    words_before: Ints = np.cumsum(is_word)
    return [
        _add_tokens(words[first : last + 1].tolist(), tokens, words_before)
        for first, last in spans
    ]


def _check_sentences(sentences: Sentences, base: BaseFile) -> None:
    """Refuse a file whose sentences are not in the documents of the corpus."""
    ours, theirs = base.text.sentences.document, sentences.document
    if len(ours) != len(theirs):
        raise AlignmentError(
            f"this file has {len(ours)} sentences, but the corpus has {len(theirs)}",
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
    """Refuse a file whose documents, or sentences, have other words than the corpus."""
    text, sentences = base.text, words.sentences
    unit = text.code[nodes] >> SENTENCE_BITS
    if not words.by_document:
        unit = text.rows.sentence[nodes]
        sentences = sentences._replace(document=np.arange(len(sentences.line)))
    nodes = nodes[np.argsort(unit, kind="stable")]
    place = np.cumsum(~text.rows.is_zero)[nodes] - 1
    ours = Tokens(
        first=bounds(np.bincount(unit)),
        sentence=text.rows.sentence[nodes],
        line=text.rows.line[nodes],
        word=text.sentences.word.take(place),
    )
    theirs = sentences.tokens()
    at = ours.first_difference(theirs)
    if at < 0:
        return
    if at >= min(len(ours.line), len(theirs.line)):
        problem = (
            f"this file has {len(ours.line)} words, but the corpus has "
            f"{len(theirs.line)}"
        )
        line = None
    elif ours.document[at] == theirs.document[at]:
        problem = (
            f"this word is '{ours.word.text(at)}', but the corpus has "
            f"'{theirs.word.text(at)}'"
        )
        line = int(ours.line[at])
    else:
        problem = "this word is in another place than in the corpus"
        line = int(ours.line[at])
    raise AlignmentError(problem, source=base.source, line=line, hint=_SAME_TEXT)
