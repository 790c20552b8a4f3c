"""What can be asked of agreement, before anything is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from scoref.errors import unknown
from scoref.metrics import chosen
from scoref.tools.agree.distances import chosen_distances

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
        return cls(chosen_distances(distances), missing, average, chosen(metrics))

    @property
    def scored(self) -> tuple[str, ...]:
        """Give what two annotators are scored by: mentions in any case."""
        return chosen((MENTIONS, *self.metrics))


def _check(kind: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise unknown(kind, name, known)
