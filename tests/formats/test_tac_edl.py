"""TAC EDL and neleval: characters by number, and no text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import FormatError
from scoref.formats import detect, read_data
from span_lists import spans_of

if TYPE_CHECKING:
    from pathlib import Path

TAC = (
    "run1\tM1\tMia\ta:b:0-2\tNIL1\tPER\tNAM\t1.0\n"
    "run1\tM2\tBo\tc:5-6\tE77\tPER\tNAM\t1.0\n"
    "run1\tM3\tshe\ta:b:9-11\tNIL1\tPER\tPRO\t1.0\textra\n"
)
NELEVAL = "a:b\t0\t2\tNIL1\t1.0\tPER\nc\t5\t6\tE77\na:b\t9\t11\tNIL1\t0.5\tPER\n"


@pytest.mark.parametrize(("text", "name"), [(TAC, "tac-edl"), (NELEVAL, "neleval")])
def test_the_last_character_is_part_of_a_mention(text: str, name: str) -> None:
    data = text.encode()
    corpus = read_data(data, source="x.tab", role="key")
    assert (detect(data), corpus.format) == (name, name)
    assert spans_of(corpus) == {"a:b": [[(0, 2), (9, 11)]], "c": [[(5, 6)]]}
    assert corpus.entity_label == ("NIL1", "E77")
    assert corpus.document_tokens is None


def test_both_count_the_same(tmp_path: Path) -> None:
    (tmp_path / "key.tab").write_text(TAC)
    (tmp_path / "response.tab").write_text(NELEVAL)
    assert scoref.score(tmp_path / "key.tab", tmp_path / "response.tab").conll == 1


def test_characters_are_not_compared_with_tokens(tmp_path: Path) -> None:
    (tmp_path / "key.tab").write_text(TAC)
    rows = "document,entity,start,end\na:b,0,0,0\nc,0,5,5\n"
    (tmp_path / "response.csv").write_text(rows)
    with pytest.raises(scoref.ScorefError, match="are numbers of characters"):
        scoref.score(tmp_path / "key.tab", tmp_path / "response.csv")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("run1\tM1\tMia\ta:0\tNIL1\tPER\tNAM\t1.0\n", "this is no mention"),
        (
            "run1\tM1\tMia\ta:3-2\tE\tPER\tNAM\t1\n",
            "this mention ends before it starts",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        read_data((TAC + text).encode(), source="x", role="key", format="tac-edl")
    assert (error.value.problem, error.value.line) == (problem, 4)
    lenient = read_data(
        (TAC + text).encode(),
        source="x",
        role="key",
        format="tac-edl",
        reading="lenient",
    )
    assert len(lenient.mention_entity) == 3


@pytest.mark.parametrize("text", [TAC, NELEVAL])
def test_mentions_have_types_and_ids(text: str) -> None:
    corpus = read_data(text.encode(), source="x.tab", role="key")
    assert corpus.mention_kbid == ("NIL1", "NIL1", "E77")
    assert corpus.mention_type == ("PER", "PER", "PER" if text is TAC else "")


def test_a_table_without_types_has_none() -> None:
    corpus = read_data(b"a\t0\t2\tNIL1\n", source="x.tab", role="key")
    assert corpus.mention_type is None


def test_the_candidate_of_the_highest_score_counts() -> None:
    line = b"a\t0\t2\tE1\t0.25\tPER\tE2\t5e-1\tORG\tE3\t.5\tLOC\n"
    corpus = read_data(line, source="x.tab", role="key", format="neleval")
    assert corpus.entity_label == ("E2",)
    assert corpus.mention_type == ("ORG",)


def test_a_score_that_is_none_is_refused() -> None:
    with pytest.raises(FormatError, match="no mention"):
        read_data(b"a\t0\t2\tE1\thigh\tPER\n", source="x", role="key", format="neleval")
