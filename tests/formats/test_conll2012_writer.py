"""The writer of CoNLL-2012: what it writes reads back as the same corpus."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given

from scoref import FormatError
from scoref.formats import conll2012_reference
from scoref.formats.conll2012_writer import can_hold_word, header, write
from scoref.formats.reading import read_data
from scoref.tools.convert.conversion import fit
from scoref.tools.convert.sources import SourceContent
from scoref.tools.convert.targets import TARGETS
from support.corpus_values import mentions_by_document
from support.paths import EXAMPLES
from support.random_texts import (
    SPANS,
    Document,
    content_of,
    documents_of,
    same,
    texts,
    texts_in,
)


def read(text: str | bytes, name: str = "x") -> bytes:
    """Write what was read."""
    data = text.encode() if isinstance(text, str) else text
    return write(read_data(data, source=name, role="key", with_tokens=True))


def conll(*cells: str, name: str = "(d)") -> str:
    rows = "".join(f"d\t0\t{n}\tw{n}\t{cell}\n" for n, cell in enumerate(cells))
    return f"#begin document {name}\n{rows}\n#end document\n"


@pytest.mark.parametrize("name", ["key.conll", "many-key.conll", "many-a.conll"])
def test_the_examples_are_written_byte_for_byte(name: str) -> None:
    data = (EXAMPLES / name).read_bytes()
    assert read(data) == data


def test_openings_come_first_then_single_tokens_then_closings() -> None:
    text = conll("(1)|(2|(0", "(2)|0)", "2)")
    assert read(text).decode() == conll("(2|(0|(1)", "(2)|0)", "2)")


def test_labels_that_are_not_numbers_are_replaced_by_numbers() -> None:
    text = conll("(person-3)", "(7)", "(person-3)")
    assert read(text).decode() == conll("(0)", "(1)", "(0)")


def test_the_reference_scorer_reads_the_same() -> None:
    text = conll("(a|(b)", "(a)", "a)", "(c)")
    data = read(text)
    strict = read_data(data, source="x", role="key")
    official = conll2012_reference.read(data, source="x")
    assert mentions_by_document(official) == mentions_by_document(strict)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("bc/cctv_0", "(bc/cctv); part 000"),
        ("bc/cctv_12", "(bc/cctv); part 012"),
        ("GUM_news", "(GUM_news)"),
        ("x_007", "(x_007)"),
        ("", "()"),
    ],
)
def test_a_number_after_a_name_is_its_part(name: str, written: str) -> None:
    assert header(name) == written
    corpus = read_data(conll("-", name=written).encode(), source="x", role="key")
    assert corpus.documents[0].aliases[0] == name


@given(documents=texts(SPANS))
def test_what_is_written_reads_back(documents: list[Document]) -> None:
    target = TARGETS["conll-2012"]
    fitted, _ = fit(content_of(documents), target)
    data = target.write(fitted, SourceContent(fitted, "json-lines", b"", ()))[""]
    corpus = read_data(
        data, source="x", role="key", format="conll-2012", with_tokens=True
    )
    assert same(texts_in(corpus)) == same(documents_of(fitted))


@pytest.mark.parametrize("word", ["", " a", "a ", "a\tb", "a\nb", "a\0b", "\v"])
def test_words_that_would_read_back_differently_are_known(word: str) -> None:
    assert not can_hold_word(word)


def corpus_of(line: str) -> bytes:
    return write(read_data(line.encode(), source="x", role="key", with_tokens=True))


@pytest.mark.parametrize(
    ("clusters", "tokens", "problem"),
    [
        ("[[[0, 1], [1, 2]]]", '["a", "b", "c"]', "two mentions of entity 0 cross"),
        ("[]", '["a\\tb"]', r"cannot write the word 'a\tb'"),
    ],
)
def test_what_cannot_be_written_is_refused(
    clusters: str, tokens: str, problem: str
) -> None:
    with pytest.raises(FormatError) as error:
        corpus_of(f'{{"doc_key": "d", "clusters": {clusters}, "tokens": {tokens}}}')
    assert error.value.problem == problem
    assert error.value.line == 1


def test_a_name_with_a_line_break_is_refused() -> None:
    with pytest.raises(FormatError, match="cannot be the name of a document"):
        corpus_of('{"doc_key": "a\\nb", "clusters": [], "tokens": []}')


def test_mentions_without_words_are_refused() -> None:
    with pytest.raises(FormatError, match="has no words"):
        corpus_of('{"doc_key": "d", "clusters": []}')


def test_gaps_and_empty_nodes_are_refused() -> None:
    data = (EXAMPLES / "corefud-key.conllu").read_bytes()
    corpus = read_data(data, source="x.conllu", role="key", with_tokens=True)
    with pytest.raises(FormatError, match="empty nodes") as error:
        write(corpus)
    assert error.value.line == 17
    gap = b"\n".join(line for line in data.split(b"\n") if b".1\t_" not in line)
    corpus = read_data(gap, source="x.conllu", role="key", with_tokens=True)
    with pytest.raises(FormatError, match="cannot write a mention with a gap"):
        write(corpus)


def test_a_document_that_could_not_be_read_is_not_written() -> None:
    corpus = read_data(conll("(0").encode(), source="x", role="key", reading="lenient")
    fault = FormatError("broken", source="x", line=2)
    with pytest.raises(FormatError, match="broken"):
        write(dataclasses.replace(corpus, faults={0: fault}))
