"""The command `scoref-corefud`: a drop-in for the CorefUD scorer 1.2.

    scoref-corefud KEY RESPONSE [-m METRIC …] [-s] [-a MATCH] [-x] [-z METHOD]

Its standard output is the official script's, so that what reads that output goes
on working. Files that the script cannot read are refused with a message and exit
code 1, and nothing on standard output.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scoref.dropins.official import (
    OfficialParser,
    average,
    doubts,
    figures,
    header,
)
from scoref.errors import ScorefError
from scoref.terminal.printing import print_notes, tell
from scoref.terminal.running import running

if TYPE_CHECKING:
    from typing import NoReturn

_ALL = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
_MATCHES = ("exact", "partial", "head")


def main() -> NoReturn:
    """Run the command on the arguments that it was called with."""
    with running():
        code = run(sys.argv[1:])
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Score, print as the official script would, and return an exit code."""
    options = _parser().parse_args(arguments)
    metrics = _ALL if "all" in options.metrics else tuple(options.metrics)
    match = "exact" if options.exact_match else options.match
    from scoref.scoring.evaluate import (  # noqa: PLC0415 - loads NumPy
        Wanted,
        score_files,
    )

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
        tell(f"error: {error}", err=True)
        return 1
    print_notes(doubts(result, metrics))
    what = _what(metrics, options.keep_singletons, options.zero_match_method)
    lines = header(what, match, metrics)
    for name in metrics:
        lines += [name, figures(result.scores[name])]
    tell("\n".join([*lines, *average(result.scores, metrics)]))
    return 0


def records() -> list[tuple[str, str]]:
    """List what can be typed, each with what it says."""
    return _parser().records()


def _parser() -> OfficialParser:
    parser = OfficialParser(
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
    parser.add_argument(
        "-s",
        "--keep-singletons",
        action="store_true",
        help="entities of one mention count, too",
    )
    parser.add_argument(
        "-a",
        "--match",
        choices=_MATCHES,
        default="head",
        help="what makes two mentions the same",
    )
    parser.add_argument(
        "-x", "--exact-match", action="store_true", help="the same as --match exact"
    )
    parser.add_argument(
        "-z",
        "--zero-match-method",
        choices=["linear", "dependent"],
        default="dependent",
        help="pair zeros by their place, or by what they depend on",
    )
    return parser


def _what(metrics: tuple[str, ...], keeps_singletons: bool, zeros: str) -> str:
    if not set(metrics) - {"mor"}:
        return ""
    singletons = ", singletons" if keeps_singletons else ""
    return f"coreferential mentions{singletons}, zeros (using {zeros} match method)"
