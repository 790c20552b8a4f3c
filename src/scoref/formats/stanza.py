"""Reader of stanza's CoNLL-U: chains in the last column, at every word of a mention.

    3   She    …  4  nsubj  _  start_char=11|end_char=14|coref_chains=unit-id0
    4   and    …               coref_chains=start-repr-id1,middle-id2
    5   Bo     …               coref_chains=end-repr-id1,end-id2

``unit`` is a mention of one word, ``start`` and ``end`` are its first and its last
word, and ``middle`` adds no information; ``repr`` marks the representative mention.
Chains are counted by document. Releases before the middle of 2026 wrote the chains to
``ner=``, together with other values.

The format has no heads. The heads of a response are found in its own trees, if it has
any. In a key, first words are heads, as in CorefUD files that name no heads.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.formats.brackets import CLOSING, OPENING, SINGLE
from scoref.formats.builder import Faults
from scoref.formats.catalogue import STANZA
from scoref.formats.corefud import Reader
from scoref.formats.corefud_brackets import EntityHeader
from scoref.formats.corefud_mentions import Brackets
from scoref.formats.input_files import shown, without_bom
from scoref.formats.trees import DependencyTrees
from scoref.rules import UNREADABLE_CELL

if TYPE_CHECKING:
    from scoref.formats import conllu
    from scoref.formats.catalogue import ReadOptions
    from scoref.model import Corpus, Note, Relation

_NAME = b"coref_chains"
_ITEM = rb"(?:unit|start|middle|end)-(?:repr-)?id\d{1,15}"
_CHAINS = re.compile(_ITEM + rb"(?:," + _ITEM + rb")*")


def has_chains(item: bytes) -> bool:
    """Say whether an item of the last column lists the chains of a word.

    >>> [has_chains(item) for item in (b"ner=S-ORG", b"ner=unit-id3")]
    [False, True]
    """
    name, _, value = item.partition(b"=")
    return name == _NAME or (name == b"ner" and bool(_CHAINS.fullmatch(value)))


def read(data: bytes, asked: ReadOptions) -> Corpus:
    """Read a whole file."""
    faults = Faults(asked.source, lenient=asked.lenient)
    chains = ChainReader(asked.source, faults)
    reader = Reader(asked.source, faults, chains, format_name=STANZA)
    corpus = reader.read(without_bom(data))
    return corpus if asked.role == "key" else _with_heads(corpus, data)


def _with_heads(corpus: Corpus, data: bytes) -> Corpus:
    """Add the heads that the trees of a file determine, if it has trees."""
    words, trees = corpus.words, DependencyTrees.of(data, corpus.source)
    head = None if words is None else trees.heads(words)
    if words is None or head is None:
        return corpus
    upos = trees.upos_of(head)
    words = words._replace(head=head, head_upos=upos, names_heads=True)
    return dataclasses.replace(corpus, words=words)


_VALUES = re.compile(rb"[\t|](coref_chains|ner)=([^|\t\r\n]*)")

# Ends come first: where a mention ends and another one starts, the end is the first's.
_KINDS = {b"unit": (0, SINGLE), b"end": (1, CLOSING), b"start": (2, OPENING)}


class ChainReader:
    """Finds the chains of one file, block by block, as brackets of CorefUD."""

    opening, closing = "start-{}", "end-{}"

    def __init__(self, source: str, faults: Faults) -> None:
        self._source = source
        self._faults = faults
        self.labels: dict[bytes, int] = {}
        self.types: dict[bytes, int] = {b"": 0}
        self.relations: list[Relation] = []
        self.notes: list[Note] = []

    def header(self, _: bytes) -> EntityHeader:
        """Return the header of chains: they have no head, and are of one document."""
        return EntityHeader(0, None, is_local=True)

    def read_block(
        self, block: conllu.Block, _: EntityHeader, first_node: int
    ) -> Brackets:
        """Return the brackets of a block."""
        brackets: list[tuple[int, int, int]] = []
        for word, value in self._values(block).items():
            items = (item.split(b"-") for item in value.split(b","))
            in_order = sorted(
                (*_KINDS[item[0]], self.labels.setdefault(item[-1], len(self.labels)))
                for item in items
                if item[0] in _KINDS
            )
            brackets += [
                (kind, word + first_node, label) for _, kind, label in in_order
            ]
        kind, node, label = np.array(brackets, dtype=np.int64).reshape(-1, 3).T
        nothing = np.zeros_like(kind)
        return Brackets(kind, node, label, nothing - 1, nothing)

    def _values(self, block: conllu.Block) -> dict[int, bytes]:
        """Return the chains of each word that has some."""
        lines, values = block.lines, dict[int, bytes]()
        matches = [
            match
            for match in _VALUES.finditer(lines.data)
            if match[1] == _NAME or _CHAINS.fullmatch(match[2])
        ]
        at = np.array([match.start(2) for match in matches], dtype=np.int64)
        rows = np.searchsorted(lines.start, at, side="right") - 1
        words = np.searchsorted(block.row, rows)
        places = zip(rows.tolist(), words.tolist(), strict=True)
        for match, (row, word) in zip(matches, places, strict=True):
            is_word = word < len(block.row) and block.row[word] == row
            # coref_chains= replaces ner=, which older releases used.
            is_new = match[1] == _NAME or word not in values
            if is_word and is_new and self._is_readable(block, match, row):
                values[word] = match[2]
        return values

    def _is_readable(
        self, block: conllu.Block, match: re.Match[bytes], row: int
    ) -> bool:
        """Say whether a value is a list of chains; report it if not."""
        if _CHAINS.fullmatch(match[2]):
            return True
        text = shown(block.lines[row])
        at = text.rfind(shown(match[2]))
        error = FormatError(
            f"'{shown(match[2])}' is not a list of chains",
            rule=UNREADABLE_CELL,
            source=self._source,
            line=block.first_line + row + 1,
            text=text,
            span=(at, at + len(shown(match[2]))) if at >= 0 else None,
            hint="Expected items such as 'start-id3', 'end-id3' or 'unit-repr-id4', "
            "separated by commas.",
        )
        self._faults.report("unreadable-chains", error)
        return False
