"""`scoref.assert_score`: it passes, or fails with the table and the signature."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref import Evaluator, OptionError
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

KEY = [[(0, 1), (5, 5), (9, 9)], [(3, 3), (7, 8)]]

RESPONSE = [[(0, 1), (5, 5)], [(9, 9), (3, 3)]]

OTHER = [[(0, 0), (2, 2)]]


def test_documents_are_scored_together_as_if_given_at_once() -> None:
    evaluator = Evaluator()
    evaluator.update(key=KEY, response=RESPONSE)
    evaluator.update(key=OTHER, response=OTHER, document="other")
    expected = scoref.score({"0": KEY, "1": OTHER}, {"0": RESPONSE, "1": OTHER})
    result = evaluator.compute()
    assert result.scores == expected.scores
    assert result.documents == ("0", "other")
    assert result.signature == expected.signature


def test_the_same_mention_in_two_documents_is_two_mentions() -> None:
    evaluator = Evaluator()
    evaluator.update(key=OTHER, response=[])
    evaluator.update(key=[], response=OTHER)
    assert evaluator.compute().scores["mentions"][:3] == (0, 0, 0)


def test_dicts_add_several_documents() -> None:
    evaluator = Evaluator()
    evaluator.update(key={"a": KEY, "b": OTHER}, response={"b": OTHER, "a": RESPONSE})
    assert evaluator.compute().per_document["b"]["muc"].f1 == 1


def test_mentions_may_come_as_lists() -> None:
    evaluator = Evaluator()
    evaluator.update(key=[[[0, 1], [5, 5]]], response=[[(0, 1), (5, 5)]])
    assert evaluator.compute().conll == 1


def test_merged_evaluators_score_what_all_of_them_saw() -> None:
    whole, parts = Evaluator(), [Evaluator(), Evaluator()]
    for row, (key, response) in enumerate(
        [(KEY, RESPONSE), (OTHER, OTHER), (KEY, KEY)]
    ):
        whole.update(key=key, response=response)
        parts[row % 2].update(key=key, response=response)
    gathered = pickle.loads(pickle.dumps(parts))  # noqa: S301 - our own
    gathered[0].merge(gathered[1])
    assert gathered[0].compute().scores == whole.compute().scores
    assert gathered[0].compute().documents == ("0", "1", "2")


def test_compute_can_be_called_while_documents_come_in() -> None:
    evaluator = Evaluator(metrics="muc")
    evaluator.update(key=OTHER, response=OTHER)
    assert evaluator.compute().scores["muc"].f1 == 1
    evaluator.update(key=KEY, response=[])
    assert evaluator.compute().scores["muc"].recall == 1 / 4


def test_reset_forgets_everything() -> None:
    evaluator = Evaluator()
    evaluator.update(key=KEY, response=RESPONSE)
    evaluator.reset()
    assert len(evaluator) == 0
    evaluator.update(key=OTHER, response=OTHER)
    assert evaluator.compute().conll == 1


def test_conventions_are_those_of_score() -> None:
    evaluator = Evaluator(singletons="drop", lea="no-singletons", average="macro")
    evaluator.update(key=[[1, 2], [3]], response=[[1, 2], [4]])
    result = evaluator.compute()
    assert result.conll == 1
    assert "|singletons:drop|" in result.signature


def test_singletons_count_on_both_sides_alike() -> None:
    # The evaluators that neural systems carry give an identical response less than 1.
    evaluator = Evaluator()
    evaluator.update(key=[[1, 2], [3]], response=[[1, 2], [3]])
    assert {name: score.f1 for name, score in evaluator.compute().scores.items()} == (
        dict.fromkeys(scoref.score([[1]], [[1]]).metrics, 1)
    )


def test_empty_sides_score_0_and_not_nan() -> None:
    evaluator = Evaluator()
    evaluator.update(key=[], response=[])
    evaluator.update(key=KEY, response=[])
    evaluator.update(key=[], response=KEY)
    assert evaluator.compute().conll == 0


@pytest.mark.parametrize(
    ("key", "response", "problem"),
    [
        ({"a": KEY}, KEY, "one side is a dict of documents and the other is not"),
        ({"a": KEY}, {"b": KEY}, "document 'a' is on one side only"),
        (["ab"], ["ab"], "the key is a list of 1 text, not entities"),
        ([1, 2], [1, 2], "the key is a list of 2 numbers, not entities"),
        ({"a": KEY, "b": [[{}]]}, {"a": KEY, "b": KEY}, "these are not entities"),
        ([[{}]], [[]], "these are not entities"),
        (None, [[1]], "the key is None"),
        ([[1]], None, "the response is None"),
    ],
)
def test_what_are_no_entities_is_refused_and_leaves_no_trace(
    key: object, response: object, problem: str
) -> None:
    evaluator = Evaluator()
    with pytest.raises(scoref.ScorefError, match=problem):
        evaluator.update(key=key, response=response)  # type: ignore[arg-type]
    assert len(evaluator) == 0
    evaluator.update(key=OTHER, response=OTHER)
    assert evaluator.compute().conll == 1


def test_files_are_added_in_any_form() -> None:
    key, response = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    evaluator = Evaluator()
    evaluator.update(key=key, response=response.read_bytes())
    assert evaluator.compute().scores == scoref.score(key, response).scores
    evaluator.update(key=[KEY, OTHER], response=[KEY, OTHER])
    result = pickle.loads(pickle.dumps(evaluator)).compute()  # noqa: S301
    names = scoref.score(key, response).documents
    assert len(evaluator) == 4
    assert result.documents == (*names, "0", "1")
    assert result.format == "conll-2012+entities"
    with key.open() as file, pytest.raises(scoref.ScorefError, match="added before"):
        evaluator.update(key=file, response=response)
    other = Evaluator()
    other.update(key=KEY, response=KEY)
    other.merge(evaluator)
    assert other.compute().documents == (*names, "0", "1", "2")
    with pytest.raises(scoref.ScorefError, match="added before"):
        other.merge(evaluator)


def test_a_name_is_for_one_document() -> None:
    evaluator = Evaluator()
    evaluator.update(key=[KEY], response=[KEY], document="a")
    assert evaluator.compute().documents == ("a",)
    with pytest.raises(scoref.ScorefError, match="but there are 2"):
        evaluator.update(key=[KEY, OTHER], response=[KEY, OTHER], document="b")
    key = EXAMPLES / "key.conll"
    with pytest.raises(scoref.ScorefError, match="but there are 2"):
        evaluator.update(key=key, response=key, document="b")
    assert len(evaluator) == 1


def test_a_document_that_comes_twice_is_refused() -> None:
    evaluator = Evaluator()
    evaluator.update(key=KEY, response=KEY, document="a")
    with pytest.raises(scoref.ScorefError, match="'a' was added before"):
        evaluator.update(key=KEY, response=KEY, document="a")
    with pytest.raises(scoref.ScorefError, match="'a' was added before"):
        evaluator.merge(pickle.loads(pickle.dumps(evaluator)))  # noqa: S301


def test_what_is_undefined_is_told_in_one_note() -> None:
    evaluator = Evaluator(metrics="muc,blanc,lea")
    evaluator.update(key=[["a"]], response=[["a"]])
    assert [note.message for note in evaluator.compute().notes] == [
        "MUC, BLANC are 0/0 and counted as 0."
    ]


def test_only_evaluators_of_the_same_kind_can_be_merged() -> None:
    with pytest.raises(scoref.OptionError, match="same conventions"):
        Evaluator().merge(Evaluator(singletons="drop"))


def test_nothing_cannot_be_scored() -> None:
    with pytest.raises(scoref.ScorefError, match="nothing to score"):
        Evaluator().compute()


@pytest.mark.parametrize("other", [None, 3, {}, "evaluator", Evaluator])
def test_only_evaluators_can_be_merged(other: object) -> None:
    evaluator = Evaluator()
    evaluator.update(key=KEY, response=RESPONSE)
    with pytest.raises(scoref.OptionError, match="takes another Evaluator, not"):
        evaluator.merge(other)  # type: ignore[arg-type]
    assert len(evaluator) == 1


def test_an_evaluator_is_not_merged_with_itself() -> None:
    evaluator = Evaluator()
    evaluator.update(key=KEY, response=RESPONSE)
    with pytest.raises(scoref.OptionError, match="with itself"):
        evaluator.merge(evaluator)
    assert len(evaluator) == 1


def test_a_merged_name_cannot_be_added_again() -> None:
    first, second = Evaluator(), Evaluator()
    second.update(key=KEY, response=RESPONSE, document="d")
    first.merge(second)
    with pytest.raises(scoref.ScorefError, match="'d' was added before"):
        first.update(key=KEY, response=RESPONSE, document="d")


FILES = str(EXAMPLES / "many-key.conll"), str(EXAMPLES / "many-a.conll")

CONLL = scoref.score(*FILES).conll


@pytest.mark.parametrize(
    ("least", "tolerance"),
    [(0.8, 0.0), (CONLL, 0.0), (CONLL + 0.0004, 0.0005), (0, 0.0), (1.0, 0.2)],
)
def test_a_score_that_is_high_enough_is_given_back(
    least: float, tolerance: float
) -> None:
    found = scoref.assert_score(*FILES, conll=least, tolerance=tolerance)
    assert found == scoref.score(*FILES)


def test_a_lower_score_fails_with_the_table_and_the_signature() -> None:
    with pytest.raises(AssertionError) as failure:
        scoref.assert_score(*FILES, conll=0.9, muc=0.5, lea=0.82)
    result = scoref.score(*FILES)
    lines = str(failure.value).split("\n")
    assert lines[:3] == [
        "CoNLL F₁ is 86.38, but at least 90.00 was expected",
        "LEA F₁ is 81.62, but at least 82.00 was expected",
        "",
    ]
    assert "\n".join(lines[3:]) == str(result)
    assert result.signature in str(failure.value).replace("\n", "")


def test_more_than_the_tolerance_fails() -> None:
    with pytest.raises(AssertionError):
        scoref.assert_score(*FILES, conll=CONLL + 0.0006, tolerance=0.0005)


def test_conventions_may_be_given_beside_figures() -> None:
    found = scoref.assert_score(*FILES, lea=0.7, singletons="drop", blanc="corefud")
    assert "singletons:drop" in found.signature
    assert "blanc:corefud" in found.signature
    entities = [["a", "b"]], [["a", "b"]]
    assert scoref.assert_score(*entities, conll=1, b3=1).conll == 1


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({}, "no minimum was given"),
        ({"conll": 80}, "is not a fraction"),
        ({"conll": float("nan")}, "is not a fraction"),
        ({"conl": 0.5}, "Did you mean conll"),
        ({"conll": 0.5, "metrics": "muc"}, "was not computed"),
    ],
    ids=str,
)
def test_what_cannot_be_expected_is_refused(
    expected: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        scoref.assert_score(*FILES, **expected)  # type: ignore[arg-type]


def test_a_name_may_be_given_to_the_document_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc_key": "a", "clusters": [[[0, 0], [2, 2]]]}\n')
    evaluator = Evaluator()
    evaluator.update(key=path, response=path, document="b")
    assert evaluator.compute().documents == ("b",)
