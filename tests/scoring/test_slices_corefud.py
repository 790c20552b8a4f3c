"""Slices by what CorefUD and Universal Anaphora know: heads, types, plurals."""

from __future__ import annotations

import pytest

from scoref import OptionError
from scoref.scoring.slices import PLURALS
from support.corefud import HEADER, annotated
from support.slice_results import Slices, check_sums, sliced
from support.universal_anaphora import universal

WORDS = ("NOUN", "PRON", "PROPN", "VERB", "PRON")


def corefud(
    *upos: str, zeros: str = "", types: dict[str, str] | None = None, **entities: str
) -> str:
    """Write a sentence of words with these parts of speech, and typed entities."""
    text = annotated(f"{'w ' * len(upos)} {zeros}", **entities).text(HEADER)
    lines = []
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) == 10:
            number = columns[0]
            columns[3] = "PRON" if "." in number else upos[int(number) - 1]
        written = "\t".join(columns)
        for name, kind in (types or {}).items():
            written = written.replace(f"({name}-x-", f"({name}-{kind}-")
        lines.append(written)
    return "\n".join(lines)


def slices_of(by: str, key: str, response: str | None = None) -> Slices:
    found, whole = sliced(key, response or key, by, format="corefud", singletons="keep")
    check_sums(found, whole)
    return found


def mentions(slices: Slices) -> dict[str, list[float]]:
    """Sum mentions: found and counted in the key, then in the response."""
    return {
        name: each.counts["mentions"].sum(axis=0).tolist()
        for name, each in slices.items()
    }


def test_mentions_are_sorted_by_their_heads_part_of_speech() -> None:
    key = corefud(*WORDS, a="1-2*2 3", b="4 5")
    assert mentions(slices_of("upos", key)) == {
        "PRON": [2, 2, 2, 2],
        "PROPN": [1, 1, 1, 1],
        "VERB": [1, 1, 1, 1],
    }


def test_a_head_without_a_part_of_speech_has_a_dash() -> None:
    assert list(slices_of("upos", corefud("_", "NOUN", a="1 2"))) == ["NOUN", "_"]


def test_mentions_are_sorted_by_type() -> None:
    key = corefud(*WORDS, zeros="5.1/4:nsubj", a="1 2 5.1", b="3 4")
    found = slices_of("mention-type", key)
    assert list(found) == ["pronoun", "proper", "common", "zero", "other"]
    assert {name: each[1] for name, each in mentions(found).items()} == {
        "pronoun": 1,
        "proper": 1,
        "common": 1,
        "zero": 1,
        "other": 1,
    }


def test_each_side_selects_its_own_mentions() -> None:
    key = corefud(*WORDS, a="1 2")
    response = corefud(*("PROPN", *WORDS[1:]), a="1 3")
    assert mentions(slices_of("upos", key, response)) == {
        "NOUN": [1, 1, 0, 0],
        "PRON": [0, 1, 0, 0],
        "PROPN": [0, 0, 1, 2],
    }


def test_the_key_says_the_type_of_what_was_found() -> None:
    key = corefud(*WORDS, a="1 2", b="4", types={"a": "person", "b": "place"})
    response = corefud(*WORDS, c="1 4 5", types={"c": "thing"})
    assert mentions(slices_of("entity-type", key, response)) == {
        "person": [1, 2, 1, 1],
        "place": [1, 1, 1, 1],
        "thing": [0, 0, 0, 1],
    }


def test_a_response_without_types_has_those_of_the_key() -> None:
    key = corefud(*WORDS, a="1 2", types={"a": "person"})
    response = corefud(*WORDS, a="1 2 3", types={"a": ""})
    assert mentions(slices_of("entity-type", key, response)) == {
        "_": [0, 0, 0, 1],
        "person": [2, 2, 2, 2],
    }


def test_zeros_are_mentions_of_one_word() -> None:
    key = corefud(*WORDS, zeros="5.1/4:nsubj", a="1-3 5.1")
    assert {*slices_of("mention-length", key)} == {"1", "3-5"}


def of_distance(*sentences: str, **entities: str) -> dict[str, list[float]]:
    text = annotated(*sentences, **entities).text()
    found, _ = sliced(text, text, "distance", format="corefud")
    return {
        name: each.counts["zero"].sum(axis=0).tolist() for name, each in found.items()
    }


def test_anaphors_are_sorted_by_the_sentences_before_them() -> None:
    mentions_of = "1:1 1:2 2:1 4:1 7:1 13:1"
    found = of_distance(*["w w"] * 13, a=mentions_of)
    # All but the first are anaphors, and all are true: 0, 1, 2, 3 and 6 apart.
    assert found == {
        "0": [1, 0, 0, 0],
        "1": [1, 0, 0, 0],
        "2": [1, 0, 0, 0],
        "3-5": [1, 0, 0, 0],
        "6-": [1, 0, 0, 0],
    }


def test_a_right_link_is_right_at_the_distance_that_the_key_gives_it() -> None:
    # The response has missed the mention between: 3 is one sentence away, or two.
    words = ["w w"] * 3
    key = annotated(*words, a="1:1 2:1 3:1").text()
    response = annotated(*words, a="1:1 3:1 3:2").text()
    found, whole = sliced(key, response, "distance", format="corefud")
    check_sums(found, whole)
    counts = {name: each.counts["zero"].sum(axis=0) for name, each in found.items()}
    # TP, FP, FN, WL: 3:1 is found, 2:1 is missed, and 3:2 is false.
    assert counts["1"].tolist() == [1, 0, 1, 0]
    assert counts["2"].tolist() == [0, 0, 0, 0]
    assert counts["0"].tolist() == [0, 1, 0, 0]


def test_distances_have_the_anaphor_score_alone() -> None:
    text = annotated("w w", a="1 2").text()
    found, _ = sliced(text, text, "distance", format="corefud")
    assert {each.metrics for each in found.values()} == {("zero",)}
    assert {each.signature for each in found.values()} == {
        next(iter(found.values())).signature
    }


PLURAL = universal("w w w w w w", a="1 4", b="2 5", both="3 6 of a b")


def test_plurals_have_a_row_of_their_own() -> None:
    response = universal("w w w w w w", a="1 4", b="2", both="3 6 of a b")
    found, whole = sliced(PLURAL, response, "entity-size", format="universal-anaphora")
    check_sums(found, whole)
    assert list(found)[-1] == PLURALS
    # One plural on each side, which is no mention of words, and one of three.
    rest = {name: each[0].tolist() for name, each in found[PLURALS].counts.items()}
    assert rest["mentions"] == [0, 0, 0, 0]
    assert rest["muc"][1::2] == pytest.approx([2 / 3, 2 / 3])
    assert rest["bcub"][1::2] == rest["ceafm"][1::2] == pytest.approx([1, 1])
    assert rest["ceafe"][1::2] == pytest.approx([1 / 3, 1 / 3])
    assert rest["lea"][1::2] == pytest.approx([1, 1])


def test_without_plurals_nothing_is_left_over() -> None:
    found, _ = sliced(
        PLURAL,
        PLURAL,
        "entity-size",
        format="universal-anaphora",
        split_antecedents="drop",
    )
    assert list(found) == ["2-10"]


def test_slices_of_plurals_alone_are_refused() -> None:
    with pytest.raises(OptionError):
        sliced(
            PLURAL,
            PLURAL,
            "entity-size",
            format="universal-anaphora",
            evaluate="split-antecedents",
        )


def test_slices_of_equal_sides_with_plurals_are_right() -> None:
    text = universal("w w w w w w w w w", a="1 4 7", b="2 5 8", both="3 6 9 of a b")
    found, whole = sliced(text, text, "entity-size", format="universal-anaphora")
    check_sums(found, whole)
    for slice_ in found.values():
        for name in ("muc", "bcub", "ceafm", "ceafe", "lea"):
            right, there = slice_.counts[name][0][:2].tolist()
            assert right == pytest.approx(there), name
