"""The command `scoref-corefud`: a drop-in for the CorefUD scorer 1.2.

    scoref-corefud KEY RESPONSE [-m METRIC …] [-s] [-a MATCH] [-x] [-z METHOD]

Its standard output is the official script's, so that what reads that output goes
on working. Files that the script cannot read are refused with a message and exit
code 1, and nothing on standard output.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from scoref.cli._running import running
from scoref.errors import ScorefError

if TYPE_CHECKING:
    from typing import NoReturn

    from scoref.results import Result

_ALL = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
_AVERAGED = ("muc", "bcub", "ceafe")
_ENGINE = {"exact": "exact", "partial": "partial-corefud", "head": "head"}


def main() -> NoReturn:
    """Run the command on the arguments that it was called with."""
    with running():
        sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Score, print as the official script would, and return an exit code."""
    options = _parser().parse_args(arguments)
    metrics = _ALL if "all" in options.metrics else tuple(options.metrics)
    match = "exact" if options.exact_match else options.match
    from scoref.evaluate import Wanted, score_files  # noqa: PLC0415 - loads NumPy

    wanted = Wanted(
        format="corefud",
        scheme="crac-2026",
        metrics=metrics or "muc",
        changes={
            "match": match,
            "singletons": "keep" if options.keep_singletons else "drop",
            "zeros": options.zero_match_method,
        },
    )
    try:
        (result,) = score_files(options.key, [options.response], wanted)
    except ScorefError as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201 - a command's message
        return 1
    kept = options.keep_singletons, options.zero_match_method
    for line in (*_header(metrics, match, *kept), *_scores(result, metrics)):
        print(line)  # noqa: T201
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scoref-corefud",
        description="Score CorefUD files as the CorefUD scorer 1.2 does.",
    )
    parser.add_argument("key", help="the file with the expected coreference")
    parser.add_argument("response", help="the file with the output of a system")
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="*",
        choices=["all", *_ALL],
        default=["all"],
        help="metrics to compute, in this order",
    )
    parser.add_argument("-s", "--keep-singletons", action="store_true")
    parser.add_argument("-a", "--match", choices=[*_ENGINE], default="head")
    parser.add_argument(
        "-x", "--exact-match", action="store_true", help="the same as --match exact"
    )
    parser.add_argument(
        "-z",
        "--zero-match-method",
        choices=["linear", "dependent"],
        default="dependent",
    )
    return parser


def _header(
    metrics: tuple[str, ...], match: str, keeps_singletons: bool, zeros: str
) -> list[str]:
    what = ""
    if set(metrics) - {"mor"}:
        singletons = ", singletons" if keeps_singletons else ""
        what = f"coreferential mentions{singletons}, zeros (using {zeros} match method)"
    engine = _ENGINE[match]
    return [
        f"The scorer is evaluating {what} using {engine} match evaluation setting.",
        f"The following metrics will be evaluated: {', '.join(metrics)}",
        "",
    ]


def _scores(result: Result, metrics: tuple[str, ...]) -> list[str]:
    lines = []
    for name in metrics:
        recall, precision, f1, _ = result.scores[name]
        figures = [100 * (value or 0) for value in (recall, precision, f1)]
        lines += [
            name,
            "Recall: {:.2f}  Precision: {:.2f}  F1: {:.2f}".format(*figures),
        ]
    averaged = [result.scores[name].f1 for name in metrics if name in _AVERAGED]
    if len(averaged) == len(_AVERAGED):
        lines.append(f"CoNLL score: {100 * sum(averaged) / len(averaged):.2f}")
    return lines
