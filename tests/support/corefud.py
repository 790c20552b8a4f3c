"""CorefUD from a compact notation: sentences as words, entities as word numbers.

    annotated("Ada wrote 2.1/2:obj", "w w w", e1="1 2:1-3*2", e2="2.1 2:1,3")

is a document of two sentences. ``2.1/2:obj`` is an empty node and its DEPS, and
``@name`` starts another document. A mention is ``sentence:words*head``: the
sentence is the first if it is left out, the head is counted from 1 over the
mention's words, ``1-3`` are all nodes from 1 to 3, and a comma separates pieces.
"""

from __future__ import annotations

import re
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
    from scoref.scheme import Reading, Scheme
    from scoref.scoring.results import Result

Word = tuple[int, int, int]
"""A sentence, counted from 1, and the two parts of an id: 3.1 is (1, 3, 1)."""

HEADER = "eid-etype-head-other"
_ZERO = re.compile(r"(\d+)\.(\d+)/(\S+)")
_MENTION = re.compile(r"(?:(\d+):)?([-\d.,]+)(?:\*(\d+))?")


class Mention(NamedTuple):
    """Words in the order of the text, and the number of the head among them."""

    words: tuple[Word, ...]
    head_number: int = 1

    @property
    def head(self) -> Word:
        return self.words[self.head_number - 1]


@dataclass
class Sentence:
    """A sentence: forms, the DEPS of empty nodes, and the document it starts."""

    forms: list[str]
    zeros: dict[tuple[int, int], str] = field(default_factory=dict)
    newdoc: str | None = None

    @property
    def nodes(self) -> list[tuple[int, int]]:
        words = [(number, 0) for number in range(1, len(self.forms) + 1)]
        return sorted([*words, *self.zeros])


@dataclass
class Annotated:
    """A file: its sentences, and entities by id with their mentions."""

    sentences: list[Sentence]
    entities: dict[str, list[Mention]]

    def text(self, header: str = HEADER) -> str:
        """Write CorefUD."""
        lines = [f"# global.Entity = {header}"]
        cells = _cells(self)
        for number, sentence in enumerate(self.sentences, start=1):
            if sentence.newdoc is not None:
                lines.append(f"# newdoc id = {sentence.newdoc}")
            lines.append(f"# sent_id = s{number}")
            for node in sentence.nodes:
                entity = cells.get((number, *node), "")
                lines.append(_line(sentence, node, entity))
            lines.append("")
        return "\n".join([*lines, ""])


def annotated(*sentences: str, **entities: str) -> Annotated:
    """Understand the compact notation."""
    read = [_sentence(text) for text in sentences]
    read[0].newdoc = read[0].newdoc or "d"
    return Annotated(
        read,
        {
            name: [_mention(text, read) for text in mentions.split()]
            for name, mentions in entities.items()
        },
    )


def corefud(*sentences: str, **entities: str) -> str:
    """Write CorefUD from the compact notation."""
    return annotated(*sentences, **entities).text()


def lines_of(*cells: str, header: str = HEADER) -> str:
    """Write one sentence, a word for each content of its last column.

    The first word is in line 4; a cell ``2.1 Entity=…`` is an empty node.
    """
    lines = [f"# global.Entity = {header}", "# newdoc id = d", "# sent_id = s1"]
    number = 0
    for cell in cells:
        empty, _, misc = cell.rpartition(" ")
        number += not empty
        lines.append(f"{empty or number}\tw" + "\t_" * 7 + f"\t{misc}")
    return "\n".join([*lines, "", ""])


def read(
    text: str | bytes, *, lenient: bool = False, source: str = "x.conllu"
) -> Corpus:
    """Read CorefUD from memory."""
    data = text.encode() if isinstance(text, str) else text
    reading: Reading = "lenient" if lenient else "strict"
    return read_data(data, source=source, role="key", format="corefud", reading=reading)


def mentions_in(corpus: Corpus) -> dict[str, list[str]]:
    """List entities by id, their mentions in the notation of this module.

    Every word is written out: ``1:1,2.1,3*2``.
    """
    found: dict[str, list[str]] = {}
    words = corpus.words
    assert words is not None
    for row, entity in enumerate(corpus.mention_entity.tolist()):
        member = words.member[words.start[row] : words.start[row + 1]].tolist()
        mention = written(member, int(words.head[row]))
        found.setdefault(corpus.entity_label[entity], []).append(mention)
    return found


def written(words: list[int], head: int) -> str:
    """Write a mention of a corpus."""
    sentence = (words[0] >> 32) + 1
    ids = ",".join(map(_word_id, words))
    return f"{sentence}:{ids}*{words.index(head) + 1}"


def scheme_with(changes: dict[str, str], scheme: str = "crac-2026") -> Scheme:
    """Change some choices of a scheme."""
    return resolve(scheme, lenient=False, format=None, **changes)


def scored(
    key: str | bytes, response: str | bytes, scheme: str = "crac-2026", **changes: str
) -> Result:
    """Score CorefUD from memory with every metric."""
    conventions = scheme_with(changes, scheme)
    key_side = read(key, source="key.conllu")
    return score_corpora(
        key_side,
        read(response, source="response.conllu"),
        conventions,
        available(key_side, conventions),
    )


def percentages(result: Result, *names: str) -> dict[str, tuple[float, ...]]:
    """Give recall, precision and F₁ as the official scorer prints them."""
    return {
        name: tuple(round(100 * (value or 0), 2) for value in result.scores[name][:3])
        for name in names
    }


def conll(result: Result) -> float:
    """Give the CoNLL score as the official scorer prints it."""
    return round(100 * result.conll, 2)


def _word_id(code: int) -> str:
    number, empty = code >> 12 & (1 << 20) - 1, code & (1 << 12) - 1
    return f"{number}.{empty}" if empty else str(number)


def _sentence(text: str) -> Sentence:
    sentence = Sentence([])
    for token in text.split():
        if token.startswith("@"):
            sentence.newdoc = token[1:]
        elif zero := _ZERO.fullmatch(token):
            sentence.zeros[int(zero[1]), int(zero[2])] = zero[3]
        else:
            sentence.forms.append(token)
    return sentence


def _mention(text: str, sentences: list[Sentence]) -> Mention:
    parts = _MENTION.fullmatch(text)
    assert parts is not None, text
    number = int(parts[1] or 1)
    nodes = sentences[number - 1].nodes
    words: list[Word] = []
    for piece in parts[2].split(","):
        first, _, last = piece.partition("-")
        run = range(nodes.index(_node(first)), nodes.index(_node(last or first)) + 1)
        words += [(number, *nodes[place]) for place in run]
    return Mention(tuple(words), int(parts[3] or 1))


def _node(text: str) -> tuple[int, int]:
    number, _, empty = text.partition(".")
    return int(number), int(empty or 0)


def _line(sentence: Sentence, node: tuple[int, int], entity: str) -> str:
    number, empty = node
    identifier = f"{number}.{empty}" if empty else str(number)
    form = "_" if empty else sentence.forms[number - 1]
    head = "_" if empty else "0"
    deps = sentence.zeros.get(node, "_")
    misc = f"Entity={entity}" if entity else "_"
    columns = (identifier, form, "_", "_", "_", "_", head, "_", deps, misc)
    return "\t".join(columns)


def runs(words: Iterable[Word], sentences: list[Sentence]) -> list[list[Word]]:
    """Cut a mention's words into pieces of neighbouring nodes."""
    words = list(words)
    nodes = sentences[words[0][0] - 1].nodes
    found = [[words[0]]]
    for before, word in pairwise(words):
        if nodes.index(word[1:]) == nodes.index(before[1:]) + 1:
            found[-1].append(word)
        else:
            found.append([word])
    return found


def _cells(annotation: Annotated) -> dict[Word, str]:
    """Write the brackets of every word: what closes first, then the longest."""
    closing: dict[Word, list[tuple[Word, str]]] = {}
    opening: dict[Word, list[tuple[int, str]]] = {}
    for name, mentions in annotation.entities.items():
        for mention in mentions:
            pieces = runs(mention.words, annotation.sentences)
            for number, piece in enumerate(pieces, start=1):
                label = f"{name}[{number}/{len(pieces)}]" if len(pieces) > 1 else name
                fields = f"({label}-x-{mention.head_number}-"
                if len(piece) == 1:
                    opening.setdefault(piece[0], []).append((1, f"{fields})"))
                    continue
                opening.setdefault(piece[0], []).append((len(piece), fields))
                closing.setdefault(piece[-1], []).insert(0, (piece[0], f"{label})"))
    cells: dict[Word, str] = {}
    for word in sorted({*closing, *opening}):
        closes = sorted(closing.get(word, []), key=lambda each: each[0], reverse=True)
        opens = sorted(opening.get(word, []), key=lambda each: -each[0])
        cells[word] = "".join(text for _, text in (*closes, *opens))
    return cells
