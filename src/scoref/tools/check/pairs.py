"""Rules about two files: are they the same documents, and the same words?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.errors import AlignmentError
from scoref.formats import CONLL_2012, COREFUD
from scoref.matching.documents import pair_documents
from scoref.matching.exact import match_exact
from scoref.matching.shifts import find_shift
from scoref.rules import (
    DIFFERENT_FORMATS,
    MISSING_DOCUMENT,
    NAME_BY_ALIAS,
    NO_COMMON_MENTIONS,
    SAME_AS_KEY,
    SINGLETONS_ON_ONE_SIDE,
    SWAPPED_FILES,
)
from scoref.schemes import resolve
from scoref.scoring.fitting import fitted
from scoref.scoring.one_text import are_mixed
from scoref.scoring.suspicions import ENOUGH, look_swapped
from scoref.tools.check.entities import sizes
from scoref.tools.check.texts import different_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.matching.documents import Documents
    from scoref.model import Corpus
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.views import View

_SAME = "give both files the same documents"
_SAME_OR_EMPTY = f"{_SAME}, or score with --missing empty"


def check_pair(key: View, response: View) -> Iterator[Problem]:
    """Find what keeps a response from being scored against a key."""
    yield from _mistaken(key, response)
    name: str | None = key.format
    if are_mixed(key.corpus, response.corpus):
        key, response, name = key.as_spans(), response.as_spans(), None
    try:
        fitted(resolve(None, format=name), key.corpus, response.corpus)
    except AlignmentError as error:
        yield response.listing.problem(
            DIFFERENT_FORMATS, error.problem, hint=error.hint
        )
        return
    scheme = resolve("default", lenient=True)
    documents = pair_documents(key.corpus, response.corpus, scheme)
    yield from _missing(key, response, documents)
    yield from _renamed(key, response, documents)
    yield from different_texts(key, response, documents)
    yield from _singletons(key, response)
    if key.corpus.words is None:
        yield from _nothing_in_common(key, response, documents)


def _mistaken(key: View, response: View) -> Iterator[Problem]:
    """Find files that are probably not those that were meant."""
    if look_swapped(key.name, response.name):
        yield response.listing.problem(
            SWAPPED_FILES,
            f"this was given as the response, and {key.name} as the key",
            hint="the key comes first",
        )
    is_same = key.name != response.name and key.data == response.data
    if is_same and len(key.corpus.mention_entity) >= ENOUGH:
        yield response.listing.problem(
            SAME_AS_KEY,
            f"this file has the content of {key.name}",
            hint="give what a system said",
        )


def _missing(key: View, response: View, documents: Documents) -> Iterator[Problem]:
    sides = (key, documents.key, response), (response, documents.response, key)
    for view, rows, other in sides:
        paired = (documents.key >= 0) & (documents.response >= 0)
        there = set(rows[paired].tolist())
        for row, document in enumerate(view.corpus.documents):
            if row not in there:
                yield view.about_document(
                    MISSING_DOCUMENT,
                    row,
                    f"document '{document.name}' is not in {other.name}",
                    _SAME if view.format == COREFUD else _SAME_OR_EMPTY,
                )


def _renamed(key: View, response: View, documents: Documents) -> Iterator[Problem]:
    """Find documents that only a lenient look takes for the same."""
    if key.format != CONLL_2012 or response.format != CONLL_2012:
        return
    for ours, theirs in zip(
        documents.key.tolist(), documents.response.tolist(), strict=True
    ):
        names = key.corpus.documents[ours].name, response.corpus.documents[theirs].name
        if ours >= 0 <= theirs and names[0] != names[1]:
            yield response.about_document(
                NAME_BY_ALIAS,
                theirs,
                f"document '{names[1]}' is '{names[0]}' in {key.name}",
                "use one name: to the reference scorer these are two documents",
            )


def _singletons(key: View, response: View) -> Iterator[Problem]:
    if key.way.layer != "identity":
        return
    counts = [sizes(view.corpus) for view in (key, response)]
    alone = [int((count == 1).sum()) for count in counts]
    if not all(count.any() for count in counts) or bool(alone[0]) == bool(alone[1]):
        return
    with_, without = (key, response) if alone[0] else (response, key)
    yield response.listing.problem(
        SINGLETONS_ON_ONE_SIDE,
        f"{with_.name} has {max(alone)} entities of one mention, {without.name} none",
        hint="--singletons drop scores both without them",
    )


def _nothing_in_common(
    key: View, response: View, documents: Documents
) -> Iterator[Problem]:
    """Suspect offsets if no mention is the same."""
    count = len(response.corpus.mention_entity)
    is_paired = bool(((documents.key >= 0) & (documents.response >= 0)).any())
    if not len(key.corpus.mention_entity) or not count or not is_paired:
        return
    if _common(key.corpus, response.corpus, documents):
        return
    shift = find_shift(key.corpus, response.corpus, documents)
    hint = "is it the response to this key?"
    if shift is not None:
        hint = shift.question(here="here", there=f"in {key.name}")
    yield response.listing.problem(
        NO_COMMON_MENTIONS,
        f"none of {count} mentions is one of {key.name}",
        hint=hint,
    )


def _common(key: Corpus, response: Corpus, documents: Documents) -> int:
    matched = match_exact(key, response, documents)
    return int(np.isin(matched.response.mention, matched.key.mention).sum())
