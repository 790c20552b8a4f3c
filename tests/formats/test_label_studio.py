"""Label Studio: regions, relations, annotators and predictions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scoref import FormatError, score
from scoref.rules import MISSING_CLUSTERS
from support.json_documents import (
    LINKED,
    MIA,
    SHE,
    TEXT,
    Record,
    entity_texts,
    problem_of,
    read_records,
    region,
    relation,
    task,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_relations_join_but_for_bridges() -> None:
    third = region("c", 15, 21, "dreamt")
    found = read_records(
        task(MIA, SHE, third, relation("b", "a", "coref"), relation("c", "b", "Bridge"))
    )
    assert entity_texts(found) == [["Mia", "She"], ["dreamt"]]
    assert [note.message for note in found.notes] == [
        "Relations that join mentions in d.json: coref (1).",
        "Skipped in d.json: relations 'Bridge' (1).",
    ]


def test_the_text_is_what_regions_are_of() -> None:
    data = {"title": "Sleep", "story": TEXT}
    named = [{**each, "to_name": "story"} for each in (MIA, SHE)]
    assert entity_texts(read_records({**task(*named), "data": data})) == [
        ["Mia"],
        ["She"],
    ]
    found, _ = problem_of({**task(MIA), "data": data})
    assert found == "data: there is no text 'text', only 'title', 'story'"


def test_cancelled_annotations_do_not_count_and_several_are_refused() -> None:
    answers = [
        {"result": [MIA], "was_cancelled": True, "completed_by": 1},
        {"result": [SHE], "completed_by": {"id": 2, "email": "b@example.org"}},
        {"result": [MIA, SHE], "completed_by": 3},
    ]
    assert entity_texts(read_records(task(annotations=answers[:2]))) == [["She"]]
    found, hint = problem_of(task(annotations=answers))
    assert found == "annotations: this task has 2 annotations, by '2', '3'"
    assert "--annotator" in hint


def test_annotators_and_relations_can_be_chosen(tmp_path: Path) -> None:
    answers = [
        {"result": [MIA, SHE, relation("b", "a", "coref")], "completed_by": 1},
        {"result": [MIA, SHE, relation("b", "a", "ana")], "completed_by": 2},
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(annotations=answers)]))
    assert score(path, path, annotator="2").scores["muc"].recall == 1
    without = score(path, path, annotator="2", relations="coref")
    assert not without.scores["muc"].is_defined
    with pytest.raises(FormatError, match="this file has nothing by '3'") as error:
        score(path, path, annotator="3")
    assert error.value.hint == "It has annotations by '1', '2'."


def test_tasks_that_nobody_annotated_are_left_out() -> None:
    found = read_records(LINKED, task(annotations=[]))
    assert len(found.documents) == 1
    assert [note.message for note in found.notes] == [
        "Relations that join mentions in d.json: coref (1).",
        "Skipped in d.json: tasks without an annotation (1).",
    ]


PREDICTED = {**LINKED, "predictions": [{"result": [MIA, SHE], "model_version": "m"}]}


def test_predictions_are_the_response_if_a_file_has_any(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps([PREDICTED]))
    assert score(path).scores["muc"].recall == 0
    assert score(path, path).scores["muc"].recall == 0
    assert entity_texts(read_records(PREDICTED)) == [["Mia", "She"]]
    only = read_records({**PREDICTED, "annotations": []}, role="response")
    assert entity_texts(only) == [["Mia"], ["She"]]
    imported = {"data": {"text": TEXT}, "predictions": PREDICTED["predictions"]}
    assert entity_texts(read_records(imported, role="response")) == [["Mia"], ["She"]]


def test_annotations_are_the_response_if_there_are_no_predictions() -> None:
    answers: list[object] = [[], None]
    for nothing in answers:
        record = {**LINKED, "predictions": nothing}
        assert entity_texts(read_records(record, role="response")) == [["Mia", "She"]]


@pytest.mark.parametrize("nothing", [{}, {"predictions": []}, {"predictions": None}])
def test_a_task_without_predictions_is_refused_if_others_have_some(
    nothing: Record,
) -> None:
    with pytest.raises(FormatError) as caught:
        read_records(PREDICTED, {**LINKED, **nothing}, role="response")
    assert caught.value.problem == "document '2' has no 'predictions'"
    assert caught.value.line == 2
    assert caught.value.rule == MISSING_CLUSTERS
    found = read_records(
        PREDICTED, {**LINKED, **nothing}, role="response", reading="lenient"
    )
    assert entity_texts(found) == [["Mia"], ["She"]]
    assert len(found.documents) == 2


def test_an_annotator_of_the_key_does_not_choose_predictions(tmp_path: Path) -> None:
    answers = [
        {"result": [MIA, SHE, relation("b", "a", "coref")], "completed_by": 1},
        {"result": [MIA], "completed_by": 2},
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{**PREDICTED, "annotations": answers}]))
    assert score(path, annotator="1").scores["mentions"].f1 == 1
    assert score(path, annotator="2").scores["mentions"].recall == 1
    assert score(path, annotator="2").scores["mentions"].precision == 1 / 2


def test_regions_of_elements_are_refused() -> None:
    value = {"start": "0", "end": "0", "startOffset": 0, "endOffset": 3}
    found, _ = problem_of(task({**MIA, "type": "paragraphlabels", "value": value}))
    assert found == (
        "annotations[0].result[0].value: this region is counted in paragraphs or "
        "elements, not in characters"
    )


def test_a_region_that_is_not_there_is_refused() -> None:
    found, _ = problem_of(task(MIA, relation("a", "z", "coref")))
    assert found == "annotations[0].result[1]: this task has no region 'z'"


def test_a_region_says_what_its_text_is() -> None:
    found, _ = problem_of(task(MIA, region("b", 10, 13, "She")))
    assert found == "annotations[0].result[1]: [10, 13] is 'Sh' in the text, not 'She'"
