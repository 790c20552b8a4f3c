"""Each loss is named and counted, has a place, and is refused unless allowed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError
from scoref.formats.reading import read_data
from scoref.tools.convert.conversion import convert
from scoref.tools.convert.losses import LossError
from scoref.tools.convert.targets import target_of
from support.corefud import corefud
from support.paths import EXAMPLES
from support.universal_anaphora import universal

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "written as the part with the head, or as the longest part"


def lost(data: str | bytes, to: str) -> dict[str, int]:
    """Count losses by kind, and check that they are refused unless expected."""
    source = data.encode() if isinstance(data, str) else data
    converted = convert(source, to, lossy=True)
    if {loss.kind for loss in converted.losses} - {*target_of(to).never_holds}:
        with pytest.raises(LossError) as error:
            convert(source, to)
        assert error.value.losses == converted.losses
    else:
        assert convert(source, to).files == converted.files
    return {loss.kind: loss.count for loss in converted.losses}


def clusters(data: str, *, lossy: bool = True) -> list[list[list[list[int]]]]:
    """Return the clusters of JSON lines, by document."""
    made = convert(data.encode(), "json-lines", lossy=lossy).data
    return [json.loads(line)["clusters"] for line in made.splitlines()]


def jsonl(*tokens: str, name: str = "d", entities: list[list[list[int]]]) -> str:
    return json.dumps({"doc_key": name, "tokens": tokens, "clusters": entities})


def test_each_loss_of_the_corefud_example_is_listed_with_its_place() -> None:
    path = EXAMPLES / "corefud-key.conllu"
    with pytest.raises(LossError) as error:
        convert(path, "json-lines")
    assert str(error.value) == (
        f"{path}: JSON lines cannot represent everything in this file\n"
        f"    mentions that are empty nodes: 4 left out (first: {path}:17)\n"
        f"    empty nodes: 4 left out (first: {path}:17)\n"
        f"    discontinuous mentions: 1 {HEAD} (first: {path}:49)\n"
        f"    heads that are not the first word: 5 left out (first: {path}:9)\n"
        f"    entities with a type: 9 written without it (first: {path}:5)\n"
        "  hint: Add --lossy to write the rest."
    )


def test_each_loss_of_the_universal_anaphora_example_is_counted() -> None:
    data = (EXAMPLES / "ua-key.ua").read_bytes()
    assert lost(data, "conll-2012") == {
        "deixis": 2,
        "non-referring": 1,
        "bridges": 1,
        "minimums": 4,
        "split-antecedents": 2,
    }
    assert lost(data, "corefud") == {"deixis": 2, "non-referring": 1, "bridges": 1}


@pytest.mark.parametrize("to", ["corefud", "universal-anaphora", "json-lines", "brat"])
def test_conll_2012_loses_nothing_anywhere(to: str) -> None:
    assert lost((EXAMPLES / "many-key.conll").read_bytes(), to) == {}


def test_a_table_has_neither_words_nor_sentences_nor_documents_without_mentions() -> (
    None
):
    line = jsonl("a", "b", "c", entities=[[[0, 1]]])
    other = jsonl("x", "y", name="e", entities=[])
    assert lost(f"{line}\n{other}", "csv") == {"documents": 1, "words": 3}
    sentences = '{"doc_key": "d", "sentences": [["a"], ["b"]], "clusters": [[[0, 0]]]}'
    assert lost(sentences, "tsv") == {"sentences": 1, "words": 2}


def test_of_a_gap_the_piece_with_the_head_stays() -> None:
    text = corefud("w w w w w w", e1="1-2,4-6*1 1-2,4-6*4", e2="1")
    assert clusters(text) == [[[[0, 1], [3, 5]], [[0, 0]]]]


def test_without_a_head_the_longest_piece_stays_and_of_equal_ones_the_first() -> None:
    text = universal("a b c d e f", e1="1,3-4", e2="1-2,5-6")
    assert clusters(text) == [[[[0, 1]], [[2, 3]]]]


def test_a_gap_of_an_empty_node_only_is_no_gap_where_there_are_none() -> None:
    text = corefud("w w 1.1/_", e1="1,2")
    assert lost(text, "json-lines") == {"empty-nodes": 1, "types": 1}
    assert clusters(text) == [[[[0, 1]]]]


def test_zeros_are_left_out_and_their_entities_if_nothing_is_left() -> None:
    text = corefud("w 1.1/_ w 2.1/_", e1="1 1.1", e2="2.1", e3="1-2*2")
    assert lost(text, "conll-2012") == {
        "zeros": 2,
        "empty-nodes-in-mentions": 1,
        "empty-nodes": 2,
        "types": 2,
    }
    assert clusters(text) == [[[[0, 1]], [[0, 0]]]]


def test_universal_anaphora_has_zeros_but_not_among_words() -> None:
    text = corefud("w 1.1/_ w 2.1/_ 2.2/_", e1="1.1 1-2*3", e2="2.1-2.2")
    assert lost(text, "universal-anaphora") == {
        "empty-nodes-in-mentions": 2,
        "types": 2,
    }
    made = convert(text.encode(), "universal-anaphora", lossy=True).data
    corpus = read_data(made, source="x", role="key")
    assert corpus.words is not None
    assert corpus.words.length.tolist() == [2, 1, 1]
    assert corpus.words.is_zero.tolist() == [False, True, True]


def test_mentions_beyond_a_sentence_are_cut_for_corefud() -> None:
    line = '{"doc_key": "d", "sentences": [["a", "b"], ["c"]], "clusters": [[[0, 2]]]}'
    assert lost(line, "corefud") == {"across-sentences": 1}
    assert lost(line, "universal-anaphora") == {}
    made = convert(line.encode(), "corefud", lossy=True).data.decode()
    assert clusters(made, lossy=False) == [[[[0, 1]]]]


def test_crossing_mentions_of_one_entity_are_left_out_for_conll_2012() -> None:
    line = jsonl(*"abcdef", entities=[[[0, 2], [2, 4], [1, 1], [3, 5]], [[1, 3]]])
    assert lost(line, "conll-2012") == {"crossing": 1}
    made = convert(line.encode(), "conll-2012", lossy=True).data
    again = json.loads(convert(made, "json-lines").data)
    assert [sorted(entity) for entity in again["clusters"]] == [
        [[0, 2], [1, 1], [3, 5]],
        [[1, 3]],
    ]
    assert lost(line, "corefud") == {}


def test_pieces_that_brackets_would_mix_up_are_closed() -> None:
    text = universal("a b c d e", e1="1,4 1,3,5 2")
    assert lost(text, "corefud") == {"tangled": 2}
    made = convert(text.encode(), "corefud", lossy=True).data
    corpus = read_data(made, source="x", role="key")
    assert corpus.words is not None
    assert corpus.words.length.tolist() == [1, 1, 1]


def test_a_minimum_of_one_word_is_a_head_in_corefud_and_back() -> None:
    text = universal("a b c d", e1="1-3*2 1-4*2-3 4 2-3")
    assert lost(text, "corefud") == {"minimums": 1}
    made = convert(text.encode(), "corefud", lossy=True).data
    assert b"Entity=(e1--2-(e1--2-" in made
    back = convert(made, "universal-anaphora").data
    corpus = read_data(back, source="x", role="key")
    assert corpus.words is not None
    assert corpus.words.minimum is not None
    words = corpus.words.minimum.member >> 12
    assert (words & 0xFFFFF).tolist() == [2, 2, 2]


def test_types_stay_in_corefud_and_brat() -> None:
    text = corefud("w w", e1="1", e2="2").replace("-x-", "-person-")
    made = convert(text.encode(), "brat")
    assert made.files["d.ann"] == b"T1\tperson 0 1\tw\nT2\tperson 2 3\tw\n"
    assert b"(e1-person-1-)" in convert(text.encode(), "corefud").data
    odd = text.replace("-person-", "-p:x-").encode()
    assert lost(odd, "brat") == {"types": 2}
    assert lost(odd, "json-lines") == {"types": 2}


def test_split_antecedents_go_both_ways() -> None:
    text = universal("a b c", e1="1", e2="2", they="3 of e1 e2")
    made = convert(text.encode(), "corefud").data
    assert b"SplitAnte=e1<they,e2<they" in made
    again = read_data(convert(made, "universal-anaphora").data, source="x", role="key")
    assert again.anaphora is not None
    pairs = zip(again.anaphora.plural, again.anaphora.element, strict=True)
    labels = {(again.entity_label[a], again.entity_label[b]) for a, b in pairs}
    assert labels == {("they", "e1"), ("they", "e2")}


def test_the_first_split_antecedent_is_the_place() -> None:
    text = universal("a b c d", e1="1", e2="2", they="3 of e1 e2", we="4 of e1 e2")
    line = 1 + next(n for n, row in enumerate(text.split("\n")) if row[:3] == "3\tc")
    with pytest.raises(LossError) as error:
        convert(text.encode(), "json-lines")
    assert f"split antecedents: 4 left out (first: <data>:{line})" in str(error.value)


def test_types_that_corefud_cannot_write_are_counted(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("a b\n")
    mentions = "T1\tx-y 0 1\ta\nT2\tx-y 2 3\tb\n*\tCoref T1 T2\n"
    (tmp_path / "d.ann").write_text(mentions)
    with pytest.raises(LossError) as error:
        convert(tmp_path, "corefud")
    (loss,) = error.value.losses
    assert (loss.kind, loss.count) == ("types", 1)
    assert loss.what == "types that cannot be written"


def test_elements_go_with_entities_that_are_left_out() -> None:
    text = universal("a b c", e1="1", e2="2", they="3 of e1 e2")
    text = text.replace("EntityID=e2|", "EntityID=e2-Pseudo|")
    assert lost(text, "corefud") == {"non-referring": 1, "split-antecedents": 1}


def test_words_that_cannot_be_written_are_counted() -> None:
    line = jsonl("New York", "a\tb", "", "x", entities=[[[0, 3]]])
    assert lost(line, "conll-2012") == {"spellings": 2}
    assert lost(line, "corefud") == {"spellings": 2}
    assert lost(line, "brat") == {"spellings": 3}
    made = convert(line.encode(), "brat", lossy=True)
    assert made.files["d.txt"] == b"New_York a_b _ x\n"


def test_names_that_cannot_be_written_are_counted_and_stay_different() -> None:
    lines = [jsonl("x", name=name, entities=[]) for name in ("a\nb", "a_b", " c", "e ")]
    text = "\n".join(lines)
    assert lost(text, "conll-2012") == {"document-names": 1}
    assert lost(text, "universal-anaphora") == {"document-names": 3}
    made = convert(text.encode(), "corefud", lossy=True)
    assert made.documents == ("a_b-2", "a_b", "_c", "e_")
    assert lost(text, "brat") == {}


def test_documents_without_words_are_left_out_of_conllu() -> None:
    text = f"{jsonl('a', entities=[])}\n{jsonl(name='empty', entities=[])}"
    assert lost(text, "corefud") == {"documents": 1}
    assert lost(text, "conll-2012") == {}
    with pytest.raises(FormatError, match="this file has no words"):
        convert(jsonl(entities=[]).encode(), "universal-anaphora", lossy=True)


def test_a_new_order_of_entities_that_share_a_mention_is_a_loss() -> None:
    line = jsonl("a", "b", "c", entities=[[[1, 1], [2, 2]], [[0, 0], [1, 1]]])
    assert lost(line, "conll-2012") == {"duplicates": 1}
    assert lost(line, "brat") == {}
    other = jsonl("a", "b", "c", entities=[[[0, 0], [1, 1]], [[1, 1], [2, 2]]])
    assert lost(other, "conll-2012") == {}


def test_entities_without_mentions_are_none() -> None:
    line = jsonl("a", entities=[[], [[0, 0]]])
    assert clusters(line, lossy=False) == [[[[0, 0]]]]
