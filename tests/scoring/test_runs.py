"""Runs of one system are averaged, and folds of a corpus are pooled."""

from __future__ import annotations

import pickle
import statistics
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.errors import AlignmentError, OptionError
from scoref.scoring.runs import RunResults, runs_or_folds
from support.commands import run
from support.paths import EXAMPLES
from support.results_from_counts import counted

if TYPE_CHECKING:
    from pathlib import Path

KEY = EXAMPLES / "many-key.conll"
RUNS = [EXAMPLES / f"many-{name}.conll" for name in ("a", "a2", "a3")]
FIGURES = ("recall", "precision", "f1")
HALF = [[1, 2, 1, 2]]
WHOLE = [[2, 2, 2, 2]]


def split(path: Path, folder: Path, parts: int) -> list[Path]:
    """Write the documents of a CoNLL file to several files."""
    documents = path.read_text("utf-8").split("#begin document")[1:]
    files = [folder / f"fold{number}.conll" for number in range(parts)]
    for number, file in enumerate(files):
        own = documents[number::parts]
        file.write_text("".join(f"#begin document{text}" for text in own), "utf-8")
    return files


def test_scores_are_means_over_runs_with_standard_deviations() -> None:
    found = scoref.score_runs(KEY, RUNS)
    single = [scoref.score(KEY, path) for path in RUNS]
    assert isinstance(found, RunResults)
    assert list(found.runs) == single
    for metric, score in found.scores.items():
        for name in FIGURES:
            if not hasattr(single[0].scores[metric], name):
                assert not hasattr(score, name)
                continue
            values = [getattr(run.scores[metric], name) for run in single]
            assert getattr(score, name) == pytest.approx(statistics.mean(values))
            assert getattr(found.sd[metric], name) == pytest.approx(
                statistics.stdev(values)
            )
    assert found.conll == pytest.approx(statistics.mean(run.conll for run in single))
    assert found.mean == found.scores
    assert found.signature == f"{single[0].signature}|runs:3"


def test_documents_have_means_and_standard_deviations() -> None:
    found = scoref.score_runs(KEY, RUNS, metrics="muc")
    name = found.documents[0]
    values = [run.per_document[name]["muc"].f1 for run in found.runs]
    assert found.per_document[name]["muc"].f1 == pytest.approx(statistics.mean(values))
    assert found.sd_per_document[name]["muc"].f1 == pytest.approx(
        statistics.stdev(values)
    )


def test_one_run_is_a_result_without_standard_deviations() -> None:
    found = scoref.score_runs(KEY, RUNS[:1])
    assert found == scoref.score(KEY, RUNS[0])
    assert (found.sd, found.sd_per_document, found.runs) == ({}, {}, (found,))
    assert "runs" not in found.signature


def test_runs_of_entities() -> None:
    key = {"d": [["a", "b", "c"]], "e": [["x", "y"]]}
    responses = [{**key, "d": [["a", "b"], ["c"]]}, key]
    found = scoref.score_runs(key, responses, metrics=["muc"])
    assert [run.scores["muc"].recall for run in found.runs] == [2 / 3, 1.0]
    assert found.scores["muc"].recall == pytest.approx(5 / 6)


def test_folds_of_entities_are_pooled() -> None:
    key = {"d": [["a", "b", "c"]], "e": [["x", "y"]]}
    folds = [{"e": [["x", "y"]]}, {"d": [["a", "b"], ["c"]]}]
    found = scoref.score_runs(key, folds)
    assert found.scores == scoref.score(key, folds[0] | folds[1]).scores
    assert (found.folds, found.sd) == (2, {})


@pytest.mark.parametrize("order", [1, -1])
def test_folds_have_the_digits_of_the_concatenated_file(
    order: int, tmp_path: Path
) -> None:
    folds = split(RUNS[0], tmp_path, 10)[::order]
    found, whole = scoref.score_runs(KEY, folds), scoref.score(KEY, RUNS[0])
    assert found.scores == whole.scores
    assert found.per_document == whole.per_document
    assert found.documents == whole.documents
    assert found.signature == f"{whole.signature}|folds:10"


def test_folds_of_corefud_are_pooled(tmp_path: Path) -> None:
    key, response = (
        EXAMPLES / f"corefud-{side}.conllu" for side in ("key", "response")
    )
    text = response.read_text("utf-8")
    second = text.index("# newdoc", text.index("# newdoc") + 1)
    header = next(line for line in text.splitlines() if "global.Entity" in line)
    folds = tmp_path / "one.conllu", tmp_path / "two.conllu"
    folds[0].write_text(text[:second], "utf-8")
    rest = text[second:]
    if "global.Entity" not in rest:
        first, _, after = rest.partition("\n")
        rest = f"{first}\n{header}\n{after}"
    folds[1].write_text(rest, "utf-8")
    found, whole = scoref.score_runs(key, folds), scoref.score(key, response)
    assert found.scores == whole.scores
    assert found.folds == 2


def test_folds_with_other_formats_are_refused(tmp_path: Path) -> None:
    folds = split(RUNS[0], tmp_path, 2)
    converted = tmp_path / "fold.jsonl"
    run("convert", folds[1], converted, code=0)
    with pytest.raises(scoref.FormatError, match=r"Folds of one corpus must have"):
        scoref.score_runs(KEY, [folds[0], converted])


def test_results_of_folds_are_pooled(tmp_path: Path) -> None:
    keys = split(KEY, tmp_path, 3)
    (tmp_path / "r").mkdir()
    responses = split(RUNS[0], tmp_path / "r", 3)
    pairs = zip(keys, responses, strict=True)
    parts = [scoref.score(*pair, with_blocks=True) for pair in pairs]
    found, whole = scoref.join_runs(parts), scoref.score(KEY, RUNS[0], with_blocks=True)
    assert found.conll == pytest.approx(whole.conll, abs=1e-15)
    assert found.folds == 3
    assert found._blocks is not None
    assert whole._blocks is not None
    assert len(found._blocks["muc"]) == len(whole._blocks["muc"])


def test_responses_between_runs_and_folds_are_refused(tmp_path: Path) -> None:
    first, second = split(RUNS[0], tmp_path, 2)
    message = (
        rf"{first}: this and {RUNS[0]} are neither runs nor folds of one system: both "
        rf"have .*'\(chat/concert\); part 000'.*, only {RUNS[0]} has '\(chat/dog\)"
    )
    with pytest.raises(AlignmentError, match=message):
        scoref.score_runs(KEY, [first, RUNS[0], second])


def test_the_kind_of_responses_is_seen_from_their_documents() -> None:
    names = ["x", "y", "z"]
    assert runs_or_folds(names, ["ab", "ba", "ab"]) == "runs"
    assert runs_or_folds(names, ["ab", "c", "d"]) == "folds"
    with pytest.raises(AlignmentError) as caught:
        runs_or_folds(names, ["ab", "ab", "c"])
    assert caught.value.problem.endswith("both have 'a', 'b', but z has 'c'")
    with pytest.raises(AlignmentError) as caught:
        runs_or_folds(names, ["ab", "c", "cd"])
    assert caught.value.problem == (
        "this and z are neither runs nor folds of one system: both have 'c', only z "
        "has 'd'"
    )


def test_runs_may_have_their_documents_in_another_order() -> None:
    one = counted(muc=[*HALF, *WHOLE], documents=["d", "e"])
    other = counted(muc=[*WHOLE, *HALF], documents=["e", "d"])
    found = scoref.join_runs([one, other])
    assert found.documents == ("d", "e")
    assert found.sd_per_document["d"]["muc"].f1 == 0


def test_runs_that_were_scored_otherwise_are_refused() -> None:
    one = counted(muc=HALF)
    with pytest.raises(OptionError, match="average is macro for response, micro"):
        scoref.join_runs([one, counted(muc=HALF, average="macro")])
    with pytest.raises(OptionError, match="metrics is bcub for response, muc"):
        scoref.join_runs([one, counted(bcub=HALF)])


def test_equal_runs_are_noted() -> None:
    found = scoref.join_runs([counted(muc=HALF), counted(muc=HALF)])
    (note,) = found.notes
    assert note.kind == "equal-runs"
    assert note.message.startswith("warning: response and response have the same")


@pytest.mark.parametrize("value", ["a.conll", {"a": 1}, EXAMPLES])
def test_what_is_not_a_list_of_responses_is_refused(value: object) -> None:
    with pytest.raises(OptionError, match=r"score_runs\(\) takes a list of responses"):
        scoref.score_runs(KEY, value)  # type: ignore[arg-type]


def test_no_runs_are_refused() -> None:
    with pytest.raises(OptionError, match="there are no runs"):
        scoref.score_runs(KEY, [])
    with pytest.raises(OptionError, match="there are no runs"):
        scoref.join_runs([])
    with pytest.raises(OptionError, match=r"join_runs\(\) takes a list of results"):
        scoref.join_runs(counted(muc=HALF))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"takes a result, not the text"):
        scoref.join_runs(["a.conll"])  # type: ignore[list-item]


def test_several_runs_cannot_be_saved_but_folds_can(tmp_path: Path) -> None:
    runs = scoref.join_runs([counted(muc=HALF), counted(muc=WHOLE)])
    with pytest.raises(OptionError, match="has 2 runs, but a file holds one result"):
        scoref.save_result(runs, tmp_path / "x.json")
    pooled = replace(counted(muc=HALF), folds=10)
    scoref.save_result(pooled, tmp_path / "x.json")
    assert scoref.load_result(tmp_path / "x.json").signature == pooled.signature


def test_runs_can_be_shown_and_pickled() -> None:
    runs = scoref.join_runs([counted(muc=HALF), counted(muc=WHOLE)])
    assert repr(runs) == "<RunResults: MUC 75.00 ± 35.36 over 2 runs>"
    assert pickle.loads(pickle.dumps(runs)) == runs  # noqa: S301 - its own
    assert runs != runs.runs[0]
    assert runs.of_metrics(["muc"]).sd == runs.sd
    assert runs.of_documents([0]).scores == runs.scores
    assert runs._discreet().notes == ()
    assert runs.to_dict()["runs"] == 2
    assert "75.00 ± 35.36" in str(runs)


def test_counts_are_means_over_runs_document_by_document() -> None:
    found = scoref.score_runs(KEY, RUNS)
    single = [scoref.score(KEY, path) for path in RUNS]
    for metric, counts in found.counts.items():
        assert counts.shape == single[0].counts[metric].shape
        columns = zip(*(run.counts[metric].ravel() for run in single), strict=True)
        expected = [statistics.mean(map(float, values)) for values in columns]
        assert counts.ravel().tolist() == pytest.approx(expected)
