"""CorefUD's split antecedents: which entities stand for several others.

    SplitAnte=e1<e3,e2<e3    e3 stands for e1 and e2

The official scorer reads these and makes no use of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import FormatError
from scoref.model import Anaphora
from scoref.rules import UNKNOWN_ENTITY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.formats._faults import Faults
    from scoref.model import Ints, Note, Relation, Sentences


_NAMES = re.compile("[<,]")


def read_plurals(
    relations: Sequence[Relation],
    sentences: Sentences,
    entity_document: Ints,
    entity_label: Sequence[str],
    faults: Faults,
) -> Anaphora | None:
    """Understand the relations of a file; ids are looked up in their document."""
    found = [relation for relation in relations if relation.kind == "SplitAnte"]
    if not found:
        return None
    named = {name for relation in found for name in _NAMES.split(relation.value)}
    rows = {
        (document, label): row
        for row, (document, label) in enumerate(
            zip(entity_document.tolist(), entity_label, strict=True)
        )
        if label in named
    }
    pairs: dict[tuple[int, int], None] = {}
    unknown: list[int] = []
    for relation in found:
        sentence = np.searchsorted(sentences.line, relation.line, side="right") - 1
        document = int(sentences.document[sentence])
        for item in relation.value.split(","):
            element, _, plural = item.partition("<")
            ids = rows.get((document, plural)), rows.get((document, element))
            if ids[0] is None or ids[1] is None or ids[0] == ids[1]:
                unknown.append(relation.line)
            else:
                pairs[ids[0], ids[1]] = None
    plurals, elements = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    nothing = np.empty(0, dtype=np.int64)
    return Anaphora(
        markable=(),
        is_referring=np.ones(len(entity_label), dtype=np.bool_),
        plural=plurals,
        element=elements,
        anaphor=nothing,
        antecedent=nothing,
        relation=(),
        notes=_noted(unknown, faults),
    )


def _noted(unknown: list[int], faults: Faults) -> tuple[Note, ...]:
    if not unknown:
        return ()
    first = FormatError(
        f"{len(unknown)} of the split antecedents passed over",
        rule=UNKNOWN_ENTITY,
        source=faults.source,
        line=min(unknown),
        hint="name entities that have a mention in the same document",
    )
    expected = ": expected SplitAnte=e1<e3 with two entities of the document"
    return (faults.noted("split-antecedents", len(unknown), first, expected),)
