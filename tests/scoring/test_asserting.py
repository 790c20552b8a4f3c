"""`scoref.assert_score`: it passes, or fails with the table and the signature."""

from __future__ import annotations

import pytest

import scoref
from places import EXAMPLES
from scoref import OptionError

FILES = str(EXAMPLES / "many-key.conll"), str(EXAMPLES / "many-a.conll")
CONLL = scoref.score(*FILES).conll


@pytest.mark.parametrize(
    ("least", "tolerance"),
    [(0.8, 0.0), (CONLL, 0.0), (CONLL + 0.0004, 0.0005), (0, 0.0), (1.0, 0.2)],
)
def test_a_score_that_is_high_enough_is_given_back(
    least: float, tolerance: float
) -> None:
    found = scoref.assert_score(*FILES, conll=least, tolerance=tolerance)
    assert found == scoref.score(*FILES)


def test_a_lower_score_fails_with_the_table_and_the_signature() -> None:
    with pytest.raises(AssertionError) as failure:
        scoref.assert_score(*FILES, conll=0.9, muc=0.5, lea=0.82)
    result = scoref.score(*FILES)
    lines = str(failure.value).split("\n")
    assert lines[:3] == [
        "CoNLL F1 is 86.38, and 90.00 was expected",
        "LEA F1 is 81.62, and 82.00 was expected",
        "",
    ]
    assert "\n".join(lines[3:]) == str(result)
    assert result.signature in str(failure.value).replace("\n", "")


def test_more_than_the_tolerance_fails() -> None:
    with pytest.raises(AssertionError):
        scoref.assert_score(*FILES, conll=CONLL + 0.0006, tolerance=0.0005)


def test_conventions_may_be_given_beside_figures() -> None:
    found = scoref.assert_score(*FILES, lea=0.7, singletons="drop", blanc="corefud")
    assert "singletons:drop" in found.signature
    assert "blanc:corefud" in found.signature
    entities = [["a", "b"]], [["a", "b"]]
    assert scoref.assert_score(*entities, conll=1, b3=1).conll == 1


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({}, "nothing is expected"),
        ({"conll": 80}, "is no fraction"),
        ({"conll": float("nan")}, "is no fraction"),
        ({"conl": 0.5}, "did you mean 'conll'"),
        ({"conll": 0.5, "metrics": "muc"}, "was not among the metrics"),
    ],
    ids=str,
)
def test_what_cannot_be_expected_is_refused(
    expected: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        scoref.assert_score(*FILES, **expected)  # type: ignore[arg-type]
