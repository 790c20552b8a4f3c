"""Each kind of error by hand, and properties of all errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from support.error_analyses import (
    NAMES,
    analysis_of,
    counts,
    error_entities,
    single,
    spans,
)
from support.strategies import corpora, repeating_entities

if TYPE_CHECKING:
    from scoref.tools.errors.findings import Analysis
    from support.strategies import Documents, Entities


SWAPPED = {
    "conflated-entity": "divided-entity",
    "divided-entity": "conflated-entity",
    "extra-mention": "missing-mention",
    "extra-entity": "missing-entity",
    "missing-mention": "extra-mention",
    "missing-entity": "extra-entity",
}


def members(analysis: Analysis, row: int) -> tuple[list[int], list[int]]:
    errors = analysis.errors
    ours, theirs = (
        sets.member[sets.start[row] : sets.start[row + 1]].tolist()
        for sets in (errors.key_mentions, errors.response_mentions)
    )
    return ours, theirs


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        (["abc", "de"], ["abcde"], {"conflated-entity": 1}),
        (["abc", "de", "f"], ["abcdef"], {"conflated-entity": 2}),
        (["abcde"], ["abc", "de"], {"divided-entity": 1}),
        (["abcdef"], ["abc", "de", "f"], {"divided-entity": 2}),
        (["abc", "de"], ["ab", "cde"], {"wrong-link": 1}),
        (["abcf", "de"], ["ab", "cdef"], {"wrong-link": 1}),
        (["abcf", "d"], ["ab", "cdf"], {"conflated-entity": 1, "divided-entity": 1}),
        (["ab"], ["abz"], {"extra-mention": 1}),
        (["ab"], ["abyz"], {"extra-mention": 2}),
        (["ab"], ["ab", "yz"], {"extra-entity": 1}),
        (["abyz"], ["ab"], {"missing-mention": 2}),
        (["ab", "yz"], ["ab"], {"missing-entity": 1}),
        (["ab"], ["yz"], {"missing-entity": 1, "extra-entity": 1}),
        (["ab"], [], {"missing-entity": 1}),
        ([], ["ab"], {"extra-entity": 1}),
        ([], [], {}),
        (["ab", "c"], ["c", "ba"], {}),
    ],
)
def test_partitions_have_the_errors_that_one_would_count(
    key: list[str], response: list[str], expected: dict[str, int]
) -> None:
    assert counts(spans(single(*key), single(*response))) == expected


def test_equal_halves_stay_where_the_text_begins() -> None:
    analysis = spans(single("abcd"), single("cd", "ab"))
    assert counts(analysis) == {"divided-entity": 1}
    assert members(analysis, 0) == ([2, 3], [2, 3])
    assert error_entities(analysis, 0) == (0, 0)


def test_ties_go_to_the_cell_that_makes_both_entities_right() -> None:
    # {ab} is the first of the first entity's halves, and as much of the response entity
    # as {ef} is; the other half is an entity of its own, and so is {ef} otherwise.
    analysis = spans(single("abcd", "ef"), single("abef", "cd"))
    assert counts(analysis) == {"conflated-entity": 1, "divided-entity": 1}
    # {ab} is an entity of its own, so that {cd} can be moved and {ef} can stay.
    analysis = spans(single("abcd", "ef"), single("ab", "cdef"))
    assert counts(analysis) == {"wrong-link": 1}
    assert members(analysis, 0) == ([2, 3], [2, 3])


def test_extra_and_missing_mentions_know_where_they_belong() -> None:
    analysis = spans(single("q", "abc"), single("q", "abz"))
    assert counts(analysis) == {"extra-mention": 1, "missing-mention": 1}
    assert [error_entities(analysis, row) for row in range(2)] == [(1, 1), (1, 1)]
    analysis = spans(single("q", "c"), single("q", "z"))
    assert [error_entities(analysis, row) for row in range(2)] == [(1, -1), (-1, 1)]


def test_errors_stand_in_the_order_of_the_text() -> None:
    analysis = spans(single("ab", "d", "fg"), single("abc", "e", "gf", "h"))
    assert [NAMES[kind] for kind in analysis.errors.kind] == [
        *("extra-mention", "missing-entity", "extra-entity", "extra-entity")
    ]


@given(pair=corpora())
def test_swapping_the_sides_swaps_the_errors(pair: tuple[Documents, Documents]) -> None:
    key, response = pair
    forth, back = analysis_of(key, response), analysis_of(response, key)
    expected = {SWAPPED.get(name, name): count for name, count in counts(forth).items()}
    assert counts(back) == expected
    assert back.gains.before == pytest.approx(forth.gains.before)


@given(pair=corpora())
def test_the_order_of_entities_does_not_matter(
    pair: tuple[Documents, Documents],
) -> None:
    key, response = pair
    turned = {
        name: [entity[::-1] for entity in side[::-1]] for name, side in response.items()
    }
    analysis, again = analysis_of(key, response), analysis_of(key, turned)
    assert counts(again) == counts(analysis)
    assert again.gains.alone.tolist() == pytest.approx(analysis.gains.alone.tolist())


@given(side=repeating_entities())
def test_identical_sides_have_no_error_whatever_they_repeat(side: Entities) -> None:
    clusters = [[(token, token + token**2) for token in entity] for entity in side]
    assert counts(spans(clusters, clusters)) == {}


@given(pair=corpora())
def test_every_mention_without_partner_is_in_one_error(
    pair: tuple[Documents, Documents],
) -> None:
    analysis = analysis_of(*pair)
    errors = analysis.errors
    lone = [name in {"extra-mention", "extra-entity"} for name in NAMES]
    for sets, side, wanted in (
        (errors.response_mentions, analysis.response, lone),
        (
            errors.key_mentions,
            analysis.key,
            [name.startswith("missing") for name in NAMES],
        ),
    ):
        concerned = [
            mention
            for row, kind in enumerate(errors.kind.tolist())
            if wanted[kind]
            for mention in sets.member[sets.start[row] : sets.start[row + 1]].tolist()
        ]
        unmatched = [place for place, other in enumerate(side.partner) if other < 0]
        assert sorted(concerned) == unmatched
