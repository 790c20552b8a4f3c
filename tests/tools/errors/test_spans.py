"""Span errors by heads, by a share of common words, or by an overlap."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.errors import FormatError, OptionError
from scoref.tools.errors.spans import SpanRule
from support import treebank
from support.error_analyses import (
    analysis_of_clusters,
    analysis_of_texts,
    counts,
    error_entities,
    example,
    spans,
)

if TYPE_CHECKING:
    from pathlib import Path


AGREEMENT = (
    "(S (NP (NP (DT a) (CD 1977) (NN agreement)) (PP (IN with) (NP (NNP "
    "Czechoslovakia)))) (VP (VBD ended)))"
)

WHOLE, INNER, HEAD_ONLY = "(1 - - - 1) -", "- - - - (1) -", "- - (1) - - -"


def files(folder: Path, key: str, response: str, tree: str = AGREEMENT) -> list[Path]:
    paths = []
    for name, cells in (("key", key), ("response", response)):
        paths.append(folder / f"{name}.conll")
        paths[-1].write_text(treebank.document(tree, cells=cells))
    return paths


def test_an_overlap_is_not_a_span_error_if_the_key_has_parses(
    tmp_path: Path,
) -> None:
    analysis = scoref.find_errors(*files(tmp_path, WHOLE, INNER))
    assert counts(analysis) == {"extra-entity": 1, "missing-entity": 1}
    assert str(analysis._span_rule) == "head"


def test_the_head_alone_is_the_mention_with_other_words(tmp_path: Path) -> None:
    paths = files(tmp_path, WHOLE, HEAD_ONLY)
    assert counts(scoref.find_errors(*paths)) == {"span": 1}
    by_share = scoref.find_errors(*paths, span_errors="share")
    assert counts(by_share) == {"extra-entity": 1, "missing-entity": 1}


def test_a_possessor_is_not_what_it_possesses(tmp_path: Path) -> None:
    tree = "(NP (PRP$ his) (NN engine))"
    paths = files(tmp_path, "(1 1)", "(1) -", tree)
    assert "span" not in counts(scoref.find_errors(*paths))
    paths = files(tmp_path, "(1 1)", "- (1)", tree)
    assert counts(scoref.find_errors(*paths)) == {"span": 1}


def test_without_a_noun_the_last_word_is_the_head(tmp_path: Path) -> None:
    tree = "(NP (QP (RB about) (CD 1977)))"
    paths = files(tmp_path, "(1 1)", "- (1)", tree)
    assert counts(scoref.find_errors(*paths)) == {"span": 1}


def test_any_overlap_is_enough_if_that_is_asked_for(tmp_path: Path) -> None:
    paths = files(tmp_path, WHOLE, INNER)
    analysis = scoref.find_errors(*paths, span_errors="overlap")
    assert counts(analysis) == {"span": 1}


@pytest.mark.parametrize(
    ("rule", "is_pair"),
    [(None, True), ("share", True), ("share:0.51", False), ("overlap", True)],
)
def test_without_heads_half_of_the_words_must_be_common(
    rule: str | None, is_pair: bool, tmp_path: Path
) -> None:
    paths = []
    for name, span in (("key", [0, 5]), ("response", [0, 1])):
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text(json.dumps({"doc_key": "d", "clusters": [[span]]}))
    analysis = scoref.find_errors(*paths, span_errors=rule)
    assert ("span" in counts(analysis)) == is_pair
    assert str(analysis._span_rule) == {None: "share:0.5", "share": "share:0.5"}.get(
        rule, rule
    )


def test_less_than_half_is_two_mentions() -> None:
    assert "span" not in counts(spans([[(0, 6)]], [[(0, 1)]]))


def test_a_key_without_parses_has_no_heads(tmp_path: Path) -> None:
    text = "#begin document (d); part 000\nd 0 0 a (1\nd 0 1 b 1)\n#end document\n"
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(text)
    response.write_text(text.replace("(1", "-").replace("1)", "(1)"))
    assert str(scoref.find_errors(key, response)._span_rule) == "share:0.5"
    with pytest.raises(FormatError, match=r"no parse in column 6|too short"):
        scoref.find_errors(key, response, span_errors="head")


def test_heads_that_the_files_do_not_have_are_refused() -> None:
    with pytest.raises(OptionError, match="--span-errors head needs heads"):
        scoref.find_errors([["a"]], [["a"]], span_errors="head")


@pytest.mark.parametrize(
    "text", ["", "heads", "share:", "share:0", "share:1.1", "share:nan", "head:1"]
)
def test_unknown_rules_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="unknown rule for span errors"):
        SpanRule.of(text)


ROWS = (
    ("a", "DET", 2, "det"),
    ("treaty", "NOUN", 0, "root"),
    ("with", "ADP", 4, "case"),
    ("Norway", "PROPN", 2, "nmod"),
)


def tree_of(entities: dict[int, str], *, has_trees: bool = True) -> str:
    """Write a sentence of CorefUD that names no heads."""
    lines = [
        "# global.Entity = eid-etype-other",
        *("# newdoc id = d", "# sent_id = 1", "# text = a treaty with Norway"),
    ]
    for number, (form, upos, parent, relation) in enumerate(ROWS, 1):
        tree = f"{parent}\t{relation}" if has_trees else "_\t_"
        last = f"Entity={entities[number]}" if number in entities else "_"
        lines.append(f"{number}\t{form}\t_\t{upos}\t_\t_\t{tree}\t_\t{last}")
    return "\n".join((*lines, "", ""))


@pytest.mark.parametrize(
    ("entities", "is_pair"), [({4: "(e1-x-)"}, False), ({2: "(e1-x-)"}, True)]
)
def test_trees_tell_heads_that_a_file_does_not_name(
    entities: dict[int, str], is_pair: bool, tmp_path: Path
) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(tree_of({1: "(e1-x-", 4: "e1)"}))
    response.write_text(tree_of(entities))
    analysis = scoref.find_errors(key, response, match="exact", singletons="keep")
    assert str(analysis._span_rule) == "head"
    assert ("span" in counts(analysis)) == is_pair


def test_without_heads_and_trees_words_must_be_common(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(tree_of({1: "(e1-x-", 4: "e1)"}, has_trees=False))
    response.write_text(tree_of({1: "(e1-x-", 2: "e1)"}, has_trees=False))
    analysis = scoref.find_errors(key, response, match="exact", singletons="keep")
    assert str(analysis._span_rule) == "share:0.5"
    assert counts(analysis) == {"span": 1}


def test_a_span_error_says_by_how_much() -> None:
    analysis = spans([[(2, 5), (8, 8)]], [[(1, 7), (8, 8)]])
    assert counts(analysis) == {"span": 1}
    errors = analysis.errors
    assert (errors.left[0], errors.right[0], errors.inside[0]) == (1, 2, 0)
    assert analysis.key.overlapping.tolist() == [0, -1]
    assert analysis.key.partner.tolist() == [-1, 1]
    assert analysis.key.counterpart.tolist() == [0, 1]
    analysis = spans([[(1, 7), (8, 8)]], [[(2, 8), (8, 8)]])
    assert (analysis.errors.left[0], analysis.errors.right[0]) == (-1, 1)


def test_spans_are_paired_by_how_much_of_both_they_share() -> None:
    # Six tokens of the long one are common, but five of the short one are nearly all.
    analysis = spans([[(0, 9)], [(5, 9)]], [[(4, 9)]])
    assert counts(analysis) == {"span": 1, "missing-entity": 1}
    assert error_entities(analysis, 1) == (1, 0)


def test_spans_of_other_documents_are_not_paired() -> None:
    analysis = analysis_of_clusters(
        {"a": [[(0, 2)]], "b": []}, {"a": [], "b": [[(0, 1)]]}
    )
    assert counts(analysis) == {"missing-entity": 1, "extra-entity": 1}
    assert analysis.errors.document.tolist() == [0, 1]
    assert analysis.count_by_document().sum(axis=1).tolist() == [1, 1]


def test_huge_offsets_are_paired() -> None:
    far = 2**52
    analysis = spans([[(0, far), (far, far)]], [[(1, far), (far, far)]])
    assert counts(analysis) == {"span": 1}
    assert analysis.errors.left.tolist() == [-1]


def test_a_span_error_can_be_a_wrong_link_as_well() -> None:
    key = [[(0, 0), (1, 1), (4, 6)], [(2, 2), (3, 3)]]
    response = [[(0, 0), (1, 1)], [(2, 2), (3, 3), (4, 5)]]
    assert counts(spans(key, response)) == {"span": 1, "wrong-link": 1}


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
    assert counts(analysis_of_texts(key, response, "corefud", match="exact")) == {
        "extra-mention": 1,
        "missing-mention": 1,
    }
    response = text("Entity=(e1--1-", "Entity=e1)", "Entity=(e1--1-)")
    assert counts(analysis_of_texts(key, response, "corefud", match="exact")) == {
        "span": 1
    }
    assert counts(analysis_of_texts(key, response, "corefud")) == {}


def test_the_same_words_with_another_head_are_a_span_error_of_no_words() -> None:
    analysis = example("corefud-")
    row = analysis.errors.kind.tolist().index(0)
    errors = analysis.errors
    assert (errors.left[row], errors.right[row], errors.inside[row]) == (0, 0, 0)
