"""Heads from the dependency trees of CoNLL-U, and the parses of CoNLL-2012."""

from __future__ import annotations

import numpy as np
import pytest

from scoref.formats.reading import read_data
from scoref.formats.trees import DependencyTrees
from scoref.model import packed_text
from support import treebank

DOG = "(TOP (S (NP (DT the) (NN dog)) (VP (VBD barked))))"

CAT = "(TOP (NP (NNP Tom)))"


def _trees(*rows: str, header: str = "") -> DependencyTrees:
    """Read a sentence of rows such as '2 1 1:a|3:b': ID, HEAD and DEPS."""
    lines = []
    for row in rows:
        number, head, deps = row.split()
        lines.append(f"{number}\tw\t_\tNOUN\t_\t_\t{head}\tx\t{deps}\t_\n")
    return DependencyTrees.of((header + "".join(lines)).encode(), "x")


def _code(number: int, empty: int = 0) -> int:
    return number << 12 | empty


def test_the_head_is_the_word_whose_parent_is_outside() -> None:
    trees = _trees("1 2 _", "2 3 _", "3 0 _")
    assert trees.head([_code(1), _code(2)]) == _code(2)
    assert trees.head([_code(1), _code(2), _code(3)]) == _code(3)


def test_of_several_heads_one_without_a_parent_in_the_enhanced_graph_counts() -> None:
    trees = _trees("1 3 2:a|3:b", "2 3 _", "3 0 _")
    assert trees.head([_code(1), _code(2)]) == _code(2)


def test_of_several_heads_one_above_the_others_counts() -> None:
    trees = _trees("1 3 _", "2 0 _", "3 2 _")
    assert trees.head([_code(1), _code(2)]) == _code(2)


def test_of_several_heads_the_first_counts_if_none_is_above_the_others() -> None:
    trees = _trees("1 3 _", "2 3 _", "3 0 _")
    assert trees.head([_code(1), _code(2)]) == _code(1)
    assert _trees("1 2 _", "2 0 _", "3 4 _", "4 2 _").head(
        [_code(2), _code(3)]
    ) == _code(2)


def test_without_heads_in_the_header_the_first_word_is_the_head() -> None:
    trees = _trees("1 2 _", "2 0 _", header="# global.Entity = eid-etype\n")
    assert not trees.has_heads
    assert trees.head([_code(1), _code(2)]) == _code(1)


def test_empty_nodes_have_their_first_parent_and_surfaces_their_words() -> None:
    trees = _trees("1-2 _ _", "1 0 _", "1.1 _ 2:obj|1:x", "2 1 _")
    assert trees.parent_of_empty(_code(1, 1)) == _code(2)
    assert trees.parent_of_empty(_code(2, 1)) == 0
    assert trees.surfaces == [(_code(1), _code(2), "w")]
    assert trees.upos_of(np.array([_code(2)])).tolist() == [packed_text("NOUN")]


def _pieces(text: str, reading: str = "strict") -> list[list[str]]:
    """List the pieces of each document."""
    corpus = treebank.key(text, reading)  # type: ignore[arg-type]
    assert corpus.parses is not None
    assert corpus.document_tokens is not None
    ends = np.cumsum(corpus.document_tokens)
    assert corpus.parses.first.tolist() == (ends - corpus.document_tokens).tolist()
    pieces = np.array(
        [piece.decode() for piece in corpus.parses.piece.texts()], dtype=object
    )
    return [part.tolist() for part in np.split(pieces, ends[:-1])]


def test_each_token_has_its_word_its_tag_and_its_piece() -> None:
    parses = treebank.key(treebank.document(DOG)).parses
    assert parses is not None
    assert parses.word.texts() == (b"the", b"dog", b"barked")
    assert parses.tag.texts() == (b"DT", b"NN", b"VBD")
    assert parses.piece.texts() == (b"(TOP(S(NP*", b"*)", b"(VP*)))")
    assert parses.line.tolist() == [2, 3, 4]


def test_sentences_are_separated_by_blank_lines_and_by_documents() -> None:
    text = treebank.document(DOG, CAT) + treebank.document(CAT, name="(e); part 000")
    parses = treebank.key(text).parses
    assert parses is not None
    assert parses.sentence.tolist() == [0, 0, 0, 1, 2]
    assert parses.first.tolist() == [0, 4]


def test_a_comment_does_not_separate_sentences() -> None:
    text = treebank.document(DOG).replace("d 0 1", "# checked\nd 0 1")
    parses = treebank.key(text).parses
    assert parses is not None
    assert parses.sentence.tolist() == [0, 0, 0]
    assert parses.line.tolist() == [2, 4, 5]


@pytest.mark.parametrize("separator", ["\t", "   ", " \t "])
@pytest.mark.parametrize("reading", ["strict", "lenient", "reference"])
def test_columns_are_separated_by_tabs_or_blanks(separator: str, reading: str) -> None:
    lines = treebank.document(DOG).split("\n")
    rows = [line.replace(" ", separator) for line in lines[1:-3]]
    text = "\n".join([lines[0], *rows, *lines[-3:]])
    assert _pieces(text, reading) == [["(TOP(S(NP*", "*)", "(VP*)))"]]


def test_a_word_may_have_a_blank_if_tabs_separate_columns() -> None:
    row = "d\t0\t0\tNew York\tNNP\t(NP*)\t-\t(1)"
    parses = treebank.key(f"#begin document d\n{row}\n#end document\n").parses
    assert parses is not None
    assert parses.word.texts() == (b"New York",)


def test_the_last_column_is_never_the_parse() -> None:
    row = "d 0 0 Tom NNP (1)"
    assert _pieces(f"#begin document d\n{row}\n#end document\n") == [[""]]


def test_a_file_without_begin_lines_is_one_document() -> None:
    text = treebank.document(DOG).split("\n", 1)[1].replace("#end document\n", "")
    assert _pieces(text) == [["(TOP(S(NP*", "*)", "(VP*)))"]]


def test_a_byte_order_mark_changes_nothing() -> None:
    assert _pieces("\ufeff" + treebank.document(CAT)) == [["(TOP(NP*))"]]


def test_windows_line_breaks_are_not_part_of_a_piece() -> None:
    assert _pieces(treebank.document(CAT).replace("\n", "\r\n")) == [["(TOP(NP*))"]]


def test_lenient_reading_leaves_out_what_it_leaves_out_of_the_tokens() -> None:
    again = (
        treebank.document(DOG) + "d 0 0 stray NN (NP*) - -\n" + treebank.document(CAT)
    )
    assert _pieces(again, "lenient") == [["(TOP(S(NP*", "*)", "(VP*)))"]]


def test_in_the_reference_reading_the_last_document_of_a_name_counts() -> None:
    twice = treebank.document(DOG) + treebank.document(CAT)
    assert _pieces(twice, "reference") == [["(TOP(NP*))"]]


def test_in_the_reference_reading_a_comment_is_a_token() -> None:
    text = treebank.document(DOG).replace("d 0 1", "# checked\nd 0 1")
    assert _pieces(text, "reference") == [["(TOP(S(NP*", "", "*)", "(VP*)))"]]


def test_in_the_reference_reading_a_document_without_end_goes_on() -> None:
    open_end = treebank.document(CAT).replace("#end document\n", "")
    text = open_end + treebank.document(DOG, name="(e); part 000")
    first, second = _pieces(text, "reference")
    assert first == ["(TOP(NP*))", "", *second]


def test_a_document_without_tokens_has_no_pieces() -> None:
    text = "#begin document d\n#end document\n" + treebank.document(CAT)
    assert _pieces(text) == [[], ["(TOP(NP*))"]]


def test_a_row_may_be_long_enough_for_a_word_and_too_short_for_a_parse() -> None:
    rows = "d 0 0 Tom (1)\nd 0 Tom (1)\n"
    parses = treebank.response(f"#begin document d\n{rows}#end document\n").parses
    assert parses is not None
    assert (parses.word.texts(), parses.piece.texts()) == ((b"Tom", b""), (b"", b""))


def test_parses_are_read_only_if_they_are_asked_for() -> None:
    text = treebank.document(DOG)
    assert treebank.response(text).parses is not None
    assert read_data(text.encode(), source="x", role="key").parses is None


@pytest.mark.parametrize("parent", ["0", "x", "2.x", "-1", "_"])
def test_an_empty_node_may_have_no_parent_in_its_sentence(parent: str) -> None:
    trees = _trees("1 0 _", f"1.1 _ {parent}:obj", "2 1 _")
    assert trees.parent_of_empty(_code(1, 1)) == 0
