"""What the reference scorer reads differently, and CorefUD heads that do not count."""

from __future__ import annotations

import pytest

from scoref.tools.check.check import check_data
from support.bad_files import CONLL, conll, corefud


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            CONLL.replace(b"document (d)", b"document(d)"),
            "the reference scorer does not see this document",
        ),
        (
            CONLL.replace(b"\nd\t0\t1", b"\n# note\nd\t0\t1"),
            "to the reference scorer this document has 8 tokens, not 7",
        ),
    ],
)
def test_a_document_that_the_reference_scorer_reads_differently_is_reported(
    data: bytes, message: str
) -> None:
    (problem,) = check_data(data, source="x")
    assert (problem.rule, problem.message) == ("reference-reading", message)


def test_other_mentions_of_the_reference_scorer_are_counted() -> None:
    (problem,) = check_data(conll("(x)", "(x)"), source="x")
    assert problem.message == (
        "the reference scorer finds 0 other mentions in this document and lacks 2"
    )


def test_heads_that_are_missing_are_counted() -> None:
    header = "# global.Entity = eid\n"
    data = corefud("1=(e1", "2=e1)", "3=(e1)", "4=(e2", "5=e2)", header=header)
    messages = [problem.message for problem in check_data(data, source="x")]
    assert messages == ["no mention names its head: the first words of 2 are heads"]


def test_a_head_that_a_mention_of_one_word_cannot_have_is_marked() -> None:
    (problem,) = check_data(corefud("1=(e1-x-2)", "2=(e1-x-1)"), source="x")
    assert problem.message == "the head is word 2 of a mention of one word"
    assert problem.mark is not None
    assert problem.text[slice(*problem.mark)] == "(e1-x-2)"
