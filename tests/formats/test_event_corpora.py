"""ECB+ (markables with anchors are mentions, relations are entities) and MAVEN-ERE."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError
from scoref.formats.reading import read_data
from support.json_documents import RECORDS, read_records
from support.span_lists import read_file, spans_of, words_of, written

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus


TOKENS = "".join(
    f'<token t_id="{n}" sentence="{n // 4}" number="0">{word}</token>\n'
    for n, word in enumerate(("Mia", "&amp;", "Bo", "left", "they", "went"), start=1)
)

MARKABLES = """<Markables>
<HUMAN m_id="1"><token_anchor t_id="1"/><token_anchor t_id="3"/></HUMAN>
<HUMAN_PART_PER m_id="2"><token_anchor t_id="5"/></HUMAN_PART_PER>
<ACTION_OCCURRENCE m_id="3"><token_anchor t_id="4"/></ACTION_OCCURRENCE>
<NEG_ACTION_OCCURRENCE m_id="4"><token_anchor t_id="6"/></NEG_ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="8" RELATED_TO="" TAG_DESCRIPTOR="t1_they" instance_id="HUM1"/>
<UNKNOWN_INSTANCE_TAG m_id="9" TAG_DESCRIPTOR="x"/>
</Markables>
"""

RELATIONS = """<Relations>
<CROSS_DOC_COREF r_id="7" note="HUM1">
<source m_id="1"/><source m_id="2"/><target m_id="8"/></CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="6"><source m_id="3"/><target m_id="9"/></INTRA_DOC_COREF>
</Relations>
"""


def document(
    *, name: str = "1_1ecb", tokens: str = TOKENS, rest: str = MARKABLES + RELATIONS
) -> str:
    return f'<Document doc_name="{name}.xml" doc_id="D1">\n{tokens}{rest}</Document>\n'


def read(text: str) -> Corpus:
    return read_data(text.encode(), source="1_1ecb.xml", role="key", with_tokens=True)


def test_entities_are_relations_and_mentions_without_one() -> None:
    corpus = read(document())
    assert spans_of(corpus) == {"1_1ecb": [[(0, 2), (4, 4)], [(3, 3)], [(5, 5)]]}
    assert corpus.entity_label == ("HUM1", "1_1ecb.xml#r6", "1_1ecb.xml#m4")
    assert words_of(corpus) == ["Mia", "&", "Bo", "left", "they", "went"]
    assert corpus.tokens is not None
    assert corpus.tokens.sentence.tolist() == [0, 0, 0, 1, 1, 1]
    assert corpus.documents[0].aliases == ("1_1ecb", "1_1ecb.xml")


def test_the_share_of_events_is_noted_and_gaps_are_kept() -> None:
    corpus = read(document())
    (note,) = corpus.notes
    assert note.message.startswith(
        "1_1ecb.xml has 2 mentions of events and 2 of entities."
    )
    assert corpus.pieces is not None
    assert corpus.pieces.member.tolist() == [0, 2, 4, 3, 5]


def test_events_or_entities_can_be_read_alone(tmp_path: Path) -> None:
    folder = str(written(tmp_path, a__xml=document()))
    found = {
        kind: scoref.score(folder, folder, markables=kind, metrics="mentions")
        for kind in ("events", "entities")
    }
    assert {
        kind: int(each.counts["mentions"][0][1]) for kind, each in found.items()
    } == {
        "events": 2,
        "entities": 2,
    }
    assert "|markables:events|" in found["events"].signature


def test_what_says_which_part_to_read_is_refused_elsewhere(tmp_path: Path) -> None:
    folder = str(written(tmp_path, a__xml=document()))
    with pytest.raises(
        scoref.OptionError,
        match="is only for label-studio, cas-json, doccano, prodigy, webanno, cas-xmi",
    ):
        scoref.score(folder, folder, relations="coref")


def test_entities_go_on_in_other_documents(tmp_path: Path) -> None:
    written(tmp_path / "1", a__xml=document(), b__xml=document(name="1_2ecb"))
    assert [*spans_of(read_file(tmp_path))] == ["1/a", "1/b"]
    split = RELATIONS.replace("HUM1", "HUM2")
    response = tmp_path / "response" / "1"
    written(
        response,
        a__xml=document(),
        b__xml=document(name="1_2ecb", rest=MARKABLES + split),
    )
    key = str(tmp_path / "1")
    assert scoref.score(key, response).conll == 1
    across = scoref.score(key, response, scope="corpus")
    assert across.scores["muc"].recall == 2 / 3
    assert not any(note.kind == "gaps" for note in across.notes)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (document()[:-30], 19, "this is not XML: unclosed token"),
        (document(tokens=""), 3, "there is no token '1'"),
        (document(tokens=TOKENS, rest="").replace('t_id="2"', 't_id="1"'), 3,
         "this token has no number of its own, or no sentence"),
        (document().replace('source m_id="2"', 'source m_id="5"'), 17,
         "there is no markable '5'"),
        (document(tokens="", rest=""), None, "this file has no token"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_line(
    text: str, line: int | None, problem: str
) -> None:
    with pytest.raises(FormatError) as error:
        read(text)
    assert error.value.problem == problem
    assert error.value.line == line


def test_entities_of_xml_are_not_expanded() -> None:
    text = document()
    bomb = '<?xml version="1.0"?><!DOCTYPE Document [<!ENTITY a "b">]>\n'
    with pytest.raises(FormatError, match="DOCTYPE is not allowed here"):
        read(bomb + text)


def test_ids_are_the_response_of_maven_ere_if_a_file_has_any() -> None:
    key = RECORDS["maven-ere"]
    both = {**key, "coreference": [["m"], ["n"]]}
    assert len(read_records(both).entity_label) == 1
    assert len(read_records(both, role="response").entity_label) == 2
    with pytest.raises(FormatError, match="document 'e' has no 'coreference'"):
        read_records(both, {**key, "id": "e"}, role="response")
