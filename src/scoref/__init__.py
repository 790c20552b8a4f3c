"""scoref scores coreference exactly as the official scorers do.

    import scoref

    result = scoref.score("key.conll", "response.conll")
    result.scores["muc"].f1       # 0.7219…, full precision
    result.conll                  # mean F₁ of MUC, B³ and CEAFe
    result.per_document           # the same for each document
    result.signature              # every choice that could move a figure

    scoref.confidence(result)     # intervals of every figure
    scoref.compare({"a": result, "b": other})  # is the difference real?

    scoref.score_runs("key.conll", ["s1.conll", "s2.conll"])  # mean and sd of runs
    scoref.find_errors("key.conll", "response.conll")  # by kind, and what each costs
    scoref.show("key.conll", "response.conll")  # a document in a notebook
    scoref.report("key.conll", ["a.conll", "b.conll"], "report.html")  # a page

    scoref.score_folders("gold", ["system-a", "system-b"])  # many datasets
    scoref.score_table({"r1": "x", "r2": "x"}, {"r1": 1, "r2": 2})  # records
    scoref.estimate("labelled.csv", "all.parquet", weights="uniform")  # from a sample

    evaluator = scoref.Evaluator()
    evaluator.update(key=[[(0, 1), (5, 5)]], response=[[(0, 1)], [(5, 5)]])
    evaluator.compute().conll

Names are loaded when they are first used, so `scoref --help` and `import scoref` do
not load NumPy.
"""

from __future__ import annotations

from scoref._version import __version__

# Type checkers treat this as `typing.TYPE_CHECKING`. Loading `typing` takes so long
# that an interrupt could come before there is a handler that reports it properly.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoref.errors import (
        AlignmentError,
        DuplicateError,
        FormatError,
        OptionError,
        ScorefError,
    )
    from scoref.metrics.base import Score, Value
    from scoref.model import Note
    from scoref.records.api import score_table
    from scoref.records.curve.curve import Curve, curve
    from scoref.records.diff import Diff, diff_tables
    from scoref.records.estimate.estimate import Estimate, estimate
    from scoref.records.slices import TableSlices, slice_table
    from scoref.records.summary import Summary, summarise_table
    from scoref.scheme import Scheme
    from scoref.schemes import SCHEMES
    from scoref.scoring.datasets import DatasetResults, score_folders
    from scoref.scoring.evaluate import score, score_slices
    from scoref.scoring.evaluator import Evaluator, assert_score
    from scoref.scoring.results import Result
    from scoref.scoring.runs import RunResults, join_runs, score_runs
    from scoref.scoring.saved import load_result, save_result
    from scoref.scoring.scores import Scores
    from scoref.scoring.slices import Slices
    from scoref.statistics.bootstrap import Interval
    from scoref.statistics.compare import Comparison, Difference, compare
    from scoref.statistics.confidence import Confidence, confidence
    from scoref.tools.agree.agreement import agree
    from scoref.tools.agree.results import Agreement
    from scoref.tools.bias.gap import GapResult, score_gap
    from scoref.tools.bias.winobias import BiasResult, score_bias
    from scoref.tools.check.check import check
    from scoref.tools.check.problems import Problem
    from scoref.tools.compare.multiverse import multiverse
    from scoref.tools.compare.multiverse_results import Multiverse
    from scoref.tools.convert.conversion import Conversion, convert
    from scoref.tools.errors.analysis import find_errors
    from scoref.tools.errors.findings import Analysis
    from scoref.tools.explain.explanation import Explanation, explain
    from scoref.tools.llm.scoring import AnswerResult, score_output
    from scoref.tools.report.notebook import DocumentView, show
    from scoref.tools.report.report import report

__all__ = [
    "SCHEMES",
    "Agreement",
    "AlignmentError",
    "Analysis",
    "AnswerResult",
    "BiasResult",
    "Comparison",
    "Confidence",
    "Conversion",
    "Curve",
    "DatasetResults",
    "Diff",
    "Difference",
    "DocumentView",
    "DuplicateError",
    "Estimate",
    "Evaluator",
    "Explanation",
    "FormatError",
    "GapResult",
    "Interval",
    "Multiverse",
    "Note",
    "OptionError",
    "Problem",
    "Result",
    "RunResults",
    "Scheme",
    "Score",
    "ScorefError",
    "Scores",
    "Slices",
    "Summary",
    "TableSlices",
    "Value",
    "__version__",
    "agree",
    "assert_score",
    "check",
    "compare",
    "confidence",
    "convert",
    "curve",
    "diff_tables",
    "estimate",
    "explain",
    "find_errors",
    "join_runs",
    "load_result",
    "multiverse",
    "report",
    "save_result",
    "score",
    "score_bias",
    "score_folders",
    "score_gap",
    "score_output",
    "score_runs",
    "score_slices",
    "score_table",
    "show",
    "slice_table",
    "summarise_table",
]

_HOME = {
    "SCHEMES": "schemes",
    "Agreement": "tools.agree.results",
    "AlignmentError": "errors",
    "Analysis": "tools.errors.findings",
    "AnswerResult": "tools.llm.scoring",
    "BiasResult": "tools.bias.winobias",
    "Comparison": "statistics.compare",
    "Confidence": "statistics.confidence",
    "Conversion": "tools.convert.conversion",
    "Curve": "records.curve.curve",
    "DatasetResults": "scoring.datasets",
    "Diff": "records.diff",
    "Difference": "statistics.compare",
    "DocumentView": "tools.report.notebook",
    "DuplicateError": "errors",
    "Estimate": "records.estimate.estimate",
    "Evaluator": "scoring.evaluator",
    "Explanation": "tools.explain.explanation",
    "FormatError": "errors",
    "GapResult": "tools.bias.gap",
    "Interval": "statistics.bootstrap",
    "Multiverse": "tools.compare.multiverse_results",
    "Note": "model",
    "OptionError": "errors",
    "Problem": "tools.check.problems",
    "Result": "scoring.results",
    "RunResults": "scoring.runs",
    "Scheme": "scheme",
    "Score": "metrics.base",
    "ScorefError": "errors",
    "Scores": "scoring.scores",
    "Slices": "scoring.slices",
    "Summary": "records.summary",
    "TableSlices": "records.slices",
    "Value": "metrics.base",
    "agree": "tools.agree.agreement",
    "assert_score": "scoring.evaluator",
    "check": "tools.check.check",
    "compare": "statistics.compare",
    "confidence": "statistics.confidence",
    "convert": "tools.convert.conversion",
    "curve": "records.curve.curve",
    "diff_tables": "records.diff",
    "estimate": "records.estimate.estimate",
    "explain": "tools.explain.explanation",
    "find_errors": "tools.errors.analysis",
    "join_runs": "scoring.runs",
    "load_result": "scoring.saved",
    "multiverse": "tools.compare.multiverse",
    "report": "tools.report.report",
    "save_result": "scoring.saved",
    "score": "scoring.evaluate",
    "score_bias": "tools.bias.winobias",
    "score_folders": "scoring.datasets",
    "score_gap": "tools.bias.gap",
    "score_output": "tools.llm.scoring",
    "score_runs": "scoring.runs",
    "score_slices": "scoring.evaluate",
    "score_table": "records.api",
    "show": "tools.report.notebook",
    "slice_table": "records.slices",
    "summarise_table": "records.summary",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'scoref' has no attribute '{name}'")
    from importlib import import_module  # as `typing` above

    return getattr(import_module(f"scoref.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
