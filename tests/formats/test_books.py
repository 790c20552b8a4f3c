"""BookNLP's entities with their tokens, and LitBank's table with its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref import FormatError
from support.span_lists import read_file, spans_of, words_of, written

if TYPE_CHECKING:
    from pathlib import Path


HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"

ENTITIES = (
    HEADER
    + '12\t0\t0\tPROP\tPER\tMia\n3\t2\t3\tNOM\tPER\t" she\n12\t3\t3\tPRON\tPER\tshe\n'
)

NAMES = (
    "paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document"
    "\tword\n"
)

TOKENS = NAMES + '0\t0\t0\t0\tMia\n0\t0\t1\t1\t,\n0\t1\t0\t2\t"\n0\t1\t1\t3\tshe\n'


def test_the_last_token_is_part_of_a_mention_and_nothing_is_quoted(
    tmp_path: Path,
) -> None:
    written(tmp_path, one__entities=ENTITIES, one__tokens=TOKENS)
    corpus = read_file(tmp_path / "one.entities")
    assert spans_of(corpus) == {"one": [[(0, 0), (3, 3)], [(2, 3)]]}
    assert words_of(corpus) == ["Mia", ",", '"', "she"]
    assert corpus.tokens is not None
    assert corpus.tokens.sentence.tolist() == [0, 0, 1, 1]
    assert corpus.entity_label == ("12", "3")


def test_without_tokens_mentions_are_numbers(tmp_path: Path) -> None:
    written(tmp_path, one__entities=ENTITIES)
    corpus = read_file(tmp_path / "one.entities")
    assert (corpus.tokens, corpus.document_tokens) == (None, None)
    assert [note.kind for note in corpus.notes] == ["no-tokens"]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("1\t0\n", "this is not a row of a BookNLP entities file"),
        ("1\t0\tx\tPROP\tPER\tMia\n", "this is not a row of a BookNLP entities file"),
        (
            "1\t3\t4\tPROP\tPER\tx\n",
            "tokens 3 to 4 are not a mention in a document of 4 tokens",
        ),
        (
            "1\t3\t2\tPROP\tPER\tx\n",
            "tokens 3 to 2 are not a mention in a document of 4 tokens",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(
    tmp_path: Path, row: str, problem: str
) -> None:
    written(tmp_path, one__entities=HEADER + row, one__tokens=TOKENS)
    with pytest.raises(FormatError) as error:
        read_file(tmp_path / "one.entities")
    assert (error.value.problem, error.value.line) == (problem, 2)


def test_tokens_that_were_cut_off_are_refused(tmp_path: Path) -> None:
    written(tmp_path, one__entities=ENTITIES, one__tokens=TOKENS[:-10])
    with pytest.raises(FormatError, match=r"one.tokens:5: expected token 3"):
        read_file(tmp_path / "one.entities")
    written(tmp_path, one__tokens="x\ty\n")
    with pytest.raises(
        FormatError,
        match="the first line does not have the column names of BookNLP's tokens",
    ):
        read_file(tmp_path / "one.entities")


def test_tokens_alone_are_no_entities(tmp_path: Path) -> None:
    written(tmp_path, one__tokens=TOKENS)
    with pytest.raises(FormatError, match="this is BookNLP's tokens") as error:
        read_file(tmp_path / "one.tokens")
    assert error.value.hint.startswith(
        "Give the .entities file. The .tokens file next to it is read as well."
    )


TEXT = "Mia saw Bo .\nShe left him .\n"

LITBANK = (
    "COREF\tT5\tMia-0\n"
    "MENTION\tT1\t0\t0\t0\t0\tMia\tPER\tPROP\n"
    "MENTION\tT3\t0\t2\t0\t2\tBo\tPER\tPROP\n"
    "COREF\tT1\tMia-0\n"
    "COREF\tT3\tMia-1\n"
    "MENTION\tT5\t1\t0\t1\t0\tShe\tPER\tPRON\n"
    "MENTION\tT7\t1\t2\t1\t2\thim\tPER\tPRON\n"
    "COP\tT7\tT1\n"
)


def test_a_label_is_an_entity_and_other_mentions_are_singletons(tmp_path: Path) -> None:
    written(tmp_path, one__ann=LITBANK, one__txt=TEXT)
    corpus = read_file(tmp_path / "one.ann")
    assert corpus.format == "litbank-tsv"
    assert spans_of(corpus) == {"one": [[(0, 0), (4, 4)], [(2, 2)], [(6, 6)]]}
    assert words_of(corpus) == TEXT.split()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "MENTION\tT9\t0\t9\t0\t9\tx\tPER\tPROP",
            "the text has no words 0 9 0 9",
        ),
        (
            "MENTION\tT9\t9\t0\t9\t0\tx\tPER\tPROP",
            "the text has no words 9 0 9 0",
        ),
        (
            "MENTION\tT9\t0\t-1\t0\t0\tx\tPER\tPROP",
            "the text has no words 0 -1 0 0",
        ),
        ("MENTION\tT9\t0\t0\t0\t1\tMia\tPER\tPROP", "the text has 'Mia saw' here"),
        ("MENTION\tT9\t0\t0", "this is not a line of LitBank annotations"),
        ("MENTION\tT1\t0\t0\t0\t0\tMia\tPER\tPROP", "T1 appears twice"),
        ("COREF\tT9\tMia-0", "there is no mention 'T9'"),
    ],
)
def test_a_line_of_litbank_that_cannot_be_read_is_refused(
    tmp_path: Path, line: str, problem: str
) -> None:
    written(tmp_path, one__ann=f"{LITBANK}{line}\n", one__txt=TEXT)
    with pytest.raises(FormatError) as error:
        read_file(tmp_path / "one.ann")
    assert (error.value.problem, error.value.line) == (problem, 9)
