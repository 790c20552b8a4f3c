"""Entities of short spans, drawn at random, and files of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from support.oracle_errors import Entities


@st.composite
def partitions(draw: st.DrawFn) -> Entities:
    """Draw entities of short spans in two documents."""
    spans = st.tuples(st.integers(0, 1), st.integers(0, 9), st.integers(0, 3))
    chosen = draw(
        st.lists(
            st.tuples(spans, st.integers(0, 4)),
            unique_by=lambda pair: pair[0],
            max_size=14,
        )
    )
    found: Entities = {}
    for (document, first, more), label in chosen:
        mention = document, first, first + more
        found.setdefault(f"{document}-{label}", set()).add(mention)
    return found


def text_of(entities: Entities) -> str:
    """Write JSON lines, entities in an order that is not that of the text."""
    lines = []
    for document in (0, 1):
        clusters = [
            [[first, last] for _, first, last in sorted(mentions, reverse=True)]
            for name, mentions in sorted(entities.items())
            if name.startswith(f"{document}-")
        ]
        lines.append(json.dumps({"doc_key": f"d{document}", "clusters": clusters}))
    return "\n".join(lines)
