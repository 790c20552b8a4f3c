"""Options that commands share."""

from __future__ import annotations

import click
import pytest

from scoref.cli import command
from scoref.scheme import option_names
from scoref.terminal.options import LEVEL, request_of, scoring_without, with_numbers

OPTIONS = {"format": None, "scheme": "crac-2026", "metrics": "muc"}


def test_a_request_has_the_options_of_a_scoring() -> None:
    options = {**OPTIONS, **dict.fromkeys(option_names()), "match": "exact", "more": 1}
    request = request_of(options, lenient=True)
    assert (request.scheme, request.metrics) == ("crac-2026", "muc")
    assert request.lenient
    assert [*request.changes] == option_names()
    assert request.scheme_for(None).match == "exact"


def test_a_command_may_do_without_some_options() -> None:
    @click.command()
    @scoring_without("metrics", "match")
    def one() -> None:
        """Do nothing."""

    names = {parameter.name for parameter in one.params}
    assert names.isdisjoint({"metrics", "match"})
    assert {"scheme", "lenient", *option_names()} - names == {"match"}
    assert {"metrics", "match"} < {parameter.name for parameter in command.params}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["--confidence"], ["--confidence", "95"]),
        (["--confidence", "90"], ["--confidence", "90"]),
        (["--confidence", "--by", "x"], ["--confidence", "95", "--by", "x"]),
        (["--fail-if-worse", "-1"], ["--fail-if-worse", "-1"]),
    ],
)
def test_some_options_need_no_number(typed: list[str], meant: list[str]) -> None:
    assert with_numbers(typed) == meant


def test_a_level_is_a_percentage_or_a_fraction() -> None:
    assert LEVEL.convert("0.9", None, None) == pytest.approx(0.9)
    assert LEVEL.convert("90", None, None) == pytest.approx(90)
    with pytest.raises(click.BadParameter):
        LEVEL.convert("100", None, None)
