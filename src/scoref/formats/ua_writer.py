"""Writer of Universal Anaphora: puts the mentions of a corpus into a column of a file.

    1   The      …   (EntityID=e1|MarkableID=markable_1|Min=2   _
    2   choir    …   )                                          _

The file is Universal Anaphora or plain CoNLL-U. The writer replaces the column IDENTITY
or DISCOURSE_DEIXIS and, for identity, BRIDGING if the corpus has bridges. All other
cells are kept byte for byte. If a line names the columns, missing columns are added to
it and to the words. If there is no such line, it is added at the top, and words get all
fifteen columns. The written file reads back as the same mentions. The rules are:

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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scoref.formats.ua_text import NodeText
    from scoref.model import Corpus, Ints, Sentences, Words

    Line = list[bytes]
    Nodes = list[list[int]]


_NAME = re.compile(r"(?!.*-Pseudo$)[^|(),\s]+")

_RELATION = re.compile(r"[^|()\s]*")

_PLACE = (1 << SENTENCE_BITS) - 1


def write(
    corpus: Corpus, base: bytes, *, source: str = "<base>", deixis: bool = False
) -> bytes:
    """Put a corpus's mentions into a file of Universal Anaphora or CoNLL-U.

    Args:
        corpus: mentions of any format that says which words they are.
        base: a file with the same words; its own mentions are dropped.
        source: what to call ``base`` in an error.
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
    return base[: len(base) - len(data)] + file.written(values)


class _Writer:
    """Mentions of a corpus as cells of a file."""

    def __init__(self, corpus: Corpus, file: BaseFile) -> None:
        self._corpus = corpus
        self._file = file
        self._nodes, self._minimum = aligned(corpus, file)
        self._entity = corpus.mention_entity.tolist()
        used = sorted(set(self._entity))
        labels = [corpus.entity_label[row] for row in used]
        documents = corpus.entity_document[used].tolist() if used else []
        named = _distinct(labels, documents, "e")
        self._label = dict(zip(used, named, strict=True))
        # Without names of their own all are the same, and so all get new ones.
        names = corpus.anaphora.markable if corpus.anaphora else ()  # CorefUD has none
        given = names or ("",) * len(self._nodes)
        documents = corpus.mention_document.tolist()
        self._name = _distinct(given, documents, "markable_")

    def cells(self) -> dict[int, str]:
        """Write the brackets of each node."""
        rows = sorted(range(len(self._name)), key=self._name.__getitem__)
        brackets, crosses = _in_order(
            [part for row in rows for part in self._parts(row)]
        )
        opening = self._openings(dict.fromkeys(found.mention for found in brackets))
        cells: dict[int, str] = defaultdict(str)
        for bracket in brackets:
            row = bracket.mention
            if bracket.opens:
                cells[bracket.node] += opening[row] + ")" * bracket.closes
            else:
                cells[bracket.node] += f"{self._name[row] if crosses else ''})"
        return cells

    def bridges(self) -> dict[int, str]:
        """Write what BRIDGING says, at the first word of each anaphor."""
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
                    f"the relation '{relation}' cannot be written",
                    source=self._corpus.source,
                    hint="values have neither white space nor any of '|', '(' and ')'",
                )
            rel = f"|Rel={relation}" * bool(relation)
            cells[self._nodes[anaphor][0]] += (
                f"(MarkableID={self._name[anaphor]}{rel}"
                f"|MentionAnchor={self._name[antecedent]})"
            )
        return cells

    def _openings(self, rows: Iterable[int]) -> dict[int, str]:
        """Write what the opening brackets of mentions say."""
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
            if minimum := self._range(self._minimum[row]):
                text += f"|Min={minimum}"
            # Its first mention says what an entity is an element of.
            if found := plurals.pop(entity, None):
                text += f"|ElementOf={','.join(found)}"
            openings[row] = text
        return openings

    def _range(self, nodes: list[int]) -> str:
        """Write numbers of words if they are a range."""
        runs = self._runs(nodes)
        if len(runs) != 1 or self._file.text.code[nodes[0]] & EMPTY:
            return ""
        first, last = (self._number(node) for node in runs[0])
        return str(first) if first == last else f"{first},{last}"

    def _parts(self, row: int) -> list[_Part]:
        nodes = self._nodes[row]
        zeros = [node for node in nodes if self._file.text.code[node] & EMPTY]
        if zeros and len(nodes) > 1:
            label = self._corpus.entity_label[self._entity[row]]
            raise FormatError(
                f"a mention of entity {label} has this zero and other words",
                source=self._file.source,
                line=self._file.line(zeros[0]),
                hint="in Universal Anaphora a zero is a mention of its own: leave the "
                "empty node or the mention out",
            )
        return [_Part(row, first, last) for first, last in self._runs(nodes)]

    def _runs(self, nodes: list[int]) -> list[tuple[int, int]]:
        """Find words that stand side by side; zeros between them do not count."""
        if not nodes:
            return []
        ends = [
            (before, node)
            for before, node in pairwise(nodes)
            if self._number(node) != self._number(before) + 1
        ]
        first = [nodes[0], *(node for _, node in ends)]
        last = [*(before for before, _ in ends), nodes[-1]]
        return list(zip(first, last, strict=True))

    def _number(self, node: int) -> int:
        return (int(self._file.text.code[node]) & _PLACE) >> WORD_BITS


def _distinct(names: Sequence[str], documents: list[int], prefix: str) -> list[str]:
    """Keep names in documents where all can be written and told apart."""
    of_document: dict[int, list[str]] = defaultdict(list)
    for name, document in zip(names, documents, strict=True):
        of_document[document].append(name)
    kept = {
        document
        for document, found in of_document.items()
        if len(set(found)) == len(found) and all(map(_NAME.fullmatch, found))
    }
    count: Counter[int] = Counter()
    written = []
    for name, document in zip(names, documents, strict=True):
        count[document] += 1
        written.append(name if document in kept else f"{prefix}{count[document]}")
    return written


class _Part(NamedTuple):
    """Words of a mention that stand side by side: the first and the last node."""

    mention: int
    first: int
    last: int


class _Bracket(NamedTuple):
    """What opens a part, closes it, or both."""

    node: int
    mention: int
    opens: bool
    closes: bool


def _in_order(parts: list[_Part]) -> tuple[list[_Bracket], bool]:
    """Put brackets in order, and say whether any two parts cross.

    On a node, closing brackets come first, innermost first, then opening ones, the
    longest first, and those of the same length as they are given.
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
        for part in sorted(starting.get(node, ()), key=_longest_first):
            is_single = part.first == part.last
            brackets.append(_Bracket(node, part.mention, True, is_single))  # noqa: FBT003
            if not is_single:
                is_open.append(part)
    return brackets, crosses


def _longest_first(part: _Part) -> int:
    return -part.last


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
