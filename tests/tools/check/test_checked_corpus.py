"""A view of a file: words, lines and tokens of its mentions."""

from __future__ import annotations

from scoref.tools.check.check import check_data, views_of
from scoref.tools.check.reading import read_file
from support.bad_files import CONLL, COREFUD, JSON, conll


def test_words_are_shown_and_long_mentions_cut() -> None:
    cells = ["(0|(0", *["-"] * 30, "0)|0)", "(0)"]
    (problem,) = check_data(conll(*cells), source="x")
    assert problem.message.startswith("entity 0 lists 'w0 w1 w2 ")
    assert len(problem.message) < 80


def test_a_mention_has_a_label_words_and_a_line_in_every_format() -> None:
    for data, label, words, line in (
        (CONLL, "1", "'w5 w6'", 7),
        (COREFUD, "e2", "'w2 w3'", 4),
        (JSON, "0", "'a b'", 1),
    ):
        (view,) = views_of(read_file(data, source="x", format_name=None))
        shown = {
            (view.label(row), view.words(row), view.line(row))
            for row in range(len(view.corpus.mention_entity))
        }
        assert (label, words, line) in shown


def test_equal_mentions_have_the_same_number() -> None:
    data = conll("(0)|(1)|(0)", "(0)", "(1)")
    (view,) = views_of(read_file(data, source="x", format_name=None))
    spans = zip(view.corpus.mention_start, view.number, strict=True)
    assert len(set(spans)) == len(set(view.number.tolist())) == 3
    assert len(view.number) == 5


def test_a_byte_is_in_the_line_that_starts_before_it() -> None:
    (view,) = views_of(read_file(CONLL, source="x", format_name=None))
    assert [view.line_at(at) for at in (0, CONLL.index(b"\n"), len(CONLL) - 2)] == [
        *(1, 1),
        CONLL.count(b"\n"),
    ]


def test_the_header_says_which_field_is_the_entity() -> None:
    header = b"# global.Entity = etype-head-eid"
    data = COREFUD.replace(b"# global.Entity = eid-etype-head", header)
    (view,) = views_of(read_file(data, source="x", format_name="corefud"))
    assert (view.entity_field, view.head_field) == (2, 1)
