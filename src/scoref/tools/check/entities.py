"""Rules about entities, and about zeros."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.formats import COREFUD, JSON_LINES
from scoref.rules import EMPTY_ENTITY, ONLY_SINGLETONS, ZERO_WITHOUT_DEPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Corpus, Ints
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.views import View

_DEPS = 8


def sizes(corpus: Corpus) -> Ints:
    """Count the mentions of each entity; one that does not refer has none."""
    count = np.bincount(corpus.mention_entity, minlength=len(corpus.entity_label))
    if corpus.anaphora is None:
        return count
    return np.where(corpus.anaphora.is_referring, count, 0)


def sized(view: View) -> Iterator[Problem]:
    """Find entities without mentions, and files in which nothing corefers."""
    corpus = view.corpus
    count = sizes(corpus)
    if view.format == JSON_LINES and view.is_whole:
        for entity in np.flatnonzero(count == 0).tolist():
            document = int(corpus.entity_document[entity])
            yield view.listing.problem(
                EMPTY_ENTITY,
                f"entity {corpus.entity_label[entity]} has no mention",
                int(corpus.document_line[document]),
                hint="leave it out",
                can_fix=True,
            )
    if count.max(initial=0) == 1 and view.way.layer == "identity":
        yield view.listing.problem(
            ONLY_SINGLETONS,
            f"none of {int(count.sum())} entities has more than one mention",
            hint="nothing corefers: MUC has nothing to count, and schemes that drop "
            "singletons drop all",
        )


def zeros(view: View) -> Iterator[Problem]:
    """Find zeros that cannot be matched by their dependencies."""
    words = view.corpus.words
    if view.format != COREFUD or words is None or view.layout is None:
        return
    assert view.layout.code is not None  # noqa: S101 - CorefUD has codes
    lonely = [node for node, found in words.dependencies.items() if not found]
    rows = np.flatnonzero(np.isin(view.layout.code, lonely))
    for line in view.layout.line[rows].tolist():
        cells = view.listing.text(line).split("\t")
        at = sum(len(cell) + 1 for cell in cells[:_DEPS])
        yield view.listing.problem(
            ZERO_WITHOUT_DEPS,
            "this zero is a mention, but depends on nothing",
            line,
            (at, at + 1),
            hint="the ninth column, DEPS, says on what: 3:nsubj",
        )
