"""The characters of a line that a problem marks."""

from __future__ import annotations

import pytest

from scoref.tools.check.blame import bracket, closing, document, literal, opening
from scoref.tools.check.check import check_data
from support.bad_files import JSON, UA, conll, corefud, jsonl


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


def marked_texts(data: bytes) -> list[str | None]:
    """Return the marked part of the line of each problem."""
    return [
        problem.mark and problem.text[slice(*problem.mark)]
        for problem in check_data(data, source="x")
    ]


def test_a_cell_is_marked_whatever_quotes_are_in_it() -> None:
    cell = "(EntityID=e' 1|MarkableID=m1)"
    assert marked_texts(UA.replace(b"(EntityID=e1|MarkableID=m1)", cell.encode())) == [
        cell
    ]


def test_a_label_with_a_blank_is_marked() -> None:
    assert marked_texts(corefud("1=(e 1-x-1", "2=(e2-x-1)", "3=(e2-x-1)")) == [
        "(e 1-x-1"
    ]


def test_nothing_is_marked_in_json_because_the_decoder_quotes_it() -> None:
    assert marked_texts(b'{"doc_key" "d", "clusters": []}\n') == [None]


def test_the_last_bracket_of_an_entity_is_preferred() -> None:
    line = "w (1|(12)|(1)|1)"
    assert opening(line, "1") == (10, 13)
    assert closing(line, "1") == (14, 16)
    assert bracket(line, "1") == (14, 16)
    assert bracket(line, "12") == (5, 9)
    assert bracket(line, "2") is None


def test_the_name_of_a_document_is_found_in_quotes_first() -> None:
    assert document('{"doc_key": "d"}', "d") == (13, 14)
    assert document("#begin document d", "d") == (16, 17)


def test_a_text_is_found_where_it_is_last() -> None:
    assert literal("a+b a+b", "a+b") == (4, 7)
    assert literal("a+b", "aab") is None
