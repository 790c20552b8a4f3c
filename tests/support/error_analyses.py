"""Analyses of files that are written in a test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scoref.formats.reading import read_data
from scoref.schemes import resolve
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.model import Corpus
    from scoref.scheme import Scheme
    from scoref.tools.errors.findings import Analysis

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


def analysed(
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
            record["sentences"] = [each.split() for each in words.split("|")]
        texts.append(json.dumps(record))
    return analysed(texts[0], texts[1], "json-lines", None, **changes)


def counts(analysis: Analysis) -> Mapping[str, int]:
    """Count the errors of each kind that there are."""
    found = zip(NAMES, analysis.gains.count.tolist(), strict=True)
    return {name: count for name, count in found if count}
