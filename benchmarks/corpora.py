"""Synthetic corpora in CoNLL-2012, the same for everybody.

A tenth of the mentions is missed, a tenth is invented, a tenth moves to another
entity, and a fifth of the entities is split.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    Entities = list[list[int]]

MISSED = INVENTED = MOVED = 0.1
SPLIT = 0.2


class Shape(NamedTuple):
    """How large a corpus is; ``slot`` is the number of tokens for each mention."""

    documents: int
    mentions: int
    entities: int
    slot: int


SHAPES = {
    "200 documents": Shape(documents=200, mentions=150, entities=40, slot=6),
    "book, 20,000 mentions": Shape(1, mentions=20_000, entities=3_000, slot=10),
    "book, 200,000 mentions": Shape(1, mentions=200_000, entities=30_000, slot=10),
}


def key_entities(shape: Shape, rng: np.random.Generator) -> Entities:
    """Deal mentions to entities whose sizes fall off slowly."""
    weight = 1 / np.arange(1, shape.entities + 1) ** 0.8
    owner = rng.choice(shape.entities, size=shape.mentions, p=weight / weight.sum())
    groups: Entities = [[] for _ in range(shape.entities)]
    for mention, entity in enumerate(owner.tolist()):
        groups[entity].append(mention)
    return [group for group in groups if group]


def damaged(key: Entities, shape: Shape, rng: np.random.Generator) -> Entities:
    """Make the response that such a key might get."""
    response: Entities = []
    for group in key:
        found = [mention for mention in group if rng.random() > MISSED]
        if len(found) > 1 and rng.random() < SPLIT:
            cut = int(rng.integers(1, len(found)))
            response += [found[:cut], found[cut:]]
        else:
            response.append(found)
    for group in response:
        for mention in [each for each in group if rng.random() < MOVED]:
            group.remove(mention)
            response[int(rng.integers(len(response)))].append(mention)
    for mention in range(int(INVENTED * shape.mentions)):
        target = response[int(rng.integers(len(response)))]
        target.append(shape.mentions + mention)
    return [group for group in response if group]


def sides(shape: Shape) -> tuple[list[Entities], list[Entities]]:
    """Make keys and responses, seeded."""
    rng = np.random.default_rng(12345)
    keys = [key_entities(shape, rng) for _ in range(shape.documents)]
    return keys, [damaged(key, shape, rng) for key in keys]


def write_pair(folder: Path, shape: Shape) -> tuple[Path, Path]:
    """Write both sides as files."""
    paths = folder / "key.conll", folder / "response.conll"
    for path, documents in zip(paths, sides(shape), strict=True):
        path.write_text("\n".join(_lines(documents, shape)) + "\n", encoding="utf-8")
    return paths


def _lines(documents: list[Entities], shape: Shape) -> list[str]:
    """Write documents; a mention covers one to three tokens of its slot."""
    tokens = shape.slot * int(shape.mentions * (1 + INVENTED) + 1)
    lines = []
    for number, groups in enumerate(documents):
        cells: list[list[str]] = [[] for _ in range(tokens)]
        for entity, group in enumerate(groups):
            for mention in group:
                start, length = mention * shape.slot, 1 + mention % 3
                if length == 1:
                    cells[start].append(f"({entity})")
                else:
                    cells[start].append(f"({entity}")
                    cells[start + length - 1].append(f"{entity})")
        name = f"bench/{number:04}"
        lines.append(f"#begin document ({name}); part 000")
        for token, cell in enumerate(cells):
            brackets = "|".join(cell) or "-"
            lines.append(f"{name}\t0\t{token}\tword\tNN\t*\t-\t-\t{brackets}")
        lines.append("#end document")
    return lines
