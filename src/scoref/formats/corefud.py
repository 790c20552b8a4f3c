"""Reader of CorefUD 1.0: CoNLL-U with coreference in the last column.

    # global.Entity = eid-etype-head-other
    1   The          …   Entity=(e27-abstract-3-
    2   viewing      …   Entity=(e28-event-1-)
    3   experience   …   _
    4   of           …   _
    5   art          …   Entity=(e20-abstract-1-)e27)

An opening bracket has the fields that the header names; ``head`` is the number of the
head among the words of the mention. A mention in pieces is written ``(e1[1/2]-…`` and
``(e1[2/2]-…``. Empty nodes (3.1) count as words. An id that occurs in two documents
stands for two entities.

`Reader` reads the nodes of a file. `corefud_brackets` finds the brackets of each block,
and `corefud_mentions` pairs them. `read_plurals` reads split antecedents, entities that
stand for several others; the official scorer reads these and does not use them.

    SplitAnte=e1<e3,e2<e3    e3 stands for e1 and e2
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from scoref.classes import NamedTuple
from scoref.errors import Blamed, FormatError
from scoref.formats import conllu
from scoref.formats.builder import Faults
from scoref.formats.catalogue import COREFUD
from scoref.formats.conllu import ConlluDocuments, Outline
from scoref.formats.corefud_brackets import BracketReader
from scoref.formats.corefud_mentions import Brackets, EntityLabels, mentions_of
from scoref.formats.input_files import shown, without_bom
from scoref.lazy import pattern
from scoref.model import EMPTY, SENTENCE_BITS, Anaphora, Corpus, Words
from scoref.model.arrays import inverse
from scoref.printable import counted
from scoref.rules import (
    HEAD_OUT_OF_RANGE,
    LOST_PIECE,
    NO_DOCUMENT,
    SENTENCE_BRACKET,
    UNCLOSED_BRACKET,
    UNKNOWN_ENTITY,
    UNOPENED_BRACKET,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scoref.formats.corefud_mentions import BracketError, NodeMentions
    from scoref.formats.stanza import ChainReader
    from scoref.model import Ints, Note, Relation, Sentences
    from scoref.rules import Rule


def read(
    data: bytes, *, source: str, lenient: bool = False, with_types: bool = False
) -> Corpus:
    """Read a whole file; types of entities only with ``with_types``."""
    faults = Faults(source, lenient=lenient)
    brackets = BracketReader(source, faults, with_types=with_types)
    reader = Reader(source, faults, brackets, with_types=with_types)
    return reader.read(without_bom(data))


class _Nodes(NamedTuple):
    """The words and empty nodes of a block, in columns."""

    code: Ints
    line: Ints
    upos: NDArray[np.uint64]
    outline: Outline


class Reader:
    """Reads one file block by block; ``brackets`` finds the brackets of a block."""

    def __init__(
        self,
        source: str,
        faults: Faults,
        brackets: BracketReader | ChainReader,
        *,
        with_types: bool = False,
        format_name: str = COREFUD,
    ) -> None:
        self._source = source
        self._faults = faults
        self._with_types = with_types
        self._format = format_name
        self._brackets = brackets
        self._dependencies: dict[int, bytes] = {}

    def read(self, data: bytes) -> Corpus:
        """Read a whole file."""
        header = self._brackets.header(data)
        nodes: list[_Nodes] = []
        brackets: list[Brackets] = []
        count = 0
        for block in conllu.blocks(data, self._source):
            nodes.append(self._nodes(block))
            brackets.append(self._brackets.read_block(block, header, count))
            count += len(block.row)
        if not count:
            raise FormatError(
                "this file has no sentence",
                rule=NO_DOCUMENT,
                source=self._source,
                hint="Expected CoNLL-U: ten columns separated by tabs, one line per "
                "word.",
            )
        columns = zip(*brackets, strict=True)
        joined = Brackets(*map(np.concatenate, columns))
        return self._corpus(nodes, joined, is_local=header.is_local)

    def _corpus(
        self, blocks: list[_Nodes], brackets: Brackets, *, is_local: bool
    ) -> Corpus:
        """Build the corpus from the nodes of the blocks and all brackets."""
        outline = Outline.join([block.outline for block in blocks])
        # Of several lines `# newdoc` in a row, the last one counts. One after the last
        # sentence starts no document.
        count = len(outline.sentence_line)
        newdoc = {start[0]: start for start in outline.newdoc if start[0] < count}
        documents = ConlluDocuments.of(list(newdoc.values()), outline.sentence_line)
        sentences = outline.sentences(documents)
        code, line, upos = (
            np.concatenate([getattr(block, name) for block in blocks])
            for name in ("code", "line", "upos")
        )
        if (np.diff(code) < 0).any():
            order = np.argsort(code, kind="stable")
            code, line, upos = code[order], line[order], upos[order]
            brackets = brackets._replace(node=inverse(order)[brackets.node])
            by_node = np.argsort(brackets.node, kind="stable")
            brackets = Brackets(*(column[by_node] for column in brackets))
        names = EntityLabels.of(self._brackets.labels)
        mentions = self._mentions(
            brackets, names, sentences, code, line, is_local=is_local
        )
        head = code[mentions.head]
        is_zero = (head & EMPTY) > 0
        words = Words(
            sentences=sentences,
            start=mentions.start,
            member=code[mentions.member],
            head=head,
            is_zero=is_zero,
            head_upos=upos[mentions.head],
            dependencies={
                node: _parse_dependencies(self._dependencies[node])
                for node in head[is_zero].tolist()
            },
            relations=tuple(
                sorted(self._brackets.relations, key=attrgetter("kind", "line"))
            ),
            names_heads=bool((brackets.head >= 0).any()),
        )
        labels = names.texts_of(mentions.entity_name)
        types: tuple[str, ...] | None = None
        if self._with_types:
            type_names = [shown(name) for name in self._brackets.types]
            types = tuple(map(type_names.__getitem__, mentions.entity_type.tolist()))
        anaphora = read_plurals(
            words.relations, sentences, mentions.entity_document, labels, self._faults
        )
        return Corpus(
            source=self._source,
            format=self._format,
            documents=documents.names,
            document_tokens=None,
            document_line=documents.line,
            entity_document=mentions.entity_document,
            entity_label=labels,
            entity_type=types,
            mention_entity=mentions.entity,
            mention_start=words.member[mentions.start[:-1]],
            mention_end=words.member[mentions.start[1:] - 1],
            mention_line=line[mentions.end],
            notes=(*self._brackets.notes, *self._faults.notes()),
            words=words,
            anaphora=anaphora,
        )

    def _mentions(
        self,
        brackets: Brackets,
        names: EntityLabels,
        sentences: Sentences,
        code: Ints,
        line: Ints,
        *,
        is_local: bool,
    ) -> NodeMentions:
        """Pair the brackets, and report those that have no partner."""

        def refuse(fault: BracketError, label: bytes) -> None:
            marks = self._brackets.opening, self._brackets.closing
            rule, blamed, problem, hint = _refusal(fault, shown(label), marks)
            error = FormatError(
                problem,
                rule=rule,
                source=self._source,
                line=int(line[fault.node]),
                blamed=blamed,
                hint=hint,
            )
            self._faults.report(f"{fault.kind}-brackets", error)

        sentence = code >> SENTENCE_BITS
        return mentions_of(
            brackets,
            names,
            document=sentences.document[sentence],
            sentence=sentence,
            is_local=is_local,
            refuse=refuse,
        )

    def _nodes(self, block: conllu.Block) -> _Nodes:
        """Copy the nodes of a block, and keep the column DEPS of its empty nodes."""
        code = block.code
        is_word = block.id.second == 0
        empties = np.flatnonzero(~is_word)
        starts, ends = block.column(empties, conllu.DEPS)
        places = zip(
            code[empties].tolist(), starts.tolist(), ends.tolist(), strict=True
        )
        for node, start, end in places:
            self._dependencies[node] = block.lines.data[start:end]
        return _Nodes(
            code=code,
            line=block.line,
            upos=block.packed_column(slice(None), conllu.UPOS),
            outline=Outline.of(block, is_word),
        )


def _parse_dependencies(text: bytes) -> frozenset[tuple[str, str]]:
    """Return the parents and relations of the column DEPS."""
    if text in {b"", b"_"}:
        return frozenset()
    items = (item.partition(":") for item in shown(text).split("|"))
    return frozenset((parent, relation) for parent, _, relation in items)


class _Refusal(NamedTuple):
    """The message for a faulty bracket, and the brackets of its line to mark."""

    rule: Rule
    blamed: Blamed
    problem: str
    hint: str


def _refusal(fault: BracketError, label: str, marks: tuple[str, str]) -> _Refusal:
    opening, closing = (mark.format(label) for mark in marks)
    return {
        "unopened": _Refusal(
            UNOPENED_BRACKET,
            Blamed("closing", label),
            f"entity {label} is closed here but was never opened",
            "A closing bracket has the entity's id and no other field."
            if "-" in label
            else f"Expected '{opening}' on an earlier word.",
        ),
        "unclosed": _Refusal(
            UNCLOSED_BRACKET,
            Blamed("opening", label),
            f"entity {label} is opened here but never closed in this document",
            f"Expected '{closing}' on a later word.",
        ),
        "sentence": _Refusal(
            SENTENCE_BRACKET,
            Blamed("closing", label),
            f"entity {label} is closed here but was opened in another sentence",
            "A CorefUD mention ends in the sentence in which it starts.",
        ),
        "piece": _Refusal(
            LOST_PIECE,
            Blamed("opening", label),
            f"no mention of entity {label} is missing this part",
            f"Expected '({label}[1/2]' on an earlier word.",
        ),
        "head": _Refusal(
            HEAD_OUT_OF_RANGE,
            Blamed("bracket", label),
            f"the head of this mention of entity {label} is outside the mention",
            "The head is the number of a word in the mention, counted from 1.",
        ),
    }[fault.kind]


_NAMES = pattern("[<,]")


def read_plurals(
    relations: Sequence[Relation],
    sentences: Sentences,
    entity_document: Ints,
    entity_label: Sequence[str],
    faults: Faults,
) -> Anaphora | None:
    """Read the split antecedents of a file; ids are valid within a document."""
    splits = [relation for relation in relations if relation.kind == "SplitAnte"]
    if not splits:
        return None
    used = {name for relation in splits for name in _NAMES.split(relation.value)}
    entities = enumerate(zip(entity_document.tolist(), entity_label, strict=True))
    rows = {entity: row for row, entity in entities if entity[1] in used}
    pairs: dict[tuple[int, int], None] = {}
    unknown: list[int] = []
    for relation in splits:
        sentence = np.searchsorted(sentences.line, relation.line, side="right") - 1
        document = int(sentences.document[sentence])
        for item in relation.value.split(","):
            element_id, _, plural_id = item.partition("<")
            plural = rows.get((document, plural_id))
            element = rows.get((document, element_id))
            if plural is None or element is None or plural == element:
                unknown.append(relation.line)
            else:
                pairs[plural, element] = None
    notes: tuple[Note, ...] = ()
    if unknown:
        first = FormatError(
            counted(len(unknown), "split antecedent was", "split antecedents were")
            + " skipped",
            rule=UNKNOWN_ENTITY,
            source=faults.source,
            line=min(unknown),
            hint="Use entities that have a mention in the same document.",
        )
        expected = " Expected SplitAnte=e1<e3 with two entities of the document."
        notes = (faults.note("split-antecedents", len(unknown), first, expected),)
    plurals, elements = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    nothing = np.empty(0, dtype=np.int64)
    return Anaphora(
        markable=(),
        is_referring=np.ones(len(entity_label), dtype=np.bool_),
        plural=plurals,
        element=elements,
        anaphor=nothing,
        antecedent=nothing,
        relation=(),
        notes=notes,
    )
