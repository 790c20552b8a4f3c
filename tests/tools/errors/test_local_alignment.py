"""The alignment of a few entities is sufficient where that is proved."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref.metrics import metrics_of
from scoref.tools.errors import local_alignment
from scoref.tools.errors.local_alignment import LocalAlignment

if TYPE_CHECKING:
    from scoref.tools.errors.findings import Analysis


ALIGNED = ("ceafm", "ceafe")


def entangled(seed: int, mentions: int, entities: int) -> Analysis:
    """Put mentions into entities at random; some are missing, some extra."""
    random = Random(seed)  # noqa: S311 - no secret is made
    sides = []
    for _ in range(2):
        members: dict[int, list[int]] = {}
        for mention in range(mentions):
            if random.random() < 0.9:
                # Some entities are far larger than others.
                entity = min(random.randrange(entities), random.randrange(entities))
                members.setdefault(entity, []).append(mention)
        sides.append(list(members.values()))
    return scoref.find_errors(*sides)


def differences(analysis: Analysis, name: str) -> tuple[int, int]:
    """Compare with copies of whole blocks; count the moves, and those proved."""
    gains = analysis.error_gains
    metric = metrics_of(analysis.result.scheme)[name]
    alignment = LocalAlignment(gains.table, metric)
    assert alignment.is_proved
    changes, is_proved = alignment.changes(gains.moves)
    whole = gains.in_groups(metric, gains.moves)
    assert changes[is_proved] == pytest.approx(whole[is_proved], abs=1e-9)
    return len(is_proved), int(is_proved.sum())


@pytest.mark.parametrize("name", ALIGNED)
@pytest.mark.parametrize("best", [1, 4])
def test_proved_changes_equal_those_of_whole_blocks(
    name: str, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_alignment, "_BEST", best)
    sizes = [(12, 4), (40, 8), (40, 25), (150, 30)]
    counts = [
        differences(entangled(seed, *size), name) for seed in range(6) for size in sizes
    ]
    moves, proved = np.sum(counts, axis=0)
    # With one neighbour, more must be left to whole blocks, and none may be wrong.
    assert 0 < proved < moves


def test_changes_that_are_not_proved_are_counted_in_whole_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = [dict(entangled(seed, 60, 12).error_gains) for seed in range(4)]
    monkeypatch.setattr(local_alignment, "_MOST_ENTITIES", 0)
    in_blocks = [dict(entangled(seed, 60, 12).error_gains) for seed in range(4)]
    for one, other in zip(usual, in_blocks, strict=True):
        for name, gains in one.items():
            assert gains.tolist() == pytest.approx(other[name].tolist(), abs=1e-12)


def test_a_response_of_one_entity() -> None:
    key = [[f"{entity}-{number}" for number in range(3)] for entity in range(20)]
    analysis = scoref.find_errors(key, [[name for entity in key for name in entity]])
    for name in ALIGNED:
        moves, proved = differences(analysis, name)
        assert moves == proved == 19
