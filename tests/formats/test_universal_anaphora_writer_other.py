"""Universal Anaphora from other formats, or into a text that may be another one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoref import AlignmentError, FormatError
from scoref.formats import conll2012, corefud, json_lines
from scoref.formats.entities import EntityPairs
from support.ua_files import cells_of, conllu, put_into, read_back, ua


def test_mentions_of_corefud_are_found_by_sentence_and_number() -> None:
    header = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
    plain = header + conllu("1", "2-3", "2", "3", "3.7") + conllu("1", "2", "3-4", "3")
    parts = plain.split("A=1")
    values = ["(e1-x-1", "_", "_", "e1)", "(e2-x-1)", "(e2[1/2]-x-1)", "_", "(e1-x-1)"]
    values.append("(e2[2/2]-x-1)")
    text = "".join(
        part + (f"Entity={value}" if value != "_" else "_")
        for part, value in zip(parts, values, strict=False)
    )
    corpus = corefud.read((text + parts[-1]).encode(), source="x.conllu")
    again = read_back(put_into(corpus, plain))
    assert cells_of(put_into(corpus, plain)) == [
        *("(EntityID=e1|MarkableID=markable_1", "_", "_", ")"),
        "(EntityID=e2|MarkableID=markable_2)",
        "(EntityID=e2|MarkableID=markable_3)",
        *("_", "_", "(EntityID=e2|MarkableID=markable_3)"),
    ]
    assert again.entity_label == ("e1", "e2")


def test_a_mention_of_a_zero_and_words_is_refused() -> None:
    header = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
    plain = header + conllu("1", "1.1", "2")
    first, last = "1\tw1\t_\tNOUN\t_\t_\t0\tx\t_\t", "2\tw2\t_\tNOUN\t_\t_\t0\tx\t_\t"
    text = plain.replace(first + "A=1", first + "Entity=(e1-x-1")
    text = text.replace(last + "A=1", last + "Entity=e1)")
    corpus = corefud.read(text.encode(), source="x.conllu")
    with pytest.raises(FormatError) as caught:
        put_into(corpus, plain)
    error = caught.value
    assert (error.source, error.line) == ("base.ua", 4)
    assert error.problem == "a mention of entity e1 has this zero and other words"
    assert "a zero is a mention of its own" in error.hint


CONLL_2012 = """#begin document (d); part 000
d 0 0 w1 (0)|(1
d 0 1 w2 -
d 0 2 w3 1)
#end document
"""


def test_spans_are_tokens_of_their_document() -> None:
    base = "# newdoc id = d\n" + conllu("1", "1.1", "2-3", "2") + conllu("3")
    corpus = conll2012.read(CONLL_2012.encode(), source="x.conll")
    written = put_into(corpus, base)
    assert cells_of(written) == [
        "(EntityID=1|MarkableID=markable_2(EntityID=0|MarkableID=markable_1)",
        *("_", "_", "_", ")"),
    ]
    line = b'{"doc_key": "d", "clusters": [[[0, 0]], [[0, 2]]], "sentences": [["w1"], '
    line += b'["w2", "w3"]]}'
    lines = json_lines.read(line, source="x.jsonl", role="key")
    assert put_into(lines, base) == written


REFUSED = {
    "another number of documents": (
        ua("1 (e1:m1)", "2") + ua("1", header="").replace("id = d", "id = e"),
        "there are 1 documents, but 2 in x.ua",
        None,
    ),
    "another number of words": (
        ua("1", "2", "3"),
        "document 'd' with 2 words is not document 'd' with 3 words of x.ua",
        1,
    ),
    "another word": (
        ua("1", "7"),
        "this word is 'w2', but 'w7' in the corpus",
        3,
    ),
    "no such zero": (
        ua("1", "1.1 (e1:m1)", "2"),
        "a mention has a zero that is not here",
        None,
    ),
}


@pytest.mark.parametrize(("text", "problem", "line"), REFUSED.values(), ids=REFUSED)
def test_another_text_is_refused(text: str, problem: str, line: int | None) -> None:
    with pytest.raises(AlignmentError) as caught:
        put_into(read_back(text), "# newdoc id = d\n" + conllu("1", "2"))
    error = caught.value
    assert (error.source, error.problem, error.line) == ("base.ua", problem, line)
    assert error.hint


def test_documents_in_another_order_are_refused() -> None:
    text = ua("1 (e1:m1)") + ua("1", header="").replace("id = d", "id = e")
    base = ua("1").replace("id = d", "id = e") + ua("1", header="")
    with pytest.raises(AlignmentError, match="document 'e' with 1 words is not"):
        put_into(read_back(text), base)


def test_other_sentences_than_those_of_corefud_are_refused() -> None:
    plain = "# newdoc id = d\n" + conllu("1", "2") + conllu("1")
    corpus = corefud.read(plain.encode(), source="x.conllu")
    with pytest.raises(AlignmentError, match="there are 1 sentences, but 2"):
        put_into(corpus, "# newdoc id = d\n" + conllu("1", "2", "1"))
    with pytest.raises(AlignmentError, match="in another document") as caught:
        put_into(corpus, plain.replace("\n\n", "\n\n# newdoc id = e\n", 1))
    assert caught.value.line == 6
    with pytest.raises(AlignmentError, match="in another place") as caught:
        put_into(corpus, "# newdoc id = d\n" + conllu("1") + conllu("2", "1"))
    assert caught.value.line == 4
    with pytest.raises(AlignmentError, match="there are 2 words, but 3"):
        put_into(corpus, "# newdoc id = d\n" + conllu("1", "2") + conllu("0.1"))


def test_spans_beyond_a_document_are_refused() -> None:
    line = b'{"doc_key": "d", "clusters": [[[0, 0], [1, 5]]]}'
    corpus = json_lines.read(line, source="x.jsonl", role="key")
    with pytest.raises(AlignmentError, match="from token 1 to 5 goes beyond"):
        put_into(corpus, "# newdoc id = d\n" + conllu("1", "2"))


def test_a_base_with_too_few_columns_is_refused() -> None:
    with pytest.raises(FormatError, match="3 columns and not 10") as caught:
        put_into(read_back(ua("1 (e1:m1)")), "# newdoc id = d\n1\tw1\t_\n")
    assert caught.value.line == 2


def test_mentions_without_words_are_refused() -> None:
    corpus, _ = EntityPairs.of([["a", "b"]], [["a"]]).build()
    with pytest.raises(FormatError, match="these mentions are mere values"):
        put_into(corpus, "# newdoc id = d\n" + conllu("1", "2"))


def test_a_document_with_a_fault_is_refused() -> None:
    text = ua("1 (e1:m1)")
    fault = FormatError("broken", source="x.ua")
    with pytest.raises(FormatError, match="broken"):
        put_into(replace(read_back(text), faults={0: fault}), text)
