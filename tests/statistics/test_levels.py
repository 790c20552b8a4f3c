"""Levels are percentages, or fractions up to 1."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import scoref
from places import EXAMPLES
from scoref.cli import command
from scoref.errors import OptionError
from scoref.statistics.confidence import confidence
from scoref.statistics.levels import percent_of
from scoref.statistics.sample_size import Plan
from scoref.tools.gap.scoring import score_gap

KEY = {"a": [[1, 2, 3], [4, 5]], "b": [[1, 2], [3, 4]], "c": [[1, 2, 3]]}
RESPONSE = {"a": [[1, 2], [3, 4, 5]], "b": [[1, 2]], "c": [[1, 2, 3]]}
OTHER = {"a": [[1, 2]], "b": [[1, 2], [3, 4]], "c": [[1, 2]]}


@pytest.mark.parametrize(
    ("level", "percent"),
    [(95, 95), (0.95, 95), (0.57, 57), (0.29, 29), (1.5, 1.5), (0.005, 0.5)],
)
def test_values_up_to_1_are_fractions(level: float, percent: float) -> None:
    assert percent_of(level) == percent


@pytest.mark.parametrize("level", [0, 1, 1.0, 100, -0.5, 101, float("nan")])
def test_a_level_is_more_than_0_and_less_than_100_percent(level: float) -> None:
    with pytest.raises(OptionError, match="is not between 0 and 100 percent"):
        percent_of(level)


def test_every_function_takes_fractions() -> None:
    systems = {name: scoref.score(KEY, each) for name, each in _systems().items()}
    for level in (0.9, 0.005):
        percent = percent_of(level)
        both = [confidence(systems["a"], level=each) for each in (level, 90)]
        assert both[0].level == percent
        assert (both[0].intervals == both[1].intervals) == (percent == 90)
        assert scoref.compare(systems, level=level).level == percent
        agreed = scoref.agree({"a": KEY, "b": RESPONSE}, level=level, resamples=10)
        assert agreed.confidence
        assert agreed.confidence.level == percent
        assert Plan.of(level, 0.8) == Plan(percent, 80)
        assert scoref.multiverse(KEY, _systems(), level=level).plan.level == percent
    predicted = {1: "p", 2: "p", 3: "q", 4: "q", 5: "r", 6: "r"}
    sample = {1: "a", 2: "a", 3: "a", 5: "b", 6: "b"}
    assert scoref.estimate(sample, predicted, level=0.9).level == 90
    gap = score_gap(EXAMPLES / "gap-key.tsv", EXAMPLES / "gap-response.tsv")
    assert gap.interval(level=0.9) == gap.interval(level=90)


def _systems() -> dict[str, dict[str, list[list[int]]]]:
    return {"a": RESPONSE, "b": OTHER}


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ("key.conll response.conll", "--confidence"),
        ("compare many-key.conll many-a.conll many-b.conll", "--confidence"),
        ("agree agree-ada.conll agree-ben.conll", "--confidence"),
        (
            "estimate estimate-sample.csv estimate-predicted.csv",
            "--weights=uniform --level",
        ),
        ("gap gap-key.tsv gap-response.tsv", "--confidence"),
        ("multiverse many-key.conll many-a.conll many-b.conll", "--level"),
        ("multiverse many-key.conll many-a.conll many-b.conll", "--power"),
    ],
)
def test_every_command_takes_fractions(arguments: str, option: str) -> None:
    name, *files = arguments.split()
    paths = [str(EXAMPLES / each) for each in files]
    first = name if not name.endswith("conll") else str(EXAMPLES / name)

    def run(level: str) -> tuple[int, str, str]:
        words = [first, *paths, *option.split(), level, "--output", "json"]
        result = CliRunner().invoke(command, words)
        return result.exit_code, result.stdout, result.stderr

    code, written, errors = run("0.9")
    assert code == 0, errors
    assert json.loads(written) == json.loads(run("90")[1])
    code, written, errors = run("1")
    assert (code, written) == (2, "")
    assert "1 is not between 0 and 100 percent; write 95 or 0.95" in errors
