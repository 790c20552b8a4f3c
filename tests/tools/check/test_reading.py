"""All faults of a file are reported, and its header is inferred from the brackets."""

from __future__ import annotations

import pytest

from scoref.tools.check.check import check_data
from scoref.tools.check.reading import (
    evident_header,
    read_file,
    with_whole_numbers,
    without_empty_entities,
    without_repetitions,
)
from support.bad_files import COREFUD, JSON, UA, corefud, jsonl

MANY = 60


def rules_of(data: bytes) -> list[str]:
    return [problem.rule for problem in check_data(data, source="x")]


def test_lines_that_stop_a_reader_do_not_hide_others() -> None:
    text = corefud("1=(e1-x-1)", "2=(e1-x-one)", "3=(e1-x-1)e7)", "4")
    text = text.replace(b"\n4\t", b"\nfour\t") + b"five\n\n"
    assert rules_of(text) == [
        "unreadable-head",
        "unopened-bracket",
        "unreadable-line",
        "unreadable-line",
    ]


def test_every_line_of_json_that_is_unreadable_is_reported() -> None:
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
    assert rules.count("unreadable-line") == 50
    assert "gave-up" not in rules_of(COREFUD + b"x\n" * 49)


def test_both_sides_of_a_file_of_json_are_checked() -> None:
    mentions = [[0, 0], [1, 1], [0, 0]]
    text = jsonl([[0, 0], [1, 1]], predicted_clusters=[mentions])
    assert rules_of(text) == ["duplicate-mention"]
    only = text.replace(b'"clusters"', b'"others"')
    assert rules_of(only) == ["duplicate-mention"]


def test_discourse_deixis_is_checked_too() -> None:
    cells = b"(EntityID=d|MarkableID=d1", b"(EntityID=d|MarkableID=d2)"
    text = UA.replace(b"\t_\t_\n", b"\t_\t" + cells[1] + b"\n", 1)
    assert rules_of(text) == []
    assert rules_of(text.replace(cells[1], cells[0])) == ["unclosed-bracket"]


def test_a_layer_that_is_read_if_asked_for_has_warnings() -> None:
    columns = "# global.columns = ID FORM IDENTITY DISCOURSE_DEIXIS\n"
    data = f"{columns}# newdoc id = d\n1\tw\t_\t(EntityID=e1\n".encode()
    (problem,) = check_data(data, source="x", rules=frozenset(("nameless-bracket",)))
    assert (problem.severity, problem.line) == ("warning", 3)
    assert problem.hint.endswith("Only --evaluate discourse-deixis reads this column.")


def test_xml_with_old_line_ends_that_is_cut_off_is_reported() -> None:
    word = '<token t_id="1" sentence="0" number="0">Mia</token>'
    data = f'<Document doc_name="a">\r{word}\r<oops\r</Document>'.encode()
    (problem,) = check_data(data, source="one.xml")
    assert (problem.line, problem.rule) == (4, "unreadable-file")


@pytest.mark.parametrize(
    ("brackets", "header"),
    [
        ("(e1-person-1-|e1)", b"eid-etype-head-other"),
        ("(e1-person-1-)(e2---)", b"eid-etype-head-other"),
        ("(e1[1/2]-person-1-|e1[1/2])", b"eid-etype-head-other"),
        ("(e1-person-1)", b"eid-etype-head"),
        ("(e1)(e2", b"eid"),
        ("(e1-person)", None),
        ("(e1-person--)", None),
        ("(e1-person-x-)", None),
        ("(e1-person-1-)(e2-person-1)", None),
        ("(person-e1-1-|e1)", None),
        ("(e1-a-b-1-2)", None),
    ],
)
def test_a_header_is_evident_or_not(brackets: str, header: bytes | None) -> None:
    cells = "".join(f"1\tw\tEntity={cell}\n" for cell in brackets.split("|"))
    assert evident_header(cells.encode()) == header


def test_a_file_is_read_in_each_way_in_which_it_can_be_read() -> None:
    def ways(data: bytes) -> list[tuple[str, str]]:
        read = read_file(data, source="x", format_name=None)
        return [(side.way.role, side.way.layer) for side in read.sides]

    assert ways(COREFUD) == [("key", "identity")]
    assert ways(UA) == [("key", "identity"), ("key", "discourse-deixis")]
    both = jsonl([[0, 0], [1, 1]], predicted_clusters=[[[0, 0], [1, 1]]])
    assert ways(both) == [("key", "identity"), ("response", "identity")]


def test_the_data_of_a_side_has_a_comment_in_place_of_an_unreadable_line() -> None:
    read = read_file(COREFUD + b"five\n\n", source="x", format_name=None)
    assert [problem.rule for problem in read.problems] == ["unreadable-line"]
    assert not read.is_whole
    assert read.sides[0].data == COREFUD + b"#\n\n"


def test_lines_of_json_are_changed_only_where_they_are_wrong() -> None:
    line = b'{"doc_key":"d","clusters":[[[0,0],[1,1]]],"score":1.0}'
    for change in (with_whole_numbers, without_repetitions, without_empty_entities):
        assert change(line) is None
        assert change(b"{") is None
    wrong = line.replace(b"[1,1]]", b"[1.0,1],[0,0]],[]")
    assert with_whole_numbers(wrong) == wrong.replace(b"[1.0,", b"[1,")
    assert without_repetitions(wrong) == wrong.replace(b",[0,0]]", b"]")
    assert without_empty_entities(wrong) == wrong.replace(b",[]", b"")
