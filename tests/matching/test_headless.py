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
def test_made_up_heads_are_noted(match: str) -> None:
    text = KEY.text()
    assert kinds(headless(text), text, match)["no-heads"] == (
        f"the key names no heads: --match {match} takes the first words of 2 mentions "
        "for heads, as the official scorer does; --match exact needs no heads and "
        "gives another figure"
    )
    both = kinds(headless(text), headless(text), match)["no-heads"]
    assert both.startswith("the key and the response name no heads")


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
