"""JSON lines, written: an object for each document.

    {"doc_key":"news/0001_0","sentences":[["Ada","wrote"]],"clusters":[[[0,0]]]}

Entities and mentions stay in their order, and mentions have no gaps. Labels, which join
entities of several documents, are written as ``cluster_ids`` if they are wanted. A
corpus without words is written without ``sentences``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from scoref.errors import FormatError
from scoref.formats.token_sets import spelt

if TYPE_CHECKING:
    from scoref.model import Corpus, Ints

    Clusters = list[list[tuple[int, int]]]


def write(corpus: Corpus, *, labelled: bool = False) -> bytes:
    """Write a corpus, with its words if it was read with its tokens.

    ``labelled``: with the labels of entities, too.

    Raises:
        FormatError: a mention has a gap, or there are empty nodes.
    """
    sentences = None if corpus.tokens is None else _sentences(corpus)
    clusters = _clusters(corpus)
    labels = _labels(corpus)
    encode = msgspec.json.Encoder().encode
    lines = []
    for row, document in enumerate(corpus.documents):
        record: dict[str, object] = {"doc_key": document.short}
        if sentences is not None:
            record["sentences"] = sentences[row]
        record["clusters"] = clusters[row]
        if labelled:
            record["cluster_ids"] = labels[row]
        lines.append(encode(record))
    return b"".join(line + b"\n" for line in lines)


def _sentences(corpus: Corpus) -> list[list[list[str]]]:
    """Give each document's words, by sentence."""
    tokens, words, _ = spelt(corpus)
    starts = tokens.is_start
    found = []
    for first, last in pairwise(tokens.first.tolist()):
        begins = np.flatnonzero(starts[first:last]) + first
        bounds = pairwise([*begins.tolist(), last])
        found.append([words[start:end] for start, end in bounds])
    return found


def _clusters(corpus: Corpus) -> list[Clusters]:
    start, end = _spans(corpus)
    found: list[Clusters] = [[] for _ in corpus.documents]
    clusters: Clusters = []
    for document in corpus.entity_document.tolist():
        clusters.append([])
        found[document].append(clusters[-1])
    columns = corpus.mention_entity.tolist(), start.tolist(), end.tolist()
    for entity, *span in zip(*columns, strict=True):
        clusters[entity].append((span[0], span[1]))
    return found


def _labels(corpus: Corpus) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in corpus.documents]
    columns = corpus.entity_document.tolist(), corpus.entity_label
    for document, label in zip(*columns, strict=True):
        found[document].append(label)
    return found


def _spans(corpus: Corpus) -> tuple[Ints, Ints]:
    """Give the first and the last token of each mention, counted by document."""
    if corpus.tokens is None and corpus.words is None:
        return corpus.mention_start, corpus.mention_end
    if corpus.tokens is None:
        raise FormatError(
            "there are no tokens in this corpus, but mentions are made of words",
            source=corpus.source,
            hint="read it with its tokens",
        )
    tokens, _, (start, row) = spelt(corpus)
    first, last = row[start[:-1]], row[start[1:] - 1]
    gaps = np.flatnonzero(last - first + 1 != np.diff(start))
    if len(gaps):
        raise FormatError(
            "a mention has a gap, which cannot be written",
            source=corpus.source,
            line=int(corpus.mention_line[gaps[0]]) or None,
            hint="`scoref convert --lossy` says what JSON lines cannot hold, and "
            "leaves it out",
        )
    offset = tokens.first[corpus.mention_document]
    return first - offset, last - offset
