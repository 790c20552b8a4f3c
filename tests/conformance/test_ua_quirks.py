"""Where the Universal Anaphora scorer does what one would not expect, with figures.

The numbers Q8, Q10, … are those of the description of the official scorer. Figures are
its own, unless a test says that scoref differs and how. Q9 is tested with the split
antecedents, Q26 with bridging, Q27 and Q30 with the command.
"""

from __future__ import annotations

import pytest

from scoref import AlignmentError
from support.corefud import conll, percentages
from support.universal_anaphora import documents, scored, text_of, universal

ALL = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
FULL = (100.0, 100.0, 100.0)
NOTHING = (0.0, 0.0, 0.0)
EIGHT = "w w w w w w w w"


def test_q8_without_split_antecedents_a_mention_may_count_twice() -> None:
    key = universal(EIGHT, e1="1 3", e2="5 6")
    response = universal(EIGHT, e1="1 1 3", e2="5 6")
    result = scored(key, response, split_antecedents="drop")
    assert percentages(result, "ceafe", "ceafm", "blanc") == {
        "ceafe": (90.00, 90.00, 90.00),
        "ceafm": (100.00, 80.00, 88.89),
        "blanc": (100.00, 58.33, 73.33),
    }
    assert conll(result) == 96.67


def test_q8_with_split_antecedents_it_counts_once() -> None:
    key = universal(EIGHT, e1="1 3", e2="5 6")
    response = universal(EIGHT, e1="1 1 3", e2="5 6")
    assert percentages(scored(key, response), *ALL) == dict.fromkeys(ALL, FULL)


def test_q8_a_doubled_singleton_survives_without_split_antecedents() -> None:
    key, response = universal(EIGHT, e1="1 3"), universal(EIGHT, e1="1 3", e2="6 6")
    result = scored(key, response, singletons="drop", split_antecedents="drop")
    assert percentages(result, "bcub")["bcub"][1] == 50.00


def test_q8_a_doubled_singleton_survives_with_split_antecedents() -> None:
    # Singletons are dropped before repeats, so one mention is left.
    key, response = universal(EIGHT, e1="1 3"), universal(EIGHT, e1="1 3", e2="6 6")
    result = scored(key, response, singletons="drop")
    assert percentages(result, "muc", "bcub", "ceafe", "ceafm") == {
        "muc": FULL,
        "bcub": (100.00, 66.67, 80.00),
        "ceafe": (100.00, 50.00, 66.67),
        "ceafm": (100.00, 66.67, 80.00),
    }


def test_q8_repeats_are_dropped_if_so_asked() -> None:
    key = universal(EIGHT, e1="1 3", e2="5 6")
    response = universal(EIGHT, e1="1 1 3", e2="5 6")
    result = scored(key, response, split_antecedents="drop", duplicates="corefud")
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)


@pytest.mark.parametrize("a", [1, 2, 7, 19])
def test_q10_ties_go_by_the_words_of_mentions(a: int) -> None:
    # The official scorer leaves them to the order of a set; here A, with the
    # smaller second word, goes first.
    words = "w " * (a + 9)
    key = universal(words, e1=f"{a}-{a + 4}*{a} {a + 6}")
    first, second = f"{a},{a + 1},{a + 3}", f"{a},{a + 2},{a + 3}"
    good = universal(words, e1=f"{first} {a + 6}", e2=f"{second} {a + 7}")
    bad = universal(words, e1=f"{second} {a + 6}", e2=f"{first} {a + 7}")
    found = scored(key, good, match="partial"), scored(key, bad, match="partial")
    assert percentages(found[0], "muc") == {"muc": (100.00, 50.00, 66.67)}
    assert percentages(found[1], "muc") == {"muc": NOTHING}


def test_q14_an_entity_that_loses_its_zero_stays_with_one_mention() -> None:
    key = universal("w w w * w w w", e1="1 3", e2="5 3.1")
    response = universal("w w w w w w", e1="1 3")
    result = scored(key, response, singletons="drop", split_antecedents="drop")
    assert percentages(result, "bcub", "ceafe") == {
        "bcub": (66.67, 100.00, 80.00),
        "ceafe": (50.00, 100.00, 66.67),
    }
    assert conll(result) == 82.22


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("split_antecedents", ["keep", "drop"])
@pytest.mark.parametrize("match", ["exact", "partial", "craft"])
def test_q14_an_entity_of_zeros_alone_is_gone(
    singletons: str, split_antecedents: str, match: str
) -> None:
    # The official scorer divides by zero.
    key = universal("w w w * * w", e1="1 3", e2="3.1 3.2")
    response = universal("w w w w", e1="1 3")
    result = scored(
        key,
        response,
        singletons=singletons,
        split_antecedents=split_antecedents,
        match=match,
    )
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)


def test_q18_the_minimum_counts_in_every_metric() -> None:
    # In version 1 of the official scorer it counts for CEAF alone.
    key = universal(EIGHT, e1="1-3*2 5", e2="4 6-8*7")
    response = universal(EIGHT, e1="2 5", e2="4 6-7")
    result = scored(key, response, match="partial")
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)
    assert percentages(scored(key, response), "muc") == {"muc": NOTHING}


def test_q18_only_the_keys_minimum_counts() -> None:
    key = universal(EIGHT, e1="1-3 5")
    response = universal(EIGHT, e1="1-2*2 5")
    assert percentages(scored(key, response, match="partial"), "muc") == {
        "muc": NOTHING
    }


@pytest.mark.parametrize("named", [True, False])
def test_q19_both_notations_of_closing_brackets_are_read(named: bool) -> None:
    # The official scorer needs to be told, and scores nonsense otherwise.
    nested = documents(EIGHT, e1="1-4 2-3 6", e2="1 7-8", e3="5-6")
    result = scored(text_of(nested, named=named), text_of(nested, named=not named))
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)
    assert "1)" in text_of(nested) and "\t)" in text_of(nested, named=False)  # noqa: PT018


def test_q20_a_circle_of_elements_comes_to_an_end_and_is_noted() -> None:
    # The official scorer does not.
    texts = (
        documents("w w w w", a="1", b="2 of c", c="3 of a b"),
        documents("w w w w", a="1", b="2", c="3 of a"),
    )
    result = scored(*map(text_of, texts))
    assert percentages(result, "mentions") == {"mentions": FULL}
    (note,) = (each for each in result.notes if each.kind == "element-cycles")
    assert note.count == 2
    assert "key.ua: 2 split antecedents contain a cycle (first: b)" in note.message


def test_q20_an_element_of_itself_alone_stands_for_nothing() -> None:
    circle, plain = universal("w w", a="1 of a", b="2"), universal("w w", a="1", b="2")
    names = ("bcub", "ceafe", "ceafm", "blanc", "lea")
    assert percentages(scored(circle, plain), *names) == dict.fromkeys(names, FULL)


def test_q20_plurals_are_no_singletons_where_those_are_dropped() -> None:
    # The official scorer fails if split antecedents are kept without singletons.
    text = universal("w w w w", a="1", b="2", c="3 of a b", d="4")
    result = scored(text, text, singletons="drop")
    assert percentages(result, *ALL) == dict.fromkeys(ALL, FULL)
    assert result.counts["ceafm"].tolist() == [[2, 2, 2, 2]]  # the word and the plural


@pytest.mark.parametrize("match", ["partial", "craft"])
@pytest.mark.parametrize("zeros", ["linear", "drop"])
def test_q20_zeros_go_with_every_match(match: str, zeros: str) -> None:
    # The official scorer fails where a zero and a word are both unmatched.
    key = universal("w w w * w w", e1="1-2*1 3.1", e2="4 3")
    response = universal("w w * w w w", e1="1 2.1", e2="4 5")
    result = scored(key, response, match=match, zeros=zeros)
    found = {("linear", "mentions"): (50.00, 50.00, 50.00)}
    expected = found.get((zeros, "mentions"), (66.67, 66.67, 66.67))
    assert percentages(result, "mentions") == {"mentions": expected}


def test_q24_in_craft_whoever_comes_first_takes_the_key_mention() -> None:
    key = universal(EIGHT, e1="1-3 5", e2="6 7")
    response = universal(EIGHT, e1="2 5", e2="1 6 7")
    result = scored(key, response, match="craft")
    assert percentages(result, "bcub") == {"bcub": (75.00, 43.33, 54.93)}
    assert conll(result) == 53.31


def test_q24_in_craft_a_longer_mention_does_not_match() -> None:
    key, response = universal(EIGHT, e1="1 4"), universal(EIGHT, e1="1-2 4")
    assert conll(scored(key, response, match="craft")) == 25.00


@pytest.mark.parametrize(("has_line", "figures"), [(False, FULL), (True, NOTHING)])
def test_q25_lines_of_multiword_tokens_count_as_words(
    has_line: bool, figures: tuple[float, ...]
) -> None:
    texts = [universal(EIGHT, e1="3-4*3 6"), universal(EIGHT, e1="3 6")]
    if has_line:
        columns = "\t_" * 13
        texts = [text.replace("\n1\t", f"\n1-2\tww{columns}\n1\t") for text in texts]
        assert all("1-2" in text for text in texts)
    assert percentages(scored(*texts, match="partial"), "muc") == {"muc": figures}


def test_q25_the_sides_must_agree_on_multiword_tokens() -> None:
    text = universal(EIGHT, e1="3 6")
    with_line = text.replace("\n1\t", "\n1-2\tww" + "\t_" * 13 + "\n1\t")
    with pytest.raises(AlignmentError, match=r"has 9 tokens here, but 8 in key\.ua:2"):
        scored(text, with_line)


def test_q28_elements_of_plurals_keep_zeros_that_are_dropped_elsewhere() -> None:
    # Entities a = {1}, c = {zero, 3} of the key and {3} of the response.
    key = universal("w w * w w", a="1", c="2.1 3", p="4 of a c")
    response = universal("w w * w w", a="1", c="3", p="4 of a c")
    result = scored(key, response)
    assert percentages(result, "bcub", "muc")["bcub"][0] == 78.12
    assert percentages(result, "muc")["muc"][0] == 50.00
    alone = scored(key, response, evaluate="split-antecedents")
    assert percentages(alone, "bcub") == {"bcub": (50.00, 100.00, 66.67)}
