"""What scoring a table gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoref._version import __version__
from scoref.contingency.profile import FATES
from scoref.metrics import conll
from scoref.metrics.base import Score
from scoref.metrics.clusterings import (
    RATIOS,
    Ratios,
    blanc,
    blanc_counts,
    score_of,
    values,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.contingency.profile import Profile
    from scoref.model import Note

UNDEFINED = {"zero": 0.0, "one": 1.0, "nan": float("nan")}
"""What 0/0 is: 0, as in coreference; 1, as in FACTORIE; or not a number."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Every choice that can move a figure of a table."""

    universe: str = "both"
    duplicates: str = "error"
    undefined: str = "zero"
    group: str = ""  # clusters are those of their group, if there are any

    @property
    def signature(self) -> str:
        """Write them as one line for a paper."""
        group = f"group:{self.group}|" if self.group else ""
        return (
            f"scoref:{__version__}|format:table|{group}universe:{self.universe}|"
            f"duplicates:{self.duplicates}|undefined:{self.undefined}|lea:self-links|"
            "blanc:reference"
        )


@dataclass(frozen=True)
class TableResult:
    """Scores of one clustering against another, at full precision.

    ``scores`` have recall, precision and F1; ``values`` are one number each, over the
    mentions that both sides have; ``clusters`` says what became of the key's clusters;
    ``columns`` names the columns that were read, by what they were used for.
    """

    choices: Choices
    scores: Mapping[str, Score]
    values: Mapping[str, float]
    clusters: Mapping[str, int]
    mentions: Mapping[str, int]
    profile: Profile
    groups: Mapping[str, TableResult] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """Every choice that could move a figure, in one line."""
        return self.choices.signature


def scored(
    profile: Profile,
    aligned: Mapping[str, Ratios],
    choices: Choices,
    blocks: tuple[Profile, ...] = (),
) -> TableResult:
    """Score a profile; ``aligned`` has what needs the clusters themselves.

    BLANC's links do not go from one block to another.
    """
    undefined = UNDEFINED[choices.undefined]
    ratios = {name: count(profile) for name, count in RATIOS.items()} | dict(aligned)
    scores = {name: score_of(each, undefined) for name, each in ratios.items()}
    links = [blanc_counts(each) for each in blocks or (profile,)]
    inside, across = (_sum(kind) for kind in zip(*links, strict=True))
    scores["blanc"] = blanc(inside, across, undefined)
    if scores.keys() >= {*conll.PARTS}:
        mean = conll.mean(*(scores[name].f1 for name in conll.PARTS))
        scores[conll.NAME] = Score(None, None, mean)
    fates = profile.cases
    known = {name: fates.get(name, 0) for name in FATES}
    return TableResult(
        choices=choices,
        scores=scores,
        values=values(profile),
        clusters={
            "key": profile.key.total(),
            "response": profile.response.total(),
            **known,
            "missing": profile.key.total() - sum(known.values()),
        },
        mentions={
            "key": profile.key_mentions,
            "response": profile.response_mentions,
            "common": profile.common_mentions,
        },
        profile=profile,
    )


def _sum(kinds: tuple[Ratios, ...]) -> Ratios:
    tops = [
        (sum(each[side][0] for each in kinds), sum(each[side][1] for each in kinds))
        for side in (0, 1)
    ]
    return Ratios(*tops)
