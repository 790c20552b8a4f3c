"""CorefUD files that name no heads: first words are heads, and it is said."""

import pytest

from corefud import annotated, read
from scoref.formats import read_data
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from scoref.tools.errors import analyse
from scoref.tools.errors.wording import Wording

KEY = annotated("the map is on the map", e1="1-2*2 5-6*2")
HEADLESS = "eid-etype-other"


def headless(text: str) -> str:
    """Take the heads out of a file."""
    text = text.replace("eid-etype-head-other", HEADLESS)
    for head in ("-1-", "-2-"):
        text = text.replace(head, "-")
    return text


def kinds(key: str, response: str, match: str) -> dict[str, str]:
    scheme = resolve("crac-2026", match=match)
    result = score_corpora(read(key), read(response), scheme, ("muc",))
    return {note.kind: note.message for note in result.notes}


@pytest.mark.parametrize("match", ["head", "partial"])
def test_a_key_without_heads_is_a_warning_that_names_it(match: str) -> None:
    text = KEY.text()
    for response in (text, headless(text)):
        found = kinds(headless(text), response, match)
        assert found["no-heads"] == (
            "warning: x.conllu has no heads. The first word of each of 2 mentions was "
            "used, as in the official scorer. Use --match exact to avoid this."
        )
        assert "no-heads-in-response" not in found


def test_a_response_without_heads_is_named_where_its_heads_count() -> None:
    text = KEY.text()
    found = kinds(text, headless(text), "head")
    assert found["no-heads-in-response"].startswith("warning: x.conllu has no heads.")
    assert "no-heads-in-response" not in kinds(text, headless(text), "partial")


MANY = " ".join(["the map is on"] * 10)
PLACES = [f"{4 * row + 1}-{4 * row + 2}" for row in range(10)]
SECOND_WORDS = annotated(MANY, e1=" ".join(f"{place}*2" for place in PLACES)).text()
FIRST_WORDS = annotated(MANY, e1=" ".join(f"{place}*1" for place in PLACES)).text()


def test_heads_that_are_all_1_are_a_warning() -> None:
    message = kinds(SECOND_WORDS, FIRST_WORDS, "head")["first-word-heads"]
    assert message.startswith(
        "warning: all heads of the response are 1: the first word is the head of each "
        "of its 10 mentions of several words, but only of 0% of the key's."
    )
    assert "figures are too low" in message
    assert message.endswith("or use --match exact.")
    found = kinds(FIRST_WORDS, SECOND_WORDS, "head")["first-word-heads-in-key"]
    assert found.startswith("warning: all heads of the key are 1")


def test_heads_that_may_be_right_are_not_a_warning() -> None:
    assert not kinds(FIRST_WORDS, FIRST_WORDS, "head")
    few = annotated(MANY, e1=" ".join(f"{place}*1" for place in PLACES[:3])).text()
    assert "first-word-heads" not in kinds(SECOND_WORDS, few, "head")
    for match in ("exact", "partial"):
        assert "first-word-heads" not in kinds(SECOND_WORDS, FIRST_WORDS, match)


def test_nothing_is_noted_where_heads_play_no_part() -> None:
    text = KEY.text()
    assert "no-heads" not in kinds(headless(text), text, "exact")
    assert "no-heads" not in kinds(text, text, "head")
    alone = headless(annotated("map map", e1="1 2").text())
    assert "no-heads" not in kinds(alone, alone, "head")


def test_equal_words_with_other_heads_are_explained() -> None:
    texts = headless(KEY.text()), KEY.text()
    key, response = (
        read_data(text.encode(), source="x", role="key", with_tokens=True)
        for text in texts
    )
    found = analyse(key, response, resolve("crac-2026"))
    assert Wording(found).detail(0) == (
        '"the map" for "the map": the same words, but another head ("map" for "the", '
        "the first word, as no head is named)"
    )
    messages = {note.kind: note.message for note in found.notes}
    assert messages["same-words"] == (
        "2 span errors have the words of the key and another head; --match exact does "
        "not ask for heads"
    )
