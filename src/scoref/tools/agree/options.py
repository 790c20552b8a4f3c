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
    from collections.abc import Callable, Iterable, Sequence

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
    """A distance: its name, what it is, and its similarity of sets that intersect.

    ``similarity`` takes how many mentions two sets share, and the size of each.
    """

    name: str
    meaning: str
    similarity: Similarity


def _jaccard(shared: Floats, one: Floats, other: Floats) -> Floats:
    found: Floats = shared / (one + other - shared)
    return found


def _monotone(shared: Floats, one: Floats, other: Floats) -> Floats:
    """Say whether sets are the same, one is part of the other, or they overlap."""
    parts = (shared == one).astype(np.float64) + (shared == other)
    found: Floats = (1 + parts) / 3
    return found


def _masi(shared: Floats, one: Floats, other: Floats) -> Floats:
    return _jaccard(shared, one, other) * _monotone(shared, one, other)


def _nominal(shared: Floats, one: Floats, other: Floats) -> Floats:
    found: Floats = ((shared == one) & (shared == other)).astype(np.float64)
    return found


def _dice(shared: Floats, one: Floats, other: Floats) -> Floats:
    found: Floats = 2 * shared / (one + other)
    return found


def _masi_of_dkpro(shared: Floats, one: Floats, other: Floats) -> Floats:
    apart: Floats = 1 - _jaccard(shared, one, other)
    return 1 - apart * (1 - _monotone(shared, one, other))


DISTANCES = {
    each.name: each
    for each in (
        Distance("masi", "1 − J·M (Passonneau, 2006), as in NLTK ≥ 3.10", _masi),
        Distance("jaccard", "1 − J, as in NLTK", _jaccard),
        Distance("nominal", "1 unless both sets are the same", _nominal),
        Distance("dice", "1 − 2i / (|A| + |B|)", _dice),
        Distance("passonneau-2004", "1 − M, as in dkpro's distance of sets", _monotone),
        Distance(
            "masi-dkpro", "(1 − J)(1 − M), which dkpro calls MASI", _masi_of_dkpro
        ),
    )
}
"""Every distance by name."""

USUAL = ("masi", "jaccard", "nominal")


def chosen_distances(names: str | Iterable[str]) -> tuple[str, ...]:
    """Check names of distances; the first one decides what is disputed."""
    given = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    for name in given:
        if name not in DISTANCES:
            raise unknown("distance", name, DISTANCES)
    if not given:
        raise OptionError("no distance was named; leave the option out for the usual")
    return tuple(dict.fromkeys(given))


Missing = Literal["singleton", "omit", "nothing"]

Average = Literal["within", "macro", "corpus"]

Unit = Literal["documents", "documents-annotators"]

MISSING: tuple[Missing, ...] = ("singleton", "omit", "nothing")

AVERAGES: tuple[Average, ...] = ("within", "macro", "corpus")

UNITS: tuple[Unit, ...] = ("documents", "documents-annotators")

METRICS = ("muc", "bcub", "ceafe", "lea", "conll")

MENTIONS = "mentions"

DISPUTED = 10


class Conventions(TypedDict, total=False):
    """How two annotators are scored, for type checkers.

    What scoring calls ``missing`` and ``average`` is not asked here: a document that
    one of two lacks does not count, and all others are added up.
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
    """Which figures are wanted."""

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
        """Check names."""
        _check("value of missing", missing, MISSING)
        _check("average", average, AVERAGES)
        return cls(
            chosen_distances(distances), missing, average, choose_metrics(metrics)
        )

    @property
    def scored(self) -> tuple[str, ...]:
        """Give what two annotators are scored by: mentions in any case."""
        return choose_metrics((MENTIONS, *self.metrics))


def _check(kind: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise unknown(kind, name, known)
