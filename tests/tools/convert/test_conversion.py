"""Converted files read back as the same, and score as the originals do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import scoref
from scoref import FormatError
from scoref.document_names import name_of_file
from scoref.formats import brat, reading
from scoref.formats.folder_corpus import join_corpora
from scoref.formats.folders import DocumentFile, Folder
from scoref.tools.convert.conversion import convert, first_difference, fit
from scoref.tools.convert.losses import LossError
from scoref.tools.convert.sources import SourceContent
from scoref.tools.convert.targets import TARGETS
from support.corefud import corefud
from support.golden import GOLDEN
from support.paths import EXAMPLES
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
    from pathlib import Path

    from scoref.model import Corpus
    from scoref.tools.convert.content import Content

LINES = ["conll-2012", "corefud", "universal-anaphora", "json-lines"]
WITH_WORDS = [*LINES, "brat", "webanno", "cas-json"]
every_target = pytest.mark.parametrize("to", TARGETS)
with_words = pytest.mark.parametrize("to", WITH_WORDS)


def written(content: Content, to: str) -> Mapping[str, bytes]:
    """Write content as if it had been read from a format without any base text."""
    target = TARGETS[to]
    return target.write(
        target.relabel(content), SourceContent(content, "json-lines", b"", ())
    )


def read_back(files: Mapping[str, bytes], to: str) -> Corpus:
    """Read by the format's own reader."""
    ending = TARGETS[to].ending
    if ending and to != "brat":
        members = tuple(
            DocumentFile(name.removesuffix(ending), name, data)
            for name, data in files.items()
        )
        folder = Folder("again", to, members, ())
        return reading.read_data(folder, source="", role="key", with_tokens=True)
    if to != "brat":
        return reading.read_data(
            files[""], source="again", role="key", format=to, with_tokens=True
        )
    names = [name.removesuffix(".ann") for name in files if name.endswith(".ann")]
    pairs = [
        brat.BratDocument(
            name_of_file(name),
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
    assert first_difference(again, fitted) is None


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
        # CoNLL-2012 has no crossing mentions, and CorefUD none across sentences. The
        # order of two entities that share a mention may be lost.
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
        base=json_lines_of([Document(text.name, text.sentences) for text in documents]),
        lossy=True,
    )
    assert {loss.kind for loss in made.losses} <= {"duplicates"}
    again = texts_in(read_back(made.files, "universal-anaphora"))
    assert same(again) == same(headless(documents))


@pytest.mark.parametrize("to", ["conll-2012", "corefud", "universal-anaphora", "brat"])
def test_without_words_there_is_nothing_to_write_into(to: str) -> None:
    data = b'{"doc_key": "d", "clusters": [[[0, 3]]]}'
    with pytest.raises(
        FormatError, match="needs words, but this file has none"
    ) as error:
        convert(data, to, lossy=True)
    assert "--base" in error.value.hint
    assert convert(data, "json-lines").data == b'{"doc_key":"d","clusters":[[[0,3]]]}\n'


def test_new_names_of_entities_are_noted() -> None:
    text = corefud("w w", e1="1", x9="2")
    assert [
        note.count for note in convert(text.encode(), "tsv", lossy=True).notes
    ] == []
    made = convert(text.encode(), "conll-2012", lossy=True)
    assert [note.message for note in made.notes] == [
        "2 of 2 entities were relabelled; scores are unaffected."
    ]


METRICS = ["mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea"]


FORMATS = ["conll-2012", "json-lines", "corefud", "universal-anaphora"]


every_format = pytest.mark.parametrize("to", FORMATS)


def score(key: Path, response: Path, form: str) -> scoref.Result:
    if form in {"conll-2012", "json-lines"}:
        return scoref.score(key, response, format=form, metrics=METRICS)
    return scoref.score(
        key,
        response,
        format=form,
        metrics=METRICS,
        match="exact",
        singletons="keep",
        split_antecedents="drop",
        zeros="drop" if form == "universal-anaphora" else "linear",
        duplicates="first",
        blanc="reference" if form == "corefud" else None,
    )


def converted(folder: Path, files: list[Path], form: str, to: str) -> list[Path]:
    paths = [folder / f"{file.name}.{to}" for file in files]
    for file, path in zip(files, paths, strict=True):
        path.write_bytes(convert(file, to, format=form, lossy=True).data)
    return paths


def pairs(folder: str, suffix: str) -> list[list[Path]]:
    """Take a part of the pairs: all of them take a minute."""
    keys = sorted(GOLDEN.glob(f"{folder}/*.key.{suffix}"))[::6]
    return [
        [key, key.with_name(key.name.replace(".key.", ".response."))] for key in keys
    ]


def assert_same(before: scoref.Result, after: scoref.Result) -> None:
    for metric in METRICS:
        mine, theirs = before.counts[metric], after.counts[metric]
        assert np.allclose(mine, theirs), (metric, mine - theirs)


@every_format
@pytest.mark.parametrize("stem", ["", "many-"])
def test_the_examples_have_the_same_counts(tmp_path: Path, to: str, stem: str) -> None:
    response = "many-a.conll" if stem else "response.conll"
    files = [EXAMPLES / f"{stem}key.conll", EXAMPLES / response]
    before = score(files[0], files[1], "conll-2012")
    key, response_file = converted(tmp_path, files, "conll-2012", to)
    assert_same(before, score(key, response_file, to))


@every_format
def test_golden_pairs_of_conll_2012_have_the_same_counts(
    tmp_path: Path, to: str
) -> None:
    files_of_pairs = pairs("conll2012", "conll")
    assert files_of_pairs
    for files in files_of_pairs:
        before = score(files[0], files[1], "conll-2012")
        key, response = converted(tmp_path, files, "conll-2012", to)
        assert_same(before, score(key, response, to))


@pytest.mark.parametrize("form", ["corefud", "ua"])
def test_golden_pairs_score_alike_in_all_formats_that_know_no_zeros(
    tmp_path: Path, form: str
) -> None:
    source, suffix = {
        "corefud": ("corefud", "conllu"),
        "ua": ("universal-anaphora", "ua"),
    }[form]
    files_of_pairs = pairs(form, suffix)
    assert files_of_pairs
    for files in files_of_pairs:
        spans = converted(tmp_path, files, source, "json-lines")
        before = score(spans[0], spans[1], "json-lines")
        for to in ("conll-2012", "corefud", "universal-anaphora"):
            key, response = converted(tmp_path, spans, "json-lines", to)
            assert_same(before, score(key, response, to))


@pytest.mark.parametrize(
    ("stem", "suffix", "form"),
    [("corefud", "conllu", "universal-anaphora"), ("ua", "ua", "corefud")],
)
def test_the_other_examples_keep_their_mentions_in_each_others_format(
    tmp_path: Path, stem: str, suffix: str, form: str
) -> None:
    source = "corefud" if stem == "corefud" else "universal-anaphora"
    files = [EXAMPLES / f"{stem}-{side}.{suffix}" for side in ("key", "response")]
    there = converted(tmp_path, files, source, form)
    back = converted(tmp_path, there, form, source)
    # Both know zeros, but not how the other one matches them.
    again = converted(tmp_path, files, source, "json-lines")
    ours = converted(tmp_path, back, source, "json-lines")
    assert [file.read_bytes() for file in ours] == [file.read_bytes() for file in again]


def test_entities_across_documents_stay_joined(tmp_path: Path) -> None:
    second = '"sentences": [["c", "d"]], "clusters": {"Y": [[0, 0]], "X": [[1, 1]]}'
    lines = [
        '{"doc_key": "1_1ecb", "sentences": [["a", "b"]], "clusters": {"X": [[0, 0]]}}',
        f'{{"doc_key": "1_2ecb", {second}}}',
    ]
    source, target = tmp_path / "x.jsonl", tmp_path / "x.conll"
    source.write_text("\n".join(lines), encoding="utf-8")
    target.write_bytes(convert(source, "conll-2012").data)
    cells = [line.split("\t")[-1] for line in target.read_text("utf-8").splitlines()]
    assert [cell for cell in cells if cell.startswith("(")] == ["(0)", "(1)", "(0)"]
    assert scoref.score(source, target, scope="corpus").scores["muc"].f1 == 1
