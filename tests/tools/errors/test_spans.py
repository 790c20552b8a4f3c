"""A span error is one that a person would call so: by heads, or by a floor."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.errors import FormatError, OptionError
from scoref.tools.errors.spans import SpanRule
from support import treebank
from support.error_analyses import counts, spans

if TYPE_CHECKING:
    from pathlib import Path


AGREEMENT = (
    "(S (NP (NP (DT a) (CD 1977) (NN agreement)) (PP (IN with) (NP (NNP "
    "Czechoslovakia)))) (VP (VBD ended)))"
)

WHOLE, INNER, HEAD_ONLY = "(1 - - - 1) -", "- - - - (1) -", "- - (1) - - -"


def files(folder: Path, key: str, response: str, tree: str = AGREEMENT) -> list[Path]:
    found = []
    for name, cells in (("key", key), ("response", response)):
        found.append(folder / f"{name}.conll")
        found[-1].write_text(treebank.document(tree, cells=cells))
    return found


def test_what_only_overlaps_is_no_span_error_where_the_key_has_parses(
    tmp_path: Path,
) -> None:
    analysis = scoref.find_errors(*files(tmp_path, WHOLE, INNER))
    assert counts(analysis) == {"extra-entity": 1, "missing-entity": 1}
    assert str(analysis.span_rule) == "head"


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
    found = scoref.find_errors(*paths, span_errors=rule)
    assert ("span" in counts(found)) == is_pair
    assert str(found.span_rule) == {None: "share:0.5", "share": "share:0.5"}.get(
        rule, rule
    )


def test_less_than_half_is_two_mentions() -> None:
    assert "span" not in counts(spans([[(0, 6)]], [[(0, 1)]]))


def test_a_key_without_parses_has_no_heads(tmp_path: Path) -> None:
    text = "#begin document (d); part 000\nd 0 0 a (1\nd 0 1 b 1)\n#end document\n"
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(text)
    response.write_text(text.replace("(1", "-").replace("1)", "(1)"))
    assert str(scoref.find_errors(key, response).span_rule) == "share:0.5"
    with pytest.raises(FormatError, match=r"no parse in column 6|too short"):
        scoref.find_errors(key, response, span_errors="head")


def test_heads_that_nobody_has_are_refused() -> None:
    with pytest.raises(OptionError, match="--span-errors head needs mentions with"):
        scoref.find_errors([["a"]], [["a"]], span_errors="head")


@pytest.mark.parametrize(
    "text", ["", "heads", "share:", "share:0", "share:1.1", "share:nan", "head:1"]
)
def test_rules_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="no rule for span errors"):
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
    found = scoref.find_errors(key, response, match="exact", singletons="keep")
    assert str(found.span_rule) == "head"
    assert ("span" in counts(found)) == is_pair


def test_without_heads_and_trees_words_must_be_common(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(tree_of({1: "(e1-x-", 4: "e1)"}, has_trees=False))
    response.write_text(tree_of({1: "(e1-x-", 2: "e1)"}, has_trees=False))
    found = scoref.find_errors(key, response, match="exact", singletons="keep")
    assert str(found.span_rule) == "share:0.5"
    assert counts(found) == {"span": 1}
