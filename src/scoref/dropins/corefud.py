"""The command `scoref-corefud`: a drop-in for the CorefUD scorer 1.2.

    scoref-corefud KEY RESPONSE [-m METRIC …] [-s] [-a MATCH] [-x] [-z METHOD]

Its standard output equals that of the official script, so programs that read that
output keep working. Files that the script cannot read are refused with a message and
exit code 1, and nothing is written to standard output.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from scoref.errors import ScorefError
from scoref.notes import WARNING
from scoref.printable import printable
from scoref.terminal.printing import print_notes, tell
from scoref.terminal.running import running
from scoref.writing import standard_output

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import NoReturn

    from _typeshed import SupportsWrite

    from scoref.metrics.base import Score
    from scoref.scoring.results import Result


MATCHES = {
    "exact": "exact",
    "partial": "partial-corefud",
    "craft": "partial-craft",
    "head": "head",
}
"""What the scorers call a way to match."""


class OfficialParser(argparse.ArgumentParser):
    """Reads the official scripts' options, and repeats wrong ones in a safe way."""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print help; where it cannot be, that is an error."""
        stream = standard_output()
        (file or stream).write(self.format_help())
        stream.flush()

    def records(self) -> list[tuple[str, str]]:
        """List arguments and options as they are typed, each with its help."""
        return [(_typed(each), _told(each)) for each in self._actions]

    def error(self, message: str) -> NoReturn:
        """Leave with a message."""
        super().error(printable(message))


def _typed(action: argparse.Action) -> str:
    """Write an argument or an option with what it takes."""
    if not action.option_strings:
        return action.dest.upper()
    names = ", ".join(action.option_strings)
    return names if action.nargs == 0 else f"{names} {_value(action)}"


def _value(action: argparse.Action) -> str:
    value = "|".join(action.choices or [action.dest.upper()])
    return f"{value} ..." if action.nargs == "*" else value


def _told(action: argparse.Action) -> str:
    """Give the help of an argument, with what goes without it."""
    if not action.option_strings or action.nargs == 0 or action.default is None:
        return f"{action.help}"
    is_list = isinstance(action.default, list)
    default = " ".join(action.default) if is_list else action.default
    return f"{action.help} [default: {default}]"


def header(what: str, match: str, metrics: Iterable[str]) -> list[str]:
    """Say what is evaluated."""
    engine = MATCHES[match]
    return [
        f"The scorer is evaluating {what} using {engine} match evaluation setting.",
        f"The following metrics will be evaluated: {', '.join(metrics)}",
        "",
    ]


def doubts(result: Result, metrics: Collection[str]) -> list[str]:
    """List what standard error says about figures that may mislead."""
    found = [note.message for note in result.notes if note.kind != "undefined"]
    if not metrics:
        found.append(f"{WARNING}-m names no metric, so there are no figures")
    return found


def figures(score: Score) -> str:
    """Write recall, precision and F1."""
    percent = [100 * (value or 0) for value in score[:3]]
    return "Recall: {:.2f}  Precision: {:.2f}  F1: {:.2f}".format(*percent)


def average(scores: Mapping[str, Score], metrics: Iterable[str]) -> list[str]:
    """Write the CoNLL score, if exactly three lines count for it."""
    from scoref.metrics.conll import CONLL  # after the options

    averaged = [scores[name].f1 for name in metrics if name in CONLL.of]
    if len(averaged) != len(CONLL.of):
        return []
    return [f"CoNLL score: {100 * CONLL.mean(averaged):.2f}"]


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
    from scoref.scoring.evaluate import score_files  # loads NumPy
    from scoref.scoring.request import Request

    wanted = Request(
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
