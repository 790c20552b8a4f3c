"""Classes of errors: by document, size, length, mention type or distance.

An error about several mentions has the class of the first one, because the wrong link
was made, or the right one missed, there. The key's mention decides, or the response's
if the key has none. The distance of an error is that of a link to the previous mention
of the entity: in the response for conflated entities, wrong links and extra mentions,
otherwise in the key.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.memberships import Listings as CellMentions
from scoref.errors import OptionError, unknown
from scoref.model import SENTENCE_BITS
from scoref.model.arrays import inverse, is_new
from scoref.scoring.mention_classes import classes_of, has_mention_types, in_order
from scoref.scoring.slices import check_classes, refuse_characters
from scoref.tools.errors.kinds import BY, KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.model import Corpus, Ints, Note
    from scoref.scoring.mention_classes import ClassTable
    from scoref.tools.errors.findings import AnalysedSide, Analysis, Errors


class Classes(NamedTuple):
    """The names of classes, and the class of each error."""

    names: tuple[str, ...]
    of_error: Ints

    def counts(self, errors: Errors) -> Ints:
        """Count errors: a row for each class, a column for each kind."""
        return errors.counts(self.of_error, len(self.names))


_DISTANCES = ("0", "1", "2", "3-5", "6-")

FIRST = "first"

DISTANCES = (*_DISTANCES, FIRST)


def classify(analysis: Analysis, by: str, table: ClassTable | None = None) -> Classes:
    """Sort the errors of a response into classes; ``table`` is for ``by="class"``."""
    if by not in BY:
        raise unknown("class of errors", by, BY)
    check_classes(by, table)
    if by == "kind":
        return Classes(("all",), np.zeros(len(analysis.errors.kind), dtype=np.int64))
    if by == "document":
        return Classes(analysis.documents, analysis.errors.document)
    if by == "distance":
        distance = distances_of(analysis)
        place = np.searchsorted([1, 2, 3, 6], distance, side="right")
        return Classes(DISTANCES, np.where(distance < 0, len(_DISTANCES), place))
    sides = analysis._wording.key, analysis._wording.response
    labels = [texts for texts, _ in _table_labels(analysis, table)] or [
        (texts.classes if by == "mention-type" else None)
        or _labels(by, texts.corpus, texts.side, sides[0].corpus)
        for texts in sides
    ]
    names = tuple(in_order({*labels[0], *labels[1]}, by))
    number = {name: place for place, name in enumerate(names)}
    codes = [np.array([number[label] for label in side], np.int64) for side in labels]
    is_key = np.diff(analysis.errors.key_mentions.start) > 0
    return Classes(names, _of_first(analysis, codes, is_key))


def table_notes(analysis: Analysis, table: ClassTable | None) -> list[Note]:
    """Warn of rows of a table of classes that fit no mention."""
    if table is None:
        return []
    fitting = (lines for _, lines in _table_labels(analysis, table))
    return table.notes({*chain.from_iterable(fitting)}, analysis._corpora)


def _table_labels(
    analysis: Analysis, table: ClassTable | None
) -> list[tuple[list[str], set[int]]]:
    """Return the classes of both sides' mentions, and the lines that fit any."""
    if table is None:
        return []
    refuse_characters(analysis.result.scheme)
    sides = analysis._wording.key, analysis._wording.response
    return [table.classes(side.corpus, side.side.row) for side in sides]


def _labels(by: str, corpus: Corpus, side: AnalysedSide, key: Corpus) -> list[str]:
    """Return the class of each mention of one side."""
    cells, mask = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
    listings = CellMentions(
        corpus, side.row, side.entity, side.document, cells, mask, mask
    )
    return classes_of(by, listings, np.bincount(side.entity), key)


def mention_classes(
    corpus: Corpus, side: AnalysedSide, key: Corpus | None = None
) -> list[str] | None:
    """Return the type of each mention, if it is known from the side or the key."""
    if not has_mention_types(corpus, key):
        return None
    return _labels("mention-type", corpus, side, key or corpus)


def _of_first(analysis: Analysis, codes: list[Ints], is_key: NDArray[np.bool_]) -> Ints:
    """Return the code of each error's first mention, in the key or in the response."""
    sets = analysis.errors.key_mentions, analysis.errors.response_mentions
    of_sides: list[Ints] = []
    for mentions, code in zip(sets, codes, strict=True):
        # An error without mentions on this side gets some code that is not used.
        first = np.append(mentions.member, -1)[mentions.start[:-1]]
        of_sides.append(np.append(code, 0)[first])
    return np.where(is_key, *of_sides)


def distances_of(analysis: Analysis) -> Ints:
    """Count the sentences that each link goes back; -1 if the mention is the first."""
    sides = zip(analysis._corpora, (analysis.key, analysis.response), strict=True)
    codes = [_sentences_back(corpus, side) for corpus, side in sides]
    extra = [number for number, kind in enumerate(KINDS) if kind.is_extra]
    is_key = ~np.isin(analysis.errors.kind, extra)
    return _of_first(analysis, codes, is_key)


def _sentences_back(corpus: Corpus, side: AnalysedSide) -> Ints:
    """Count the sentences back to the previous mention of the entity; -1: none."""
    sentence = sentences_of(corpus, side.row)
    order = np.argsort(side.entity, kind="stable")
    distance = np.maximum(np.diff(sentence[order], prepend=0), 0)
    distance[is_new(side.entity[order])] = -1
    return distance[inverse(order)]


def sentences_of(corpus: Corpus, rows: Ints) -> Ints:
    """Return the sentence of each mention's first word, as a number in the corpus."""
    if corpus.tokens is not None:
        sets = corpus.tokens.of_mentions(corpus)
        return corpus.tokens.sentence[sets.member[sets.start[rows]]]
    if not has_sentences(corpus):
        raise OptionError(
            f"{corpus.source} has no sentence boundaries, so distances are unknown"
        )
    assert corpus.words is not None
    sentence: Ints = corpus.words.member[corpus.words.start[rows]] >> SENTENCE_BITS
    return sentence


def has_sentences(corpus: Corpus) -> bool:
    """Return whether the sentence of each mention is known."""
    if corpus.tokens is not None:
        return True
    return corpus.words is not None and not corpus.words.by_document
