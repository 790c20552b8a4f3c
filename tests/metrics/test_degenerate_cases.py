"""What the reference scorer gives where a metric has little to count."""

from __future__ import annotations

from fractions import Fraction

import pytest

import scoref

ONE = (Fraction(1),) * 3
ZERO = (Fraction(0),) * 3
TWO_THIRDS = (Fraction(2, 3),) * 3
HALF = (Fraction(1, 2),) * 3

Figures = tuple[Fraction, Fraction, Fraction]


def _entities(written: str) -> list[list[str]]:
    """Read entities written as words, a letter a mention."""
    return [list(word) for word in written.split()]


def _ratios(recall: str, precision: str, f1: str) -> Figures:
    return Fraction(recall), Fraction(precision), Fraction(f1)


CASES: list[tuple[str, str, dict[str, Figures]]] = [
    ("a", "a", {"muc": ZERO, "bcub": ONE, "ceafm": ONE, "ceafe": ONE, "blanc": ZERO}),
    (
        "a b c",
        "a b c",
        {"muc": ZERO, "bcub": ONE, "ceafm": ONE, "ceafe": ONE, "blanc": ONE},
    ),
    ("ab", "ab", {"muc": ONE, "bcub": ONE, "ceafm": ONE, "ceafe": ONE, "blanc": ONE}),
    (
        "ab",
        "ab x y",
        {
            "muc": ONE,
            "bcub": _ratios("1", "1/2", "2/3"),
            "ceafm": _ratios("1", "1/2", "2/3"),
            "ceafe": _ratios("1", "1/3", "1/2"),
            "blanc": ONE,
        },
    ),
    (
        "ab c",
        "ab",
        {
            "muc": ONE,
            "bcub": _ratios("2/3", "1", "4/5"),
            "ceafm": _ratios("2/3", "1", "4/5"),
            "ceafe": _ratios("1/2", "1", "2/3"),
            "blanc": HALF,
        },
    ),
    (
        "ab c",
        "abc",
        {
            "muc": _ratios("1", "1/2", "2/3"),
            "bcub": _ratios("1", "5/9", "5/7"),
            "ceafm": TWO_THIRDS,
            "ceafe": _ratios("2/5", "4/5", "8/15"),
            "blanc": _ratios("1/2", "1/6", "1/4"),
        },
    ),
    (
        "ab c",
        "a b c",
        {
            "muc": ZERO,
            "bcub": _ratios("2/3", "1", "4/5"),
            "ceafm": TWO_THIRDS,
            "ceafe": _ratios("5/6", "5/9", "2/3"),
            "blanc": _ratios("1/2", "1/3", "2/5"),
        },
    ),
    (
        "abc",
        "ab",
        {
            "muc": _ratios("1/2", "1", "2/3"),
            "bcub": _ratios("4/9", "1", "8/13"),
            "ceafm": _ratios("2/3", "1", "4/5"),
            "ceafe": _ratios("4/5", "4/5", "4/5"),
            "blanc": _ratios("1/3", "1", "1/2"),
        },
    ),
    (
        "ab",
        "abx",
        {
            "muc": _ratios("1", "1/2", "2/3"),
            "bcub": _ratios("1", "4/9", "8/13"),
            "ceafm": _ratios("1", "2/3", "4/5"),
            "ceafe": _ratios("4/5", "4/5", "4/5"),
            "blanc": _ratios("1", "1/3", "1/2"),
        },
    ),
    ("abc", "ab c xy", {"blanc": _ratios("1/3", "1/2", "2/5")}),
    ("a b c", "a b c xy", {"blanc": _ratios("1", "1/3", "1/2")}),
    (
        "",
        "ab",
        {"muc": ZERO, "bcub": ZERO, "ceafm": ZERO, "ceafe": ZERO, "blanc": ZERO},
    ),
    (
        "ab",
        "",
        {"muc": ZERO, "bcub": ZERO, "ceafm": ZERO, "ceafe": ZERO, "blanc": ZERO},
    ),
    ("", "", {"muc": ZERO, "bcub": ZERO, "ceafm": ZERO, "ceafe": ZERO, "blanc": ZERO}),
]


@pytest.mark.parametrize(
    ("key", "response", "name", "expected"),
    [
        pytest.param(key, response, name, figures, id=f"{name}:{key}|{response}")
        for key, response, by_metric in CASES
        for name, figures in by_metric.items()
    ],
)
def test_scores_of_degenerate_documents(
    key: str, response: str, name: str, expected: Figures
) -> None:
    found = scoref.score(_entities(key), _entities(response)).scores[name]
    assert found[:3] == pytest.approx([float(each) for each in expected], rel=1e-12)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("muc", [0, 0, 0, 1]),
        ("bcub", [0, 0, 0, 2]),
        ("ceafm", [0, 0, 0, 2]),
        ("ceafe", [0, 0, 0, 1]),
    ],
)
def test_a_key_without_entities_leaves_the_precision_denominator(
    name: str, counts: list[float]
) -> None:
    result = scoref.score([], [["a", "b"]], metrics=name)
    assert result.counts[name].tolist() == [counts]


@pytest.mark.parametrize(
    ("name", "is_defined"),
    [
        ("mentions", True),
        ("muc", False),
        ("bcub", True),
        ("ceafm", True),
        ("ceafe", True),
        ("blanc", False),
        ("lea", True),
        ("conll", False),
    ],
)
def test_a_single_mention_leaves_link_metrics_undefined(
    name: str, *, is_defined: bool
) -> None:
    score = scoref.score([["a"]], [["a"]]).scores[name]
    assert score.is_defined is is_defined


def test_an_undefined_metric_is_noted() -> None:
    result = scoref.score([["a"]], [["a"]], metrics="muc bcub")
    expected = scoref.Note("undefined", 1, "MUC is 0/0 and counted as 0.")
    assert result.notes == (expected,)
