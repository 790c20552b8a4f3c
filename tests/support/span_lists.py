"""What a reader found, as lists that can be written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.formats import reading

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus

    Spans = dict[str, list[list[tuple[int, int]]]]


def spans_of(corpus: Corpus) -> Spans:
    """List the entities of each document, each as first and last tokens."""
    found: Spans = {name.name: [] for name in corpus.documents}
    entities: dict[int, list[tuple[int, int]]] = {}
    rows = (corpus.mention_entity, corpus.mention_start, corpus.mention_end)
    for entity, start, end in zip(*(row.tolist() for row in rows), strict=True):
        entities.setdefault(entity, []).append((start, end))
    for entity, mentions in entities.items():
        document = corpus.documents[int(corpus.entity_document[entity])]
        found[document.name].append(sorted(mentions))
    return {name: sorted(lists) for name, lists in found.items()}


def words_of(corpus: Corpus) -> list[str]:
    """List the words of all documents."""
    assert corpus.tokens is not None
    return corpus.tokens.word.strings()


def written(folder: Path, **files: str) -> Path:
    """Write files by their names, in which __ stands for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def read_file(path: Path, **options: str) -> Corpus:
    """Read a file or a folder as a key, with its words."""
    return reading.read(path, role="key", with_tokens=True, **options)  # type: ignore[arg-type]
