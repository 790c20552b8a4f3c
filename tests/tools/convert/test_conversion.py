"""What is written reads back as the same: documents, words, mentions, entities."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from scoref.formats import brat, reading
from scoref.formats.folder_corpus import join_corpora
from scoref.tools.convert.conversion import convert, differing, fit
from scoref.tools.convert.losses import LossError
from scoref.tools.convert.sources import SourceContent
from scoref.tools.convert.targets import TARGETS
from support.random_texts import (
    BLANK_WORDS,
    SPANS,
    Document,
    Kind,
    content_of,
    documents_of,
    headless,
    same,
    texts,
    texts_in,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoref.model import Corpus
    from scoref.tools.convert.content import Content

LINES = ["conll-2012", "corefud", "universal-anaphora", "json-lines"]
WITH_WORDS = [*LINES, "brat"]
every_target = pytest.mark.parametrize("to", TARGETS)
with_words = pytest.mark.parametrize("to", WITH_WORDS)


def written(content: Content, to: str) -> Mapping[str, bytes]:
    """Write content as if it had been read from a format without any base text."""
    target = TARGETS[to]
    return target.write(
        target.named(content), SourceContent(content, "json-lines", b"", ())
    )


def read_back(files: Mapping[str, bytes], to: str) -> Corpus:
    """Read by the format's own reader."""
    if to != "brat":
        return reading.read_data(
            files[""], source="again", role="key", format=to, with_tokens=True
        )
    names = [name.removesuffix(".ann") for name in files if name.endswith(".ann")]
    pairs = [
        brat.BratDocument(
            brat.document_name(name),
            files[f"{name}.txt"].decode(),
            files[f"{name}.ann"],
            name,
        )
        for name in names
    ]
    return join_corpora([brat.read_pair(pair) for pair in pairs], "brat", [])


def json_lines_of(documents: list[Document]) -> bytes:
    """Write spans without the writer that is tested."""
    lines = [
        json.dumps(
            {
                "doc_key": document.name,
                "sentences": [
                    [token.word for token in sentence]
                    for sentence in document.sentences
                ],
                "clusters": [
                    [[mention.tokens[0], mention.tokens[-1]] for mention in entity]
                    for entity in document.entities
                ],
            }
        )
        for document in documents
    ]
    return "".join(f"{line}\n" for line in lines).encode()


@with_words
@given(documents=texts())
def test_what_fits_comes_back(to: str, documents: list[Document]) -> None:
    fitted, _ = fit(content_of(documents), TARGETS[to])
    assume(fitted.documents)
    again = texts_in(read_back(written(fitted, to), to))
    assert same(again) == same(documents_of(fitted))


@every_target
@given(documents=texts(Kind(words=("a", "b", *BLANK_WORDS))))
def test_nothing_is_lost_of_what_was_fitted(to: str, documents: list[Document]) -> None:
    fitted, _ = fit(content_of(documents), TARGETS[to])
    again, lost = fit(fitted, TARGETS[to])
    assert lost == []
    assert differing(again, fitted) is None


@with_words
@given(documents=texts())
def test_without_losses_nothing_is_changed(to: str, documents: list[Document]) -> None:
    fitted, lost = fit(content_of(documents), TARGETS[to])
    event("lossy" if lost else "lossless")
    if not lost:
        assert same(headless(documents_of(fitted))) == same(headless(documents))


@pytest.mark.parametrize("to", LINES)
@given(documents=texts(SPANS))
def test_spans_survive_any_format_that_does_not_complain(
    to: str, documents: list[Document]
) -> None:
    assume(any(document.sentences for document in documents))
    try:
        there = convert(json_lines_of(documents), to)
    except LossError as error:
        # CoNLL-2012 cannot cross, CorefUD ends with the sentence; and who is first of
        # two entities that share a mention may not be told.
        kinds = {loss.kind for loss in error.losses}
        assert kinds <= {"crossing", "across-sentences", "documents", "duplicates"}
        event("lossy")
        return
    again = convert(there.data, "json-lines", format=to)
    corpus = reading.read_data(again.data, source="x", role="key", with_tokens=True)
    assert same(texts_in(corpus)) == same(documents)


@given(documents=texts(SPANS), path=st.lists(st.sampled_from(LINES), max_size=5))
def test_a_chain_of_formats_ends_with_what_it_began(
    documents: list[Document], path: list[str]
) -> None:
    content = content_of(documents)
    for to in LINES:
        content, _ = fit(content, TARGETS[to])
    assume(content.documents)
    expected = headless(documents_of(content))
    data, before = json_lines_of(expected), "json-lines"
    for to in [*path, "json-lines"]:
        made = convert(data, to, format=before, lossy=True)
        # CorefUD has a head for each mention, which then is a minimum.
        assert {loss.kind for loss in made.losses} <= {"minimums", "duplicates"}
        data, before = made.data, to
    corpus = reading.read_data(data, source="x", role="key", with_tokens=True)
    assert same(texts_in(corpus)) == same(expected)


@given(documents=texts(Kind(zeros=False, across=False)))
def test_a_table_and_its_text_give_the_mentions_back(documents: list[Document]) -> None:
    documents = [document for document in documents if document.sentences]
    assume(documents)
    table, _ = fit(content_of(documents), TARGETS["csv"])
    made = convert(
        written(table, "csv")[""],
        "universal-anaphora",
        format="csv",
        base=json_lines_of([Document(each.name, each.sentences) for each in documents]),
        lossy=True,
    )
    assert {loss.kind for loss in made.losses} <= {"duplicates"}
    again = texts_in(read_back(made.files, "universal-anaphora"))
    assert same(again) == same(headless(documents))
