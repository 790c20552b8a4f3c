"""Where the CorefUD scorer does what one would not expect, with its figures.

The numbers Q1, Q2, … are those of the description of the official scorer. Figures
are its own, unless a test says that scoref differs and how.
"""

from __future__ import annotations

import pytest

from scoref import AlignmentError
from support.corefud import (
    conll,
    corefud,
    lines_of,
    mentions_in,
    percentages,
    read,
    scored,
)

NINE = "w w w w w w w w w"
ALL = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
FULL = (100.0, 100.0, 100.0)
NOTHING = (0.0, 0.0, 0.0)

# Q1: the response has a zero too many before two correct ones.
SHIFTED = (
    corefud("w w w 3.1/4:nsubj 3.2/4:obj w w w w", e1="1 3.1", e2="2 3.2", e3="6"),
    corefud(
        "w w w 3.1/7:obl 3.2/4:nsubj 3.3/4:obj w w w w",
        e3="6 3.1",
        e1="1 3.2",
        e2="2 3.3",
    ),
)
# Q2: two zeros change places, and take their dependencies with them.
EXCHANGED = (
    corefud("w w w 3.1/2:nsubj 3.2/2:obj w w w", e1="1 3.1", e2="5 3.2"),
    corefud("w w w 3.1/2:obj 3.2/2:nsubj w w w", e1="1 3.2", e2="5 3.1"),
)


def test_q1_one_dictionary_for_both_directions_loses_a_zero() -> None:
    result = scored(*SHIFTED)
    assert percentages(result, "muc", "bcub", "ceafe") == {
        "muc": (50.00, 66.67, 57.14),
        "bcub": (75.00, 75.00, 75.00),
        "ceafe": (75.00, 50.00, 60.00),
    }
    assert percentages(result, "blanc")["blanc"][2] == 45.00
    assert conll(result) == 64.05


def test_q1_a_true_one_to_one_alignment_loses_nothing() -> None:
    result = scored(*SHIFTED, "crac-corrected")
    expected = (100.00, 66.67, 80.00)
    assert percentages(result, "muc", "bcub", "ceafe") == {
        "muc": expected,
        "bcub": expected,
        "ceafe": expected,
    }
    assert percentages(result, "blanc")["blanc"][2] == 65.00
    assert conll(result) == 80.00


def test_q2_the_score_of_zeros_prefers_the_place_to_the_dependencies() -> None:
    result = scored(*EXCHANGED)
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)
    assert percentages(result, "zero") == {"zero": NOTHING}
    assert conll(result) == 100.00


def test_q2_the_corrected_score_of_zeros_follows_the_alignment() -> None:
    result = scored(*EXCHANGED, "crac-corrected")
    assert percentages(result, *ALL, "zero") == dict.fromkeys([*ALL, "zero"], FULL)


def test_q3_the_later_entity_owns_a_mention_of_two() -> None:
    text = corefud(NINE, e1="1 3", e2="3 4 6")
    result = scored(text, text)
    f1 = {name: figures[2] for name, figures in percentages(result, *ALL).items()}
    assert f1 == {
        "muc": 66.67,
        "bcub": 80.00,
        "ceafe": 100.00,
        "ceafm": 100.00,
        "blanc": 62.50,
        "lea": 60.00,
    }
    assert percentages(result, "mor") == {"mor": FULL}
    assert conll(result) == 82.22


def test_q3_blanc_is_not_symmetric_then() -> None:
    sides = corefud(NINE, e1="1 3", e2="4 6"), corefud(NINE, e1="1 3", e2="3 4 6")
    assert percentages(scored(*sides), "blanc")["blanc"][2] == 36.67
    assert percentages(scored(*sides[::-1]), "blanc")["blanc"][2] == 73.33


def test_q3_blanc_may_exceed_one() -> None:
    key = corefud(NINE, e1="1 3", e2="1 3", e3="5 6")
    response = corefud(NINE, e1="1 3", e3="5 6")
    expected = {"blanc": (83.33, 175.00, 110.00)}
    assert percentages(scored(key, response), "blanc") == expected


def test_q3_of_equal_spans_the_entity_with_the_greater_name_is_the_later() -> None:
    def order(**entities: str) -> list[str]:
        return list(mentions_in(read(corefud(NINE, **entities))))

    assert order(e9="1 3", e10="1 4") == ["e10", "e9"]
    assert order(e2="1 3", e3="1 4") == ["e2", "e3"]


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (corefud("w w w w w w", e1="1 3 6"), corefud("w w w w", e1="1 3")),
        (corefud("w w", "w w", e1="1 2:1"), corefud("w w", e1="1 2")),
        (corefud("w w", "@b w w", e1="1 2"), corefud("w w", e1="1 2")),
        (corefud("w w", e1="1 2"), corefud("w w", "@b w w", e1="1 2")),
    ],
    ids=["fewer words", "fewer sentences", "fewer documents", "more documents"],
)
def test_q4_texts_of_different_length_are_refused(key: str, response: str) -> None:
    # The official scorer compares as far as the shorter side goes.
    with pytest.raises(AlignmentError):
        scored(key, response)


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n\n\n"])
@pytest.mark.parametrize("start", ["", "\n"])
def test_q5_line_breaks_at_either_end_do_not_matter(start: str, end: str) -> None:
    text = corefud(NINE, e1="1 3", e2="4 6")
    result = scored(start + text.strip("\n") + end, text)
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)


def test_q6_a_file_without_newdoc_is_one_document() -> None:
    text = corefud(NINE, NINE, e1="1 2:3").replace("# newdoc id = d\n", "")
    result = scored(text, text)
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)
    assert result.documents == ("",)


def test_q6_without_mentions_everything_is_0() -> None:
    text = corefud(NINE).replace("# newdoc id = d\n", "")
    result = scored(text, text)
    assert percentages(result, *ALL) == dict.fromkeys(ALL, NOTHING)


@pytest.mark.parametrize("zeros", ["dependent", "linear"])
def test_q7_zeros_without_dependencies_match_by_their_place(zeros: str) -> None:
    text = corefud("w w w 3.1/_ w", e1="1 3.1")
    result = scored(text, text, zeros=zeros)
    assert percentages(result, *ALL, "zero") == dict.fromkeys([*ALL, "zero"], FULL)


def test_q7_one_side_without_dependencies_is_enough() -> None:
    key = corefud("w w w 3.1/4:obj w", e1="1 3.1")
    response = corefud("w w w 3.1/_ w", e1="1 3.1")
    assert conll(scored(key, response)) == conll(scored(response, key)) == 100.00


@pytest.mark.parametrize("a", [1, 2, 7, 19])
def test_q10_ties_go_by_the_words_of_mentions(a: int) -> None:
    # The official scorer leaves them to the order of a set; here A, with the
    # smaller second word, goes first.
    words = "w " * (a + 9)
    key = corefud(words, e1=f"{a}-{a + 4} {a + 6}")
    first, second = f"{a},{a + 1},{a + 3}", f"{a},{a + 2},{a + 3}"
    good = corefud(words, e1=f"{first} {a + 6}", e2=f"{second} {a + 7}")
    bad = corefud(words, e1=f"{second} {a + 6}", e2=f"{first} {a + 7}")
    assert percentages(scored(key, good), "muc") == {"muc": (100.0, 50.0, 66.67)}
    assert percentages(scored(key, bad), "muc") == {"muc": NOTHING}


def test_q11_the_longer_of_two_spans_around_a_head_wins() -> None:
    key = corefud(NINE, e1="3 8")
    far = corefud(NINE, e1="2-4*2 8", e2="1-5*3 9")
    near = corefud(NINE, e1="1-5*3 8", e2="2-4*2 9")
    assert percentages(scored(key, far), "muc") == {"muc": NOTHING}
    assert conll(scored(key, far)) == 22.22
    assert conll(scored(key, near)) == 66.67


@pytest.mark.parametrize(
    ("match", "expected"), [("head", 25.00), ("partial", 100.00), ("exact", 100.00)]
)
def test_q12_the_same_span_with_another_head_is_no_match(
    match: str, expected: float
) -> None:
    key, response = corefud(NINE, e1="1-3*1 8"), corefud(NINE, e1="1-3*3 8")
    assert conll(scored(key, response, match=match)) == expected


def test_q13_exact_match_is_not_exact_for_zeros() -> None:
    assert conll(scored(*EXCHANGED, match="exact")) == 100.00
    linear = scored(*EXCHANGED, match="exact", zeros="linear")
    assert percentages(linear, "muc") == {"muc": NOTHING}


def test_q14_an_entity_that_loses_its_zero_stays_with_one_mention() -> None:
    key = corefud("w w w w w w 3.1/1:obj", e1="1 3", e2="5 3.1")
    result = scored(key, corefud("w w w w w w", e1="1 3"), zeros="drop")
    assert percentages(result, "bcub", "ceafe") == {
        "bcub": (66.67, 100.00, 80.00),
        "ceafe": (50.00, 100.00, 66.67),
    }
    assert conll(result) == 82.22


def test_q14_an_entity_of_zeros_alone_is_gone() -> None:
    # The official scorer divides by zero.
    key = corefud("w w w 3.1/1:obj 3.2/1:obl w", e1="1 3", e2="3.1 3.2")
    result = scored(key, corefud("w w w w", e1="1 3"), zeros="drop")
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)
    assert percentages(result, "zero") == {"zero": NOTHING}


def test_q15_singletons_have_no_links() -> None:
    text = corefud(NINE, e1="1", e2="3")
    result = scored(text, text, singletons="keep")
    expected = dict.fromkeys(ALL, FULL) | {"muc": NOTHING}
    assert percentages(result, *ALL) == expected
    assert conll(result) == 66.67


def test_q15_one_singleton_has_no_pairs_at_all() -> None:
    text = corefud(NINE, e1="1")
    result = scored(text, text, singletons="keep")
    expected = dict.fromkeys(ALL, FULL) | {"muc": NOTHING, "blanc": NOTHING}
    assert percentages(result, *ALL) == expected


@pytest.mark.parametrize("key", [{"e1": "1", "e2": "3"}, {}])
def test_q15_where_nothing_is_left_everything_is_0(key: dict[str, str]) -> None:
    response = corefud(NINE, e1="1", e2="3")
    result = scored(corefud(NINE, **key), response)
    assert percentages(result, *ALL, "mor") == dict.fromkeys([*ALL, "mor"], NOTHING)


def test_q15_one_entity_has_no_pairs_across() -> None:
    text = corefud(NINE, e1="1 3")
    assert percentages(scored(text, text), "blanc") == {"blanc": FULL}


def test_q15_two_singletons_that_were_joined() -> None:
    key, response = corefud(NINE, e1="1", e2="3"), corefud(NINE, e1="1 3")
    result = scored(key, response, singletons="keep")
    assert percentages(result, "bcub", "ceafe", "blanc", "lea") == {
        "bcub": (100.00, 50.00, 66.67),
        "ceafe": (33.33, 66.67, 44.44),
        "blanc": NOTHING,
        "lea": NOTHING,
    }


def test_q16_blanc_counts_links_that_only_the_response_has() -> None:
    names = dict(zip(("a", "b", "c", "d", "e", "f"), "123456", strict=True))
    sides = corefud(NINE, **names), corefud(NINE, a="1 2 3", b="4 5", c="6")
    official = scored(*sides, match="exact", singletons="keep")
    reference = scored(*sides, match="exact", singletons="keep", blanc="reference")
    assert percentages(official, "blanc") == {"blanc": (36.67, 50.00, 42.31)}
    assert percentages(reference, "blanc") == {"blanc": (73.33, 100.00, 84.62)}


def test_q17_opened_and_closed_at_one_word_goes_on_to_the_end() -> None:
    text = lines_of("Entity=(e1-x-1(e2-x-1)e1)", *"_____")
    assert mentions_in(read(text)) == {"e1": ["1:1,2,3,4,5,6*1"], "e2": ["1:1*1"]}


def test_q21_a_free_attribute_may_stand_before_other() -> None:
    header = "eid-etype-infstat-head-other"
    text = lines_of("Entity=(e1-x-giv-2-a:b", "Entity=e1)", header=header)
    assert mentions_in(read(text)) == {"e1": ["1:1,2*2"]}


def test_q21_a_last_piece_may_say_nothing_of_the_head() -> None:
    text = lines_of("Entity=(e1[1/2]-x-1)", "_", "Entity=(e1[2/2])")
    assert mentions_in(read(text)) == {"e1": ["1:1,3*1"]}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# sent_id = s1", "# sent_id = doc/1"),
        ("# sent_id = s2", "# sent_id = s1"),
        ("\t0\t_\t_\tEntity", "\t1\t_\t_\tEntity"),
        ("Entity=(e1", "Bridge=e8<e9|SplitAnte=e7<e6|Entity=(e1"),
        ("2:obj", "1.10:obj"),
    ],
    ids=["sent_id", "sent_ids", "HEAD", "relations", "DEPS"],
)
def test_q21_what_is_no_matter_of_coreference_does_no_harm(old: str, new: str) -> None:
    text = corefud("w w 1.1/2:obj", "w w", e1="1 2:2", e2="2 1.1").replace(old, new)
    assert new in text
    assert conll(scored(text, text)) == 100.00


def test_q22_the_tenth_empty_node_is_not_the_first() -> None:
    # They are one word for the official scorer, and repeat each other.
    text = corefud("w 1.1/1:obj 1.10/1:obl w", e1="1.1 1.10")
    assert mentions_in(read(text)) == {"e1": ["1:1.1*1", "1:1.10*1"]}
    assert conll(scored(text, text)) == 100.00


def test_q23_an_entity_of_two_documents_is_two() -> None:
    across = corefud("@a w w w", "@b w w w", e1="1 2:1", e2="2 3")
    apart = corefud("@a w w w", "@b w w w", e1="1", e3="2:1", e2="2 3")
    for singletons in ("keep", "drop"):
        result = scored(across, apart, singletons=singletons)
        assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)


@pytest.mark.parametrize(
    ("match", "recall"), [("exact", 100.00), ("partial", 100.00), ("head", 33.33)]
)
def test_q29_mor_depends_on_the_match_through_what_repeats(
    match: str, recall: float
) -> None:
    key = corefud(NINE, e1="1-2*1 1-2*2", e2="4 6")
    result = scored(key, corefud(NINE, e2="4 6"), match=match)
    assert percentages(result, "mor")["mor"][0] == recall


def test_a_false_zero_is_false_in_each_entity_that_lists_it() -> None:
    words = "w w w w 4.1/2:nsubj 4.2/3:obj"
    key = corefud(words, a="1 4.1", b="2 3")
    response = corefud(words, a="1 4.1 4.2", b="2 4.2 3")
    found = percentages(scored(key, response), "zero")
    assert found == {"zero": (100.00, 33.33, 50.00)}
