"""TEI: references, pieces, blocks, words, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref import FormatError, score
from scoref.formats.reading import detect, read_data
from support.json_documents import entity_texts

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus

HEADER = "<teiHeader><title><name ref='#no'>No</name></title></teiHeader>"


def tei(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0">\n{HEADER}\n'
        f"<text><body>{body}</body></text></TEI>\n"
    )


def read(body: str, **options: str) -> Corpus:
    data = tei(body).encode()
    return read_data(data, source="novel.xml", role="key", **options)  # type: ignore[arg-type]


MIA = '<p><rs ref="#mia">Mia</rs> slept.\n  <rs ref="#mia">She</rs> dreamt.</p>'


def test_references_are_mentions(tmp_path: Path) -> None:
    corpus = read(MIA)
    assert corpus.format == detect(tei(MIA).encode()) == "tei"
    assert corpus.documents[0].name == "novel"
    assert corpus.entity_label == ("mia",)
    assert entity_texts(corpus) == [["Mia", "She"]]
    assert corpus.mention_line.tolist() == [4, 5]
    key, response = tmp_path / "novel.xml", tmp_path / "novel.conll"
    key.write_text(tei(MIA))
    words = "Mia\t(1)", "slept\t-", ".\t-", "She\t(1)", "dreamt\t-", ".\t-"
    rows = "".join(f"novel\t0\t0\t{word}\n" for word in words)
    response.write_text(f"#begin document (novel); part 000\n{rows}\n#end document\n")
    assert score(key, response, metrics="conll").conll == 1


def test_names_and_several_pointers_are_read() -> None:
    corpus = read(
        '<p><persName ref="#mia">Mia</persName> and <name key="bo">Bo</name>: '
        '<rs ref="#mia #bo">they</rs></p>'
    )
    assert corpus.entity_label == ("mia", "bo")
    assert entity_texts(corpus) == [["Mia", "they"], ["Bo", "they"]]


def test_a_mention_can_be_pointed_to() -> None:
    corpus = read(
        '<p><rs xml:id="inn">an inn</rs>, <rs ref="#inn" xml:id="m2">it</rs>, '
        '<rs ref="#m2">that</rs></p>'
    )
    assert corpus.entity_label == ("inn",)
    assert entity_texts(corpus) == [["an inn", "it", "that"]]


def test_pointers_may_go_in_a_circle() -> None:
    corpus = read(
        '<p><rs xml:id="a" ref="#b">Mia</rs> <rs xml:id="b" ref="#a">she</rs> '
        '<rs ref="#b">her</rs></p>'
    )
    assert entity_texts(corpus) == [["Mia", "she", "her"]]


def test_pieces_are_one_mention() -> None:
    corpus = read(
        '<p><rs ref="#m" id="u1">the old</rs> , so they said , '
        '<rs ref="#m" prev="u1">house</rs></p>'
    )
    starts, tokens = corpus.token_sets()
    assert tokens[starts[0] : starts[1]].tolist() == [0, 1, 7]
    assert len(corpus.mention_start) == 1


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ('<rs ref="#m" prev="u9">x</rs>', "there is no reference with the id 'u9'"),
        ('<rs ref="#n" prev="u1">x</rs>', "this piece of 'u1' refers to another en"),
        ('<rs ref="#m"> </rs>', "the reference to 'm' has no words"),
    ],
)
def test_pieces_and_mentions_that_cannot_be_are_refused(
    second: str, problem: str
) -> None:
    with pytest.raises(FormatError, match=problem) as caught:
        read(f'<p><rs ref="#m" id="u1">the old</rs>\n{second}</p>')
    assert caught.value.line == 5


def test_references_without_an_entity_are_counted() -> None:
    corpus = read('<p><rs ref="#mia">Mia</rs> <rs reef="#mia">she</rs></p>')
    assert entity_texts(corpus) == [["Mia"]]
    assert corpus.notes[0].message == (
        "warning: novel.xml: 1 element <rs> has no 'ref' and was left out."
    )


def test_blocks_are_sentences_and_words_are_tokens() -> None:
    corpus = read(
        '<head>One</head><lg><l>Mia</l><l>slept</l></lg><p>a<lb break="no"/>way<lb/>'
        "<w>don</w><w>n't</w> <choice><sic>teh</sic><corr>the</corr></choice>"
        '<rs ref="#m">end</rs></p>'
    )
    assert corpus.tokens is not None
    words = ["One", "Mia", "slept", "away", "don", "n't", "the", "end"]
    assert corpus.tokens.word.strings() == words
    assert corpus.tokens.sentence.tolist() == [0, 1, 2, 3, 3, 3, 3, 3]


def test_words_have_the_lines_of_the_file() -> None:
    corpus = read("<p>Mia\nslept</p>\n<p>and <hi>she</hi>\n<hi>dreamt</hi></p>")
    assert corpus.tokens is not None
    words = zip(corpus.tokens.word.strings(), corpus.tokens.line.tolist(), strict=True)
    assert dict(words) == {"Mia": 4, "slept": 5, "and": 6, "she": 6, "dreamt": 7}


def test_a_corpus_has_several_documents() -> None:
    one = f'<TEI xml:id="a">{HEADER}<text>{MIA}</text></TEI>'
    two = one.replace('"a"', '"b"')
    data = f"<teiCorpus>{one}{two}</teiCorpus>".encode()
    corpus = read_data(data, source="x.xml", role="key")
    assert [name.name for name in corpus.documents] == ["a", "b"]
    assert entity_texts(corpus) == [["Mia", "She"], ["Mia", "She"]]


def test_hostile_and_other_files_are_refused() -> None:
    entity = '<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]><TEI>'
    for text, problem in (
        (entity, "DOCTYPE is not allowed here"),
        (tei(MIA)[:-20], "this is not XML: unclosed token"),
        (tei("<p>Mia slept.</p>").replace(HEADER, ""), "this file has no coreference"),
        ("<TEI><standOff><rs ref='#a'/></standOff></TEI>", "this file has no <text>"),
    ):
        with pytest.raises(FormatError, match=problem):
            read_data(text.encode(), source="x.xml", role="key")
