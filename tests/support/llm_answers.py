"""Answers made up for tests: documents written in each notation, and read again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from scoref.tools.llm.scoring import score_output

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from scoref.tools.llm.scoring import AnswerResult

_TEXT = "the old harbour closed , and she did n't miss it ; `` nobody '' did ."
WORDS = _TEXT.split()
PAIRS: dict[str, tuple[str, str]] = {
    "markdown": ("[", "](#{})"),
    "xml": ('<m id="{}">', "</m>"),
    "subscript": ("[", "]_{}"),
    "colon": ("[", ": {}]"),
    "bar": ("[", " | {}]"),
    "prefix": ("[{} ", "]"),
    "parentheses": ("(({}: ", "))"),
}
"""The marks before and after a mention."""


class Mention(NamedTuple):
    start: int
    end: int
    label: str


class Document(NamedTuple):
    words: list[str]
    mentions: list[Mention]

    def clusters(self) -> set[frozenset[tuple[int, int]]]:
        entities: dict[str, set[tuple[int, int]]] = {}
        for start, end, label in self.mentions:
            entities.setdefault(label, set()).add((start, end))
        return set(map(frozenset, entities.values()))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a text, and mentions of which no two cross, nor have the same words."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=4, max_size=25))
    spans = st.tuples(st.integers(0, len(words) - 1), st.integers(0, 4))
    kept: list[Mention] = []
    for start, length in draw(st.lists(spans, min_size=1, max_size=8)):
        end = min(start + length, len(words) - 1)
        label = str(draw(st.integers(1, 4)))
        if not any(_is_crossing(start, end, other) for other in kept):
            kept.append(Mention(start, end, label))
    return Document(words, sorted(kept))


def _is_crossing(start: int, end: int, other: Mention) -> bool:
    if (start, end) == (other.start, other.end):
        return True
    one, two = sorted([(start, -end), (other.start, -other.end)])
    return one[0] < two[0] <= -one[1] < -two[1]


def marked(document: Document, notation: str) -> list[str]:
    """Write a document: each word, and the brackets around it."""
    if notation == "crac":
        return [_tagged(document, row) for row in range(len(document.words))]
    opening, closing = PAIRS[notation]
    written = []
    for row, word in enumerate(document.words):
        starts = [mention for mention in document.mentions if mention.start == row]
        ends = [mention for mention in document.mentions if mention.end == row]
        starts.sort(key=lambda mention: -mention.end)
        ends.sort(key=lambda mention: -mention.start)
        before = "".join(opening.format(mention.label) for mention in starts)
        after = "".join(closing.format(mention.label) for mention in ends)
        written.append(before + word + after)
    return written


def _tagged(document: Document, row: int) -> str:
    tags = []
    for start, end, label in document.mentions:
        if start == end == row:
            tags.append(f"[e{label}]")
        elif start == row:
            tags.append(f"[e{label}")
        elif end == row:
            tags.append(f"e{label}]")
    word = document.words[row]
    return f"{word}|{','.join(sorted(tags))}" if tags else word


def as_json(document: Document, **more: object) -> str:
    """List mentions by their offsets."""
    clusters = [sorted(map(list, cluster)) for cluster in document.clusters()]
    return json.dumps({**more, "clusters_token_offsets": clusters})


def detokenised(parts: Iterable[str]) -> str:
    text = " ".join(parts)
    for old, new in ((" ,", ","), (" .", "."), (" ;", ";"), (" n't", "n't")):
        text = text.replace(old, new)
    return text.replace("`` ", "“").replace(" ''", "”").replace("''", "”")


def write_key(folder: Path, documents: dict[str, Document]) -> Path:
    path = folder / "key.jsonl"
    lines = []
    for name, document in documents.items():
        clusters = [sorted(map(list, cluster)) for cluster in document.clusters()]
        record = {"doc_key": name, "sentences": [document.words], "clusters": clusters}
        lines.append(json.dumps(record) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


def scored(
    folder: Path, document: Document, answer: str, notation: str | None = None
) -> AnswerResult:
    key = write_key(folder, {"a": document})
    output = folder / "output.txt"
    output.write_text(answer, encoding="utf-8")
    return score_output(key, output, notation=notation)


def clusters(system: AnswerResult) -> set[frozenset[tuple[int, int]]]:
    corpus = system._response
    entities: dict[int, set[tuple[int, int]]] = {}
    columns = corpus.mention_entity, corpus.mention_start, corpus.mention_end
    for entity, start, end in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        entities.setdefault(entity, set()).add((start, end))
    return set(map(frozenset, entities.values()))


_LONG = "Ada Lovelace met Charles Babbage in London . He showed her his engine ."
LONG = Document(
    _LONG.split(),
    [
        Mention(0, 1, "1"),
        Mention(3, 4, "2"),
        Mention(8, 8, "2"),
        Mention(10, 10, "1"),
        Mention(11, 12, "3"),
        Mention(11, 11, "2"),
    ],
)


SPANISH = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tAna\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1--1-)
2\tvino\t_\tVERB\t_\t_\t0\troot\t0:root\t_
3-4\tdel\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\t_\tADP\t_\t_\t5\tcase\t5:case\t_
4\tel\t_\tDET\t_\t_\t5\tdet\t5:det\tEntity=(e2--2-
5\tcine\t_\tNOUN\t_\t_\t2\tobl\t2:obl\tEntity=e2)
6\t.\t_\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_

# sent_id = 2
1\tAhora\t_\tADV\t_\t_\t3\tadvmod\t3:advmod\t_
1.1\tella\t_\tPRON\t_\t_\t_\t_\t3:nsubj\tEntity=(e1--1-)
2\tno\t_\tADV\t_\t_\t3\tadvmod\t3:advmod\t_
3\tduerme\t_\tVERB\t_\t_\t0\troot\t0:root\t_
4\tallí\t_\tADV\t_\t_\t3\tadvmod\t3:advmod\tEntity=(e2--1-)
5\t.\t_\tPUNCT\t_\t_\t3\tpunct\t3:punct\t_

"""
"""A CorefUD key with an empty node and a token of two words."""


def score_spanish(folder: Path, answer: str, rows: str = SPANISH) -> AnswerResult:
    key, output = folder / "key.conllu", folder / "output.txt"
    key.write_text(rows, encoding="utf-8")
    output.write_text(answer, encoding="utf-8")
    return score_output(key, output)
