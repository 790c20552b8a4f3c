"""Where the reference scorer reads a CoNLL-2012 file otherwise.

The same file is read as that scorer reads it, and the two readings are compared,
document by document.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from scoref.formats import CONLL_2012, conll2012_reference
from scoref.rules import REFERENCE_READING
from scoref.tools.check.documents import unended

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoref.model import Corpus
    from scoref.tools.check.problems import Problem
    from scoref.tools.check.views import View

    Mentions = dict[int, set[tuple[str, int, int]]]

_HINT = (
    "tabs between columns, digits as labels and no comments are read alike; the "
    "documentation of CoNLL-2012 has all differences"
)


def read_otherwise(view: View) -> Iterator[Problem]:
    """Find documents that are not the same to the reference scorer."""
    ours = view.corpus
    is_marked = any(name.name for name in ours.documents)
    if view.format != CONLL_2012 or not view.is_whole or not is_marked:
        return
    theirs = conll2012_reference.read(view.data, source=ours.source)
    if _are_equal(ours, theirs):
        return
    rows = {line: row for row, line in enumerate(theirs.document_line.tolist())}
    mentions = _mentions(ours), _mentions(theirs)
    without_end = {begin + 1 for begin, _ in unended(view.listing.lines)}
    for row, line in enumerate(ours.document_line.tolist()):
        if line in without_end:
            continue  # there is a rule of its own
        other, place = rows.get(line), line
        if other is None:
            message = "the reference scorer does not see this document"
        elif other in theirs.faults:
            place = theirs.faults[other].line or line
            message = f"to the reference scorer, {theirs.faults[other].problem}"
        else:
            message = _difference(ours, theirs, (row, other), mentions)
        if message:
            yield view.listing.problem(REFERENCE_READING, message, place, hint=_HINT)


def _are_equal(ours: Corpus, theirs: Corpus) -> bool:
    """Tell at a glance whether two readings are the same."""
    columns = ("document_line", "document_tokens", "mention_start", "mention_end")
    is_same = all(
        getattr(ours, name).tolist() == getattr(theirs, name).tolist()
        for name in (*columns, "mention_entity")
    )
    return is_same and not theirs.faults and ours.entity_label == theirs.entity_label


def _difference(
    ours: Corpus, theirs: Corpus, rows: tuple[int, int], mentions: tuple[Mentions, ...]
) -> str:
    assert ours.document_tokens is not None  # noqa: S101 - rows are tokens
    assert theirs.document_tokens is not None  # noqa: S101
    tokens = int(ours.document_tokens[rows[0]]), int(theirs.document_tokens[rows[1]])
    if tokens[0] != tokens[1]:
        has = f"has {tokens[1]} tokens, not {tokens[0]}"
        return f"to the reference scorer this document {has}"
    found = [of_side[row] for of_side, row in zip(mentions, rows, strict=True)]
    if found[0] == found[1]:
        return ""
    return (
        f"the reference scorer finds {len(found[1] - found[0])} other mentions in this "
        f"document and lacks {len(found[0] - found[1])}"
    )


def _mentions(corpus: Corpus) -> Mentions:
    found: Mentions = defaultdict(set)
    columns = corpus.mention_entity, corpus.mention_start, corpus.mention_end
    document = corpus.entity_document.tolist()
    for entity, start, end in zip(*(each.tolist() for each in columns), strict=True):
        found[document[entity]].add((corpus.entity_label[entity], start, end))
    return found
