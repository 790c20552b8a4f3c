"""Mentions that cross, compared with all pairs one by one.

What the reference scorer reads differently, and CorefUD heads that do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.formats.reading import read_data
from scoref.matching import ragged
from scoref.tools.check.check import check_data
from scoref.tools.check.mentions import crossing_pairs
from support.bad_files import CONLL, conll
from support.bad_files import corefud as corefud_words
from support.corefud import corefud

if TYPE_CHECKING:
    from scoref.model import Corpus


_NODES = 7

_SPANS = st.lists(
    st.tuples(st.integers(0, _NODES - 1), st.integers(0, _NODES - 1)).map(sorted),
    min_size=1,
    max_size=10,
)

_SETS = st.lists(
    st.sets(st.integers(1, _NODES), min_size=1, max_size=4), min_size=1, max_size=6
)


def _first_crossed(sets: list[set[int]]) -> list[tuple[int, int]]:
    """Compare mentions, in the order of the text, with all before them."""
    pairs = []
    for row, ours in enumerate(sets):
        for other, theirs in enumerate(sets[:row]):
            if ours & theirs and ours - theirs and theirs - ours:
                pairs.append((row, other))
                break
    return pairs


def _crossing_words(corpus: Corpus) -> list[tuple[set[int], set[int]]]:
    """Return the words of mentions that cross."""
    return [
        (_words(corpus, row), _words(corpus, other))
        for row, other in crossing_pairs(corpus)
        if other is not None
    ]


def _words(corpus: Corpus, row: int) -> set[int]:
    if corpus.words is None:
        return set(range(corpus.mention_start[row], corpus.mention_end[row] + 1))
    words = corpus.words
    member = words.member[words.start[row] : words.start[row + 1]]
    return {code >> 12 & 15 for code in member.tolist()}


@given(entities=st.lists(_SPANS, min_size=1, max_size=2))
def test_spans_cross_as_pairs_of_them_do(entities: list[list[list[int]]]) -> None:
    line = f'{{"doc_key": "d", "clusters": {entities}}}'.encode()
    corpus = read_data(line, source="x.jsonl", role="key")
    expected = []
    for spans in entities:
        ordered = sorted(spans, key=lambda span: (span[0], -span[1]))
        sets = [set(range(first, last + 1)) for first, last in ordered]
        expected += [(sets[row], sets[other]) for row, other in _first_crossed(sets)]
    assert _crossing_words(corpus) == expected


@given(mentions=_SETS)
def test_mentions_with_gaps_cross_as_sets_do(mentions: list[set[int]]) -> None:
    distinct = [set(words) for words in dict.fromkeys(map(frozenset, mentions))]
    entity = " ".join(",".join(map(str, sorted(words))) for words in distinct)
    data = corefud("w " * _NODES, e1=entity).encode()
    corpus = read_data(data, source="x.conllu", role="key", reading="lenient")
    rows = range(len(corpus.mention_entity))
    order = sorted(rows, key=lambda row: _place(corpus, row))
    sets = [_words(corpus, row) for row in order]
    crossing = {
        (frozenset(one), frozenset(other)) for one, other in _crossing_words(corpus)
    }
    crossed = {
        (frozenset(sets[row]), frozenset(sets[o])) for row, o in _first_crossed(sets)
    }
    assert crossing == crossed


def _place(corpus: Corpus, row: int) -> tuple[int, int]:
    return int(corpus.mention_start[row]), -int(corpus.mention_end[row])


def test_where_too_many_overlap_check_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ragged, "_MOST_PAIRS", 1)
    monkeypatch.setattr(ragged, "_USUAL", 0)
    data = corefud("w " * _NODES, e1="1,5 2-3,6")
    problems = check_data(data.encode(), source="x.conllu")
    assert [problem.rule for problem in problems] == ["too-many-overlaps"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            CONLL.replace(b"document (d)", b"document(d)"),
            "the reference scorer skips this document",
        ),
        (
            CONLL.replace(b"\nd\t0\t1", b"\n# note\nd\t0\t1"),
            "for the reference scorer this document has 8 tokens, not 7",
        ),
    ],
)
def test_a_document_that_the_reference_scorer_reads_differently_is_reported(
    data: bytes, message: str
) -> None:
    (problem,) = check_data(data, source="x")
    assert (problem.rule, problem.message) == ("reference-reading", message)


def test_other_mentions_of_the_reference_scorer_are_counted() -> None:
    (problem,) = check_data(conll("(x)", "(x)"), source="x")
    assert problem.message == (
        "in this document, the reference scorer finds 0 other mentions and misses 2"
    )


def test_heads_that_are_missing_are_counted() -> None:
    header = "# global.Entity = eid\n"
    data = corefud_words("1=(e1", "2=e1)", "3=(e1)", "4=(e2", "5=e2)", header=header)
    messages = [problem.message for problem in check_data(data, source="x")]
    assert messages == [
        ("no mention has a head, so the first word is the head of 2 mentions")
    ]


def test_a_head_that_a_mention_of_one_word_cannot_have_is_marked() -> None:
    (problem,) = check_data(corefud_words("1=(e1-x-2)", "2=(e1-x-1)"), source="x")
    assert problem.message == "the head is word 2 of a mention of one word"
    assert problem.mark is not None
    assert problem.text[slice(*problem.mark)] == "(e1-x-2)"
