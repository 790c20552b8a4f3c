"""Annotators of made-up documents, who mostly agree."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

NAMES = ("ada", "ben", "eva")

Span = tuple[int, int]
Entities = list[list[Span]]


def record(name: str, entities: Iterable[Sequence[Span]], words: int = 12) -> bytes:
    """Write a document of six words a sentence; every word occurs once."""
    tokens = [f"{name}w{number}" for number in range(words)]
    sentences = [tokens[start : start + 6] for start in range(0, words, 6)]
    clusters = [[list(span) for span in entity] for entity in entities]
    line = {"doc_key": name, "sentences": sentences, "clusters": clusters}
    return json.dumps(line).encode() + b"\n"


def numbers(seed: int) -> random.Random:
    """Return a source of numbers for made-up texts."""
    return random.Random(seed)  # noqa: S311 - nothing is secret


def annotated(rng: random.Random, mentions: int, words: int) -> dict[str, Entities]:
    """Draw what each annotator says about mentions of one or two words."""
    starts = sorted(rng.sample(range(words - 1), mentions))
    spans = [(start, start + rng.randint(0, 1)) for start in starts]
    truth = [rng.randint(0, max(mentions // 3, 1)) for _ in spans]
    people = {}
    for name in NAMES:
        entities: dict[int, list[Span]] = {0: [spans[0]]}
        for span, entity in zip(spans[1:], truth[1:], strict=True):
            if rng.random() < 0.9:
                own = entity if rng.random() < 0.8 else rng.randint(0, mentions)
                entities.setdefault(own, []).append(span)
        people[name] = list(entities.values())
    return people


def write_annotators(
    folder: Path, seed: int, documents: int, mentions: int = 12
) -> dict[str, Path]:
    """Write a file of JSON lines for each annotator."""
    rng = numbers(seed)
    lines: dict[str, list[bytes]] = {name: [] for name in NAMES}
    for number in range(documents):
        words = 60
        for name, entities in annotated(rng, mentions, words).items():
            lines[name].append(record(f"d{number:02}", entities, words))
    paths = {name: folder / f"{name}.jsonl" for name in NAMES}
    for name, path in paths.items():
        path.write_bytes(b"".join(lines[name]))
    return paths
