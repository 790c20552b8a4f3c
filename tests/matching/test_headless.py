"""CorefUD files that name no heads: first words are heads, and it is said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.formats.reading import read_data
from scoref.render import render
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora
from scoref.tools.errors.analysis import analyse
from scoref.tools.errors.classes import mention_classes
from scoref.tools.errors.rendering import analysis_report
from scoref.tools.errors.summary import analysed_documents
from scoref.tools.errors.wording import Wording
from support.commands import run
from support.corefud import annotated, read

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.scheme import Layer
    from scoref.tools.errors.findings import Analysis

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


def test_one_warning_names_the_keys_of_several_datasets(tmp_path: Path) -> None:
    text = KEY.text()
    for folder, written in (("key", headless(text)), ("a", text), ("b", text)):
        (tmp_path / folder).mkdir()
        for dataset in ("en", "fr"):
            (tmp_path / folder / f"{dataset}.conllu").write_text(written)
    systems = {name: tmp_path / name for name in ("a", "b")}
    found = scoref.score_folders(tmp_path / "key", systems, folder="datasets")
    (warning,) = [note for note in found.notes if "no heads" in note]
    assert warning.startswith(f"warning: {tmp_path / 'key' / 'en.conllu'} has no heads")
    assert warning.endswith(
        f"The same applies to {tmp_path / 'key' / 'fr.conllu'} (2)."
    )


MANY = " ".join(["the map is on"] * 10)
PLACES = [f"{4 * row + 1}-{4 * row + 2}" for row in range(10)]
SECOND_WORDS = annotated(MANY, e1=" ".join(f"{place}*2" for place in PLACES)).text()
FIRST_WORDS = annotated(MANY, e1=" ".join(f"{place}*1" for place in PLACES)).text()


def test_heads_that_are_all_1_are_a_warning() -> None:
    message = kinds(SECOND_WORDS, FIRST_WORDS, "head")["first-word-heads"]
    assert message.startswith(
        "warning: All heads of the response are 1: the first word is the head of each "
        "of its 10 mentions of several words, but only of 0% of the key's."
    )
    assert "figures are too low" in message
    assert message.endswith("or use --match exact.")
    found = kinds(FIRST_WORDS, SECOND_WORDS, "head")["first-word-heads-in-key"]
    assert found.startswith("warning: All heads of the key are 1")


def test_heads_that_may_be_right_are_not_a_warning() -> None:
    assert "first-word-heads" not in kinds(FIRST_WORDS, FIRST_WORDS, "head")
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


def analysed(*texts: str, layer: Layer = "parses") -> Analysis:
    key, response = (
        read_data(text.encode(), source="x", role="key", with_tokens=True, layer=layer)
        for text in texts
    )
    return analyse(key, response, resolve("crac-2026"))


def test_equal_words_with_other_heads_are_explained() -> None:
    other = annotated("the map is on the map", e1="1-2*1 5-6*1").text()
    found = analysed(other, KEY.text())
    assert Wording(found).detail(0) == (
        '"the map" instead of "the map": the same words, but a different head '
        '("map" instead of "the")'
    )
    messages = {note.kind: note.message for note in found.notes}
    assert messages["same-words"] == (
        "2 span errors have the same words as the key but a different "
        "head. Use --match exact to ignore heads."
    )


def with_trees(text: str) -> str:
    """Let each word depend on the last one of its sentence, and give it a class."""
    lines = []
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) > 1:
            upos = {"the": "DET", "map": "NOUN"}.get(cells[1], "VERB")
            cells[3], cells[6] = upos, "0" if cells[0] == "6" else "6"
            if cells[0] in {"1", "5"}:
                cells[6] = str(int(cells[0]) + 1)
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("sides", ["key", "response", "both"])
@pytest.mark.parametrize("has_trees", [True, False])
def test_missing_heads_are_not_errors(sides: str, has_trees: bool) -> None:
    text = with_trees(KEY.text()) if has_trees else KEY.text()
    key = text if sides == "response" else headless(text)
    response = text if sides == "key" else headless(text)
    found = analysed(key, response)
    assert not len(found.errors.kind)
    assert found.gains.before == found.gains.cumulative[-1] == 1
    # Scores are the official scorer's.
    expected = 1.0 if sides == "both" else 0.0
    assert found.result.conll == found.gains.score == expected
    notes = {note.kind: note.message for note in found.notes}
    assert ("other-score" in notes) == (sides != "both")


def test_classes_go_by_the_trees() -> None:
    text = with_trees(KEY.text())
    found = analysed(headless(text), text)
    for corpus, side in zip(found._corpora, (found.key, found.response), strict=True):
        assert mention_classes(corpus, side) == ["common", "common"]


def test_repairs_start_from_known_heads_and_reach_the_key() -> None:
    text = with_trees(KEY.text())
    words = "the map is on the map"
    partly = with_trees(annotated(words, e1="1-2*2 4", e2="5-6*2").text())
    found = analysed(headless(text), partly)
    assert found.gains.score == found.result.conll < found.gains.before < 1
    assert found.gains.cumulative[-1] == pytest.approx(1)
    (score,) = analysed_documents(found).figures[:, 2].tolist()
    assert score == pytest.approx(found.gains.before)
    (note,) = (note.message for note in found.notes if note.kind == "other-score")
    assert note == (
        f"warning: Gains start from a CoNLL score of {100 * found.gains.before:.2f}, "
        f"not from {100 * found.result.conll:.2f}. x has no heads, and the official "
        "scorer takes the first word of each mention instead. Errors are found with "
        "the heads of the trees."
    )
    report = json.loads(render(analysis_report(found), "json"))["results"][0]
    assert report["conll"] == found.result.conll
    assert report["conll_with_heads"] == found.gains.before


def test_datasets_have_their_score_and_that_from_which_gains_start(
    tmp_path: Path,
) -> None:
    text = with_trees(KEY.text())
    words = "the map is on the map"
    partly = with_trees(annotated(words, e1="1-2*2 4", e2="5-6*2").text())
    for folder, written in (("key", headless(text)), ("a", partly)):
        (tmp_path / folder).mkdir()
        for dataset in ("en", "fr"):
            (tmp_path / folder / f"{dataset}.conllu").write_text(written)
    folders = str(tmp_path / "key"), str(tmp_path / "a")
    output = run("errors", *folders, "--folder", "datasets").output
    found = scoref.find_errors(
        tmp_path / "key" / "en.conllu", tmp_path / "a" / "en.conllu"
    )
    lines = [line.split() for line in output.splitlines()]
    place = max(n for n, line in enumerate(lines) if line[:1] == ["CoNLL"])
    assert found.result.conll < found.gains.before
    assert lines[place] == ["CoNLL", f"{100 * found.result.conll:.2f}"]
    headed = ["with", "heads", f"{100 * found.gains.before:.2f}"]
    assert lines[place + 1] == headed
