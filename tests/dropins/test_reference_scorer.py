"""The figures of the Perl reference scorer, and the lines in which it prints them."""

from __future__ import annotations

import pytest

from scoref.dropins.reference_scorer import (
    ReferenceScorer,
    closing,
    number,
    opening,
    percentage,
    totals,
)
from support.bad_files import conll

KEY = conll("(0)", "(0)", "(1)", "(1)")
RESPONSE = conll("(5)", "(5)", "(5)|(6)", "-")


def scorer(key: bytes, response: bytes, only: str | None = None) -> ReferenceScorer:
    return ReferenceScorer.of(key, response, ("key", "response"), only)


def test_counts_are_by_document_and_in_total() -> None:
    both = scorer(KEY + conll("(0)", "(0)", name="(e); part 000"), RESPONSE)
    muc = both.score("muc")
    assert muc.counts == [[1, 2, 1, 2], [0, 1, 0, 0]]
    assert muc.total == [1, 3, 1, 2]
    assert muc.score == pytest.approx((1 / 3, 1 / 2, 0.4))


def test_mentions_are_numbered_and_repeated_ones_are_listed() -> None:
    repeated = scorer(conll("(0)|(1)", "(0)"), conll("(0)|(1)", "(1)", "(2)"))
    mentions = repeated.identifications[0]
    assert (mentions.key, mentions.response, mentions.correct) == (2, 3, 2)
    assert mentions.repeated_in_key == ("Repeated mention in the key: 0, 0 02",)
    assert mentions.repeated_in_response == (
        "Repeated mention in the response: 0, 0 22",
    )


def test_the_report_shows_entities_mentions_and_totals() -> None:
    both = scorer(KEY, RESPONSE)
    assert opening(both, 0, "muc", None, 11)[:4] == [
        "====> (d); part 000:",
        "File (d); part 000:",
        "Entity 0: (0,0) (1,1)",
        "Entity 1: (2,2) (3,3)",
    ]
    muc = both.score("muc")
    lines = closing(both.identifications[0], 0, muc)
    assert lines[0] == "Total key mentions: 4"
    assert lines[-2] == ("Recall: (1 / 2) 50%\tPrecision: (1 / 2) 50%\tF1: 50%")
    assert totals(both.score("mentions"), muc)[:2] == ["", "====== TOTALS ======="]


def test_warnings_are_about_likely_mistakes() -> None:
    other = conll("(0)", "(0)", name="(e); part 000")
    assert scorer(KEY, other).warnings == (
        (
            "1 of 1 documents of key are not in response, so their mentions count as "
            "missing"
        ),
        "1 of 1 documents of response are not in key, so they are not scored",
    )
    assert scorer(KEY, RESPONSE).warnings == ()


def test_a_document_can_be_asked_for_by_name() -> None:
    one = scorer(KEY, RESPONSE, "(x); part 000")
    assert one.names == ("(x); part 000",)
    assert one.score("muc").total == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("value", "expected"), [(2 / 3, "66.66"), (0.57, "56.99"), (1.0, "100")]
)
def test_percentages_are_cut_as_in_perl(value: float, expected: str) -> None:
    assert percentage(value) == expected
    assert number(4.0) == "4"


def test_b_cubed_adds_the_shared_mentions_of_each_mention() -> None:
    # Mentions 1 and 2 are in two entities of the response, one with two of the others.
    response = conll("(5)", "(6)", "(6)", "(6)")
    assert scorer(KEY, response).score("bcub").score == pytest.approx(
        (3 / 4, 2 / 3, 12 / 17)
    )
