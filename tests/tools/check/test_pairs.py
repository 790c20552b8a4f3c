"""A key and a response: documents, words and offsets that do not belong together."""

from __future__ import annotations

import pytest

from scoref.tools.check.check import check_both, check_data
from support.bad_files import CONLL, COREFUD, UA, conll, jsonl


def test_files_in_the_wrong_order_are_recognised_by_their_names() -> None:
    names = ("out/response.conll", "data/gold.conll")
    (problem,) = check_both((CONLL, CONLL), sources=names)
    assert (problem.rule, problem.source) == ("swapped-files", "data/gold.conll")
    assert check_both((CONLL, CONLL), sources=names[::-1]) == []


def test_sets_of_words_may_be_checked_against_spans() -> None:
    for both in ((CONLL, COREFUD), (COREFUD, CONLL), (COREFUD, UA)):
        problems = check_both(both, sources=("x", "y"))
        assert "different-formats" not in {problem.rule for problem in problems}


def test_formats_of_spans_may_be_mixed() -> None:
    key = conll("(0)", "(0)", name="(d); part 000")
    assert check_both((key, jsonl([[0, 0], [1, 1]])), sources=("x", "y")) == []


def test_two_sides_of_a_file_of_json_are_compared() -> None:
    text = jsonl([[0, 0], [1, 1]], predicted_clusters=[[[0, 0], [1, 1]], [[2, 2]]])
    (problem,) = check_data(text, source="x")
    assert problem.message == (
        "'predicted_clusters' has 1 entities with one mention, and 'clusters' has none"
    )


@pytest.mark.parametrize(
    ("key", "response", "hint"),
    [
        ([[0, 1], [3, 3]], [[0, 2], [3, 4]], "Are ends exclusive here?"),
        ([[0, 2], [3, 4]], [[0, 1], [3, 3]], "Are ends exclusive in x?"),
        ([[0, 1], [3, 3]], [[1, 2], [4, 4]], "Are tokens counted from 1 here?"),
        ([[1, 2], [4, 4]], [[0, 1], [3, 3]], "Are tokens counted from 1 in x?"),
        (
            [[0, 1], [3, 3]],
            [[0, 7], [3, 5]],
            "Check that this is the response to this key.",
        ),
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
    assert problem.message == (
        "this word is 'x', but 'w2' in key:4. This is the first of 2 words that differ"
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
        "the text ends here, but continues with 'w2' in x:4. The "
        "document has 2 words here and 3 in the key"
    )
    (problem,) = check_both((conll("(0)", "(0)"), key), sources=("x", "y"))
    assert problem.message == (
        "the text continues with 'w2', but ends in x:3. The document has "
        "3 words here and 2 in the key"
    )
