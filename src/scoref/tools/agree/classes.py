"""Agreement by class: of mentions, by what they are, or of documents.

A class has the disagreement of its own mentions, and the chance of the documents that
they are in. Both add up over classes: α of all of them together is that of the whole. A
mention has the class that the first annotator who marked it gives it. F1 is that of
`scoref.score_slices`, averaged over pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency.listings import Listings
from scoref.errors import unknown
from scoref.scoring.slices import BY, MENTION_CLASSES, classes_of, genres_of, in_order
from scoref.tools.agree.alpha import AlphaSums
from scoref.tools.agree.pairs import mean_of
from scoref.tools.agree.results import ClassAgreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoref.model import Ints
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.results import Result
    from scoref.tools.agree.alpha import Sums, UnitCounts
    from scoref.tools.agree.distances import Floats
    from scoref.tools.agree.options import WantedFigures
    from scoref.tools.agree.results import Figures

KINDS = tuple(name for name in BY if name not in {"document", "distance"})
"""What agreement can be sorted by: each document has figures in any case."""


def check_by(by: str | None) -> None:
    """Refuse what there are no classes for."""
    kind, _, pattern = (by or "").partition(":")
    if by is not None and (kind not in KINDS or (pattern and kind != "genre")):
        raise unknown("class", by, KINDS)


def agreement_by(
    by: str | None,
    people: Annotated,
    counted: UnitCounts,
    sums: Sums,
    asked: WantedFigures,
) -> dict[str, ClassAgreement]:
    """Give each class its figures."""
    if by is None:
        return {}
    if by in MENTION_CLASSES:
        labels = _of_mentions(people, by)
        names = in_order({*labels}, by)
    else:
        genres, _ = genres_of(people.documents, people.corpora, by.partition(":")[2])
        labels = [genres[each] for each in people.unit_document.tolist()]
        names = sorted({*genres})
    chance = _chance(sums, asked)[people.unit_document]
    f1 = {name: _f1(people, by, name, asked.metrics) for name in names}
    found = {}
    for name in names:
        units = np.array([label == name for label in labels], dtype=np.bool_)
        alpha = _alpha(counted, chance, units)
        figures = zip(asked.distances, alpha, strict=True)
        found[name] = ClassAgreement(dict(figures), int(units.sum()), f1[name])
    return found


def _chance(sums: Sums, asked: WantedFigures) -> Floats:
    """Give D_e of each document; that of the corpus, where it is asked for."""
    if asked.average != "corpus":
        return sums.chance
    additive = AlphaSums.of(sums, "corpus")
    _, expected, n = additive.parts(additive.matrix.sum(axis=0))
    return np.broadcast_to(expected / max(float(n), 1), sums.chance.shape)


def _alpha(
    counted: UnitCounts,
    chance: Floats,
    units: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> list[float | None]:
    values = counted.unit_values[units]
    if not values.any():
        return [None] * chance.shape[1]
    apart = counted.unit_apart[units].sum(axis=0).tolist()
    expected = (values[:, None] * chance[units]).sum(axis=0).tolist()
    return [
        1 - one / other if other else 1.0
        for one, other in zip(apart, expected, strict=True)
    ]


def _of_mentions(people: Annotated, kind: str) -> list[str]:
    """Name the class of each mention."""
    found = np.full(len(people.unit_document), "", dtype=object)
    for number in range(len(people.corpora) - 1, -1, -1):
        here = np.flatnonzero(people.marks.corpus == number)
        found[people.marks.unit[here]] = _labels(people, number, here, kind)
    labels: list[str] = found.tolist()
    return labels


def _labels(people: Annotated, number: int, here: Ints, kind: str) -> Sequence[str]:
    corpus, row = people.corpora[number], people.marks.row[here]
    entity = corpus.mention_entity[row]
    nothing = np.zeros(0, dtype=np.int64)
    nobody = np.zeros(0, dtype=np.bool_)
    listings = Listings(corpus, row, entity, nothing, nothing, nobody, nobody)
    return classes_of(kind, listings, np.bincount(entity))


def _f1(people: Annotated, by: str, name: str, metrics: tuple[str, ...]) -> Figures:
    """Average the scores of a class over pairs; some metrics have none."""
    parts: list[Result] = []
    for pair, whole in people.results.items():
        if by in MENTION_CLASSES:
            slices = people.slices[pair]
            parts += [slices[name]] if name in slices else []
            continue
        genres, _ = genres_of(whole.documents, people.corpora, by.partition(":")[2])
        rows = [row for row, genre in enumerate(genres) if genre == name]
        parts += [whole.of_documents(rows)] if rows else []
    known = [each for each in metrics if parts and each in parts[0].metrics]
    return mean_of(parts, tuple(known))
