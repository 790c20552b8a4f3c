"""The examples that Pradhan et al. (2014) work out, in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

import scoref

# Their section 4, adapted from Vilain et al. (1995).
KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("mentions", [6, 7, 6, 8]),
        ("muc", [2, 5, 2, 5]),
        ("bcub", [Fraction(35, 12), 7, 4, 8]),
        ("ceafm", [4, 7, 4, 8]),
        ("ceafe", [Fraction(13, 10), 2, Fraction(13, 10), 3]),
        ("blanc", [2, 9, 8, 8, 12, 20]),
        ("lea", [Fraction(5, 3), 7, Fraction(8, 3), 8]),
    ],
)
def test_counts_of_the_worked_example(name: str, counts: list[Fraction]) -> None:
    found = scoref.score(KEY, RESPONSE, metrics=name).counts[name].tolist()
    assert found == [pytest.approx([float(count) for count in counts], rel=1e-12)]


@pytest.mark.parametrize(
    ("name", "recall", "precision", "f1"),
    [
        ("mentions", Fraction(6, 7), Fraction(3, 4), Fraction(4, 5)),
        ("muc", Fraction(2, 5), Fraction(2, 5), Fraction(2, 5)),
        ("bcub", Fraction(5, 12), Fraction(1, 2), Fraction(5, 11)),
        ("ceafm", Fraction(4, 7), Fraction(1, 2), Fraction(8, 15)),
        ("ceafe", Fraction(13, 20), Fraction(13, 30), Fraction(13, 25)),
        ("blanc", Fraction(4, 9), Fraction(13, 40), Fraction(25, 68)),
        ("lea", Fraction(5, 21), Fraction(1, 3), Fraction(5, 18)),
    ],
)
def test_scores_of_the_worked_example(
    name: str, recall: Fraction, precision: Fraction, f1: Fraction
) -> None:
    found = scoref.score(KEY, RESPONSE).scores[name]
    expected = float(recall), float(precision), float(f1)
    assert found[:3] == pytest.approx(expected, rel=1e-12)


def test_conll_score_of_the_worked_example() -> None:
    mean = (Fraction(2, 5) + Fraction(5, 11) + Fraction(13, 25)) / 3
    assert scoref.score(KEY, RESPONSE).conll == pytest.approx(float(mean), rel=1e-12)


# Their section 2: a spurious mention costs precision, a spurious singleton more.
@pytest.mark.parametrize(
    ("response", "precision"),
    [
        ([["a", "b", "d"]], Fraction(4, 9)),
        ([["a", "b", "d"], ["e"]], Fraction(1, 3)),
        # They print 0.333 for the singleton c, too, but c is in the key, and their
        # own formula (section 4.2) gives (2²/3 + 1²/1) / 4, as the scorer does.
        ([["a", "b", "d"], ["c"]], Fraction(7, 12)),
    ],
)
def test_b_cubed_precision_of_twinless_mentions(
    response: list[list[str]], precision: Fraction
) -> None:
    score = scoref.score([["a", "b", "c"]], response).scores["bcub"]
    assert score.precision == pytest.approx(float(precision), rel=1e-12)
