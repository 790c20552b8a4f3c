"""Single answers, and what exactly becomes of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref.errors import AlignmentError, FormatError, OptionError
from scoref.tools.llm.key_text import response_file
from scoref.tools.llm.scoring import score_output
from support.llm_answers import (
    LONG,
    Document,
    Mention,
    clusters,
    marked,
    scored,
    write_key,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("answer", "mention", "counts"),
    [
        # A word is changed, inside and at an end: it still stands for the key's.
        ("[Ada Lovelave](#1) met Charles Babbage in London.", (0, 1), (1, 0, 0)),
        ("[Augusta Lovelace](#1) met Charles Babbage in London.", (0, 1), (1, 0, 0)),
        # One is added inside, one is missing outside.
        ("[Ada King Lovelace](#1) met Babbage in London.", (0, 1), (1, 0, 0)),
        # One is added at an end, so that the mention is moved.
        ("[Countess Ada Lovelace](#1) met Charles Babbage.", (0, 1), (0, 1, 0)),
        # All is invented.
        ("Ada Lovelace met [the great](#1) Charles Babbage in it.", None, (0, 0, 1)),
    ],
)
def test_a_mention_is_where_its_words_are(
    tmp_path: Path,
    answer: str,
    mention: tuple[int, int] | None,
    counts: tuple[int, int, int],
) -> None:
    found = scored(tmp_path, LONG, answer, "markdown")
    expected = {frozenset({mention})} if mention else set()
    assert clusters(found) == expected
    assert found.counts[6:9] == counts


def write_answers(folder: Path, answers: list[str]) -> Path:
    path = folder / "output.jsonl"
    lines = [
        json.dumps({"id": f"d{row}", "answer": answer}) + "\n"
        for row, answer in enumerate(answers)
    ]
    path.write_text("".join(lines))
    return path


REFUSED = (
    "warning: 1 answer is refused, or about another text, scored as empty apart from "
    "invented mentions: {}"
)
UNMARKED = (
    "warning: 1 answer is without a mention in the notation markdown, scored as empty: "
    "{}"
)
UNPLACED = (
    "1 mention is not in the text and counted as wrong (--unplaced ignore leaves such "
    "mentions out): {}"
)


def test_refused_empty_and_unmarked_answers_are_scored_as_empty_and_named(
    tmp_path: Path,
) -> None:
    answers = [
        " ".join(marked(LONG, "markdown")),
        "I'm sorry, but [as a language model](#1) I am not able to do this for you.",
        "  \n",
        "Ada Lovelace met Charles Babbage in London. He showed her his engine.",
        "<think>[Ada](#1) met Charles Babbage in London",
    ]
    key = write_key(tmp_path, {f"d{row}": LONG for row in range(5)})
    found = score_output(key, write_answers(tmp_path, answers))
    assert [each.status for each in found.answers.values()] == [
        *("scored", "refused", "empty", "unmarked", "empty"),
    ]
    assert [note.message for note in found.result.notes] == [
        "warning: 2 answers are empty, scored as empty: 'd2', 'd4'",
        REFUSED.format("'d1'"),
        UNMARKED.format("'d3'"),
        UNPLACED.format("'as a language model'"),
    ]
    shown = [(each.kind, each.output) for each in found.breaks["d1"]]
    assert shown == [("refused", answers[1]), ("mention", "as a language model")]
    assert found.result.scores["mentions"].recall == pytest.approx(1 / 5)
    assert found.result.scores["mentions"].precision == pytest.approx(6 / 7)
    ignored = score_output(key, write_answers(tmp_path, answers), unplaced="ignore")
    assert ignored.result.scores["mentions"].precision == 1


def test_a_missing_answer_is_an_error_unless_it_may_be_missing(tmp_path: Path) -> None:
    key = write_key(tmp_path, {"d0": LONG, "d1": LONG})
    output = write_answers(tmp_path, [" ".join(marked(LONG, "markdown"))])
    with pytest.raises(AlignmentError, match="there is no answer about 'd1'"):
        score_output(key, output)
    found = score_output(key, output, missing="empty")
    assert found.answers["d1"].status == "missing"
    assert found.answers["d1"].counts.lost == 14
    assert [note.kind for note in found.result.notes] == ["missing-answers"]


def test_an_answer_about_nothing_is_an_error_unless_the_key_decides(
    tmp_path: Path,
) -> None:
    key = write_key(tmp_path, {"d0": LONG})
    answer = " ".join(marked(LONG, "markdown"))
    output = write_answers(tmp_path, [answer, answer])
    with pytest.raises(AlignmentError, match="'d1' is not a document of"):
        score_output(key, output)
    found = score_output(key, output, missing="key")
    assert found.result.conll == 1
    assert found.result.notes[0].message.endswith("were left out: 'd1'")


def test_the_notation_is_in_the_signature(tmp_path: Path) -> None:
    found = scored(tmp_path, LONG, " ".join(marked(LONG, "colon")))
    assert "|format:json-lines+colon|" in found.result.signature


def test_mentions_given_by_their_words_are_found_in_their_order(
    tmp_path: Path,
) -> None:
    document = Document(["she", "saw", "her", "and", "she", "ran", ",", "she"], [])
    answer = json.dumps([["she", "she", "her"], ["she"], ["saw her", "he"]])
    found = scored(tmp_path, document, answer)
    # The first entity takes the two that are closest to "her".
    assert clusters(found) == {
        frozenset({(0, 0), (4, 4), (2, 2)}),
        frozenset({(7, 7)}),
        frozenset({(1, 2)}),
    }
    assert found.counts[5:9] == (6, 5, 0, 1)
    (lost,) = found.breaks["a"]
    assert (lost.kind, lost.output, lost.problem) == (
        *("mention", "he", "a mention of entity 3 is not in the text"),
    )


def test_offsets_that_are_not_there_are_unplaced(tmp_path: Path) -> None:
    found = scored(tmp_path, LONG, '{"clusters": [[[0, 1], [9, 14], [3, 2], [-1, 0]]]}')
    assert found.counts[5:9] == (4, 1, 0, 3)


def test_a_cut_in_json_is_noted(tmp_path: Path) -> None:
    found = scored(tmp_path, LONG, '{"clusters": [[[0, 1], [10, 10]], [[3, ')
    assert clusters(found) == {frozenset({(0, 1), (10, 10)})}
    assert "1 answer is cut off, scored as far as read: 'a'" in [
        note.message for note in found.result.notes
    ]


def test_a_key_bracket_is_no_broken_one(tmp_path: Path) -> None:
    document = Document(["He", "wrote", "[", "in", "ink"], [Mention(0, 0, "1")])
    own = scored(tmp_path, document, "[He](#1) wrote [ in ink", "markdown")
    assert (own.counts.same, own.counts.broken) == (5, 0)
    other = scored(tmp_path, document, "[He](#1) wrote [ in [ ink", "markdown")
    assert (other.counts.same, other.counts.added, other.counts.broken) == (5, 1, 1)


def test_breaks_show_both_sides(tmp_path: Path) -> None:
    answer = "[Ada Lovelace](#1) met Charles in London. He proudly showed her his car."
    found = scored(tmp_path, LONG, answer)
    shown = [(each.kind, each.before, each.key, each.output, each.after)
             for each in found.breaks["a"]]  # fmt: skip
    assert shown == [
        ("lost", "Lovelace met Charles", "Babbage", "", "in London ."),
        ("added", "London . He", "", "proudly", "showed her his"),
        ("changed", "showed her his", "engine", "car", "."),
    ]
    assert {each.line for each in found.breaks["a"]} == {1}


def test_a_key_without_text_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    key.write_text('{"doc_key": "a", "clusters": [[[0, 1]]]}\n')
    with pytest.raises(FormatError, match="has no text to align answers with"):
        score_output(key, key)


def test_options_are_those_of_every_score(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="singletons"):
        score_output(
            write_key(tmp_path, {"a": LONG}),
            tmp_path,
            singletons="away",  # type: ignore[arg-type]
        )


def test_offsets_may_be_those_of_tokens_that_were_given(tmp_path: Path) -> None:
    key, output = write_key(tmp_path, {"a": LONG}), tmp_path / "output.jsonl"
    tokens = ["Ada", "Lovelace", "met", "Charles", "Babbage", "in", "London"]
    record = {
        "id": "a",
        "tokens": ["Title", ":", *tokens],
        "output": '```json\n{"clusters": [[[2, 3]], [[5, 6]]]}\n```',
    }
    output.write_text(json.dumps(record))
    found = score_output(key, output)
    assert clusters(found) == {frozenset({(0, 1)}), frozenset({(3, 4)})}
    assert found.counts[:5] == (14, 7, 0, 7, 2)


def test_an_answer_that_is_no_json_where_others_are_is_told_apart(
    tmp_path: Path,
) -> None:
    key = write_key(tmp_path, {f"d{row}": LONG for row in range(4)})
    answers = [
        '[["Ada Lovelace", "her"], ["London"]]',
        "I would rather not list anything about these people, sorry.",
        "Ada Lovelace met Charles Babbage in London.",
        "[" * 100_000,
    ]
    found = score_output(key, write_answers(tmp_path, answers))
    assert found.notation == "json"
    assert [each.status for each in found.answers.values()] == [
        *("scored", "refused", "unmarked", "refused"),
    ]


def test_an_answer_may_be_an_object_and_be_written_as_lines(tmp_path: Path) -> None:
    key, output = write_key(tmp_path, {"a": LONG}), tmp_path / "output.jsonl"
    output.write_text('{"id": "a", "output": {"clusters": [[[0, 1], [10, 10]]]}}')
    found = score_output(key, output)
    (line,) = response_file(found).splitlines()
    assert json.loads(line)["clusters"] == [[[0, 1], [10, 10]]]
