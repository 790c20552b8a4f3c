"""Every rule has files that break it, and it alone, in a known place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scoref import OptionError, rules
from scoref.rules import RULES, SEVERITIES, Rule
from scoref.tools.check.check import check, check_both, check_data, chosen
from support.bad_files import (
    BAD,
    CONLL,
    COREFUD,
    GOOD,
    JSON,
    UA,
    Bad,
    conll,
    corefud,
    jsonl,
)

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.tools.check.problems import Problem

MANY = 60
every_bad_file = pytest.mark.parametrize(
    "bad", BAD, ids=[f"{bad.rule}-{row}" for row, bad in enumerate(BAD)]
)


def found(bad: Bad) -> list[Problem]:
    if bad.other is None:
        return check_data(bad.data, source="x")
    return check_both((bad.data, bad.other), sources=("x", "y"))


def rules_of(data: bytes) -> list[str]:
    return [problem.rule for problem in check_data(data, source="x")]


@every_bad_file
def test_a_bad_file_breaks_one_rule_in_one_place(bad: Bad) -> None:
    (problem,) = found(bad)
    assert (problem.rule, problem.line, problem.column) == bad[:1] + bad[2:4]
    assert problem.severity == RULES[bad.rule].severity
    assert problem.source == ("y" if bad.other and not bad.is_first else "x")
    assert problem.message


@pytest.mark.parametrize("data", GOOD.values(), ids=list(GOOD))
def test_a_good_file_breaks_no_rule(data: bytes) -> None:
    assert check_data(data, source="x") == []
    assert check_both((data, data), sources=("x", "y")) == []


def test_every_rule_has_a_bad_file() -> None:
    others = {"gave-up", "too-many-overlaps", "swapped-files", "unexpected-key"}
    assert {bad.rule for bad in BAD} == {*RULES} - others


def test_files_in_the_wrong_order_are_told_by_their_names() -> None:
    names = ("out/response.conll", "data/gold.conll")
    (problem,) = check_both((CONLL, CONLL), sources=names)
    assert (problem.rule, problem.source) == ("swapped-files", "data/gold.conll")
    assert check_both((CONLL, CONLL), sources=names[::-1]) == []


def test_sets_of_words_may_be_checked_against_spans() -> None:
    for both in ((CONLL, COREFUD), (COREFUD, CONLL), (COREFUD, UA)):
        found = check_both(both, sources=("x", "y"))
        assert "different-formats" not in {problem.rule for problem in found}


@every_bad_file
def test_only_rules_with_a_fix_say_that_they_can_be_repaired(bad: Bad) -> None:
    (problem,) = found(bad)
    assert RULES[bad.rule].has_fix or not problem.can_fix


@every_bad_file
def test_the_mark_is_at_the_column(bad: Bad) -> None:
    (problem,) = found(bad)
    if problem.mark is not None:
        assert problem.column is not None
        assert problem.mark[0] + 1 == problem.column  # these lines are short
        assert problem.mark[0] < problem.mark[1] <= len(problem.text)


@pytest.mark.parametrize(
    ("bad", "blamed"),
    [
        (conll("(0)", "(0)|1)|(10)"), "1)"),
        (corefud("1=(e1-x-1)", "2=(e1-x-1)e2)"), "e2)"),
        (corefud("1=(e1-x-1)", "2=(e1-x-1)(e2-x-1"), "(e2-x-1"),
        (conll("(0)|(0)", "(0)"), "(0)"),
        (conll("(0|(0", "0)|0)", "(0)"), "(0"),
        (corefud("1=(e1-x-1)", "2=(e1-x-1)", "3=e1"), "e1"),
        (UA.replace(b"Min=3", b"Min=9"), "Min=9"),
        (UA.replace(b"\t)\t", b"\t_\t"), "(EntityID=e2|MarkableID=m2|Min=3"),
        (jsonl([[0, 1], [1, 1], [2, 9]], tokens=["a"] * 5), "[2, 9]"),
        (JSON + JSON, "d"),
    ],
)
def test_the_mark_is_under_what_is_to_blame(bad: bytes, blamed: str) -> None:
    problem = check_data(bad, source="x")[0]
    assert problem.mark is not None
    assert problem.text[slice(*problem.mark)] == blamed


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


def test_lines_that_stop_a_reader_do_not_hide_others() -> None:
    text = corefud("1=(e1-x-1)", "2=(e1-x-one)", "3=(e1-x-1)e7)", "4")
    text = text.replace(b"\n4\t", b"\nfour\t") + b"five\n\n"
    assert rules_of(text) == [
        "unreadable-head",
        "unopened-bracket",
        "unreadable-line",
        "unreadable-line",
    ]


def test_every_line_of_json_that_is_none_is_told() -> None:
    text = b"{\n" + JSON + b"{}\n" + JSON.replace(b'"d"', b'"e"') + b"x\n"
    problems = check_data(text, source="x", format="json-lines")
    assert [(problem.rule, problem.line) for problem in problems] == [
        ("not-json", 1),
        ("not-json", 3),
        ("not-json", 5),
    ]


def test_too_many_unreadable_lines_are_given_up() -> None:
    rules = rules_of(COREFUD + b"x\n" * MANY)
    assert rules.count("gave-up") == 1
    assert 1 < rules.count("unreadable-line") < MANY


def test_words_are_shown_and_long_mentions_cut() -> None:
    cells = ["(0|(0", *["-"] * 30, "0)|0)", "(0)"]
    (problem,) = check_data(conll(*cells), source="x")
    assert problem.message.startswith("entity 0 lists 'w0 w1 w2 ")
    assert len(problem.message) < 80


def test_both_sides_of_a_file_of_json_are_checked() -> None:
    mentions = [[0, 0], [1, 1], [0, 0]]
    text = jsonl([[0, 0], [1, 1]], predicted_clusters=[mentions])
    assert rules_of(text) == ["duplicate-mention"]
    only = text.replace(b'"clusters"', b'"others"')
    assert rules_of(only) == ["duplicate-mention"]


def test_two_sides_of_a_file_of_json_are_compared() -> None:
    text = jsonl([[0, 0], [1, 1]], predicted_clusters=[[[0, 0], [1, 1]], [[2, 2]]])
    (problem,) = check_data(text, source="x")
    assert problem.message == (
        "'predicted_clusters' has 1 entities of one mention, 'clusters' none"
    )


def test_discourse_deixis_is_checked_too() -> None:
    cells = b"(EntityID=d|MarkableID=d1", b"(EntityID=d|MarkableID=d2)"
    text = UA.replace(b"\t_\t_\n", b"\t_\t" + cells[1] + b"\n", 1)
    assert rules_of(text) == []
    assert rules_of(text.replace(cells[1], cells[0])) == ["unclosed-bracket"]


@pytest.mark.parametrize(
    ("key", "response", "hint"),
    [
        ([[0, 1], [3, 3]], [[0, 2], [3, 4]], "are ends exclusive here?"),
        ([[0, 2], [3, 4]], [[0, 1], [3, 3]], "are ends exclusive in x?"),
        ([[0, 1], [3, 3]], [[1, 2], [4, 4]], "are tokens counted from 1 here?"),
        ([[1, 2], [4, 4]], [[0, 1], [3, 3]], "are tokens counted from 1 in x?"),
        ([[0, 1], [3, 3]], [[0, 7], [3, 5]], "is it the response to this key?"),
    ],
)
def test_shifted_offsets_are_recognised(
    key: object, response: object, hint: str
) -> None:
    texts = jsonl(key), jsonl(response)
    (problem,) = check_both(texts, sources=("x", "y"))
    assert problem.rule == "no-common-mentions"
    assert problem.hint.endswith(hint)


def test_words_that_differ_are_shown_from_both_sides() -> None:
    other = CONLL.replace(b"w2", b"x").replace(b"w6", b"y")
    (problem,) = check_both((CONLL, other), sources=("key", "response"))
    assert (
        problem.message
        == "this word is 'x', but 'w2' in key:4, the first of 2 that differ"
    )
    assert problem.text == "d\t0\t2\tx\t-"
    assert problem.beside == "key:4: d\t0\t2\tw2\t-"


def test_documents_may_come_in_another_order() -> None:
    second = conll("(0)", "(0)", name="e")
    assert check_both((CONLL + second, second + CONLL), sources=("x", "y")) == []


def test_each_document_shows_its_first_difference() -> None:
    second = conll("(0)", "(0)", name="e")
    key = CONLL + second
    response = key.replace(b"w2", b"x").replace(b"w0", b"z")
    problems = check_both((key, response), sources=("x", "y"))
    assert [(problem.line, problem.column) for problem in problems] == [(2, 7), (13, 7)]


def test_a_text_that_ends_early_says_so() -> None:
    key = conll("(0)", "(0)", "-")
    (problem,) = check_both((key, conll("(0)", "(0)")), sources=("x", "y"))
    assert problem.message == (
        "the text ends here, but goes on with 'w2' in x:4; 2 words here, 3 there"
    )
    (problem,) = check_both((conll("(0)", "(0)"), key), sources=("x", "y"))
    assert problem.message == (
        "the text goes on with 'w2', but ends in x:3; 3 words here, 2 there"
    )


def test_formats_of_spans_may_be_mixed() -> None:
    key = conll("(0)", "(0)", name="(d); part 000")
    assert check_both((key, jsonl([[0, 0], [1, 1]])), sources=("x", "y")) == []


def marked(data: bytes) -> list[str | None]:
    """Give what is marked of the line of each problem."""
    return [
        problem.mark and problem.text[slice(*problem.mark)]
        for problem in check_data(data, source="x")
    ]


def test_a_cell_is_marked_whatever_quotes_are_in_it() -> None:
    cell = "(EntityID=e' 1|MarkableID=m1)"
    assert marked(UA.replace(b"(EntityID=e1|MarkableID=m1)", cell.encode())) == [cell]


def test_a_label_with_a_blank_is_marked() -> None:
    assert marked(corefud("1=(e 1-x-1", "2=(e2-x-1)", "3=(e2-x-1)")) == ["(e 1-x-1"]


def test_nothing_is_marked_in_json_because_the_decoder_quotes_it() -> None:
    assert marked(b'{"doc_key" "d", "clusters": []}\n') == [None]


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
    with pytest.raises(OptionError, match="did you mean 'missing-end'"):
        chosen("missing-ends")


def test_a_rule_is_called_in_the_code_as_in_reports() -> None:
    every = vars(rules).items()
    listed = {name: rule for name, rule in every if isinstance(rule, Rule)}
    assert [*listed.values()] == [*RULES.values()]
    for name, rule in listed.items():
        assert name == rule.name.upper().replace("-", "_")


def test_severities_and_meanings_are_filled_in() -> None:
    for rule in RULES.values():
        assert rule.severity in SEVERITIES
        assert rule.meaning
        assert not rule.meaning.endswith(".")
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
