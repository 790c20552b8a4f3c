"""LitBank in its two forms with a text beside them: brat and a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scoref import FormatError
from support.span_lists import read_file, spans_of, words_of, written

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Mia saw Bo .\nShe left him .\n"
BRAT = (
    "T1\tPROP_PER 0 3\tMia\n"
    "T2\tMia-0 0 3\tMia\n"
    "T3\tPROP_PER 8 10\tBo\n"
    "T4\tMia-1 8 10\tBo\n"
    "T5\tPRON_PER 13 16\tShe\n"
    "T6\tMia-0 13 16\tShe\n"
    "T7\tPRON_PER 22 25\thim\n"
    "R1\tcop Arg1:T7 Arg2:T1\n"
)
TABLE = (
    "COREF\tT5\tMia-0\n"
    "MENTION\tT1\t0\t0\t0\t0\tMia\tPER\tPROP\n"
    "MENTION\tT3\t0\t2\t0\t2\tBo\tPER\tPROP\n"
    "COREF\tT1\tMia-0\n"
    "COREF\tT3\tMia-1\n"
    "MENTION\tT5\t1\t0\t1\t0\tShe\tPER\tPRON\n"
    "MENTION\tT7\t1\t2\t1\t2\thim\tPER\tPRON\n"
    "COP\tT7\tT1\n"
)


@pytest.mark.parametrize(
    ("lines", "name"), [(BRAT, "litbank-brat"), (TABLE, "litbank-tsv")]
)
def test_an_entity_is_a_whole_label_and_others_are_singletons(
    tmp_path: Path, lines: str, name: str
) -> None:
    written(tmp_path, one__ann=lines, one__txt=TEXT)
    corpus = read_file(tmp_path / "one.ann")
    assert corpus.format == name
    assert spans_of(corpus) == {"one": [[(0, 0), (4, 4)], [(2, 2)], [(6, 6)]]}
    assert words_of(corpus) == TEXT.split()


def test_brat_that_is_not_litbanks_has_mentions_of_any_type(tmp_path: Path) -> None:
    lines = "T1\tPerson 0 3\tMia\nT2\tMia-0 0 3\tMia\n"
    written(tmp_path, one__ann=lines, one__txt=TEXT)
    corpus = read_file(tmp_path / "one.ann")
    assert (corpus.format, len(corpus.mention_entity)) == ("brat", 2)


def test_relations_may_stand_before_the_mentions_of_brat(tmp_path: Path) -> None:
    lines = "R1\tCoref Arg1:T2 Arg2:T1\nT1\tMention 0 3\tMia\nT2\tMention 13 16\tShe\n"
    written(tmp_path, one__ann=lines, one__txt=TEXT)
    assert spans_of(read_file(tmp_path / "one.ann")) == {"one": [[(0, 0), (4, 4)]]}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "MENTION\tT9\t0\t9\t0\t9\tx\tPER\tPROP",
            "there are no words 0 9 0 9 in the text",
        ),
        (
            "MENTION\tT9\t9\t0\t9\t0\tx\tPER\tPROP",
            "there are no words 9 0 9 0 in the text",
        ),
        (
            "MENTION\tT9\t0\t-1\t0\t0\tx\tPER\tPROP",
            "there are no words 0 -1 0 0 in the text",
        ),
        ("MENTION\tT9\t0\t0\t0\t1\tMia\tPER\tPROP", "this is 'Mia saw' in the text"),
        ("MENTION\tT9\t0\t0", "this is no line of LitBank's annotations"),
        ("MENTION\tT1\t0\t0\t0\t0\tMia\tPER\tPROP", "T1 comes a second time"),
        ("COREF\tT9\tMia-0", "there is no mention T9"),
    ],
)
def test_what_cannot_be_read_of_the_table_is_refused_with_its_line(
    tmp_path: Path, line: str, problem: str
) -> None:
    written(tmp_path, one__ann=f"{TABLE}{line}\n", one__txt=TEXT)
    with pytest.raises(FormatError) as error:
        read_file(tmp_path / "one.ann")
    assert (error.value.problem, error.value.line) == (problem, 9)
