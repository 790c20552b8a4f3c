"""CorefUD, written: a corpus's mentions in the last column of a CoNLL-U file.

    # global.Entity = eid-etype-head-other
    1   The          …   Entity=(e27--3-
    2   viewing      …   Entity=(e28--1-)
    3   experience   …   Entity=e27)|SpaceAfter=No

All but the header and ``Entity=`` stays as it is, byte for byte. What is written
reads back as the same mentions, and these are the rules:

* On a word, closing brackets come first, innermost first, then opening ones, the
  longest first. A mention of one word is one bracket, ``(e1--1-)``: in two, the
  official scorer takes it to run on to the end of the sentence.
* A mention with a gap is written in pieces, ``(e1[1/2]--1-``; each piece says the
  head, counted over the words of all. A closing bracket closes what its entity
  opened last, so mentions of one entity cannot cross: the one that starts later is
  cut where the other ends, and goes on in a second piece behind it. Mentions
  without gaps can always be written so. With gaps, a new piece goes to the first
  mention of its entity that lacks one; where that is the wrong mention, nothing is
  written. (The official scorer refuses more: of two mentions in pieces, the one
  that starts later must end first, so that three mentions of an entity, each
  crossing the next, are read here but not there.)
* Mentions that came as spans of tokens are the words of the same numbers in the
  documents of the file, which come in the same order. Empty nodes between the first
  and the last word belong to them, and the head is the first word.
* Entities keep their names if these can be written, and if no two have the same.
  Otherwise all get new names: e1, e2, … in the order of the corpus, with zeros in
  front (e01) so that the order of the names is the same. In a corpus that was read
  from CorefUD, a name that comes again in a later document is the same entity.
* Types of entities are written if the corpus was read with them and if they can be;
  otherwise their field is empty. Bridge= and SplitAnte= stay, and may name entities
  that are no longer there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.errors import AlignmentError, FormatError
from scoref.formats import conllu, corefud
from scoref.formats._base_documents import BaseDocuments, bad_span
from scoref.formats._corefud_pieces import BracketValues, MentionRuns, MisplacedError
from scoref.formats._text import without_bom
from scoref.formats.corefud_limits import can_hold_name
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoref.formats._corefud_pieces import Run
    from scoref.model import Corpus, Ints, Sentences, Words

    Edit = tuple[int, int, bytes]

_HEADER = b"# global.Entity = eid-etype-head-other"
_OLD_HEADER = re.compile(rb"^# global\.Entity[ \t]*=[^\r\n]*", re.MULTILINE)
_ENTITY = b"Entity"
_FAR = np.iinfo(np.int64).max


def write(corpus: Corpus, base: bytes, *, source: str = "<base>") -> bytes:
    """Put a corpus's mentions into a CoNLL-U file: its Entity= values are replaced.

    Args:
        corpus: mentions of any format that says which words they are.
        base: CoNLL-U with the same sentences; its own mentions are dropped.
        source: what to call ``base`` in an error.

    Raises:
        AlignmentError: the corpus and the file are not the same text.
        FormatError: it is no CoNLL-U, or brackets cannot tell the mentions' words.
    """
    for fault in corpus.faults.values():
        raise fault
    if corpus.words is not None and corpus.words.by_document:
        problem = "words are counted by document here, and by sentence in CorefUD"
        hint = "`scoref convert` writes one format into the other"
        raise AlignmentError(problem, source=corpus.source, hint=hint)
    data = without_bom(base)
    file = _File.of(data, source)
    if corpus.words is None:
        mentions = _mentions_of_spans(corpus, file)
    else:
        mentions = _mentions_of_words(corpus.words, file)
    values = _values(corpus, mentions, file)
    edits = [*file.edits(values), file.header_edit()]
    return base[: len(base) - len(data)] + _edited(data, edits)


class _File(NamedTuple):
    """CoNLL-U to be written into: its nodes in columns, and where their MISC is."""

    data: bytes
    source: str
    code: Ints
    line: Ints
    misc_start: Ints
    misc_end: Ints

    @classmethod
    def of(cls, data: bytes, source: str) -> _File:
        columns, offset = [np.zeros((4, 0), dtype=np.int64)], 0
        for block in conllu.blocks(data, source):
            start, end = block.column(slice(None), conllu.MISC)
            rows = (block.code, block.line, start + offset, end + offset)
            columns.append(np.stack(rows))
            offset += len(block.lines.data)
        file = cls(data, source, *np.concatenate(columns, axis=1))
        disorder = np.flatnonzero(np.diff(file.code) <= 0)
        if len(disorder):
            raise FormatError(
                "this word is not in its place",
                source=source,
                line=int(file.line[disorder[0] + 1]),
                hint="words and empty nodes of a sentence stand in order: 1, 1.1, 2",
            )
        return file

    @property
    def sentence(self) -> Ints:
        """Give the sentence of each node."""
        return self.code >> SENTENCE_BITS

    def text(self) -> tuple[Corpus, Sentences]:
        """Read documents and sentences, as if there were no mentions."""
        found = corefud.read(_edited(self.data, self.edits({})), source=self.source)
        assert found.words is not None  # noqa: S101 - CorefUD has words
        return found, found.words.sentences

    def edits(self, values: Mapping[int, bytes]) -> list[Edit]:
        """Replace headers and the values of Entity=."""
        old = (place.start() for place in re.finditer(_ENTITY, self.data))
        at = np.fromiter(old, dtype=np.int64)
        node = np.searchsorted(self.misc_start, at, side="right") - 1
        inside = node >= 0
        inside[inside] = at[inside] < self.misc_end[node[inside]]
        edits = [
            (*header.span(), _HEADER) for header in _OLD_HEADER.finditer(self.data)
        ]
        edits += [
            self._misc_edit(node, values.get(node))
            for node in {*node[inside].tolist(), *values}
        ]
        return edits

    def _misc_edit(self, node: int, value: bytes | None) -> Edit:
        start, end = int(self.misc_start[node]), int(self.misc_end[node])
        line_start = self.data.rfind(b"\n", 0, start) + 1
        columns = self.data.count(b"\t", line_start, start) + 1
        if value and columns <= conllu.MISC:
            raise FormatError(
                f"a mention starts or ends here, but there are {columns} columns",
                source=self.source,
                line=int(self.line[node]),
                hint="CoNLL-U has ten columns between tabs, and Entity= is in the last",
            )
        return start, end, _misc(self.data[start:end], value)

    def header_edit(self) -> Edit:
        """Insert a header where the first sentence has none.

        It goes behind the line that starts the document, or atop the sentence.
        """
        words = self.data.rfind(b"\n", 0, int(self.misc_start[0])) + 1
        comments: list[bytes] = []
        for line in reversed(self.data[:words].split(b"\n")[:-1]):
            if not line.strip():
                break
            comments.insert(0, line + b"\n")
        place = words - sum(map(len, comments))
        if any(map(_OLD_HEADER.match, comments)):
            return place, place, b""
        for number, line in enumerate(comments, start=1):
            if conllu.NEWDOC.fullmatch(line):
                place += sum(map(len, comments[:number]))
                break
        first_line, _, _ = self.data.partition(b"\n")
        line_end = b"\r\n" if first_line.endswith(b"\r") else b"\n"
        return place, place, _HEADER + line_end


def _edited(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Replace pieces of a text, all at once."""
    parts, done = [], 0
    for start, end, new in sorted(edits):
        parts += [data[done:start], new]
        done = end
    return b"".join((*parts, data[done:]))


def _misc(old: bytes, value: bytes | None) -> bytes:
    """Replace Entity= where it stands; a new one comes last."""
    items = [] if old in {b"", b"_"} else old.split(b"|")
    is_old = [item.partition(b"=")[0] == _ENTITY for item in items]
    kept = [item for item, drop in zip(items, is_old, strict=True) if not drop]
    if value:
        last = len(items) - is_old[::-1].index(True) if True in is_old else len(items)
        kept.insert(last - sum(is_old), _ENTITY + b"=" + value)
    return b"|".join(kept) or b"_"


def _mentions_of_words(words: Words, file: _File) -> list[MentionRuns]:
    """Find the nodes of mentions that are sets of words."""
    _, sentences = file.text()
    _check_sentences(words.sentences, sentences, file)
    node = np.searchsorted(file.code, words.member)
    found = file.code[np.minimum(node, len(file.code) - 1)] == words.member
    if not found.all():
        _refuse_missing(int(words.member[np.argmin(found)]), sentences, file)
    nodes, heads = node.tolist(), np.searchsorted(file.code, words.head).tolist()
    starts, sentence = words.start.tolist(), file.sentence.tolist()
    mentions = []
    for head, start, end in zip(heads, starts, starts[1:], strict=False):
        members = sorted(set(nodes[start:end]))
        mentions.append(MentionRuns(_runs(members, sentence), members.index(head) + 1))
    return mentions


def _runs(nodes: list[int], sentence: list[int]) -> list[Run]:
    runs: list[Run] = []
    for node in nodes:
        goes_on = runs and runs[-1][1] == node - 1
        if goes_on and sentence[node - 1] == sentence[node]:
            runs[-1] = runs[-1][0], node
        else:
            runs.append((node, node))
    return runs


def _check_sentences(mine: Sentences, other: Sentences, file: _File) -> None:
    counts = len(mine.line), len(other.line)
    if counts[0] != counts[1]:
        raise AlignmentError(
            f"there are {counts[1]} sentences, but {counts[0]} in the corpus",
            source=file.source,
            hint="the file must be the text that the mentions are from",
        )
    differs = (mine.document != other.document) | (mine.word_count != other.word_count)
    place = int(np.argmax(differs)) if differs.any() else mine.first_difference(other)
    if place >= 0:
        raise AlignmentError(
            f"sentence {place + 1} is not the corpus's",
            source=file.source,
            line=int(other.line[place]),
            hint="documents and sentences must have the same words; "
            "only empty nodes may differ",
        )


def _refuse_missing(code: int, sentences: Sentences, file: _File) -> None:
    sentence, place = divmod(code, 1 << SENTENCE_BITS)
    number, empty = divmod(place, 1 << WORD_BITS)
    name = f"{number}.{empty}" if empty else str(number)
    raise AlignmentError(
        f"sentence {sentence + 1} has no word {name}, but a mention has it",
        source=file.source,
        line=int(sentences.line[sentence]),
        hint="the empty nodes of all mentions must be in the file",
    )


def _mentions_of_spans(corpus: Corpus, file: _File) -> list[MentionRuns]:
    """Find the nodes of mentions that are spans of tokens."""
    text, sentences = file.text()
    words = np.flatnonzero((file.code & EMPTY) == 0)
    document = sentences.document[file.sentence[words]]
    words = words[np.argsort(document, kind="stable")]
    count = np.bincount(document, minlength=len(text.documents))
    base = BaseDocuments(file.source, text.documents, text.document_line, count)
    first, last = (words[rows] for rows in base.spans(corpus))
    crosses = file.sentence[first] != file.sentence[last]
    if crosses.any():
        row = int(np.argmax(crosses))
        sentence = int(file.sentence[first[row]]) + 1
        problem = f"goes beyond sentence {sentence} of {file.source}"
        raise bad_span(corpus, row, problem)
    runs = zip(first.tolist(), last.tolist(), strict=True)
    return [MentionRuns([run], 1) for run in runs]


def _names(corpus: Corpus) -> dict[int, bytes]:
    """Give entities names that can be written, and that no two share."""
    used = np.unique(corpus.mention_entity).tolist()
    labels = [corpus.entity_label[row] for row in used]
    if all(map(can_hold_name, labels)) and _are_distinct(corpus, used):
        return {row: corpus.entity_label[row].encode() for row in used}
    width = len(str(len(used)))
    return {row: b"e%0*d" % (width, number) for number, row in enumerate(used, start=1)}


def _are_distinct(corpus: Corpus, used: list[int]) -> bool:
    """See whether a label is one entity's; in CorefUD, one that goes on as well.

    The reader sorts the parts of an entity that goes on in another document one
    behind the other, and would sort those of two entities otherwise.
    """
    last: dict[str, int] = {}
    for place, row in enumerate(used):
        label = corpus.entity_label[row]
        before = last.get(label)
        last[label] = place
        if before is None:
            continue
        documents = corpus.entity_document[[used[before], row]]
        goes_on = before == place - 1 and documents[0] != documents[1]
        if corpus.words is None or not goes_on:
            return False
    return True


def _values(
    corpus: Corpus, mentions: list[MentionRuns], file: _File
) -> dict[int, bytes]:
    """Write the brackets of each node."""
    of_entity: dict[int, list[MentionRuns]] = defaultdict(list)
    for row, mention in zip(corpus.mention_entity.tolist(), mentions, strict=True):
        of_entity[row].append(mention)
    values = BracketValues()
    for row, name in _names(corpus).items():
        try:
            kind = corpus.entity_type[row] if corpus.entity_type else ""
            kind = kind if can_hold_name(kind) else ""
            values.add(row, name, of_entity[row], kind.encode())
        except MisplacedError as error:
            sentence = int(file.sentence[error.node]) + 1
            raise FormatError(
                f"brackets cannot say which words the mentions of entity "
                f"{corpus.entity_label[row]} in sentence {sentence} have",
                source=file.source,
                line=int(file.line[error.node]),
                hint="where mentions of one entity cross in the gap of another one, "
                "or two have gaps, pieces would go to the wrong mention: leave one out",
            ) from error
    return values.joined()
