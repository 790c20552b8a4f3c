"""Answers are scored in every notation, whatever happened to their words."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.errors import AlignmentError, FormatError, OptionError
from scoref.tools.llm.key_text import response_file
from scoref.tools.llm.notations import NOTATIONS
from scoref.tools.llm.scoring import score_output
from support.llm_answers import (
    LONG,
    PAIRS,
    Document,
    Mention,
    as_json,
    clusters,
    detokenised,
    documents,
    marked,
    scored,
    write_key,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("llm")


INLINE = ["crac", *PAIRS]
inline = pytest.mark.parametrize("notation", INLINE)


def test_every_notation_is_tested() -> None:
    assert {*INLINE, "json", "list"} == {*NOTATIONS}


@inline
@given(document=documents())
def test_an_undamaged_answer_is_the_key(
    folder: Path, notation: str, document: Document
) -> None:
    system = scored(folder, document, " ".join(marked(document, notation)), notation)
    count = len(document.words)
    assert clusters(system) == document.clusters()
    assert system.counts[:5] == (count, count, 0, 0, 0)
    assert system.counts[5:] == (len(document.mentions),) * 2 + (0, 0, 0)
    assert system.result.scores["bcub"].f1 == pytest.approx(1)


@inline
@given(document=documents())
def test_running_text_with_words_around_is_the_key_as_well(
    folder: Path, notation: str, document: Document
) -> None:
    text = marked(document, notation)
    # Where a blank ends a tag, or a label, it cannot be left out.
    needs_blanks = notation in {"crac", "prefix"}
    answer = " ".join(text) if needs_blanks else detokenised(text)
    answer = f"Sure! Here is what You asked for:\n\n```text\n{answer}\n```\n\nHave fun!"
    system = scored(folder, document, answer, notation)
    assert clusters(system) == document.clusters()
    assert system.counts.same == len(document.words)
    assert system.counts.added == 12


@given(document=documents())
def test_offsets_are_those_of_the_key_or_of_own_tokens(
    folder: Path, document: Document
) -> None:
    alone = scored(folder, document, as_json(document))
    assert alone.notation == "json"
    assert clusters(alone) == document.clusters()
    assert alone.counts.words == 0
    tokens = ["Well", *document.words]
    moved = document._replace(
        mentions=[Mention(a + 1, b + 1, label) for a, b, label in document.mentions]
    )
    with_tokens = scored(folder, document, as_json(moved, tokens=tokens))
    assert clusters(with_tokens) == document.clusters()
    assert with_tokens.counts.added == 1


@inline
@given(document=documents(), share=st.floats(0.3, 0.9))
def test_of_an_answer_that_is_cut_off_the_mentions_before_the_cut_are_left(
    folder: Path, notation: str, document: Document, share: float
) -> None:
    text = marked(document, notation)
    last = int(share * len(text))
    system = scored(folder, document, " ".join(text[:last]), notation)
    left = [mention for mention in document.mentions if mention.end < last]
    assert clusters(system) == document._replace(mentions=left).clusters()
    assert system.counts.lost == len(text) - last
    assert system.counts.broken == sum(
        mention.start < last <= mention.end for mention in document.mentions
    )


def random_edit(words: list[str], rng: random.Random) -> None:
    row = rng.randrange(len(words))
    kind = rng.choice(("drop", "add", "change"))
    if kind == "drop":
        del words[row]
    elif kind == "add":
        words.insert(row, "quite")
    else:
        words[row] = "quite"


@given(document=documents(), edits=st.integers(1, 6), seed=st.integers(0, 999))
def test_whatever_happens_to_words_all_is_accounted_for(
    folder: Path, document: Document, edits: int, seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311 - made-up texts
    words = marked(document, "xml")
    for _ in range(min(edits, len(words) - 2)):
        random_edit(words, rng)
    counts = scored(folder, document, " ".join(words), "xml").counts
    assert counts.words == counts.same + counts.changed + counts.lost
    assert counts.mentions == counts.kept + counts.moved + counts.unplaced
    assert counts.added <= edits


def test_a_cut_in_json_is_noted(tmp_path: Path) -> None:
    system = scored(tmp_path, LONG, '{"clusters": [[[0, 1], [10, 10]], [[3, ')
    assert clusters(system) == {frozenset({(0, 1), (10, 10)})}
    assert "warning: 1 answer is cut off and scored up to that point: 'a'." in [
        note.message for note in system.result.notes
    ]


def write_answers(folder: Path, answers: list[str]) -> Path:
    path = folder / "output.jsonl"
    lines = [
        json.dumps({"id": f"d{row}", "answer": answer}) + "\n"
        for row, answer in enumerate(answers)
    ]
    path.write_text("".join(lines))
    return path


REFUSED = (
    "warning: 1 answer is not about the text of the document (the model may have "
    "refused). Only mentions that are not in the text count, as wrong: {}."
)


UNMARKED = (
    "warning: 1 answer is without mentions in the notation markdown and scored as "
    "empty: {}."
)


UNPLACED = (
    "warning: 1 mention is not in the text ({}) and counted as wrong. Use --unplaced "
    "ignore to leave them out."
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
    system = score_output(key, write_answers(tmp_path, answers))
    assert [answer.status for answer in system.answers.values()] == [
        *("scored", "refused", "empty", "unmarked", "empty"),
    ]
    assert [note.message for note in system.result.notes] == [
        "warning: 2 answers are empty and scored as empty: 'd2', 'd4'.",
        REFUSED.format("'d1'"),
        UNMARKED.format("'d3'"),
        UNPLACED.format("'as a language model'"),
    ]
    shown = [(place.kind, place.output) for place in system.breaks["d1"]]
    assert shown == [("refused", answers[1]), ("mention", "as a language model")]
    assert system.result.scores["mentions"].recall == pytest.approx(1 / 5)
    assert system.result.scores["mentions"].precision == pytest.approx(6 / 7)
    ignored = score_output(key, write_answers(tmp_path, answers), unplaced="ignore")
    assert ignored.result.scores["mentions"].precision == 1


def test_a_missing_answer_is_an_error_unless_it_may_be_missing(tmp_path: Path) -> None:
    key = write_key(tmp_path, {"d0": LONG, "d1": LONG})
    output = write_answers(tmp_path, [" ".join(marked(LONG, "markdown"))])
    with pytest.raises(AlignmentError, match="there is no answer for 'd1'"):
        score_output(key, output)
    system = score_output(key, output, missing="empty")
    assert system.answers["d1"].status == "missing"
    counts = system.answers["d1"].counts._asdict()
    words = counts.pop("words")
    assert {name: count for name, count in counts.items() if count} == {"lost": words}
    assert system.answers["d1"].counts.lost == 14
    assert [note.kind for note in system.result.notes] == ["missing-answers"]


def test_an_answer_about_nothing_is_an_error_unless_the_key_decides(
    tmp_path: Path,
) -> None:
    key = write_key(tmp_path, {"d0": LONG})
    answer = " ".join(marked(LONG, "markdown"))
    output = write_answers(tmp_path, [answer, answer])
    with pytest.raises(AlignmentError, match="'d1' is not a document of"):
        score_output(key, output)
    system = score_output(key, output, missing="key")
    assert system.result.conll == 1
    assert system.result.notes[0].message.endswith("were left out: 'd1'.")


def test_a_scheme_may_allow_missing_answers(tmp_path: Path) -> None:
    key = write_key(tmp_path, {"d0": LONG, "d1": LONG})
    output = write_answers(tmp_path, [" ".join(marked(LONG, "markdown"))])
    system = score_output(key, output, scheme="conll-2012")
    assert system.answers["d1"].status == "missing"
    with pytest.raises(AlignmentError, match="there is no answer for 'd1'"):
        score_output(key, output, scheme="conll-2012", missing="error")


def test_the_notation_is_in_the_signature(tmp_path: Path) -> None:
    system = scored(tmp_path, LONG, " ".join(marked(LONG, "colon")))
    assert "|format:json-lines+colon|" in system.result.signature


def test_a_key_without_text_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    key.write_text('{"doc_key": "a", "clusters": [[[0, 1]]]}\n')
    with pytest.raises(FormatError, match="has no text to align the answers with"):
        score_output(key, key)


def test_options_are_those_of_every_score(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="singletons"):
        score_output(
            write_key(tmp_path, {"a": LONG}),
            tmp_path,
            singletons="away",  # type: ignore[arg-type]
        )


def test_an_answer_that_is_no_json_where_others_are_is_recognised(
    tmp_path: Path,
) -> None:
    key = write_key(tmp_path, {f"d{row}": LONG for row in range(4)})
    answers = [
        '[["Ada Lovelace", "her"], ["London"]]',
        "I would rather not list anything about these people, sorry.",
        "Ada Lovelace met Charles Babbage in London.",
        "[" * 100_000,
    ]
    system = score_output(key, write_answers(tmp_path, answers))
    assert system.notation == "json"
    assert [answer.status for answer in system.answers.values()] == [
        *("scored", "refused", "unmarked", "refused"),
    ]


def test_an_answer_may_be_an_object_and_be_written_as_lines(tmp_path: Path) -> None:
    key, output = write_key(tmp_path, {"a": LONG}), tmp_path / "output.jsonl"
    output.write_text('{"id": "a", "output": {"clusters": [[[0, 1], [10, 10]]]}}')
    system = score_output(key, output)
    (line,) = response_file(system).splitlines()
    assert json.loads(line)["clusters"] == [[[0, 1], [10, 10]]]
