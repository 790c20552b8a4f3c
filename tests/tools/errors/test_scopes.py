"""Errors of entities that go from one document to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import scoref
from scoref.tools.errors.wording import Wording
from scoref.tools.report.data import report_of

if TYPE_CHECKING:
    from pathlib import Path

KEY = {
    "1_1ecb": {"E1": ["Ada", "she"], "E2": ["Bob"]},
    "1_2ecb": {"E1": ["Lovelace"], "E2": ["Robert"]},
    "2_1ecb": {"E3": ["Cy"]},
}
RESPONSE = {
    "1_1ecb": {"X1": ["Ada", "she"], "X2": ["Bob"]},
    "1_2ecb": {"X2": ["Lovelace", "Robert"]},
    "2_1ecb": {"X1": ["Cy"]},
}


def conll(side: dict[str, dict[str, list[str]]]) -> str:
    """Write documents as CoNLL-2012, a row for each mention, sorted by words."""
    text = ""
    for name, entities in side.items():
        label = {word: entity for entity, words in entities.items() for word in words}
        rows = [f"{name}\t0\t{word}\t({label[word]})\n" for word in sorted(label)]
        text += f"#begin document ({name}); part 000\n{''.join(rows)}#end document\n"
    return text


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    for name, side in (("key", KEY), ("response", RESPONSE)):
        (tmp_path / f"{name}.conll").write_text(conll(side), encoding="utf-8")
    return tmp_path / "key.conll", tmp_path / "response.conll"


def details(analysis: Any) -> list[tuple[str, str]]:
    wording = Wording(analysis)
    worded = [wording.worded(error) for error in range(len(analysis.errors.kind))]
    return [(error.document, error.detail) for error in worded]


def test_a_link_may_name_two_documents(paths: tuple[Path, Path]) -> None:
    analysis = scoref.find_errors(*paths, scope="topic", topics="ecb+")
    ((document, detail),) = details(analysis)
    assert document == "(1_2ecb); part 000"
    assert detail == (
        '"Lovelace" of entity E1 ("Ada" in \'(1_1ecb); part 000\') was linked to '
        "entity E2 (\"Bob\" in '(1_1ecb); part 000')"
    )


def test_the_corpus_has_errors_that_topics_do_not_show(
    paths: tuple[Path, Path],
) -> None:
    *_, (document, detail) = details(scoref.find_errors(*paths, scope="corpus"))
    assert document == "(2_1ecb); part 000"
    assert detail.startswith('"Cy" of entity E3 was merged with entity E1')


@pytest.mark.parametrize("scope", ["document", "topic", "corpus"])
def test_all_repairs_make_the_key(scope: str) -> None:
    topics = "ecb+" if scope == "topic" else None
    analysis = scoref.find_errors(KEY, RESPONSE, scope=scope, topics=topics)  # type: ignore[arg-type] # a value of it
    assert analysis.gains.before == pytest.approx(analysis.result.conll)
    assert analysis.gains.cumulative[-1] == pytest.approx(1)


def test_a_report_has_documents_with_the_scores_of_their_units(
    paths: tuple[Path, Path],
) -> None:
    analysis = scoref.find_errors(*paths, scope="topic", topics="ecb+")
    report, texts = report_of({"a": analysis})
    scores = [each["f1"] for each in report["systems"][0]["documents"]]  # type: ignore[index]
    assert scores[0] == scores[1] != scores[2]
    assert all(text is not None for text in texts)


def test_slices_by_size_look_at_joined_entities() -> None:
    slices = scoref.score_slices(KEY, KEY, "entity-size", scope="corpus")
    assert {*slices} == {"1", "2-10"}
    assert slices["2-10"].counts["mentions"].sum(axis=0)[1] == 5


def test_documents_in_units_have_no_genre() -> None:
    with pytest.raises(scoref.OptionError, match="--by genre cannot be combined"):
        scoref.score_slices(KEY, KEY, "genre", scope="corpus")


@pytest.mark.parametrize("scope", ["corpus", "topic"])
def test_one_unit_has_nothing_to_draw(scope: str) -> None:
    topics = dict.fromkeys(KEY, "t") if scope == "topic" else None
    result = scoref.score(KEY, RESPONSE, scope=scope, topics=topics, with_blocks=True)  # type: ignore[arg-type] # a value of it
    with pytest.raises(scoref.OptionError, match="scored as one unit") as of_one:
        scoref.confidence(result)
    assert "--unit entities" in str(of_one.value.hint)
    with pytest.raises(scoref.OptionError, match="scored as one unit") as of_two:
        scoref.compare({"a": result, "b": result})
    assert "--unit" not in str(of_two.value.hint)  # compare has no such option
    assert "--scope document" in str(of_two.value.hint)
    assert scoref.confidence(result, unit="entities").count == 1


def test_windows_do_not_go_with_scopes(paths: tuple[Path, Path]) -> None:
    with pytest.raises(scoref.OptionError, match="windows divide documents"):
        scoref.score(*paths, window=10, scope="corpus")
