"""Every convention on the same two files: the figures, and why they differ."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import scoref
from scoref.metrics.base import figures_of
from scoref.tools.explain.explanation import Explanation, PracticeRow, across, explain
from support.paths import EXAMPLES
from support.strategies import Documents, corpora

if TYPE_CHECKING:
    from pathlib import Path

FILES = EXAMPLES / "explain-key.conll", EXAMPLES / "explain-response.conll"
PARTS = "muc", "bcub", "ceafe", "conll"


def exact(row: PracticeRow) -> dict[str, tuple[float | None, ...]]:
    return {name: score[:3] for name, score in row.scores.items()}


def percentages(row: PracticeRow) -> list[float]:
    return [round(100 * row.scores[name].f1, 2) for name in PARTS]


def explain_entities(key: object, response: object) -> Explanation:
    return explain(key, response)  # type: ignore[arg-type] # made up


@pytest.mark.parametrize(
    ("convention", "figures"),
    [
        ("reference", [66.67, 74.75, 81.81, 74.41]),
        ("printed", [66.66, 74.75, 81.81, 74.41]),
        ("coval", [66.67, 74.75, 81.81, 74.41]),
        ("maverick", [66.67, 74.75, 81.81, 74.41]),
        ("coval-no-singletons", [66.67, 64.33, 64.97, 65.32]),
        ("e2e-coref", [66.67, 64.33, 47.87, 59.62]),
        ("hf-coval", [72.00, 62.12, 73.99, 69.37]),
        ("stanza", [45.75, 83.68, 86.89, 72.11]),
        ("metric4coref", [52.17, 84.11, 77.78, 71.36]),
    ],
)
def test_the_same_two_files_have_six_conll_scores(
    convention: str, figures: list[float]
) -> None:
    # The tools printed these figures for three short documents with singletons. That
    # pair of files was not kept. `FILES` are three documents with the same figures.
    assert percentages(explain(*FILES).row(convention)) == figures


@pytest.mark.parametrize(("convention", "f1"), [("coval", 64.86), ("e2e-coref", 55.65)])
def test_so_has_lea(convention: str, f1: float) -> None:
    assert round(100 * explain(*FILES).row(convention).scores["lea"].f1, 2) == f1


def test_a_perfect_response_is_not_perfect_for_the_neural_evaluator() -> None:
    entities = [["a", "b"], ["c"], ["d"]]
    row = explain_entities(entities, entities).row("e2e-coref")
    assert row.scores["ceafe"][:3] == pytest.approx((1 / 3, 1, 1 / 2))
    assert row.scores["bcub"].f1 == 1
    assert row.causes == {
        "ceafe": ("CEAFe ignores singletons of the response but not of the key",),
        "conll": ("CEAFe ignores singletons of the response but not of the key",),
    }


def test_the_neural_evaluator_averages_recall_and_precision_too() -> None:
    entities = [["a", "b"], ["c"], ["d"]]
    conll = explain_entities(entities, entities).row("e2e-coref").scores["conll"]
    assert conll[:3] == pytest.approx((7 / 9, 1, 5 / 6))


def test_entities_with_one_label_become_one_across_documents() -> None:
    key = {"d1": [["a", "b"]], "d2": [["a", "b"], ["c"]]}
    response = {"d1": [["a", "b"]], "d2": [["c"], ["a", "b"]]}
    row = explain_entities(key, response).row("hf-coval")
    # Key {1a 1b 2a 2b} {2c}, response {1a 1b 2c} {2a 2b}.
    assert row.scores["muc"][:3] == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    b_cubed = (2 + 1 / 1) / 5, (4 / 3 + 1 / 3 + 2) / 5
    assert row.scores["bcub"][:2] == pytest.approx(b_cubed)
    assert row.cause is not None
    assert row.cause.endswith("are merged across documents")


def test_pairs_across_documents_are_links_for_blanc_and_nothing_else() -> None:
    key = {"d1": [["a", "b"]], "d2": [["a"], ["b"]]}
    response = {"d1": [["a"], ["b"]], "d2": [["a"], ["b"]]}
    row = explain_entities(key, response).row("one-document")
    assert list(row.causes) == ["blanc"]
    # Of six pairs, one is together in the key and none in the response.
    recall, precision, f1 = row.scores["blanc"][:3]
    assert (recall, precision) == pytest.approx((1 / 2, (0 + 5 / 6) / 2))
    assert f1 == pytest.approx((0 + 10 / 11) / 2)


def test_mean_recall_and_precision_make_another_f1() -> None:
    key = {"d1": [["a", "b", "c"]], "d2": [["a", "b"]], "d3": [["a"]]}
    response = {"d1": [["a", "b"]], "d2": [["a", "b", "c"]], "d3": [["a"]]}
    explanation = explain_entities(key, response)
    # MUC: recall 1/2, 1 and 0 for 0/0; precision 1, 1/2 and 0.
    assert explanation.row("stanza").scores["muc"][:3] == pytest.approx(
        (1 / 2, 1 / 2, 1 / 2)
    )
    # F₁ is 2/3 in both documents that have links.
    assert explanation.row("macro").scores["muc"].f1 == pytest.approx(2 / 3)


def test_a_document_without_key_entities_is_no_number_for_stanza() -> None:
    key: Documents = {"d1": [[1, 2]], "d2": []}
    row = explain_entities(key, {"d1": [[1, 2]], "d2": [[1]]}).row("stanza")
    assert math.isnan(row.scores["ceafe"].f1)
    assert math.isnan(row.scores["conll"].f1)
    assert row.cause_of("ceafe") == "a document without key entities makes the mean 0/0"


def test_mentions_of_the_response_are_added_to_the_key() -> None:
    row = explain_entities([["a", "b"]], [["a", "b"], ["x"], ["y"]]).row(
        "added-singletons"
    )
    assert {score.f1 for score in row.scores.values()} == {1.0}
    row = explain_entities([["a", "b"]], [["a", "b", "x"]]).row("added-singletons")
    # Key {a b} {x}: five ninths of B³ precision, and φ₄ = 4/5 for one of two entities.
    assert row.scores["bcub"][:2] == pytest.approx((1, 5 / 9))
    assert row.scores["ceafe"][:2] == pytest.approx((2 / 5, 4 / 5))


def test_scorch_weighs_documents_by_their_mentions() -> None:
    key = {"d1": [[1, 2]], "d2": [[1, 2, 3, 4, 5, 6]]}
    response = {"d1": [[1, 2]], "d2": [[1, 2, 3], [4, 5, 6]]}
    row = explain_entities(key, response).row("scorch")
    recall, _, f1 = row.scores["muc"][:3]
    # Recall 1 and 4/5, F₁ 1 and 8/9; 2 of 8 mentions, and 4 of 16 of both sides.
    assert recall == pytest.approx((2 * 1 + 6 * Fraction(4, 5)) / 8)
    assert f1 == pytest.approx((4 * 1 + 12 * Fraction(8, 9)) / 16)
    assert row.cause == "the mean over documents is weighted by their size"


def test_recall_and_precision_change_places_if_the_files_do() -> None:
    explanation = explain(*FILES)
    row = explanation.row("swapped")
    recall, precision, f1 = explanation.reference.scores["bcub"][:3]
    assert row.scores["bcub"][:3] == pytest.approx((precision, recall, f1))
    assert row.cause is not None
    assert "are swapped" in row.cause


def test_figures_are_cut_or_rounded_before_they_are_averaged() -> None:
    # MUC 2/3; B³ 8/13, of recall 4/9 and precision 1; CEAFe 4/5.
    explanation = explain_entities([["a", "b", "c"]], [["a", "b"]])
    cut, rounded = (explanation.row(name).scores for name in ("printed", "rounded"))
    assert [cut[name].f1 for name in PARTS[:3]] == [0.6666, 0.6153, 0.8]
    assert [rounded[name].f1 for name in PARTS[:3]] == [0.6667, 0.6154, 0.8]
    assert cut["conll"].f1 == pytest.approx((0.6666 + 0.6153 + 0.8) / 3, abs=1e-12)
    assert rounded["conll"].f1 == pytest.approx((0.6667 + 0.6154 + 0.8) / 3, abs=1e-12)


def test_the_perl_script_prints_no_lea() -> None:
    assert "lea" not in explain(*FILES).row("printed").scores


@pytest.mark.parametrize(
    ("key", "response", "figures"),
    [
        # recall and precision of MUC, B³, CEAFe, as coval gives them
        (
            [["a", "b"], ["c", "d"]],
            [["a", "b"], ["a", "c", "d"]],
            [(1 / 2, 2 / 3), (3 / 4, 11 / 15), (9 / 10, 9 / 10)],
        ),
        (
            [["a", "b"], ["a", "c"]],
            [["a", "b"], ["a", "c"]],
            [(1 / 2, 1 / 2), (3 / 4, 3 / 4), (1, 1)],
        ),
        (
            [["a", "b"]],
            [["a", "b"], ["a"]],
            [(0, 1), (1 / 2, 1), (1, 1 / 2)],
        ),
        (
            [["a", "a", "b"]],
            [["a", "b"]],
            [(1, 1), (1, 1), (6 / 5, 6 / 5)],
        ),
    ],
)
def test_coval_leaves_mentions_wherever_they_are_listed(
    key: list[list[str]],
    response: list[list[str]],
    figures: list[tuple[float, float]],
) -> None:
    row = explain_entities(key, response).row("coval")
    ratios = [row.scores[name][:2] for name in PARTS[:3]]
    assert ratios == [pytest.approx(pair) for pair in figures]


def write_conll(path: Path, **documents: str) -> Path:
    """Write CoNLL-2012: the cells of each document."""
    text = ""
    for name, cells in documents.items():
        rows = [f"{name} 0 {row} w {cell}\n" for row, cell in enumerate(cells.split())]
        text += f"#begin document ({name}); part 000\n{''.join(rows)}\n#end document\n"
    path.write_text(text, encoding="utf-8")
    return path


# Entity 1 is opened first, but a mention of 2 is complete before one of 1. So 1 is the
# last entity for coval, and owns what both list. The figures are those of the tools.
COMPLETED = {
    "coval": [(1 / 2, 1), (5 / 8, 1), (1 / 2, 1), (1 / 2, 1)],
    "coval-no-singletons": [(1 / 2, 1), (5 / 8, 1), (1 / 2, 1), (1 / 2, 1)],
    "maverick": [(1 / 2, 1), (5 / 8, 1), (1 / 2, 1), (1 / 2, 1)],
    "e2e-coref": [(1 / 2, 1), (5 / 8, 1), (1 / 2, 1), (1 / 2, 1)],
    "hf-coval": [(1 / 2, 1), (5 / 8, 1), (1 / 2, 1), (1 / 2, 1)],
}


@pytest.mark.parametrize("name", COMPLETED)
def test_the_last_entity_is_the_last_to_have_a_complete_mention(
    name: str, tmp_path: Path
) -> None:
    key = write_conll(tmp_path / "key", d="(1 (2) 1) (1)|(2)")
    response = write_conll(tmp_path / "response", d="(1 - 1) (1)")
    scores = explain(key, response).row(name).scores
    ratios = [scores[metric][:2] for metric in (*PARTS[:3], "lea")]
    assert ratios == [pytest.approx(pair) for pair in COMPLETED[name]]


def test_so_it_is_where_labels_of_documents_are_merged(tmp_path: Path) -> None:
    # 10 is complete before 3, though neither the numbers nor the texts are in order.
    key = write_conll(tmp_path / "key", a="(3 (10) 3) (3)|(10)", b="(3) (2) (2)|(3)")
    response = write_conll(tmp_path / "response", a="(3 - 3) (3)", b="(3) - (3)")
    scores = explain(key, response).row("hf-coval").scores
    ratios = [scores[metric][:2] for metric in (*PARTS[:3], "lea")]
    expected = [(3 / 5, 2 / 3), (5 / 8, 5 / 8), (1 / 3, 1), (1 / 2, 1 / 2)]
    assert ratios == [pytest.approx(pair) for pair in expected]


def test_tools_whose_duplicates_are_not_known_are_left_out() -> None:
    left_out = {"stanza", "added-singletons", "scorch", "metric4coref"}
    explanation = explain_entities([["a", "b"], ["a", "c"]], [["a", "b"]])
    assert not left_out & {row.name for row in explanation.rows}
    assert all(name in explanation.notes[-1].message for name in left_out)
    without = explain_entities([["a", "b"]], [["a", "b"]])
    assert left_out <= {row.name for row in without.rows}


def test_a_mention_of_a_thousand_entities_is_too_much_for_tools_that_keep_it() -> None:
    side = [["a", f"b{number}"] for number in range(1000)]
    explanation = explain_entities(side, side)
    names = {row.name for row in explanation.rows}
    assert not {"coval", "hf-coval", "maverick", "e2e-coref"} & names
    assert {"reference", "duplicates-first"} <= names
    # Each entity with each by way of a, and with itself by way of its other mention.
    notes = [note for note in explanation.notes if "1,001,000 pairs" in note.message]
    assert [(note.kind, note.count) for note in notes] == [("left-out", 1)] * 5
    assert notes[0].message.startswith(
        "Omitted: coval cannot score these files (mentions are "
    )


def test_rules_for_duplicates_are_there_where_there_are_duplicates() -> None:
    explanation = explain_entities(
        [["a", "b"], ["c", "d"]], [["c", "d", "a"], ["a", "b"]]
    )
    assert explanation.row("duplicates-first").scores["conll"].f1 == pytest.approx(
        explanation.reference.scores["conll"].f1
    )
    assert explanation.row("duplicates-last").scores["conll"].f1 == 1
    without = explain_entities([["a", "b"]], [["a", "b"]])
    assert "duplicates-last" not in {row.name for row in without.rows}
    assert not without.notes


def test_where_only_duplicates_differ_singletons_are_not_to_blame() -> None:
    explanation = explain_entities(
        [["a", "b"], ["c", "d"]], [["a", "b"], ["a", "c", "d"]]
    )
    for name in ("e2e-coref", "maverick", "coval-no-singletons"):
        assert (
            explanation.row(name).cause
            == "a mention listed twice stays in both entities"
        )


def test_what_a_scheme_gives_has_its_signature() -> None:
    explanation = explain(*FILES)
    macro = scoref.score(*FILES, average="macro")
    assert explanation.row("macro").signature == macro.signature
    assert exact(explanation.row("macro")) == {
        name: score[:3] for name, score in macro.scores.items()
    }
    assert explanation.row("e2e-coref").signature is None


@given(corpora())
def test_a_cause_is_told_exactly_where_a_figure_differs(
    pair: tuple[Documents, Documents],
) -> None:
    explanation = explain(*pair)
    for row in explanation.rows[1:]:
        for name, score in row.scores.items():
            reference = explanation.reference.scores[name]
            figures = [
                (one, other)
                for one, other in zip(
                    figures_of(score), figures_of(reference), strict=True
                )
                if one is not None and other is not None
            ]
            is_equal = all(one == pytest.approx(other) for one, other in figures)
            if name == "conll" and is_equal:
                continue  # parts may differ and their mean may not
            assert bool(row.cause_of(name)) != is_equal, (row.name, name)


@given(corpora())
def test_one_document_has_one_average(pair: tuple[Documents, Documents]) -> None:
    name = next(iter(pair[0]))
    explanation = explain(*({name: side[name]} for side in pair))
    for convention in ("macro", "hf-coval", "one-document"):
        assert explanation.row(convention).cause is None, convention
    stanza = explanation.row("stanza")
    assert {*stanza.causes} <= ({"lea"} if pair[0][name] else {"lea", "ceafe", "conll"})


@given(corpora())
def test_without_singletons_all_evaluators_agree(
    pair: tuple[Documents, Documents],
) -> None:
    several = [
        {name: [entity for entity in side[name] if len(entity) > 1] for name in side}
        for side in pair
    ]
    explanation = explain(*several)
    for convention in ("coval", "coval-no-singletons", "maverick", "e2e-coref"):
        assert explanation.row(convention).cause is None


def test_entities_and_files_give_the_same() -> None:
    key = {"d": [["a", "b"], ["c"]]}
    by_label = explain([["a", "b"], ["c"]], [["a", "b", "c"]])
    by_document = explain_entities(key, {"d": [["a", "b", "c"]]})
    assert [exact(row) for row in by_label.rows] == [
        exact(row) for row in by_document.rows
    ]


@pytest.mark.parametrize(
    ("key", "response"),
    [("key.conll", [["a"]]), ([["a"]], "response.conll"), ([["a"]], None)],
)
def test_a_path_and_a_list_do_not_go_together(key: object, response: object) -> None:
    with pytest.raises(scoref.ScorefError):
        explain_entities(key, response)


def test_the_row_of_hugging_face_depends_on_labels() -> None:
    lists = {"a": [["x", "y"], ["z"]], "b": [["x", "y"]]}
    labelled = {"a": {"A": ["x", "y"], "B": ["z"]}, "b": {"C": ["x", "y"]}}
    notes = {note.kind: note.message for note in explain(lists, lists).notes}
    assert notes["no-labels"].startswith("warning: key and response have no entity")
    notes = {note.kind: note.message for note in explain(labelled, lists).notes}
    assert notes["no-labels"].startswith("warning: response has no entity labels.")
    for sides in ((labelled, labelled), (lists["a"], lists["a"])):
        assert "no-labels" not in {note.kind for note in explain(*sides).notes}


def test_conventions_that_some_datasets_lack_are_listed() -> None:
    repeated = explain_entities([["a", "b"], ["c", "d"]], [["c", "d", "a"], ["a", "b"]])
    plain = explain_entities([["a", "b"]], [["a", "b"]])
    (note,) = across({"one": repeated, "two": plain}).notes
    assert note.kind == "left-out"
    assert note.count == len(note.message.split(", "))
    assert note.message.startswith("Omitted because some datasets lack them: ")
    assert not across({"one": plain, "two": plain}).notes
