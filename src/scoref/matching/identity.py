"""What makes two mentions the same beside their span: their types, their ids.

An id is one of a knowledge base. One that starts with ``NIL``, or is missing, is none:
two such mentions agree, whatever they are called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.matching import Matched
    from scoref.model import Corpus, Ints
    from scoref.scheme import Identity

_NIL = "NIL"


def told_apart(
    matched: Matched, corpora: tuple[Corpus, Corpus], identity: Identity | None
) -> Matched:
    """Give mentions of the same span different numbers where something else differs."""
    if identity is None:
        return matched
    sides = matched.key, matched.response
    number = np.concatenate([side.mention for side in sides])
    for part in identity.split("+")[1:]:
        code = _codes([side_of(part, corpus) for corpus in corpora])
        of_rows = [each[side.row] for each, side in zip(code, sides, strict=True)]
        both = number * (max(each.max(initial=0) for each in code) + 1)
        _, number = np.unique(both + np.concatenate(of_rows), return_inverse=True)
    key, response = np.split(number, [len(sides[0].mention)])
    return matched._replace(
        mention_count=int(number.max(initial=-1)) + 1,
        key=sides[0]._replace(mention=key),
        response=sides[1]._replace(mention=response),
    )


def side_of(part: str, corpus: Corpus) -> Sequence[str] | None:
    """Give what a corpus says of each mention's type, or of its id; None: nothing."""
    if part == "type":
        return corpus.mention_type
    if corpus.mention_kbid is None:
        return None
    return ["" if each.startswith(_NIL) else each for each in corpus.mention_kbid]


def _codes(sides: list[Sequence[str] | None]) -> list[Ints]:
    """Number equal texts alike."""
    numbers: dict[str, int] = {}
    return [
        np.array(
            [numbers.setdefault(text, len(numbers)) for text in side or ()], np.int64
        )
        for side in sides
    ]
