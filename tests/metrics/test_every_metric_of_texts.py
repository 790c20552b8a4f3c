"""What holds for every metric that needs words, zeros or anaphora besides mentions.

test_every_metric.py checks those that need only mentions. In the pairs here, no mention
is listed twice: the official scorers' rules for that are not symmetric.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from scoref.metrics import METRICS
from scoref.metrics.base import Metric, figures_of
from support import corefud, random_corefud, random_ua, universal_anaphora

if TYPE_CHECKING:
    from scoref.scoring.results import Result

OF_TEXTS = {
    name: record
    for name, record in METRICS.items()
    if isinstance(record, Metric) and record.needs != "mentions"
}
FORMATS = ("corefud", "universal-anaphora")
SEEDS = range(100)


@cache
def scored(format_name: str, seed: int) -> tuple[Result, Result, Result] | None:
    """Score a key against a response, the reverse, and the key against itself."""
    drawn = Random(seed)  # noqa: S311 - any texts will do
    if format_name == "corefud":
        one, other = (side.text() for side in random_corefud.random_pair(drawn))
        score = corefud.scored
    else:
        one, other = map(universal_anaphora.text_of, random_ua.random_pair(drawn))
        score = universal_anaphora.scored  # type: ignore[assignment]
    results = score(one, other), score(other, one), score(one, one)
    kinds = {note.kind for result in results for note in result.notes}
    is_simple = kinds.isdisjoint(
        ("duplicates-in-key", "duplicates-in-response", "merged-plurals")
    )
    return results if is_simple else None


def test_every_metric_is_scored_on_many_pairs() -> None:
    count: Counter[str] = Counter()
    for format_name in FORMATS:
        for results in (scored(format_name, seed) for seed in SEEDS):
            if results is not None:
                scores = results[0].scores
                count.update(name for name in OF_TEXTS if name in scores)
    assert count.keys() == OF_TEXTS.keys()
    assert min(count.values()) >= 20


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("name", OF_TEXTS)
def test_the_laws_of_a_metric_hold(name: str, format_name: str) -> None:
    laws = OF_TEXTS[name].laws
    for results in (scored(format_name, seed) for seed in SEEDS):
        if results is None or name not in results[0].scores:
            continue
        forth, back, same = (result.scores[name] for result in results)
        recall, precision, f1 = figures_of(forth)
        for figure in (recall, precision, f1):
            assert figure is not None
            assert laws.lowest <= figure <= laws.highest
        assert laws.mirror == "self"
        assert figures_of(back) == pytest.approx((precision, recall, f1))
        assert figures_of(same) == pytest.approx([1 if same.is_defined else 0] * 3)
