"""Made-up keys and responses with parses, full of what minimum spans stumble over."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    Mentions = list[tuple[int, int, int]]  # first word, last word, entity
    Rows = list[tuple[str, str, str]]

_WORDS = [
    *[
        "the/DT",
        "a/DT",
        "that/DT",
        "that/DT",
        "dog/NN",
        "dog/NN",
        "bank/NN",
        "Ann/NNP",
        "and/CC",
        "of/IN",
        "%/NN",
    ],
    *[
        "U.S./NNP",
        "Mr./NNP",
        ",/,",
        "3.5/CD",
        "1999/CD",
        "-LRB-/-LRB-",
        "-LSB-/-LRB-",
        "saw/VBD",
        "ran/VBD",
    ],
    *["it/PRP", "'s/POS", "VP/NN", "NP/DT", "NPs/DT", "QPs/CC", "½/CD", "é/NN"],
]
_LABELS = [
    "NP",
    "NP",
    "NP",
    "VP",
    "VP",
    "PP",
    "S",
    "ADVP",
    "ADJP",
    "NML",
    "QP",
    "NX",
    "NP-SBJ",
    "VP-TPC",
    "S-1",
    "FRAG",
    "WHNP",
    "ADVP|PRT",
]
ENTITIES = 5


def draw_pair(source: Random) -> tuple[str, str]:
    """Draw a key and a response that is like it."""
    sides: tuple[list[str], list[str]] = [], []
    for number in range(source.choice((1, 1, 2))):
        sentences = [_sentence(source) for _ in range(source.choice((1, 2, 4)))]
        key = [_mentions(source, len(rows)) for rows in sentences]
        response = [
            [_moved(source, each, len(rows)) for each in mentions]
            + _mentions(source, len(rows))[:2]
            for mentions, rows in zip(key, sentences, strict=True)
        ]
        for side, mentions in zip(sides, (key, response), strict=True):
            side.append(_document(source, f"(d{number})", sentences, mentions))
    return "".join(sides[0]), "".join(sides[1])


def _sentence(source: Random) -> Rows:
    count = source.choice((1, 2, 3, 5, 8, 12))
    opening: list[str] = ["(TOP(S", *[""] * (count - 1)]
    closing = [*[""] * (count - 1), "))"]
    _draw_phrases(source, opening, closing, 0, count - 1)
    found = []
    for before, behind in zip(opening, closing, strict=True):
        word, _, tag = source.choice(_WORDS).rpartition("/")
        found.append((word, tag, f"{before}*{behind}"))
    return found


def _draw_phrases(
    source: Random, opening: list[str], closing: list[str], first: int, last: int
) -> None:
    """Cut a range into pieces, and make phrases of some of them."""
    while first <= last:
        end = min(last, first + source.choice((0, 0, 1, 2, 3, 5)))
        if source.random() < 0.7:
            for _ in range(source.choice((1, 1, 2))):
                opening[first] += f"({source.choice(_LABELS)}"
                closing[end] += ")"
            inner = source.choice(((first, end - 1), (first + 1, end)))
            _draw_phrases(source, opening, closing, *inner)
        first = end + 1


def _mentions(source: Random, count: int) -> Mentions:
    found = []
    for _ in range(source.randint(0, 6)):
        first = source.randrange(count)
        last = min(count - 1, first + source.choice((0, 0, 0, 1, 1, 2, 4, 8)))
        found.append((first, last, source.randrange(ENTITIES)))
    return found


def _moved(
    source: Random, mention: tuple[int, int, int], count: int
) -> tuple[int, int, int]:
    first, last, entity = mention
    if source.random() < 0.4:
        first = max(0, first - source.randint(0, 1))
        last = min(count - 1, max(first, last + source.randint(-2, 2)))
    if source.random() < 0.2:
        entity = source.randrange(ENTITIES)
    return first, last, entity


def _document(
    source: Random, name: str, sentences: list[Rows], mentions: list[Mentions]
) -> str:
    found = [f"#begin document {name}; part 000\n"]
    for rows, here in zip(sentences, mentions, strict=True):
        cells: list[list[str]] = [[] for _ in rows]
        for first, last, entity in here:
            if first == last:
                cells[first].append(f"({entity})")
            else:
                cells[first].append(f"({entity}")
                cells[last].append(f"{entity})")
        for cell, (word, tag, piece) in zip(cells, rows, strict=True):
            source.shuffle(cell)
            brackets = "|".join(cell) or "-"
            found.append(
                f"d\t0\t0\t{word}\t{tag}\t{piece}\t-\t-\t-\t-\t*\t{brackets}\n"
            )
        found.append("\n")
    return "".join([*found, "#end document\n"])
