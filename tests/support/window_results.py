"""Windows of files that are written in a test, and where their mentions begin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scoref.formats.reading import read_data
from scoref.metrics import available
from scoref.schemes import resolve
from scoref.scoring.windows import Window, score_both

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.formats.catalogue import Role
    from scoref.scoring.windows import Windowed

    Clusters = Sequence[Sequence[tuple[int, int]]]


def spans(documents: Mapping[str, Clusters], length: int | None = None) -> str:
    """Write JSON lines; with a length, a text of so many words for each document."""
    text = {} if length is None else {"sentences": [["w"] * length]}
    records = (
        {"doc_key": name, "clusters": clusters, **text}
        for name, clusters in documents.items()
    )
    return "".join(json.dumps(record) + "\n" for record in records)


def windowed(
    key: str,
    response: str,
    window: int | str,
    *,
    format: str = "json-lines",
    **changes: str,
) -> Windowed:
    """Read two files; score the whole, and its windows."""
    scheme = resolve(None, format=format, lenient=False, **changes)
    roles: tuple[Role, Role] = ("key", "response")
    sides = [
        read_data(
            text.encode(),
            source=role,
            role=role,
            format=format,
            reading=scheme.reading,
            layer=scheme.layer,
        )
        for role, text in zip(roles, (key, response), strict=True)
    ]
    metrics = available(sides[0], scheme)
    return score_both(sides[0], sides[1], scheme, metrics, Window.of(window))
