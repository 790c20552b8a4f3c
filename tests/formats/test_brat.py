"""brat standoff: characters become tokens, lines become entities, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from scoref import FormatError
from scoref.document_names import name_of_file
from scoref.formats import brat
from scoref.formats.brat import BratDocument
from scoref.formats.folder_corpus import join_corpora
from scoref.formats.reading import read_data
from scoref.tools.convert.conversion import fit
from scoref.tools.convert.sources import SourceContent
from scoref.tools.convert.targets import TARGETS
from support.random_texts import (
    Document,
    Kind,
    Mention,
    content_of,
    documents_of,
    same,
    texts,
    texts_in,
)
from support.span_lists import read_file, spans_of, words_of, written

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.formats.catalogue import Splitting
    from scoref.model import Corpus

TEXT = "Ada said she would come .\nShe did ."


def read(text: str, *lines: str, splitting: Splitting = "auto") -> Document:
    """Read one document."""
    return texts_in(corpus(text, *lines, splitting=splitting))[0]


def corpus(text: str, *lines: str, splitting: Splitting = "auto") -> Corpus:
    data = "".join(f"{line}\n" for line in lines).encode()
    return brat.read_pair(BratDocument("d", text, data, "d.ann"), splitting)


def words(document: Document) -> list[str]:
    return [token.word for token in document.tokens]


def test_equivalent_mentions_are_an_entity_and_others_singletons() -> None:
    found = read(
        TEXT,
        "T1\tMention 0 3\tAda",
        "T2\tMention 9 12\tshe",
        "T3\tMention 26 29\tShe",
        "T4\tMention 30 33\tdid",
        "*\tCoreference T1 T3 T2",
    )
    assert found.entities == [
        [Mention((0,)), Mention((2,)), Mention((6,))],
        [Mention((7,))],
    ]
    assert [len(sentence) for sentence in found.sentences] == [6, 3]


def test_relations_of_two_are_chained() -> None:
    mentions = [f"T{n}\tMention {2 * n} {2 * n + 1}\tx" for n in range(5)]
    relations = [
        "R1\tCoreference Arg1:T3 Arg2:T1",
        "R2\tcoref Anaphora:T4 Antecedent:T3",
        "R3\tPartOf Arg1:T0 Arg2:T2",
        "*\tIdentity T2 T2",
    ]
    found = corpus("x x x x x", *mentions, *relations)
    assert texts_in(found)[0].entities == [
        [Mention((0,))],
        [Mention((1,)), Mention((3,)), Mention((4,))],
        [Mention((2,))],
    ]
    assert [(note.kind, note.count) for note in found.notes] == [
        ("other-annotations", 1)
    ]


def test_pieces_are_one_mention() -> None:
    found = read(TEXT, "T1\tPerson 0 3;9 12;26 29\tAda she She")
    assert found.entities == [[Mention((0, 2, 6))]]


def test_types_are_those_of_the_first_mention() -> None:
    lines = "T1\tPerson 0 3\tAda", "T2\tMention 9 12\tshe", "*\tCoreference T1 T2"
    assert corpus(TEXT, *lines).entity_type == ("Person",)
    assert corpus(TEXT, lines[1]).entity_type is None


def test_offsets_count_characters_and_not_bytes() -> None:
    found = read("Ünï 東京 😀 she", "T1\tMention 9 12\tshe")
    assert found.entities == [[Mention((3,))]]


def test_other_kinds_of_lines_are_left_alone() -> None:
    found = corpus(
        TEXT,
        "T1\tMention 0 3\tAda",
        "A1\tNegation T1",
        "#1\tAnnotatorNotes T1\tTremendous",
        "E1\tMeet:T1",
        "",
    )
    assert found.notes == ()


def test_a_text_that_is_not_cut_at_blanks_is_cut_into_words() -> None:
    text = "Ada's (old) house."
    lines = "T1\tMention 0 3\tAda", "T2\tMention 0 17\tAda's (old) house"
    found = corpus(text, *lines)
    assert words(texts_in(found)[0]) == ["Ada", "'", "s", "(", "old", ")", "house", "."]
    assert [note.kind for note in found.notes] == ["split-words"]
    assert words(read(text, "T1\tMention 0 11\tAda's (old)")) == text.split()


def test_a_mention_inside_of_a_word_cuts_it() -> None:
    found = corpus("bookshop", "T1\tMention 0 4\tbook", "T2\tMention 4 8\tshop")
    assert words(texts_in(found)[0]) == ["book", "shop"]
    assert [note.kind for note in found.notes] == ["split-words"]


def test_what_tokens_are_can_be_said() -> None:
    text = "a-b c"
    assert words(read(text, splitting="words")) == ["a", "-", "b", "c"]
    assert words(read(text, splitting="blanks")) == ["a-b", "c"]
    cut = read(text, "T1\tMention 0 1\ta", splitting="blanks")
    assert words(cut) == ["a", "-b", "c"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("T1 Mention 0 3 Ada", "this is not a text-bound annotation"),
        ("T1\tMention 0-3\tAda", "this is not a text-bound annotation"),
        (
            "T1\tMention 3 3\t",
            "characters 3 to 3 are outside the text, which has 35 characters",
        ),
        (
            "T1\tMention 0 99\tx",
            "characters 0 to 99 are outside the text, which has 35 characters",
        ),
        ("T1\tMention 3 4\t ", "this mention contains only spaces"),
        ("T1\tMention 0 3\tBea", "the text has 'Ada' here"),
        ("*\tCoreference T9 T2", "there is no mention 'T9'"),
        ("R1\tCoref Arg1:T2 Arg2:T8", "there is no mention 'T8'"),
        ("T2\tMention 0 3\tAda", "T2 appears twice"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(line: str, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        read(TEXT, "T2\tMention 9 12\tshe", line)
    assert (error.value.problem, error.value.line) == (problem, 2)


def test_what_is_not_utf8_is_refused() -> None:
    with pytest.raises(FormatError, match=r"d.ann:2: this is not UTF-8"):
        brat.read_pair(BratDocument("d", "x", b"\n\xff", "d.ann"))


def test_lines_of_equivalence_are_written() -> None:
    data = (
        b'{"doc_key": "n/1", "sentences": [["Ada", "said"], ["she", "left"]],'
        b' "clusters": [[[0, 0], [2, 2]], [[1, 2]]]}'
    )
    found = read_data(data, source="x", role="key", with_tokens=True)
    assert {name: text.decode() for name, text in brat.write(found).items()} == {
        "n/1.txt": "Ada said\nshe left\n",
        "n/1.ann": "T1\tMention 0 3\tAda\n"
        "T2\tMention 9 12\tshe\n"
        "T3\tMention 4 8;9 12\tsaid she\n"
        "*\tCoreference T1 T2\n",
    }


def test_words_with_blanks_are_refused() -> None:
    data = b'{"doc_key": "d", "tokens": ["New York"], "clusters": []}'
    found = read_data(data, source="x", role="key", with_tokens=True)
    with pytest.raises(FormatError, match="cannot write the word 'New York'"):
        brat.write(found)


@given(documents=texts(Kind(zeros=False, heads=False)))
def test_what_was_written_comes_back(documents: list[Document]) -> None:
    target = TARGETS["brat"]
    fitted, _ = fit(content_of(documents), target)
    files = target.write(fitted, SourceContent(fitted, "json-lines", b"", ()))
    pairs = [
        BratDocument(
            name_of_file(name[:-4]),
            files[f"{name[:-4]}.txt"].decode(),
            files[name],
            name,
        )
        for name in files
        if name.endswith(".ann")
    ]
    found = join_corpora([brat.read_pair(pair, "auto") for pair in pairs], "x", [])
    assert same(texts_in(found)) == same(documents_of(fitted))
    assert found.notes == ()


STORY = "Mia saw Bo .\nShe left him .\n"

LITBANK = (
    "T1\tPROP_PER 0 3\tMia\n"
    "T2\tMia-0 0 3\tMia\n"
    "T3\tPROP_PER 8 10\tBo\n"
    "T4\tMia-1 8 10\tBo\n"
    "T5\tPRON_PER 13 16\tShe\n"
    "T6\tMia-0 13 16\tShe\n"
    "T7\tPRON_PER 22 25\thim\n"
    "R1\tcop Arg1:T7 Arg2:T1\n"
)


def test_labels_of_litbank_are_entities_and_other_mentions_are_singletons(
    tmp_path: Path,
) -> None:
    written(tmp_path, one__ann=LITBANK, one__txt=STORY)
    corpus = read_file(tmp_path / "one.ann")
    assert corpus.format == "litbank-brat"
    assert spans_of(corpus) == {"one": [[(0, 0), (4, 4)], [(2, 2)], [(6, 6)]]}
    assert words_of(corpus) == STORY.split()


def test_brat_without_types_of_litbank_has_mentions_of_any_type(tmp_path: Path) -> None:
    lines = "T1\tPerson 0 3\tMia\nT2\tMia-0 0 3\tMia\n"
    written(tmp_path, one__ann=lines, one__txt=STORY)
    corpus = read_file(tmp_path / "one.ann")
    assert (corpus.format, len(corpus.mention_entity)) == ("brat", 2)


def test_relations_may_stand_before_the_mentions_of_brat(tmp_path: Path) -> None:
    lines = "R1\tCoref Arg1:T2 Arg2:T1\nT1\tMention 0 3\tMia\nT2\tMention 13 16\tShe\n"
    written(tmp_path, one__ann=lines, one__txt=STORY)
    assert spans_of(read_file(tmp_path / "one.ann")) == {"one": [[(0, 0), (4, 4)]]}
