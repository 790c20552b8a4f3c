"""Slices of files that are written in a test, and whether they add up."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest

from scoref.formats.reading import read_data
from scoref.metrics import available
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from scoref.scoring.slices import layer_of, slice_corpora, sliceable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.scoring.results import Result

    Clusters = Sequence[Sequence[tuple[int, int]]]

Slices = dict[str, "Result"]


def spans(documents: Mapping[str, Clusters]) -> str:
    """Write JSON lines: entities as the first and last words of their mentions."""
    records = [{"doc_key": name, "clusters": each} for name, each in documents.items()]
    return "".join(json.dumps(record) + "\n" for record in records)


def sliced(
    key: str,
    response: str,
    by: str,
    *,
    format: str,
    **changes: str,
) -> tuple[Slices, Result]:
    """Read two files; give their slices, and the whole."""
    scheme = resolve(None, format=format, lenient=False, **changes)
    sides = [
        read_data(
            text.encode(),
            source="x",
            role="key",
            format=format,
            reading=scheme.reading,
            layer=layer_of(by) or scheme.layer,
        )
        for text in (key, response)
    ]
    metrics = available(sides[0], scheme)
    of_whole = scheme
    if by == "distance":
        of_whole = dataclasses.replace(scheme, anaphors="all")
    whole = score_corpora(sides[0], sides[1], of_whole, metrics)
    return slice_corpora(sides[0], sides[1], scheme, metrics, by), whole


def check_sums(slices: Slices, whole: Result) -> None:
    """See that slices add up to the whole, document by document."""
    names = ("zero",) if whole.scheme.anaphors == "all" else sliceable()
    for name in names:
        if name in whole.counts:
            found = sum(each.counts[name] for each in slices.values())
            assert found == pytest.approx(whole.counts[name], abs=1e-9), name
