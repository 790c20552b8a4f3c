"""Options that commands share."""

from __future__ import annotations

import click
import pytest

from scoref._version import __version__
from scoref.cli import COMMANDS, UNLISTED, load
from scoref.notes import WARNING
from scoref.scheme import option_names
from scoref.terminal.help import Option
from scoref.terminal.options import LEVEL, request_of, scoring_without, with_numbers
from scoref.terminal.printing import QUIET, print_notes
from support.commands import run
from support.paths import EXAMPLES

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
    assert {"metrics", "match"} < {each.name for each in load("score").params}


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


FORMER = {
    "bias": {"--pair-pattern": "--pairs"},
    "estimate": {
        "--confidence": "--level",
        "--key-pairs": "--pairs",
        "--label": "--match",
        "--missing-records": "--missing",
    },
    "agree": {
        "--alpha-average": "--average",
        "--missing-mentions": "--missing",
        "--records": "--table",
    },
    "leaderboard": {"--require-all": "--strict"},
    "multiverse": {"--confidence": "--level"},
    "table": {"--from-profile": "--profile", "--group": "--document"},
}


def test_former_names_of_options_work_and_are_not_listed() -> None:
    for name in COMMANDS | dict.fromkeys(FORMER):
        loaded = load(name)
        text = run(name, "-h", code=0).stdout
        options = [each for each in loaded.params if isinstance(each, Option)]
        former = {each.opts[0]: each.former[0] for each in options if each.former}
        assert former == FORMER.get(name, {})
        for new, old in former.items():
            assert f"  {new}" in text
            assert f"  {old} " not in text


def test_a_former_name_is_the_same_option() -> None:
    files = (EXAMPLES / "many-key.conll", EXAMPLES / "many-a.conll")
    call = ("multiverse", *files, EXAMPLES / "many-b.conll", "--resamples", "5")
    new = run(*call, "--confidence", "0.9", code=0).stdout
    assert run(*call, "--level", "90", code=0).stdout == new


def test_an_option_has_one_meaning() -> None:
    kinds: dict[str, set[str]] = {}
    for name in (*COMMANDS, *UNLISTED):
        for option in load(name).params:
            if isinstance(option, click.Option):
                kind = "flag" if option.is_flag else "value"
                for word in option.opts:
                    kinds.setdefault(word, set()).add(f"{kind} {option.name}")
    several = {word: names for word, names in kinds.items() if len(names) > 1}
    assert several == {
        "--confidence": {"value confidence", "value level"},
        "--records": {"value records", "value table"},  # of `agree`: of all annotators
    }


@pytest.mark.parametrize(
    ("short", "long"),
    [("-m", "--metrics"), ("-w", "--precision"), ("-j", "--jobs"), ("-q", "--quiet")],
)
def test_a_short_option_has_the_same_meaning_everywhere(short: str, long: str) -> None:
    for name in (*COMMANDS, *UNLISTED):
        for option in load(name).params:
            assert (short in option.opts) == (long in option.opts)


def test_quiet_leaves_warnings_only(capsys: pytest.CaptureFixture[str]) -> None:
    context = click.Context(click.Command("scoref"))
    with context:
        context.meta[QUIET] = True
        print_notes(["A file is empty.", f"{WARNING}A figure is affected."])
    assert capsys.readouterr().err == "warning: A figure is affected.\n"


def test_a_short_signature_omits_defaults() -> None:
    files = (EXAMPLES / "key.conll", EXAMPLES / "response.conll")
    call = (*files, "--short", "--singletons", "drop")
    assert run(*call, code=0).stdout.splitlines()[-1] == (
        f"scoref:{__version__}|format:conll-2012|singletons:drop"
    )
    assert "|match:exact|" in run(*call, "--output", "json", code=0).stdout
