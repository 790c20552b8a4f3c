"""Answers made up for tests: documents written in each notation, and read again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from scoref.tools.llm.scoring import score_output

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from scoref.tools.llm.scoring import Scored

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
"""What stands before and behind a mention."""


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
        starts = [each for each in document.mentions if each.start == row]
        ends = [each for each in document.mentions if each.end == row]
        starts.sort(key=lambda each: -each.end)
        ends.sort(key=lambda each: -each.start)
        before = "".join(opening.format(each.label) for each in starts)
        behind = "".join(closing.format(each.label) for each in ends)
        written.append(before + word + behind)
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
    for before, behind in ((" ,", ","), (" .", "."), (" ;", ";"), (" n't", "n't")):
        text = text.replace(before, behind)
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
) -> Scored:
    key = write_key(folder, {"a": document})
    output = folder / "output.txt"
    output.write_text(answer, encoding="utf-8")
    return score_output(key, output, notation=notation)


def clusters(found: Scored) -> set[frozenset[tuple[int, int]]]:
    corpus = found.response
    entities: dict[int, set[tuple[int, int]]] = {}
    columns = corpus.mention_entity, corpus.mention_start, corpus.mention_end
    for entity, start, end in zip(*(each.tolist() for each in columns), strict=True):
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
