"""Universal Anaphora, written: a corpus's mentions in a column of a file.

    1   The      …   (EntityID=e1|MarkableID=markable_1|Min=2   _
    2   choir    …   )                                          _

The column IDENTITY or DISCOURSE_DEIXIS is replaced and, for identity, BRIDGING if the
corpus knows of bridges. All else stays as it is, byte for byte. What is written reads
back as the same mentions, and these are the rules:

* On a word, closing brackets come first, innermost first, then opening ones, the
  longest first. A markable of one word is one bracket.
* A mention with a gap is written in parts of the same MarkableID, each with all that
  is known of the mention. Its minimum is written if it is a range of words.
* Closing brackets are bare, ``)``, if each closes what was opened last. If in one
  place of the file this is not so, they have names all through it, ``markable_3)``.
* Entities and markables keep their names in documents where all of these can be
  written and no two are the same. In others, all get new ones.
* A zero is a mention of its own: one that also has words cannot be written.
* Words of CorefUD are found by sentence and number, tokens of other formats by their
  place in the document. Multiword tokens are no words there, but are here: those
  between two words of a mention belong to it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoref.errors import FormatError
from scoref.formats._text import without_bom
from scoref.formats._ua_base import BaseFile, aligned
from scoref.formats._ua_columns import BRIDGING, DEIXIS, IDENTITY
from scoref.model import EMPTY, SENTENCE_BITS, WORD_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoref.model import Corpus

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
        assert anaphora is not None  # noqa: S101 - asked for where it is there
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
