"""Gates on figures: which values fail, at the limit and next to it."""

from __future__ import annotations

import click
import pytest

from scoref.terminal.gates import (
    CONDITIONS,
    GATES,
    Condition,
    Gate,
    check_conditions,
    gate_failures,
    size_failures,
)
from scoref.terminal.running import BelowThreshold


@pytest.mark.parametrize(
    ("sign", "failing"),
    [("<", [0.7]), ("<=", [0.7, 0.8]), (">", [0.9]), (">=", [0.8, 0.9])],
)
def test_a_condition_includes_its_limit_only_with_an_equals_sign(
    sign: str, failing: list[float]
) -> None:
    conditions = CONDITIONS.convert(f"retained {sign} 0.8", None, None)
    assert conditions == (Condition("retained", sign, 0.8),)
    for value in (0.7, 0.8, 0.9):
        if value not in failing:
            check_conditions({"retained": value}, conditions)
            continue
        with pytest.raises(BelowThreshold) as stopped:
            check_conditions({"retained": value}, conditions)
        assert str(stopped.value) == (
            f"retained is {value}, and --fail-if is 'retained{sign}0.8'"
        )


def test_an_undefined_figure_meets_no_condition() -> None:
    check_conditions({"x": None}, CONDITIONS.convert("x<1,x>=1", None, None))


@pytest.mark.parametrize(("value", "fails"), [(0.79, True), (0.8, False), (0.9, False)])
def test_a_figure_that_reaches_its_gate_passes(value: float, *, fails: bool) -> None:
    systems = [("a.conll", lambda *_: value)]
    failures = gate_failures(systems, "conll", GATES.convert("80", None, None))
    expected = [f"a.conll: conll is {100 * value:.2f}, below 80.00"]
    assert list(failures) == (expected if fails else [])


def test_gates_are_percentages_or_fractions() -> None:
    gates = GATES.convert("muc=60, links.precision=0.9,bcub=100", None, None)
    assert gates == (
        Gate("muc", "f1", 0.6),
        Gate("links", "precision", 0.9),
        Gate("bcub", "f1", 1.0),
    )
    assert GATES.convert("0", None, None)[0].least == 0


@pytest.mark.parametrize(
    "text", ["100.1", "-1", "muc=", "=80", "muc.f2=80", "80,muc=9"]
)
def test_what_is_not_a_gate_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        GATES.convert(text, None, None)


def test_the_largest_cluster_may_have_as_many_records_as_allowed() -> None:
    sizes = [("a", 4), ("b", 5)]
    assert list(size_failures(sizes, 5)) == []
    assert list(size_failures(sizes, 4)) == [
        "b: the largest cluster has 5 records, above 4"
    ]
    assert list(size_failures(sizes, None)) == []
