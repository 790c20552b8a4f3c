"""Each kind of error by hand, and what is no error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from scoref import OptionError
from scoref.metrics import conll
from scoref.scoring.evaluate import read_pairs
from scoref.scoring.request import Request
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.kinds import KINDS
from support.error_analyses import NAMES, analysed, counts, spans
from support.paths import EXAMPLES
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


def example(name: str, **options: str) -> Analysis:
    paths = [next(EXAMPLES.glob(f"{name}{side}.*")) for side in ("key", "response")]
    (pair,) = read_pairs(paths[0], [paths[1]], Request.of(**options))
    return analyse(*pair)


def single(*groups: str) -> list[list[tuple[int, int]]]:
    """Write entities as texts of letters, each a mention of one token.

    >>> single("ab", "c")
    [[(0, 0), (1, 1)], [(2, 2)]]
    """
    return [[(ord(each) - 97, ord(each) - 97) for each in group] for group in groups]


def members(analysis: Analysis, row: int) -> tuple[list[int], list[int]]:
    errors = analysis.errors
    ours, theirs = (
        sets.member[sets.start[row] : sets.start[row + 1]].tolist()
        for sets in (errors.key_mentions, errors.response_mentions)
    )
    return ours, theirs


def entities(analysis: Analysis, row: int) -> tuple[int, int]:
    errors = analysis.errors
    return int(errors.key_entity[row]), int(errors.response_entity[row])


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
    found = spans(single("abcd"), single("cd", "ab"))
    assert counts(found) == {"divided-entity": 1}
    assert members(found, 0) == ([2, 3], [2, 3])
    assert entities(found, 0) == (0, 0)


def test_ties_go_to_whoever_makes_both_entities_right() -> None:
    # {ab} is the first of the first entity's halves, and as much of the response entity
    # as {ef} is; the other half is an entity of its own, and so is {ef} otherwise.
    found = spans(single("abcd", "ef"), single("abef", "cd"))
    assert counts(found) == {"conflated-entity": 1, "divided-entity": 1}
    # {ab} is an entity of its own, so that {cd} can be moved and {ef} can stay.
    found = spans(single("abcd", "ef"), single("ab", "cdef"))
    assert counts(found) == {"wrong-link": 1}
    assert members(found, 0) == ([2, 3], [2, 3])


def test_a_span_error_says_by_how_much() -> None:
    found = spans([[(2, 5), (8, 8)]], [[(1, 7), (8, 8)]])
    assert counts(found) == {"span": 1}
    errors = found.errors
    assert (errors.left[0], errors.right[0], errors.inside[0]) == (1, 2, 0)
    assert found.key.overlapping.tolist() == [0, -1]
    assert found.key.partner.tolist() == [-1, 1]
    assert found.key.counterpart.tolist() == [0, 1]
    found = spans([[(1, 7), (8, 8)]], [[(2, 8), (8, 8)]])
    assert (found.errors.left[0], found.errors.right[0]) == (-1, 1)


def test_spans_are_paired_by_how_much_of_both_they_share() -> None:
    # Six tokens of the long one are common, but five of the short one are nearly all.
    found = spans([[(0, 9)], [(5, 9)]], [[(4, 9)]])
    assert counts(found) == {"span": 1, "missing-entity": 1}
    assert entities(found, 1) == (1, 0)


def test_spans_of_other_documents_are_not_paired() -> None:
    found = analysis_of_clusters({"a": [[(0, 2)]], "b": []}, {"a": [], "b": [[(0, 1)]]})
    assert counts(found) == {"missing-entity": 1, "extra-entity": 1}
    assert found.errors.document.tolist() == [0, 1]
    assert found.count_by_document().sum(axis=1).tolist() == [1, 1]


def test_huge_offsets_are_no_trouble() -> None:
    far = 2**52
    found = spans([[(0, far), (far, far)]], [[(1, far), (far, far)]])
    assert counts(found) == {"span": 1}
    assert found.errors.left.tolist() == [-1]


def test_a_span_error_can_be_a_wrong_link_as_well() -> None:
    key = [[(0, 0), (1, 1), (4, 6)], [(2, 2), (3, 3)]]
    response = [[(0, 0), (1, 1)], [(2, 2), (3, 3), (4, 5)]]
    assert counts(spans(key, response)) == {"span": 1, "wrong-link": 1}


def test_extra_and_missing_mentions_know_where_they_belong() -> None:
    found = spans(single("q", "abc"), single("q", "abz"))
    assert counts(found) == {"extra-mention": 1, "missing-mention": 1}
    assert [entities(found, row) for row in range(2)] == [(1, 1), (1, 1)]
    found = spans(single("q", "c"), single("q", "z"))
    assert [entities(found, row) for row in range(2)] == [(1, -1), (-1, 1)]


def test_errors_stand_in_the_order_of_the_text() -> None:
    found = spans(single("ab", "d", "fg"), single("abc", "e", "gf", "h"))
    assert [NAMES[kind] for kind in found.errors.kind] == [
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
        name: [each[::-1] for each in side[::-1]] for name, side in response.items()
    }
    found, again = analysis_of(key, response), analysis_of(key, turned)
    assert counts(again) == counts(found)
    assert again.gains.alone.tolist() == pytest.approx(found.gains.alone.tolist())


@given(side=repeating_entities())
def test_identical_sides_have_no_error_whatever_they_repeat(side: Entities) -> None:
    clusters = [[(each, each + each**2) for each in entity] for entity in side]
    assert counts(spans(clusters, clusters)) == {}


@given(key=repeating_entities(), response=repeating_entities())
def test_repeated_mentions_are_counted_once(key: Entities, response: Entities) -> None:
    sides = [
        [[(each, each + 1) for each in entity] for entity in side]
        for side in (key, response)
    ]
    found = spans(sides[0], sides[1])
    for side in (found.key, found.response):
        assert len(set(side.row.tolist())) == len(side.row)
    assert found.gains.cumulative[-1] == pytest.approx(ceiling(found))


def analysis_of(key: Documents, response: Documents) -> Analysis:
    """Take every mention for a token."""
    sides = [
        {name: [[(m, m) for m in each] for each in side] for name, side in some.items()}
        for some in (key, response)
    ]
    return analysis_of_clusters(sides[0], sides[1])


def analysis_of_clusters(
    key: dict[str, list[list[tuple[int, int]]]],
    response: dict[str, list[list[tuple[int, int]]]],
) -> Analysis:
    texts = [
        "\n".join(
            json.dumps({"doc_key": name, "clusters": clusters})
            for name, clusters in documents.items()
        )
        for documents in (key, response)
    ]
    return analysed(texts[0], texts[1], "json-lines")


def ceiling(analysis: Analysis) -> float:
    """Give the highest score: 1, unless there is no link, or nothing at all."""
    sizes = [
        analysis.key.entity.tolist().count(each) for each in set(analysis.key.entity)
    ]
    return 0.0 if not sizes else 1.0 if max(sizes) > 1 else 2 / 3


@given(pair=corpora())
def test_steps_lead_from_the_score_to_the_key(
    pair: tuple[Documents, Documents],
) -> None:
    found = analysis_of(*pair)
    gains = found.gains
    assert gains.before == pytest.approx(found.result.conll)
    assert gains.before + gains.step.sum() == pytest.approx(ceiling(found))
    for kind, count in enumerate(gains.count.tolist()):
        if not count:
            assert gains.gain[kind] == 0
            assert gains.step[kind] == 0


@given(pair=corpora())
def test_every_mention_without_partner_is_in_one_error(
    pair: tuple[Documents, Documents],
) -> None:
    found = analysis_of(*pair)
    errors = found.errors
    lone = [name in {"extra-mention", "extra-entity"} for name in NAMES]
    for sets, side, wanted in (
        (errors.response_mentions, found.response, lone),
        (
            errors.key_mentions,
            found.key,
            [name.startswith("missing") for name in NAMES],
        ),
    ):
        concerned = [
            each
            for row, kind in enumerate(errors.kind.tolist())
            if wanted[kind]
            for each in sets.member[sets.start[row] : sets.start[row + 1]].tolist()
        ]
        unmatched = [place for place, other in enumerate(side.partner) if other < 0]
        assert sorted(concerned) == unmatched


@pytest.mark.parametrize("name", ["", "corefud-", "ua-"])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_repairs_of_the_examples_make_the_key(name: str, average: str) -> None:
    found = example(name, average=average)
    assert found.gains.cumulative[-1] == pytest.approx(1)
    assert found.gains.count.sum() == len(found.errors.kind) > 0


def test_gains_are_differences_of_real_scores() -> None:
    found = example("")
    assert found.gains.before == found.result.scores[conll.NAME].f1
    assert counts(found) == {
        "span": 1,
        "conflated-entity": 1,
        "missing-mention": 1,
        "missing-entity": 1,
    }


def test_heads_keep_what_overlaps_by_accident_apart() -> None:
    head = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = s1\n"

    def text(*cells: str) -> str:
        rows = [
            f"{number}\tw\t_\tNOUN\t_\t_\t0\troot\t_\t{cell}"
            for number, cell in enumerate(cells, 1)
        ]
        return head + "\n".join(rows) + "\n\n"

    key = text("Entity=(e1--1-)", "_", "Entity=(e1--1-)")
    response = text("Entity=(e1--2-", "Entity=e1)", "Entity=(e1--1-)")
    assert counts(analysed(key, response, "corefud", match="exact")) == {
        "extra-mention": 1,
        "missing-mention": 1,
    }
    response = text("Entity=(e1--1-", "Entity=e1)", "Entity=(e1--1-)")
    assert counts(analysed(key, response, "corefud", match="exact")) == {"span": 1}
    assert counts(analysed(key, response, "corefud")) == {}


def test_the_same_words_with_another_head_are_a_span_error_of_no_words() -> None:
    found = example("corefud-")
    row = found.errors.kind.tolist().index(0)
    errors = found.errors
    assert (errors.left[row], errors.right[row], errors.inside[row]) == (0, 0, 0)


def test_rows_are_those_of_the_corpus_although_mentions_were_left_out() -> None:
    key = [[(0, 3), (1, 1), (5, 5)], [(2, 2), (6, 6)]]
    response = [[(5, 5), (0, 3), (1, 1)], [(6, 6), (2, 2)], [(7, 7), (7, 8), (9, 9)]]
    found = spans(key, response, nested="drop")
    for corpus, side in zip(found.corpora, (found.key, found.response), strict=True):
        starts = corpus.mention_start[side.row].tolist()
        assert 1 not in starts
        assert corpus.mention_entity[side.row].tolist() == side.entity.tolist()
    assert counts(found) == {"extra-entity": 1}


def test_singletons_are_left_out_where_they_are_not_scored() -> None:
    key, response = single("ab", "c"), single("ab", "d", "e")
    assert counts(spans(key, response)) == {"missing-entity": 1, "extra-entity": 2}
    assert counts(spans(key, response, singletons="drop")) == {}


def test_plurals_are_left_aside_and_that_is_noted() -> None:
    found = example("ua-")
    (note,) = [each for each in found.notes if each.kind == "other-score"]
    assert "plurals are left aside" in note.message
    assert not example("ua-", split_antecedents="drop").notes


def test_plurals_alone_are_refused() -> None:
    with pytest.raises(OptionError, match="plurals alone"):
        example("ua-", evaluate="split-antecedents")


def test_repeated_mentions_are_noted() -> None:
    found = spans(single("ab", "ca"), single("ab", "c"), duplicates="reference")
    assert [note.kind for note in found.notes] == ["repeated-in-key", "other-score"]
    assert (
        "1 listing of repeated mentions of the key left aside" in found.notes[0].message
    )
    assert counts(found) == {}


def test_every_kind_is_explained() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) == 8
    assert all(kind.label and kind.meaning for kind in KINDS)
