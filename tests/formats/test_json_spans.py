"""Offsets become tokens; offsets in other units than characters are recognised."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref import FormatError
from scoref.formats.json_spans import BLANKS, QuotedSpans, TextTokens, cut_text
from support.json_documents import RECORDS, entity_texts, problem_of, read_records


def words(found: TextTokens) -> list[str]:
    return found.word.strings()


def test_text_is_cut_at_blanks_and_where_mentions_start_or_end() -> None:
    found = cut_text("“Ünï’s 😀-shop\r\nshut.", [1, 4, 7, 8, 19])
    assert words(found) == ["“", "Ünï", "’s", "😀", "-shop", "shut", "."]
    assert found.start.tolist() == [0, 1, 4, 7, 8, 15, 19]
    assert found.end.tolist() == [1, 4, 6, 8, 13, 19, 20]
    assert found.sentence.tolist() == [0, 0, 0, 0, 0, 1, 1]


def test_borders_in_blanks_and_at_the_ends_of_the_text_cut_nothing() -> None:
    assert words(cut_text(" a  b ", [0, 1, 2, 3, 4, 6])) == ["a", "b"]


def test_a_text_of_nothing_has_no_tokens() -> None:
    assert words(cut_text("")) == []
    assert words(cut_text(" \n", [0, 2])) == []


def test_what_blanks_are_can_be_said() -> None:
    text = "a\u00a0b c"
    assert words(cut_text(text)) == ["a\u00a0b", "c"]
    assert words(cut_text(text, blanks=" \u00a0")) == ["a", "b", "c"]


def test_mentions_are_runs_of_tokens_without_the_blanks_around_them() -> None:
    found = cut_text(" Ada Lovelace , she", [0, 14, 15, 15, 4, 5])
    first, last = found.runs(np.array([0, 15, 4]), np.array([14, 19, 5]))
    assert (first.tolist(), last.tolist()) == ([0, 3, 1], [1, 3, 0])


def slowly_cut(text: str, borders: set[int]) -> list[tuple[int, int]]:
    """TextTokens a text character by character."""
    found: list[tuple[int, int]] = []
    for place, each in enumerate(text):
        if each in BLANKS:
            continue
        if found and found[-1][1] == place and place not in borders:
            found[-1] = found[-1][0], place + 1
        else:
            found.append((place, place + 1))
    return found


@given(st.data())
def test_tokens_are_those_of_a_slow_and_obvious_loop(data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet=" \n\u00a0aé’東😀\ud800", max_size=20))
    places = st.integers(min_value=0, max_value=len(text))
    borders = data.draw(st.lists(places))
    found = cut_text(text, borders)
    expected = slowly_cut(text, set(borders))
    assert list(zip(found.start.tolist(), found.end.tolist(), strict=True)) == expected
    spelt = [text[a:b].encode("utf-8", "surrogatepass") for a, b in expected]
    assert found.word.data.tobytes() == b"".join(spelt)
    assert found.word.length.tolist() == list(map(len, spelt))


TEXT = "😀é Mia slept. She dreamt."


def test_texts_of_mentions_are_compared_without_their_blanks() -> None:
    assert (
        QuotedSpans(TEXT, [3, 3], [6, 13], ["Mia", "Mia  slept."]).first_difference()
        is None
    )
    assert QuotedSpans(TEXT, [3, 3], [6, 13], ["Mia", "She"]).first_difference() == 1
    assert QuotedSpans(TEXT, [3], [99], ["Mia"]).first_difference() == 0


@pytest.mark.parametrize(
    ("start", "end", "cause"),
    [
        ([4, 15], [7, 18], "UTF-16"),
        ([7, 18], [10, 21], "bytes"),
        (
            [3, 14],
            [5, 16],
            "The last character seems to be part of mentions. Add 1 to end offsets.",
        ),
        ([4, 15], [6, 17], "counted from 1, with the last"),
        ([3, 20], [6, 23], ""),
    ],
)
def test_the_likely_cause_of_other_texts_is_named(
    start: list[int], end: list[int], cause: str
) -> None:
    found = QuotedSpans(TEXT, start, end, ["Mia", "She"])
    assert found.first_difference() is not None
    assert cause in found.likely_cause()
    assert bool(cause) == bool(found.likely_cause())


def test_counting_from_one_is_told_from_units() -> None:
    plain = QuotedSpans("Mia slept. She dreamt.", [1, 12], [4, 15], ["Mia", "She"])
    assert "counted from 1. Count" in plain.likely_cause()


@pytest.mark.parametrize("name", RECORDS)
def test_ends_that_are_confused_change_the_figure_or_are_refused(name: str) -> None:
    text = json.dumps(RECORDS[name])
    moved = text.replace("[0, 3]", "[0, 2]").replace('"end": 3', '"end": 2')
    moved = moved.replace("[0, 0]", "[0, 1]").replace("[0, 0, 1]", "[0, 0, 2]")
    moved = moved.replace("[0, 0, 0]", "[0, 0, 1]").replace("[0, 1]", "[0, 2]", 1)
    moved = moved.replace('"endIndex": 2', '"endIndex": 3')
    moved = moved.replace("[12, 0, 0]", "[12, 0, 1]", 1)
    moved = moved.replace('"end_offset": 3', '"end_offset": 2')
    moved = moved.replace('"token_end": 0', '"token_end": 1')
    assert moved != text
    try:
        found = entity_texts(read_records(json.loads(moved)))
    except FormatError as error:
        found = [[error.problem.rpartition("not ")[2]]]
    assert found in (
        [["'Mia'"]],
        [["Mi", "She"]],
        [["Mia slept", "She"]],
    )


@pytest.mark.parametrize(
    ("text", "spans", "hint"),
    [
        ("😀 Mia slept. She", [[3, 6], [14, 17]], "UTF-16 units"),
        ("é Mia slept. She", [[3, 6], [14, 17]], "bytes"),
        (
            "Mia slept. She",
            [[0, 2], [11, 13]],
            "The last character seems to be part of mentions. Add 1 to end offsets.",
        ),
        ("Mia slept. She", [[1, 4], [12, 15]], "counted from 1"),
        ("Mia slept. Her", [[0, 3], [11, 14]], "Give the text that"),
    ],
)
def test_strings_that_differ_tell_how_offsets_are_counted(
    text: str, spans: list[list[int]], hint: str
) -> None:
    record = {"text": text, "clusters": [spans], "clusters_strings": [["Mia", "She"]]}
    found, why = problem_of(record)
    assert found.startswith("clusters[0][")
    assert hint in why


def test_a_mention_beyond_the_text_is_refused_or_passed_over() -> None:
    record = {"text": "Mia slept.", "clusters": [[[0, 3], [4, 11]], [[3, 4]], [[5, 5]]]}
    found, hint = problem_of(record)
    assert (
        found
        == "clusters[0][1]: [4, 11] is not a mention in a document of 10 characters"
    )
    assert hint == (
        "Characters are counted from 0. The character at the end offset is not "
        "included."
    )
    lenient = read_records(record, reading="lenient")
    assert entity_texts(lenient) == [["Mia"], [], []]
    assert [(note.kind, note.count) for note in lenient.notes] == [
        ("unreadable-mentions", 3)
    ]


def test_blank_words_do_not_count() -> None:
    record = {"document": ["Mia", "\n\n", "slept", ""], "clusters": [[[0, 1], [2, 3]]]}
    found = read_records(record)
    assert entity_texts(found) == [["Mia", "slept"]]
    assert found.document_tokens is not None
    assert found.document_tokens.tolist() == [2]
    only_blanks, _ = problem_of({"document": ["a", " "], "clusters": [[[1, 1]]]})
    assert only_blanks == "clusters[0][0]: [1, 1] contains only spaces"


def test_texts_of_words_tell_how_these_are_counted() -> None:
    record = {**RECORDS["maverick"], "clusters_token_offsets": [[[0, 1], [3, 4]]]}
    found, hint = problem_of(record)
    assert found == (
        "clusters_token_offsets[0][0]: [0, 1] is 'Mia slept' in the text, not 'Mia'"
    )
    assert (
        hint == "End offsets seem to be 1 too high. The last word is part of a mention."
    )


def test_a_message_quotes_only_the_words_of_the_mention() -> None:
    record = {**RECORDS["maverick"], "clusters_token_offsets": [[[3, 4], [0, 1]]]}
    problem, _ = problem_of(record)
    quoted = " ".join(record["tokens"][3:5])
    assert problem.startswith(
        f"clusters_token_offsets[0][0]: [3, 4] is '{quoted}' in the text"
    )


def test_a_message_cuts_long_mentions() -> None:
    words = [f"word{number:02}" for number in range(20)]
    mentions = [[[0, 19], [3, 3]], [[1, 1]]]
    texts = [["word00 is somewhere else", "word03"], ["word01"]]
    record = {
        **RECORDS["maverick"],
        "tokens": words,
        "clusters_token_offsets": mentions,
        "clusters_token_text": texts,
    }
    problem, _ = problem_of(record)
    quoted = " ".join(words)[:60]
    assert f"[0, 19] is '{quoted}' in the text, not 'word00 is" in problem
