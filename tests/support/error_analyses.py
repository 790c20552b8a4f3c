"""Analyses of examples, and of files and entities that are written in a test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scoref.formats.reading import read_data
from scoref.schemes import resolve
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.model import Corpus
    from scoref.scheme import Scheme
    from scoref.tools.errors.findings import Analysis
    from support.strategies import Documents

    Clusters = Sequence[Sequence[tuple[int, int]]]

NAMES = tuple(kind.name for kind in KINDS)


def read(text: str, format_name: str, scheme: Scheme, source: str = "x") -> Corpus:
    """Read one side, and its words."""
    return read_data(
        text.encode(),
        source=source,
        role="key",
        format=format_name,
        reading=scheme.reading,
        layer=scheme.layer,
        with_tokens=True,
    )


def analysis_of_texts(
    key: str,
    response: str,
    format_name: str,
    metrics: tuple[str, ...] | None = None,
    **changes: str,
) -> Analysis:
    """Analyse two texts of one format."""
    scheme = resolve(None, format=format_name, lenient=False, **changes)
    ours = read(key, format_name, scheme, "key")
    theirs = read(response, format_name, scheme, "response")
    return analyse(ours, theirs, scheme, metrics)


def spans(
    key: Clusters, response: Clusters, words: str | None = None, **changes: str
) -> Analysis:
    """Analyse one document of JSON lines; sentences of words are separated by |."""
    texts = []
    for clusters in (key, response):
        record: dict[str, object] = {"doc_key": "d", "clusters": clusters}
        if words is not None:
            record["sentences"] = [sentence.split() for sentence in words.split("|")]
        texts.append(json.dumps(record))
    return analysis_of_texts(texts[0], texts[1], "json-lines", None, **changes)


def counts(analysis: Analysis) -> Mapping[str, int]:
    """Count the errors of each kind that there are."""
    rows = zip(NAMES, analysis.gains.count.tolist(), strict=True)
    return {name: count for name, count in rows if count}


def example(name: str, **options: str) -> Analysis:
    """Analyse the example files whose names begin like that."""
    paths = [next(EXAMPLES.glob(f"{name}{side}.*")) for side in ("key", "response")]
    (pair,) = read_pairs(paths[0], [paths[1]], Request.of(**options))
    return analyse(*pair)


def single(*groups: str) -> list[list[tuple[int, int]]]:
    """Write entities as texts of letters, each a mention of one token.

    >>> single("ab", "c")
    [[(0, 0), (1, 1)], [(2, 2)]]
    """
    return [
        [(ord(letter) - 97, ord(letter) - 97) for letter in group] for group in groups
    ]


def analysis_of(key: Documents, response: Documents) -> Analysis:
    """Analyse documents in which every mention is a token."""
    sides = [
        {
            name: [[(token, token) for token in entity] for entity in entities]
            for name, entities in documents.items()
        }
        for documents in (key, response)
    ]
    return analysis_of_clusters(sides[0], sides[1])


def analysis_of_clusters(
    key: Mapping[str, Clusters], response: Mapping[str, Clusters]
) -> Analysis:
    """Analyse documents of spans."""
    texts = [
        "\n".join(
            json.dumps({"doc_key": name, "clusters": clusters})
            for name, clusters in documents.items()
        )
        for documents in (key, response)
    ]
    return analysis_of_texts(texts[0], texts[1], "json-lines")


def error_entities(analysis: Analysis, row: int) -> tuple[int, int]:
    """Return the entities of an error in the key and in the response."""
    errors = analysis.errors
    return int(errors.key_entity[row]), int(errors.response_entity[row])
