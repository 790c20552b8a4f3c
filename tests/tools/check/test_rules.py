"""Every rule has files that break it, and it alone, in a known place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from rules import with_rules
from scoref import OptionError, rules
from scoref.rules import RULES, SEVERITIES, Rule
from scoref.tools.check.check import check, check_both, check_data, choose_rules
from support.bad_files import (
    BAD,
    GOOD,
    Bad,
    conll,
)
from support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.check.problems import Problem

every_bad_file = pytest.mark.parametrize(
    "bad", BAD, ids=[f"{bad.rule}-{row}" for row, bad in enumerate(BAD)]
)


def problems_of(bad: Bad) -> list[Problem]:
    if bad.other is None:
        return check_data(bad.data, source="x")
    return check_both((bad.data, bad.other), sources=("x", "y"))


@every_bad_file
def test_a_bad_file_breaks_one_rule_in_one_place(bad: Bad) -> None:
    (problem,) = problems_of(bad)
    assert (problem.rule, problem.line, problem.column) == bad[:1] + bad[2:4]
    assert problem.severity == RULES[bad.rule].severity
    assert problem.source == ("y" if bad.other and not bad.is_first else "x")
    assert problem.message


@pytest.mark.parametrize("data", GOOD.values(), ids=list(GOOD))
def test_a_good_file_breaks_no_rule(data: bytes) -> None:
    assert check_data(data, source="x") == []
    assert check_both((data, data), sources=("x", "y")) == []


def test_every_rule_has_a_bad_file() -> None:
    # Other tests break these, which need a large file, a name or a known key.
    others = {"gave-up", "too-many-overlaps", "swapped-files", "unexpected-key"}
    assert {bad.rule for bad in BAD} == {*RULES} - others


@every_bad_file
def test_only_rules_with_a_fix_say_that_they_can_be_repaired(bad: Bad) -> None:
    (problem,) = problems_of(bad)
    assert RULES[bad.rule].has_fix or not problem.can_fix


@every_bad_file
def test_the_mark_is_at_the_column(bad: Bad) -> None:
    (problem,) = problems_of(bad)
    if problem.mark is not None:
        assert problem.column is not None
        assert problem.mark[0] + 1 == problem.column  # these lines are short
        assert problem.mark[0] < problem.mark[1] <= len(problem.text)


def test_all_problems_are_found_at_once_and_in_order() -> None:
    text = conll("(0)|(1", "2)", "x", "(0)|(0)", "-", end=False)
    problems = check_data(text + b"w\t- \n", source="x")
    assert [(problem.line, problem.rule) for problem in problems] == [
        (1, "missing-end"),
        (2, "unclosed-bracket"),
        (3, "unopened-bracket"),
        (4, "unreadable-cell"),
        (5, "duplicate-mention"),
        (7, "trailing-blanks"),
    ]


def test_rules_are_selected_and_ignored(tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_bytes(conll("(0)|(0)", "x", "(0)", end=False))
    every = [problem.rule for problem in check(path)]
    assert every == ["missing-end", "duplicate-mention", "unreadable-cell"]
    selected = check(path, select="missing-end, unreadable-cell")
    assert [problem.rule for problem in selected] == [every[0], every[2]]
    ignored = check(path, ignore=["missing-end"])
    assert [problem.rule for problem in ignored] == every[1:]


def test_an_unknown_rule_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(OptionError, match="Did you mean missing-end"):
        choose_rules("missing-ends")


def test_a_rule_is_called_in_the_code_as_in_reports() -> None:
    names = vars(rules).items()
    constants = {name: rule for name, rule in names if isinstance(rule, Rule)}
    assert [*constants.values()] == [*RULES.values()]
    for name, rule in constants.items():
        assert name == rule.name.upper().replace("-", "_")


def test_severities_and_meanings_are_filled_in() -> None:
    for rule in RULES.values():
        assert rule.severity in SEVERITIES
        assert rule.meaning
        assert not rule.meaning.endswith(".")
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)


PAGE = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")


ROW = re.compile(r"^\| `([\w-]+)` \| \w+ \| .+ \| .+ \|$", re.MULTILINE)


def test_the_table_of_rules_is_that_of_the_code() -> None:
    assert ROW.findall(PAGE) == [*RULES]
    assert with_rules(PAGE) == PAGE, "make docs writes it"
