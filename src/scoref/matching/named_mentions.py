"""A response that calls the key's mentions by their ids, and has no text of its own."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import AlignmentError, WithoutKey
from scoref.model import Note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.model import Corpus, Ints

    Spans = Mapping[str, tuple[int, int]]


def placed_like(key: Corpus, response: Corpus) -> Corpus:
    """Give mentions of a response the places that the key's have of the same ids.

    What the key does not have lies behind the text, where nothing else is.
    """
    if response.mention_ids is None or response.document_tokens is not None:
        return response
    if key.mention_ids is None:
        raise AlignmentError(
            f"there are ids of mentions here, which {key.source} does not tell",
            source=response.source,
            hint="give a key of the same format, in which mentions have ids",
            without_key=WithoutKey(
                "there are ids of mentions here, which the key does not have"
            ),
        )
    start, end = response.mention_start.copy(), response.mention_end.copy()
    document = response.mention_document
    strange = 0
    for row, name in enumerate(each.name for each in response.documents):
        here = np.flatnonzero(document == row)
        spans = key.mention_ids.get(name, {})
        lost = [each for each in response.mention_ids[name] if each not in spans]
        strange += len(lost)
        places = _places(response.mention_ids[name], spans)
        own = response.mention_start[here]
        start[here], end[here] = places[own, 0], places[own, 1]
    return dataclasses.replace(
        response,
        mention_start=start,
        mention_end=end,
        notes=(*response.notes, *_told(strange)),
    )


def _places(own: Spans, spans: Spans) -> Ints:
    """Give the key's place for each of a document's mentions, by their numbers."""
    behind = 1 + max((last for _, last in spans.values()), default=-1)
    found = [
        spans.get(name, (behind + place, behind + place))
        for name, (place, _) in own.items()
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _told(strange: int) -> tuple[Note, ...]:
    if not strange:
        return ()
    message = f"ids of mentions that the key does not have: {strange}"
    return (Note("unknown-ids", strange, message),)
