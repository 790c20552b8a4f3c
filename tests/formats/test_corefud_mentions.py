"""The mentions of CorefUD: pairs of brackets, pieces, heads and their order."""

from __future__ import annotations

import pytest

from scoref.formats.corefud_mentions import (
    Bracket,
    BracketError,
    BracketWalk,
    EntityLabels,
)
from support.corefud import annotated, corefud, lines_of, mentions_in, read


def _walk(*brackets: Bracket) -> BracketWalk:
    """Read brackets of one entity in a sentence of ten nodes."""
    walk = BracketWalk(lambda _: 9)
    for bracket in brackets:
        walk.take(bracket)
    return walk


def _open(node: int, part: tuple[int, int] | None = None, head: int = -1) -> Bracket:
    return Bracket(is_opening=True, is_closing=False, node=node, part=part, head=head)


def _close(node: int, part: tuple[int, int] | None = None) -> Bracket:
    return Bracket(is_opening=False, is_closing=True, node=node, part=part, head=-1)


def test_labels_are_names_and_pieces() -> None:
    labels = EntityLabels.of([b"b", b"a[1/2]", b"b[2/2]", b"x]"])
    assert labels.text == [b"b", b"a", b"x]"]
    assert labels.base.tolist() == [0, 1, 0, 2]
    assert labels.part == [None, (1, 2), (2, 2), None]
    assert labels.rank.tolist() == [1, 0, 2]
    assert labels.texts_of(labels.base[:2]) == ("b", "a")


def test_a_walk_collects_the_pieces_of_a_mention() -> None:
    walk = _walk(
        _open(1, (1, 2), head=1), _close(2, (1, 2)), _open(4, (2, 2), 3), _close(5)
    )
    [mention] = walk.finish()
    assert mention.pieces == [[1, 2], [4, 5]]
    assert mention.head == 4


def test_two_brackets_at_one_word_reach_the_end_of_the_sentence() -> None:
    [mention] = _walk(_open(3), _close(3)).finish()
    assert (mention.pieces, mention.head) == ([[3, 9]], 3)


def test_an_open_mention_is_an_error_and_is_left_out() -> None:
    walk = _walk(_open(2), _open(3), _close(4))
    assert [(error.kind, error.node) for error in walk.unclosed_errors()] == [
        ("unclosed", 2)
    ]
    assert [mention.pieces for mention in walk.finish()] == [[[3, 4]]]


@pytest.mark.parametrize(
    ("brackets", "kind"),
    [
        ([_close(1)], "unopened"),
        ([_open(1, (2, 2))], "piece"),
        ([_open(1), _close(10)], "sentence"),
        ([_open(1, head=3), _close(2)], "head"),
    ],
)
def test_a_walk_reports_the_kind_of_a_fault(brackets: list[Bracket], kind: str) -> None:
    with pytest.raises(BracketError) as caught:
        _walk(*brackets)
    assert (caught.value.kind, caught.value.node) == (kind, brackets[-1].node)


def test_an_entity_of_two_documents_is_one_in_each() -> None:
    text = corefud("@a w w", "@b w w", e2="1 2:2", e1="2:1 2")
    corpus = read(text)
    labels = zip(corpus.entity_label, corpus.entity_document.tolist(), strict=True)
    assert list(labels) == [("e2", 0), ("e2", 1), ("e1", 0), ("e1", 1)]


def test_ids_in_a_group_field_are_those_of_a_document() -> None:
    # So e1, the first entity of document b, comes before its e2.
    annotation = annotated("@a w w", "@b w w", e2="1 2:2", e1="2:1 2")
    corpus = read(annotation.text("GRP-etype-head-other"))
    labels = zip(corpus.entity_label, corpus.entity_document.tolist(), strict=True)
    assert list(labels) == [("e2", 0), ("e1", 0), ("e1", 1), ("e2", 1)]


def test_mentions_are_sorted_by_first_word_length_and_last_word() -> None:
    text = corefud("w w w w w", e1="3 1 1-3*2 1,3 1,4", e2="2-4 1-5")
    assert mentions_in(read(text)) == {
        "e2": ["1:1,2,3,4,5*1", "1:2,3,4*1"],
        "e1": ["1:1,2,3*2", "1:1,3*1", "1:1,4*1", "1:1*1", "1:3*1"],
    }


def test_entities_nest_and_cross() -> None:
    entities = {"e1": "1-3*2", "e2": "2-4*3", "e3": "3 1-4"}
    assert mentions_in(read(corefud("w w w w", **entities))) == {
        "e3": ["1:1,2,3,4*1", "1:3*1"],
        "e1": ["1:1,2,3*2"],
        "e2": ["1:2,3,4*3"],
    }


def test_a_closing_bracket_closes_what_was_opened_last() -> None:
    cells = "Entity=(e1-x-3-", "Entity=(e1-x-2-", "Entity=e1)(e1-x-1-", "Entity=e1)e1)"
    assert mentions_in(read(lines_of(*cells))) == {
        "e1": ["1:1,2,3,4*3", "1:2,3*2", "1:3,4*1"]
    }


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(e1[1/2]-x-3-", "e1[1/2])", "_", "(e1[2/2]-x-3-)"], "1:1,2,4*3"),
        (["(e1[1/2]-x-1-)", "_", "(e1[2/2]-x-3-", "e1[2/2])"], "1:1,3,4*3"),
        (["(e1[1/2]-x-1-)", "_", "(e1[2/2]-x-0-)"], "1:1,3*2"),
        (["(e1[1/2]-x-2-", "e1)", "_", "(e1[2/2]-x-1-)"], "1:1,2,4*1"),
        (["(e1[1/3]-x-1-)", "_", "(e1[3/3]-x-2-)"], "1:1,3*2"),
        (["(e1[1/2]-x-2-", "e1[1/2])", "_"], "1:1,2*1"),
        (["(e1[1/3]-x-)", "_", "(e1[2/3]-x-)", "_", "(e1[3/3]-x-2-)"], "1:1,3,5*2"),
        (["(e1[1/2])", "_", "(e1[2/2])"], "1:1,3*1"),
        (["(e1[1/1]-x-2-", "e1[1/1])"], "1:1,2*2"),
    ],
    ids=[
        "one word behind",
        "the last piece has the head",
        "0 in a last piece of one word is that word",
        "a bare name closes a piece",
        "a piece in the middle is missing",
        "the last piece never comes",
        "three pieces",
        "no head",
        "one piece of one",
    ],
)
def test_mentions_come_in_pieces(cells: list[str], expected: str) -> None:
    miscs = [cell if cell == "_" else f"Entity={cell}" for cell in cells]
    assert mentions_in(read(lines_of(*miscs))) == {"e1": [expected]}


def test_pieces_of_two_mentions_alternate() -> None:
    # The official scorer refuses them.
    cells = "(e1[1/2]-x-2-)", "(e1[1/2]-x-1-)", "(e1[2/2]-x-2-)", "(e1[2/2]-x-1-)"
    text = lines_of(*(f"Entity={cell}" for cell in cells))
    assert mentions_in(read(text)) == {"e1": ["1:1,3*2", "1:2,4*1"]}


def test_a_piece_may_lie_inside_another_mention_of_its_entity() -> None:
    text = corefud("w w w w w", e1="1-5*3 2,4*2 3")
    assert mentions_in(read(text)) == {"e1": ["1:1,2,3,4,5*3", "1:2,4*2", "1:3*1"]}


def test_an_empty_node_in_a_gap_is_not_a_word_of_the_mention() -> None:
    text = corefud("w 1.1/2:obj w w", e1="1,2*2 1-2*2")
    assert mentions_in(read(text)) == {"e1": ["1:1,1.1,2*2", "1:1,2*2"]}


def test_an_empty_node_may_come_before_the_first_word() -> None:
    text = corefud("0.1/1:nsubj 0.2/1:obj w w", e1="0.1 0.2-2*3")
    assert mentions_in(read(text)) == {"e1": ["1:0.1*1", "1:0.2,1,2*3"]}


def test_one_word_never_has_its_head_elsewhere() -> None:
    assert mentions_in(read(lines_of("Entity=(e1-x-4-)"))) == {"e1": ["1:1*1"]}
