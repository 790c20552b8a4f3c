"""Universal Anaphora from a compact notation: documents, entities, bridges.

    universal("Ada wrote * | They left", e1="1 2.1", e2="3-4*3 of e1", x="2 pseudo")

is a document of two sentences. ``*`` is a zero: the first one behind word 2 is
``2.1``. ``@name`` starts a text and names its document. Words are counted from 1
through the document. A mention is ``name:words*minimum``: the document is the first if
it is left out, ``1-3`` are the words from 1 to 3, and a comma separates pieces. What
stands behind ``of`` are the elements of a plural, and ``pseudo`` says that an entity
does not refer. Bridges are written ``4>1``: an anaphor and its antecedent.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoref.formats.reading import read_data
from scoref.metrics import available
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.model import Corpus
    from scoref.scheme import Layer, Reading
    from scoref.scoring.results import Result

Word = tuple[int, int]
"""A number in the document and, for a zero, its number behind that word."""

COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)
ZERO = "*"
_MENTION = re.compile(r"(?:(\w+):)?([-\d.,]+)(?:\*(\d+)(?:-(\d+))?)?")


class Mention(NamedTuple):
    """Words in the order of the text, and the first and last of the minimum."""

    words: tuple[Word, ...]
    minimum: tuple[int, int] | None = None

    @property
    def runs(self) -> list[tuple[Word, Word]]:
        """Cut the words into pieces of neighbours: the first and last of each."""
        found = [[self.words[0], self.words[0]]]
        for before, word in pairwise(self.words):
            if word[1] or before[1] or word[0] != before[0] + 1:
                found.append([word, word])
            found[-1][1] = word
        return [(first, last) for first, last in found]


@dataclass
class Entity:
    """Mentions, the names of the entities it stands for, and whether it refers."""

    mentions: list[Mention]
    elements: list[str] = field(default_factory=list)
    is_referring: bool = True


class Markable(NamedTuple):
    """A mention and its entity, and what it is called."""

    name: str
    entity: str
    mention: Mention


@dataclass
class Document:
    """Tokens by sentence, entities by name, and bridges by numbers of markables."""

    name: str
    sentences: list[list[str]]
    entities: dict[str, Entity] = field(default_factory=dict)
    bridges: list[tuple[int, int]] = field(default_factory=list)

    @property
    def nodes(self) -> list[Word]:
        """List words and zeros."""
        found: list[Word] = []
        for token in (token for sentence in self.sentences for token in sentence):
            number, zero = found[-1] if found else (0, 0)
            found.append((number, zero + 1) if token == ZERO else (number + 1, 0))
        return found

    @property
    def listed(self) -> list[Markable]:
        """List markables entity by entity, the numbers of which bridges go by."""
        found = [
            (name, mention)
            for name, entity in self.entities.items()
            for mention in entity.mentions
        ]
        return [Markable(f"m{row}", *each) for row, each in enumerate(found)]

    @property
    def markables(self) -> list[Markable]:
        """List markables in the order of the file: of their first brackets."""

        def place(markable: Markable) -> tuple[int, int, int, int]:
            first, last = markable.mention.runs[0]
            return *first, -last[0], -last[1]

        return sorted(self.listed, key=place)

    @property
    def bridged(self) -> list[tuple[Markable, Markable]]:
        """List bridges in the order of the file: of their anaphors' first words."""
        listed = self.listed
        pairs = [(listed[anaphor], listed[other]) for anaphor, other in self.bridges]
        return sorted(pairs, key=lambda pair: pair[0].mention.words[0])


def documents(*texts: str, bridges: str = "", **entities: str) -> list[Document]:
    """Understand the compact notation."""
    found = {document.name: document for document in map(_document, texts)}
    default = next(iter(found))
    for name, text in entities.items():
        mentions, _, elements = text.partition(" of ")
        for item in mentions.split():
            if item == "pseudo":
                found[default].entities[name].is_referring = False
                continue
            document, mention = _mention(item)
            place = found[document or default].entities.setdefault(name, Entity([]))
            place.mentions.append(mention)
            place.elements = elements.split()
    for item in bridges.split():
        anaphor, _, antecedent = item.partition(">")
        document, mention = _mention(anaphor)
        place_of = [each.mention.words for each in found[document or default].listed]
        pair = place_of.index(mention.words), place_of.index(_mention(antecedent)[1][0])
        found[document or default].bridges.append(pair)
    return list(found.values())


def universal(*texts: str, bridges: str = "", **entities: str) -> str:
    """Write Universal Anaphora from the compact notation."""
    return text_of(documents(*texts, bridges=bridges, **entities))


def text_of(
    texts: Iterable[Document], *, deixis: bool = False, named: bool = True
) -> str:
    """Write a file; ``named`` brackets may cross, bare ones may not."""
    lines = [f"# global.columns = {COLUMNS}"]
    for document in texts:
        lines.append(f"# newdoc id = {document.name}")
        cells, bridges = _cells(document, named=named), _bridges(document)
        nodes = iter(document.nodes)
        for sentence in document.sentences:
            number, zero = 0, 0
            for token in sentence:
                number, zero = (number, zero + 1) if token == ZERO else (number + 1, 0)
                node = next(nodes)
                identity = cells.get(node, "_"), bridges.get(node, "_"), "_"
                columns = ("_", "_", identity[0]) if deixis else identity
                place = f"{number}.{zero}" if zero else str(number)
                filling = ["_"] * 8
                lines.append("\t".join([place, token, *filling, *columns, "_", "_"]))
            lines.append("")
    return "\n".join([*lines, ""])


def read(
    text: str,
    *,
    lenient: bool = False,
    source: str = "x.ua",
    layer: Layer = "identity",
) -> Corpus:
    """Read Universal Anaphora from memory."""
    reading: Reading = "lenient" if lenient else "strict"
    return read_data(
        text.encode(),
        source=source,
        role="key",
        format="universal-anaphora",
        reading=reading,
        layer=layer,
    )


def scored(
    key: str,
    response: str,
    scheme: str = "codi-crac-2022-ar",
    *,
    lenient: bool = False,
    **changes: str,
) -> Result:
    """Score Universal Anaphora from memory with every metric."""
    conventions = resolve(scheme, lenient=lenient, **changes)
    sides = [
        read(text, lenient=lenient, source=source, layer=conventions.layer)
        for text, source in ((key, "key.ua"), (response, "response.ua"))
    ]
    metrics = available(sides[0], conventions)
    return score_corpora(sides[0], sides[1], conventions, metrics)


def _document(text: str) -> Document:
    tokens = text.split()
    name = tokens.pop(0)[1:] if tokens[0].startswith("@") else "d"
    sentences: list[list[str]] = [[]]
    for token in tokens:
        if token == "|":  # noqa: S105 - no password, a separator
            sentences.append([])
        else:
            sentences[-1].append(token)
    return Document(name, sentences)


def _mention(text: str) -> tuple[str | None, Mention]:
    parts = _MENTION.fullmatch(text)
    assert parts is not None, text
    words: list[Word] = []
    for piece in parts[2].split(","):
        first, _, last = piece.partition("-")
        if "." in first:
            number, _, zero = first.partition(".")
            words.append((int(number), int(zero)))
        else:
            run = range(int(first), int(last or first) + 1)
            words += [(number, 0) for number in run]
    minimum = (int(parts[3]), int(parts[4] or parts[3])) if parts[3] else None
    return parts[1], Mention(tuple(words), minimum)


def _cells(document: Document, *, named: bool) -> dict[Word, str]:
    """Write brackets: what closes first, innermost first, then the longest."""
    opening: dict[Word, list[str]] = defaultdict(list)
    closing: dict[Word, list[str]] = defaultdict(list)
    runs = [
        (run, markable)
        for markable in document.markables
        for run in markable.mention.runs
    ]
    runs.sort(key=lambda each: (each[0][0], -each[0][1][0]))
    for (first, last), markable in runs:
        bracket = _opening(document, markable)
        opening[first].append(bracket + (")" if first == last else ""))
        if first != last:
            closing[last].insert(0, f"{markable.name})" if named else ")")
    return {
        node: "".join((*closing.get(node, ()), *opening.get(node, ())))
        for node in {*closing, *opening}
    }


def _opening(document: Document, markable: Markable) -> str:
    entity = document.entities[markable.entity]
    label = markable.entity + ("" if entity.is_referring else "-Pseudo")
    fields = [f"EntityID={label}", f"MarkableID={markable.name}"]
    if minimum := markable.mention.minimum:
        fields.append("Min=" + ",".join(map(str, minimum)))
    plurals = [
        name
        for name, other in document.entities.items()
        if markable.entity in other.elements
    ]
    if plurals and markable.mention is entity.mentions[0]:
        fields.append("ElementOf=" + ",".join(plurals))
    return "(" + "|".join(fields)


def _bridges(document: Document) -> dict[Word, str]:
    cells: dict[Word, str] = defaultdict(str)
    for anaphor, antecedent in document.bridged:
        fields = f"MarkableID={anaphor.name}|Rel=x|MentionAnchor={antecedent.name}"
        cells[anaphor.mention.words[0]] += f"({fields})"
    return cells
