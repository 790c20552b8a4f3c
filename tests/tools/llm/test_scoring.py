"""What was marked is scored, in whatever notation, and whatever happened to words."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.tools.llm.notations import NOTATIONS
from support.llm_answers import (
    PAIRS,
    Document,
    Mention,
    as_json,
    clusters,
    detokenised,
    documents,
    marked,
    scored,
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
    found = scored(folder, document, " ".join(marked(document, notation)), notation)
    count = len(document.words)
    assert clusters(found) == document.clusters()
    assert found.counts[:5] == (count, count, 0, 0, 0)
    assert found.counts[5:] == (len(document.mentions),) * 2 + (0, 0, 0)
    assert found.result.scores["bcub"].f1 == pytest.approx(1)


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
    found = scored(folder, document, answer, notation)
    assert clusters(found) == document.clusters()
    assert found.counts.same == len(document.words)
    assert found.counts.added == 12


@given(document=documents())
def test_offsets_are_those_of_the_key_or_of_tokens_that_are_given(
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
    found = scored(folder, document, " ".join(text[:last]), notation)
    left = [each for each in document.mentions if each.end < last]
    assert clusters(found) == document._replace(mentions=left).clusters()
    assert found.counts.lost == len(text) - last
    assert found.counts.broken == sum(
        each.start < last <= each.end for each in document.mentions
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
