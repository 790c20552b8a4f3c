"""The options of agreement, and the distances between two sets of mentions.

With i = |A ∩ B|, J = i / |A ∪ B|, and M = 1 if A = B, 2/3 if one contains the other,
1/3 if they overlap: each distance is 1 minus a similarity, which is 0 if the sets share
nothing. MASI is that of Passonneau (2006), as in NLTK since 3.10. The measure that
dkpro, and therefore INCEpTION, calls MASI is a product of distances, not of
similarities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from scoref.errors import OptionError, unknown
from scoref.lazy import np
from scoref.metrics import choose_metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from scoref.scheme import (
        Alignment,
        Blanc,
        Duplicates,
        Evaluate,
        Lea,
        Match,
        Nested,
        Phrases,
        Singletons,
        SplitAntecedents,
        Zeros,
    )

    Floats = NDArray[np.float64]
    Similarity = Callable[[Floats, Floats, Floats], Floats]


class Distance(NamedTuple):
    """A distance: its name, its meaning, and the similarity of sets that intersect.

    ``similarity`` takes the number of mentions that two sets share, and both sizes.
    """

    name: str
    meaning: str
    similarity: Similarity


def _jaccard(shared: Floats, one: Floats, other: Floats) -> Floats:
    """Return J."""
    similarity: Floats = shared / (one + other - shared)
    return similarity


def _monotone(shared: Floats, one: Floats, other: Floats) -> Floats:
    """Return M: 1 for equal sets, 2/3 for a part of the other, 1/3 for an overlap."""
    contained = (shared == one).astype(np.float64) + (shared == other)
    similarity: Floats = (1 + contained) / 3
    return similarity


DISTANCES = {
    distance.name: distance
    for distance in (
        Distance(
            "masi",
            "1 − J·M (Passonneau, 2006), as in NLTK ≥ 3.10",
            lambda *sizes: _jaccard(*sizes) * _monotone(*sizes),
        ),
        Distance("jaccard", "1 − J, as in NLTK", _jaccard),
        Distance(
            "nominal",
            "0 if both sets are the same, otherwise 1",
            lambda shared, one, other: ((shared == one) & (shared == other)).astype(
                np.float64
            ),
        ),
        Distance(
            "dice",
            "1 − 2i / (|A| + |B|)",
            lambda shared, one, other: 2 * shared / (one + other),
        ),
        Distance("passonneau-2004", "1 − M, as in dkpro's distance of sets", _monotone),
        Distance(
            "masi-dkpro",
            "(1 − J)(1 − M), which dkpro calls MASI",
            lambda *sizes: 1 - (1 - _jaccard(*sizes)) * (1 - _monotone(*sizes)),
        ),
    )
}
"""Every distance by name."""

USUAL = ("masi", "jaccard", "nominal")
"""The distances that are reported by default."""

Missing = Literal["singleton", "omit", "nothing"]

MISSING: tuple[Missing, ...] = ("singleton", "omit", "nothing")

Average = Literal["within", "macro", "corpus"]

AVERAGES: tuple[Average, ...] = ("within", "macro", "corpus")

Unit = Literal["documents", "documents-annotators"]

UNITS: tuple[Unit, ...] = ("documents", "documents-annotators")

METRICS = ("muc", "bcub", "ceafe", "lea", "conll")
"""The metrics that two annotators are scored by, by default."""

MENTIONS = "mentions"
"""The metric of mentions alone, which is computed in any case."""

DISPUTED = 10
"""How many disputed mentions are listed by default."""


class Conventions(TypedDict, total=False):
    """How two annotators are scored, for type checkers.

    There is no ``missing`` or ``average`` of scoring: documents that only one of two
    annotators has do not count, and the counts of all others are added up.
    """

    match: Match | None
    singletons: Singletons | None
    zeros: Zeros | None
    split_antecedents: SplitAntecedents | None
    evaluate: Evaluate | None
    phrases: Phrases | None
    nested: Nested | None
    alignment: Alignment | None
    duplicates: Duplicates | None
    blanc: Blanc | None
    lea: Lea | None
    anaphors: str | None


class WantedFigures(NamedTuple):
    """Which figures are wanted; the first distance decides what is disputed."""

    distances: tuple[str, ...]
    missing: Missing
    average: Average
    metrics: tuple[str, ...]

    @classmethod
    def of(
        cls,
        distances: str | Iterable[str],
        missing: Missing,
        average: Average,
        metrics: str | Iterable[str],
    ) -> WantedFigures:
        """Check all names."""
        if isinstance(distances, str):
            distances = distances.replace(",", " ").split()
        distances = tuple(dict.fromkeys(distances))
        for kind, names, known in (
            ("value of missing", [missing], MISSING),
            ("average", [average], AVERAGES),
            ("distance", distances, tuple(DISTANCES)),
        ):
            for name in names:
                if name not in known:
                    raise unknown(kind, name, known)
        if not distances:
            raise OptionError(
                "no distance was given. Name at least one, or omit the option"
            )
        return cls(distances, missing, average, choose_metrics(metrics))

    @property
    def all_metrics(self) -> tuple[str, ...]:
        """Return the metrics that two annotators are scored by, mentions included."""
        return choose_metrics((MENTIONS, *self.metrics))
