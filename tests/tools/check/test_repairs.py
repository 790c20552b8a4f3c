"""Repairs: what has one right answer is done, and nothing else changes."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.formats import reading
from scoref.rules import RULES
from scoref.tools.check.check import check_data
from scoref.tools.check.repairs import repair
from support.bad_files import (
    BAD,
    CONLL,
    COREFUD,
    ENTITY,
    GOOD,
    JSON,
    UA,
    Bad,
    conll,
    corefud,
    jsonl,
    ua,
)
from support.corpus_values import mentions_by_document

FIXABLE = [
    bad
    for bad in BAD
    if RULES[bad.rule].has_fix
    and not (bad.rule == "duplicate-mention" and b"EntityID" in bad.data)
]

BOM = b"\xef\xbb\xbf"


def repaired(data: bytes) -> bytes:
    return repair(data, source="x").data


@pytest.mark.parametrize(
    "bad", FIXABLE, ids=[f"{bad.rule}-{row}" for row, bad in enumerate(FIXABLE)]
)
def test_a_repaired_file_has_no_problem(bad: Bad) -> None:
    (problem,) = check_data(bad.data, source="x")
    assert problem.can_fix
    repaired_file = repair(bad.data, source="x")
    assert repaired_file.counts == {bad.rule: 1}
    assert check_data(repaired_file.data, source="x") == []


@pytest.mark.parametrize(
    "bad",
    [bad for bad in BAD if bad not in FIXABLE and bad.other is None],
    ids=str,
)
def test_what_has_no_right_answer_stays_as_it_is(bad: Bad) -> None:
    (problem,) = check_data(bad.data, source="x")
    assert not problem.can_fix
    assert repair(bad.data, source="x") == (bad.data, {})


@pytest.mark.parametrize("data", GOOD.values(), ids=list(GOOD))
def test_a_good_file_stays_as_it_is(data: bytes) -> None:
    assert repair(data, source="x") == (data, {})


def test_every_rule_with_a_fix_has_been_repaired_here() -> None:
    assert {bad.rule for bad in FIXABLE} == {
        rule.name for rule in RULES.values() if rule.has_fix
    }


def test_marks_and_line_ends_of_windows_go() -> None:
    assert repaired(BOM + BOM + CONLL.replace(b"\n", b"\r\n")) == CONLL


def test_only_blanks_at_ends_go() -> None:
    text = CONLL.replace(b"w2", b"w  2").replace(b"part 000", b"part 000 \t ")
    assert repaired(text.replace(b"\n\n", b"\n \t\n")) == CONLL.replace(b"w2", b"w  2")


def test_empty_columns_stay() -> None:
    text = CONLL.replace(b"\t-\n", b"\t\n")
    assert repaired(text) == text
    assert repaired(text.replace(b"\t\n", b"\t  \n")) == text


def test_ends_are_put_before_the_next_document() -> None:
    first, second = conll("(0)", "(0)", end=False), conll("(0)", name="e", end=False)
    end = b"#end document\n"
    assert repaired(first + second) == first + end + second + end


def test_an_end_stands_on_a_line_of_its_own() -> None:
    text = conll("(0)", "(0)", end=False)
    assert repaired(text[:-1]) == text + b"#end document\n"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("(0)|(0)", "(0)"),
        ("(0)(0)", "(0)"),
        ("(0)|(1)|(0)", "(0)|(1)"),
        ("(0)|(0)|(1)", "(0)|(1)"),
        ("(0)|(0)|(0)", "(0)"),
        ("(0|0)|(0)", "(0|0)"),
        ("(0|(0|0)|0)", "(0|0)"),
    ],
)
def test_brackets_of_one_token_go(cell: str, expected: str) -> None:
    text = conll(cell, "(0)|(1)", "(1)", "(00)|(00)x")
    rest = "(00)|(00)x"  # what cannot be read is not touched
    assert repaired(text) == conll(expected, "(0)|(1)", "(1)", rest)


def test_brackets_around_several_tokens_go_on_both_ends() -> None:
    text = conll("(0|(1|(0", "(0)", "0)|(01)|1)|0)", "(01)|(1)")
    assert repaired(text) == conll("(0|(1", "(0)", "0)|(01)|1)", "(01)|(1)")


def test_brackets_of_corefud_go() -> None:
    text = corefud("1=(e1-x-1)(e1-x-1)", "2=(e1-x-2(e2-x-1(e1-x-2", "3=e1)e2)e1)")
    assert repaired(text) == corefud("1=(e1-x-1)", "2=(e1-x-2(e2-x-1", "3=e1)e2)")


def test_other_attributes_of_corefud_stay() -> None:
    text = corefud("1=(e1-x-1)(e1-x-1)|SpaceAfter=No", "2=(e1-x-1)")
    text = text.replace(b"Entity=", b"A=B|Entity=", 1)
    expected = text.replace(b"(e1-x-1)(e1-x-1)", b"(e1-x-1)")
    assert repaired(text) == expected


@pytest.mark.parametrize(
    "words",
    [
        ["1=(e1-x-1)(e1-y-1)", "2=(e1-x-1)"],
        ["1=(e1-x-1(e1-x-2", "2=e1)e1)", "3=(e1-x-1)"],
        ["1=(e1[1/2]-x-1)(e1[1/2]-x-1)", "2", "3=(e1[2/2]-x-1)(e1[2/2]-x-1)"],
    ],
)
def test_brackets_that_say_different_things_stay(words: list[str]) -> None:
    text = corefud(*words)
    (problem,) = check_data(text, source="x", rules=frozenset(("duplicate-mention",)))
    assert not problem.can_fix
    assert repair(text, source="x") == (text, {})


def test_markables_listed_twice_stay_because_others_may_name_them() -> None:
    text = ua(
        "(EntityID=e|MarkableID=m1)(EntityID=e|MarkableID=m2)",
        "(EntityID=e|MarkableID=m3) (MarkableID=m3|MentionAnchor=m2)",
    )
    assert repair(text, source="x") == (text, {})


def test_lines_of_json_are_written_anew_only_if_they_change() -> None:
    odd = b'{"doc_key":"e",  "clusters":[], "x": 1.50}\n'
    text = JSON.replace(b"[3, 3]", b"[3.0, 3]") + odd
    assert repaired(text) == JSON + odd


def test_json_keeps_its_other_fields() -> None:
    record = {
        "doc_key": "é",
        "clusters": [[[0, 0], [1.0, 1], [0, 0]], []],
        "predicted_clusters": [[[2, 2], [2, 2], [3, 3]]],
        "score": 1.0,
        "clusters_text": [[[0, 0], [0, 0]]],
    }
    text = json.dumps(record, ensure_ascii=False).encode()
    repaired_file = repair(text, source="x")
    assert json.loads(repaired_file.data) == record | {
        "clusters": [[[0, 0], [1, 1]]],
        "predicted_clusters": [[[2, 2], [3, 3]]],
    }
    assert "é" in repaired_file.data.decode()
    assert repaired_file.counts == {"float-offset": 1, "duplicate-mention": 2}


def test_floats_that_are_no_offsets_stay() -> None:
    text = jsonl([[0, 0.5], [1, 1]])
    assert repair(text, source="x") == (text, {})


@pytest.mark.parametrize("mark", [b"", BOM])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_header_is_put_after_newdoc(mark: bytes, end: bytes) -> None:
    text = mark + COREFUD.replace(ENTITY.encode(), b"").replace(b"\n", end)
    rules = frozenset(("missing-header",))
    expected = mark + COREFUD.replace(b"\n", end)
    assert repair(text, source="x", rules=rules).data == expected


def test_only_chosen_rules_are_repaired() -> None:
    text = conll("(0)|(0)", "(0)", end=False)
    repaired_file = repair(text, source="x", rules=frozenset(("missing-end",)))
    assert repaired_file == (text + b"#end document\n", {"missing-end": 1})


@given(seed=st.integers(0, 10_000))
def test_what_was_good_is_unchanged(seed: int) -> None:
    """Write random mentions, some of them twice: afterwards each is there once."""
    random = Random(seed)  # noqa: S311 - nothing is secret here
    opening: list[list[str]] = [[] for _ in range(8)]
    closing: list[list[str]] = [[] for _ in range(8)]
    for _ in range(random.randint(2, 8)):
        start = random.randrange(8)
        end = random.randrange(start, 8)
        label = random.choice("012")
        for _ in range(random.choice((1, 1, 2, 3))):
            if start == end:
                opening[start].append(f"({label})")
            else:
                opening[start].append(f"({label}")
                closing[end].append(f"{label})")
    text = conll(
        *(
            "|".join(one + other) or "-"
            for one, other in zip(opening, closing, strict=True)
        )
    )
    before, after = (
        mentions_by_document(reading.read_data(data, source="x", role="key"))
        for data in (text, repaired(text))
    )
    assert {
        label: sorted(set(mentions))
        for label, mentions in before["(d); part 000"].items()
    } == {label: sorted(mentions) for label, mentions in after["(d); part 000"].items()}


def test_a_file_that_is_unreadable_is_left_alone() -> None:
    assert repair(b"\xff\xfe#\0", source="x") == (b"\xff\xfe#\0", {})


def test_universal_anaphora_loses_a_mark_and_nothing_else() -> None:
    assert repair(BOM + UA, source="x") == (UA, {"byte-order-mark": 1})


def test_a_line_with_a_field_twice_is_not_repaired() -> None:
    line = b'{"doc_key": "d", "clusters": [[[0.0, 0], [2, 2]]], "clusters": []}\n'
    assert repair(line, source="d").data == line
