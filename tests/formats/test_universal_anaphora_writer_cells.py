"""Universal Anaphora, written: what is put into which cell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoref import FormatError
from support.ua_files import (
    HEADER,
    anaphora_of,
    cells_of,
    conllu,
    put_into,
    read_back,
    ua,
    words_of,
)


def test_closings_are_bare_where_nothing_crosses() -> None:
    text = ua("1 (e1:m1(e2:m2", "2 m2)m1)", "3 (e1:m3)")
    assert cells_of(put_into(read_back(text), text)) == [
        "(EntityID=e1|MarkableID=m1(EntityID=e2|MarkableID=m2",
        "))",
        "(EntityID=e1|MarkableID=m3)",
    ]


def test_closings_have_names_all_through_a_file_where_two_cross() -> None:
    text = ua("1 (e1:m1", "2 )", "3 (e1:m3", "4 (e2:m4", "5 m3)", "6 m4)")
    assert cells_of(put_into(read_back(text), text))[1::2] == [
        *("m1)", "(EntityID=e2|MarkableID=m4", "m4)"),
    ]


def test_brackets_close_innermost_first_and_open_longest_first() -> None:
    text = ua("1 (a:m1)(b:m2(c:m3", "2 )", "3 )(d:m4)(e:m5", "4 )")
    assert cells_of(put_into(read_back(text), text)) == [
        "(EntityID=b|MarkableID=m2(EntityID=c|MarkableID=m3(EntityID=a|MarkableID=m1)",
        ")",
        ")(EntityID=e|MarkableID=m5(EntityID=d|MarkableID=m4)",
        ")",
    ]


def test_a_mention_with_a_gap_is_written_in_parts() -> None:
    text = ua("1 (e1-Pseudo:m1|Min=1,2", "2 )", "3", "4 (e1-Pseudo:m1)")
    assert cells_of(put_into(read_back(text), text)) == [
        "(EntityID=e1-Pseudo|MarkableID=m1|Min=1,2",
        ")",
        "_",
        "(EntityID=e1-Pseudo|MarkableID=m1|Min=1,2)",
    ]


def test_a_minimum_with_a_gap_is_not_written() -> None:
    text = ua("1 (e1:m1|Min=1,3", "2", "3 )")
    corpus = read_back(text)
    words = words_of(corpus)
    assert words.minimum is not None
    start = np.array([0, 2])
    minimum = words.minimum._replace(start=start, member=words.minimum.member[[0, 2]])
    changed = replace(corpus, words=words._replace(minimum=minimum))
    assert cells_of(put_into(changed, text))[0] == "(EntityID=e1|MarkableID=m1"


def test_markables_without_a_name_of_their_own_are_numbered() -> None:
    text = ua("1 (e1:m1)", "2 (e2:m2)", "3 (e1:m3) (MarkableID=m3|MentionAnchor=m2)")
    corpus = read_back(text)
    twice = anaphora_of(corpus)._replace(markable=("m", "m", "n"))
    written = put_into(replace(corpus, anaphora=twice), text)
    assert cells_of(written)[1] == "(EntityID=e2|MarkableID=markable_3)"
    assert cells_of(written, 11)[2] == (
        "(MarkableID=markable_2|MentionAnchor=markable_3)"
    )


def test_bridging_stays_where_the_corpus_knows_of_none() -> None:
    text = ua("1 (e1:m1) (MarkableID=m1|MentionAnchor=m1)")
    corpus = read_back(text)
    assert cells_of(put_into(replace(corpus, anaphora=None), text), 11) == cells_of(
        text, 11
    )
    none = ua("1 (e1:m1)")
    assert cells_of(put_into(read_back(none), text), 11) == ["_"]


def test_a_relation_that_cannot_be_written_is_refused() -> None:
    text = ua("1 (e1:m1) (MarkableID=m1|MentionAnchor=m1)")
    corpus = read_back(text)
    odd = replace(corpus, anaphora=anaphora_of(corpus)._replace(relation=("a b",)))
    with pytest.raises(FormatError, match="the relation 'a b' cannot be written"):
        put_into(odd, text)


def test_deixis_is_written_into_its_own_column() -> None:
    text = ua("1 (e1:m1) _ (x:m7)", "2")
    corpus = read_back(text, deixis=True)
    base = ua("1 (e1:m1)", "2 junk")
    written = put_into(corpus, base, deixis=True)
    assert cells_of(written) == cells_of(base)
    assert cells_of(written, 12) == ["(EntityID=x|MarkableID=m7)", "_"]


def test_columns_and_the_header_are_added_where_they_lack() -> None:
    corpus = read_back(ua("1 (e1:m1)", "2"))
    plain = "# newdoc id = d\r\n" + conllu("1", "2").replace("\n", "\r\n")
    written = put_into(corpus, "\N{ZERO WIDTH NO-BREAK SPACE}" + plain)
    assert written.startswith(
        "\N{ZERO WIDTH NO-BREAK SPACE}" + HEADER.strip() + "\r\n#"
    )
    cell = "\t(EntityID=e1|MarkableID=m1)\t_\t_\t_\t_\r\n"
    assert written.endswith(
        plain.replace("A=1\r\n2", "A=1" + cell + "2").replace(
            "A=1\r\n\r", "A=1" + "\t_" * 5 + "\r\n\r"
        )
    )


def test_a_header_with_other_columns_gets_those_that_lack() -> None:
    corpus = read_back(ua("1 (e1:m1)", "2"))
    base = "# global.columns = ID IDENTITY FORM\n# newdoc id = d\n1 x  w1\n 2 _ w2 \n"
    assert put_into(corpus, base) == (
        "# global.columns = ID IDENTITY FORM BRIDGING\n# newdoc id = d\n"
        "1 (EntityID=e1|MarkableID=m1)  w1 _\n 2 _ w2 _ \n"
    )
