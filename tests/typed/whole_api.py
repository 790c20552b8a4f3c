"""A program that uses the whole public API, for type checkers.

`tests/test_typing.py` checks it with mypy and pyright, and runs it. It has no casts and
no `type: ignore`: a user should not need any.
"""

from __future__ import annotations

import sys
from pathlib import Path

import scoref


def score(folder: Path) -> scoref.Result:
    result: scoref.Result = scoref.score(
        folder / "key.conll", folder / "response.conll", scheme="default"
    )
    recall: float = result.scores["muc"].recall
    precision: float = result.scores["b3"].precision
    mean: float = result.scores["conll"].value
    same: float = result.scores["conll"].f1
    assert mean == same == result.conll
    assert 0 <= recall * precision <= 1
    for name, score in result.scores.items():
        figure: float = score.f1
        if isinstance(score, scoref.Score):
            figure = max(score.recall, score.precision, score.value)
        assert score.is_defined, (name, figure)
    scores: scoref.Scores = result.per_document[result.documents[0]]
    either: scoref.Score | scoref.Value = scores[result.metrics[0]]
    assert either.value == either.f1
    note: scoref.Note
    for note in result.notes:
        assert note.message, (note.kind, note.count)
    numbers: dict[str, float] = result.flat("dev/")
    assert numbers["dev/conll"] == result.conll
    return result


def score_more(folder: Path) -> None:
    index: scoref.Value = scoref.score(
        [["a", "b"]], [["a"], ["b"]], metrics="ari"
    ).scores["ari"]
    assert index.value == index.f1
    evaluator = scoref.Evaluator(metrics="muc,conll", singletons="drop")
    evaluator.update(key=[[(0, 1), (5, 5)]], response=[[(0, 1), (5, 5)]])
    other = scoref.Evaluator(metrics="muc,conll", singletons="drop")
    other.update(key={"d": [["a", "b"]]}, response={"d": [["a", "b"]]})
    evaluator.merge(other)
    assert evaluator.compute().conll == 1
    scoref.assert_score([["a", "b"]], [["a", "b"]], muc=0.9)
    slices: scoref.Slices = scoref.score_slices(
        folder / "key.conll", folder / "response.conll", by="entity-size"
    )
    first: scoref.Result = next(iter(slices.values()))
    assert first.signature
    summary: scoref.Summary = scoref.summarise_table([["r1", "r2"], ["r3"]])
    sliced: scoref.TableSlices = scoref.slice_table(
        {"id": [1, 2], "gold": [1, 1], "system": [1, 2], "year": [7, 8]}, by="year"
    )
    assert sliced.slices["year"]["7"].scores["bcub"].recall > 0
    diff: scoref.Diff = scoref.diff_tables({"r1": 1}, {"r1": 2}, missing_values="none")
    assert summary.matching_rate > diff.retained - 1
    table: scoref.Result = scoref.score_table({"r1": 1, "r2": 1}, {"r1": 1, "r2": 2})
    assert table.scores["pairwise"].recall == 0
    assert table.scores["ari"].value <= 1
    scheme: scoref.Scheme = scoref.SCHEMES["conll-2012"]
    assert scoref.score([["a", "b"]], [["a", "b"]], scheme=scheme).conll == 1
    answers: scoref.AnswerResult = scoref.score_output(
        folder / "key.conll", folder / "llm-answers.jsonl"
    )
    assert answers.result.scores["mentions"].recall <= 1


def compare(folder: Path, output: Path) -> None:
    files = {name: folder / f"many-{name}.conll" for name in "ab"}
    key = folder / "many-key.conll"
    results = {name: scoref.score(key, path) for name, path in files.items()}
    scoref.save_result(results["a"], output / "a.json")
    assert scoref.load_result(output / "a.json") == results["a"]
    intervals: scoref.Confidence = scoref.confidence(results["a"], resamples=100)
    interval: scoref.Interval = intervals.intervals["conll"]["f1"]
    low, high = interval
    assert low == interval.low <= interval.high == high
    comparison: scoref.Comparison = scoref.compare(results, resamples=100)
    difference: scoref.Difference = comparison.between("a", "b", "conll")
    assert 0 <= difference.adjusted <= 1
    runs: scoref.Result = scoref.score_runs(key, [files["a"], files["b"]])
    assert isinstance(runs, scoref.RunResults)
    assert scoref.join_runs([*results.values()]).sd == runs.sd
    assert runs.sd["muc"].recall >= 0
    settings: scoref.Multiverse = scoref.multiverse(key, files, resamples=100)
    assert settings.systems == ("a", "b")
    explanation: scoref.Explanation = scoref.explain(key, files["a"])
    assert explanation.reference.scores["muc"].recall <= 1
    errors: scoref.Analysis = scoref.find_errors(key, files["a"])
    assert sum(cost.errors for cost in errors.costs.values())
    path: str = scoref.report(key, files, output / "report.html")
    assert path
    view: scoref.DocumentView = scoref.show(key, files["a"])
    assert view.documents
    agreement: scoref.Agreement = scoref.agree(
        {name: str(folder / f"agree-{name}.conll") for name in ("ada", "ben")}
    )
    assert agreement.alpha
    (output / "gold").mkdir()
    (output / "ours").mkdir()
    (output / "gold" / "one.conll").write_bytes(key.read_bytes())
    (output / "ours" / "one.conll").write_bytes(files["a"].read_bytes())
    datasets: scoref.DatasetResults = scoref.score_folders(
        output / "gold", {"ours": output / "ours"}
    )
    assert datasets.systems == ("ours",)


def score_records_and_bias(folder: Path) -> None:
    curve: scoref.Curve = scoref.curve(
        folder / "curve-key.csv", folder / "curve-pairs.csv"
    )
    assert curve.best["bcub"].scores["bcub"].recall <= 1
    estimate: scoref.Estimate = scoref.estimate(
        folder / "estimate-sample.csv",
        folder / "estimate-predicted.csv",
        weights="cluster-size",
    )
    assert estimate.scores["pairwise"].precision <= 1
    gap: scoref.GapResult = scoref.score_gap(
        folder / "gap-key.tsv", folder / "gap-response.tsv"
    )
    assert gap.scores["overall"].recall <= 1
    pair = folder / "many-key.conll", folder / "many-a.conll"
    bias: scoref.BiasResult = scoref.score_bias(pair, pair, pairs="(.*)")
    assert bias.difference["conll"] == 0


def handle_files(folder: Path) -> None:
    problems: list[scoref.Problem] = scoref.check(folder / "key.conll")
    assert all(problem.message for problem in problems)
    conversion: scoref.Conversion = scoref.convert(
        folder / "key.conll", "json-lines", lossy=True
    )
    assert conversion.data
    errors: list[type[scoref.ScorefError]] = [
        scoref.AlignmentError,
        scoref.DuplicateError,
        scoref.FormatError,
        scoref.OptionError,
    ]
    try:
        scoref.score(folder / "key.conll", folder / "response.conll", metrics="none")
    except scoref.ScorefError as error:
        if not isinstance(error, tuple(errors)):
            raise
        return
    raise AssertionError(scoref.__version__)


if __name__ == "__main__":
    examples, scratch = map(Path, sys.argv[1:])
    score(examples)
    score_more(examples)
    compare(examples, scratch)
    score_records_and_bias(examples)
    handle_files(examples)
